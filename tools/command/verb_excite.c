/* SPDX-License-Identifier: MIT
 * stiction excite: a motion that identifies the friction of a joint.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_options.h"
#include "common/table.h"
#include "common/whole_file.h"
#include "document/csv.h"
#include "plot/plot.h"
#include "robots/robot.h"

#ifdef STICTION_FIT
#include "fit/excite.h"
#endif

typedef struct excite_options {
    const char *joint, *out, *plot, *config;
    double duration, velocity, acceleration, slowest, noise;
    bool force;
    base_options base;
    bool untrusted;
} excite_options;

#ifdef STICTION_FIT

static const robot_joint *joint_of(const robot *r, const char *name, stiction_error *error) {
    char *names = NULL;
    for (size_t k = 0; k < r->joint_count; k++) {
        if (strcmp(r->joints[k].link->joint_name, name) == 0) return &r->joints[k];
        append_text(&names, "%s%s", k ? ", " : "", r->joints[k].link->joint_name);
    }
    (void)fail(error, "excite: %s has no joint '%s'; it has %s", r->path, name,
               names ? names : "none");
    free(names);
    return NULL;
}

static excite_limits limits_of(const robot_joint *joint, const excite_options *o) {
    const body_link *link = joint->link;
    excite_limits l = {link->lower, link->upper, o->velocity, o->acceleration, o->slowest};
    if (!(l.lower > -100)) l.lower = fmin(-1.5, l.upper - 3);
    if (!(l.upper < 100)) l.upper = l.lower + 3;
    if (!isfinite(l.velocity)) l.velocity = fmin(0.5 * (l.upper - l.lower), 1.5);
    l.velocity = fmin(l.velocity, 0.8 * link->velocity_limit);
    if (!isfinite(l.acceleration)) l.acceleration = 6 * l.velocity;
    return l;
}

static bool write_motion(const excite_options *o, const double *position, size_t count,
                         stiction_error *error) {
    whole_file file;
    if (!whole_file_may_take(o->out, o->force, error) || !whole_file_begin(&file, o->out, error))
        return false;
    fputs("time,", file.out);
    stiction_csv_print(file.out, o->joint);
    fputc('\n', file.out);
    for (size_t k = 0; k < count; k++)
        fprintf(file.out, "%.3f,%.9g\n", (double)k / EXCITE_RATE, position[k]);
    return whole_file_end(&file, error);
}

static bool plot_motion(const excite_options *o, const double *position, size_t count,
                        stiction_error *error) {
    double *time = allocate(count, sizeof *time), *velocity = allocate(count, sizeof *velocity);
    for (size_t k = 0; k < count; k++) {
        time[k] = (double)k / EXCITE_RATE;
        velocity[k] = k ? (position[k] - position[k - 1]) * EXCITE_RATE : 0;
    }
    const plot_series series[] = {
        {.label = "position (rad)", .x = time, .y = position, .count = count},
        {.label = "velocity (rad/s)", .x = time, .y = velocity, .count = count}};
    const plot p = {.title = o->joint,
                    .x_label = "time (s)",
                    .y_label = "position, velocity",
                    .series = series,
                    .count = 2};
    bool fine = true;
    if (o->plot)
        fine = whole_file_may_take(o->plot, o->force, error) &&
               plot_write(&p, o->plot, plot_format_of(o->plot), error);
    else
        plot_terminal(&p, stdout);
    free(time), free(velocity);
    return fine;
}

/* The friction to plan for: that of a configuration, or a guess. */
static bool friction_of(const excite_options *o, stiction_joint_def *def, stiction_error *error) {
    if (!o->config) return true;
    stiction_errors *errors = must_have(stiction_errors_create());
    stiction_config *config = NULL;
    const stiction_status status = stiction_config_load(o->config, &config, errors);
    bool fine = status == STICTION_OK || fail_first(error, errors, status);
    fine = fine && find_joint(config, o->config, o->joint, def, error);
    def->law = !fine                               ? "coulomb"
               : strcmp(def->law, "rational") == 0 ? "rational"
               : strcmp(def->law, "stribeck") == 0 ? "stribeck"
                                                   : "coulomb";
    stiction_config_destroy(config);
    stiction_errors_destroy(errors);
    return fine;
}

static void show_accuracy(const double *position, size_t count, const stiction_joint_def *def,
                          double noise) {
    fit_deviation rows[FIT_VALUES];
    const size_t n = excite_predict(position, count, def, noise, rows);
    show_line("accuracy to expect at torque noise of %.3g N m:", noise);
    const table_column columns[] = {
        {"parameter", NULL, 0}, {"value", NULL, 4}, {"deviation", "standard deviation (%)", 3}};
    table *t = table_create(columns, 3);
    for (size_t k = 0; k < n; k++) {
        table_text(t, rows[k].key);
        table_number(t, rows[k].value);
        table_number(t, 100 * rows[k].deviation);
    }
    table_print(t, TABLE_TEXT, stdout);
    table_destroy(t);
}

static bool plan(const robot *r, const excite_options *o, stiction_error *error) {
    const robot_joint *joint = joint_of(r, o->joint, error);
    if (!joint) return false;
    const excite_limits limits = limits_of(joint, o);
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "stribeck";
    def.static_torque = 1.5, def.coulomb_torque = 1, def.stribeck_velocity = 0.05;
    def.viscous = 1, def.stiffness = 1000, def.damping = 20;
    if (!friction_of(o, &def, error)) return false;
    const size_t count = (size_t)(o->duration * EXCITE_RATE);
    double *position = excite_motion(&limits, count);
    const bool fine = (!o->out || write_motion(o, position, count, error)) &&
                      ((o->out && !o->plot) || plot_motion(o, position, count, error));
    if (fine && !(o->out && strcmp(o->out, "-") == 0))
        show_accuracy(position, count, &def,
                      isnan(o->noise) ? 0.02 * def.coulomb_torque : o->noise);
    free(position);
    return fine;
}

static int run_excite(const void *options, const text_list *arguments, stiction_error *error) {
    const excite_options *o = options;
    if (!o->joint) return fail_usage(error, "excite: name the joint with --joint NAME");
    if (!base_options_fit(&o->base)) return fail_usage(error, "excite: " BASE_CONFLICT);
    if (!(o->duration >= 10 && o->duration <= 3600))
        return fail_usage(error, "excite: --duration %g must be from 10 to 3600 s", o->duration);
    const robot_options how = {
        .log = print_log, .base = base_of(&o->base), .untrusted = o->untrusted};
    robot *r = robot_load(arguments->items[0], &how, error);
    const bool fine = r && plan(r, o, error);
    robot_destroy(r);
    return fine ? EXIT_FINE : EXIT_DATA;
}

#else

static int run_excite(const void *options, const text_list *arguments, stiction_error *error) {
    (void)options, (void)arguments;
    (void)fail(error, "excite: this stiction was built without GSL (libgsl-dev), which it needs");
    return EXIT_DATA;
}

#endif

static const excite_options defaults = {.duration = 40,
                                        .velocity = (double)NAN,
                                        .acceleration = (double)NAN,
                                        .slowest = 0.01,
                                        .noise = (double)NAN};

#define FIELD(name) offsetof(excite_options, name)

static const option options_of_excite[] = {
    {"joint", OPTION_TEXT, "NAME", "the joint that moves", FIELD(joint)},
    {"duration", OPTION_POSITIVE, "S", "length in s (40)", FIELD(duration)},
    {"out", OPTION_TEXT, "FILE", "the motion as CSV, for --targets; - is stdout", FIELD(out)},
    {"plot", OPTION_TEXT, "FILE", "a picture, .svg or .png", FIELD(plot)},
    {"velocity", OPTION_POSITIVE, "V", "largest velocity in rad/s (1.5)", FIELD(velocity)},
    {"acceleration", OPTION_POSITIVE, "A", "largest acceleration in rad/s^2", FIELD(acceleration)},
    {"slowest", OPTION_POSITIVE, "V", "what the encoder resolves in rad/s (0.01)", FIELD(slowest)},
    {"config", OPTION_TEXT, "FILE", "friction to plan for (default: a guess)", FIELD(config)},
    {"noise", OPTION_POSITIVE, "TORQUE", "of the torque in N m (2 % of Coulomb's)", FIELD(noise)},
    {"force", OPTION_FLAG, NULL, "replace existing files", FIELD(force)},
    BASE_OPTIONS(excite_options, base),
    UNTRUSTED_OPTION(excite_options, untrusted),
    {.name = NULL},
};

const verb verb_excite = {
    .name = "excite",
    .summary = "a motion that identifies the friction of a joint",
    .arguments = "ROBOT",
    .least = 1,
    .most = 1,
    VERB_OPTIONS(options_of_excite, defaults),
    .description =

        "Plans a motion of one joint within its limits from which stiction fit can\n"
        "identify friction: constant speeds both ways, each twice the one before, from\n"
        "what the encoder resolves to the limit; small sines, in which only the bristle\n"
        "moves; and a sum of sines. The CSV has a column of time and one of positions,\n"
        "which a controller or --targets plays.\n"
        "\n"
        "The accuracy to expect follows from our own model of friction along the motion,\n"
        "with white noise of the torque; a differentiated encoder reaches less.",
    .example = "  stiction excite arm.urdf --joint elbow --out motion.csv\n"
               "  stiction run arm.urdf --controller \"posture:mode=pd kp=400 kv=20\" \\\n"
               "      --targets motion.csv --duration 40 --config arm.yaml",
    .run = run_excite,
};
