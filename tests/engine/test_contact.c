/* SPDX-License-Identifier: MIT
 * Contacts in the world of a project: shapes and their frames by the heights at which they rest,
 * who touches whom, and friction by the slope on which things stay.
 */
#include "worlds.h"

/* Contacts are as stiff as five time steps: under gravity a body sinks in by g (1 - d) T^2 / d^2,
 * 1e-5 m for T = 5 ms and d = 0.95; with a few contacts and the solver's tolerance, by less than
 * this. */
static const double sink = 5e-5;

static world *load_body(const char *body, const char *item, world_options options) {
    char text[4000];
    (void)temporary_file("floor.body", FLOOR_BODY);
    (void)temporary_file("thing.body", body);
    (void)snprintf(text, sizeof text,
                   PROJECT_HEAD
                   "        - { class: BodyItem, name: Floor, data: { file: floor.body } }\n"
                   "        - { class: BodyItem, name: Thing, data: { file: thing.body,\n"
                   "            initial_root_translation: [ 0, 0, 0.5 ]%s } }\n" SIMULATOR,
                   item);
    return load_file(temporary_file("test.cnoid", text), options);
}

/* A free body of one link with these lines. */
static world *load_thing(const char *lines, const char *item) {
    char body[3000];
    (void)snprintf(body, sizeof body,
                   BODY_HEAD "  - name: THING\n"
                             "    joint_type: free\n"
                             "    mass: 3\n"
                             "    inertia: [ 0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.05 ]\n%s",
                   lines);
    return load_body(body, item, world_options_default());
}

static void check_rests_at(const char *elements, double height) {
    OWNED(world) *w = load_thing(elements, "");
    OWNED(mjData) *d = start(w);
    run(w, d, 2);
    const double z = root_of(w, d, 1)[2];
    if (!(fabs(z - height) < sink)) FAIL("rests at %.6f instead of %.6f:\n%s", z, height, elements);
}

#define ONE "    elements: { Shape: "

TEST(shapes_rest_at_the_heights_of_their_sizes) {
    check_rests_at(ONE "{ geometry: { type: Box, size: [ 0.2, 0.3, 0.4 ] } } }\n", 0.2);
    check_rests_at(ONE "{ geometry: { type: Sphere, radius: 0.15 } } }\n", 0.15);
    /* their axes lie along y */
    check_rests_at(ONE "{ geometry: { type: Cylinder, radius: 0.1, height: 0.5 } } }\n", 0.1);
    check_rests_at(ONE "{ geometry: { type: Capsule, radius: 0.1, height: 0.5 } } }\n", 0.1);
    check_rests_at(
        ONE "{ rotation: [ 1, 0, 0, 90 ], geometry: { type: Cylinder, radius: 0.3, height: 0.5 } } "
            "}\n",
        0.25);
}

TEST(shapes_follow_the_frames_around_them) {
    check_rests_at(ONE
                   "{ translation: [ 0, 0, -0.1 ], geometry: { type: Box, size: [ 1, 1, 0.2 ] } "
                   "} }\n",
                   0.2);
    check_rests_at("    elements:\n"
                   "      - type: Transform\n"
                   "        rotation: [ 1, 0, 0, 90 ]\n"
                   "        translation: [ 0, 0, 0.05 ]\n"
                   "        elements:\n"
                   "          Group: { elements: [ { type: Shape, translation: [ 0, 0.02, 0 ],\n"
                   "            geometry: { type: Box, size: [ 0.3, 0.2, 0.4 ] } } ] }\n",
                   0.03); /* half of 0.2, lifted by 0.05 and by 0.02 */
    check_rests_at(ONE "{ scale: [ 1, 1, 0.5 ], geometry: { type: Box, size: [ 1, 1, 1 ] } } }\n",
                   0.25);
    check_rests_at(ONE "{ scale: [ 2, 2, 2 ], geometry: { type: Sphere, radius: 0.1 } } }\n", 0.2);
    check_rests_at(ONE "{ scale: [ 2, 2, 1 ], geometry: { type: Sphere, radius: 0.1 } } }\n", 0.1);
    check_rests_at(
        "    elements: { Transform: { scale: [ 1, 1, -1 ], elements: { Shape: {\n"
        "      translation: [ 0, 0, 0.1 ], geometry: { type: Box, size: [ 1, 1, 0.2 ] } } } } }\n",
        0.2);
}

TEST(what_is_only_seen_does_not_touch) {
    check_rests_at(
        "    elements:\n"
        "      - { type: Visual, elements: { Shape: {\n"
        "          geometry: { type: Box, size: [ 1, 1, 1 ] } } } }\n"
        "      - { type: Visual, shape: { geometry: { type: Box, size: [ 1, 1, 1 ] } } }\n"
        "      - { type: Collision, shape: {\n"
        "          geometry: { type: Box, size: [ 0.4, 0.4, 0.3 ] } } }\n",
        0.15);
    check_rests_at("    elements:\n"
                   "      Collision: { translation: [ 0, 0, -0.1 ], elements: [ { type: Shape,\n"
                   "          geometry: { type: Box, size: [ 0.4, 0.4, 0.3 ] } } ] }\n",
                   0.25);
}

TEST(shapes_that_are_not_read_are_counted_in_one_warning) {
    world *w = load_thing(
        "    elements:\n"
        "      - { type: Visual, resource: { uri: \"seen.stl\" } }\n"
        "      - { type: Shape, geometry: { type: ElevationGrid } }\n"
        "      - { type: Shape, geometry: { type: Extrusion, spine: [ 0, 0, 0, 0, 1, 0, 1, 1, 0 ] "
        "} }\n"
        "      - { type: Resource, uri: \"mesh.wrl\", node: PART }\n",
        "");
    CHECK_CONTAINS(warnings, "thing.body:11: 3 shapes of 'Thing' (ElevationGrid, bent Extrusion, "
                             "parts of files by name) are not used for contact\n");
    world_destroy(w);
    w = load_thing(ONE "{ geometry: { type: ElevationGrid } } }\n", ", collision_detection: false");
    CHECK(strstr(warnings, "ElevationGrid") == NULL);
    world_destroy(w);
}

/* ---- who touches whom ---- */

static double height_after(const char *lines, const char *item, double seconds) {
    OWNED(world) *w = load_thing(lines, item);
    OWNED(mjData) *d = start(w);
    run(w, d, seconds);
    const double z = root_of(w, d, 1)[2];
    return z;
}

#define BLOCK ONE "{ geometry: { type: Box, size: [ 0.2, 0.2, 0.2 ] } } }\n"

TEST(a_body_without_collision_detection_falls_through_the_floor) {
    CHECK_NEAR(height_after(BLOCK, "", 1), 0.1, sink);
    CHECK(height_after(BLOCK, ", collision_detection: false", 1) < -4);
}

TEST(links_that_the_file_takes_out_of_contact_touch_nothing) {
    CHECK(height_after(BLOCK "collision_detection_rules: [ { disabled_links: [ THING ] } ]\n", "",
                       1) < -4);
    CHECK(height_after(BLOCK "collisionDetection: { excludeLinks: [ THING ] }\n", "", 1) < -4);
    CHECK_NEAR(height_after(BLOCK "collision_detection_rules: [ { disabled_links: all },\n"
                                  "  { enabled_links: [ THING ] } ]\n",
                            "", 1),
               0.1, sink);
}

/* Three links in a row on a fixed base, all in each other. */
#define HEAP                                                                                       \
    BODY_HEAD                                                                                      \
    "  - { name: L0, joint_type: fixed, elements: &cube { Shape: { geometry: {\n"                  \
    "      type: Box, size: [ 0.2, 0.2, 0.2 ] } } } }\n"                                           \
    "  - { name: L1, parent: L0, joint_type: revolute, joint_id: 0, elements: *cube }\n"           \
    "  - { name: L2, parent: L1, joint_type: revolute, joint_id: 1, elements: *cube }\n"           \
    "  - { name: L3, parent: L2, joint_type: revolute, joint_id: 2, elements: *cube }\n"

static bool touches(const world *w, const mjData *d, const char *a, const char *b) {
    const int ia = mj_name2id(w->model, mjOBJ_BODY, a), ib = mj_name2id(w->model, mjOBJ_BODY, b);
    CHECK(ia > 0 && ib > 0);
    for (int k = 0; k < d->ncon; k++) {
        const int x = w->model->geom_bodyid[d->contact[k].geom1];
        const int y = w->model->geom_bodyid[d->contact[k].geom2];
        if ((x == ia && y == ib) || (x == ib && y == ia)) return true;
    }
    return false;
}

TEST(links_with_joints_touch_other_bodies_but_not_their_own_base) {
    (void)temporary_file("thing.body", HEAP);
    OWNED(world) *w =
        load_file(temporary_file("test.cnoid", PROJECT_HEAD BODY_ITEM("A", "thing.body", "")
                                                   BODY_ITEM("B", "thing.body",
                                                             "initial_root_translation: "
                                                             "[ 0.1995, 0, 0 ]") SIMULATOR),
                  world_options_default());
    OWNED(mjData) *d = start(w); /* side by side */
    CHECK(touches(w, d, "A/L1", "B/L2") && touches(w, d, "A/L0", "B/L1"));
    CHECK(!touches(w, d, "A/L0", "B/L0")); /* neither can move */
    CHECK(!touches(w, d, "A/L1", "A/L3"));
}

/* The pairs of L0 to L3 that touch, one letter each: a 0-2, b 1-3, c 0-3, d parent and child. */
static void check_heap(const char *rules, const char *expected) {
    char body[2000], found[5];
    (void)snprintf(body, sizeof body, "%s%s\n", HEAP, rules);
    OWNED(world) *w = load_body(body, ", self_collision_detection: true", world_options_default());
    OWNED(mjData) *d = start(w);
    const bool adjacent =
        touches(w, d, "Thing/L0", "Thing/L1") || touches(w, d, "Thing/L1", "Thing/L2");
    (void)snprintf(found, sizeof found, "%s%s%s%s",
                   touches(w, d, "Thing/L0", "Thing/L2") ? "a" : "",
                   touches(w, d, "Thing/L1", "Thing/L3") ? "b" : "",
                   touches(w, d, "Thing/L0", "Thing/L3") ? "c" : "", adjacent ? "d" : "");
    if (strcmp(found, expected) != 0) FAIL("%s instead of %s with %s", found, expected, rules);
}

TEST(links_of_a_body_pass_through_each_other_unless_the_item_says_otherwise) {
    world *w = load_body(HEAP, "", world_options_default());
    mjData *d = start(w);
    CHECK(d->ncon == 0);
    end_world(w, d);
    check_heap("", "abc");
    check_heap("collision_detection_rules: [ { disabled_link_chain_level: 2 } ]", "c");
}

TEST(rules_of_contact_are_taken_one_after_the_other) {
    check_heap("collision_detection_rules: [ { disabled_link_group: [ L0, L3 ] } ]", "abd");
    check_heap("collision_detection_rules: [ { disabled_link_group: [ L0, L2, L3 ] } ]", "bd");
    check_heap("collision_detection_rules: [ { disabled_link_chain_level: 3 },\n"
               "  { enabled_link_group: [ L1, L3 ] } ]",
               "b");
    check_heap("collision_detection_rules: [ { disabled_links: all },\n"
               "  { enabled_links: [ L0, L3 ] } ]",
               "c");
    check_heap("collision_detection_rules: [ { enabled_link_group: [ L1, L3 ] },\n"
               "  { disabled_link_chain_level: 3 } ]",
               "");
    check_heap("collisionDetection: { excludeTreeDepth: 1, excludeLinkGroups: [\n"
               "  { name: G, links: [ L1, L3 ] } ] }",
               "ac");
    check_heap("collision_detection_rules: [ { some_other_rule: 1 } ]", "abcd");
    CHECK_CONTAINS(warnings, "thing.body:10: the rule 'some_other_rule' is not known");
}

/* A shelf with a box on it that is a link of the same body. */
TEST(a_link_that_is_free_below_the_root_falls_on_its_own) {
    OWNED(world) *w = load_body(
        BODY_HEAD "  - { name: SHELF, joint_type: fixed, elements: { Shape: { geometry: {\n"
                  "      type: Box, size: [ 1, 1, 0.2 ] } } } }\n"
                  "  - { name: ARM, parent: SHELF, translation: [ 0, 0, 0.1 ] }\n"
                  "  - { name: LOOSE, parent: ARM, joint_type: free, mass: 2,\n"
                  "      translation: [ 0, 0, 0.4 ], inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 "
                  "],\n"
                  "      elements: { Shape: { geometry: { type: Box, size: [ 0.2, 0.2, 0.2 ] } } } "
                  "}\n",
        ", self_collision_detection: true", world_options_default());
    OWNED(mjData) *d = start(w);
    const int loose = mj_name2id(w->model, mjOBJ_BODY, "Thing/LOOSE");
    CHECK_NEAR(d->xpos[3 * loose + 2], 1, 1e-12);
    run(w, d, 2);
    CHECK_NEAR(d->xpos[3 * loose + 2], 0.7, sink);
}

/* ---- friction ---- */

/* How far a block slides in a second on a slope of this tangent. */
static double slide(const char *material, double slope) {
    char body[1000];
    world_options options = world_options_default();
    options.gravity[0] = 9.80665 * slope;
    (void)snprintf(body, sizeof body,
                   BODY_HEAD "  - { name: THING, joint_type: free, mass: 3,\n"
                             "      inertia: [ 0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.05 ],%s\n"
                             "      elements: { Shape: { geometry: { type: Box, "
                             "size: [ 0.4, 0.4, 0.1 ] } } } }\n",
                   material);
    OWNED(world) *w = load_body(body, "", options);
    OWNED(mjData) *d = start(w);
    d->qpos[2] = 0.05; /* on the floor */
    run(w, d, 0.5);
    const double from = d->qpos[0];
    run(w, d, 1);
    const double way = d->qpos[0] - from;
    return way;
}

TEST(things_stay_on_slopes_below_their_friction_and_slide_above) {
    /* what stays creeps a little, since MuJoCo's contacts are soft: 1.5e-5 m/s were measured */
    CHECK(fabs(slide("", 0.45)) < 5e-5);
    CHECK(slide("", 0.6) > 0.5);
    CHECK(fabs(slide(" material: Sole,", 0.9)) < 1e-4);
    CHECK(slide(" material: Sole,", 1.1) > 0.5);
    CHECK(slide(" material: Slider,", 0.1) > 0.5);
}

/* How far a block of this material slides in a second on a slope of this tangent, under a table. */
static double slide_under(const char *table, const char *material_name, double slope,
                          const char *more) {
    char text[3000];
    (void)temporary_file("table.yaml", table);
    (void)temporary_file("floor.body", FLOOR_BODY);
    (void)snprintf(text, sizeof text,
                   BODY_HEAD "  - { name: THING, joint_type: free, mass: 3, material: %s,\n"
                             "      inertia: [ 0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.05 ],\n"
                             "      elements: { Shape: { geometry: { type: Box, "
                             "size: [ 0.4, 0.4, 0.1 ] } } } }\n",
                   material_name);
    (void)temporary_file("thing.body", text);
    (void)snprintf(text, sizeof text,
                   PROJECT_HEAD
                   "        - { class: BodyItem, name: Floor, data: { file: floor.body } }\n"
                   "        - { class: BodyItem, name: Thing, data: { file: thing.body,\n"
                   "            initial_root_translation: [ 0, 0, 0.05 ] } }\n%s"
                   "        - { class: MaterialTableItem, name: T, data: { file: table.yaml } }\n"
                   "        - { class: AISTSimulatorItem, name: Sim, data: { time_step: 0.001,\n"
                   "            gravity: [ %g, 0, -9.80665 ] } }\n",
                   more, 9.80665 * slope);
    OWNED(world) *w = load_file(temporary_file("test.cnoid", text), world_options_default());
    OWNED(mjData) *d = start(w);
    run(w, d, 0.5);
    const double from = root_of(w, d, 1)[0];
    run(w, d, 1);
    const double way = root_of(w, d, 1)[0] - from;
    return way;
}

TEST(a_table_of_materials_says_what_slides) {
    static const char table[] = "materials:\n"
                                "  - { name: Ice, roughness: 0.01 }\n"
                                "  - { name: Ground, roughness: 1 }\n"
                                "contact_materials:\n"
                                "  - { materials: [ Ground, Sole ], friction: 0.2 }\n"
                                "  - { materials: [ Felt, Ground, Ice ], friction: 0.8 }\n";
    CHECK(slide_under(table, "Sole", 0.3, "") > 0.3);
    CHECK(fabs(slide_under(table, "Sole", 0.15, "")) < 1e-4);
    /* three materials are a pair each */
    CHECK(fabs(slide_under(table, "Ice", 0.7, "")) < 1e-4);
    CHECK(slide_under(table, "Ice", 0.9, "") > 0.3);
    /* by roughness, where no pair is named: the root of 0.1 x 1 */
    CHECK(fabs(slide_under(table, "OilWetGround", 0.3, "")) < 1e-4);
    CHECK(slide_under(table, "OilWetGround", 0.35, "") > 0.1);
    CHECK(!warnings[0]);
}

/* Beside a box of Default on the same ground neither may take the other's friction. */
TEST(a_material_that_slides_on_all_alike_goes_before_the_others) {
    static const char other[] =
        BODY_ITEM("Box", "box.body", "initial_root_translation: [ 3, 0, 0.2 ]");
    (void)temporary_file("box.body", BOX_BODY);
    static const struct {
        const char *name;
        double slope;
        bool slides;
    } cases[] = {{"Slider", 0.05, true},
                 {"OilWetGround", 0.4, true},
                 {"OilWetGround", 0.3, false},
                 {"Sole", 0.9, false},
                 {"Default", 0.45, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double way = slide_under("materials: []", cases[k].name, cases[k].slope, other);
        if (cases[k].slides ? way < 0.1 : fabs(way) > 2e-4)
            FAIL("%s moves by %g m at %g", cases[k].name, way, cases[k].slope);
        CHECK(!warnings[0]);
    }
}

/* Tires stick to the ground with 3, to each other with 1, to steel with 1: none is uniform. */
TEST(a_pair_that_mujoco_cannot_have_is_told) {
    static const char table[] =
        "contact_materials:\n"
        "  - { materials: [ Tire, Tire ], friction: 1, restitution: 0.5 }\n"
        "  - { materials: [ Tire, Ground ], friction: 3 }\n"
        "  - { materials: [ Tire, Steel ], friction: 1, collisionHandler: Mine }\n"
        "  - { materials: [ Steel, Ground ], friction: 0.1 }\n"
        "  - { materials: [ Steel, Steel ], friction: 2 }\n";
    (void)temporary_file("steel.body",
                         BODY_HEAD "  - { name: A, joint_type: free, material: Steel, mass: 1,\n"
                                   "      elements: { Shape: { geometry: { type: Sphere } } } }\n");
    (void)slide_under(table, "Tire", 0,
                      BODY_ITEM("S", "steel.body", "initial_root_translation: [ 3, 0, 9 ]"));
    CHECK_CONTAINS(warnings, " instead of ");
    CHECK_CONTAINS(warnings, "MuJoCo cannot have that beside the other pairs");
    CHECK_CONTAINS(warnings, "the collision handler 'Mine' is not run");
}

TEST(an_unknown_material_is_named_once) {
    OWNED(world) *w =
        load_thing("    material: Cheese\n" BLOCK
                   "  - { name: B, parent: THING, material: Cheese, elements: { Shape: { "
                   "geometry: { type: Sphere, radius: 0.1 } } } }\n",
                   "");
    CHECK_CONTAINS(warnings, "thing.body:9: the material 'Cheese' is not known: it slides as "
                             "Default does\n");
    const char *first = strstr(warnings, "Cheese");
    CHECK(first && !strstr(first + 1, "Cheese"));
}

/* Not exactly on top of each other: where all edges coincide, MuJoCo now and then takes one of a
 * box's sides for its top. */
TEST(columns_of_boxes_stand) {
    char text[8000] = PROJECT_HEAD "        - { class: BodyItem, name: Floor, data: { file: "
                                   "floor.body } }\n";
    (void)temporary_file("floor.body", FLOOR_BODY);
    (void)temporary_file("box.body", BOX_BODY);
    for (int row = 0; row < 5; row++)
        for (int k = 0; k < 5; k++) {
            const size_t used = strlen(text);
            (void)snprintf(text + used, sizeof text - used,
                           "        - { class: BodyItem, name: Box, data: { file: box.body, "
                           "initial_root_translation: [ %g, %g, %g ] } }\n",
                           0.001 * ((row * 7 + k * 3) % 5 - 2), 0.31 * k, 0.2 + 0.4 * row);
        }
    const size_t used = strlen(text);
    (void)snprintf(text + used, sizeof text - used, "%s", SIMULATOR);
    OWNED(world) *w = load_file(temporary_file("test.cnoid", text), world_options_default());
    CHECK(w->body_count == 26);
    CHECK(strcmp(w->bodies[25].name, "Box-25") == 0);
    OWNED(mjData) *d = start(w);
    run(w, d, 1);
    /* five of them sink in on top of each other */
    for (size_t k = 0; k < 25; k++) {
        const double *p = root_of(w, d, k + 1);
        CHECK_NEAR(p[2], 0.2 + 0.4 * (double)(k / 5), 15 * sink);
        CHECK_NEAR(p[1], 0.31 * (double)(k % 5), 15 * sink);
    }
    CHECK(d->warning[mjWARN_CONTACTFULL].number == 0 && d->warning[mjWARN_CNSTRFULL].number == 0);
}
