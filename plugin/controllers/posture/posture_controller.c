/* SPDX-License-Identifier: MIT
 * The posture controller as a stiction_controller_api: built in under the name `posture`, and,
 * compiled a second time, the library posture.so, which any host loads.
 */
#include "controllers/host/built_in.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controllers/notes/note_list.h"
#include "document/auto.h"
#include "posture_config.h"
#include "posture_internal.h"
#include "setup_options.h"

typedef struct posture_controller {
    posture *posture;
    posture_state *state;
    posture_mode mode;
    size_t n;
    double timestep;
    double *block;          /* the joints' part of M, where the base floats */
    compensation *friction; /* to feed forward; NULL: none */
    posture_def def;        /* without its joints */
    double *numbers;        /* of the arrays below, one entry per joint each */
    double *feedforward;    /* N m */
    double *acceleration;   /* of the program */
    double *led;            /* its integral, with a leak, rad/s */
    double *velocity;       /* at which friction is predicted, rad/s */
    double *ahead, *goal;   /* see compensation_input */
    double *motor, *external;
    size_t blocking; /* the first joint whose limit gave way; n: none yet */
    note_list notes;
} posture_controller;

static void destroy(void *self) {
    posture_controller *c = self;
    posture_state_destroy(c->state);
    posture_destroy(c->posture);
    compensation_destroy(c->friction);
    note_list_clear(&c->notes);
    free(c->numbers);
    free(c->block);
    free(c);
}

OWNS(posture_config, posture_config_destroy)

/* Parts of a file that another controller reads are no part of this one. */
static stiction_status refuse_sections(const posture_config *config, stiction_error *error) {
    static const char *const names[] = {"tasks", "contacts", "apart"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const tree_entry *section = posture_config_section(config, names[k]);
        if (section)
            return stiction_fail_at(error, STICTION_INVALID_CONFIG, section->key->at,
                                    "'%s' is of the controller whole_body, not of posture",
                                    names[k]);
    }
    return STICTION_OK;
}

static stiction_status configure(posture_controller *c, const stiction_controller_setup *setup,
                                 const char *untrusted, posture_def *def, stiction_error *error) {
    OWNED(posture_config) *config = NULL;
    AUTO_FREE posture_joint_def *joints = setup_joints(setup);
    if (!joints) return setup_out_of_memory(error);
    TRY(setup_config(setup, untrusted, &config, error));
    TRY(refuse_sections(config, error));
    TRY(posture_config_apply(config, def, joints, setup->joint_count, error));
    TRY(setup_compensation(def, &c->friction, error));
    TRY(posture_create(def, &c->posture, error));
    return posture_state_create(c->posture, &c->state, error);
}

stiction_status posture_controller_create(const stiction_controller_setup *setup,
                                          const char *untrusted, stiction_controller_needs *needs,
                                          void **self, stiction_error *error) {
    posture_controller *c = calloc(1, sizeof *c);
    posture_def def = posture_def_default();
    if (!c) return setup_out_of_memory(error);
    c->n = c->blocking = setup->joint_count;
    c->timestep = setup->timestep;
    stiction_status status = configure(c, setup, untrusted, &def, error);
    c->mode = def.mode;
    if (status == STICTION_OK && setup->floating && c->mode == POSTURE_QP) {
        c->block = calloc(c->n * c->n + 1, sizeof *c->block);
        if (!c->block) status = setup_out_of_memory(error);
    }
    if (status == STICTION_OK && c->friction) {
        double **const arrays[] = {&c->feedforward, &c->acceleration, &c->led,   &c->velocity,
                                   &c->ahead,       &c->goal,         &c->motor, &c->external};
        const size_t count = sizeof arrays / sizeof arrays[0];
        c->numbers = calloc(count * c->n + 1, sizeof *c->numbers);
        if (!c->numbers) status = setup_out_of_memory(error);
        for (size_t k = 0; c->numbers && k < count; k++) *arrays[k] = c->numbers + k * c->n;
    }
    if (status != STICTION_OK) {
        destroy(c);
        return status;
    }
    c->def = def;
    c->def.joints = NULL;
    needs->mass_matrix = needs->bias = c->mode == POSTURE_QP;
    if (compensation_needs(c->friction) & STICTION_NEEDS_EXTERNAL_TORQUE) needs->bias = 1;
    needs->control_period = def.period;
    if (c->friction) {
        needs->record_count = c->n;
        needs->records = compensation_record_names(c->friction);
    }
    *self = c;
    return STICTION_OK;
}

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    return posture_controller_create(setup, NULL, needs, self, error);
}

/* The time between two steps of this controller, s. */
static double step_of(const posture_controller *c) {
    return fmax(c->timestep, c->def.period);
}

/* The root counts as standing: of M and the bias only what the joints have. */
static void take_dynamics(const posture_controller *c, const stiction_controller_input *in,
                          posture_input *input) {
    const size_t base = in->dof - c->n;
    input->M = in->mass_matrix;
    input->c = in->bias ? in->bias + base : NULL;
    if (!c->block || !in->mass_matrix) return;
    for (size_t k = 0; k < c->n; k++)
        memcpy(c->block + k * c->n, in->mass_matrix + (base + k) * in->dof + base,
               c->n * sizeof *c->block);
    input->M = c->block;
}

/* The friction at the desired velocity, or at the velocity that the program leads to. The latter
 * is an intention as well: it leaves 0 before the joint does. */
static void feed_forward(posture_controller *c, const stiction_controller_input *in,
                         posture_input *input, posture_output *output) {
    if (!c->friction) return;
    const bool is_led = c->def.compensation == POSTURE_COMPENSATE_REFERENCE;
    for (size_t k = 0; k < c->n; k++) {
        const double later = in->time + c->def.compensation_lead;
        const posture_reference now = posture_desired(c->state, k, in->time, in->q[k]);
        c->velocity[k] = is_led ? c->led[k] : now.dq;
        c->ahead[k] = posture_desired(c->state, k, later, in->q[k]).dq;
        c->goal[k] = now.q;
        c->external[k] = in->bias ? -in->bias[in->dof - c->n + k] : 0;
    }
    const compensation_input desired = {.dt = step_of(c),
                                        .q = in->q,
                                        .velocity = c->velocity,
                                        .ahead = is_led ? NULL : c->ahead,
                                        .goal = is_led ? NULL : c->goal,
                                        .motor = c->motor,
                                        .external = c->external};
    (void)compensation_step(c->friction, &desired, c->feedforward, NULL);
    input->feedforward = c->feedforward;
    output->acceleration = c->acceleration;
}

static void lead(posture_controller *c, const stiction_controller_input *in) {
    for (size_t k = 0; c->led && k < c->n; k++) {
        const double desired = posture_desired(c->state, k, in->time, in->q[k]).dq;
        c->led[k] += step_of(c) * (c->acceleration[k] - c->def.compensation_leak * c->led[k]);
        c->led[k] = compensation_led(c->led[k], in->dq[k], desired);
    }
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    posture_controller *c = self;
    size_t blocking = c->n;
    posture_input input = {0};
    posture_output output = {0};
    (void)error;
    input.t = in->time;
    input.dt = step_of(c);
    input.q = in->q;
    input.dq = in->dq;
    input.wanted = in->target;
    take_dynamics(c, in, &input);
    output.torque = out->torque;
    output.blocking = &blocking;
    feed_forward(c, in, &input, &output);
    (void)posture_step(c->state, &input, &output);
    lead(c, in);
    if (c->friction) memcpy(c->motor, out->torque, c->n * sizeof *c->motor);
    if (c->friction && out->records)
        memcpy(out->records, c->feedforward, c->n * sizeof *c->feedforward);
    if (c->blocking == c->n) c->blocking = blocking;
    for (size_t k = 0; c->mode != POSTURE_TORQUE && k < c->n; k++)
        out->target[k] = posture_desired(c->state, k, in->time, in->q[k]).q;
    return STICTION_OK;
}

static void reset(void *self) {
    posture_controller *c = self;
    posture_state_reset(c->state);
    c->blocking = c->n;
    compensation_reset(c->friction);
    if (c->led) memset(c->led, 0, c->n * sizeof *c->led);
    if (c->motor) memset(c->motor, 0, c->n * sizeof *c->motor);
}

/* Counts of events, then what a reader of the results must know. */
static void collect_notes(posture_controller *c) {
    const unsigned long long relaxed = posture_state_count(c->state, POSTURE_RELAXED_JOINT_LIMITS),
                             held = posture_state_count(c->state, POSTURE_HELD),
                             faults = posture_state_count(c->state, POSTURE_FAULT);
    const char *name = c->blocking < c->n ? c->posture->joints[c->blocking].name : NULL;
    const char *warning = compensation_warning(c->friction);
    note_list *notes = &c->notes;
    note_list_clear(notes);
    note_list_text(notes, "mode", "%s", posture_mode_name(c->mode));
    note_list_number(notes, "clamped", (double)posture_state_count(c->state, POSTURE_CLAMPED));
    note_list_number(notes, "relaxed", (double)relaxed);
    note_list_number(notes, "held", (double)held);
    note_list_number(notes, "faults", (double)faults);
    if (relaxed || held)
        note_list_text(notes, "warning",
                       "limits contradicted each other in %llu steps%s%.200s%s; the last torque "
                       "was held in %llu",
                       relaxed + held, name ? ", first that of '" : "", name ? name : "",
                       name ? "'" : "", held);
    if (faults) note_list_text(notes, "warning", "%llu steps without a usable state", faults);
    if (warning) note_list_text(notes, "warning", "%s", warning);
}

static int note(void *self, size_t index, stiction_controller_note *note) {
    posture_controller *c = self;
    if (index == 0) collect_notes(c);
    return note_list_at(&c->notes, index, note);
}

#ifdef POSTURE_IS_LIBRARY
STICTION_CONTROLLER = {
#else
const stiction_controller_api posture_controller_api = {
#endif
    STICTION_CONTROLLER_HEAD, .create = create, .step = step,
    .destroy = destroy,       .reset = reset,   .note = note,
};
