/* SPDX-License-Identifier: MIT
 * Orientations as quaternions, w first, and the rotation vectors between them.
 */
#include <math.h>

#include "whole_body_internal.h"

static void multiply(const double a[4], const double b[4], double to[4]) {
    const double w = a[0] * b[0] - dot3(a + 1, b + 1);
    double v[3];
    cross3(a + 1, b + 1, v);
    for (int k = 0; k < 3; k++) v[k] += a[0] * b[1 + k] + b[0] * a[1 + k];
    to[0] = w;
    for (int k = 0; k < 3; k++) to[1 + k] = v[k];
}

void turn_vector(const double q[4], const double v[3], double to[3]) {
    /* v + 2 w (u x v) + 2 u x (u x v) */
    double uv[3], uuv[3];
    cross3(q + 1, v, uv);
    cross3(q + 1, uv, uuv);
    for (int k = 0; k < 3; k++) to[k] = v[k] + 2 * (q[0] * uv[k] + uuv[k]);
}

void turn_between(const double from[4], const double to[4], double vector[3]) {
    const double back[4] = {from[0], -from[1], -from[2], -from[3]};
    double q[4];
    multiply(to, back, q);
    /* the shorter way round */
    const double sign = q[0] < 0 ? -1 : 1, length = sqrt(dot3(q + 1, q + 1));
    const double angle = 2 * atan2(length, sign * q[0]);
    const double factor = length > 1e-12 ? angle / length : 2;
    for (int k = 0; k < 3; k++) vector[k] = sign * factor * q[1 + k];
}

void turn_by(const double vector[3], const double q[4], double to[4]) {
    const double angle = sqrt(dot3(vector, vector));
    const double factor = angle > 1e-12 ? sin(angle / 2) / angle : 0.5;
    const double turn[4] = {cos(angle / 2), factor * vector[0], factor * vector[1],
                            factor * vector[2]};
    multiply(turn, q, to);
}
