/* SPDX-License-Identifier: MIT */
#include "tool/demo-command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A group of its own, so that ^C is for the demonstration to deal with; signals
   as if it had been started by a shell. */
static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;
	short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
		      POSIX_SPAWN_SETSIGDEF;
	int error = posix_spawnattr_init(attributes);

	sigemptyset(&none);
	sigfillset(&all);
	if (!error)
		error = posix_spawnattr_setflags(attributes, flags);
	if (!error)
		error = posix_spawnattr_setsigmask(attributes, &none);
	if (!error)
		error = posix_spawnattr_setsigdefault(attributes, &all);
	return error;
}

static int set_files(posix_spawn_file_actions_t *files, const char *log)
{
	int error = posix_spawn_file_actions_init(files);

	if (!error)
		error = posix_spawn_file_actions_addopen(
			files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_addopen(
			files, STDOUT_FILENO, log,
			O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (!error)
		error = posix_spawn_file_actions_adddup2(files, STDOUT_FILENO,
							 STDERR_FILENO);
	return error;
}

int process_start(pid_t *pid, const char *const *argv, const char *log)
{
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_t files;
	int error = set_attributes(&attributes);

	if (error)
		return -error;
	error = set_files(&files, log);
	if (!error) {
		error = posix_spawnp(pid, argv[0], &files, &attributes,
				     (char **)(uintptr_t)argv, environ);
		posix_spawn_file_actions_destroy(&files);
	}
	posix_spawnattr_destroy(&attributes);
	return -error;
}

int command_start(struct command *c, const char *const *argv, const char *log)
{
	int error = process_start(&c->wicket, argv, log);

	if (!error)
		c->stage = STARTED;
	return error;
}

/* An orphan became ours when its wicket died, and is still in the group.  While one of
   them is not reaped, nobody else can have the group's number. */
static void reap(struct command *c)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-c->wicket, &status, WNOHANG)) > 0) {
		if (pid == c->wicket) {
			c->wicket_ended = true;
			c->status = status;
		}
	}
	c->all_ended = pid < 0 && errno == ECHILD;
}

void commands_reap(struct command *commands, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (commands[i].stage != TO_COME && !commands[i].all_ended)
			reap(&commands[i]);
	}
}

void commands_end(struct command *commands, size_t count)
{
	commands_reap(commands, count);
	for (size_t i = 0; i < count; i++) {
		if (commands[i].stage != TO_COME && !commands[i].all_ended)
			kill(-commands[i].wicket, SIGKILL);
	}
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}
