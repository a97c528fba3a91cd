/* SPDX-License-Identifier: MIT */
/* MJCF: our reading of the XML and of the model that MuJoCo makes of it. */
#include "documents.h"
#include "robots/formats.h"

static void *read_file(reader *r, const void *path) {
    const robot_bodies all = mjcf_read(r, (stiction_place){path, 0, 0}, path);
    must(all.count > 0);
    return (void *)(size_t)path;
}

static void read_mjcf(const uint8_t *data, size_t size) {
    fuzz_document("f.xml", data, size, read_file);
}

const fuzz_reader fuzz_mjcf = {.name = "mjcf", .read = read_mjcf};
