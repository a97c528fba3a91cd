/* SPDX-License-Identifier: MIT
 * stiction bench, part engine: what friction costs in a step of MuJoCo, this library's, explicit
 * and implicit, and MuJoCo's own `frictionloss` on the same joints, all from the same states of a
 * run with friction. Controllers are not in the times: the torque that they gave is held.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/progress.h"
#include "mujoco_compile/fence.h"
#include "run/run.h"

/*
 * From each state all go the same few steps, the first without the clock: it brings the caches and
 * MuJoCo's solver to where they are in a run.
 */
enum { timed_steps = 5, all_steps = 1 + timed_steps };

/* Over how much of the run the states spread, and how many they are. */
static const struct {
    double duration; /* s */
    size_t count;
} whole = {1, 50}, quick = {0.02, 2};

/* Where the robot is at some time of the run. */
typedef struct start {
    double *position, *velocity, *acceleration, *memory; /* of mjData */
    double *command;                                     /* one per joint */
    double *friction; /* torques of this library, per step and joint */
} start;

/* One way to have friction. `none` is given the torques of `stiction` ready-made: it moves as that
 * does, to the bit, and all that differs is who computes them. */
typedef struct contender {
    world *world;
    friction *friction;
    double *times; /* s a step: of each start, repetition after repetition */
} contender;

/* Those of friction_source, explicit, and one more. */
enum { implicit_contender = FRICTION_NONE + 1, contender_count };

typedef struct contest {
    const bench_request *request;
    const char *project;
    contender contenders[contender_count];
    /* where all of them step: in different memory the same step may take 2 % longer */
    mjModel *model;
    mjData *data;
    start *starts;
    size_t start_count, joint_count;
    bool same_motion; /* of `none` and `stiction` */
} contest;

/* ---- the contenders ---- */

static bool make_contender(contest *c, size_t which, stiction_error *error) {
    contender *made = &c->contenders[which];
    const bool implicit = which == implicit_contender;
    world_options of_world = world_options_default();
    friction_options of_friction = {.source = implicit ? FRICTION_STICTION : (friction_source)which,
                                    .coupling = which == FRICTION_NONE ? NULL
                                                : implicit             ? "implicit"
                                                                       : "explicit"};
    of_world.memory_per_joint = FRICTION_MEMORY;
    made->world = world_load(c->project, &of_world, error);
    if (made->world) made->friction = friction_create(made->world, &of_friction, error);
    if (!made->friction ||
        friction_couple(made->friction, NULL, NULL, &of_friction, error) != STICTION_OK)
        return false;
    made->times = allocate(c->start_count * c->request->repeat, sizeof *made->times);
    return true;
}

static size_t joints_with_friction(const contender *of) {
    size_t count = 0;
    for (size_t k = 0; k < of->world->joint_count; k++)
        count += strcmp(friction_joint(of->friction, k)->law, "none") != 0;
    return count;
}

static bool make_contenders(contest *c, stiction_error *error) {
    for (size_t k = 0; k < contender_count; k++)
        if (!make_contender(c, k, error)) return false;
    c->joint_count = joints_with_friction(&c->contenders[FRICTION_STICTION]);
    return c->joint_count > 0 || fail(error, "%s: no joint has friction", c->project);
}

/* ---- the starts ---- */

static double *copy(const double *from, size_t count) {
    double *made = allocate(count, sizeof *made);
    if (count) memcpy(made, from, count * sizeof *made);
    return made;
}

static start read_start(simulation *s) {
    const mjModel *model = simulation_world(s)->model;
    const mjData *data = simulation_data(s);
    const size_t joints = simulation_world(s)->joint_count;
    return (start){.position = copy(data->qpos, (size_t)model->nq),
                   .velocity = copy(data->qvel, (size_t)model->nv),
                   .acceleration = copy(data->qacc_warmstart, (size_t)model->nv),
                   .memory = copy(data->userdata, (size_t)model->nuserdata),
                   .command = copy(simulation_command(s), joints),
                   .friction = allocate(all_steps * joints, sizeof(double))};
}

static void free_start(start *s) {
    free(s->position);
    free(s->velocity);
    free(s->acceleration);
    free(s->memory);
    free(s->command);
    free(s->friction);
}

/* Runs the project with its friction and controllers, and copies its state now and then. */
static bool run_project(contest *c, double duration, stiction_error *error) {
    simulation_options options = simulation_options_default();
    options.log = print_log;
    options.interval = duration;
    simulation *s = simulation_create(c->project, &options, error);
    bool fine = s != NULL;
    for (size_t k = 0; fine && k < c->start_count; k++) {
        const double until = duration * (double)(k + 1) / (double)c->start_count;
        fine = simulation_run(s, until, error) == STICTION_OK;
        if (fine) c->starts[k] = read_start(s);
    }
    simulation_destroy(s);
    return fine;
}

/* ---- stepping ---- */

/* The model becomes the contender's own, and the state the start. */
static void place_at(contest *c, const contender *who, const start *from) {
    const mjModel *own = who->world->model;
    const size_t nv = (size_t)own->nv * sizeof(double);
    memcpy(c->model->dof_frictionloss, own->dof_frictionloss, nv);
    memcpy(c->model->dof_damping, own->dof_damping, nv);
    memcpy(c->data->qpos, from->position, (size_t)own->nq * sizeof(double));
    memcpy(c->data->qvel, from->velocity, nv);
    memcpy(c->data->qacc_warmstart, from->acceleration, nv);
    memcpy(c->data->userdata, from->memory, (size_t)own->nuserdata * sizeof(double));
    c->data->time = 0;
}

/* `ready` are torques that need not be computed. */
static void step(contest *c, const contender *who, const double *command, const double *ready) {
    const world *w = who->world;
    mj_step1(c->model, c->data);
    friction_step(who->friction, c->data, command);
    const double *torque = ready ? ready : friction_quantities(who->friction).torque;
    for (size_t k = 0; k < w->joint_count; k++)
        c->data->qfrc_applied[w->joints[k].velocity] = command[k] - torque[k];
    if (friction_has_implicit(who->friction))
        (void)friction_solve(who->friction, c->data, NULL);
    else
        mj_step2(c->model, c->data);
}

/* s a step. */
static double run_from(contest *c, size_t which, const start *from) {
    const contender *who = &c->contenders[which];
    double started = 0;
    place_at(c, who, from);
    for (size_t k = 0; k < all_steps; k++) {
        const double *ready = from->friction + k * who->world->joint_count;
        if (k == all_steps - timed_steps) started = monotonic_seconds();
        step(c, who, from->command, which == FRICTION_NONE ? ready : NULL);
    }
    return (monotonic_seconds() - started) / timed_steps;
}

/* The torques that the library gives from a start, for who gets them ready-made. */
static void note_friction(contest *c, start *from) {
    const contender *stiction = &c->contenders[FRICTION_STICTION];
    const size_t joints = stiction->world->joint_count, nq = (size_t)c->model->nq;
    place_at(c, stiction, from);
    for (size_t k = 0; k < all_steps; k++) {
        step(c, stiction, from->command, NULL);
        memcpy(from->friction + k * joints, friction_quantities(stiction->friction).torque,
               joints * sizeof(double));
    }
    AUTO_FREE double *end = copy(c->data->qpos, nq);
    (void)run_from(c, FRICTION_NONE, from);
    c->same_motion = c->same_motion && memcmp(end, c->data->qpos, nq * sizeof *end) == 0;
}

/* For engine_run. */
static void race(void *context) {
    contest *c = context;
    const size_t repeat = c->request->repeat;
    c->model = mj_copyModel(NULL, c->contenders[FRICTION_NONE].world->model);
    c->data = mj_makeData(c->model);
    c->same_motion = true;
    for (size_t k = 0; k < c->start_count; k++) note_friction(c, &c->starts[k]);

    progress bar = progress_begin(c->project, (double)repeat, false);
    for (size_t r = 0; r < repeat; r++) {
        for (size_t k = 0; k < c->start_count; k++)
            for (size_t turn = 0; turn < contender_count; turn++) {
                /* the first one changes from repetition to repetition */
                const size_t s = (turn + r + k) % contender_count;
                c->contenders[s].times[k * repeat + r] = run_from(c, s, &c->starts[k]);
            }
        progress_update(&bar, (double)(r + 1), "");
    }
    progress_end(&bar);
}

/* ---- figures ---- */

/* Seconds a step, over the starts. */
typedef struct figures {
    double best, median;           /* of the step */
    double best_cost, median_cost; /* beyond the step without friction */
} figures;

static figures summarize(const contest *c, size_t which) {
    const size_t repeat = c->request->repeat;
    double *difference = allocate(repeat, sizeof *difference);
    figures sum = {0};
    for (size_t k = 0; k < c->start_count; k++) {
        const double *own = c->contenders[which].times + k * repeat;
        const double *bare = c->contenders[FRICTION_NONE].times + k * repeat;
        for (size_t r = 0; r < repeat; r++) difference[r] = own[r] - bare[r];
        sum.best += bench_best(own, repeat);
        sum.median += bench_median(own, repeat);
        sum.best_cost += bench_best(own, repeat) - bench_best(bare, repeat);
        sum.median_cost += bench_median(difference, repeat);
    }
    free(difference);
    const double count = (double)c->start_count;
    return (figures){sum.best / count, sum.median / count, sum.best_cost / count,
                     sum.median_cost / count};
}

static const table_column columns[] = {
    {"project", NULL, 0},
    {"joints", NULL, 0},
    {"friction", NULL, 0},
    {"best_us", "step, best (us)", 4},
    {"median_us", "median (us)", 4},
    {"best_cost_us", "cost, best (us)", 3},
    {"median_cost_us", "median (us)", 3},
    {"best_cost_percent", "of the step, best (%)", 3},
    {"median_cost_percent", "median (%)", 3},
    {"cost_of_frictionloss_percent", "of frictionloss (%)", 3},
};

static void add_rows(const contest *c, table *t) {
    static const size_t order[] = {FRICTION_NONE, FRICTION_STICTION, implicit_contender,
                                   FRICTION_FRICTIONLOSS};
    static const double us = 1e6, percent = 100;
    const figures bare = summarize(c, FRICTION_NONE), theirs = summarize(c, FRICTION_FRICTIONLOSS);
    AUTO_FREE char *name = path_stem(c->project);
    for (size_t k = 0; k < contender_count; k++) {
        const figures own = summarize(c, order[k]);
        table_text(t, name);
        table_count(t, c->joint_count);
        table_text(t, order[k] == implicit_contender
                          ? "implicit"
                          : friction_source_name((friction_source)order[k]));
        table_number(t, us * own.best);
        table_number(t, us * own.median);
        if (order[k] == FRICTION_NONE) {
            for (size_t n = 0; n < 5; n++) table_empty(t);
            continue;
        }
        table_number(t, us * own.best_cost);
        table_number(t, us * own.median_cost);
        table_number(t, percent * own.best_cost / bare.best);
        table_number(t, percent * own.median_cost / bare.median);
        table_number(t, percent * own.median_cost / theirs.median_cost);
    }
}

/* ---- all of it ---- */

static bool hold(contest *c, stiction_error *error) {
    char message[ENGINE_MESSAGE];
    return make_contenders(c, error) &&
           run_project(c, c->request->quick ? quick.duration : whole.duration, error) &&
           (engine_run(race, c, NULL, NULL, message) || fail(error, "%s", message)) &&
           /* else the times are of different motions */
           (c->same_motion ||
            fail(error, "%s: two runs from the same state ended in different places", c->project));
}

static void clean_up(contest *c) {
    for (size_t k = 0; k < contender_count; k++) {
        contender *of = &c->contenders[k];
        friction_destroy(of->friction);
        world_destroy(of->world);
        free(of->times);
    }
    if (c->data) mj_deleteData(c->data);
    if (c->model) mj_deleteModel(c->model);
    for (size_t k = 0; k < c->start_count; k++) free_start(&c->starts[k]);
    free(c->starts);
}

static bool measure(const bench_request *request, const char *path, table *t,
                    stiction_error *error) {
    contest c = {.request = request,
                 .project = path,
                 .start_count = request->quick ? quick.count : whole.count};
    c.starts = allocate(c.start_count, sizeof *c.starts);
    const bool fine = hold(&c, error);
    if (fine) add_rows(&c, t);
    clean_up(&c);
    return fine;
}

const bench_part bench_engine = {
    .name = "engine",
    .needs_project = true,
    BENCH_COLUMNS(columns),
    .measure = measure,
};
