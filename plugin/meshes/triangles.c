/* SPDX-License-Identifier: MIT */
/* Points and triangles that grow, and the files that they are read from. */
#include "triangles.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "document/file.h"
#include "document/shown.h"

enum { most_vertices = 10000000, most_triangles = 10000000 };

void triangles_fail(const triangles *t, const char *format, ...) {
    char message[sizeof t->r->error->message];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    stiction_reader_refuse(t->r, (stiction_place){0}, "%s%s", t->inside ? t->inside : "", message);
}

void triangles_note(triangles *t, const char *format, ...) {
    if (t->note[0]) return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(t->note, sizeof t->note, format, arguments);
    va_end(arguments);
    stiction_show_in_place(t->note, sizeof t->note);
}

void triangles_add_vertex(triangles *t, const double point[3]) {
    const size_t size = 3 * sizeof *point;
    if (t->vertex_count == most_vertices)
        triangles_fail(t, "has more than %d points", most_vertices);
    t->vertices = stiction_reader_grow(t->r, t->vertices, t->vertex_count, size);
    memcpy(t->vertices + 3 * t->vertex_count++, point, size);
}

void triangles_add_face(triangles *t, size_t first, const unsigned *corners, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (corners[k] >= t->vertex_count - first)
            triangles_fail(t, "has a face with point %u of %zu", corners[k],
                           t->vertex_count - first);
    for (size_t k = 2; k < count; k++) {
        if (t->count == most_triangles)
            triangles_fail(t, "has more than %d triangles", most_triangles);
        t->corners = stiction_reader_grow(t->r, t->corners, t->count, 3 * sizeof *t->corners);
        const unsigned corner[3] = {corners[0], corners[k - 1], corners[k]};
        for (int i = 0; i < 3; i++) t->corners[3 * t->count + (size_t)i] = (int)(first + corner[i]);
        t->count++;
    }
}

/* ---- shapes ---- */

void triangles_add_tube(triangles *t, size_t first, unsigned rings, unsigned each) {
    const unsigned top = (rings - 1) * each;
    for (unsigned k = 0; k < top; k++) {
        const unsigned next = k % each + 1 < each ? k + 1 : k + 1 - each;
        triangles_add_face(t, first, (const unsigned[4]){k, k + each, next + each, next}, 4);
    }
    for (unsigned k = 1; k + 1 < each; k++) {
        triangles_add_face(t, first, (const unsigned[3]){0, k, k + 1}, 3);
        triangles_add_face(t, first, (const unsigned[3]){top, top + k + 1, top + k}, 3);
    }
}

static void add_point(triangles *t, const frame3 *at, double x, double y, double z) {
    double point[3];
    frame3_point(at, (const double[3]){x, y, z}, point);
    triangles_add_vertex(t, point);
}

void triangles_add_round(triangles *t, const frame3 *at, const double (*profile)[2],
                         unsigned rings) {
    const double step = 2 * 3.14159265358979323846 / TRIANGLES_AROUND;
    const size_t first = t->vertex_count;
    for (unsigned k = 0; k < rings; k++)
        for (unsigned i = 0; i < TRIANGLES_AROUND; i++)
            add_point(t, at, profile[k][0] * cos(step * i), profile[k][1],
                      profile[k][0] * sin(step * i));
    triangles_add_tube(t, first, rings, TRIANGLES_AROUND);
}

void triangles_add_box(triangles *t, const frame3 *at, const double size[3]) {
    static const unsigned sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const size_t first = t->vertex_count;
    for (unsigned k = 0; k < 8; k++)
        add_point(t, at, size[0] * (k & 1 ? 0.5 : -0.5), size[1] * (k & 2 ? 0.5 : -0.5),
                  size[2] * (k & 4 ? 0.5 : -0.5));
    for (int k = 0; k < 6; k++) triangles_add_face(t, first, sides[k], 4);
}

/* ---- files ---- */

char *mesh_file_bytes(triangles *t, const char *path, size_t *size) {
    file_problem problem;
    char *bytes = stiction_file_read(&t->r->memory, path, FILE_MOST_MESH, size, &problem);
    if (!bytes) triangles_fail(t, "cannot be read: %s", problem.text);
    if (!*size) triangles_fail(t, "is empty");
    return bytes;
}
