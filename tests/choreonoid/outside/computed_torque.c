/* SPDX-License-Identifier: MIT
 * A controller of somebody else's, built against the installed headers alone: computed torque to a
 * posture, tau = M (kp (q_d - q) - kv dq) + bias, of the joints. It records all that it was told
 * and what it commanded, so that its torques can be computed again from what it was told.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/controller.h"

typedef struct computed_torque {
    size_t n, dof;
    double kp, kv;
    size_t count;
    char **names;
} computed_torque;

static void destroy(void *self) {
    computed_torque *c = self;
    for (size_t k = 0; c->names && k < c->count; k++) free(c->names[k]);
    free(c->names);
    free(c);
}

static int add(computed_torque *c, const char *what, size_t row, size_t column) {
    char text[64];
    (void)snprintf(text, sizeof text, "%s_%zu_%zu", what, row, column);
    c->names[c->count] = malloc(strlen(text) + 1);
    if (!c->names[c->count]) return 0;
    strcpy(c->names[c->count++], text);
    return 1;
}

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    computed_torque *c = calloc(1, sizeof *c);
    const size_t n = setup->joint_count;
    int fine = c != NULL;
    if (c) {
        c->n = n;
        c->dof = n + (setup->floating ? 6 : 0);
        c->names = calloc(n * n + 5 * n + 1, sizeof *c->names);
        fine = c->names != NULL && sscanf(setup->options, "kp=%lf kv=%lf", &c->kp, &c->kv) == 2;
    }
    for (size_t k = 0; fine && k < n; k++)
        fine = add(c, "q", k, 0) && add(c, "dq", k, 0) && add(c, "effort", k, 0) &&
               add(c, "bias", k, 0) && add(c, "torque", k, 0);
    for (size_t k = 0; fine && k < n * n; k++) fine = add(c, "M", k / n, k % n);
    if (!fine) {
        (void)snprintf(error->message, sizeof error->message,
                       "the options must be 'kp=20 kv=9', not '%.100s'", setup->options);
        if (c) destroy(c);
        return STICTION_INVALID_CONFIG;
    }
    needs->mass_matrix = needs->bias = 1;
    needs->records = (const char *const *)c->names;
    needs->record_count = c->count;
    *self = c;
    return STICTION_OK;
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    const computed_torque *c = self;
    const size_t n = c->n, base = c->dof - n;
    double *record = out->records;
    (void)error;
    for (size_t i = 0; i < n; i++) {
        const double *row = in->mass_matrix + (base + i) * c->dof + base;
        out->torque[i] = in->bias[base + i];
        for (size_t k = 0; k < n; k++) {
            const double wanted = isnan(in->target[k]) ? 0 : in->target[k];
            out->torque[i] += row[k] * (c->kp * (wanted - in->q[k]) - c->kv * in->dq[k]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        *record++ = in->q[i];
        *record++ = in->dq[i];
        *record++ = in->effort[i];
        *record++ = in->bias[base + i];
        *record++ = out->torque[i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) *record++ = in->mass_matrix[(base + i) * c->dof + base + k];
    return STICTION_OK;
}

STICTION_CONTROLLER = {STICTION_CONTROLLER_HEAD, .create = create, .step = step,
                       .destroy = destroy};
