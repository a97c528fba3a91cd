/* SPDX-License-Identifier: MIT
 * What fit decides about logs of a joint whose friction is known: which law, what the motion does
 * not determine and why, which samples do not count, how wide an interval is.
 */
#include "check.h"
#include "fit/joint_fit.h"
#include "random.h"
#include "stiction/stiction.h"
#include "temporary_folder.h"

static const double pi = 3.14159265358979323846;

/* How a log is made. */
typedef struct recording {
    double (*velocity)(double t);
    double seconds, rate;                       /* Hz */
    double noise;                               /* N m, standard deviation */
    double quantum;                             /* rad: of the encoder */
    double delay;                               /* s: of the torque */
    double gravity;                             /* N m */
    double velocity_scale;                      /* of the logged velocity; 0: it is not logged */
    double (*extra)(double t, double velocity); /* N m, torque that is not friction; NULL: none */
    double (*temperature)(double t);            /* deg C; NULL: not logged */
    stiction_joint_def def;
} recording;

static const double inertia = 0.2, offset = 0.3, known_noise = 0.02;

/* Slow and fast, both ways. */
static double rich(double t) {
    const double x = sin(2 * pi * t / 4);
    return t < 8 ? 0.25 * x * x * x : 1.2 * x;
}

/* Both ways, and slow only for moments. */
static double fast(double t) {
    return (0.6 + 0.4 * sin(0.7 * t)) * tanh(20 * sin(2 * pi * t / 4));
}

static double one_way(double t) {
    return 0.4 + 0.39 * sin(2 * pi * t / 5);
}

static double slow(double t) {
    const double x = sin(2 * pi * t / 5);
    return 0.03 * x * x * x;
}

static double still_in_between(double t) {
    const double part = fmod(t, 4);
    return part < 1.5 ? 0 : rich(t) * sin(pi * (part - 1.5) / 2.5);
}

static double brake(double t, double velocity) {
    return velocity == 0 ? 6 * sin(1.7 * t) : 0;
}

static double short_stops(double t) {
    const double part = fmod(t, 2);
    return part < 0.4 ? 0 : rich(t) * sin(pi * (part - 0.4) / 1.6);
}

/* A load at rest: friction, which stopped at 1.2 N m, goes back and forth between that and
 * -1.0 N m, within the Coulomb torque. */
static double load_at_rest(double t, double velocity) {
    const double side = fmod(t, 4) < 2 ? -1 : 1;
    return velocity == 0 && t > 1 ? -side * 1.1 * (1 - cos(15 * fmod(t, 2))) : 0;
}

static double overload_at_rest(double t, double velocity) {
    return 3 * load_at_rest(t, velocity);
}

/* Up to a soft limit, against which the motor then pushes. */
static double to_limit(double t) {
    return t < 14 ? rich(t) : t < 15 ? 4 * sin(pi * (t - 14)) : 5e-4 * cos(2 * pi * (t - 15) / 3);
}

static double push(double t, double velocity) {
    (void)velocity;
    return t > 15 ? 30 + 20 * sin(2 * pi * (t - 15) / 3) : 0;
}

static double constant_temperature(double t) {
    (void)t;
    return 25;
}

static stiction_joint_def stribeck_joint(void) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "stribeck";
    def.static_torque = 2.5, def.coulomb_torque = 1.2, def.stribeck_velocity = 0.06;
    def.viscous = 4.5, def.stiffness = 5000, def.damping = 50;
    return def;
}

static stiction_joint_def coulomb_joint(void) {
    stiction_joint_def def = stribeck_joint();
    def.law = "coulomb";
    return def;
}

static recording recording_of(stiction_joint_def def, double (*velocity)(double)) {
    return (recording){.velocity = velocity,
                       .seconds = 18,
                       .rate = 100,
                       .noise = known_noise,
                       .quantum = 2 * pi / 262144,
                       .velocity_scale = 1,
                       .def = def};
}

/* Almost normal, of standard deviation 1. */
static double random_normal(random_source *r) {
    double sum = 0;
    for (int k = 0; k < 12; k++) sum += random_uniform(r, 0, 1);
    return sum - 6;
}

static void record(const recording *r, const char *path, unsigned long long seed) {
    random_source random = {seed};
    static const char *const names[] = {"joint"};
    static const double step = 5e-4;
    stiction_error error;
    stiction_config *config = stiction_config_create();
    stiction_model *model = NULL;
    stiction_state *state = NULL;
    stiction_model_def def = stiction_model_def_default();
    def.timestep = step;
    if (stiction_config_add_joint(config, "*", &r->def, &error) != STICTION_OK ||
        stiction_model_create(config, names, 1, &def, &model, &error) != STICTION_OK ||
        stiction_state_create(model, &state, &error) != STICTION_OK)
        FAIL("%s", error.message);
    FILE *file = fopen(path, "w");
    if (!file) abort();
    fprintf(file, "time,q%s,tau%s\n", r->velocity_scale != 0 ? ",dq" : "",
            r->temperature ? ",temperature" : "");
    double q = 0.1, torque = 0;
    enum { most_delay = 64 };
    double late[most_delay] = {0};
    const size_t every = (size_t)(1 / (r->rate * step) + 0.5);
    const size_t delay = (size_t)(r->delay / step + 0.5);
    for (size_t k = 0; (double)k * step < r->seconds; k++) {
        const double t = (double)k * step, v = r->velocity(t);
        double temperature = r->temperature ? r->temperature(t) : 0, effort = torque;
        stiction_input input = stiction_input_default();
        stiction_output output = stiction_output_default();
        input.timestep = step, input.velocity = &v, input.position = &q;
        input.temperature = r->temperature ? &temperature : NULL;
        input.effort = &effort;
        double friction = 0;
        output.torque = &friction;
        if (stiction_step_full(state, &input, &output, &error) != STICTION_OK)
            FAIL("%s", error.message);
        const double a = (r->velocity(t + step) - r->velocity(t - step)) / (2 * step);
        torque = friction + inertia * a + r->gravity * sin(q) + (r->extra ? r->extra(t, v) : 0);
        late[k % most_delay] = torque;
        if (k % every == 0) {
            const double logged =
                late[(k + most_delay - (k < delay ? k : delay)) % most_delay] + offset;
            const double seen = r->quantum > 0 ? r->quantum * floor(q / r->quantum + 0.5) : q;
            fprintf(file, "%.6f,%.9g", t, seen);
            if (r->velocity_scale != 0) fprintf(file, ",%.9g", v * r->velocity_scale);
            fprintf(file, ",%.9g", logged + r->noise * random_normal(&random));
            if (r->temperature) fprintf(file, ",%.9g", temperature);
            fprintf(file, "\n");
        }
        q += step * v;
    }
    (void)fclose(file);
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
}

static fit *fit_of(const recording *r, const char *law, double share) {
    (void)temporary_folder_make();
    char path[128];
    (void)snprintf(path, sizeof path, "%s/log.csv", temporary_root);
    record(r, path, 7);
    const char *items[] = {path};
    const text_list logs = {.items = items, .count = 1};
    char columns[128];
    (void)snprintf(columns, sizeof columns, "time=time,position=q,torque=tau%s%s",
                   r->velocity_scale != 0 ? ",velocity=dq" : "",
                   r->temperature ? ",temperature=temperature" : "");
    const fit_request request = {.joint = "joint",
                                 .logs = &logs,
                                 .columns = columns,
                                 .torque_constant = NAN,
                                 .options = {.law = law,
                                             .gravity = r->gravity != 0,
                                             .inertia = NAN,
                                             .share = share,
                                             .timestep = 1e-3}};
    stiction_error error;
    fit *f = fit_create(&request, &error);
    if (!f) {
        FAIL("%s", error.message);
        abort();
    }
    temporary_folder_remove();
    return f;
}

static const fit_value *value_of(const fit *f, const char *key) {
    const fit_result *r = fit_result_of(f);
    for (size_t k = 0; k < r->value_count; k++)
        if (strcmp(r->values[k].key, key) == 0) return &r->values[k];
    FAIL("no value '%s'", key);
    abort();
}

#define CHECK_FOUND(f, key, truth, share)                                                          \
    do {                                                                                           \
        const fit_value *check_v = value_of(f, key);                                               \
        CHECK_NEAR(check_v->value / (truth), 1, share);                                            \
        if (!check_v->identifiable) FAIL("%s is not identified: %s", key, check_v->why);           \
        if (!(check_v->low <= (truth) && check_v->high >= (truth)))                                \
            FAIL("%s is %g, not in %g to %g", key, truth, check_v->low, check_v->high);            \
    } while (0)

#define CHECK_UNKNOWN(f, key, reason)                                                              \
    do {                                                                                           \
        const fit_value *check_u = value_of(f, key);                                               \
        if (check_u->identifiable) FAIL("%s = %g is identified", key, check_u->value);             \
        CHECK_CONTAINS(check_u->why, reason);                                                      \
    } while (0)

static bool warns(const fit *f, const char *part) {
    const fit_warnings *w = fit_warnings_of(f);
    for (size_t k = 0; k < w->count; k++)
        if (strstr(w->items[k], part)) return true;
    return false;
}

/* ---- what is found ---- */

static void check_stribeck(const fit *f) {
    CHECK(strcmp(fit_result_of(f)->law, "stribeck") == 0);
    CHECK_FOUND(f, "static_torque", 2.5, 0.06);
    CHECK_FOUND(f, "coulomb_torque", 1.2, 0.03);
    CHECK_FOUND(f, "stribeck_velocity", 0.06, 0.2);
    CHECK_FOUND(f, "viscous", 4.5, 0.06);
    CHECK_FOUND(f, "stiffness", 5000.0, 0.25);
}

TEST(slow_and_fast_motion_identifies_stribecks_law) {
    const recording r = recording_of(stribeck_joint(), rich);
    fit *f = fit_of(&r, NULL, 0);
    check_stribeck(f);
    fit_destroy(f);
}

TEST(a_position_without_a_velocity_is_enough) {
    recording r = recording_of(stribeck_joint(), rich);
    r.velocity_scale = 0, r.rate = 250, r.quantum = 2 * pi / 131072;
    fit *f = fit_of(&r, NULL, 0);
    check_stribeck(f);
    fit_destroy(f);
}

TEST(coulomb_friction_gets_no_static_torque) {
    const recording r = recording_of(coulomb_joint(), rich);
    fit *f = fit_of(&r, NULL, 0);
    CHECK(strcmp(fit_result_of(f)->law, "coulomb") == 0);
    CHECK_FOUND(f, "coulomb_torque", 1.2, 0.03);
    CHECK_UNKNOWN(f, "static_torque", "no fall of friction from rest to sliding is seen");
    CHECK_UNKNOWN(f, "reverse_factor", "both directions alike predict as well");
    CHECK_UNKNOWN(f, "ripple", "less than the data show");
    fit_destroy(f);
}

TEST(friction_that_differs_by_direction_is_found) {
    stiction_joint_def def = stribeck_joint();
    def.reverse_factor = 1.3;
    const recording r = recording_of(def, rich);
    fit *f = fit_of(&r, NULL, 0);
    CHECK_FOUND(f, "reverse_factor", 1.3, 0.03);
    fit_destroy(f);
}

TEST(a_delay_of_the_torque_leaves_the_levels_of_friction) {
    recording r = recording_of(stribeck_joint(), rich);
    r.delay = 0.006, r.rate = 250;
    fit *f = fit_of(&r, NULL, 0);
    CHECK_NEAR(value_of(f, "coulomb_torque")->value, 1.2, 0.03 * 1.2);
    CHECK_NEAR(value_of(f, "viscous")->value, 4.5, 0.06 * 4.5);
    CHECK_NEAR(value_of(f, "static_torque")->value, 2.5, 0.06 * 2.5);
    fit_destroy(f);
}

/* ---- what is not identifiable, and why ---- */

TEST(fast_motion_does_not_identify_the_static_torque) {
    recording r = recording_of(stribeck_joint(), fast);
    r.def.stribeck_velocity = 0.01, r.def.damping = 150;
    fit *f = fit_of(&r, NULL, 0);
    CHECK_UNKNOWN(f, "static_torque", "log slower motion");
    CHECK_UNKNOWN(f, "stribeck_velocity", "log slower motion");
    CHECK_FOUND(f, "viscous", 4.5, 0.06);
    fit_destroy(f);
}

TEST(slow_motion_does_not_identify_the_viscosity) {
    recording r = recording_of(coulomb_joint(), slow);
    r.def.viscous = 0.07;
    fit *f = fit_of(&r, NULL, 0);
    CHECK_FOUND(f, "coulomb_torque", 1.2, 0.03);
    CHECK_UNKNOWN(f, "viscous", "the data only show that it is at most 0.1");
    CHECK(value_of(f, "viscous")->low <= 0.07 && value_of(f, "viscous")->high >= 0.07);
    fit_destroy(f);
}

TEST(one_direction_does_not_separate_friction_from_an_offset) {
    const recording r = recording_of(stribeck_joint(), one_way);
    fit *f = fit_of(&r, NULL, 0);
    CHECK_UNKNOWN(f, "coulomb_torque", "one direction only");
    CHECK_FOUND(f, "viscous", 4.5, 0.06);
    fit_destroy(f);
}

TEST(one_load_does_not_identify_its_effect) {
    recording r = recording_of(coulomb_joint(), rich);
    fit *f = fit_of(&r, NULL, 0);
    CHECK_UNKNOWN(f, "load_motor", "the load does not change in this log");
    CHECK_UNKNOWN(f, "load_external", "no external torque");
    fit_destroy(f);
}

TEST(one_temperature_does_not_identify_its_effect) {
    recording r = recording_of(coulomb_joint(), rich);
    fit *f = fit_of(&r, NULL, 0);
    CHECK_UNKNOWN(f, "temperature_level", "the log has no temperature");
    fit_destroy(f);
    r.temperature = constant_temperature;
    f = fit_of(&r, NULL, 0);
    CHECK_UNKNOWN(f, "temperature_level", "the log covers 25 to 25 deg C only");
    fit_destroy(f);
}

TEST(a_coarse_encoder_does_not_identify_the_stiffness) {
    recording r = recording_of(coulomb_joint(), rich);
    r.quantum = 1e-3; /* the bristle bends by 2.4e-4 rad */
    fit *f = fit_of(&r, NULL, 0);
    CHECK_UNKNOWN(f, "stiffness", "finer encoder");
    CHECK_NEAR(value_of(f, "coulomb_torque")->value, 1.2, 0.06 * 1.2);
    fit_destroy(f);
}

/* ---- samples that do not count ---- */

TEST(rest_under_a_brake_is_left_out) {
    recording r = recording_of(coulomb_joint(), still_in_between);
    r.extra = brake;
    fit *f = fit_of(&r, NULL, 0);
    CHECK_FOUND(f, "coulomb_torque", 1.2, 0.05);
    CHECK(fit_result_of(f)->held_rms < 5 * known_noise);
    fit_destroy(f);
}

TEST(a_joint_at_its_limit_is_reported_and_left_out) {
    recording r = recording_of(coulomb_joint(), to_limit);
    r.extra = push;
    fit *f = fit_of(&r, NULL, 0);
    CHECK(warns(f, "it is probably at its limit"));
    CHECK(fit_result_of(f)->held_rms < 5 * known_noise);
    CHECK_NEAR(value_of(f, "coulomb_torque")->value, 1.2, 0.05 * 1.2);
    fit_destroy(f);
}

TEST(a_velocity_that_is_twice_the_motion_is_reported) {
    recording r = recording_of(coulomb_joint(), rich);
    fit *f = fit_of(&r, "coulomb", 0);
    CHECK(!warns(f, "as fast as the velocity column"));
    fit_destroy(f);
    r.velocity_scale = 2;
    f = fit_of(&r, "coulomb", 0);
    CHECK(warns(f, "the position changes 0.5 times as fast as the velocity column"));
    fit_destroy(f);
}

/* ---- prediction ---- */

TEST(held_out_blocks_are_predicted_no_worse_than_by_plain_least_squares) {
    /* noise so strong, and a log so short, that only the plainest law can be identified */
    recording r = recording_of(coulomb_joint(), rich);
    r.noise = 2, r.seconds = 10, r.rate = 50;
    for (int k = 0; k < 2; k++) {
        if (k) r.velocity = fast;
        fit *f = fit_of(&r, NULL, 0.5);
        const fit_result *result = fit_result_of(f);
        CHECK(result->held_rms <= 1.02 * result->held_plain_rms);
        fit_destroy(f);
    }
}

/* The motion does not determine friction at rest; only what is beyond its level is an error. */
TEST(torque_at_rest_is_an_error_only_beyond_the_static_torque) {
    recording r = recording_of(coulomb_joint(), short_stops);
    for (int k = 0; k < 2; k++) {
        r.extra = k ? overload_at_rest : load_at_rest;
        fit *f = fit_of(&r, "coulomb", 0.5);
        const fit_result *result = fit_result_of(f);
        printf("error %.3f, plain %.3f N m\n", result->held_rms, result->held_plain_rms);
        if (k)
            CHECK(result->held_rms > 10 * known_noise && result->held_plain_rms > 10 * known_noise);
        else
            CHECK(result->held_rms < 5 * known_noise && result->held_plain_rms < 5 * known_noise);
        fit_destroy(f);
    }
}

/* ---- intervals ---- */

TEST(a_profile_rises_from_the_value_to_the_ends_of_the_interval) {
    const recording r = recording_of(stribeck_joint(), rich);
    fit *f = fit_of(&r, NULL, 0);
    static const char *const keys[] = {"static_torque", "coulomb_torque", "viscous", "stiffness"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const fit_value *v = value_of(f, keys[k]);
        CHECK(v->points == FIT_PROFILE);
        CHECK_NEAR(v->at[FIT_PROFILE / 2] / v->value, 1, 1e-9);
        CHECK(v->loss[0] > FIT_LEVEL && v->loss[FIT_PROFILE - 1] > FIT_LEVEL);
        CHECK(v->at[0] < v->low && v->at[FIT_PROFILE - 1] > v->high);
        for (size_t i = 0; i < FIT_PROFILE; i++) {
            /* well inside of the interval, below the level; outside, above it */
            const double near = fabs(v->at[i] - v->value);
            if (near < 0.3 * fmin(v->value - v->low, v->high - v->value))
                CHECK(v->loss[i] < FIT_LEVEL);
            if (v->at[i] < v->low || v->at[i] > v->high) CHECK(v->loss[i] > FIT_LEVEL);
            const size_t middle = FIT_PROFILE / 2, inward = i < middle ? i + 1 : i - 1;
            CHECK(v->loss[i] >= 0);
            if (i != middle) CHECK(v->loss[i] > v->loss[inward]);
        }
    }
    fit_destroy(f);
}

TEST(a_flat_profile_leaves_the_interval_open) {
    recording r = recording_of(coulomb_joint(), slow);
    r.def.viscous = 0.05;
    fit *f = fit_of(&r, NULL, 0);
    const fit_value *v = value_of(f, "viscous");
    CHECK_UNKNOWN(f, "viscous", "friction does not rise with the speed up to 0.03 rad/s");
    CHECK(v->points == FIT_PROFILE && v->open_below && v->low == 0);
    CHECK(v->high > 0.05 && v->high < 0.5); /* what noise of 0.02 N m leaves at 0.03 rad/s */
    fit_destroy(f);
}
