/* SPDX-License-Identifier: MIT
 * The mass of a link from its parts, and what MuJoCo's compiler thinks of it.
 */
#include <math.h>
#include <string.h>

#include "body.h"
#include "hull.h"
#include "robot_bodies.h"
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

/* ---- masses from shapes ---- */

/* Moments about the axes of something whose squares of x, y and z have these means. */
static void set_moments(body_mass *mass, double x, double y, double z) {
    const double I[3] = {y + z, x + z, x + y};
    for (int k = 0; k < 3; k++) mass->inertia[4 * k] = mass->mass * I[k];
}

/* Of the tetrahedra between the origin and the faces of a convex hull. */
static body_mass weigh_hull(reader *r, const body_shape *shape, double density) {
    body_mass mass = {0};
    double squares[9] = {0}, moment[3] = {0};
    const hull_faces hull = hull_of_points(r, shape->vertices, shape->vertex_count);
    for (size_t k = 0; k < hull.triangle_count; k++) {
        const double *corner[3];
        double sum[3], across[3];
        for (int i = 0; i < 3; i++) corner[i] = hull.points + (size_t)3 * hull.triangles[k][i];
        for (int i = 0; i < 3; i++) sum[i] = corner[0][i] + corner[1][i] + corner[2][i];
        mju_cross(across, corner[1], corner[2]);
        const double part = density * mju_dot3(across, corner[0]) / 6;
        mass.mass += part;
        mju_addToScl3(moment, sum, part / 4);
        for (int i = 0; i < 9; i++) {
            double product = sum[i / 3] * sum[i % 3];
            for (int c = 0; c < 3; c++) product += corner[c][i / 3] * corner[c][i % 3];
            squares[i] += part / 20 * product;
        }
    }
    if (!(mass.mass > 0)) return (body_mass){0};
    mju_scl3(mass.center, moment, 1 / mass.mass);
    const double trace = squares[0] + squares[4] + squares[8];
    for (int i = 0; i < 9; i++) mass.inertia[i] = (i % 4 == 0 ? trace : 0) - squares[i];
    add_point(mass.inertia, -mass.mass, mass.center);
    return mass;
}

/* In the shape's own frame. */
static body_mass weigh(reader *r, const body_shape *shape, double density) {
    const double *size = shape->size, radius = size[0], half = size[1];
    const double disc = density * mjPI * radius * radius;
    body_mass mass = {0};
    switch (shape->kind) {
    case BODY_BOX:
        mass.mass = 8 * density * size[0] * size[1] * size[2];
        set_moments(&mass, size[0] * size[0] / 3, size[1] * size[1] / 3, size[2] * size[2] / 3);
        break;
    case BODY_SPHERE:
    case BODY_ELLIPSOID:
        mass.mass = density * 4 / 3 * mjPI * size[0] * size[1] * size[2];
        set_moments(&mass, size[0] * size[0] / 5, size[1] * size[1] / 5, size[2] * size[2] / 5);
        break;
    case BODY_CYLINDER:
        mass.mass = 2 * half * disc;
        set_moments(&mass, radius * radius / 4, radius * radius / 4, half * half / 3);
        break;
    case BODY_CAPSULE: {
        const double ball = 4.0 / 3 * radius * disc, rod = 2 * half * disc;
        const double across = ball * radius * radius / 5 + rod * radius * radius / 4;
        mass.mass = ball + rod;
        set_moments(&mass, across / mass.mass, across / mass.mass,
                    (ball * (radius * radius / 5 + half * half + 0.75 * half * radius) +
                     rod * half * half / 3) /
                        mass.mass);
        break;
    }
    case BODY_MESH:
        mass = weigh_hull(r, shape, density);
        break;
    case BODY_PLANE:
        break;
    }
    return mass;
}

void body_weigh(reader *r, body_link *link, double density) {
    body_mass *parts = stiction_reader_alloc(r, (link->shape_count + 1) * sizeof *parts);
    for (size_t k = 0; k < link->shape_count; k++) {
        const body_shape *shape = &link->shapes[k];
        const frame3 frame = body_frame_of(shape->translation, shape->rotation);
        const body_mass own = weigh(r, shape, density);
        parts[k].mass = own.mass;
        frame3_point(&frame, own.center, parts[k].center);
        frame3_tensor(&frame, own.inertia, parts[k].inertia);
    }
    body_set_mass(link, parts, link->shape_count);
}
