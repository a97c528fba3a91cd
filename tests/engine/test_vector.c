/* SPDX-License-Identifier: MIT
 * Many engines that step together: the bits of single engines for any number of threads, each with
 * its own draws; one fails alone and is reset alone; a child process continues.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../capi/document/auto.h"
#include "check.h"
#include "stiction/engine.h"
#include "temporary.h"

OWNS(stiction_engine, stiction_engine_destroy)
OWNS(stiction_vector, stiction_vector_destroy)

enum { environments = 7 };

static const char arm7[] = "../sample_projects/arm7/arm7.cnoid";
static const char wrist[] = "../sample_projects/wrist/wrist.cnoid";
static const char floater[] = "robots/floater.urdf";
static const char random_arm[] =
    "stiction: 1\nseed: 40\ncoupling: auto\njoints:\n  \"J*\": {law: stribeck, static_torque: "
    "{uniform: [2, 3]}, coulomb_torque: 1, stribeck_velocity: 0.05, viscous: {normal: [1, 0.1]}, "
    "stiffness: 5000, damping: 20}\n";

static const char *const no_controller = "none";

static stiction_engine_def definition(const char *configuration) {
    stiction_engine_def def = stiction_engine_def_default();
    def.configuration = configuration;
    def.controllers = &no_controller;
    def.controller_count = 1;
    def.interval = (double)NAN;
    return def;
}

static stiction_vector *create(const char *path, const stiction_engine_def *def, size_t threads) {
    stiction_vector *v;
    stiction_error error;
    if (stiction_vector_create(path, def, environments, threads, &v, &error) != STICTION_OK) {
        FAIL("%s: %s", path, error.message);
        exit(EXIT_FAILURE);
    }
    return v;
}

static stiction_vector_arrays look(const stiction_vector *v) {
    stiction_vector_arrays arrays = stiction_vector_arrays_default();
    stiction_vector_look(v, &arrays);
    return arrays;
}

/* Of environment e in a call, each another. */
static double torque_of(size_t e, size_t joint, int call) {
    return 4 * sin(0.7 * (double)e + 1.3 * (double)joint + 0.11 * call);
}

static void step_vector(stiction_vector *v, size_t joints, int calls) {
    double torque[environments * 16];
    stiction_error error;
    for (int call = 0; call < calls; call++) {
        for (size_t k = 0; k < environments * joints; k++)
            torque[k] = torque_of(k / joints, k % joints, call);
        CHECK(stiction_vector_step(v, torque, 5, &error) == STICTION_OK);
    }
}

/* As the environment e of a vector, with the seed that it has. */
static stiction_engine *run_alone(const char *path, const stiction_engine_def *def, size_t e,
                                  const uint64_t *seed, int calls) {
    stiction_engine *engine;
    stiction_error error;
    double torque[16];
    CHECK(stiction_engine_create(path, def, &engine, &error) == STICTION_OK);
    if (seed) CHECK(stiction_engine_set_seed(engine, *seed, &error) == STICTION_OK);
    for (int call = 0; call < calls; call++)
        for (int held = 0; held < 5; held++) {
            for (size_t k = 0; k < stiction_engine_joint_count(engine); k++)
                torque[k] = torque_of(e, k, call);
            CHECK(stiction_engine_step(engine, torque, &error) == STICTION_OK);
        }
    return engine;
}

static void compare(const stiction_engine *one, const stiction_vector *v, size_t e) {
    const stiction_vector_arrays arrays = look(v);
    const size_t joints = stiction_engine_joint_count(one);
    stiction_engine_friction friction = stiction_engine_friction_default();
    double base[13];
    stiction_error error;
    stiction_engine_look(one, &friction);
    for (size_t k = 0; k < joints; k++) {
        CHECK_SAME(arrays.q[e * joints + k], stiction_engine_q(one)[k]);
        CHECK_SAME(arrays.dq[e * joints + k], stiction_engine_dq(one)[k]);
        CHECK_SAME(arrays.command[e * joints + k], stiction_engine_command(one)[k]);
        CHECK_SAME(arrays.torque[e * joints + k], friction.torque[k]);
        CHECK_SAME(arrays.dissipated_energy[e * joints + k], friction.dissipated_energy[k]);
        CHECK(arrays.slipping[e * joints + k] == friction.slipping[k]);
    }
    CHECK(stiction_engine_base(one, 0, base, &error) == STICTION_OK);
    const size_t bodies = stiction_engine_body_count(one);
    for (size_t k = 0; k < 13; k++) CHECK_SAME(arrays.base[13 * bodies * e + k], base[k]);
    CHECK_SAME(arrays.time[e], stiction_engine_time(one));
}

static void compare_runs(const char *path, const stiction_engine_def *def, size_t joints,
                         const uint64_t *first_seed) {
    for (size_t threads = 1; threads <= 3; threads++) {
        OWNED(stiction_vector) *v = create(path, def, threads);
        CHECK(stiction_engine_joint_count(stiction_vector_engine(v, 0)) == joints);
        step_vector(v, joints, 40);
        for (size_t e = 0; e < environments; e += 3) {
            const uint64_t seed = first_seed ? *first_seed + e : 0;
            OWNED(stiction_engine) *one = run_alone(path, def, e, first_seed ? &seed : NULL, 40);
            compare(one, v, e);
        }
    }
}

TEST(an_environment_has_the_bits_of_an_engine_of_its_own) {
    const uint64_t seed = 40;
    const char *const rk4 = "integrator=rk4";
    stiction_engine_def def = definition(NULL);
    compare_runs(arm7, &def, 7, NULL);
    def.settings = &rk4;
    def.setting_count = 1;
    compare_runs(wrist, &def, 1, NULL);
    def = definition(temporary_file("random.yaml", random_arm));
    compare_runs(arm7, &def, 7, &seed);
    def = definition(NULL);
    def.floor = true;
    compare_runs(floater, &def, 1, NULL);
}

TEST(each_environment_draws_its_own_friction) {
    const stiction_engine_def def = definition(temporary_file("random.yaml", random_arm));
    OWNED(stiction_vector) *v = create(arm7, &def, 2);
    stiction_error error;
    uint64_t seed;
    for (size_t e = 0; e < environments; e++) {
        CHECK(stiction_engine_seed(stiction_vector_engine(v, e), &seed) && seed == 40 + e);
        for (size_t other = 0; other < e; other++)
            CHECK(stiction_engine_parameter(stiction_vector_engine(v, e), 0, "static_torque") !=
                  stiction_engine_parameter(stiction_vector_engine(v, other), 0, "static_torque"));
    }
    stiction_engine *third = stiction_vector_engine(v, 2);
    CHECK(stiction_engine_set_seed(third, 44, &error) == STICTION_OK);
    CHECK_SAME(stiction_engine_parameter(third, 0, "static_torque"),
               stiction_engine_parameter(stiction_vector_engine(v, 4), 0, "static_torque"));
    stiction_vector_destroy(v);
    const stiction_engine_def fixed = definition(NULL);
    v = create(arm7, &fixed, 1);
    CHECK(!stiction_engine_seed(stiction_vector_engine(v, 0), &seed));
    CHECK(stiction_engine_set_seed(stiction_vector_engine(v, 0), 1, &error) != STICTION_OK &&
          strstr(error.message, "nothing is drawn"));
}

TEST(one_environment_is_reset_alone) {
    const stiction_engine_def def = definition(NULL);
    OWNED(stiction_vector) *v = create(arm7, &def, 2);
    stiction_error error;
    step_vector(v, 7, 10);
    const double before = look(v).q[7];
    CHECK(stiction_engine_reset(stiction_vector_engine(v, 0), &error) == STICTION_OK);
    CHECK_SAME(look(v).q[0], 0);
    CHECK_SAME(look(v).time[0], 0);
    CHECK_SAME(look(v).q[7], before);
    CHECK_NEAR(look(v).time[1], 0.05, 1e-12);
    CHECK(stiction_vector_reset(v, &error) == STICTION_OK);
    CHECK_SAME(look(v).time[1], 0);
    step_vector(v, 7, 10); /* as in a new one */
    CHECK_SAME(look(v).q[7], before);
}

TEST(one_environment_fails_alone) {
    const stiction_engine_def def = definition(NULL);
    for (size_t threads = 1; threads <= 3; threads += 2) {
        OWNED(stiction_vector) *v = create(wrist, &def, threads);
        double torque[environments] = {1, 1, 1, 1e300, 1, 1e300, 1};
        stiction_error error;
        CHECK(stiction_vector_step(v, torque, 3, &error) != STICTION_OK);
        CHECK(strstr(error.message, "environment 3: the simulation diverged"));
        for (size_t e = 0; e < environments; e++) {
            CHECK(look(v).failed[e] == (e == 3 || e == 5));
            if (e != 3 && e != 5) CHECK_NEAR(look(v).time[e], 0.003, 1e-12);
        }
        torque[3] = torque[5] = 1;
        CHECK(stiction_vector_step(v, torque, 1, &error) == STICTION_OK);
        CHECK(look(v).failed[3]);
        CHECK(stiction_engine_reset(stiction_vector_engine(v, 3), &error) == STICTION_OK);
        CHECK(!look(v).failed[3] && look(v).failed[5]);
        CHECK(stiction_vector_step(v, torque, 1, &error) == STICTION_OK);
        CHECK_NEAR(look(v).time[3], 0.001, 1e-12);
    }
}

TEST(a_wrong_torque_is_refused_before_any_step) {
    const stiction_engine_def def = definition(NULL);
    OWNED(stiction_vector) *v = create(arm7, &def, 2);
    double torque[environments * 7] = {0};
    stiction_error error;
    torque[7 * 4 + 2] = (double)NAN;
    CHECK(stiction_vector_step(v, torque, 1, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(strstr(error.message, "environment 4: joint 'J3': the torque is "));
    for (size_t e = 0; e < environments; e++) CHECK_SAME(look(v).time[e], 0);
    CHECK(stiction_vector_step(v, torque, 0, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(!stiction_vector_engine(v, environments));
}

TEST(what_cannot_be_made_is_refused) {
    const char *const frictionloss = "friction=frictionloss";
    stiction_engine_def def = definition(NULL);
    stiction_vector *v;
    stiction_error error;
    CHECK(stiction_vector_create(wrist, &def, 0, 1, &v, &error) == STICTION_INVALID_ARGUMENT && !v);
    CHECK(stiction_vector_create(wrist, &def, 1, 0, &v, &error) == STICTION_INVALID_ARGUMENT && !v);
    CHECK(stiction_vector_create("absent.urdf", &def, 2, 2, &v, &error) != STICTION_OK && !v);
    CHECK(strcmp(error.path, "absent.urdf") == 0);
    def.settings = &frictionloss;
    def.setting_count = 1;
    CHECK(stiction_vector_create(wrist, &def, 2, 2, &v, &error) != STICTION_OK && !v);
    CHECK(strstr(error.message, "share one MuJoCo model"));
}

TEST(a_child_process_continues) {
#ifdef __SANITIZE_THREAD__ /* which lets no child start threads */
    return;
#endif
    const stiction_engine_def def = definition(NULL);
    stiction_vector *v = create(arm7, &def, 3);
    step_vector(v, 7, 10);
    const pid_t child = fork();
    if (child == 0) {
        (void)alarm(100); /* ends a child that hangs */
        stiction_error error;
        CHECK(stiction_vector_reset(v, &error) == STICTION_OK);
        step_vector(v, 7, 10);
        stiction_engine *one = run_alone(arm7, &def, 2, NULL, 10);
        compare(one, v, 2);
        stiction_engine_destroy(one);
        stiction_vector_destroy(v);
        _exit(check_failures ? 1 : 0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    step_vector(v, 7, 10);
    stiction_vector_destroy(v);
}
