/* SPDX-License-Identifier: MIT
 * The experiments of Cisneros et al. on HRP-5P's wrist, Figs 12 and 13, through the ABI: semi-
 * implicit Euler, friction from the velocity at the start of the step, T = 1 ms.
 * The expected numbers are those of an independent computation with the corrected formulas.
 */
#include "wrist.h"

static const double T = 0.001, degree = 3.141592653589793 / 180;

/* A stuck joint moves by the rate of its load over K, some 1e-4 rad/s; a slip is far above. */
static const double stick_velocity = 1e-3, slip_velocity = 1e-2;

typedef struct posture {
    double kp, kv, lambda; /* gains of (50) and (51) */
    double M;              /* kg m^2 */
} posture;

typedef struct outcome {
    double stop_time; /* the last time that |v| exceeded 1e-3 rad/s */
    double angle, highest;
    double breakaways[8]; /* times, after the first stop */
    double peak;          /* largest torque of the controller after the first stop, N m */
    int count;
} outcome;

static outcome run(stiction_joint_def def, posture p, double seconds) {
    single_joint j = single_joint_of(def, T);
    double q = 0, v = 0, integral = 0;
    outcome o = {0};
    int moving = 1;
    for (int k = 0; k < (int)(seconds / T); k++) {
        const double reference = p.kp * (90 * degree - q) - p.kv * v; /* (50) */
        integral += T * reference;
        const double torque = p.M * reference + p.lambda * p.M * (integral - v); /* (51) */
        const double friction = single_joint_step(&j, T, v);
        v += T / p.M * (torque - friction);
        q += T * v;
        const double t = (k + 1) * T;
        if (fabs(v) > 1e-3) o.stop_time = t;
        o.highest = fmax(o.highest, q / degree);
        if (!moving && fabs(v) > slip_velocity) {
            if (o.count < 8) o.breakaways[o.count] = t;
            o.count++;
            moving = 1;
        }
        if (moving && fabs(v) < stick_velocity) moving = 0;
        if (!moving || o.count) o.peak = fmax(o.peak, fabs(torque));
    }
    o.angle = q / degree;
    single_joint_free(&j);
    return o;
}

static stiction_joint_def rational_wrist(void) {
    stiction_joint_def def = wrist_def();
    def.law = "rational";
    def.coulomb_torque = 0.2;
    def.stribeck_velocity = 0.04;
    return def;
}

static stiction_joint_def coulomb_wrist(void) {
    stiction_joint_def def = wrist_def();
    def.law = "coulomb";
    def.coulomb_torque = 1;
    return def;
}

/* Integrator details move the angles by less than this, PAPERS. */
static const double angle_tolerance = 0.03;

TEST(fig12_stribeck_stops_short_of_its_target) {
    const outcome o = run(wrist_def(), (posture){20, 2, 0, 0.1675}, 6);
    printf("stops at %.3f deg after %.3f s (the paper: 69.9, 2.75)\n", o.angle, o.stop_time);
    CHECK_NEAR(o.angle, 69.877, angle_tolerance);
    CHECK_NEAR(o.stop_time, 2.768, 0.005);
    const outcome heavier = run(wrist_def(), (posture){20, 2, 0, 0.18462}, 6);
    CHECK_NEAR(heavier.angle, 71.856, angle_tolerance);
}

TEST(fig12_rational_stops_short_of_its_target) {
    const outcome o = run(rational_wrist(), (posture){20, 2, 0, 0.1675}, 6);
    printf("stops at %.3f deg after %.3f s (the paper: 68.4, 2.75)\n", o.angle, o.stop_time);
    CHECK_NEAR(o.angle, 68.441, angle_tolerance);
    CHECK_NEAR(o.stop_time, 2.712, 0.005);
    const outcome heavier = run(rational_wrist(), (posture){20, 2, 0, 0.18462}, 6);
    CHECK_NEAR(heavier.angle, 70.550, angle_tolerance);
}

TEST(fig12_coulomb_creeps_towards_an_asymptote) {
    CHECK_NEAR(run(coulomb_wrist(), (posture){20, 2, 0, 0.1675}, 4).angle, 68.53, angle_tolerance);
    CHECK_NEAR(run(coulomb_wrist(), (posture){20, 2, 0, 0.1675}, 60).angle, 72.897,
               angle_tolerance);
}

TEST(fig13_integral_term_hunts_under_stribeck) {
    const outcome o = run(wrist_def(), (posture){50, 14, 1, 0.1675}, 50);
    const double expected[] = {4.58, 15.16, 21.28, 34.76, 42.22};
    CHECK(o.count == 5);
    for (int k = 0; k < 5; k++) CHECK_NEAR(o.breakaways[k], expected[k], 0.05);
    printf("sawtooth peaks at %.4f N m\n", o.peak);
    CHECK_NEAR(o.peak, 2.5096, 0.001);
}

TEST(fig13_integral_term_hunts_under_the_rational_law) {
    const outcome o = run(rational_wrist(), (posture){50, 14, 1, 0.1675}, 50);
    printf("sawtooth peaks at %.4f N m\n", o.peak);
    CHECK_NEAR(o.peak, 2.5022, 0.001);
    CHECK(o.count >= 3);
}

TEST(fig13_integral_term_converges_under_coulomb) {
    const outcome o = run(coulomb_wrist(), (posture){50, 14, 1, 0.1675}, 60);
    CHECK_NEAR(o.highest, 100.66, angle_tolerance);
    CHECK_NEAR(o.angle, 90.02, angle_tolerance);
}
