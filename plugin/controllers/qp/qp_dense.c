/* SPDX-License-Identifier: MIT
 * Sums of products of vectors of any length.
 */
#include "qp_dense.h"

double dense_dot(size_t n, const double *a, const double *b) {
    /* four sums at a time: one alone would wait for each addition */
    double sum[4] = {0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t j = 0; j < 4; j++) sum[j] += a[k + j] * b[k + j];
    for (; k < n; k++) sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
