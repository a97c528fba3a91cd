/* SPDX-License-Identifier: MIT
 * Controllers in other processes: the same numbers as in this one, and an error message for every
 * way in which a peer may be gone, late or wrong.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "allocations.h"
#include "check.h"
#include "controller_peer.h"
#include "controllers/host/controller_host.h"
#include "controllers/remote/channel.h"
#include "random.h"
#include "temporary.h"

static const double T = 0.001;

static char said[2000];

static void hear(void *user, stiction_log_level level, const char *message) {
    (void)user;
    (void)snprintf(said, sizeof said, "%d %s", (int)level, message);
}

static const stiction_controller_joint joints[] = {
    {.name = "A", .lower = -1, .upper = 1, .velocity_limit = 10, .torque_limit = 50},
    {.name = "B", .prismatic = 1, .lower = -2, .upper = 2, .velocity_limit = 9, .torque_limit = 5},
};
static const char *const links[] = {"BASE", "ONE", "TWO"};

static controller_host *make(const char *specification, int floating, stiction_error *error) {
    static const char *const folders[] = {""};
    const controller_host_def def = {
        .specification = specification,
        .folders = folders,
        .folder_count = 1,
        .setup = {.body = "Arm",
                  .options = "",
                  .timestep = T,
                  .gravity = {0, 0, -9.81},
                  .floating = floating,
                  .joint_count = 2,
                  .joints = joints,
                  .link_count = 3,
                  .links = links,
                  .log = hear},
    };
    return controller_host_create(&def, error);
}

/* ---- peers ---- */

typedef void peer(int connection, const void *context);

static const char *socket_path(void) {
    static char path[200];
    (void)snprintf(path, sizeof path, "%s.socket", temporary_file("peer", ""));
    (void)unlink(path);
    return path;
}

/* A process that answers one host; the caller waits for it. */
static pid_t start_peer(const char *path, peer *answer, const void *context, double delay) {
    int listening = delay > 0 ? -1 : controller_peer_listen(path);
    const pid_t child = fork();
    if (child != 0) {
        if (listening >= 0) (void)close(listening);
        return child;
    }
    (void)alarm(1000); /* only what hangs */
    if (delay > 0) {
        (void)nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * delay)}, NULL);
        listening = controller_peer_listen(path);
    }
    const int connection = accept(listening, NULL, NULL);
    answer(connection, context);
    _exit(0);
}

static void end_peer(pid_t child, const char *path) {
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    (void)unlink(path);
}

static const stiction_controller_api *table_of(const char *library) {
    void *handle = dlopen(library, RTLD_NOW);
    return handle ? dlsym(handle, STICTION_CONTROLLER_SYMBOL) : NULL;
}

static void serve(int connection, const void *context) {
    stiction_error error;
    (void)controller_peer_serve(connection, table_of(context), &error);
}

/* Reads HELLO, sends some bytes as an answer, and waits for the end. */
typedef struct reply {
    frame_writer frame;
    bool closes;
    int answers; /* of READY before it; 0: none */
} reply;

static void drain(int connection) {
    char bytes[4096];
    while (read(connection, bytes, sizeof bytes) > 0) continue;
}

static void put_ready(frame_writer *w, uint32_t version, uint32_t jacobians, uint32_t records) {
    frame_begin(w, FRAME_READY);
    frame_put_u32(w, version);
    frame_put_u32(w, 0);
    frame_put_numbers(w, &(double){0}, 1);
    frame_put_u32(w, jacobians);
    frame_put_u32(w, records);
}

static void say_reply(int connection, const void *context) {
    const reply *r = context;
    channel c = {.socket = connection};
    frame_writer ready = {0};
    uint32_t type;
    frame_reader payload;
    for (int k = 0; k < r->answers; k++) {
        (void)channel_receive(&c, 10, &type, &payload);
        put_ready(&ready, FRAME_VERSION, 0, 0);
        (void)frame_end(&ready);
        (void)channel_send(&c, &ready, 10);
    }
    (void)channel_receive(&c, 10, &type, &payload);
    (void)channel_send(&c, &r->frame, 10);
    if (!r->closes) drain(connection);
}

/* The error message of a host whose peer gives this answer to its first question (or the one after
 * READY). */
static const char *failure(const reply *r, const char *options) {
    static stiction_error error;
    static char specification[300];
    const char *path = socket_path();
    const pid_t child = start_peer(path, say_reply, r, 0);
    double torque[2];
    (void)snprintf(specification, sizeof specification, "unix:%s%s", path,
                   *options ? options : ":timeout=1000");
    controller_host *h = make(specification, 0, &error);
    if (r->answers == 0) CHECK(!h);
    if (h) {
        (void)controller_host_begin(h, 0.5);
        if (controller_host_finish(h, torque, &error) == STICTION_OK) FAIL("it was answered");
        controller_host_destroy(h);
    }
    end_peer(child, path);
    return error.message;
}

static reply make_reply(frame_type type, int answers, const void *bytes, size_t size) {
    reply r = {.answers = answers};
    frame_begin(&r.frame, type);
    frame_put_bytes(&r.frame, bytes, size);
    (void)frame_end(&r.frame);
    return r;
}

/* A host of a library that is served over a socket, until it is destroyed and ended. */
typedef struct behind_socket {
    const char *path;
    pid_t child;
    controller_host *h; /* NULL: the error says why */
    stiction_error error;
} behind_socket;

static behind_socket make_behind_socket(const char *library, const char *options, int floating,
                                        double delay) {
    char specification[400];
    behind_socket b = {.path = socket_path()};
    b.child = start_peer(b.path, serve, library, delay);
    (void)snprintf(specification, sizeof specification, "unix:%s:timeout=1000 %s", b.path, options);
    b.h = make(specification, floating, &b.error);
    return b;
}

static void end_behind_socket(const behind_socket *b) {
    controller_host_destroy(b->h);
    end_peer(b->child, b->path);
}

/* ---- the same numbers ---- */

static void fill(controller_host *h, int k) {
    controller_readings *in = controller_host_readings(h);
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8 && in->mass_matrix; j++)
            in->mass_matrix[i * 8 + j] = i == j ? 2 + 0.1 * (double)i : 0.3;
    for (size_t i = 0; i < 8 && in->bias; i++) in->bias[i] = 0.1 * (double)i + 0.01 * k;
    for (int i = 0; i < 2; i++) {
        in->q[i] = sin(0.01 * k + i);
        in->dq[i] = cos(0.01 * k - i);
    }
    if (in->link_states) {
        stiction_controller_link_state *state = in->link_states;
        for (int i = 0; i < 3; i++) state->position[i] = 0.2 * k + i;
        for (int i = 0; i < 4; i++) state->rotation[i] = 0.3 * k - i;
        for (int i = 0; i < 6; i++) state->bias[i] = 0.4 * k * i;
    }
    in->angular[0] = 0.1 * k;
    in->linear[2] = 0.01 * k;
}

/* Through the socket and built in, step by step. */
static void compare(const char *library, const char *options, const char *direct) {
    stiction_error error = {0};
    const behind_socket b = make_behind_socket(library, options, 1, 0);
    controller_host *const hosts[2] = {make(direct, 1, &error), b.h};
    if (!hosts[0] || !hosts[1]) {
        FAIL("%s: %s", library, error.message);
        return;
    }
    double torque[2][2];
    size_t counts[2];
    for (int k = 0; k < 100; k++) {
        if (k == 50)
            for (int h = 0; h < 2; h++) controller_host_reset(hosts[h]);
        for (int h = 0; h < 2; h++) {
            fill(hosts[h], k);
            (void)controller_host_begin(hosts[h], k * T);
            if (controller_host_finish(hosts[h], torque[h], &error) != STICTION_OK)
                FAIL("%s", error.message);
        }
        CHECK(memcmp(torque[0], torque[1], sizeof torque[0]) == 0);
        for (int i = 0; i < 2; i++)
            CHECK_SAME(controller_host_targets(hosts[0])[i], controller_host_targets(hosts[1])[i]);
        for (size_t i = 0; i < controller_host_needs(hosts[0])->record_count; i++)
            CHECK_SAME(controller_host_records(hosts[0])[i], controller_host_records(hosts[1])[i]);
    }
    const stiction_controller_note *notes[2];
    for (int h = 0; h < 2; h++) notes[h] = controller_host_notes(hosts[h], &counts[h]);
    CHECK(counts[0] == counts[1] && counts[0] > 0);
    for (size_t k = 0; k < counts[0] && k < counts[1]; k++) {
        CHECK(strcmp(notes[0][k].key, notes[1][k].key) == 0);
        CHECK(!notes[0][k].text == !notes[1][k].text);
        if (notes[0][k].text) CHECK(strcmp(notes[0][k].text, notes[1][k].text) == 0);
        CHECK_SAME(notes[0][k].value, notes[1][k].value);
    }
    CHECK_SAME(controller_host_needs(hosts[1])->control_period,
               controller_host_needs(hosts[0])->control_period);
    controller_host_destroy(hosts[0]);
    end_behind_socket(&b);
}

TEST(the_posture_controller_behind_a_socket_gives_the_same_bits) {
    compare(POSTURE_LIBRARY, "kp=20 kv=2 lambda=1 target=A:30 torque_limit=B:1",
            "posture:kp=20 kv=2 lambda=1 target=A:30 torque_limit=B:1");
}

TEST(records_readings_and_references_cross_the_socket) {
    static const char *const words[] = {"imu", "pd", "period", "everything", "link", "link_state"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        char direct[400];
        (void)snprintf(direct, sizeof direct, CONTROLLER_FOLDER "/faulty.so:%s", words[k]);
        compare(CONTROLLER_FOLDER "/faulty.so", words[k], direct);
    }
}

TEST(a_step_over_a_socket_allocates_nothing) {
    const behind_socket b = make_behind_socket(POSTURE_LIBRARY, "", 1, 0);
    stiction_error error;
    double torque[2];
    long before = 0;
    CHECK(b.h != NULL);
    for (int k = 0; b.h && k < 50; k++) {
        if (k == 5) before = allocations;
        fill(b.h, k);
        (void)controller_host_begin(b.h, k * T);
        CHECK(controller_host_finish(b.h, torque, &error) == STICTION_OK);
    }
    CHECK(allocations == before);
    end_behind_socket(&b);
}

/* ---- error messages ---- */

static const char *failure_behind_socket(const char *word) {
    static behind_socket b;
    double torque[2];
    b = make_behind_socket(CONTROLLER_FOLDER "/faulty.so", word, 0, 0);
    stiction_status status = b.h ? STICTION_OK : b.error.status;
    for (int k = 0; status == STICTION_OK && k < 100; k++) {
        (void)controller_host_begin(b.h, k * T);
        status = controller_host_finish(b.h, torque, &b.error);
    }
    CHECK(status != STICTION_OK);
    controller_host_destroy(b.h);
    CHECK(waitpid(b.child, NULL, 0) == b.child); /* which may have crashed */
    (void)unlink(b.path);
    return b.error.message;
}

TEST(sentences_cross_the_socket) {
    CHECK(strcmp(failure_behind_socket("fail"), "at 0.01 s: joint too warm") == 0);
    CHECK_CONTAINS(failure_behind_socket("refuse"), "no gain for 'Arm'\\tof 2");
    CHECK_CONTAINS(failure_behind_socket("mode"), "joint 'B': its mode at 0 s is 7");
    CHECK_CONTAINS(failure_behind_socket("missing"), "joint 'B': its torque at 0 s is not given");
    CHECK_CONTAINS(failure_behind_socket("bad_link"), "the Jacobian of link 3; the body has 3");
    /* it is another process that dies */
    CHECK_CONTAINS(failure_behind_socket("crash_step"),
                   "at 0.01 s: it closed the connection instead of answering STEP");
}

TEST(words_cross_the_socket) {
    const behind_socket b = make_behind_socket(CONTROLLER_FOLDER "/faulty.so", "log", 0, 0);
    CHECK(b.h != NULL);
    CHECK(strcmp(said, "1 it is late") == 0);
    end_behind_socket(&b);
}

TEST(a_peer_that_comes_later_is_waited_for) {
    const behind_socket b = make_behind_socket(CONTROLLER_FOLDER "/faulty.so", "", 0, 0.3);
    if (!b.h) FAIL("%s", b.error.message);
    end_behind_socket(&b);
}

TEST(a_peer_that_is_not_there_is_told_in_time) {
    stiction_error error;
    char specification[300];
    const double started = channel_clock();
    (void)snprintf(specification, sizeof specification, "unix:%s:timeout=0.2", socket_path());
    CHECK(!make(specification, 0, &error));
    CHECK_CONTAINS(error.message, "cannot connect to '");
    CHECK_CONTAINS(error.message, "(waited 0.2 s): No such file or directory");
    CHECK(channel_clock() - started < 1000);
    CHECK(!make("unix:/tmp/a:timeout=never", 0, &error));
    CHECK_CONTAINS(error.message,
                   "option 'timeout': must be a number of seconds above 0, not 'never'");
    CHECK(!make("unix:/tmp/a:timeout=-1", 0, &error));
    memset(specification, 'x', 200);
    (void)strcpy(specification + 200, "");
    memcpy(specification, "unix:/", 6);
    CHECK(!make(specification, 0, &error));
    CHECK_CONTAINS(error.message, "the path of the socket has 195 bytes, and may have 107");
}

/* The failure of a peer that greets and is then not heard of: the time is doubled where a busy
 * machine needed it for the greeting. */
static const char *stalls_after_hello(const reply *r, double *waited) {
    for (*waited = 0.25;; *waited *= 2) {
        char options[40];
        (void)snprintf(options, sizeof options, ":timeout=%g", *waited);
        const char *answer = failure(r, options);
        if (!strstr(answer, "HELLO") || *waited > 1000) return answer;
    }
}

TEST(a_peer_that_stalls_is_told_in_time) {
    const double started = channel_clock();
    double waited;
    char expected[100];
    reply r = {.answers = 0};
    CHECK_CONTAINS(failure(&r, ":timeout=0.2"), "it did not answer HELLO within 0.2 s");
    r.answers = 1;
    const char *answer = stalls_after_hello(&r, &waited);
    (void)snprintf(expected, sizeof expected, "at 0.5 s: it did not answer STEP within %g s",
                   waited);
    CHECK_CONTAINS(answer, expected);
    /* nor does one that sends a part of an answer */
    r = make_reply(FRAME_COMMAND, 1, "", 0);
    r.frame.data[0] = 40;
    answer = stalls_after_hello(&r, &waited);
    (void)snprintf(expected, sizeof expected, "it did not answer STEP within %g s", waited);
    CHECK_CONTAINS(answer, expected);
    CHECK(channel_clock() - started < 1000);
    free(r.frame.data);
}

TEST(a_peer_that_goes_is_told) {
    reply r = {.answers = 0, .closes = true};
    CHECK_CONTAINS(failure(&r, ""), "it closed the connection instead of answering HELLO");
    r.answers = 1;
    CHECK_CONTAINS(failure(&r, ""), "at 0.5 s: it closed the connection instead of answering STEP");
}

TEST(answers_that_are_none_are_told) {
    const struct {
        reply r;
        const char *sentence;
    } cases[] = {
        {make_reply(FRAME_COMMAND, 0, "", 0),
         "it answered HELLO with a frame of type 102 (COMMAND) instead of 101 (READY)"},
        {make_reply((frame_type)77, 1, "", 0),
         "it answered STEP with a frame of type 77 (?) instead of 102 (COMMAND)"},
        {make_reply(FRAME_READY, 0, "\x02\0\0\0", 4),
         "it uses version 2 of the protocol, this program 1"},
        {make_reply(FRAME_READY, 0, "\x01\0\0\0", 4), "its READY has the wrong size"},
        {make_reply(FRAME_COMMAND, 1, "12345678", 8), "its COMMAND has the wrong size"},
        {make_reply(FRAME_ERROR, 1, "\x03\0\0\0no!", 7), "at 0.5 s: no!"},
        {make_reply(FRAME_ERROR, 0, "", 0), "it failed without a reason"},
        {make_reply(FRAME_ERROR, 1, "\xff\xff\xff\xffno", 6), "it failed without a reason"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        CHECK_CONTAINS(failure(&cases[k].r, ""), cases[k].sentence);
        free(cases[k].r.frame.data);
    }
    reply r = make_reply(FRAME_READY, 0, "", 0);
    r.frame.data[3] = 0x7f;
    CHECK_CONTAINS(failure(&r, ""), "it answered HELLO with a frame of more than 67108864 bytes");
    put_ready(&r.frame, FRAME_VERSION, 0xffffffff, 0);
    (void)frame_end(&r.frame);
    CHECK_CONTAINS(failure(&r, ""), "its READY has the wrong size");
    put_ready(&r.frame, FRAME_VERSION, 0, 0);
    frame_put_bytes(&r.frame, "more than one", 8);
    (void)frame_end(&r.frame);
    CHECK_CONTAINS(failure(&r, ""), "its READY has the wrong size");
    put_ready(&r.frame, FRAME_VERSION, 0, 1);
    frame_put_text(&r.frame, "");
    (void)frame_end(&r.frame);
    CHECK_CONTAINS(failure(&r, ""), "its record 0 has no name");
    free(r.frame.data);
}

TEST(a_host_that_speaks_something_else_is_refused) {
    int both[2];
    stiction_error error;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
    reply r = make_reply(FRAME_HELLO, 0, "sticktion", 9);
    channel c = {.socket = both[0]};
    CHECK(channel_send(&c, &r.frame, 1) == CHANNEL_OK);
    CHECK(controller_peer_serve(both[1], table_of(POSTURE_LIBRARY), &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, "a frame of type 1 (HELLO) that is not as it must be");
    free(r.frame.data);
    (void)close(both[0]);
    (void)close(both[1]);
}

/* ---- Python: any program that is called in its way ---- */

static controller_host *make_python(const char *script, const char *options,
                                    stiction_error *error) {
    char specification[300];
    const char *interpreter = temporary_file("interpreter", script);
    CHECK(chmod(interpreter, 0700) == 0);
    (void)setenv("STICTION_PYTHON", interpreter, 1);
    (void)snprintf(specification, sizeof specification, "%s%s", temporary_file("my.py", ""),
                   options);
    return make(specification, 0, error);
}

TEST(a_program_that_ends_is_told_with_its_last_line) {
    stiction_error error;
    said[0] = '\0';
    CHECK(!make_python("#!/bin/sh\necho hello\necho 'ValueError: no way' >&2\necho >&2\nexit 3\n",
                       "", &error));
    CHECK_CONTAINS(error.message, "its process ended with code 3 after 'ValueError: no way', "
                                  "instead of answering HELLO");
    CHECK(strcmp(said, "0 ValueError: no way") == 0);
    CHECK(!make_python("#!/bin/sh\nkill -9 $$\n", "", &error));
    CHECK_CONTAINS(error.message, "its process was ended by signal 9, instead of answering HELLO");
    (void)setenv("STICTION_PYTHON", "/nothing/python", 1);
    CHECK(!make(temporary_file("my.py", ""), 0, &error));
    CHECK_CONTAINS(error.message, "cannot start /nothing/python: No such file or directory");
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

TEST(a_program_gets_its_file_a_socket_and_the_package) {
    stiction_error error;
    CHECK(!make_python("#!/bin/sh\n[ \"$1 $2\" = '-m stiction.controller' ] || exit 4\n"
                       "case $3 in */my.py) ;; *) exit 5 ;; esac\n[ \"$4\" = --fd ] || exit 6\n"
                       "[ -S /proc/self/fd/$5 ] || exit 7\nhead -c 16 <&$5 | tail -c 8\nexit 8\n",
                       "", &error));
    CHECK_CONTAINS(error.message, "ended with code 8 after 'stiction'");
}

TEST(a_program_that_prints_much_is_not_stalled_by_it) {
    stiction_error error;
    CHECK(!make_python(
        "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' 'x'\necho\necho done\nexit 2\n", "",
        &error));
    CHECK_CONTAINS(error.message, "ended with code 2 after 'done'");
}

/* ---- frames ---- */
