/* SPDX-License-Identifier: MIT */
#include "mapping.h"

#include "../stress/stress.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void map_line(struct wicket *mapping)
{
	int fd = open(line_path(), O_RDWR | O_CLOEXEC);
	size_t bytes = (size_t)lseek(fd, 0, SEEK_END);

	mapping->area = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			     0);
	if (mapping->area == MAP_FAILED)
		bail_out("%s: %s", line_path(), strerror(errno));
	close(fd);
	area_look_up(mapping, mapping->area->slots, mapping->area->seats);
}

void unmap_line(struct wicket *mapping)
{
	munmap(mapping->area, mapping->area->bytes);
}
