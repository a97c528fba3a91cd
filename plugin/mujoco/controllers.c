/* SPDX-License-Identifier: MIT
 * Which controller each body has, and its input from MuJoCo in a step. A step allocates nothing.
 */
#include "controllers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body_view.h"
#include "controllers/host/targets.h"

typedef struct controller {
    const char *name;
    size_t body; /* of the world */
    controller_host *host;
    /* for the steps, found once */
    controller_readings *in;
    const stiction_controller_needs *needs;
    const double *steered, *recorded;
    const world_joint *joints;
    size_t first, count; /* of its joints in the world */
    bool floats;
    size_t first_record;
    stiction_log log;
    void *log_user;
} controller;

struct controllers {
    const world *world;
    controller **items;
    size_t count;
    size_t *idle; /* joints without a controller */
    size_t idle_count;
    bool has_started; /* since the reset */
    targets *targets; /* NULL: none */
    bool has_wanted;  /* wanted[] is set */
    double *wanted;   /* one entry per joint: its target; NaN: none */
    const char **record_names;
    double *records;
    size_t record_count;
    arena memory;
};

/* The arguments of controllers_create. */
typedef struct request {
    const world *world;
    const controllers_options *options;
} request;

/* The controller of one body. */
typedef struct choice {
    const char *specification; /* NULL: nothing */
    const char *options;       /* of the project, beside the specification */
    const char *name;          /* NULL: that of the library */
    stiction_place at;
    bool is_of_user; /* files are relative to the working directory first */
} choice;

static void finish_controller(void *memory) {
    controller_host_destroy(((controller *)memory)->host);
}

static void finish_targets(void *memory) {
    targets_destroy(*(targets **)memory);
}

/* ---- which ---- */

static const char posture_module[] = "StictionPostureController", posture_name[] = "posture",
                  any_module[] = "StictionController";

/* Where files of a project are searched. The folder of the project may be the working directory,
 * which is then listed once. */
typedef struct folders {
    const char *list[2];
    size_t count;
} folders;

static folders folders_of(reader *r, const world *w, bool is_of_user) {
    const char *beside = stiction_reader_beside(r, w->project->path, "");
    if (!*beside) return (folders){{""}, 1};
    return is_of_user ? (folders){{"", beside}, 2} : (folders){{beside, ""}, 2};
}

/* A module of a project: ours, or a library beside it. */
static choice choose_module(reader *r, const world *w, const project_controller *source) {
    choice made = {.name = source->name, .at = source->at, .options = source->options};
    const folders near = folders_of(r, w, false);
    if (strcmp(source->module, posture_module) == 0) {
        made.specification = posture_name;
    } else if (strcmp(source->module, any_module) == 0) {
        made.specification = source->options;
        made.options = "";
    } else if (controller_file_exists(source->file, near.list, near.count)) {
        made.specification = source->file;
    } else {
        stiction_reader_refuse(
            r, source->at,
            "controller '%s' is '%s', which only Choreonoid can run; the embedded engine "
            "has %s, %s, and a library of that name beside the project (or give --controller)",
            source->name, *source->module ? source->module : source->class_name, posture_module,
            any_module);
    }
    return made;
}

static choice choose_of_project(reader *r, const world *w, const world_body *body) {
    const project_body *source = body->source;
    if (source->controller_count > 1)
        stiction_reader_refuse(r, source->controllers[1].at,
                               "'%s' has a second controller, which would overwrite the first",
                               source->name);
    if (!source->controller_count) return (choice){.specification = NULL};
    const choice made = choose_module(r, w, &source->controllers[0]);
    if (!body->joint_count)
        stiction_reader_refuse(r, made.at, "controller '%s': '%s' has no joints", made.name,
                               source->name);
    return made;
}

static size_t bodies_with_joints(const world *w) {
    size_t count = 0;
    for (size_t b = 0; b < w->body_count; b++) count += w->bodies[b].joint_count > 0;
    return count;
}

/* What the user gives each body with joints, in their order; NULL: nothing. */
static const char **find_given(reader *r, const request *q) {
    const world *w = q->world;
    const controllers_options *o = q->options;
    const char **names = stiction_reader_alloc(r, (w->body_count + 1) * sizeof *names);
    const char **given = stiction_reader_alloc(r, (w->body_count + 1) * sizeof *given);
    size_t count = 0;
    for (size_t b = 0; b < w->body_count; b++)
        if (w->bodies[b].joint_count) names[count++] = w->bodies[b].name;
    stiction_error error;
    if (controller_choose(o->specifications, o->specification_count, names, count, given, &error) !=
        STICTION_OK)
        stiction_reader_refuse(r, (stiction_place){NULL, 0, 0}, "%s", error.message);
    return given;
}

static choice choose(reader *r, const request *q, size_t body, const char *given) {
    const world_body *of = &q->world->bodies[body];
    choice made = {.is_of_user = true, .options = "", .specification = given};
    /* the user also replaces the controllers of bodies without joints, such as a camera */
    const bool is_replaced = given || (q->options->specification_count && !of->joint_count);
    if (!is_replaced) made = choose_of_project(r, q->world, of);
    if (made.specification && controller_is_none(made.specification)) made.specification = NULL;
    return made;
}

/* ---- making ---- */

static void log_message(void *user, stiction_log_level level, const char *message) {
    const controller *c = user;
    char line[1400];
    if (!c->log) return;
    (void)snprintf(line, sizeof line, "controller '%.200s': %s", c->name, message);
    c->log(c->log_user, level, line);
}

/* The setup of a controller: what it must know about its body. */
static stiction_controller_setup describe(reader *r, const request *q, size_t body) {
    const world *w = q->world;
    const world_body *of = &w->bodies[body];
    stiction_controller_setup setup = {.body = of->name,
                                       .timestep = w->model->opt.timestep,
                                       .floating = w->bodies[body].floats,
                                       .joint_count = of->joint_count,
                                       .link_count = w->bodies[body].link_count};
    memcpy(setup.gravity, w->model->opt.gravity, sizeof setup.gravity);
    stiction_controller_joint *joints =
        stiction_reader_alloc(r, (of->joint_count + 1) * sizeof *joints);
    const char **links = stiction_reader_alloc(r, (setup.link_count + 1) * sizeof *links);
    double *rotors = stiction_reader_alloc(r, (of->joint_count + 1) * sizeof *rotors);
    const char **others = stiction_reader_alloc(r, (w->body_count + 1) * sizeof *others);
    for (size_t b = 0; b < w->body_count; b++)
        if (b != body) others[setup.other_count++] = w->bodies[b].name;
    for (size_t k = 0; k < of->joint_count; k++) {
        const world_joint *j = &w->joints[of->first_joint + k];
        rotors[k] = w->model->dof_armature[j->velocity];
        joints[k] = (stiction_controller_joint){.name = j->name,
                                                .prismatic = j->prismatic,
                                                .lower = j->lower,
                                                .upper = j->upper,
                                                .velocity_limit = j->velocity_limit,
                                                .torque_limit = j->torque_limit};
    }
    for (size_t k = 0; k < setup.link_count; k++) links[k] = body_view_link(w, body, k);
    setup.joints = joints;
    setup.links = links;
    setup.rotor_inertias = rotors;
    setup.others = others;
    setup.robot_file = of->source->file->path;
    return setup;
}

static controller *make_controller(reader *r, const request *q, size_t body, const choice *of) {
    const folders near = folders_of(r, q->world, of->is_of_user);
    controller *c = stiction_reader_own(r, sizeof *c, finish_controller);
    controller_host_def def = {.specification = of->specification,
                               .folders = near.list,
                               .folder_count = near.count,
                               .extra = q->options->options,
                               .extra_count = q->options->option_count,
                               .setup = describe(r, q, body)};
    stiction_error error;
    c->name = of->name ? of->name : of->specification;
    c->body = body;
    c->log = q->options->log;
    c->log_user = q->options->log_user;
    def.setup.options = of->options;
    def.setup.directory =
        of->is_of_user ? "" : stiction_reader_beside(r, q->world->project->path, "");
    def.untrusted = of->is_of_user ? NULL : q->world->untrusted;
    def.setup.log = log_message;
    def.setup.log_user = c;
    c->host = controller_host_create(&def, &error);
    if (!c->host && error.path[0])
        stiction_reader_refuse(r, (stiction_place){error.path, error.line, error.column}, "%s",
                               error.message);
    if (!c->host) stiction_reader_refuse(r, of->at, "controller '%s': %s", c->name, error.message);
    if (!of->name) c->name = controller_host_stem(c->host);
    c->in = controller_host_readings(c->host);
    c->needs = controller_host_needs(c->host);
    c->steered = controller_host_targets(c->host);
    c->recorded = controller_host_records(c->host);
    c->first = q->world->bodies[body].first_joint;
    c->count = q->world->bodies[body].joint_count;
    c->joints = q->world->joints + c->first;
    c->floats = q->world->bodies[body].floats;
    return c;
}

static void make_records(reader *r, controllers *made) {
    const bool several = bodies_with_joints(made->world) > 1;
    for (size_t k = 0; k < made->count; k++) {
        made->items[k]->first_record = made->record_count;
        made->record_count += controller_host_needs(made->items[k]->host)->record_count;
    }
    made->records = stiction_reader_alloc(r, (made->record_count + 1) * sizeof *made->records);
    made->record_names =
        stiction_reader_alloc(r, (made->record_count + 1) * sizeof *made->record_names);
    for (size_t k = 0; k < made->count; k++) {
        const controller *c = made->items[k];
        const stiction_controller_needs *needs = controller_host_needs(c->host);
        for (size_t n = 0; n < needs->record_count; n++)
            made->record_names[c->first_record + n] = stiction_reader_format(
                r, "%s%s%s", several ? made->world->bodies[c->body].name : "", several ? "." : "",
                needs->records[n]);
    }
    for (size_t k = 0; k < made->record_count; k++) made->records[k] = (double)NAN;
}

/* The posture of a keyframe of the first robot, as target for the whole run. */
static void take_keyframe(reader *r, controllers *made, const char *name) {
    const world *w = made->world;
    const world_body *body = &w->bodies[0];
    const body_file *file = body->source->file;
    const body_keyframe *keyframe = project_find_keyframe(r, file, name);
    for (size_t k = 0; k < body->joint_count; k++)
        for (size_t i = 0; i < file->count; i++)
            if (file->links[i].joint_id == w->joints[body->first_joint + k].id)
                made->wanted[body->first_joint + k] = keyframe->displacements[i];
    made->has_wanted = true;
}

static void make_targets(reader *r, controllers *made, const char *text) {
    const world *w = made->world;
    made->wanted = stiction_reader_alloc(r, (w->joint_count + 1) * sizeof *made->wanted);
    for (size_t k = 0; k < w->joint_count; k++) made->wanted[k] = (double)NAN;
    if (!text) return;
    if (text[0] && !targets_is_text(text) && made->world->bodies[0].source->file->keyframe_count) {
        take_keyframe(r, made, text);
        if (made->count) return;
    }
    const char **names = stiction_reader_alloc(r, (w->joint_count + 1) * sizeof *names);
    bool *prismatic = stiction_reader_alloc(r, (w->joint_count + 1) * sizeof *prismatic);
    for (size_t k = 0; k < w->joint_count; k++) {
        names[k] = w->joints[k].label;
        prismatic[k] = w->joints[k].prismatic;
    }
    stiction_error error;
    targets **kept = stiction_reader_own(r, sizeof *kept, finish_targets);
    *kept = targets_create(text, names, prismatic, w->joint_count, &error);
    if (!*kept)
        stiction_reader_refuse(
            r, (stiction_place){error.path[0] ? error.path : NULL, error.line, error.column},
            "targets: %s", error.message);
    if (!made->count)
        stiction_reader_refuse(r, (stiction_place){w->project->path, 0, 0},
                               "targets are given, but there is no controller");
    made->targets = *kept;
    made->has_wanted = true;
}

static void *make(reader *r, const void *context) {
    const request *q = context;
    const world *w = q->world;
    const controllers_options *o = q->options;
    controllers *made = stiction_reader_alloc(r, sizeof *made);
    size_t number = 0;
    made->world = w;
    made->idle = stiction_reader_alloc(r, (w->joint_count + 1) * sizeof *made->idle);
    const char **given = find_given(r, q);
    for (size_t b = 0; b < w->body_count; b++) {
        const bool has_joints = w->bodies[b].joint_count > 0;
        const choice chosen = choose(r, q, b, has_joints ? given[number] : NULL);
        number += has_joints;
        for (size_t k = 0; !chosen.specification && k < w->bodies[b].joint_count; k++)
            made->idle[made->idle_count++] = w->bodies[b].first_joint + k;
        if (!chosen.specification) continue;
        made->items = stiction_reader_grow(r, made->items, made->count, sizeof *made->items);
        made->items[made->count++] = make_controller(r, q, b, &chosen);
    }
    if (o->option_count && !made->count)
        stiction_reader_refuse(r, (stiction_place){w->project->path, 0, 0},
                               "controller.%s is set, but there is no controller", o->options[0]);
    make_records(r, made);
    make_targets(r, made, o->targets);
    return made;
}

controllers *controllers_create(const world *w, const controllers_options *options,
                                stiction_error *error) {
    static const controllers_options none;
    reader r = {.error = error};
    controllers *made = stiction_reader_run(&r, make, &(request){w, options ? options : &none});
    if (made) made->memory = r.memory;
    return made;
}

void controllers_destroy(controllers *c) {
    if (c) stiction_arena_free(&c->memory);
}

void controllers_reset(controllers *c) {
    c->has_started = false;
    for (size_t k = 0; k < c->count; k++) {
        controller_host_reset(c->items[k]->host);
        controller_host_readings(c->items[k]->host)->contact_count = 0;
    }
    for (size_t k = 0; k < c->record_count; k++) c->records[k] = (double)NAN;
}

void controllers_set_targets(controllers *c, const double *target) {
    c->targets = NULL;
    c->has_wanted = true;
    memcpy(c->wanted, target, c->world->joint_count * sizeof *target);
}

const double *controllers_targets(const controllers *c) {
    return c->wanted;
}

/* ---- a step ---- */

static void read_base(const world *w, const mjData *data, size_t body, controller_readings *in) {
    const body_base base = body_view_base(w, data, body);
    memcpy(in->position, base.position, sizeof in->position);
    memcpy(in->rotation, base.rotation, sizeof in->rotation);
    memcpy(in->linear, base.linear, sizeof in->linear);
    memcpy(in->angular, base.angular, sizeof in->angular);
}

static void read_others(const world *w, const mjData *data, size_t body,
                        stiction_controller_other *others) {
    for (size_t b = 0; b < w->body_count; b++) {
        if (b == body) continue;
        const body_base base = body_view_base(w, data, b);
        stiction_controller_other *other = others++;
        memcpy(other->position, base.position, sizeof other->position);
        memcpy(other->rotation, base.rotation, sizeof other->rotation);
        memcpy(other->linear, base.linear, sizeof other->linear);
        memcpy(other->angular, base.angular, sizeof other->angular);
    }
}

/* Fills in what only a step of the controller reads. */
static void read_body(const controllers *all, const controller *c, const mjData *data,
                      const double *friction, const double *command) {
    const world *w = all->world;
    controller_readings *in = c->in;
    if (all->has_started)
        for (size_t k = 0; k < c->count; k++)
            in->effort[k] = command[c->first + k] - friction[c->first + k];
    if (all->has_wanted) memcpy(in->target, all->wanted + c->first, c->count * sizeof(double));
    /* a fixed base does not move */
    if (!all->has_started || c->floats) read_base(w, data, c->body, in);
    if (in->mass_matrix) body_view_mass_matrix(w, data, c->body, in->mass_matrix);
    if (in->bias) body_view_bias(w, data, c->body, in->bias);
    for (size_t k = 0; k < c->needs->jacobian_count; k++) {
        const size_t link = c->needs->jacobians[k];
        body_view_jacobian(w, data, c->body, link, in->jacobians[k]);
        if (in->link_states) in->link_states[k] = body_view_link_state(w, data, c->body, link);
    }
    for (size_t k = 0; k < c->needs->motion_count; k++) {
        stiction_controller_link_motion now =
            body_view_motion(w, data, c->body, c->needs->motions[k]);
        memcpy(now.force, in->motions[k].force, sizeof now.force);
        memcpy(now.torque, in->motions[k].torque, sizeof now.torque);
        in->motions[k] = now;
    }
    if (in->others) read_others(w, data, c->body, in->others);
}

void controllers_start(const controllers *all, mjData *data) {
    for (size_t k = 0; k < all->count; k++) {
        const controller *c = all->items[k];
        body_view_start(all->world, data, c->body, c->needs->start_joints, c->needs->start_base);
    }
}

void controllers_after(controllers *all, mjData *data) {
    bool has_forces = false;
    for (size_t k = 0; k < all->count; k++) {
        const controller *c = all->items[k];
        controller_readings *in = controller_host_readings(c->host);
        if (in->contacts)
            in->contact_count = body_view_contacts(all->world, data, c->body, in->contacts);
        if (in->motions && !has_forces) mj_rnePostConstraint(all->world->model, data);
        has_forces |= in->motions != NULL;
        for (size_t m = 0; m < c->needs->motion_count; m++)
            body_view_joint_wrench(all->world, data, c->body, c->needs->motions[m],
                                   in->motions[m].force, in->motions[m].torque);
    }
}

static void add_controller_name(const controller *c, stiction_error *error) {
    if (!error) return;
    const stiction_error own = *error;
    const stiction_place at = {own.path[0] ? own.path : NULL, own.line, own.column};
    (void)stiction_fail_at(error, own.status, at, "controller '%.200s': %.800s", c->name,
                           own.message);
}

static stiction_status step(controllers *all, const controller *c, const mjData *data, double time,
                            const double *friction, double *command, double *target,
                            stiction_error *error) {
    for (size_t k = 0; k < c->count; k++) {
        c->in->q[k] = data->qpos[c->joints[k].position];
        c->in->dq[k] = data->qvel[c->joints[k].velocity];
    }
    if (controller_host_begin(c->host, time)) read_body(all, c, data, friction, command);
    const stiction_status status = controller_host_finish(c->host, command + c->first, error);
    if (status != STICTION_OK) {
        add_controller_name(c, error);
        return status;
    }
    if (!all->has_wanted)
        memcpy(target + c->first, c->steered, c->count * sizeof *target);
    else
        for (size_t k = 0; k < c->count; k++)
            target[c->first + k] = isnan(c->steered[k]) ? all->wanted[c->first + k] : c->steered[k];
    if (c->needs->record_count)
        memcpy(all->records + c->first_record, c->recorded,
               c->needs->record_count * sizeof *c->recorded);
    return STICTION_OK;
}

stiction_status controllers_step(controllers *c, const mjData *data, double time,
                                 const double *friction, double *command, double *target,
                                 stiction_error *error) {
    stiction_status status = STICTION_OK;
    if (c->targets) targets_at(c->targets, time, c->wanted);
    for (size_t k = 0; k < c->idle_count; k++) {
        command[c->idle[k]] = 0;
        target[c->idle[k]] = (double)NAN;
    }
    for (size_t k = 0; k < c->count && status == STICTION_OK; k++)
        status = step(c, c->items[k], data, time, friction, command, target, error);
    c->has_started = true;
    return status;
}

bool controllers_finished(const controllers *c) {
    size_t done = 0;
    for (size_t k = 0; k < c->count; k++) done += controller_host_finished(c->items[k]->host);
    return c->count && done == c->count;
}

/* ---- reading ---- */

size_t controllers_record_count(const controllers *c) {
    return c->record_count;
}

const char *controllers_record_name(const controllers *c, size_t record) {
    return c->record_names[record];
}

const double *controllers_record_values(const controllers *c) {
    return c->records;
}

size_t controllers_count(const controllers *c) {
    return c->count;
}

results_controller controllers_result(const controllers *all, size_t index) {
    const controller *c = all->items[index];
    results_controller view = {
        .name = c->name,
        .body = all->world->bodies[c->body].source->name,
        .options = controller_host_options(c->host),
        .library = controller_host_is_built_in(c->host) ? NULL : controller_host_library(c->host),
    };
    view.notes = controller_host_notes(c->host, &view.note_count);
    return view;
}
