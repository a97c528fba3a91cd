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
    size_t repeat;    /* how often each thing is timed */
    bool quick;       /* as little as shows that it works: the times mean nothing */
    bool targets;     /* print the goals of a figure, and whether they are met */
    const char *plot; /* the file of a picture, for the part that has one; NULL: none */
} bench_request;

typedef struct bench_part {
    const char *name;
    bool needs_project;
    bool only_if_named; /* does not run by default */
    const table_column *columns;
    size_t column_count;
    bool has_targets; /* must, stretch and holds follow the columns where they are asked for */
    /* Adds its rows to the table. `project` is NULL for parts that need none; others are called for
     * each. */
    bool (*measure)(const bench_request *request, const char *project, table *t,
                    stiction_error *error);
} bench_part;

#define BENCH_COLUMNS(array) .columns = (array), .column_count = sizeof(array) / sizeof *(array)

/* A new part is one file and one word here. */
#define BENCH_PARTS(X)                                                                             \
    X(laws)                                                                                        \
    X(machine) X(lambert) X(size) X(fleet) X(implicit) X(engine) X(qp) X(drives) X(run) X(vector)
#define BENCH_DECLARED(name) extern const bench_part bench_##name;
BENCH_PARTS(BENCH_DECLARED)

/* Bytes of the caches for data that one core sees, by the system; where it does not say, a guess
 * that is rarely larger than the real size. */
typedef struct bench_caches {
    size_t first, second, last;
} bench_caches;

bench_caches bench_find_caches(void);

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

/* Two runners of a race whose times are compared. */
typedef struct bench_pair {
    const bench_runner *one, *other;
    double ratio; /* of the times: the median over the tenth of the repetitions (three at least) in
                   * which both together were fastest. A core that is shared with others slows some
                   * loops down more than others, but usually not all the time. */
    double (*times)[2]; /* s, while the race lasts */
} bench_pair;

/* The same, and in each repetition the pairs side by side, for some ms: a longer disturbance slows
 * both, a shorter one is left out by the best of a few. */
void bench_race_pairs(const bench_request *request, bench_runner *runners, size_t count,
                      bench_pair *pairs, size_t pair_count);

#endif
