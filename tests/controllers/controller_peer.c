/* SPDX-License-Identifier: MIT
 * Frames of a host turned into calls of a controller. Its structs point into what was read.
 */
#include "controller_peer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "controllers/remote/channel.h"
#include "document/arena.h"
#include "document/fail.h"

typedef struct peer {
    channel channel;
    frame_writer frame;
    const stiction_controller_api *api;
    void *self;
    arena memory;
    stiction_controller_setup setup;
    stiction_controller_needs needs;
    stiction_controller_input in;
    stiction_controller_output out;
    double *numbers; /* of the input */
    double **jacobians;
    stiction_controller_contact *contacts;
    stiction_controller_link_state *link_states;
} peer;

int controller_peer_listen(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    (void)strcpy(address.sun_path, path);
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return -1;
    if (bind(made, (struct sockaddr *)&address, sizeof address) == 0 && listen(made, 16) == 0)
        return made;
    const int problem = errno;
    (void)close(made);
    errno = problem;
    return -1;
}

static bool send_frame(peer *p) {
    return frame_end(&p->frame) &&
           channel_send(&p->channel, &p->frame, (double)INFINITY) == CHANNEL_OK;
}

static bool send_error(peer *p, const char *sentence) {
    frame_begin(&p->frame, FRAME_ERROR);
    frame_put_text(&p->frame, sentence);
    return send_frame(p);
}

static void send_log(void *user, stiction_log_level level, const char *message) {
    peer *p = user;
    frame_begin(&p->frame, FRAME_LOG);
    frame_put_u32(&p->frame, (uint32_t)level);
    frame_put_text(&p->frame, message);
    (void)send_frame(p);
}

/* ---- HELLO ---- */

static const char *take_text(peer *p, frame_reader *r) {
    size_t length;
    const char *text = frame_get_text(r, &length);
    const char *copy = text ? stiction_arena_text(&p->memory, text, length) : NULL;
    if (!copy) r->failed = true;
    return copy ? copy : "";
}

static void read_joint(peer *p, frame_reader *r, stiction_controller_joint *joint) {
    double limits[4];
    joint->name = take_text(p, r);
    joint->prismatic = (int)frame_get_u32(r);
    frame_get_numbers(r, limits, 4);
    joint->lower = limits[0];
    joint->upper = limits[1];
    joint->velocity_limit = limits[2];
    joint->torque_limit = limits[3];
}

static bool read_hello(peer *p, frame_reader *r) {
    stiction_controller_setup *s = &p->setup;
    const size_t magic = strlen(FRAME_MAGIC);
    if ((size_t)(r->end - r->at) < magic || memcmp(r->at, FRAME_MAGIC, magic) != 0) return false;
    r->at += magic;
    if (frame_get_u32(r) != FRAME_VERSION) return false;
    s->size = sizeof *s;
    s->floating = (int)frame_get_u32(r);
    frame_get_numbers(r, &s->timestep, 1);
    frame_get_numbers(r, s->gravity, 3);
    s->joint_count = frame_get_u32(r);
    s->link_count = frame_get_u32(r);
    s->body = take_text(p, r);
    s->options = take_text(p, r);
    s->directory = take_text(p, r);
    const size_t left = (size_t)(r->end - r->at);
    if (r->failed || s->joint_count > left / 40 || s->link_count > left / 4) return false;
    stiction_controller_joint *joints =
        stiction_arena_take(&p->memory, (s->joint_count + 1) * sizeof *joints);
    const char **links = stiction_arena_take(&p->memory, (s->link_count + 1) * sizeof *links);
    for (size_t k = 0; joints && k < s->joint_count; k++) read_joint(p, r, &joints[k]);
    for (size_t k = 0; links && k < s->link_count; k++) links[k] = take_text(p, r);
    s->joints = joints;
    s->links = links;
    s->log = send_log;
    s->log_user = p;
    return joints && links && frame_is_done(r);
}

static void write_ready(peer *p) {
    const stiction_controller_needs *n = &p->needs;
    frame_writer *w = &p->frame;
    frame_begin(w, FRAME_READY);
    frame_put_u32(w, FRAME_VERSION);
    frame_put_u32(
        w, (n->mass_matrix ? FRAME_WANTS_MASS_MATRIX : 0u) | (n->bias ? FRAME_WANTS_BIAS : 0u) |
               (n->contacts ? FRAME_WANTS_CONTACTS : 0u) | (p->api->note ? FRAME_HAS_NOTES : 0u) |
               (n->link_states ? FRAME_WANTS_LINK_STATES : 0u));
    frame_put_numbers(w, &n->control_period, 1);
    frame_put_u32(w, (uint32_t)n->jacobian_count);
    frame_put_u32(w, (uint32_t)n->record_count);
    for (size_t k = 0; k < n->jacobian_count; k++) frame_put_u32(w, (uint32_t)n->jacobians[k]);
    for (size_t k = 0; k < n->record_count; k++) frame_put_text(w, n->records[k]);
}

/* Cuts what a step needs from memory that is taken once. */
static bool make_arrays(peer *p) {
    const size_t n = p->setup.joint_count, dof = n + (p->setup.floating ? 6 : 0);
    const stiction_controller_needs *needs = &p->needs;
    const size_t records = needs->record_count, square = dof * dof;
    stiction_controller_output *out = &p->out;
    double *to = stiction_arena_take(&p->memory, (6 * n + records + 1) * sizeof *to);
    p->numbers = stiction_arena_take(
        &p->memory, (4 * n + square + dof + 6 * dof * needs->jacobian_count) * sizeof(double) + 1);
    p->jacobians = stiction_arena_take(&p->memory, (needs->jacobian_count + 1) * sizeof(double *));
    p->contacts = stiction_arena_take(&p->memory, (p->setup.link_count + 1) * sizeof *p->contacts);
    p->link_states =
        stiction_arena_take(&p->memory, (needs->jacobian_count + 1) * sizeof *p->link_states);
    out->mode = stiction_arena_take(&p->memory, (n + 1) * sizeof *out->mode);
    if (!to || !p->numbers || !p->jacobians || !p->contacts || !p->link_states || !out->mode)
        return false;
    double **const arrays[] = {&out->torque, &out->position, &out->velocity,
                               &out->kp,     &out->kd,       &out->target};
    for (size_t k = 0; k < 6; k++) *arrays[k] = to + k * n;
    out->records = records ? to + 6 * n : NULL;
    out->size = sizeof *out;
    out->joint_count = n;
    double *from = p->numbers + 4 * n;
    p->in = (stiction_controller_input){.size = sizeof p->in,
                                        .joint_count = n,
                                        .dof = dof,
                                        .q = p->numbers,
                                        .dq = p->numbers + n,
                                        .effort = p->numbers + 2 * n,
                                        .target = p->numbers + 3 * n};
    if (needs->mass_matrix) p->in.mass_matrix = from;
    if (needs->bias) p->in.bias = from + square;
    for (size_t k = 0; k < needs->jacobian_count; k++)
        p->jacobians[k] = from + square + dof + 6 * dof * k;
    if (needs->jacobian_count) p->in.jacobians = (const double *const *)p->jacobians;
    if (needs->contacts) p->in.contacts = p->contacts;
    if (needs->link_states && needs->jacobian_count) p->in.link_states = p->link_states;
    return true;
}

/* ---- questions ---- */

static bool read_step(peer *p, frame_reader *r) {
    stiction_controller_input *in = &p->in;
    const size_t n = in->joint_count, dof = in->dof;
    double *from = p->numbers + 4 * n;
    frame_get_numbers(r, &in->time, 1);
    frame_get_numbers(r, p->numbers, 4 * n);
    frame_get_numbers(r, in->position, 3);
    frame_get_numbers(r, in->rotation, 4);
    frame_get_numbers(r, in->linear, 3);
    frame_get_numbers(r, in->angular, 3);
    frame_get_numbers(r, in->gyro, 3);
    frame_get_numbers(r, in->accelerometer, 3);
    if (in->mass_matrix) frame_get_numbers(r, from, dof * dof);
    if (in->bias) frame_get_numbers(r, from + dof * dof, dof);
    for (size_t k = 0; k < p->needs.jacobian_count; k++)
        frame_get_numbers(r, p->jacobians[k], 6 * dof);
    if (in->contacts) {
        in->contact_count = frame_get_u64(r);
        if (in->contact_count > p->setup.link_count) return false;
        for (size_t k = 0; k < in->contact_count; k++) {
            p->contacts[k].link = frame_get_u64(r);
            frame_get_numbers(r, p->contacts[k].force, 3);
            frame_get_numbers(r, p->contacts[k].torque, 3);
        }
    }
    for (size_t k = 0; in->link_states && k < p->needs.jacobian_count; k++) {
        frame_get_numbers(r, p->link_states[k].position, 3);
        frame_get_numbers(r, p->link_states[k].rotation, 4);
        frame_get_numbers(r, p->link_states[k].bias, 6);
    }
    return frame_is_done(r);
}

static void clear_output(stiction_controller_output *out, size_t record_count) {
    for (size_t k = 0; k < out->joint_count; k++) {
        out->mode[k] = STICTION_CONTROL_TORQUE;
        out->torque[k] = out->position[k] = out->velocity[k] = (double)NAN;
        out->kp[k] = out->kd[k] = out->target[k] = (double)NAN;
    }
    for (size_t k = 0; k < record_count; k++) out->records[k] = (double)NAN;
}

static void write_command(peer *p) {
    const stiction_controller_output *out = &p->out;
    const size_t n = out->joint_count;
    frame_writer *w = &p->frame;
    frame_begin(w, FRAME_COMMAND);
    frame_put_u64(w, out->finished ? 1 : 0);
    for (size_t k = 0; k < n; k++) frame_put_u64(w, (uint64_t)(int64_t)out->mode[k]);
    const double *const arrays[] = {out->torque, out->position, out->velocity,
                                    out->kp,     out->kd,       out->target};
    for (size_t k = 0; k < 6; k++) frame_put_numbers(w, arrays[k], n);
    frame_put_numbers(w, out->records, p->needs.record_count);
}

static void write_notes(peer *p) {
    frame_writer *w = &p->frame;
    stiction_controller_note note;
    uint32_t count = 0;
    /* a controller may build the text of a note anew: count first, then write */
    while (note = (stiction_controller_note){NULL, NULL, 0},
           p->api->note && p->api->note(p->self, count, &note))
        count++;
    frame_begin(w, FRAME_NOTED);
    frame_put_u32(w, count);
    for (uint32_t k = 0; k < count; k++) {
        note = (stiction_controller_note){NULL, NULL, 0};
        (void)p->api->note(p->self, k, &note);
        frame_put_text(w, note.key ? note.key : "");
        frame_put_u32(w, note.text ? 1 : 0);
        if (note.text)
            frame_put_text(w, note.text);
        else
            frame_put_numbers(w, &note.value, 1);
    }
}

static stiction_status refuse_frame(peer *p, uint32_t type, stiction_error *error) {
    (void)stiction_fail(error, STICTION_INVALID_ARGUMENT,
                        "the host sent a frame of type %u (%s) that is not as it must be", type,
                        frame_name(type));
    (void)send_error(p, "the controller did not understand a frame");
    return STICTION_INVALID_ARGUMENT;
}

/* Until END, or until the connection is closed. */
static stiction_status answer_all(peer *p, stiction_error *error) {
    uint32_t type;
    frame_reader r;
    bool there = true;
    while (there && channel_receive(&p->channel, (double)INFINITY, &type, &r) == CHANNEL_OK &&
           type != FRAME_END) {
        if (type == FRAME_STEP && read_step(p, &r)) {
            clear_output(&p->out, p->needs.record_count);
            const stiction_status status = p->api->step(p->self, &p->in, &p->out, error);
            if (status != STICTION_OK) {
                (void)send_error(p, error->message);
                return status;
            }
            write_command(p);
        } else if (type == FRAME_RESET) {
            if (p->api->reset) p->api->reset(p->self);
            p->out.finished = 0;
            continue;
        } else if (type == FRAME_NOTES) {
            write_notes(p);
        } else {
            return refuse_frame(p, type, error);
        }
        there = send_frame(p);
    }
    return stiction_succeed(error);
}

static stiction_status serve(peer *p, stiction_error *error) {
    uint32_t type = 0;
    frame_reader r;
    if (channel_receive(&p->channel, (double)INFINITY, &type, &r) != CHANNEL_OK)
        return stiction_succeed(error); /* it only looked whether somebody is there */
    if (type != FRAME_HELLO || !read_hello(p, &r)) return refuse_frame(p, type, error);
    p->needs.size = sizeof p->needs;
    stiction_status status = p->api->create(&p->setup, &p->needs, &p->self, error);
    if (status != STICTION_OK) {
        (void)send_error(p, error->message);
        return status;
    }
    if (make_arrays(p)) {
        write_ready(p);
        if (send_frame(p)) status = answer_all(p, error);
    } else {
        status = stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    }
    p->api->destroy(p->self);
    return status;
}

stiction_status controller_peer_serve(int socket, const stiction_controller_api *api,
                                      stiction_error *error) {
    stiction_error own;
    peer p = {.channel = {.socket = socket}, .api = api};
    if (!error) error = &own;
    const stiction_status status = serve(&p, error);
    free(p.frame.data);
    free(p.channel.buffer);
    stiction_arena_free(&p.memory);
    return status;
}
