/* SPDX-License-Identifier: MIT
 * Friction to feed forward: Phi at the desired velocity, with a soft edge where Phi jumps.
 * It must not read bristles: what a controller expects is the law, not the state of a run.
 */
#include "stiction/compensate.h"

#include <math.h>

#include "document/fail.h"
#include "sized.h"
#include "state_internal.h"

stiction_compensation stiction_compensation_default(void) {
    return (stiction_compensation){
        .size = sizeof(stiction_compensation), .share = 0.8, .edge = 0.0015};
}

static stiction_status read_desired(const stiction_state *state, const stiction_compensation *given,
                                    stiction_compensation *own, stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(given, error, "the desired motion is NULL");
    *own = stiction_compensation_default();
    READ_SIZED(stiction_compensation, own, given, start, "desired motion", error);
    REQUIRE(own->share >= 0 && own->share <= STICTION_MOST_SHARE, error,
            "share %.15g must be from 0 to %d", own->share, STICTION_MOST_SHARE);
    REQUIRE(own->edge >= STICTION_LEAST && own->edge <= STICTION_MOST, error,
            "edge %.15g must be above 0: from %g to %g rad/s", own->edge, STICTION_LEAST,
            STICTION_MOST);
    REQUIRE(own->velocity || !state->model->count, error, "the desired velocity is NULL");
    return STICTION_OK;
}

/* What of the desired motion a step would read, too. */
static stiction_input input_of(const stiction_compensation *input) {
    return (stiction_input){.size = sizeof(stiction_input),
                            .velocity = input->velocity,
                            STICTION_JOINT_INPUTS(SHARE_INPUT)};
}

static stiction_status check_joint(const char *name, const joint *j, const stiction_input *input,
                                   size_t k, double start, stiction_error *error) {
    const joint_input in = joint_input_at(input, k);
    FAIL_IF(j->kind->info.reference, error, STICTION_INVALID_CONFIG,
            "joint '%.200s': law %.100s cannot be compensated: it is a model of "
            "the literature and has no Phi",
            name, j->def.law);
    REQUIRE(joint_can_use(in.velocity), error,
            "joint '%.200s': the desired velocity %g is not usable", name, in.velocity);
    REQUIRE(start >= -1 && start <= 1, error, "joint '%.200s': start %.15g must be from -1 to 1",
            name, start);
    const stiction_drive_input drive = joint_drive_input(j, in);
    REQUIRE(!j->is_drive || joint_can_drive(in.velocity, &drive), error,
            "joint '%.200s': position %g, effort %g, external torque %g or "
            "temperature %g is not usable",
            name, drive.position, drive.motor_torque, drive.external_torque, drive.temperature);
    return stiction_joint_refuse_input(name, j, input, error);
}

/* The direction of motion, -1 to 1: the sign of the velocity, smoothed over the edge. */
static double direction(double velocity, double start, double edge) {
    const double c = (velocity + start * edge) / sqrt(velocity * velocity + edge * edge);
    return fmin(fmax(c, -1), 1);
}

/* Phi at a speed, to this side. */
static double expected(const joint *j, const joint_memory *m, joint_input in, bool backwards) {
    if (!j->law) return 0;
    stiction_law_parameters p = stiction_joint_law_parameters(&j->def);
    if (j->is_drive) {
        const stiction_drive_parameters drive = stiction_joint_drive_parameters(&j->def);
        stiction_drive_input input = joint_drive_input(j, in);
        if (isnan(input.temperature)) input.temperature = drive.temperature + m->drive.rise;
        const stiction_levels levels = stiction_drive_levels(&drive, &p, &input, backwards);
        p.coulomb_torque = levels.coulomb;
        p.static_torque = levels.coulomb + levels.falling;
        p.viscous = levels.viscous;
    }
    return stiction_phi(j->law, &p, fabs(in.velocity));
}

stiction_status stiction_compensate(const stiction_state *state,
                                    const stiction_compensation *desired, double *torque,
                                    stiction_error *error) {
    stiction_compensation own;
    stiction_status status = read_desired(state, desired, &own, error);
    const size_t count = stiction_state_joint_count(state);
    FAIL_IF(status == STICTION_OK && !torque && count, error, STICTION_INVALID_ARGUMENT,
            "the torque is NULL");
    const stiction_input input = input_of(&own);
    for (size_t k = 0; k < count && status == STICTION_OK; k++) {
        const double start = own.start ? own.start[k] : 0;
        const joint *j = &state->joints[k];
        status = check_joint(state->model->names[k], j, &input, k, start, error);
        if (status != STICTION_OK) break;
        const double c = direction(own.velocity[k], start, own.edge);
        torque[k] =
            own.share * c * expected(j, &state->memories[k], joint_input_at(&input, k), c < 0);
    }
    for (size_t k = 0; torque && k < count && status != STICTION_OK; k++) torque[k] = 0;
    return status == STICTION_OK ? stiction_succeed(error) : status;
}
