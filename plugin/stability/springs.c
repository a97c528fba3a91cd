/* SPDX-License-Identifier: MIT */
/* Friction at rest as a spring and a damper. */
#include "springs.h"

#include <math.h>
#include <string.h>

#include "stiction/models/law.h"

static bool reads(const stiction_law_info *info, const char *key) {
    stiction_parameter_info parameter;
    for (size_t k = 0; stiction_parameter_at(k, &parameter); k++)
        if (strcmp(parameter.key, key) == 0) return info->parameters >> k & 1;
    return false;
}

stability_spring stability_spring_of(const stiction_joint_def *def, double timestep) {
    stability_spring spring = {.needed = -(double)INFINITY};
    stiction_law_info info;
    if (!stiction_law_info_find(def->law, &info)) return spring;
    if (reads(&info, "stiffness")) spring.stiffness = def->stiffness;
    if (reads(&info, "damping")) spring.damping = def->damping;
    /* the models of the literature add their viscous part at rest as well; a law has it in Phi */
    if (info.reference && reads(&info, "damping")) spring.damping += def->viscous;
    /* viscosity and tanh: the slope at rest */
    if (reads(&info, "stick_velocity") && !info.needs_effort)
        spring.damping = def->coulomb_torque / def->stick_velocity;
    spring.needed = stiction_joint_def_descent(def, timestep);
    for (size_t k = 0; isfinite(spring.needed) && k < STICTION_PRESLIDING_MOST; k++)
        if (def->presliding_stiffness[k] > 0) spring.beside += def->presliding_stiffness[k];
    return spring;
}

bool stability_is_legal(const stability_spring *spring, double timestep) {
    return fma(spring->stiffness, timestep, spring->damping) > spring->needed;
}

double stability_load(const stability_spring *spring, double T) {
    return 2 * T * spring->damping + T * T * (spring->stiffness + spring->beside);
}
