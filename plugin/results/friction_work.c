/* SPDX-License-Identifier: MIT */
/* The work against friction, step by step: the torque of a step times the way of the joint in it.
 */
#include "friction_work.h"

#include <math.h>
#include <string.h>

/* Of the heat: explicit friction counts with the velocity at the start of a step, and the joint
 * moves with that at its end; where it is stable they agree to a few percent. */
static const double largest_gap = 0.5;
/* rad or m, times the largest torque at rest: less energy is not reported. */
static const double smallest_way = 1e-3;

/* NaN where the law does not read it. */
static double parameter(const stiction_joint_def *def, const char *key) {
    stiction_law_info law;
    stiction_parameter_info info;
    (void)stiction_law_info_find(def->law, &law);
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (strcmp(info.key, key) == 0 && (law.parameters >> k & 1))
            return stiction_joint_def_value(def, k);
    return (double)NAN;
}

friction_work friction_work_of(const stiction_joint_def *def) {
    friction_work w = {.stiffness = 0};
    if (!def || !def->law) return w;
    const double holds = fmax(parameter(def, "static_torque"), parameter(def, "coulomb_torque"));
    const double stiffness = parameter(def, "stiffness");
    if (holds > 0) w.level = holds;
    if (stiffness > 0) w.stiffness = stiffness;
    return w;
}

void friction_work_add(friction_work *w, const results_sample *s, size_t joint) {
    const double torque = sample_entry(s->friction.torque, joint);
    if (w->started) {
        const double way = s->position[joint] - w->position;
        w->work += w->torque * way;
        w->driven += w->command * way;
        w->moved += fabs(w->command * way);
    }
    if (chatter_add(&w->signs, w->level, s->velocity[joint], torque,
                    sample_entry(s->command, joint)))
        w->chatters = true;
    w->started = true;
    w->position = s->position[joint];
    w->torque = torque;
    w->command = sample_entry(s->command, joint);
    w->deflection = sample_entry(s->friction.deflection, joint);
    w->reported = sample_entry(s->friction.dissipated_energy, joint);
}

double friction_work_held(const friction_work *w) {
    return 0.5 * w->stiffness * w->deflection * w->deflection;
}

double friction_work_heat(const friction_work *w) {
    return w->work - friction_work_held(w);
}

friction_verdict friction_work_verdict(const friction_work *w) {
    if (w->chatters) return FRICTION_CHATTERS;
    const double heat = friction_work_heat(w), gap = w->reported - heat;
    const bool gives = w->reported > 0 && gap > largest_gap * fmax(w->reported, fabs(heat)) &&
                       gap > smallest_way * w->level;
    return gives ? FRICTION_GIVES_ENERGY : FRICTION_STABLE;
}
