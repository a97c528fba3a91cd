/* SPDX-License-Identifier: MIT
 * The posture controller and its states: made, copied, reset, freed. What allocates is here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controllers/qp/qp.h"
#include "document/c_locale.h"
#include "posture_internal.h"

/* The quadratic program has a torque row and a motion row a joint. */
enum { most_joints = 1024 };

/* "joint 'X'", or its number where it has no name. */
static const char *who(char *buffer, size_t size, const posture_joint_def *joint, size_t index) {
    if (joint->name)
        (void)snprintf(buffer, size, "joint '%.100s'", joint->name);
    else
        (void)snprintf(buffer, size, "joint %zu", index);
    return buffer;
}

static stiction_status check(const posture_def *def, stiction_error *error) {
    if (!isfinite(def->period) || def->period < 0)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "period %g must be finite and at least 0", def->period);
    if (!def->joints || def->joint_count == 0 || def->joint_count > most_joints)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "a controller needs 1 to %d joints, not %zu", most_joints,
                             def->joints ? def->joint_count : 0);
    for (size_t k = 0; k < def->joint_count; k++) {
        char name[128], message[POSTURE_MESSAGE];
        const posture_joint_def *joint = &def->joints[k];
        if (joint_problem(joint, def->mode, message))
            return stiction_fail(error, STICTION_INVALID_CONFIG, "%s: %s",
                                 who(name, sizeof name, joint, k), message);
    }
    return STICTION_OK;
}

/* A copy of ours; NULL where there is no memory or nothing to copy. */
static void *copy_of(const void *from, size_t size) {
    void *copy = from && size ? malloc(size) : NULL;
    if (copy) memcpy(copy, from, size);
    return copy;
}

/* Copies what the joint points to. */
static bool own(posture_joint_def *joint) {
    posture_trajectory *t = &joint->trajectory;
    const char *name = joint->name;
    const posture_sample *samples = t->shape == POSTURE_SAMPLES ? t->samples : NULL;
    joint->name = name ? copy_of(name, strlen(name) + 1) : NULL;
    t->samples = copy_of(samples, t->sample_count * sizeof *samples);
    return !joint->name == !name && !t->samples == !samples;
}

stiction_status posture_create(const posture_def *def, posture **controller,
                               stiction_error *error) {
    *controller = NULL;
    const c_locale locale = c_locale_enter();
    const stiction_status status = check(def, error);
    c_locale_leave(locale);
    if (status != STICTION_OK) return status;

    posture *p = calloc(1, sizeof *p);
    if (p) p->joints = calloc(def->joint_count, sizeof *p->joints);
    bool complete = p && p->joints;
    for (size_t k = 0; complete && k < def->joint_count; k++) {
        const posture_joint_def *joint = &def->joints[k];
        p->joints[k] = *joint;
        complete = own(&p->joints[k]);
        p->def.joint_count = k + 1;
        p->integrates = p->integrates || joint->lambda > 0;
        p->has_velocity_limits = p->has_velocity_limits || isfinite(joint->velocity_limit);
        p->has_joint_limits =
            p->has_joint_limits || isfinite(joint->lower_limit) || isfinite(joint->upper_limit);
    }
    if (!complete) {
        posture_destroy(p);
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for a controller");
    }
    p->def = *def;
    p->def.joints = p->joints;
    p->def.motion = p->def.friction = NULL; /* the configuration's */
    *controller = p;
    return stiction_succeed(error);
}

void posture_destroy(posture *controller) {
    if (!controller) return;
    for (size_t k = 0; k < controller->def.joint_count; k++) {
        free((void *)(uintptr_t)controller->joints[k].name);
        free((void *)(uintptr_t)controller->joints[k].trajectory.samples);
    }
    free(controller->joints);
    free(controller);
}

const char *posture_mode_name(posture_mode mode) {
    static const char *const names[] = {"qp", "pd", "torque"};
    return names[mode];
}

/* States. */

/* Lays out the arrays of a state in one block, and returns the number of doubles in it. */
static size_t cut(posture_state *s, size_t n, double *block) {
    const struct {
        double **array;
        size_t count;
    } parts[] = {
        {&s->integral, n},      {&s->start, n},        {&s->last, n},   {&s->reference, n},
        {&s->wanted, n},        {&s->acceleration, n}, {&s->torque, n}, {&s->integral_torque, n},
        {&s->next_integral, n}, {&s->push, n},         {&s->x, n},      {&s->g, n},
        {&s->lower, 2 * n},     {&s->upper, 2 * n},    {&s->H, n * n},  {&s->A, 2 * n * n},
    };
    size_t used = 0;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        if (block) *parts[k].array = block + used;
        used += parts[k].count;
    }
    s->memory = s->integral;
    return used;
}

/* The constant part of the quadratic program: 1/2 x'x and the rows of single accelerations. */
static void prepare_program(posture_state *s) {
    const size_t n = s->controller->def.joint_count;
    for (size_t i = 0; i < n; i++) {
        s->H[i * n + i] = 1;
        s->A[(n + i) * n + i] = 1 / s->controller->joints[i].weight;
    }
}

stiction_status posture_state_create(const posture *controller, posture_state **state,
                                     stiction_error *error) {
    *state = NULL;
    const size_t n = controller->def.joint_count;
    posture_state *s = calloc(1, sizeof *s);
    double *block = s ? calloc(cut(s, n, NULL), sizeof *block) : NULL;
    void *workspace = malloc(qp_workspace_size(n, 2 * n));
    if (!block || !workspace) {
        free(workspace);
        free(block);
        free(s);
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", n);
    }
    (void)cut(s, n, block);
    s->controller = controller;
    s->workspace = workspace;
    prepare_program(s);
    *state = s;
    return stiction_succeed(error);
}

void posture_state_destroy(posture_state *state) {
    if (!state) return;
    free(state->memory);
    free(state->workspace);
    free(state);
}

void posture_state_reset(posture_state *state) {
    memset(state->memory, 0, 3 * state->controller->def.joint_count * sizeof *state->memory);
    memset(state->counts, 0, sizeof state->counts);
    state->started = false;
}

uint64_t posture_state_count(const posture_state *state, posture_event event) {
    uint64_t count = 0;
    for (size_t k = 0; k < event_count; k++)
        if (event == (posture_event)(1u << k)) count = state->counts[k];
    return count;
}
