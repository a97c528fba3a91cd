/* SPDX-License-Identifier: MIT
 * What files say to the whole-body controller, and what is said where they are wrong.
 */
#include "check.h"
#include "controllers/whole_body/whole_body_config.h"

static const double degree = 3.141592653589793 / 180;

/* ---- a robot ---- */

static const char *const links[] = {"PELVIS", "RFOOT", "LFOOT", "HAND"};
static const stiction_controller_joint joints[] = {
    {"RLEG", 0, -3, 3, 10, 100}, {"LLEG", 0, -3, 3, 10, 100}, {"ARM", 0, -3, 3, 10, 100}};

static stiction_controller_setup setup_of(int floating) {
    return (stiction_controller_setup){.size = sizeof(stiction_controller_setup),
                                       .options = "",
                                       .directory = "",
                                       .timestep = 0.001,
                                       .gravity = {0, 0, -9.81},
                                       .floating = floating,
                                       .joint_count = 3,
                                       .joints = joints,
                                       .link_count = 4,
                                       .links = links};
}

typedef struct configured {
    posture_config *config;
    posture_joint_def joints[3];
    arena memory;
    whole_body_def def;
    char message[1600];
} configured;

static void configure(configured *c, const char *yaml, int floating) {
    stiction_error error = {0};
    const stiction_controller_setup setup = setup_of(floating);
    *c = (configured){.config = posture_config_create()};
    c->def.posture = posture_def_default();
    for (size_t k = 0; k < 3; k++) {
        c->joints[k] = posture_joint_def_default();
        c->joints[k].name = joints[k].name;
    }
    stiction_status status =
        posture_config_add_text(c->config, yaml, strlen(yaml), "w.yaml", &error);
    if (status == STICTION_OK)
        status = posture_config_apply(c->config, &c->def.posture, c->joints, 3, &error);
    if (status == STICTION_OK)
        status = whole_body_config_apply(c->config, &setup, &c->memory, &c->def, &error);
    if (status != STICTION_OK)
        (void)snprintf(c->message, sizeof c->message, "%s:%d:%d: %s", error.path, error.line,
                       error.column, error.message);
}

static void release(configured *c) {
    posture_config_destroy(c->config);
    stiction_arena_free(&c->memory);
}

#define CORNERS "corners: [ [ 0.1, 0.1, 0 ], [ 0.1, -0.1, 0 ], [ -0.1, 0, 0 ] ]"

/* ---- what is read ---- */

TEST(tasks_and_contacts_are_read) {
    configured c;
    configure(
        &c,
        "posture: 1\n"
        "kp: 50\n"
        "kv: 14\n"
        "lambda: 2\n"
        "tasks:\n"
        "  com: { weight: 1000, moves: [ { time: 1, duration: 2, offset: [ 0, 0, -0.1 ] }, "
        "{ time: 5, duration: 2, to: [ 0, 0, 1 ] } ] }\n"
        "  trunk: { type: orientation, kp: 7, axes: xz, moves: [ { time: 1, turn: [ 0, 0, 90 "
        "] } ] }\n"
        "  hand: { type: position, link: HAND, point: [ 0, 0, -0.1 ], feedforward: 0.5, shape: "
        "ramp }\n"
        "  posture: { weight: 0.5 }\n"
        "contacts:\n"
        "  right: { link: RFOOT, " CORNERS ", friction: 0.7, kv: 20 }\n"
        "  touch: { link: HAND, corners: [ [ 0, 0, 0 ] ], normal: [ 2, 0, 0 ], closing: told, "
        "from: 1, until: 2 }\n"
        "apart: [ \"A*\" ]\n",
        1);
    if (c.message[0]) FAIL("%s", c.message);
    const whole_body_def *d = &c.def;
    CHECK(d->task_count == 3 && d->contact_count == 2 && d->link_count == 3);
    CHECK_SAME(d->posture_weight, 0.5);
    CHECK_SAME(d->base_lambda, 2);
    CHECK(d->tasks[0].kind == WHOLE_BODY_COM && d->tasks[0].move_count == 2);
    CHECK_SAME(d->tasks[0].kp, 50);
    CHECK_SAME(d->tasks[0].weight, 1000);
    CHECK(d->tasks[0].shape == POSTURE_SMOOTH);
    CHECK_SAME(d->tasks[0].moves[0].to[2], -0.1);
    CHECK(!d->tasks[0].moves[0].is_absolute && d->tasks[0].moves[1].is_absolute);
    CHECK(d->tasks[1].kind == WHOLE_BODY_ORIENTATION && d->tasks[1].link == 0);
    CHECK_SAME(d->tasks[1].kp, 7);
    CHECK_SAME(d->tasks[1].kv, 14);
    CHECK(d->tasks[1].axes[0] && !d->tasks[1].axes[1] && d->tasks[1].axes[2]);
    CHECK_NEAR(d->tasks[1].moves[0].turn[2], 90 * degree, 1e-15);
    CHECK(d->tasks[2].link == 3 && d->tasks[2].shape == POSTURE_RAMP);
    CHECK_SAME(d->tasks[2].feedforward, 0.5);
    CHECK_SAME(d->tasks[2].point[2], -0.1);
    CHECK(d->contacts[0].corner_count == 3 && d->contacts[0].closing == WHOLE_BODY_BY_FORCE);
    CHECK_SAME(d->contacts[0].friction, 0.7);
    CHECK(isinf(d->contacts[0].until));
    CHECK(d->contacts[1].corner_count == 1 && d->contacts[1].closing == WHOLE_BODY_TOLD);
    CHECK_SAME(d->contacts[1].normal[0], 1);
    CHECK(!d->apart[0] && !d->apart[1] && d->apart[2]);
    release(&c);
}

TEST(without_sections_there_is_the_posture_alone) {
    configured c;
    configure(&c, "posture: 1\n", 0);
    CHECK(!c.message[0] && c.def.task_count == 0 && c.def.contact_count == 0 && !c.def.apart);
    CHECK_SAME(c.def.posture_weight, 1);
    release(&c);
}

/* ---- what is refused ---- */

TEST(mistakes_have_a_place_and_a_sentence) {
    static const struct {
        const char *yaml, *message;
    } cases[] = {
        {"tasks: 3", "w.yaml:2:8: tasks: it must be a mapping of names"},
        {"tasks: { com: 3 }", "w.yaml:2:15: task 'com': it must be a mapping of keys"},
        {"tasks: { com: { wight: 3 } }",
         "w.yaml:2:17: task 'com': there is no key 'wight'; the nearest is 'weight'"},
        {"tasks: { com: { weight: 0 } }", "w.yaml:2:25: task 'com': weight 0 must be above 0"},
        {"tasks: { com: { kp: 1e13 } }",
         "w.yaml:2:21: task 'com': kp 10000000000000 must be at most 1e+12"},
        {"tasks: { com: { kp: -1 } }", "w.yaml:2:21: task 'com': kp -1 must be at least 0"},
        {"tasks: { com: { kp: x } }",
         "w.yaml:2:21: task 'com': kp must be a decimal number such as 2.5 or 1e-3, not 'x'"},
        {"tasks: { com: { link: HAND } }",
         "w.yaml:2:10: task 'com': the centre of mass has no link"},
        {"tasks: { foo: { weight: 1 } }",
         "w.yaml:2:10: task 'foo': its type must be com | orientation | position | pose | posture"},
        {"tasks: { foo: { type: bar } }",
         "w.yaml:2:23: task 'foo': type must be com | orientation | position | pose | posture, not "
         "'bar'"},
        {"tasks: { hand: { type: position } }", "w.yaml:2:10: task 'hand': it needs a link"},
        {"tasks: { hand: { type: pose, link: HANDS } }",
         "w.yaml:2:36: task 'hand': the robot has no link 'HANDS'; the nearest is 'HAND'"},
        {"tasks: { com: { point: [ 1, 2, 3 ] } }",
         "w.yaml:2:10: task 'com': only a position or pose has a point"},
        {"tasks: { com: { axes: xw } }",
         "w.yaml:2:15: task 'com': axes must be some of xyz, not 'xw'"},
        {"tasks: { com: { axes: xx } }",
         "w.yaml:2:15: task 'com': axes must be some of xyz, not 'xx'"},
        {"tasks: { com: { shape: sine } }",
         "w.yaml:2:24: task 'com': shape must be smooth | ramp | step, not 'sine'"},
        {"tasks: { com: { moves: 1 } }", "w.yaml:2:24: task 'com': moves must be a list"},
        {"tasks: { com: { moves: [ { offset: [ 0, 0, 1 ] } ] } }",
         "w.yaml:2:26: task 'com': a move needs its time"},
        {"tasks: { com: { moves: [ { time: 1 } ] } }",
         "w.yaml:2:26: task 'com': a move needs an offset, to or turn"},
        {"tasks: { com: { moves: [ { time: 1, offset: [ 0, 0, 1 ], to: [ 0, 0, 1 ] } ] } }",
         "w.yaml:2:26: task 'com': a move has an offset or to, not both"},
        {"tasks: { com: { moves: [ { time: 1, turn: [ 0, 0, 1 ] } ] } }",
         "w.yaml:2:26: task 'com': a position does not turn"},
        {"tasks: { com: { moves: [ { time: 1, offset: [ 0, 1 ] } ] } }",
         "w.yaml:2:45: task 'com': offset must be a list of three numbers"},
        {"tasks: { com: { moves: [ { time: 1, duration: 2, offset: [ 0, 0, 1 ] }, { time: 2, "
         "offset: [ 0, 0, 0 ] } ] } }",
         "task 'com': a move at 2 s begins before the one before it ends, at 3 s"},
        {"tasks: { trunk: { type: orientation, moves: [ { time: 1, offset: [ 0, 0, 1 ] } ] } }",
         "an orientation moves by turn alone"},
        {"tasks: { posture: { kp: 3 } }",
         "w.yaml:2:10: task 'posture': a posture has a weight; the rest is of the joints"},
        {"contacts: [ 1 ]", "w.yaml:2:11: contacts: it must be a mapping of names"},
        {"contacts: { foot: { " CORNERS " } }", "w.yaml:2:13: contact 'foot': it needs a link"},
        {"contacts: { foot: { link: RFOOT } }",
         "w.yaml:2:13: contact 'foot': it needs corners: a list of points of the link"},
        {"contacts: { foot: { link: RFOOT, corners: [ [ 0, 0, 0 ], [ 1, 0, 0 ] ] } }",
         "contact 'foot': it has 2 corners and must have 1, for a point, or 3 to 8"},
        {"contacts: { foot: { link: RFOOT, corners: [ [ 0, 0 ] ] } }",
         "w.yaml:2:45: contact 'foot': a corner must be a list of three numbers"},
        {"contacts: { foot: { link: RFOOT, " CORNERS ", friction: 0 } }",
         "contact 'foot': friction 0 must be above 0"},
        {"contacts: { foot: { link: RFOOT, " CORNERS ", normal: [ 0, 0, 0 ] } }",
         "contact 'foot': its normal has no direction"},
        {"contacts: { foot: { link: RFOOT, " CORNERS ", open_force: 30 } }",
         "contact 'foot': open_force 30 must be below close_force 20"},
        {"contacts: { foot: { link: RFOOT, " CORNERS ", closing: told, from: 2, until: 1 } }",
         "contact 'foot': until 1 must be above from 2"},
        {"apart: RLEG", "w.yaml:2:8: apart: it must be a list of joints or patterns"},
        {"apart: [ RLGE ]", "w.yaml:2:10: apart: the robot has no joint 'RLGE'"},
        {"apart: [ \"*\" ]", "w.yaml:2:8: apart: no joint is left for the program to move"},
        {"task: 3", "w.yaml:2:1: there is no key 'task'; the nearest is 'tasks'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        configured c;
        char yaml[1000];
        (void)snprintf(yaml, sizeof yaml, "posture: 1\n%s\n", cases[k].yaml);
        configure(&c, yaml, 1);
        if (!strstr(c.message, cases[k].message))
            FAIL("%s:\n  %s\n  expected %s", cases[k].yaml, c.message, cases[k].message);
        release(&c);
    }
}

TEST(a_fixed_base_has_no_task_of_its_centre_of_mass) {
    configured c;
    configure(&c, "posture: 1\ntasks: { com: { weight: 1 } }\n", 0);
    CHECK(strstr(c.message, "w.yaml:2:10: task 'com': the centre of mass is a task of a base that "
                            "floats; this one is fixed"));
    release(&c);
}
