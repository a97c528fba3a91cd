/* SPDX-License-Identifier: MIT
 * Robots in contact, stepped by hosts of each kind: friction from the last velocity, friction and
 * MuJoCo's constraints as one problem, and MuJoCo playing a host that solves its contacts behind
 * our step. All are the world of a project and differ in one function.
 */
#ifndef STICTION_TESTS_CONTACT_HOSTS_H
#define STICTION_TESTS_CONTACT_HOSTS_H

#include <limits.h>
#include <math.h>

#include "mujoco/controllers.h"
#include "mujoco/friction_internal.h"
#include "projects.h"

typedef enum host_kind { HOST_EXPLICIT, HOST_RIGID, HOST_BRISTLE, HOST_LATER } host_kind;

static const char *const host_names[] = {"explicit", "rigid", "bristle", "contacts later"};

/* Start from zeros. */
typedef struct host_options {
    host_kind kind;
    double timestep; /* s */
    double strength; /* all torques of friction times this; 0: as they are */
    double softness; /* of contacts and limits, s; 0: as the world has it, five time steps */
    bool pyramidal;  /* cones of contact friction; false: elliptic, as the world has them */
    bool weightless;
    const char *controller; /* options that beat the project's; NULL: none */
} host_options;

typedef struct host {
    host_kind kind;
    double T;
    world *world;
    friction *friction;
    controllers *controllers;
    mjData *data;
    /* an entry a joint */
    double *command, *target;
    /* an entry a degree of freedom */
    double *torque, *deflection, *energy, *force;
    unsigned char *slipping;
    stiction_implicit *later;
    stiction_implicit_output output; /* of a host that solves contacts later */
} host;

/* A drive x times as strong: the rule of config/hrp5p.yaml. The texts live in `texts`. */
static inline size_t host_strengthen(const world *w, const friction *f, double strength,
                                     stiction_override *overrides, char (*texts)[2][80]) {
    size_t count = 0;
    for (size_t k = 0; k < w->joint_count; k++) {
        const stiction_joint_def *def = friction_joint(f, k);
        const struct {
            const char *key;
            double value;
        } values[] = {{"static_torque", def->static_torque},
                      {"coulomb_torque", def->coulomb_torque},
                      {"viscous", def->viscous},
                      {"stiffness", def->stiffness},
                      {"damping", def->damping}};
        if (strcmp(def->law, "none") == 0) continue;
        for (size_t i = 0; i < 5; i++, count++) {
            (void)snprintf(texts[count][0], 80, "joints.%s.%s", w->joints[k].name, values[i].key);
            (void)snprintf(texts[count][1], 80, "%.17g", strength * values[i].value);
            overrides[count] = (stiction_override){texts[count][0], texts[count][1]};
        }
    }
    return count;
}

static inline friction *host_friction(world *w, const host_options *o) {
    enum { most = 600 };
    static stiction_override overrides[most];
    static char texts[most][2][80];
    stiction_error error = {0};
    friction_options options = {
        .coupling = o->kind == HOST_EXPLICIT || o->kind == HOST_LATER ? "explicit" : "implicit",
        .element = o->kind == HOST_RIGID ? "rigid" : "bristle"};
    friction *f = friction_create(w, &options, &error);
    if (f && o->strength > 0) {
        if (5 * w->joint_count > most) abort();
        options.override_count = host_strengthen(w, f, o->strength, overrides, texts);
        options.overrides = overrides;
        friction_destroy(f);
        f = friction_create(w, &options, &error);
    }
    if (!f || friction_couple(f, NULL, NULL, &options, &error) != STICTION_OK) {
        FAIL("%s:%d: %s", error.path, error.line, error.message);
        exit(EXIT_FAILURE);
    }
    return f;
}

/* The solver that a host without MuJoCo's constraints would make. */
static inline void host_make_later(host *h) {
    stiction_implicit_def def = stiction_implicit_def_default();
    stiction_error error = {0};
    def.count = (size_t)h->world->model->nv;
    def.parent = h->world->model->dof_parentid;
    def.packed = true;
    def.constraints_later = true;
    stiction_status status = stiction_implicit_create(&def, &h->later, &error);
    for (const friction_part *p = h->friction->parts; p && status == STICTION_OK; p = p->next) {
        int dof[200];
        if (p->count > 200) abort();
        for (size_t k = 0; k < p->count; k++) dof[k] = h->world->joints[p->first + k].velocity;
        status = stiction_implicit_add(h->later, p->state, dof, &error);
    }
    if (status != STICTION_OK) {
        FAIL("%s", error.message);
        exit(EXIT_FAILURE);
    }
    h->output = stiction_implicit_output_default();
    h->output.friction = h->torque;
    h->output.deflection = h->deflection;
    h->output.dissipated_energy = h->energy;
    h->output.slipping = h->slipping;
}

static inline void host_set_model(mjModel *model, const host_options *o) {
    if (o->pyramidal) model->opt.cone = mjCONE_PYRAMIDAL;
    if (!(o->softness > 0)) return;
    for (int k = 0; k < model->ngeom; k++) model->geom_solref[mjNREF * k] = o->softness;
    for (int k = 0; k < model->njnt; k++) model->jnt_solref[mjNREF * k] = o->softness;
}

static inline host *host_make(const char *path, const host_options *o) {
    host *h = calloc(1, sizeof *h);
    world_options options = world_options_default();
    stiction_error error = {0};
    options.timestep = o->timestep;
    options.memory_per_joint = FRICTION_MEMORY;
    for (int k = 0; k < 3 && o->weightless; k++) options.gravity[k] = 0;
    h->kind = o->kind;
    h->T = o->timestep;
    h->world = world_load(path, &options, &error);
    if (!h->world) {
        FAIL("%s:%d:%d: %s", error.path, error.line, error.column, error.message);
        exit(EXIT_FAILURE);
    }
    host_set_model(h->world->model, o);
    h->friction = host_friction(h->world, o);
    const controllers_options of_controllers = {.options = &o->controller,
                                                .option_count = o->controller ? 1 : 0};
    h->controllers = controllers_create(h->world, &of_controllers, &error);
    if (!h->controllers) {
        FAIL("%s", error.message);
        exit(EXIT_FAILURE);
    }
    h->data = mj_makeData(h->world->model);
    mj_resetDataKeyframe(h->world->model, h->data, 0);
    const size_t n = (size_t)h->world->model->nv + 1, joints = h->world->joint_count + 1;
    double **of_joints[] = {&h->command, &h->target};
    for (size_t k = 0; k < 2; k++) *of_joints[k] = calloc(joints, sizeof(double));
    double **of_freedom[] = {&h->torque, &h->deflection, &h->energy, &h->force};
    for (size_t k = 0; k < 4; k++) *of_freedom[k] = calloc(n, sizeof(double));
    h->slipping = calloc(n, 1);
    if (o->kind == HOST_LATER) host_make_later(h);
    return h;
}

static inline void host_destroy(host *h) {
    stiction_implicit_destroy(h->later);
    mj_deleteData(h->data);
    controllers_destroy(h->controllers);
    friction_destroy(h->friction);
    world_destroy(h->world);
    free(h->command);
    free(h->target);
    free(h->torque);
    free(h->deflection);
    free(h->energy);
    free(h->force);
    free(h->slipping);
    free(h);
}

/* What friction was, from joints to degrees of freedom. */
static inline void host_look(host *h) {
    const joint_quantities seen = friction_quantities(h->friction);
    for (size_t k = 0; k < h->world->joint_count; k++) {
        const int dof = h->world->joints[k].velocity;
        h->torque[dof] = seen.torque[k];
        h->deflection[dof] = seen.deflection[k];
        h->energy[dof] = seen.dissipated_energy[k];
        h->slipping[dof] = seen.slipping[k];
    }
}

static inline void host_step_later(host *h) {
    mjData *d = h->data;
    const int nv = h->world->model->nv;
    stiction_error error = {0};
    stiction_implicit_input input = stiction_implicit_input_default();
    for (int i = 0; i < nv; i++)
        h->force[i] = d->qfrc_applied[i] + d->qfrc_passive[i] - d->qfrc_bias[i];
    input.timestep = h->T;
    input.mass = d->qM;
    input.velocity = d->qvel;
    input.force = h->force;
    if (stiction_implicit_step(h->later, &input, &h->output, &error) != STICTION_OK)
        FAIL("at %g s: %s", d->time, error.message);
    for (int i = 0; i < nv; i++) d->qfrc_applied[i] -= h->torque[i];
    mj_step2(h->world->model, d);
}

/* A step with torques of the joints that are told, in `command`. */
static inline void host_step_commanded(host *h) {
    mjData *d = h->data;
    const world_joint *joints = h->world->joints;
    for (size_t k = 0; k < h->world->joint_count; k++)
        d->qfrc_applied[joints[k].velocity] = h->command[k];
    if (h->kind == HOST_LATER) {
        host_step_later(h);
        return;
    }
    stiction_error error = {0};
    friction_step(h->friction, d, h->command);
    const double *torque = friction_quantities(h->friction).torque;
    for (size_t k = 0; k < h->world->joint_count; k++)
        d->qfrc_applied[joints[k].velocity] -= torque[k];
    if (h->kind == HOST_EXPLICIT)
        mj_step2(h->world->model, d);
    else if (friction_solve(h->friction, d, &error) != STICTION_OK)
        FAIL("at %g s: %s", d->time, error.message);
    host_look(h);
}

/* A step with the project's controllers, evaluated at its start. */
static inline void host_step(host *h) {
    mj_step1(h->world->model, h->data);
    stiction_error error = {0};
    if (controllers_step(h->controllers, h->data, h->data->time,
                         friction_quantities(h->friction).torque, h->command, h->target,
                         &error) != STICTION_OK)
        FAIL("%s", error.message);
    host_step_commanded(h);
}

static inline void host_run(host *h, double seconds) {
    const long steps = lround(seconds / h->T);
    for (long k = 0; k < steps; k++) host_step(h);
}

static inline bool host_has_friction(const host *h, size_t joint) {
    return strcmp(friction_joint(h->friction, joint)->law, "none") != 0;
}

/* The largest speed of a joint with friction. */
static inline double host_speed(const host *h) {
    double most = 0;
    for (size_t k = 0; k < h->world->joint_count; k++)
        if (host_has_friction(h, k))
            most = fmax(most, fabs(h->data->qvel[h->world->joints[k].velocity]));
    return most;
}

/* Where the joints were when friction was computed: of a bristle its foot, which creeps where the
 * joint does, and does not sway with a load that sways. */
static inline void host_read_feet(host *h, double *feet) {
    for (size_t k = 0; k < h->world->joint_count; k++)
        feet[k] = h->data->qpos[h->world->joints[k].position];
    host_step(h);
    for (size_t k = 0; k < h->world->joint_count && h->kind != HOST_RIGID; k++)
        feet[k] -= h->deflection[h->world->joints[k].velocity];
}

/* The fastest drift of a joint over the next seconds, rad/s. */
static inline double host_creep(host *h, double seconds) {
    double from[200], to[200], most = 0;
    if (h->world->joint_count > 200) abort();
    host_read_feet(h, from);
    host_run(h, seconds - h->T);
    host_read_feet(h, to);
    for (size_t k = 0; k < h->world->joint_count; k++)
        if (host_has_friction(h, k)) most = fmax(most, fabs(to[k] - from[k]) / seconds);
    return most;
}

#endif
