/* SPDX-License-Identifier: MIT
 * The mass of a link from its parts, and what MuJoCo's compiler thinks of it.
 */
#include <math.h>
#include <string.h>

#include "body.h"
#include "rotation.h"

static void add_scaled(double *sum, const double *x, double factor, int n) {
    for (int k = 0; k < n; k++) sum[k] += factor * x[k];
}

/* The inertia of a point mass at d: m (d'd 1 - d d'). */
static void add_point(double inertia[9], double mass, const double d[3]) {
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia[3 * i + j] += mass * ((i == j ? square : 0) - d[i] * d[j]);
}

/* MuJoCo's compiler wants more than 1e-15 of everything, and no moment above the sum of the two
 * others, not even by the last bit. Its engine takes both as they are. */
static bool compiler_takes(const body_link *link) {
    const double *I = link->principal;
    bool fine = link->mass > 2e-15;
    for (int k = 0; k < 3; k++)
        fine = fine && I[k] > 2e-15 && I[k] <= I[(k + 1) % 3] + I[(k + 2) % 3];
    return fine;
}

void body_set_mass(body_link *link, const body_mass *parts, size_t count) {
    double moment[3] = {0, 0, 0};
    link->mass = 0;
    memset(link->center, 0, sizeof link->center);
    memset(link->inertia, 0, sizeof link->inertia);
    for (size_t k = 0; k < count; k++) {
        link->mass += parts[k].mass;
        add_scaled(moment, parts[k].center, parts[k].mass, 3);
    }
    /* as in Choreonoid, what has no mass has no inertia */
    if (link->mass > 0) {
        for (int i = 0; i < 3; i++) link->center[i] = moment[i] / link->mass;
        for (size_t k = 0; k < count; k++) {
            double d[3];
            mju_sub3(d, parts[k].center, link->center);
            add_scaled(link->inertia, parts[k].inertia, 1, 9);
            add_point(link->inertia, parts[k].mass, d);
        }
    }
    double axes[9];
    principal_axes(link->inertia, link->principal, axes);
    mju_mat2Quat(link->frame, axes);
    link->bare = !compiler_takes(link);
}

/* The largest negative moment, kg m^2, that counts as 0: that of 1 g at 1 cm, or rounding in the
 * file. A larger one would accelerate a joint in the wrong direction. */
static const double negligible = 1e-7;

/* The link with a principal moment of 0. */
static void drop_moment(body_link *link, int dropped) {
    double axes[9];
    mju_quat2Mat(axes, link->frame);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            link->inertia[3 * i + j] -=
                link->principal[dropped] * axes[3 * i + dropped] * axes[3 * j + dropped];
    link->principal[dropped] = 0;
    link->bare = true;
}

void body_check_inertia(reader *r, stiction_place at, body_link *link) {
    const double *I = link->principal;
    for (int k = 0; k < 3; k++) {
        const double size = fabs(I[0]) + fabs(I[1]) + fabs(I[2]);
        if (I[k] < -fmax(negligible, 1e-9 * size))
            stiction_reader_refuse(r, at, "link '%s' has a negative moment of inertia, %g kg m^2",
                                   link->name, I[k]);
        if (I[k] < -1e-9 * size)
            stiction_reader_warn(r, at,
                                 "link '%s' has a negative moment of inertia, %g kg m^2, so small "
                                 "that it is taken as 0",
                                 link->name, I[k]);
        if (I[k] < 0) drop_moment(link, k);
    }
    const double size = I[0] + I[1] + I[2];
    for (int k = 0; k < 3; k++) {
        if (I[k] - I[(k + 1) % 3] - I[(k + 2) % 3] > 1e-3 * size)
            stiction_reader_warn(
                r, at,
                "link '%s': no real thing has the moments of inertia %g, %g and %g: none "
                "exceeds the sum of the others; taken as they are",
                link->name, I[k], I[(k + 1) % 3], I[(k + 2) % 3]);
    }
}
