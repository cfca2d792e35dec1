/* SPDX-License-Identifier: MIT */
/* wicket(1): the command line. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/damage.h"
#include "tool/store.h"
#include "tool/tool.h"

static const char usage[] =
	"usage: wicket run [OPTION]... NAME [--] COMMAND [ARG]... | NAME -c STRING\n"
	"       wicket status [NAME] [--json] [--watch] | list [--json]\n"
	"       wicket rm NAME | resize [--wait] NAME K | doctor NAME\n"
	"run waits in line NAME for its turn, runs COMMAND in one of the line's slots,\n"
	"and exits as COMMAND does. The line is created at first use.\n"
	"\n"
	"  -j, --slots K     slots of a new line (default: one per CPU; 1 in a store)\n"
	"  -n, --nonblock; -w, --timeout S  do not wait; wait at most S seconds\n"
	"  -E, --conflict-exit-code N  exit code if no slot was obtained (default 75)\n"
	"  -o, --close       if wicket is killed by -9, free the slot; COMMAND runs on\n"
	"  -c, --command; -v, --verbose   COMMAND is for the shell; report the position\n"
	"  --slot-var VAR    also put the number of the slot into VAR\n"
	"  --map A,B,...     put A (slot 0), B (slot 1), ... there instead\n"
	"  --nested HOW      in a slot of NAME already: pass (default), take or refuse\n"
	"  --mode MODE; --trust   permissions of a new line; as root, use others' lines\n"
	"  --store URL       any command: the line is in etcd, etcd://HOST:PORT[,...]\n"
	"  -N, --units U; --ttl S   U slots at once, or all; of --store: seconds of lease\n"
	"  -h, --help; -V, --version\n"
	"\n"
	"COMMAND finds WICKET_LINE, WICKET_SLOT (0 to K-1), WICKET_SLOTS, WICKET_TICKET\n"
	"and, with --store, WICKET_FENCE in its environment. Lines are in $WICKET_DIR, or\n"
	"/run/wicket, /run/lock/wicket-UID, /tmp/wicket-UID; a NAME with a slash is a\n"
	"path. Exit: COMMAND's own, 128+n, 126, 127; 75 (or -E) no slot obtained; 76 slot\n"
	"lost (--store); 64 to 78 our own errors. See wicket(1).\n";

static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
} commands[] = {
	{ "run", run_main },	   { "status", status_main },
	{ "list", list_main },	   { "rm", rm_main },
	{ "resize", resize_main }, { "doctor", doctor_main },
};

enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

void answer(int option)
{
	fputs(option == 'h' ? usage : "wicket " WICKET_VERSION "\n", stdout);
	if (fflush(stdout))
		fail(EX_IOERR, "cannot write to standard output");
	exit(0);
}

static bool is_one_of(const char *word, const char *brief, const char *full)
{
	return !strcmp(word, brief) || !strcmp(word, full);
}

/* If one of the standard descriptors were closed, the line's file could get its
   number, and messages would be written into it.  A command finds them closed
   again. */
static void fill_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", O_RDWR | O_CLOEXEC) != fd)
			exit(EX_OSERR);
	}
}

int main(int argc, char **argv)
{
	fill_standard_files();
	store_keep_arguments(argv);
	damage_heed();
	/* only right after the name of the command: later they may be COMMAND's */
	for (int i = 1; i < argc && i <= 2; i++) {
		if (is_one_of(argv[i], "-h", "--help"))
			answer('h');
		if (is_one_of(argv[i], "-V", "--version"))
			answer('V');
	}
	for (int i = 0; argc > 1 && i < COMMANDS; i++) {
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].main(argc - 1, argv + 1);
	}
	if (argc > 1)
		fail(EX_USAGE,
		     "%s: no such command; expected run, status, "
		     "list, rm, resize or doctor",
		     argv[1]);
	fail(EX_USAGE, "expected a command: run, status, list, rm, resize or "
		       "doctor; wicket --help says more");
}
