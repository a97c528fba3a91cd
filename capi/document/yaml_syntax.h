/* SPDX-License-Identifier: MIT
 * An error message for the author of a text that is not YAML: libyaml's own messages describe what
 * its parser expected.
 */
#ifndef STICTION_CAPI_DOCUMENT_YAML_SYNTAX_H
#define STICTION_CAPI_DOCUMENT_YAML_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

#include "fail.h"

/* As libyaml reports it. */
typedef struct syntax_problem {
    const char *text; /* the whole file */
    size_t size;
    bool is_stranger;              /* nothing of the file is quoted but single signs */
    const char *problem, *context; /* the context may be NULL */
    stiction_place at;             /* of the problem */
    stiction_place begun;          /* where the context begins */
} syntax_problem;

/* Writes the message; returns the place that it is about. */
enum { SYNTAX_MESSAGE = 256 };
stiction_place stiction_yaml_explain(const syntax_problem *problem, char message[SYNTAX_MESSAGE]);

#endif
