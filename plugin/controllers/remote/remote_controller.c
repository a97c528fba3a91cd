/* SPDX-License-Identifier: MIT
 * The host's side of docs/controller_protocol.md: requests in lockstep, and an error message for
 * every way in which a peer may fail to answer. A step allocates nothing once the buffers have
 * grown.
 */
#include "controllers/host/built_in.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"
#include "controllers/notes/note_list.h"
#include "document/auto.h"
#include "document/fail.h"
#include "document/number.h"
#include "document/shown.h"
#include "document/text.h"
#include "python_process.h"

/* s: an interpreter with its packages needs some time to start. */
static const double default_timeout = 5, python_start = 60;

typedef struct remote {
    channel channel;
    frame_writer frame;
    python_process process;
    double timeout; /* s */
    size_t n;
    stiction_log log;
    void *log_user;
    uint32_t flags; /* of READY */
    size_t jacobian_count, record_count;
    arena memory; /* of what READY asks for */
    note_list notes;
} remote;

/* ---- asking ---- */

/* Reports why a peer does not answer. */
static stiction_status refuse_verdict(remote *r, channel_verdict verdict, frame_type question,
                                      double timeout, stiction_error *error) {
    const char *name = frame_name(question);
    char how[2 * PYTHON_LINE];
    const int problem = errno;
    if (verdict == CHANNEL_LATE)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "it did not answer %s within %g s (option timeout=S)", name, timeout);
    if (verdict == CHANNEL_TOO_LARGE)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "it answered %s with a frame of more than %d bytes", name, FRAME_MOST);
    if (verdict == CHANNEL_NO_MEMORY)
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    if (verdict == CHANNEL_CLOSED && r->process.child > 0) {
        python_process_end(&r->process, 2, how);
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "its process %s, instead of answering %s", how, name);
    }
    if (verdict == CHANNEL_CLOSED)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "it closed the connection instead of answering %s", name);
    return stiction_fail(error, STICTION_INVALID_CONFIG, "the connection broke: %s",
                         strerror(problem));
}

static void copy_text(char *to, size_t size, const char *text, size_t length) {
    (void)snprintf(to, size, "%.*s", (int)(length < size ? length : size - 1), text ? text : "");
    stiction_show_in_place(to, size);
}

static void pass_log(const remote *r, frame_reader *payload) {
    char line[1024];
    size_t length;
    const uint32_t level = frame_get_u32(payload);
    const char *text = frame_get_text(payload, &length);
    copy_text(line, sizeof line, text, length);
    if (r->log && text)
        r->log(r->log_user,
               level <= STICTION_LOG_ERROR ? (stiction_log_level)level : STICTION_LOG_ERROR, line);
}

static stiction_status refuse_as_sent(frame_reader *payload, stiction_error *error) {
    char message[1000];
    size_t length;
    const char *text = frame_get_text(payload, &length);
    copy_text(message, sizeof message, text, length);
    return stiction_fail(error, STICTION_INVALID_CONFIG, "%s",
                         *message ? message : "it failed without a reason");
}

/* Sends the frame that was begun, without an answer. */
static channel_verdict send_frame(remote *r) {
    return frame_end(&r->frame) ? channel_send(&r->channel, &r->frame, r->timeout)
                                : CHANNEL_NO_MEMORY;
}

/* The same, and waits for the answer. */
static stiction_status ask(remote *r, frame_type question, frame_type answer, double timeout,
                           frame_reader *payload, stiction_error *error) {
    const double deadline = channel_clock() + timeout;
    channel_verdict verdict = send_frame(r);
    while (verdict == CHANNEL_OK) {
        uint32_t type;
        verdict = channel_receive(&r->channel, deadline - channel_clock(), &type, payload);
        if (verdict != CHANNEL_OK) break;
        if (type == (uint32_t)answer) return STICTION_OK;
        if (type == FRAME_ERROR) return refuse_as_sent(payload, error);
        if (type != FRAME_LOG)
            return stiction_fail(error, STICTION_INVALID_CONFIG,
                                 "it answered %s with a frame of type %u (%s) instead of %u (%s)",
                                 frame_name(question), type, frame_name(type), (unsigned)answer,
                                 frame_name(answer));
        pass_log(r, payload);
    }
    return refuse_verdict(r, verdict, question, timeout, error);
}

static stiction_status refuse_size(frame_type answer, stiction_error *error) {
    return stiction_fail(error, STICTION_INVALID_CONFIG,
                         "its %s has the wrong size, see docs/controller_protocol.md",
                         frame_name(answer));
}

/* ---- HELLO ---- */

static void write_hello(remote *r, const stiction_controller_setup *s, const char *options) {
    frame_writer *w = &r->frame;
    frame_begin(w, FRAME_HELLO);
    frame_put_bytes(w, FRAME_MAGIC, strlen(FRAME_MAGIC));
    frame_put_u32(w, FRAME_VERSION);
    frame_put_u32(w, s->floating ? 1 : 0);
    frame_put_numbers(w, &s->timestep, 1);
    frame_put_numbers(w, s->gravity, 3);
    frame_put_u32(w, (uint32_t)s->joint_count);
    frame_put_u32(w, (uint32_t)s->link_count);
    frame_put_text(w, s->body ? s->body : "");
    frame_put_text(w, options);
    frame_put_text(w, s->directory);
    for (size_t k = 0; k < s->joint_count; k++) {
        const stiction_controller_joint *j = &s->joints[k];
        frame_put_text(w, j->name);
        frame_put_u32(w, j->prismatic ? 1 : 0);
        frame_put_numbers(
            w, (const double[]){j->lower, j->upper, j->velocity_limit, j->torque_limit}, 4);
    }
    for (size_t k = 0; k < s->link_count; k++) frame_put_text(w, s->links[k]);
}

static stiction_status read_ready(remote *r, frame_reader *p, stiction_controller_needs *needs,
                                  stiction_error *error) {
    const uint32_t version = frame_get_u32(p);
    if (version != FRAME_VERSION)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "it uses version %u of the protocol, this program %d", version,
                             FRAME_VERSION);
    r->flags = frame_get_u32(p);
    needs->mass_matrix = !!(r->flags & FRAME_WANTS_MASS_MATRIX);
    needs->bias = !!(r->flags & FRAME_WANTS_BIAS);
    needs->contacts = !!(r->flags & FRAME_WANTS_CONTACTS);
    needs->link_states = !!(r->flags & FRAME_WANTS_LINK_STATES);
    frame_get_numbers(p, &needs->control_period, 1);
    needs->jacobian_count = frame_get_u32(p);
    needs->record_count = frame_get_u32(p);
    /* each needs 4 bytes at least */
    const size_t most = (size_t)(p->end - p->at) / 4;
    if (p->failed || needs->jacobian_count > most || needs->record_count > most)
        return refuse_size(FRAME_READY, error);
    r->jacobian_count = needs->jacobian_count;
    r->record_count = needs->record_count;
    size_t *links = stiction_arena_take(&r->memory, (r->jacobian_count + 1) * sizeof *links);
    const char **names = stiction_arena_take(&r->memory, (r->record_count + 1) * sizeof *names);
    bool whole = links && names;
    for (size_t k = 0; whole && k < r->jacobian_count; k++) links[k] = frame_get_u32(p);
    for (size_t k = 0; whole && k < r->record_count; k++) {
        size_t length;
        const char *text = frame_get_text(p, &length);
        names[k] = stiction_arena_text(&r->memory, text ? text : "", length);
        whole = names[k];
    }
    if (!whole) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    needs->jacobians = links;
    needs->records = names;
    return frame_is_done(p) ? STICTION_OK : refuse_size(FRAME_READY, error);
}

/* Removes timeout=S from the options. */
static stiction_status take_timeout(char *options, double *timeout, stiction_error *error) {
    static const char word[] = "timeout=";
    for (char *at = options; (at = strstr(at, word)) != NULL;) {
        if (at > options && !strchr(" \t\n", at[-1])) {
            at++;
            continue;
        }
        char *end = at + strcspn(at, " \t\n"), after = *end;
        *end = '\0';
        if (!stiction_decimal(at + strlen(word), timeout) || !(*timeout > 0))
            return stiction_fail(error, STICTION_INVALID_CONFIG,
                                 "option 'timeout': must be a number of seconds above 0, not "
                                 "'%.100s'",
                                 at + strlen(word));
        *end = after;
        if (after == ' ') end++;
        memmove(at, end, strlen(end) + 1);
    }
    return STICTION_OK;
}

static stiction_status greet(remote *r, const stiction_controller_setup *setup, const char *options,
                             double timeout, stiction_controller_needs *needs,
                             stiction_error *error) {
    frame_reader answer;
    write_hello(r, setup, options);
    const stiction_status status = ask(r, FRAME_HELLO, FRAME_READY, timeout, &answer, error);
    return status == STICTION_OK ? read_ready(r, &answer, needs, error) : status;
}

/* ---- where it is ---- */

static stiction_status connect_unix(remote *r, const char *path, stiction_error *error) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const double deadline = channel_clock() + r->timeout;
    if (strlen(path) >= sizeof address.sun_path)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "the path of the socket has %zu bytes, and may have %zu: '%.200s'",
                             strlen(path), sizeof address.sun_path - 1, path);
    (void)strcpy(address.sun_path, path);
    r->channel.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int problem = r->channel.socket < 0 ? errno : 0;
    /* a user who starts both at once may start us first */
    while (!problem &&
           connect(r->channel.socket, (struct sockaddr *)&address, sizeof address) != 0) {
        const bool may_come =
            errno == ENOENT || errno == ECONNREFUSED || errno == EAGAIN || errno == EINTR;
        if (!may_come || !(channel_clock() < deadline)) problem = errno;
        const struct timespec moment = {.tv_nsec = 5000000};
        if (!problem) (void)nanosleep(&moment, NULL);
    }
    return !problem ? STICTION_OK
                    : stiction_fail(error, STICTION_INVALID_CONFIG,
                                    "cannot connect to '%.200s' (waited %g s): %s", path,
                                    r->timeout, strerror(problem));
}

static stiction_status connect_python(remote *r, const char *path, stiction_error *error) {
    r->process.log = r->log;
    r->process.log_user = r->log_user;
    const stiction_status status = python_process_start(&r->process, path, error);
    r->channel.socket = r->process.socket;
    r->channel.side = &r->process.output;
    r->channel.on_side = python_process_listen;
    r->channel.context = &r->process;
    return status;
}

static void destroy(void *self) {
    remote *r = self;
    char how[2 * PYTHON_LINE];
    const bool is_process = r->process.child > 0;
    if (r->channel.socket >= 0) {
        frame_begin(&r->frame, FRAME_END);
        (void)send_frame(r);
        if (!r->channel.on_side) (void)close(r->channel.socket);
    }
    if (is_process) python_process_end(&r->process, r->timeout, how);
    note_list_clear(&r->notes);
    stiction_arena_free(&r->memory);
    free(r->frame.data);
    free(r->channel.buffer);
    free(r);
}

static stiction_status create(const stiction_controller_setup *setup, bool is_python,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    AUTO_FREE char *address = stiction_text_copy(setup->options);
    remote *r = address ? calloc(1, sizeof *r) : NULL;
    if (!r) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    char *options = address + strcspn(address, "\n");
    if (*options) *options++ = '\0';
    r->channel.socket = -1;
    r->timeout = default_timeout;
    r->n = setup->joint_count;
    r->log = setup->log;
    r->log_user = setup->log_user;
    stiction_status status = take_timeout(options, &r->timeout, error);
    if (status == STICTION_OK)
        status = (is_python ? connect_python : connect_unix)(r, address, error);
    if (status == STICTION_OK)
        status = greet(r, setup, options, is_python ? fmax(python_start, r->timeout) : r->timeout,
                       needs, error);
    if (status == STICTION_OK)
        *self = r;
    else
        destroy(r);
    return status;
}

static stiction_status create_unix(const stiction_controller_setup *setup,
                                   stiction_controller_needs *needs, void **self,
                                   stiction_error *error) {
    return create(setup, false, needs, self, error);
}

static stiction_status create_python(const stiction_controller_setup *setup,
                                     stiction_controller_needs *needs, void **self,
                                     stiction_error *error) {
    return create(setup, true, needs, self, error);
}

/* ---- a step ---- */

static void write_contacts(frame_writer *w, const stiction_controller_input *in) {
    frame_put_u64(w, in->contact_count);
    for (size_t k = 0; k < in->contact_count; k++) {
        frame_put_u64(w, in->contacts[k].link);
        frame_put_numbers(w, in->contacts[k].force, 3);
        frame_put_numbers(w, in->contacts[k].torque, 3);
    }
}

static void write_link_states(frame_writer *w, const stiction_controller_link_state *states,
                              size_t count) {
    for (size_t k = 0; k < count; k++) {
        frame_put_numbers(w, states[k].position, 3);
        frame_put_numbers(w, states[k].rotation, 4);
        frame_put_numbers(w, states[k].bias, 6);
    }
}

static void write_step(remote *r, const stiction_controller_input *in) {
    frame_writer *w = &r->frame;
    frame_begin(w, FRAME_STEP);
    frame_put_numbers(w, &in->time, 1);
    const double *const of_joints[] = {in->q, in->dq, in->effort, in->target};
    for (size_t k = 0; k < 4; k++) frame_put_numbers(w, of_joints[k], r->n);
    frame_put_numbers(w, in->position, 3);
    frame_put_numbers(w, in->rotation, 4);
    frame_put_numbers(w, in->linear, 3);
    frame_put_numbers(w, in->angular, 3);
    frame_put_numbers(w, in->gyro, 3);
    frame_put_numbers(w, in->accelerometer, 3);
    if (r->flags & FRAME_WANTS_MASS_MATRIX)
        frame_put_numbers(w, in->mass_matrix, in->dof * in->dof);
    if (r->flags & FRAME_WANTS_BIAS) frame_put_numbers(w, in->bias, in->dof);
    for (size_t k = 0; k < r->jacobian_count; k++)
        frame_put_numbers(w, in->jacobians[k], 6 * in->dof);
    if (r->flags & FRAME_WANTS_CONTACTS) write_contacts(w, in);
    if (r->flags & FRAME_WANTS_LINK_STATES)
        write_link_states(w, in->link_states, r->jacobian_count);
}

static void read_command(const remote *r, frame_reader *p, stiction_controller_output *out) {
    out->finished = frame_get_u64(p) != 0;
    for (size_t k = 0; k < r->n; k++) {
        const uint64_t mode = frame_get_u64(p);
        out->mode[k] = mode <= 1000 ? (int)mode : -1;
    }
    double *const of_joints[] = {out->torque, out->position, out->velocity,
                                 out->kp,     out->kd,       out->target};
    for (size_t k = 0; k < 6; k++) frame_get_numbers(p, of_joints[k], r->n);
    frame_get_numbers(p, out->records, r->record_count);
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    remote *r = self;
    frame_reader answer;
    write_step(r, in);
    TRY(ask(r, FRAME_STEP, FRAME_COMMAND, r->timeout, &answer, error));
    read_command(r, &answer, out);
    return frame_is_done(&answer) ? STICTION_OK : refuse_size(FRAME_COMMAND, error);
}

/* ---- the rest ---- */

static void reset(void *self) {
    remote *r = self;
    note_list_clear(&r->notes);
    frame_begin(&r->frame, FRAME_RESET);
    /* a peer that is gone is reported in the next step */
    (void)send_frame(r);
}

/* In the memory of the notes; "" where it is missing. */
static const char *read_text(remote *r, frame_reader *p) {
    size_t length;
    const char *from = frame_get_text(p, &length);
    const char *text = from ? stiction_arena_text(&r->notes.memory, from, length) : NULL;
    return text ? text : "";
}

static void read_notes(remote *r, frame_reader *p) {
    for (uint32_t left = frame_get_u32(p); left && !p->failed; left--) {
        const char *key = read_text(r, p);
        double value;
        if (frame_get_u32(p)) {
            note_list_text(&r->notes, key, "%s", read_text(r, p));
        } else {
            frame_get_numbers(p, &value, 1);
            note_list_number(&r->notes, key, value);
        }
    }
    if (!frame_is_done(p)) note_list_clear(&r->notes);
}

/* All notes are read at once, since they are asked for one by one. */
static int note(void *self, size_t index, stiction_controller_note *note) {
    remote *r = self;
    if (!(r->flags & FRAME_HAS_NOTES)) return 0;
    if (index == 0) {
        frame_reader answer;
        note_list_clear(&r->notes);
        frame_begin(&r->frame, FRAME_NOTES);
        if (ask(r, FRAME_NOTES, FRAME_NOTED, r->timeout, &answer, NULL) == STICTION_OK)
            read_notes(r, &answer);
    }
    return note_list_at(&r->notes, index, note);
}

const stiction_controller_api remote_unix_api = {
    STICTION_CONTROLLER_HEAD, .create = create_unix, .step = step,
    .destroy = destroy,       .reset = reset,        .note = note};
const stiction_controller_api remote_python_api = {
    STICTION_CONTROLLER_HEAD, .create = create_python, .step = step,
    .destroy = destroy,       .reset = reset,          .note = note};
