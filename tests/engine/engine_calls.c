/* SPDX-License-Identifier: MIT
 * Random sequences of calls of the engine, from several threads with engines of their own and,
 * after a fork, in the child. Whatever is called: no call crashes or hangs, a status is one of its
 * kind, what is seen is finite, and a state that was saved goes on with the same bits.
 *
 *     engine_calls --seed 1 --cases 200     run in tests/; each failure prints the seed
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "random.h"
#include "sanitized.h"
#include "stiction/engine.h"

enum { slot_count = 3, thread_count = 3, most_joints = 64, most_dof = most_joints + 6 };

/* ---- engines that are made alike ---- */

typedef struct recipe {
    const char *path, *settings[3];
    bool floor, records;
} recipe;

static const recipe recipes[] = {
    {"../sample_projects/wrist/wrist.cnoid", {NULL}, false, true},
    {"../sample_projects/wrist/wrist.cnoid",
     {"coupling=implicit", "integrator=euler"},
     false,
     false},
    {"../sample_projects/wrist/wrist.cnoid", {"integrator=rk4"}, false, false},
    {"../sample_projects/arm7/arm7.cnoid", {"coupling=auto"}, false, true},
    {"../sample_projects/arm7/arm7.cnoid", {"coupling=implicit", "element=bristle"}, false, false},
    {"../sample_projects/two_link/two_link.cnoid", {NULL}, false, false},
    {"robots/floater.urdf", {NULL}, true, false},
    {"robots/floater.xml", {"timestep=0.004"}, false, true},
    {"robots/arm.body", {"gravity=0"}, true, false},
    {"robots/there_is_no_such_robot.urdf", {NULL}, false, false},
    {"../sample_projects/wrist/wrist.cnoid", {"no_such_key=1"}, false, false},
};
enum { recipe_count = sizeof recipes / sizeof *recipes };

/* The allocator of the address sanitizer hangs in a child that is made while other threads
 * allocate; MJCF is compiled in a child. */
#ifdef SANITIZED
static const bool threads_or_forks = true;
#else
static const bool threads_or_forks = false;
#endif
static bool without_children;

typedef struct slot {
    stiction_engine *engine;
    size_t recipe;
    bool changed; /* by set_parameter: no longer as its recipe says */
    bool over;    /* cannot go on until a reset; its state may be one that no engine takes */
} slot;

/* A saved state. */
typedef struct keepsake {
    char *bytes;
    size_t size, recipe;
    bool changed, over;
} keepsake;

/* One thread's part of a case. */
typedef struct worker {
    uint64_t seed;
    random_source random;
    slot slots[slot_count];
    keepsake kept;
    const char *call; /* the last one */
    const slot *at;   /* the engine that it is for */
    bool failed;
} worker;

static char folder[] = "/tmp/stiction_calls_XXXXXX";

static void fail_worker(worker *w, const char *what) {
    if (!w->failed)
        printf("seed %llu: %s of %s%s: %s\n", (unsigned long long)w->seed, w->call,
               recipes[w->at ? w->at->recipe : 0].path, w->at && w->at->changed ? " (changed)" : "",
               what);
    (void)fflush(stdout);
    w->failed = true;
}

static size_t below(worker *w, size_t count) {
    return (size_t)(random_bits(&w->random) % count);
}

static bool chance(worker *w, double probability) {
    return random_uniform(&w->random, 0, 1) < probability;
}

/* Most are tame, some are what no one should give. */
static double any_number(worker *w) {
    static const double odd[] = {(double)NAN, (double)INFINITY, -1e308, 1e300, 1e-310, -0.0, 1e9};
    return chance(w, 0.03) ? odd[below(w, sizeof odd / sizeof *odd)]
                           : random_uniform(&w->random, -1, 1) * random_decade(&w->random, -3, 1);
}

static void fill(worker *w, double *values, size_t count) {
    for (size_t k = 0; k < count; k++) values[k] = any_number(w);
}

/* True: OK. */
static bool note(worker *w, stiction_status status, const stiction_error *error) {
    if ((int)status < STICTION_OK || status > STICTION_OUT_OF_MEMORY)
        fail_worker(w, "a status that does not exist");
    if (status == STICTION_OUT_OF_MEMORY) fail_worker(w, "out of memory");
    if (status != STICTION_OK && (error->status != status || !error->message[0] ||
                                  !memchr(error->message, 0, sizeof error->message)))
        fail_worker(w, "an error without a message");
    return status == STICTION_OK;
}

/* Of a step. */
static void note_step(worker *w, slot *s, stiction_status status, const stiction_error *error) {
    if (!note(w, status, error) && status != STICTION_INVALID_ARGUMENT) s->over = true;
    if (s->over && status == STICTION_OK) fail_worker(w, "a step after the end");
}

static void look(worker *w, const slot *s) {
    if (!s->engine) return;
    const double time = stiction_engine_time(s->engine);
    if (!(time >= 0 && isfinite(time))) fail_worker(w, "a time that is not finite");
    stiction_engine_friction friction = stiction_engine_friction_default();
    stiction_engine_look(s->engine, &friction);
    for (size_t k = 0; k < stiction_engine_joint_count(s->engine); k++) {
        if (!isfinite(stiction_engine_q(s->engine)[k]) ||
            !isfinite(stiction_engine_dq(s->engine)[k]))
            fail_worker(w, "a position or velocity that is not finite");
        if (friction.torque && !isfinite(friction.torque[k]))
            fail_worker(w, "friction that is not finite");
    }
}

/* ---- calls ---- */

static void call_create(worker *w, slot *s) {
    stiction_engine_def def = stiction_engine_def_default();
    stiction_error error;
    stiction_engine_destroy(s->engine);
    *s = (slot){.recipe = below(w, recipe_count)};
    if (without_children && strstr(recipes[s->recipe].path, ".xml")) s->recipe = 0;
    const recipe *r = &recipes[s->recipe];
    while (def.setting_count < 3 && r->settings[def.setting_count]) def.setting_count++;
    def.settings = r->settings;
    def.floor = r->floor;
    def.interval = r->records ? 0.001 : (double)NAN;
    const bool made = note(w, stiction_engine_create(r->path, &def, &s->engine, &error), &error);
    if (made != (s->engine != NULL)) fail_worker(w, "an engine and an error");
    if (made && s->recipe >= recipe_count - 2) fail_worker(w, "an engine from nothing");
    if (!made && s->recipe < recipe_count - 2) fail_worker(w, error.message);
}

static void call_destroy(worker *w, slot *s) {
    (void)w;
    stiction_engine_destroy(s->engine);
    s->engine = NULL;
}

static void call_step(worker *w, slot *s) {
    double torque[most_joints];
    stiction_error error;
    const size_t count = stiction_engine_joint_count(s->engine);
    for (size_t steps = below(w, 20); steps > 0; steps--) {
        fill(w, torque, count);
        note_step(w, s, stiction_engine_step(s->engine, chance(w, 0.2) ? NULL : torque, &error),
                  &error);
    }
}

static void call_run(worker *w, slot *s) {
    stiction_error error;
    const double ahead[] = {0.01, 0.003, -1, 0};
    const double until = stiction_engine_time(s->engine) + ahead[below(w, 4)];
    note_step(w, s, stiction_engine_run(s->engine, until, &error), &error);
}

static void call_reset(worker *w, slot *s) {
    stiction_error error;
    if (!note(w, stiction_engine_reset(s->engine, &error), &error)) fail_worker(w, error.message);
    s->over = false;
    if (stiction_engine_time(s->engine) != 0) fail_worker(w, "a start that is not at 0");
}

static void call_set_joints(worker *w, slot *s) {
    double q[most_joints], dq[most_joints];
    stiction_error error;
    fill(w, q, most_joints);
    fill(w, dq, most_joints);
    (void)note(w,
               stiction_engine_set_joints(s->engine, chance(w, 0.2) ? NULL : q,
                                          chance(w, 0.2) ? NULL : dq, &error),
               &error);
}

static void call_set_base(worker *w, slot *s) {
    double base[13];
    stiction_error error;
    fill(w, base, 13);
    (void)note(w, stiction_engine_set_base(s->engine, below(w, 3), base, &error), &error);
}

static void call_set_targets(worker *w, slot *s) {
    double target[most_joints];
    stiction_error error;
    fill(w, target, most_joints);
    (void)note(w, stiction_engine_set_targets(s->engine, target, &error), &error);
}

static void call_set_parameter(worker *w, slot *s) {
    static const char *const keys[] = {
        "static_torque",     "coulomb_torque",    "viscous", "stiffness",
        "damping",           "stribeck_velocity", "lag",     "ripple",
        "presliding_torque", "no_such_key",       ""};
    static const char *const joints[] = {"*", "J*", "", "[", "no such joint"};
    const char *key = keys[below(w, sizeof keys / sizeof *keys)];
    const size_t joint = below(w, stiction_engine_joint_count(s->engine) + 1);
    const char *name = stiction_engine_joint_name(s->engine, joint);
    stiction_error error;
    if (!name || chance(w, 0.3)) name = joints[below(w, sizeof joints / sizeof *joints)];
    const double before = stiction_engine_parameter(s->engine, joint, key);
    const double value =
        chance(w, 0.5) ? before * random_uniform(&w->random, 0.8, 1.2) : any_number(w);
    if (note(w, stiction_engine_set_parameter(s->engine, name, key, value, &error), &error))
        s->changed = true;
    else if (isfinite(before) && stiction_engine_parameter(s->engine, joint, key) != before)
        fail_worker(w, "a parameter that was refused and has changed");
}

static void call_save(worker *w, slot *s) {
    stiction_error error;
    const size_t size = stiction_engine_state_size(s->engine);
    free(w->kept.bytes);
    w->kept = (keepsake){malloc(size), size, s->recipe, s->changed, s->over};
    if (stiction_engine_save(s->engine, w->kept.bytes, size - 1, &error) == STICTION_OK)
        fail_worker(w, "a state in a buffer that is too small");
    if (!note(w, stiction_engine_save(s->engine, w->kept.bytes, size, &error), &error))
        fail_worker(w, error.message);
}

/* Also a state of another robot, and a damaged one. */
static void call_restore(worker *w, slot *s) {
    stiction_error error;
    if (!w->kept.bytes) return;
    const size_t at = below(w, w->kept.size);
    const char bit = (char)(chance(w, 0.3) ? 1 << below(w, 8) : 0);
    const size_t size = chance(w, 0.1) ? at : w->kept.size;
    char *copy = malloc(w->kept.size);
    memcpy(copy, w->kept.bytes, w->kept.size);
    copy[at] ^= bit;
    const bool alike =
        s->recipe == w->kept.recipe && !s->changed && !w->kept.changed && !w->kept.over;
    const bool whole = !bit && size == w->kept.size;
    const bool restored = note(w, stiction_engine_restore(s->engine, copy, size, &error), &error);
    if (restored) s->over = false;
    if (restored && !whole) fail_worker(w, "a damaged state was taken");
    if (!restored && whole && alike) fail_worker(w, error.message);
    free(copy);
}

/* The same steps from a state that was saved, here and in another engine: the same bits. */
static void call_replay(worker *w, slot *s) {
    enum { steps = 12 };
    static const size_t arrays = 3;
    const size_t n = stiction_engine_joint_count(s->engine);
    const uint64_t seed = random_bits(&w->random);
    stiction_error error;
    call_save(w, s);
    if (s->over) return;
    double seen[2][3 * most_joints];
    stiction_status status[2] = {STICTION_OK, STICTION_OK};
    slot *places[2] = {s, s};
    for (size_t k = 0; k < slot_count; k++)
        if (w->slots[k].engine && w->slots[k].recipe == s->recipe && !w->slots[k].changed &&
            !s->changed)
            places[1] = &w->slots[k];
    for (size_t turn = 0; turn < 2; turn++) {
        stiction_engine *e = places[turn]->engine;
        random_source r = {seed};
        if (turn == 1 &&
            !note(w, stiction_engine_restore(e, w->kept.bytes, w->kept.size, &error), &error)) {
            fail_worker(w, error.message);
            return;
        }
        if (turn == 1) places[1]->over = false;
        for (int k = 0; k < steps && status[turn] == STICTION_OK; k++) {
            double torque[most_joints];
            for (size_t j = 0; j < n; j++) torque[j] = random_uniform(&r, -3, 3);
            status[turn] = stiction_engine_step(e, torque, &error);
            places[turn]->over = status[turn] != STICTION_OK;
        }
        stiction_engine_friction friction = stiction_engine_friction_default();
        stiction_engine_look(e, &friction);
        memcpy(seen[turn], stiction_engine_q(e), n * sizeof(double));
        memcpy(seen[turn] + n, stiction_engine_dq(e), n * sizeof(double));
        memcpy(seen[turn] + 2 * n, friction.torque, n * sizeof(double));
    }
    if (status[0] != status[1] || memcmp(seen[0], seen[1], arrays * n * sizeof(double)) != 0)
        fail_worker(w,
                    places[1] == s ? "other bits after a restore" : "other bits in another engine");
}

static void call_write(worker *w, slot *s) {
    static atomic_int number;
    char path[100], command[150];
    stiction_error error;
    (void)snprintf(path, sizeof path, "%s/%d_%d", folder, (int)getpid(), number++);
    if (!note(w, stiction_engine_write(s->engine, path, &error), &error)) return;
    (void)snprintf(command, sizeof command, "%s/summary.json", path);
    if (access(command, R_OK) != 0) fail_worker(w, "results without summary.json");
    if (stiction_engine_write(s->engine, path, &error) == STICTION_OK)
        fail_worker(w, "results in a folder that has some");
}

/* What is only looked at, with numbers that exist and others. */
static void call_look(worker *w, slot *s) {
    const size_t body = below(w, 3), link = below(w, 12), joint = below(w, most_joints);
    stiction_engine_body info = stiction_engine_body_default();
    stiction_controller_link_state state = {.position = {0}};
    stiction_controller_contact contacts[64];
    double numbers[most_dof * most_dof], base[13];
    size_t count;
    stiction_error error;
    stiction_engine *e = s->engine;
    const bool known = stiction_engine_body_at(e, body, &info);
    const bool given[] = {
        note(w, stiction_engine_base(e, body, base, &error), &error),
        note(w, stiction_engine_mass_matrix(e, body, numbers, &error), &error),
        note(w, stiction_engine_bias(e, body, numbers, &error), &error),
        note(w, stiction_engine_contacts(e, body, contacts, &count, &error), &error),
    };
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        if (given[k] != known) fail_worker(w, "a body that is there and is not");
    (void)note(w, stiction_engine_jacobian(e, body, link, numbers, &error), &error);
    (void)note(w, stiction_engine_link_state(e, body, link, &state, &error), &error);
    (void)stiction_engine_link_name(e, body, link);
    (void)stiction_engine_figure(e, joint, chance(w, 0.5) ? "final_position" : "nothing");
    (void)stiction_engine_warning(e, below(w, 3));
    if ((stiction_engine_joint_name(e, joint) != NULL) != (joint < stiction_engine_joint_count(e)))
        fail_worker(w, "a joint that is there and is not");
}

static const struct {
    const char *name;
    void (*call)(worker *w, slot *s);
    double weight;
} calls[] = {
    {"create", call_create, 0.4},
    {"destroy", call_destroy, 0.2},
    {"step", call_step, 3},
    {"run", call_run, 1},
    {"reset", call_reset, 0.5},
    {"set_joints", call_set_joints, 1},
    {"set_base", call_set_base, 0.7},
    {"set_targets", call_set_targets, 0.5},
    {"set_parameter", call_set_parameter, 1},
    {"save", call_save, 1},
    {"restore", call_restore, 1.5},
    {"replay", call_replay, 1},
    {"write", call_write, 0.3},
    {"look", call_look, 1},
};
enum { call_count = sizeof calls / sizeof *calls };

static void call_something(worker *w) {
    slot *s = &w->slots[below(w, slot_count)];
    double weights = 0;
    for (size_t k = 0; k < call_count; k++) weights += calls[k].weight;
    double at = random_uniform(&w->random, 0, weights);
    size_t chosen = 0;
    while (chosen + 1 < call_count && at >= calls[chosen].weight) at -= calls[chosen++].weight;
    w->call = calls[s->engine ? chosen : 0].name;
    w->at = s;
    calls[s->engine ? chosen : 0].call(w, s);
    look(w, s);
}

static void begin_worker(worker *w, uint64_t seed) {
    *w = (worker){.seed = seed, .random = {seed}};
}

static void end_worker(worker *w) {
    for (size_t k = 0; k < slot_count; k++) stiction_engine_destroy(w->slots[k].engine);
    free(w->kept.bytes);
}

/* ---- a case ---- */

enum { call_most = 60 };

static void *run_worker(void *context) {
    worker *w = context;
    for (int k = 0; k < call_most && !w->failed; k++) call_something(w);
    return NULL;
}

/* A child with the engines of this worker, while other threads are at work. */
static bool fork_and_go_on(worker *w) {
    enum { most_seconds = 120 };
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        for (int k = 0; k < 15 && !w->failed; k++) call_something(w);
        _exit(w->failed ? 1 : 0);
    }
    int status = 0;
    for (int k = 0; k < most_seconds * 100; k++) {
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    (void)kill(child, SIGKILL);
    (void)waitpid(child, &status, 0);
    w->call = "fork";
    fail_worker(w, "the child hangs");
    return false;
}

/* Every fourth case has threads, and their sequences another end each time: only the calls of one
 * thread are the same in each run. */
static bool run_case(uint64_t seed) {
    worker own, others[thread_count];
    pthread_t threads[thread_count];
    const size_t count = seed % 4 == 0 ? thread_count : 0;
    const bool forks = seed % 2 == 0 && !(count > 0 && threads_or_forks);
    without_children = count > 0 && threads_or_forks;
    bool fine = true;
    for (size_t k = 0; k < count; k++) {
        begin_worker(&others[k], seed + (k + 1) * 1000000000);
        if (pthread_create(&threads[k], NULL, run_worker, &others[k]) != 0) abort();
    }
    begin_worker(&own, seed);
    for (int k = 0; k < call_most && !own.failed; k++) {
        call_something(&own);
        if (forks && k % 12 == 11 && !fork_and_go_on(&own)) {
            own.call = "fork";
            fail_worker(&own, "the child failed");
        }
    }
    for (size_t k = 0; k < count; k++) {
        (void)pthread_join(threads[k], NULL);
        fine = fine && !others[k].failed;
        end_worker(&others[k]);
    }
    end_worker(&own);
    return fine && !own.failed;
}

int main(int count, char **arguments) {
    unsigned long long seed = 1, cases = ROUNDS(60), failed = 0;
    for (int k = 1; k + 1 < count; k += 2) {
        if (strcmp(arguments[k], "--seed") == 0) seed = strtoull(arguments[k + 1], NULL, 10);
        if (strcmp(arguments[k], "--cases") == 0) cases = strtoull(arguments[k + 1], NULL, 10);
    }
    if (!mkdtemp(folder)) return perror(folder), 2;
    for (unsigned long long k = 0; k < cases; k++)
        if (!run_case(seed + k)) failed++;
    char command[100];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) return 2;
    printf("%llu sequences, %llu failed\n", cases, failed);
    return failed ? 1 : 0;
}
