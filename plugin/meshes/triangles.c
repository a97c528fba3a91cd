/* SPDX-License-Identifier: MIT */
/* Points and triangles that grow, and the bytes that they are read from. */
#include "triangles.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "document/file.h"
#include "document/shown.h"

enum { most_vertices = 10000000, most_triangles = 10000000 };

bool triangles_fail(triangles *t, const char *format, ...) {
    if (t->problem[0]) return false;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(t->problem, sizeof t->problem, format, arguments);
    va_end(arguments);
    stiction_show_in_place(t->problem, sizeof t->problem);
    return false;
}

bool triangles_note(triangles *t, const char *format, ...) {
    if (t->note[0]) return true;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(t->note, sizeof t->note, format, arguments);
    va_end(arguments);
    stiction_show_in_place(t->note, sizeof t->note);
    return true;
}

void *triangles_take(triangles *t, size_t size) {
    void *memory = stiction_arena_take(&t->memory, size);
    if (!memory) (void)triangles_fail(t, "out of memory");
    return memory;
}

bool triangles_make_room(triangles *t, void **items, size_t count, size_t *room, size_t size) {
    if (count < *room) return true;
    const size_t more = *room ? 2 * *room : 8;
    void *larger = triangles_take(t, more * size);
    if (!larger) return false;
    if (count) memcpy(larger, *items, count * size);
    *items = larger;
    *room = more;
    return true;
}

bool triangles_add_vertex(triangles *t, const double point[3]) {
    const double far = 1e6;
    for (int k = 0; k < 3; k++)
        if (!(fabs(point[k]) <= far))
            return triangles_fail(t, "has a coordinate of %g, which is not within +-%g", point[k],
                                  far);
    if (t->vertex_count == most_vertices)
        return triangles_fail(t, "has more than %d points", most_vertices);
    if (!triangles_make_room(t, (void **)&t->vertices, t->vertex_count, &t->vertex_room,
                             3 * sizeof(double)))
        return false;
    memcpy(t->vertices + 3 * t->vertex_count++, point, 3 * sizeof *point);
    return true;
}

bool triangles_add_face(triangles *t, size_t first, const unsigned *corners, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (corners[k] >= t->vertex_count - first)
            return triangles_fail(t, "has a face with point %u of %zu", corners[k],
                                  t->vertex_count - first);
    for (size_t k = 2; k < count; k++) {
        if (t->count == most_triangles)
            return triangles_fail(t, "has more than %d triangles", most_triangles);
        if (!triangles_make_room(t, (void **)&t->corners, t->count, &t->room, 3 * sizeof(int)))
            return false;
        const unsigned corner[3] = {corners[0], corners[k - 1], corners[k]};
        for (int i = 0; i < 3; i++) t->corners[3 * t->count + (size_t)i] = (int)(first + corner[i]);
        t->count++;
    }
    return true;
}

char *mesh_file_bytes(triangles *t, const char *path, size_t *size) {
    file_problem problem;
    char *bytes = stiction_file_read(&t->memory, path, FILE_MOST_MESH, size, &problem);
    if (!bytes) return triangles_fail(t, "cannot be read: %s", problem.text), NULL;
    if (!*size) return triangles_fail(t, "is empty"), NULL;
    return bytes;
}

char *mesh_named_bytes(triangles *t, const char *path, size_t *size) {
    char message[ACCESS_MESSAGE];
    t->names_files = true;
    if (stiction_access_permits(t->untrusted, path, message)) return mesh_file_bytes(t, path, size);
    t->is_forbidden = true;
    return triangles_fail(t, "%s", message), NULL;
}
