/* SPDX-License-Identifier: MIT
 * Values replaced in a configuration: whom they reach, and that every error keeps its place.
 */
#include <string.h>

#include "auto.h"
#include "load.h"
#include "stiction/stiction.h"

static const char yaml[] = "stiction: 1\n"
                           "profiles:\n"
                           "  p: &p { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4,\n"
                           "       stribeck_velocity: 0.06, viscous: 4.5, stiffness: 5000,\n"
                           "       damping: 50 }\n"
                           "  q: *p\n"
                           "joints:\n"
                           "  A: { profile: p }\n"
                           "  \"B*\": { profile: p, viscous: 3 }\n"
                           "  D: { profile: q }\n";

static const char *const names[] = {"A", "B1", "B2", "C", "D"};
enum { name_count = sizeof names / sizeof names[0] };

typedef struct edited {
    stiction_config *config;
    stiction_status status;
    char message[1700]; /* of the first error */
    size_t errors;
} edited;

static void edited_free(edited *e) {
    stiction_config_destroy(e->config);
}

static edited with(const stiction_override *overrides, size_t count) {
    edited e = {.config = parse_fine(yaml)};
    stiction_errors *errors = stiction_errors_create();
    e.status = stiction_config_override(e.config, overrides, count, names, name_count, errors);
    (void)stiction_error_format(stiction_errors_at(errors, 0), e.message, sizeof e.message);
    e.errors = stiction_errors_count(errors);
    stiction_errors_destroy(errors);
    return e;
}

static stiction_joint_def friction(const stiction_config *config, const char *joint) {
    stiction_joint_def def = stiction_joint_def_default();
    CHECK(stiction_config_find_joint(config, joint, &def) != NULL);
    return def;
}

TEST(a_joint_of_a_pattern_gets_its_own_value_and_its_siblings_keep_theirs) {
    AUTO(edited_free) edited e = with(&(stiction_override){"joints.B1.viscous", "7"}, 1);
    CHECK(e.status == STICTION_OK);
    CHECK_NEAR(friction(e.config, "A").viscous, 4.5, 0);
    CHECK_NEAR(friction(e.config, "B1").viscous, 7, 0);
    CHECK_NEAR(friction(e.config, "B2").viscous, 3, 0);
}

TEST(a_pattern_reaches_all_joints_with_friction_and_a_later_value_beats_an_earlier_one) {
    const stiction_override overrides[] = {{"joints.*.viscous", "7"}, {"joints.B2.viscous", "8"}};
    AUTO(edited_free) edited e = with(overrides, 2);
    CHECK(e.status == STICTION_OK);
    CHECK_NEAR(friction(e.config, "A").viscous, 7, 0);
    CHECK_NEAR(friction(e.config, "B1").viscous, 7, 0);
    CHECK_NEAR(friction(e.config, "B2").viscous, 8, 0);
    CHECK(stiction_config_find_joint(e.config, "C", NULL) == NULL);
}

TEST(a_profile_reaches_the_joints_that_use_it_and_no_alias_of_it) {
    AUTO(edited_free) edited e = with(&(stiction_override){"profiles.p.viscous", "6"}, 1);
    CHECK(e.status == STICTION_OK);
    CHECK_NEAR(friction(e.config, "A").viscous, 6, 0);
    CHECK_NEAR(friction(e.config, "B1").viscous, 3, 0);
    CHECK_NEAR(friction(e.config, "D").viscous, 4.5, 0);
}

TEST(one_law_for_all_joints_of_the_file) {
    AUTO(edited_free) edited e = with(&(stiction_override){"law", "coulomb"}, 1);
    CHECK(e.status == STICTION_OK);
    for (size_t k = 0; k < name_count; k++)
        if (strcmp(names[k], "C") != 0)
            CHECK(strcmp(friction(e.config, names[k]).law, "coulomb") == 0);
}

TEST(values_that_need_each_other_come_together) {
    const stiction_override overrides[] = {{"joints.A.law", "karnopp"},
                                           {"joints.A.stick_velocity", "0.01"}};
    AUTO(edited_free) edited e = with(overrides, 2);
    CHECK(e.status == STICTION_OK);
    CHECK_NEAR(friction(e.config, "A").stick_velocity, 0.01, 0);
    stiction_config_destroy(e.config);
    e = with(overrides, 1);
    CHECK(e.status == STICTION_INVALID_CONFIG);
    CHECK_CONTAINS(e.message, "fine.yaml:8:3: override joints.A.law=karnopp: joint 'A': ");
    CHECK_CONTAINS(e.message, "needs stick_velocity");
}

TEST(overrides_come_one_after_another_and_the_top_level_is_reached) {
    AUTO(edited_free) edited e = with(&(stiction_override){"timestep", "0.002"}, 1);
    CHECK(e.status == STICTION_OK);
    const stiction_override second = {"joints.A.damping", "60"};
    CHECK(stiction_config_override(e.config, &second, 1, NULL, 0, NULL) == STICTION_OK);
    CHECK_NEAR(stiction_config_timestep(e.config), 0.002, 0);
    CHECK_NEAR(friction(e.config, "A").damping, 60, 0);
    CHECK(stiction_config_override(e.config, NULL, 0, NULL, 0, NULL) == STICTION_OK);
}

TEST(a_list_is_replaced_as_a_whole) {
    const stiction_override overrides[] = {{"profiles.p.presliding_torque", "[0.1, 0.2]"},
                                           {"profiles.p.presliding_stiffness", "[2000, 1000]"},
                                           {"joints.B1.presliding_torque", "[0.3]"},
                                           {"joints.B1.presliding_stiffness", "[800]"},
                                           {"joints.B2.presliding_torque", "[]"},
                                           {"joints.B2.presliding_stiffness", "[]"}};
    AUTO(edited_free) edited e = with(overrides, 6);
    if (e.status != STICTION_OK) FAIL("%s", e.message);
    const double *numbers;
    stiction_joint_def def = friction(e.config, "A");
    CHECK(stiction_joint_def_list(&def, 0, &numbers) == 2 && numbers[1] == 0.2);
    CHECK(stiction_joint_def_list(&def, 1, &numbers) == 2 && numbers[0] == 2000);
    def = friction(e.config, "B1");
    CHECK(stiction_joint_def_list(&def, 0, &numbers) == 1 && numbers[0] == 0.3);
    def = friction(e.config, "B2");
    CHECK(stiction_joint_def_list(&def, 0, &numbers) == 0);
}

TEST(an_error_names_its_override_and_the_place_it_replaces) {
    static const struct {
        stiction_override override;
        const char *message;
    } cases[] = {
        {{"profiles.p.damping", "-1"},
         "fine.yaml:5:17: override profiles.p.damping=-1: profile 'p': damping -1 must be at least "
         "0"},
        {{"joints.B1.damping", "2,5"},
         "fine.yaml:9:3: override joints.B1.damping=2,5: joint 'B1': damping must be a decimal "
         "number such as 2.5 or 1e-3, not '2,5'"},
        {{"joints.A.profile", "r"},
         "fine.yaml:8:17: override joints.A.profile=r: joint 'A': there is no profile 'r'; the "
         "nearest is 'p'"},
        {{"joints.A.viscos", "1"},
         "fine.yaml:8:3: override joints.A.viscos=1: joint 'A': there is no key 'viscos'; the "
         "nearest "
         "is 'viscous'"},
        {{"profiles.p.law", "lugree"},
         "fine.yaml:3:16: override profiles.p.law=lugree: profile 'p': there is no law 'lugree'; "
         "the "
         "nearest is 'lugre'"},
        /* the error shows at another value than the one that causes it */
        {{"profiles.p.coulomb_torque", "3"},
         "fine.yaml:3:41: override profiles.p.coulomb_torque=3: profile 'p': static_torque 2.5 is "
         "below coulomb_torque 3"},
        {{"timestep", "0"}, "fine.yaml:1:1: override timestep=0: timestep 0 must be above 0 s"},
        {{"timestepp", "1"},
         "fine.yaml:1:1: override timestepp=1: there is no key 'timestepp'; the nearest is "
         "'timestep'"},
        {{"joints.B11.viscous", "1"},
         "fine.yaml: override joints.B11.viscous=1: no joint with friction is called 'B11'; the "
         "nearest is 'B1'"},
        {{"joints.C.viscous", "1"},
         "fine.yaml: override joints.C.viscous=1: no joint with friction is called 'C'; the "
         "nearest "
         "is 'A'"},
        {{"profiles.pp.viscous", "1"},
         "fine.yaml: override profiles.pp.viscous=1: there is no profile 'pp'; the nearest is 'p'"},
        {{"profiles.p.presliding_torque", "0.1"},
         "fine.yaml:3:3: override profiles.p.presliding_torque=0.1: profile 'p': presliding_torque "
         "must be a list of numbers such as [0.1, 0.2], not '0.1'"},
        {{"joints.A.presliding_torque", "[0.1, x]"},
         "fine.yaml:8:3: override joints.A.presliding_torque=[0.1, x]: joint 'A': "
         "presliding_torque "
         "must be a decimal number such as 2.5 or 1e-3, not 'x'"},
        {{"joints.A.presliding_torque", "[0.1, 0.2]"},
         "fine.yaml:8:3: override joints.A.presliding_torque=[0.1, 0.2]: joint 'A': "
         "presliding_torque "
         "has 2 numbers and presliding_stiffness 0; each element needs both"},
        {{"joints.viscous", "1"},
         "fine.yaml: override joints.viscous=1: its key must be joints.JOINT.KEY or "
         "profiles.NAME.KEY, not 'viscous'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        AUTO(edited_free) edited e = with(&cases[k].override, 1);
        CHECK(e.status == STICTION_INVALID_CONFIG);
        CHECK_CONTAINS(e.message, cases[k].message);
        /* the configuration is as it was */
        CHECK_NEAR(friction(e.config, "A").damping, 50, 0);
        const stiction_override good = {"joints.A.damping", "60"};
        CHECK(stiction_config_override(e.config, &good, 1, NULL, 0, NULL) == STICTION_OK);
    }
}

TEST(all_errors_are_reported_at_once) {
    const stiction_override overrides[] = {{"profiles.p.damping", "-1"}, {"joints.D.viscous", "x"}};
    AUTO(edited_free) edited e = with(overrides, 2);
    CHECK(e.errors == 2);
}

static const char *first_error(const stiction_config *config, double timestep) {
    static char text[1700];
    stiction_errors *errors = stiction_errors_create();
    CHECK(stiction_config_check(config, names, name_count, timestep, errors) != STICTION_OK);
    (void)stiction_error_format(stiction_errors_at(errors, 0), text, sizeof text);
    stiction_errors_destroy(errors);
    return text;
}

TEST(a_time_step_that_an_override_makes_illegal_names_it) {
    AUTO(edited_free) edited e = with(&(stiction_override){"joints.A.damping", "0"}, 1);
    CHECK(e.status == STICTION_OK);
    CHECK_CONTAINS(first_error(e.config, 1e-5),
                   "fine.yaml:8:3: override joints.A.damping=0: joint 'A'");
}

TEST(a_joint_the_robot_lacks_is_reported_at_its_line) {
    AUTO(edited_free) edited e = with(&(stiction_override){"joints.A.viscous", "5"}, 1);
    static const char *const others[] = {"A", "B1"};
    stiction_error error;
    stiction_model *model;
    stiction_model_def def = {.size = sizeof def, .timestep = 0.001};
    CHECK(stiction_model_create(e.config, others, 2, &def, &model, &error) != STICTION_OK);
    CHECK(error.line == 10 && error.column == 3);
    CHECK_CONTAINS(error.message, "joint 'D': the robot has no such joint");
}

TEST(without_names_an_entry_of_the_file_is_meant) {
    AUTO(free_config) stiction_config *config = parse_fine(yaml);
    const stiction_override pattern = {"joints.B*.viscous", "9"};
    CHECK(stiction_config_override(config, &pattern, 1, NULL, 0, NULL) == STICTION_OK);
    CHECK_NEAR(friction(config, "B7").viscous, 9, 0);
    const stiction_override joint = {"joints.B1.viscous", "9"};
    CHECK(stiction_config_override(config, &joint, 1, NULL, 0, NULL) == STICTION_INVALID_CONFIG);
}

TEST(only_what_was_loaded_and_not_changed_since_can_be_overridden) {
    const stiction_override override = {"joints.A.viscous", "1"};
    stiction_error error;
    AUTO(free_errors) stiction_errors *errors = stiction_errors_create();
    AUTO(free_config) stiction_config *config = parse_fine(yaml);
    CHECK(stiction_config_set_timestep(config, 0.001, &error) == STICTION_OK);
    CHECK(stiction_config_override(config, &override, 1, NULL, 0, errors) ==
          STICTION_INVALID_ARGUMENT);
    CHECK_CONTAINS(stiction_errors_at(errors, 0)->message, "a configuration that was loaded");
    CHECK(stiction_errors_at(errors, 0)->line == 0); /* it is about no line of the file */
    CHECK(stiction_config_override(NULL, &override, 1, NULL, 0, NULL) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_config_override(config, NULL, 1, NULL, 0, NULL) == STICTION_INVALID_ARGUMENT);
}

TEST(names_with_every_character_survive) {
    static const char odd[] =
        "stiction: 1\njoints:\n"
        "  \"a\\\"b\\\\c: {[\\t\\u00e9\": { law: none }\n  A.b: { law: none }\n";
    AUTO(free_config) stiction_config *config = parse_fine(odd);
    const stiction_override override = {"joints.A.b.law", "none"};
    CHECK(stiction_config_override(config, &override, 1, NULL, 0, NULL) == STICTION_OK);
    CHECK(stiction_config_find_joint(config, "a\"b\\c: {[\t\xc3\xa9", NULL) != NULL);
}
