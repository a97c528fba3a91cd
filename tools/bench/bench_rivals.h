/* SPDX-License-Identifier: MIT
 * What the exact law is measured against: one exp of libm, Lambert's W0 by others, the printed
 * formula, the look-up table, a copy. Only for the bench: nothing here is exact or safe.
 */
#ifndef STICTION_TOOLS_BENCH_BENCH_RIVALS_H
#define STICTION_TOOLS_BENCH_BENCH_RIVALS_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef double (*bench_function)(double x);

/* One function call after the other, none of them inlined; for bench_runner. */
enum { bench_argument_count = 1024 };
typedef struct bench_calls {
    bench_function function;
    double arguments[bench_argument_count], results[bench_argument_count];
} bench_calls;
void bench_calls_run(void *calls);
bench_runner bench_calls_of(bench_calls *calls, bench_function function,
                            double (*argument)(size_t k));
/* The same loop half a cache line further on: where its code lies makes 6 % on some processors. */
void bench_calls_run_shifted(void *calls);

/* What the arguments are: x of Phi_Z as joints that slide have it, -sigma there, and psi. */
double bench_x(size_t k);
double bench_minus_sigma(size_t k);
double bench_psi(size_t k);

/* W0 as a textbook has it: Halley's method from a simple start until it converges. */
double bench_naive_w0(double z);
/* NULL in a build that did not find the library. */
extern const bench_function bench_gsl_w0, bench_boost_w0, bench_boost_wm1;

/* Phi_Z of the wrist as printed, Cisneros et al. (27), by these. */
double bench_printed_naive(double x);
double bench_printed_gsl(double x);
double bench_printed_boost(double x);
/* The same through the closed form without W, and through stiction/models/stribeck_table.h. */
double bench_phi_z(double x);
double bench_table_call(double x);

/* The batch step with the table in the place of the law. */
typedef struct bench_table bench_table;
bench_table *bench_table_create(size_t joints, const double *velocity);
void bench_table_destroy(bench_table *t);
void bench_table_run(void *t); /* for bench_runner */
/* The largest difference to the exact law, N m. */
double bench_table_error(const bench_table *t);

/* The batch step with nothing but exp2, root and division in the place of the law. */
typedef struct bench_floor bench_floor;
bench_floor *bench_floor_create(size_t joints, const double *velocity);
void bench_floor_destroy(bench_floor *b);
void bench_floor_run(void *b); /* for bench_runner */

/* The largest relative error of the Stribeck law's Phi_Z on so many legal parameter sets and
 * arguments, against 113 bits. */
double bench_largest_error(size_t sets);

/* What a batch step reads and writes: three arrays, two numbers a joint read and two written. */
typedef struct bench_copy {
    double *from, *to[2];
    size_t joints;
} bench_copy;
void bench_copy_run(void *copy);

#ifdef __cplusplus
}
#endif

#endif
