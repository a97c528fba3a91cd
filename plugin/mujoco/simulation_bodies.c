/* SPDX-License-Identifier: MIT
 * Robots that float, for their figures: centre of mass, and what carries them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation_internal.h"

static const char *const names[SIMULATION_BODY_CHANNELS] = {"com.x", "com.y", "com.z", "cop.x",
                                                            "cop.y"};

const char *simulation_body_channel(size_t index) {
    return names[index];
}

bool simulation_make_bodies(simulation *s) {
    const world *w = s->world;
    s->bodies = calloc(w->body_count + 1, sizeof *s->bodies);
    s->body_numbers = calloc(w->body_count + 1, sizeof *s->body_numbers);
    s->body_samples = calloc(w->body_count + 1, sizeof *s->body_samples);
    s->touches = calloc((size_t)w->model->nbody + 1, sizeof *s->touches);
    if (!s->bodies || !s->body_numbers || !s->body_samples || !s->touches) return false;
    for (size_t b = 0; b < w->body_count; b++) {
        if (!w->bodies[b].floats || !w->bodies[b].joint_count) continue;
        s->body_numbers[s->body_count] = b;
        s->bodies[s->body_count++] =
            (results_body){.name = w->bodies[b].name,
                           .mass = w->model->body_subtreemass[w->bodies[b].root],
                           .link_count = w->bodies[b].link_count};
    }
    return true;
}

void simulation_free_bodies(simulation *s) {
    free(s->bodies);
    free(s->body_numbers);
    free(s->body_samples);
    free(s->touches);
}

void simulation_begin_bodies(simulation *s) {
    if (s->body_count) mj_subtreeVel(s->world->model, s->data);
    for (size_t k = 0; k < s->body_count; k++) {
        const int root = s->world->bodies[s->body_numbers[k]].root;
        body_sample *sample = &s->body_samples[k];
        mju_copy3(sample->com, s->data->subtree_com + 3 * root);
        mju_copy3(sample->com_velocity, s->data->subtree_linvel + 3 * root);
        mju_copy3(sample->base, s->data->xpos + 3 * root);
        mju_copy3(s->channels + s->body_channels + SIMULATION_BODY_CHANNELS * k, sample->com);
    }
}

/* A link that touches something, once. */
static void note_touch(simulation *s, body_sample *sample, body_touch *touches, int root,
                       int link) {
    for (size_t k = 0; k < sample->touch_count; k++)
        if (touches[k].link == (size_t)(link - root)) return;
    body_touch *added = &touches[sample->touch_count++];
    added->link = (size_t)(link - root);
    mju_copy3(added->position, s->data->xpos + 3 * link);
}

/* Forces between two links of the body itself add up to nothing. */
static void read_contacts(simulation *s, body_sample *sample, body_touch *touches,
                          const world_body *b) {
    double pressed[2] = {0};
    for (int i = 0; i < s->data->ncon; i++) {
        const mjContact *c = &s->data->contact[i];
        const int links[2] = {s->world->model->geom_bodyid[c->geom1],
                              s->world->model->geom_bodyid[c->geom2]};
        bool own[2];
        for (int k = 0; k < 2; k++)
            own[k] = links[k] >= b->root && links[k] < b->root + (int)b->link_count;
        if (own[0] == own[1]) continue;
        mjtNum local[6], force[3];
        mj_contactForce(s->world->model, s->data, i, local);
        mju_mulMatTVec(force, c->frame, local, 3, 3);
        const double up = own[1] ? force[2] : -force[2];
        sample->support += up;
        for (int k = 0; k < 2; k++) pressed[k] += up * c->pos[k];
        if (!(c->pos[2] >= sample->floor)) sample->floor = c->pos[2];
        if (local[0] > 0) note_touch(s, sample, touches, b->root, links[own[1]]);
    }
    for (int k = 0; k < 2 && sample->support > 0; k++)
        sample->cop[k] = pressed[k] / sample->support;
}

void simulation_end_bodies(simulation *s) {
    body_touch *touches = s->touches;
    for (size_t k = 0; k < s->body_count; k++) {
        body_sample *sample = &s->body_samples[k];
        sample->knows_contacts = true;
        sample->support = 0;
        sample->cop[0] = sample->cop[1] = sample->floor = (double)NAN;
        sample->touch_count = 0;
        sample->touches = touches;
        read_contacts(s, sample, touches, &s->world->bodies[s->body_numbers[k]]);
        touches += s->bodies[k].link_count;
        memcpy(s->channels + s->body_channels + SIMULATION_BODY_CHANNELS * k + 3, sample->cop,
               sizeof sample->cop);
    }
}
