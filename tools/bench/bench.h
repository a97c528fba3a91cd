/* SPDX-License-Identifier: MIT
 * What a part of `stiction bench` is, and what all parts need: figures of repeated timings. A part
 * is one file bench_NAME.c that ends in one `const bench_part`; verb_bench.c lists them.
 */
#ifndef STICTION_TOOLS_BENCH_BENCH_H
#define STICTION_TOOLS_BENCH_BENCH_H

#include "common/options.h"
#include "common/table.h"

/* What is asked for. */
typedef struct bench_request {
    const text_list *projects;
    size_t repeat;    /* how often each thing is timed */
    bool quick;       /* as little as shows that it works: the times are worth nothing */
    bool targets;     /* say beside a figure what is aimed at, and whether it is reached */
    size_t runs;      /* of a sweep, at the most; 0: not given */
    const char *plot; /* the file of a picture, for the part that has one; NULL: none */
} bench_request;

typedef struct bench_part {
    const char *name;
    bool needs_project;
    bool only_if_named; /* is not among those that run where none is named */
    const table_column *columns;
    size_t column_count;
    const table_column *target_columns; /* they follow where targets are asked for */
    size_t target_column_count;
    /* Adds its rows to the table. Returns false after an error on stderr. */
    bool (*measure)(const bench_request *request, table *t);
} bench_part;

extern const bench_part bench_controller;
extern const bench_part bench_drives;
extern const bench_part bench_engine;
extern const bench_part bench_fleet;
extern const bench_part bench_implicit;
extern const bench_part bench_instructions;
extern const bench_part bench_lambert;
extern const bench_part bench_laws;
extern const bench_part bench_machine;
extern const bench_part bench_qp;
extern const bench_part bench_run;
extern const bench_part bench_size;
extern const bench_part bench_sweep;

/* Of `count` times: the least is what disturbs the machine least, the median what is usual. */
double bench_best(const double *times, size_t count);
double bench_median(const double *times, size_t count);

/* Something short that is timed. */
typedef struct bench_runner {
    void (*run)(void *context);
    void *context;
    size_t steps;  /* of a joint, that one run makes: times are of one of them */
    size_t runs;   /* that one timing takes; bench_race finds it */
    double *times; /* s a step, an entry a repetition; free it */
} bench_runner;

/* Times all of them in turns, so that whatever slows the machine down slows all. */
void bench_race(const bench_request *request, bench_runner *runners, size_t count);

/* Two runners of a race whose times are to be compared. */
typedef struct bench_pair {
    const bench_runner *one, *other;
    double (*times)[2]; /* s a step, an entry a repetition; free it */
} bench_pair;

/* The same, and in each repetition the pairs side by side, some ms long: what slows the machine
 * down for longer slows both, what is shorter is left out by the best of a few. */
void bench_race_pairs(const bench_request *request, bench_runner *runners, size_t count,
                      bench_pair *pairs, size_t pair_count);

/* How many times as long as the other one the first takes: the median of the tenth of the
 * repetitions (three at least) in which both together were fastest. A core that is shared with
 * others slows some loops down more than others, but usually not all the time. */
double bench_ratio(const bench_request *request, const bench_pair *pair);

#endif
