/* SPDX-License-Identifier: MIT
 * The whole-body controller as a stiction_controller_api: built in under the name `whole_body`,
 * and, compiled a second time, the library whole_body.so, which any host loads.
 */
#include "controllers/host/built_in.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controllers/notes/note_list.h"
#include "controllers/posture/posture_internal.h"
#include "controllers/posture/setup_options.h"
#include "document/auto.h"
#include "whole_body.h"
#include "whole_body_config.h"

/* What is recorded in every step. */
static const char *const record_names[] = {
    "com_x",
    "com_y",
    "com_z", /* m */
    "com_error_x",
    "com_error_y",
    "com_error_z", /* m: its position less the desired one */
    "com_asked_x",
    "com_asked_y",
    "com_asked_z", /* m/s^2: what its task asks for */
    "com_acceleration_error_x",
    "com_acceleration_error_y",
    "com_acceleration_error_z", /* m/s^2: measured less asked, in the step before */
    "cop_x",
    "cop_y",     /* m: where the program presses on the floor */
    "base_tilt", /* rad: from the orientation that its task asks for */
    "closed_contacts",
};
enum { record_count = sizeof record_names / sizeof record_names[0] };

typedef struct whole_body_controller {
    posture_config *config; /* names and ways live in it */
    arena memory;
    posture *posture; /* joints with their trajectories, copied */
    compensation *friction;
    const char **records; /* their names */
    whole_body *body;
    bool has_com, has_last;
    double com_kp; /* 1/s^2, for the host's yield ratio */
    double last_velocity[3], last_asked[3], last_time;
    /* figures since the reset */
    double error_squares, largest_error[3], last_error[3];
    size_t error_count;
    note_list notes;
} whole_body_controller;

static void destroy(void *self) {
    whole_body_controller *c = self;
    whole_body_destroy(c->body);
    compensation_destroy(c->friction);
    free(c->records);
    posture_destroy(c->posture);
    posture_config_destroy(c->config);
    stiction_arena_free(&c->memory);
    note_list_clear(&c->notes);
    free(c);
}

static stiction_status configure(whole_body_controller *c, const stiction_controller_setup *setup,
                                 const char *untrusted, stiction_error *error) {
    posture_def joints_def = posture_def_default();
    whole_body_def def = {0};
    AUTO_FREE posture_joint_def *joints = setup_joints(setup);
    if (!joints) return setup_out_of_memory(error);
    stiction_status status = setup_config(setup, untrusted, &c->config, error);
    if (status == STICTION_OK)
        status = posture_config_apply(c->config, &joints_def, joints, setup->joint_count, error);
    if (status == STICTION_OK && joints_def.mode != POSTURE_QP)
        status =
            stiction_fail(error, STICTION_INVALID_CONFIG,
                          "mode must be qp: the controller whole_body has no other, posture has");
    if (status == STICTION_OK) status = setup_compensation(&joints_def, &c->friction, error);
    if (status == STICTION_OK) status = posture_create(&joints_def, &c->posture, error);
    if (status == STICTION_OK) {
        def.posture = c->posture->def;
        def.friction = c->friction;
        status = whole_body_config_apply(c->config, setup, &c->memory, &def, error);
    }
    if (status == STICTION_OK) status = whole_body_create(&def, &c->body, error);
    for (size_t k = 0; status == STICTION_OK && k < def.task_count; k++)
        if (def.tasks[k].kind == WHOLE_BODY_COM) {
            c->has_com = true;
            c->com_kp = def.tasks[k].kp;
        }
    return status;
}

static void reset(void *self) {
    whole_body_controller *c = self;
    whole_body_reset(c->body);
    c->has_last = false;
    c->error_squares = 0;
    c->error_count = 0;
    for (size_t k = 0; k < 3; k++) c->largest_error[k] = c->last_error[k] = 0;
}

/* The names of all records: the fixed ones, and the compensation of each joint. False: no
 * memory. */
static bool name_records(whole_body_controller *c, size_t joints) {
    c->records = calloc(record_count + joints, sizeof *c->records);
    if (!c->records) return false;
    memcpy(c->records, record_names, sizeof record_names);
    for (size_t k = 0; c->friction && k < joints; k++)
        c->records[record_count + k] = compensation_record_names(c->friction)[k];
    return true;
}

stiction_status whole_body_controller_create(const stiction_controller_setup *setup,
                                             const char *untrusted,
                                             stiction_controller_needs *needs, void **self,
                                             stiction_error *error) {
    whole_body_controller *c = calloc(1, sizeof *c);
    if (!c) return setup_out_of_memory(error);
    const size_t least = offsetof(stiction_controller_needs, link_states) + sizeof(int);
    stiction_status status = STICTION_OK;
    if (needs->size < least)
        status = stiction_fail(error, STICTION_INVALID_CONFIG,
                               "this program is too old for the controller whole_body: it does not "
                               "provide link_states");
    if (status == STICTION_OK) status = configure(c, setup, untrusted, error);
    if (status == STICTION_OK && !name_records(c, setup->joint_count))
        status = setup_out_of_memory(error);
    if (status != STICTION_OK) {
        destroy(c);
        return status;
    }
    const whole_body_def *def = whole_body_definition(c->body);
    needs->mass_matrix = needs->bias = needs->contacts = needs->link_states = 1;
    needs->jacobian_count = def->link_count;
    needs->jacobians = def->links;
    needs->control_period = def->posture.period;
    needs->record_count = record_count + (c->friction ? setup->joint_count : 0);
    needs->records = c->records;
    *self = c;
    return STICTION_OK;
}

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    return whole_body_controller_create(setup, NULL, needs, self, error);
}

/* The acceleration of the centre of mass since the last step, less the one that was asked for
 * then. */
static void compare_acceleration(whole_body_controller *c, double time, const whole_body_view *view,
                                 double error[3]) {
    const double dt = time - c->last_time;
    for (size_t k = 0; k < 3; k++)
        error[k] = c->has_last && dt > 0
                       ? (view->com_velocity[k] - c->last_velocity[k]) / dt - c->last_asked[k]
                       : (double)NAN;
    if (c->has_last) {
        for (size_t k = 0; k < 3; k++) c->error_squares += error[k] * error[k];
        c->error_count++;
    }
    memcpy(c->last_velocity, view->com_velocity, sizeof c->last_velocity);
    memcpy(c->last_asked, view->com_asked, sizeof c->last_asked);
    c->last_time = time;
    c->has_last = true;
}

static void record(whole_body_controller *c, double time, const whole_body_view *view,
                   double *records) {
    double error[3] = {(double)NAN, (double)NAN, (double)NAN};
    for (size_t k = 0; k < record_count; k++) records[k] = (double)NAN;
    if (c->has_com) {
        compare_acceleration(c, time, view, error);
        for (size_t k = 0; k < 3; k++) {
            const double off = view->com[k] - view->com_reference[k];
            records[k] = view->com[k];
            records[3 + k] = c->last_error[k] = off;
            records[6 + k] = view->com_asked[k];
            records[9 + k] = error[k];
            if (fabs(off) > fabs(c->largest_error[k])) c->largest_error[k] = off;
        }
    }
    records[12] = view->cop[0];
    records[13] = view->cop[1];
    records[14] = view->base_tilt;
    records[15] = (double)view->closed;
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    whole_body_controller *c = self;
    (void)error;
    whole_body_step(c->body, in, out->torque);
    const whole_body_view view = whole_body_last_step(c->body);
    memcpy(out->target, view.reference, in->joint_count * sizeof *out->target);
    if (out->records) record(c, in->time, &view, out->records);
    if (out->records && c->friction)
        memcpy(out->records + record_count, view.feedforward,
               in->joint_count * sizeof *view.feedforward);
    return STICTION_OK;
}

/* ---- notes ---- */

static const struct {
    const char *key;
    whole_body_event event;
} counts[] = {
    {"clamped", WHOLE_BODY_CLAMPED},
    {"relaxed_joint_limits", WHOLE_BODY_RELAXED_JOINT_LIMITS},
    {"relaxed_velocity_limits", WHOLE_BODY_RELAXED_VELOCITY_LIMITS},
    {"relaxed_contacts", WHOLE_BODY_RELAXED_CONTACTS},
    {"held", WHOLE_BODY_HELD},
    {"faults", WHOLE_BODY_FAULT},
    {"contacts_opened", WHOLE_BODY_OPENED},
    {"contacts_closed", WHOLE_BODY_CLOSED},
};

static void note_centre_of_mass(whole_body_controller *c) {
    static const char *const largest[] = {"com_error_max_x", "com_error_max_y", "com_error_max_z"};
    static const char *const last[] = {"com_error_end_x", "com_error_end_y", "com_error_end_z"};
    for (size_t k = 0; k < 3; k++) note_list_number(&c->notes, largest[k], c->largest_error[k]);
    for (size_t k = 0; k < 3; k++) note_list_number(&c->notes, last[k], c->last_error[k]);
    note_list_number(&c->notes, "com_acceleration_error_rms",
                     c->error_count ? sqrt(c->error_squares / (double)c->error_count) : 0);
    note_list_number(&c->notes, "com_kp", c->com_kp);
}

/* "hand_error_end" of every task but the centre of mass, which has more. */
static void note_tasks(whole_body_controller *c) {
    const whole_body_def *def = whole_body_definition(c->body);
    char key[128];
    for (size_t k = 0; k < def->task_count; k++) {
        if (def->tasks[k].kind == WHOLE_BODY_COM) continue;
        (void)snprintf(key, sizeof key, "%.100s_error_end", def->tasks[k].name);
        note_list_number(&c->notes, key, whole_body_task_error(c->body, k));
    }
}

static void note_warnings(whole_body_controller *c) {
    const uint64_t joint = whole_body_count(c->body, WHOLE_BODY_RELAXED_JOINT_LIMITS),
                   velocity = whole_body_count(c->body, WHOLE_BODY_RELAXED_VELOCITY_LIMITS),
                   contacts = whole_body_count(c->body, WHOLE_BODY_RELAXED_CONTACTS),
                   held = whole_body_count(c->body, WHOLE_BODY_HELD),
                   clamped = whole_body_count(c->body, WHOLE_BODY_CLAMPED),
                   faults = whole_body_count(c->body, WHOLE_BODY_FAULT);
    const char *warning = compensation_warning(c->friction);
    if (joint || velocity || contacts)
        note_list_text(&c->notes, "warning",
                       "limits contradicted each other: joint limits gave way in %" PRIu64
                       " steps, velocity limits in %" PRIu64 ", contacts in %" PRIu64,
                       joint, velocity, contacts);
    if (held)
        note_list_text(&c->notes, "warning",
                       "no solution was found in %" PRIu64 " steps: the torque before was held",
                       held);
    if (clamped)
        note_list_text(&c->notes, "warning",
                       "torques of joints that are apart were cut to their limits in %" PRIu64
                       " steps",
                       clamped);
    if (faults)
        note_list_text(&c->notes, "warning", "%" PRIu64 " steps without a usable state", faults);
    if (warning) note_list_text(&c->notes, "warning", "%s", warning);
}

static int note(void *self, size_t index, stiction_controller_note *note) {
    whole_body_controller *c = self;
    if (index == 0) {
        note_list_clear(&c->notes);
        note_list_text(&c->notes, "mode", "whole body");
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
            note_list_number(&c->notes, counts[k].key,
                             (double)whole_body_count(c->body, counts[k].event));
        if (c->has_com) note_centre_of_mass(c);
        note_tasks(c);
        note_warnings(c);
    }
    return note_list_at(&c->notes, index, note);
}

#ifdef WHOLE_BODY_IS_LIBRARY
STICTION_CONTROLLER
#else
const stiction_controller_api whole_body_controller_api
#endif
    = {STICTION_CONTROLLER_HEAD, .create = create, .step = step,
       .destroy = destroy,       .reset = reset,   .note = note};
