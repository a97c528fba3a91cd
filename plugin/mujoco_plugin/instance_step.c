/* SPDX-License-Identifier: MIT
 * Friction in a state of mjData. Explicit coupling reads the velocity only. Implicit coupling needs
 * the mass matrix and all forces before MuJoCo has them together: passive forces come first, so the
 * bias and actuator forces of the same state are computed here; contacts, limits and whatever else
 * follows are taken from the momentum of the last step (docs/implicit.md, "Contacts solved after
 * us").
 */
#include <math.h>
#include <string.h>

#include "document/fail.h"
#include "instance.h"

_Static_assert(sizeof(mjtNum) == sizeof(double), "MuJoCo in double precision");

const mjtNum *instance_state(const instance *of, const mjModel *model, const mjData *data) {
    return data->plugin_state + model->plugin_stateadr[of->id];
}

/* Where what the joints remember is, in a state or the next one: torques of the constraints of the
 * last step come first, one entry per joint. What the solver remembers follows. */
static size_t joint_memory_of(const instance *of) {
    return of->count;
}

static size_t solver_memory_of(const instance *of) {
    return of->count + of->state_numbers;
}

/* The numbers that change: explicit coupling has no solver. */
static size_t used_size(const instance *of) {
    return of->count + of->state_numbers + (of->implicit ? of->implicit_numbers : 0);
}

/* Forces that the user applies, on joints and on bodies. */
static void add_applied(const mjModel *model, mjData *data, double *force) {
    mju_addTo(force, data->qfrc_applied, model->nv);
    for (int body = 1; body < model->nbody; body++) {
        mjtNum *wrench = data->xfrc_applied + 6 * body;
        bool acts = false;
        for (int i = 0; i < 6; i++) acts |= wrench[i] != 0;
        if (acts) mj_applyFT(model, data, wrench, wrench + 3, data->xipos + 3 * body, body, force);
    }
}

void instance_find_force(instance *of, const mjModel *model, mjData *data) {
    mj_rne(model, data, 0, of->bias);
    mju_sub(of->force, data->qfrc_passive, of->bias, model->nv);
    add_applied(model, data, of->force);
}

void instance_find_damping(const mjModel *model, bool euler, double *damping) {
    const bool implicit = model->opt.integrator != mjINT_EULER;
    const bool joints = mujoco_has_dampers(model) && (euler || implicit);
    for (int k = 0; k < model->nv; k++) damping[k] = joints ? model->dof_damping[k] : 0;
    for (int k = 0; implicit && k < model->nu; k++) {
        const int joint = model->actuator_trnid[2 * k];
        if (model->actuator_trntype[k] != mjTRN_JOINT ||
            model->actuator_biastype[k] != mjBIAS_AFFINE ||
            (model->jnt_type[joint] != mjJNT_HINGE && model->jnt_type[joint] != mjJNT_SLIDE))
            continue;
        const double gear = model->actuator_gear[6 * k];
        const double slope = model->actuator_biasprm[mjNBIAS * k + 2];
        if (slope < 0) damping[model->jnt_dofadr[joint]] -= gear * gear * slope;
    }
}

/* The inertia that MuJoCo's integrator divides by: with the dampers that it takes at the end of the
 * step. A servo's damper may be far more than the inertia of a light joint. */
static void find_mass(instance *of, const mjModel *model, const mjData *data) {
    mujoco_pack_inertia(model, data, of->mass);
    instance_find_damping(model, !(model->opt.disableflags & mjDSBL_EULERDAMP), of->damping);
    for (int k = 0; k < model->nv; k++)
        of->mass[of->mass_diagonal[k]] += model->opt.timestep * of->damping[k];
}

/* What laws read besides velocities. */
static void read_inputs(instance *of, const mjModel *model, mjData *data) {
    const double *constraints = instance_state(of, model, data);
    const bool implicit = of->implicit;
    if (implicit || of->needs & STICTION_NEEDS_EXTERNAL_TORQUE)
        instance_find_force(of, model, data);
    /* of this state, also where MuJoCo has not yet come to them */
    if (implicit || of->needs & STICTION_NEEDS_EFFORT) mj_fwdActuation(model, data);
    for (size_t k = 0; k < of->count; k++) {
        const int dof = of->dof[k];
        of->velocity[k] = data->qvel[dof];
        of->joint_position[k] = of->dof_position[dof] = data->qpos[of->position[k]];
        of->effort[k] = of->dof_effort[dof] = data->qfrc_actuator[dof];
        of->external[k] = of->dof_external[dof] = of->force[dof] + constraints[k];
    }
    if (implicit) mju_addTo(of->force, data->qfrc_actuator, model->nv);
}

static stiction_status compute_explicit(instance *of, const mjModel *model, stiction_error *error) {
    stiction_input input = stiction_input_default();
    stiction_output output = joint_arrays_output(&of->last, 0, false);
    input.timestep = model->opt.timestep;
    input.velocity = of->velocity;
    input.effort = of->effort;
    if (of->needs & STICTION_NEEDS_POSITION) input.position = of->joint_position;
    if (of->needs & STICTION_NEEDS_EXTERNAL_TORQUE) input.external_torque = of->external;
    output.memory = of->next + joint_memory_of(of);
    return stiction_step_full(of->state, &input, &output, error);
}

static void warn(instance *of, const mjModel *model, const stiction_implicit_output *output) {
    if (!output->warning || of->has_warned) return;
    of->has_warned = true;
    const long k = instance_find(of, model->dof_jntid[output->warning_dof]);
    mju_warning(FRICTION_PLUGIN ": joint '%.100s': %.400s; use a shorter time step or "
                                "stiction_mujoco_step",
                k < 0 ? "" : of->names[k], output->warning);
}

static stiction_status compute_implicit(instance *of, const mjModel *model, mjData *data,
                                        stiction_error *error) {
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = stiction_implicit_output_default();
    const double *state = instance_state(of, model, data);
    input.timestep = model->opt.timestep;
    input.mass = of->mass;
    input.velocity = data->qvel;
    input.force = of->force;
    input.position = of->dof_position;
    input.effort = of->dof_effort;
    input.external_torque = of->dof_external;
    output.friction = of->dofs.torque;
    output.slipping = of->dofs.slipping;
    output.deflection = of->dofs.deflection;
    output.dissipated_energy = of->dofs.dissipated_energy;
    find_mass(of, model, data);
    stiction_status status =
        stiction_state_set_memory(of->state, state + joint_memory_of(of), error);
    if (status == STICTION_OK)
        status = stiction_implicit_set_memory(of->implicit, state + solver_memory_of(of), error);
    if (status == STICTION_OK)
        status = stiction_implicit_step(of->implicit, &input, &output, error);
    if (status != STICTION_OK) return status;
    warn(of, model, &output);
    (void)stiction_state_get_memory(of->state, of->next + joint_memory_of(of), NULL);
    (void)stiction_implicit_get_memory(of->implicit, of->next + solver_memory_of(of), NULL);
    for (size_t k = 0; k < of->count; k++) {
        const int dof = of->dof[k];
        of->last.torque[k] = of->dofs.torque[dof];
        of->last.slipping[k] = of->dofs.slipping[dof];
        of->last.deflection[k] = of->dofs.deflection[dof];
        of->last.dissipated_energy[k] = of->dofs.dissipated_energy[dof];
    }
    return STICTION_OK;
}

/* What MuJoCo resets itself, in mj_step. */
static bool is_bad(const mjtNum *numbers, int count) {
    bool bad = false;
    for (int k = 0; k < count; k++) bad |= !(fabs(numbers[k]) <= mjMAXVAL);
    return bad;
}

stiction_status instance_compute(instance *of, const mjModel *model, mjData *data,
                                 stiction_error *error) {
    const bool bad = is_bad(data->qvel, model->nv) || is_bad(data->qpos, model->nq);
    stiction_status status = STICTION_OK;
    memset(of->last.torque, 0, of->count * sizeof *of->last.torque);
    if (!bad) read_inputs(of, model, data);
    if (!bad && of->implicit) status = compute_implicit(of, model, data, error);
    /* an implicit step writes all of the next state, an explicit one its joints */
    if (bad || !of->implicit || status != STICTION_OK)
        memcpy(of->next, instance_state(of, model, data), used_size(of) * sizeof *of->next);
    of->has_next = true;
    return bad || of->implicit ? status : compute_explicit(of, model, error);
}

void instance_advance(instance *of, const mjModel *model, mjData *data) {
    for (size_t k = 0; k < of->count; k++)
        of->next[k] = data->nefc ? data->qfrc_constraint[of->dof[k]] : 0;
    mju_copy(data->plugin_state + model->plugin_stateadr[of->id], of->next, (int)used_size(of));
    of->has_next = false;
}

/* Both are of the same element. */
static void copy_joints(instance *to, const instance *from) {
    for (size_t k = 0; k < from->count; k++) {
        to->defs[k] = stiction_joint_def_default();
        (void)stiction_state_joint(from->state, k, &to->defs[k], NULL);
        (void)stiction_state_set_joint(to->state, k, &to->defs[k], NULL);
    }
    to->is_changed = from->is_changed;
}

void instance_copy(instance *to, const instance *from) {
    if (to->is_changed || from->is_changed) copy_joints(to, from);
    to->has_next = from->has_next;
    to->has_warned = from->has_warned;
    memcpy(to->next, from->next, used_size(from) * sizeof *to->next);
    for (size_t k = 0; k < from->count; k++) {
        const joint_quantities last = joint_arrays_view(&from->last);
        joint_arrays_copy(&to->last, k, &last, k);
    }
}
