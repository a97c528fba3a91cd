/* SPDX-License-Identifier: MIT
 * Choreonoid projects: what is read from the tree of items, in which spellings, and what is refused
 * with which words.
 */
#include "projects.h"
#include "projects/project.h"

/* The memory of the projects that a case read. */
static arena kept[16];
static int kept_count;

static void *read_it(reader *r, const void *path) {
    return (void *)(size_t)(const void *)project_read(r, path);
}

static const project *try_read(const char *path, stiction_error *error) {
    reader r = {.log = keep_warning, .error = error};
    warnings[0] = '\0';
    const project *p = stiction_reader_run(&r, read_it, path);
    if (p) kept[kept_count++] = r.memory;
    return p;
}

static void release(void) {
    while (kept_count > 0) stiction_arena_free(&kept[--kept_count]);
}

static const project *load(const char *text) {
    stiction_error error;
    const project *p = try_read(temporary_file("test.cnoid", text), &error);
    if (!p) {
        FAIL("%s:%d:%d: %s", error.path, error.line, error.column, error.message);
        exit(EXIT_FAILURE);
    }
    return p;
}

static void check_refusal(const char *text, const char *expected) {
    static char line[2048];
    stiction_error error;
    if (try_read(temporary_file("test.cnoid", text), &error)) {
        FAIL("it was read, instead of: %s", expected);
        release();
        return;
    }
    (void)stiction_error_format(&error, line, sizeof line);
    const char *said = without_folder(line);
    if (strcmp(said, expected) != 0) FAIL("said:     %s\nexpected: %s", said, expected);
}

static void write_bodies(void) {
    (void)temporary_file("arm.body", ARM_BODY);
    (void)temporary_file("box.body", BOX_BODY);
    (void)temporary_file("floor.body", FLOOR_BODY);
}

/* ---- what is read ---- */

TEST(the_wrist_project_is_read_as_choreonoid_does) {
    stiction_error error;
    const project *p = try_read("../sample_projects/wrist/wrist.cnoid", &error);
    CHECK(p);
    if (!p) return;
    CHECK(p->body_count == 2 && p->simulator_count == 4);
    CHECK(strcmp(p->bodies[1].name, "Floor") == 0 && !p->bodies[1].collides);
    const project_body *b = &p->bodies[0];
    CHECK(strcmp(b->name, "Wrist") == 0);
    CHECK(strcmp(b->file->path, "../sample_projects/wrist/wrist.body") == 0);
    CHECK(b->fixed_root && !b->collides && !b->collides_with_itself);
    CHECK(b->controller_count == 1);
    CHECK(strcmp(b->controllers[0].class_name, "SimpleControllerItem") == 0);
    CHECK(strcmp(b->controllers[0].module, "StictionPostureController") == 0);
    CHECK(strcmp(b->controllers[0].options, "kp=20 kv=2 lambda=0 target=RWRR:90") == 0);
    const project_simulator *s = &p->simulators[0];
    CHECK(strcmp(s->name, "AISTSimulator") == 0 && strcmp(s->class_name, "AISTSimulatorItem") == 0);
    CHECK_SAME(s->timestep, 0.001);
    CHECK_SAME(s->duration, 6);
    CHECK_SAME(s->gravity[2], -9.80665);
    CHECK(!s->runge_kutta && !s->obstacle);
    CHECK(s->friction_count == 1 && s->frictions[0].enabled && !s->frictions[0].law);
    CHECK(strcmp(s->frictions[0].configuration,
                 "../sample_projects/wrist/../../config/wrist.yaml") == 0);
    CHECK(strcmp(s->frictions[0].coupling, "auto") == 0);
    CHECK(strcmp(p->simulators[1].class_name, "ODESimulatorItem") == 0);
    CHECK(strcmp(p->simulators[3].class_name, "MuJoCoSimulatorItem") == 0);
    CHECK_SAME(p->simulators[3].timestep, 0.001);
    CHECK(p->simulators[3].friction_count == 1);
    release();
}

/* The same in both spellings, with old names, an anchor and a merge. */
static void check_spelling(const char *text) {
    const project *p = load(text);
    CHECK(p->body_count == 2 && p->simulator_count == 1);
    const project_body *b = &p->bodies[0];
    CHECK_SAME(b->translation[0], 1);
    CHECK_SAME(b->translation[2], 3);
    CHECK_NEAR(b->rotation[0], sqrt(0.5), 1e-15);
    CHECK_NEAR(b->rotation[3], sqrt(0.5), 1e-15);
    CHECK(!b->collides && !b->fixed_root);
    CHECK(p->bodies[1].collides && p->bodies[1].collides_with_itself);
    const project_simulator *s = &p->simulators[0];
    CHECK_SAME(s->timestep, 0.002);
    CHECK_SAME(s->duration, 2.5);
    CHECK_SAME(s->gravity[0], 1);
    CHECK(s->runge_kutta);
    CHECK(strstr(warnings, "test.cnoid") == NULL);
    release();
}

TEST(both_spellings_old_names_anchors_and_merges_mean_the_same) {
    write_bodies();
    check_spelling(PROJECT_HEAD "        - class: BodyItem\n"
                                "          name: A\n"
                                "          data: &box\n"
                                "            file: box.body\n"
                                "            initial_root_translation: [ 1, 2, 3 ]\n"
                                "            initial_root_rotation: [ 0, 0, 2, 90 ]\n"
                                "            collision_detection: false\n"
                                "        - class: BodyItem\n"
                                "          name: B\n"
                                "          data: { <<: *box, collision_detection: on, "
                                "self_collision_detection: Yes }\n"
                                "        - class: AISTSimulatorItem\n"
                                "          name: S\n"
                                "          data:\n"
                                "            time_step: 0.002\n"
                                "            time_range_mode: specified\n"
                                "            time_length: 2.5\n"
                                "            gravity: [ 1, 0, 0 ]\n"
                                "            integration_mode: runge-kutta\n");
    check_spelling(PROJECT_HEAD
                   "        - class: BodyItem\n"
                   "          name: A\n"
                   "          data:\n"
                   "            modelFile: box.body\n"
                   "            initialRootPosition: [ 1, 2, 3 ]\n"
                   "            initialRootAttitude: [ 0, -1, 0, 1, 0, 0, 0, 0, 1 ]\n"
                   "            collisionDetection: FALSE\n"
                   "        - class: BodyItem\n"
                   "          name: B\n"
                   "          data: { modelFile: box.body, selfCollisionDetection: true }\n"
                   "        - class: AISTSimulatorItem\n"
                   "          name: S\n"
                   "          data:\n"
                   "            timeStep: 0.002\n"
                   "            timeRangeMode: Specified time\n"
                   "            timeLength: 2.5\n"
                   "            gravity: [ 1, 0, 0 ]\n"
                   "            integrationMode: Runge Kutta\n");
}

TEST(a_simulator_without_data_has_choreonoids_defaults) {
    write_bodies();
    const project *p = load(PROJECT_HEAD BODY_ITEM("A", "box.body", "") "        - { class: "
                                                                        "BulletSimulatorItem }\n");
    const project_simulator *s = &p->simulators[0];
    CHECK_SAME(s->timestep, 0.001); /* the time bar's 1000 frames a second */
    CHECK(s->duration == (double)INFINITY);
    CHECK_SAME(s->gravity[0], 0);
    CHECK_SAME(s->gravity[2], -9.80665);
    CHECK(p->bodies[0].collides && !p->bodies[0].collides_with_itself && !p->bodies[0].fixed_root);
    release();
}

TEST(the_time_bar_gives_what_a_simulator_leaves_to_it) {
    write_bodies();
    const project *p = load(PROJECT_HEAD BODY_ITEM(
        "A", "box.body",
        "") "        - { class: AISTSimulatorItem, data: { time_range_mode: timebar } }\n"
            "        - { class: AISTSimulatorItem, data: { frame_rate: 250 } }\n"
            "toolbars: { TimeBar: { frame_rate: 500, max_time: 12 } }\n");
    CHECK_SAME(p->simulators[0].timestep, 0.002);
    CHECK_SAME(p->simulators[0].duration, 12);
    CHECK_SAME(p->simulators[1].timestep, 0.004);
    release();
}

TEST(an_active_control_period_lasts_until_the_controllers_end) {
    write_bodies();
    static const struct {
        const char *data;
        bool ends_with_controllers;
        double duration;
    } cases[] = {
        {"timeRangeMode: \"Active control period\"", true, (double)INFINITY},
        {"is_active_control_time_range_mode: true", true, (double)INFINITY},
        {"active_control_time_range_mode: true, time_range_mode: specified, time_length: 2", true,
         2},
        {"timeRangeMode: Specified time, timeLength: 2", false, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[2000];
        (void)snprintf(
            text, sizeof text,
            PROJECT_HEAD BODY_ITEM("A", "box.body",
                                   "") "        - { class: AISTSimulatorItem, data: { %s } }\n",
            cases[k].data);
        const project *p = load(text);
        CHECK(p->simulators[0].ends_with_controllers == cases[k].ends_with_controllers);
        CHECK(p->simulators[0].duration == cases[k].duration);
        release();
    }
}

/* ---- the start ---- */

TEST(displacements_go_by_joint_id_in_degrees_even_of_joints_that_slide) {
    write_bodies();
    const project *p =
        load(PROJECT_HEAD BODY_ITEM("A", "arm.body", "joint_displacements: [ 30, 9 ]") SIMULATOR);
    /* links: BASE, TIP (1), UPPER (0) */
    CHECK_SAME(p->bodies[0].displacements[0], 0);
    CHECK_NEAR(p->bodies[0].displacements[1], 9 * 3.14159265358979 / 180, 1e-14);
    CHECK_NEAR(p->bodies[0].displacements[2], 30 * 3.14159265358979 / 180, 1e-14);
    release();
}

TEST(a_simulation_starts_from_the_initial_state_not_the_current_one) {
    write_bodies();
    const project *p = load(PROJECT_HEAD BODY_ITEM(
        "A", "arm.body",
        "root_translation: [ 1, 1, 1 ], joint_displacements: [ 30, 9 ], "
        "initial_root_translation: [ 2, 2, 2 ], initial_joint_displacements: [ 10 ]") SIMULATOR);
    CHECK_SAME(p->bodies[0].translation[0], 2);
    CHECK_NEAR(p->bodies[0].displacements[2], 10 * 3.14159265358979 / 180, 1e-14);
    CHECK_NEAR(p->bodies[0].displacements[1], 9 * 3.14159265358979 / 180, 1e-14);
    release();
    p = load(PROJECT_HEAD BODY_ITEM("A", "arm.body", "root_translation: [ 1, 1, 1 ]") SIMULATOR);
    CHECK_SAME(p->bodies[0].translation[0], 0);
    CHECK_CONTAINS(warnings, "test.cnoid:7: body 'A' has no initial_root_translation: it starts at "
                             "the origin, as in Choreonoid");
    release();
}

TEST(a_robot_that_many_items_name_is_read_once) {
    (void)temporary_file("odd.body", BODY_HEAD "  - { name: A, joint_type: fixed, mood: good }\n");
    const project *p = load(PROJECT_HEAD BODY_ITEM("One", "odd.body", "fix_root: true")
                                BODY_ITEM("Two", "odd.body", "fix_root: true") SIMULATOR);
    CHECK(p->body_count == 2 && p->bodies[0].file == p->bodies[1].file);
    const char *warning = strstr(warnings, "mood (line 5)");
    CHECK(warning && !strstr(warning + 1, "mood (line 5)"));
    release();
}

TEST(the_links_of_all_bodies_are_counted) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    fputs(BODY_HEAD "  - { name: A, joint_type: fixed }\n", out);
    for (int k = 1; k < 2000; k++)
        fprintf(out, "  - { name: L%d, parent: A, joint_type: fixed }\n", k);
    (void)fclose(out);
    (void)temporary_file("large.body", text);
    free(text);
    check_refusal(PROJECT_HEAD BODY_ITEM("One", "large.body", "") BODY_ITEM("Two", "large.body", "")
                      BODY_ITEM("Three", "large.body", "") SIMULATOR,
                  "test.cnoid:9:20: with 'Three' the bodies have more than 5000 links or 100000 "
                  "shapes");
}

TEST(positions_of_old_are_in_radian) {
    write_bodies();
    const project *p = load(PROJECT_HEAD BODY_ITEM(
        "A", "arm.body", "jointPositions: [ 0.5, 0.1 ], initialJointPositions: [ 0.25 ]")
                                SIMULATOR);
    CHECK_SAME(p->bodies[0].displacements[2], 0.25);
    CHECK_SAME(p->bodies[0].displacements[1], 0.1);
    release();
}

/* ---- the tree ---- */

TEST(items_count_by_where_they_stand_and_not_by_their_check_marks) {
    write_bodies();
    const project *p = load(
        "items:\n"
        "  class: RootItem\n"
        "  children:\n"
        "    - { class: BodyItem, name: Outside, data: { file: box.body } }\n"
        "    - { class: AISTSimulatorItem, name: Idle }\n"
        "    - class: WorldItem\n"
        "      children:\n"
        "        - class: FolderItem\n"
        "          children:\n"
        "            - class: FolderItem\n"
        "              children:\n"
        "                - class: BodyItem\n"
        "                  name: Inside\n"
        "                  is_checked: false\n"
        "                  data: { file: box.body }\n"
        "                  children:\n"
        "                    - class: FolderItem\n"
        "                      children:\n"
        "                        - { class: SimpleControllerItem, name: C, data: {\n"
        "                            controller: \"folder/Mine.so\" } }\n"
        "                        - { class: BodyMotionControllerItem, name: D }\n"
        "        - class: AISTSimulatorItem\n"
        "          name: Sim\n"
        "          children:\n"
        "            - class: FolderItem\n"
        "              children:\n"
        "                - { class: StictionItem, name: F, data: { enabled: false, law: dahl } }\n"
        "            - { class: GLVisionSimulatorItem, name: Eyes }\n"
        "            - { class: SubmersibleSimulatorItem, name: Off, data: { enabled: false } }\n"
        "        - { class: StictionItem, name: Lost }\n"
        "        - { class: MysteryItem, name: M1 }\n"
        "        - { class: MysteryItem, name: M2 }\n");
    CHECK(p->body_count == 1 && strcmp(p->bodies[0].name, "Inside") == 0);
    CHECK(p->bodies[0].controller_count == 2);
    CHECK(strcmp(p->bodies[0].controllers[0].module, "Mine") == 0);
    CHECK(strcmp(p->bodies[0].controllers[1].class_name, "BodyMotionControllerItem") == 0);
    CHECK(p->simulator_count == 1 && strcmp(p->simulators[0].name, "Sim") == 0);
    CHECK(!p->simulators[0].obstacle);
    CHECK(p->simulators[0].friction_count == 1);
    const project_friction *f = &p->simulators[0].frictions[0];
    CHECK(!f->enabled && !f->configuration && f->law && strcmp(f->law, "dahl") == 0);
    CHECK_CONTAINS(warnings, "test.cnoid:4: body 'Outside' is in no world: it is not simulated\n");
    CHECK_CONTAINS(warnings, "test.cnoid:5: simulator 'Idle' is in no world: it is not used\n");
    CHECK_CONTAINS(warnings, ":30: StictionItem 'Lost' is below no simulator item: it is not used");
    CHECK_CONTAINS(warnings, "test.cnoid:31: a MysteryItem is not known, so 'M1' is not read\n");
    CHECK(strstr(warnings, "M2") == NULL);
    release();
}

TEST(a_misspelt_item_is_refused_also_where_it_would_not_act) {
    write_bodies();
    static const struct {
        const char *item, *refusal;
    } cases[] = {
        {"class: StictionIten, name: M",
         "24: 'M' below a simulator is of an unknown class, StictionIten; the nearest is "
         "StictionItem"},
        {"class: StictionIten, plugin: Stiction, name: M, data: { enabled: false }",
         "24: 'M' below a simulator is of an unknown class, StictionIten; the nearest is "
         "StictionItem"},
        {"class: StictionItem, plugin: Stictoin, name: M",
         "24: StictionItem 'M': no such item in the plugin 'Stictoin'; its plugin is Stiction"},
        {"class: StictionItem, name: M, data: { enabld: false }",
         "55: StictionItem 'M': there is no key 'enabld'; the nearest is 'enabled'"},
        {"class: StictionItem, name: M, data: { couplng: a }",
         "55: StictionItem 'M': there is no key 'couplng'; the nearest is 'coupling'"},
        {"class: StictionItem, name: M, data: { law: [ x ] }",
         "60: law must be a single value, not a list"},
        {"class: StictionItem, name: M, data: { law: lugree }",
         "60: StictionItem 'M': there is no law 'lugree'; the nearest is 'lugre'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[2000], expected[300];
        (void)snprintf(text, sizeof text,
                       PROJECT_HEAD BODY_ITEM("A", "box.body", "") SIMULATOR
                       "        - class: AISTSimulatorItem\n"
                       "          children:\n"
                       "            - { %s }\n",
                       cases[k].item);
        (void)snprintf(expected, sizeof expected, "test.cnoid:11:%s", cases[k].refusal);
        check_refusal(text, expected);
    }
    check_refusal(PROJECT_HEAD BODY_ITEM("A", "box.body",
                                         "") "        - { class: AISTSimulatorIten, name: S }\n",
                  "test.cnoid:8:20: 'S' is of an unknown class, AISTSimulatorIten; the nearest is "
                  "AISTSimulatorItem; there is no simulator item");
}

TEST(what_would_change_one_simulator_is_its_obstacle) {
    write_bodies();
    static const struct {
        const char *item, *obstacle;
    } cases[] = {
        {"data: { use_2d_mode: true } }\n",
         "use_2d_mode of 'S' is not read, but would change the simulation"},
        {"data: { 2Dmode: true } }\n",
         "2Dmode of 'S' is not read, but would change the simulation"},
        {"data: { dynamics_mode: Kinematics } }\n",
         "dynamics_mode must be \"Forward dynamics\", not 'Kinematics'"},
        {"children: [ { class: MulticopterSimulatorItem, name: M } ] }\n",
         "MulticopterSimulatorItem 'M' is not read, but would act on the bodies"},
        {"children: [ { class: OddSubSimulatorItem, name: M } ] }\n",
         "OddSubSimulatorItem 'M' is not read, but would act on the bodies"},
        {"children: [ { class: OddSimulatorItem, name: M } ] }\n",
         "OddSimulatorItem 'M' is not read, but would act on the bodies"},
        {"children: [ { class: Thunderstorm, plugin: Weather, name: M } ] }\n",
         "'M' below a simulator is of an unknown class, Thunderstorm"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[2000];
        (void)snprintf(text, sizeof text,
                       PROJECT_HEAD BODY_ITEM("A", "box.body", "") SIMULATOR
                       "        - { class: AISTSimulatorItem, name: S, %s",
                       cases[k].item);
        const project *p = load(text);
        CHECK(p->simulator_count == 2 && !p->simulators[0].obstacle);
        const char *said = p->simulators[1].obstacle;
        if (!said || strcmp(said, cases[k].obstacle) != 0)
            FAIL("said:     %s\nexpected: %s", said ? said : "nothing", cases[k].obstacle);
        CHECK(p->simulators[1].obstacle_at.line == 9);
        release();
    }
}

/* ---- paths ---- */

TEST(variables_in_paths_are_filled_in_or_named) {
    write_bodies();
    char item[400];
    (void)unsetenv("STICTION_CHOREONOID_SHARE");
    check_refusal(PROJECT_HEAD BODY_ITEM("A", "\"${SHARE}/box.body\"", "") SIMULATOR,
                  "test.cnoid:7:53: '${SHARE}/box.body' needs the environment variable "
                  "STICTION_CHOREONOID_SHARE: the folder for which ${SHARE} stands");
    check_refusal(PROJECT_HEAD BODY_ITEM("A", "\"${WHERE}/box.body\"", "") SIMULATOR,
                  "test.cnoid:7:53: '${WHERE}/box.body' has a variable other than ${SHARE}, "
                  "${PROJECT_DIR} and ${HOME}");
    (void)setenv("STICTION_CHOREONOID_SHARE", temporary_folder, 1);
    const project *p = load(PROJECT_HEAD BODY_ITEM("A", "\"${SHARE}/box.body\"", "")
                                BODY_ITEM("B", "\"${PROJECT_DIR}/box.body\"", "") SIMULATOR);
    (void)snprintf(item, sizeof item, "%s/box.body", temporary_folder);
    CHECK(strcmp(p->bodies[0].file->path, item) == 0);
    CHECK(strcmp(p->bodies[1].file->path, item) == 0);
    (void)unsetenv("STICTION_CHOREONOID_SHARE");
    release();
}

/* ---- what is refused ---- */

TEST(refusals_name_file_line_and_column) {
    write_bodies();
    check_refusal("", "test.cnoid:1:1: the file is empty");
    check_refusal("[ 1, 2 ]\n", "test.cnoid:1:1: the file must be a map, not a list");
    stiction_error error;
    CHECK(!try_read(temporary_file("arm.urdf", "<robot name=\"arm\"/>\n"), &error));
    CHECK_CONTAINS(error.message, "is a robot, not a project (.cnoid)");
    check_refusal("views: []\n", "test.cnoid: is not a project: it has no items");
    check_refusal("items: 3\n", "test.cnoid:1:8: an item must be a map, not a single value");
    check_refusal("items: { name: X }\n", "test.cnoid:1:8: an item lacks its class");
    check_refusal("items: { class: [ X ] }\n", "test.cnoid:1:17: class must be a single value, not "
                                               "a list");
    check_refusal("items: { class: RootItem }\n", "test.cnoid: has no WorldItem");
    check_refusal("items: { class: RootItem, children: { a: 1 } }\n",
                  "test.cnoid:1:37: children must be a list, not a map");
    check_refusal("items: &a { class: RootItem, children: [ *a ] }\n",
                  "test.cnoid:1:42: alias '*a' is inside the node that it refers to");
    check_refusal(PROJECT_HEAD SIMULATOR, "test.cnoid: has no body in its world");
    check_refusal(PROJECT_HEAD BODY_ITEM("A", "box.body", ""),
                  "test.cnoid: has no simulator item in its world");
    check_refusal(PROJECT_HEAD "        - { class: BodyItem, name: A, data: [] }\n",
                  "test.cnoid:7:45: data must be a map, not a list");
    check_refusal(PROJECT_HEAD "        - { class: BodyItem, name: A }\n",
                  "test.cnoid:7:20: body 'A' lacks its file");
    check_refusal(PROJECT_HEAD "        - { class: WorldItem }\n",
                  "test.cnoid:7:20: a second WorldItem is not read");
}

TEST(mistakes_in_an_item_name_their_place) {
    write_bodies();
    static const struct {
        const char *item, *sentence;
    } cases[] = {
        {"BodyItem, name: A, data: { file: box.body, root_rotation: [ 0, 0, 0, 1 ] }",
         "7:78: the axis of root_rotation must not be zero"},
        {"BodyItem, name: A, data: { file: box.body, rootAttitude: [ 1, 0, 0, 0, 1, 0, 0, 0, 2 ] }",
         "7:77: root_attitude is not the matrix of a rotation"},
        {"BodyItem, name: A, data: { file: box.body, fix_root: maybe }",
         "7:73: fix_root must be true or false, not 'maybe'"},
        {"BodyItem, name: A, data: { file: box.body, initial_joint_displacements: [ 3 ] }",
         "7:92: body 'A': initial_joint_displacements has no effect without joint_displacements, "
         "as "
         "in Choreonoid: give both"},
        {"BodyItem, name: A, data: { file: box.body, joint_displacements: 3 }",
         "7:84: joint_displacements must be a list, not a single value"},
        {"BodyItem, name: A, data: { file: box.body, parent_body_linkage: attached }",
         "7:20: body 'A' is attached to another, which is not read"},
        {"AISTSimulatorItem, data: { time_step: 0 }", "7:58: time_step 0 must be above 0"},
        {"AISTSimulatorItem, data: { time_step: .nan }", "7:58: time_step .nan is not finite"},
        {"AISTSimulatorItem, data: { frame_rate: -5 }", "7:59: frame_rate -5 must be above 0"},
        {"AISTSimulatorItem, data: { gravity: [ 0, 0 ] }",
         "7:56: gravity must have 3 numbers, not 2"},
        {"AISTSimulatorItem, data: { time_range_mode: now }",
         "7:64: time_range_mode must be one of unlimited, specified, timebar, not 'now'"},
        {"AISTSimulatorItem, data: { time_range_mode: timebar }",
         "7:64: time_range_mode is timebar, but no TimeBar has a max_time"},
        {"AISTSimulatorItem, data: { time_range_mode: specified, time_length: 0 }",
         "7:88: time_length 0 must be above 0"},
        {"AISTSimulatorItem, children: [ { class: BodyItem, name: A, data: { file: box.body } } ]",
         "7:60: body 'A' below a simulator item is not read"},
        {"SimpleControllerItem, name: C",
         "7:20: SimpleControllerItem 'C' is below no body: it is not read"},
        {"MaterialTableItem, name: T", "7:20: MaterialTableItem 'T' lacks its file"},
        {"PythonSimScriptItem, name: T, is_checked: true",
         "7:20: PythonSimScriptItem 'T' is not read, but would change the simulation"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[2000], expected[400];
        (void)snprintf(text, sizeof text, PROJECT_HEAD "        - { class: %s }\n", cases[k].item);
        (void)snprintf(expected, sizeof expected, "test.cnoid:%s", cases[k].sentence);
        check_refusal(text, expected);
    }
}

TEST(a_body_of_another_format_is_refused) {
    char expected[400];
    (void)temporary_file("test.cnoid", "");
    (void)snprintf(expected, sizeof expected,
                   "test.cnoid:7:53: '%s/robot.sdf' is not a .body, .urdf or .xml file, nor a mesh",
                   temporary_folder);
    check_refusal(PROJECT_HEAD BODY_ITEM("A", "robot.sdf", "") SIMULATOR, expected);
    (void)snprintf(expected, sizeof expected,
                   "test.cnoid:7:53: cannot read '%s/none.body': No such file or directory",
                   temporary_folder);
    check_refusal(PROJECT_HEAD BODY_ITEM("A", "none.body", "") SIMULATOR, expected);
}

static void check_table(const char *text, const char *expected) {
    (void)temporary_file("mine.yaml", text);
    check_refusal("items:\n"
                  "  class: WorldItem\n"
                  "  data: { default_material_table_file: mine.yaml }\n",
                  expected);
}

TEST(mistakes_in_a_table_of_materials_are_told) {
    check_table("[]", "mine.yaml:1:1: the file must be a map, not a list");
    check_table("materials: [ { roughness: 1 } ]", "mine.yaml:1:14: a material lacks its name");
    check_table("materials: [ { name: A, roughness: -1 } ]",
                "mine.yaml:1:36: roughness -1 must not be negative");
    check_table("contact_materials: [ { friction: 1 } ]",
                "mine.yaml:1:22: a contact material lacks its materials");
    check_table("contactMaterials: [ { materials: [ A ] } ]",
                "mine.yaml:1:34: materials must name at least 2, not 1");
    /* each with each of 200, which are 19900 pairs */
    char text[1000] = "contact_materials: [ { materials: [ A", *end = text + strlen(text);
    for (int k = 0; k < 199; k++) end = stpcpy(end, ", A");
    (void)stpcpy(end, " ] } ]");
    check_table(text, "mine.yaml:1:22: has more than 10000 materials and pairs of them");
}
