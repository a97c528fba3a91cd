/* SPDX-License-Identifier: MIT */
/* The options of stiction reproduce. */
#ifndef STICTION_TOOLS_REPRODUCE_REPRODUCE_OPTIONS_H
#define STICTION_TOOLS_REPRODUCE_REPRODUCE_OPTIONS_H

#include "common/verb.h"

typedef struct reproduce_options {
    const char *out;
    size_t jobs;
    bool list, force, csv, json;
} reproduce_options;

extern const verb verb_reproduce;

#endif
