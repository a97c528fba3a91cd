/* SPDX-License-Identifier: MIT
 * Friction to feed forward in a controller: which starts are intended, and that nothing of it
 * swings, whatever the friction really is.
 */
#include "allocations.h"
#include "controllers/compensation/compensation.h"
#include "document/auto.h"
#include "stiction/models/law.h"
#include "temporary.h"
#include "wrist.h"

OWNS(compensation, compensation_destroy)

static const char *const joints[] = {"RWRR", "NOBODY"};
static const double T = 1e-3, degree = 3.141592653589793 / 180;

static compensation_def definition(const char *path, size_t count) {
    return (compensation_def){.path = path,
                              .joints = joints,
                              .count = count,
                              .share = 0.8,
                              .edge = 0.0015,
                              .reach = 0.02};
}

static compensation *made_of(compensation_def def) {
    compensation *c;
    stiction_error error;
    if (compensation_create(&def, &c, &error) != STICTION_OK) FAIL("%s", error.message);
    return c;
}

static compensation *wrist(void) {
    return made_of(definition("../config/wrist.yaml", 2));
}

/* The torque of the first joint, which is at q and should be at `goal`. */
static double torque_at(compensation *c, double velocity, double ahead, double goal, double q) {
    const double velocities[] = {velocity, 0}, later[] = {ahead, 0}, goals[] = {goal, 0},
                 positions[] = {q, 0};
    const compensation_input in = {
        .dt = T, .q = positions, .velocity = velocities, .ahead = later, .goal = goals};
    double torque[2] = {(double)NAN, (double)NAN};
    CHECK(compensation_step(c, &in, torque, NULL) == STICTION_OK);
    CHECK_SAME(torque[1], 0); /* the file names no such joint */
    return torque[0];
}

/* ---- which starts are intended ---- */

TEST(a_start_is_known_before_its_velocity) {
    OWNED(compensation) *c = wrist();
    CHECK_SAME(torque_at(c, 0, 0, 0, 0), 0);
    CHECK_NEAR(torque_at(c, 0, 0.5, 0, 0), 2, 1e-4);
    CHECK_NEAR(torque_at(c, 0, -0.5, 0, 0), -2, 1e-4);
    /* a way that ends is no start to the other side: it fades */
    CHECK(torque_at(c, 1e-4, 0, 0, 0) > 0);
    CHECK_SAME(torque_at(c, 0, 0, 0, 0), 0);
}

TEST(a_target_set_at_once_is_a_start_until_it_is_reached) {
    OWNED(compensation) *c = wrist();
    CHECK_NEAR(torque_at(c, 0, 0, 1, 0), 2, 1e-3);
    const double near = torque_at(c, 0, 0, 1, 0.98);
    CHECK_NEAR(near, 2 * sqrt(0.5), 1e-9); /* 0.02 rad before it: the reach */
    /* pushed away again, it gets no more for it: it yields as before */
    CHECK_SAME(torque_at(c, 0, 0, 1, 0.5), near);
    CHECK_SAME(torque_at(c, 0, 0, 1, 1.001), 0);
    /* it has been there: nothing brings it back but the controller itself */
    CHECK_SAME(torque_at(c, 0, 0, 1, 0.5), 0);
    CHECK_SAME(torque_at(c, 0, 0, 1, 1.5), 0);
    /* another target, to the other side */
    CHECK_NEAR(torque_at(c, 0, 0, -1, 1), -2, 1e-3);
    compensation_reset(c);
    CHECK_NEAR(torque_at(c, 0, 0, 1, 0), 2, 1e-3);
}

TEST(a_joint_that_is_held_gets_nothing) {
    OWNED(compensation) *c = wrist();
    CHECK_SAME(torque_at(c, 0, 0, 0.3, 0.3), 0);
    for (double q = -1; q <= 1; q += 0.01) CHECK_SAME(torque_at(c, 0, 0, 0.3, q), 0);
}

TEST(a_way_with_a_velocity_is_no_jump) {
    OWNED(compensation) *c = wrist();
    for (int k = 0; k < 2000; k++) {
        const double t = k * T, v = t < 1 ? 0.5 : 0;
        const double torque = torque_at(c, v, v, 0.5 * fmin(t, 1), 0); /* the joint is stuck */
        if (t > 1 + 2 * T) CHECK_SAME(torque, 0); /* what is left of a way is no new start */
    }
}

TEST(a_goal_that_nobody_knows_is_no_start) {
    OWNED(compensation) *c = wrist();
    CHECK_SAME(torque_at(c, 0, 0, (double)NAN, 0), 0);
    CHECK_SAME(torque_at(c, 0, 0, 1, (double)NAN), 0);
    const double zeros[2] = {0, 0};
    const compensation_input in = {.dt = T, .q = zeros, .velocity = zeros};
    double torque[2] = {1, 1};
    CHECK(compensation_step(c, &in, torque, NULL) == STICTION_OK);
    CHECK_SAME(torque[0], 0);
}

TEST(a_joint_that_sticks_is_not_led_far) {
    CHECK_SAME(compensation_led(30, 0, 0), 0.01);
    CHECK_SAME(compensation_led(-30, 0, 0), -0.01);
    CHECK_SAME(compensation_led(0.004, 0, 0), 0.004);
    /* by what it does and what it is to do, whichever way */
    CHECK_NEAR(compensation_led(30, -0.5, 0), 0.51, 1e-15);
    CHECK_NEAR(compensation_led(30, 0, -0.5), 0.51, 1e-15);
    CHECK_NEAR(compensation_led(-0.2, 0.5, 0.5), -0.2, 1e-15);
}

/* ---- nothing swings ---- */

enum { static_torque = 1, coulomb_torque = 2, stribeck_velocity = 4, viscous = 8, corners = 16 };

/* A configuration whose parameters are all wrong by `by`, each up or down. */
static const char *write_wrong(int up, double by) {
    const double f[] = {1 - by, 1 + by};
    char text[300];
    (void)snprintf(text, sizeof text,
                   "stiction: 1\njoints:\n  RWRR: { law: stribeck, static_torque: %.17g, "
                   "coulomb_torque: %.17g, stribeck_velocity: %.17g, viscous: %.17g, "
                   "stiffness: 5000, damping: 50 }\n",
                   2.5 * f[!!(up & static_torque)], 0.4 * f[!!(up & coulomb_torque)],
                   0.06 * f[!!(up & stribeck_velocity)], 4.5 * f[!!(up & viscous)]);
    return temporary_file("wrong.yaml", text);
}

/* What a run of the wrist comes to. */
typedef struct outcome {
    double error;  /* deg, at the end */
    double motion; /* rad/s: the fastest in the last second */
    int turns;     /* by more than 0.001 rad, since the target rests */
    double energy; /* J: put in */
} outcome;

typedef struct desired {
    double q, dq, ddq;
} desired;

static desired at_once(double t) {
    (void)t;
    return (desired){90 * degree, 0, 0};
}

static desired smooth(double t) {
    const double duration = 3, s = fmin(t / duration, 1), way = 90 * degree;
    return (desired){way * s * s * s * (10 + s * (6 * s - 15)),
                     way / duration * 30 * s * s * (1 - s) * (1 - s),
                     way / (duration * duration) * 60 * s * (1 - s) * (1 - 2 * s)};
}

/* What pushes the joint on: the compensation, or, to see that a limit cycle would be seen, a push
 * towards the target that looks at the error alone, as the sign of an error does. */
static double push(compensation *c, desired (*way)(double), double t, double q) {
    const desired now = way(t), later = way(t + 0.02);
    double torque[1];
    if (!c) return 1.04 * 2.5 * (now.q > q ? 1 : -1);
    const compensation_input in = {
        .dt = T, .q = &q, .velocity = &now.dq, .ahead = &later.dq, .goal = &now.q};
    CHECK(compensation_step(c, &in, torque, NULL) == STICTION_OK);
    return torque[0];
}

/* The paper's wrist under its compliant controller, friction from the velocity of the last step. */
static outcome drive(compensation *c, desired (*way)(double)) {
    const double M = 0.1675, kp = 20, kv = 2, duration = 9;
    single_joint friction = single_joint_of(wrist_def(), T);
    outcome o = {0};
    double q = 0, v = 0, farthest = 0;
    int side = 1;
    for (int k = 0; k * T < duration; k++) {
        const double t = k * T, pushed = push(c, way, t, q);
        const desired d = way(t);
        const double torque = M * (kp * (d.q - q) + kv * (d.dq - v) + d.ddq) + pushed;
        v += T / M * (torque - single_joint_step(&friction, T, v));
        q += T * v;
        o.energy += pushed * T * v;
        if (t > duration - 1) o.motion = fmax(o.motion, fabs(v));
        if (side * (q - farthest) > 0) farthest = q;
        if (side * (farthest - q) > 1e-3) {
            side = -side;
            farthest = q;
            o.turns++;
        }
    }
    o.error = (way(duration).q - q) / degree;
    single_joint_free(&friction);
    return o;
}

TEST(no_limit_cycle_at_share_0_8_with_any_parameter_wrong_by_30_percent) {
    static desired (*const ways[])(double) = {at_once, smooth};
    for (int corner = 0; corner < corners; corner++)
        for (int w = 0; w < 2; w++) {
            OWNED(compensation) *c = made_of(definition(write_wrong(corner, 0.3), 1));
            const outcome o = drive(c, ways[w]);
            if (o.turns > 1 || o.motion > 1e-6)
                FAIL("corner %d, way %d: %d turns, %g rad/s at the end", corner, w, o.turns,
                     o.motion);
            CHECK(fabs(o.error) < 20.1); /* nearer than without */
            CHECK(o.energy > 0);
        }
}

TEST(a_push_by_the_sign_of_the_error_would_be_a_limit_cycle) {
    const outcome o = drive(NULL, at_once);
    CHECK(o.motion > 0.01); /* it never rests */
}

/* Measured once: the figures of docs/compensation.md, from another integrator than the engine's. */
TEST(parameters_that_are_right_bring_the_wrist_to_its_target) {
    OWNED(compensation) *c = made_of(definition("../config/wrist.yaml", 1));
    const outcome o = drive(c, at_once);
    CHECK_NEAR(o.error, 0.33, 0.05);
    CHECK(o.turns == 0);
    CHECK_NEAR(o.energy, 3.10, 0.05);
}

/* ---- records and warnings ---- */

TEST(a_share_of_1_or_more_is_told) {
    compensation_def def = definition("../config/wrist.yaml", 2);
    compensation *c = made_of(def);
    CHECK(!compensation_warning(c));
    CHECK(!compensation_warning(NULL));
    compensation_destroy(c);
    for (def.share = 1; def.share <= 2; def.share += 0.5) {
        c = made_of(def);
        CHECK(c && compensation_warning(c));
        CHECK_CONTAINS(compensation_warning(c), "compensation_share is 1 or more");
        /* and bounded: never more than so much of the law */
        CHECK_NEAR(torque_at(c, 0, 1, 0, 0), def.share * 2.5, 1e-4);
        compensation_destroy(c);
    }
}

TEST(a_step_allocates_nothing) {
    OWNED(compensation) *c = wrist();
    const long before = allocations;
    for (int k = 0; k < 100; k++) (void)torque_at(c, 0.01 * k, 0.5, k, 0.1 * k);
    CHECK(allocations == before);
}

TEST(torques_are_recorded_by_the_names_of_joints) {
    compensation *c = wrist();
    CHECK(strcmp(compensation_record_names(c)[0], "RWRR.compensation") == 0);
    CHECK(strcmp(compensation_record_names(c)[1], "NOBODY.compensation") == 0);
    compensation_destroy(c);
    compensation_destroy(NULL);
    compensation_reset(NULL);
}

static void check_refusal(compensation_def def, const char *sentence) {
    compensation *c;
    stiction_error error;
    CHECK(compensation_create(&def, &c, &error) != STICTION_OK && !c);
    CHECK_CONTAINS(error.message, sentence);
    CHECK_CONTAINS(error.path, def.path);
}

TEST(what_cannot_be_compensated_is_refused) {
    check_refusal(definition("no/such.yaml", 2), "cannot be read");
    compensation_def def = definition("../config/wrist.yaml", 2);
    def.share = 2.5;
    check_refusal(def, "share 2.5 must be from 0 to 2");
    def.share = 0.8;
    def.edge = 0;
    check_refusal(def, "edge 0 must be above 0");
    static const char literature[] =
        "stiction: 1\ntimestep: 0.001\njoints:\n  RWRR: { law: karnopp, static_torque: 2, "
        "coulomb_torque: 1, stribeck_velocity: 0.1, viscous: 1, stick_velocity: 0.01 }\n";
    check_refusal(definition(temporary_file("literature.yaml", literature), 1),
                  "joint 'RWRR': law karnopp cannot be compensated: it is a model of the "
                  "literature and has no Phi");
}

/* Too little damping for a simulation at 1 ms, which a fit of a real drive may well have. */
TEST(friction_that_no_simulation_could_have_is_compensated) {
    static const char text[] =
        "stiction: 1\njoints:\n  RWRR: { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, "
        "stribeck_velocity: 0.001, viscous: 1, stiffness: 1000, damping: 0 }\n";
    compensation_destroy(made_of(definition(temporary_file("fitted.yaml", text), 1)));
}
