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

double bench_spread(size_t k, size_t sequence) {
    static const double primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
    const double place = (double)(k + 1) * sqrt(primes[sequence % 8]);
    return place - floor(place);
}

static double time_of(const bench_runner *r) {
    r->run(r->context); /* brings caches and threads to where they are in a simulation */
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
    while (time_of(r) < long_enough) r->runs *= 2;
}

void bench_race(const bench_request *request, bench_runner *runners, size_t count) {
    for (size_t k = 0; k < count; k++) get_ready(request, &runners[k]);
    for (size_t r = 0; r < request->repeat; r++)
        for (size_t turn = 0; turn < count; turn++) {
            /* the first one changes from repetition to repetition */
            bench_runner *who = &runners[(turn + r) % count];
            who->times[r] = time_of(who) / (double)(who->runs * who->steps);
        }
    for (size_t k = 0; k < count; k++) {
        runners[k].best = bench_best(runners[k].times, request->repeat);
        runners[k].median = bench_median(runners[k].times, request->repeat);
        free(runners[k].times);
    }
}
