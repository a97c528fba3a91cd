/* SPDX-License-Identifier: MIT
 * The world of a project as a MuJoCo model: joints, start, masses, options, and what a project may
 * not have. Contacts are in test_contact.c.
 */
#include "robots/robot.h"
#include "worlds.h"

OWNS(robot, robot_destroy)

static world *load_with(const char *text, world_options options) {
    (void)temporary_file("arm.body", ARM_BODY);
    (void)temporary_file("box.body", BOX_BODY);
    (void)temporary_file("floor.body", FLOOR_BODY);
    return load_file(temporary_file("test.cnoid", text), options);
}

static world *load(const char *text) {
    return load_with(text, world_options_default());
}

static void check_refusal_with(const char *text, world_options options, const char *expected) {
    static char line[2048];
    stiction_error error;
    world *w = world_load(temporary_file("test.cnoid", text), &options, &error);
    if (w) {
        FAIL("it was read, instead of: %s", expected);
        world_destroy(w);
        return;
    }
    (void)stiction_error_format(&error, line, sizeof line);
    const char *said = without_folder(line);
    if (strcmp(said, expected) != 0) FAIL("said:     %s\nexpected: %s", said, expected);
}

static void check_refusal(const char *text, const char *expected) {
    check_refusal_with(text, world_options_default(), expected);
}

#define ARM(name, more) BODY_ITEM(name, "arm.body", more)

/* ---- joints ---- */

TEST(joints_come_by_their_ids_with_what_the_file_says) {
    OWNED(world) *w = load(PROJECT_HEAD ARM("Arm", "") SIMULATOR);
    CHECK(w->joint_count == 2 && w->body_count == 1);
    const world_joint *turn = &w->joints[0], *slide = &w->joints[1];
    CHECK(strcmp(turn->name, "UPPER") == 0 && strcmp(turn->label, "UPPER") == 0);
    CHECK(strcmp(slide->name, "TIP") == 0 && strcmp(slide->label, "TIP") == 0);
    CHECK(turn->id == 0 && slide->id == 1);
    CHECK(!turn->prismatic && slide->prismatic);
    CHECK_NEAR(turn->lower, -170 * mjPI / 180, 1e-15);
    CHECK_NEAR(turn->velocity_limit, mjPI / 2, 1e-15);
    CHECK(turn->torque_limit == (double)INFINITY);
    CHECK_SAME(slide->lower, -0.1);
    CHECK_SAME(slide->upper, 0.2);
    CHECK_SAME(slide->torque_limit, 30);
    CHECK(slide->velocity_limit == (double)INFINITY);
    CHECK(turn->actuator == -1 && slide->actuator == -1);
    CHECK_SAME(w->model->dof_armature[turn->velocity], 1);
    CHECK_SAME(w->model->dof_armature[slide->velocity], 0);
    CHECK(strcmp(w->bodies[0].name, "Arm") == 0 && strcmp(w->bodies[0].model_name, "Model") == 0);
}

TEST(nothing_but_the_hosts_friction_damps_a_joint) {
    OWNED(world) *w = load(PROJECT_HEAD ARM("Arm", "") SIMULATOR);
    for (int k = 0; k < w->model->nv; k++) {
        CHECK_SAME(w->model->dof_damping[k], 0);
        CHECK_SAME(w->model->dof_frictionloss[k], 0);
    }
}

TEST(two_bodies_with_joints_are_told_apart_by_their_items) {
    OWNED(world) *w = load(PROJECT_HEAD ARM("A", "") BODY_ITEM("Floor", "floor.body", "")
                               ARM("B", "") ARM("A", "") SIMULATOR);
    CHECK(w->body_count == 4 && w->joint_count == 6);
    CHECK(strcmp(w->joints[0].label, "A.UPPER") == 0);
    CHECK(strcmp(w->joints[3].label, "B.TIP") == 0 && strcmp(w->joints[3].name, "TIP") == 0);
    CHECK(strcmp(w->joints[4].label, "A-2.UPPER") == 0);
    CHECK(w->bodies[1].joint_count == 0 && w->bodies[2].first_joint == 2);
    CHECK(w->bodies[3].first_joint == 4 && w->bodies[3].joint_count == 2);
    CHECK(mj_name2id(w->model, mjOBJ_BODY, "B/UPPER") > 0);
    for (size_t k = 0; k < 6; k++)
        for (size_t i = 0; i < k; i++) CHECK(w->joints[k].position != w->joints[i].position);
    world_destroy(w);
    /* a floor does not make longer labels */
    w = load(PROJECT_HEAD ARM("A", "") BODY_ITEM("Floor", "floor.body", "") SIMULATOR);
    CHECK(strcmp(w->joints[0].label, "UPPER") == 0);
}

TEST(a_joint_without_an_id_moves_but_is_not_listed) {
    (void)temporary_file("passive.body", BODY_HEAD
                         "  - { name: BASE, joint_type: fixed }\n"
                         "  - { name: P, parent: BASE, joint_type: revolute, "
                         "joint_axis: Y, center_of_mass: [ 0.1, 0, 0 ] }\n"
                         "  - { name: J, parent: P, joint_type: revolute, joint_id: 0 }\n");
    /* its displacement comes after those with ids */
    OWNED(world) *w = load(
        PROJECT_HEAD BODY_ITEM("A", "passive.body", "joint_displacements: [ 10, 20 ]") SIMULATOR);
    CHECK(w->joint_count == 1 && strcmp(w->joints[0].name, "J") == 0);
    CHECK_CONTAINS(warnings, "passive.body:6: joint 'P' has no joint_id: it moves, but without "
                             "friction and control");
    OWNED(mjData) *d = start(w);
    const int passive = w->model->jnt_qposadr[mj_name2id(w->model, mjOBJ_JOINT, "P")];
    CHECK_NEAR(d->qpos[passive], 20 * mjPI / 180, 1e-15);
    CHECK_NEAR(d->qpos[w->joints[0].position], 10 * mjPI / 180, 1e-15);
    run(w, d, 0.1);
    CHECK(d->qpos[passive] > 20.1 * mjPI / 180);
}

/* ---- the start ---- */

TEST(the_start_is_where_the_project_says) {
    OWNED(world) *w = load(PROJECT_HEAD ARM("Arm", "initial_root_translation: [ 1, 2, 3 ], "
                                                   "initial_root_rotation: [ 0, 0, 1, 90 ], "
                                                   "joint_displacements: [ 30, 3 ]") SIMULATOR);
    OWNED(mjData) *d = start(w);
    CHECK_NEAR(d->qpos[w->joints[0].position], mjPI / 6, 1e-15);
    CHECK_NEAR(d->qpos[w->joints[1].position], mjPI / 60, 1e-15);
    /* the tip: 0.3 m and the slide along an axis at 90 + 30 degrees */
    const double *tip = d->xpos + 3 * mj_name2id(w->model, mjOBJ_BODY, "TIP");
    const double reach = 0.3 + mjPI / 60, angle = 2 * mjPI / 3;
    CHECK_NEAR(tip[0], 1 + reach * cos(angle), 1e-14);
    CHECK_NEAR(tip[1], 2 + reach * sin(angle), 1e-14);
    CHECK_NEAR(tip[2], 3, 1e-14);
    /* and zero is still the file's zero */
    d->qpos[w->joints[0].position] = d->qpos[w->joints[1].position] = 0;
    mj_kinematics(w->model, d);
    CHECK_NEAR(tip[0], 1, 1e-14);
    CHECK_NEAR(tip[1], 2.3, 1e-14);
}

TEST(a_free_root_starts_where_it_is_put_and_falls_with_gravity) {
    OWNED(world) *w =
        load(PROJECT_HEAD BODY_ITEM("Box", "box.body",
                                    "initial_root_translation: [ 0, 0, 7 ], "
                                    "initial_root_rotation: [ 1, 0, 0, 30 ]") SIMULATOR);
    OWNED(mjData) *d = start(w);
    CHECK(w->model->nv == 6);
    CHECK_NEAR(d->qpos[2], 7, 0);
    CHECK_NEAR(d->qpos[4], sin(mjPI / 12), 1e-15);
    run(w, d, 1);
    /* semi-implicit Euler falls g t (t + T) / 2 */
    CHECK_NEAR(d->qpos[2], 7 - 0.5 * 9.80665 * 1.001, 1e-9);
}

TEST(fix_root_frees_and_fixes) {
    world *w = load(PROJECT_HEAD BODY_ITEM("Box", "box.body", "fix_root: true") SIMULATOR);
    CHECK(w->model->nv == 0);
    world_destroy(w);
    w = load(PROJECT_HEAD ARM("Arm", "fix_root: false") SIMULATOR);
    CHECK(w->model->nv == 8);
    world_destroy(w);
    /* the key of old, which projects of Choreonoid 2.4 still have: false for every body with joints
     */
    w = load(PROJECT_HEAD ARM("Arm", "staticModel: false") SIMULATOR);
    CHECK(w->model->nv == 2);
    world_destroy(w);
    w = load(PROJECT_HEAD BODY_ITEM("Box", "box.body", "staticModel: true") SIMULATOR);
    CHECK(w->model->nv == 0);
    world_destroy(w);
}

TEST(a_start_outside_the_range_is_said) {
    OWNED(world) *w = load(PROJECT_HEAD ARM("Arm", "joint_displacements: [ 175 ]") SIMULATOR);
    CHECK_CONTAINS(warnings, "test.cnoid:7: joint 'UPPER' of 'Arm' starts at 3.05433, outside its "
                             "range");
}

TEST(a_joint_stops_at_the_end_of_its_range) {
    OWNED(world) *w = load(PROJECT_HEAD ARM("Arm", "") SIMULATOR);
    OWNED(mjData) *d = start(w);
    const world_joint *slide = &w->joints[1];
    for (int k = 0; k < 2000; k++) {
        d->qfrc_applied[slide->velocity] = 30;
        mj_step(w->model, d);
    }
    /* 15 m/s^2 against a spring of 5 ms: 15 (1 - d) / (d / T^2) = 4e-6 m at the outside */
    CHECK_NEAR(d->qpos[slide->position], 0.2, 1e-4);
    CHECK_NEAR(d->qvel[slide->velocity], 0, 1e-6);
}

/* ---- masses ---- */

/* Every link of a world weighs what robot_load says. */
static void check_masses(const world *w, size_t body, const char *path) {
    OWNED(robot) *r = robot_load(path, NULL, NULL);
    CHECK(r);
    if (!r) return;
    const int first = w->bodies[body].root - 1;
    for (int k = 1; k < r->model->nbody; k++) {
        CHECK_SAME(w->model->body_mass[first + k], r->model->body_mass[k]);
        for (int i = 0; i < 3; i++) {
            CHECK_SAME(w->model->body_inertia[3 * (first + k) + i],
                       r->model->body_inertia[3 * k + i]);
            CHECK_SAME(w->model->body_ipos[3 * (first + k) + i], r->model->body_ipos[3 * k + i]);
        }
    }
}

TEST(links_weigh_what_the_robot_reader_says_also_bare_masses_of_several_bodies) {
    /* a point mass, which MuJoCo's compiler refuses */
    const char *point = temporary_file(
        "point.body", BODY_HEAD "  - { name: BASE, joint_type: fixed }\n"
                                "  - { name: P, parent: BASE, joint_type: revolute, joint_id: 0, "
                                "mass: 2, center_of_mass: [ 1, 0, 0 ], "
                                "inertia: [ 0, 0, 0, 0, 0, 0, 0, 0, 0 ] }\n");
    char point_path[200], arm_path[200];
    (void)snprintf(point_path, sizeof point_path, "%s", point);
    OWNED(world) *w = load(PROJECT_HEAD ARM("A", "") BODY_ITEM("P", "point.body", "")
                               BODY_ITEM("Q", "point.body", "") SIMULATOR);
    (void)snprintf(arm_path, sizeof arm_path, "%s/arm.body", temporary_folder);
    check_masses(w, 0, arm_path);
    check_masses(w, 1, point_path);
    check_masses(w, 2, point_path);
}

/* ---- options ---- */

TEST(options_take_the_place_of_what_the_simulator_says) {
    static const char text[] = PROJECT_HEAD ARM(
        "Arm",
        "") "        - { class: AISTSimulatorItem, name: One, data: { time_step: 0.002 } }\n"
            "        - { class: AISTSimulatorItem, name: Two, data: { time_step: 0.004,\n"
            "            time_range_mode: specified, time_length: 3, gravity: [ 0, 1, 0 ] } }\n";
    world *w = load(text);
    CHECK(w->simulator == &w->project->simulators[0]);
    CHECK_SAME(w->model->opt.timestep, 0.002);
    CHECK(w->duration == (double)INFINITY);
    CHECK(w->model->opt.integrator == mjINT_EULER && w->model->nuserdata == 0);
    world_destroy(w);
    world_options options = world_options_default();
    options.simulator = "Two";
    w = load_with(text, options);
    CHECK_SAME(w->model->opt.timestep, 0.004);
    CHECK_SAME(w->model->opt.gravity[1], 1);
    CHECK_SAME(w->duration, 3);
    world_destroy(w);
    options.timestep = 0.0005;
    options.duration = 9;
    options.gravity[0] = -4;
    options.memory_per_joint = 3;
    w = load_with(text, options);
    CHECK_SAME(w->model->opt.timestep, 0.0005);
    CHECK_SAME(w->model->opt.gravity[0], -4);
    CHECK_SAME(w->model->opt.gravity[1], 1);
    CHECK_SAME(w->duration, 9);
    CHECK(w->model->nuserdata == 6);
    world_destroy(w);
    options.simulator = "Three";
    check_refusal_with(text, options,
                       "test.cnoid: has no simulator item 'Three'; there is 'One', 'Two'");
    options.simulator = NULL;
    options.timestep = -1;
    check_refusal_with(text, options, "test.cnoid: timestep -1 must be above 0");
}

TEST(under_rk4_an_actuator_integrates_for_every_joint) {
    world_options options = world_options_default();
    options.integrator = WORLD_RK4;
    OWNED(world) *w = load_with(PROJECT_HEAD ARM("A", "") ARM("B", "") SIMULATOR, options);
    CHECK(w->model->opt.integrator == mjINT_RK4);
    CHECK(w->model->nu == 4 && w->model->na == 4);
    OWNED(mjData) *d = start(w);
    for (size_t k = 0; k < 4; k++) {
        const int a = w->joints[k].actuator;
        CHECK(a >= 0 && w->model->actuator_trntype[a] == mjTRN_JOINT);
        CHECK(w->model->jnt_dofadr[w->model->actuator_trnid[2 * a]] == w->joints[k].velocity);
        CHECK_SAME(d->act[a], 0);
        d->ctrl[a] = 1 + (double)k;
    }
    run(w, d, 0.1);
    for (size_t k = 0; k < 4; k++) {
        CHECK_NEAR(d->act[w->joints[k].actuator], 0.1 * (1 + (double)k), 1e-12);
        CHECK_SAME(d->qfrc_actuator[w->joints[k].velocity], 0);
    }
    mj_resetDataKeyframe(w->model, d, 0);
    CHECK_SAME(d->act[0], 0);
}

TEST(an_item_that_asks_for_runge_kutta_is_told_what_it_gets) {
    static const char text[] =
        PROJECT_HEAD ARM("A", "") "        - { class: AISTSimulatorItem, name: S, data: { "
                                  "integration_mode: runge-kutta } }\n";
    world *w = load(text);
    CHECK_CONTAINS(warnings, "test.cnoid:8: 'S' asks for Runge-Kutta, but semi-implicit Euler is "
                             "used\n");
    world_destroy(w);
    world_options options = world_options_default();
    options.integrator = WORLD_RK4;
    w = load_with(text, options);
    CHECK(strstr(warnings, "Runge-Kutta") == NULL);
    world_destroy(w);
}

/* ---- loops ---- */

/* A parallelogram: its coupler stays parallel to the ground while it swings. */
#define FOUR_BAR                                                                                   \
    BODY_HEAD                                                                                      \
    "  - { name: BASE, joint_type: fixed }\n"                                                      \
    "  - { name: A, parent: BASE, joint_type: revolute, joint_id: 0, joint_axis: Y, mass: 1,\n"    \
    "      center_of_mass: [ 0, 0, -0.1 ], inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 ] }\n"    \
    "  - { name: B, parent: BASE, joint_type: revolute, joint_id: 1, joint_axis: Y, mass: 1,\n"    \
    "      translation: [ 0.3, 0, 0 ], center_of_mass: [ 0, 0, -0.1 ],\n"                          \
    "      inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 ] }\n"                                    \
    "  - { name: C, parent: A, joint_type: revolute, joint_id: 2, joint_axis: Y, mass: 1,\n"       \
    "      translation: [ 0, 0, -0.2 ], center_of_mass: [ 0.15, 0, 0 ],\n"                         \
    "      inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 ] }\n"

TEST(an_extra_joint_closes_its_loop) {
    static const char *const joints[] = {
        "extra_joints:\n"
        "  - { link1_name: C, link2_name: B, joint_type: hinge, axis: [ 0, 1, 0 ],\n"
        "      translation_in_link1: [ 0.3, 0, 0 ], translation_in_link2: [ 0, 0, -0.2 ] }\n",
        "extraJoints:\n"
        "  - { link1Name: C, link2Name: B, jointType: ball,\n"
        "      link1LocalPos: [ 0.3, 0, 0 ], link2LocalPos: [ 0, 0, -0.2 ] }\n"};
    for (int k = 0; k < 2; k++) {
        char text[2000];
        (void)snprintf(text, sizeof text, "%s%s", FOUR_BAR, joints[k]);
        (void)temporary_file("bars.body", text);
        world *w = load(PROJECT_HEAD BODY_ITEM("Bars", "bars.body",
                                               "joint_displacements: [ 40, 40, -40 ]") SIMULATOR);
        CHECK(w->model->neq == (k == 0 ? 2 : 1));
        mjData *d = start(w);
        double low = 1, high = -1;
        for (int step = 0; step < 2000; step++) {
            mj_step(w->model, d);
            const double *q = d->qpos;
            const double a = q[w->joints[0].position], b = q[w->joints[1].position];
            /* a loop of 5 ms is soft: at 10 m/s^2 it gives by 1e-4 m of its 0.2 m */
            CHECK_NEAR(a, b, 1e-3);
            CHECK_NEAR(q[w->joints[2].position], -a, 1e-3);
            low = fmin(low, a);
            high = fmax(high, a);
        }
        CHECK(low < -0.6 && high > 0.6);
        end_world(w, d);
    }
}

TEST(loops_of_a_body_inside_a_body_are_closed_by_its_names_there) {
    (void)temporary_file("inner.body",
                         FOUR_BAR "extra_joints:\n"
                                  "  - { link1_name: C, link2_name: B, joint_type: ball,\n"
                                  "      translation_in_link1: [ 0.3, 0, 0 ],\n"
                                  "      translation_in_link2: [ 0, 0, -0.2 ] }\n");
    (void)temporary_file("middle.body",
                         BODY_HEAD "  - { name: ROOT, joint_type: fixed }\n"
                                   "  - { type: SubBody, uri: inner.body, parent: ROOT,\n"
                                   "      prefix: \"I-\" }\n");
    (void)temporary_file("outer.body",
                         BODY_HEAD "  - { name: ROOT, joint_type: fixed }\n"
                                   "  - { type: SubBody, uri: middle.body, parent: ROOT,\n"
                                   "      prefix: \"L-\", suffix: \"-X\" }\n"
                                   "  - { type: SubBody, uri: middle.body, parent: ROOT,\n"
                                   "      prefix: \"R-\", joint_id_offset: 3 }\n");
    OWNED(world) *w = load(PROJECT_HEAD BODY_ITEM(
        "Bars", "outer.body", "joint_displacements: [ 40, 40, -40, 20, 20, -20 ]") SIMULATOR);
    CHECK(w->model->neq == 2 && w->joint_count == 6);
    OWNED(mjData) *d = start(w);
    for (int step = 0; step < 1000; step++) {
        mj_step(w->model, d);
        for (int k = 0; k < 6; k += 3)
            CHECK_NEAR(d->qpos[w->joints[k].position], d->qpos[w->joints[k + 1].position], 1e-3);
    }
    CHECK(fabs(d->qpos[w->joints[0].position] - d->qpos[w->joints[3].position]) > 0.01);
}

/* ---- what a world may not have ---- */

static void check_body_refusal(const char *more, const char *expected) {
    char text[4000];
    (void)snprintf(text, sizeof text, "%s%s", FOUR_BAR, more);
    (void)temporary_file("odd.body", text);
    check_refusal(PROJECT_HEAD BODY_ITEM("Odd", "odd.body", "") SIMULATOR, expected);
}

TEST(what_changes_the_result_and_is_not_read_is_refused) {
    check_body_refusal("extra_joints: [ { link1_name: BASE } ]\n",
                       "odd.body:14:17: an extra joint lacks its joint_type");
    check_body_refusal(
        "extra_joints: [ { joint_type: piston } ]\n",
        "odd.body:14:31: of extra joints only ball and hinge are read, not 'piston'");
    check_body_refusal("extra_joints: [ { joint_type: ball, link1_name: X } ]\n",
                       "odd.body:14:49: there is no link 'X'");
    check_body_refusal("  - { name: T, parent: BASE, joint_type: pseudo_continuous_track }\n",
                       "odd.body:14:42: the track 'T' is not read in a project");
    (void)temporary_file("box.body", BOX_BODY);
    check_refusal(
        PROJECT_HEAD BODY_ITEM("Box", "box.body",
                               "") "        - { class: AISTSimulatorItem, name: S, data: {\n"
                                   "            use_2d_mode: true } }\n",
        "test.cnoid:9:26: use_2d_mode of 'S' is not read, but would change the "
        "simulation");
}

TEST(what_a_body_leaves_to_choreonoid_is_said) {
    (void)temporary_file("odd.body",
                         BODY_HEAD "  - { name: BASE, joint_type: fixed }\n"
                                   "  - { name: J, parent: BASE, joint_type: revolute, joint_id: 0,"
                                   " actuation_mode: joint_velocity }\n"
                                   "body_handlers: Handler\n");
    OWNED(world) *w = load(PROJECT_HEAD BODY_ITEM("Odd", "odd.body", "") SIMULATOR);
    CHECK_CONTAINS(warnings, "odd.body:6: joint 'J' is driven by torque here, whatever its "
                             "actuation_mode\n");
    CHECK_CONTAINS(warnings, "odd.body:7: body_handlers are not run\n");
}
