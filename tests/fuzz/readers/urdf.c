/* SPDX-License-Identifier: MIT */
/* URDF, as a simulation reads it; `stiction init` reads the same without shapes. */
#include "documents.h"
#include "robots/formats.h"

static void *read_file(reader *r, const void *path) {
    const robot_bodies all = read_urdf_bodies(r, (stiction_place){path, 0, 0}, path);
    must(all.count > 0);
    return (void *)(size_t)path;
}

static void read_urdf(const uint8_t *data, size_t size) {
    fuzz_document("f.urdf", data, size, read_file);
}

const fuzz_reader fuzz_urdf = {.name = "urdf", .read = read_urdf};
