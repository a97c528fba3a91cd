/* SPDX-License-Identifier: MIT
 * The posture controller: its trajectories, limits and integral term. sample_projects/wrist and
 * wrist_integral have the figures of Cisneros et al. through it.
 */
#include "allocations.h"
#include "controllers/posture/posture.h"
#include "document/auto.h"
#include "random.h"
#include "wrist.h"

static const double T = 0.001, degree = 3.141592653589793 / 180;
static const double infinity = (double)INFINITY, nan_value = (double)NAN;

/* Trajectories. */

/* dq and ddq are the derivatives of q, away from the corners. */
static void check_derivatives(const posture_trajectory *p, double t) {
    const double h = 1e-5;
    const posture_reference before = posture_trajectory_at(p, t - h, 0.3);
    const posture_reference at = posture_trajectory_at(p, t, 0.3);
    const posture_reference after = posture_trajectory_at(p, t + h, 0.3);
    CHECK_NEAR(at.dq, (after.q - before.q) / (2 * h), 1e-6);
    CHECK_NEAR(at.ddq, (after.dq - before.dq) / (2 * h), 1e-6);
}

TEST(trajectories_have_their_shapes) {
    posture_trajectory p = posture_trajectory_default();
    CHECK_SAME(posture_trajectory_at(&p, 5, 0.3).q, 0.3); /* stays where it is */
    p.target = 2;
    CHECK_SAME(posture_trajectory_at(&p, -5, 0.3).q, 2);
    p.shape = POSTURE_STEP;
    p.time = 1;
    CHECK_SAME(posture_trajectory_at(&p, 0.999, 0.3).q, 0.3);
    CHECK_SAME(posture_trajectory_at(&p, 1, 0.3).q, 2);
    p.from = -1;
    CHECK_SAME(posture_trajectory_at(&p, 0.999, 0.3).q, -1);
    p.shape = POSTURE_RAMP;
    p.duration = 3;
    CHECK_SAME(posture_trajectory_at(&p, 2, 0.3).q, 0);
    CHECK_SAME(posture_trajectory_at(&p, 2, 0.3).dq, 1);
    CHECK_SAME(posture_trajectory_at(&p, 4, 0.3).q, 2);
    CHECK_SAME(posture_trajectory_at(&p, 4, 0.3).dq, 0);
    p.shape = POSTURE_SINE;
    p.amplitude = 0.5;
    p.frequency = 0.25;
    CHECK_SAME(posture_trajectory_at(&p, 0, 0.3).q, 2);
    CHECK_NEAR(posture_trajectory_at(&p, 2, 0.3).q, 2.5, 1e-15);
    for (double t = 1.1; t < 9; t += 0.37) check_derivatives(&p, t);
    p.shape = POSTURE_SMOOTH;
    CHECK_SAME(posture_trajectory_at(&p, 0.999, 0.3).q, -1);
    CHECK_NEAR(posture_trajectory_at(&p, 2.5, 0.3).q, 0.5, 1e-15); /* half of the way */
    CHECK_SAME(posture_trajectory_at(&p, 4, 0.3).q, 2);
    CHECK_NEAR(posture_trajectory_at(&p, 1 + 1e-9, 0.3).ddq, 0, 1e-6); /* at rest at both ends */
    CHECK_NEAR(posture_trajectory_at(&p, 4 - 1e-9, 0.3).dq, 0, 1e-12);
    for (double t = 1.1; t < 4; t += 0.37) check_derivatives(&p, t);
}

TEST(samples_are_joined_by_straight_lines) {
    const posture_sample samples[] = {{0, 1}, {1, 3}, {3, -1}};
    posture_trajectory p = posture_trajectory_default();
    p.shape = POSTURE_SAMPLES;
    p.samples = samples;
    p.sample_count = 3;
    const double expected[][3] = {{-1, 1, 0}, {0, 1, 2},  {0.5, 2, 2}, {1, 3, -2},
                                  {2, 1, -2}, {3, -1, 0}, {9, -1, 0}};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        const posture_reference at = posture_trajectory_at(&p, expected[k][0], 0.3);
        CHECK_NEAR(at.q, expected[k][1], 1e-15);
        CHECK_NEAR(at.dq, expected[k][2], 1e-15);
    }
}

/* The controller. */

typedef struct rig {
    posture *controller;
    posture_state *state;
} rig;

static rig rig_of(posture_def def, const posture_joint_def *joints, size_t count) {
    rig r = {0};
    stiction_error error;
    def.joints = joints;
    def.joint_count = count;
    if (posture_create(&def, &r.controller, &error) != STICTION_OK ||
        posture_state_create(r.controller, &r.state, &error) != STICTION_OK)
        FAIL("%s", error.message);
    return r;
}

static void rig_free(rig *r) {
    posture_state_destroy(r->state);
    posture_destroy(r->controller);
}

static posture_input input_of(const double *q, const double *dq, const double *M, const double *c) {
    return (posture_input){.dt = T, .q = q, .dq = dq, .M = M, .c = c};
}

static posture_joint_def joint_of(double kp, double kv, double target) {
    posture_joint_def joint = posture_joint_def_default();
    joint.kp = kp;
    joint.kv = kv;
    joint.trajectory.target = target;
    return joint;
}

/* A planar arm of two equal uniform rods (1 m, 4 kg) in a vertical plane, without friction. */

typedef struct arm {
    double q[2], dq[2], M[4], c[2];
} arm;

static void arm_update(arm *a) {
    const double ml2 = 4, g = 9.81 * 4;
    const double cosine = cos(a->q[1]), sine = sin(a->q[1]);
    const double v1 = a->dq[0], v2 = a->dq[1];
    a->M[0] = ml2 * (5.0 / 3 + cosine);
    a->M[1] = a->M[2] = ml2 * (1.0 / 3 + cosine / 2);
    a->M[3] = ml2 / 3;
    const double tip = g / 2 * cos(a->q[0] + a->q[1]);
    a->c[0] = -ml2 / 2 * sine * v2 * (2 * v1 + v2) + 1.5 * g * cos(a->q[0]) + tip;
    a->c[1] = ml2 / 2 * sine * v1 * v1 + tip;
}

static void arm_accelerations(const arm *a, const double *torque, double *ddq) {
    const double t1 = torque[0] - a->c[0], t2 = torque[1] - a->c[1];
    const double det = a->M[0] * a->M[3] - a->M[1] * a->M[2];
    ddq[0] = (a->M[3] * t1 - a->M[1] * t2) / det;
    ddq[1] = (a->M[0] * t2 - a->M[2] * t1) / det;
}

typedef enum integrator { SEMI_IMPLICIT, EXPLICIT } integrator;

/* What became of a run of the arm. */
typedef struct arm_outcome {
    double largest_torque[2], largest_velocity[2], lowest[2], highest[2];
    double largest_braking[2]; /* deceleration, rad/s^2 */
    double miss;               /* of ddq from ddq_r, rad/s^2 */
    double integral_torque;    /* the largest, N m */
    unsigned events;
    arm end;
} arm_outcome;

static arm_outcome run_arm(posture_def def, const posture_joint_def joints[2], arm a,
                           double seconds, integrator how) {
    rig r = rig_of(def, joints, 2);
    posture_input in = input_of(a.q, a.dq, a.M, a.c);
    double torque[2], reference[2], acceleration[2], integral[2], ddq[2];
    const posture_output out = {.torque = torque,
                                .reference = reference,
                                .acceleration = acceleration,
                                .integral_torque = integral};
    arm_outcome o = {.lowest = {infinity, infinity}, .highest = {-infinity, -infinity}};
    for (int k = 0; k < (int)(seconds / T); k++) {
        in.t = k * T;
        arm_update(&a);
        o.events |= posture_step(r.state, &in, &out);
        arm_accelerations(&a, torque, ddq);
        for (int i = 0; i < 2; i++) {
            o.largest_torque[i] = fmax(o.largest_torque[i], fabs(torque[i]));
            o.largest_braking[i] =
                fmax(o.largest_braking[i], a.dq[i] * ddq[i] < 0 ? fabs(ddq[i]) : 0);
            o.miss = fmax(o.miss, fabs(acceleration[i] - reference[i]));
            o.integral_torque = fmax(o.integral_torque, fabs(integral[i]));
            if (how == EXPLICIT) a.q[i] += T * a.dq[i];
            a.dq[i] += T * ddq[i];
            if (how == SEMI_IMPLICIT) a.q[i] += T * a.dq[i];
            o.largest_velocity[i] = fmax(o.largest_velocity[i], fabs(a.dq[i]));
            o.lowest[i] = fmin(o.lowest[i], a.q[i]);
            o.highest[i] = fmax(o.highest[i], a.q[i]);
        }
    }
    o.end = a;
    rig_free(&r);
    return o;
}

TEST(without_limits_coupled_joints_move_as_if_alone) {
    const posture_joint_def joints[] = {joint_of(25, 10, 1), joint_of(100, 20, -0.5)};
    const arm_outcome o = run_arm(posture_def_default(), joints, (arm){0}, 3, SEMI_IMPLICIT);
    CHECK(o.events == 0);
    CHECK_SAME(o.miss, 0);
    /* each as its own linear equation, semi-implicit Euler */
    double q[2] = {0}, v[2] = {0};
    for (int k = 0; k < 3000; k++)
        for (int i = 0; i < 2; i++) {
            v[i] += T * (joints[i].kp * (joints[i].trajectory.target - q[i]) - joints[i].kv * v[i]);
            q[i] += T * v[i];
        }
    for (int i = 0; i < 2; i++) CHECK_NEAR(o.end.q[i], q[i], 1e-9);
}

TEST(the_integral_term_is_silent_while_the_model_is_right) {
    posture_joint_def joints[] = {joint_of(25, 10, 1), joint_of(100, 20, -0.5)};
    joints[0].lambda = joints[1].lambda = 3;
    const arm moving = {.q = {0.3, 0.2}, .dq = {2, -1}}; /* tau_p starts at 0 all the same */
    CHECK(run_arm(posture_def_default(), joints, moving, 3, SEMI_IMPLICIT).integral_torque < 1e-9);
}

TEST(torque_limits_hold_exactly) {
    posture_joint_def joints[] = {joint_of(25, 10, 1.5), joint_of(25, 10, -1)};
    joints[0].torque_limit = 100;
    joints[1].torque_limit = 20;
    joints[0].lambda = 0.1;
    const arm_outcome o = run_arm(posture_def_default(), joints, (arm){0}, 5, SEMI_IMPLICIT);
    for (int i = 0; i < 2; i++) CHECK_SAME(o.largest_torque[i], joints[i].torque_limit);
    CHECK(o.miss > 1);
    CHECK_NEAR(o.end.q[0], 1.5, 0.1);
}

TEST(velocity_limits_hold_to_rounding) {
    posture_joint_def joints[] = {joint_of(100, 20, 2), joint_of(400, 40, -2)};
    joints[0].velocity_limit = 1;
    joints[1].velocity_limit = 0.5;
    const arm_outcome o = run_arm(posture_def_default(), joints, (arm){0}, 6, SEMI_IMPLICIT);
    CHECK(o.events == 0);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(o.largest_velocity[i], joints[i].velocity_limit, 1e-9);
        CHECK_NEAR(o.end.q[i], joints[i].trajectory.target, 1e-3);
    }
}

TEST(joint_limits_are_approached_softly_and_not_crossed) {
    posture_joint_def joints[] = {joint_of(100, 20, 3), joint_of(400, 40, -3)};
    for (int i = 0; i < 2; i++) {
        joints[i].upper_limit = 1;
        joints[i].lower_limit = -0.5;
        joints[i].velocity_limit = 4;
        joints[i].braking = 8;
    }
    const arm_outcome o = run_arm(posture_def_default(), joints, (arm){0}, 4, SEMI_IMPLICIT);
    CHECK(o.events == 0);
    CHECK(o.highest[0] <= 1 + 1e-9 && o.lowest[1] >= -0.5 - 1e-9);
    CHECK(o.end.q[0] > 1 - 1e-3 && o.end.q[1] < -0.5 + 1e-3);
    for (int i = 0; i < 2; i++) CHECK(o.largest_braking[i] <= 8 * (1 + 1e-9));
    /* an integrator that uses the old velocity is late by a step */
    const arm_outcome late = run_arm(posture_def_default(), joints, (arm){0}, 4, EXPLICIT);
    printf("crossed by %.2e rad (bound %.2e)\n", late.highest[0] - 1, 8 * T * T);
    CHECK(late.highest[0] <= 1 + 8 * T * T && late.lowest[1] >= -0.5 - 8 * T * T);
}

TEST(a_joint_outside_of_its_range_comes_back) {
    posture_joint_def joints[] = {joint_of(20, 2, 3), joint_of(20, 2, 0)};
    joints[0].upper_limit = 1;
    joints[0].lower_limit = -1;
    joints[0].velocity_limit = 0.5;
    const arm_outcome o =
        run_arm(posture_def_default(), joints, (arm){.q = {1.4, 0}}, 4, SEMI_IMPLICIT);
    CHECK(o.events == 0 && o.highest[0] <= 1.4 + 1e-12);
    CHECK(o.end.q[0] <= 1 + 1e-6);
    CHECK(o.largest_velocity[0] <= 0.5 + 1e-9);
}

/* One step of one joint. */
typedef struct step_outcome {
    unsigned events;
    double torque, integral_torque;
    size_t blocking;
} step_outcome;

static step_outcome step_once(const rig *r, double t, double q, double v, double M, double c) {
    step_outcome o = {0};
    posture_input in = input_of(&q, &v, &M, &c);
    const posture_output out = {
        .torque = &o.torque, .integral_torque = &o.integral_torque, .blocking = &o.blocking};
    in.t = t;
    o.events = posture_step(r->state, &in, &out);
    return o;
}

TEST(contradicting_limits_give_way_in_order_and_the_joint_still_brakes) {
    posture_joint_def joint = joint_of(20, 2, 3);
    joint.torque_limit = 10;
    joint.upper_limit = 1;
    joint.velocity_limit = 5;
    AUTO(rig_free) rig r = rig_of(posture_def_default(), &joint, 1);

    /* too fast to stop before the end of the range */
    step_outcome o = step_once(&r, 0, 0.999, 4, 0.5, 0);
    CHECK(o.events == POSTURE_RELAXED_JOINT_LIMITS && o.blocking == 0);
    CHECK_NEAR(o.torque, -10, 1e-9);
    /* faster than allowed, with a load beyond the torque limit */
    o = step_once(&r, T, 0, 6, 0.5, 12);
    CHECK(o.events == (POSTURE_RELAXED_JOINT_LIMITS | POSTURE_RELAXED_VELOCITY_LIMITS));
    CHECK_NEAR(o.torque, -10, 1e-9);
    /* all is well again */
    o = step_once(&r, 2 * T, 0, 0, 0.5, 0);
    CHECK(o.events == 0 && o.blocking == 1);
    CHECK(posture_state_count(r.state, POSTURE_RELAXED_JOINT_LIMITS) == 2);
    CHECK(posture_state_count(r.state, POSTURE_RELAXED_VELOCITY_LIMITS) == 1);
    CHECK(posture_state_count(r.state, POSTURE_HELD) == 0);
}

TEST(contradicting_limits_can_hold_the_last_torque) {
    posture_joint_def joint = joint_of(20, 2, 0.5);
    joint.torque_limit = 10;
    joint.upper_limit = 1;
    posture_def def = posture_def_default();
    def.hold_infeasible = true;
    joint.lambda = 1;
    AUTO(rig_free) rig r = rig_of(def, &joint, 1);
    CHECK_NEAR(step_once(&r, 0, 0, 0, 0.5, 0).torque, 5, 1e-12);
    const step_outcome o = step_once(&r, T, 0.999, 4, 0.5, 0);
    CHECK(o.events == POSTURE_HELD);
    CHECK_NEAR(o.torque, 5, 1e-12);
    CHECK(posture_state_count(r.state, POSTURE_HELD) == 1);
    /* and the integral: it has seen the first step only */
    CHECK_NEAR(step_once(&r, 2 * T, 0, 0, 0.5, 0).integral_torque, 0.5 * 10 * T, 1e-15);
}

TEST(the_integral_is_of_the_reference_whatever_the_limits_allow) {
    posture_joint_def joint = joint_of(20, 2, 0.5);
    joint.torque_limit = 1; /* a fifth of what (50) asks for */
    joint.lambda = 3;
    AUTO(rig_free) rig r = rig_of(posture_def_default(), &joint, 1);
    for (int k = 0; k < 100; k++)
        CHECK_NEAR(step_once(&r, k * T, 0, 0, 0.5, 0).integral_torque, 3 * 0.5 * (k * T * 10),
                   1e-12);
}

/* A mass matrix that is none may leave no acceleration at all: the last torque, never a NaN. */
TEST(a_singular_mass_matrix_holds_the_last_torque) {
    posture_joint_def joint = joint_of(20, 2, 0.5);
    joint.torque_limit = 10;
    AUTO(rig_free) rig r = rig_of(posture_def_default(), &joint, 1);
    CHECK_NEAR(step_once(&r, 0, 0, 0, 0.5, 0).torque, 5, 1e-12);
    CHECK(step_once(&r, T, 0, 0, 0, 12).events == POSTURE_HELD);
    CHECK_NEAR(step_once(&r, T, 0, 0, 0, 12).torque, 5, 1e-12);
}

TEST(unusable_input_gives_torque_0_and_keeps_the_integral) {
    posture_joint_def joint = joint_of(20, 2, 0.5);
    joint.lambda = 5;
    rig r = rig_of(posture_def_default(), &joint, 1),
        twin = rig_of(posture_def_default(), &joint, 1);
    const double bad[] = {nan_value, infinity, -infinity};
    uint64_t faults = 0;
    for (int k = 0; k < 50; k++) {
        const double t = k * T, q = 0.01 * k;
        for (int b = 0; b < 3; b++) {
            const step_outcome outcomes[] = {
                step_once(&r, bad[b], q, 0, 0.5, 0), step_once(&r, t, bad[b], 0, 0.5, 0),
                step_once(&r, t, q, bad[b], 0.5, 0), step_once(&r, t, q, 0, bad[b], 0),
                step_once(&r, t, q, 0, 0.5, bad[b]),
            };
            for (int i = 0; i < 5; i++) {
                CHECK(outcomes[i].events == POSTURE_FAULT);
                CHECK_SAME(outcomes[i].torque, 0);
            }
            faults += 5;
        }
        CHECK_SAME(step_once(&r, t, q, 0, 0.5, 0).torque, step_once(&twin, t, q, 0, 0.5, 0).torque);
    }
    CHECK(posture_state_count(r.state, POSTURE_FAULT) == faults);
    CHECK(posture_state_count(twin.state, POSTURE_FAULT) == 0);

    double torque = 7;
    posture_output out = {.torque = &torque};
    posture_input in = {0};
    CHECK(posture_step(r.state, &in, &out) == POSTURE_FAULT);
    CHECK_SAME(torque, 0);
    rig_free(&r);
    rig_free(&twin);
}

TEST(numbers_too_large_never_reach_the_simulator) {
    posture_joint_def joint = joint_of(POSTURE_MOST, POSTURE_MOST, POSTURE_MOST);
    joint.lambda = POSTURE_MOST;
    AUTO(rig_free) rig r = rig_of(posture_def_default(), &joint, 1);
    random_source random = {7};
    for (int k = 0; k < 2000; k++) {
        const step_outcome o = step_once(
            &r, k * T, random_decade(&random, -300, 308), random_decade(&random, -300, 308),
            random_decade(&random, -300, 308), -random_decade(&random, -300, 308));
        CHECK(isfinite(o.torque));
    }
}

TEST(a_reset_state_starts_anew) {
    posture_joint_def joint = joint_of(20, 2, nan_value); /* stay where it was first */
    joint.lambda = 5;
    AUTO(rig_free) rig r = rig_of(posture_def_default(), &joint, 1);
    CHECK_SAME(step_once(&r, 0, 1, 0, 0.5, 0).torque, 0);
    for (int k = 1; k < 10; k++) (void)step_once(&r, k * T, 1.1, 0.2, 0.5, 0);
    CHECK(step_once(&r, 10 * T, 1.2, 0, 0.5, 0).torque < -2);
    posture_state_reset(r.state);
    CHECK_SAME(step_once(&r, 0, 1.2, 0, 0.5, 0).torque, 0);
    posture_state_destroy(NULL);
    posture_destroy(NULL);
}

/* A joint that is blocked: the integral grows, unless anti_windup is set. */
static double pent_up(bool anti_windup) {
    posture_joint_def joint = joint_of(20, 2, 1);
    joint.lambda = 5;
    joint.torque_limit = 8;
    posture_def def = posture_def_default();
    def.anti_windup = anti_windup;
    rig r = rig_of(def, &joint, 1);
    for (int k = 0; k < 5000; k++) CHECK(fabs(step_once(&r, k * T, 0, 0, 0.5, 0).torque) <= 8);
    /* released beyond the target: for how long does it still push on? */
    int steps = 0;
    while (steps < 100000 && step_once(&r, 5 + steps * T, 1.1, 0, 0.5, 0).torque > 0) steps++;
    rig_free(&r);
    return steps * T;
}

TEST(anti_windup_lets_go_at_once) {
    const double with = pent_up(true), without = pent_up(false);
    printf("pushes on for %.2f s, without anti-windup for %.2f s\n", with, without);
    CHECK(with < 0.1 * without);
    CHECK(without > 20);
}

/* The largest angle of a joint that is asked beyond its end and loses half of its torque to
 * friction that sticks there, so that the integral winds up. */
static double furthest(double lambda, double leak, double feedforward) {
    posture_joint_def joint = joint_of(20, 2, 2);
    joint.lambda = lambda;
    joint.torque_limit = 50;
    joint.upper_limit = 1;
    posture_def def = posture_def_default();
    def.leak = leak;
    rig r = rig_of(def, &joint, 1);
    double q = 0, v = 0, largest = 0;
    const double M = 0.5, c = 0;
    for (int k = 0; k < 20000; k++) {
        double torque = 0;
        posture_input in = input_of(&q, &v, &M, &c);
        posture_output out = {0};
        in.t = k * T;
        in.feedforward = &feedforward;
        out.torque = &torque;
        CHECK(!(posture_step(r.state, &in, &out) & POSTURE_CLAMPED));
        CHECK(fabs(torque) <= 50);
        v += T * torque / M;
        q += T * v;
        largest = fmax(largest, q);
    }
    rig_free(&r);
    return largest;
}

TEST(no_integral_and_no_feedforward_pushes_a_joint_through_its_end) {
    CHECK(furthest(0, 0, 0) < 1 + 1e-4);
    CHECK(furthest(5, 0, 0) < 1 + 1e-4);
    CHECK(furthest(5, 1, 0) < 1 + 1e-4);
    CHECK(furthest(5, 0, 45) < 1 + 1e-3);
}

TEST(a_leak_bounds_the_integral) {
    for (int leaks = 0; leaks < 2; leaks++) {
        posture_joint_def joint = joint_of(20, 2, 0.5);
        joint.lambda = 3;
        posture_def def = posture_def_default();
        def.leak = leaks ? 2 : 0;
        AUTO(rig_free) rig r = rig_of(def, &joint, 1);
        double push = 0;
        for (int k = 0; k <= 4000; k++) push = step_once(&r, k * T, 0, 0, 0.5, 0).integral_torque;
        /* M lambda times the integral of 10 rad/s^2 for 4 s, or what the leak leaves of it */
        CHECK_NEAR(push, 0.5 * 3 * (leaks ? 10.0 / 2 : 40), 0.1);
    }
}

TEST(plain_pd_and_torque_profiles_need_no_mass_matrix) {
    posture_joint_def joint = joint_of(50, 3, 0.5);
    joint.torque_limit = 20;
    posture_def def = posture_def_default();
    def.mode = POSTURE_PD;
    rig r = rig_of(def, &joint, 1);
    double q = 0.2, v = 0.1, torque;
    posture_input in = input_of(&q, &v, NULL, NULL);
    const posture_output out = {.torque = &torque};
    CHECK(posture_step(r.state, &in, &out) == 0);
    CHECK_NEAR(torque, 50 * 0.3 - 3 * 0.1, 1e-14);
    q = -0.5;
    CHECK(posture_step(r.state, &in, &out) == POSTURE_CLAMPED);
    CHECK_SAME(torque, 20);
    rig_free(&r);

    const posture_sample profile[] = {{0, 0}, {1, 4}};
    def.mode = POSTURE_TORQUE;
    joint.trajectory.shape = POSTURE_SAMPLES;
    joint.trajectory.samples = profile;
    joint.trajectory.sample_count = 2;
    r = rig_of(def, &joint, 1);
    in.t = 0.25;
    CHECK(posture_step(r.state, &in, &out) == 0);
    CHECK_NEAR(torque, 1, 1e-15);
    rig_free(&r);
    joint.trajectory = posture_trajectory_default();
    r = rig_of(def, &joint, 1); /* no profile: no torque, wherever the joint is */
    CHECK(posture_step(r.state, &in, &out) == 0);
    CHECK_SAME(torque, 0);
    rig_free(&r);
}

/* The mean error of following a sine through friction, deg. */
static double tracking_error(bool compensate) {
    const double M = 0.1675, c = 0;
    posture_joint_def joint = joint_of(50, 14, 0);
    joint.trajectory.shape = POSTURE_SINE;
    joint.trajectory.amplitude = 30 * degree;
    joint.trajectory.frequency = 0.5;
    rig r = rig_of(posture_def_default(), &joint, 1);
    single_joint friction = single_joint_of(wrist_def(), T);
    single_joint predicted = single_joint_of(wrist_def(), T);
    double q = 0, v = 0, torque, sum = 0;
    posture_input in = input_of(&q, &v, &M, &c);
    const posture_output out = {.torque = &torque};
    for (int k = 0; k < 8000; k++) {
        in.t = k * T;
        const posture_reference desired = posture_desired(r.state, 0, in.t, q);
        const double feedforward = single_joint_step(&predicted, T, desired.dq);
        if (compensate) in.feedforward = &feedforward;
        CHECK(posture_step(r.state, &in, &out) == 0);
        v += T / M * (torque - single_joint_step(&friction, T, v));
        q += T * v;
        sum += fabs(desired.q - q) / degree;
    }
    single_joint_free(&friction);
    single_joint_free(&predicted);
    rig_free(&r);
    return sum / 8000;
}

TEST(friction_that_is_predicted_is_overcome) {
    const double with = tracking_error(true), without = tracking_error(false);
    printf("follows a sine to %.3f deg, without feed-forward to %.2f deg\n", with, without);
    CHECK(with < 0.05 * without);
}

/* A chain of n joints with a full mass matrix, held by limits in many of them. */
TEST(a_step_allocates_nothing_and_is_quick) {
    enum { n = 37 };
    static double M[n * n], c[n], q[n], v[n], torque[n];
    posture_joint_def joints[n];
    random_source r = {8};
    for (size_t i = 0; i < n; i++) {
        joints[i] = joint_of(100, 20, random_uniform(&r, -2, 2));
        joints[i].torque_limit = 20;
        joints[i].velocity_limit = 1;
        joints[i].upper_limit = 1;
        joints[i].lower_limit = -1;
        joints[i].lambda = 1;
        for (size_t j = 0; j <= i; j++)
            M[i * n + j] = M[j * n + i] = i == j ? 1 + 0.3 * n : 0.3 * (double)(n - i);
    }
    AUTO(rig_free) rig chain = rig_of(posture_def_default(), joints, n);
    posture_input in = input_of(q, v, M, c);
    const posture_output out = {.torque = torque};
    const long before = allocations;
    unsigned events = 0;
    for (int k = 0; k < 200; k++) {
        in.t = k * T;
        events |= posture_step(chain.state, &in, &out);
        for (size_t i = 0; i < n; i++) {
            CHECK(fabs(torque[i]) <= 20);
            v[i] = fmin(fmax(v[i] + T * torque[i], -1), 1);
            q[i] += T * v[i];
        }
    }
    CHECK(allocations == before);
    CHECK((events & (POSTURE_FAULT | POSTURE_HELD)) == 0);
}

/* Definitions. */

static const char *refusal(posture_def def, const posture_joint_def *joint) {
    static stiction_error error;
    posture *controller = (posture *)&error;
    def.joints = joint;
    def.joint_count = joint ? 1 : 0;
    CHECK(posture_create(&def, &controller, &error) != STICTION_OK);
    CHECK(controller == NULL);
    return error.message;
}

TEST(definitions_that_are_wrong_are_refused_with_a_sentence) {
    const posture_sample samples[] = {{0, 1}, {0, 2}};
    const posture_def def = posture_def_default();
    posture_def pd = def;
    pd.mode = POSTURE_PD;
    posture_joint_def bad[10];
    for (int k = 0; k < 10; k++) bad[k] = joint_of(20, 2, 1);
    bad[0].name = "RWRR", bad[0].kp = -1;
    bad[1].weight = 0;
    bad[2].kv = infinity;
    bad[3].torque_limit = nan_value;
    bad[4].upper_limit = -1, bad[4].lower_limit = 0.5;
    bad[5].trajectory.shape = POSTURE_RAMP;
    bad[6].trajectory.shape = POSTURE_SINE;
    bad[7].trajectory.shape = POSTURE_SAMPLES;
    bad[8] = bad[7], bad[8].trajectory.samples = samples, bad[8].trajectory.sample_count = 2;
    bad[9].trajectory.shape = (posture_shape)17;
    static const char *const sentences[] = {"joint 'RWRR': kp -1 must be at least 0",
                                            "joint 0: weight 0 must be above 0",
                                            "kv inf is not finite",
                                            "torque_limit nan is not finite",
                                            "upper_limit -1 rad is below lower_limit 0.5 rad",
                                            "a ramp needs a duration above 0",
                                            "a sine needs a frequency above 0",
                                            "shape samples has none",
                                            "sample 1 (2 at 0 s) is not",
                                            "there is no shape 17"};
    for (int k = 0; k < 10; k++) CHECK_CONTAINS(refusal(def, &bad[k]), sentences[k]);
    posture_joint_def joint = joint_of(20, 2, 1);
    CHECK_CONTAINS(refusal(def, NULL), "a controller needs 1 to 1024 joints, not 0");
    joint.lambda = 1;
    CHECK_CONTAINS(refusal(pd, &joint), "lambda 1: only mode qp has an integral term");
}
