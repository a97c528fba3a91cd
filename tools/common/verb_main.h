/* SPDX-License-Identifier: MIT
 * Runs a verb: parses its options, prints its help, flushes its output. Shared by the stiction
 * command and by the programs that it starts for some verbs.
 */
#ifndef STICTION_TOOLS_COMMON_VERB_MAIN_H
#define STICTION_TOOLS_COMMON_VERB_MAIN_H

#include <stdio.h>

#include "verb.h"

void print_help(const verb *v, FILE *out);

/* Parses the arguments after the verb's name and calls the action. Returns the exit code. */
int call_verb(const verb *v, verb_action *action, int argc, char **argv);

/* The main of a program: what the process needs before any verb runs, and the exit code after it:
 * output that could not be written is an error. */
void begin_program(void);
int finish_program(int status);

/* The main of a program that is one verb. */
int run_program(const verb *v, verb_action *action, int argc, char **argv);

/* The path of another program of ours, which is in the same directory as this one or installed
 * with it; NULL: it is not there. The caller frees it. */
char *find_program(const char *name);

#endif
