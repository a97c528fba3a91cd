/* SPDX-License-Identifier: MIT
 * The world of a project: its simulator item, its model, and its joints in Choreonoid's order.
 */
#include "world.h"

#include <math.h>
#include <string.h>

#include "world_reader.h"

world_options world_options_default(void) {
    const double as_stated = (double)NAN;
    return (world_options){
        .timestep = as_stated, .duration = as_stated, .gravity = {as_stated, as_stated, as_stated}};
}

static void check_simulator(reader *r, const project_simulator *s, world_integrator integrator) {
    if (s->obstacle) stiction_reader_refuse(r, s->obstacle_at, "%s", s->obstacle);
    if (s->runge_kutta && integrator == WORLD_EULER)
        stiction_reader_warn(r, s->at, "'%s' asks for Runge-Kutta, but semi-implicit Euler is used",
                             s->name);
}

static const project_simulator *find_simulator(reader *r, const project *p, const char *name) {
    if (!name) return &p->simulators[0];
    const char *list = "";
    for (size_t k = 0; k < p->simulator_count; k++) {
        if (strcmp(p->simulators[k].name, name) == 0) return &p->simulators[k];
        list = stiction_reader_format(r, "%s%s'%s'", list, k ? ", " : "", p->simulators[k].name);
    }
    stiction_reader_refuse(r, (stiction_place){p->path, 0, 0},
                           "has no simulator item '%s'; there is %s", name, list);
}

static double choose(reader *r, const project *p, const char *what, double wanted, double stated) {
    const double value = isnan(wanted) ? stated : wanted;
    if (!(value > 0))
        stiction_reader_refuse(r, (stiction_place){p->path, 0, 0}, "%s %g must be above 0", what,
                               value);
    return value;
}

/* Joints */

static bool is_joint(const body_link *link) {
    return link->joint_id >= 0 && (link->joint == BODY_REVOLUTE || link->joint == BODY_PRISMATIC);
}

/* The joint of the next larger id, or NULL. Of two with the same id Choreonoid has the first. */
static const body_link *next_joint(const placed_body *b, const int *order, int id) {
    const body_link *next = NULL;
    for (size_t k = 0; k < b->file.count; k++) {
        const body_link *link = &b->file.links[order[k]];
        if (is_joint(link) && link->joint_id > id && (!next || link->joint_id < next->joint_id))
            next = link;
    }
    return next;
}

static const char *plain_name(const placed_body *b, const body_link *link) {
    return b->source->file->links[link - b->file.links].joint_name;
}

static world_joint make_joint(const placed_body *b, const body_link *link) {
    const double none = (double)INFINITY;
    return (world_joint){.name = plain_name(b, link),
                         .id = link->joint_id,
                         .prismatic = link->joint == BODY_PRISMATIC,
                         .actuator = -1,
                         .lower = link->lower,
                         .upper = link->upper,
                         .torque_limit = isnan(link->effort.value) ? none : link->effort.value,
                         .velocity_limit = link->velocity_limit};
}

typedef struct joint_list {
    world_joint *joints;
    const char **model_names;
    size_t count;
} joint_list;

static void add_joints(reader *r, joint_list *list, const placed_body *b, world_body *body) {
    const int *order = body_order(r, &b->file);
    body->first_joint = list->count;
    int id = -1;
    for (const body_link *link; (link = next_joint(b, order, id)); id = link->joint_id) {
        list->joints = stiction_reader_grow(r, list->joints, list->count, sizeof *list->joints);
        list->model_names =
            stiction_reader_grow(r, list->model_names, list->count, sizeof *list->model_names);
        list->joints[list->count] = make_joint(b, link);
        list->model_names[list->count++] = link->joint_name;
    }
    body->joint_count = list->count - body->first_joint;
}

static void set_labels(reader *r, joint_list *list, const world_body *bodies, size_t count) {
    size_t jointed = 0;
    for (size_t k = 0; k < count; k++) jointed += bodies[k].joint_count > 0;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < bodies[k].joint_count; i++) {
            world_joint *joint = &list->joints[bodies[k].first_joint + i];
            joint->label = jointed > 1
                               ? stiction_reader_format(r, "%s.%s", bodies[k].name, joint->name)
                               : joint->name;
        }
}

/* Where the joints are in the model. */
static void find_joints(const joint_list *list, const mjModel *model) {
    for (size_t k = 0; k < list->count; k++) {
        const int id = mj_name2id(model, mjOBJ_JOINT, list->model_names[k]);
        list->joints[k].position = model->jnt_qposadr[id];
        list->joints[k].velocity = model->jnt_dofadr[id];
        if (model->nu) list->joints[k].actuator = (int)k;
    }
}

/* What the model has of a body. */
static void find_body(reader *r, const joint_list *list, const mjModel *model, const char *root,
                      world_body *body) {
    body->root = mj_name2id(model, mjOBJ_BODY, root);
    for (int k = body->root; k < model->nbody && model->body_rootid[k] == body->root; k++)
        body->link_count++;
    const int joint = model->body_jntadr[body->root];
    body->floats = joint >= 0 && model->jnt_type[joint] == mjJNT_FREE;
    int *places = stiction_reader_alloc(r, (size_t)(model->nv + 1) * sizeof *places);
    for (int k = 0; k < model->nv; k++) places[k] = -1;
    const int base = body->floats ? 6 : 0;
    for (int k = 0; k < base; k++) places[model->jnt_dofadr[joint] + k] = k;
    for (size_t k = 0; k < body->joint_count; k++)
        places[list->joints[body->first_joint + k].velocity] = base + (int)k;
    body->places = places;
}

/* The whole */

typedef struct request {
    const char *path;
    const world_options *options;
} request;

static int memory_size(reader *r, const project *p, int per_joint, size_t joints) {
    const long long size = (long long)per_joint * (long long)joints;
    if (per_joint < 0 || size > 1000000)
        stiction_reader_refuse(r, (stiction_place){p->path, 0, 0},
                               "%d numbers of memory for each of %zu joints", per_joint, joints);
    return (int)size;
}

static const project *read_project(reader *r, const char *path, const world_options *o) {
    path = stiction_reader_format(r, "%s", path);
    if (robot_is_file(path))
        return project_of_robot(
            r, path,
            &(project_robot_options){.floor = o->floor ? PROJECT_FLOOR : PROJECT_NO_FLOOR,
                                     .base = o->base,
                                     .posture = o->posture});
    if (o->floor || o->base != ROBOT_BASE_OF_FILE || o->posture)
        stiction_reader_refuse(r, (stiction_place){path, 0, 0},
                               "%s is for a robot; in a project %s",
                               o->floor     ? "floor"
                               : o->posture ? "posture"
                                            : "fixed_base",
                               o->floor     ? "a floor is a BodyItem"
                               : o->posture ? "a BodyItem has initialJointDisplacements"
                                            : "a BodyItem says fix_root");
    return project_read(r, path);
}

/* A joint without any inertia would move at any speed under any torque. */
static void refuse_weightless(reader *r, const world_plan *plan, const mjModel *model) {
    const double least = 1e-12; /* kg m^2 */
    for (size_t i = 0; i < plan->body_count; i++)
        for (size_t k = 0; k < plan->bodies[i].file.count; k++) {
            const body_link *link = &plan->bodies[i].file.links[k];
            if (link->joint != BODY_REVOLUTE && link->joint != BODY_PRISMATIC) continue;
            const int id = mj_name2id(model, mjOBJ_JOINT, link->joint_name);
            if (model->dof_M0[model->jnt_dofadr[id]] > least) continue;
            stiction_reader_refuse(
                r, link->at,
                "joint '%s' moves nothing that has %s, so it cannot be simulated: give its link a "
                "mass and an inertia",
                plain_name(&plan->bodies[i], link),
                link->joint == BODY_PRISMATIC ? "mass" : "inertia about its axis");
        }
}

static void *make_world(reader *r, const void *context) {
    const request *q = context;
    const world_options *o = q->options;
    world *w = stiction_reader_alloc(r, sizeof *w);
    w->untrusted = r->untrusted = o->untrusted ? stiction_reader_text(r, q->path) : NULL;
    const project *p = w->project = read_project(r, q->path, o);
    w->simulator = find_simulator(r, p, o->simulator);
    w->duration = choose(r, p, "duration", o->duration, w->simulator->duration);
    check_simulator(r, w->simulator, o->integrator);
    world_plan plan = {.project = p,
                       .timestep = choose(r, p, "timestep", o->timestep, w->simulator->timestep),
                       .integrator = o->integrator,
                       .body_count = p->body_count};
    if (w->duration < plan.timestep * (1 - 1e-9))
        stiction_reader_refuse(r, (stiction_place){p->path, 0, 0},
                               "duration %g s is shorter than a time step, %g s", w->duration,
                               plan.timestep);
    for (int k = 0; k < 3; k++)
        plan.gravity[k] = isnan(o->gravity[k]) ? w->simulator->gravity[k] : o->gravity[k];
    const placed_body *placed = plan.bodies = world_place_bodies(r, p, plan.timestep);

    world_body *bodies = stiction_reader_alloc(r, p->body_count * sizeof *bodies);
    joint_list joints = {0};
    for (size_t k = 0; k < p->body_count; k++) {
        bodies[k].name = placed[k].name;
        bodies[k].source = placed[k].source;
        bodies[k].model_name = placed[k].file.name ? placed[k].file.name : placed[k].name;
        add_joints(r, &joints, &placed[k], &bodies[k]);
    }
    set_labels(r, &joints, bodies, p->body_count);
    plan.driven = joints.model_names;
    plan.driven_count = joints.count;
    plan.memory_size = memory_size(r, p, o->memory_per_joint, joints.count);
    w->model = world_make_model(r, &plan);
    refuse_weightless(r, &plan, w->model);
    find_joints(&joints, w->model);
    for (size_t k = 0; k < p->body_count; k++)
        find_body(r, &joints, w->model, placed[k].file.links[placed[k].file.root].name, &bodies[k]);
    w->joints = joints.joints;
    w->joint_count = joints.count;
    w->bodies = bodies;
    w->body_count = p->body_count;
    return w;
}

world *world_load(const char *path, const world_options *options, stiction_error *error) {
    const world_options none = world_options_default();
    if (!options) options = &none;
    reader r = {.log = options->log,
                .log_user = options->log_user,
                .error = error,
                .notes = options->notes,
                .is_stopped = options->is_stopped};
    world *w = stiction_reader_run(&r, make_world, &(request){path, options});
    if (w) w->memory = r.memory;
    return w;
}

void world_destroy(world *w) {
    if (w) stiction_arena_free(&w->memory);
}
