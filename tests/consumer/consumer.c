/* SPDX-License-Identifier: MIT */
/* The wrist of HRP-5P under a load that it holds, in plain C. */
#include <stdio.h>
#include <stiction/stiction.h>

int main(void) {
    stiction_error error;
    stiction_joint_def wrist = stiction_joint_def_default();
    wrist.law = "stribeck";
    wrist.static_torque = 2.5;
    wrist.coulomb_torque = 0.4;
    wrist.stribeck_velocity = 0.06;
    wrist.viscous = 4.5;
    wrist.stiffness = 5000;
    wrist.damping = 50;

    stiction_config *config = stiction_config_create();
    const char *joints[] = {"RWRR"};
    stiction_model_def def = stiction_model_def_default();
    stiction_model *model = NULL;
    stiction_state *state = NULL;
    def.timestep = 0.001;
    if (stiction_config_add_joint(config, "RWRR", &wrist, &error) != STICTION_OK ||
        stiction_model_create(config, joints, 1, &def, &model, &error) != STICTION_OK ||
        stiction_state_create(model, &state, &error) != STICTION_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    const double inertia = 0.1675, load = 2.0;
    double velocity = 0, friction;
    for (int k = 0; k < 10000; k++) {
        if (stiction_step(state, def.timestep, &velocity, &friction, &error) != STICTION_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        const double ramp = k < 5000 ? k / 5000.0 : 1;
        velocity += def.timestep / inertia * (ramp * load - friction);
    }
    printf("stiction %s holds %.6f N m at %.1e rad/s\n", stiction_version(), friction, velocity);

    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    return friction > 1.999999 && friction < 2.000001 ? 0 : 1;
}
