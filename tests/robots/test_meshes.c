/* SPDX-License-Identifier: MIT
 * Meshes: the hulls of files of each format, what a hull is larger than, and files of strangers.
 */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "meshes/mesh.h"
#include "meshes/sandbox.h"
#include "sanitized.h"
#include "worlds.h"

/* ---- reading one file ------------------------------------------------------------------------ */

typedef struct asked {
    const char *path;
    double scale;
} asked;

typedef struct kept {
    size_t parts, corners; /* of all parts */
    double low[3], high[3];
    double volume; /* of the boxes around the parts */
} kept;

static void look_at(const mesh *first, kept *k) {
    *k = (kept){.low = {1e9, 1e9, 1e9}, .high = {-1e9, -1e9, -1e9}};
    for (const mesh *m = first; m; m = m->next) {
        double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
        k->parts++;
        k->corners += m->count;
        for (size_t n = 0; n < 3 * m->count; n++) {
            low[n % 3] = fmin(low[n % 3], m->vertices[n]);
            high[n % 3] = fmax(high[n % 3], m->vertices[n]);
        }
        for (int i = 0; i < 3; i++) {
            k->low[i] = fmin(k->low[i], low[i]);
            k->high[i] = fmax(k->high[i], high[i]);
        }
        k->volume += (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
    }
}

static kept found;

static void *read_mesh(reader *r, const void *context) {
    static int done;
    const asked *a = context;
    const double scale[3] = {a->scale, a->scale, a->scale};
    look_at(mesh_read(r, (stiction_place){"robot.body", 7, 3}, a->path, scale), &found);
    return &done;
}

/* What a file gives; its warnings are in `warnings`. */
static kept read_scaled(const char *path, double scale) {
    reader r = {.log = keep_warning};
    warnings[0] = '\0';
    found = (kept){0};
    if (!stiction_reader_run(&r, read_mesh, &(asked){path, scale})) FAIL("%s was refused", path);
    stiction_arena_free(&r.memory);
    return found;
}

static kept read_one(const char *path) {
    return read_scaled(path, 1);
}

static const char *sample(const char *name) {
    static char path[600], folder[500];
    if (!getcwd(folder, sizeof folder)) abort(); /* the folder tests/ */
    (void)snprintf(path, sizeof path, "%s/meshes/%s", folder, name);
    return path;
}

static void check_is_box(const char *path, kept k) {
    const double half[3] = {0.1, 0.15, 0.2};
    if (k.parts != 1 || k.corners != 8 || warnings[0])
        FAIL("%s: %zu parts with %zu corners, %s", path, k.parts, k.corners, warnings);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(k.low[i], -half[i], 1e-6);
        CHECK_NEAR(k.high[i], half[i], 1e-6);
    }
}

static void put(unsigned char **to, const void *bytes, size_t size) {
    memcpy(*to, bytes, size);
    *to += size;
}

/* A binary STL of this many triangles, with a header that says so many. */
static const char *binary_stl(const char *name, const float (*triangles)[9], unsigned count,
                              unsigned claimed) {
    static unsigned char bytes[84 + 50 * 100];
    unsigned char *at = bytes;
    memset(bytes, 0, sizeof bytes);
    at += 80;
    put(&at, &claimed, 4);
    for (unsigned k = 0; k < count; k++) {
        at += 12;
        put(&at, triangles[k], 36);
        at += 2;
    }
    return temporary_bytes(name, bytes, (size_t)(at - bytes));
}

static const char *binary_box(unsigned claimed) {
    static const int corners[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                       {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                       {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    float triangles[12][9];
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < 3; i++) {
            const int c = corners[k][i];
            triangles[k][3 * i] = c & 1 ? 0.1f : -0.1f;
            triangles[k][3 * i + 1] = c & 2 ? 0.15f : -0.15f;
            triangles[k][3 * i + 2] = c & 4 ? 0.2f : -0.2f;
        }
    return binary_stl("binary.stl", (const float(*)[9])triangles, 12, claimed);
}

TEST(each_format_gives_the_corners_of_a_box) {
    static const char *const names[] = {"box.stl", "box.obj", "box.dae", "box.wrl", "inside.wrl"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        check_is_box(names[k], read_one(sample(names[k])));
    check_is_box("binary.stl", read_one(binary_box(12)));
}

TEST(a_scale_may_be_millimeters_or_a_mirror) {
    kept k = read_scaled(sample("box.stl"), 0.001);
    CHECK_NEAR(k.high[2], 0.0002, 1e-9);
    k = read_scaled(sample("floor.wrl"), -1);
    CHECK_NEAR(k.low[2], 0, 1e-9);
    k = read_scaled(sample("box.stl"), 1e-5);
    CHECK(k.parts == 0 && strstr(warnings, "is too small to touch anything, below 1e-12 m^3"));
}

TEST(round_shapes_of_vrml_are_as_large_as_they_say) {
    const kept sphere = read_one(
        temporary_file("s.wrl", "#VRML V2.0 utf8\nShape { geometry Sphere { radius 0.5 } }\n"));
    CHECK(sphere.parts == 1 && sphere.corners <= 128 && sphere.corners > 60);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(sphere.high[i], 0.5, 0.01);
        CHECK_NEAR(sphere.low[i], -0.5, 0.01);
    }
    const kept cylinder = read_one(temporary_file(
        "c.wrl", "#VRML V2.0 utf8\nShape { geometry Cylinder { radius 0.5 height 3 } }\n"));
    CHECK(cylinder.corners == 64);
    CHECK_NEAR(cylinder.high[1], 1.5, 1e-12);
    CHECK_NEAR(cylinder.high[0], 0.5, 1e-12);
    const kept cone = read_one(temporary_file(
        "k.wrl", "#VRML V2.0 utf8\nShape { geometry Cone { bottomRadius 0.5 height 3 } }\n"));
    CHECK(cone.corners == 33);
    CHECK_NEAR(cone.low[1], -1.5, 1e-12);
}

/* ---- hulls ----------------------------------------------------------------------------------- */

TEST(things_that_lie_apart_have_hulls_of_their_own) {
    const kept k = read_one(sample("apart.wrl"));
    CHECK(k.parts == 2 && k.corners == 16);
    CHECK_NEAR(k.volume, 2 * 0.2 * 0.3 * 0.4, 1e-12);
    CHECK(!warnings[0]);
}

TEST(a_hull_much_larger_than_its_mesh_is_told_with_the_factor) {
    const kept k = read_one(sample("channel.obj"));
    CHECK(k.parts == 1 && k.corners == 8);
    /* 9 to 3 x 0.2 + 2 x 2.8 x 0.2 */
    CHECK(strstr(warnings, "robot.body:7: the convex hull of '"));
    CHECK(strstr(warnings, "channel.obj', which touches, is 5.2 times as large as the mesh"));
}

TEST(a_flat_mesh_keeps_the_side_that_it_shows) {
    const kept k = read_one(sample("floor.wrl"));
    CHECK(k.parts == 1 && k.corners == 8);
    CHECK_NEAR(k.high[2], 0, 1e-12);
    CHECK_NEAR(k.low[2], -0.05, 1e-12); /* 1 % of 5 */
    CHECK(strstr(warnings, "floor.wrl' is flat: its hull is made 1 % of its length thick"));
}

TEST(a_sheet_that_looks_to_both_sides_grows_to_both) {
    const kept k = read_one(
        temporary_file("sheet.obj", "v 0 0 0\nv 3 0 0\nv 3 4 0\nv 0 4 0\nf 1 2 3 4\nf 4 3 2 1\n"));
    CHECK_NEAR(k.high[2], 0.025, 1e-12);
    CHECK_NEAR(k.low[2], -0.025, 1e-12);
}

/* ---- files of strangers ---------------------------------------------------------------------- */

static void check_unusable(const char *path, const char *why) {
    const kept k = read_one(path);
    const char *end = strstr(warnings, ": it does not touch anything\n");
    if (k.parts || !strstr(warnings, why) || !end || strchr(warnings, '\n')[1])
        FAIL("%s: %zu parts, '%s' instead of '%s'", path, k.parts, warnings, why);
    if (strncmp(warnings, "robot.body:7: ", 14) != 0) FAIL("no place: %s", warnings);
}

static void check_unusable_text(const char *name, const char *text, const char *why) {
    check_unusable(temporary_file(name, text), why);
}

#define WRL "#VRML V2.0 utf8\n"

TEST(broken_files_are_a_sentence_each) {
    check_unusable("nowhere.stl", "No such file or directory");
    check_unusable("/tmp/a.xyz", "is no mesh of a format that is read (.stl, .obj, .dae, .wrl)");
    check_unusable_text("empty.stl", "", "is empty");
    check_unusable_text("empty.obj", "", "is empty");
    check_unusable_text("empty.dae", "", "is empty");
    check_unusable_text("empty.wrl", "", "is empty");
    check_unusable_text("old.wrl", "#VRML V1.0 ascii\n", "is no VRML: it must begin with");
    check_unusable_text("none.wrl", WRL, "has no faces");
    check_unusable_text("text.dae", "<COLLADA version=\"1.4.1\"><library_geo", "cannot be read");
    check_unusable_text("half.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0",
                        "cannot be read");
    check_unusable_text("half.wrl", WRL "Shape { geometry Box { size 1 1",
                        "line 2: the file ends inside a node");
    check_unusable_text("string.wrl", WRL "WorldInfo { title \"abc\n", "a string without its end");
    check_unusable_text("use.wrl", WRL "Group { children USE X }\n",
                        "line 2: USE of 'X', which has no DEF");
    check_unusable_text("self.wrl", WRL "DEF A Group { children USE A }\n",
                        "USE of 'A', which has no DEF");
    check_unusable_text("index.wrl",
                        WRL "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 ] "
                            "} coordIndex [ 0 1 2 ] } }",
                        "has a face with point 1 of 1");
    check_unusable_text("nan.wrl",
                        WRL "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 -nan "
                            "1 0 0 0 1 0 ] } coordIndex [ 0 1 2 ] } }",
                        "which is not within +-1e+06");
    check_unusable_text("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                        "which is not within +-1e+06");
    check_unusable_text("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
                        "has no hull: its 3 points lie on a line or at one place");
    check_unusable_text("point.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n",
                        "has no hull: its 1 points lie on a line or at one place");
    check_unusable_text("loop.wrl", WRL "Inline { url \"loop.wrl\" }\n",
                        "has files inside files, more than 8 levels");
    check_unusable_text(
        "inline.wrl", WRL "Inline { url \"nowhere.wrl\" }\n",
        "has 'nowhere.wrl' inside, which cannot be read: No such file or directory");
}

TEST(headers_that_lie_about_their_size_are_refused) {
    check_unusable(binary_box(1000000000), "cannot be read");
}

TEST(what_is_no_file_is_not_waited_for) {
    (void)temporary_file("pipe.stl", "");
    char path[128];
    (void)snprintf(path, sizeof path, "%s/pipe.stl", temporary_folder);
    (void)unlink(path);
    if (mkfifo(path, 0600) != 0) abort();
    check_unusable(path, "is not a file but a pipe");
    (void)unlink(path);
    if (symlink("/dev/zero", path) != 0) abort();
    check_unusable(path, "is not a file");
    (void)unlink(path);
    if (mkdir(path, 0700) != 0) abort();
    check_unusable(path, "cannot be read: Is a directory");
    (void)rmdir(path);
    const char *huge = temporary_file("huge.stl", "");
    if (truncate(huge, 200000000) != 0) abort();
    check_unusable(huge, "it is 190.8 MiB; at most 100 MiB are read");
}

/* Each level uses the one before twice: 2^60 boxes. */
TEST(a_bomb_of_uses_ends_at_a_count) {
    static char text[20000];
    size_t used =
        (size_t)snprintf(text, sizeof text, WRL "DEF A0 Shape { geometry Box { size 1 1 1 } }\n");
    for (int k = 1; k <= 60; k++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "DEF A%d Group { children [ USE A%d USE A%d ] }\n", k, k - 1, k - 1);
    check_unusable_text("bomb.wrl", text, "has more than 200000 nodes, counted each time that");
    used = (size_t)snprintf(text, sizeof text, WRL);
    for (int k = 0; k < 900; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "Group { children ");
    check_unusable_text("deep.wrl", text, "nested too deep");
}

/* ---- the process that reads ------------------------------------------------------------------ */

static void loop_forever(void *context, int out) {
    (void)out;
    for (volatile int *k = context;; ++*k) continue;
}

static void sleep_forever(void *context, int out) {
    (void)context, (void)out;
    for (;;) (void)pause();
}

static void crash(void *context, int out) {
    (void)context, (void)out;
    (void)raise(SIGSEGV);
}

static void take_memory(void *context, int out) {
    (void)context;
    for (size_t k = 0; k < 1000; k++) {
        char *block = malloc(1000000);
        if (!block) abort();
        memset(block, 1, 1000000);
    }
    sandbox_write(out, "x", 1);
}

static void say_one(void *context, int out) {
    (void)context;
    sandbox_write(out, "x", 1);
}

static void check_ends_of(void work(void *, int), const sandbox_limits *limits, const char *why) {
    static volatile int counter;
    sandbox box;
    char byte = 0;
    sandbox_start(&box, limits, work, (void *)&counter);
    CHECK(!sandbox_read(&box, &byte, 1));
    if (!strstr(box.problem, why)) FAIL("'%s' instead of '%s'", box.problem, why);
    sandbox_end(&box);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0); /* nobody is left */
}

static void check_ends(void work(void *, int), int patience, const char *why) {
    const sandbox_limits limits = {.seconds = 1, .patience = patience, .memory = 100000000};
    check_ends_of(work, &limits, why);
}

static bool at_once(void) {
    return true;
}

TEST(a_reader_can_be_stopped) {
    const sandbox_limits limits = sandbox_limits_of(true, at_once);
    check_ends_of(sleep_forever, &limits, "its reading was interrupted");
}

TEST(a_reader_that_hangs_or_crashes_is_a_sentence) {
    check_ends(loop_forever, 600, "its reading took more than 1 s of processor time");
    check_ends(sleep_forever, 2, "its reading took more than 2 s");
    check_ends(crash, 600, "its reading failed or needed more than 100 MB (Segmentation fault)");
#ifndef SANITIZED
    check_ends(take_memory, 600, "its reading failed or needed more than 100 MB (Aborted)");
#else
    (void)take_memory;
#endif
}

TEST(a_reader_whose_host_ignores_its_children_still_answers) {
    sandbox box;
    char byte = 0;
    (void)signal(SIGCHLD, SIG_IGN);
    const sandbox_limits limits = {.seconds = 1, .patience = 600, .memory = 100000000};
    sandbox_start(&box, &limits, say_one, NULL);
    CHECK(sandbox_read(&box, &byte, 1) && byte == 'x');
    sandbox_end(&box);
    (void)signal(SIGCHLD, SIG_DFL);
}

/* ---- once ------------------------------------------------------------------------------------ */

static void *read_twice(reader *r, const void *context) {
    static int done;
    const char *path = context;
    const stiction_place at = {"robot.body", 1, 1};
    const mesh *first = mesh_read(r, at, path, (const double[3]){1, 1, 1});
    /* another name is the same file: now that it is empty, it could not be read again */
    if (truncate(path, 0) != 0) abort();
    const char *other = stiction_reader_format(r, "/./%s", path);
    CHECK(mesh_read(r, at, other, (const double[3]){1, 1, 1}));
    if (unlink(path) != 0) abort();
    const mesh *second = mesh_read(r, at, path, (const double[3]){2, 1, 1});
    CHECK(first && second && first->count == second->count);
    for (size_t k = 0; first && second && k < first->count; k++)
        CHECK_SAME(second->vertices[3 * k], 2 * first->vertices[3 * k]);
    return &done;
}

TEST(a_file_is_read_once) {
    reader r = {.log = keep_warning};
    warnings[0] = '\0';
    CHECK(stiction_reader_run(&r, read_twice, binary_box(12)) && !warnings[0]);
    stiction_arena_free(&r.memory);
}

static void *read_many(reader *r, const void *context) {
    const stiction_place at = {"robot.body", 1, 1};
    (void)context;
    for (int k = 0; k < 20001; k++)
        (void)mesh_read(r, at, "meshes/box.stl", (const double[3]){1, 1, 1});
    return r;
}

static void *read_very_many(reader *r, const void *context) {
    (void)context;
    for (int k = 0; k < 12002; k++)
        (void)mesh_read(r, (stiction_place){"robot.body", 1, 1},
                        stiction_reader_format(r, "mesh%d.none", k), (const double[3]){1, 1, 1});
    return r;
}

TEST(meshes_of_a_robot_are_bounded_together) {
    stiction_error error;
    reader r = {.error = &error};
    CHECK(!stiction_reader_run(&r, read_many, NULL));
    CHECK_CONTAINS(error.message, "with 'meshes/box.stl' meshes have more than 20000 hulls");
    r = (reader){.error = &error, .untrusted = "robot.body"};
    CHECK(!stiction_reader_run(&r, read_very_many, NULL));
    CHECK_CONTAINS(error.message, "took more than 120 s of processor time");
}

/* ---- in a world ------------------------------------------------------------------------------ */

/* A free body of 3 kg with these elements on a floor that leans by an angle, degrees. */
static world *load_on_slope(const char *elements, double angle) {
    char body[3000], text[3000];
    (void)temporary_file("floor.body", FLOOR_BODY);
    (void)snprintf(body, sizeof body,
                   BODY_HEAD "  - name: THING\n"
                             "    joint_type: free\n"
                             "    mass: 3\n"
                             "    inertia: [ 0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.05 ]\n%s",
                   elements);
    (void)temporary_file("thing.body", body);
    const double up = 0.2001, turn = angle * 3.14159265358979323846 / 180;
    (void)snprintf(text, sizeof text,
                   PROJECT_HEAD
                   "        - { class: BodyItem, name: Floor, data: { file: floor.body,\n"
                   "            initial_root_rotation: [ 1, 0, 0, %.17g ] } }\n"
                   "        - { class: BodyItem, name: Thing, data: { file: thing.body,\n"
                   "            initial_root_translation: [ 0, %.17g, %.17g ],\n"
                   "            initial_root_rotation: [ 1, 0, 0, %.17g ] } }\n" SIMULATOR,
                   angle, -up * sin(turn), up * cos(turn), angle);
    return load_file(temporary_file("test.cnoid", text), world_options_default());
}

/* The sum of the forces of all contacts along z. */
static double weight_on_floor(const world *w, const mjData *d) {
    double sum = 0;
    for (int k = 0; k < d->ncon; k++) {
        mjtNum wrench[6], force[3];
        mj_contactForce(w->model, d, k, wrench);
        mju_rotVecMatT(force, wrench, d->contact[k].frame);
        sum += fabs(force[2]);
    }
    return sum;
}

#define BOX_SHAPE "    elements: { Shape: { geometry: { type: Box, size: [ 0.2, 0.3, 0.4 ] } } }\n"

static const char *mesh_elements(const char *path) {
    static char elements[1000];
    (void)snprintf(elements, sizeof elements, "    elements: { Resource: { uri: \"%s\" } }\n",
                   path);
    return elements;
}

typedef struct outcome {
    double place[3], weight;
} outcome;

static outcome settle(const char *elements, double angle) {
    world *w = load_on_slope(elements, angle);
    mjData *d = start(w);
    run(w, d, 2);
    outcome o = {.weight = weight_on_floor(w, d)};
    memcpy(o.place, root_of(w, d, 1), sizeof o.place);
    end_world(w, d);
    return o;
}

TEST(a_box_as_a_mesh_behaves_as_a_box) {
    static const char *const names[] = {"box.stl", "box.obj", "box.dae", "box.wrl"};
    const double weight = 3 * 9.80665;
    const outcome flat = settle(BOX_SHAPE, 0), leaning = settle(BOX_SHAPE, 20);
    CHECK_NEAR(flat.weight, weight, 1e-3);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const outcome o = settle(mesh_elements(sample(names[k])), 0);
        CHECK_NEAR(o.weight, flat.weight, 1e-3);
        for (int i = 0; i < 3; i++) CHECK_NEAR(o.place[i], flat.place[i], 1e-4);
        /* 20 degrees hold with a friction of 0.5: 26.6 */
        const outcome held = settle(mesh_elements(sample(names[k])), 20);
        for (int i = 0; i < 3; i++) CHECK_NEAR(held.place[i], leaning.place[i], 2e-3);
    }
    const outcome slid = settle(mesh_elements(sample("box.stl")), 35);
    CHECK(fabs(slid.place[1]) > 1);
}

static double rests_at(const char *elements) {
    return settle(elements, 0).place[2];
}

TEST(a_scene_file_is_walked) {
    char scene[1000];
    (void)snprintf(
        scene, sizeof scene,
        "format: ChoreonoidScene\nscene:\n  Transform:\n    translation: [ 0, 0, 0.05 ]\n"
        "    elements: [ { type: Resource, uri: \"%s\" } ]\n",
        sample("box.stl"));
    (void)temporary_file("thing.scen", scene);
    CHECK_NEAR(rests_at("    elements: { Resource: { uri: thing.scen } }\n"), 0.15, 1e-4);
}

/* Three links in a row, the first and the last in each other. */
TEST(hulls_of_one_body_that_are_in_each_other_at_the_start_pass) {
    char body[3000];
    (void)snprintf(body, sizeof body,
                   BODY_HEAD
                   "  - { name: L0, joint_type: fixed, elements: { Resource: { uri: \"%s\" } } }\n"
                   "  - { name: L1, parent: L0, joint_type: revolute, joint_id: 0 }\n"
                   "  - { name: L2, parent: L1, joint_type: revolute, joint_id: 1,\n"
                   "      translation: [ 0.15, 0, 0 ], elements: { Shape: { geometry: {\n"
                   "      type: Box, size: [ 0.2, 0.2, 0.2 ] } } } }\n",
                   sample("box.stl"));
    (void)temporary_file("thing.body", body);
    world *w =
        load_file(temporary_file("test.cnoid",
                                 PROJECT_HEAD BODY_ITEM("A", "thing.body",
                                                        "self_collision_detection: on") SIMULATOR),
                  world_options_default());
    mjData *d = start(w);
    CHECK(d->ncon == 0 && w->model->nexclude == 1);
    CHECK(strstr(warnings, "test.cnoid: 1 pair of links whose hulls overlap at the "
                           "start does not touch (the deepest: 'L0' and 'L2', 0.05 m)"));
    end_world(w, d);
}

TEST(two_bodies_that_overlap_at_the_start_are_refused) {
    char body[1000];
    (void)snprintf(body, sizeof body,
                   BODY_HEAD "  - { name: L, joint_type: free, mass: 1, elements: {\n"
                             "      Resource: { uri: \"%s\" } } }\n",
                   sample("box.stl"));
    (void)temporary_file("thing.body", body);
    stiction_error error;
    const char *path = temporary_file(
        "test.cnoid", PROJECT_HEAD BODY_ITEM("A", "thing.body", "") BODY_ITEM(
                          "B", "thing.body", "initial_root_translation: [ 0.15, 0, 0 ]") SIMULATOR);
    CHECK(!world_load(path, NULL, &error));
    CHECK_CONTAINS(error.message, "'A/L' and 'B/L' overlap by 0.05 m at the start");
}
