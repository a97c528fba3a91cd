/* SPDX-License-Identifier: MIT
 * The protocol of controllers in other processes: a peer that sends these bytes to our host.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../fuzz.h"
#include "controllers/host/controller_host.h"

/* The peer: sends all of it, and takes what comes until the connection ends. */
typedef struct speaker {
    int socket; /* that listens */
    const uint8_t *data;
    size_t size;
} speaker;

static void *speak(void *context) {
    speaker *s = context;
    const int connection = accept(s->socket, NULL, NULL);
    char bytes[4096];
    must(connection >= 0);
    (void)send(connection, s->data, s->size, MSG_NOSIGNAL);
    (void)shutdown(connection, SHUT_WR);
    while (recv(connection, bytes, sizeof bytes, 0) > 0) continue;
    (void)close(connection);
    return NULL;
}

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

static char path[100];
static int listening;

static void begin_remote(void) {
    (void)snprintf(path, sizeof path, "%s/socket", fuzz_folder());
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(listening >= 0);
    must(bind(listening, (struct sockaddr *)&address, sizeof address) == 0);
    must(listen(listening, 16) == 0);
}

static void ask(controller_host *h, const speaker *s) {
    stiction_error error;
    double torque[2];
    size_t count;
    for (int k = 0; k < 3; k++) {
        (void)controller_host_begin(h, 0.001 * k);
        if (controller_host_finish(h, torque, &error) != STICTION_OK) {
            must_be_whole(&error, s);
            break;
        }
        must(isfinite(torque[0]) && isfinite(torque[1]));
    }
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
    speaker s = {listening, data, size};
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

const fuzz_reader fuzz_remote = {.name = "remote", .begin = begin_remote, .read = read_remote};
