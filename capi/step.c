/*
 * The step over all joints of a body: allocates nothing, locks nothing, prints nothing.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "document/fail.h"
#include "sized.h"
#include "state_internal.h"

enum { block = STICTION_FAST_BLOCK };

stiction_input stiction_input_default(void) {
    return (stiction_input){.size = sizeof(stiction_input)};
}

stiction_output stiction_output_default(void) {
    return (stiction_output){.size = sizeof(stiction_output)};
}

/* The caller's input and output as we know them. */
typedef struct step_arguments {
    stiction_input input;
    stiction_output output;
} step_arguments;

/* What a failed step gives: no friction. */
static void clear_torque(const stiction_state *state, const stiction_output *output) {
    if (state && output->torque)
        for (size_t k = 0; k < state->model->count; k++) output->torque[k] = 0;
}

static stiction_status read_arguments(const stiction_input *input, const stiction_output *output,
                                      step_arguments *own, stiction_error *error) {
    *own = (step_arguments){stiction_input_default(), stiction_output_default()};
    if (!input || !output)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL",
                             input ? "output" : "input");
    if (!sized_read(&own->output, sizeof own->output, output,
                    SIZED_END(stiction_output, dissipated_energy)))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "the size of the output is %zu; start from stiction_output_default()",
                             output->size);
    if (!sized_read(&own->input, sizeof own->input, input, SIZED_END(stiction_input, effort)))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                             "the size of the input is %zu; start from stiction_input_default()",
                             input->size);
    return STICTION_OK;
}

static stiction_status check_step(const stiction_state *state, const stiction_input *input,
                                  stiction_error *error) {
    const stiction_status status = stiction_state_check(state, error);
    if (status != STICTION_OK) return status;
    if (!input->velocity && state->model->count)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the velocity is NULL");
    const stiction_status timed =
        stiction_check_timestep("time step", input->timestep, STICTION_INVALID_ARGUMENT, error);
    if (timed != STICTION_OK) return timed;
    for (size_t k = 0; joint_lacks(state->needs, input) && k < state->model->count; k++) {
        const stiction_status lacks =
            stiction_joint_refuse_input(state->model->names[k], &state->joints[k], input, error);
        if (lacks != STICTION_OK) return lacks;
    }
    return STICTION_OK;
}

/* Joint k at a time step: the state's own where it stands at it, else made in *other. */
static const joint *joint_at(const stiction_state *state, size_t k, double timestep, joint *other,
                             stiction_status *status, stiction_error *error) {
    if (timestep == state->timestep) return &state->joints[k];
    *other = state->joints[k];
    *status = stiction_joint_set_timestep(other, state->model->names[k], timestep, error);
    return other;
}

/* Takes all joints to another time step, or none. */
static stiction_status change_timestep(stiction_state *state, double timestep,
                                       stiction_error *error) {
    stiction_status status = STICTION_OK;
    joint other;
    for (size_t k = 0; k < state->model->count; k++) {
        (void)joint_at(state, k, timestep, &other, &status, error);
        if (status != STICTION_OK) return status;
    }
    for (size_t k = 0; k < state->model->count; k++)
        (void)stiction_joint_set_timestep(&state->joints[k], NULL, timestep, NULL);
    state->timestep = timestep;
    stiction_state_group(state);
    return STICTION_OK;
}

/* Where the joints remember: a caller's numbers are ours, one after the other. */
static joint_memory *memories_of(const stiction_state *state, const stiction_output *output) {
    return output->memory ? (joint_memory *)(void *)output->memory : state->memories;
}

static void write_output(const stiction_output *output, size_t k, const joint_memory *memory,
                         const joint_result *result, double slope) {
    if (output->torque) output->torque[k] = result->torque;
    if (output->deflection) output->deflection[k] = memory->deflection;
    if (output->slope) output->slope[k] = slope;
    if (output->slipping) output->slipping[k] = result->slipping;
    if (output->dissipated_energy) output->dissipated_energy[k] = memory->dissipated;
}

/* What is wanted of the levels of the next step. */
static void write_levels(const joint *j, size_t k, joint_input in, const stiction_output *output,
                         const joint_memory *memory) {
    if (!output->temperature && !output->static_level && !output->coulomb_level) return;
    const joint_levels levels = stiction_joint_levels(j, in, memory);
    if (output->temperature) output->temperature[k] = levels.temperature;
    if (output->static_level) output->static_level[k] = levels.static_level;
    if (output->coulomb_level) output->coulomb_level[k] = levels.coulomb_level;
}

/* One joint from `memory`, which it moves. False: a fault. */
static bool step_joint(const joint *j, size_t k, const stiction_input *input,
                       const stiction_output *output, joint_memory *memory) {
    const joint_input in = joint_input_at(input, k);
    const double slope =
        output->slope && joint_can_use(in.velocity) ? stiction_joint_slope(j, in, memory) : 0;
    const bool slips = output->slipping && j->kind->slips && j->kind->slips(j, in, memory);
    joint_result result = {0, false};
    write_levels(j, k, in, output, memory);
    const bool remembers = !output->memory || stiction_joint_can_remember(j, memory);
    const bool usable = remembers && stiction_joint_step(j, in, memory, &result);
    if (j->kind->slips) result.slipping = slips && usable;
    write_output(output, k, memory, &result, usable ? slope : 0);
    /* what a host remembers is told as it is, but for numbers that are none */
    if (!remembers && output->deflection && !isfinite(memory->deflection))
        output->deflection[k] = 0;
    if (!remembers && output->dissipated_energy && !isfinite(memory->dissipated))
        output->dissipated_energy[k] = 0;
    return usable;
}

static void count_fault(stiction_state *state, size_t k, double velocity) {
    if (state->faults[k]++ == 0)
        stiction_model_log(
            state->model, STICTION_LOG_WARNING,
            "joint '%.200s': velocity %g gives no usable torque; friction is 0 in this step",
            state->model->names[k], velocity);
}

/* What all joints of a step need to know. */
typedef struct step {
    stiction_state *state;
    stiction_input in;
    stiction_output out;
    joint_memory *memories;
} step;

/* Some joints of a column, one by one. */
static void step_singly(const step *s, const column *c, size_t k, size_t count) {
    for (size_t n = k; n < k + count; n++) {
        const size_t slot = c->slots[n];
        if (!step_joint(&s->state->joints[slot], slot, &s->in, &s->out, &s->memories[slot]))
            count_fault(s->state, slot, s->in.velocity[slot]);
    }
}

/* What of a block is wanted and known before its joints have moved. */
static void write_ahead(const step *s, const stiction_fast_step *fast, const size_t *slots,
                        size_t count, const double *velocity, const double *deflection) {
    for (size_t n = 0; n < count; n++) {
        const size_t slot = slots[n];
        const joint *j = &s->state->joints[slot];
        if (s->out.slope)
            s->out.slope[slot] =
                stiction_joint_slope(j, (joint_input){.velocity = velocity[n]}, &s->memories[slot]);
        write_levels(j, slot, joint_input_at(&s->in, slot), &s->out, &s->memories[slot]);
        if (s->out.slipping)
            s->out.slipping[slot] = !fast->sticks(&j->model.element.c, velocity[n], deflection[n]);
    }
}

/* The same, up to a block of a column with a fast step, in one loop. */
static void step_together(const step *s, const column *c, size_t k, size_t count) {
    double velocity[block], before[block], after[block], torque[block], work[block], sum = 0;
    const size_t *slots = c->slots + k;
    for (size_t n = 0; n < count; n++) {
        velocity[n] = s->in.velocity[slots[n]];
        before[n] = after[n] = s->memories[slots[n]].deflection;
        sum += fabs(before[n]);
    }
    size_t fours = count; /* others at rest fill up the last four */
    for (; fours % 4; fours++) velocity[fours] = after[fours] = 0;
    /* a host's memory may hold anything */
    for (size_t n = 0; s->out.memory && n < count; n++)
        if (!isfinite(s->memories[slots[n]].dissipated)) sum = (double)INFINITY;
    if (!(sum <= STICTION_DEFLECTION_LIMIT) ||
        column_step(c, k, fours, s->in.timestep, velocity, after, torque) > 0) {
        step_singly(s, c, k, count);
        return;
    }
    if (s->out.slope || s->out.slipping || s->out.temperature || s->out.static_level ||
        s->out.coulomb_level)
        write_ahead(s, c->fast, slots, count, velocity, before);
    const double *stiffness = column_stiffness(c, k), T = s->in.timestep;
    for (size_t n = 0; n < count; n++)
        work[n] = joint_dissipation(stiffness[n], T, velocity[n], torque[n], before[n], after[n]);
    for (size_t n = 0; n < count; n++) {
        joint_memory *m = &s->memories[slots[n]];
        m->deflection = after[n];
        m->dissipated += work[n];
        if (s->out.torque) s->out.torque[slots[n]] = torque[n];
        if (s->out.deflection) s->out.deflection[slots[n]] = after[n];
        if (s->out.dissipated_energy) s->out.dissipated_energy[slots[n]] = m->dissipated;
    }
}

/* All joints, at the time step at which the state stands. */
static void step_all(step *s) {
    s->memories = memories_of(s->state, &s->out);
    for (size_t n = 0; n < s->state->column_count; n++) {
        const column *c = &s->state->columns[n];
        if (!column_is_long(c)) {
            step_singly(s, c, 0, c->count);
            continue;
        }
        for (size_t k = 0; k < c->count; k += block)
            step_together(s, c, k, c->count - k < block ? c->count - k : block);
    }
}

stiction_status stiction_state_prepare(stiction_state *state, double timestep,
                                       stiction_error *error) {
    return timestep == state->timestep ? STICTION_OK : change_timestep(state, timestep, error);
}

/* Whether a step can be made; the state then stands at its time step. */
static stiction_status prepare_step(stiction_state *state, const stiction_input *input,
                                    stiction_error *error) {
    const stiction_status status = check_step(state, input, error);
    return status == STICTION_OK ? stiction_state_prepare(state, input->timestep, error) : status;
}

stiction_status stiction_step_full(stiction_state *state, const stiction_input *input,
                                   const stiction_output *output, stiction_error *error) {
    step_arguments own;
    stiction_status status = read_arguments(input, output, &own, error);
    if (status == STICTION_OK) status = prepare_step(state, &own.input, error);
    if (status != STICTION_OK) {
        clear_torque(state, &own.output);
        return status;
    }
    step_all(&(step){.state = state, .in = own.input, .out = own.output});
    return stiction_succeed(error);
}

/* The shortest way: from velocities to torques, one by one. */
static void step_few(stiction_state *state, const double *velocity, double *torque) {
    const size_t count = state->model->count;
    for (size_t k = 0; k < count; k++) {
        const double v = velocity[k];
        joint_result result;
        if (!stiction_joint_step(&state->joints[k],
                                 (joint_input){.velocity = v, .temperature = (double)NAN},
                                 &state->memories[k], &result))
            count_fault(state, k, v);
        torque[k] = result.torque;
    }
}

stiction_status stiction_step(stiction_state *state, double timestep, const double *velocity,
                              double *torque, stiction_error *error) {
    if (!torque) return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the torque is NULL");
    const stiction_input input = {.size = sizeof input, .timestep = timestep, .velocity = velocity};
    const stiction_output output = {.size = sizeof output, .torque = torque};
    /* the time step of a state is a good one */
    const bool as_ever = state && timestep == state->timestep && velocity && !state->needs;
    if (!as_ever) {
        const stiction_status status = prepare_step(state, &input, error);
        if (status != STICTION_OK) {
            clear_torque(state, &output);
            return status;
        }
    }
    if (state->has_many)
        step_all(&(step){.state = state, .in = input, .out = output});
    else
        step_few(state, velocity, torque);
    return error ? stiction_succeed(error) : STICTION_OK;
}

stiction_status stiction_trial(const stiction_state *state, const stiction_input *input,
                               const stiction_output *output, stiction_error *error) {
    step_arguments own;
    stiction_status status = read_arguments(input, output, &own, error);
    if (status == STICTION_OK) status = check_step(state, &own.input, error);
    joint other;
    for (size_t k = 0; status == STICTION_OK && k < state->model->count; k++) {
        joint_memory memory = memories_of(state, &own.output)[k];
        const joint *j = joint_at(state, k, own.input.timestep, &other, &status, error);
        if (status == STICTION_OK) (void)step_joint(j, k, &own.input, &own.output, &memory);
    }
    if (status == STICTION_OK) return stiction_succeed(error);
    clear_torque(state, &own.output);
    return status;
}

stiction_status stiction_rate(const stiction_state *state, double tau, const double *velocity,
                              const double *deflection, double *torque, double *deflection_rate,
                              stiction_error *error) {
    stiction_status status = stiction_state_check(state, error);
    if (status != STICTION_OK) return status;
    if (!velocity || !deflection || !torque || !deflection_rate)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "an array is NULL");
    if (!(tau >= 0))
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "tau %g must be at least 0 s", tau);
    if (tau > 0) status = stiction_check_timestep("tau", tau, STICTION_INVALID_ARGUMENT, error);
    if (status != STICTION_OK) return status;
    for (size_t k = 0; k < state->model->count; k++) torque[k] = deflection_rate[k] = 0;

    joint other;
    for (size_t k = 0; k < state->model->count; k++) {
        if (!state->joints[k].kind->rate)
            status = stiction_fail(error, STICTION_INVALID_ARGUMENT,
                                   "joint '%.200s': law %s has more state than its deflection%s",
                                   state->model->names[k], state->joints[k].def.law,
                                   state->joints[k].is_drive ? " in such a drive" : "");
        const joint *j = &state->joints[k];
        if (status == STICTION_OK) j = joint_at(state, k, tau, &other, &status, error);
        if (status != STICTION_OK) {
            for (size_t n = 0; n < k; n++) torque[n] = deflection_rate[n] = 0;
            return status;
        }
        double f, rate;
        if (!joint_can_use(velocity[k]) ||
            !(fabs(deflection[k]) <= stiction_joint_most_deflection(j)))
            continue;
        j->kind->rate(j, velocity[k], deflection[k], &f, &rate);
        if (isfinite(f) && isfinite(rate)) {
            torque[k] = f;
            deflection_rate[k] = rate;
        }
    }
    return stiction_succeed(error);
}
