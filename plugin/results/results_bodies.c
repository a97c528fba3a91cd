/* SPDX-License-Identifier: MIT
 * The bodies of a run: their samples, with what controllers record of them by these names, and the
 * pulls that they yield to.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/text.h"
#include "results_internal.h"

/* Of controllers, in the order of recorded_body.channels. */
static const char *const asked[] = {"com_error_x", "com_error_y", "com_error_z", "com_asked_x",
                                    "com_asked_y", "com_asked_z", "cop_x",       "cop_y"};
enum { asked_count = sizeof asked / sizeof asked[0] };

/* "controller.NAME", or "controller.BODY.NAME" where several have joints. */
static size_t find_channel(const results *r, const char *body, const char *name) {
    char alone[100], own[400];
    (void)snprintf(alone, sizeof alone, "controller.%s", name);
    (void)snprintf(own, sizeof own, "controller.%.250s.%s", body, name);
    for (size_t k = 0; k < r->def.channel_count; k++)
        if (strcmp(r->channels[k], alone) == 0 || strcmp(r->channels[k], own) == 0) return k;
    return SIZE_MAX;
}

bool results_make_bodies(results *r, const results_def *def) {
    r->bodies = calloc(def->body_count + 1, sizeof *r->bodies);
    for (size_t k = 0; r->bodies && k < def->body_count; k++) {
        recorded_body *b = &r->bodies[k];
        const results_body *of = &def->bodies[k];
        b->name = stiction_text_copy(of->name);
        b->record = body_record_create(of->mass, of->link_count, def->timestep);
        if (!b->name || !b->record) return false;
        for (size_t i = 0; i < asked_count; i++)
            b->channels[i] = find_channel(r, of->name, asked[i]);
    }
    return r->bodies;
}

void results_free_bodies(results *r) {
    for (size_t k = 0; r->bodies && k < r->def.body_count; k++) {
        free(r->bodies[k].name);
        body_record_destroy(r->bodies[k].record);
    }
    free(r->bodies);
}

bool results_add_bodies(results *r, const results_sample *s) {
    for (size_t k = 0; s->bodies && k < r->def.body_count; k++) {
        const recorded_body *b = &r->bodies[k];
        body_sample sample = s->bodies[k];
        double *const told[asked_count] = {
            &sample.com_error[0], &sample.com_error[1], &sample.com_error[2], &sample.com_asked[0],
            &sample.com_asked[1], &sample.com_asked[2], &sample.cop_asked[0], &sample.cop_asked[1]};
        for (size_t i = 0; i < asked_count; i++)
            *told[i] = b->channels[i] == SIZE_MAX ? (double)NAN : s->channels[b->channels[i]];
        if (!body_record_add(b->record, s->time, &sample)) return false;
    }
    return true;
}

/* NaN: its controller does not record it. */
static double gain_of(const results *r, const char *body) {
    for (size_t k = 0; k < r->controller_count; k++) {
        const results_controller *c = &r->controllers[k];
        for (size_t i = 0; strcmp(c->body, body) == 0 && i < c->note_count; i++)
            if (!c->notes[i].text && strcmp(c->notes[i].key, "com_kp") == 0)
                return c->notes[i].value;
    }
    return (double)NAN;
}

void results_find_pulls(results *r) {
    for (size_t k = 0; k < r->def.body_count; k++)
        for (size_t i = 0; i < r->def.push_count; i++) {
            const push *p = &r->pushes[i];
            if (!isinf(p->duration) || strcmp(p->body, r->bodies[k].name) != 0) continue;
            body_record_set_pull(r->bodies[k].record, p,
                                 isnan(p->kp) ? gain_of(r, p->body) : p->kp);
            break;
        }
}

double results_body_figure(const results *r, size_t body, const char *name) {
    const joint_figure *f;
    for (size_t k = 0; body < r->def.body_count && (f = body_figure_at(k)); k++)
        if (strcmp(f->name, name) == 0) return body_record_value(r->bodies[body].record, k);
    return (double)NAN;
}
