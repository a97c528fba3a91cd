/* SPDX-License-Identifier: MIT
 * Robot files as bodies for a world: the shapes of each format and of meshes made from geometry,
 * scenes, contact rules, what of MJCF is carried over, and what is refused with which words.
 */
#include "check.h"
#include "meshes/mesh.h"
#include "projects.h"
#include "random.h"
#include "robots/hull.h"
#include "robots/robot_bodies.h"

/* ---- reading --------------------------------------------------------------------------------- */

static robot_bodies found;
static stiction_error told;
static reader now;

static void *read_bodies(reader *r, const void *path) {
    found = robot_read_bodies(r, (stiction_place){path, 0, 0}, path);
    return r;
}

/* The first body of a file, until the next is read; NULL: `told` says why not. */
static const body_file *read_file(const char *path) {
    stiction_arena_free(&now.memory);
    now = (reader){.error = &told, .log = keep_warning};
    warnings[0] = '\0';
    return stiction_reader_run(&now, read_bodies, path) ? found.files[0] : NULL;
}

static const body_file *read_text(const char *name, const char *text) {
    const body_file *body = read_file(temporary_file(name, text));
    if (!body) {
        FAIL("%s: %d:%d: %s\n%s", name, told.line, told.column, told.message, text);
        exit(EXIT_FAILURE);
    }
    return body;
}

static void check_refusal(const char *name, const char *text, const char *expected) {
    char line[2048] = "(it was read)";
    if (!read_file(temporary_file(name, text)))
        (void)stiction_error_format(&told, line, sizeof line);
    if (strcmp(without_folder(line), expected) != 0)
        FAIL("said:     %s\nexpected: %s", without_folder(line), expected);
}

/* A body of one link with these elements. */
static const body_file *read_elements(const char *elements) {
    char text[3000];
    (void)snprintf(text, sizeof text, BODY_HEAD "  - name: L\n    elements: %s\n", elements);
    return read_text("link.body", text);
}

/* How far a link's shapes reach along +x, -x, +y, ...: those that are meshes alone. */
static void check_reach(const body_link *link, const double reach[6]) {
    double far[6];
    for (int i = 0; i < 6; i++) far[i] = -1e9;
    for (size_t k = 0; k < link->shape_count; k++) {
        const body_shape *s = &link->shapes[k];
        CHECK(s->kind == BODY_MESH);
        for (size_t n = 0; n < s->vertex_count; n++) {
            double point[3];
            mju_rotVecQuat(point, s->vertices + 3 * n, s->rotation);
            mju_addTo3(point, s->translation);
            for (int i = 0; i < 3; i++) {
                far[2 * i] = fmax(far[2 * i], point[i]);
                far[2 * i + 1] = fmax(far[2 * i + 1], -point[i]);
            }
        }
    }
    for (int i = 0; i < 6; i++)
        if (!(fabs(far[i] - reach[i]) < 1e-9))
            FAIL("%g instead of %g in direction %d", far[i], reach[i], i);
}

static void check_mesh(const char *elements, const double reach[6]) {
    const body_file *body = read_elements(elements);
    if (body->links[0].shape_count != 1 || warnings[0]) FAIL("%s: %s", elements, warnings);
    check_reach(&body->links[0], reach);
}

/* ---- geometry that becomes a mesh ------------------------------------------------------------ */

TEST(primitives_that_are_squeezed_are_as_large_as_their_frames_say) {
    /* turned by 45 degrees, then stretched: no box any more */
    const double diagonal = sqrt(2);
    check_mesh(
        "{ Transform: { scale: [ 2, 1, 1 ], elements: { Shape: { rotation: [ 0, 0, 1, 45 ],\n"
        "      geometry: { type: Box, size: [ 2, 2, 3 ] } } } } }",
        (const double[6]){2 * diagonal, 2 * diagonal, diagonal, diagonal, 1.5, 1.5});
    check_mesh(
        "{ Transform: { scale: [ 2, 1, 1 ], elements: { Shape: { rotation: [ 0, 0, 1, 45 ],\n"
        "      geometry: { type: Box } } } } }",
        (const double[6]){diagonal, diagonal, diagonal / 2, diagonal / 2, 0.5, 0.5});
    check_mesh("{ Shape: { scale: [ 1, 1, 3 ],\n"
               "      geometry: { type: Cylinder, radius: 0.5, height: 4 } } }",
               (const double[6]){0.5, 0.5, 2, 2, 1.5, 1.5});
    check_mesh("{ Shape: { scale: [ 3, 1, 1 ],\n      geometry: { type: Cone, height: 4 } } }",
               (const double[6]){3, 3, 2, 2, 1, 1});
    check_mesh("{ Shape: { scale: [ 1, 1, 2 ], geometry: { type: Cylinder } } }",
               (const double[6]){1, 1, 0.5, 0.5, 2, 2});
}

/* Its rings do not hit the widest place, so that it is a little narrower. */
TEST(a_squeezed_capsule_is_a_mesh) {
    const body_file *body =
        read_elements("{ Shape: { scale: [ 1, 2, 1 ],\n"
                      "      geometry: { type: Capsule, radius: 0.5, height: 3 } } }");
    const body_shape *s = body->links[0].shapes;
    CHECK(body->links[0].shape_count == 1 && s->kind == BODY_MESH && s->vertex_count > 60);
    double high = 0, low = 0, wide = 0;
    for (size_t k = 0; k < s->vertex_count; k++) {
        high = fmax(high, s->vertices[3 * k + 1]);
        low = fmin(low, s->vertices[3 * k + 1]);
        wide = fmax(wide, hypot(s->vertices[3 * k], s->vertices[3 * k + 2]));
    }
    CHECK_NEAR(high, 4, 1e-9);
    CHECK_NEAR(low, -4, 1e-9);
    CHECK_NEAR(wide, 0.5, 0.01);
}

#define TETRAHEDRON "vertices: [ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 ]"

TEST(faces_are_read_under_all_their_names) {
    const double reach[6] = {1, 0, 1, 0, 1, 0};
    check_mesh("{ Shape: { geometry: { type: TriangleMesh, " TETRAHEDRON ",\n"
               "      triangles: [ 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3 ] } } }",
               reach);
    check_mesh("{ Shape: { geometry: { type: IndexedFaceSet,\n"
               "      coordinate: [ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 ],\n"
               "      coordIndex: [ 0, 2, 1, -1, 0, 1, 3, -1, 1, 2, 3, -1, 2, 0, 3 ] } } }",
               reach);
    /* triangle by triangle: two things that lie apart have no face between them */
    CHECK(read_elements("{ Shape: { geometry: { type: TriangleMesh,\n"
                        "      vertices: [ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,\n"
                        "        9, 0, 0, 8, 0, 0, 9, 1, 0, 9, 0, 1 ],\n"
                        "      triangles: [ 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,\n"
                        "        4, 5, 6, 4, 7, 5, 5, 7, 6, 6, 7, 4 ] } } }")
              ->links[0]
              .shape_count == 2);
    /* a mirror image */
    check_mesh("{ Shape: { scale: [ -1, 1, 1 ], geometry: { type: TriangleMesh, " TETRAHEDRON ",\n"
               "      triangles: [ 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3 ] } } }",
               (const double[6]){0, 1, 1, 0, 1, 0});
}

static void check_unusable(const char *elements, const char *why) {
    const body_file *body = read_elements(elements);
    CHECK(body->links[0].shape_count == 0);
    CHECK_CONTAINS(warnings, why);
}

TEST(faces_of_points_that_are_not_there_are_told) {
    check_unusable("{ Shape: { geometry: { type: TriangleMesh, " TETRAHEDRON ",\n"
                   "      triangles: [ 0, 1, 4 ] } } }",
                   "link.body:6: a face has point 4 of 4");
    check_unusable("{ Shape: { geometry: { type: TriangleMesh, " TETRAHEDRON ",\n"
                   "      triangles: [ 0, 1, 1.5 ] } } }",
                   "a face has point 1.5 of 4");
    check_unusable("{ Shape: { geometry: { type: TriangleMesh, triangles: [ 0 ] } } }",
                   "a face has point 0 of 0");
    check_unusable("{ Shape: { geometry: { type: TriangleMesh, " TETRAHEDRON " } } }",
                   "the TriangleMesh has no faces: it does not touch anything");
}

TEST(extrusions_along_a_straight_spine_are_read) {
    check_mesh("{ Shape: { geometry: { type: Extrusion } } }", (const double[6]){1, 1, 1, 0, 1, 1});
    /* upside down, and along x */
    check_mesh("{ Shape: { geometry: { type: Extrusion, spine: [ 0, 0, 0, 0, -2, 0 ] } } }",
               (const double[6]){1, 1, 0, 2, 1, 1});
    check_mesh("{ Shape: { geometry: { type: Extrusion, spine: [ 0, 0, 0, 3, 0, 0 ] } } }",
               (const double[6]){3, 0, 1, 1, 1, 1});
    check_mesh("{ Shape: { geometry: { type: Extrusion, spine: [ 0, 0, 0, 0, -2, 0 ],\n"
               "      cross_section: [ 0, 0, 1, 0, 0, 3 ] } } }",
               (const double[6]){1, 0, 0, 2, 0, 3}); /* turned about x */
}

TEST(extrusions_that_bend_or_turn_are_counted_as_unread) {
    static const char *const more[] = {"spine: [ 0, 0, 0, 0, 1, 0, 1, 2, 0 ]",
                                       "spine: [ 0, 0, 0 ]",
                                       "spine: [ 1, 1, 1, 1, 1, 1 ]",
                                       "orientation: [ 0, 0, 1, 1 ]",
                                       "scale: [ 1, 2 ]",
                                       "cross_section: [ 0, 0, 1, 1 ]",
                                       "cross_section: [ 0, 0, 1, 1, 0, 0 ]",
                                       "cross_section: [ 0, 0 ]"};
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++) {
        char elements[300];
        (void)snprintf(elements, sizeof elements,
                       "{ Shape: { geometry: { type: Extrusion, %s } } }", more[k]);
        const body_file *body = read_elements(elements);
        if (body->unread_shapes != 1 || body->links[0].shape_count) FAIL("%s was read", more[k]);
        CHECK(body->unread_shape_at.line == 6);
    }
}

TEST(shapes_without_a_geometry_that_is_read_touch_nothing) {
    const body_file *body = read_elements(
        "[ { type: Shape }, { type: Shape, geometry: { type: Torus } },\n"
        "      { type: Shape, geometry: { radius: 3 } },\n"
        "      { type: Resource }, { type: Resource, uri: a.stl, fragment: part },\n"
        "      { type: Visual, elements: { Shape: { geometry: { type: Sphere } } } } ]");
    CHECK(body->links[0].shape_count == 0);
    CHECK(body->unread_shapes == 3);
}

TEST(aliases_of_a_geometry_are_made_once) {
    const body_file *body =
        read_elements("[ { type: Shape, geometry: &C { type: Cone, radius: 0.5, height: 1 } },\n"
                      "      { type: Shape, translation: [ 0, 0, 3 ], geometry: *C } ]");
    const body_link *link = &body->links[0];
    CHECK(link->shape_count == 2 && link->shapes[0].vertices == link->shapes[1].vertices);
    CHECK_NEAR(link->shapes[1].translation[2], 3, 0);
}

TEST(colors_are_grey_unless_they_are_stated) {
    const body_file *body = read_elements(
        "[ { type: Shape, geometry: { type: Sphere }, appearance: none },\n"
        "      { type: Shape, geometry: { type: Sphere }, appearance: { material: none } },\n"
        "      { type: Shape, geometry: { type: Sphere }, appearance: { } },\n"
        "      { type: Shape, geometry: { type: Sphere }, appearance: { material: { } } },\n"
        "      { type: Shape, geometry: { type: Sphere },\n"
        "        appearance: { material: { diffuseColor: [ 1, 0.5, 0 ] } } } ]");
    CHECK(body->links[0].shape_count == 5);
    for (int k = 0; k < 4; k++) CHECK_NEAR(body->links[0].shapes[k].color[1], 0.7, 0);
    CHECK_NEAR(body->links[0].shapes[4].color[1], 0.5, 0);
}

/* ---- files that a body names ----------------------------------------------------------------- */

static const char *box_stl(void) {
    static char path[600];
    if (!getcwd(path, 500)) abort(); /* the folder tests/ */
    return strcat(path, "/meshes/box.stl");
}

TEST(the_unit_and_axis_of_a_mesh_are_stated_in_two_ways) {
    static const struct {
        const char *metadata;
        double reach[3];
    } cases[] = {
        {"{ length_unit: millimeter }", {0.1e-3, 0.15e-3, 0.2e-3}},
        {"{ length_unit: inch, upper_axis: Z }", {0.00254, 0.00381, 0.00508}},
        {"{ length_unit: parsec }", {0.1, 0.15, 0.2}},
        {"{ upper_axis: Y }", {0.2, 0.1, 0.15}},
        {"meter y_upper", {0.2, 0.1, 0.15}},
        {"millimeter", {0.1e-3, 0.15e-3, 0.2e-3}},
        {"nothing", {0.1, 0.15, 0.2}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char elements[900];
        (void)snprintf(elements, sizeof elements,
                       "{ Transform: { scale: [ 100, 100, 100 ],\n"
                       "      elements: { Resource: { uri: \"%s\", metadata: %s } } } }",
                       box_stl(), cases[k].metadata);
        double reach[6];
        for (int i = 0; i < 6; i++) reach[i] = 100 * cases[k].reach[i / 2];
        const body_file *body = read_elements(elements);
        const body_shape *s = body->links[0].shapes;
        if (body->links[0].shape_count != 1) FAIL("%s: %s", cases[k].metadata, warnings);
        double far[3] = {0};
        for (size_t n = 0; n < s->vertex_count; n++) {
            double point[3];
            mju_rotVecQuat(point, s->vertices + 3 * n, s->rotation);
            for (int i = 0; i < 3; i++) far[i] = fmax(far[i], point[i]);
        }
        for (int i = 0; i < 3; i++) CHECK_NEAR(far[i], reach[2 * i], 1e-6 * reach[2 * i]);
    }
}

TEST(a_geometry_may_be_a_file) {
    char elements[700];
    (void)snprintf(elements, sizeof elements,
                   "{ Shape: { geometry: { type: Resource, uri: \"file://%s\" } } }", box_stl());
    const body_file *body = read_elements(elements);
    CHECK(body->links[0].shape_count == 1 && body->links[0].shapes[0].vertex_count == 8);
}

TEST(names_of_files_that_cannot_be_found_are_told) {
    (void)unsetenv("STICTION_CHOREONOID_SHARE");
    check_unusable("{ Resource: { uri: '${SHARE}/a.stl' } }",
                   "'${SHARE}/a.stl' needs the environment variable STICTION_CHOREONOID_SHARE: the "
                   "folder for which ${SHARE} stands");
    check_unusable("{ Resource: { uri: '${HOME}/a.stl' } }",
                   "'${HOME}/a.stl' is no file name that is read");
    check_unusable("{ Resource: { uri: 'http://a/a.stl' } }",
                   "'http://a/a.stl' is no file name that is read");
    check_unusable("{ Resource: { uri: 'package://a' } }",
                   "'package://a' is not there: neither in");
    check_unusable("{ Resource: { uri: nameless } }",
                   "is no mesh of a format that is read (.stl, .obj, .dae, .wrl)");
    char folder[600];
    (void)strcpy(folder, box_stl());
    *strrchr(folder, '/') = '\0';
    (void)setenv("STICTION_CHOREONOID_SHARE", folder, 1);
    const body_file *body = read_elements("{ Resource: { uri: '${SHARE}/box.stl' } }");
    CHECK(body->links[0].shape_count == 1);
    (void)setenv("STICTION_CHOREONOID_SHARE", "", 1);
    check_unusable("{ Resource: { uri: '${SHARE}/a.stl' } }", "needs the environment variable");
    (void)unsetenv("STICTION_CHOREONOID_SHARE");
}

TEST(a_scene_or_a_mesh_is_a_body_of_one_link) {
    const body_file *body = read_file(box_stl());
    CHECK(body && body->count == 1 && strcmp(body->name, "box") == 0);
    CHECK(body && body->links[0].mass == 1 && body->links[0].shape_count == 1);
    body =
        read_text("place.scen", "format: ChoreonoidScene\nscene:\n"
                                "  - { type: Shape, translation: [ 0, 0, 2 ],\n"
                                "      geometry: { type: Sphere, radius: 0.25 } }\n"
                                "  - { type: Shape, geometry: { type: Sphere, radius: 0.5 } }\n");
    CHECK(body->count == 1 && strcmp(body->name, "place") == 0 && body->links[0].shape_count == 2);
    CHECK_NEAR(body->links[0].shapes[0].translation[2], 2, 0);
    CHECK_NEAR(body_lowest(body, &(double){0}), -0.5, 1e-15);
    CHECK(read_text("empty.scen", "scene_of: nothing\n")->links[0].shape_count == 0);
    check_refusal("self.scen", "scene: { Resource: { uri: self.scen } }\n",
                  "self.scen:1:27: scenes are nested more than 100 levels deep");
}

TEST(mistakes_in_elements_are_told) {
#define LINK BODY_HEAD "  - name: L\n    elements: "
    check_refusal("a.body", LINK "none\n", "a.body:6:15: elements must be a list or a map");
    check_refusal("a.body", LINK "[ { mass: 1 } ]\n", "a.body:6:17: an element lacks its type");
    check_refusal("a.body", LINK "{ Shape: { geometry: { type: Sphere, radius: -1 } } }\n",
                  "a.body:6:60: radius -1 must not be negative");
    check_refusal("a.body", LINK "{ Shape: { geometry: { type: Box, size: [ 1, -2, 1 ] } } }\n",
                  "a.body:6:55: size -2 must not be negative");
    check_refusal("a.body", LINK "{ Resource: { uri: '${X}/a.yaml' } }\n",
                  "a.body:6:34: '${X}/a.yaml' may hold masses, but was not found");
    (void)temporary_file("parts.yml", "A: &A { type: Group }\n");
    CHECK(!read_file(
        temporary_file("a.body", LINK "{ Resource: { uri: parts.yml, fragment: B } }\n")));
    CHECK(told.line == 6 && told.column == 55);
    CHECK_CONTAINS(told.message, "parts.yml' has no anchor 'B'");
    check_refusal("a.body", BODY_HEAD "  - { name: '' }\n", "a.body:5:5: a link lacks its name");
    check_refusal("a.body", BODY_HEAD "  - { type: SubBody, uri: b.body, joint_id_offset: 1e10 }\n",
                  "a.body:5:52: joint_id_offset 1e+10 must be a whole number up to 1000000");
    check_refusal("a.body", BODY_HEAD "  - { type: SubBody }\n",
                  "a.body:5:5: a SubBody lacks its uri");
    check_refusal("a.body", BODY_HEAD "  - { type: Skip, name: A }\n",
                  "a.body:5:3: links must be a list of links");
    check_refusal("a.body", "format: ChoreonoidBody\nformat_version: 2.0\nlinks: none\n",
                  "a.body:3:8: links must be a list of links");
    check_refusal("a.body", "format: ChoreonoidBody\nformat_version: 2.0\nlinks: []\n",
                  "a.body:3:8: links must be a list of links");
    check_refusal("a.body", "format: ChoreonoidBody\nformat_version: 0.9\n",
                  "a.body:2:17: format_version 0.9 is not read; 1.0 to 2.0 are");
    check_refusal("a.body",
                  BODY_HEAD "  - { name: A, joint_name: J }\n"
                            "  - { name: B, parent: A, joint_name: J }\n",
                  "a.body:6:5: the joint 'J' is defined twice");
    check_refusal("a.body",
                  BODY_HEAD "  - { name: A }\ncollision_detection_rules:\n"
                            "  - disabled_link_chain_level: -1\n",
                  "a.body:7:32: disabled_link_chain_level -1 must be from 0 to 1000");
}

TEST(a_joint_states_its_velocity_and_inertia_in_two_ways) {
    const body_file *body = read_text(
        "joint.body", BODY_HEAD "  - { name: A, joint_type: fixed }\n"
                                "  - { name: B, parent: A, joint_type: slide, joint_axis: -y,\n"
                                "      joint_velocity_range: [ -2, 3 ], joint_axis_inertia: 0.25,\n"
                                "      actuation_mode: jointTorque }\n"
                                "  - { name: C, parent: B, joint_type: revolute,\n"
                                "      joint_velocity_range: [ -inf, 180 ],\n"
                                "      actuation_mode: joint_velocity }\n");
    CHECK_NEAR(body->links[1].velocity_limit, 2, 0);
    CHECK_NEAR(body->links[1].armature, 0.25, 0);
    CHECK_NEAR(body->links[1].axis[1], -1, 0);
    CHECK(body->links[1].held_at.line == 0 && body->links[2].held_at.line == 11);
    CHECK_NEAR(body->links[2].velocity_limit, mjPI, 1e-15);
}

TEST(an_inertia_that_is_not_symmetric_is_made_so) {
    const body_file *body =
        read_text("a.body", BODY_HEAD "  - { name: A, mass: 1, center_of_mass: [ 0, 0, 0 ],\n"
                                      "      inertia: [ 1, 0.2, 0, 0.1, 1, 0, 0, 0, 1 ] }\n");
    CHECK_CONTAINS(warnings, "inertia is not symmetric, 0.2 against 0.1: their mean is taken");
    CHECK_NEAR(body->links[0].inertia[1], 0.15, 1e-15);
    CHECK_NEAR(body->links[0].inertia[3], 0.15, 1e-15);
}

TEST(keys_that_are_not_read_are_listed_up_to_a_number) {
    char text[2000] = BODY_HEAD "  - { name: A, odd: 1 }\n  - { name: B, parent: A, odd: 2 }\n";
    (void)read_text("odd.body", text);
    CHECK_CONTAINS(warnings, "are not read: odd (line 5)\n");
    for (int k = 0; k < 25; k++) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "odd%d: 1\n", k);
    }
    (void)read_text("odd.body", text);
    CHECK_CONTAINS(warnings, "odd (line 5), odd0 (line 7), ");
    CHECK_CONTAINS(warnings, "odd18 (line 25), ...\n");
}

/* ---- URDF ------------------------------------------------------------------------------------ */

#define INERTIAL                                                                                   \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"        \
    "</inertial>"
#define TWO "<robot name=''><link name='world'/><link name='A'>" INERTIAL "%s</link>\n"
#define JOINT(name, parent, child, more)                                                           \
    "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child        \
    "'/>" more "</joint>\n"

/* A robot of one joint with more in its link, and behind it. */
static const char *urdf(const char *in_link, const char *behind) {
    static char text[3000];
    (void)snprintf(text, sizeof text, TWO "%s</robot>", in_link, behind);
    return text;
}

TEST(mistakes_in_urdf_worlds_are_told) {
    static const struct {
        const char *in_link, *behind, *expected;
    } cases[] = {
        {"", JOINT("j", "world", "A", "") JOINT("j", "world", "A", ""),
         "a.urdf:3:1: the joint 'j' is defined twice"},
        {"", JOINT("j", "world", "A", "") JOINT("k", "world", "A", ""),
         "a.urdf:3:55: the link 'A' has two parents"},
        {"", JOINT("j", "A", "B", ""), "a.urdf:2:51: there is no link 'B'"},
        {"", "<joint name='j' type='fixed'><child link='A'/></joint>",
         "a.urdf:2:1: joint 'j' lacks its parent or child"},
        {"",
         "<link name='B'/><link name='C'/>" JOINT("j", "world", "A", "") JOINT("k", "B", "C", "")
             JOINT("l", "C", "B", ""),
         "a.urdf:2:1: link 'B' is its own ancestor"},
        {"<collision/>", JOINT("j", "world", "A", ""),
         "a.urdf:1:147: <collision> lacks its <geometry>"},
        {"<collision><geometry><sphere radius='-0.1'/></geometry></collision>",
         JOINT("j", "world", "A", ""), "a.urdf:1:168: radius -0.1 must not be negative"},
        {"<collision><geometry><box size='1 -1 1'/></geometry></collision>",
         JOINT("j", "world", "A", ""), "a.urdf:1:168: size -1 must not be negative"},
        {"",
         "<link name='B'><inertial/></link>" JOINT("j", "world", "A", "") JOINT("k", "A", "B", ""),
         "a.urdf:2:16: <inertial> lacks its <mass>"},
        {"",
         "<link name='B'><inertial><mass value='-1'/></inertial></link>" JOINT(
             "j", "world", "A", "") JOINT("k", "A", "B", ""),
         "a.urdf:2:26: mass -1 must not be negative"},
        {"",
         "<link name='B'><inertial><mass value='1'/></inertial></link>" JOINT("j", "world", "A", "")
             JOINT("k", "A", "B", ""),
         "a.urdf:2:16: <inertial> lacks its <inertia>"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_refusal("a.urdf", urdf(cases[k].in_link, cases[k].behind), cases[k].expected);
}

TEST(what_a_urdf_leaves_open_is_taken_and_told) {
    const body_file *body = read_text(
        "b.urdf",
        urdf("<collision><geometry><torus/></geometry></collision>"
             "<collision><geometry/></collision>"
             "<collision><geometry><mesh filename='http://a.stl'/></geometry></collision>",
             "<mujoco/><link name='B'>" INERTIAL
             "</link>" JOINT("j", "world", "A", "<limit effort='0' velocity='0'/>")
                 JOINT("k", "A", "B", "<limit upper='2'/><mimic joint='j'/>")));
    CHECK(!body->name && body->unread_shapes == 3);
    CHECK_CONTAINS(warnings, "b.urdf:2: <mujoco> is not read");
    CHECK_CONTAINS(warnings, "joint 'j': a limit of 0 is taken as none");
    CHECK_CONTAINS(warnings, "joint 'j' has no lower and upper limit: it moves without end");
    CHECK(isinf(body->links[1].lower) && isnan(body->links[1].effort.value));
    CHECK(body->links[2].lower == 0 && body->links[2].upper == 2);
    CHECK(body->equality_count == 1 && body->equalities[0].polynomial[0] == 0 &&
          body->equalities[0].polynomial[1] == 1);
    body = read_text("b.urdf", urdf("", JOINT("j", "world", "A", "<limit lower='-2'/><axis/>")));
    CHECK(body->links[1].lower == -2 && body->links[1].upper == 0 && body->links[1].axis[0] == 1);
}

TEST(each_part_of_a_mesh_in_a_urdf_is_a_shape) {
    (void)temporary_file("three.wrl",
                         "#VRML V2.0 utf8\nShape { geometry Box { } }\n"
                         "Transform { translation 9 0 0 children Shape { geometry Box { } } }\n"
                         "Transform { translation 0 9 0 children Shape { geometry Box { } } }\n");
    const body_file *body =
        read_text("c.urdf", urdf("<collision><geometry><mesh filename='three.wrl'/></geometry>"
                                 "</collision>",
                                 JOINT("j", "world", "A", "")));
    CHECK(body->links[1].shape_count == 3);
    check_reach(&body->links[1], (const double[6]){10, 1, 10, 1, 1, 1});
}

/* ---- MJCF ------------------------------------------------------------------------------------ */

#define ARM                                                                                        \
    "<body name='A' pos='0 0 1'><joint name='a' axis='0 1 0'/><geom size='0.1'/>"                  \
    "<body name='B' pos='1 0 0'><joint name='b' axis='0 1 0'/><geom size='0.1'/></body></body>\n"
#define MJCF(options, world, behind)                                                               \
    "<mujoco>" options "<worldbody>" world ARM "</worldbody>\n" behind "</mujoco>"

TEST(what_of_mjcf_is_not_taken_over_is_told) {
    (void)read_text("b.xml", MJCF("",
                                  "<body name='C'><joint type='free' armature='1'/>"
                                  "<geom size='0.1' margin='0.01'/></body>",
                                  ""));
    CHECK_CONTAINS(warnings, "margin and gap of geoms are not taken over");
    CHECK_CONTAINS(warnings, "the armature of a free joint is not taken over");
    (void)read_text("b.xml", MJCF("", "<geom size='0.1' gap='0.01'/>", ""));
    CHECK_CONTAINS(warnings, "margin and gap of geoms are not taken over");
    (void)read_text("b.xml", MJCF("<default><joint frictionloss='1'/></default>", "", ""));
    CHECK_CONTAINS(warnings, "friction and damping of joints are not used");
}

/* A joint at the world hangs from a link that stands for it. */
static size_t shapes_of(const body_file *body) {
    size_t count = 0;
    for (size_t k = 0; k < body->count; k++) count += body->links[k].shape_count;
    return count;
}

TEST(flags_of_mjcf_switch_off_what_they_name) {
#define TIE "<equality><weld body1='B'/></equality>"
    const body_file *body = read_text("c.xml", MJCF("", "", TIE));
    CHECK(body->equality_count == 1 && shapes_of(body) == 2);
    body = read_text("c.xml", MJCF("<option><flag equality='disable'/></option>", "", TIE));
    CHECK(body->equality_count == 0 && shapes_of(body) == 2);
    body = read_text("c.xml", MJCF("<option><flag contact='disable'/></option>", "", TIE));
    CHECK(body->equality_count == 1 && shapes_of(body) == 0);
    body =
        read_text("c.xml", MJCF("", "", "<equality><weld body1='B' active='false'/></equality>"));
    CHECK(body->equality_count == 0);
    (void)read_text("c.xml", MJCF("<option><flag gravity='disable'/></option>", "", ""));
    CHECK(found.gravity[2] == 0);
}

/* At the start B is at (1, 0, 1), turned by nothing: the world sees its frame there. */
TEST(a_tie_to_the_world_is_seen_from_the_world) {
    const body_file *body =
        read_text("d.xml", MJCF("", "",
                                "<equality><connect body1='B' anchor='0.5 0 0'/>"
                                "<weld body1='B'/></equality>"));
    CHECK(body->equality_count == 2);
    for (size_t k = 0; k < body->equality_count; k++) {
        const body_equality *e = &body->equalities[k];
        const bool first = e->link[0] < 0;
        CHECK(first != (e->link[1] < 0));
        const double *own = e->point[first ? 1 : 0], *world = e->point[first ? 0 : 1];
        CHECK_NEAR(world[0] - own[0], 1, 1e-12);
        CHECK_NEAR(world[2] - own[2], 1, 1e-12);
    }
    CHECK_NEAR(fabs(body->equalities[1].turn[0]), 1, 1e-12);
}

/* B is turned by 60 degrees about z in the world, S, which never moves, by 90 about x. */
TEST(a_weld_to_what_stands_still_is_one_to_the_world) {
    static const char *const ties[] = {"body1='B' body2='S'", "body1='S' body2='B'",
                                       "body1='world' body2='B'"};
    for (int k = 0; k < 3; k++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
                       "<mujoco><worldbody><body name='S' pos='0 2 0' euler='90 0 0'/>\n"
                       "<body name='B' pos='1 0 0' euler='0 0 60'><joint axis='0 1 0' name='b'/>"
                       "<geom size='0.1'/></body></worldbody>\n"
                       "<equality><weld %s/></equality></mujoco>",
                       ties[k]);
        const body_file *body = read_text("w.xml", text);
        CHECK(body->equality_count == 1);
        const body_equality *e = body->equalities;
        const int own = k == 0 ? 0 : 1;
        CHECK(e->kind == BODY_WELD && e->link[own] >= 0 && e->link[1 - own] < 0);
        double place[3], turn[4] = {cos(mjPI / 6), 0, 0, sin(mjPI / 6)};
        mju_rotVecQuat(place, e->point[own], turn);
        place[0] += 1;
        for (int i = 0; i < 3; i++) CHECK_NEAR(e->point[1 - own][i], place[i], 1e-12);
        if (own == 0) turn[3] = -turn[3]; /* the world as B sees it */
        const double sign = e->turn[0] < 0 ? -1 : 1;
        for (int i = 0; i < 4; i++) CHECK_NEAR(sign * e->turn[i], turn[i], 1e-12);
    }
}

TEST(mjcf_that_asks_for_any_memory_is_refused) {
    check_refusal("u.xml",
                  "<mujoco><asset><hfield name='h' nrow='40000' ncol='40000' size='1 1 1 1'/>"
                  "</asset><worldbody>" ARM "</worldbody></mujoco>",
                  "u.xml: MuJoCo: out of memory: it has at most 3000 MB");
    CHECK(told.status == STICTION_OUT_OF_MEMORY);
}

TEST(gravity_of_mjcf_is_finite) {
    check_refusal("g.xml",
                  "<mujoco><option gravity='nan 0 inf'/><worldbody>" ARM "</worldbody></mujoco>",
                  "g.xml: its time step or gravity is not a finite number");
}

TEST(classes_of_mjcf_are_counted) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    fputs("<mujoco>\n<default>\n", out); /* which is a class, too */
    for (int k = 1; k <= 1000; k++) fprintf(out, "<default class='c%d'/>\n", k);
    fputs("</default><worldbody>" ARM "</worldbody></mujoco>", out);
    (void)fclose(out);
    check_refusal("c.xml", text, "c.xml:1002:1: has more than 1000 classes of defaults");
    free(text);
}

TEST(height_fields_of_mjcf_are_counted_as_unread) {
    (void)read_text("h.xml",
                    "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>\n"
                    "<worldbody><geom type='hfield' hfield='h'/>" ARM "</worldbody></mujoco>");
    size_t unread = 0;
    for (size_t k = 0; k < found.count; k++) unread += found.files[k]->unread_shapes;
    CHECK(unread == 1);
}

/* ---- .body files that are written ------------------------------------------------------------ */

static void *write_first(reader *r, const void *path) {
    FILE *out = fopen(path, "w");
    if (!out) abort();
    body_write_yaml(r, out, found.files[0]);
    (void)fclose(out);
    return r;
}

static bool contains(const char *path, const char *text) {
    static char content[20000];
    FILE *file = fopen(path, "r");
    if (!file) return false;
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    (void)fclose(file);
    return strstr(content, text);
}

TEST(shapes_that_are_written_are_the_same_shapes) {
    const body_file *body = read_text(
        "s.xml",
        "<mujoco><compiler angle='degree'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
        "</asset><worldbody><body name='A'><freejoint/>\n"
        "<geom type='box' size='0.1 0.2 0.3' pos='1 0 0' euler='10 20 30' rgba='0.5 0.25 1 1'/>\n"
        "<geom type='sphere' size='0.4' pos='2 0 0'/>\n"
        "<geom type='ellipsoid' size='0.1 0.2 0.3' pos='3 0 0' euler='10 20 30'/>\n"
        "<geom type='cylinder' size='0.1 0.5' pos='4 0 0' euler='10 20 30'/>\n"
        "<geom type='capsule' size='0.1 0.5' pos='5 0 0' quat='-0.5 0.5 0.5 0.5'/>\n"
        "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    body_shape before[6];
    CHECK(body->count == 1 && body->links[0].shape_count == 6);
    memcpy(before, body->links[0].shapes, sizeof before);
    char path[200];
    (void)strcpy(path, temporary_file("s.body", ""));
    CHECK(stiction_reader_run(&now, write_first, path));
    CHECK(!strstr(warnings, "mesh"));
    /* the only name that Choreonoid reads; we would read others */
    CHECK(contains(path, "type: TriangleMesh") && contains(path, "faces: [ "));
    body = read_file(path);
    if (!body || body->links[0].shape_count != 6) {
        FAIL("%s", body ? "other shapes" : told.message);
        return;
    }
    for (int k = 0; k < 5; k++) {
        const body_shape *a = &before[k], *b = &body->links[0].shapes[k];
        CHECK(a->kind == b->kind);
        double R[9], S[9];
        mju_quat2Mat(R, a->rotation);
        mju_quat2Mat(S, b->rotation);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(b->translation[i], a->translation[i], 1e-12);
            CHECK_NEAR(b->color[i], a->color[i], 1e-7); /* MuJoCo's are floats */
            if (i == 0 || (i < 2 && k > 2) || k == 0 || k == 2)
                CHECK_NEAR(b->size[i], a->size[i], 1e-12);
        }
        for (int i = 0; i < 9 && a->kind != BODY_SPHERE; i++) CHECK_NEAR(R[i], S[i], 1e-12);
    }
    /* the mesh has the corners of its hull, wherever its frame is */
    const body_shape *hull = &body->links[0].shapes[5];
    CHECK(hull->kind == BODY_MESH && hull->vertex_count == 4);
    double most[3] = {0};
    for (size_t k = 0; k < hull->vertex_count; k++) {
        double point[3];
        mju_rotVecQuat(point, hull->vertices + 3 * k, hull->rotation);
        mju_addTo3(point, hull->translation);
        for (int i = 0; i < 3; i++) most[i] = fmax(most[i], point[i]);
        CHECK_NEAR(mju_norm3(point), mju_norm3(point) > 0.5, 1e-6);
    }
    for (int i = 0; i < 3; i++) CHECK_NEAR(most[i], 1, 1e-6);
}

TEST(joints_that_follow_others_still_do_in_a_body_that_is_written) {
    const body_file *body = read_text(
        "c.xml", "<mujoco><compiler angle='radian'/><worldbody><body name='A'>\n"
                 "<body name='B'><joint name='j'/><geom size='0.1'/>\n"
                 "<body name='C' pos='1 0 0'><joint name='k'/><geom size='0.1'/></body></body>\n"
                 "</body></worldbody><equality>\n"
                 "<joint joint1='k' joint2='j' polycoef='0.1 -3 0 0 0.5'/></equality></mujoco>");
    CHECK(body && body->equality_count == 1);
    char path[200];
    (void)strcpy(path, temporary_file("c.body", ""));
    CHECK(stiction_reader_run(&now, write_first, path));
    CHECK(!strstr(warnings, "equalities"));
    body = read_file(path);
    CHECK(body && body->equality_count == 1);
    const body_equality *e = body->equalities;
    CHECK(e->kind == BODY_COUPLE);
    CHECK(strcmp(body->links[e->link[0]].joint_name, "k") == 0);
    CHECK(strcmp(body->links[e->link[1]].joint_name, "j") == 0);
    const double expected[5] = {0.1, -3, 0, 0, 0.5};
    for (int k = 0; k < 5; k++) CHECK_NEAR(e->polynomial[k], expected[k], 1e-12);
    check_refusal("d.body",
                  BODY_HEAD "  - { name: BASE, joint_type: fixed }\n"
                            "stiction_couplings: [ { joint: a, follows: b } ]\n",
                  "d.body:6:32: there is no joint 'a' that moves");
}

TEST(what_a_urdf_lacks_is_repaired_with_a_warning) {
#define POINT(mass)                                                                                \
    "<inertial><mass value='" mass "'/>"                                                           \
    "<inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='2e-35' iyz='0 \n'/></inertial>"
#define NECK(last)                                                                                 \
    "<robot name='r'><link name='world'/><link name='A'>" INERTIAL "</link>" last                  \
    "<link name='head'>" POINT("4.18879") "<collision><geometry><sphere radius='0'/></geometry>"   \
                                          "</collision></link>" JOINT("j", "world", "A", "")       \
                                              JOINT("k", "A", "B", "<axis xyz='0 1 0'/>")          \
                                                  JOINT("l", "B", "C", "<axis xyz='0 0 1'/>")      \
                                                      JOINT("m", "C", "head", "") "</robot>"
    const body_file *body = read_text("n.urdf", NECK("<link name='B'/><link name='C'/>"));
    CHECK(body && body->count == 5);
    CHECK_NEAR(body->links[4].principal[0], 0.4 * 4.18879 * 0.01, 1e-6); /* 10 cm */
    CHECK_NEAR(body->links[4].shapes[0].size[0], 1e-3, 0);
    CHECK_CONTAINS(warnings, "'head' is a point mass that turns about three axes");
    CHECK_CONTAINS(warnings, "radius 0 is taken as 0.001 m");
    /* so do a part of a robot and a range that is turned round */
    body = read_text("t.urdf", "<robot name='r'><link name='A'>" INERTIAL "</link>" JOINT(
                                   "j", "hand", "A", "<limit lower='2' upper='1'/>") "</robot>");
    CHECK(body && body->count == 2 && strcmp(body->links[body->root].name, "hand") == 0);
    CHECK_NEAR(body->links[1].lower, 1, 0);
    CHECK_NEAR(body->links[1].upper, 2, 0);
    CHECK_CONTAINS(warnings, "there is no link 'hand': it is taken as one without mass");
    CHECK_CONTAINS(warnings, "joint 'j': lower 2 is above upper 1: they are exchanged");
    /* a pendulum of point masses is one */
    body = read_text("p.urdf", NECK("<link name='B'/><link name='C'>" INERTIAL "</link>"));
    CHECK(body && body->links[4].principal[0] < 1e-30);
}

TEST(a_urdf_without_masses_gets_those_that_mujoco_gives_shapes) {
    /* MuJoCo 2 finds another volume of most meshes */
    (void)temporary_file("block.obj",
                         "v 0 0 0\nv 0.3 0 0\nv 0 0.2 0\nv 0.3 0.2 0\nv 0 0 0.4\nv 0.3 0 0.4\n"
                         "v 0 0.2 0.4\nv 0.3 0.2 0.4\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\n"
                         "f 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    const body_file *original = read_text(
        "m.xml",
        "<mujoco><compiler angle='radian' eulerseq='XYZ'/><worldbody><body name='B'>"
        "<joint name='j'/><geom type='box' size='0.1 0.2 0.3' pos='1 0 0' euler='0.1 0.2 0.3'/>"
        "<geom size='0.1' pos='0 0.3 0'/>"
        "<geom type='cylinder' size='0.1 0.3' pos='0 0 0.5' euler='1 0 0'/>"
        "<geom type='capsule' size='0.15 0.2' pos='0 0 -0.5' euler='0 1 0'/>"
        "<geom type='box' size='0.15 0.1 0.2' pos='0.25 0.3 0.2'/></body></worldbody></mujoco>");
    CHECK(original && original->count >= 1);
    body_link wanted = original->links[original->count - 1];
    const body_file *body = read_text(
        "m.urdf",
#define SHAPE(origin, shape)                                                                       \
    "<collision><origin " origin "/><geometry>" shape "</geometry></collision>"
        "<robot name='r'><link name='A'>" SHAPE(
            "",
            "<sphere radius='1'/>") "</link><link name='B'>" SHAPE("xyz='1 0 0' rpy='0.1 0.2 0.3'",
                                                                   "<box size='0.2 0.4 0.6'/>")
            SHAPE("xyz='0 0.3 0'", "<sphere radius='0.1'/>")
                SHAPE("xyz='0 0 0.5' rpy='1 0 0'", "<cylinder radius='0.1' length='0.6'/>")
                    SHAPE("xyz='0 0 -0.5' rpy='0 1 0'", "<capsule radius='0.15' length='0.4'/>")
                        SHAPE("xyz='0.1 0.2 0'", "<mesh filename='block.obj'/>") "</link>" JOINT(
                            "j", "A", "B", "") "</robot>");
    CHECK(body && body->count == 2);
    CHECK_CONTAINS(warnings, "links get that of their shapes at 1000 kg/m^3");
    const body_link *link = &body->links[1];
    CHECK_NEAR(link->mass, wanted.mass, 1e-7 * wanted.mass);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(link->center[k], wanted.center[k], 1e-7);
        CHECK_NEAR(link->principal[k], wanted.principal[k], 1e-7 * wanted.principal[k]);
    }
    CHECK(!(body->links[0].mass > 0)); /* the base stands, as without masses */
    body = read_text("v.urdf",
                     "<robot name='r'><xacro:imu/><link name='A'/><link name='B'>"
                     "<visual><geometry><box size='1 2 3'/></geometry></visual></link>" JOINT(
                         "j", "A", "B", "") "</robot>");
    CHECK(body && body->count == 2 && body->links[1].shape_count == 0);
    CHECK_NEAR(body->links[1].mass, 6000, 1e-9);
    CHECK_CONTAINS(warnings, "<xacro:imu> was not expanded: it is not read");
}

static void *make_hull(reader *r, const void *points) {
    hull_faces *faces = stiction_reader_alloc(r, sizeof *faces);
    *faces = hull_of_points(r, points, 1000);
    return faces;
}

/* Points in a ball and on a cube, some of them twice. */
TEST(a_hull_holds_all_points_and_is_closed) {
    static double points[3 * 1000];
    random_source source = {3};
    for (int shape = 0; shape < 2; shape++) {
        for (int k = 0; k < 3000; k++)
            points[k] =
                shape ? floor(random_uniform(&source, 0, 3)) : random_uniform(&source, -1, 1);
        reader r = {.error = &told};
        const hull_faces *faces = stiction_reader_run(&r, make_hull, points);
        CHECK(faces && faces->triangle_count > 3);
        /* Euler: a closed surface of triangles */
        CHECK(faces->triangle_count == 2 * faces->point_count - 4);
        double volume = 0;
        for (size_t k = 0; k < faces->triangle_count; k++) {
            const double *a = faces->points + 3 * faces->triangles[k][0],
                         *b = faces->points + 3 * faces->triangles[k][1],
                         *c = faces->points + 3 * faces->triangles[k][2];
            double ab[3], ac[3], normal[3];
            mju_sub3(ab, b, a);
            mju_sub3(ac, c, a);
            mju_cross(normal, ab, ac);
            volume += mju_dot3(normal, a) / 6;
            for (int i = 0; i < 1000; i++) {
                double arm[3];
                mju_sub3(arm, points + 3 * i, a);
                CHECK(mju_dot3(arm, normal) <= 1e-6);
            }
        }
        if (shape) CHECK_NEAR(volume, 8, 1e-9);
        CHECK(volume > 4);
        stiction_arena_free(&r.memory);
    }
}

/* ---- the lowest point ------------------------------------------------------------------------ */

TEST(the_lowest_point_is_that_of_the_shapes_as_the_joints_stand) {
    const body_file *body = read_text(
        "low.body", BODY_HEAD "  - { name: BASE, joint_type: fixed, translation: [ 0, 0, 1 ] }\n"
                              "  - { name: L, parent: BASE, joint_type: revolute, joint_axis: X,\n"
                              "      elements: { Shape: { scale: [ 1, 2, 3 ],\n"
                              "      geometry: { type: Sphere, radius: 0.1 } } } }\n");
    CHECK(body->links[1].shapes[0].kind == BODY_ELLIPSOID);
    CHECK_NEAR(body_lowest(body, (const double[2]){0, 0}), 1 - 0.3, 1e-12);
    CHECK_NEAR(body_lowest(body, (const double[2]){0, mjPI / 2}), 1 - 0.2, 1e-12);
    CHECK_NEAR(body_lowest(body, (const double[2]){0, mjPI / 4}), 1 - sqrt(0.13 / 2), 1e-12);
    body->links[1].untouchable = true;
    CHECK(isinf(body_lowest(body, (const double[2]){0, 0})));
}

/* ---- contact rules --------------------------------------------------------------------------- */

TEST(old_contact_rules_are_read_and_odd_ones_passed_over) {
#define CHAIN                                                                                      \
    BODY_HEAD "  - { name: A, joint_type: fixed }\n"                                               \
              "  - { name: B, parent: A, joint_type: revolute }\n"                                 \
              "  - { name: C, parent: B, joint_type: revolute }\n"                                 \
              "  - { name: D, parent: C, joint_type: revolute }\n"
    const body_file *body = read_text(
        "r.body", CHAIN "collisionDetection: { excludeTreeDepth: 2, excludeLinks: [ D ],\n"
                        "  excludeLinkGroups: [ odd, { name: X }, { links: [ A, D ] } ] }\n");
    CHECK(body_never_touch(body, 0, 2) && body_never_touch(body, 0, 3));
    CHECK(body->links[3].untouchable && !body->links[2].untouchable);
    body = read_text("r.body", CHAIN "collisionDetection: none\n");
    CHECK(!body_never_touch(body, 0, 2));
    body = read_text("r.body", CHAIN "collision_detection_rules: none\n");
    CHECK(!body_never_touch(body, 0, 2));
    body = read_text("r.body", CHAIN "collision_detection_rules: [ { disabled_links: all } ]\n");
    CHECK(body->links[0].untouchable && body->links[3].untouchable);
}
