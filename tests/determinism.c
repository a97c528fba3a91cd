/* SPDX-License-Identifier: MIT
 * Prints one hash over many steps of every law that sticks, one body and many at once.
 * determinism.sh builds it with each compiler and optimisation level that there is: all must print
 * the same.
 * Inputs are made without libm, so that nothing but our own arithmetic shows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_joint.h"
#include "stiction/models/lambert_w.h"
#include "stiction/stiction.h"

static uint64_t hash = 0xcbf29ce484222325u;

static void add(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3u;
    hash ^= hash >> 29;
}

/* The same in many environments, on two threads. */
static int run_batch(random_source *r, const stiction_model *model) {
    enum { environments = 75, joints = 8, size = environments * joints };
    stiction_error error;
    stiction_batch_def def = stiction_batch_def_default();
    def.threads = 2;
    stiction_batch *batch;
    if (stiction_batch_create(model, environments, &def, &batch, &error) != STICTION_OK) return 1;
    static double velocity[size], torque[size], deflection[size];
    for (int step = 0; step < 5; step++) {
        for (int k = 0; k < size; k++) velocity[k] = random_velocity(r);
        if (stiction_step_batch(batch, 0.001, velocity, torque, &error) != STICTION_OK ||
            stiction_batch_get_deflections(batch, deflection, &error) != STICTION_OK)
            return 1;
        for (int k = 0; k < size; k++) {
            add(torque[k]);
            add(deflection[k]);
        }
    }
    stiction_batch_destroy(batch);
    return 0;
}

/* `first`: of the four laws of random_joint. */
static int run(random_source *r, size_t first) {
    enum { joints = 8 };
    static const char *const names[joints] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    stiction_error error;
    stiction_config *config = stiction_config_create();
    for (int k = 0; k < joints; k++) {
        const stiction_joint_def def = random_joint(r, first + random_bits(r) % 4);
        if (stiction_config_add_joint(config, names[k], &def, &error) != STICTION_OK) return 1;
    }
    stiction_model_def model_def = stiction_model_def_default();
    model_def.timestep = 0.001;
    stiction_model *model;
    stiction_state *state;
    if (stiction_model_create(config, names, joints, &model_def, &model, &error) != STICTION_OK ||
        stiction_state_create(model, &state, &error) != STICTION_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double velocity[joints], torque[joints], deflection[joints], slope[joints], energy[joints];
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = 0.001;
    input.velocity = velocity;
    output.torque = torque;
    output.deflection = deflection;
    output.slope = slope;
    output.dissipated_energy = energy;
    for (int step = 0; step < 200; step++) {
        for (int k = 0; k < joints; k++) velocity[k] = random_velocity(r);
        if (stiction_step_full(state, &input, &output, &error) != STICTION_OK) return 1;
        for (int k = 0; k < joints; k++) {
            add(torque[k]);
            add(deflection[k]);
            add(slope[k]);
            add(energy[k]);
        }
    }
    if (run_batch(r, model)) return 1;
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    return 0;
}

int main(void) {
    random_source r = {61};
    for (int k = 0; k < 50; k++)
        if (run(&r, 0)) return EXIT_FAILURE;
    for (int k = 0; k < 10000; k++) {
        add(stiction_lambert_w0(random_magnitude(&r, -60, 900)));
        add(stiction_lambert_w0(-random_magnitude(&r, -60, -2)));
        add(stiction_lambert_wm1(-random_magnitude(&r, -900, -2)));
    }
    for (int k = 0; k < 10; k++)
        if (run(&r, 4)) return EXIT_FAILURE;
    printf("%016" PRIx64 "\n", hash);
    return EXIT_SUCCESS;
}
