/* SPDX-License-Identifier: MIT */
/* A step allocates nothing. */
#include "allocations.h"
#include "auto.h"
#include "wrist.h"

static void silent(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level, (void)message;
}

TEST(steps_allocate_nothing) {
    stiction_joint_def defs[16];
    size_t count = 0;
    stiction_law_info info;
    while (count < 16 && stiction_law_info_at(count, &info)) {
        defs[count] = def_of_law(info.name);
        count++;
    }
    defs[0] = wrist_def();
    defs[0].stribeck_exponent = 2.5; /* the law that is solved numerically */

    AUTO(free_config) stiction_config *config = stiction_config_create();
    const char *names[] = {"A", "B", "C", "D", "E", "F", "G", "H",
                           "I", "J", "K", "L", "M", "N", "O", "P"};
    for (size_t k = 0; k < count; k++)
        CHECK(stiction_config_add_joint(config, names[k], &defs[k], NULL) == STICTION_OK);
    stiction_model_def def = {.size = sizeof def, .timestep = 0.001, .log = silent};
    AUTO(free_model) stiction_model *model = NULL;
    CHECK(stiction_model_create(config, names, count, &def, &model, NULL) == STICTION_OK);
    AUTO(free_state) stiction_state *state = state_of(model), *other = state_of(model);

    double velocity[16], effort[16] = {0}, torque[16], deflection[16], slope[16], energy[16];
    unsigned char slipping[16];
    stiction_input input = {.size = sizeof input, .velocity = velocity, .effort = effort};
    stiction_output output = stiction_output_default();
    output.torque = torque;
    output.deflection = deflection;
    output.slope = slope;
    output.slipping = slipping;
    output.dissipated_energy = energy;
    stiction_error error;

    CHECK(!ALLOCATIONS_COUNTED || allocations > 0); /* the counter counts */
    const long before = allocations;
    for (int k = 0; k < 1000; k++) {
        for (size_t n = 0; n < 16; n++) velocity[n] = 0.1 * ((k + (int)n) % 7 - 3);
        if (k % 100 == 0) velocity[0] = (double)NAN; /* a fault, and its log message */
        input.timestep = k % 10 ? 0.001 : 0.002;     /* the time step changes */
        CHECK(stiction_step_full(state, &input, &output, &error) == STICTION_OK);
        CHECK(stiction_trial(state, &input, &output, &error) == STICTION_OK);
        CHECK(stiction_state_copy(other, state, &error) == STICTION_OK);
        CHECK(stiction_state_set_joint(other, 0, &defs[0], &error) == STICTION_OK);
        CHECK(stiction_state_reset(other, &error) == STICTION_OK);
        CHECK(stiction_step(state, -1, velocity, torque, &error) == STICTION_INVALID_ARGUMENT);
    }
    const long counted = allocations - before;
    if (counted) FAIL("%ld allocations in 1000 steps", counted);
}
