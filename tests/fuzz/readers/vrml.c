/* SPDX-License-Identifier: MIT */
/* Meshes in VRML, in this process and not in a sandbox; to the hulls, which must be finite. */
#include <math.h>
#include <string.h>

#include "../fuzz.h"
#include "meshes/triangles.h"

/* hulls of more points take longer than all else */
enum { most_points = 2000 };

static void *import(reader *r, const void *path) {
    triangles t = {.r = r};
    static mesh_parts parts;
    size_t length;
    const char *bytes = mesh_file_bytes(&t, path, &length);
    parts.count = 0;
    mesh_import_vrml(&t, path, bytes, length);
    if (t.vertex_count < most_points) mesh_make_parts(&t, &parts);
    return &parts;
}

static void read_vrml(const uint8_t *data, size_t size) {
    stiction_error error;
    reader r = {.error = &error};
    const mesh_parts *parts = stiction_reader_run(&r, import, fuzz_file("f.wrl", data, size));
    must(parts || (error.message[0] && !strpbrk(error.message, "\n\r")));
    for (size_t k = 0; parts && k < parts->count; k++) {
        must(parts->items[k].count >= 4 && parts->items[k].count <= MESH_MOST_CORNERS);
        for (size_t i = 0; i < 3 * parts->items[k].count; i++)
            must(fabs(parts->items[k].corners[i]) < 1e7);
    }
    stiction_arena_free(&r.memory);
}

const fuzz_reader fuzz_vrml = {.name = "vrml", .read = read_vrml};
