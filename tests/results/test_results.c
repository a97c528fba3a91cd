/* SPDX-License-Identifier: MIT
 * The results of a run: the figures of a joint, and files that others can read.
 */
#include <locale.h>

#include "check.h"
#include "document/auto.h"
#include "document/document.h"
#include "results/friction_work.h"
#include "results/results.h"
#include "stability/chatter.h"
#include "temporary_folder.h"

OWNS(results, results_destroy)

static const double T = 0.01;

/* Results of a run with what all of them share. */
static results *make(results_def def) {
    static const char *const name = "RWRR";
    def.project = def.project ? def.project : "p";
    def.simulator = "S";
    def.engine = "test";
    def.count = def.count ? def.count : 1;
    def.names = def.names ? def.names : &name;
    results *r = results_create(&def);
    CHECK(r != NULL);
    return r;
}

/* One joint that sticks for 3 s, slips for 1 s, and sticks for 6 s, creeping by 1e-5 rad/s. */
static results *a_run(const char *name) {
    const stiction_joint_def friction = {.size = sizeof friction, .law = "none"};
    results *r = make((results_def){
        .project = "a \"project\"", .timestep = T, .names = &name, .friction = &friction});
    double q = 0;
    for (int k = 0; k < 1000; k++) {
        const double t = k * T, deflection = 1e-4;
        const unsigned char slipping = t >= 3 && t < 4;
        const double v = slipping ? 0.5 : t >= 4 ? 1e-5 : 0;
        const double command = t < 2 ? -3 : 1, energy = 0.1 * t, target = 1;
        const results_sample sample = {.time = t,
                                       .position = &q,
                                       .velocity = &v,
                                       .command = &command,
                                       .target = &target,
                                       .friction.torque = &command,
                                       .friction.deflection = &deflection,
                                       .friction.dissipated_energy = &energy,
                                       .friction.slipping = &slipping};
        CHECK(results_add(r, &sample));
        q += T * v;
    }
    return r;
}

TEST(figures_tell_what_the_joint_did) {
    OWNED(results) *r = a_run("J");
    CHECK_NEAR(results_figure(r, 0, "stop_time"), 3.99, 1e-9);
    CHECK_NEAR(results_figure(r, 0, "stick_slip_events"), 1, 0);
    CHECK_NEAR(results_figure(r, 0, "peak_torque"), 3, 0);
    CHECK_NEAR(results_figure(r, 0, "final_torque"), 1, 0);
    CHECK_NEAR(results_figure(r, 0, "final_position"), 0.5 + 5.99e-5, 1e-9);
    CHECK_NEAR(results_figure(r, 0, "tracking_error"), 0.5 - 5.99e-5, 1e-9);
    /* 1 N m over that way, and no bristle that holds any of it */
    CHECK_NEAR(results_figure(r, 0, "dissipated_energy"), 0.5 + 5.99e-5, 1e-9);
    /* 600 roundings of a position of half a radian, over 5 s */
    CHECK_NEAR(results_figure(r, 0, "creep"), 1e-5, 600 * 1.2e-16 / 5);
    CHECK(isnan(results_figure(r, 0, "no such figure")));
    CHECK(isnan(results_figure(r, 1, "creep")));
    results_destroy(NULL);
}

static void *read_document(reader *r, const void *path) {
    const tree_options options = {.doubles = TREE_REFUSE_DOUBLES};
    return stiction_doc_read(r, (stiction_place){path, 0, 0}, path, &options).root;
}

/* Whether a file parses, as JSON does for a reader of YAML. */
static bool parses(const char *path) {
    reader r = {.error = NULL};
    const bool fine = stiction_reader_run(&r, read_document, path) != NULL;
    stiction_arena_free(&r.memory);
    return fine;
}

/* A file that a run writes, until the next call. */
static const char *written(const results *r, const char *name) {
    static char text[20000];
    size_t size;
    const char *folder = temporary_folder_make();
    CHECK(results_write(r, folder, NULL) == STICTION_OK);
    char *all = temporary_read(folder, name, &size);
    (void)snprintf(text, sizeof text, "%s", all ? all : "");
    free(all);
    temporary_folder_remove();
    return text;
}

TEST(a_summary_tells_what_was_simulated_and_each_warning_once) {
    OWNED(results) *r = a_run("J");
    CHECK(results_warn(r, "no joint has \"friction\""));
    CHECK(results_warn(r, "it chatters"));
    CHECK(results_warn(r, "no joint has \"friction\""));
    const char *summary = written(r, "summary.json");
    CHECK_CONTAINS(summary, "\"duration\": 10,"); /* the last of 1000 samples stands at 9.99 s */
    CHECK_CONTAINS(summary, "\"warnings\": [\"no joint has \\\"friction\\\"\", \"it chatters\"],");
}

TEST(doubt_about_a_run_is_a_warning_and_makes_it_not_stable) {
    OWNED(results) *r = a_run("J");
    CHECK(results_stable(r));
    CHECK(results_warn(r, "a warning"));
    CHECK(results_stable(r));
    CHECK(results_doubt(r, "the controllers did nothing"));
    CHECK(!results_stable(r));
    CHECK_CONTAINS(results_warning(r, 1), "the controllers did nothing");
}

/* A plain joint, one that a load moves, one that warms: the same samples of all. */
TEST(levels_and_temperatures_are_told_of_joints_whose_friction_moves_them) {
    static const char *const names[] = {"plain", "loaded", "warm"};
    stiction_joint_def friction[3];
    for (int k = 0; k < 3; k++) {
        friction[k] = stiction_joint_def_default();
        friction[k].law = "coulomb";
        friction[k].coulomb_torque = 2;
        friction[k].stiffness = 5000;
        friction[k].damping = 50;
    }
    /* coulomb ignores loads at rest, and a host does not compute what nothing reads */
    friction[0].load_external_static = friction[0].load_motor_static = 0.5;
    friction[1].load_external = 0.5;
    friction[1].presliding_torque[0] = 0.25;
    friction[1].presliding_stiffness[0] = 1000;
    friction[2].thermal_resistance = 4;
    friction[2].thermal_time = 600;
    OWNED(results) *r =
        make((results_def){.timestep = T, .count = 3, .names = names, .friction = friction});
    for (int k = 0; k < 3; k++) {
        const double q[3] = {0, 0, 0}, e[3] = {-1, -2, -3}, level[3] = {2, 3.5 - k, 2.5};
        const double coulomb[3] = {2, 3.25, 2}, temperature[3] = {25, 26, 27 + 0.5 * (k % 2)};
        CHECK(results_add(r, &(results_sample){.time = k * T,
                                               .position = q,
                                               .velocity = q,
                                               .friction.external_torque = e,
                                               .friction.temperature = temperature,
                                               .friction.static_level = level,
                                               .friction.coulomb_level = coulomb}));
    }
    const char *csv = written(r, "joints.csv");
    CHECK_CONTAINS(csv, "plain.target,loaded.position");
    CHECK_CONTAINS(csv, "loaded.target,loaded.external_torque,loaded.static_level,"
                        "loaded.coulomb_level,warm.position");
    CHECK_CONTAINS(csv, "warm.target,warm.temperature\n");
    CHECK_CONTAINS(csv, ",-2,3.5,3.25,");
    CHECK_CONTAINS(csv, ",,27.5\n");
    CHECK_NEAR(results_figure(r, 1, "least_level"), 1.5, 0);
    CHECK_NEAR(results_figure(r, 1, "peak_level"), 3.5, 0);
    CHECK_NEAR(results_figure(r, 2, "peak_temperature"), 27.5, 0);
    CHECK(isnan(results_figure(r, 0, "peak_level")) && isnan(results_figure(r, 2, "peak_level")));
    CHECK(isnan(results_figure(r, 0, "peak_temperature")));
    const char *summary = written(r, "summary.json");
    /* there is no word of what a joint is without */
    CHECK(!strstr(summary, "\"load_motor\"") && !strstr(summary, "\"ripple\""));
    CHECK_CONTAINS(summary, "\"load_external\": 0.5,");
    CHECK_CONTAINS(summary, "\"presliding_torque\": [0.25],");
}

TEST(files_are_read_back_whatever_the_names_and_the_locale) {
    const char *folder = temporary_folder_make();
    (void)setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is installed, 0.5 prints as 0,5 */
    results *r = a_run("a, \"b\"");
    stiction_error error;
    CHECK(results_write(r, folder, &error) == STICTION_OK);
    (void)setlocale(LC_ALL, "C");
    CHECK(parses(temporary_path(folder, "summary.json")));
    FILE *csv = fopen(temporary_path(folder, "joints.csv"), "r");
    char line[512];
    CHECK(csv && fgets(line, sizeof line, csv));
    CHECK_CONTAINS(line, "time,\"a, \"\"b\"\".position\",");
    int rows = 0;
    double time = 0;
    for (; csv && fgets(line, sizeof line, csv); rows++) time = strtod(line, NULL);
    if (csv) fclose(csv);
    CHECK(rows == 1000);
    CHECK_NEAR(time, 9.99, 1e-12);
    CHECK(results_write(r, "/no/such/folder", &error) == STICTION_INVALID_ARGUMENT);
    CHECK_CONTAINS(error.message, "cannot write /no/such/folder/joints.csv");
    results_destroy(r);
    temporary_folder_remove();
}

/* ---- figures of motions whose answer is known ---- */

/* Where a joint is at a time. */
typedef struct motion {
    double position, velocity;
    double target; /* NaN: there is none */
    bool sticks;
} motion;

static results *run_of(motion (*at)(double), double duration, bool prismatic) {
    results *r = make((results_def){.timestep = 1e-3, .prismatic = &prismatic});
    for (int k = 0; k * 1e-3 < duration; k++) {
        const motion m = at(k * 1e-3);
        const unsigned char slipping = !m.sticks;
        const results_sample sample = {.time = k * 1e-3,
                                       .position = &m.position,
                                       .velocity = &m.velocity,
                                       .target = &m.target,
                                       .friction.slipping = &slipping};
        CHECK(results_add(r, &sample));
    }
    return r;
}

/* Several figures of one motion, near what they must be; NaN is null. */
typedef struct figure_check {
    const char *name;
    double value, tolerance;
} figure_check;

static void check_figures(motion (*at)(double), double duration, bool prismatic,
                          const figure_check *list) {
    OWNED(results) *r = run_of(at, duration, prismatic);
    for (; list->name; list++) {
        const double found = results_figure(r, 0, list->name);
        if (isnan(list->value) ? !isnan(found) : !(fabs(found - list->value) <= list->tolerance))
            FAIL("%s is %.9g, not %.9g", list->name, found, list->value);
    }
}

#define CHECK_FIGURES(at, duration, prismatic, ...)                                                \
    check_figures(at, duration, prismatic, (figure_check[]){__VA_ARGS__, {NULL, 0, 0}})

#define NONE ((double)NAN)
static const double tau = 0.25; /* s */

/* A first-order answer to a step from 3 to 1. */
static motion exponential(double t) {
    return (motion){1 + 2 * exp(-t / tau), -2 / tau * exp(-t / tau), 1, false};
}

TEST(first_order_step_settles_after_tau_ln_50_without_overshoot) {
    /* a geometric series of 4000 squares */
    const double squares = 4 * (1 - exp(-8 / tau)) / (1 - exp(-2e-3 / tau));
    CHECK_FIGURES(exponential, 4, false, {"settling_time", tau * log(50), 1.01e-3},
                  {"overshoot", 0, 0}, {"rms_tracking_error", sqrt(squares / 4000), 1e-12},
                  {"stop_time", tau * log(2 / tau / 1e-3), 1.01e-3}, {"hunting_amplitude", NONE, 0},
                  {"longest_stick", 0, 0});
}

/* 5 tau are enough for the band, but it must stay in it for a while to have settled. */
TEST(joint_that_is_still_outside_or_has_just_come_in_has_not_settled) {
    CHECK_FIGURES(exponential, tau * log(50) - 0.05, false, {"settling_time", NONE, 0},
                  {"stop_time", NONE, 0});
    CHECK_FIGURES(exponential, tau * log(50) + 0.05, false, {"settling_time", NONE, 0});
    CHECK_FIGURES(exponential, tau * log(50) + 0.15, false,
                  {"settling_time", tau * log(50), 1.01e-3});
}

/* A step of 0.01 m: 2 % of it are less than the floor of 0.001 m. */
static motion short_step(double t) {
    return (motion){0.01 * (1 - exp(-t / tau)), 0.01 / tau * exp(-t / tau), 0.01, false};
}

TEST(band_of_a_short_step_is_the_floor_on_a_prismatic_joint_too) {
    CHECK_FIGURES(short_step, 4, true, {"settling_time", tau * log(10), 1.01e-3},
                  {"overshoot", 0, 1e-9});
}

/* A second-order answer to a step of 2 downwards, zeta = 0.2. */
static motion damped_sine(double t) {
    const double zeta = 0.2, w = 10, s = sqrt(1 - zeta * zeta);
    const double decay = exp(-zeta * w * t);
    return (motion){-2 + 2 * decay * (cos(w * s * t) + zeta / s * sin(w * s * t)),
                    -2 * decay * w / s * sin(w * s * t), -2, false};
}

TEST(overshoot_of_a_damped_sine_is_that_of_the_textbook) {
    CHECK_FIGURES(damped_sine, 6, false,
                  {"overshoot", 100 * exp(-3.141592653589793 * 0.2 / sqrt(0.96)), 0.01},
                  {"hunting_period", NONE, 0}, /* it turns around, but never rests */
                  /* a swing from turn n is 2 (1 + q) q^n, q = exp(-pi zeta/s): above 0.001
                   * up to the twelfth */
                  {"reversals", 12, 0});
}

/* Rests for 2 s on either side of 1 at a distance of 0.25, 0.5 s from one to the other; from 0 to
 * the first one in the second second. */
static motion stick_slip(double t) {
    const double a = 0.25, rest = 2, way = 0.5, half = rest + way;
    if (t < 1) return (motion){0, 0, 1, true};
    if (t < 2) return (motion){(1 + a) * (t - 1), 1 + a, 1, false};
    const double n = floor((t - 2) / half), since = t - 2 - n * half;
    const double side = fmod(n, 2) == 0 ? 1 : -1;
    if (since < rest) return (motion){1 + side * a, 0, 1, true};
    const double v = -2 * side * a / way;
    return (motion){1 + side * a + v * (since - rest), v, 1, false};
}

TEST(stick_slip_triangle_hunts_by_its_amplitude_and_period) {
    CHECK_FIGURES(stick_slip, 30, false, {"hunting_amplitude", 0.25, 1e-3},
                  {"hunting_period", 5, 1e-9}, {"reversals", 11, 0}, /* at 4, 6.5, ... 29 s */
                  {"longest_stick", 2, 1.01e-3}, {"overshoot", 25, 1e-9},
                  {"settling_time", NONE, 0});
    /* break-aways down, up, down at 4, 6.5, 9 s: two turns are no cycle, the third at 11.5 s ends
     * one */
    CHECK_FIGURES(stick_slip, 11.4, false, {"hunting_period", NONE, 0});
    CHECK_FIGURES(stick_slip, 11.6, false, {"hunting_period", 5, 1e-9});
}

static motion stick_slip_without_target(double t) {
    motion m = stick_slip(t);
    m.target = (double)NAN;
    return m;
}

TEST(joint_without_a_target_has_no_figures_about_one) {
    CHECK_FIGURES(stick_slip_without_target, 30, false, {"rms_tracking_error", NONE, 0},
                  {"tracking_error", NONE, 0}, {"overshoot", NONE, 0}, {"settling_time", NONE, 0},
                  {"hunting_amplitude", NONE, 0}, {"hunting_period", NONE, 0},
                  {"reversals", NONE, 0}, {"compensation_energy", NONE, 0},
                  {"longest_stick", 2, 1.01e-3});
}

/* The torque of a sample works on the way to the next one; a joint whose controller tells nothing
 * has no such energy. */
TEST(energy_of_compensation_is_that_of_the_controllers_column) {
    const char *const names[] = {"A", "B"}, *const channels[] = {"other",
                                                                 "controller.B.compensation"};
    OWNED(results) *r = make((results_def){
        .timestep = 1, .count = 2, .names = names, .channel_count = 2, .channels = channels});
    static const double torques[] = {2, -1, 5}, places[] = {0, 3, 4};
    for (int k = 0; k < 3; k++) {
        const double position[] = {places[k], places[k]}, velocity[] = {0, 0},
                     values[] = {100, torques[k]};
        const results_sample sample = {
            .time = k, .position = position, .velocity = velocity, .channels = values};
        CHECK(results_add(r, &sample));
    }
    CHECK_SAME(results_figure(r, 1, "compensation_energy"), 2 * 3 - 1 * 1);
    CHECK(isnan(results_figure(r, 0, "compensation_energy")));
}

/* Sticks for n samples, then slips for one, for n = 1, 2, 3 and so on. */
static motion longer_sticks(double t) {
    const double sample = round(t / 1e-3);
    double slip = 1;
    for (double n = 2; slip < sample; n++) slip += n + 1;
    return (motion){0, 0, (double)NAN, sample != slip};
}

static motion sticks_at_the_start(double t) {
    return (motion){t, 1, (double)NAN, t < 0.5e-3};
}

TEST(longest_stick_is_its_samples_times_the_time_step) {
    CHECK_FIGURES(sticks_at_the_start, 0.1, false, {"longest_stick", 1e-3, 1e-15});
    /* sticks of 1, 2, 3 and 4 samples, a slip after each; then 1, 2 and 3 of the fifth */
    CHECK_FIGURES(longer_sticks, 13.5e-3, false, {"longest_stick", 4e-3, 1e-15});
    CHECK_FIGURES(longer_sticks, 18.5e-3, false, {"longest_stick", 5e-3, 1e-15});
}

/* The bristle's foot drifts at 0.002 rad/s; the ringing before does not count. */
static motion creeping(double t) {
    return (motion){(t < 0.4 ? 0.1 * sin(40 * t) : 0) + 0.002 * t, 0.002, (double)NAN, true};
}

TEST(creep_is_the_drift_after_the_ringing_over_its_own_time) {
    CHECK_FIGURES(creeping, 1.3, false, {"creep", 0.002, 1e-12});
}

/* The same beside the target, all on one side of it. */
static motion beside(double t) {
    motion m = stick_slip(t);
    m.target = 2;
    return m;
}

/* Past the target in steps. */
static motion staircase(double t) {
    const double n = floor(t), since = t - n;
    return since < 0.5 ? (motion){n, 0, 5, true} : (motion){n + 2 * (since - 0.5), 2, 5, false};
}

TEST(motion_that_does_not_go_about_the_target_is_no_hunting) {
    CHECK_FIGURES(beside, 30, false, {"hunting_amplitude", NONE, 0});
    CHECK_FIGURES(staircase, 30.4, false, {"hunting_amplitude", NONE, 0});
}

/* A target that moves, followed with a lag of 0.1. */
static motion lag(double t) {
    return (motion){sin(t) - 0.1, cos(t), sin(t), false};
}

TEST(target_that_moves_has_an_error_but_no_step) {
    CHECK_FIGURES(lag, 10, false, {"rms_tracking_error", 0.1, 1e-12}, {"overshoot", NONE, 0},
                  {"settling_time", NONE, 0});
}

/* A target of 1, and from 2 s on one of 3. */
static motion two_steps(double t) {
    if (t < 2) return (motion){1.5, 0, 1, false};
    return (motion){3 - 1.5 * exp(-(t - 2) / tau), 1.5 / tau * exp(-(t - 2) / tau), 3, false};
}

TEST(settling_counts_from_the_last_step_of_the_target) {
    CHECK_FIGURES(two_steps, 6, false, {"settling_time", tau * log(50), 1.01e-3},
                  {"overshoot", 0, 0});
}

static motion never_stops(double t) {
    return (motion){0.5 * t, 0.5, (double)NAN, false};
}

static motion never_moves(double t) {
    (void)t;
    return (motion){1, 0, 1, true};
}

TEST(joint_that_never_stops_has_no_stop_time) {
    CHECK_FIGURES(never_stops, 3, false, {"stop_time", NONE, 0});
    CHECK_FIGURES(never_moves, 3, false, {"stop_time", 0, 0}, {"longest_stick", 3, 1e-12},
                  {"overshoot", NONE, 0}, /* there is no step */
                  {"settling_time", 0, 0});
    OWNED(results) *r = run_of(never_stops, 1, true);
    CHECK_CONTAINS(written(r, "summary.json"), "\"stop_time\": null,");
    CHECK_CONTAINS(written(r, "summary.json"), "\"type\": \"prismatic\",");
}

/* It sticks for 3 s, then slides, too slowly to be seen in its velocity, for 56 s or for 20. */
static motion slides_slowly(double t) {
    const bool slides = t >= 3;
    return (motion){slides ? 8.9e-4 * (t - 3) : 0, slides ? 8.9e-4 : 0, (double)NAN, !slides};
}
static motion slides_slowly_and_stops(double t) {
    motion m = slides_slowly(fmin(t, 23));
    if (t >= 23) m = (motion){m.position, 0, (double)NAN, true};
    return m;
}

TEST(joint_that_slides_slowly_has_not_stopped) {
    /* it stuck, but does not any more */
    CHECK_FIGURES(slides_slowly, 59, false, {"stop_time", NONE, 0}, {"stick_slip_events", 1, 0},
                  {"creep", NONE, 0});
    /* known to 0.002 rad, which are 2.25 s */
    CHECK_FIGURES(slides_slowly_and_stops, 50, false, {"stop_time", 22, 2.3},
                  {"stick_slip_events", 1, 0}, {"creep", 0, 1e-15});
}

/* ---- friction that is none ---- */

static results *wrist_results(void) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "coulomb";
    def.coulomb_torque = 2;
    def.stiffness = 1000;
    def.damping = 10;
    return make((results_def){.timestep = 1e-3, .friction = &def});
}

/* A joint at 1 rad/s against a torque, and the heat that the friction reports. */
static results *slide(double torque(int step), double told) {
    results *r = wrist_results();
    for (int k = 0; k <= 1000; k++) {
        const double q = 1e-3 * k, v = 1, f = torque(k), energy = told * k / 1000, bristle = 0;
        const unsigned char slips = 1;
        CHECK(results_add(r, &(results_sample){.time = 1e-3 * k,
                                               .position = &q,
                                               .velocity = &v,
                                               .friction.torque = &f,
                                               .friction.deflection = &bristle,
                                               .friction.dissipated_energy = &energy,
                                               .friction.slipping = &slips}));
    }
    CHECK(results_finish(r, true, NULL, 0));
    return r;
}

static double against(int step) {
    (void)step;
    return 2;
}
static double pushing(int step) {
    (void)step;
    return -2;
}
static double alternating(int step) {
    return step % 2 ? 2 : -2;
}
static double trembling(int step) { /* about 0, as rounding does */
    return step % 2 ? 1e-9 : -1e-9;
}

TEST(heat_is_the_work_against_friction_whatever_the_friction_tells) {
    results *r = slide(against, 2);
    CHECK_NEAR(results_figure(r, 0, "dissipated_energy"), 2, 1e-12);
    CHECK(results_stable(r));
    results_destroy(r);
    r = slide(pushing, 2);
    CHECK_NEAR(results_figure(r, 0, "dissipated_energy"), -2, 1e-12);
    CHECK(!results_stable(r));
    results_destroy(r);
    stiction_joint_def soft = stiction_joint_def_default();
    soft.law = "coulomb";
    soft.stiffness = 0.5; /* its bristle holds heat back, too */
    CHECK_NEAR(friction_work_of(&soft).stiffness, 0.5, 0);
    r = slide(against, 2.5); /* a difference of some percent is that of explicit coupling */
    CHECK(results_stable(r));
    results_destroy(r);
}

TEST(friction_that_changes_its_sign_in_every_step_is_not_stable) {
    OWNED(results) *r = slide(alternating, 0);
    CHECK(!results_stable(r));
    const char *summary = written(r, "summary.json");
    CHECK_CONTAINS(summary, "\"stable\": false,");
    CHECK_CONTAINS(summary, "the friction of joint 'RWRR' changes its sign from step to step");
    CHECK_CONTAINS(summary, "\"heat_by_friction\": 0");
    results_destroy(r);
    r = slide(trembling, 0);
    CHECK(results_stable(r));
}

static double pausing(int step) { /* never 20 in a row, 532 of 3000 */
    return step % 17 < 3 ? (step % 2 ? 2 : -2) : 2;
}
static double swinging(int step) { /* a motion of ten steps a period */
    return step / 5 % 2 ? 2 : -2;
}

TEST(chatter_is_a_rate_over_a_window) {
    results *r = slide(pausing, 0);
    CHECK(!results_stable(r));
    CHECK_CONTAINS(results_warning(r, 0), "changes its sign from step to step");
    CHECK(results_find_chatter(r) == 0);
    results_end_chatter(r, 0);
    CHECK(results_find_chatter(r) == 1);
    results_destroy(r);
    r = slide(swinging, 0);
    CHECK(results_find_chatter(r) == 1);
    results_destroy(r);
    /* at the tenth change of the window, not at the ninth; the first ends a long sign */
    chatter c = {0};
    for (int k = 0; k < 10; k++) CHECK(!chatter_add(&c, 2, 1, -2, 0));
    for (int turns = 1; turns <= 10; turns++)
        CHECK(chatter_add(&c, 2, 1, turns % 2 ? 2 : -2, 0) == (turns == 10));
}

/* A joint whose friction alternates, with the command or without one. */
static bool alternation_is_stable(double velocity, bool follows) {
    results *r = wrist_results();
    for (int k = 0; k < 1000; k++) {
        const double f = k % 2 ? 0.5 : -0.5, q = 0;
        CHECK(results_add(r, &(results_sample){.time = 1e-3 * k,
                                               .position = &q,
                                               .velocity = &velocity,
                                               .command = follows ? &f : NULL,
                                               .friction.torque = &f}));
    }
    CHECK(results_finish(r, true, NULL, 0));
    const bool stable = results_stable(r);
    results_destroy(r);
    return stable;
}

TEST(friction_that_follows_an_alternating_load_does_not_chatter) {
    CHECK(!alternation_is_stable(1e-6, false));
    CHECK(alternation_is_stable(1e-6, true));
}

/* Implicit friction of a stuck joint bears whatever loads it, such as contacts that rattle. */
TEST(a_joint_that_does_not_move_does_not_chatter) {
    CHECK(alternation_is_stable(0, false));
}

/* ---- what can be believed ---- */

/* A joint without friction that gains 10 J although nothing drives it. */
static results *gain(double constrained, double speed, uint64_t unconverged) {
    results *r = wrist_results();
    for (int k = 0; k < 1000; k++) {
        const double q = 0;
        CHECK(results_add(r,
                          &(results_sample){.time = 1e-3 * k, .position = &q, .velocity = &speed}));
        const double all = 0.01 * k;
        const energy_sample energy = {.kinetic = constrained == 0 ? 0 : all,
                                      .constrained = constrained * all};
        results_add_energy(r, &energy);
    }
    results_set_unconverged(r, unconverged, " (first at 3 s because of joint 'J')");
    CHECK(results_finish(r, true, NULL, 0));
    return r;
}

TEST(energy_from_nothing_is_not_stable_and_has_a_cause) {
    OWNED(results) *r = gain(-0.1, 0, 0);
    CHECK(!results_stable(r));
    CHECK_CONTAINS(results_warning(r, 0), "gained 9.99 J from nothing in the first 0.999 s");
    CHECK_CONTAINS(results_warning(r, 0), "100 % of the energy that moved: the time step is too");
    results_destroy(r);
    r = gain(0.9, 0, 0);
    CHECK_CONTAINS(results_warning(r, 0), "contacts or joint limits push it");
    CHECK(!results_warning(r, 1));
}

TEST(a_joint_that_is_at_its_torque_limit_most_of_the_time_is_not_stable) {
    for (int share = 4; share <= 7; share++) {
        const double limit = share == 7 ? 0 : 0.5; /* 0: the file does not say */
        OWNED(results) *r = make((results_def){.timestep = 1e-3, .torque_limits = &limit});
        for (int k = 0; k < 1000; k++) {
            const double q = 0, command = k % 10 < share ? -0.5 : 0.49;
            CHECK(results_add(
                r, &(results_sample){
                       .time = 1e-3 * k, .position = &q, .velocity = &q, .command = &command}));
        }
        CHECK(results_finish(r, true, NULL, 0));
        CHECK(results_stable(r) == (share != 6));
        if (share == 6)
            CHECK_CONTAINS(results_warning(r, 0), "at its torque limit of 0.5 N m in 60 % of");
    }
}

TEST(the_work_of_pushes_and_controllers_is_not_from_nothing) {
    for (int driven = 0; driven < 2; driven++) {
        OWNED(results) *r = wrist_results();
        for (int k = 0; k < 1000; k++) {
            const double q = 1e-3 * k, v = 1, command = driven ? 10 : 0, all = 10 * q;
            CHECK(results_add(
                r, &(results_sample){
                       .time = 1e-3 * k, .position = &q, .velocity = &v, .command = &command}));
            const energy_sample energy = {.kinetic = 1.05 * all, .pushed = driven ? 0 : all};
            results_add_energy(r, &energy);
        }
        CHECK(results_finish(r, true, NULL, 0));
        CHECK(results_stable(r)); /* 5 % too much */
    }
}

static double sliding; /* m/s */
static motion slides(double time) {
    return (motion){sliding * time, sliding, NONE, false};
}

TEST(absurd_speeds_and_steps_without_convergence_are_not_stable) {
    results *r = gain(0, 200, 10); /* one in a hundred; the speed is at its bound */
    CHECK(results_stable(r));
    CHECK_CONTAINS(results_warning(r, 0),
                   "did not converge in 10 of 1000 steps (first at 3 s because of joint 'J'): its");
    results_destroy(r);
    r = gain(0, 10, 11);
    CHECK(!results_stable(r));
    results_destroy(r);
    r = gain(0, -255, 0);
    CHECK(!results_stable(r));
    CHECK_CONTAINS(results_warning(r, 0), "joint 'RWRR' reached 255 rad/s");
    results_destroy(r);
    for (sliding = 50; sliding < 51; sliding += 0.5) {
        r = run_of(slides, 0.1, true);
        CHECK(results_stable(r) == (sliding == 50));
        results_destroy(r);
    }
}

/* ---- the table ---- */

TEST(every_figure_is_found_by_its_name_and_has_a_meaning_and_units) {
    const joint_figure *f;
    size_t count = 0, interesting = 0;
    for (; (f = joint_figure_at(count)); count++) {
        CHECK(joint_figure_find(f->name) == f);
        CHECK(!f->alias || joint_figure_find(f->alias) == f);
        CHECK(f->title && *f->title && f->description && *f->description && f->value);
        CHECK(f->unit);
        interesting += f->interest != 0;
    }
    CHECK(joint_figure_find("rms_error") == joint_figure_find("rms_tracking_error"));
    /* no two of the same interest: each has its place */
    size_t found = 0;
    while ((f = joint_figure_by_interest(found))) {
        CHECK(found == 0 || joint_figure_by_interest(found - 1)->interest < f->interest);
        found++;
    }
    CHECK(found == interesting && found > 1);
}

TEST(angles_are_degrees_for_people_and_lengths_are_not) {
    const joint_figure *f = joint_figure_find("final_position");
    CHECK(strcmp(joint_figure_unit(f, false), "rad") == 0);
    CHECK(strcmp(joint_figure_shown_unit(f, false), "deg") == 0);
    CHECK(strcmp(joint_figure_shown_unit(f, true), "m") == 0);
    CHECK_NEAR(joint_figure_shown(f, false, 3.141592653589793), 180, 1e-12);
    CHECK_NEAR(joint_figure_shown(f, true, 0.5), 0.5, 0);
    CHECK(joint_figure_shown(f, false, -4.4e-16) == 0); /* rounding noise */
    CHECK(joint_figure_shown(f, false, 1e-9) > 0);
    f = joint_figure_find("creep");
    CHECK(strcmp(joint_figure_shown_unit(f, false), "rad/s") == 0);
    CHECK_NEAR(joint_figure_shown(f, false, 0.5), 0.5, 0);
}
