/* SPDX-License-Identifier: MIT */
/*
 * places - how many places are taken in the file in which the processes of a host share a
 * lease.  A place that nobody frees is lost for all of them, and nothing else shows it.
 *
 * usage: places FILE
 */
#include "cluster/lease.c"

static int count_taken(const struct lease_file *file)
{
	int taken = 0;

	for (uint32_t i = 0; i < PLACES; i++)
		taken += file->place[i].number != 0;
	return taken;
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	void *map = mmap(NULL, sizeof(struct lease_file), PROT_READ, MAP_SHARED,
			 fd, 0);

	if (map == MAP_FAILED) {
		perror("usage: places FILE");
		return 2;
	}
	printf("%d\n", count_taken(map));
	return 0;
}
