/* SPDX-License-Identifier: MIT
 * The verbs, in the order of the help. A new one is one file verb_NAME.c, which ends in one
 * `const verb verb_NAME`, and one entry here.
 */
#ifndef STICTION_TOOLS_COMMAND_VERBS_H
#define STICTION_TOOLS_COMMAND_VERBS_H

#include <stdio.h>

#include "common/verb.h"

/* clang-format off */
#define VERBS(X)                                                                                   \
    X(run) X(report) X(sweep) X(merge)                                                             \
    X(new) X(init) X(import) X(export) X(fit) X(excite) X(check) X(curve) X(replay)                                                            \
    X(reproduce) X(bench)                                                                          \
    X(help)
/* clang-format on */

#define VERB_DECLARED(name) extern const verb verb_##name;
VERBS(VERB_DECLARED)

/* All of them; NULL ends the list. */
extern const verb *const verbs[];

/* The verb of this name, or NULL. */
const verb *find_verb(const char *name);
/* The same; the error names the nearest verb. */
const verb *find_verb_or_fail(const char *name, stiction_error *error);

/* The list of verbs with their summaries. */
void print_overview(FILE *out);

/* Prints the completions of the last of these tokens after `stiction`, one completion per line;
 * nothing means names of files. */
void print_completions(int count, char **tokens, FILE *out);

#endif
