/* SPDX-License-Identifier: MIT
 * A product of vectors of any length, for those who make programs.
 */
#ifndef STICTION_CONTROLLERS_QP_QP_DENSE_H
#define STICTION_CONTROLLERS_QP_QP_DENSE_H

#include <stddef.h>

double dense_dot(size_t n, const double *a, const double *b);

#endif
