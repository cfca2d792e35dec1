/* SPDX-License-Identifier: MIT */
/* tool - what the commands of wicket(1) have in common. */
#ifndef TOOL_H
#define TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sysexits.h>

#include "wicket.h"

struct store;

/* Each gets its own arguments, argv[0] being the command's name, and returns
   the exit code. */
int run_main(int argc, char **argv);
int status_main(int argc, char **argv);
int list_main(int argc, char **argv);
int rm_main(int argc, char **argv);
int resize_main(int argc, char **argv);
int doctor_main(int argc, char **argv);

/* -h and -V: prints the help or the version, then exits. */
_Noreturn void answer(int option);

/* One line on stderr, beginning with "wicket: ", then exit. */
_Noreturn void fail(int code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same without exiting. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory of zeros, also if it is none; or fail. */
void *allocate(size_t count, size_t size);

/* A message about a line, with its path. */
void say_of_line(const char *name, const char *words);

/* Explains an error of the library about a line in words, and returns the exit
   code. */
int say_error(const char *name, int error);

/* Parses the whole number of an option, or fails. */
uint32_t parse_number(const char *option, const char *text, uint32_t least,
		      uint32_t most);

/* What getopt_long found wrong: fail. */
_Noreturn void fail_option(char **argv, int found);

/* Of a command that has no other option than --store: null if it is not given. */
const struct store *only_store(int argc, char **argv);

/* The only operand, or fail. */
const char *only_operand(int argc, char **argv, const char *what);

#endif
