/* SPDX-License-Identifier: MIT
 * The protocol of controllers in other processes, both ways: a peer that says these bytes to our
 * host (remote), and a host that says them to our peer (peer).
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../fuzz.h"
#include "controllers/host/controller_host.h"
#include "controllers/remote/controller_peer.h"

/* The other side: says all of it, says no more, and takes what comes until the connection ends. */
typedef struct speaker {
    int socket;
    bool accepts; /* the socket listens */
    const uint8_t *data;
    size_t size;
} speaker;

static void *speak(void *context) {
    speaker *s = context;
    const int connection = s->accepts ? accept(s->socket, NULL, NULL) : s->socket;
    char bytes[4096];
    must(connection >= 0);
    (void)send(connection, s->data, s->size, MSG_NOSIGNAL);
    (void)shutdown(connection, SHUT_WR);
    while (recv(connection, bytes, sizeof bytes, 0) > 0) continue;
    (void)close(connection);
    return NULL;
}

/* ---- our host ---- */

/* A peer may say nothing in its log. */
static void hear(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level, (void)message;
}

/* Crashes of controllers are caught, and here all of the controller is ours; but a peer, too, may
 * say that it crashed. */
static void must_be_whole(const stiction_error *error, const speaker *s) {
    static const char word[] = "it crashed in ";
    must_be_told(error);
    bool said = false;
    for (size_t k = 0; k + sizeof word - 1 <= s->size; k++)
        said = said || memcmp(s->data + k, word, sizeof word - 1) == 0;
    must(said || !strstr(error->message, word));
}

static char path[120];
static int listening;

static void begin_remote(void) {
    (void)snprintf(path, sizeof path, "%s/socket", fuzz_folder());
    listening = controller_peer_listen(path);
    must(listening >= 0);
}

static void ask(controller_host *h, const speaker *s) {
    stiction_error error;
    double torque[2], matrix[4] = {2, 0.1, 0.1, 3}, gains[8];
    size_t count;
    for (int k = 0; k < 3; k++) {
        (void)controller_host_begin(h, 0.001 * k);
        if (controller_host_finish(h, torque, &error) != STICTION_OK) {
            must_be_whole(&error, s);
            break;
        }
        must(isfinite(torque[0]) && isfinite(torque[1]));
    }
    (void)controller_host_gains(h, matrix, gains, gains + 4);
    const stiction_controller_note *notes = controller_host_notes(h, &count);
    for (size_t k = 0; k < count; k++) must(notes[k].key != NULL);
}

static void read_remote(const uint8_t *data, size_t size) {
    static const stiction_controller_joint joints[] = {
        {.name = "A", .lower = -1, .upper = 1, .velocity_limit = 10, .torque_limit = 50},
        {.name = "B", .prismatic = 1, .lower = -2, .upper = 2, .velocity_limit = 9},
    };
    static const char *const links[] = {"BASE", "ONE", "TWO"}, *const folders[] = {""};
    char specification[200];
    stiction_error error;
    speaker s = {listening, true, data, size};
    pthread_t thread;
    (void)snprintf(specification, sizeof specification, "unix:%s", path);
    const controller_host_def def = {
        .specification = specification,
        .folders = folders,
        .folder_count = 1,
        .setup = {.body = "Arm",
                  .options = "",
                  .timestep = 0.001,
                  .gravity = {0, 0, -9.81},
                  .joint_count = 2,
                  .joints = joints,
                  .link_count = 3,
                  .links = links,
                  .log = hear},
    };
    must(pthread_create(&thread, NULL, speak, &s) == 0);
    controller_host *h = controller_host_create(&def, &error);
    if (h)
        ask(h, &s);
    else
        must_be_whole(&error, &s);
    controller_host_destroy(h);
    must(pthread_join(thread, NULL) == 0);
}

/* ---- our peer ---- */

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    static const size_t links[] = {0};
    static const char *const records[] = {"height"};
    (void)error;
    for (size_t k = 0; k < setup->joint_count; k++) must(setup->joints[k].name != NULL);
    for (size_t k = 0; k < setup->link_count; k++) must(setup->links[k] != NULL);
    needs->mass_matrix = needs->bias = needs->contacts = needs->link_states = 1;
    needs->jacobian_count = 1;
    needs->jacobians = links;
    needs->record_count = 1;
    needs->records = records;
    setup->log(setup->log_user, STICTION_LOG_INFO, setup->options);
    *self = needs;
    return STICTION_OK;
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    (void)self, (void)error;
    for (size_t k = 0; k < in->joint_count; k++)
        out->torque[k] = in->q[k] + in->mass_matrix[k * in->dof] + in->bias[k];
    out->records[0] = in->jacobians[0][0] + in->link_states[0].bias[5];
    for (size_t k = 0; k < in->contact_count; k++) out->records[0] += in->contacts[k].force[2];
    return STICTION_OK;
}

static void destroy(void *self) {
    (void)self;
}

static int note(void *self, size_t index, stiction_controller_note *n) {
    (void)self;
    n->key = "runs";
    n->value = 1;
    return index == 0;
}

static void gains(void *self, const double *mass_matrix, double *stiffness, double *damping) {
    (void)self, (void)mass_matrix, (void)stiffness, (void)damping;
}

static void read_peer(const uint8_t *data, size_t size) {
    static const stiction_controller_api api = {
        STICTION_CONTROLLER_HEAD, create, step, destroy, NULL, note, gains};
    int ends[2];
    stiction_error error;
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    speaker s = {ends[1], false, data, size};
    pthread_t thread;
    must(pthread_create(&thread, NULL, speak, &s) == 0);
    if (controller_peer_serve(ends[0], &api, &error) != STICTION_OK) must_be_told(&error);
    (void)close(ends[0]);
    must(pthread_join(thread, NULL) == 0);
}

const fuzz_reader fuzz_remote = {.name = "remote", .begin = begin_remote, .read = read_remote};
const fuzz_reader fuzz_peer = {.name = "peer", .read = read_peer};
