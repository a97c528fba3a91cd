/*
 * Repeated timings and their figures. Means are left out: on a machine that does other things too,
 * they measure those.
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
    double *sorted = allocate(count, sizeof *sorted);
    memcpy(sorted, times, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    const double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return median;
}

static double time_of(const bench_runner *r, bool long_enough_cold) {
    /* brings caches and threads to where they are in a simulation */
    if (!long_enough_cold) r->run(r->context);
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

void bench_race(const bench_request *request, bench_runner *runners, size_t count) {
    for (size_t k = 0; k < count; k++) get_ready(request, &runners[k]);
    for (size_t r = 0; r < request->repeat; r++)
        for (size_t turn = 0; turn < count; turn++) {
            /* whoever is first is another one each time */
            bench_runner *who = &runners[(turn + r) % count];
            who->times[r] = time_of(who, false) / (double)(who->runs * who->steps);
        }
}

/* s a step: the best of a few */
static double pair_ratio(const bench_pair *p, size_t repetition, bool quick) {
    enum { most_rounds = 5 };
    static const double enough = 5e-3; /* s: so long a run needs no other */
    const bench_runner *both[2] = {p->one, p->other};
    double best[2] = {(double)INFINITY, (double)INFINITY};
    const bool is_long = p->one->times[0] * (double)(p->one->runs * p->one->steps) > enough;
    for (size_t n = 0; n < (quick || is_long ? 1 : most_rounds); n++)
        for (size_t k = 0; k < 2; k++) {
            /* whoever is first is the other one each time */
            const size_t who = (k + n + repetition) % 2;
            const bench_runner *r = both[who];
            best[who] = fmin(best[who], time_of(r, is_long) / (double)(r->runs * r->steps));
        }
    return best[0] / best[1];
}

void bench_compare(const bench_request *request, bench_pair *pairs, size_t count) {
    for (size_t k = 0; k < count; k++)
        pairs[k].ratios = allocate(request->repeat, sizeof *pairs[k].ratios);
    for (size_t r = 0; r < request->repeat; r++)
        for (size_t k = 0; k < count; k++)
            pairs[k].ratios[r] = pair_ratio(&pairs[k], r, request->quick);
}
