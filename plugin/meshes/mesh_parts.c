/* SPDX-License-Identifier: MIT
 * Triangles as convex hulls. Triangles that share a corner, by its coordinates, are of one part.
 * One hull around all is taken unless it is much larger than those of the parts together.
 */
#include "mesh_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hull.h"

const double mesh_much_larger = 2;

/* Thinner than this, times its length, is flat; and what is flat becomes so thick. */
static const double flat = 1e-4, thickened = 1e-2;

/* Beyond so many only the whole is looked at. */
enum { most_parts_looked_at = 20000 };

/* Points at the same place as one */

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
static size_t *weld(triangles *t) {
    const size_t n = t->vertex_count;
    sorted_point *sorted = triangles_take(t, n * sizeof *sorted);
    size_t *first = triangles_take(t, n * sizeof *first);
    if (!sorted || !first) return NULL;
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

/* Parts */

static size_t find_root(size_t *part, size_t k) {
    while (part[k] != k) k = part[k] = part[part[k]];
    return k;
}

/* For each vertex a number of its part from 0 on; returns how many parts there are. Only corners of
 * triangles count, unless there are none. */
static size_t find_parts(triangles *t, const size_t *welded, size_t *part) {
    const size_t none = (size_t)-1;
    for (size_t k = 0; k < t->vertex_count; k++) part[k] = k;
    for (size_t k = 0; k < t->count; k++) {
        const size_t a = find_root(part, welded[t->corners[3 * k]]);
        for (size_t i = 1; i < 3; i++) part[find_root(part, welded[t->corners[3 * k + i]])] = a;
    }
    size_t *number = triangles_take(t, t->vertex_count * sizeof *number), count = 0;
    if (!number) return 0;
    for (size_t k = 0; k < t->vertex_count; k++) number[k] = none;
    for (size_t k = 0; k < 3 * t->count; k++) {
        const size_t root = find_root(part, welded[t->corners[k]]);
        if (number[root] == none) number[root] = count++;
    }
    for (size_t k = 0; k < t->vertex_count; k++) part[k] = find_root(part, welded[k]);
    for (size_t k = 0; k < t->vertex_count; k++) part[k] = number[part[k]];
    return count;
}

/* Measures of triangles */

typedef struct measure {
    double volume;  /* that they enclose, if they are closed */
    double area[3]; /* the sum of the areas along their normals */
    double size;    /* of the areas */
    bool closed;
} measure;

static void measure_triangle(measure *m, const double a[3], const double b[3], const double c[3]) {
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) u[k] = b[k] - a[k], v[k] = c[k] - a[k];
    for (int k = 0; k < 3; k++) {
        n[k] = 0.5 * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
        m->area[k] += n[k];
        m->volume += a[k] * n[k] / 3;
    }
    m->size += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
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

/* A part is closed where each edge is passed as often one way as the other. */
static bool find_closed(triangles *t, const size_t *welded, const size_t *part, measure *of) {
    const size_t n = 3 * t->count;
    edge *edges = triangles_take(t, (n + 1) * sizeof *edges);
    if (!edges) return false;
    for (size_t k = 0; k < n; k++) {
        const size_t next = k % 3 == 2 ? k - 2 : k + 1;
        const size_t a = welded[t->corners[k]], b = welded[t->corners[next]];
        edges[k] = (edge){a < b ? a : b, a < b ? b : a,
                          a == b  ? 0
                          : a < b ? 1
                                  : -1,
                          part[t->corners[k]]};
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t k = 0; k < n;) {
        int balance = 0;
        const size_t from = k;
        for (; k < n && compare_edges(&edges[k], &edges[from]) == 0; k++) balance += edges[k].way;
        if (balance) of[edges[from].part].closed = false;
    }
    return true;
}

/* Hulls */

typedef struct hull_made {
    mesh_part part;
    double volume;
    bool was_flat;
} hull_made;

/* A floor keeps its upper side: what is flat grows away from where its triangles look, or to both
 * sides where they look to both. */
static size_t thicken(double *points, size_t count, const spread *s, const measure *m) {
    double facing = 0;
    for (int k = 0; k < 3; k++) facing += m->area[k] * s->normal[k];
    facing = m->size > 0 ? facing / m->size : 0;
    const double thick = thickened * s->length;
    const double shift[2] = {facing > 0.5    ? 0
                             : facing < -0.5 ? thick
                                             : 0.5 * thick,
                             facing > 0.5    ? -thick
                             : facing < -0.5 ? 0
                                             : -0.5 * thick};
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < 3; i++) {
            const double at = points[3 * k + i];
            points[3 * (count + k) + i] = at + shift[1] * s->normal[i];
            points[3 * k + i] = at + shift[0] * s->normal[i];
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

static bool sort_by_part(triangles *t, const size_t *welded, const size_t *part, sorting *s) {
    s->start = triangles_take(t, (s->count + 2) * sizeof *s->start);
    s->order = triangles_take(t, (t->vertex_count + 1) * sizeof *s->order);
    if (!s->start || !s->order) return false;
    for (size_t k = 0; k < t->vertex_count; k++)
        if (welded[k] == k && part[k] < s->count) s->start[part[k] + 2]++;
    for (size_t k = 2; k < s->count + 2; k++) s->start[k] += s->start[k - 1];
    for (size_t k = 0; k < t->vertex_count; k++)
        if (welded[k] == k && part[k] < s->count) s->order[s->start[part[k] + 1]++] = k;
    return true;
}

/* The points from one of a sorting on, with room for twice as many. */
static double *gather(triangles *t, const size_t *order, size_t count) {
    double *points = triangles_take(t, 2 * 3 * (count + 1) * sizeof *points);
    for (size_t k = 0; points && k < count; k++)
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

/* A hull for each part; the sum of their volumes. */
static bool make_each(triangles *t, const sorting *s, const measure *of, part_hull **hulls,
                      size_t *count, double *volume) {
    *count = 0;
    *hulls = triangles_take(t, s->count * sizeof **hulls);
    for (size_t k = 0; *hulls && k < s->count; k++) {
        const size_t n = s->start[k + 1] - s->start[k];
        part_hull *next = &(*hulls)[*count];
        double *points = gather(t, s->order + s->start[k], n);
        if (!points) return false;
        if (!make_hull(points, n, &of[k], &next->made)) continue;
        next->of = &of[k];
        *volume += next->made.volume;
        ++*count;
    }
    return *hulls;
}

static bool choose(triangles *t, const sorting *s, const measure *of, mesh_parts *parts) {
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
    double *points = gather(t, s->order, n), volume = 0;
    if (!points) return false;
    if (!make_hull(points, n, &all, &whole))
        return triangles_fail(t, "has no hull: its %zu points lie on a line or at one place", n);
    const bool many = s->count > most_parts_looked_at;
    if (s->count > 1 && !many && !make_each(t, s, of, &hulls, &count, &volume)) return false;
    if (!count || whole.volume <= mesh_much_larger * volume) {
        note_hull(parts, &whole, &all);
        if (many)
            triangles_note(t, "has %zu parts, more than %d: one hull is around them all", s->count,
                           most_parts_looked_at);
        return true;
    }
    qsort(hulls, count, sizeof *hulls, larger_first);
    for (size_t k = 0; k < count && k < MESH_MOST_PARTS; k++)
        note_hull(parts, &hulls[k].made, hulls[k].of);
    if (count > MESH_MOST_PARTS)
        triangles_note(t, "has %zu parts: only the %d largest touch", count, MESH_MOST_PARTS);
    return true;
}

bool mesh_make_parts(triangles *t, mesh_parts *parts) {
    *parts = (mesh_parts){0};
    if (t->problem[0]) return false;
    if (!t->count) return triangles_fail(t, "has no faces");
    const size_t *welded = weld(t);
    size_t *part = triangles_take(t, t->vertex_count * sizeof *part);
    if (!welded || !part) return false;
    const size_t count = find_parts(t, welded, part);
    measure *of = triangles_take(t, (count + 1) * sizeof *of);
    if (!count || !of) return false;
    for (size_t k = 0; k < count; k++) of[k].closed = true;
    for (size_t k = 0; k < t->count; k++) {
        const int *c = t->corners + 3 * k;
        measure_triangle(&of[part[c[0]]], t->vertices + 3 * c[0], t->vertices + 3 * c[1],
                         t->vertices + 3 * c[2]);
    }
    sorting sorted = {.count = count};
    return find_closed(t, welded, part, of) && sort_by_part(t, welded, part, &sorted) &&
           choose(t, &sorted, of, parts);
}
