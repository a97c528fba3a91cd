/* Points and triangles that grow, and the bytes that they are read from. */
#define _XOPEN_SOURCE 700
#include "triangles.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_vertices = 10000000, most_triangles = 10000000 };
static const size_t most_bytes = 100000000;

/* What is quoted from a file becomes part of one line. */
static void be_plain(char *text) {
    for (; *text; text++)
        if (*text < ' ' || *text > '~') *text = '?';
}

bool triangles_fail(triangles *t, const char *format, ...) {
    if (t->problem[0]) return false;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(t->problem, sizeof t->problem, format, arguments);
    va_end(arguments);
    be_plain(t->problem);
    return false;
}

bool triangles_note(triangles *t, const char *format, ...) {
    if (t->note[0]) return true;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(t->note, sizeof t->note, format, arguments);
    va_end(arguments);
    be_plain(t->note);
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

static char *read_all(triangles *t, int file, size_t *size) {
    struct stat status;
    if (fstat(file, &status) != 0)
        return triangles_fail(t, "cannot be read: %s", strerror(errno)), NULL;
    if (!S_ISREG(status.st_mode)) return triangles_fail(t, "is not a file"), NULL;
    if (status.st_size > (off_t)most_bytes)
        return triangles_fail(t, "is larger than %zu MB", most_bytes / 1000000), NULL;
    if (status.st_size == 0) return triangles_fail(t, "is empty"), NULL;
    const size_t most = (size_t)status.st_size;
    char *bytes = triangles_take(t, most + 1);
    if (!bytes) return NULL;
    *size = 0;
    while (*size < most) {
        const ssize_t got = read(file, bytes + *size, most - *size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return triangles_fail(t, "cannot be read: %s", strerror(errno)), NULL;
        if (got == 0) break;
        *size += (size_t)got;
    }
    bytes[*size] = '\0';
    return bytes;
}

/* Without waiting for the other end of a pipe, or for a device. */
char *mesh_file_bytes(triangles *t, const char *path, size_t *size) {
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return triangles_fail(t, "cannot be read: %s", strerror(errno)), NULL;
    char *bytes = read_all(t, file, size);
    (void)close(file);
    return bytes;
}
