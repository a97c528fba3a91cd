/* SPDX-License-Identifier: MIT
 * Velocities against positions: honest integrators are believed to the bit, and those that give no
 * velocity, or another one, are found.
 */
#include <stdint.h>

#include "check.h"
#include "random.h"
#include "velocities/velocity_check.h"

#include <math.h>

static const double T = 0.001; /* s */

/* A joint on a damped spring that is also pushed: it starts at rest, turns around, swings. */
typedef enum integrator { SEMI_IMPLICIT, EXPLICIT, MIDPOINT } integrator;

typedef struct joint {
    double q, v;
} joint;

static void integrate(joint *j, integrator how, double dt, double push) {
    const double before = j->v;
    j->v += dt * (push - 40 * j->q - 2 * j->v);
    j->q += dt * (how == SEMI_IMPLICIT ? j->v : how == EXPLICIT ? before : (before + j->v) / 2);
}

static void expect_belief(integrator how, double dt) {
    velocity_check check = {0};
    joint j = {0, 0};
    for (int k = 0; k < 20000; k++) {
        CHECK_SAME(velocity_check_step(&check, dt, j.q, j.v), j.v);
        integrate(&j, how, dt, k < 100 ? 0 : 20 * sin(0.37 * k * dt));
    }
    CHECK(check.source == VELOCITY_GIVEN);
}

TEST(honest_integrators_are_believed_to_the_bit) {
    expect_belief(SEMI_IMPLICIT, T);
    expect_belief(EXPLICIT, T / 10);
    expect_belief(MIDPOINT, T);
}

TEST(large_steps_are_believed) {
    expect_belief(SEMI_IMPLICIT, 0.05);
    expect_belief(MIDPOINT, 0.02);
}

TEST(joint_at_rest_is_believed) {
    velocity_check check = {0};
    for (int k = 0; k < 100000; k++) CHECK_SAME(velocity_check_step(&check, T, 0.7, 0), 0);
    CHECK(check.source == VELOCITY_GIVEN);
}

TEST(positions_of_single_precision_are_believed) {
    velocity_check check = {0};
    joint j = {1.3, 0};
    for (int k = 0; k < 200000; k++) {
        const double v = (double)(float)j.v;
        CHECK_SAME(velocity_check_step(&check, T, (double)(float)j.q, v), v);
        j.v = 1e-4 * sin(1e-3 * k); /* less than one unit of the position a step */
        j.q += T * j.v;
    }
    CHECK(check.source == VELOCITY_GIVEN);
}

TEST(noise_of_single_precision_at_rest_is_believed) {
    velocity_check check = {0};
    random_source r = {7};
    for (int k = 0; k < 200000; k++) {
        const double v = random_uniform(&r, -5e-6, 5e-6);
        const double q = 1.5 + 1.2e-7 * (random_uniform(&r, 0, 1) > 0.5);
        CHECK_SAME(velocity_check_step(&check, T, q, v), v);
    }
    CHECK(check.source == VELOCITY_GIVEN);
}

TEST(stop_that_takes_the_velocity_away_is_believed) {
    velocity_check check = {0};
    joint j = {0, 0};
    for (int k = 0; k < 5000; k++) {
        const double v = velocity_check_step(&check, T, j.q, j.v);
        if (k < 500 || k > 1000) CHECK_SAME(v, j.v); /* it arrives after 0.577 s */
        j.v += T * 3;
        j.q += T * j.v;
        if (j.q > 0.5) { /* the stop puts it back, at once and without a velocity */
            j.q = 0.5;
            j.v = 0;
        }
    }
    CHECK(check.source == VELOCITY_GIVEN);
}

/* A solver that moves a joint beside its velocity, which swings about 0 as in a contact. */
TEST(motion_beside_the_velocity_is_seen) {
    velocity_check check = {0};
    double q = 0.7, seen = 0;
    for (int k = 0; k < 5000; k++) {
        const double v = 0.005 * sin(2.3 * k);
        q += T * (v + 1e-3);
        seen += T * velocity_check_step(&check, T, q, v);
    }
    CHECK(check.source == VELOCITY_GIVEN);
    CHECK_NEAR(seen, 5e-3, 1e-4); /* of the 5 mrad that no velocity says */
}

TEST(joint_that_is_put_elsewhere_is_believed) {
    velocity_check check = {0};
    joint j = {0, 0};
    for (int k = 0; k < 5000; k++) {
        if (k == 50 || k == 3000) j.q += 1; /* before any velocity was given, and after */
        CHECK_SAME(velocity_check_step(&check, T, j.q, j.v), j.v);
        if (k >= 100) integrate(&j, SEMI_IMPLICIT, T, 10);
    }
    CHECK(check.source == VELOCITY_GIVEN);
}

TEST(angle_of_a_hinge_in_one_turn_is_believed) {
    velocity_check check = {0};
    const double turn = 8 * atan(1), v = 5;
    double q = 0;
    for (int k = 0; k < 5000; k++) {
        CHECK_SAME(velocity_check_step(&check, T, remainder(q, turn), v), v);
        q += T * v;
    }
    CHECK(check.source == VELOCITY_GIVEN);
}

/* A simulator without velocities; `writes`: the host puts the result in place of them. */
static void expect_silence(bool writes, double unit) {
    velocity_check check = {0};
    joint j = {1, 0};
    double found = 0;
    int when = -1;
    for (int k = 0; k < 5000; k++) {
        const double q = unit > 0 ? unit * round(j.q / unit) : j.q;
        const double v = velocity_check_step(&check, T, q, found);
        if (when < 0 && check.source == VELOCITY_MISSING) when = k;
        /* rounding of two positions, over the time step */
        if (when >= 0) CHECK_NEAR(v, j.v, unit / T + 1e-9);
        if (writes) found = v;
        integrate(&j, SEMI_IMPLICIT, T, k < 1000 ? 40 : 45);
    }
    CHECK(check.source == VELOCITY_MISSING);
    if (unit > 0)
        CHECK(when >= 1003 && when < 1030);
    else
        CHECK(when == 1003);
}

TEST(velocity_that_is_never_given_comes_from_positions) {
    expect_silence(false, 0);
    expect_silence(true, 0);
    expect_silence(false, 1.2e-7);
    expect_silence(true, 1.2e-7);
}

TEST(slow_creep_without_a_velocity_is_found) {
    velocity_check check = {0};
    double q = 0;
    for (int k = 0; k < 1000; k++) (void)velocity_check_step(&check, T, q += 1e-9, 0);
    CHECK(check.source == VELOCITY_MISSING);
}

TEST(velocity_that_is_given_after_all_is_taken) {
    velocity_check check = {0};
    double q = 0;
    for (int k = 0; k < 10; k++) (void)velocity_check_step(&check, T, q += 0.01 * T, 0);
    CHECK(check.source == VELOCITY_MISSING);
    CHECK_SAME(velocity_check_step(&check, T, q += 0.01 * T, 0.013), 0.013);
    CHECK(check.source == VELOCITY_GIVEN);
}

/* The velocity that a simulator gives for a joint with velocity v, at step k. */
typedef double lie(double v, int k);

static double wrong_sign(double v, int k) {
    (void)k;
    return -v;
}
static double degrees_of(double v, int k) {
    (void)k;
    return v * 45 / atan(1);
}
static double half(double v, int k) {
    (void)k;
    return v / 2;
}
static double twice(double v, int k) {
    (void)k;
    return v * 2;
}
static double stale(double v, int k) {
    (void)v;
    (void)k;
    return 0.02;
}
static double gone(double v, int k) {
    return k < 2000 ? v : 0;
}

static void expect_contradiction(lie *given, int since, double dt) {
    velocity_check check = {0};
    joint j = {0, 0};
    double farthest = 0;
    for (int k = 0; k < 6000; k++) {
        const double v = velocity_check_step(&check, dt, j.q, given(j.v, k));
        if (check.source == VELOCITY_CONTRADICTED)
            CHECK_NEAR(v, j.v, 1e-9);
        else if (k > since)
            farthest += fabs(dt * j.v);
        integrate(&j, SEMI_IMPLICIT, dt, 20);
    }
    CHECK(check.source == VELOCITY_CONTRADICTED);
    CHECK(check.moved < check.least || check.moved > check.most);
    /* within two windows, or within two windows' steps where these are long */
    CHECK(farthest < 0.6 + 200 * dt * 4);
}

TEST(velocities_that_contradict_positions_are_found) {
    lie *const lies[] = {wrong_sign, degrees_of, half, twice, stale};
    for (size_t k = 0; k < sizeof lies / sizeof lies[0]; k++) {
        expect_contradiction(lies[k], 0, T);
        expect_contradiction(lies[k], 0, 0.02);
    }
}

TEST(velocity_that_stays_0_after_it_was_given_is_found) {
    expect_contradiction(gone, 2000, T);
}

/* A grip stops a finger, and the solver leaves it a velocity; then it opens again. */
TEST(velocity_of_a_joint_that_is_held_comes_from_positions_while_it_stands) {
    velocity_check check = {0};
    double q = 0;
    for (int k = 0; k < 3000; k++) {
        const bool held = k >= 200 && k < 2000;
        const double v = held ? 0.5 : k < 200 ? 0.2 : -0.2;
        if (!held) q += T * v;
        const double seen = velocity_check_step(&check, T, q, v);
        if (k >= 300 && k < 2000) {
            CHECK(check.source == VELOCITY_STANDING);
            CHECK_NEAR(seen, 0, 1e-12);
        }
        if (k < 200 || k >= 2600) CHECK(check.source == VELOCITY_GIVEN);
        if (k > 2000) CHECK_NEAR(seen, v, 1e-9);
    }
}

TEST(number_that_is_not_finite_starts_the_check_anew) {
    velocity_check check = {0};
    double q = 0;
    for (int k = 0; k < 10; k++) (void)velocity_check_step(&check, T, q += T, 0);
    CHECK(check.source == VELOCITY_MISSING);
    CHECK(isnan(velocity_check_step(&check, T, q, (double)NAN)));
    CHECK(check.source == VELOCITY_GIVEN);
    CHECK_SAME(velocity_check_step(&check, T, (double)INFINITY, 3), 3);
    CHECK_SAME(velocity_check_step(&check, 0, q, 3), 3);
}

/* M v' = -B v by explicit Euler: what a difference of positions, late by a step, leaves of the
 * bound of B. */
static double largest_of_the_end(double TB_over_M) {
    double v = 1, q = 0, last = 0, end = 0;
    for (int k = 0; k < 400; k++) {
        const double difference = k > 0 ? (q - last) / T : v;
        last = q;
        q += T * v;
        v -= TB_over_M * difference;
        if (k >= 380) end = fmax(end, fabs(v));
    }
    return end;
}

TEST(difference_of_explicit_positions_halves_the_bound_of_damping) {
    CHECK(largest_of_the_end(0.95) < 1e-2);
    CHECK(largest_of_the_end(1.05) > 1e2);
}

/* Whatever a simulator gives, as long as it is finite. */
TEST(finite_numbers_give_a_finite_velocity) {
    static const double numbers[] = {0,
                                     -0.0,
                                     5e-324,
                                     1e-300,
                                     1e-30,
                                     1e-3,
                                     1,
                                     1e30,
                                     1e90,
                                     2e90,
                                     1e200,
                                     1e300,
                                     1.7976931348623157e308};
    enum { count = sizeof numbers / sizeof numbers[0] };
    uint64_t bits = 1;
    for (int round = 0; round < 3000; round++) {
        velocity_check c = {0};
        for (int step = 0; step < 60; step++) {
            double drawn[3];
            for (int k = 0; k < 3; k++) {
                bits = bits * 6364136223846793005u + 1442695040888963407u;
                drawn[k] = numbers[(bits >> 33) % count] * (k && bits >> 63 ? -1 : 1);
            }
            /* a time step and a velocity that mostly stay, so that more than the start is seen */
            const double step_time = step % 7 ? 1e-3 : drawn[0];
            const double v =
                velocity_check_step(&c, step_time, drawn[1], step % 5 ? 0.5 : drawn[2]);
            CHECK(isfinite(v));
        }
    }
}
