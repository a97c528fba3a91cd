/* SPDX-License-Identifier: MIT
 * Vectors and matrices of three dimensions, by value.
 * What the components of Kikuuwe and Yamamoto, (7), (8), (26), (29), rest on.
 * May not know of bodies, joints or time.
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_VEC3_H
#define STICTION_JOINT_MODELS_COMPARISON_VEC3_H

#include <math.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

typedef struct mat3 {
    vec3 column[3];
} mat3;

static inline vec3 vec3_load(const double *a) {
    return (vec3){a[0], a[1], a[2]};
}

static inline void vec3_store(vec3 v, double *a) {
    a[0] = v.x, a[1] = v.y, a[2] = v.z;
}

static inline vec3 vec3_scale(double s, vec3 v) {
    return (vec3){s * v.x, s * v.y, s * v.z};
}

static inline vec3 vec3_add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 vec3_sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double vec3_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline mat3 mat3_load(const double a[3][3]) {
    return (mat3){
        {{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}};
}

static inline vec3 mat3_times(mat3 m, vec3 v) {
    return vec3_add(vec3_scale(v.x, m.column[0]),
                    vec3_add(vec3_scale(v.y, m.column[1]), vec3_scale(v.z, m.column[2])));
}

static inline vec3 mat3_transposed_times(mat3 m, vec3 v) {
    return (vec3){vec3_dot(m.column[0], v), vec3_dot(m.column[1], v), vec3_dot(m.column[2], v)};
}

static inline double mat3_determinant(mat3 m) {
    return vec3_dot(m.column[0], vec3_cross(m.column[1], m.column[2]));
}

/* x with m x = b, by Cramer's rule. */
static inline vec3 mat3_solve(mat3 m, vec3 b) {
    const vec3 *c = m.column;
    return vec3_scale(1 / mat3_determinant(m), (vec3){vec3_dot(b, vec3_cross(c[1], c[2])),
                                                      vec3_dot(b, vec3_cross(c[2], c[0])),
                                                      vec3_dot(b, vec3_cross(c[0], c[1]))});
}

#endif
