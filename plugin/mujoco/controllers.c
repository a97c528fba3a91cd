/*
 * The posture controllers of a world: made from the project's option strings, stepped with M and c
 * of MuJoCo. A step allocates nothing.
 */
#include "controllers.h"

#include <math.h>
#include <string.h>

typedef struct controller {
    const project_controller *source;
    const world_body *body;
    const char *options;
    posture_mode mode;
    posture_config *config;
    posture *posture;
    posture_state *state;
    double *q, *dq, *M, *c, *torque; /* of the body's joints */
    size_t blocking;                 /* the joint count: none yet */
} controller;

struct controllers {
    const world *world;
    controller **items;
    size_t count;
    double *full; /* the mass matrix of the world */
    bool needs_inertia;
    arena memory;
};

static void finish(void *memory) {
    controller *c = memory;
    posture_state_destroy(c->state);
    posture_destroy(c->posture);
    posture_config_destroy(c->config);
}

static const char module_name[] = "StictionPostureController";

static void refuse_error(reader *r, const controller *c, const stiction_error *error) {
    const stiction_place at = {error->path, error->line, error->column};
    if (error->path[0]) stiction_reader_refuse(r, at, "%s", error->message);
    stiction_reader_refuse(r, c->source->at, "controller '%s': %s", c->source->name,
                           error->message);
}

/* What the robot itself says of its joints. */
static posture_joint_def *joint_defs(reader *r, const world *w, const world_body *body) {
    posture_joint_def *defs = stiction_reader_alloc(r, body->joint_count * sizeof *defs + 1);
    for (size_t k = 0; k < body->joint_count; k++) {
        const world_joint *joint = &w->joints[body->first_joint + k];
        defs[k] = posture_joint_def_default();
        defs[k].name = joint->name;
        defs[k].prismatic = joint->prismatic;
        defs[k].lower_limit = joint->lower;
        defs[k].upper_limit = joint->upper;
        defs[k].torque_limit = joint->torque_limit;
        defs[k].velocity_limit = joint->velocity_limit;
    }
    return defs;
}

static void configure(reader *r, const world *w, controller *c, const char *const *extra,
                      size_t extra_count) {
    stiction_error error = {.status = STICTION_OUT_OF_MEMORY, .message = "out of memory"};
    const char *folder = stiction_reader_beside(r, w->project->path, "");
    posture_def def = posture_def_default();
    posture_joint_def *joints = joint_defs(r, w, c->body);
    c->config = posture_config_create();
    stiction_status status =
        c->config ? posture_config_add_options(c->config, c->source->options, folder, &error)
                  : STICTION_OUT_OF_MEMORY;
    c->options = c->source->options;
    for (size_t k = 0; k < extra_count && status == STICTION_OK; k++) {
        status = posture_config_add_options(c->config, extra[k], NULL, &error);
        c->options = stiction_reader_format(r, "%s %s", c->options, extra[k]);
    }
    if (status == STICTION_OK)
        status = posture_config_apply(c->config, &def, joints, c->body->joint_count, &error);
    if (status == STICTION_OK) status = posture_create(&def, &c->posture, &error);
    if (status == STICTION_OK) status = posture_state_create(c->posture, &c->state, &error);
    if (status != STICTION_OK) refuse_error(r, c, &error);
    c->mode = def.mode;
}

static controller *make_controller(reader *r, const world *w, const world_body *body,
                                   const project_controller *source, const char *const *extra,
                                   size_t extra_count) {
    if (strcmp(source->module, module_name) != 0)
        stiction_reader_refuse(
            r, source->at,
            "controller '%s' is '%s', which only Choreonoid can run; the embedded engine "
            "has %s",
            source->name, *source->module ? source->module : source->class_name, module_name);
    if (!body->joint_count)
        stiction_reader_refuse(r, source->at, "controller '%s': '%s' has no joints", source->name,
                               body->source->name);
    controller *c = stiction_reader_own(r, sizeof *c, finish);
    const size_t n = body->joint_count;
    c->source = source;
    c->body = body;
    c->blocking = n;
    configure(r, w, c, extra, extra_count);
    double **arrays[] = {&c->q, &c->dq, &c->c, &c->torque};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = stiction_reader_alloc(r, n * sizeof(double));
    c->M = stiction_reader_alloc(r, n * n * sizeof(double));
    return c;
}

static controllers *make(reader *r, const world *w, const char *const *extra, size_t extra_count) {
    controllers *made = stiction_reader_alloc(r, sizeof *made);
    const size_t nv = (size_t)w->model->nv;
    made->world = w;
    made->full = stiction_reader_alloc(r, nv * nv * sizeof(double) + 1);
    for (size_t b = 0; b < w->body_count; b++) {
        const project_body *source = w->bodies[b].source;
        if (source->controller_count > 1)
            stiction_reader_refuse(r, source->controllers[1].at,
                                   "'%s' has a second controller, which would overwrite the first",
                                   source->name);
        if (!source->controller_count) continue;
        made->items = stiction_reader_grow(r, made->items, made->count, sizeof *made->items);
        controller *c =
            make_controller(r, w, &w->bodies[b], &source->controllers[0], extra, extra_count);
        made->items[made->count++] = c;
        made->needs_inertia = made->needs_inertia || c->mode == POSTURE_QP;
    }
    if (extra_count && !made->count)
        stiction_reader_refuse(r, (stiction_place){w->project->path, 0, 0},
                               "controller.%s is set, but there is no controller", extra[0]);
    return made;
}

typedef struct request {
    const world *world;
    const char *const *extra;
    size_t extra_count;
} request;

static void *answer(reader *r, const void *context) {
    const request *q = context;
    return make(r, q->world, q->extra, q->extra_count);
}

controllers *controllers_create(const world *w, const char *const *extra, size_t extra_count,
                                stiction_error *error) {
    reader r = {.error = error};
    controllers *made = stiction_reader_run(&r, answer, &(request){w, extra, extra_count});
    if (made) made->memory = r.memory;
    return made;
}

void controllers_destroy(controllers *c) {
    if (c) stiction_arena_free(&c->memory);
}

void controllers_reset(controllers *c) {
    for (size_t k = 0; k < c->count; k++) posture_state_reset(c->items[k]->state);
}

/* The joints' block of M, and what zero acceleration of them needs: the root counts as standing. */
static void read_inertia(const controllers *all, controller *c, const mjData *data) {
    const world_joint *joints = all->world->joints + c->body->first_joint;
    const size_t n = c->body->joint_count, nv = (size_t)all->world->model->nv;
    for (size_t i = 0; i < n; i++) {
        const size_t row = (size_t)joints[i].velocity;
        c->c[i] = data->qfrc_bias[row];
        for (size_t j = 0; j < n; j++)
            c->M[i * n + j] = all->full[row * nv + (size_t)joints[j].velocity];
    }
}

static void step(controllers *all, controller *c, const mjData *data, double time, double *command,
                 double *target) {
    const size_t first = c->body->first_joint, n = c->body->joint_count;
    const world_joint *joints = all->world->joints + first;
    for (size_t k = 0; k < n; k++) {
        c->q[k] = data->qpos[joints[k].position];
        c->dq[k] = data->qvel[joints[k].velocity];
    }
    if (c->mode == POSTURE_QP) read_inertia(all, c, data);
    size_t blocking = n;
    posture_input input = posture_input_default();
    posture_output output = posture_output_default();
    input.t = time;
    input.dt = all->world->model->opt.timestep;
    input.q = c->q;
    input.dq = c->dq;
    input.M = c->M;
    input.c = c->c;
    output.torque = command + first;
    output.blocking = &blocking;
    (void)posture_step(c->state, &input, &output);
    if (c->blocking == n) c->blocking = blocking;
    for (size_t k = 0; c->mode != POSTURE_TORQUE && k < n; k++)
        target[first + k] = posture_desired(c->state, k, time, c->q[k]).q;
}

void controllers_step(controllers *c, const mjData *data, double time, double *command,
                      double *target) {
    for (size_t k = 0; k < c->world->joint_count; k++) {
        command[k] = 0;
        target[k] = (double)NAN;
    }
    if (c->needs_inertia) mj_fullM(c->world->model, c->full, data->qM);
    for (size_t k = 0; k < c->count; k++) step(c, c->items[k], data, time, command, target);
}

bool controllers_gains(controllers *all, const mjData *data, size_t body, double *stiffness,
                       double *damping, double *period) {
    for (size_t k = 0; k < all->count; k++) {
        controller *c = all->items[k];
        if (c->body != &all->world->bodies[body]) continue;
        mj_fullM(all->world->model, all->full, data->qM);
        read_inertia(all, c, data);
        posture_gains(c->posture, c->M, stiffness, damping);
        *period = posture_period(c->posture);
        return true;
    }
    return false;
}

size_t controllers_count(const controllers *c) {
    return c->count;
}

controller_view controllers_look(const controllers *all, size_t index) {
    const controller *c = all->items[index];
    const world_joint *joints = all->world->joints + c->body->first_joint;
    return (controller_view){
        .name = c->source->name,
        .body = c->body->source->name,
        .mode = posture_mode_name(c->mode),
        .options = c->options,
        .clamped = posture_state_count(c->state, POSTURE_CLAMPED),
        .relaxed = posture_state_count(c->state, POSTURE_RELAXED_JOINT_LIMITS),
        .held = posture_state_count(c->state, POSTURE_HELD),
        .faults = posture_state_count(c->state, POSTURE_FAULT),
        .blocking = c->blocking < c->body->joint_count ? joints[c->blocking].name : NULL,
    };
}
