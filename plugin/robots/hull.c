/* SPDX-License-Identifier: MIT
 * An incremental convex hull: each point outside replaces the faces that it sees by faces between
 * it and their border.
 */
#include "hull.h"

#include <math.h>
#include <string.h>

typedef struct face {
    unsigned corners[3];
    double normal[3], offset; /* unit length; normal x = offset on the face */
    bool is_seen;
} face;

typedef struct hull {
    reader *r;
    const double *points;
    face *faces, *seen;      /* those of a hull, and those that a point replaces */
    size_t face_count, most; /* faces */
    double slack;            /* m: a point that is less outside is on the hull */
} hull;

static bool make_face(const hull *h, unsigned a, unsigned b, unsigned c, face *f) {
    double first[3], second[3];
    *f = (face){.corners = {a, b, c}};
    mju_sub3(first, h->points + 3 * b, h->points + 3 * a);
    mju_sub3(second, h->points + 3 * c, h->points + 3 * a);
    mju_cross(f->normal, first, second);
    const double area = mju_norm3(f->normal);
    if (!(area > 0)) return false;
    mju_scl3(f->normal, f->normal, 1 / area);
    f->offset = mju_dot3(f->normal, h->points + 3 * a);
    return true;
}

static void add_face(hull *h, unsigned a, unsigned b, unsigned c) {
    face made;
    if (h->face_count == h->most || !make_face(h, a, b, c, &made)) return;
    h->faces[h->face_count++] = made;
}

static double height(const hull *h, const face *f, size_t point) {
    return mju_dot3(f->normal, h->points + 3 * point) - f->offset;
}

/* Whether one of these faces has this edge. */
static bool have_edge(const face *faces, size_t count, unsigned from, unsigned to) {
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            if (faces[k].corners[i] == from && faces[k].corners[(i + 1) % 3] == to) return true;
    return false;
}

static void add_point(hull *h, unsigned point) {
    size_t seen_count = 0, kept = 0;
    for (size_t k = 0; k < h->face_count; k++) {
        h->faces[k].is_seen = height(h, &h->faces[k], point) > h->slack;
        seen_count += h->faces[k].is_seen;
    }
    if (!seen_count) return;
    face *seen = h->seen;
    seen_count = 0;
    for (size_t k = 0; k < h->face_count; k++) {
        face *to = h->faces[k].is_seen ? &seen[seen_count++] : &h->faces[kept++];
        *to = h->faces[k];
    }
    h->face_count = kept;
    for (size_t k = 0; k < seen_count; k++)
        for (int i = 0; i < 3; i++) {
            const unsigned from = seen[k].corners[i], to = seen[k].corners[(i + 1) % 3];
            if (!have_edge(seen, seen_count, to, from)) add_face(h, from, to, point);
        }
}

/* The point that is farthest by a measure. */
static size_t find_farthest(const hull *h, size_t count, const size_t *of, int known) {
    size_t best = 0;
    double most = -1;
    for (size_t k = 0; k < count; k++) {
        double arm[3], along[3], up[3], measure = 0;
        mju_sub3(arm, h->points + 3 * k, h->points + 3 * of[0]);
        if (known == 1) measure = mju_norm3(arm);
        if (known >= 2) {
            mju_sub3(along, h->points + 3 * of[1], h->points + 3 * of[0]);
            mju_cross(up, along, arm);
            measure = mju_norm3(up);
        }
        if (known == 3) {
            double side[3];
            mju_sub3(side, h->points + 3 * of[2], h->points + 3 * of[0]);
            mju_cross(up, along, side);
            measure = fabs(mju_dot3(up, arm));
        }
        if (measure > most) most = measure, best = k;
    }
    return best;
}

/* A first tetrahedron. False: all points lie in a plane. */
static bool begin(hull *h, size_t count) {
    size_t of[4] = {0};
    for (int known = 1; known < 4; known++) of[known] = find_farthest(h, count, of, known);
    const unsigned a = (unsigned)of[0], b = (unsigned)of[1], c = (unsigned)of[2],
                   d = (unsigned)of[3];
    face base;
    double across[3];
    mju_sub3(across, h->points + 3 * b, h->points + 3 * a);
    h->slack = 1e-9 * mju_norm3(across);
    if (!make_face(h, a, b, c, &base) || fabs(height(h, &base, d)) <= h->slack) return false;
    const bool is_above = height(h, &base, d) > 0;
    const unsigned first = is_above ? c : b, second = is_above ? b : c;
    add_face(h, a, first, second);
    add_face(h, a, second, d);
    add_face(h, second, first, d);
    add_face(h, first, a, d);
    return true;
}

/* Only the corners, numbered anew. */
static hull_faces finish(const hull *h, size_t count) {
    unsigned *numbers = stiction_reader_alloc(h->r, (count + 1) * sizeof *numbers);
    double *points = stiction_reader_alloc(h->r, (3 * count + 1) * sizeof *points);
    unsigned(*triangles)[3] = stiction_reader_alloc(h->r, (h->face_count + 1) * sizeof *triangles);
    hull_faces made = {points, 0, (const unsigned(*)[3])triangles, h->face_count};
    for (size_t k = 0; k < h->face_count; k++)
        for (int i = 0; i < 3; i++) {
            const unsigned corner = h->faces[k].corners[i];
            if (!numbers[corner]) { /* the reader's memory is zeros */
                mju_copy3(points + 3 * made.point_count, h->points + 3 * corner);
                numbers[corner] = (unsigned)++made.point_count;
            }
            triangles[k][i] = numbers[corner] - 1;
        }
    return made;
}

hull_faces hull_of_points(reader *r, const double *points, size_t count) {
    hull h = {.r = r, .points = points, .most = 2 * count /* by Euler's formula */};
    if (count < 4) return (hull_faces){NULL, 0, NULL, 0};
    h.faces = stiction_reader_alloc(r, h.most * sizeof *h.faces);
    h.seen = stiction_reader_alloc(r, h.most * sizeof *h.seen);
    if (!begin(&h, count)) return (hull_faces){NULL, 0, NULL, 0};
    for (size_t k = 0; k < count; k++) add_point(&h, (unsigned)k);
    return finish(&h, count);
}
