/* SPDX-License-Identifier: MIT
 * The figures of robots that float, from motions whose figures are known.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "document/auto.h"
#include "results/results_internal.h"

OWNS(results, results_destroy)

static const double T = 1e-3, mass = 80;

static const char *const channels[] = {"controller.com_error_x", "controller.com_error_y",
                                       "controller.com_error_z", "controller.com_asked_x",
                                       "controller.com_asked_y", "controller.com_asked_z",
                                       "controller.cop_x",       "controller.cop_y"};
enum { channel_count = sizeof channels / sizeof channels[0] };

/* A run of a body without joints, for some seconds, where each sample is made by a function. */
typedef void make_sample(double time, body_sample *s, double *told);

static results *record(make_sample *make, double seconds, const push *pull) {
    static const results_body body = {"Robot", 80, 3};
    const results_def def = {.project = "test",
                             .simulator = "none",
                             .engine = "none",
                             .timestep = T,
                             .interval = (double)NAN,
                             .channel_count = channel_count,
                             .channels = channels,
                             .body_count = 1,
                             .bodies = &body,
                             .push_count = pull ? 1 : 0,
                             .pushes = pull};
    results *r = results_create(&def);
    if (!r) {
        FAIL("no memory");
        exit(EXIT_FAILURE);
    }
    for (long k = 0; k < lround(seconds / T); k++) {
        double told[channel_count];
        for (size_t i = 0; i < channel_count; i++) told[i] = (double)NAN;
        const double none = (double)NAN;
        body_sample s = {.com = {0, 0, 0.9}, .base = {0, 0, 1}, .cop = {none, none}, .floor = none};
        make((double)k * T, &s, told);
        const results_sample sample = {.time = (double)k * T, .channels = told, .bodies = &s};
        CHECK(results_add(r, &sample));
    }
    CHECK(results_finish(r, true, NULL, 0));
    return r;
}

static double figure(const results *r, const char *name) {
    const joint_figure *f = body_figure_find(name);
    return body_record_value(r->bodies[0].record, (size_t)(f - body_figure_at(0)));
}

/* Error 4 cos of 0.5 Hz mm about 1 mm on x, -3 mm on z in the first second alone. */
static void hunts(double time, body_sample *s, double *told) {
    (void)s;
    told[0] = 1e-3 + 4e-3 * cos(3.14159265358979 * time);
    told[1] = 0;
    told[2] = time < 1 ? -3e-3 : 0;
}

TEST(errors_residual_and_hunting_of_the_centre_of_mass) {
    OWNED(results) *r = record(hunts, 30, NULL);
    CHECK_NEAR(figure(r, "com_error_max_x"), 5e-3, 1e-9);
    CHECK_NEAR(figure(r, "com_error_max_z"), -3e-3, 1e-12);
    CHECK_NEAR(figure(r, "com_error_end_x"), 5e-3, 1e-7);
    CHECK_SAME(figure(r, "com_error_end_z"), 0);
    /* five periods */
    CHECK_NEAR(figure(r, "com_residual"), 1e-3, 1e-5);
    CHECK_NEAR(figure(r, "com_hunting"), 4e-3, 1e-6);
    CHECK_NEAR(figure(r, "com_reversals"), 9, 1);
    CHECK_NEAR(figure(r, "com_error_rms"), sqrt(1e-6 + 8e-6 + 9e-6 / 30), 1e-5);
    CHECK_SAME(figure(r, "mass"), mass);
    CHECK(isnan(figure(r, "yield_ratio")) && isnan(figure(r, "com_acceleration_error")));
    CHECK(isnan(figure(r, "sole_slip")) && isnan(figure(r, "falls")));
}

/* 2 m/s^2 along x, and 0.5 more than that is asked on x and 1.2 on y. */
static void accelerates(double time, body_sample *s, double *told) {
    s->com_velocity[0] = 2 * time;
    told[3] = 2.5;
    told[4] = -1.2;
    told[5] = 0;
}

TEST(real_less_asked_acceleration) {
    OWNED(results) *r = record(accelerates, 0.5, NULL);
    CHECK_NEAR(figure(r, "com_acceleration_error"), 1.3, 1e-9);
}

/* Goes 30 mm along the pull from 1 s on, and -5 mm across it all the time. */
static void yields(double time, body_sample *s, double *told) {
    (void)told;
    s->com[0] = -5e-3;
    s->com[1] = time < 1 ? 0.1 : 0.1 - 0.03 * fmin(time - 1, 1);
}

TEST(yield_ratio_is_one_for_a_spring) {
    push pull = push_default();
    char sentence[PUSH_SENTENCE];
    CHECK(push_read(&pull, "body=Robot time=1 force=0,-60,0 kp=50", sentence));
    results *r = record(yields, 10, &pull);
    CHECK_NEAR(figure(r, "yield_ratio"), 0.03 * mass * 50 / 60, 1e-9);
    results_destroy(r);
    /* one that ends is no pull */
    pull.duration = 2;
    r = record(yields, 10, &pull);
    CHECK(isnan(figure(r, "yield_ratio")));
    results_destroy(r);
}

/* Stands on link 2, 3 mm beside where it should press, which it lifts between 1 and 2 s and puts
 * down elsewhere; there it slides by 4 mm. */
static void steps(double time, body_sample *s, double *told) {
    static body_touch foot;
    foot = (body_touch){2, {time < 1 ? 0.2 : 0.5, 0, 0}};
    if (time > 2.5) foot.position[1] = fmin(0.004, time - 2.5);
    s->knows_contacts = true;
    s->floor = 0.1;
    s->touches = &foot;
    s->touch_count = time < 1 || time > 2;
    s->cop[0] = 0.2;
    s->cop[1] = told[7] = 0;
    told[6] = 0.203;
    if (time > 3) s->base[2] = 0.6;
}

TEST(slip_is_counted_from_where_a_sole_touched_down) {
    OWNED(results) *r = record(steps, 4, NULL);
    CHECK_NEAR(figure(r, "sole_slip"), 0.004, 1e-12);
    CHECK_NEAR(figure(r, "cop_error_max"), 0.003, 1e-12);
    CHECK_NEAR(figure(r, "cop_error_rms"), 0.003, 1e-12);
    CHECK_SAME(figure(r, "falls"), 0);
    CHECK(isnan(figure(r, "fall_time")));
}

static void falls(double time, body_sample *s, double *told) {
    steps(time, s, told);
    if (time > 3.0005) s->base[2] = 0.56; /* 0.46 of 0.9 m above the floor */
    if (time > 3.5005) s->base[2] = 0.5;
}

static void kneels(double time, body_sample *s, double *told) {
    static const body_touch base = {0, {0}};
    steps(time, s, told);
    if (time < 1.9995) return;
    s->touches = &base;
    s->touch_count = 1;
}

/* A gripper on its fingers: the origin of its base is below the floor. */
static void hangs(double time, body_sample *s, double *told) {
    steps(time, s, told);
    s->base[2] = -0.1;
}

TEST(a_fall_is_a_base_that_is_low_or_touches) {
    OWNED(results) *resting = record(hangs, 4, NULL);
    CHECK_SAME(figure(resting, "falls"), 0);
    OWNED(results) *r = record(falls, 4, NULL);
    CHECK_SAME(figure(r, "falls"), 1);
    CHECK_NEAR(figure(r, "fall_time"), 3.501, 1e-9);
    results_destroy(r);
    r = record(kneels, 4, NULL);
    CHECK_NEAR(figure(r, "fall_time"), 2, 1e-9);
}

/* Its trunk has no shape that touches: it goes through the floor between the feet. */
static void sinks(double time, body_sample *s, double *told) {
    steps(time, s, told);
    s->com[2] = time < 3 ? 0.5 : 0.05; /* the floor: 0.1 */
}

static void is_carried_from_above(double time, body_sample *s, double *told) {
    steps(time, s, told);
    s->com[2] = 0.05;
}

TEST(a_robot_that_sinks_through_the_floor_is_not_stable) {
    OWNED(results) *sinking = record(sinks, 4, NULL);
    CHECK(!results_stable(sinking));
    OWNED(results) *standing = record(steps, 4, NULL);
    CHECK(results_stable(standing));
    OWNED(results) *carried = record(is_carried_from_above, 4, NULL);
    CHECK(results_stable(carried));
}
