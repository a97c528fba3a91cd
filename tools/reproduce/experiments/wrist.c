/* SPDX-License-Identifier: MIT */
/* The wrist of Cisneros et al., section V. */
#include "wrist.h"

#include "one_joint.h"

/* ---- the laws ---- */

static stiction_joint_def element_c(const experiment *of, const char *law) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = law;
    def.viscous = param(of, "D");
    def.stiffness = param(of, "K");
    def.damping = param(of, "B");
    return def;
}

static stiction_joint_def with_stiction(const experiment *of, const char *law, const char *F_C,
                                        const char *v_S) {
    stiction_joint_def def = element_c(of, law);
    def.static_torque = param(of, "F_S");
    def.coulomb_torque = param(of, F_C);
    def.stribeck_velocity = param(of, v_S);
    return def;
}

stiction_joint_def wrist_stribeck(const experiment *of) {
    return with_stiction(of, "stribeck", "F_C", "v_S");
}

stiction_joint_def wrist_rational(const experiment *of) {
    return with_stiction(of, "rational", "F_C'", "v_S'");
}

stiction_joint_def wrist_coulomb(const experiment *of) {
    stiction_joint_def def = element_c(of, "coulomb");
    def.coulomb_torque = param(of, "F");
    return def;
}

void wrist_laws(const experiment *of, wrist_law laws[WRIST_LAWS]) {
    laws[0] = (wrist_law){"Stribeck", wrist_stribeck(of)};
    laws[1] = (wrist_law){"rational", wrist_rational(of)};
    laws[2] = (wrist_law){"Coulomb", wrist_coulomb(of)};
}

/* ---- the motion ---- */

static wrist_desired desired_at(const wrist *w, double time) {
    return w->desired ? w->desired(time, w->target) : (wrist_desired){.q = w->target};
}

static double predict(wrist_prediction from, one_joint *friction, double dq_d, double dq) {
    if (from == WRIST_DESIRED_LAW) return one_joint_law(friction, dq_d);
    return one_joint_step(friction, from == WRIST_MEASURED_BRISTLE ? dq : dq_d, 0, NULL);
}

static void move(const wrist *w, double duration, one_joint *friction, one_joint *predicted,
                 void (*observe)(void *, const wrist_sample *), void *context) {
    const double T = w->timestep, M = w->inertia;
    double q = 0, v = 0, integral = 0; /* of ddq_r */
    for (long k = 0; (double)k * T < duration; k++) {
        const wrist_desired d = desired_at(w, (double)k * T);
        wrist_sample s = {
            .step = k, .time = (double)k * T, .position = q, .velocity = v, .desired = d.q};
        const double ddq_r = w->kp * (d.q - q) + w->kv * (d.dq - v) + d.ddq; /* (50) */
        s.command = M * (ddq_r + w->lambda * (integral - v));                /* (51) */
        if (predicted) s.command += predict(w->prediction, predicted, d.dq, v);
        s.friction = one_joint_step(friction, v, s.command, &s.slipping);
        observe(context, &s);
        if (!(s.friction == s.friction)) return;
        integral += T * ddq_r;
        v += T * (s.command - s.friction) / M;
        q += T * v;
    }
}

wrist wrist_of(const experiment *of, stiction_joint_def friction) {
    return (wrist){.friction = friction,
                   .inertia = param(of, "M"),
                   .kp = param(of, "kp"),
                   .kv = param(of, "kv"),
                   .target = param(of, "target") * 3.141592653589793 / 180,
                   .timestep = param(of, "T")};
}

bool wrist_simulate(const wrist *w, double duration, void (*observe)(void *, const wrist_sample *),
                    void *context) {
    one_joint *friction = one_joint_create(&w->friction, w->timestep);
    one_joint *predicted =
        friction && w->compensation ? one_joint_create(w->compensation, w->timestep) : NULL;
    const bool fine = friction && (!w->compensation || predicted);
    if (fine) move(w, duration, friction, predicted, observe, context);
    one_joint_destroy(predicted);
    one_joint_destroy(friction);
    return fine;
}
