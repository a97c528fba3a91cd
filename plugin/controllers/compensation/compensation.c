/* SPDX-License-Identifier: MIT
 * The friction of a robot's joints, read once; a step then asks the library. It allocates nothing
 * after that.
 */
#include "compensation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/auto.h"
#include "document/fail.h"
#include "stiction/stiction.h"

/* The motion of a joint to a target that was set in one step. */
typedef struct joint_way {
    bool begun;
    double goal, velocity; /* of the last step */
    double side;           /* of the motion, 1 or -1; 0: there is none */
    double left;           /* rad: the shortest remaining distance so far */
} joint_way;

struct compensation {
    size_t count;
    stiction_compensation desired; /* share and edge */
    double reach;
    stiction_config *config;
    stiction_model *model;
    stiction_state *state;
    double *start; /* -1 to 1; after them the torques of try_out */
    joint_way *ways;
    char **names; /* to record by */
};

void compensation_destroy(compensation *c) {
    if (!c) return;
    stiction_state_destroy(c->state);
    stiction_model_destroy(c->model);
    stiction_config_destroy(c->config);
    for (size_t k = 0; c->names && k < c->count; k++) free(c->names[k]);
    free(c->names);
    free(c->ways);
    free(c->start);
    free(c);
}

void compensation_reset(compensation *c) {
    if (!c) return;
    memset(c->ways, 0, c->count * sizeof *c->ways);
}

OWNS(stiction_errors, stiction_errors_destroy)
OWNS(compensation, compensation_destroy)

/* Only the law is used, never a step: at so long a time step every Phi_Z exists, even for friction
 * that no simulation could have. */
static const double longest_step = 1000;

static stiction_status read_file(compensation *c, const compensation_def *def,
                                 stiction_errors *errors, stiction_error *error) {
    stiction_status status = stiction_config_load(def->path, &c->config, errors);
    if (status != STICTION_OK && error) *error = *stiction_errors_at(errors, 0);
    if (status != STICTION_OK) return status;
    stiction_config_set_strict(c->config, false);
    stiction_model_def model = stiction_model_def_default();
    model.timestep = longest_step;
    model.partial = true;
    status = stiction_model_create(c->config, def->joints, def->count, &model, &c->model, error);
    if (status == STICTION_OK) status = stiction_state_create(c->model, &c->state, error);
    return status;
}

/* Reports errors of share, edge and laws once, with the file, by a trial at rest. */
static stiction_status try_out(compensation *c, const char *path, stiction_error *error) {
    stiction_error own;
    c->desired.velocity = c->desired.start = c->desired.position = c->start;
    c->desired.effort = c->desired.external_torque = c->start;
    const stiction_status status =
        stiction_compensate(c->state, &c->desired, c->start + c->count, &own);
    if (status == STICTION_OK) return status;
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, (stiction_place){path, 0, 0}, "%s",
                            own.message);
}

/* False: out of memory. */
static bool make_arrays(compensation *c, const compensation_def *def) {
    static const char ending[] = ".compensation";
    c->ways = calloc(def->count + 1, sizeof *c->ways);
    c->start = calloc(2 * def->count + 1, sizeof *c->start);
    c->names = calloc(def->count + 1, sizeof *c->names);
    if (!c->ways || !c->start || !c->names) return false;
    for (size_t k = 0; k < def->count; k++) {
        const size_t size = strlen(def->joints[k]) + sizeof ending;
        c->names[k] = malloc(size);
        if (!c->names[k]) return false;
        (void)snprintf(c->names[k], size, "%s%s", def->joints[k], ending);
    }
    return true;
}

stiction_status compensation_create(const compensation_def *def, compensation **result,
                                    stiction_error *error) {
    OWNED(stiction_errors) *errors = stiction_errors_create();
    OWNED(compensation) *c = calloc(1, sizeof *c);
    *result = NULL;
    if (c) {
        c->count = def->count;
        c->desired = stiction_compensation_default();
        c->desired.share = def->share;
        c->desired.edge = def->edge;
        c->reach = def->reach;
    }
    if (!c || !errors || !make_arrays(c, def))
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for friction");
    TRY(read_file(c, def, errors, error));
    TRY(try_out(c, def->path, error));
    *result = c;
    c = NULL;
    return STICTION_OK;
}

static double soft_sign(double value, double edge) {
    return value / sqrt(value * value + edge * edge);
}

/*
 * The direction of a jump of the goal, -1 to 1. A joint with a desired velocity follows that; one
 * whose goal jumps, or is elsewhere at the start, begins to move there. The remaining way can only
 * shrink: a joint that is pushed away or oscillates gets no more torque for it.
 */
static double follow_jump(joint_way *w, const compensation_input *in, size_t k, double reach) {
    const double goal = in->goal ? in->goal[k] : (double)NAN, q = in->q[k], v = in->velocity[k];
    if (!isfinite(goal) || !isfinite(q)) {
        *w = (joint_way){.begun = false};
        return 0;
    }
    const double followed = 2 * fmax(fabs(v), fabs(w->velocity)) * in->dt + 1e-9;
    if (!w->begun || fabs(goal - w->goal) > followed) {
        w->left = fabs(goal - q);
        w->side = w->left > reach ? copysign(1, goal - q) : 0;
    }
    w->begun = true;
    w->goal = goal;
    w->velocity = v;
    w->left = fmin(w->left, w->side * (goal - q));
    if (v != 0 || w->left <= 0) w->side = 0;
    return w->side == 0 ? 0 : w->side * soft_sign(w->left, reach);
}

stiction_status compensation_step(compensation *c, const compensation_input *in, double *torque,
                                  stiction_error *error) {
    for (size_t k = 0; k < c->count; k++) {
        const double ahead = in->ahead ? soft_sign(in->ahead[k], c->desired.edge) : 0;
        c->start[k] = fmin(fmax(ahead + follow_jump(&c->ways[k], in, k, c->reach), -1), 1);
    }
    c->desired.velocity = in->velocity;
    c->desired.start = c->start;
    c->desired.position = in->q;
    c->desired.effort = in->motor;
    c->desired.external_torque = in->external;
    return stiction_compensate(c->state, &c->desired, torque, error);
}

double compensation_led(double led, double velocity, double desired) {
    static const double faster = 0.01; /* rad/s */
    const double most = fabs(velocity) + fabs(desired) + faster;
    return fmin(fmax(led, -most), most);
}

unsigned compensation_needs(const compensation *c) {
    return c ? stiction_state_needs(c->state) : 0;
}

const char *const *compensation_record_names(const compensation *c) {
    return (const char *const *)c->names;
}

const char *compensation_warning(const compensation *c) {
    if (!c || c->desired.share < 1) return NULL;
    return "compensation_share is 1 or more: nothing is left of the friction that is expected, and "
           "where there is less of it, the joint is pushed on; below 1, such as 0.8, some is kept";
}
