/* SPDX-License-Identifier: MIT
 * stiction bench, part implicit: the solver of implicit coupling by itself, on chains of a robot's
 * shape: seven joints of an arm, and 37 in five limbs on a body with a free root. Moving: torques
 * draw all joints to and fro, so that some slip, some stick and some turn round. Stuck: they hold.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "common/command.h"
#include "stiction/stiction.h"

static const double timestep = 0.001;
enum { recorded_steps = 200, most_dofs = 43 };

typedef struct shape {
    const char *name;
    size_t joints, limb; /* in a limb */
    bool free_root;
} shape;

static const shape shapes[] = {{"7 joints", 7, 7, false}, {"37 joints, free root", 37, 8, true}};
enum { shape_count = sizeof shapes / sizeof shapes[0] };

/* A robot, and the velocities and forces of a stretch of its motion. */
typedef struct machine {
    size_t count;
    int parent[most_dofs];
    double mass[most_dofs * most_dofs]; /* along the parents, as hosts with trees have it */
    stiction_model *model;
    stiction_state *state;
    stiction_implicit *solver;
    double velocity[recorded_steps][most_dofs], force[recorded_steps][most_dofs];
    size_t memory_size;
    double *memory[recorded_steps]; /* of friction, before each step */
    size_t slipping;                /* joints, all steps together */
} machine;

/* Every joint carries what hangs on it, each body alike; rotors keep the joints apart. */
static void make_mass(machine *m) {
    const size_t n = m->count;
    double reach[most_dofs][3];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) reach[i][k] = sin((double)(7 * i + 3 * k + 1));
    for (size_t b = 0; b < n; b++)
        for (int i = (int)b; i >= 0; i = m->parent[i])
            for (int j = (int)b; j >= 0; j = m->parent[j])
                for (size_t k = 0; k < 3; k++)
                    m->mass[(size_t)i * n + (size_t)j] += 0.02 * reach[i][k] * reach[j][k];
    for (size_t i = 0; i < n; i++) m->mass[i * n + i] += 0.05;
    double *packed = m->mass; /* never ahead of what is read */
    for (size_t i = 0; i < n; i++)
        for (int j = (int)i; j >= 0; j = m->parent[j]) *packed++ = m->mass[i * n + (size_t)j];
}

static bool make_friction(machine *m, size_t joints, size_t root, bool rigid,
                          stiction_error *error) {
    static const char text[] =
        "stiction: 1\njoints:\n  \"*\": { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4,"
        " stribeck_velocity: 0.06, viscous: 4.5, stiffness: 5000, damping: 50 }\n";
    const char *names[most_dofs];
    char name[most_dofs][24];
    int dof[most_dofs];
    stiction_config *config = NULL;
    stiction_model_def def = stiction_model_def_default();
    stiction_implicit_def of_solver = stiction_implicit_def_default();
    def.timestep = timestep;
    of_solver.count = m->count;
    of_solver.parent = m->parent;
    of_solver.packed = true;
    of_solver.rigid = rigid;
    for (size_t k = 0; k < joints; k++) {
        (void)snprintf(name[k], sizeof name[k], "J%zu", k);
        names[k] = name[k];
        dof[k] = (int)(root + k);
    }
    const bool fine =
        stiction_config_parse(text, strlen(text), NULL, &config, NULL) == STICTION_OK &&
        stiction_model_create(config, names, joints, &def, &m->model, error) == STICTION_OK &&
        stiction_state_create(m->model, &m->state, error) == STICTION_OK &&
        stiction_implicit_create(&of_solver, &m->solver, error) == STICTION_OK &&
        stiction_implicit_add(m->solver, m->state, dof, error) == STICTION_OK;
    stiction_config_destroy(config);
    m->memory_size = stiction_state_memory_size(m->state);
    return fine;
}

static void step_at(machine *m, size_t k, double *next, unsigned char *slipping) {
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = stiction_implicit_output_default();
    input.timestep = timestep;
    input.mass = m->mass;
    input.velocity = m->velocity[k];
    input.force = m->force[k];
    output.velocity = next;
    output.slipping = slipping;
    (void)stiction_implicit_step(m->solver, &input, &output, NULL);
}

/* The stretch: from rest, so that it is the same everywhere. */
static void record(machine *m, size_t root, bool moving) {
    double now[most_dofs] = {0};
    unsigned char slipping[most_dofs];
    for (size_t step = 0; step < 5 * recorded_steps; step++) {
        const size_t k = step % recorded_steps;
        for (size_t i = 0; i < m->count; i++) {
            const double load = moving ? 6 * sin(0.02 * (double)step + (double)i) : 1;
            m->velocity[k][i] = now[i];
            m->force[k][i] = i < root ? -0.5 * now[i] : load;
        }
        if (!m->memory[k]) m->memory[k] = allocate(m->memory_size, sizeof(double));
        (void)stiction_state_get_memory(m->state, m->memory[k], NULL);
        step_at(m, k, now, slipping);
        for (size_t i = root; i < m->count && step >= 4 * recorded_steps; i++)
            m->slipping += slipping[i];
    }
}

static bool make_machine(machine *m, const shape *s, bool rigid, bool moving,
                         stiction_error *error) {
    const size_t root = s->free_root ? 6 : 0;
    *m = (machine){.count = root + s->joints};
    for (size_t i = 0; i < m->count; i++) {
        const bool begins = i >= root && (i - root) % s->limb == 0;
        m->parent[i] = begins ? (int)root - 1 : (int)i - 1;
    }
    make_mass(m);
    if (!make_friction(m, s->joints, root, rigid, error)) return false;
    record(m, root, moving);
    return true;
}

static void free_machine(machine *m) {
    for (size_t k = 0; k < recorded_steps; k++) free(m->memory[k]);
    stiction_implicit_destroy(m->solver);
    stiction_state_destroy(m->state);
    stiction_model_destroy(m->model);
}

/* For bench_race: the stretch again, from the same memory. */
static void run_machine(void *context) {
    machine *m = context;
    double next[most_dofs];
    (void)stiction_state_set_memory(m->state, m->memory[0], NULL);
    for (size_t k = 0; k < recorded_steps; k++) step_at(m, k, next, NULL);
}

static const table_column columns[] = {
    {"robot", NULL, 0},        {"element", NULL, 0},        {"motion", NULL, 0},
    {"slipping", NULL, 3},     {"best_us", "best (us)", 3}, {"median_us", "median (us)", 3},
    {"best_e", "best (E)", 4},
};

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    (void)project;
    enum { kinds = 4, machine_count = shape_count * kinds };
    AUTO_FREE machine *machines = allocate(machine_count, sizeof *machines);
    bench_runner runners[machine_count + 1];
    bool fine = true;
    for (size_t k = 0; k < machine_count && fine; k++) {
        fine =
            make_machine(&machines[k], &shapes[k / kinds], k % kinds / 2 == 0, k % 2 == 0, error);
        runners[k] =
            (bench_runner){.run = run_machine, .context = &machines[k], .steps = recorded_steps};
    }
    runners[machine_count] = bench_exp();
    if (fine) bench_race(request, runners, machine_count + 1);
    for (size_t k = 0; k < machine_count && fine; k++) {
        table_text(t, shapes[k / kinds].name);
        table_text(t, k % kinds / 2 == 0 ? "rigid" : "bristle");
        table_text(t, k % 2 == 0 ? "moving" : "stuck");
        table_number(t, (double)machines[k].slipping / recorded_steps);
        table_number(t, 1e6 * runners[k].best);
        table_number(t, 1e6 * runners[k].median);
        table_number(t, runners[k].best / runners[machine_count].best);
    }
    for (size_t k = 0; k < machine_count; k++) free_machine(&machines[k]);
    return fine;
}

const bench_part bench_implicit = {
    .name = "implicit",
    BENCH_COLUMNS(columns),
    .measure = measure,
};
