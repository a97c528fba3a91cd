/* SPDX-License-Identifier: MIT
 * Many environments at once: the bits of stiction_step, whatever the number of environments and
 * threads, the order of the arrays, the instruction set, and whoever changes what in between.
 */
#include <float.h>
#include <math.h>

#include "allocations.h"
#include "auto.h"
#include "random_joint.h"
#include "wrist.h"

static const double T = 0.001;

/* A batch and, for each of its environments, a state that ought to do the same. */
typedef struct twin {
    size_t environments, joints, size;
    bool environment_major;
    stiction_model *model;
    stiction_batch *batch;
    stiction_state **states;
    double *velocity, *effort, *torque, *deflection;
} twin;

static size_t place(const twin *t, size_t environment, size_t joint) {
    return t->environment_major ? environment * t->joints + joint
                                : joint * t->environments + environment;
}

static twin twin_of(size_t joints, const stiction_joint_def *defs, size_t environments,
                    bool environment_major, size_t threads) {
    const size_t size = environments * joints;
    twin t = {.environments = environments,
              .joints = joints,
              .size = size,
              .environment_major = environment_major,
              .model = model_of(joints, defs, T),
              .states = calloc(environments + 1, sizeof *t.states),
              .velocity = calloc(size + 1, sizeof *t.velocity),
              .effort = calloc(size + 1, sizeof *t.effort),
              .torque = calloc(size + 1, sizeof *t.torque),
              .deflection = calloc(size + 1, sizeof *t.deflection)};
    stiction_batch_def def = stiction_batch_def_default();
    def.environment_major = environment_major;
    def.threads = threads;
    stiction_error error;
    if (stiction_batch_create(t.model, environments, &def, &t.batch, &error) != STICTION_OK)
        FAIL("%s", error.message);
    for (size_t k = 0; k < environments; k++) t.states[k] = state_of(t.model);
    CHECK(stiction_batch_size(t.batch) == size);
    CHECK(stiction_batch_environment_count(t.batch) == environments);
    return t;
}

static void twin_free(twin *t) {
    stiction_batch_destroy(t->batch);
    for (size_t k = 0; k < t->environments; k++) stiction_state_destroy(t->states[k]);
    stiction_model_destroy(t->model);
    free(t->states);
    free(t->velocity);
    free(t->effort);
    free(t->torque);
    free(t->deflection);
}

static void check_environment(const twin *t, size_t environment, const double *torque) {
    double deflection[32];
    CHECK(stiction_state_get_deflections(t->states[environment], deflection, NULL) == STICTION_OK);
    for (size_t k = 0; k < t->joints; k++) {
        CHECK_SAME(t->torque[place(t, environment, k)], torque[k]);
        CHECK_SAME(t->deflection[place(t, environment, k)], deflection[k]);
        CHECK(stiction_batch_faults(t->batch, environment, k) ==
              stiction_state_faults(t->states[environment], k));
    }
}

/* One step of both, and the same from both. */
static void twin_step(twin *t, double timestep) {
    stiction_error error;
    stiction_input input = stiction_input_default();
    input.timestep = timestep;
    input.velocity = t->velocity;
    input.effort = input.position = input.external_torque = t->effort;
    if (stiction_step_batch_full(t->batch, &input, t->torque, &error) != STICTION_OK)
        FAIL("%s", error.message);
    CHECK(stiction_batch_get_deflections(t->batch, t->deflection, NULL) == STICTION_OK);
    for (size_t n = 0; n < t->environments; n++) {
        double velocity[32], effort[32], torque[32];
        for (size_t k = 0; k < t->joints; k++) {
            velocity[k] = t->velocity[place(t, n, k)];
            effort[k] = t->effort[place(t, n, k)];
        }
        stiction_output output = stiction_output_default();
        input.velocity = velocity;
        input.effort = input.position = input.external_torque = effort;
        output.torque = torque;
        if (stiction_step_full(t->states[n], &input, &output, &error) != STICTION_OK)
            FAIL("%s", error.message);
        check_environment(t, n, torque);
    }
}

static void random_inputs(twin *t, random_source *r) {
    for (size_t k = 0; k < t->size; k++) {
        t->velocity[k] = random_velocity(r);
        t->effort[k] = random_velocity(r);
    }
}

/* A joint whose levels depend on all that there is; `which` as that of random_joint. */
static stiction_joint_def random_drive(random_source *r, size_t which) {
    stiction_joint_def def = random_joint(r, which);
    def.load_motor = random_uniform(r, 0, 0.4);
    def.load_external = random_uniform(r, 0, 1.5);
    def.temperature_level = random_uniform(r, -0.003, 0.003);
    def.temperature_viscous = random_uniform(r, -0.01, 0.02);
    def.thermal_resistance = random_uniform(r, 0, 40);
    def.thermal_time = 1;
    def.ripple = random_uniform(r, 0, 0.3);
    def.ripple_count = 7;
    def.reverse_factor = random_uniform(r, 0.7, 1.4);
    if (random_bits(r) % 2) def.reverse_viscous_factor = random_uniform(r, 0.7, 1.4);
    def.lag = which % 2 ? 0.01 : 0;
    def.damping *= 4;
    def.stiffness = fmax(def.stiffness, def.damping);
    def.presliding_torque[0] = 0.1 * def.coulomb_torque;
    def.presliding_stiffness[0] = 10 * def.stiffness;
    return def;
}

/* Every law there is, and random ones of those that stick. */
static size_t all_laws(random_source *r, stiction_joint_def *defs) {
    size_t count = 0;
    for (stiction_law_info info; stiction_law_info_at(count, &info); count++)
        defs[count] = def_of_law(info.name);
    for (size_t which = 0; which < 8; which++) defs[count++] = random_joint(r, which);
    for (size_t which = 0; which < 4; which++) defs[count++] = random_drive(r, which);
    return count;
}

/* Random steps of a batch and of its states. */
static void compare_steps(size_t joints, const stiction_joint_def *defs, size_t environments,
                          bool environment_major, size_t threads, int steps, random_source *r) {
    AUTO(twin_free) twin t = twin_of(joints, defs, environments, environment_major, threads);
    for (int step = 0; step < steps; step++) {
        random_inputs(&t, r);
        if (step % 8 == 3) t.effort[random_bits(r) % t.size] = (double)INFINITY;
        twin_step(&t, T);
    }
}

TEST(every_law_steps_as_in_a_state) {
    random_source r = {3};
    stiction_joint_def defs[32];
    const size_t count = all_laws(&r, defs);
    static const size_t environments[] = {1, 2, 15, 16, 63, 64, 65, 131};
    for (size_t k = 0; k < 16; k++)
        compare_steps(count, defs, environments[k / 2], k % 2, 1, 20, &r);
}

/* Few environments are one column of all joints, in any order of the arrays. */
TEST(joints_of_one_law_step_as_in_a_state) {
    random_source r = {5};
    stiction_joint_def defs[8];
    for (size_t k = 0; k < 8; k++) defs[k] = def_of_law("stribeck");
    static const size_t environments[] = {1, 2, 4, 15, 16, 131};
    for (size_t k = 0; k < 12; k++)
        compare_steps(8, defs, environments[k / 2], k % 2, 1 + k % 3, 20, &r);
}

TEST(any_number_of_environments_gives_the_same_bits) {
    random_source r = {5};
    for (size_t environments = 1; environments <= 200; environments++) {
        stiction_joint_def defs[3];
        for (size_t k = 0; k < 3; k++) defs[k] = random_joint(&r, k == 2 ? 3 : k);
        compare_steps(3, defs, environments, environments % 2, 1, 4, &r);
    }
}

TEST(any_number_of_threads_gives_the_same_bits) {
    random_source r = {7};
    for (size_t k = 0; k < 24; k++) {
        stiction_joint_def defs[5];
        for (size_t n = 0; n < 5; n++) defs[n] = random_joint(&r, n);
        compare_steps(5, defs, k % 6 < 2 ? 3 : k % 6 < 4 ? 70 : 1000, k % 2, 1 + k / 6, 10, &r);
    }
}

/* So many joints that a step has more parts than threads, which help each other. */
TEST(threads_that_share_parts_give_the_same_bits) {
    enum { environments = 9001, joints = 3, size = environments * joints };
    static double velocity[size], alone[size], together[size];
    random_source r = {9};
    stiction_joint_def defs[joints];
    for (size_t n = 0; n < joints; n++) defs[n] = random_joint(&r, n);
    AUTO(free_model) stiction_model *model = model_of(joints, defs, T);
    for (size_t threads = 2; threads <= 4; threads++) {
        AUTO(free_batch) stiction_batch *one = NULL, *many = NULL;
        stiction_batch_def def = stiction_batch_def_default();
        CHECK(stiction_batch_create(model, environments, &def, &one, NULL) == STICTION_OK);
        def.threads = threads;
        CHECK(stiction_batch_create(model, environments, &def, &many, NULL) == STICTION_OK);
        for (int step = 0; step < 10; step++) {
            for (size_t k = 0; k < size; k++) velocity[k] = random_velocity(&r);
            CHECK(stiction_step_batch(one, T, velocity, alone, NULL) == STICTION_OK);
            CHECK(stiction_step_batch(many, T, velocity, together, NULL) == STICTION_OK);
            CHECK(memcmp(alone, together, sizeof alone) == 0);
        }
    }
}

TEST(rest_and_motion_follow_each_other) {
    random_source r = {11};
    stiction_joint_def defs[3];
    for (size_t k = 0; k < 3; k++) defs[k] = random_joint(&r, k == 2 ? 3 : k);
    AUTO(twin_free) twin t = twin_of(3, defs, 200, false, 1);
    /* whole blocks that stick, some that slide, both in one */
    for (int step = 0; step < 60; step++) {
        for (size_t k = 0; k < t.size; k++)
            t.velocity[k] = (k / 64 + (size_t)step / 10) % 3 ? 0 : random_velocity(&r);
        twin_step(&t, T);
    }
}

TEST(velocities_that_are_not_usable_are_faults_of_their_joint_only) {
    static const double bad[] = {(double)NAN, -(double)NAN, (double)INFINITY, -(double)INFINITY,
                                 DBL_MAX,     -DBL_MAX,     0x1p-1074,        -0.0};
    random_source r = {13};
    for (size_t k = 0; k < 4; k++) {
        stiction_joint_def defs[4];
        for (size_t n = 0; n < 4; n++) defs[n] = random_joint(&r, n);
        defs[0].viscous = defs[1].viscous = 0;
        AUTO(twin_free) twin t = twin_of(4, defs, k < 2 ? 5 : 150, k % 2, 1 + k % 2);
        for (int step = 0; step < 20; step++) {
            random_inputs(&t, &r);
            for (size_t n = 0; n < t.size; n++)
                if (random_bits(&r) % 16 == 0) t.velocity[n] = bad[random_bits(&r) % 8];
            twin_step(&t, T);
            for (size_t n = 0; n < t.size; n++) CHECK(isfinite(t.torque[n]));
        }
        uint64_t faults = 0;
        for (size_t n = 0; n < t.environments; n++)
            faults += stiction_state_total_faults(t.states[n]);
        CHECK(faults > 0 && stiction_batch_total_faults(t.batch) == faults);
    }
}

TEST(time_step_may_change_and_an_illegal_one_changes_nothing) {
    random_source r = {17};
    stiction_joint_def defs[2] = {wrist_def(), def_of_law("rational")};
    defs[0].stiffness = 2e4;
    defs[0].damping = 20;
    AUTO(twin_free) twin t = twin_of(2, defs, 40, false, 1);
    stiction_joint_def own = wrist_def();
    own.damping = 60;
    CHECK(stiction_batch_set_joint(t.batch, 3, 1, &own, NULL) == STICTION_OK);
    CHECK(stiction_state_set_joint(t.states[3], 1, &own, NULL) == STICTION_OK);
    for (int step = 0; step < 30; step++) {
        random_inputs(&t, &r);
        twin_step(&t, step % 3 ? T : 0.002);
    }
    stiction_error error;
    double torque[80];
    for (size_t k = 0; k < 80; k++) torque[k] = 1;
    CHECK_REFUSED(stiction_step_batch(t.batch, 1e-5, t.velocity, torque, &error),
                  STICTION_ILLEGAL_TIMESTEP, error, "joint 'J0'");
    for (size_t k = 0; k < 80; k++) CHECK(torque[k] == 0);
    twin_step(&t, T);
}

/* As far as a bristle can bend, at the shortest and longest time steps: finite, and the bits of the
 * single joint, which there steps another way. */
TEST(the_largest_deflections_step_as_those_of_a_state) {
    random_source r = {19};
    stiction_joint_def defs[3] = {def_of_law("rational"), def_of_law("coulomb"), wrist_def()};
    for (size_t k = 0; k < 3; k++) defs[k].stiffness = 1e-20;
    defs[1].damping = 0;
    defs[1].viscous = 0;
    AUTO(twin_free) twin t = twin_of(3, defs, 20, false, 1);
    double far[3] = {0x1p410 / 1e-20, -0x1p410 / 1e-20, 1e130};
    for (size_t k = 0; k < t.size; k++) t.deflection[k] = far[k / 20];
    CHECK(stiction_batch_set_deflections(t.batch, t.deflection, NULL) == STICTION_OK);
    for (size_t n = 0; n < 20; n++)
        CHECK(stiction_state_set_deflections(t.states[n], far, NULL) == STICTION_OK);
    static const double steps[] = {T, 1e30, 1e-20, 0.1, 1e10};
    for (int step = 0; step < 30; step++) {
        random_inputs(&t, &r);
        for (size_t k = 0; k < t.size; k++)
            if (random_bits(&r) % 3 == 0) t.velocity[k] = step % 2 ? 0x1p300 : -0x1p300;
        twin_step(&t, steps[step % 5]);
        for (size_t k = 0; k < t.size; k++) CHECK(isfinite(t.torque[k]));
    }
    CHECK(stiction_batch_total_faults(t.batch) == 0);
    stiction_error error;
    t.deflection[25] = nextafter(far[1], -DBL_MAX);
    CHECK_REFUSED(stiction_batch_set_deflections(t.batch, t.deflection, &error),
                  STICTION_INVALID_ARGUMENT, error, "joint 'J1' of environment 5: deflection -2.6");
    CHECK_CONTAINS(error.message, "in its memory must be from");
    for (size_t k = 0; k < t.size; k++) t.torque[k] = 1;
    CHECK_REFUSED(stiction_step_batch(t.batch, 1e-250, t.velocity, t.torque, &error),
                  STICTION_INVALID_ARGUMENT, error, "time step 1e-250 must be at least 1e-30 s");
    for (size_t k = 0; k < t.size; k++) CHECK(t.torque[k] == 0);
}

TEST(each_environment_may_have_joints_of_its_own) {
    random_source r = {19};
    for (size_t k = 0; k < 4; k++) {
        stiction_joint_def defs[4];
        for (size_t n = 0; n < 4; n++) defs[n] = random_joint(&r, n);
        AUTO(twin_free) twin t = twin_of(4, defs, k < 2 ? 3 : 100, k % 2, 1);
        for (int step = 0; step < 60; step++) {
            random_inputs(&t, &r);
            twin_step(&t, T);
            /* mostly the same law with other parameters, then another law, then a reference model
             */
            const size_t joint = random_bits(&r) % 4, n = random_bits(&r) % t.environments;
            stiction_joint_def def = random_joint(&r, step < 30 ? joint : random_bits(&r) % 4);
            if (step % 10 == 9) def = def_of_law(step % 20 == 9 ? "karnopp" : "lugre");
            CHECK(stiction_batch_set_joint(t.batch, n, joint, &def, NULL) == STICTION_OK);
            CHECK(stiction_state_set_joint(t.states[n], joint, &def, NULL) == STICTION_OK);
            stiction_joint_def now = stiction_joint_def_default();
            CHECK(stiction_batch_joint(t.batch, n, joint, &now, NULL) == STICTION_OK);
            CHECK(strcmp(now.law, def.law) == 0 && now.coulomb_torque == def.coulomb_torque);
        }
    }
}

TEST(reset_of_one_environment_leaves_the_others) {
    random_source r = {23};
    stiction_joint_def defs[2] = {wrist_def(), def_of_law("lugre")};
    AUTO(twin_free) twin t = twin_of(2, defs, 20, true, 1);
    random_inputs(&t, &r);
    t.velocity[0] = (double)NAN;
    twin_step(&t, T);
    CHECK(stiction_batch_reset_environment(t.batch, 0, NULL) == STICTION_OK);
    CHECK(stiction_state_reset(t.states[0], NULL) == STICTION_OK);
    CHECK(stiction_batch_total_faults(t.batch) == 0);
    random_inputs(&t, &r);
    twin_step(&t, T);
    CHECK(stiction_batch_reset(t.batch, NULL) == STICTION_OK);
    for (size_t n = 0; n < 20; n++) CHECK(stiction_state_reset(t.states[n], NULL) == STICTION_OK);
    random_inputs(&t, &r);
    twin_step(&t, T);
}

TEST(deflections_can_be_set) {
    random_source r = {29};
    stiction_joint_def defs[3] = {wrist_def(), def_of_law("dahl"), def_of_law("coulomb")};
    for (size_t k = 0; k < 2; k++) {
        AUTO(twin_free) twin t = twin_of(3, defs, 30, k, 1);
        for (size_t n = 0; n < t.size; n++) t.deflection[n] = 1e-4 * random_uniform(&r, -1, 1);
        CHECK(stiction_batch_set_deflections(t.batch, t.deflection, NULL) == STICTION_OK);
        for (size_t n = 0; n < t.environments; n++) {
            double deflection[3];
            for (size_t j = 0; j < 3; j++) deflection[j] = t.deflection[place(&t, n, j)];
            CHECK(stiction_state_set_deflections(t.states[n], deflection, NULL) == STICTION_OK);
        }
        random_inputs(&t, &r);
        twin_step(&t, T);
        stiction_error error;
        t.deflection[place(&t, 7, 1)] = (double)INFINITY;
        CHECK_REFUSED(stiction_batch_set_deflections(t.batch, t.deflection, &error),
                      STICTION_INVALID_ARGUMENT, error,
                      "joint 'J1' of environment 7: deflection inf");
    }
}

TEST(errors_are_reported) {
    stiction_joint_def defs[1] = {wrist_def()};
    AUTO(free_model) stiction_model *model = model_of(1, defs, T);
    stiction_batch_def def = stiction_batch_def_default();
    AUTO(free_batch) stiction_batch *batch = NULL;
    stiction_error error;
    def.threads = 0;
    CHECK_REFUSED(stiction_batch_create(model, 4, &def, &batch, &error), STICTION_INVALID_ARGUMENT,
                  error, "0 threads: must be from 1 to 1024");
    def.size = 0;
    CHECK(stiction_batch_create(model, 4, &def, &batch, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_batch_create(model, SIZE_MAX, NULL, &batch, &error) == STICTION_OUT_OF_MEMORY);
    CHECK(batch == NULL);

    CHECK(stiction_batch_create(model, 4, NULL, &batch, &error) == STICTION_OK);
    double velocity[4] = {0}, torque[4];
    CHECK(stiction_step_batch(batch, 0, velocity, torque, &error) == STICTION_INVALID_ARGUMENT);
    CHECK_REFUSED(stiction_batch_reset_environment(batch, 4, &error), STICTION_INVALID_ARGUMENT,
                  error, "there is no environment 4; the batch has 4");
    CHECK_REFUSED(stiction_batch_set_joint(batch, 0, 1, defs, &error), STICTION_INVALID_ARGUMENT,
                  error, "there is no joint 1; the model has 1");
    stiction_joint_def karnopp = def_of_law("karnopp");
    CHECK(stiction_batch_set_joint(batch, 1, 0, &karnopp, &error) == STICTION_OK);
    CHECK_REFUSED(stiction_step_batch(batch, T, velocity, torque, &error),
                  STICTION_INVALID_ARGUMENT, error, "effort");
    CHECK(stiction_batch_set_joint(batch, 1, 0, defs, &error) == STICTION_OK);
    CHECK(stiction_step_batch(batch, T, velocity, torque, &error) == STICTION_OK);
    defs[0].damping = -1;
    CHECK(stiction_batch_set_joint(batch, 1, 0, defs, &error) == STICTION_INVALID_CONFIG);
    CHECK(stiction_step_batch(batch, T, velocity, torque, &error) == STICTION_OK);
    stiction_batch_destroy(batch);
    stiction_batch_destroy(NULL);

    CHECK(stiction_batch_create(model, 0, NULL, &batch, &error) == STICTION_OK);
    CHECK(stiction_step_batch(batch, T, velocity, torque, &error) == STICTION_OK);
}

TEST(steps_allocate_nothing) {
    random_source r = {31};
    stiction_joint_def defs[32];
    const size_t count = all_laws(&r, defs);
    AUTO(twin_free) twin t = twin_of(count, defs, 70, true, 2);
    stiction_input input = stiction_input_default();
    input.velocity = t.velocity;
    input.effort = input.position = input.external_torque = t.effort;
    CHECK(!ALLOCATIONS_COUNTED || allocations > 0); /* the counter counts */
    const long before = allocations;
    for (int step = 0; step < 100; step++) {
        random_inputs(&t, &r);
        t.velocity[step] = (double)NAN;
        input.timestep = step % 10 ? T : 0.002;
        CHECK(stiction_step_batch_full(t.batch, &input, t.torque, NULL) == STICTION_OK);
    }
    const long counted = allocations - before;
    if (counted) FAIL("%ld allocations in 100 steps", counted);
}
