/* SPDX-License-Identifier: MIT
 * stiction_mujoco_step: the step of the embedded engine (plugin/mujoco_solver) in a model with
 * elements of the plugin. The first instance holds the solver of all of them.
 */
#include <math.h>
#include <string.h>

#include "document/fail.h"
#include "instance.h"
#include "mujoco_solver/solver.h"
#include "stiction/mujoco.h"

/* The first instance with friction from this element on; NULL: none. */
static instance *next_instance(const mjModel *model, const mjData *data, int from) {
    for (int id = from; id < model->nplugin; id++) {
        instance *of = instance_of(model, data, id);
        if (of) return of;
    }
    return NULL;
}

/* for each instance `of` of the data */
#define FOR_INSTANCES(model, data, of)                                                             \
    for (instance *of = next_instance(model, data, 0); of;                                         \
         of = next_instance(model, data, of->id + 1))

static stiction_status check_model(const mjModel *model, stiction_error *error) {
    if (model->opt.integrator == mjINT_RK4)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "the integrator is RK4, whose stages do not know the velocity after "
                             "the step; use Euler, implicit or implicitfast");
    if (mujoco_may_sleep(model))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "bodies that sleep (flag sleep) have no friction: switch it off");
    return STICTION_OK;
}

/* ---- making ---- */

/* With MuJoCo friction sees every force, so that joints may be rigid; those that give way before
 * they slide may not. */
static stiction_status find_element(const mjModel *model, const mjData *data, bool *rigid,
                                    stiction_error *error) {
    bool bristle = false, preslides = false, asked = false;
    FOR_INSTANCES(model, data, of) {
        asked = asked || of->element == STICTION_ELEMENT_RIGID;
        bristle = bristle || of->element == STICTION_ELEMENT_BRISTLE;
        for (size_t k = 0; k < of->count; k++)
            preslides = preslides || stiction_joint_def_list(&of->defs[k], 0, NULL) > 0;
    }
    if (asked && bristle)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "all elements must have the same kind of joint, bristle or rigid");
    *rigid = asked || (!bristle && !preslides);
    return STICTION_OK;
}

static stiction_status make_solver(const mjModel *model, const mjData *data, instance *first,
                                   stiction_error *error) {
    bool rigid = false;
    stiction_status status = find_element(model, data, &rigid, error);
    if (status != STICTION_OK) return status;
    mujoco_solver *made = mujoco_solver_create(model, rigid, error);
    if (!made) return STICTION_OUT_OF_MEMORY;
    FOR_INSTANCES(model, data, of)
    if (status == STICTION_OK)
        status = stiction_implicit_add(made->implicit, of->state, of->dof, error);
    if (status == STICTION_OK)
        first->together = made;
    else
        mujoco_solver_destroy(made);
    return status;
}

/* ---- a step ---- */

static void read_memory(const mjModel *model, mjData *data, mujoco_solver *s) {
    mju_copy(s->effort, data->qfrc_actuator, model->nv);
    FOR_INSTANCES(model, data, of) {
        const double *constraints = instance_state(of, model, data);
        (void)stiction_state_set_memory(of->state, constraints + of->count, NULL);
        if (of->needs & STICTION_NEEDS_EXTERNAL_TORQUE) instance_find_force(of, model, data);
        for (size_t k = 0; k < of->count; k++) {
            const int dof = of->dof[k];
            s->position[dof] = data->qpos[of->position[k]];
            s->last.external_torque[dof] = of->force[dof] + constraints[k];
        }
    }
}

/* A step of mj_step that follows starts with no forces of the last step. */
static void write_memory(const mjModel *model, mjData *data, const mujoco_solver *s) {
    FOR_INSTANCES(model, data, of) {
        double *memory = data->plugin_state + model->plugin_stateadr[of->id];
        (void)stiction_state_get_memory(of->state, memory + of->count, NULL);
        mju_zero(memory + of->count + of->state_numbers, (int)of->implicit_numbers);
        for (size_t k = 0; k < of->count; k++) {
            const int dof = of->dof[k];
            memory[k] = data->qfrc_constraint[dof];
            of->last.torque[k] = s->last.torque[dof];
            of->last.deflection[k] = s->last.deflection[dof];
            of->last.slipping[k] = s->last.slipping[dof];
            of->last.dissipated_energy[k] = s->last.dissipated_energy[dof];
            data->qfrc_passive[dof] -= s->last.torque[dof];
            data->qfrc_smooth[dof] -= s->last.torque[dof];
        }
    }
}

/* MuJoCo's integrator advances all but the velocity, in which it would round, and the position. */
static void advance(const mjModel *model, mjData *data, mujoco_solver *s) {
    mjModel euler = *model;
    euler.opt.disableflags |= mjDSBL_EULERDAMP; /* the solver had it */
    mj_markStack(data);
    mjtNum *position = mj_stackAllocNum(data, (size_t)model->nq);
    mju_copy(position, data->qpos, model->nq);
    mj_Euler(&euler, data);
    mju_copy(data->qvel, s->velocity, model->nv);
    mju_copy(data->qpos, position, model->nq);
    mj_integratePos(model, data->qpos, data->qvel, model->opt.timestep);
    mj_freeStack(data);
}

static void set_solved(const mjModel *model, const mjData *data, bool solved) {
    FOR_INSTANCES(model, data, of) of->is_solved = solved;
}

static stiction_status run(const mjModel *model, mjData *data, instance *first,
                           stiction_error *error) {
    mujoco_solver *s = first->together;
    stiction_implicit_outcome outcome;
    mj_step1(model, data);
    instance_find_damping(model, true, s->damping);
    mj_fwdActuation(model, data);
    read_memory(model, data, s);
    const stiction_status status = mujoco_solver_solve(s, model, data, &outcome, error);
    if (status != STICTION_OK) return status;
    if (!data->nefc) mju_zero(data->qfrc_constraint, model->nv);
    mujoco_solver_find_acceleration(s);
    write_memory(model, data, s);
    instance_compute_sensors(model, data);
    mj_sensorAcc(model, data);
    advance(model, data, s);
    return STICTION_OK;
}

stiction_status stiction_mujoco_step(const mjModel *model, mjData *data, stiction_error *error) {
    if (!model || !data)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the %s NULL",
                             model ? "data is" : "model is");
    instance *first = next_instance(model, data, 0);
    if (!first)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "the model has no element of " FRICTION_PLUGIN);
    stiction_status status = check_model(model, error);
    if (status == STICTION_OK && !first->together) status = make_solver(model, data, first, error);
    if (status != STICTION_OK) return status;
    set_solved(model, data, true);
    status = run(model, data, first, error);
    set_solved(model, data, false);
    return status == STICTION_OK ? stiction_succeed(error) : status;
}
