/* SPDX-License-Identifier: MIT
 * The engine as a library: a simulation with its overrides, and arrays that stay where they are.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "document/reader.h"
#include "engine_internal.h"
#include "sized.h"

stiction_engine_def stiction_engine_def_default(void) {
    const double as_stated = (double)NAN;
    return (stiction_engine_def){
        .size = sizeof(stiction_engine_def), .timestep = as_stated, .duration = as_stated};
}

static stiction_status no_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
}

static const world *world_of(const stiction_engine *e) {
    return simulation_world(e->simulation);
}

static mjData *data_of(const stiction_engine *e) {
    return simulation_data(e->simulation);
}

/* ---- making ---- */

static void read_base(const stiction_engine *e, size_t body, double base[13]) {
    const body_base b = body_view_base(world_of(e), data_of(e), body);
    memcpy(base, b.position, sizeof b.position);
    memcpy(base + 3, b.rotation, sizeof b.rotation);
    memcpy(base + 7, b.linear, sizeof b.linear);
    memcpy(base + 10, b.angular, sizeof b.angular);
}

/* Copies the state of the simulation to the arrays. */
static void refresh(stiction_engine *e) {
    const world *w = world_of(e);
    const mjData *data = data_of(e);
    const joint_quantities last = friction_quantities(simulation_friction(e->simulation));
    const engine_arrays *a = &e->arrays;
    const size_t n = w->joint_count, first = n * e->row;
    for (size_t k = 0; k < n; k++) {
        a->q[first + k] = data->qpos[w->joints[k].position];
        a->dq[first + k] = data->qvel[w->joints[k].velocity];
        joint_arrays_copy(&a->friction, first + k, &last, k);
    }
    memcpy(a->command + first, simulation_command(e->simulation), n * sizeof *a->command);
    for (size_t k = 0; k < w->body_count; k++)
        read_base(e, k, a->base + 13 * (w->body_count * e->row + k));
    a->time[e->row] = simulation_time(e->simulation);
}

void *engine_arrays_make(engine_arrays *arrays, size_t rows, size_t joints, size_t bodies) {
    const size_t n = rows * joints, bases = rows * bodies * 13;
    const size_t numbers = 3 * n + bases + rows + rows / sizeof(double) + 1;
    char *memory = calloc(1, numbers * sizeof(double) + joint_arrays_place(NULL, NULL, n));
    double *next = (double *)(void *)memory;
    if (!memory) return NULL;
    *arrays = (engine_arrays){.q = next,
                              .dq = next + n,
                              .command = next + 2 * n,
                              .base = next + 3 * n,
                              .time = next + 3 * n + bases,
                              .failed = (bool *)(next + 3 * n + bases + rows)};
    (void)joint_arrays_place(&arrays->friction, next + numbers, n);
    return memory;
}

void engine_move_arrays(stiction_engine *e, const engine_arrays *arrays, size_t row) {
    free(e->memory);
    e->memory = NULL;
    e->arrays = *arrays;
    e->row = row;
    refresh(e);
}

stiction_status stiction_engine_make(const char *path, const simulation_options *options,
                                     stiction_engine **engine, stiction_error *error) {
    *engine = NULL;
    stiction_engine *e = calloc(1, sizeof *e);
    if (!e) return no_memory(error);
    const stiction_error no_memory = {.status = STICTION_OUT_OF_MEMORY, .message = "out of memory"};
    stiction_error own = no_memory;
    e->path = strdup(path);
    if (e->path) e->simulation = simulation_create(e->path, options, &own);
    const world *w = e->simulation ? world_of(e) : NULL;
    if (w) e->memory = engine_arrays_make(&e->arrays, 1, w->joint_count, w->body_count);
    if (e->memory) {
        refresh(e);
        *engine = e;
        return STICTION_OK;
    }
    if (e->simulation) own = no_memory;
    stiction_engine_destroy(e);
    if (error) *error = own;
    return own.status;
}

simulation *stiction_engine_simulation(stiction_engine *e) {
    return e->simulation;
}

/* A copy that lives as long as the overrides; NULL remains NULL. */
static const char *keep_text(reader *r, const char *text) {
    return text ? stiction_reader_text(r, text) : NULL;
}

static const char *const *keep_texts(reader *r, const char *const *texts, size_t count) {
    const char **copies = count ? stiction_reader_alloc(r, count * sizeof *copies) : NULL;
    for (size_t k = 0; k < count; k++) copies[k] = stiction_reader_text(r, texts[k]);
    return copies;
}

/* The values of a definition other than its settings. */
typedef struct definition {
    const stiction_engine_def *def;
    simulation_options *options;
} definition;

static void *take_definition(reader *r, const void *context) {
    const definition *d = context;
    const stiction_engine_def *def = d->def;
    simulation_options *o = d->options;
    if (!isnan(def->timestep)) o->world.timestep = def->timestep;
    if (!isnan(def->duration)) o->world.duration = def->duration;
    if (def->configuration) o->friction.configuration = keep_text(r, def->configuration);
    o->world.simulator = keep_text(r, def->simulator);
    if (def->floor) o->world.floor = true;
    if (def->fixed_base) o->world.base = ROBOT_BASE_FIXED;
    o->specifications = keep_texts(r, def->controllers, def->controller_count);
    o->specification_count = def->controller_count;
    o->world.untrusted = def->untrusted;
    o->targets = keep_text(r, def->targets);
    o->interval = def->interval;
    o->log = o->controller_log = def->log;
    o->log_user = o->controller_log_user = def->log_user;
    return r;
}

static bool read_definition(overrides *o, const stiction_engine_def *def, stiction_error *error) {
    if (!overrides_read(o, def->settings, def->setting_count, false, error)) return false;
    reader r = {.memory = o->memory, .error = error};
    const bool fine = stiction_reader_run(&r, take_definition, &(definition){def, &o->simulation});
    o->memory = r.memory;
    return fine;
}

stiction_status engine_read_definition(overrides *given, const char *path,
                                       const stiction_engine_def *def, stiction_error *error) {
    stiction_engine_def own = stiction_engine_def_default();
    stiction_error why;
    *given = (overrides){0};
    REQUIRE(path, error, "path is NULL");
    if (def && !sized_read(&own, sizeof own, def, SIZED_END(stiction_engine_def, log_user)))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "the definition did not come from stiction_engine_def_default()");
    if (read_definition(given, &own, &why)) return STICTION_OK;
    if (error) *error = why;
    return why.status;
}

stiction_status stiction_engine_create(const char *path, const stiction_engine_def *def,
                                       stiction_engine **engine, stiction_error *error) {
    REQUIRE(engine, error, "engine is NULL");
    *engine = NULL;
    overrides given;
    stiction_status status = engine_read_definition(&given, path, def, error);
    if (status == STICTION_OK)
        status = stiction_engine_make(path, &given.simulation, engine, error);
    if (status == STICTION_OK)
        (*engine)->overrides = given;
    else
        overrides_free(&given);
    return status;
}

void stiction_engine_destroy(stiction_engine *e) {
    if (!e) return;
    simulation_destroy(e->simulation);
    overrides_free(&e->overrides);
    free(e->path);
    free(e->memory);
    free(e);
}

stiction_status stiction_engine_reset(stiction_engine *e, stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    const stiction_status status = simulation_reset(e->simulation, error);
    e->arrays.failed[e->row] = status != STICTION_OK;
    refresh(e);
    return status;
}

/* ---- stepping ---- */

static stiction_status went(stiction_engine *e, stiction_status status) {
    if (status != STICTION_OK && status != STICTION_INVALID_ARGUMENT)
        e->arrays.failed[e->row] = true;
    refresh(e);
    return status;
}

static stiction_status is_over(stiction_error *error) {
    return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                         "the simulation cannot go on after its error; reset it");
}

stiction_status engine_step(stiction_engine *e, const double *torque, size_t count,
                            stiction_error *error) {
    if (e->arrays.failed[e->row]) return is_over(error);
    return went(e, simulation_step(e->simulation, torque, count, error));
}

stiction_status stiction_engine_step(stiction_engine *e, const double *torque,
                                     stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    return engine_step(e, torque, 1, error);
}

stiction_status stiction_engine_run(stiction_engine *e, double until, stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    if (e->arrays.failed[e->row]) return is_over(error);
    const double end = isnan(until) ? stiction_engine_duration(e) : until;
    if (!isfinite(end))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "the simulation has no end: give a time to run until");
    return went(e, simulation_run(e->simulation, end, error));
}

double stiction_engine_time(const stiction_engine *e) {
    return e ? simulation_time(e->simulation) : (double)NAN;
}

double stiction_engine_timestep(const stiction_engine *e) {
    return e ? world_of(e)->model->opt.timestep : (double)NAN;
}

double stiction_engine_duration(const stiction_engine *e) {
    return e ? world_of(e)->duration : (double)NAN;
}

void stiction_engine_gravity(const stiction_engine *e, double gravity[3]) {
    if (!e || !gravity) return;
    mju_copy3(gravity, world_of(e)->model->opt.gravity);
}

bool stiction_engine_finished(const stiction_engine *e) {
    return e && simulation_finished(e->simulation);
}

const char *stiction_engine_version(void) {
    return mj_versionString();
}

/* ---- joints ---- */

size_t stiction_engine_joint_count(const stiction_engine *e) {
    return e ? world_of(e)->joint_count : 0;
}

const char *stiction_engine_joint_name(const stiction_engine *e, size_t joint) {
    if (!e) return NULL;
    const world *w = world_of(e);
    return joint < w->joint_count ? w->joints[joint].label : NULL;
}

bool stiction_engine_joint_at(const stiction_engine *e, size_t joint,
                              stiction_controller_joint *info) {
    if (!e || !info) return false;
    const world *w = world_of(e);
    if (joint >= w->joint_count) return false;
    const world_joint *j = &w->joints[joint];
    *info = (stiction_controller_joint){.name = j->label,
                                        .prismatic = j->prismatic,
                                        .lower = j->lower,
                                        .upper = j->upper,
                                        .velocity_limit = j->velocity_limit,
                                        .torque_limit = j->torque_limit};
    return true;
}

const double *stiction_engine_q(const stiction_engine *e) {
    return e ? e->arrays.q + e->row * stiction_engine_joint_count(e) : NULL;
}

const double *stiction_engine_dq(const stiction_engine *e) {
    return e ? e->arrays.dq + e->row * stiction_engine_joint_count(e) : NULL;
}

const double *stiction_engine_command(const stiction_engine *e) {
    return e ? e->arrays.command + e->row * stiction_engine_joint_count(e) : NULL;
}

stiction_engine_friction stiction_engine_friction_default(void) {
    return (stiction_engine_friction){.size = sizeof(stiction_engine_friction)};
}

void stiction_engine_look(const stiction_engine *e, stiction_engine_friction *seen) {
    if (!e || !seen) return;
    const size_t first = e->row * stiction_engine_joint_count(e);
#define COPY_ARRAY(type, name, unit, description) .name = e->arrays.friction.name + first,
    const stiction_engine_friction all = {.size = seen->size,
                                          STICTION_JOINT_QUANTITIES(COPY_ARRAY)};
#undef COPY_ARRAY
    memcpy(seen, &all, seen->size < sizeof all ? seen->size : sizeof all);
}

/* ---- bodies ---- */

size_t stiction_engine_body_count(const stiction_engine *e) {
    return e ? world_of(e)->body_count : 0;
}

stiction_engine_body stiction_engine_body_default(void) {
    return (stiction_engine_body){.size = sizeof(stiction_engine_body)};
}

bool stiction_engine_body_at(const stiction_engine *e, size_t body, stiction_engine_body *info) {
    if (!e || !info) return false;
    const world *w = world_of(e);
    if (body >= w->body_count) return false;
    const world_body *b = &w->bodies[body];
    const stiction_engine_body all = {.size = info->size,
                                      .name = b->name,
                                      .first_joint = b->first_joint,
                                      .joint_count = b->joint_count,
                                      .dof = body_view_dof(w, body),
                                      .floating = b->floats,
                                      .link_count = b->link_count};
    memcpy(info, &all, info->size < sizeof all ? info->size : sizeof all);
    return true;
}

const char *stiction_engine_link_name(const stiction_engine *e, size_t body, size_t link) {
    if (!e) return NULL;
    const world *w = world_of(e);
    return body < w->body_count ? body_view_link(w, body, link) : NULL;
}

/* Refuses an unknown body, and prepares the state to be read. */
static stiction_status look_at(const stiction_engine *e, size_t body, stiction_error *error) {
    const world *w = world_of(e);
    if (body >= w->body_count)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "there is no body %zu of %zu", body,
                             w->body_count);
    return simulation_update_links(e->simulation, error);
}

stiction_status stiction_engine_base(const stiction_engine *e, size_t body, double base[13],
                                     stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(base, error, "the base is NULL");
    TRY(look_at(e, body, error));
    read_base(e, body, base);
    return STICTION_OK;
}

stiction_status stiction_engine_mass_matrix(const stiction_engine *e, size_t body, double *M,
                                            stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(M, error, "the M is NULL");
    const stiction_status status = look_at(e, body, error);
    if (status == STICTION_OK) body_view_mass_matrix(world_of(e), data_of(e), body, M);
    return status;
}

stiction_status stiction_engine_bias(const stiction_engine *e, size_t body, double *bias,
                                     stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(bias, error, "the bias is NULL");
    const stiction_status status = look_at(e, body, error);
    if (status == STICTION_OK) body_view_bias(world_of(e), data_of(e), body, bias);
    return status;
}

static stiction_status look_at_link(const stiction_engine *e, size_t body, size_t link,
                                    stiction_error *error) {
    const world *w = world_of(e);
    const stiction_status status = look_at(e, body, error);
    if (status != STICTION_OK || link < w->bodies[body].link_count) return status;
    return stiction_fail(error, STICTION_INVALID_ARGUMENT, "'%s' has no link %zu of %zu",
                         w->bodies[body].name, link, w->bodies[body].link_count);
}

stiction_status stiction_engine_jacobian(const stiction_engine *e, size_t body, size_t link,
                                         double *J, stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(J, error, "the J is NULL");
    const stiction_status status = look_at_link(e, body, link, error);
    if (status == STICTION_OK) body_view_jacobian(world_of(e), data_of(e), body, link, J);
    return status;
}

stiction_status stiction_engine_link_state(const stiction_engine *e, size_t body, size_t link,
                                           stiction_controller_link_state *state,
                                           stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(state, error, "the state is NULL");
    const stiction_status status = look_at_link(e, body, link, error);
    if (status == STICTION_OK) *state = body_view_link_state(world_of(e), data_of(e), body, link);
    return status;
}

stiction_status stiction_engine_contacts(const stiction_engine *e, size_t body,
                                         stiction_controller_contact *contacts, size_t *count,
                                         stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(contacts, error, "the contacts is NULL");
    REQUIRE(count, error, "the count is NULL");
    TRY(look_at(e, body, error));
    *count = simulation_contacts(e->simulation, body, contacts, error);
    return STICTION_OK;
}

/* ---- changing ---- */

/* MuJoCo treats larger numbers as a divergence and then resets the state. */
static stiction_status check_range(const double *numbers, size_t count, const char *what,
                                   stiction_error *error) {
    for (size_t k = 0; numbers && k < count; k++) {
        if (!isfinite(numbers[k]))
            return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                 "%s[%zu] is %g, not a finite number", what, k, numbers[k]);
        if (fabs(numbers[k]) > mjMAXVAL)
            return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                 "%s[%zu] is %g, and must be from %g to %g", what, k, numbers[k],
                                 -mjMAXVAL, mjMAXVAL);
    }
    return STICTION_OK;
}

stiction_status stiction_engine_set_joints(stiction_engine *e, const double *q, const double *dq,
                                           stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    const world *w = world_of(e);
    mjData *data = data_of(e);
    TRY(check_range(q, w->joint_count, "q", error));
    TRY(check_range(dq, w->joint_count, "dq", error));
    for (size_t k = 0; k < w->joint_count; k++) {
        if (q) data->qpos[w->joints[k].position] = q[k];
        if (dq) data->qvel[w->joints[k].velocity] = dq[k];
    }
    simulation_moved(e->simulation);
    refresh(e);
    return STICTION_OK;
}

stiction_status stiction_engine_set_base(stiction_engine *e, size_t body, const double base[13],
                                         stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(base, error, "the base is NULL");
    const world *w = world_of(e);
    if (body >= w->body_count || !w->bodies[body].floats)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "there is no body %zu whose base floats", body);
    TRY(check_range(base, 13, "base", error));
    double rotation[4];
    mju_copy4(rotation, base + 3);
    if (mju_normalize4(rotation) < 1e-6)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "the rotation of a base must not be zero");
    mjData *data = data_of(e);
    const int joint = w->model->body_jntadr[w->bodies[body].root];
    mjtNum *q = data->qpos + w->model->jnt_qposadr[joint];
    mjtNum *v = data->qvel + w->model->jnt_dofadr[joint];
    mjtNum back[4];
    mju_copy3(q, base);
    mju_copy4(q + 3, rotation);
    mju_copy3(v, base + 7);
    mju_negQuat(back, rotation);
    mju_rotVecQuat(v + 3, base + 10, back);
    simulation_moved(e->simulation);
    refresh(e);
    return STICTION_OK;
}

stiction_status stiction_engine_set_targets(stiction_engine *e, const double *target,
                                            stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(target, error, "the target is NULL");
    for (size_t k = 0; k < stiction_engine_joint_count(e); k++)
        if (isinf(target[k]))
            return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                 "target[%zu] is %g, not a finite number", k, target[k]);
    simulation_set_targets(e->simulation, target);
    return STICTION_OK;
}

/* The name in the configuration of the joint with a label such as "BODY.JOINT"; NULL: several
 * bodies have a joint of this name. */
static const char *configured_name(const world *w, const char *label) {
    for (size_t k = 0; k < w->joint_count; k++) {
        if (strcmp(w->joints[k].label, label) != 0) continue;
        for (size_t other = 0; other < w->joint_count; other++)
            if (other != k && strcmp(w->joints[other].name, w->joints[k].name) == 0) return NULL;
        return w->joints[k].name;
    }
    return label;
}

stiction_status stiction_engine_set_parameter(stiction_engine *e, const char *joint,
                                              const char *key, double value,
                                              stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    REQUIRE(joint, error, "the joint is NULL");
    REQUIRE(key, error, "the key is NULL");
    const char *name = configured_name(world_of(e), joint);
    if (!name)
        return stiction_fail(
            error, STICTION_INVALID_ARGUMENT,
            "several bodies have a joint named '%s', which their configuration does "
            "not distinguish",
            joint);
    char place[600], number[40];
    (void)snprintf(place, sizeof place, "joints.%.400s.%.100s", name, key);
    (void)snprintf(number, sizeof number, "%.17g", value);
    const stiction_status status = simulation_override(e->simulation, place, number, error);
    refresh(e);
    return status;
}

bool stiction_engine_seed(const stiction_engine *e, uint64_t *seed) {
    uint64_t own;
    return e && friction_seed(simulation_friction(e->simulation), seed ? seed : &own);
}

stiction_status stiction_engine_set_seed(stiction_engine *e, uint64_t seed, stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    char number[24];
    (void)snprintf(number, sizeof number, "%" PRIu64, seed);
    const stiction_status status = simulation_override(e->simulation, "seed", number, error);
    refresh(e);
    return status;
}

double stiction_engine_parameter(const stiction_engine *e, size_t joint, const char *key) {
    if (!e || !key) return (double)NAN;
    const double none = (double)NAN;
    if (joint >= stiction_engine_joint_count(e)) return none;
    const stiction_joint_def *def = friction_joint(simulation_friction(e->simulation), joint);
    stiction_law_info law;
    stiction_parameter_info parameter;
    if (!stiction_law_info_find(def->law, &law)) return none;
    for (size_t k = 0; stiction_parameter_at(k, &parameter); k++) {
        if (strcmp(parameter.key, key) != 0) continue;
        const double value = law.parameters >> k & 1 ? stiction_joint_def_value(def, k) : none;
        return value == STICTION_AUTO ? stiction_joint_drive_parameters(def).reverse_viscous_factor
                                      : value;
    }
    return none;
}

size_t stiction_engine_state_size(const stiction_engine *e) {
    return e ? simulation_state_size(e->simulation) : 0;
}

stiction_status stiction_engine_save(const stiction_engine *e, void *buffer, size_t size,
                                     stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    if (!buffer || size < simulation_state_size(e->simulation))
        return stiction_fail(error, STICTION_INVALID_BUFFER,
                             "the state needs %zu bytes, and the buffer has %zu",
                             simulation_state_size(e->simulation), buffer ? size : 0);
    simulation_save(e->simulation, buffer);
    return STICTION_OK;
}

stiction_status stiction_engine_restore(stiction_engine *e, const void *buffer, size_t size,
                                        stiction_error *error) {
    REQUIRE(e, error, "the engine is NULL");
    if (!buffer) return stiction_fail(error, STICTION_INVALID_BUFFER, "buffer is NULL");
    const stiction_status status = simulation_restore(e->simulation, buffer, size, error);
    if (status == STICTION_OK) e->arrays.failed[e->row] = false;
    refresh(e);
    return status;
}
