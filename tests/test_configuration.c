/*
 * Values replaced in a configuration: who they reach, and that all else stays on its line.
 */
#include <string.h>

#include "check.h"
#include "mujoco/configuration.h"
#include "stiction/stiction.h"
#include "temporary.h"

static const char yaml[] = "stiction: 1\n"
                           "profiles:\n"
                           "  p: &p { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4,\n"
                           "       stribeck_velocity: 0.06, viscous: 4.5, stiffness: 5000,\n"
                           "       damping: 50 }\n"
                           "joints:\n"
                           "  A: { profile: p }\n"
                           "  \"B*\": { profile: p, viscous: 3 }\n";

static const char *const names[] = {"A", "B1", "B2", "C"};
enum { name_count = sizeof names / sizeof names[0] };

typedef struct edited {
    stiction_config *config;
    char message[1024];
} edited;

static const char *edit(reader *r, const char *path, const configuration_value *values,
                        size_t count) {
    return setjmp(r->out) == 0 ? configuration_with(r, path, values, count, names, name_count)
                               : NULL;
}

static edited with(const char *text, const configuration_value *values, size_t count) {
    edited result = {NULL, ""};
    stiction_error error = {0};
    reader r = {.error = &error};
    const char *path = temporary_file("configuration.yaml", text);
    const char *changed = edit(&r, path, values, count);
    stiction_errors *errors = stiction_errors_create();
    if (!changed)
        (void)snprintf(result.message, sizeof result.message, "%s", error.message);
    else if (stiction_config_parse(changed, strlen(changed), "c.yaml", &result.config, errors))
        (void)stiction_error_format(stiction_errors_at(errors, 0), result.message,
                                    sizeof result.message);
    stiction_errors_destroy(errors);
    arena_free(&r.memory);
    return result;
}

static double viscous(const edited *e, const char *joint) {
    stiction_joint_def def = stiction_joint_def_default();
    CHECK(stiction_config_find_joint(e->config, joint, &def) != NULL);
    return def.viscous;
}

TEST(a_joint_of_a_pattern_gets_its_own_value_and_its_siblings_keep_theirs) {
    const configuration_value value = {"joints.B1.viscous", "7"};
    edited e = with(yaml, &value, 1);
    CHECK(e.config != NULL);
    CHECK_NEAR(viscous(&e, "A"), 4.5, 0);
    CHECK_NEAR(viscous(&e, "B1"), 7, 0);
    CHECK_NEAR(viscous(&e, "B2"), 3, 0);
    stiction_config_destroy(e.config);
}

TEST(a_pattern_reaches_all_joints_with_friction_and_a_later_value_beats_an_earlier_one) {
    const configuration_value values[] = {{"joints.*.viscous", "7"}, {"joints.B2.viscous", "8"}};
    edited e = with(yaml, values, 2);
    CHECK(e.config != NULL);
    CHECK_NEAR(viscous(&e, "A"), 7, 0);
    CHECK_NEAR(viscous(&e, "B1"), 7, 0);
    CHECK_NEAR(viscous(&e, "B2"), 8, 0);
    CHECK(stiction_config_find_joint(e.config, "C", NULL) == NULL);
    stiction_config_destroy(e.config);
}

TEST(a_profile_reaches_the_joints_that_use_it) {
    const configuration_value value = {"profiles.p.viscous", "6"};
    edited e = with(yaml, &value, 1);
    CHECK(e.config != NULL);
    CHECK_NEAR(viscous(&e, "A"), 6, 0);
    CHECK_NEAR(viscous(&e, "B1"), 3, 0);
    stiction_config_destroy(e.config);
}

TEST(a_profile_can_be_chosen_for_a_joint) {
    const configuration_value value = {"joints.A.profile", "q"};
    edited e = with(yaml, &value, 1);
    CHECK_CONTAINS(e.message, "c.yaml:7:");
    CHECK_CONTAINS(e.message, "'q'");
}

TEST(a_bad_value_is_told_on_the_line_of_the_file) {
    const configuration_value value = {"profiles.p.damping", "-1"};
    edited e = with(yaml, &value, 1);
    CHECK(e.config == NULL);
    CHECK_CONTAINS(e.message, "c.yaml:5:");
    CHECK_CONTAINS(e.message, "damping -1");
}

TEST(names_that_nothing_has_are_told_with_the_nearest) {
    const struct {
        configuration_value value;
        const char *sentence;
    } cases[] = {
        {{"joints.B11.viscous", "1"},
         "no joint with friction is called 'B11'; the nearest is 'B1'"},
        {{"joints.C.viscous", "1"}, "no joint with friction is called 'C'"},
        {{"profiles.pp.viscous", "1"}, "there is no profile 'pp'; the nearest is 'p'"},
        {{"joints.viscous", "1"}, "must be joints.JOINT.KEY or profiles.NAME.KEY"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        edited e = with(yaml, &cases[k].value, 1);
        CHECK(e.config == NULL);
        CHECK_CONTAINS(e.message, cases[k].sentence);
    }
}

TEST(names_with_every_character_survive) {
    static const char odd[] =
        "stiction: 1\njoints:\n"
        "  \"a\\\"b\\\\c: {[\\t\\u00e9\": { law: none }\n  A: { law: none }\n";
    const configuration_value value = {"joints.A.law", "none"};
    edited e = with(odd, &value, 1);
    CHECK(e.config != NULL);
    CHECK(stiction_config_find_joint(e.config, "a\"b\\c: {[\t\xc3\xa9", NULL) != NULL);
    stiction_config_destroy(e.config);
}
