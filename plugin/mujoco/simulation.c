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

simulation_options simulation_options_default(void) {
    return (simulation_options){.world = world_options_default()};
}

static stiction_status out_of_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
}

stiction_status simulation_call(simulation *s, void (*call)(void *), stiction_error *error) {
    char message[ENGINE_MESSAGE];
    if (engine_run(call, s, s->options.log, s->options.log_user, message)) return STICTION_OK;
    return stiction_fail(error, engine_status(message, STICTION_INVALID_CONFIG), "%s", message);
}

/* ---- making ---- */

/* To the host, and into the results. */
static void warn(void *user, stiction_log_level level, const char *message) {
    simulation *s = user;
    char **warnings = realloc(s->warnings, (s->warning_count + 1) * sizeof *warnings);
    if (warnings) s->warnings = warnings;
    char *copy = warnings ? stiction_text_copy(message) : NULL;
    if (copy) s->warnings[s->warning_count++] = copy;
    if (s->options.log) s->options.log(s->options.log_user, level, message);
}

/* For engine_run. Judges explicit coupling at the start, in data of its own. */
static void couple(void *context) {
    simulation *s = context;
    mjData *data = mj_makeData(s->world->model);
    mj_resetDataKeyframe(s->world->model, data, 0);
    controllers_start(s->controllers, data);
    mj_forward(s->world->model, data);
    bool no_memory = false;
    const simulation_parts parts = {s->world, s->friction,           s->controllers,
                                    data,     s->options.is_stopped, &no_memory};
    s->failure =
        friction_couple(s->friction, simulation_judge, &parts, &s->options.friction, &s->error);
    if (s->failure == STICTION_OK) simulation_warn_unstable(&parts, warn, s);
    if (s->failure == STICTION_OK && no_memory) s->failure = out_of_memory(&s->error);
    mj_deleteData(data);
}

stiction_status simulation_make_friction(simulation *s, stiction_error *error) {
    friction *const before = s->friction;
    stiction_error own, *const why = error ? error : &own;
    s->options.friction.overrides = s->overrides;
    s->options.friction.override_count = s->override_count;
    s->friction = friction_create(s->world, &s->options.friction, why);
    stiction_status status = s->friction ? simulation_call(s, couple, why) : why->status;
    if (status == STICTION_OK && s->failure != STICTION_OK) {
        status = s->failure;
        *why = s->error;
    }
    s->failure = STICTION_OK;
    friction_destroy(status == STICTION_OK ? before : s->friction);
    if (status != STICTION_OK)
        s->friction = before;
    else if (s->made_implicit)
        mju_zero(s->made_implicit, (int)s->world->body_count);
    return status;
}

/* Less energy than this is not reported as energy from nothing. It lifts the robot by a
 * millimetre, which contacts may do when they begin to bear, or turns its joints against their
 * friction by a milliradian. */
static double least_energy(const simulation *s) {
    const mjModel *model = s->world->model;
    double force = mju_norm3(model->opt.gravity) * model->body_subtreemass[0];
    for (size_t k = 0; k < s->world->joint_count; k++)
        force += fmax(s->joint_defs[k].coulomb_torque, 0);
    return 1e-3 * force;
}

bool simulation_make_results(simulation *s) {
    results_destroy(s->results);
    s->crowded = false;
    for (size_t k = 0; k < s->world->joint_count; k++)
        s->joint_defs[k] = *friction_joint(s->friction, k);
    s->results_def.least_energy = least_energy(s);
    s->results_def.coupling = friction_coupling(s->friction);
    s->results_def.valid = friction_valid(s->friction);
    s->results_def.drawn = friction_seed(s->friction, &s->results_def.seed);
    s->results = results_create(&s->results_def);
    s->recording = s->results != NULL;
    for (size_t k = 0; s->recording && k < s->warning_count; k++)
        s->recording = results_warn(s->results, s->warnings[k]);
    return s->recording;
}

static void make_arrays(simulation *s, reader *r) {
    const mjModel *model = s->world->model;
    const size_t n = s->world->joint_count + 1;
    double **arrays[] = {&s->position, &s->velocity, &s->command, &s->target};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = stiction_reader_alloc(r, n * sizeof(double));
    s->last_position = stiction_reader_alloc(r, (size_t)(model->nq + 1) * sizeof(double));
    s->last_velocity = stiction_reader_alloc(r, (size_t)(model->nv + 1) * sizeof(double));
    s->unprepared = stiction_reader_alloc(r, (size_t)(model->nq + 1) * sizeof(double));
    s->watched = stiction_reader_alloc(r, SIMULATION_WATCHED * n * sizeof(double));
    s->made_implicit = stiction_reader_alloc(r, (s->world->body_count + 1) * sizeof(double));
    s->joint_defs = stiction_reader_alloc(r, n * sizeof *s->joint_defs);
    s->contacts = stiction_reader_alloc(r, (size_t)(model->nbody + 1) * sizeof *s->contacts);
    s->contact_counts =
        stiction_reader_alloc(r, (s->world->body_count + 1) * sizeof *s->contact_counts);
}

static void describe(simulation *s, reader *r, const char *path) {
    const simulation_options *o = &s->options;
    const char **names = stiction_reader_alloc(r, (s->world->joint_count + 1) * sizeof *names);
    bool *prismatic = stiction_reader_alloc(r, s->world->joint_count + 1);
    double *limits = stiction_reader_alloc(r, (s->world->joint_count + 1) * sizeof *limits);
    for (size_t k = 0; k < s->world->joint_count; k++) {
        names[k] = s->world->joints[k].label;
        prismatic[k] = s->world->joints[k].prismatic;
        limits[k] = s->world->joints[k].torque_limit;
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
                                   .names = names,
                                   .prismatic = prismatic,
                                   .torque_limits = limits,
                                   .friction = s->joint_defs,
                                   .body_count = s->floating_count,
                                   .bodies = s->bodies,
                                   .push_count = s->pushes->list.count,
                                   .pushes = s->pushes->list.items,
                                   .channel_count = s->channel_count,
                                   .channels = s->channel_names};
}

static world *take_world(const char *path, const simulation_options *o, stiction_error *error) {
    if (o->shared) return o->shared;
    world_options of_world = o->world;
    of_world.log = o->log;
    of_world.log_user = o->log_user;
    of_world.is_stopped = o->is_stopped;
    of_world.memory_per_joint = FRICTION_MEMORY;
    return o->worlds ? world_cache_take(o->worlds, path, &of_world, error)
                     : world_load(path, &of_world, error);
}

static void return_world(const simulation_options *o, world *w) {
    if (o->worlds && w)
        world_cache_return(o->worlds, w);
    else if (!o->shared)
        world_destroy(w);
}

static controllers *make_controllers(const world *w, const simulation_options *o,
                                     stiction_error *error) {
    const controllers_options of = {.options = o->controller,
                                    .option_count = o->controller_count,
                                    .specifications = o->specifications,
                                    .specification_count = o->specification_count,
                                    .targets = o->targets,
                                    .log = o->controller_log,
                                    .log_user = o->controller_log_user};
    return controllers_create(w, &of, error);
}

static pushes *make_pushes(const world *w, const simulation_options *o, stiction_error *error) {
    return pushes_create(w, o->pushes, o->push_count, o->log, o->log_user, error);
}

static void make_data(void *context) {
    simulation *s = context;
    s->data = mj_makeData(s->world->model);
    mj_resetDataKeyframe(s->world->model, s->data, 0);
    controllers_start(s->controllers, s->data);
}

static void free_override(stiction_override *o) {
    free((char *)o->key);
    free((char *)o->value);
}

static void finish_simulation(void *memory) {
    simulation *s = memory;
    results_destroy(s->results);
    if (s->data) mj_deleteData(s->data);
    controllers_destroy(s->controllers);
    friction_destroy(s->friction);
    pushes_destroy(s->pushes);
    return_world(&s->options, s->world);
    for (size_t k = 0; k < s->warning_count; k++) free(s->warnings[k]);
    free(s->warnings);
    for (size_t k = 0; k < s->override_count; k++) free_override(&s->overrides[k]);
    free(s->overrides);
}

/* A list of the overrides with a new one at its end, instead of one with its key; NULL: out of
 * memory. The texts of the others are shared. */
static stiction_override *list_with(const simulation *s, const char *key, const char *value,
                                    size_t *count) {
    stiction_override *list = calloc(s->override_count + 1, sizeof *list);
    stiction_override added = {stiction_text_copy(key), stiction_text_copy(value)};
    *count = 0;
    for (size_t k = 0; list && k < s->override_count; k++)
        if (strcmp(s->overrides[k].key, key) != 0) list[(*count)++] = s->overrides[k];
    if (list && added.key && added.value) {
        list[(*count)++] = added;
        return list;
    }
    free_override(&added);
    free(list);
    return NULL;
}

typedef struct request {
    const char *path;
    const simulation_options *options;
} request;

static void *make_simulation(reader *r, const void *context) {
    const request *q = context;
    const friction_options *f = &q->options->friction;
    simulation *s = stiction_reader_own(r, sizeof *s, finish_simulation);
    stiction_error error;
    s->options = *q->options;
    s->options.friction.log = s->options.log;
    s->options.friction.log_user = s->options.log_user;
    s->overrides = calloc(f->override_count + 1, sizeof *s->overrides);
    if (!s->overrides) stiction_reader_no_memory(r);
    for (size_t k = 0; k < f->override_count; k++) {
        stiction_override *copy = &s->overrides[s->override_count++];
        copy->key = stiction_text_copy(f->overrides[k].key);
        copy->value = stiction_text_copy(f->overrides[k].value);
        if (!copy->key || !copy->value) stiction_reader_no_memory(r);
    }
    s->world = take_world(q->path, &s->options, &error);
    if (s->world) s->controllers = make_controllers(s->world, &s->options, &error);
    if (s->controllers) s->pushes = make_pushes(s->world, &s->options, &error);
    if (!s->pushes || simulation_make_friction(s, &error) != STICTION_OK)
        stiction_reader_refuse_as(r, &error);
    const char *absence = friction_absence(s->friction);
    if (absence) warn(s, STICTION_LOG_WARNING, absence);
    if (simulation_call(s, make_data, &error) != STICTION_OK) stiction_reader_refuse_as(r, &error);
    make_arrays(s, r);
    simulation_make_channels(s, r);
    describe(s, r, q->path);
    if (!simulation_make_results(s)) stiction_reader_no_memory(r);
    return s;
}

simulation *simulation_create(const char *path, const simulation_options *options,
                              stiction_error *error) {
    reader r = {.error = error};
    simulation *s = stiction_reader_run(&r, make_simulation, &(request){path, options});
    if (s) s->memory = r.memory;
    return s;
}

void simulation_destroy(simulation *s) {
    if (s) stiction_arena_free(&s->memory);
}

static bool was_made_implicit(const simulation *s) {
    for (size_t k = 0; k < s->world->body_count; k++)
        if (s->made_implicit[k] != 0) return true;
    return false;
}

stiction_status simulation_reset(simulation *s, stiction_error *error) {
    mj_resetDataKeyframe(s->world->model, s->data, 0);
    controllers_start(s->controllers, s->data);
    s->prepared = s->stepped = false;
    s->energy = (energy_sample){0};
    controllers_reset(s->controllers);
    if (was_made_implicit(s)) {
        TRY(simulation_make_friction(s, error));
    }
    return simulation_make_results(s) ? STICTION_OK : out_of_memory(error);
}

stiction_status simulation_override(simulation *s, const char *name, const char *value,
                                    stiction_error *error) {
    stiction_override *const before = s->overrides;
    const size_t count_before = s->override_count;
    size_t count;
    stiction_override *list = list_with(s, name, value, &count);
    if (!list) return out_of_memory(error);
    s->overrides = list;
    s->override_count = count;
    stiction_status status = simulation_make_friction(s, error);
    if (status != STICTION_OK) {
        free_override(&list[count - 1]);
        free(list);
        s->overrides = before;
        s->override_count = count_before;
        return status;
    }
    for (size_t k = 0; k < count_before; k++)
        if (strcmp(before[k].key, name) == 0) free_override(&before[k]);
    free(before);
    if (!s->stepped) return simulation_make_results(s) ? STICTION_OK : out_of_memory(error);
    if (results_warn(s->results, "parameters of friction were changed during the run: those of its "
                                 "start are given"))
        return STICTION_OK;
    s->recording = false;
    return out_of_memory(error);
}

/* ---- reading ---- */

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

const results *simulation_record(const simulation *s) {
    return s->results;
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

static void apply(simulation *s, const double *friction_torque) {
    for (size_t k = 0; k < s->world->joint_count; k++)
        s->data->qfrc_applied[s->world->joints[k].velocity] = s->command[k] - friction_torque[k];
}

static bool uses_rk4(const simulation *s) {
    return s->world->model->opt.integrator == mjINT_RK4;
}

/* MuJoCo's callbacks are global: this is the simulation whose stages this thread computes. */
static _Thread_local simulation *in_step;

static void on_stage(const mjModel *model, mjData *data) {
    simulation *s = in_step;
    if (!s || data != s->data || model != s->world->model) return;
    apply(s, friction_stage(s->friction, data, s->stage++ == 0));
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
    if (s->recording && s->has_energy) results_add_energy(s->results, &s->energy);
}

/* ---- what can be believed ---- */

/* The energy is computed once in this many steps. */
enum { energy_interval = 16 };

/* With the pose and velocity for which `data` was prepared. */
static energy_sample energy_of(const simulation *s, mjData *data) {
    mjModel model = *s->world->model; /* a copy, since other simulations may share it; the arrays
                                       * are the same */
    energy_sample e = s->energy;
    model.opt.enableflags |= mjENBL_ENERGY; /* only here: it would cost time in every step */
    mj_energyPos(&model, data);
    mj_energyVel(&model, data);
    e.potential = data->energy[0];
    e.kinetic = data->energy[1];
    return e;
}

/* At the start of a step, when the forces of the last one are still there: adds the work of its
 * pushes, with the velocity after it. */
static void follow_energy(simulation *s) {
    const mjModel *model = s->world->model;
    if (s->stepped)
        for (size_t k = 0; k < s->pushes->list.count; k++) {
            const int body = s->pushes->bodies[k];
            mjtNum velocity[6]; /* turning, then moving */
            bool repeated = false;
            for (size_t i = 0; i < k; i++) repeated = repeated || s->pushes->bodies[i] == body;
            if (repeated) continue; /* its force is the sum of all */
            mj_objectVelocity(model, s->data, mjOBJ_BODY, body, velocity, 0);
            const mjtNum *force = s->data->xfrc_applied + 6 * body;
            s->energy.pushed += model->opt.timestep *
                                (mju_dot3(force, velocity + 3) + mju_dot3(force + 3, velocity));
        }
    s->has_energy = s->jumped || steps_of(s) % energy_interval == 0;
    s->jumped = false;
    if (s->has_energy) s->energy = energy_of(s, s->data);
}

/* After a step: the forces of contacts, limits and loops, times the velocity after it. */
static void follow_constraints(simulation *s) {
    const mjModel *model = s->world->model;
    if (s->data->nefc)
        s->energy.constrained +=
            model->opt.timestep * mju_dot(s->data->qfrc_constraint, s->data->qvel, model->nv);
}

static size_t body_of(const world *w, size_t joint) {
    size_t body = 0;
    while (joint >= w->bodies[body].first_joint + w->bodies[body].joint_count) body++;
    return body;
}

stiction_status simulation_make_implicit(simulation *s, size_t body, stiction_error *error) {
    const stiction_status status =
        friction_make_implicit(s->friction, body, &s->options.friction, error);
    if (status == STICTION_OK) s->made_implicit[body] = 1;
    return status;
}

/* Where auto took explicit coupling and friction chatters all the same, it becomes implicit. */
static void watch_chatter(simulation *s, double time) {
    const world *w = s->world;
    const size_t joint = results_find_chatter(s->results);
    if (joint == w->joint_count) return;
    const size_t body = body_of(w, joint);
    if (!friction_is_auto(s->friction, body) || friction_is_implicit(s->friction, body)) return;
    const char *obstacle = friction_obstacle(s->friction, body);
    stiction_error why;
    if (!obstacle && simulation_make_implicit(s, body, &why) != STICTION_OK) obstacle = why.message;
    if (obstacle) {
        s->failure = stiction_fail(&s->error, STICTION_ILLEGAL_TIMESTEP,
                                   "joint '%.200s': explicit friction chatters from %g s on, and "
                                   "auto cannot take implicit "
                                   "coupling: %.500s; take a smaller time step",
                                   w->joints[joint].label, time, obstacle);
        return;
    }
    char message[700];
    (void)snprintf(message, sizeof message,
                   "joint '%.200s': explicit friction chattered at %g s; the friction of '%.200s' "
                   "is implicit from then on",
                   w->joints[joint].label, time, w->bodies[body].name);
    for (size_t k = 0; k < w->bodies[body].joint_count; k++)
        results_end_chatter(s->results, w->bodies[body].first_joint + k);
    s->recording = results_warn(s->results, message);
    results_set_coupling(s->results, friction_coupling(s->friction));
    if (s->options.log) s->options.log(s->options.log_user, STICTION_LOG_WARNING, message);
}

static void solve(simulation *s, double time) {
    stiction_error why;
    const stiction_status status = friction_solve(s->friction, s->data, &why);
    if (status != STICTION_OK)
        s->failure = stiction_fail(&s->error, status, "implicit friction failed at %g s: %.900s",
                                   time, why.message);
}

static void step(simulation *s) {
    const mjModel *model = s->world->model;
    const double time = simulation_time(s);
    mju_copy(s->last_position, s->data->qpos, model->nq);
    mju_copy(s->last_velocity, s->data->qvel, model->nv);
    simulation_prepare(s);
    for (size_t k = 0; k < s->world->joint_count; k++) {
        s->position[k] = s->data->qpos[s->world->joints[k].position];
        s->velocity[k] = s->data->qvel[s->world->joints[k].velocity];
    }
    follow_energy(s);
    if (s->torque)
        mju_copy(s->command, s->torque, (int)s->world->joint_count);
    else
        s->failure =
            controllers_step(s->controllers, s->data, time, friction_quantities(s->friction).torque,
                             s->command, s->target, &s->error);
    s->controller_failed = s->failure != STICTION_OK;
    if (s->controller_failed) return;
    pushes_apply(s->pushes, s->data, time);
    simulation_begin_channels(s);
    if (uses_rk4(s)) {
        s->stage = 0;
        in_step = s;
        mj_step(model, s->data);
        in_step = NULL;
    } else {
        friction_step(s->friction, s->data, s->command);
        apply(s, friction_quantities(s->friction).torque);
        if (friction_has_implicit(s->friction))
            solve(s, time);
        else
            mj_step2(model, s->data);
    }
    if (s->failure != STICTION_OK) return;
    follow_constraints(s);
    s->prepared = s->contacts_known = false;
    s->stepped = true;
    friction_after(s->friction, s->data);
    controllers_after(s->controllers, s->data);
    simulation_end_channels(s);
    record(s, time);
    if (s->recording && s->failure == STICTION_OK) watch_chatter(s, time);
}

/* ---- the loop ---- */

/* The steps of one engine_run. */
typedef struct step_loop {
    simulation *s;
    long last_step;
    double reached; /* s: the start of the last step */
    bool diverged;
    double crowded; /* s: the first step with too many contacts; NaN: none */
} step_loop;

/* MuJoCo resets the data if a number is bad, and counts a warning: for an acceleration in its step,
 * otherwise when the state is next evaluated, which is too late. */
static bool has_diverged(const mjModel *model, const mjData *data) {
    for (int k = 0; k < model->nq; k++)
        if (mju_isBad(data->qpos[k])) return true;
    for (int k = 0; k < model->nv; k++)
        if (mju_isBad(data->qvel[k])) return true;
    return data->warning[mjWARN_BADQPOS].number || data->warning[mjWARN_BADQVEL].number ||
           data->warning[mjWARN_BADQACC].number;
}

/* The state before the step that failed. MuJoCo's is that of the start, or has numbers that are not
 * finite where the step had several stages. */
static void take_back(simulation *s, double time) {
    const mjModel *model = s->world->model;
    for (int k = 0; k < model->nq; k++)
        if (!isfinite(s->last_position[k])) return;
    for (int k = 0; k < model->nv; k++)
        if (!isfinite(s->last_velocity[k])) return;
    mju_copy(s->data->qpos, s->last_position, model->nq);
    mju_copy(s->data->qvel, s->last_velocity, model->nv);
    s->data->time = time;
    s->prepared = s->contacts_known = false;
}

/* MuJoCo ignores contacts that do not fit. */
static bool is_crowded(const mjData *data) {
    return data->warning[mjWARN_CONTACTFULL].number || data->warning[mjWARN_CNSTRFULL].number;
}

static void run_steps(void *context) {
    step_loop *loop = context;
    simulation *s = loop->s;
    for (long k = steps_of(s);
         k < loop->last_step && s->recording && !loop->diverged && !simulation_finished(s); k++) {
        loop->reached = simulation_time(s);
        step(s);
        if (isnan(loop->crowded) && is_crowded(s->data)) loop->crowded = loop->reached;
        loop->diverged = has_diverged(s->world->model, s->data) || s->failure != STICTION_OK;
        if (loop->diverged) take_back(s, loop->reached);
    }
}

/* MuJoCo's warnings about bad numbers are errors of ours. */
static void drop_warnings(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level, (void)message;
}

static void warn_of_crowd(simulation *s, double since) {
    char message[160];
    (void)snprintf(message, sizeof message,
                   "there were more contacts than there is room for, first at %g s: some did not "
                   "act, and bodies may have passed through each other",
                   since);
    s->crowded = results_warn(s->results, message);
    if (s->options.log) s->options.log(s->options.log_user, STICTION_LOG_WARNING, message);
}

static stiction_status run_until(simulation *s, long last_step, stiction_error *error) {
    step_loop loop = {.s = s, .last_step = last_step, .crowded = (double)NAN};
    char message[ENGINE_MESSAGE];
    s->failure = STICTION_OK;
    if (uses_rk4(s)) engine_begin_callback(on_stage);
    const bool whole = engine_run(run_steps, &loop, drop_warnings, NULL, message);
    if (uses_rk4(s)) engine_end_callback();
    in_step = NULL;
    if (!isnan(loop.crowded) && !s->crowded) warn_of_crowd(s, loop.crowded);
    if (!whole)
        return stiction_fail(error, engine_status(message, STICTION_INVALID_CONFIG), "%s", message);
    if (s->failure != STICTION_OK) {
        if (error) *error = s->error;
        return s->failure;
    }
    if (loop.diverged && strcmp(friction_coupling(s->friction), "explicit") == 0)
        return stiction_fail(
            error, STICTION_ILLEGAL_TIMESTEP,
            "the simulation diverged at %g s: a state was not finite or too large; "
            "`stiction check CONFIG --body BODY --timestep %g` shows whether "
            "friction is stable",
            loop.reached, s->world->model->opt.timestep);
    if (loop.diverged)
        return stiction_fail(error, STICTION_ILLEGAL_TIMESTEP,
                             "the simulation diverged at %g s: a state was not finite or too "
                             "large; take a smaller time step or lower gains",
                             loop.reached);
    if (!s->recording && results_is_full(s->results))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "at %g s " RESULTS_FULL,
                             loop.reached);
    if (!s->recording)
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the results");
    return STICTION_OK;
}

stiction_status simulation_run(simulation *s, double until, stiction_error *error) {
    return run_until(s, lround(fmin(until / s->world->model->opt.timestep, 1e15)), error);
}

stiction_status simulation_step(simulation *s, const double *torque, size_t count,
                                stiction_error *error) {
    for (size_t k = 0; torque && k < s->world->joint_count; k++)
        if (!isfinite(torque[k]))
            return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                 "joint '%s': the torque is %g, not a finite number",
                                 s->world->joints[k].label, torque[k]);
    if (torque)
        mju_copy(s->target, controllers_targets(s->controllers), (int)s->world->joint_count);
    s->torque = torque;
    const stiction_status status = run_until(s, steps_of(s) + (long)count, error);
    s->torque = NULL;
    return status;
}

/* ---- results ---- */

/* For engine_run: at the last sample, in data of its own. */
static void note_energy(void *context) {
    simulation *s = context;
    const mjModel *model = s->world->model;
    mjData *data = mj_makeData(model);
    if (!data) return;
    mju_copy(data->qpos, s->last_position, model->nq);
    mju_copy(data->qvel, s->last_velocity, model->nv);
    mj_fwdPosition(model, data);
    mj_fwdVelocity(model, data);
    const energy_sample last = energy_of(s, data);
    results_add_energy(s->results, &last);
    mj_deleteData(data);
}

results *simulation_results(simulation *s, bool complete) {
    char message[ENGINE_MESSAGE];
    if (steps_of(s) > 0 && !engine_run(note_energy, s, drop_warnings, NULL, message) &&
        engine_status(message, STICTION_OK) == STICTION_OUT_OF_MEMORY)
        (void)results_lose(s->results);
    const size_t count = controllers_count(s->controllers);
    results_controller *list = calloc(count + 1, sizeof *list);
    for (size_t k = 0; list && k < count; k++) list[k] = controllers_result(s->controllers, k);
    if (!list) (void)results_lose(s->results);
    results_set_unconverged(s->results, friction_frozen_steps(s->friction),
                            friction_frozen_where(s->friction));
    results_finish(s->results, complete, list, list ? count : 0);
    free(list);
    return s->results;
}
