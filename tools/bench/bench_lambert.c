/* SPDX-License-Identifier: MIT
 * stiction bench, part lambert: Lambert's W0 and W-1 range by range, called through a pointer, as
 * ratios to Boost's in one race; and the largest errors of both, in units in the last place.
 * tests/lambert_accuracy.c measures ours against MPFR, on a million points a range.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_joints.h"
#include "bench_rivals.h"
#include "common/command.h"
#include "lambert_ranges.h"
#include "quad.h"
#include "stiction/models/lambert_w.h"

/* What this project aims at: of Boost's time, and of the error. */
static const double must_ratio = 1, stretch_ratio = 0.75, must_ulp = 1, stretch_ulp = 0.7;

/* Ours and Boost's over one range. */
typedef struct contest_range {
    bench_calls ours, boost;
    bench_runner *our_runner, *boost_runner; /* the latter NULL where Boost is not, or cannot */
} contest_range;

/* ---- the error ---- */

/* What w is more than W(z), in units in its last place: one step of Newton's method. */
static double error_of(double w, double z) {
    if (w == -1 || z == 0 || isinf(w)) return 0; /* ends that tests look at */
    const quad distance = ((quad)w - (quad)z * quad_exp(-(quad)w)) / (1 + (quad)w);
    int exponent;
    (void)frexp(w, &exponent);
    const double ulp = fmax(ldexp(1, exponent - 53), 0x1p-1074);
    return fabs((double)(distance / (quad)ulp));
}

static double largest_error(bench_function w, const lambert_range *range, size_t points) {
    double worst = 0;
    for (size_t k = 0; k < points; k++) {
        const double z = lambert_argument(range, bench_spread(k, 1)), error = error_of(w(z), z);
        if (!(error <= worst)) worst = error; /* a NaN counts */
    }
    return worst;
}

/* ---- the race ---- */

static bool boost_takes(const lambert_range *range) {
    return !range->minus_one || fabs(range->from) >= DBL_MIN; /* it throws an exception */
}

static void set_calls(bench_calls *calls, const lambert_range *range, bench_function function) {
    calls->function = function;
    for (size_t k = 0; k < bench_argument_count; k++)
        calls->arguments[k] = lambert_argument(range, bench_spread(k, 0));
}

static void set_range(contest_range *c, const lambert_range *range, bench_runner *runners,
                      size_t *count) {
    const bench_function boost = range->minus_one ? bench_boost_wm1 : bench_boost_w0;
    set_calls(&c->ours, range, range->minus_one ? stiction_lambert_wm1 : stiction_lambert_w0);
    c->our_runner = &runners[(*count)++];
    *c->our_runner =
        (bench_runner){.run = bench_calls_run, .context = &c->ours, .steps = bench_argument_count};
    if (!boost || !boost_takes(range)) return;
    set_calls(&c->boost, range, boost);
    c->boost_runner = &runners[(*count)++];
    *c->boost_runner =
        (bench_runner){.run = bench_calls_run, .context = &c->boost, .steps = bench_argument_count};
}

/* ---- the table ---- */

static const table_column columns[] = {
    {"range", "Lambert's W", 0},
    {"best_ns", "best (ns)", 3},
    {"median_ns", "median (ns)", 3},
    {"boost_ns", "Boost, best (ns)", 3},
    {"ratio", "best (Boost)", 3},
    {"error_ulp", "error (ulp)", 3},
    {"boost_error_ulp", "Boost's error (ulp)", 3},
};

static void add_bars(table *t, double ratio, double error) {
    const bool timed = ratio > 0;
    AUTO_FREE char *must = timed ? format_text("%g Boost, %g ulp", must_ratio, must_ulp)
                                 : format_text("%g ulp", must_ulp);
    AUTO_FREE char *stretch = timed ? format_text("%g Boost, %g ulp", stretch_ratio, stretch_ulp)
                                    : format_text("%g ulp", stretch_ulp);
    table_text(t, must);
    table_text(t, stretch);
    table_text(t, ratio <= stretch_ratio && error <= stretch_ulp ? "stretch"
                  : ratio <= must_ratio && error <= must_ulp     ? "must"
                                                                 : "no");
}

static void print_row(const bench_request *request, const contest_range *c,
                      const lambert_range *range, table *t) {
    static const double ns = 1e9;
    const size_t points = request->quick ? 100 : 5000;
    const double best = c->our_runner->best;
    const double error = largest_error(c->ours.function, range, points);
    double ratio = 0;
    char name[64];
    table_text(t, lambert_range_name(range, name, sizeof name));
    table_number(t, ns * best);
    table_number(t, ns * c->our_runner->median);
    if (c->boost_runner) {
        const double boost = c->boost_runner->best;
        ratio = best / boost;
        table_number(t, ns * boost);
        table_number(t, ratio);
        table_number(t, error);
        table_number(t, largest_error(c->boost.function, range, points));
    } else {
        table_text(t, bench_boost_w0 ? "refused" : "not in this build");
        table_empty(t);
        table_number(t, error);
        table_empty(t);
    }
    if (request->targets) add_bars(t, ratio, error);
}

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    (void)project, (void)error;
    contest_range *ranges = allocate(lambert_range_count, sizeof *ranges);
    bench_runner runners[2 * lambert_range_count];
    size_t count = 0;
    for (size_t k = 0; k < lambert_range_count; k++)
        set_range(&ranges[k], &lambert_ranges[k], runners, &count);
    bench_race(request, runners, count);
    for (size_t k = 0; k < lambert_range_count; k++)
        print_row(request, &ranges[k], &lambert_ranges[k], t);
    free(ranges);
    return true;
}

const bench_part bench_lambert = {
    .name = "lambert",
    BENCH_COLUMNS(columns),
    .has_targets = true,
    .measure = measure,
};
