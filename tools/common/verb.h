/*
 * What a verb of the stiction command is. A verb is one file that ends in one `const verb`; main.c
 * lists them. Help, man page and completion are made from it, so nothing is said twice.
 */
#ifndef STICTION_TOOLS_COMMON_VERB_H
#define STICTION_TOOLS_COMMON_VERB_H

#include "options.h"

/* What run returns, and the command with it. */
enum {
    EXIT_FINE = 0, /* all went well */
    EXIT_DATA = 1, /* something is wrong with a file, or a verdict is negative */
    EXIT_USAGE = 2 /* bad usage */
};

typedef struct verb {
    const char *name;
    const char *summary;     /* one line, in lower case, without a full stop */
    const char *arguments;   /* "CONFIG JOINT..." */
    size_t least, most;      /* how many arguments; most 0: any number */
    const option *options;   /* ends with {0} */
    const void *defaults;    /* the verb's struct of options, as it is when none is given */
    size_t options_size;     /* its size */
    const char *description; /* paragraphs, wrapped at 80 columns */
    const char *example;     /* commands and what they give, indented by two spaces */
    int (*run)(const void *options, const text_list *arguments);
} verb;

/* One a file verb_NAME.c. */
extern const verb verb_bench;
extern const verb verb_check;
extern const verb verb_curve;
extern const verb verb_init;
extern const verb verb_merge;
extern const verb verb_replay;
extern const verb verb_reproduce;
extern const verb verb_run;
extern const verb verb_sweep;

/* All of them, in the order of the help; NULL ends the list. */
extern const verb *const verbs[];

/* The verb of this name, or NULL. */
const verb *find_verb(const char *name);

#endif
