/* SPDX-License-Identifier: MIT
 * Stiffness and damping that are `auto`: they follow a torque that is overridden, drawn or set, and
 * the law is legal at any time step. And reverse_viscous_factor, which follows reverse_factor.
 */
#include <math.h>
#include <string.h>

#include "auto.h"
#include "load.h"
#include "stiction/stiction.h"
#include "wrist.h"

static const char yaml[] =
    "stiction: 1\n"
    "joints:\n"
    "  PAPER: { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06,\n"
    "           viscous: 4.5, stiffness: auto, damping: auto }\n"
    "  STEEP: { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.01,\n"
    "           lag: 0.01, stiffness: auto, damping: auto }\n"
    "  DRAWN: { law: stribeck, static_torque: {uniform: [2, 3]}, coulomb_torque: 0.4,\n"
    "           stribeck_velocity: 0.02, stiffness: auto, damping: auto }\n"
    "  DAHL: { law: dahl, coulomb_torque: 1, stiffness: auto }\n"
    "  MIXED: { law: coulomb, coulomb_torque: 1, stiffness: 300, damping: auto }\n"
    "  UNREAD: { law: tanh, coulomb_torque: 1, stick_velocity: 0.01, damping: auto }\n";
static const char *const names[] = {"PAPER", "STEEP", "DRAWN", "DAHL", "MIXED", "UNREAD"};
enum { PAPER, STEEP, DRAWN, DAHL, MIXED, UNREAD, joint_count };

static stiction_joint_def friction(const stiction_config *config, size_t k) {
    stiction_joint_def def = stiction_joint_def_default();
    CHECK(stiction_config_find_joint(config, names[k], &def) != NULL);
    return def;
}

TEST(auto_is_the_stiffness_and_damping_of_the_paper) {
    AUTO(free_config) stiction_config *config = parse_fine(yaml);
    CHECK_NEAR(friction(config, PAPER).stiffness, 5000, 1e-9);
    CHECK_NEAR(friction(config, PAPER).damping, 50, 1e-9);
    CHECK_NEAR(friction(config, DAHL).stiffness, 2000, 1e-9);
    CHECK_NEAR(friction(config, MIXED).stiffness, 300, 0);
    CHECK_NEAR(friction(config, MIXED).damping, 3, 1e-12);
    CHECK(isnan(friction(config, UNREAD).damping));
}

TEST(auto_follows_a_torque_that_is_overridden) {
    const stiction_override harder = {"joints.PAPER.static_torque", "25"};
    AUTO(free_config) stiction_config *config = parse_fine(yaml);
    CHECK(stiction_config_override(config, &harder, 1, NULL, 0, NULL) == STICTION_OK);
    const stiction_joint_def def = friction(config, PAPER);
    CHECK_NEAR(def.stiffness, 50000, 1e-6);
    /* K T + B of 10 ms K would be illegal: (25 - 0.4)/0.06 - 4.5 = 405.5 */
    CHECK(stiction_joint_def_check(NULL, &def, 1e-5, NULL) == STICTION_OK);
}

TEST(auto_is_legal_at_any_time_step) {
    static const double steps[] = {1e-9, 1e-5, 1e-3, 0.1, 10};
    AUTO(free_config) stiction_config *config = parse_fine(yaml);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
        CHECK(stiction_config_check(config, names, joint_count, steps[k], NULL) == STICTION_OK);
}

static void check_follows(const stiction_joint_def *def) {
    const double descent = (def->static_torque - 0.4) / 0.02;
    CHECK_NEAR(def->stiffness, def->static_torque / 5e-4, 1e-9);
    CHECK_NEAR(def->damping, fmax(0.01 * def->stiffness, 1.25 * descent), 1e-9);
}

TEST(auto_follows_a_torque_that_is_drawn) {
    AUTO(free_config) stiction_config *config = parse_fine(yaml);
    AUTO(free_model) stiction_model *model = NULL;
    AUTO(free_state) stiction_state *state = NULL;
    stiction_model_def how = stiction_model_def_default();
    stiction_joint_def first = stiction_joint_def_default(), second = first;
    how.timestep = 1e-3;
    CHECK(stiction_model_create(config, names, joint_count, &how, &model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
    CHECK(stiction_state_joint(state, DRAWN, &first, NULL) == STICTION_OK);
    CHECK(stiction_state_draw(state, 1, NULL) == STICTION_OK);
    CHECK(stiction_state_joint(state, DRAWN, &second, NULL) == STICTION_OK);
    CHECK(first.static_torque != second.static_torque);
    check_follows(&first);
    check_follows(&second);
}

TEST(auto_follows_a_torque_that_is_set_until_a_number_is_set) {
    AUTO(free_config) stiction_config *config = parse_fine(yaml);
    AUTO(free_model) stiction_model *model = NULL;
    AUTO(free_state) stiction_state *state = NULL;
    stiction_model_def how = stiction_model_def_default();
    stiction_joint_def def = stiction_joint_def_default();
    how.timestep = 1e-3;
    CHECK(stiction_model_create(config, names, joint_count, &how, &model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
    for (int k = 0; k < 2; k++) {
        CHECK(stiction_state_joint(state, PAPER, &def, NULL) == STICTION_OK);
        def.static_torque *= 2;
        CHECK(stiction_state_set_joint(state, PAPER, &def, NULL) == STICTION_OK);
    }
    CHECK(stiction_state_joint(state, PAPER, &def, NULL) == STICTION_OK);
    CHECK_NEAR(def.stiffness, 20000, 1e-6);
    def.stiffness = 7000;
    CHECK(stiction_state_set_joint(state, PAPER, &def, NULL) == STICTION_OK);
    def.static_torque = 3;
    CHECK(stiction_state_set_joint(state, PAPER, &def, NULL) == STICTION_OK);
    CHECK(stiction_state_joint(state, PAPER, &def, NULL) == STICTION_OK);
    CHECK_NEAR(def.stiffness, 7000, 0);
}

TEST(auto_is_written_as_auto) {
    AUTO(free_config) stiction_config *config = parse_fine(yaml);
    AUTO(free_text) char *text = stiction_config_write(config);
    CHECK_CONTAINS(text, "stiffness: auto");
    CHECK_CONTAINS(text, "damping: auto");
    AUTO(free_config) stiction_config *again = parse_fine(text);
    CHECK_NEAR(friction(again, PAPER).stiffness, 5000, 1e-9);
}

/* Viscous friction backwards: by its own factor, or where that is not given or auto by
 * reverse_factor (docs/drives.md), which may be overridden, drawn or set. */
static const char directed[] =
    "stiction: 1\n"
    "profiles:\n"
    "  p: { " WRIST_KEYS ", reverse_factor: 0.93, reverse_viscous_factor: 1.12 }\n"
    "joints:\n"
    "  OWN: { profile: p }\n"
    "  AUTO: { profile: p, reverse_viscous_factor: auto }\n"
    "  NOT: { " WRIST_KEYS ", reverse_factor: 0.93 }\n";
static const char *const directed_names[] = {"OWN", "AUTO", "NOT"};

/* D' backwards over D. */
static double viscous_factor(const stiction_config *config, const char *name) {
    stiction_joint_def def = stiction_joint_def_default();
    CHECK(stiction_config_find_joint(config, name, &def) != NULL);
    const stiction_drive_parameters p = stiction_joint_drive_parameters(&def);
    const stiction_law_parameters law = stiction_joint_law_parameters(&def);
    const stiction_drive_input in = {.temperature = 25};
    const double factor = stiction_drive_levels(&p, &law, &in, true).viscous / law.viscous;
    CHECK_NEAR(p.reverse_viscous_factor, factor, 1e-15);
    return factor;
}

TEST(reverse_viscous_factor_follows_reverse_factor_where_it_is_not_given_or_auto) {
    const stiction_override others[] = {{"joints.*.reverse_factor", "1.25"}};
    const stiction_override own[] = {{"joints.NOT.reverse_viscous_factor", "0.5"},
                                     {"joints.OWN.reverse_viscous_factor", "auto"}};
    AUTO(free_config) stiction_config *config = parse_fine(directed);
    CHECK_NEAR(viscous_factor(config, "OWN"), 1.12, 1e-15);
    CHECK_NEAR(viscous_factor(config, "AUTO"), 0.93, 1e-15);
    CHECK_NEAR(viscous_factor(config, "NOT"), 0.93, 1e-15);
    CHECK(stiction_config_override(config, others, 1, directed_names, 3, NULL) == STICTION_OK);
    CHECK_NEAR(viscous_factor(config, "OWN"), 1.12, 1e-15);
    CHECK_NEAR(viscous_factor(config, "AUTO"), 1.25, 1e-15);
    CHECK_NEAR(viscous_factor(config, "NOT"), 1.25, 1e-15);
    CHECK(stiction_config_override(config, own, 2, NULL, 0, NULL) == STICTION_OK);
    CHECK_NEAR(viscous_factor(config, "NOT"), 0.5, 1e-15);
    CHECK_NEAR(viscous_factor(config, "OWN"), 1.25, 1e-15);
}

TEST(reverse_viscous_factor_survives_writing_and_reading) {
    AUTO(free_config) stiction_config *config = parse_fine(directed);
    AUTO(free_text) char *text = stiction_config_write(config);
    CHECK_CONTAINS(text, "    reverse_viscous_factor: 1.12  # k_RD\n");
    AUTO(free_config) stiction_config *again = parse_fine(text);
    AUTO(free_text) char *second = stiction_config_write(again);
    CHECK(strcmp(text, second) == 0);
    /* of one joint alone */
    CHECK(strstr(strstr(text, "reverse_viscous_factor") + 1, "reverse_viscous_factor") == NULL);
    for (int k = 0; k < 3; k++)
        CHECK_SAME(viscous_factor(again, directed_names[k]),
                   viscous_factor(config, directed_names[k]));
}

TEST(a_returned_def_keeps_reverse_viscous_factor_following) {
    AUTO(free_config) stiction_config *config = parse_fine(directed);
    AUTO(free_model) stiction_model *model = NULL;
    AUTO(free_state) stiction_state *state = NULL;
    stiction_model_def how = stiction_model_def_default();
    stiction_joint_def def = stiction_joint_def_default();
    how.timestep = 1e-3;
    CHECK(stiction_model_create(config, directed_names, 3, &how, &model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
    for (size_t k = 0; k < 3; k++) {
        CHECK(stiction_state_joint(state, k, &def, NULL) == STICTION_OK);
        CHECK(k == 0 ? def.reverse_viscous_factor == 1.12 : isnan(def.reverse_viscous_factor));
        def.reverse_factor = 1.25;
        CHECK(stiction_state_set_joint(state, k, &def, NULL) == STICTION_OK);
        CHECK(stiction_state_joint(state, k, &def, NULL) == STICTION_OK);
        CHECK_SAME(stiction_joint_drive_parameters(&def).reverse_viscous_factor, k ? 1.25 : 1.12);
    }
}

TEST(auto_is_refused_for_what_is_not_derived) {
    static const char *const texts[] = {
        "stiction: 1\njoints: {A: {law: coulomb, coulomb_torque: auto, stiffness: 1, damping: "
        "1}}\n",
        "stiction: 1\njoints: {A: {law: coulomb, coulomb_torque: 1, stiffness: \"auto\", "
        "damping: 1}}\n",
        "stiction: 1\nprofiles: {p: {law: coulomb, coulomb_torque: 1, stiffness: auto, damping: "
        "1}}\njoints: {A: {profile: p, stiffness: {scale: [0.5, 2]}}}\n"};
    static const char *const why[] = {
        "coulomb_torque must be a decimal number", "stiffness must be a decimal number",
        "stiffness: the profile beneath has auto; scale needs a number"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        stiction_config *config;
        AUTO(free_errors) stiction_errors *errors = stiction_errors_create();
        CHECK(stiction_config_parse(texts[k], strlen(texts[k]), "c.yaml", &config, errors) ==
              STICTION_INVALID_CONFIG);
        CHECK_CONTAINS(stiction_errors_at(errors, 0)->message, why[k]);
    }
}

TEST(a_static_torque_below_the_coulomb_torque_by_rounding_is_equal) {
    stiction_joint_def def = stiction_joint_def_default();
    stiction_error error;
    def.law = "stribeck";
    def.coulomb_torque = 1.8;
    def.static_torque = 3 * 0.6;
    def.stribeck_velocity = 0.1;
    def.stiffness = def.damping = STICTION_AUTO;
    CHECK(def.static_torque < def.coulomb_torque);
    CHECK(stiction_joint_def_check(NULL, &def, 1e-3, NULL) == STICTION_OK);
    def.static_torque = 1.8 * (1 - 1e-14);
    CHECK_REFUSED(stiction_joint_def_check(NULL, &def, 1e-3, &error), STICTION_INVALID_CONFIG,
                  error, "static_torque 1.7999999999999821 is below coulomb_torque 1.8");
}
