/* SPDX-License-Identifier: MIT
 * Making an instance: which joints it is for, and their friction from a file, from YAML in the
 * element, or from parameters in the element.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/reader.h"
#include "instance.h"
#include "mujoco_solver/solver.h"
#include "stability/coupling.h"

/* What the library remembers of a joint. */
enum { NUMBERS_PER_JOINT = 18 };

/* Of the solver: the time step, and per joint. */
enum { SOLVER_NUMBERS = 1, SOLVER_NUMBERS_PER_JOINT = 10, SOLVER_NUMBERS_PER_DOF = 3 };

static const stiction_place nowhere;

typedef struct maker {
    const mjModel *model;
    int id;
    instance *made;
    element element;
} maker;

/* An element_value of a maker. */
static const char *attribute(const void *user, const char *key) {
    const maker *m = user;
    return mj_getPluginConfig(m->model, m->id, key);
}

/* ---- joints ---- */

/* Whether a body, or one above it, carries the element. */
static bool is_below(const mjModel *model, int id, int body) {
    while (body > 0 && model->body_plugin[body] != id) body = model->body_parentid[body];
    return model->body_plugin[body] == id;
}

static bool is_on_a_body(const mjModel *model, int id) {
    for (int k = 0; k < model->nbody; k++)
        if (model->body_plugin[k] == id) return true;
    return false;
}

static const char *name_of(reader *r, const mjModel *model, int joint) {
    const char *name = mj_id2name(model, mjOBJ_JOINT, joint);
    return name && *name ? name : stiction_reader_format(r, "joint%d", joint);
}

/* The hinges and slides below the element's body that it is for. */
static void find_joints(const maker *m, reader *r) {
    const mjModel *model = m->model;
    instance *made = m->made;
    const size_t most = (size_t)model->njnt + 1;
    made->joint = stiction_reader_alloc(r, most * sizeof *made->joint);
    made->names = stiction_reader_alloc(r, most * sizeof *made->names);
    const bool everywhere = !is_on_a_body(model, m->id);
    for (int k = 0; k < model->njnt; k++) {
        const bool has_axis =
            model->jnt_type[k] == mjJNT_HINGE || model->jnt_type[k] == mjJNT_SLIDE;
        if (has_axis && (everywhere || is_below(model, m->id, model->jnt_bodyid[k])))
            made->names[k] = name_of(r, model, k);
    }
    element_select(r, &m->element, made->names, (size_t)model->njnt);
    for (int k = 0; k < model->njnt; k++) {
        if (!made->names[k]) continue;
        made->joint[made->count] = k;
        made->names[made->count++] = made->names[k];
    }
}

/* ---- their friction ---- */

/* MuJoCo's own friction on the same joint would be added to ours. */
static void check_joint(const maker *m, reader *r, size_t k) {
    const mjModel *model = m->model;
    const instance *made = m->made;
    const int dof = made->dof[k];
    if (!instance_has_friction(made, k)) return;
    const char *of_mujoco = model->dof_frictionloss[dof] > 0 ? "frictionloss"
                            : mujoco_is_damped(model, dof)   ? "damping"
                                                             : NULL;
    if (of_mujoco)
        stiction_reader_refuse(r, nowhere,
                               "joint '%s' has %s of MuJoCo as well, and friction would act twice: "
                               "set it to 0, or name the other joints in 'joints'",
                               made->names[k], of_mujoco);
}

static void finish_friction(void *memory) {
    const instance *made = *(instance **)memory;
    mujoco_solver_destroy(made->together);
    stiction_implicit_destroy(made->implicit);
    stiction_state_destroy(made->state);
}

static void make_friction(const maker *m, reader *r, const stiction_config *config) {
    const mjModel *model = m->model;
    instance *made = m->made;
    stiction_error error;
    made->model =
        element_model(r, &m->element, config, made->names, made->count, model->opt.timestep);
    /* owned after the model, so that the state is destroyed before it */
    instance **owned = stiction_reader_own(r, sizeof *owned, finish_friction);
    *owned = made;
    if (stiction_state_create(made->model, &made->state, &error) != STICTION_OK)
        stiction_reader_refuse_as(r, &error);
    if (stiction_state_memory_size(made->state) != made->state_numbers)
        stiction_reader_refuse(r, nowhere,
                               "the state of a joint has more numbers than this build reserves");
    made->needs = stiction_state_needs(made->state);
    made->element = stiction_config_element(config);
    made->defs = stiction_reader_alloc(r, made->count * sizeof *made->defs);
    for (size_t k = 0; k < made->count; k++) {
        made->defs[k] = stiction_joint_def_default();
        (void)stiction_model_joint(made->model, k, &made->defs[k], NULL);
        check_joint(m, r, k);
    }
}

/* ---- coupling ---- */

/* A robot that is judged, in data of its own. */
typedef struct judge {
    const instance *of;
    mjModel model; /* without plugins: making their data would come back here */
    mjData *data;
    double *column;
} judge;

static void finish_judge(void *memory) {
    judge *j = memory;
    mj_deleteData(j->data);
}

/* A pose_columns. */
static stiction_status find_columns(void *host, const double *positions, size_t first, size_t count,
                                    double *columns, stiction_error *error) {
    (void)error;
    const judge *j = host;
    const instance *of = j->of;
    for (size_t k = 0; k < of->count; k++) j->data->qpos[of->position[k]] = positions[k];
    mj_kinematics(&j->model, j->data);
    mj_comPos(&j->model, j->data);
    mujoco_compute_inertia(&j->model, j->data);
    mj_factorM(&j->model, j->data);
    for (size_t k = 0; k < count; k++) {
        mju_zero(j->column, j->model.nv);
        j->column[of->dof[first + k]] = 1;
        mj_solveM(&j->model, j->data, j->column, j->column, 1);
        for (size_t i = 0; i < of->count; i++) columns[k * of->count + i] = j->column[of->dof[i]];
    }
    return STICTION_OK;
}

static stiction_coupling decide(const maker *m, reader *r) {
    const mjModel *model = m->model;
    instance *made = m->made;
    judge *j = stiction_reader_own(r, sizeof *j, finish_judge);
    j->of = made;
    j->model = *model;
    j->model.nplugin = j->model.npluginstate = 0;
    j->data = mj_makeData(&j->model);
    if (!j->data) stiction_reader_no_memory(r);
    j->column = stiction_reader_alloc(r, ((size_t)model->nv + 1) * sizeof *j->column);
    pose_joint *joints = stiction_reader_alloc(r, made->count * sizeof *joints);
    for (size_t k = 0; k < made->count; k++) {
        const int joint = made->joint[k];
        const bool limited = model->jnt_limited[joint];
        joints[k] =
            (pose_joint){.name = made->names[k],
                         .prismatic = model->jnt_type[joint] == mjJNT_SLIDE,
                         .lower = limited ? model->jnt_range[2 * joint] : -(double)INFINITY,
                         .upper = limited ? model->jnt_range[2 * joint + 1] : (double)INFINITY};
    }
    const coupling_robot robot = {{joints, made->count, (size_t)model->nv, find_columns, j},
                                  .friction = made->defs,
                                  .timestep = model->opt.timestep,
                                  .rk4 = model->opt.integrator == mjINT_RK4};
    coupling_decision decision;
    stiction_error error;
    if (coupling_decide(STICTION_COUPLING_AUTO, &robot, NULL, NULL, &decision, &error) !=
        STICTION_OK)
        stiction_reader_refuse_as(r, &error);
    if (decision.coupling == STICTION_COUPLING_EXPLICIT)
        made->judged_timestep = model->opt.timestep;
    return decision.coupling;
}

static void make_implicit(const maker *m, reader *r) {
    const mjModel *model = m->model;
    instance *made = m->made;
    stiction_implicit_def def = stiction_implicit_def_default();
    stiction_error error;
    def.count = (size_t)model->nv;
    def.parent = model->dof_parentid;
    def.packed = true;
    def.constraints_later = true;
    if (stiction_implicit_create(&def, &made->implicit, &error) != STICTION_OK ||
        stiction_implicit_add(made->implicit, made->state, made->dof, &error) != STICTION_OK)
        stiction_reader_refuse(r, nowhere, "coupling implicit: %s", error.message);
    if (stiction_implicit_memory_size(made->implicit) != made->implicit_numbers)
        stiction_reader_refuse(r, nowhere,
                               "the state of the solver has more numbers than this build reserves");
}

static void couple(const maker *m, reader *r, const stiction_config *config) {
    stiction_coupling coupling = stiction_config_coupling(config);
    if (coupling == STICTION_COUPLING_AUTO) coupling = decide(m, r);
    if (coupling == STICTION_COUPLING_EXPLICIT) return;
    if (m->model->opt.integrator == mjINT_RK4)
        stiction_reader_refuse(r, nowhere,
                               "coupling implicit: the integrator is RK4, whose stages do not know "
                               "the velocity after the step; use Euler, implicit or implicitfast");
    if (m->made->element == STICTION_ELEMENT_RIGID)
        stiction_reader_refuse(r, nowhere,
                               "element rigid: mj_step solves contacts after friction, so joints "
                               "would creep; use stiction_mujoco_step, or the element bristle");
    make_implicit(m, r);
}

/* ---- sizes ---- */

static size_t tree_size(const mjModel *model) {
    size_t size = 0;
    for (int k = 0; k < model->nv; k++)
        for (int i = k; i >= 0; i = model->dof_parentid[i]) size++;
    return size;
}

static void find_sizes(const maker *m) {
    instance *made = m->made;
    const char *coupling = attribute(m, "coupling");
    made->state_numbers = NUMBERS_PER_JOINT * made->count;
    if (!coupling || strcmp(coupling, "explicit") != 0)
        made->implicit_numbers = SOLVER_NUMBERS + tree_size(m->model) +
                                 SOLVER_NUMBERS_PER_DOF * (size_t)m->model->nv +
                                 SOLVER_NUMBERS_PER_JOINT * made->count;
}

static size_t total_numbers(const instance *of) {
    return of->state_numbers + of->implicit_numbers + of->count;
}

static void *answer_size(reader *r, const void *context) {
    const maker *m = context;
    find_joints(m, r);
    find_sizes(m);
    return m->made;
}

int instance_state_size(const mjModel *model, int id) {
    instance made = {.id = id};
    reader r = {0};
    maker m = {model, id, &made, {0}};
    m.element = (element){.value = attribute, .user = &m};
    if (!stiction_reader_run(&r, answer_size, &m)) return 0;
    stiction_arena_free(&r.memory);
    return (int)total_numbers(&made);
}

/* ---- all of it ---- */

static void make_arrays(const maker *m, reader *r) {
    instance *made = m->made;
    const size_t joints = made->count, dofs = (size_t)m->model->nv;
    double **of_joints[] = {&made->velocity, &made->joint_position, &made->effort, &made->external};
    double **of_dofs[] = {&made->force,      &made->bias,         &made->dof_position,
                          &made->dof_effort, &made->dof_external, &made->damping};
    for (size_t k = 0; k < sizeof of_joints / sizeof of_joints[0]; k++)
        *of_joints[k] = stiction_reader_alloc(r, joints * sizeof(double));
    for (size_t k = 0; k < sizeof of_dofs / sizeof of_dofs[0]; k++)
        *of_dofs[k] = stiction_reader_alloc(r, dofs * sizeof(double));
    made->next = stiction_reader_alloc(r, total_numbers(made) * sizeof *made->next);
    made->mass = stiction_reader_alloc(r, tree_size(m->model) * sizeof *made->mass);
    made->mass_diagonal = stiction_reader_alloc(r, dofs * sizeof *made->mass_diagonal);
    for (int k = 0, at = 0; k < m->model->nv; k++) {
        made->mass_diagonal[k] = at;
        for (int i = k; i >= 0; i = m->model->dof_parentid[i]) at++;
    }
    (void)joint_arrays_place(
        &made->last, stiction_reader_alloc(r, joint_arrays_place(&made->last, NULL, joints)),
        joints);
    (void)joint_arrays_place(
        &made->dofs, stiction_reader_alloc(r, joint_arrays_place(&made->dofs, NULL, dofs)), dofs);
    for (size_t k = 0; k < joints; k++) made->last.slipping[k] = 0;
}

static void *answer(reader *r, const void *context) {
    maker m = *(const maker *)context;
    const mjModel *model = m.model;
    m.element = (element){.value = attribute, .user = &m};
    m.made = stiction_reader_alloc(r, sizeof *m.made);
    m.made->id = m.id;
    if (mujoco_skips_passive(model))
        stiction_reader_refuse(r, nowhere,
                               "the flags of the model switch all passive forces off, and "
                               "friction is one of them");
    if (mujoco_may_sleep(model))
        stiction_reader_refuse(r, nowhere,
                               "bodies that sleep (flag sleep) have no friction: switch it off");
    find_joints(&m, r);
    find_sizes(&m);
    m.made->dof = stiction_reader_alloc(r, m.made->count * sizeof *m.made->dof);
    m.made->position = stiction_reader_alloc(r, m.made->count * sizeof *m.made->position);
    for (size_t k = 0; k < m.made->count; k++) {
        m.made->dof[k] = model->jnt_dofadr[m.made->joint[k]];
        m.made->position[k] = model->jnt_qposadr[m.made->joint[k]];
    }
    const stiction_config *config = element_configuration(r, &m.element);
    make_friction(&m, r, config);
    make_arrays(&m, r);
    couple(&m, r, config);
    return m.made;
}

instance *instance_create(const mjModel *model, int id, stiction_error *error) {
    reader r = {.error = error};
    instance *made = stiction_reader_run(&r, answer, &(maker){.model = model, .id = id});
    if (made) made->memory = r.memory;
    return made;
}

void instance_destroy(instance *made) {
    if (!made) return;
    arena memory = made->memory;
    stiction_arena_free(&memory);
}

long instance_find(const instance *of, int joint) {
    for (size_t k = 0; k < of->count; k++)
        if (of->joint[k] == joint) return (long)k;
    return -1;
}

bool instance_has_friction(const instance *of, size_t index) {
    const char *law = of->defs[index].law;
    return law && strcmp(law, "none") != 0;
}
