/* SPDX-License-Identifier: MIT
 * The columns of a record that belong to no joint: poses of floating bases, centres of mass and
 * pressure of floating robots, pushes, and what controllers record.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulation_internal.h"

static const char *const base_names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
static const char *const body_names[] = {"com.x", "com.y", "com.z", "cop.x", "cop.y"};
enum {
    base_size = sizeof base_names / sizeof base_names[0],
    body_size = sizeof body_names / sizeof body_names[0]
};

static void find_floating_bodies(simulation *s, reader *r) {
    const world *w = s->world;
    s->floating = stiction_reader_alloc(r, (w->body_count + 1) * sizeof *s->floating);
    s->bodies = stiction_reader_alloc(r, (w->body_count + 1) * sizeof *s->bodies);
    s->body_samples = stiction_reader_alloc(r, (w->body_count + 1) * sizeof *s->body_samples);
    s->touches = stiction_reader_alloc(r, (size_t)(w->model->nbody + 1) * sizeof *s->touches);
    for (size_t b = 0; b < w->body_count; b++) {
        const world_body *body = &w->bodies[b];
        if (!body->floats || !body->joint_count) continue;
        s->floating[s->floating_count] = (floating_body){b, body->root};
        s->bodies[s->floating_count++] =
            (results_body){.name = body->name,
                           .mass = w->model->body_subtreemass[body->root],
                           .link_count = body->link_count};
    }
}

static void add_channel(simulation *s, reader *r, const char *name) {
    s->channel_names =
        stiction_reader_grow(r, s->channel_names, s->channel_count, sizeof *s->channel_names);
    s->channel_names[s->channel_count++] = name;
}

void simulation_make_channels(simulation *s, reader *r) {
    const world *w = s->world;
    size_t floating = 0;
    for (size_t b = 0; b < w->body_count; b++) floating += w->bodies[b].floats;
    /* one body needs no prefix */
    const char *dot = floating > 1 ? "." : "";
    for (size_t b = 0; b < w->body_count; b++)
        for (int k = 0; k < base_size && w->bodies[b].floats; k++)
            add_channel(s, r,
                        stiction_reader_format(r, "%s%sbase.%s", *dot ? w->bodies[b].name : "", dot,
                                               base_names[k]));
    find_floating_bodies(s, r);
    const size_t first = s->channel_count;
    for (size_t b = 0; b < s->floating_count; b++)
        for (int k = 0; k < body_size; k++)
            add_channel(s, r,
                        stiction_reader_format(r, "%s%s%s", *dot ? s->bodies[b].name : "", dot,
                                               body_names[k]));
    for (size_t b = 0; b < s->pushes->list.count; b++)
        for (int k = 0; k < 3; k++)
            add_channel(s, r,
                        stiction_reader_format(r, "push.%s.%s", s->pushes->list.items[b].name,
                                               base_names[k]));
    for (size_t k = 0; k < controllers_record_count(s->controllers); k++)
        add_channel(
            s, r,
            stiction_reader_format(r, "controller.%s", controllers_record_name(s->controllers, k)));
    s->channels = stiction_reader_alloc(r, (s->channel_count + 1) * sizeof *s->channels);
    s->body_channels = s->channels + first;
}

void simulation_begin_channels(simulation *s) {
    double *channel = s->channels;
    for (size_t b = 0; b < s->world->body_count; b++) {
        if (!s->world->bodies[b].floats) continue;
        const body_base base = body_view_base(s->world, s->data, b);
        mju_copy3(channel, base.position);
        mju_copy4(channel + 3, base.rotation);
        channel += base_size;
    }
    if (s->floating_count) mj_subtreeVel(s->world->model, s->data);
    for (size_t k = 0; k < s->floating_count; k++, channel += body_size) {
        const int root = s->floating[k].root;
        body_sample *sample = &s->body_samples[k];
        mju_copy3(sample->com, s->data->subtree_com + 3 * root);
        mju_copy3(sample->com_velocity, s->data->subtree_linvel + 3 * root);
        mju_copy3(sample->base, s->data->xpos + 3 * root);
        mju_copy3(channel, sample->com);
    }
    const size_t pushed = 3 * s->pushes->list.count;
    memcpy(channel, s->pushes->forces, pushed * sizeof *channel);
    memcpy(channel + pushed, controllers_record_values(s->controllers),
           controllers_record_count(s->controllers) * sizeof *channel);
}

/* Adds a link that touches something, once. */
static void note_touch(simulation *s, body_sample *sample, body_touch *touches, int root,
                       int link) {
    for (size_t k = 0; k < sample->touch_count; k++)
        if (touches[k].link == (size_t)(link - root)) return;
    body_touch *added = &touches[sample->touch_count++];
    added->link = (size_t)(link - root);
    mju_copy3(added->position, s->data->xpos + 3 * link);
}

/* Forces between two links of the body itself cancel out. */
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

void simulation_end_channels(simulation *s) {
    body_touch *touches = s->touches;
    for (size_t k = 0; k < s->floating_count; k++) {
        body_sample *sample = &s->body_samples[k];
        sample->knows_contacts = true;
        sample->support = 0;
        sample->cop[0] = sample->cop[1] = sample->floor = (double)NAN;
        sample->touch_count = 0;
        sample->touches = touches;
        read_contacts(s, sample, touches, &s->world->bodies[s->floating[k].index]);
        touches += s->bodies[k].link_count;
        memcpy(s->body_channels + body_size * k + 3, sample->cop, sizeof sample->cop);
    }
}
