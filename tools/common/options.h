/* SPDX-License-Identifier: MIT
 * One declarative parser for the options of all verbs. A verb lists its options once; parsing,
 * help, the man page and the shell completion are made from that list.
 */
#ifndef STICTION_TOOLS_COMMON_OPTIONS_H
#define STICTION_TOOLS_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

/* What follows an option, and so the type of the field that it fills. */
typedef enum option_kind {
    OPTION_FLAG,     /* bool: nothing follows */
    OPTION_TEXT,     /* const char *; NULL in the defaults: not given */
    OPTION_TEXTS,    /* text_list: the option may be repeated */
    OPTION_FILES,    /* text_list: repeated, or several words up to the next option */
    OPTION_NUMBER,   /* double, finite; NaN in the defaults: not given */
    OPTION_POSITIVE, /* double, finite, > 0 */
    OPTION_COUNT     /* size_t, from 1; 0 in the defaults: not given */
} option_kind;

typedef struct text_list {
    const char **items;
    size_t count;
} text_list;

typedef struct option {
    const char *name; /* without the dashes; NULL ends a list of options */
    option_kind kind;
    const char *value; /* what help calls the value: "FILE"; NULL for a flag */
    const char *help;  /* one line, in lower case, without a full stop */
    size_t offset;     /* of its field in the verb's struct of options */
} option;

/* The row that all verbs share which read projects or robots; its field is a bool. */
#define UNTRUSTED_OPTION(options, field)                                                           \
    {                                                                                              \
        "untrusted", OPTION_FLAG, NULL, "refuse controllers and files outside the folder",         \
            offsetof(options, field)                                                               \
    }

typedef enum options_verdict {
    OPTIONS_FINE,
    OPTIONS_HELP, /* --help was given; the rest is ignored */
    OPTIONS_WRONG /* see *error */
} options_verdict;

/*
 * Reads argv[0 .. argc) into `values`, a copy of the verb's defaults, and everything else into
 * `arguments`. --name VALUE and --name=VALUE are the same; after "--" nothing is an option. `who`
 * is the verb's name for the messages. Free both with options_free, whatever the verdict.
 */
options_verdict options_parse(const char *who, const option *options, int argc, char **argv,
                              void *values, text_list *arguments, stiction_error *error);
void options_free(const option *options, void *values, text_list *arguments);

/* The given options as arguments again, "--name=value", as far as `is_wanted` accepts their names.
 * The caller frees each of them. */
void options_write(const option *options, const void *values, bool (*is_wanted)(const char *name),
                   text_list *list);

void text_list_add(text_list *list, const char *item);
/* Frees the list and its items. Items of parsed options belong to argv: use options_free for them.
 */
void text_list_free(text_list *list);
/* The first item that is there twice; NULL: all differ. */
const char *text_list_repeated(const text_list *list);

#endif
