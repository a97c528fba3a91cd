/* SPDX-License-Identifier: MIT
 * A verb of the stiction command: one file that ends in one `const verb`; command/verbs.h lists
 * them. Help, man page and shell completion are made from it.
 */
#ifndef STICTION_TOOLS_COMMON_VERB_H
#define STICTION_TOOLS_COMMON_VERB_H

#include "options.h"
#include "stiction/error.h"

/* The exit code of the command. */
enum {
    EXIT_FINE = 0, /* all went well */
    EXIT_DATA = 1, /* something is wrong with a file, or a verdict is negative */
    EXIT_USAGE = 2 /* bad usage */
};

/* Returns an exit code. *error is STICTION_OK before; an error in it is printed, and after
 * EXIT_USAGE a hint to --help. */
typedef int verb_action(const void *options, const text_list *arguments, stiction_error *error);

typedef struct verb {
    const char *name;
    const char *summary;     /* one line, in lower case, without a full stop */
    const char *arguments;   /* "CONFIG JOINT..." */
    size_t least, most;      /* how many arguments; most 0: any number */
    const option *options;   /* ends with {0} */
    const void *defaults;    /* the verb's struct of options without any option */
    size_t options_size;     /* its size */
    const char *description; /* paragraphs, wrapped at 80 columns */
    const char *example;     /* commands and what they give, indented by two spaces */
    verb_action *run;        /* NULL: the verb is a program of its own */
    const char *program;     /* that program, such as "stiction-bench" */
} verb;

/* The three fields of a verb's options: their table, and a variable with the defaults. */
#define VERB_OPTIONS(table, defaults_of)                                                           \
    .options = (table), .defaults = &(defaults_of), .options_size = sizeof(defaults_of)

#endif
