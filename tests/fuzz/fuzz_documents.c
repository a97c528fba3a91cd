/*
 * Fuzzing the readers of other documents with libFuzzer: any bytes must be read, or refused with an
 * error in one line that has a place. STICTION_FUZZ in the environment says which reader: body,
 * project, vrml, posture or motion.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "controllers/posture/posture_config.h"
#include "meshes/mesh_parts.h"
#include "projects/project.h"
#include "robots/body.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/stiction_fuzz_XXXXXX", path[128];

static void must(bool condition) {
    if (!condition) abort();
}

static void look_at(const stiction_error *error) {
    char text[sizeof(stiction_error)];
    must(error->status != STICTION_OK && *error->message);
    must(!strpbrk(error->message, "\n\r"));
    must(stiction_error_format(error, text, sizeof text) < sizeof text);
}

/* Robots and projects. */

static void drop(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level;
    must(*message != '\0');
}

static void *read_body(reader *r, const void *name) {
    return body_read(r, (stiction_place){name, 0, 0}, name);
}

static void *read_project(reader *r, const void *name) {
    return (void *)(size_t)(const void *)project_read(r, name);
}

static void read_with(void *call(reader *r, const void *context)) {
    stiction_error error;
    reader r = {.log = drop, .error = &error, .access = {.given = path}};
    if (!stiction_reader_run(&r, call, path)) {
        look_at(&error);
        must(error.path[0] != '\0');
    }
    stiction_arena_free(&r.memory);
}

static void fuzz_body(void) {
    read_with(read_body);
}

static void fuzz_project(void) {
    read_with(read_project);
}

/* Meshes, in this process; to the hulls, which must be finite. */

static void fuzz_vrml(void) {
    triangles t = {0};
    static mesh_parts parts;
    size_t size;
    const char *bytes = mesh_file_bytes(&t, path, &size);
    const bool fine = bytes && mesh_import_vrml(&t, path, bytes, size) && t.vertex_count < 10000 &&
                      mesh_make_parts(&t, &parts);
    if (fine) {
        must(!t.problem[0] && parts.count >= 1 && parts.count <= MESH_MOST_PARTS);
        for (size_t k = 0; k < parts.count; k++) {
            must(parts.items[k].count >= 4 && parts.items[k].count <= MESH_MOST_CORNERS);
            for (size_t i = 0; i < 3 * parts.items[k].count; i++)
                must(fabs(parts.items[k].corners[i]) < 1e7);
        }
    } else if (t.vertex_count < 10000) {
        must(t.problem[0] && !strpbrk(t.problem, "\n\r"));
    }
    stiction_arena_free(&t.memory);
}

/* The controller. */

enum { joint_count = 2 };

static void apply(posture_config *config) {
    posture_def def = posture_def_default();
    posture_joint_def joints[joint_count] = {posture_joint_def_default(),
                                             posture_joint_def_default()};
    stiction_error error;
    joints[0].name = "RWRR";
    joints[1].name = "a";
    if (posture_config_apply(config, &def, joints, joint_count, &error) != STICTION_OK)
        look_at(&error);
}

static void fuzz_posture(void) {
    stiction_error error;
    posture_config *config = posture_config_create();
    if (posture_config_add_file(config, path, &error) == STICTION_OK)
        apply(config);
    else
        look_at(&error);
    posture_config_destroy(config);
}

static void fuzz_motion(void) {
    stiction_error error;
    char options[160];
    posture_config *config = posture_config_create();
    (void)snprintf(options, sizeof options, "motion=%s", path);
    must(posture_config_add_options(config, options, NULL, &error) == STICTION_OK);
    apply(config);
    posture_config_destroy(config);
}

/* The choice. */

static const struct {
    const char *name, *ending;
    void (*fuzz)(void);
} readers[] = {
    {"body", "body", fuzz_body},    {"project", "cnoid", fuzz_project},
    {"vrml", "wrl", fuzz_vrml},     {"posture", "yaml", fuzz_posture},
    {"motion", "csv", fuzz_motion},
};

static void (*chosen)(void);

static void clean_up(void) {
    (void)unlink(path);
    (void)rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *name = getenv("STICTION_FUZZ");
    must(name && mkdtemp(folder));
    for (size_t k = 0; k < sizeof readers / sizeof readers[0]; k++) {
        if (strcmp(readers[k].name, name) != 0) continue;
        chosen = readers[k].fuzz;
        (void)snprintf(path, sizeof path, "%s/f.%s", folder, readers[k].ending);
    }
    must(chosen != NULL);
    return atexit(clean_up);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FILE *file = fopen(path, "wb");
    must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    chosen();
    return 0;
}
