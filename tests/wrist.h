/* SPDX-License-Identifier: MIT */
/* Small models for the tests of the ABI: the wrist of Cisneros et al. and variations of it. */
#ifndef STICTION_TESTS_WRIST_H
#define STICTION_TESTS_WRIST_H

#include "check.h"
#include "stiction/stiction.h"

/* Cisneros et al., Fig 3: the Stribeck law of HRP-5P's right wrist, in YAML and as a struct. */
#define WRIST_KEYS                                                                                 \
    "law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06,"             \
    " viscous: 4.5, stiffness: 5000, damping: 50"
static inline stiction_joint_def wrist_def(void) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "stribeck";
    def.static_torque = 2.5;
    def.coulomb_torque = 0.4;
    def.stribeck_velocity = 0.06;
    def.viscous = 4.5;
    def.stiffness = 5000;
    def.damping = 50;
    return def;
}

/* The parameters of its law. */
static inline stiction_law_parameters wrist_law(void) {
    const stiction_joint_def def = wrist_def();
    return stiction_joint_law_parameters(&def);
}

/* Every law there is, with parameters that work at 1 ms. */
static inline stiction_joint_def def_of_law(const char *law) {
    stiction_joint_def def = wrist_def();
    def.law = law;
    def.stribeck_exponent = 1;
    def.stick_velocity = 0.001;
    def.elastic_limit = 0.5 * 0.4 / 5000;
    def.bristle_spacing = 0.005;
    def.bristle_stiffness = 0.1;
    def.bristle_height = 0.0995;
    def.bristle_length = 0.1;
    def.body_length = 0.5;
    def.angle_scale = 1e5;
    def.min_angle = 0.1;
    def.max_angle = 0.133;
    return def;
}

/* A model of joints named J0, J1, ... with these defs. */
static inline stiction_model *model_of(size_t count, const stiction_joint_def *defs,
                                       double timestep) {
    stiction_error error;
    stiction_config *config = stiction_config_create();
    enum { most = 192 };
    char names[most][24];
    const char *list[most];
    CHECK(count <= most);
    for (size_t k = 0; k < count; k++) {
        (void)snprintf(names[k], sizeof names[k], "J%zu", k);
        list[k] = names[k];
        if (stiction_config_add_joint(config, names[k], &defs[k], &error) != STICTION_OK)
            FAIL("%s", error.message);
    }
    stiction_model_def model_def = stiction_model_def_default();
    model_def.timestep = timestep;
    stiction_model *model = NULL;
    if (stiction_model_create(config, list, count, &model_def, &model, &error) != STICTION_OK)
        FAIL("%s", error.message);
    stiction_config_destroy(config);
    return model;
}

static inline stiction_state *state_of(const stiction_model *model) {
    stiction_error error;
    stiction_state *state = NULL;
    if (stiction_state_create(model, &state, &error) != STICTION_OK) FAIL("%s", error.message);
    return state;
}

/* One joint, ready to step. */
typedef struct single_joint {
    stiction_model *model;
    stiction_state *state;
} single_joint;

static inline single_joint single_joint_of(stiction_joint_def def, double timestep) {
    single_joint j = {model_of(1, &def, timestep), NULL};
    j.state = state_of(j.model);
    return j;
}

static inline void single_joint_free(single_joint *j) {
    stiction_state_destroy(j->state);
    stiction_model_destroy(j->model);
}

/* The torque of one step. */
static inline double single_joint_step(single_joint *j, double timestep, double velocity) {
    double torque = (double)NAN;
    if (stiction_step(j->state, timestep, &velocity, &torque, NULL) != STICTION_OK)
        FAIL("the step failed");
    return torque;
}

static inline double single_joint_deflection(const single_joint *j) {
    double deflection = (double)NAN;
    CHECK(stiction_state_get_deflections(j->state, &deflection, NULL) == STICTION_OK);
    return deflection;
}

#endif
