/* SPDX-License-Identifier: MIT
 * A controller that does what the first word of its options says, for tests of hosts. Compiled once
 * as it is and once for each way in which a table may be wrong.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stiction/controller.h"

static stiction_controller_setup setup_seen;
static char word[64];
static double calls; /* of step since the reset */
static size_t first_link, bad_link;
static const size_t two_links[] = {0, 2};
static const char *const record_names[] = {"calls", "gyro", "felt"};
static const char *const same_names[] = {"once", "twice", "twice"};

static int is(const char *name) {
    return strcmp(word, name) == 0;
}

/* Something that a compiler cannot see through. */
static volatile int zero;
static int *volatile nowhere;

__attribute__((noinline)) static int recurse(int depth) {
    volatile char room[4096];
    room[0] = (char)depth;
    return depth == -1 ? 0 : recurse(depth + 1) + room[0];
}

/* The crash itself is wanted, not what a sanitizer says of it. */
__attribute__((no_sanitize("undefined"))) static void crash_in(const char *where) {
    char name[80];
    (void)snprintf(name, sizeof name, "crash_%s", where);
    if (is(name)) *nowhere = 1;
}

/* Works on after everything has ended, in the code of this library. */
static void *work_on(void *unused) {
    for (;;) calls = calls + 1;
    return unused;
}

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    setup_seen = *setup;
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(setup->options, " \n"), setup->options);
    calls = 0;
    crash_in("create");
    if (is("abort_create")) abort();
    if (is("refuse")) {
        (void)snprintf(error->message, sizeof error->message, "no %s for '%s'\tof %zu", "gain",
                       setup->body, setup->joint_count);
        return STICTION_INVALID_CONFIG;
    }
    if (is("refuse_silently")) return STICTION_INVALID_CONFIG;
    static const double far[] = {0, (double)INFINITY}, nowhere_at_all[7] = {0};
    if (is("start_far")) needs->start_joints = far;
    if (is("start_base")) needs->start_base = nowhere_at_all;
    if (is("bad_motion") || is("no_motion")) needs->motion_count = 1;
    bad_link = setup->link_count;
    if (is("bad_motion")) needs->motions = &bad_link;
    if (is("ramp")) needs->control_period = 4 * setup->timestep;
    if (is("period")) needs->control_period = 4 * setup->timestep;
    if (is("period_uneven")) needs->control_period = 2.5 * setup->timestep;
    if (is("bad_period")) needs->control_period = -1;
    if (is("link") || is("bad_link") || is("link_state")) {
        needs->jacobian_count = 1;
        bad_link = setup->link_count;
        needs->jacobians = is("bad_link") ? &bad_link : &first_link;
    }
    if (is("link_state")) needs->link_states = 1;
    if (is("no_links") || is("two_links")) needs->jacobian_count = 2;
    if (is("two_links")) needs->jacobians = two_links;
    if (is("many_links")) needs->jacobian_count = (size_t)-1;
    if (is("record") || is("imu")) {
        needs->record_count = 3;
        needs->records = record_names;
    }
    if (is("no_records")) needs->record_count = 1;
    if (is("same_records")) {
        needs->record_count = 3;
        needs->records = same_names;
    }
    if (is("everything")) needs->mass_matrix = needs->bias = needs->contacts = 1;
    pthread_t thread;
    if (is("thread")) (void)pthread_create(&thread, NULL, work_on, NULL);
    if (is("log") && setup->log) setup->log(setup->log_user, STICTION_LOG_WARNING, "it is late");
    *self = &calls;
    return STICTION_OK;
}

static void drive(const stiction_controller_input *in, stiction_controller_output *out) {
    for (size_t k = 0; k < in->joint_count; k++) {
        if (is("later") && k > 0 && in->time > 0.0095) break;
        out->torque[k] = is("period") || is("period_uneven") ? calls : 0;
        out->target[k] = 0.5;
        if (is("ramp") && calls != 4) { /* not once, after which it begins anew */
            out->mode[k] = STICTION_CONTROL_PD_INTERPOLATED;
            out->position[k] = calls;
            out->velocity[k] = 10 * calls;
            out->torque[k] = 100 * calls;
            out->kp[k] = out->kd[k] = 1;
        }
        if (!is("pd") && !is("pd_missing") && !is("pd_hard")) continue;
        out->mode[k] = STICTION_CONTROL_PD;
        out->torque[k] = (double)NAN;
        out->position[k] = 1;
        out->kp[k] = is("pd_hard") ? 1e308 : 20;
        if (!is("pd_missing")) out->kd[k] = 2;
    }
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    (void)self;
    calls++;
    drive(in, out);
    const size_t last = in->joint_count - 1;
    const int is_time = in->time > 0.0095;
    if (is("record") || is("imu")) {
        out->records[0] = calls;
        out->records[1] = in->gyro[0];
        out->records[2] = in->accelerometer[2];
    }
    if (is("link_state"))
        for (int k = 0; k < 6; k++)
            out->torque[0] += in->link_states[0].position[k % 3] * (k + 1) +
                              in->link_states[0].rotation[k % 4] * (k + 10) +
                              in->link_states[0].bias[k] * (k + 100);
    if (is("missing")) out->torque[last] = (double)NAN;
    if (is("infinite") && is_time) out->torque[last] = -(double)INFINITY;
    if (is("mode")) out->mode[last] = 7;
    if (is("finish") && is_time) out->finished = 1;
    if (is("fail") && is_time) {
        (void)snprintf(error->message, sizeof error->message, "joint too warm");
        return STICTION_INVALID_CONFIG;
    }
    if (is_time) crash_in("step");
    if (is("divide") && is_time) zero = 100 / zero;
    if (is("abort") && is_time) abort();
    if (is("recurse") && is_time) zero = recurse(0);
    if (is("raise") && is_time) (void)raise(SIGILL);
    if (is("exit") && is_time) exit(0);
    if (is("quick_exit") && is_time) quick_exit(0);
    if (is("thread_exit") && is_time) pthread_exit(NULL);
    if (is("no_array") && is_time) out->torque = NULL;
    return STICTION_OK;
}

static void destroy(void *self) {
    (void)self;
    crash_in("destroy");
}

static void reset(void *self) {
    (void)self;
    calls = 0;
    crash_in("reset");
}

static int note(void *self, size_t index, stiction_controller_note *note) {
    (void)self;
    crash_in("note");
    static char left[4200];
    if (is("leave") && index == 0) { /* a file beside the results */
        FILE *file = fopen("left.bin", "w");
        if (!file || fputs("left", file) < 0 || fclose(file) != 0 || !getcwd(left, 4096)) abort();
        (void)strcat(left, "/left.bin");
    }
    const stiction_controller_note left_note = {"results_file", left, 0};
    if (is("leave") || is("leave_nothing")) {
        *note = left_note;
        if (is("leave_nothing")) note->text = "/not/there.bin";
        return index == 0;
    }
    const stiction_controller_note notes[] = {
        {"calls", NULL, calls},
        {"options", "not these", 0},
        {"colour", "gr\xfcn", 0},
        {"warning", "the paint is wet", 0},
    };
    if (index >= sizeof notes / sizeof notes[0]) return is("endless") ? (*note = notes[0], 1) : 0;
    *note = notes[index];
    return 1;
}

#if defined FAULTY_WITHOUT_SYMBOL
const int not_a_controller = 1;
#else
STICTION_CONTROLLER = {
#if defined FAULTY_OTHER_ABI
    .abi = STICTION_CONTROLLER_ABI + 41,
    .size = sizeof(stiction_controller_api),
#elif defined FAULTY_TOO_SMALL
    .abi = STICTION_CONTROLLER_ABI,
    .size = 3 * sizeof(void *),
#elif defined FAULTY_OLDER
    /* of a time when there was nothing optional */
    .abi = STICTION_CONTROLLER_ABI,
    .size = offsetof(stiction_controller_api, reset),
#else
    STICTION_CONTROLLER_HEAD,
#endif
    .create = create,
#if !defined FAULTY_WITHOUT_STEP
    .step = step,
#endif
    .destroy = destroy,
    .reset = reset,
    .note = note,
};
#endif

#ifdef FAULTY_CRASH_IN_LOADING
__attribute__((constructor, no_sanitize("undefined"))) static void crash_at_once(void) {
    *nowhere = 1;
}
#endif

/* For whoever looks at it in a debugger; also keeps the unused ones used. */
__attribute__((used)) static const void *const all_of_it[] = {
    (const void *)(size_t)create, (const void *)(size_t)step, (const void *)(size_t)destroy,
    (const void *)(size_t)reset,  (const void *)(size_t)note, &setup_seen};
