/* SPDX-License-Identifier: MIT
 * What a part of `stiction bench` is, and what all parts need: figures of repeated timings. A part
 * is one file bench_NAME.c that ends in one `const bench_part`; BENCH_PARTS lists them.
 */
#ifndef STICTION_TOOLS_BENCH_BENCH_H
#define STICTION_TOOLS_BENCH_BENCH_H

#include "common/options.h"
#include "common/table.h"

/* What is asked for. */
typedef struct bench_request {
    size_t repeat; /* how often each thing is timed */
    bool quick;    /* as little as shows that it works: the times mean nothing */
} bench_request;

typedef struct bench_part {
    const char *name;
    bool needs_project;
    bool only_if_named; /* does not run by default */
    const table_column *columns;
    size_t column_count;
    /* Adds its rows to the table. `project` is NULL for parts that need none; others are called for
     * each. */
    bool (*measure)(const bench_request *request, const char *project, table *t,
                    stiction_error *error);
} bench_part;

#define BENCH_COLUMNS(array) .columns = (array), .column_count = sizeof(array) / sizeof *(array)

/* A new part is one file and one word here. */
#define BENCH_PARTS(X)       X(laws) X(implicit) X(engine) X(vector)
#define BENCH_DECLARED(name) extern const bench_part bench_##name;
BENCH_PARTS(BENCH_DECLARED)

/* Element k of one of eight independent sequences that fill [0, 1) evenly. */
double bench_spread(size_t k, size_t sequence);

/* The best of `count` times is disturbed least, the median is usual. Means are left out: on a
 * machine that does other things too, they measure those. */
double bench_best(const double *times, size_t count);
double bench_median(const double *times, size_t count);

/* Something short that is timed. */
typedef struct bench_runner {
    void (*run)(void *context);
    void *context;
    size_t steps;        /* of a joint in one run: times are per step */
    double best, median; /* s, once it was timed */
    size_t runs;         /* in one timing; the race finds it */
    double *times;       /* s, of every repetition, while the race lasts */
} bench_runner;

/* Times all of them in turns, so that whatever slows the machine down slows all. */
void bench_race(const bench_request *request, bench_runner *runners, size_t count);

/* E: one exp of libm. */
bench_runner bench_exp(void);

#endif
