/* SPDX-License-Identifier: MIT
 * Triangles as convex hulls. Triangles that share a corner, by its coordinates, are of one part.
 * One hull around all is taken unless it is much larger than those of the parts together.
 */
#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/auto.h"
#include "surface.h"
#include "triangles.h"

const double mesh_much_larger = 2;

/* Points thinner than this share of their length are flat, and flat ones are made this thick. */
static const double flat = 1e-4, thickened = 1e-2;

/* With more parts there is only the hull of the whole. */
enum { most_parts_tried = 20000 };

/* ---- the hull of points, by qhull ---- */

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

/* How far points spread: their longest distance, the width across that, the thickness across both
 * along `normal` (to within a factor). */
typedef struct spread {
    double length, width, thickness;
    double normal[3];
} spread;

/* A tetrahedron of points that are far apart: the farthest from a point, from that line, from that
 * plane. */
static spread spread_of(const double *points, size_t count) {
    spread s = {0};
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

/* Moves the corners of the hull to the front of `points`, which must not lie in a plane. Returns
 * how many there are, 0 without a hull, and the volume that they enclose. */
static size_t hull_corners(double *points, size_t count, double *volume) {
    static char command[] = "qhull Pp";
    *volume = 0;
    if (count < 4) return 0;
    qhT memory = {0}, *qh = &memory;
    qh_zero(qh, stderr);
    AUTO_FREE bool *corner = calloc(count, sizeof *corner);
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
    return found;
}

/* Leaves at most `most` of the corners of a hull, the extremes in evenly spread directions, which
 * loses a fraction of about 4/most of the size. */
static size_t hull_thin_out(double *points, size_t count, size_t most) {
    enum { axes = 6 }; /* both ends of each axis, so that no length changes */
    if (count <= most) return count;
    AUTO_FREE bool *chosen = calloc(count, sizeof *chosen);
    if (!chosen) return count;
    /* directions are scaled as if it were as wide as long, so that a rod keeps its sides */
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
    return left;
}

/* ---- points at the same place as one ---- */

typedef struct sorted_point {
    double at[3];
    size_t index;
} sorted_point;

static int compare_points(const void *a, const void *b) {
    const sorted_point *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->at[k] != q->at[k]) return p->at[k] < q->at[k] ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

/* For each vertex the first one at its place. */
static size_t *weld(const triangles *t) {
    const size_t n = t->vertex_count;
    sorted_point *sorted = stiction_reader_alloc(t->r, n * sizeof *sorted);
    size_t *first = stiction_reader_alloc(t->r, n * sizeof *first);
    for (size_t k = 0; k < n; k++) {
        memcpy(sorted[k].at, t->vertices + 3 * k, sizeof sorted[k].at);
        for (int i = 0; i < 3; i++) sorted[k].at[i] += 0.0; /* -0 and 0 are one place */
        sorted[k].index = k;
    }
    qsort(sorted, n, sizeof *sorted, compare_points);
    for (size_t k = 0, of = 0; k < n; k++) {
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*): one place, one pattern */
        if (memcmp(sorted[k].at, sorted[of].at, sizeof sorted[k].at) != 0) of = k;
        first[sorted[k].index] = sorted[of].index;
    }
    return first;
}

/* ---- parts ---- */

static size_t find_root(size_t *part, size_t k) {
    while (part[k] != k) k = part[k] = part[part[k]];
    return k;
}

/* For each vertex a number of its part from 0 on; returns how many parts there are. Only corners of
 * triangles count, unless there are none. */
static size_t find_parts(const triangles *t, const size_t *welded, size_t *part) {
    const size_t none = (size_t)-1;
    for (size_t k = 0; k < t->vertex_count; k++) part[k] = k;
    for (size_t k = 0; k < t->count; k++) {
        const size_t a = find_root(part, welded[t->corners[3 * k]]);
        for (size_t i = 1; i < 3; i++) part[find_root(part, welded[t->corners[3 * k + i]])] = a;
    }
    size_t *number = stiction_reader_alloc(t->r, t->vertex_count * sizeof *number), count = 0;
    for (size_t k = 0; k < t->vertex_count; k++) number[k] = none;
    for (size_t k = 0; k < 3 * t->count; k++) {
        const size_t root = find_root(part, welded[t->corners[k]]);
        if (number[root] == none) number[root] = count++;
    }
    for (size_t k = 0; k < t->vertex_count; k++) part[k] = find_root(part, welded[k]);
    for (size_t k = 0; k < t->vertex_count; k++) part[k] = number[part[k]];
    return count;
}

/* ---- measures of triangles ---- */

typedef struct measure {
    double volume;  /* that they enclose, if they are closed */
    double area[3]; /* the sum of the areas along their normals */
    double size;    /* of the areas */
    bool closed;
} measure;

static void measure_triangle(measure *m, const double a[3], const double b[3], const double c[3]) {
    double u[3], v[3], n[3];
    subtract(b, a, u);
    subtract(c, a, v);
    cross(u, v, n);
    for (int k = 0; k < 3; k++) {
        n[k] *= 0.5;
        m->area[k] += n[k];
        m->volume += a[k] * n[k] / 3;
    }
    m->size += sqrt(dot(n, n));
}

typedef struct edge {
    size_t low, high;
    int way; /* 1: from low to high */
    size_t part;
} edge;

static int compare_edges(const void *a, const void *b) {
    const edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    return p->high < q->high ? -1 : p->high > q->high;
}

/* A part is closed if its triangles pass each edge as often in one direction as in the other. */
static void find_closed(const triangles *t, const size_t *welded, const size_t *part, measure *of) {
    const size_t n = 3 * t->count;
    edge *edges = stiction_reader_alloc(t->r, n * sizeof *edges);
    for (size_t k = 0; k < n; k++) {
        const size_t next = k % 3 == 2 ? k - 2 : k + 1;
        const size_t a = welded[t->corners[k]], b = welded[t->corners[next]];
        edges[k] = (edge){a < b ? a : b, a < b ? b : a, (a < b) - (a > b), part[t->corners[k]]};
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t k = 0; k < n;) {
        int balance = 0;
        const size_t from = k;
        for (; k < n && compare_edges(&edges[k], &edges[from]) == 0; k++) balance += edges[k].way;
        if (balance) of[edges[from].part].closed = false;
    }
}

/* ---- hulls of parts ---- */

typedef struct hull_made {
    mesh_part part;
    double volume;
    bool was_flat;
} hull_made;

/* A floor keeps its upper side: what is flat grows opposite to the normals of its triangles, or to
 * both sides if they point to both. */
static size_t thicken(double *points, size_t count, const spread *s, const measure *m) {
    double facing = 0;
    for (int k = 0; k < 3; k++) facing += m->area[k] * s->normal[k];
    facing = m->size > 0 ? facing / m->size : 0;
    const double thick = thickened * s->length;
    const double upper = facing > 0.5 ? 0 : facing < -0.5 ? thick : 0.5 * thick;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < 3; i++) {
            const double at = points[3 * k + i];
            points[3 * (count + k) + i] = at + (upper - thick) * s->normal[i];
            points[3 * k + i] = at + upper * s->normal[i];
        }
    return 2 * count;
}

/* False: points on one line, or one point. `points` has room for twice as many. */
static bool make_hull(double *points, size_t count, const measure *m, hull_made *made) {
    const spread s = spread_of(points, count);
    *made = (hull_made){0};
    if (!(s.width > flat * s.length)) return false;
    if (s.thickness < flat * s.length) {
        count = thicken(points, count, &s, m);
        made->was_flat = true;
    }
    made->part.corners = points;
    count = hull_corners(points, count, &made->volume);
    made->part.count = hull_thin_out(points, count, MESH_MOST_CORNERS);
    return made->part.count >= 4;
}

/* The vertices by part, each place once. */
typedef struct sorting {
    size_t *order, *start; /* of part k from start[k] to start[k + 1] */
    size_t count;          /* of the parts */
} sorting;

static void sort_by_part(const triangles *t, const size_t *welded, const size_t *part, sorting *s) {
    s->start = stiction_reader_alloc(t->r, (s->count + 2) * sizeof *s->start);
    s->order = stiction_reader_alloc(t->r, t->vertex_count * sizeof *s->order);
    for (size_t k = 0; k < t->vertex_count; k++)
        if (welded[k] == k && part[k] < s->count) s->start[part[k] + 2]++;
    for (size_t k = 2; k < s->count + 2; k++) s->start[k] += s->start[k - 1];
    for (size_t k = 0; k < t->vertex_count; k++)
        if (welded[k] == k && part[k] < s->count) s->order[s->start[part[k] + 1]++] = k;
}

/* The points from one of a sorting on, with room for twice as many. */
static double *gather(const triangles *t, const size_t *order, size_t count) {
    double *points = stiction_reader_alloc(t->r, 2 * 3 * count * sizeof *points);
    for (size_t k = 0; k < count; k++)
        memcpy(points + 3 * k, t->vertices + 3 * order[k], 3 * sizeof *points);
    return points;
}

static void note_hull(mesh_parts *parts, const hull_made *made, const measure *m) {
    parts->items[parts->count++] = made->part;
    parts->flat = parts->flat || made->was_flat;
    if (!made->was_flat && m->closed && fabs(m->volume) > 0)
        parts->swelling = fmax(parts->swelling, made->volume / fabs(m->volume));
}

typedef struct part_hull {
    hull_made made;
    const measure *of;
} part_hull;

static int larger_first(const void *a, const void *b) {
    const part_hull *p = a, *q = b;
    return p->made.volume < q->made.volume ? 1 : p->made.volume > q->made.volume ? -1 : 0;
}

/* A hull for each part that has one; the sum of their volumes. */
static size_t make_each(const triangles *t, const sorting *s, const measure *of, part_hull *hulls,
                        double *volume) {
    size_t count = 0;
    for (size_t k = 0; k < s->count; k++) {
        const size_t n = s->start[k + 1] - s->start[k];
        part_hull *next = &hulls[count];
        if (!make_hull(gather(t, s->order + s->start[k], n), n, &of[k], &next->made)) continue;
        next->of = &of[k];
        *volume += next->made.volume;
        count++;
    }
    return count;
}

static void choose(triangles *t, const sorting *s, const measure *of, mesh_parts *parts) {
    measure all = {.closed = true};
    for (size_t k = 0; k < s->count; k++) {
        all.volume += of[k].volume;
        all.size += of[k].size;
        for (int i = 0; i < 3; i++) all.area[i] += of[k].area[i];
        all.closed = all.closed && of[k].closed;
    }
    const size_t n = s->start[s->count];
    hull_made whole;
    part_hull *hulls = NULL;
    size_t count = 0;
    double volume = 0;
    if (!make_hull(gather(t, s->order, n), n, &all, &whole))
        triangles_fail(t, "has no hull: its %zu points lie on a line or at one place", n);
    const bool many = s->count > most_parts_tried;
    if (s->count > 1 && !many) {
        hulls = stiction_reader_alloc(t->r, s->count * sizeof *hulls);
        count = make_each(t, s, of, hulls, &volume);
    }
    if (!count || whole.volume <= mesh_much_larger * volume) {
        note_hull(parts, &whole, &all);
        if (many)
            triangles_note(t, "has %zu parts, more than %d: one hull is around them all", s->count,
                           most_parts_tried);
        return;
    }
    qsort(hulls, count, sizeof *hulls, larger_first);
    for (size_t k = 0; k < count && k < MESH_MOST_PARTS; k++)
        note_hull(parts, &hulls[k].made, hulls[k].of);
    if (count > MESH_MOST_PARTS)
        triangles_note(t, "has %zu parts: only the %d largest touch", count, MESH_MOST_PARTS);
}

static void check_coordinates(const triangles *t) {
    const double far = 1e6;
    for (size_t k = 0; k < 3 * t->vertex_count; k++)
        if (!(fabs(t->vertices[k]) <= far))
            triangles_fail(t, "has a coordinate of %g, which is not within +-%g", t->vertices[k],
                           far);
}

static void check(const triangles *t) {
    check_coordinates(t);
    if (!t->count) triangles_fail(t, "has no faces");
}

void mesh_make_surface(triangles *t, size_t most_faces) {
    check(t);
    surface s = {t->vertices, t->vertex_count, t->corners, t->count};
    const bool fine =
        t->count > most_faces ? surface_simplify(&s, most_faces) : surface_join(&s, weld(t));
    if (!fine || !s.face_count || s.face_count > most_faces)
        triangles_fail(t, "has no surface that can be drawn");
    t->vertex_count = s.vertex_count;
    t->count = s.face_count;
}

void mesh_make_parts(triangles *t, mesh_parts *parts) {
    *parts = (mesh_parts){0};
    check(t);
    const size_t *welded = weld(t);
    size_t *part = stiction_reader_alloc(t->r, t->vertex_count * sizeof *part);
    sorting sorted = {.count = find_parts(t, welded, part)};
    measure *of = stiction_reader_alloc(t->r, sorted.count * sizeof *of);
    for (size_t k = 0; k < sorted.count; k++) of[k].closed = true;
    for (size_t k = 0; k < t->count; k++) {
        const int *c = t->corners + 3 * k;
        measure_triangle(&of[part[c[0]]], t->vertices + 3 * c[0], t->vertices + 3 * c[1],
                         t->vertices + 3 * c[2]);
    }
    find_closed(t, welded, part, of);
    sort_by_part(t, welded, part, &sorted);
    choose(t, &sorted, of, parts);
}
