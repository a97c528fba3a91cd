/* SPDX-License-Identifier: MIT
 * A controller that shakes the joints and records what it is given: its setup, the motion of a link
 * and the other bodies. Options: LINK [start].
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/controller.h"

enum { of_link = 22, others_seen = 7 };

typedef struct senses {
    size_t link, other_count;
    double rotor;
    double start_joints[100], start_base[7];
    char names[2 + of_link + others_seen][16];
    const char *records[2 + of_link + others_seen];
} senses;

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    senses *s = calloc(1, sizeof *s);
    char line[400];
    if (!s) return STICTION_OUT_OF_MEMORY;
    s->link = (size_t)atoi(setup->options);
    s->other_count = setup->other_count;
    s->rotor = setup->rotor_inertias[0];
    for (size_t k = 0; k < sizeof s->names / sizeof s->names[0]; k++) {
        (void)snprintf(s->names[k], sizeof s->names[k], "s%zu", k);
        s->records[k] = s->names[k];
    }
    (void)snprintf(line, sizeof line, "file %s", setup->robot_file);
    setup->log(setup->log_user, STICTION_LOG_INFO, line);
    for (size_t k = 0; k < setup->other_count; k++) {
        (void)snprintf(line, sizeof line, "other %s", setup->others[k]);
        setup->log(setup->log_user, STICTION_LOG_INFO, line);
    }
    needs->motion_count = 1;
    needs->motions = &s->link;
    needs->others = 1;
    needs->record_count = sizeof s->names / sizeof s->names[0];
    needs->records = s->records;
    if (strstr(setup->options, "start")) {
        for (size_t k = 0; k < setup->joint_count && k < 100; k++)
            s->start_joints[k] = k == 1 ? (double)NAN : 0.01 * (double)k;
        memcpy(s->start_base, (const double[]){0.1, 0.2, 2, 2, 0, 0, 2}, sizeof s->start_base);
        needs->start_joints = s->start_joints;
        if (setup->floating) needs->start_base = s->start_base;
    }
    *self = s;
    (void)error;
    return STICTION_OK;
}

static double *put(double *to, const double *from, size_t count) {
    memcpy(to, from, count * sizeof *to);
    return to + count;
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    const senses *s = self;
    const stiction_controller_link_motion *m = in->motions;
    double *at = out->records;
    (void)error;
    for (size_t k = 0; k < in->joint_count; k++)
        out->torque[k] = 60 * sin(10 * in->time + (double)k);
    at = put(at, &s->rotor, 1);
    at = put(at, (const double[]){(double)s->other_count}, 1);
    at = put(at, m->position, 3);
    at = put(at, m->rotation, 4);
    at = put(at, m->linear, 3);
    at = put(at, m->angular, 3);
    at = put(at, m->acceleration, 3);
    at = put(at, m->force, 3);
    at = put(at, m->torque, 3);
    if (s->other_count) {
        at = put(at, in->others[0].position, 3);
        at = put(at, in->others[0].rotation, 4);
    }
    return STICTION_OK;
}

STICTION_CONTROLLER = {STICTION_CONTROLLER_HEAD, .create = create, .step = step, .destroy = free};
