/* SPDX-License-Identifier: MIT */
/* leftovers - neither files nor memory are left behind. */
#include "../api.h"

/* Not the one that counts them. */
static int open_files(void)
{
	return entries_in("/proc/self/fd") - 1;
}

static void no_open_files_are_left(void **state)
{
	int before = open_files();
	struct wicket *a;

	(void)state;
	a = new_line(1, 2);
	enter(a);
	close_line(a);
	assert_int_equal(open_files(), before);
	write_file("foreign", "", 0);
	assert_no_line("foreign");
	assert_int_equal(try_join("none"), -ENOENT);
	assert_int_equal(try_slots(2), -EEXIST);
	assert_int_equal(open_files(), before);
	a = new_line(1, 2);
	join_line();
	before = open_files();
	assert_int_equal(try_create("line"), -EUSERS);
	enter(a);
	assert_call(wicket_remove("line"), -EBUSY);
	leave(a);
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(open_files(), before);
	close_line(a);
	assert_int_equal(open_files(), before - 1);
}

/* Sanitizers have an allocator of their own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
	__has_feature(memory_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
#endif

static _Atomic unsigned long allocations;

#if OWN_ALLOCATOR
/* glibc's, counted; also those that libc makes for itself. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	allocations++;
	return __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
	allocations++;
	return __libc_realloc(p, size);
}
#endif

/* Pages of address space. */
static long pages(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY);

	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return atol(text);
}

static void nothing_is_allocated_after_opening(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct peer *p = new_holder();
	struct wicket_view view;
	struct wicket_entry e[8];
	struct timespec end = soon();
	unsigned long before = allocations;
	long size = pages();

	(void)state;
	if (!OWN_ALLOCATOR)
		leave_out("sanitized");
	assert_true(before > 0);
	assert_call(wicket_acquire_until(a, &end, NULL), -ETIMEDOUT);
	assert_call(wicket_cancel(a), 0);
	assert_int_equal(acquire(a), -ECANCELED);
	assert_call(wicket_try(a, NULL), -EAGAIN);
	assert_call(wicket_inspect(a, &view, e, 8), 1);
	slay(p);
	enter(a);
	assert_call(wicket_acquire(a, NULL), -EDEADLK);
	leave(a);
	enter(b);
	assert_int_equal(allocations, before);
	assert_int_equal(pages(), size);
	close_line(a);
	close_line(b);
	assert_int_equal(allocations, before);
	assert_true(pages() < size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(no_open_files_are_left),
		test(nothing_is_allocated_after_opening),
	};

	return cmocka_run_group_tests_name("api-leftovers", tests,
					   tidy_up_at_exit, NULL);
}
