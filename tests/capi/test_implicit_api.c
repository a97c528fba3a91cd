/* SPDX-License-Identifier: MIT
 * Implicit coupling as a host meets it: the same bits from the same inputs, every layout of the
 * mass matrix, no allocation, messages for what is refused, and changes while it runs.
 */
#include "allocations.h"
#include "auto.h"

#include "implicit_robot.h"
#include "stiction/models/law.h"
#include "wrist.h"

enum { joints = 12 };

static void make(implicit_robot *m, uint64_t seed) {
    random_source r = {seed};
    memset(m, 0, sizeof *m);
    m->T = 0.002;
    random_tree_make(&m->tree, &r, joints, -4, 0);
    for (size_t k = 0; k < joints; k++) {
        m->joints[k] = wrist_def();
        m->joints[k].static_torque = random_uniform(&r, 0.5, 2.5);
    }
}

static void start(implicit_robot *m, uint64_t seed, bool rigid) {
    make(m, seed);
    implicit_robot_start(m, implicit_robot_def(m, rigid));
}

/* Forces under which some joints slip and others stick. */
static void push(implicit_robot *m, random_source *r) {
    for (size_t k = 0; k < m->tree.count; k++) m->force[k] = random_uniform(r, -4, 4);
}

/* ---- the same results ---- */

/* The largest difference of the results of two robots; exactly 0 where their bits are the same. */
static double difference(const implicit_robot *a, const implicit_robot *b) {
    double most = 0;
    for (size_t k = 0; k < a->tree.count; k++) {
        most = fmax(most, fabs(a->v[k] - b->v[k]));
        most = fmax(most, fabs(a->friction[k] - b->friction[k]));
        most = fmax(most, fabs(a->slip[k] - b->slip[k]));
        most = fmax(most, fabs(a->deflection[k] - b->deflection[k]));
        most = fmax(most, fabs(a->energy[k] - b->energy[k]));
    }
    return most;
}

static bool have_the_same_bits(const implicit_robot *a, const implicit_robot *b) {
    return memcmp(a->v, b->v, sizeof a->v) == 0 &&
           memcmp(a->friction, b->friction, sizeof a->friction) == 0 &&
           memcmp(a->slip, b->slip, sizeof a->slip) == 0 &&
           memcmp(a->deflection, b->deflection, sizeof a->deflection) == 0 &&
           memcmp(a->energy, b->energy, sizeof a->energy) == 0 &&
           a->output.iterations == b->output.iterations;
}

/* A host may step explicitly in between: what the state remembers is one, wherever it lies. */
TEST(explicit_steps_and_implicit_ones_go_on_from_each_other) {
    AUTO(implicit_robot_free) implicit_robot a, b;
    random_source r = {3}, same = {3};
    start(&a, 3, false);
    start(&b, 3, false);
    const size_t size = stiction_state_buffer_size(a.state);
    void *bytes = malloc(size);
    for (int k = 0; k < 50; k++) {
        double torque[2][joints];
        CHECK(stiction_step(a.state, a.T, a.v, torque[0], NULL) == STICTION_OK);
        CHECK(stiction_step(b.state, b.T, b.v, torque[1], NULL) == STICTION_OK);
        CHECK(memcmp(torque[0], torque[1], sizeof torque[0]) == 0);
        /* the other one is what it saved, and steps from there */
        CHECK(stiction_state_save(b.state, bytes, size, NULL) == STICTION_OK);
        CHECK(stiction_state_restore(b.state, bytes, size, NULL) == STICTION_OK);
        push(&a, &r);
        push(&b, &same);
        implicit_robot_step(&a);
        implicit_robot_step(&b);
        if (!have_the_same_bits(&a, &b)) FAIL("step %d differs", k);
    }
    free(bytes);
}

TEST(a_reset_run_repeats_itself_to_the_bit) {
    for (int rigid = 0; rigid < 2; rigid++) {
        implicit_robot m, first;
        random_source r = {3}, again = {3};
        start(&m, 3, rigid);
        for (int k = 0; k < 200; k++) {
            push(&m, &r);
            implicit_robot_step(&m);
        }
        first = m;
        CHECK(stiction_implicit_steps(m.solver) == 200);
        CHECK(stiction_state_reset(m.state, NULL) == STICTION_OK);
        stiction_implicit_reset(m.solver);
        CHECK(stiction_implicit_steps(m.solver) == 0);
        memset(m.v, 0, sizeof m.v);
        for (int k = 0; k < 200; k++) {
            push(&m, &again);
            implicit_robot_step(&m);
        }
        CHECK(have_the_same_bits(&first, &m));
        implicit_robot_free(&m);
    }
}

static void step_packed(implicit_robot *m) {
    double packed[most_joints * most_joints];
    stiction_error error;
    random_tree_pack(&m->tree, packed);
    if (implicit_robot_try(m, packed, &error) != STICTION_OK) FAIL("%s", error.message);
}

/* Of all kinds of joints: without a static torque, and with levels that change. */
TEST(a_solver_continues_from_its_memory_with_the_same_bits) {
    AUTO(implicit_robot_free) implicit_robot a, b;
    random_source r = {7};
    implicit_robot *const both[] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        make(both[k], 5);
        both[k]->joints[3] = def_of_law("coulomb");
        both[k]->joints[3].static_torque = (double)NAN;
        both[k]->joints[4].law = "none";
        both[k]->joints[5].lag = 0.01;
        both[k]->joints[5].damping = 500;
        stiction_implicit_def def = implicit_robot_def(both[k], false);
        def.constraints_later = true;
        implicit_robot_start(both[k], def);
    }
    const size_t size = stiction_implicit_memory_size(a.solver);
    const size_t of_state = stiction_state_memory_size(a.state);
    AUTO(free_numbers) double *memory = malloc((size + of_state) * sizeof *memory);
    if (!memory) abort();
    for (int k = 0; k < 300; k++) {
        push(&a, &r);
        memcpy(b.force, a.force, sizeof a.force);
        memcpy(b.v, a.v, sizeof a.v);
        /* b remembers nothing but what a writes down */
        CHECK(stiction_implicit_get_memory(a.solver, memory, NULL) == STICTION_OK);
        CHECK(stiction_state_get_memory(a.state, memory + size, NULL) == STICTION_OK);
        stiction_implicit_reset(b.solver);
        CHECK(stiction_state_reset(b.state, NULL) == STICTION_OK);
        CHECK(stiction_implicit_set_memory(b.solver, memory, NULL) == STICTION_OK);
        CHECK(stiction_state_set_memory(b.state, memory + size, NULL) == STICTION_OK);
        implicit_robot_step(&a);
        implicit_robot_step(&b);
        CHECK(have_the_same_bits(&a, &b));
        /* a contact that comes later */
        for (size_t i = 0; i < a.tree.count; i++) a.v[i] += random_uniform(&r, -1e-3, 1e-3);
    }
    stiction_error error;
    memory[3] = (double)NAN;
    CHECK_REFUSED(stiction_implicit_set_memory(b.solver, memory, &error), STICTION_INVALID_ARGUMENT,
                  error, "steps cannot produce");
    CHECK_REFUSED(stiction_implicit_set_memory(NULL, memory, &error), STICTION_INVALID_ARGUMENT,
                  error, "NULL");
}

TEST(the_layout_of_the_mass_matrix_does_not_matter) {
    double worst = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        AUTO(implicit_robot_free) implicit_robot along, dense, packed;
        random_source r = {seed};
        const bool rigid = seed % 2;
        start(&along, seed, rigid);
        make(&dense, seed);
        make(&packed, seed);
        stiction_implicit_def def = implicit_robot_def(&dense, rigid);
        def.parent = NULL;
        implicit_robot_start(&dense, def);
        def = implicit_robot_def(&packed, rigid);
        def.packed = true;
        implicit_robot_start(&packed, def);
        for (int k = 0; k < 100; k++) {
            push(&along, &r);
            memcpy(dense.force, along.force, sizeof dense.force);
            memcpy(packed.force, along.force, sizeof packed.force);
            implicit_robot_step(&along);
            implicit_robot_step(&dense);
            step_packed(&packed);
            worst = fmax(worst, difference(&along, &dense));
            if (!have_the_same_bits(&along, &packed)) FAIL("packed differs in step %d", k);
        }
    }
    printf("along the tree and without it: within %.1e; packed: the same bits\n", worst);
    CHECK(worst < 1e-10);
}

TEST(steps_allocate_nothing) {
    for (int rigid = 0; rigid < 2; rigid++) {
        implicit_robot m;
        random_source r = {5};
        start(&m, 5, rigid);
        const long before = allocations;
        for (int k = 0; k < 1000; k++) {
            push(&m, &r);
            m.T = k % 2 ? 0.001 : 0.003;
            implicit_robot_step(&m);
        }
        const long made = allocations - before;
        implicit_robot_free(&m);
        if (ALLOCATIONS_COUNTED) printf("%ld allocations in 1000 steps\n", made);
        CHECK(made == 0);
        CHECK(!ALLOCATIONS_COUNTED || before > 0);
    }
}

/* ---- what is refused ---- */

static void refuse_def(stiction_implicit_def def, const char *message) {
    stiction_error error;
    stiction_implicit *solver = (stiction_implicit *)&def;
    CHECK(stiction_implicit_create(&def, &solver, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(solver == NULL);
    CHECK_CONTAINS(error.message, message);
}

TEST(definitions_that_cannot_be_are_refused) {
    stiction_implicit_def def = stiction_implicit_def_default();
    stiction_implicit *solver;
    stiction_error error;
    refuse_def(def, "0 degrees of freedom");
    def.count = 10001;
    refuse_def(def, "10001 degrees of freedom; there must be 1 to 10000");
    def.count = 3;
    def.rigid = def.constraints_later = true;
    refuse_def(def, "rigid joints must see every force");
    def.rigid = def.constraints_later = false;
    const int parent[] = {-1, 1, 0};
    def.parent = parent;
    refuse_def(def, "the parent of degree of freedom 1 is 1; it must be -1 or one before it");
    def.parent = NULL;
    def.size = 3;
    refuse_def(def, "the size of the definition is 3; start from stiction_implicit_def_default()");
    CHECK_REFUSED(stiction_implicit_create(NULL, &solver, &error), STICTION_INVALID_ARGUMENT, error,
                  "the definition is NULL");
    CHECK_REFUSED(stiction_implicit_create(&def, NULL, &error), STICTION_INVALID_ARGUMENT, error,
                  "the place for the solver is NULL");
    stiction_implicit_destroy(NULL);
    stiction_implicit_reset(NULL);
    CHECK(stiction_implicit_steps(NULL) == 0 && stiction_implicit_frozen(NULL) == 0);
    CHECK(stiction_implicit_frozen_at(NULL) == 0);
}

static stiction_implicit *solver_of(size_t count) {
    stiction_implicit_def def = stiction_implicit_def_default();
    stiction_implicit *solver = NULL;
    def.count = count;
    CHECK(stiction_implicit_create(&def, &solver, NULL) == STICTION_OK);
    return solver;
}

static void refuse_add(stiction_implicit *solver, stiction_state *state, const int *dof,
                       const char *message) {
    stiction_error error;
    CHECK(stiction_implicit_add(solver, state, dof, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, message);
}

TEST(joints_that_cannot_be_added_are_refused) {
    const stiction_joint_def defs[] = {wrist_def(), wrist_def()};
    AUTO(free_model) stiction_model *model = model_of(2, defs, 0.001);
    AUTO(free_state) stiction_state *state = state_of(model), *second = state_of(model);
    AUTO(free_solver) stiction_implicit *solver = solver_of(5);
    const int again[] = {3, 4}, twice[] = {1, 1}, none[] = {0, -1}, beyond[] = {0, 5},
              fine[] = {2, 0}, other[] = {1, 2};
    refuse_add(NULL, state, fine, "the solver is NULL");
    refuse_add(solver, NULL, fine, "NULL");
    refuse_add(solver, state, NULL, "the degrees of freedom are NULL");
    refuse_add(solver, state, twice, "joint 'J1': degree of freedom 1 is that of joint 'J0'");
    refuse_add(solver, state, none, "joint 'J1' has friction and no degree of freedom");
    refuse_add(solver, state, beyond, "joint 'J1': there is no degree of freedom 5; there are 5");
    /* no refused call has added a joint */
    CHECK(stiction_implicit_add(solver, state, fine, NULL) == STICTION_OK);
    refuse_add(solver, second, other, "joint 'J1': degree of freedom 2 is that of joint 'J0'");
    refuse_add(solver, state, again, "the state was added before");
    CHECK(stiction_implicit_add(solver, second, again, NULL) == STICTION_OK);
}

TEST(laws_without_a_potential_are_refused) {
    int refused = 0;
    for (size_t k = 0; k < stiction_law_info_count(); k++) {
        stiction_law_info law;
        const int dof = 0;
        CHECK(stiction_law_info_at(k, &law));
        if (!law.reference) continue;
        single_joint j = single_joint_of(def_of_law(law.name), 0.001);
        stiction_implicit *solver = solver_of(1);
        char message[80];
        (void)snprintf(message, sizeof message, "joint 'J0': law %s has no potential", law.name);
        refuse_add(solver, j.state, &dof, message);
        stiction_implicit_destroy(solver);
        single_joint_free(&j);
        refused++;
    }
    printf("%d laws are refused\n", refused);
    CHECK(refused > 5);
}

/* A robot in motion, with what it knew before a step that is to be refused. */
typedef struct refusal {
    implicit_robot m, before;
    unsigned char state[8192], after[8192];
    size_t size;
} refusal;

static void refusal_start(refusal *t, bool rigid) {
    random_source r = {9};
    memset(t, 0, sizeof *t);
    start(&t->m, 9, rigid);
    for (int k = 0; k < 50; k++) {
        push(&t->m, &r);
        implicit_robot_step(&t->m);
    }
    CHECK(t->m.output.outcome == STICTION_IMPLICIT_SLIPPED);
    t->size = stiction_state_buffer_size(t->m.state);
    CHECK(t->size <= sizeof t->state);
    CHECK(stiction_state_save(t->m.state, t->state, t->size, NULL) == STICTION_OK);
    t->before = t->m;
}

/* Friction is 0, the velocity that before the step, and nothing has moved. */
static void refuse_step(refusal *t, const double *mass, const char *message) {
    implicit_robot *m = &t->m;
    stiction_error error;
    const double force = m->force[3], velocity = m->v[3];
    const uint64_t steps = stiction_implicit_steps(m->solver);
    CHECK(implicit_robot_try(m, mass, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, message);
    for (size_t k = 0; k < joints; k++) CHECK(m->friction[k] == 0);
    CHECK_SAME(m->v[3], velocity);
    CHECK_SAME(m->force[3], force);
    CHECK(m->output.work == 0 && m->output.heat == 0 && m->output.iterations == 0);
    CHECK(stiction_implicit_steps(m->solver) == steps);
    m->T = t->before.T;
    memcpy(m->v, t->before.v, sizeof m->v);
    memcpy(m->force, t->before.force, sizeof m->force);
    CHECK(stiction_state_save(m->state, t->after, t->size, NULL) == STICTION_OK);
    CHECK(memcmp(t->state, t->after, t->size) == 0);
}

static void refuse_masses(refusal *t, const char *not_definite) {
    double mass[joints * joints];
    memcpy(mass, t->m.tree.mass, sizeof mass);
    mass[5 * joints + 5] = (double)NAN;
    refuse_step(t, mass, "the mass of degree of freedom 5 is nan; it must be above 0");
    mass[5 * joints + 5] = 0;
    refuse_step(t, mass, "the mass of degree of freedom 5 is 0; it must be above 0");
    memcpy(mass, t->m.tree.mass, sizeof mass);
    mass[1 * joints] = (double)INFINITY;
    refuse_step(t, mass, "the mass matrix is not finite");
    /* a little beyond what its diagonal allows, so that bristles could hide it */
    mass[1 * joints] = 1.01 * sqrt(mass[0] * mass[joints + 1]);
    refuse_step(t, mass, not_definite);
}

static void refuse_steps(bool rigid) {
    refusal t;
    refusal_start(&t, rigid);
    refuse_step(&t, NULL, "the mass matrix is NULL");
    t.m.T = 0;
    refuse_step(&t, t.m.tree.mass, "time step 0 must be above 0 s");
    t.m.T = (double)NAN;
    refuse_step(&t, t.m.tree.mass, "time step nan must be above 0 s");
    t.m.v[3] = (double)NAN;
    refuse_step(&t, t.m.tree.mass, "the velocity of degree of freedom 3 is nan");
    t.m.force[3] = -(double)INFINITY;
    refuse_step(&t, t.m.tree.mass, "the force of degree of freedom 3 is -inf");
    refuse_masses(&t, "the mass matrix is not positive definite");
    implicit_robot_free(&t.m);
}

TEST(a_refused_step_leaves_bristles_as_they_were) {
    refuse_steps(false);
}
TEST(a_refused_step_leaves_rigid_joints_as_they_were) {
    refuse_steps(true);
}

/* Two states of one solver at 1 ms: the second is legal at longer time steps alone. */
typedef struct two_states {
    stiction_model *models[2];
    stiction_state *states[2];
    stiction_implicit *solver;
} two_states;

/* Constraints without a force, of this cost. */
static double cost_of(void *user, const double *velocity, double *force) {
    (void)velocity;
    memset(force, 0, 3 * sizeof *force);
    return *(const double *)user;
}

static void no_curvature(void *user, double *matrix) {
    (void)user, (void)matrix;
}

static void refuse_at(const two_states *t, double timestep, double effort, double cost,
                      const char *message) {
    const double mass[] = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}, velocity[3] = {0};
    const double force[] = {5, 5, 5}, efforts[] = {effort, effort, effort};
    unsigned char before[2][2048], after[2][2048];
    const stiction_constraints constraints = {&cost, cost_of, no_curvature};
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = stiction_implicit_output_default();
    stiction_error error;
    input.timestep = timestep;
    input.mass = mass;
    input.velocity = velocity;
    input.force = force;
    input.constraints = &constraints;
    if (effort != 0) input.effort = efforts;
    for (size_t k = 0; k < 2; k++)
        CHECK(stiction_state_save(t->states[k], before[k], sizeof before[k], NULL) == STICTION_OK);
    CHECK(stiction_implicit_step(t->solver, &input, &output, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, message);
    for (size_t k = 0; k < 2; k++) {
        CHECK(stiction_state_save(t->states[k], after[k], sizeof after[k], NULL) == STICTION_OK);
        const size_t size = stiction_state_buffer_size(t->states[k]);
        CHECK(memcmp(before[k], after[k], size) == 0);
    }
}

TEST(a_refused_step_leaves_all_states_at_their_time_step) {
    stiction_joint_def defs[] = {wrist_def(), wrist_def(), wrist_def()};
    const int first[] = {0, 1}, second[] = {2};
    defs[1].load_motor = 0.2;
    defs[2].damping = 26;
    two_states t = {.models = {model_of(2, defs, 0.001), model_of(1, defs + 2, 0.001)},
                    .solver = solver_of(3)};
    for (size_t k = 0; k < 2; k++) t.states[k] = state_of(t.models[k]);
    CHECK(stiction_implicit_add(t.solver, t.states[0], first, NULL) == STICTION_OK);
    CHECK(stiction_implicit_add(t.solver, t.states[1], second, NULL) == STICTION_OK);
    refuse_at(&t, 0.01, 0, 0, "joint 'J1': load_motor needs the effort");
    refuse_at(&t, 0.01, (double)NAN, 0, "effort nan");
    refuse_at(&t, 0.0005, 1, 0,
              "at time step 0.0005 s stiffness * timestep + damping is 28.5, but");
    refuse_at(&t, 0.01, 1, (double)NAN, "the constraints give a cost or a force that is not");
    stiction_implicit_destroy(t.solver);
    for (size_t k = 0; k < 2; k++) {
        stiction_state_destroy(t.states[k]);
        stiction_model_destroy(t.models[k]);
    }
}

/* ---- constraints that come later ---- */

TEST(a_refused_step_leaves_bristles_as_they_were_where_constraints_come_later) {
    refusal t;
    random_source r = {11};
    memset(&t, 0, sizeof t);
    make(&t.m, 11);
    stiction_implicit_def def = implicit_robot_def(&t.m, false);
    def.constraints_later = true;
    implicit_robot_start(&t.m, def);
    for (int k = 0; k < 50; k++) {
        push(&t.m, &r);
        implicit_robot_step(&t.m);
    }
    t.size = stiction_state_buffer_size(t.m.state);
    CHECK(stiction_state_save(t.m.state, t.state, t.size, NULL) == STICTION_OK);
    t.before = t.m;
    t.m.v[3] = (double)NAN;
    refuse_step(&t, t.m.tree.mass, "the velocity of degree of freedom 3 is nan");
    refuse_masses(&t, "the mass matrix is not positive definite");
    implicit_robot_free(&t.m);
}

/* Where nothing comes, the force that is found from the momentum is rounding. */
TEST(constraints_later_is_the_same_where_none_comes) {
    double worst = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        AUTO(implicit_robot_free) implicit_robot now, later;
        start(&now, seed, false);
        make(&later, seed);
        stiction_implicit_def def = implicit_robot_def(&later, false);
        def.constraints_later = true;
        implicit_robot_start(&later, def);
        for (int k = 0; k < 1000; k++) {
            for (size_t i = 0; i < joints; i++)
                now.force[i] = later.force[i] = 4 * sin(0.02 * k + (double)i);
            implicit_robot_step(&now);
            implicit_robot_step(&later);
            for (size_t i = 0; i < joints; i++) {
                worst = fmax(worst, fabs(now.v[i] - later.v[i]));
                worst = fmax(worst, fabs(now.friction[i] - later.friction[i]));
            }
            CHECK(later.output.warning == NULL);
        }
    }
    printf("20000 steps within %.1e rad/s and N m\n", worst);
    CHECK(worst < 1e-8);
}

TEST(structs_of_other_sizes_are_refused) {
    AUTO(implicit_robot_free) implicit_robot m;
    start(&m, 1, false);
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = stiction_implicit_output_default();
    stiction_error error;
    input.timestep = m.T;
    input.mass = m.tree.mass;
    input.velocity = m.v;
    input.force = m.force;
    CHECK_REFUSED(stiction_implicit_step(NULL, &input, &output, &error), STICTION_INVALID_ARGUMENT,
                  error, "the solver is NULL");
    CHECK_REFUSED(stiction_implicit_step(m.solver, NULL, &output, &error),
                  STICTION_INVALID_ARGUMENT, error, "the input is NULL");
    CHECK_REFUSED(stiction_implicit_step(m.solver, &input, NULL, &error), STICTION_INVALID_ARGUMENT,
                  error, "the output is NULL");
    input.size = 4;
    CHECK_REFUSED(stiction_implicit_step(m.solver, &input, &output, &error),
                  STICTION_INVALID_ARGUMENT, error, "the size of the input is 4; start from");
    input.size = sizeof input;
    output.size = 5;
    CHECK_REFUSED(stiction_implicit_step(m.solver, &input, &output, &error),
                  STICTION_INVALID_ARGUMENT, error, "the size of the output is 5; start from");
    output.size = sizeof output;
    input.velocity = NULL;
    CHECK_REFUSED(stiction_implicit_step(m.solver, &input, &output, &error),
                  STICTION_INVALID_ARGUMENT, error, "the velocity is NULL");
    input.velocity = m.v;
    input.force = NULL;
    CHECK_REFUSED(stiction_implicit_step(m.solver, &input, &output, &error),
                  STICTION_INVALID_ARGUMENT, error, "the force is NULL");
    /* nothing wanted: nothing written */
    input.force = m.force;
    CHECK(stiction_implicit_step(m.solver, &input, &output, NULL) == STICTION_OK);
}

TEST(constraints_are_either_together_or_later) {
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), 0.001);
    stiction_implicit_def def = stiction_implicit_def_default();
    AUTO(free_solver) stiction_implicit *solver = NULL;
    stiction_error error;
    const int dof = 0;
    def.count = 1;
    def.constraints_later = true;
    CHECK(stiction_implicit_create(&def, &solver, &error) == STICTION_OK);
    CHECK(stiction_implicit_add(solver, j.state, &dof, &error) == STICTION_OK);
    const stiction_constraints constraints = {NULL, cost_of, no_curvature};
    const double mass = 1, velocity = 0, force = 0;
    stiction_implicit_input input = stiction_implicit_input_default();
    input.timestep = 0.001;
    input.mass = &mass;
    input.velocity = &velocity;
    input.force = &force;
    input.constraints = &constraints;
    stiction_implicit_output output = stiction_implicit_output_default();
    CHECK_REFUSED(stiction_implicit_step(solver, &input, &output, &error),
                  STICTION_INVALID_ARGUMENT, error,
                  "constraints are given, and said to be solved later");
}

/* ---- changes while it runs ---- */

static void change(implicit_robot *a, stiction_joint_def def) {
    stiction_error error;
    if (stiction_state_set_joint(a->state, 0, &def, &error) != STICTION_OK)
        FAIL("%s", error.message);
    a->joints[0] = def;
}

/* The wrist under a load of 2 N m, ramped over 2 s and held for 2 s. */
static void hold_wrist(implicit_robot *a, bool rigid) {
    implicit_axis_start(a, wrist_def(), 1e-3, 0.005, rigid);
    for (int k = 0; k < 800; k++) implicit_axis_step(a, fmin(k * 0.005, 2));
    CHECK(!a->slipping[0]);
    CHECK_NEAR(a->friction[0], 2, 1e-12);
}

TEST(a_bristle_that_becomes_stiffer_keeps_its_torque) {
    AUTO(implicit_robot_free) implicit_robot a;
    stiction_joint_def stiffer = wrist_def();
    double jump = 0;
    hold_wrist(&a, false);
    stiffer.stiffness = 20000;
    change(&a, stiffer);
    for (int k = 0; k < 400; k++) {
        implicit_axis_step(&a, 2);
        jump = fmax(jump, fabs(a.friction[0] - 2));
        CHECK(!a.slipping[0]);
    }
    printf("the torque changes by %.1e N m\n", jump);
    CHECK(jump < 1e-12);
    CHECK_NEAR(a.deflection[0], 2.0 / 20000, 1e-15);
    CHECK_NEAR(a.v[0], 0, 1e-12);
}

static void weaken(bool rigid) {
    AUTO(implicit_robot_free) implicit_robot a;
    hold_wrist(&a, rigid);
    stiction_joint_def weaker = wrist_def();
    weaker.static_torque = 1.9;
    change(&a, weaker);
    implicit_axis_step(&a, 2);
    CHECK(a.slipping[0] && a.slip[0] > 0 && a.v[0] > 0);
    const stiction_law_parameters p = stiction_joint_law_parameters(&weaker);
    CHECK_SAME(a.friction[0], stiction_phi(stiction_law_find("stribeck"), &p, a.slip[0]));
    /* without friction the load alone moves it */
    stiction_joint_def none = stiction_joint_def_default();
    none.law = "none";
    const double before = a.v[0];
    change(&a, none);
    implicit_axis_step(&a, 2);
    CHECK(a.friction[0] == 0);
    CHECK_NEAR(a.v[0], before + 0.005 * 2 / 1e-3, 1e-12);
    /* and with friction again it stops */
    change(&a, wrist_def());
    for (int k = 0; k < 400; k++) implicit_axis_step(&a, 0);
    CHECK(!a.slipping[0]);
    CHECK_NEAR(a.v[0], 0, 1e-12);
}

TEST(a_joint_that_becomes_too_weak_slips_in_the_next_step) {
    weaken(false);
    weaken(true);
}

TEST(a_joint_that_loses_its_potential_stops_the_run_with_a_message) {
    AUTO(implicit_robot_free) implicit_robot a;
    stiction_error error;
    hold_wrist(&a, false);
    change(&a, def_of_law("lugre"));
    CHECK_REFUSED(implicit_robot_try(&a, a.tree.mass, &error), STICTION_INVALID_CONFIG, error,
                  "joint 'j0': law lugre has no potential");
    CHECK(a.friction[0] == 0);
}

static double any_timestep(random_source *r) {
    return random_decade(r, -4, -2);
}

static void hold_with_any_timestep(bool rigid) {
    AUTO(implicit_robot_free) implicit_robot a;
    random_source r = {21};
    double t = 0, fastest = 0, largest = 0;
    implicit_axis_start(&a, wrist_def(), 1e-4, 0.001, rigid);
    for (; t < 40; t += a.T) {
        a.T = any_timestep(&r);
        implicit_axis_step(&a, 0.9 * 2.5 * fmin(t / 10, 1));
        if (t > 20) fastest = fmax(fastest, fabs(a.v[0]));
    }
    for (double load = 0.9 * 2.5; a.v[0] < 0.1 && load < 3; load += 0.05 * a.T) {
        a.T = any_timestep(&r);
        implicit_axis_step(&a, load);
        largest = fmax(largest, a.friction[0]);
    }
    printf("%s: holds at %.1e rad/s, breaks away at %.5f N m\n", implicit_element(rigid), fastest,
           largest);
    CHECK(fastest < (rigid ? 1e-300 : 1e-12));
    CHECK_NEAR(largest, 2.5, 0.001 * 2.5);
}

TEST(time_steps_may_change_from_call_to_call) {
    hold_with_any_timestep(true);
    hold_with_any_timestep(false);
}

TEST(energies_close_while_time_steps_and_joints_change) {
    AUTO(implicit_robot_free) implicit_robot a;
    random_source r = {22};
    double worst = 0, stored = 0;
    implicit_axis_start(&a, wrist_def(), 0.01, 0.001, false);
    for (int k = 0; k < 100000; k++) {
        if (k % 50 == 0) {
            stiction_joint_def def = wrist_def();
            def.static_torque = random_uniform(&r, 0.5, 2.5);
            change(&a, def); /* of the same stiffness: nothing is stored or lost */
        }
        a.T = any_timestep(&r);
        implicit_axis_step(&a, random_uniform(&r, -4, 4));
        const double work = a.T * a.friction[0] * a.v[0];
        const double open = work - a.output.heat - (a.output.stored - stored);
        worst = fmax(worst, fabs(open) / (fabs(work) + stored + a.output.stored));
        CHECK(a.output.heat >= 0);
        CHECK_NEAR(a.output.stored, 2500 * a.deflection[0] * a.deflection[0], 1e-15);
        stored = a.output.stored;
    }
    printf("the books are open by %.1e\n", worst);
    CHECK(worst < 1e-14);
}

/* A bristle that was bent far relaxes in one step, beside a joint that slides. In the next step the
 * velocity of its joint is smaller by many powers of ten. */
TEST(energies_close_where_a_velocity_vanishes) {
    AUTO(implicit_robot_free) implicit_robot m;
    double worst = 0;
    memset(&m, 0, sizeof m);
    m.T = 1;
    m.tree = (random_tree){.count = 2, .parent = {-1, -1}, .mass = {1e-20, 0, 0, 1e-20}};
    for (size_t k = 0; k < 2; k++) {
        m.joints[k] = def_of_law("coulomb");
        m.joints[k].coulomb_torque = k ? 1 : 1e20;
        m.joints[k].viscous = 1;
        m.joints[k].stiffness = 12.5;
        m.joints[k].damping = 0;
    }
    implicit_robot_start(&m, implicit_robot_def(&m, false));
    const double bent[] = {1.1e12, 0};
    CHECK(stiction_state_set_deflections(m.state, bent, NULL) == STICTION_OK);
    m.output.stored = 12.5 / 2 * bent[0] * bent[0];
    m.force[0] = 0.12, m.force[1] = 5;
    for (int k = 0; k < 5; k++) {
        const double stored = m.output.stored;
        implicit_robot_step(&m);
        const stiction_implicit_output *out = &m.output;
        const double open = out->work - out->heat - (out->stored - stored);
        worst = fmax(worst, fabs(open) / (fabs(out->work) + stored + out->stored));
    }
    printf("the books are open by %.1e, the velocity is %.1e rad/s\n", worst, m.v[0]);
    CHECK(worst < 1e-9);
}

/* Two joints on one axis, of which the second is light: hard to solve. Whatever becomes of a step,
 * all of its energy is reported. */
TEST(energies_close_in_steps_that_are_not_solved) {
    AUTO(implicit_robot_free) implicit_robot m;
    double worst = 0, least = 0;
    memset(&m, 0, sizeof m);
    m.T = 0.001;
    m.tree = (random_tree){.count = 2, .parent = {-1, 0}, .mass = {0.01, 0.01, 0.01, 0.01001}};
    for (size_t k = 0; k < 2; k++) {
        m.joints[k] = def_of_law("coulomb");
        m.joints[k].coulomb_torque = 1;
        m.joints[k].viscous = 0;
        m.joints[k].damping = 150;
    }
    implicit_robot_start(&m, implicit_robot_def(&m, false));
    m.v[0] = 4.9825932336708974e-06;
    m.v[1] = 8.2380042368881956e-06;
    m.force[0] = -3.6616522218694048;
    m.force[1] = -2.9685131649829088;
    for (int k = 0; k < 20; k++) {
        const double stored = m.output.stored;
        implicit_robot_step(&m);
        const stiction_implicit_output *out = &m.output;
        const double open = out->work - out->heat - (out->stored - stored);
        worst = fmax(worst, fabs(open) / (fabs(out->work) + stored + out->stored));
        least = fmin(least, out->heat);
        CHECK(out->heat >= 0 || out->outcome == STICTION_IMPLICIT_FROZEN);
    }
    printf("%d of 20 steps frozen: the books are open by %.1e, heat %.1e J at least\n",
           (int)stiction_implicit_frozen(m.solver), worst, least);
    CHECK(worst < 1e-12);
}
