/* SPDX-License-Identifier: MIT */
#include "ground.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

int skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	return 77;
}

/* --- namespaces ----------------------------------------------------------- */

static int own_namespace = -1;

/* Our children are born where we are again. */
static bool come_home(void)
{
	return !setns(own_namespace, CLONE_NEWPID);
}

bool can_spawn_first(void)
{
	if (own_namespace < 0)
		own_namespace = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	return own_namespace >= 0 && !unshare(CLONE_NEWPID) && come_home();
}

/* fork and not clone, so that libc knows the number, too. */
pid_t spawn_first(int (*body)(void *), void *arg)
{
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		bail_out("unshare: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(getpid() == 1 ? body(arg) : 1);
	}
	if (pid < 0 || !come_home())
		bail_out("no child in a namespace: %s", strerror(errno));
	return pid;
}

/* --- forks ---------------------------------------------------------------- */

static pid_t adopter;

void adopt(void)
{
	adopter = getpid();
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		bail_out("prctl: %s", strerror(errno));
}

bool is_adopted(void)
{
	return getppid() == adopter;
}

pid_t fork_survivor(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		while (getppid() == parent || is_adopted())
			nap(1000000);
		_exit(0);
	}
	return pid;
}

/* --- another boot --------------------------------------------------------- */

static const char boot_path[] = "/proc/sys/kernel/random/boot_id";

/* The text of another boot id is in a file that has no name any more. */
static int write_id(const char *id)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s.boot.%d", line_path(), getpid());
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, id, strlen(id)) != (ssize_t)strlen(id) ||
	    mount(path, boot_path, 0, MS_BIND, 0)) {
		unlink(path);
		return -errno;
	}
	unlink(path);
	return close(fd);
}

int boot(void)
{
	if (unshare(CLONE_NEWNS) || mount("", "/", 0, MS_REC | MS_PRIVATE, 0))
		return -errno;
	return write_id("01234567-89ab-cdef-0123-456789abcdef\n");
}

struct part {
	int (*body)(void *);
	void *arg;
};

static int after_boot(void *arg)
{
	struct part *part = arg;

	return boot() || part->body(part->arg);
}

pid_t spawn_elsewhere(int (*body)(void *), void *arg)
{
	struct part part = { body, arg };

	return spawn(after_boot, &part);
}

static int reads_another(void *arg)
{
	char ours[40] = "", text[40] = "";
	FILE *f = arg, *g;

	if (!fgets(ours, sizeof(ours), f) || boot())
		return 1;
	g = fopen(boot_path, "re");
	return !g || !fgets(text, sizeof(text), g) || !strcmp(ours, text);
}

bool can_boot(void)
{
	FILE *f = fopen(boot_path, "re");
	bool can = f && ends_well(spawn(reads_another, f));

	if (f)
		fclose(f);
	return can;
}

/* --- one who holds, one who waits ----------------------------------------- */

struct cue *new_cue(void)
{
	static struct cue *cue;

	if (!cue)
		cue = share(sizeof(*cue));
	atomic_store(&cue->inside, 0);
	atomic_store(&cue->go, 0);
	atomic_store(&cue->other, 0);
	return cue;
}

static bool is_inside(void *arg)
{
	return ((struct cue *)arg)->inside;
}

bool gets_inside(struct cue *cue)
{
	return eventually(is_inside, cue);
}

void await_inside(struct cue *cue)
{
	if (!gets_inside(cue))
		bail_out("nobody gets in");
}

void stay(struct cue *cue)
{
	cue->inside = 1;
	while (!cue->go)
		nap(200000);
}

int hold(void *arg)
{
	struct wicket *line = open_line(0);

	if (wicket_acquire(line, 0))
		return 1;
	stay(arg);
	return wicket_release(line) || wicket_close(line);
}

int queue(void *arg)
{
	struct wicket *line = open_line(0);
	struct timespec deadline = limit();
	int error = wicket_acquire_until(line, &deadline, 0);

	(void)arg;
	if (error)
		note("waited in vain: %s", strerror(-error));
	return error || wicket_close(line);
}

int is_refused(void *arg)
{
	struct wicket *line = open_line(0);
	int error = wicket_try(line, 0);

	(void)arg;
	if (error != -EAGAIN)
		note("tried a slot that is taken: %s",
		     error ? strerror(-error) : "got it");
	wicket_close(line);
	return error != -EAGAIN;
}

pid_t start_holder(struct cue *cue)
{
	pid_t pid = spawn(hold, cue);

	await_inside(cue);
	return pid;
}

static bool is_awaited(void *view)
{
	return look(view).waiting == 1;
}

pid_t start_waiter(void)
{
	struct wicket *view = open_line(WICKET_VIEW);
	pid_t pid = spawn(queue, 0);

	if (!eventually(is_awaited, view))
		bail_out("nobody waits");
	wicket_close(view);
	return pid;
}

/* --- system calls --------------------------------------------------------- */

static bool install(struct sock_filter *code, uint16_t length)
{
	struct sock_fprog program = { length, code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int refuse(long call, int second, int error)
{
	const uint32_t nr = offsetof(struct seccomp_data, nr),
		       args = offsetof(struct seccomp_data, args);
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, nr),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, args + sizeof(uint64_t)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)second, 0,
			 second != ANY),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return install(code, sizeof(code) / sizeof(*code)) ? 0 : -errno;
}

bool can_refuse(void)
{
	return prctl(PR_GET_SECCOMP) >= 0;
}
