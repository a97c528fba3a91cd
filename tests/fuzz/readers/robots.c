/* SPDX-License-Identifier: MIT
 * Robots and projects: .body, URDF as a simulation reads it (`stiction init` reads the same without
 * shapes), our reading of MJCF and of the model that MuJoCo makes of it, and Choreonoid's projects,
 * whose robots are not there.
 */
#include <math.h>
#include <stdio.h>

#include "documents.h"
#include "projects/project.h"
#include "robots/formats.h"

/* What is read of a .body is written again, as YAML and for MuJoCo's compiler. */
static void *read_body_file(reader *r, const void *path) {
    static FILE *nowhere;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    must(nowhere != NULL);
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

static void *read_urdf_file(reader *r, const void *path) {
    must(read_urdf_bodies(r, (stiction_place){path, 0, 0}, path).count > 0);
    return r;
}

static void *read_mjcf_file(reader *r, const void *path) {
    must(mjcf_read(r, (stiction_place){path, 0, 0}, path).count > 0);
    return r;
}

static void *read_project_file(reader *r, const void *path) {
    (void)project_read(r, path);
    return r;
}

#define READER(kind, file)                                                                         \
    static void read_##kind(const uint8_t *data, size_t size) {                                    \
        fuzz_document(file, data, size, read_##kind##_file);                                       \
    }                                                                                              \
    const fuzz_reader fuzz_##kind = {.name = #kind, .read = read_##kind};
READER(body, "f.body")
READER(urdf, "f.urdf")
READER(mjcf, "f.xml")
READER(project, "f.cnoid")
