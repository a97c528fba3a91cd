/* SPDX-License-Identifier: MIT */
/* Meshes in VRML, in this process and not in a sandbox; to the hulls, which must be finite. */
#include <math.h>
#include <string.h>

#include "../fuzz.h"
#include "meshes/mesh_parts.h"

/* hulls of more points take longer than all else */
enum { most_points = 2000 };

static void read_vrml(const uint8_t *data, size_t size) {
    triangles t = {0};
    static mesh_parts parts;
    size_t length;
    const char *path = fuzz_file("f.wrl", data, size);
    const char *bytes = mesh_file_bytes(&t, path, &length);
    const bool fine = bytes && mesh_import_vrml(&t, path, bytes, length) &&
                      t.vertex_count < most_points && mesh_make_parts(&t, &parts);
    if (fine) {
        must(!t.problem[0] && parts.count >= 1 && parts.count <= MESH_MOST_PARTS);
        for (size_t k = 0; k < parts.count; k++) {
            must(parts.items[k].count >= 4 && parts.items[k].count <= MESH_MOST_CORNERS);
            for (size_t i = 0; i < 3 * parts.items[k].count; i++)
                must(fabs(parts.items[k].corners[i]) < 1e7);
        }
    } else if (t.vertex_count < most_points) {
        must(t.problem[0] && !strpbrk(t.problem, "\n\r"));
    }
    stiction_arena_free(&t.memory);
}

const fuzz_reader fuzz_vrml = {.name = "vrml", .read = read_vrml};
