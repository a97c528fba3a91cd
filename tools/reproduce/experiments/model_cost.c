/* SPDX-License-Identifier: MIT */
/* What a step of a friction model costs: the time of many joints, the best of several tries. */
#include "model_cost.h"

#include <math.h>
#include <time.h>

#include "common/command.h"

enum { joints = 64, rounds = 100, tries = 5 };

/* What is timed, and what it works on. */
typedef struct batch {
    stiction_element element;
    stiction_state *state;
    double timestep;
    double input[rounds][joints];
    const double *velocity; /* of the round; of A and D it is the force */
    double e[joints], inner[joints], friction[joints], felt[joints];
} batch;

typedef void (*timed)(batch *b);

static void step_state(batch *b) {
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = b->timestep;
    input.velocity = b->velocity;
    input.effort = b->velocity; /* any number serves */
    output.torque = b->friction;
    (void)stiction_step_full(b->state, &input, &output, NULL);
}

static void step_a(batch *b) {
    for (int k = 0; k < joints; k++)
        stiction_element_a_step(&b->element, 1, &b->velocity[k], &b->inner[k], &b->friction[k]);
}

static void step_b(batch *b) {
    for (int k = 0; k < joints; k++)
        stiction_element_b_step(&b->element, 1, &b->velocity[k], &b->e[k], &b->inner[k],
                                &b->friction[k], &b->felt[k]);
}

static void step_d(batch *b) {
    for (int k = 0; k < joints; k++)
        (void)stiction_element_d_step(&b->element, 1, &b->velocity[k], &b->e[k], &b->inner[k],
                                      &b->friction[k]);
}

static void call_exp(batch *b) {
    for (int k = 0; k < joints; k++) b->friction[k] = exp(b->velocity[k]);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(batch *b, timed what) {
    double best = (double)INFINITY;
    for (int t = 0; t < tries; t++) {
        const double started = now();
        for (int r = 0; r < rounds; r++) {
            b->velocity = b->input[r];
            what(b);
        }
        best = fmin(best, now() - started);
    }
    return best;
}

/* Inputs, of both directions; of this amplitude most of them slip. */
static batch batch_of(double timestep, double amplitude) {
    batch b = {.timestep = timestep};
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < joints; k++) b.input[r][k] = amplitude * sin(0.37 * k + 0.05 * r);
    return b;
}

static double cost_of_state(batch *b, const friction_model *m) {
    char names[joints][12];
    const char *pointers[joints];
    stiction_error error;
    stiction_model *model = NULL;
    stiction_model_def def = stiction_model_def_default();
    stiction_config *config = must_have(stiction_config_create());
    def.timestep = b->timestep;
    for (int k = 0; k < joints; k++) {
        names[k][0] = 'j';
        names[k][1] = (char)('0' + k / 10);
        names[k][2] = (char)('0' + k % 10);
        names[k][3] = '\0';
        pointers[k] = names[k];
    }
    double cost = (double)NAN;
    if (stiction_config_add_joint(config, "j*", &m->friction, &error) == STICTION_OK &&
        stiction_model_create(config, pointers, joints, &def, &model, &error) == STICTION_OK &&
        stiction_state_create(model, &b->state, &error) == STICTION_OK)
        cost = seconds(b, step_state);
    stiction_state_destroy(b->state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    return cost;
}

double model_cost(const friction_model *m, double inertia, double timestep) {
    static const timed steps[] = {step_a, step_b, NULL, step_d};
    const bool takes_force =
        !m->reference && (m->kind == STICTION_ELEMENT_A || m->kind == STICTION_ELEMENT_D);
    batch b = batch_of(timestep, 0.3); /* rad/s */
    const double unit = seconds(&b, call_exp);
    if (takes_force) b = batch_of(timestep, 10); /* N m */
    if (m->reference || m->kind == STICTION_ELEMENT_C) return cost_of_state(&b, m) / unit;
    if (friction_model_element(m, inertia, timestep, &b.element) != STICTION_LAW_OK)
        return (double)NAN;
    return seconds(&b, steps[m->kind]) / unit;
}
