/* SPDX-License-Identifier: MIT */
/* One joint with friction for the page docs/playground. Only one thread may use it. */
#include "playground.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint_models/element.h"
#include "stiction/stiction.h"

static const double degree = 3.14159265358979323846 / 180;
static const double rest = 1e-3, motion = 1e-2; /* rad/s: slower is at rest, faster is a slip */

static stiction_joint_def joint;
static stiction_error problem;
static double read_timestep;

/* ---- tables ---- */

const char *play_law_name(int law) {
    stiction_law_info info;
    return law >= 0 && stiction_law_info_at((size_t)law, &info) ? info.name : NULL;
}

int play_law_reads(int law, int parameter) {
    stiction_law_info info;
    return stiction_law_info_at((size_t)law, &info) && info.parameters >> parameter & 1;
}

/* All of a row is in static memory of the library. */
static stiction_parameter_info row_of(int parameter) {
    stiction_parameter_info info = {0};
    if (parameter >= 0) (void)stiction_parameter_at((size_t)parameter, &info);
    return info;
}

const char *play_parameter_key(int parameter) {
    return row_of(parameter).key;
}

const char *play_parameter_symbol(int parameter) {
    return row_of(parameter).symbol;
}

const char *play_parameter_unit(int parameter) {
    return row_of(parameter).unit;
}

const char *play_parameter_description(int parameter) {
    return row_of(parameter).description;
}

double play_parameter_fallback(int parameter) {
    return row_of(parameter).fallback;
}

/* ---- the joint ---- */

void play_clear(int law) {
    joint = stiction_joint_def_default();
    joint.law = play_law_name(law);
}

void play_set(int parameter, double value) {
    memcpy((char *)&joint + row_of(parameter).offset, &value, sizeof value);
}

/* The joint as a configuration, which resolves what is not given; NULL: see `problem`. */
static stiction_config *configuration(const stiction_joint_def *def) {
    stiction_config *config = stiction_config_create();
    if (config && stiction_config_add_joint(config, "JOINT", def, &problem) == STICTION_OK)
        return config;
    stiction_config_destroy(config);
    return NULL;
}

static bool resolved(stiction_joint_def *def) {
    stiction_config *config = configuration(&joint);
    *def = stiction_joint_def_default();
    if (config) (void)stiction_config_joint_at(config, 0, def);
    stiction_config_destroy(config);
    /* the name of the law was the configuration's */
    def->law = joint.law;
    return config;
}

double play_value(int parameter) {
    stiction_joint_def def;
    const stiction_joint_def *known = resolved(&def) ? &def : &joint;
    const double value = stiction_joint_def_value(known, (size_t)parameter);
    return value == STICTION_AUTO && row_of(parameter).fallback == STICTION_AUTO
               ? stiction_joint_drive_parameters(known).reverse_viscous_factor
               : value;
}

const char *play_check(double timestep) {
    stiction_joint_def def;
    const bool fine =
        resolved(&def) && stiction_joint_def_check(NULL, &def, timestep, &problem) == STICTION_OK;
    return fine ? "" : problem.message;
}

double play_descent(double timestep) {
    stiction_joint_def def;
    return resolved(&def) ? stiction_joint_def_descent(&def, timestep) : (double)NAN;
}

double play_least_inertia(double timestep) {
    stiction_joint_def def;
    if (!resolved(&def)) return (double)NAN;
    return (2 * timestep * def.damping + timestep * timestep * def.stiffness) / 4;
}

const char *play_write(double timestep) {
    static char *text;
    stiction_config *config = configuration(&joint);
    if (!config || stiction_config_set_timestep(config, timestep, &problem) != STICTION_OK) {
        stiction_config_destroy(config);
        return "";
    }
    stiction_free(text);
    text = stiction_config_write(config);
    stiction_config_destroy(config);
    return text ? text : "";
}

#ifdef PLAY_WITHOUT_YAML
const char *play_read(const char *yaml) {
    (void)yaml;
    return "this page was built without libyaml and cannot read YAML";
}
#else
const char *play_read(const char *yaml) {
    static char text[4096];
    stiction_errors *errors = stiction_errors_create();
    stiction_config *config;
    text[0] = '\0';
    if (stiction_config_parse(yaml, strlen(yaml), NULL, &config, errors) != STICTION_OK)
        (void)stiction_error_format(stiction_errors_at(errors, 0), text, sizeof text);
    else if (stiction_config_joint_count(config) == 0)
        (void)snprintf(text, sizeof text, "this configuration has no joints");
    else {
        stiction_joint_def def = stiction_joint_def_default();
        (void)stiction_config_joint_at(config, 0, &def);
        joint = def;
        for (int law = 0; play_law_name(law); law++)
            if (strcmp(play_law_name(law), def.law) == 0) joint.law = play_law_name(law);
        read_timestep = stiction_config_timestep(config);
    }
    stiction_config_destroy(config);
    stiction_errors_destroy(errors);
    return text;
}
#endif

int play_read_law(void) {
    int law = 0;
    while (play_law_name(law) && strcmp(play_law_name(law), joint.law) != 0) law++;
    return law;
}

double play_read_timestep(void) {
    return read_timestep;
}

/* ---- curves ---- */

int play_curve(double timestep, double motor_torque, int count, const double *x, double *y) {
    stiction_joint_def def;
    const stiction_law *law = resolved(&def) ? stiction_law_find(def.law) : NULL;
    if (!law) return 0;
    const stiction_drive_parameters drive = stiction_joint_drive_parameters(&def);
    const stiction_drive_input input = {.motor_torque = motor_torque,
                                        .temperature = drive.temperature};
    const double inverse_Z = def.stiffness * timestep + def.damping;
    stiction_law_parameters sides[2];
    stiction_phi_z phi_z[2];
    for (int back = 0; back < 2; back++) {
        sides[back] = stiction_joint_law_parameters(&def);
        const stiction_levels levels =
            stiction_drive_levels(&drive, &sides[back], &input, back == 1);
        sides[back].coulomb_torque = levels.coulomb;
        sides[back].static_torque = levels.coulomb + levels.falling;
        sides[back].viscous = levels.viscous;
        if (timestep > 0 && stiction_phi_z_prepare_inverse(&phi_z[back], law, &sides[back],
                                                           inverse_Z) != STICTION_LAW_OK)
            return 0;
    }
    for (int k = 0; k < count; k++)
        y[k] = timestep > 0 ? stiction_phi_z_at(&phi_z[x[k] < 0], x[k])
                            : stiction_phi(law, &sides[x[k] < 0], x[k]);
    return 1;
}

/* ---- a joint that moves ---- */

typedef struct body {
    double inertia, timestep;
    double position, velocity, friction; /* friction: of the last step */
    stiction_model *model;
    stiction_state *state;
    stiction_implicit *implicit; /* NULL: explicit coupling */
} body;

static void body_release(body *b) {
    stiction_implicit_destroy(b->implicit);
    stiction_state_destroy(b->state);
    stiction_model_destroy(b->model);
}

static bool body_make(body *b, const stiction_joint_def *def, double inertia, double timestep,
                      bool implicit) {
    const char *name = "JOINT";
    const int dof = 0, parent = -1;
    stiction_model_def model_def = stiction_model_def_default();
    stiction_implicit_def implicit_def = stiction_implicit_def_default();
    stiction_config *config = configuration(def);
    *b = (body){.inertia = inertia, .timestep = timestep};
    model_def.timestep = timestep;
    implicit_def.count = 1;
    implicit_def.parent = &parent;
    bool fine =
        config &&
        stiction_model_create(config, &name, 1, &model_def, &b->model, &problem) == STICTION_OK &&
        stiction_state_create(b->model, &b->state, &problem) == STICTION_OK;
    stiction_config_destroy(config);
    if (fine && implicit)
        fine = stiction_implicit_create(&implicit_def, &b->implicit, &problem) == STICTION_OK &&
               stiction_implicit_add(b->implicit, b->state, &dof, &problem) == STICTION_OK;
    if (!fine) body_release(b);
    return fine;
}

/* One step of semi-implicit Euler under a torque; false: the numbers are no longer finite. */
static bool body_step(body *b, double torque) {
    const double zero = 0;
    if (b->implicit) {
        stiction_implicit_input input = stiction_implicit_input_default();
        stiction_implicit_output output = stiction_implicit_output_default();
        double velocity = 0;
        input.timestep = b->timestep;
        input.mass = &b->inertia;
        input.velocity = &b->velocity;
        input.force = &torque;
        input.position = &b->position;
        input.effort = &torque;
        input.external_torque = &zero;
        output.velocity = &velocity;
        output.friction = &b->friction;
        if (stiction_implicit_step(b->implicit, &input, &output, &problem) != STICTION_OK)
            return false;
        b->velocity = velocity;
    } else {
        stiction_input input = stiction_input_default();
        stiction_output output = stiction_output_default();
        input.timestep = b->timestep;
        input.velocity = &b->velocity;
        input.position = &b->position;
        input.effort = &torque;
        input.external_torque = &zero;
        output.torque = &b->friction;
        if (stiction_step_full(b->state, &input, &output, &problem) != STICTION_OK) return false;
        b->velocity += b->timestep / b->inertia * (torque - b->friction);
    }
    b->position += b->timestep * b->velocity;
    return isfinite(b->position) && fabs(b->velocity) < 1e9;
}

/* ---- what a run comes to ---- */

typedef struct watcher {
    bool moves;
    int count;
    double first, last, peak, torque_at_rest;
} watcher;

/* A break-away counts where the joint was at rest before. */
static void watch(watcher *w, double time, double velocity, double torque) {
    const double speed = fabs(velocity);
    if (!w->moves) w->torque_at_rest = fmax(w->torque_at_rest, fabs(torque));
    if (!w->moves && speed > motion) {
        w->moves = true;
        w->peak = fmax(w->peak, w->torque_at_rest);
        w->first = w->count++ ? w->first : time;
        w->last = time;
    } else if (w->moves && speed < rest) {
        w->moves = false;
        w->torque_at_rest = 0;
    }
}

static double torque_of(play_experiment experiment, const double *s, const body *b, double time,
                        double *integral, double *other) {
    switch (experiment) {
    case PLAY_WRIST: {
        /* Cisneros et al., (50) and (51) */
        const double reference =
            s[PLAY_KP] * (s[PLAY_TARGET] * degree - b->position) - s[PLAY_KV] * b->velocity;
        *integral += b->timestep * reference;
        *other = s[PLAY_TARGET] * degree;
        return b->inertia * reference + s[PLAY_LAMBDA] * b->inertia * (*integral - b->velocity);
    }
    case PLAY_SPRING:
        *other = s[PLAY_SPEED] * time;
        return s[PLAY_PULL] * (*other - b->position);
    case PLAY_HOLD: /* put on slowly: a sudden load breaks away below the static torque */
        return s[PLAY_LOAD] * fmin(1, 10 * time / s[PLAY_DURATION]);
    case PLAY_RAMP:
        break;
    }
    *other = s[PLAY_RATE] * time;
    return *other;
}

/* Friction F_S tanh(v/v_0), in steps short enough for its slope. */
static bool make_regular(body *b, const double *s, const stiction_joint_def *def, int *substeps) {
    stiction_joint_def regular = stiction_joint_def_default();
    regular.law = "tanh";
    regular.coulomb_torque = fmax(def->static_torque, def->coulomb_torque);
    if (isnan(def->static_torque)) regular.coulomb_torque = def->coulomb_torque;
    regular.static_torque = regular.coulomb_torque;
    regular.viscous = isnan(def->viscous) ? 0 : def->viscous;
    regular.stick_velocity = s[PLAY_SOFTNESS];
    const double slope = regular.coulomb_torque / s[PLAY_SOFTNESS] + regular.viscous;
    *substeps = (int)fmin(1000, ceil(2 * s[PLAY_TIMESTEP] * slope / s[PLAY_INERTIA]));
    if (*substeps < 1) *substeps = 1;
    return body_make(b, &regular, s[PLAY_INERTIA], s[PLAY_TIMESTEP] / *substeps, false);
}

int play_run(play_experiment experiment, const double *s, double *rows, double *figures) {
    stiction_joint_def def;
    body ours, regular;
    int substeps = 0;
    for (int k = 0; k < PLAY_FIGURES; k++) figures[k] = (double)NAN;
    if (!resolved(&def) ||
        !body_make(&ours, &def, s[PLAY_INERTIA], s[PLAY_TIMESTEP], s[PLAY_IMPLICIT] > 0))
        return 0;
    const bool beside = experiment == PLAY_HOLD && make_regular(&regular, s, &def, &substeps);

    const long steps = (long)fmin(5e6, ceil(s[PLAY_DURATION] / s[PLAY_TIMESTEP]));
    const long stride = (steps + PLAY_ROWS - 1) / PLAY_ROWS;
    double integral = 0, half = 0, other_half = 0, stop_time = 0;
    watcher w = {.moves = experiment == PLAY_WRIST};
    int count = 0;
    bool finite = true;
    for (long k = 0; k < steps && finite; k++) {
        double other = 0;
        const double time = (double)k * s[PLAY_TIMESTEP];
        const double torque = torque_of(experiment, s, &ours, time, &integral, &other);
        finite = body_step(&ours, torque);
        for (int sub = 0; sub < substeps && beside; sub++) (void)body_step(&regular, torque);
        if (beside) other = regular.position;
        if (k == steps / 2) half = ours.position, other_half = other;
        if (fabs(ours.velocity) > rest) stop_time = time + s[PLAY_TIMESTEP];
        watch(&w, time, ours.velocity, torque);
        if (finite && k % stride == 0) {
            const double row[PLAY_COLUMNS] = {time + s[PLAY_TIMESTEP], ours.position, ours.velocity,
                                              ours.friction,           torque,        other};
            memcpy(rows + (size_t)count++ * PLAY_COLUMNS, row, sizeof row);
        }
    }
    const double second_half = (double)(steps - steps / 2 - 1) * s[PLAY_TIMESTEP];
    const double creep = fabs(ours.position - half) / second_half;
    if (finite && fabs(ours.velocity) <= rest) {
        figures[PLAY_STOP_POSITION] = ours.position;
        figures[PLAY_STOP_TIME] = stop_time;
    }
    if (finite && creep < rest) figures[PLAY_CREEP] = creep;
    figures[PLAY_BREAKAWAYS] = w.count;
    if (w.count) figures[PLAY_PEAK] = w.peak;
    if (w.count > 1) figures[PLAY_PERIOD] = (w.last - w.first) / (w.count - 1);
    if (beside) {
        figures[PLAY_OTHER_CREEP] = fabs(regular.position - other_half) / second_half;
        body_release(&regular);
    }
    body_release(&ours);
    return finite ? count : 0;
}
