/* SPDX-License-Identifier: MIT
 * stiction bench, part size: what a joint of a batch costs, from one joint to a million and on one
 * thread and more; as a table and as a picture. The Stribeck law, constants shared.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "bench_joints.h"
#include "common/command.h"
#include "plot/plot.h"

/* From 1 to 10^6 joints, some sizes a decade. */
enum { decades = 6, a_decade = 3, size_count = decades * a_decade + 1, most_threads = 4 };

static size_t joints_of(size_t k) {
    return (size_t)lround(pow(10, (double)k / a_decade));
}

typedef struct contest {
    const bench_request *request;
    size_t thread_counts[most_threads], count; /* 1, 2, 4, ... up to the processors */
    bench_batch *batches[most_threads][size_count];
    bench_runner runners[most_threads][size_count];
} contest;

static void count_threads(contest *c) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    /* two are shown even on one processor: what they cost there is worth knowing too */
    for (size_t threads = 1; c->count < most_threads; threads *= 2) {
        if (threads > 2 && (long)threads > processors) break;
        c->thread_counts[c->count++] = threads;
    }
}

/* ---- the picture ---- */

static bool draw(const contest *c, stiction_error *error) {
    double x[size_count], y[most_threads][size_count];
    char labels[most_threads][32];
    plot_series series[most_threads];
    for (size_t t = 0; t < c->count; t++) {
        for (size_t k = 0; k < size_count; k++) {
            x[k] = (double)joints_of(k);
            y[t][k] = 1e9 * c->runners[t][k].best;
        }
        (void)snprintf(labels[t], sizeof labels[t], "%zu thread%s", c->thread_counts[t],
                       c->thread_counts[t] > 1 ? "s" : "");
        series[t] = (plot_series){
            .label = labels[t], .x = x, .y = y[t], .count = size_count, .marked = true};
    }
    const plot p = {.title = "A step of a joint in a batch, Stribeck law",
                    .x_label = "joints",
                    .y_label = "best time of a joint (ns)",
                    .log = true,
                    .series = series,
                    .count = c->count};
    return plot_write(&p, c->request->plot, plot_format_of(c->request->plot), error);
}

/* ---- the table ---- */

static const table_column columns[] = {
    {"joints", NULL, 0},
    {"threads", NULL, 0},
    {"best_ns", "a joint, best (ns)", 3},
    {"median_ns", "median (ns)", 3},
    {"best_us", "a step, best (us)", 3},
    {"times_one_thread", "times one thread", 3},
};

static void add_rows(const contest *c, table *t) {
    for (size_t n = 0; n < c->count; n++)
        for (size_t k = 0; k < size_count; k++) {
            const bench_runner *r = &c->runners[n][k];
            table_count(t, joints_of(k));
            table_count(t, c->thread_counts[n]);
            table_number(t, 1e9 * r->best);
            table_number(t, 1e9 * r->median);
            table_number(t, 1e6 * r->best * (double)joints_of(k));
            table_number(t, c->runners[0][k].best / r->best);
        }
}

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    (void)project;
    AUTO_FREE contest *c = allocate(1, sizeof *c);
    *c = (contest){.request = request};
    count_threads(c);
    for (size_t n = 0; n < c->count; n++)
        for (size_t k = 0; k < size_count; k++) {
            bench_batch *b = c->batches[n][k] = bench_batch_create(&(bench_batch_def){
                .laws = "s", .environments = joints_of(k), .threads = c->thread_counts[n]});
            c->runners[n][k] =
                (bench_runner){.run = bench_batch_run, .context = b, .steps = b->size};
        }
    bench_race(request, &c->runners[0][0], c->count * size_count);
    add_rows(c, t);
    const bool fine = !request->plot || draw(c, error);
    for (size_t n = 0; n < c->count; n++)
        for (size_t k = 0; k < size_count; k++) bench_batch_destroy(c->batches[n][k]);
    return fine;
}

const bench_part bench_size = {
    .name = "size",
    BENCH_COLUMNS(columns),
    .measure = measure,
};
