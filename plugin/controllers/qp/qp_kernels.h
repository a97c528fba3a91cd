/* SPDX-License-Identifier: MIT
 * The loops in which the quadratic program spends its time, on rows whose length is a multiple of
 * four. Sums are taken in an order that does not depend on the processor: the same bits from every
 * variant of them.
 */
#ifndef STICTION_CONTROLLERS_QP_QP_KERNELS_H
#define STICTION_CONTROLLERS_QP_QP_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

/* `rows` are `width` numbers each, `stride` apart; width and stride are multiples of four. */
typedef struct qp_kernels {
    /* out[i] = row i times v. */
    void (*dots)(size_t count, const double *rows, size_t stride, size_t width, const double *v,
                 double *out);
    /* to += the sum of factor[i] times row i; factors that are 0 cost next to nothing. */
    void (*combine)(size_t count, const double *factor, const double *rows, size_t stride,
                    size_t width, double *to);
    /* Row i += factor[i] v. */
    void (*spread)(size_t count, const double *factor, const double *v, double *rows, size_t stride,
                   size_t width);
    /* (a, b) becomes (cosine a + sine b, cosine b - sine a). */
    void (*rotate)(double cosine, double sine, size_t width, double *a, double *b);
    /* to = a times b, element by element, for any count; returns the sum of magnitudes and the
     * number of elements that are not 0. */
    double (*scale)(size_t count, const double *a, const double *b, double *to, size_t *used);
    /* Whether none of any number of values is infinite or NaN. */
    bool (*all_finite)(size_t count, const double *values);
} qp_kernels;

/* Those for this processor. */
const qp_kernels *qp_kernels_best(void);

extern const qp_kernels qp_kernels_baseline;
extern const qp_kernels qp_kernels_avx2; /* where STICTION_QP_AVX2 is defined */

#endif
