/* SPDX-License-Identifier: MIT */
/* wicket rm: removes a line that is not in use. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tool/damage.h"
#include "tool/store.h"
#include "tool/tool.h"
#include "tool/users.h"

/* Names the users of the line; false if there are none by now. */
static bool say_who(const char *name)
{
	struct snapshot s = { 0 };
	bool used = !snapshot_take(&s, name) && users_say(name, &s);

	snapshot_free(&s);
	return used;
}

/* It is not clear whether the link or the line should be removed. */
static int say_link(const char *name)
{
	char path[PATH_MAX], real[PATH_MAX];

	struct stat st;

	if (wicket_path(name, path, sizeof(path)) >= 0 &&
	    realpath(path, real) && !stat(real, &st) && S_ISREG(st.st_mode))
		say("%s: this is a symbolic link; remove the line itself: wicket rm %s",
		    name, real);
	else
		say("%s: this is a symbolic link, and not to a line", name);
	return EX_USAGE;
}

int rm_main(int argc, char **argv)
{
	const struct store *store = only_store(argc, argv);
	const char *name = only_operand(argc, argv, "NAME");
	int error;

	if (store)
		return store->remove(name);
	damage_name(name);
	error = wicket_remove(name);
	if (error == -EBUSY && say_who(name))
		return EX_TEMPFAIL;
	if (error == -ELOOP)
		return say_link(name);
	return error ? say_error(name, error) : 0;
}
