/* SPDX-License-Identifier: MIT
 * A host of controllers without a simulator: loading, holding, computing and reporting, and an
 * error message for every fault, after which nothing is left allocated.
 */
#include <dlfcn.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "allocations.h"
#include "check.h"
#include "controllers/host/controller_host.h"
#include "controllers/host/targets.h"
#include "document/auto.h"
#include "temporary.h"

OWNS(controller_host, controller_host_destroy)

static const double T = 0.001;

static char said[2000];

static void hear(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level;
    (void)snprintf(said, sizeof said, "%s", message);
}

static const stiction_controller_joint joints[] = {
    {.name = "A", .lower = -1, .upper = 1, .velocity_limit = 10, .torque_limit = 50},
    {.name = "B", .lower = -2, .upper = 2, .velocity_limit = 10, .torque_limit = 50},
};
static const char *const links[] = {"BASE", "ONE", "TWO"};

/* Of the library faulty.c, in the ways that CMake has built. */
static const char *library(const char *name) {
    static char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", CONTROLLER_FOLDER, name);
    return path;
}

static controller_host *make_with(const char *specification, size_t joint_count, int floating,
                                  stiction_error *error) {
    static const char *const folders[] = {"robots", ""};
    const controller_host_def def = {
        .specification = specification,
        .folders = folders,
        .folder_count = 2,
        .setup = {.body = "Arm",
                  .options = "",
                  .timestep = T,
                  .gravity = {0, 0, -9.81},
                  .floating = floating,
                  .joint_count = joint_count,
                  .joints = joints,
                  .link_count = 3,
                  .links = links,
                  .log = hear},
    };
    return controller_host_create(&def, error);
}

/* The library faulty.so with a word. */
static controller_host *make(const char *word) {
    char specification[500];
    stiction_error error;
    (void)snprintf(specification, sizeof specification, "%s:%s", library("faulty.so"), word);
    controller_host *h = make_with(specification, 2, 0, &error);
    if (!h) {
        FAIL("%s: %s", word, error.message);
        exit(EXIT_FAILURE);
    }
    return h;
}

/* The message of the error. */
static const char *refusal(const char *specification) {
    static stiction_error error;
    controller_host *h = make_with(specification, 2, 0, &error);
    if (h) FAIL("%s is taken", specification);
    controller_host_destroy(h);
    return h ? "" : error.message;
}

static const char *refusal_of_word(const char *word) {
    char specification[500];
    (void)snprintf(specification, sizeof specification, "%s:%s", library("faulty.so"), word);
    return refusal(specification);
}

/* A step at a time that must succeed. */
static void step_at(controller_host *h, double time, double torque[2]) {
    stiction_error error;
    (void)controller_host_begin(h, time);
    if (controller_host_finish(h, torque, &error) != STICTION_OK) FAIL("%s", error.message);
}

/* Steps number `first` until before `last`; the torque of the last joint of the last one. */
static stiction_status run(controller_host *h, int first, int last, double *torque,
                           stiction_error *error) {
    stiction_status status = STICTION_OK;
    double torques[2] = {0};
    for (int k = first; k < last && status == STICTION_OK; k++) {
        (void)controller_host_begin(h, k * T);
        status = controller_host_finish(h, torques, error);
    }
    *torque = torques[1];
    return status;
}

static const char *failure(const char *word) {
    static stiction_error error;
    double torque;
    controller_host *h = make(word);
    if (run(h, 0, 100, &torque, &error) == STICTION_OK) FAIL("%s does not fail", word);
    controller_host_destroy(h);
    return error.message;
}

/* The answer of a process of its own: after a crash a process calls no controller any more. */
static const char *in_process(const char *ask(const char *), const char *word) {
    static char answer[1000];
    int ends[2], status;
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const char *message = ask(word);
        const bool sent = write(ends[1], message, strlen(message)) >= 0;
        const bool ended = controller_host_has_crashed() &&
                           strstr(refusal("posture:kp=1"), "a controller crashed earlier");
        _exit(sent && ended ? 0 : 1);
    }
    (void)close(ends[1]);
    const ssize_t length = read(ends[0], answer, sizeof answer - 1);
    answer[length > 0 ? length : 0] = '\0';
    (void)close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return answer;
}

/* ---- what is found ---- */

TEST(a_file_that_is_not_there_is_told_with_where_it_was_looked_for) {
    char here[300];
    CHECK_CONTAINS(refusal("nothing.so:kp=2"),
                   "there is no file 'nothing.so': looked in 'robots' and in the working "
                   "directory '");
    CHECK_CONTAINS(refusal("nothing.so"), getcwd(here, sizeof here));
    CHECK_CONTAINS(refusal("/nothing.so"), "there is no file '/nothing.so'");
    CHECK_CONTAINS(refusal("nothing.py"), "there is no file 'nothing.py'");
    CHECK_CONTAINS(refusal(""), "the specification of a controller is empty");
    CHECK_CONTAINS(refusal("unix:"), "needs the path of a socket");
}

TEST(the_ending_of_a_library_may_be_left_out) {
    stiction_error error;
    controller_host *h = make_with(library("faulty"), 2, 0, &error);
    CHECK(h != NULL);
    CHECK(strcmp(controller_host_stem(h), "faulty") == 0);
    CHECK_CONTAINS(controller_host_library(h), "/faulty.so");
    controller_host_destroy(h);
    const char *const folders[] = {CONTROLLER_FOLDER};
    CHECK(controller_file_exists("faulty", folders, 1));
    CHECK(controller_file_exists("faulty.so", folders, 1));
    const char *const elsewhere[] = {"robots"};
    CHECK(controller_file_exists(library("faulty.so"), elsewhere, 1));
    const char *const both[] = {"robots", CONTROLLER_FOLDER};
    CHECK(controller_file_exists("faulty", both, 2));
    CHECK(!controller_file_exists("nothing", folders, 1));
    CHECK(!controller_file_exists("", folders, 1));
}

TEST(specifications_may_begin_with_a_body) {
    size_t length;
    CHECK(strcmp(controller_without_body("Arm=pd.so:kp=2", &length), "pd.so:kp=2") == 0);
    CHECK(length == 3);
    CHECK(strcmp(controller_without_body("pd.so:kp=2", &length), "pd.so:kp=2") == 0);
    CHECK(length == 0);
    CHECK(strcmp(controller_without_body("a/b=c.so", &length), "a/b=c.so") == 0 && length == 0);
    CHECK(controller_is_none("none") && !controller_is_none("none.so"));
}

TEST(bodies_get_the_controllers_that_are_chosen_for_them) {
    static const struct {
        const char *specifications[4], *chosen[3], *message; /* of bodies A, AB, C */
    } rows[] = {
        {{NULL}, {NULL, NULL, NULL}, NULL},
        {{"p"}, {"p", "p", "p"}, NULL},
        {{"p", "q", "r"}, {"p", "q", "r"}, NULL},
        {{"AB=q"}, {NULL, "q", NULL}, NULL},
        {{"A=q", "p", "C=r"}, {"q", "p", "r"}, NULL},
        {{"p", "q"}, {NULL}, "2 controllers are given for 3 bodies with joints"},
        {{"D=q"}, {NULL}, "controller 'D=q': there is no body 'D' with joints"},
    };
    static const char *const bodies[] = {"A", "AB", "C"};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        size_t count = 0;
        while (rows[row].specifications[count]) count++;
        const char *chosen[3];
        stiction_error error;
        const stiction_status status =
            controller_choose(rows[row].specifications, count, bodies, 3, chosen, &error);
        CHECK((status == STICTION_OK) == !rows[row].message);
        if (rows[row].message) CHECK_CONTAINS(error.message, rows[row].message);
        for (size_t b = 0; b < 3 && status == STICTION_OK; b++) {
            const char *expected = rows[row].chosen[b];
            CHECK(expected ? chosen[b] && strcmp(chosen[b], expected) == 0 : !chosen[b]);
        }
    }
    const char *chosen[1], *none = "none", *other = "p";
    stiction_error error;
    CHECK(controller_choose(&none, 1, NULL, 0, chosen, &error) == STICTION_OK);
    CHECK(controller_choose(&other, 1, NULL, 0, chosen, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, "controller 'p': no body has joints");
}

TEST(what_is_no_file_is_not_waited_for) {
    const char *names[] = {"pipe.so", "pipe.py"};
    for (size_t k = 0; k < 2; k++) {
        const char *pipe = temporary_file(names[k], "");
        CHECK(unlink(pipe) == 0 && mkfifo(pipe, 0600) == 0);
        CHECK_CONTAINS(refusal(pipe), "cannot be read: it is not a file but a pipe");
        CHECK(unlink(pipe) == 0 && symlink("/dev/zero", pipe) == 0);
        CHECK_CONTAINS(refusal(pipe), "cannot be read: it is not a file but a device");
    }
}

TEST(what_is_no_controller_is_told) {
    CHECK_CONTAINS(refusal("arm.urdf"), "cannot be loaded as a shared library: ");
    CHECK_CONTAINS(refusal(temporary_file("short.so", "")), "cannot be loaded as a shared library");
    CHECK_CONTAINS(refusal(library("without_symbol.so")),
                   "it does not have the symbol 'stiction_controller'");
    CHECK_CONTAINS(refusal(library("other_abi.so")),
                   "its table is of version 42 of the controller ABI, this program's is 1");
    CHECK_CONTAINS(refusal(library("too_small.so")),
                   "its table has 24 bytes and must have at least");
    CHECK_CONTAINS(refusal(library("without_step.so")), "its table has no function 'step'");
    CHECK_CONTAINS(in_process(refusal, library("crash_in_loading.so")),
                   "crashed while it was loaded: segmentation fault (SIGSEGV)");
}

TEST(a_table_of_before_the_optional_functions_is_taken) {
    stiction_error error;
    size_t count;
    double torque;
    OWNED(controller_host) *h = make_with(library("older.so"), 2, 0, &error);
    CHECK(h != NULL);
    CHECK(run(h, 0, 3, &torque, &error) == STICTION_OK);
    controller_host_reset(h);
    CHECK(!controller_host_notes(h, &count) && count == 0);
}

/* ---- create ---- */

TEST(a_controller_that_cannot_be_made_says_why) {
    CHECK(strcmp(refusal_of_word("refuse"), "no gain for 'Arm'\\tof 2") == 0);
    CHECK_CONTAINS(refusal_of_word("refuse_silently"), "it failed without a reason");
    CHECK_CONTAINS(in_process(refusal_of_word, "crash_create"),
                   "it crashed in create: segmentation fault (SIGSEGV)");
    CHECK_CONTAINS(in_process(refusal_of_word, "abort_create"),
                   "it crashed in create: abort (SIGABRT)");
    CHECK_CONTAINS(refusal("posture:kpp=1"), "option 'kpp': there is no such option; the nearest");
    /* an error after some tasks were read */
    char body[300];
    (void)snprintf(body, sizeof body, "whole_body:config=%s",
                   temporary_file("w.yaml", "posture: 1\n"
                                            "tasks: { base: { type: orientation } }\n"
                                            "contacts: { foot: 3 }\n"));
    CHECK_CONTAINS(refusal(body), "contact 'foot': it must be a mapping of keys");
}

TEST(what_it_asks_for_is_checked) {
    CHECK_CONTAINS(refusal_of_word("bad_period"), "its control_period -1 must be finite");
    CHECK_CONTAINS(refusal_of_word("bad_link"), "the Jacobian of link 3; the body has 3, from 0");
    CHECK_CONTAINS(refusal_of_word("no_links"), "asks for 2 Jacobians without naming links");
    CHECK_CONTAINS(refusal_of_word("many_links"), "at most 10000 are possible");
    CHECK_CONTAINS(refusal_of_word("no_records"), "asks for 1 records without their names");
    CHECK_CONTAINS(refusal_of_word("same_records"), "two of its records are called 'twice'");
    CHECK_CONTAINS(refusal_of_word("bad_motion"), "the motion of link 3; the body has 3, from 0");
    CHECK_CONTAINS(refusal_of_word("no_motion"), "the motions of 1 links without their numbers");
    CHECK_CONTAINS(refusal_of_word("start_far"), "joint 'B': its start position is inf");
    CHECK_CONTAINS(refusal_of_word("start_base"), "a start pose of the base, which is fixed");
}

TEST(what_it_asks_for_is_there_and_nothing_else) {
    OWNED(controller_host) *h = make("everything");
    const controller_readings *in = controller_host_readings(h);
    CHECK(in->mass_matrix && in->bias && in->contacts && !in->jacobians);
    controller_host_destroy(h);
    h = make("link");
    in = controller_host_readings(h);
    CHECK(!in->mass_matrix && !in->bias && !in->contacts && in->jacobians && in->jacobians[0]);
    CHECK(controller_host_needs(h)->jacobians[0] == 0 && !in->link_states);
    controller_host_destroy(h);
    h = make("link_state");
    CHECK(controller_host_readings(h)->link_states != NULL);
    controller_host_destroy(h);
    h = make("two_links");
    in = controller_host_readings(h);
    CHECK(in->jacobians[1] - in->jacobians[0] == 6 * 2); /* rows times joints */
}

TEST(options_are_lines_of_which_later_ones_win) {
    stiction_error error;
    const controller_host_def def = {
        .specification = "posture:kp=A:7",
        .extra = (const char *const[]){"kp=9", "target=A:30"},
        .extra_count = 2,
        .setup = {.body = "Arm",
                  .options = "kv=1\nlambda=0",
                  .timestep = T,
                  .joint_count = 2,
                  .joints = joints},
    };
    OWNED(controller_host) *h = controller_host_create(&def, &error);
    CHECK(h != NULL);
    if (!h) return;
    CHECK(strcmp(controller_host_options(h), "kp=A:7 kv=1\nlambda=0 kp=9 target=A:30") == 0);
    double torque[2];
    controller_readings *in = controller_host_readings(h);
    in->mass_matrix[0] = in->mass_matrix[3] = 1;
    step_at(h, 0, torque);
    CHECK_NEAR(torque[0], 9 * 0.5235987755982988,
               1e-12); /* though the first line names the joint */
}

/* ---- a step ---- */

TEST(an_output_is_held_for_its_period) {
    stiction_error error;
    OWNED(controller_host) *h = make("period");
    double torque[2];
    int runs = 0;
    for (int k = 0; k < 12; k++) {
        runs += controller_host_begin(h, k * T);
        CHECK(controller_host_finish(h, torque, &error) == STICTION_OK);
        CHECK_NEAR(torque[0], k / 4 + 1, 0); /* how often it was called */
    }
    CHECK(runs == 3);
    controller_host_reset(h);
    CHECK(controller_host_begin(h, 0));
    CHECK(controller_host_finish(h, torque, &error) == STICTION_OK);
    CHECK_NEAR(torque[0], 1, 0);
    controller_host_destroy(h);
    /* 2.5 steps: 3 and 2 in turns */
    h = make("period_uneven");
    runs = 0;
    for (int k = 0; k < 100; k++) {
        runs += controller_host_begin(h, k * T);
        CHECK(controller_host_finish(h, torque, &error) == STICTION_OK);
    }
    CHECK(runs == 40);
}

TEST(pd_references_become_torques_in_every_step) {
    stiction_error error;
    OWNED(controller_host) *h = make("pd");
    controller_readings *in = controller_host_readings(h);
    double torque[2];
    for (int k = 0; k < 5; k++) {
        in->q[1] = 0.1 * k;
        in->dq[1] = 0.2 * k;
        step_at(h, k * T, torque);
        CHECK_NEAR(torque[1], 20 * (1 - 0.1 * k) + 2 * (0 - 0.2 * k), 1e-12);
        CHECK_NEAR(torque[0], 20, 1e-12);
        CHECK_NEAR(controller_host_targets(h)[1], 0.5, 0);
    }
    controller_host_destroy(h);
    CHECK_CONTAINS(failure("pd_missing"), "joint 'A': its kd at 0 s is not given, or NaN");
    h = make("pd_hard");
    controller_host_readings(h)->q[0] = -10;
    (void)controller_host_begin(h, 0);
    CHECK(controller_host_finish(h, torque, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, "joint 'A': its torque of PD at 0 s is inf, not finite");
}

TEST(interpolated_references_reach_their_value_at_the_end_of_the_period) {
    /* steps 1 to 3 ask for 111 times their number, step 4 for no PD, 5 and 6 again */
    static const double expected[] = {
        111, 111, 111, 111, 138.75, 166.5, 194.25, 222, 249.75, 277.5, 305.25, 333,
        0,   0,   0,   0,   555,    555,   555,    555, 582.75, 610.5, 638.25, 666,
    };
    controller_host *h = make("ramp");
    double torque[2];
    for (int run = 0; run < 2; run++, controller_host_reset(h))
        for (int k = 0; k < 24; k++) {
            step_at(h, k * T, torque);
            CHECK_NEAR(torque[1], expected[k], 1e-9);
        }
    controller_host_destroy(h);
}

TEST(torques_that_are_none_name_joint_and_time) {
    CHECK_CONTAINS(failure("missing"), "joint 'B': its torque at 0 s is not given, or NaN");
    CHECK_CONTAINS(failure("infinite"), "joint 'B': its torque at 0.01 s is -inf, not finite");
    /* that of the last step is not taken for it */
    CHECK_CONTAINS(failure("later"), "joint 'B': its torque at 0.01 s is not given, or NaN");
    CHECK_CONTAINS(failure("mode"), "joint 'B': its mode at 0 s is 7; there are 0 (torque), 1");
}

TEST(an_error_of_a_step_is_its_sentence_with_the_time) {
    CHECK(strcmp(failure("fail"), "at 0.01 s: joint too warm") == 0);
}

TEST(after_a_crash_the_process_calls_no_controller) {
    CHECK_CONTAINS(in_process(failure, "crash_step"),
                   "it crashed in step: segmentation fault (SIGSEGV), at 0.01 s");
    CHECK_CONTAINS(in_process(failure, "abort"), "it crashed in step: abort (SIGABRT), at 0.01 s");
    CHECK_CONTAINS(in_process(failure, "raise"),
                   "it crashed in step: illegal instruction (SIGILL)");
#if defined __x86_64__ && !defined SANITIZED
    CHECK_CONTAINS(in_process(failure, "divide"), "it crashed in step: arithmetic fault (SIGFPE)");
#endif
#ifndef SANITIZED /* which counts stacks in its own way */
    CHECK_CONTAINS(in_process(failure, "recurse"),
                   "it crashed in step: segmentation fault (SIGSEGV)");
#endif
}

TEST(a_controller_cannot_end_the_process) {
    CHECK_CONTAINS(in_process(failure, "exit"), "it crashed in step: it called exit, at 0.01 s");
    CHECK_CONTAINS(in_process(failure, "quick_exit"), "it called exit, at 0.01 s");
    CHECK_CONTAINS(in_process(failure, "thread_exit"),
                   "it crashed in step: it called pthread_exit, at 0.01 s");
}

TEST(an_array_that_was_replaced_is_refused) {
    CHECK_CONTAINS(failure("no_array"), "it replaced an array of its output at 0.01 s");
}

TEST(code_whose_threads_still_run_stays_loaded) {
    controller_host_destroy(make("thread"));
    CHECK_CONTAINS(said, "its threads still run after destroy: it stays loaded");
    (void)nanosleep(&(struct timespec){0, 20000000}, NULL); /* it would have crashed by now */
}

/* Calls what crashes outside of a step, and then steps. */
static const char *failure_after(const char *word) {
    static stiction_error error;
    double torque;
    size_t count = 0;
    controller_host *h = make(word);
    if (run(h, 0, 2, &torque, &error) != STICTION_OK) return "it did not begin";
    controller_host_reset(h);
    const stiction_controller_note *notes = controller_host_notes(h, &count);
    if (strcmp(word, "crash_note") == 0 &&
        (count != 1 || strcmp(notes[0].key, "warning") != 0 || !strstr(notes[0].text, "in note")))
        return "its crash is not a note";
    if (run(h, 2, 3, &torque, &error) == STICTION_OK) return "it went on";
    controller_host_destroy(h);
    return error.message;
}

static const char *warning_of_end(const char *word) {
    said[0] = '\0';
    controller_host_destroy(make(word));
    return said;
}

TEST(a_crash_outside_of_a_step_ends_the_next_one) {
    CHECK_CONTAINS(in_process(failure_after, "crash_reset"), "it crashed in reset");
    CHECK_CONTAINS(in_process(failure_after, "crash_note"), "it crashed in note");
    CHECK_CONTAINS(in_process(warning_of_end, "crash_destroy"),
                   "it crashed in destroy: segmentation fault");
}

static volatile sig_atomic_t outside;

static void note_signal(int number) {
    outside = number;
}

TEST(a_signal_outside_of_a_controller_goes_where_it_went_before) {
    struct sigaction own = {.sa_handler = note_signal}, old, now;
    (void)sigaction(SIGILL, &own, &old);
    controller_host *h = make("nothing");
    (void)raise(SIGILL);
    CHECK(outside == SIGILL);
    controller_host_destroy(h);
    (void)sigaction(SIGILL, &old, &now);
    CHECK(now.sa_handler == note_signal);
    /* outside of a call the process ends as usual */
    const pid_t child = fork();
    if (child == 0) {
        h = make("nothing");
        (void)raise(SIGFPE);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && (!ALLOCATIONS_COUNTED || WIFSIGNALED(status)));
}

TEST(what_the_base_feels_is_told_in_its_own_axes) {
    stiction_error error;
    char specification[500];
    (void)snprintf(specification, sizeof specification, "%s:imu", library("faulty.so"));
    OWNED(controller_host) *h = make_with(specification, 2, 1, &error);
    CHECK(h != NULL);
    controller_readings *in = controller_host_readings(h);
    double torque[2];
    const double half = sqrt(0.5), turned[4] = {half, 0, half, 0}; /* 90 deg about y */
    memcpy(in->rotation, turned, sizeof turned);
    in->angular[2] = 3; /* about the world's z, which is -x of the base */
    in->linear[0] = 1;
    step_at(h, 0, torque);
    const double *records = controller_host_records(h);
    CHECK_NEAR(records[1], -3, 1e-12);
    CHECK_NEAR(records[2], 0, 1e-12); /* gravity is along its x */
    in->linear[0] = 1.02;
    step_at(h, 0.01, torque);
    CHECK_NEAR(records[2], 2, 1e-9); /* the world's x is its z */
    /* upright and at rest it feels what carries it */
    controller_host_reset(h);
    memcpy(in->rotation, (const double[4]){1}, sizeof in->rotation);
    step_at(h, 0, torque);
    CHECK_NEAR(records[2], 9.81, 1e-12);
    /* 120 deg about all three axes: its x is the world's y, its z the world's x */
    controller_host_reset(h);
    for (int k = 0; k < 4; k++) in->rotation[k] = 0.5;
    in->angular[1] = 2;
    step_at(h, 0, torque);
    CHECK_NEAR(records[1], 2, 1e-12);
    CHECK_NEAR(records[2], 0, 1e-12);
}

TEST(a_controller_may_finish) {
    stiction_error error;
    double torque;
    OWNED(controller_host) *h = make("finish");
    CHECK(run(h, 0, 10, &torque, &error) == STICTION_OK && !controller_host_finished(h));
    CHECK(run(h, 10, 12, &torque, &error) == STICTION_OK && controller_host_finished(h));
    controller_host_reset(h);
    CHECK(!controller_host_finished(h));
}

TEST(notes_are_clean_and_end) {
    size_t count;
    stiction_error error;
    double torque;
    OWNED(controller_host) *h = make("nothing");
    CHECK(run(h, 0, 5, &torque, &error) == STICTION_OK);
    const stiction_controller_note *notes = controller_host_notes(h, &count);
    CHECK(count == 4);
    CHECK_NEAR(notes[0].value, 5, 0);
    CHECK(strcmp(notes[2].text, "gr\\xfcn") == 0);
    notes = controller_host_notes(h, &count);
    CHECK(count == 4);
    controller_host_destroy(h);
    h = make("endless");
    (void)controller_host_notes(h, &count);
    CHECK(count == 1000);
}

TEST(a_step_allocates_nothing) {
    static const char *const words[] = {"nothing", "pd", "record", "everything"};
    stiction_error error;
    double torque;
    for (int k = 0; k < 4; k++) {
        OWNED(controller_host) *h = make(words[k]);
        CHECK(run(h, 0, 2, &torque, &error) == STICTION_OK);
        const long before = allocations;
        CHECK(run(h, 2, 100, &torque, &error) == STICTION_OK);
        CHECK(allocations == before);
    }
}

TEST(the_posture_library_is_the_built_in_one_to_the_bit) {
    stiction_error error;
    static const char options[] = "kp=20 kv=2 lambda=1 target=A:30,B:-20 torque_limit=B:1";
    char specification[500];
    for (int floating = 0; floating < 2; floating++) {
        controller_host *hosts[2];
        (void)snprintf(specification, sizeof specification, "posture:%s", options);
        hosts[0] = make_with(specification, 2, floating, &error);
        (void)snprintf(specification, sizeof specification, "%s:%s", POSTURE_LIBRARY, options);
        hosts[1] = make_with(specification, 2, floating, &error);
        CHECK(hosts[0] && hosts[1]);
        CHECK(controller_host_is_built_in(hosts[0]) && !controller_host_is_built_in(hosts[1]));
        double torques[2][2];
        const size_t dof = floating ? 8 : 2;
        for (int k = 0; k < 200; k++) {
            for (int h = 0; h < 2; h++) {
                controller_readings *in = controller_host_readings(hosts[h]);
                for (size_t i = 0; i < dof; i++) {
                    in->bias[i] = 0.1 * (double)i + 0.01 * k;
                    for (size_t j = 0; j < dof; j++)
                        in->mass_matrix[i * dof + j] = i == j ? 2 + 0.1 * (double)i : 0.3;
                }
                for (int i = 0; i < 2; i++) {
                    in->q[i] = sin(0.01 * k + i);
                    in->dq[i] = cos(0.01 * k - i);
                }
                CHECK(controller_host_begin(hosts[h], k * T));
                CHECK(controller_host_finish(hosts[h], torques[h], &error) == STICTION_OK);
            }
            CHECK(memcmp(torques[0], torques[1], sizeof torques[0]) == 0);
            CHECK(fabs(torques[0][0]) > 0);
        }
        for (int h = 0; h < 2; h++) controller_host_destroy(hosts[h]);
    }
}

/* ---- targets ---- */

TEST(targets_are_degrees_or_a_file) {
    static const char *const names[] = {"A", "SLIDE", "B"};
    static const bool prismatic[] = {false, true, false};
    stiction_error error;
    double target[3];
    targets *t = targets_create("A:90,SLIDE:0.2", names, prismatic, 3, &error);
    CHECK(t != NULL);
    targets_at(t, 1, target);
    CHECK_NEAR(target[0], acos(-1) / 2, 1e-12);
    CHECK_NEAR(target[1], 0.2, 1e-12);
    CHECK(isnan(target[2]));
    targets_destroy(t);
    t = targets_create(temporary_file("way.csv", "time,B\n0,1\n2,2\n"), names, prismatic, 3,
                       &error);
    CHECK(t != NULL);
    targets_at(t, 1, target);
    CHECK(isnan(target[0]));
    CHECK_NEAR(target[2], 1.5, 1e-12);
    targets_destroy(t);
    static const struct {
        const char *text, *sentence;
    } wrong[] = {{"C:90", "joint 'C': the robot has no such joint"},
                 {"A:far", "must be a decimal number"},
                 {"90", "must be JOINT:DEGREES,... or a file that ends in .csv or .yaml, not '90'"},
                 {"", "must be JOINT:DEGREES"},
                 {"nothing.csv", "the motion 'nothing.csv' cannot be read"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        CHECK(!targets_create(wrong[k].text, names, prismatic, 3, &error));
        CHECK_CONTAINS(error.message, wrong[k].sentence);
    }
}
