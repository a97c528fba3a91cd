/* SPDX-License-Identifier: MIT
 * Repeated timings and their figures.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "common/command.h"

double bench_best(const double *times, size_t count) {
    double best = (double)INFINITY;
    for (size_t k = 0; k < count; k++) best = fmin(best, times[k]);
    return best;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(const double *times, size_t count) {
    AUTO_FREE double *sorted = allocate(count, sizeof *sorted);
    memcpy(sorted, times, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static double time_of(const bench_runner *r, bool is_long) {
    /* brings caches and threads to where they are in a simulation */
    if (!is_long) r->run(r->context);
    const double started = monotonic_seconds();
    for (size_t k = 0; k < r->runs; k++) r->run(r->context);
    return monotonic_seconds() - started;
}

/* So long that the clock does not show, so short that nothing else happens in most of them. */
static const double long_enough = 2e-4; /* s */

static void get_ready(const bench_request *request, bench_runner *r) {
    r->times = allocate(request->repeat, sizeof *r->times);
    r->runs = 1;
    if (request->quick) return;
    while (time_of(r, false) < long_enough) r->runs *= 2;
}

/* The same from further down the stack: where that lies makes 7 % in short calls, by the luck of a
 * process, so the best of a few shall be of several places. */
static __attribute__((noinline)) double time_below(const bench_runner *r, bool is_long,
                                                   size_t depth) {
    volatile char room[208];
    room[0] = 0;
    const double time = depth ? time_below(r, is_long, depth - 1) : time_of(r, is_long);
    return time + room[0]; /* which is in use until here */
}

/* The best of a few of both. */
static void time_pair(const bench_pair *p, size_t repetition, bool quick) {
    enum { most_rounds = 5 };
    static const double enough = 5e-3; /* s: so long a run needs no other */
    const bench_runner *both[2] = {p->one, p->other};
    double best[2] = {(double)INFINITY, (double)INFINITY};
    const bool is_long = p->one->times[0] * (double)(p->one->runs * p->one->steps) > enough;
    for (size_t n = 0; n < (quick || is_long ? 1 : most_rounds); n++)
        for (size_t k = 0; k < 2; k++) {
            /* the order alternates */
            const size_t who = (k + n + repetition) % 2;
            const bench_runner *r = both[who];
            best[who] = fmin(best[who], time_below(r, is_long, n) / (double)(r->runs * r->steps));
        }
    memcpy(p->times[repetition], best, sizeof best);
}

static int faster_first(const void *a, const void *b) {
    const double *x = a, *y = b, left = x[0] + x[1], right = y[0] + y[1];
    return (left > right) - (left < right);
}

static double ratio_of(const bench_pair *pair, size_t count) {
    enum { share = 10, least = 3 };
    const size_t some = count < least ? count : least;
    const size_t fastest = count / share > some ? count / share : some;
    double(*sorted)[2] = allocate(count, sizeof *sorted);
    AUTO_FREE double *ratios = allocate(fastest, sizeof *ratios);
    memcpy(sorted, pair->times, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, faster_first);
    for (size_t k = 0; k < fastest; k++) ratios[k] = sorted[k][0] / sorted[k][1];
    const double ratio = bench_median(ratios, fastest);
    free(sorted);
    return ratio;
}

void bench_race_pairs(const bench_request *request, bench_runner *runners, size_t count,
                      bench_pair *pairs, size_t pair_count) {
    for (size_t k = 0; k < count; k++) get_ready(request, &runners[k]);
    for (size_t k = 0; k < pair_count; k++)
        pairs[k].times = allocate(request->repeat, sizeof *pairs[k].times);
    for (size_t r = 0; r < request->repeat; r++) {
        for (size_t turn = 0; turn < count; turn++) {
            /* the first one changes from repetition to repetition */
            bench_runner *who = &runners[(turn + r) % count];
            who->times[r] = time_of(who, false) / (double)(who->runs * who->steps);
        }
        for (size_t k = 0; k < pair_count; k++) time_pair(&pairs[k], r, request->quick);
    }
    for (size_t k = 0; k < count; k++) {
        runners[k].best = bench_best(runners[k].times, request->repeat);
        runners[k].median = bench_median(runners[k].times, request->repeat);
        free(runners[k].times);
    }
    for (size_t k = 0; k < pair_count; k++) {
        pairs[k].ratio = ratio_of(&pairs[k], request->repeat);
        free(pairs[k].times);
    }
}

void bench_race(const bench_request *request, bench_runner *runners, size_t count) {
    bench_race_pairs(request, runners, count, NULL, 0);
}
