/* SPDX-License-Identifier: MIT */
/* Choreonoid's .body; what is read is written again, as YAML and for MuJoCo's compiler. */
#include <math.h>
#include <stdio.h>

#include "documents.h"
#include "robots/robot_bodies.h"

static FILE *nowhere;

static void begin(void) {
    nowhere = fopen("/dev/null", "w");
    must(nowhere != NULL);
}

static void *read_file(reader *r, const void *path) {
    body_file *body = body_read(r, (stiction_place){path, 0, 0}, path);
    must(body->count > 0 && body->root < body->count);
    for (size_t k = 0; k < body->count; k++) {
        const body_link *link = &body->links[k];
        must(link->parent < (int)body->count && isfinite(link->mass));
        for (int n = 0; n < 9; n++) must(isfinite(link->inertia[n]));
    }
    body_write_yaml(r, nowhere, body);
    const body_file named = body_for_model(r, body);
    body_write_meshes(r, nowhere, &named);
    body_write_links(r, nowhere, &named, &(body_style){.shapes = true, .softness = 0.02});
    return body;
}

static void read_body(const uint8_t *data, size_t size) {
    fuzz_document("f.body", data, size, read_file);
}

const fuzz_reader fuzz_body = {.name = "body", .begin = begin, .read = read_body};
