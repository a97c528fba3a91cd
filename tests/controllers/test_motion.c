/* SPDX-License-Identifier: MIT
 * Motions from CSV files: a table that is played back, and what is said where it is wrong.
 */
#include "check.h"
#include "controllers/posture/posture_config.h"
#include "random.h"
#include "temporary.h"

enum { robot_joints = 3 };

typedef struct played {
    posture_config *config; /* the samples are its own */
    posture_def def;
    posture_joint_def joints[robot_joints];
    char message[1600]; /* "place: message", or empty */
} played;

static void format(char *text, size_t size, const stiction_error *e) {
    const char *name = strrchr(e->path, '/'); /* the folder is a new one each time */
    if (e->line > 0)
        (void)snprintf(text, size, "%s:%d:%d: %s", name ? name + 1 : e->path, e->line, e->column,
                       e->message);
    else
        (void)snprintf(text, size, "%s", e->message);
}

/* A motion of a robot, named in an option string that is relative to the folder of the file. */
static played play(const char *csv, const char *options) {
    static const char *const names[] = {"RWRY", "RWRR", "SLIDE"};
    char all[256];
    stiction_error error = {0};
    (void)temporary_file("motion.csv", csv);
    (void)snprintf(all, sizeof all, "motion=motion.csv %s", options);
    played p = {.config = posture_config_create(), .def = posture_def_default()};
    for (size_t k = 0; k < robot_joints; k++) {
        p.joints[k] = posture_joint_def_default();
        p.joints[k].name = names[k];
        p.joints[k].prismatic = k == 2;
    }
    stiction_status status = posture_config_add_options(p.config, all, temporary_folder, &error);
    if (status == STICTION_OK)
        status = posture_config_apply(p.config, &p.def, p.joints, robot_joints, &error);
    CHECK((status == STICTION_OK) == (error.status == STICTION_OK));
    if (status != STICTION_OK) format(p.message, sizeof p.message, &error);
    return p;
}

static double position(const played *p, size_t joint, double t) {
    return posture_trajectory_at(&p->joints[joint].trajectory, t, -7).q;
}

TEST(a_table_moves_the_joints_it_names_along_straight_lines) {
    played p = play("time,RWRR,SLIDE.position,RWRY.velocity\n"
                    "0.5,1,0.25,x\n"
                    "\r\n"
                    "1,2,0.5,y\r\n"
                    "3,\"-2\", 0.5 ,\"z,\"\"z\"\n",
                    "shape=sine frequency=1 target=RWRY:90,RWRR:5");
    if (p.message[0]) FAIL("%s", p.message);
    CHECK_SAME(position(&p, 1, 0), 1);
    CHECK_SAME(position(&p, 1, 0.75), 1.5);
    CHECK_SAME(position(&p, 1, 2), 0);
    CHECK_SAME(position(&p, 1, 9), -2);
    CHECK_SAME(position(&p, 2, 0.75), 0.375); /* m are no degrees, nor is a table in degrees */
    CHECK(p.joints[0].trajectory.shape == POSTURE_SINE); /* has no column that counts */
    posture_config_destroy(p.config);
}

TEST(a_controller_keeps_the_samples_when_the_configuration_is_gone) {
    played p = play("RWRR,time\n1,0\n3,1\n", "mode=torque torque_limit=9");
    posture *controller = NULL;
    posture_state *state = NULL;
    p.def.joints = p.joints; /* the struct was copied */
    CHECK(posture_create(&p.def, &controller, NULL) == STICTION_OK);
    posture_config_destroy(p.config);
    CHECK(posture_state_create(controller, &state, NULL) == STICTION_OK);
    double q[robot_joints] = {0}, dq[robot_joints] = {0}, torque[robot_joints] = {0};
    posture_input input = {0};
    posture_output output = {0};
    input.t = 0.5;
    input.dt = 1e-3;
    input.q = q;
    input.dq = dq;
    output.torque = torque;
    CHECK(posture_step(state, &input, &output) == 0);
    CHECK_SAME(torque[1], 2);
    CHECK_SAME(torque[0], 0);
    posture_state_destroy(state);
    posture_destroy(controller);
}

static const char recording[] = "time,RWRR.position,RWRR.velocity,RWRR.command,RWRR.target,"
                                "RWRY.position,RWRY.command,RWRY.target\n"
                                "0,0.1,0,2.5,1.5,0.3,-1,nan\n"
                                "1,0.2,0,3.5,1.5,0.4,-2,\n";

TEST(a_recording_is_played_back_by_target_then_position_or_by_command) {
    played p = play(recording, "");
    if (p.message[0]) FAIL("%s", p.message);
    CHECK_SAME(position(&p, 1, 1), 1.5); /* what was asked for, not what came of it */
    CHECK_SAME(position(&p, 0, 1), 0.4); /* an unknown target */
    posture_config_destroy(p.config);
    p = play(recording, "mode=torque");
    if (p.message[0]) FAIL("%s", p.message);
    CHECK_SAME(position(&p, 1, 1), 3.5);
    CHECK_SAME(position(&p, 0, 0.5), -1.5);
    CHECK(p.joints[2].trajectory.shape == POSTURE_HOLD);
    posture_config_destroy(p.config);
}

TEST(a_path_in_a_file_is_relative_to_that_file) {
    stiction_error error = {0};
    played p = play("time,RWRR\n0,1.25\n", "");
    posture_config_destroy(p.config);
    const char *yaml = temporary_file("p.yaml", "posture: 1\nmotion: motion.csv\n");
    p.config = posture_config_create();
    CHECK(posture_config_add_file(p.config, yaml, &error) == STICTION_OK);
    CHECK(posture_config_apply(p.config, &p.def, p.joints, robot_joints, &error) == STICTION_OK);
    CHECK_SAME(position(&p, 1, 0), 1.25);
    /* a later one beats it, and is named where it stands */
    CHECK(posture_config_add_text(p.config, "posture: 1\nmotion: none.csv\n", 28, "q.yaml",
                                  &error) == STICTION_OK);
    CHECK(posture_config_apply(p.config, &p.def, p.joints, robot_joints, &error) ==
          STICTION_INVALID_CONFIG);
    format(p.message, sizeof p.message, &error);
    CHECK_CONTAINS(p.message, "q.yaml:2:9: the motion 'none.csv' cannot be read: No such file");
    posture_config_destroy(p.config);
}

/* The exact error messages. */
static const struct {
    const char *csv, *options, *message;
} mistakes[] = {
    /* a quote that one reader of the row counted and the other did not led past its end */
    {"\xEF\xBB\xBF:\"\",\"", "", "motion.csv:1:8: a quote is not closed"},
    {"", "", "motion.csv:1:1: the file is empty: it needs a header such as time,RWRY"},
    {"\n\n", "", "motion.csv:1:1: the file is empty: it needs a header such as time,RWRY"},
    {"t,RWRR\n0,0\n", "", "motion.csv:1:1: the header has no column 'time', in s"},
    {"RWRR,RWRY\n0,0\n", "", "motion.csv:1:1: the header has no column 'time', in s"},
    {"time, LWRR.position\n0,0\n", "",
     "motion.csv:1:7: joint 'LWRR': the robot has no such joint; the nearest is 'RWRR'"},
    {"time,RWRR,RWRR.position\n0,0,0\n", "",
     "motion.csv:1:11: the columns 'RWRR' and 'RWRR.position' say the same"},
    {"time,RWRR.target,RWRR\n0,0,0\n", "",
     "motion.csv:1:18: the columns 'RWRR.target' and 'RWRR' say the same"},
    {"time,RWRR.target,time\n0,0,0\n", "",
     "motion.csv:1:18: the columns 'time' and 'time' say the same"},
    {"time,RWRR,RWRR.command\n0,0,0\n", "mode=torque",
     "motion.csv:1:11: the columns 'RWRR' and 'RWRR.command' say the same"},
    {"time,RWRR.command\n0,0\n", "",
     "motion.csv:1:1: no column moves a joint: modes qp and pd read JOINT, JOINT.position or "
     "JOINT.target"},
    {"time,RWRR.position\n0,0\n", "mode=torque",
     "motion.csv:1:1: no column moves a joint: mode torque reads JOINT or JOINT.command"},
    {"time,RWRR\n", "", "motion.csv:1:1: no row follows the header"},
    {"time,RWRR\n0,0\n\n1\n", "", "motion.csv:4:1: the row has 1 cells, the header 2"},
    {"time,RWRR\n0,0,0\n", "", "motion.csv:2:1: the row has 3 cells, the header 2"},
    {"time,RWRR\n0,0\n0,1\n", "", "motion.csv:3:1: time 0 must be above 0, that of the row before"},
    {"time,RWRR\n0,0\n1, o\n", "",
     "motion.csv:3:4: RWRR must be a decimal number such as 2.5 or 1e-3, not 'o'"},
    {"time,RWRR\n0,nan\n", "",
     "motion.csv:2:3: RWRR must be a decimal number such as 2.5 or 1e-3, not 'nan'"},
    {"time,RWRR\n0,\n", "",
     "motion.csv:2:3: RWRR must be a decimal number such as 2.5 or 1e-3, not ''"},
    {"time,RWRR.target\n0,1\n1,nan\n", "",
     "motion.csv:3:1: RWRR.target has no number here, but in other rows"},
    {"time,\"RWRR\n0,0\n", "", "motion.csv:1:6: a quote is not closed"},
    {"time,RWRR\n0,\"1\"2\n", "", "motion.csv:2:6: text follows a closing quote"},
    {"time,RWRR\n0,0\n", "motion=motion.csv", "option 'motion': motion is given twice"},
};

TEST(mistakes_are_named_with_their_place) {
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        const played p = play(mistakes[k].csv, mistakes[k].options);
        if (strcmp(p.message, mistakes[k].message) != 0)
            FAIL("mistake %zu: \"%s\", expected \"%s\"", k, p.message, mistakes[k].message);
        posture_config_destroy(p.config);
    }
}

/* Every truncated or changed table gives a motion or an error message. */
TEST(damaged_tables_are_read_or_refused) {
    const size_t size = sizeof recording - 1;
    random_source r = {3};
    size_t refused = 0;
    for (size_t k = 0; k < 2000; k++) {
        char text[sizeof recording];
        memcpy(text, recording, sizeof text);
        if (k < size) text[k] = '\0';
        for (int changes = k < size ? 0 : 3; changes-- > 0;)
            text[random_bits(&r) % size] = (char)(random_bits(&r) % 255 + 1);
        const played p = play(text, "");
        refused += p.message[0] != '\0';
        for (size_t j = 0; j < robot_joints && !p.message[0]; j++)
            CHECK(position(&p, j, 1) < 1e300);
        posture_config_destroy(p.config);
    }
    CHECK(refused > 100 && refused < 2000);
}
