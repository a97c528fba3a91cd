/* SPDX-License-Identifier: MIT
 * All that is said about the verbs, made from their table: help, man page, shell completion.
 */
#ifndef STICTION_TOOLS_COMMAND_HELP_H
#define STICTION_TOOLS_COMMAND_HELP_H

#include <stdio.h>

#include "common/verb_main.h"
#include "verbs.h"

void print_overview(FILE *out);

/* The whole man page, in roff. */
void print_man(FILE *out);

/* What the last of these words (those behind `stiction`) may become, one a line; nothing: the
 * names of files. */
void print_completions(int count, char **words, FILE *out);

#endif
