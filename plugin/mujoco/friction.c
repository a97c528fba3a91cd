/* SPDX-License-Identifier: MIT
 * Friction in a step. With Euler's rule the library's own step moves the bristles, its whole memory
 * in mjData.userdata; RK4 integrates their rates (Kikuuwe and Yamamoto, (19) with tau = 0), the
 * deflections in mjData.act and the energy in userdata. Nothing here allocates.
 */
#include "friction.h"

#include <math.h>
#include <string.h>

#include "document/fail.h"
#include "friction_internal.h"

const valid_ranges *friction_valid(const friction *f) {
    return f->valid;
}

const stiction_joint_def *friction_joint(const friction *f, size_t joint) {
    return &f->joints[joint];
}

bool friction_seed(const friction *f, uint64_t *seed) {
    bool drawn = false;
    for (const friction_part *part = f->parts; part; part = part->next)
        for (size_t k = 0; k < part->count; k++) {
            if (!stiction_model_joint_is_random(part->model, k)) continue;
            *seed = stiction_model_seed(part->model);
            drawn = true;
        }
    return drawn;
}

const char *friction_absence(const friction *f) {
    return f->absence;
}

bool friction_acts_on(const friction *f, size_t body) {
    return friction_part_of(f, body) && f->source == FRICTION_STICTION;
}

joint_quantities friction_quantities(const friction *f) {
    return joint_arrays_view(&f->last);
}

uint64_t friction_faults(const friction *f) {
    uint64_t total = 0;
    for (const friction_part *part = f->parts; part; part = part->next)
        total += stiction_state_total_faults(part->state);
    return total;
}

static void read_velocities(const friction *f, const friction_part *part, const mjData *data) {
    for (size_t k = part->first; k < part->first + part->count; k++)
        f->velocity[k] = data->qvel[f->world->joints[k].velocity];
}

void friction_step(friction *f, mjData *data, const double *command) {
    if (f->source != FRICTION_STICTION) return;
    friction_read_loads(f, data);
    for (const friction_part *part = f->parts; part; part = part->next) {
        const size_t first = part->first;
        if (part->coupling == STICTION_COUPLING_IMPLICIT) {
            /* friction_solve gives it */
            memset(f->last.torque + first, 0, part->count * sizeof *f->last.torque);
            if (part->needs) friction_solver_set_inputs(f, part, command);
            continue;
        }
        stiction_input input = stiction_input_default();
        stiction_output output = joint_arrays_output(&f->last, first, part->is_modified);
        input.timestep = f->world->model->opt.timestep;
        input.velocity = f->velocity + first;
        input.effort = command + first;
        if (part->needs & STICTION_NEEDS_POSITION) input.position = f->position + first;
        if (part->needs & STICTION_NEEDS_EXTERNAL_TORQUE)
            input.external_torque = f->last.external_torque + first;
        output.memory = friction_memory(part, data);
        read_velocities(f, part, data);
        (void)stiction_step_full(part->state, &input, &output, NULL);
    }
}

/* The torques of constraints that a state brings must be ones that a step can have. */
static stiction_status check_carried(const friction *f, const double *userdata,
                                     stiction_error *error) {
    static const double most = 1e90;
    const double *carried = userdata + FRICTION_REMEMBERED * f->world->joint_count;
    for (size_t k = 0; k < f->world->joint_count; k++)
        if (!(fabs(carried[k]) <= most))
            return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                 "joint '%.200s': %g N m of its constraints must be from %g to %g",
                                 f->world->joints[k].label, carried[k], -most, most);
    return STICTION_OK;
}

/* Through the states, which only compute: what they remember is overwritten in every step. */
stiction_status friction_check_memory(const friction *f, const double *userdata, const double *act,
                                      stiction_error *error) {
    stiction_status status = check_carried(f, userdata, error);
    for (const friction_part *part = f->parts; part && status == STICTION_OK; part = part->next) {
        const double *memory = userdata + FRICTION_REMEMBERED * part->first;
        if (f->source != FRICTION_STICTION) break;
        if (f->world->model->na == 0) {
            status = stiction_state_set_memory(part->state, memory, error);
            continue;
        }
        /* RK4 has the deflections among the activations, and the energies here */
        for (size_t k = part->first; k < part->first + part->count; k++)
            f->stage_deflection[k] = act[f->world->joints[k].actuator];
        status =
            stiction_state_set_deflections(part->state, f->stage_deflection + part->first, error);
    }
    return status;
}

/* While it sticks, the bristle follows the joint. */
static bool slips(double velocity, double rate) {
    return fabs(velocity - rate) > 1e-9 * fabs(velocity) + 1e-15;
}

static void write_stage(friction *f, mjData *data, const friction_part *part) {
    double *energy = friction_memory(part, data);
    for (size_t k = part->first; k < part->first + part->count; k++) {
        f->last.torque[k] = f->stage_torque[k];
        f->last.deflection[k] = f->stage_deflection[k];
        f->last.slipping[k] = slips(f->velocity[k], f->rate[k]);
        /* the work done on the joint, less the energy that the bristle stores */
        const double stiffness = f->joints[k].stiffness > 0 ? f->joints[k].stiffness : 0;
        *energy += f->world->model->opt.timestep * (f->last.torque[k] * f->velocity[k] -
                                                    stiffness * f->last.deflection[k] * f->rate[k]);
        f->last.dissipated_energy[k] = *energy++;
    }
}

const double *friction_stage(friction *f, mjData *data, bool first) {
    for (const friction_part *part = f->parts; part; part = part->next) {
        const size_t from = part->first, end = from + part->count;
        if (f->source != FRICTION_STICTION) break;
        read_velocities(f, part, data);
        for (size_t k = from; k < end; k++)
            f->stage_deflection[k] = data->act[f->world->joints[k].actuator];
        (void)stiction_rate(part->state, 0, f->velocity + from, f->stage_deflection + from,
                            f->stage_torque + from, f->rate + from, NULL);
        for (size_t k = from; k < end; k++) data->ctrl[f->world->joints[k].actuator] = f->rate[k];
        if (first) write_stage(f, data, part);
    }
    return f->stage_torque;
}

void friction_after(friction *f, const mjData *data) {
    if (f->source == FRICTION_STICTION) friction_carry_constraints(f, data);
    if (f->source != FRICTION_FRICTIONLOSS) return;
    const mjModel *model = f->world->model;
    for (size_t k = 0; k < f->world->joint_count; k++) {
        const int dof = f->world->joints[k].velocity;
        f->velocity[k] = data->qvel[dof];
        f->last.torque[k] = model->dof_damping[dof] * f->velocity[k];
        f->last.slipping[k] = !(model->dof_frictionloss[dof] > 0);
    }
    for (int row = 0; row < data->nefc; row++) {
        if (data->efc_type[row] != mjCNSTR_FRICTION_DOF) continue;
        for (size_t k = 0; k < f->world->joint_count; k++) {
            const int dof = f->world->joints[k].velocity;
            if (data->efc_id[row] != dof) continue;
            f->last.torque[k] -= data->efc_force[row];
            /* below its limit it claims to hold; the limit is reached to a few digits */
            f->last.slipping[k] =
                fabs(data->efc_force[row]) > (1 - 1e-6) * model->dof_frictionloss[dof];
        }
    }
    for (size_t k = 0; k < f->world->joint_count; k++)
        f->last.dissipated_energy[k] += model->opt.timestep * f->last.torque[k] * f->velocity[k];
}
