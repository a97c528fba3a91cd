/* SPDX-License-Identifier: MIT
 * Where each push acts, and its force in a step. MuJoCo wants forces at the centre of mass of a
 * link.
 */
#include "pushes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body_view.h"
#include "document/fail.h"

static const char *name_of(const void *context, size_t body) {
    const world *w = context;
    return w->bodies[body].name;
}

static const char *link_of(const void *context, size_t body, size_t link) {
    return body_view_link(context, body, link);
}

static bool moves(const void *context, size_t body, size_t link) {
    const world *w = context;
    return w->model->body_weldid[w->bodies[body].root + (int)link] != 0;
}

static stiction_status out_of_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for pushes");
}

static stiction_status add_items(pushes *p, stiction_log log, void *log_user,
                                 stiction_error *error) {
    const project_simulator *s = p->world->simulator;
    for (size_t k = 0; k < s->friction_count; k++) {
        const project_friction *f = &s->frictions[k];
        if (!f->enabled && f->push_count && log) {
            char message[PUSH_SENTENCE];
            (void)snprintf(message, sizeof message,
                           "the pushes of the StictionItem '%.200s' do not act: it is not enabled",
                           f->name);
            log(log_user, STICTION_LOG_WARNING, message);
        }
        for (size_t i = 0; f->enabled && i < f->push_count; i++)
            if (!push_list_add(&p->list, &f->pushes[i])) return out_of_memory(error);
    }
    return STICTION_OK;
}

static stiction_status set_values(pushes *p, const stiction_override *values, size_t count,
                                  stiction_error *error) {
    char message[PUSH_SENTENCE];
    for (size_t k = 0; k < count; k++)
        if (!push_list_set(&p->list, values[k].key, values[k].value, message))
            return stiction_fail(error, STICTION_INVALID_CONFIG, "%.200s=%.300s: %s", values[k].key,
                                 values[k].value, message);
    return STICTION_OK;
}

static stiction_status find_links(pushes *p, stiction_error *error) {
    const world *w = p->world;
    const push_bodies bodies = {w, w->body_count, name_of, link_of, moves};
    char message[PUSH_SENTENCE];
    size_t which = 0, body, link;
    bool fine = push_list_check(&p->list, &which, message);
    p->bodies = calloc(p->list.count + 1, sizeof *p->bodies);
    p->forces = calloc(3 * p->list.count + 1, sizeof *p->forces);
    if (!p->bodies || !p->forces) return out_of_memory(error);
    for (size_t k = 0; fine && k < p->list.count; k++) {
        push *each = &p->list.items[which = k];
        fine = push_find(each, &bodies, &body, &link, message);
        if (!fine) break;
        p->bodies[k] = w->bodies[body].root + (int)link;
        if (isnan(each->point[0])) mju_copy3(each->point, w->model->body_ipos + 3 * p->bodies[k]);
        (void)snprintf(each->body, sizeof each->body, "%s", w->bodies[body].name);
        (void)snprintf(each->link, sizeof each->link, "%s", body_view_link(w, body, link));
    }
    if (fine) return STICTION_OK;
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, p->list.items[which].at,
                            "push '%.200s': %s", p->list.items[which].name, message);
}

pushes *pushes_create(const world *w, const stiction_override *values, size_t value_count,
                      stiction_log log, void *log_user, stiction_error *error) {
    pushes *p = calloc(1, sizeof *p);
    if (!p) {
        (void)out_of_memory(error);
        return NULL;
    }
    p->world = w;
    if (add_items(p, log, log_user, error) == STICTION_OK &&
        set_values(p, values, value_count, error) == STICTION_OK &&
        find_links(p, error) == STICTION_OK)
        return p;
    pushes_destroy(p);
    return NULL;
}

void pushes_destroy(pushes *p) {
    if (!p) return;
    push_list_free(&p->list);
    free(p->bodies);
    free(p->forces);
    free(p);
}

void pushes_apply(pushes *p, mjData *data, double time) {
    const double T = p->world->model->opt.timestep;
    for (size_t k = 0; k < p->list.count; k++) mju_zero(data->xfrc_applied + 6 * p->bodies[k], 6);
    for (size_t k = 0; k < p->list.count; k++) {
        const push *each = &p->list.items[k];
        const int body = p->bodies[k];
        const double share = push_share(each, time, T);
        double *force = p->forces + 3 * k;
        mjtNum arm[3], torque[3];
        mju_scl3(force, each->force, share);
        mju_rotVecMat(arm, each->point, data->xmat + 9 * body);
        mju_addTo3(arm, data->xpos + 3 * body);
        mju_subFrom3(arm, data->xipos + 3 * body);
        mju_cross(torque, arm, force);
        mju_addTo3(data->xfrc_applied + 6 * body, force);
        mju_addTo3(data->xfrc_applied + 6 * body + 3, torque);
    }
}
