/* SPDX-License-Identifier: MIT */
/* Convex hulls. */
#include "hull.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void subtract(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double normalize(double a[3]) {
    const double length = sqrt(dot(a, a));
    for (int k = 0; k < 3; k++) a[k] = length > 0 ? a[k] / length : 0;
    return length;
}

/* A tetrahedron of points that are far apart: the farthest from a point, from that line, from that
 * plane. */
spread spread_of(const double *points, size_t count) {
    spread s = {0};
    if (!count) return s;
    const double *a = points, *b = points, *c = points;
    double d[3], axis[3], most;
    for (int pass = 0; pass < 2; pass++) { /* once from any point, then from the one found */
        const double *from = pass ? b : points;
        most = -1;
        for (size_t k = 0; k < count; k++) {
            subtract(points + 3 * k, from, d);
            if (dot(d, d) > most) most = dot(d, d), b = points + 3 * k;
        }
        a = from;
    }
    subtract(b, a, axis);
    s.length = normalize(axis);
    most = -1;
    for (size_t k = 0; k < count; k++) {
        double across[3];
        subtract(points + 3 * k, a, d);
        cross(d, axis, across);
        if (dot(across, across) > most) most = dot(across, across), c = points + 3 * k;
    }
    s.width = sqrt(fmax(most, 0));
    subtract(c, a, d);
    cross(axis, d, s.normal);
    (void)normalize(s.normal);
    double low = 0, high = 0;
    for (size_t k = 0; k < count; k++) {
        subtract(points + 3 * k, a, d);
        const double height = dot(d, s.normal);
        low = fmin(low, height), high = fmax(high, height);
    }
    s.thickness = high - low;
    return s;
}

size_t hull_corners(double *points, size_t count, double *volume) {
    static char command[] = "qhull Pp";
    *volume = 0;
    if (count < 4) return 0;
    qhT memory = {0}, *qh = &memory;
    qh_zero(qh, stderr);
    bool *corner = calloc(count, sizeof *corner);
    size_t found = 0;
    if (corner && qh_new_qhull(qh, 3, (int)count, points, False, command, NULL, stderr) == 0) {
        vertexT *vertex; /* qhull's loops want these names */
        FORALLvertices {
            const int id = qh_pointid(qh, vertex->point);
            if (id >= 0 && (size_t)id < count) corner[id] = true;
        }
        qh_getarea(qh, qh->facet_list);
        *volume = qh->totvol;
        for (size_t k = 0; k < count; k++)
            if (corner[k]) memmove(points + 3 * found++, points + 3 * k, 3 * sizeof *points);
    }
    int left = 0, blocks = 0;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &blocks);
    free(corner);
    return found;
}

size_t hull_thin_out(double *points, size_t count, size_t most) {
    enum { axes = 6 }; /* both ways along each, so that no length changes */
    if (count <= most) return count;
    bool *chosen = calloc(count, sizeof *chosen);
    if (!chosen) return count;
    /* directions as if it were as wide as long, so that a rod keeps its sides */
    double width[3] = {0};
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < count; k++)
            width[i] = fmax(width[i], fabs(points[3 * k + (size_t)i] - points[i]));
    const double turn = 3.14159265358979323846 * (3 - sqrt(5)); /* the golden angle */
    for (size_t n = 0; n < most; n++) {
        const double rest = (double)(most - axes), at = (double)n - axes;
        const double z = n < axes ? 0 : 1 - (2 * at + 1) / rest, r = sqrt(1 - z * z);
        double to[3] = {r * cos(turn * at), r * sin(turn * at), z};
        for (size_t i = 0; i < 3; i++) {
            if (n < axes) to[i] = n / 2 != i ? 0 : n % 2 ? 1 : -1;
            to[i] /= fmax(width[i], 1e-300);
        }
        size_t best = 0;
        for (size_t k = 1; k < count; k++)
            if (dot(points + 3 * k, to) > dot(points + 3 * best, to)) best = k;
        chosen[best] = true;
    }
    size_t left = 0;
    for (size_t k = 0; k < count; k++)
        if (chosen[k]) memmove(points + 3 * left++, points + 3 * k, 3 * sizeof *points);
    free(chosen);
    return left;
}
