/* SPDX-License-Identifier: MIT
 * stiction bench, part controller: what it costs that any controller can drive a body. The posture
 * controller of a project is called directly, with the mass matrix and the bias of the same body
 * before it, and through its table of functions, as `stiction run` does it; any other controller
 * through its table alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "common/command.h"
#include "common/folder.h"
#include "controllers/posture/posture_config.h"
#include "mujoco/body_view.h"
#include "run/run.h"

/* States of a run that are gone through in turns. */
enum { state_count = 20 };
static const double duration = 1, quick_duration = 0.02; /* s */

typedef struct rivals {
    const bench_request *request;
    const char *project;
    simulation *simulation;
    const world *world;
    controllers *controllers;
    mjData *states[state_count];
    double *command, *target, *friction; /* an entry a joint of the world */

    /* the controller without its table, where it is the posture controller */
    bool is_posture;
    size_t body;
    posture_mode mode;
    posture_config *config;
    posture *posture;
    posture_state *state;
    double *q, *dq, *M, *block, *bias, *torque;

    size_t at[2];     /* the state that each is at */
    double step_time; /* s, of the simulation with all that is in it */
} rivals;

static mjData *next_state(rivals *r, int who) {
    r->at[who] = (r->at[who] + 1) % state_count;
    return r->states[r->at[who]];
}

static void run_table(void *context) {
    rivals *r = context;
    const mjData *data = next_state(r, 0);
    /* what touches what, for those that ask; it is not theirs to pay */
    controllers_after(r->controllers, data);
    (void)controllers_step(r->controllers, data, data->time, r->friction, r->command, r->target,
                           NULL);
}

static void run_directly(void *context) {
    rivals *r = context;
    const mjData *data = next_state(r, 1);
    const world_body *body = &r->world->bodies[r->body];
    const world_joint *joints = r->world->joints + body->first_joint;
    const size_t n = body->joint_count, dof = body_view_dof(r->world, r->body), base = dof - n;
    for (size_t k = 0; k < n; k++) {
        r->q[k] = data->qpos[joints[k].position];
        r->dq[k] = data->qvel[joints[k].velocity];
    }
    if (r->mode == POSTURE_QP) {
        body_view_mass_matrix(r->world, data, r->body, r->M);
        body_view_bias(r->world, data, r->body, r->bias);
    }
    for (size_t k = 0; r->mode == POSTURE_QP && base && k < n; k++)
        memcpy(r->block + k * n, r->M + (base + k) * dof + base, n * sizeof *r->block);
    posture_input input = {0};
    posture_output output = {0};
    input.t = data->time;
    input.dt = r->world->model->opt.timestep;
    input.q = r->q;
    input.dq = r->dq;
    input.M = base ? r->block : r->M;
    input.c = r->bias + base;
    output.torque = r->torque;
    (void)posture_step(r->state, &input, &output);
    for (size_t k = 0; k < n; k++)
        r->target[k] = posture_desired(r->state, k, data->time, r->q[k]).q;
}

/* ---- making them ---- */

static bool make_posture(rivals *r, const project_controller *source) {
    stiction_error error = {.message = "out of memory"};
    const world_body *body = &r->world->bodies[r->body];
    posture_def def = posture_def_default();
    posture_joint_def *joints = allocate(body->joint_count, sizeof *joints);
    char *slash = strrchr(r->project, '/');
    char *folder = format_text("%.*s", slash ? (int)(slash - r->project) : 0, r->project);
    for (size_t k = 0; k < body->joint_count; k++) {
        const world_joint *j = &r->world->joints[body->first_joint + k];
        joints[k] = posture_joint_def_default();
        joints[k].name = j->name;
        joints[k].prismatic = j->prismatic;
        joints[k].lower_limit = j->lower;
        joints[k].upper_limit = j->upper;
        joints[k].torque_limit = j->torque_limit;
        joints[k].velocity_limit = j->velocity_limit;
    }
    r->config = posture_config_create();
    const bool made =
        r->config &&
        posture_config_add_options(r->config, source->options, slash ? folder : NULL, &error) ==
            STICTION_OK &&
        posture_config_apply(r->config, &def, joints, body->joint_count, &error) == STICTION_OK &&
        posture_create(&def, &r->posture, &error) == STICTION_OK &&
        posture_state_create(r->posture, &r->state, &error) == STICTION_OK;
    if (!made) report_error(&error);
    free(joints);
    free(folder);
    r->mode = def.mode;
    return made;
}

/* The only body with a controller. */
static const project_controller *find_controller(rivals *r) {
    const project_controller *found = NULL;
    size_t count = 0;
    for (size_t b = 0; b < r->world->body_count; b++)
        for (size_t k = 0; k < r->world->bodies[b].source->controller_count; k++, count++) {
            found = &r->world->bodies[b].source->controllers[k];
            r->body = b;
        }
    if (count != 1) {
        (void)complain("%s: the part controller needs one controller, not %zu", r->project, count);
        return NULL;
    }
    r->is_posture = strcmp(found->module, "StictionPostureController") == 0;
    return found;
}

static bool make_states(rivals *r, double length) {
    stiction_error error;
    simulation_options options = simulation_options_default();
    options.log = print_log;
    options.interval = length;
    r->simulation = simulation_create(r->project, &options, &error);
    if (!r->simulation) return report_error(&error);
    r->world = simulation_world(r->simulation);
    r->step_time = (double)INFINITY;
    const double T = r->world->model->opt.timestep;
    for (size_t k = 0; k < state_count; k++) {
        const double started = monotonic_seconds(), until = length * (double)(k + 1) / state_count;
        const double steps = round((until - simulation_time(r->simulation)) / T);
        if (simulation_run(r->simulation, until, &error) != STICTION_OK)
            return report_error(&error);
        if (steps > 0) r->step_time = fmin(r->step_time, (monotonic_seconds() - started) / steps);
        r->states[k] = mj_copyData(NULL, r->world->model, simulation_data(r->simulation));
        mj_forward(r->world->model, r->states[k]);
    }
    return true;
}

static bool make_rivals(rivals *r) {
    stiction_error error;
    if (!make_states(r, r->request->quick ? quick_duration : duration)) return false;
    const project_controller *source = find_controller(r);
    if (!source || (r->is_posture && !make_posture(r, source))) return false;
    r->controllers = controllers_create(r->world, NULL, &error);
    if (!r->controllers) return report_error(&error);
    const size_t n = r->world->joint_count, dof = body_view_dof(r->world, r->body);
    double **const arrays[] = {&r->command, &r->target, &r->friction, &r->q,
                               &r->dq,      &r->torque, &r->bias};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = allocate(n + dof, sizeof(double));
    r->M = allocate(dof * dof, sizeof(double));
    r->block = allocate(dof * dof, sizeof(double));
    return true;
}

static void free_rivals(rivals *r) {
    double *const arrays[] = {r->command, r->target, r->friction, r->q,    r->dq,
                              r->torque,  r->bias,   r->M,        r->block};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    for (size_t k = 0; k < state_count; k++)
        if (r->states[k]) mj_deleteData(r->states[k]);
    controllers_destroy(r->controllers);
    posture_state_destroy(r->state);
    posture_destroy(r->posture);
    posture_config_destroy(r->config);
    simulation_destroy(r->simulation);
}

/* Both command the same in every state, to the bit; else they are no rivals. */
static bool agree(rivals *r) {
    const world_body *body = &r->world->bodies[r->body];
    for (size_t k = 0; k < state_count; k++) {
        run_table(r);
        run_directly(r);
        if (memcmp(r->command + body->first_joint, r->torque,
                   body->joint_count * sizeof *r->torque) != 0)
            return complain("%s: the two ways give different torques", r->project);
    }
    return true;
}

/* ---- the table ---- */

static const table_column columns[] = {
    {"project", NULL, 0},
    {"joints", NULL, 0},
    {"step_us", "step of the run (us)", 4},
    {"direct_us", "controller directly (us)", 4},
    {"table_us", "through its table (us)", 4},
    {"best_added_us", "added, best (us)", 3},
    {"median_added_us", "median (us)", 3},
    {"best_added_percent", "of the step, best (%)", 3},
    {"median_added_percent", "median (%)", 3},
};

static const double us = 1e6;

/* A controller that is not called directly: its time, and nothing to compare it with. */
static void add_single_row(rivals *r, table *t) {
    bench_runner runner = {.run = run_table, .context = r, .steps = 1};
    bench_race(r->request, &runner, 1);
    char *name = path_stem(r->project);
    table_text(t, name);
    table_count(t, r->world->bodies[r->body].joint_count);
    table_number(t, us * r->step_time);
    table_number(t, (double)NAN);
    table_number(t, us * bench_best(runner.times, r->request->repeat));
    for (int k = 0; k < 4; k++) table_number(t, (double)NAN);
    free(runner.times);
    free(name);
}

static void add_row(rivals *r, table *t) {
    const size_t repeat = r->request->repeat;
    bench_runner runners[] = {{.run = run_directly, .context = r, .steps = 1},
                              {.run = run_table, .context = r, .steps = 1}};
    bench_race(r->request, runners, 2);
    double *added = allocate(repeat, sizeof *added);
    for (size_t k = 0; k < repeat; k++) added[k] = runners[1].times[k] - runners[0].times[k];
    const double median = bench_median(added, repeat);
    const double best = bench_best(runners[1].times, repeat) - bench_best(runners[0].times, repeat);
    char *name = path_stem(r->project);
    table_text(t, name);
    table_count(t, r->world->bodies[r->body].joint_count);
    table_number(t, us * r->step_time);
    for (int k = 0; k < 2; k++) {
        table_number(t, us * bench_best(runners[k].times, repeat));
        free(runners[k].times);
    }
    table_number(t, us * best);
    table_number(t, us * median);
    table_number(t, 100 * best / r->step_time);
    table_number(t, 100 * median / r->step_time);
    free(added);
    free(name);
}

static bool measure(const bench_request *request, table *t) {
    bool fine = true;
    for (size_t k = 0; fine && k < request->projects->count; k++) {
        rivals r = {.request = request, .project = request->projects->items[k]};
        fine = make_rivals(&r) && (!r.is_posture || agree(&r));
        if (fine) (r.is_posture ? add_row : add_single_row)(&r, t);
        free_rivals(&r);
    }
    return fine;
}

const bench_part bench_controller = {
    .name = "controller",
    .needs_project = true,
    .only_if_named = true,
    .columns = columns,
    .column_count = sizeof columns / sizeof columns[0],
    .measure = measure,
};
