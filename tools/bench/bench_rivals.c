/* SPDX-License-Identifier: MIT
 * Lambert's W0 by others and the formula that needs it: Cisneros et al., (27), as printed, with the
 * friction of HRP-5P's wrist. Called through a pointer, so that no compiler makes vectors of them.
 */
#include "bench_rivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_joints.h"
#include "joint_models/comparison/stribeck_table.h"

#ifdef STICTION_GSL
#include <gsl/gsl_sf_lambert.h>
const bench_function bench_gsl_w0 = gsl_sf_lambert_W0;
#else
const bench_function bench_gsl_w0 = NULL;
#endif
#ifndef STICTION_BOOST
const bench_function bench_boost_w0 = NULL, bench_boost_wm1 = NULL;
#endif

#ifdef __x86_64__
#define HALF_A_LINE ".skip 32, 0x90" /* instructions that do nothing */
#else
#define HALF_A_LINE ""
#endif
#define CALL_LOOP(name, padding)                                                                   \
    __attribute__((aligned(64))) void name(void *calls) {                                          \
        bench_calls *c = calls;                                                                    \
        __asm__ volatile(padding);                                                                 \
        const bench_function volatile function = c->function;                                      \
        for (size_t k = 0; k < bench_argument_count; k++)                                          \
            c->results[k] = function(c->arguments[k]);                                             \
    }
CALL_LOOP(bench_calls_run, "")
CALL_LOOP(bench_calls_run_shifted, HALF_A_LINE)

bench_runner bench_calls_of(bench_calls *calls, bench_function function,
                            double (*argument)(size_t k)) {
    calls->function = function;
    for (size_t k = 0; k < bench_argument_count; k++) calls->arguments[k] = argument(k);
    return (bench_runner){.run = bench_calls_run, .context = calls, .steps = bench_argument_count};
}

void bench_copy_run(void *copy) {
    const bench_copy *c = copy;
    for (size_t k = 0; k < 2; k++) memcpy(c->to[k], c->from, c->joints * sizeof *c->from);
}

/* The wrist; g = 1 + Z D, F_SC = F_S - F_C. */
static const double F_S = 2.5, F_C = 0.4, v_S = 0.06, D = 4.5, Z = 1 / 55.0;
static const double g = 1 + 4.5 / 55, F_SC = 2.1;

double bench_x(size_t k) {
    const double v = fabs(bench_sliding_velocity(k));
    return v + Z * (F_C + F_SC * exp(-v / v_S) + D * v);
}

double bench_minus_sigma(size_t k) {
    return -(bench_x(k) - Z * F_S) / (v_S * g);
}

static double psi(double x) {
    return -Z * F_SC / (v_S * g) * exp(-(x - Z * F_C) / (v_S * g));
}

double bench_psi(size_t k) {
    return psi(bench_x(k));
}

double bench_naive_w0(double z) {
    double w = z < -0.25 ? -1 + sqrt(2 * (1 + 2.718281828459045 * z)) : z;
    for (int k = 0; k < 50; k++) {
        const double e = exp(w), f = w * e - z;
        const double step = f / (e * (w + 1) - (w + 2) * f / (2 * w + 2));
        w -= step;
        if (fabs(step) <= 1e-15 * fabs(w)) break;
    }
    return w;
}

/* (27) */
static double printed(double x, bench_function w0) {
    const double a = fabs(x);
    if (a <= Z * F_S) return x / Z;
    return copysign((F_C + D * a) / g - v_S / Z * w0(psi(a)), x);
}

double bench_printed_naive(double x) {
    return printed(x, bench_naive_w0);
}
double bench_printed_gsl(double x) {
    return printed(x, bench_gsl_w0);
}
double bench_printed_boost(double x) {
    return printed(x, bench_boost_w0);
}

/* Prepared at the first call: outside of all times, as a race begins with runs that do not count.
 */
double bench_phi_z(double x) {
    static stiction_element wrist;
    if (!wrist.phi_z.law) wrist = bench_element('s');
    return stiction_phi_z_at(&wrist.phi_z, x);
}

double bench_table_call(double x) {
    enum { count = 4096 };
    static double entries[count];
    static stiction_stribeck_table wrist_table;
    if (!wrist_table.entries) {
        const stiction_element wrist = bench_element('s');
        (void)stiction_stribeck_table_init(&wrist_table, &wrist.phi_z, entries, count);
    }
    return stiction_stribeck_table_at(&wrist_table, x);
}
