/* SPDX-License-Identifier: MIT */
/* The options of stiction bench. */
#ifndef STICTION_TOOLS_BENCH_BENCH_OPTIONS_H
#define STICTION_TOOLS_BENCH_BENCH_OPTIONS_H

#include "common/verb.h"

typedef struct bench_options {
    text_list parts;
    size_t repeat;
    bool quick, json;
} bench_options;

extern const verb verb_bench;

#endif
