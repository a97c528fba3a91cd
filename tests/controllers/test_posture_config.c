/* SPDX-License-Identifier: MIT
 * What options and files say to the posture controller, and what is said where they are wrong.
 */
#include "check.h"
#include "controllers/posture/posture_config.h"
#include "document/auto.h"
#include "temporary.h"

OWNS(posture, posture_destroy)

static const double degree = 3.141592653589793 / 180;

enum { robot_joints = 4 };

static void make_robot(posture_joint_def joints[robot_joints]) {
    static const char *const names[] = {"RWRY", "RWRR", "RWRP", "SLIDE"};
    for (size_t k = 0; k < robot_joints; k++) {
        joints[k] = posture_joint_def_default();
        joints[k].name = names[k];
        joints[k].torque_limit = 99; /* as the robot says */
    }
    joints[3].prismatic = true;
}

typedef struct configured {
    posture_def def;
    posture_joint_def joints[robot_joints];
    char message[1600]; /* "place: message", or empty */
} configured;

/* Files and options, applied to the robot; NULL: none. */
static configured configure(const char *yaml, const char *options) {
    static configured c;
    stiction_error error = {0};
    posture_config *config = posture_config_create();
    stiction_status status = STICTION_OK;
    c.def = posture_def_default();
    make_robot(c.joints);
    if (yaml) status = posture_config_add_text(config, yaml, strlen(yaml), "p.yaml", &error);
    if (options && status == STICTION_OK)
        status = posture_config_add_options(config, options, NULL, &error);
    if (status == STICTION_OK)
        status = posture_config_apply(config, &c.def, c.joints, robot_joints, &error);
    c.message[0] = '\0';
    if (status != STICTION_OK && error.line > 0)
        (void)snprintf(c.message, sizeof c.message, "%s:%d:%d: %s", error.path, error.line,
                       error.column, error.message);
    else if (status != STICTION_OK)
        (void)snprintf(c.message, sizeof c.message, "%s%s%s", error.path, *error.path ? ": " : "",
                       error.message);
    CHECK((status == STICTION_OK) == (error.status == STICTION_OK));
    posture_config_destroy(config);
    configured copy = c;
    copy.def.joints = c.joints;
    return copy;
}

TEST(options_set_gains_and_targets) {
    const configured c = configure(NULL, " kp=50 kv=14  lambda=1e0 target=RWRR:90,SLIDE:0.25 "
                                         "kv=RWR?:3 velocity_limit=180 shape=RWRR:step time=0.5");
    if (c.message[0]) FAIL("%s", c.message);
    for (int k = 0; k < robot_joints; k++) {
        CHECK_SAME(c.joints[k].kp, 50);
        CHECK_SAME(c.joints[k].kv, k == 3 ? 14 : 3);
        CHECK_SAME(c.joints[k].torque_limit, 99);
        CHECK_SAME(c.joints[k].trajectory.time, 0.5);
    }
    CHECK_NEAR(c.joints[1].trajectory.target, 90 * degree, 1e-15);
    CHECK(c.joints[1].trajectory.shape == POSTURE_STEP);
    CHECK(c.joints[0].trajectory.shape == POSTURE_HOLD && isnan(c.joints[0].trajectory.target));
    CHECK_NEAR(c.joints[1].velocity_limit, 180 * degree, 1e-14);
    CHECK_SAME(c.joints[3].trajectory.target, 0.25); /* m, as its velocity */
    CHECK_SAME(c.joints[3].velocity_limit, 180);
    OWNED(posture) *controller = NULL;
    posture_def def = c.def;
    def.joints = c.joints;
    CHECK(posture_create(&def, &controller, NULL) == STICTION_OK);
}

static const char whole_file[] = "posture: 1\n"
                                 "mode: qp\n"
                                 "anti_windup: true\n"
                                 "when_infeasible: hold\n"
                                 "kp: 20          # for all joints\n"
                                 "kv: 2\n"
                                 "joints:\n"
                                 "  RWRR: { target: 90, lower_limit: -45, upper_limit: 95 }\n"
                                 "  \"RWR*\": { kp: 30, shape: sine, amplitude: 10,\n"
                                 "            frequency: 0.5 }\n"
                                 "  'RWRP':\n"
                                 "    kp: 40\n";

TEST(files_set_what_options_set_and_options_beat_them) {
    const configured c = configure(whole_file, "kv=7 kp=RWRP:41");
    if (c.message[0]) FAIL("%s", c.message);
    CHECK(c.def.mode == POSTURE_QP && c.def.anti_windup && c.def.hold_infeasible);
    const double kp[] = {30, 30, 41, 20}; /* a name beats a pattern, a pattern all */
    for (int k = 0; k < robot_joints; k++) {
        CHECK_SAME(c.joints[k].kp, kp[k]);
        CHECK_SAME(c.joints[k].kv, 7);
    }
    CHECK_NEAR(c.joints[1].upper_limit, 95 * degree, 1e-15);
    CHECK_NEAR(c.joints[1].trajectory.amplitude, 10 * degree, 1e-15);
    CHECK(c.joints[3].trajectory.shape == POSTURE_HOLD);
    CHECK_SAME(configure(whole_file, "kp=1").joints[2].kp, 1);
    const configured torque = configure(NULL, "mode=torque target=2.5");
    CHECK(torque.def.mode == POSTURE_TORQUE);
    CHECK_SAME(torque.joints[0].trajectory.target, 2.5); /* N m are no degrees */
}

TEST(options_name_a_file) {
    const char *path = temporary_file("posture.yaml", whole_file);
    char options[256];
    (void)snprintf(options, sizeof options, "kp=RWRR:5 config='%s'", path);
    const configured c = configure(NULL, options);
    CHECK(c.message[0] == '\0');
    CHECK_SAME(c.joints[1].kp, 5);
    CHECK_SAME(c.joints[2].kp, 40);

    stiction_error error;
    posture_config *config = posture_config_create();
    CHECK(posture_config_add_options(config, "config=posture.yaml", temporary_folder, &error) ==
          STICTION_OK);
    CHECK(posture_config_add_options(config, "config=posture.yaml", "/nowhere", &error) ==
          STICTION_INVALID_CONFIG);
    CHECK_CONTAINS(error.message, "the file cannot be read: No such file or directory");
    CHECK(posture_config_add_file(config, "/tmp", &error) == STICTION_INVALID_CONFIG);
    posture_config_destroy(config);
}

/* The exact error messages. */
typedef struct mistake {
    const char *yaml, *options, *message;
} mistake;

static const mistake mistakes[] = {
    {NULL, "kpp=1", "option 'kpp': there is no such option; the nearest is 'kp'"},
    {NULL, "conf=a.yaml", "option 'conf': there is no such option; the nearest is 'config'"},
    {NULL, "kp", "option 'kp': a value is missing, as in kp=VALUE"},
    {NULL, "kp= kv=2", "option 'kp': a value is missing, as in kp=VALUE"},
    {NULL, "kp=2o", "option 'kp': kp must be a decimal number such as 2.5 or 1e-3, not '2o'"},
    {NULL, "kp=1e999", "option 'kp': kp must be a decimal number such as 2.5 or 1e-3, not '1e999'"},
    {NULL, "kp=0x10", "option 'kp': kp must be a decimal number such as 2.5 or 1e-3, not '0x10'"},
    {NULL, "kp=1e13", "option 'kp': kp 10000000000000 must be at most 1e+12"},
    {NULL, "target=RWRR:-1e13",
     "option 'target': joint 'RWRR': target -10000000000000 must be at least -1e+12"},
    {NULL, "kp=RWRR:-1", "option 'kp': joint 'RWRR': kp -1 must be at least 0"},
    {NULL, "braking=0", "option 'braking': braking 0 must be above 0"},
    {NULL, "kp=1 kv=3 kp=2", "option 'kp': kp is given twice"},
    {NULL, "kp=1,kv=3", "option 'kp': 'kv=3' is not JOINT:VALUE; options are separated by spaces"},
    {NULL, "target=RWRR:1,RWRR:2", "option 'target': joint 'RWRR': target is given twice"},
    {NULL, "target=:1", "option 'target': a joint's name is empty"},
    {NULL, "target=RWRX:1",
     "option 'target': joint 'RWRX': the robot has no such joint; the nearest is 'RWRY'"},
    {NULL, "mode=qpp", "option 'mode': mode must be qp | pd | torque, not 'qpp'"},
    {NULL, "mode=RWRR:pd",
     "option 'mode': joint 'RWRR': mode is of the controller, not of a joint"},
    {NULL, "config='a b", "option 'config': a quote is not closed"},
    {NULL, "shape=ramp", "option 'shape': joint 'RWRY': a ramp needs a duration above 0"},
    {NULL, "mode=pd lambda=2",
     "option 'lambda': joint 'RWRY': lambda 2: only mode qp has an integral term"},
    {NULL, "config=/nowhere/p.yaml",
     "/nowhere/p.yaml: the file cannot be read: No such file or directory"},
    {"posture: 1\nkpp: 3\n", NULL, "p.yaml:2:1: there is no key 'kpp'; the nearest is 'kp'"},
    {"posture: 1\njoint: {}\n", NULL,
     "p.yaml:2:1: there is no key 'joint'; the nearest is 'joints'"},
    {"posture: 1\njoints:\n  RWRR: { kp: 1, mod: qp }\n", NULL,
     "p.yaml:3:18: joint 'RWRR': there is no key 'mod'; there are 'kp', 'kv', 'lambda', 'weight', "
     "'torque_limit', "
     "'velocity_limit', 'lower_limit', 'upper_limit', 'braking', 'target', 'from', 'time', "
     "'duration', 'amplitude', 'frequency' and 'shape'"},
    {"posture: 1\njoints:\n  RWRR: { kp: -1 }\n", NULL,
     "p.yaml:3:15: joint 'RWRR': kp -1 must be at least 0"},
    {"posture: 1\nkp: abc\n", NULL,
     "p.yaml:2:5: kp must be a decimal number such as 2.5 or 1e-3, not 'abc'"},
    {"posture: 1\nkp: [1, 2]\n", NULL,
     "p.yaml:2:5: kp must be a number or word, not a list or a mapping"},
    {"posture: 1\nkp: 1\nkv: 1\nkp: 2\n", NULL,
     "p.yaml:4:1: the key 'kp' is given twice, first in line 2"},
    {"posture: 1\njoints:\n  RWRR: { kp: 1 }\n  RWRR: { kv: 1 }\n", NULL,
     "p.yaml:4:3: the key 'RWRR' is given twice, first in line 3"},
    {"posture: 1\njoints: {}\njoints: {}\n", NULL,
     "p.yaml:3:1: the key 'joints' is given twice, first in line 2"},
    {"posture: 1\njoints:\n  RWRR: 90\n", NULL,
     "p.yaml:3:9: joint 'RWRR': it must be a mapping such as { target: 90 }"},
    {"posture: 1\njoints: 3\n", NULL, "p.yaml:2:9: joints must be a mapping of names"},
    {"posture: 1\njoints:\n  '': { kp: 1 }\n", NULL, "p.yaml:3:3: a joint's name is empty"},
    {"posture: 1\njoints:\n  LWRR: { kp: 1 }\n", NULL,
     "p.yaml:3:3: joint 'LWRR': the robot has no such joint; the nearest is 'RWRR'"},
    {"posture: 1\njoints:\n  RWRR: { lower_limit: 10,\n          upper_limit: -10 }\n", NULL,
     "p.yaml:4:24: joint 'RWRR': upper_limit -0.174532925199433 rad is below lower_limit "
     "0.174532925199433 rad"},
    {"posture: 1\nshape: sine\n", NULL,
     "p.yaml:2:8: joint 'RWRY': a sine needs a frequency above 0"},
    {"posture: 2\n", NULL, "p.yaml:1:10: posture must be 1, the version of the format, not '2'"},
    {"kp: 2\n", NULL,
     "p.yaml:1:1: there is no key 'posture': a file must say posture: 1, the version of the "
     "format"},
    {"", NULL, "p.yaml:1:1: the file is empty; it must say posture: 1"},
    {"[1, 2]\n", NULL, "p.yaml:1:1: a file must be a mapping such as posture: 1"},
    {"posture: 1\n---\nposture: 1\n", NULL,
     "p.yaml:2:1: a second document begins here; a file is one"},
    {"posture: 1\n\tkp: 2\n", NULL,
     "p.yaml:2:1: this is not YAML: a tab is used where only spaces are allowed"},
    {"posture: 1\nkp: *a\n", NULL, "p.yaml:2:5: alias '*a' has no anchor '&a' before it"},
    {"posture: 1\nkp: \xff\n", NULL,
     "p.yaml:2:5: byte 0xFF is not allowed here: YAML is UTF-8 text without control "
     "characters"},
    {"posture: 1\n? [a]\n: 1\n", NULL,
     "p.yaml:2:3: a key must be a text, not a list or a mapping; quote the pattern if it is one"},
};

TEST(mistakes_are_named_with_their_place) {
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        const configured c = configure(mistakes[k].yaml, mistakes[k].options);
        if (strcmp(c.message, mistakes[k].message) != 0)
            FAIL("mistake %zu: \"%s\", expected \"%s\"", k, c.message, mistakes[k].message);
    }
}

/* Each is compared with all others: a file of many takes minutes where none refuses it. */
TEST(bytes_of_patterns_are_bounded) {
    AUTO_FREE char *text = malloc(1025 * 32 + 64);
    size_t size = (size_t)sprintf(text, "posture: 1\njoints:\n");
    for (int k = 0; k <= 1024; k++)
        size += (size_t)sprintf(text + size, "  '*aaaaaaaaaab%04d': { kp: 1 }\n", k);
    CHECK_CONTAINS(
        configure(text, NULL).message,
        "p.yaml:1027:29: joint '*aaaaaaaaaab1024': the patterns of joints have more than "
        "16384 bytes in all");
}

TEST(settings_are_bounded) {
    AUTO_FREE char *text = malloc(20001 * 24 + 64);
    size_t size = (size_t)sprintf(text, "posture: 1\njoints:\n");
    for (int k = 0; k < 20000; k++) size += (size_t)sprintf(text + size, "  J%d: { kp: 1 }\n", k);
    CHECK_CONTAINS(configure(text, NULL).message, "joint 'J0': the robot has no such joint");
    (void)sprintf(text + size, "  J: { kp: 1 }\n");
    CHECK(strcmp(configure(text, NULL).message,
                 "p.yaml:20003:12: there are more than 20000 settings") == 0);
}

TEST(the_document_names_every_key) {
    static char text[20000];
    FILE *file = fopen("../plugin/controllers/posture/README.md", "rb");
    CHECK(file != NULL);
    if (!file) return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    posture_key_info info;
    size_t count = 0;
    for (; posture_config_key_at(count, &info); count++) {
        char row[128];
        (void)snprintf(row, sizeof row, "| `%s` |", info.name);
        CHECK_CONTAINS(text, row);
    }
    CHECK(count > 10);
}
