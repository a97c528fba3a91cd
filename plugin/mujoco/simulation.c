/* SPDX-License-Identifier: MIT
 * The loop of a simulation. Euler's rule goes through mj_step1 and mj_step2, with friction from the
 * velocity at the start of the step, as in Choreonoid; RK4 needs mj_step, which asks for friction
 * in every stage through MuJoCo's control callback.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/text.h"
#include "mujoco_compile/fence.h"
#include "simulation_internal.h"
#include "times/times.h"

/* What steps until where, for engine_run. */
typedef struct stretch {
    simulation *s;
    long last_step;
    double reached; /* s: the start of the last step */
    bool diverged;
    double crowded; /* s: the start of the first step without room for all contacts; NaN: none */
} stretch;

simulation_options simulation_options_default(void) {
    return (simulation_options){.world = world_options_default()};
}

/* ---- making ---- */

/* To the host, and into the results. */
static void warn(void *user, stiction_log_level level, const char *message) {
    simulation *s = user;
    char **warnings = realloc(s->warnings, (s->warning_count + 1) * sizeof *warnings);
    if (warnings) s->warnings = warnings;
    char *copy = warnings ? stiction_text_copy(message) : NULL;
    if (copy) s->warnings[s->warning_count++] = copy;
    if (s->log) s->log(s->log_user, level, message);
}

static stiction_status judge(const void *parts, size_t body, coupling_decision *decision,
                             stiction_error *error) {
    return simulation_judge(parts, body, decision, error);
}

/* For engine_run. Whether explicit coupling is safe is judged at the start, in data that is not
 * that of a run. */
static void couple(void *context) {
    simulation *s = context;
    mjData *data = mj_makeData(s->world->model);
    mj_resetDataKeyframe(s->world->model, data, 0);
    mj_forward(s->world->model, data);
    bool no_memory = false;
    const simulation_parts parts = {s->world, s->friction,   s->controllers,
                                    data,     s->is_stopped, &no_memory};
    s->failure = friction_couple(s->friction, judge, &parts, &s->friction_options, &s->error);
    if (s->failure == STICTION_OK) simulation_warn_unstable(&(simulation_log){warn, s}, &parts);
    if (s->failure == STICTION_OK && no_memory)
        s->failure = stiction_fail(&s->error, STICTION_OUT_OF_MEMORY, "out of memory");
    mj_deleteData(data);
}

/* For engine_run. */
static void make_data(void *context) {
    simulation *s = context;
    s->data = mj_makeData(s->world->model);
    mj_resetDataKeyframe(s->world->model, s->data, 0);
}

stiction_status simulation_make_friction(simulation *s, stiction_error *error) {
    friction *const before = s->friction;
    char crash[ENGINE_MESSAGE];
    stiction_error own, *const why = error ? error : &own;
    s->friction_options.overrides = s->overrides;
    s->friction_options.override_count = s->override_count;
    s->friction = friction_create(s->world, &s->friction_options, why);
    bool made = s->friction != NULL;
    if (made && !engine_run(couple, s, s->log, s->log_user, crash))
        made = stiction_fail(why, engine_status(crash, STICTION_INVALID_CONFIG), "%s", crash) ==
               STICTION_OK;
    else if (made && s->failure != STICTION_OK) {
        made = false;
        *why = s->error;
    }
    s->failure = STICTION_OK;
    friction_destroy(made ? before : s->friction);
    if (made) return STICTION_OK;
    s->friction = before;
    return why->status;
}

static bool make_arrays(simulation *s) {
    const size_t n = s->world->joint_count + 1;
    double **arrays[] = {&s->position, &s->velocity, &s->command, &s->target};
    bool complete = true;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = calloc(n, sizeof(double));
        complete = complete && *arrays[k];
    }
    const mjModel *model = s->world->model;
    s->last_position = calloc((size_t)model->nq + 1, sizeof *s->last_position);
    s->last_velocity = calloc((size_t)model->nv + 1, sizeof *s->last_velocity);
    s->labels = calloc(n, sizeof *s->labels);
    s->joint_defs = calloc(n, sizeof *s->joint_defs);
    s->prismatic = calloc(n, sizeof *s->prismatic);
    s->contacts = calloc((size_t)model->nbody + 1, sizeof *s->contacts);
    s->contact_counts = calloc(s->world->body_count + 1, sizeof *s->contact_counts);
    return complete && s->last_position && s->last_velocity && s->labels && s->joint_defs &&
           s->prismatic && s->contacts && s->contact_counts && simulation_make_channels(s);
}

bool simulation_make_results(simulation *s) {
    results_destroy(s->results);
    s->crowded = false;
    for (size_t k = 0; k < s->world->joint_count; k++)
        s->joint_defs[k] = *friction_joint(s->friction, k);
    s->results_def.coupling = friction_coupling(s->friction);
    s->results_def.drawn = friction_seed(s->friction, &s->results_def.seed);
    s->results = results_create(&s->results_def);
    bool fine = s->results != NULL;
    for (size_t k = 0; fine && k < s->warning_count; k++)
        fine = results_warn(s->results, s->warnings[k]);
    return fine;
}

static void describe(simulation *s, const char *path, const simulation_options *o) {
    for (size_t k = 0; k < s->world->joint_count; k++) {
        s->labels[k] = s->world->joints[k].label;
        s->prismatic[k] = s->world->joints[k].prismatic;
    }
    s->results_def = (results_def){.project = path,
                                   .simulator = s->world->simulator->name,
                                   .engine = "mujoco",
                                   .engine_version = mj_versionString(),
                                   .friction_source = friction_source_name(o->friction.source),
                                   .overrides = o->overrides,
                                   .override_count = o->override_count,
                                   .interval = o->interval,
                                   .timestep = s->world->model->opt.timestep,
                                   .count = s->world->joint_count,
                                   .names = s->labels,
                                   .prismatic = s->prismatic,
                                   .friction = s->joint_defs,
                                   .body_count = s->body_count,
                                   .bodies = s->bodies,
                                   .push_count = pushes_count(s->pushes),
                                   .pushes = pushes_at(s->pushes, 0),
                                   .channel_count = s->channel_count,
                                   .channels = (const char *const *)s->channel_names};
}

world *simulation_take_world(const char *path, const simulation_options *o, stiction_error *error) {
    world_options of_world = o->world;
    of_world.log = o->log;
    of_world.log_user = o->log_user;
    of_world.is_stopped = o->is_stopped;
    of_world.memory_per_joint = FRICTION_MEMORY;
    return o->worlds ? world_cache_take(o->worlds, path, &of_world, error)
                     : world_load(path, &of_world, error);
}

void simulation_give_back(world_cache *worlds, world *w) {
    if (worlds && w)
        world_cache_return(worlds, w);
    else
        world_destroy(w);
}

controllers *simulation_make_controllers(const world *w, const simulation_options *o,
                                         stiction_error *error) {
    const controllers_options of = {.options = o->controller,
                                    .option_count = o->controller_count,
                                    .specifications = o->specifications,
                                    .specification_count = o->specification_count,
                                    .targets = o->targets,
                                    .log = o->words,
                                    .log_user = o->words_user};
    return controllers_create(w, &of, error);
}

static bool make_parts(simulation *s, const char *path, const simulation_options *o,
                       stiction_error *error) {
    s->friction_options = o->friction;
    s->friction_options.log = o->log;
    s->friction_options.log_user = o->log_user;
    s->overrides = calloc(o->friction.override_count + 1, sizeof *s->overrides);
    if (!s->overrides)
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory") == STICTION_OK;
    s->override_count = o->friction.override_count;
    for (size_t k = 0; k < s->override_count; k++) s->overrides[k] = o->friction.overrides[k];
    s->worlds = o->worlds;
    s->world = simulation_take_world(path, o, error);
    if (s->world) s->controllers = simulation_make_controllers(s->world, o, error);
    if (s->controllers)
        s->pushes = pushes_create(s->world, o->pushes, o->push_count, o->log, o->log_user, error);
    if (!s->pushes || simulation_make_friction(s, error) != STICTION_OK) return false;
    char crash[ENGINE_MESSAGE];
    const char *absence = friction_absence(s->friction);
    if (absence) warn(s, STICTION_LOG_WARNING, absence);
    if (!engine_run(make_data, s, o->log, o->log_user, crash))
        return stiction_fail(error, engine_status(crash, STICTION_INVALID_CONFIG), "%s", crash) ==
               STICTION_OK;
    if (make_arrays(s)) {
        describe(s, path, o);
        s->recording = true;
        if (simulation_make_results(s)) return true;
    }
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory") == STICTION_OK;
}

simulation *simulation_create(const char *path, const simulation_options *options,
                              stiction_error *error) {
    simulation *s = calloc(1, sizeof *s);
    if (!s) {
        (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    s->log = options->log;
    s->log_user = options->log_user;
    s->is_stopped = options->is_stopped;
    if (make_parts(s, path, options, error)) return s;
    simulation_destroy(s);
    return NULL;
}

void simulation_destroy(simulation *s) {
    if (!s) return;
    results_destroy(s->results);
    if (s->data) mj_deleteData(s->data);
    controllers_destroy(s->controllers);
    friction_destroy(s->friction);
    pushes_destroy(s->pushes);
    simulation_give_back(s->worlds, s->world);
    for (size_t k = 0; k < s->warning_count; k++) free(s->warnings[k]);
    free(s->warnings);
    free(s->labels);
    free(s->prismatic);
    free(s->joint_defs);
    free(s->position);
    free(s->velocity);
    free(s->command);
    free(s->target);
    free(s->last_position);
    free(s->last_velocity);
    free(s->contacts);
    free(s->contact_counts);
    for (size_t k = 0; k < s->channel_count; k++) free(s->channel_names[k]);
    free(s->channel_names);
    simulation_free_bodies(s);
    free(s->channels);
    for (size_t k = 0; k < 2 * s->later_count; k++) free(s->override_texts[k]);
    free(s->override_texts);
    free(s->overrides);
    free(s);
}

stiction_status simulation_reset(simulation *s, stiction_error *error) {
    mj_resetDataKeyframe(s->world->model, s->data, 0);
    s->prepared = s->stepped = false;
    controllers_reset(s->controllers);
    s->recording = simulation_make_results(s);
    return s->recording ? STICTION_OK
                        : stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
}

/* ---- looking ---- */

const world *simulation_world(const simulation *s) {
    return s->world;
}

const friction *simulation_friction(const simulation *s) {
    return s->friction;
}

const controllers *simulation_controllers(const simulation *s) {
    return s->controllers;
}

mjData *simulation_data(simulation *s) {
    return s->data;
}

const double *simulation_command(const simulation *s) {
    return s->command;
}

void simulation_set_targets(simulation *s, const double *target) {
    controllers_set_targets(s->controllers, target);
}

bool simulation_finished(const simulation *s) {
    return controllers_finished(s->controllers);
}

/* How many steps were made. MuJoCo's time is their sum, whose last digits drift. */
static long steps_of(const simulation *s) {
    return lround(s->data->time / s->world->model->opt.timestep);
}

double simulation_time(const simulation *s) {
    return (double)steps_of(s) * s->world->model->opt.timestep;
}

/* ---- a step ---- */

static void read_joints(simulation *s) {
    for (size_t k = 0; k < s->world->joint_count; k++) {
        s->position[k] = s->data->qpos[s->world->joints[k].position];
        s->velocity[k] = s->data->qvel[s->world->joints[k].velocity];
    }
}

static void apply(simulation *s, const double *friction_torque) {
    for (size_t k = 0; k < s->world->joint_count; k++)
        s->data->qfrc_applied[s->world->joints[k].velocity] = s->command[k] - friction_torque[k];
}

static bool uses_rk4(const simulation *s) {
    return s->world->model->opt.integrator == mjINT_RK4;
}

/* MuJoCo's callbacks are global: whose stages are being computed in this thread. */
static _Thread_local simulation *in_step;

static void on_stage(const mjModel *model, mjData *data) {
    simulation *s = in_step;
    if (!s || data != s->data || model != s->world->model) return;
    times_lap_in_step(TIMES_MUJOCO);
    apply(s, friction_stage(s->friction, data, s->stage++ == 0));
    times_lap_in_step(TIMES_FRICTION);
}

static void step_rk4(simulation *s) {
    s->stage = 0;
    in_step = s;
    mj_step(s->world->model, s->data);
    in_step = NULL;
}

static void record(simulation *s, double time) {
    const results_sample sample = {.time = time,
                                   .position = s->position,
                                   .velocity = s->velocity,
                                   .command = s->command,
                                   .target = s->target,
                                   .friction = friction_quantities(s->friction),
                                   .channels = s->channels,
                                   .bodies = s->body_samples};
    s->recording = s->recording && results_add(s->results, &sample);
}

static void step(simulation *s) {
    const mjModel *model = s->world->model;
    const double time = simulation_time(s);
    times_begin_step();
    mju_copy(s->last_position, s->data->qpos, model->nq);
    mju_copy(s->last_velocity, s->data->qvel, model->nv);
    simulation_prepare(s);
    read_joints(s);
    times_lap_in_step(TIMES_MUJOCO);
    if (s->torque)
        mju_copy(s->command, s->torque, (int)s->world->joint_count);
    else
        s->failure =
            controllers_step(s->controllers, s->data, time, friction_quantities(s->friction).torque,
                             s->command, s->target, &s->error);
    s->controller_failed = s->failure != STICTION_OK;
    times_lap_in_step(TIMES_CONTROLLER);
    if (s->controller_failed) return;
    pushes_apply(s->pushes, s->data, time);
    simulation_read_channels(s);
    simulation_begin_bodies(s);
    times_lap_in_step(TIMES_RECORDING);
    if (uses_rk4(s)) {
        step_rk4(s);
    } else {
        friction_step(s->friction, s->data, s->command);
        apply(s, friction_quantities(s->friction).torque);
        times_lap_in_step(TIMES_FRICTION);
        if (friction_has_implicit(s->friction))
            s->failure = friction_solve(s->friction, s->data, &s->error);
        else
            mj_step2(model, s->data);
    }
    times_lap_in_step(TIMES_MUJOCO);
    s->prepared = s->contacts_known = false;
    s->stepped = true;
    friction_after(s->friction, s->data);
    times_lap_in_step(TIMES_FRICTION);
    controllers_after(s->controllers, s->data);
    times_lap_in_step(TIMES_CONTROLLER);
    simulation_end_bodies(s);
    record(s, time);
    times_lap_in_step(TIMES_RECORDING);
}

/* MuJoCo starts anew where a number is bad, and counts a warning. */
static bool has_diverged(const mjData *data) {
    return data->warning[mjWARN_BADQPOS].number || data->warning[mjWARN_BADQVEL].number ||
           data->warning[mjWARN_BADQACC].number;
}

/* MuJoCo leaves out what it has no room for, and goes on. */
static bool is_crowded(const mjData *data) {
    return data->warning[mjWARN_CONTACTFULL].number || data->warning[mjWARN_CNSTRFULL].number;
}

static void tell_crowded(simulation *s, double since) {
    char sentence[160];
    (void)snprintf(sentence, sizeof sentence,
                   "there were more contacts than there is room for, first at %g s: some did not "
                   "act, and bodies may have passed through each other",
                   since);
    s->crowded = results_warn(s->results, sentence);
    if (s->log) s->log(s->log_user, STICTION_LOG_WARNING, sentence);
}

static void run_stretch(void *context) {
    stretch *run = context;
    simulation *s = run->s;
    for (long k = steps_of(s);
         k < run->last_step && s->recording && !run->diverged && !simulation_finished(s); k++) {
        run->reached = simulation_time(s);
        step(s);
        if (isnan(run->crowded) && is_crowded(s->data)) run->crowded = run->reached;
        run->diverged = has_diverged(s->data) || s->failure != STICTION_OK;
    }
}

/* MuJoCo's words about bad numbers are told in ours. */
static void drop_warnings(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level, (void)message;
}

static stiction_status run_until(simulation *s, long last_step, stiction_error *error) {
    const double T = s->world->model->opt.timestep;
    stretch run = {.s = s, .last_step = last_step, .crowded = (double)NAN};
    char message[ENGINE_MESSAGE];
    if (uses_rk4(s)) engine_begin_callback(on_stage);
    const bool whole = engine_run(run_stretch, &run, drop_warnings, NULL, message);
    if (uses_rk4(s)) engine_end_callback();
    in_step = NULL;
    if (!isnan(run.crowded) && !s->crowded) tell_crowded(s, run.crowded);
    if (!whole)
        return stiction_fail(error, engine_status(message, STICTION_INVALID_CONFIG), "%s", message);
    if (s->controller_failed) {
        if (error) *error = s->error;
        return s->failure;
    }
    if (s->failure != STICTION_OK)
        return stiction_fail(error, s->failure, "implicit friction failed at %g s: %s", run.reached,
                             s->error.message);
    if (run.diverged) {
        (void)snprintf(message, sizeof message,
                       "the simulation diverged at %g s: a state was not finite or too large; "
                       "`stiction check CONFIG --body BODY --timestep %g` tells whether friction "
                       "is stable",
                       run.reached, T);
        return stiction_fail(error, STICTION_ILLEGAL_TIMESTEP, "%s", message);
    }
    if (!s->recording && results_is_full(s->results))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "at %g s " RESULTS_FULL,
                             run.reached);
    if (!s->recording)
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the results");
    return STICTION_OK;
}

stiction_status simulation_run(simulation *s, double until, stiction_error *error) {
    return run_until(s, lround(fmin(until / s->world->model->opt.timestep, 1e15)), error);
}

stiction_status simulation_step(simulation *s, const double *torque, stiction_error *error) {
    for (size_t k = 0; torque && k < s->world->joint_count; k++)
        if (!isfinite(torque[k]))
            return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                 "joint '%s': the torque is %g, not a finite number",
                                 s->world->joints[k].label, torque[k]);
    if (torque)
        mju_copy(s->target, controllers_targets(s->controllers), (int)s->world->joint_count);
    s->torque = torque;
    const stiction_status status = run_until(s, steps_of(s) + 1, error);
    s->torque = NULL;
    return status;
}

/* Kinetic and potential, J. */
static double energy_at(const mjModel *model, mjData *data) {
    mj_fwdPosition(model, data);
    mj_fwdVelocity(model, data);
    mj_energyPos(model, data);
    mj_energyVel(model, data);
    return data->energy[0] + data->energy[1];
}

/* For engine_run: at the first and the last sample, in data of its own. */
static void note_energies(void *context) {
    simulation *s = context;
    mjModel *model = s->world->model;
    const int flags = model->opt.enableflags;
    mjData *data = mj_makeData(model);
    if (!data) return;
    model->opt.enableflags |= mjENBL_ENERGY; /* only here: it costs time in every step */
    mj_resetDataKeyframe(model, data, 0);
    const double first = energy_at(model, data);
    mju_copy(data->qpos, s->last_position, model->nq);
    mju_copy(data->qvel, s->last_velocity, model->nv);
    results_set_energies(s->results, first, energy_at(model, data));
    model->opt.enableflags = flags;
    mj_deleteData(data);
}

const results *simulation_record(const simulation *s) {
    return s->results;
}

results *simulation_results(simulation *s, bool complete) {
    char message[ENGINE_MESSAGE];
    if (steps_of(s) > 0 && !engine_run(note_energies, s, drop_warnings, NULL, message) &&
        engine_status(message, STICTION_OK) == STICTION_OUT_OF_MEMORY)
        (void)results_lose(s->results);
    const size_t count = controllers_count(s->controllers);
    results_controller *list = calloc(count + 1, sizeof *list);
    for (size_t k = 0; list && k < count; k++) {
        const controller_view c = controllers_look(s->controllers, k);
        list[k] = (results_controller){.name = c.name,
                                       .body = c.body,
                                       .options = c.options,
                                       .library = c.library,
                                       .notes = c.notes,
                                       .note_count = c.note_count};
    }
    if (!list) (void)results_lose(s->results);
    results_finish(s->results, complete, list, list ? count : 0);
    free(list);
    return s->results;
}
