/* SPDX-License-Identifier: MIT
 * A saved state as a file, for another machine to restore: `state_buffer save FILE` prints the bits
 * of the next step, `state_buffer restore FILE` the same, or why not. See tools/other_machines.sh.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stiction/stiction.h"

enum { joints = 3 };

static stiction_status make(stiction_state **state, stiction_error *error) {
    static const char *const names[joints] = {"a", "b", "c"};
    stiction_config *config = stiction_config_create();
    stiction_status status = STICTION_OK;
    for (int k = 0; k < joints && status == STICTION_OK; k++) {
        stiction_joint_def def = stiction_joint_def_default();
        def.law = "stribeck";
        def.static_torque = 2.5 - 0.1 * k;
        def.coulomb_torque = 0.4;
        def.stribeck_velocity = 0.06;
        def.viscous = 4.5;
        def.stiffness = 5000;
        def.damping = 50;
        status = stiction_config_add_joint(config, names[k], &def, error);
    }
    stiction_model_def def = stiction_model_def_default();
    def.timestep = 0.001;
    stiction_model *model; /* lives as long as the program, as the state does */
    if (status == STICTION_OK)
        status = stiction_model_create(config, names, joints, &def, &model, error);
    if (status == STICTION_OK) status = stiction_state_create(model, state, error);
    stiction_config_destroy(config);
    return status;
}

static stiction_status step(stiction_state *state, double velocity, uint64_t bits[joints],
                            stiction_error *error) {
    const double v[joints] = {velocity, -velocity, velocity / 3};
    double torque[joints];
    const stiction_status status = stiction_step(state, 0.001, v, torque, error);
    memcpy(bits, torque, sizeof torque);
    return status;
}

int main(int count, char **words) {
    unsigned char buffer[4096];
    stiction_state *state;
    stiction_error error;
    uint64_t bits[joints];
    if (count != 3) return 1;
    if (make(&state, &error) != STICTION_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const bool saves = strcmp(words[1], "save") == 0;
    FILE *file = fopen(words[2], saves ? "wb" : "rb");
    if (!file) return 1;
    size_t size = stiction_state_buffer_size(state);
    if (saves) {
        for (int k = 0; k < 50; k++)
            if (step(state, 0.002 * k, bits, &error) != STICTION_OK) return 1;
        if (size > sizeof buffer ||
            stiction_state_save(state, buffer, sizeof buffer, &error) != STICTION_OK ||
            fwrite(buffer, 1, size, file) != size)
            return 1;
    } else {
        size = fread(buffer, 1, sizeof buffer, file);
        if (stiction_state_restore(state, buffer, size, &error) != STICTION_OK) {
            printf("refused: %s\n", error.message);
            return 0;
        }
    }
    if (fclose(file) != 0 || step(state, 0.01, bits, &error) != STICTION_OK) return 1;
    printf("%016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", bits[0], bits[1], bits[2]);
    return 0;
}
