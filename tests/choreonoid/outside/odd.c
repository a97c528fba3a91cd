/* SPDX-License-Identifier: MIT
 * A controller with a fault of your choice, "what=crash at=0.1", and some that are none: a PD mode
 * that runs every 10 ms, one that ends, one that looks at contacts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/controller.h"

typedef struct odd {
    char what[32];
    double at; /* s */
    int told;
    stiction_log log;
    void *log_user;
} odd;

static volatile int *nowhere; /* NULL */

static int is(const odd *o, const char *what) {
    return strcmp(o->what, what) == 0;
}

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    static const char *const records[] = {"touched", "push", "height", "felt"};
    odd *o = calloc(1, sizeof *o);
    if (!o || sscanf(setup->options, "what=%31s at=%lf", o->what, &o->at) != 2) {
        (void)snprintf(error->message, sizeof error->message, "what=... at=... is missing");
        free(o);
        return STICTION_INVALID_CONFIG;
    }
    o->log = setup->log;
    o->log_user = setup->log_user;
    if (is(o, "crash_in_create")) *nowhere = 1;
    if (is(o, "pd")) needs->control_period = 0.01;
    if (is(o, "contacts")) {
        needs->contacts = 1;
        needs->records = records;
        needs->record_count = sizeof records / sizeof records[0];
    }
    *self = o;
    return STICTION_OK;
}

static void destroy(void *self) {
    free(self);
}

static void look_around(const stiction_controller_input *in, double *records) {
    records[0] = (double)in->contact_count;
    records[1] = 0;
    for (size_t k = 0; k < in->contact_count; k++) records[1] += in->contacts[k].force[2];
    records[2] = in->position[2];
    records[3] = in->accelerometer[2];
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    odd *o = self;
    const int now = in->time >= o->at - 1e-9;
    for (size_t k = 0; k < in->joint_count; k++) {
        out->torque[k] = is(o, "contacts") ? 0 : 0.5;
        if (!is(o, "pd")) continue;
        out->mode[k] = STICTION_CONTROL_PD;
        out->kp[k] = 40;
        out->kd[k] = 4;
        out->position[k] = out->target[k] = in->time;
    }
    if (is(o, "contacts")) look_around(in, out->records);
    if (!now) return STICTION_OK;
    if (!o->told++ && o->log) o->log(o->log_user, STICTION_LOG_INFO, "it is time");
    if (is(o, "crash")) *nowhere = 1;
    if (is(o, "nan")) out->torque[0] = (double)NAN;
    if (is(o, "end")) out->finished = 1;
    if (!is(o, "error")) return STICTION_OK;
    (void)snprintf(error->message, sizeof error->message, "the gripper is lost");
    return STICTION_INVALID_CONFIG;
}

static int note(void *self, size_t index, stiction_controller_note *note) {
    const odd *o = self;
    note->key = index ? "warning" : "what";
    note->text = index ? "the gripper is worn" : o->what;
    return index < (is(o, "pd") ? 2u : 1u);
}

STICTION_CONTROLLER = {STICTION_CONTROLLER_HEAD, .create = create, .step = step, .destroy = destroy,
                       .note = note};
