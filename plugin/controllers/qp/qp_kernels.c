/* SPDX-License-Identifier: MIT
 * The loops of the quadratic program, four numbers at a time. The file is compiled once for every
 * processor and once for those with AVX2 (QP_KERNELS names the table); no multiplication is fused
 * with an addition, and lanes are summed in one order, so that both give the same bits.
 */
#include "qp_kernels.h"

#include <math.h>
#include <string.h>

#ifndef QP_KERNELS
#define QP_KERNELS qp_kernels_baseline
#endif

/* Four numbers at any address. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long four_masks __attribute__((vector_size(32)));

#define AT(pointer)   (*(four *)(pointer))
#define READ(pointer) (*(const four *)(pointer))
#define SUM(f)        (((f)[0] + (f)[1]) + ((f)[2] + (f)[3]))

static void dots(size_t count, const double *rows, size_t stride, size_t width, const double *v,
                 double *out) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const double *a = rows + i * stride, *b = a + stride, *c = b + stride, *d = c + stride;
        four sum_a = {0}, sum_b = {0}, sum_c = {0}, sum_d = {0};
        for (size_t k = 0; k < width; k += 4) {
            const four x = READ(v + k);
            sum_a += READ(a + k) * x;
            sum_b += READ(b + k) * x;
            sum_c += READ(c + k) * x;
            sum_d += READ(d + k) * x;
        }
        out[i] = SUM(sum_a);
        out[i + 1] = SUM(sum_b);
        out[i + 2] = SUM(sum_c);
        out[i + 3] = SUM(sum_d);
    }
    for (; i < count; i++) {
        four sum = {0};
        for (size_t k = 0; k < width; k += 4) sum += READ(rows + i * stride + k) * READ(v + k);
        out[i] = SUM(sum);
    }
}

static void combine(size_t count, const double *factor, const double *rows, size_t stride,
                    size_t width, double *to) {
    size_t k = 0;
    /* sums stay in registers during the loop over all rows */
    for (; k + 16 <= width; k += 16) {
        four a = READ(to + k), b = READ(to + k + 4), c = READ(to + k + 8), d = READ(to + k + 12);
        const double *row = rows + k;
        for (size_t i = 0; i < count; i++, row += stride) {
            const double f = factor[i];
            if (f == 0) continue;
            a += f * READ(row);
            b += f * READ(row + 4);
            c += f * READ(row + 8);
            d += f * READ(row + 12);
        }
        AT(to + k) = a;
        AT(to + k + 4) = b;
        AT(to + k + 8) = c;
        AT(to + k + 12) = d;
    }
    for (; k < width; k += 4) {
        four a = READ(to + k);
        const double *row = rows + k;
        for (size_t i = 0; i < count; i++, row += stride)
            if (factor[i] != 0) a += factor[i] * READ(row);
        AT(to + k) = a;
    }
}

static void spread(size_t count, const double *factor, const double *v, double *rows, size_t stride,
                   size_t width) {
    for (size_t i = 0; i < count; i++) {
        const double f = factor[i];
        double *row = rows + i * stride;
        if (f == 0) continue;
        for (size_t k = 0; k < width; k += 4) AT(row + k) += f * READ(v + k);
    }
}

static void rotate(double cosine, double sine, size_t width, double *a, double *b) {
    for (size_t k = 0; k < width; k += 4) {
        const four x = READ(a + k), y = READ(b + k);
        AT(a + k) = cosine * x + sine * y;
        AT(b + k) = cosine * y - sine * x;
    }
}

static double scale(size_t count, const double *a, const double *b, double *to, size_t *used) {
    const four_masks magnitude = ~(four_masks){0} ^ (four_masks)(-(four){0});
    four sum = {0};
    four_masks nonzero = {0};
    double rest = 0;
    size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        const four product = READ(a + k) * READ(b + k);
        sum += (four)((four_masks)product & magnitude);
        nonzero -= (four_masks)(product != 0);
        AT(to + k) = product;
    }
    long long found = SUM(nonzero);
    for (; k < count; k++) {
        to[k] = a[k] * b[k];
        rest += fabs(to[k]);
        found += to[k] != 0;
    }
    *used = (size_t)found;
    return SUM(sum) + rest;
}

static bool all_finite(size_t count, const double *values) {
    /* 0 times anything that is not finite is NaN */
    four sum = {0};
    double rest = 0;
    size_t k = 0;
    for (; k + 4 <= count; k += 4) sum += 0 * READ(values + k);
    for (; k < count; k++) rest += 0 * values[k];
    return SUM(sum) + rest == 0;
}

const qp_kernels QP_KERNELS = {dots, combine, spread, rotate, scale, all_finite};
