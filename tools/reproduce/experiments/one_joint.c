/* SPDX-License-Identifier: MIT */
/* The friction of one joint through the C ABI, as a simulator uses it. */
#include "one_joint.h"

#include <math.h>
#include <stdlib.h>

#include "common/command.h"

struct one_joint {
    stiction_model *model;
    stiction_state *state;
    double timestep;
};

one_joint *one_joint_create(const stiction_joint_def *friction, double timestep) {
    const char *name = "joint";
    stiction_error error;
    stiction_model_def def = stiction_model_def_default();
    def.timestep = timestep;
    one_joint *j = allocate(1, sizeof *j);
    *j = (one_joint){.timestep = timestep};
    stiction_config *config = must_have(stiction_config_create());
    const bool fine =
        stiction_config_add_joint(config, name, friction, &error) == STICTION_OK &&
        stiction_model_create(config, &name, 1, &def, &j->model, &error) == STICTION_OK &&
        stiction_state_create(j->model, &j->state, &error) == STICTION_OK;
    stiction_config_destroy(config);
    if (fine) return j;
    one_joint_destroy(j);
    return NULL;
}

void one_joint_destroy(one_joint *j) {
    if (!j) return;
    stiction_state_destroy(j->state);
    stiction_model_destroy(j->model);
    free(j);
}

double one_joint_step(one_joint *j, double velocity, double effort, bool *slipping) {
    double torque = (double)NAN;
    unsigned char slips = 0;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = j->timestep;
    input.velocity = &velocity;
    input.effort = &effort;
    output.torque = &torque;
    output.slipping = &slips;
    const stiction_status status = stiction_step_full(j->state, &input, &output, NULL);
    if (slipping) *slipping = slips;
    return status == STICTION_OK && stiction_state_faults(j->state, 0) == 0 ? torque : (double)NAN;
}

double one_joint_law(const one_joint *j, double velocity) {
    double torque = (double)NAN;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = j->timestep;
    input.velocity = &velocity;
    output.torque = &torque;
    return stiction_trial(j->state, &input, &output, NULL) == STICTION_OK ? torque : (double)NAN;
}
