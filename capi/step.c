/* SPDX-License-Identifier: MIT
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

/* The output of a failed step: no friction. */
static void clear_torque(const stiction_state *state, const stiction_output *output) {
    if (state && output->torque)
        for (size_t k = 0; k < state->model->count; k++) output->torque[k] = 0;
}

static stiction_status read_arguments(const stiction_input *input, const stiction_output *output,
                                      step_arguments *own, stiction_error *error) {
    *own = (step_arguments){stiction_input_default(), stiction_output_default()};
    REQUIRE(input, error, "the input is NULL");
    REQUIRE(output, error, "the output is NULL");
    READ_SIZED(stiction_output, &own->output, output, dissipated_energy, "output", error);
    READ_SIZED(stiction_input, &own->input, input, effort, "input", error);
    return STICTION_OK;
}

static stiction_status check_step(const stiction_state *state, const stiction_input *input,
                                  stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(input->velocity || !state->model->count, error, "the velocity is NULL");
    TRY(stiction_check_timestep("time step", input->timestep, STICTION_INVALID_ARGUMENT, error));
    for (size_t k = 0; joint_lacks(state->needs, input) && k < state->model->count; k++) {
        TRY(stiction_joint_refuse_input(state->model->names[k], &state->joints[k], input, error));
    }
    return STICTION_OK;
}

/* Joint k at a time step: the state's own joint if it has that time step, otherwise created in
 * *other. */
static const joint *joint_at(const stiction_state *state, size_t k, double timestep, joint *other,
                             stiction_status *status, stiction_error *error) {
    if (timestep == state->timestep) return &state->joints[k];
    *other = state->joints[k];
    *status = stiction_joint_set_timestep(other, state->model->names[k], timestep, error);
    return other;
}

/* Changes the time step of all joints, or of none. */
static stiction_status change_timestep(stiction_state *state, double timestep,
                                       stiction_error *error) {
    stiction_status status = STICTION_OK;
    joint other;
    for (size_t k = 0; k < state->model->count; k++) {
        (void)joint_at(state, k, timestep, &other, &status, error);
        if (status != STICTION_OK) return status;
    }
    stiction_state_to_memories(state);
    for (size_t k = 0; k < state->model->count; k++)
        (void)stiction_joint_set_timestep(&state->joints[k], NULL, timestep, NULL);
    state->timestep = timestep;
    stiction_state_group(state);
    return STICTION_OK;
}

/* The memories of the joints: those of the caller, which have the same layout, or the state's own.
 */
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

static bool wants_levels(const stiction_output *output) {
#define OR_WANTED(type, name, unit, description) || output->name
    return false STICTION_JOINT_LEVELS(OR_WANTED);
#undef OR_WANTED
}

/* Writes the levels of the next step; zeros if an input or the memory is not usable. */
static void write_levels(const joint *j, size_t k, joint_input in, const stiction_output *output,
                         const joint_memory *memory, bool usable) {
    if (!wants_levels(output)) return;
    joint_levels levels = {0};
    if (usable) levels = stiction_joint_levels(j, in, memory);
    STICTION_JOINT_LEVELS(WRITE_LEVEL)
}

/* Whether slope, slip and levels of the next step can be computed from an input. Only drives use
 * the effort for them; for other kinds the step itself checks it. */
static bool can_look_ahead(const joint *j, joint_input in) {
    if (!j->is_drive) return joint_can_use(in.velocity);
    const stiction_drive_input drive = joint_drive_input(j, in);
    return joint_can_drive(in.velocity, &drive);
}

/* One joint from `memory`, which it moves. False: a fault. */
static bool step_joint(const joint *j, size_t k, const stiction_input *input,
                       const stiction_output *output, joint_memory *memory) {
    const joint_input in = joint_input_at(input, k);
    const bool remembers = !output->memory || stiction_joint_can_remember(j, memory);
    const bool usable_ahead = remembers && can_look_ahead(j, in);
    const double slope = output->slope && usable_ahead ? stiction_joint_slope(j, in, memory) : 0;
    const bool slips =
        output->slipping && usable_ahead && j->kind->slips && j->kind->slips(j, in, memory);
    joint_result result = {0, false};
    write_levels(j, k, in, output, memory, usable_ahead);
    const bool usable = remembers && stiction_joint_step(j, in, memory, &result);
    if (j->kind->slips) result.slipping = slips && usable;
    write_output(output, k, memory, &result, usable ? slope : 0);
    /* the memory of a host is reported as it is, except for numbers that are not finite */
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

/* The arguments of a step. */
typedef struct step {
    stiction_state *state;
    stiction_input in;
    stiction_output out;
    joint_memory *memories;
} step;

/* Some joints of a column, one by one. */
static void step_singly(const step *s, const column *c, size_t k, size_t count) {
    for (size_t n = k; n < k + count; n++) {
        const size_t slot = column_slot(c, n);
        if (!step_joint(&s->state->joints[slot], slot, &s->in, &s->out, &s->memories[slot]))
            count_fault(s->state, slot, s->in.velocity[slot]);
    }
}

/* ---- joints of a column in one loop ---- */

/* Up to one block of joints. */
typedef struct together {
    const column *c;
    size_t k, count;             /* from joint k of the column on */
    double *deflection, *energy; /* of each joint, padded to a multiple of four */
    energy_function add_energy;
} together;

/* Copy deflections and energies between the memories of joints and the order of a column. */
static void read_memories(const together *b, const joint_memory *memories) {
    for (size_t n = 0; n < b->count; n++) {
        const joint_memory *m = &memories[column_slot(b->c, b->k + n)];
        b->deflection[n] = m->deflection;
        b->energy[n] = m->dissipated;
    }
    for (size_t n = b->count; n % 4; n++) b->deflection[n] = b->energy[n] = 0;
}

static void write_memories(const together *b, joint_memory *memories) {
    for (size_t n = 0; n < b->count; n++) {
        joint_memory *m = &memories[column_slot(b->c, b->k + n)];
        m->deflection = b->deflection[n];
        m->dissipated = b->energy[n];
    }
}

/* Whether two arrays do not overlap. */
static bool are_apart(const double *a, const double *b, size_t count) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b, bytes = count * sizeof *a;
    return x + bytes <= y || y + bytes <= x;
}

/* In fours, which are vectors on any processor; memcpy of variable size would be a call. */
static inline void copy_fours(size_t fours, const double *restrict from, double *restrict to) {
    for (size_t n = 0; n < fours; n += 4) memcpy(to + n, from + n, 4 * sizeof *to);
}

/* Steps the joints of a block in fours; joints at rest fill up the last four. `before` receives the
 * old deflections. False, with nothing changed, if a velocity cannot be used. */
static bool move(const together *b, double T, const double *velocity, double *torque,
                 double before[block]) {
    const size_t fours = (b->count + 3) / 4 * 4;
    copy_fours(fours, b->deflection, before);
    if (column_step(b->c, b->k, fours, T, velocity, b->deflection, torque) > 0) {
        copy_fours(fours, before, b->deflection);
        return false;
    }
    b->add_energy(fours, T, column_stiffness(b->c, b->k), velocity, torque, before, b->deflection,
                  b->energy);
    return true;
}

/* From the caller's velocities to the caller's torques: in place if they are contiguous and a
 * multiple of four, otherwise through copies. False: as above, and the torques are undefined. */
static bool step_block(const together *b, double T, const double *velocity, double *torque) {
    const column *c = b->c;
    double before[block];
    if (!c->slots && b->count % 4 == 0) {
        const size_t first = c->first + b->k;
        if (are_apart(velocity + first, torque + first, b->count))
            return move(b, T, velocity + first, torque + first, before);
    }
    double u[block], f[block];
    for (size_t n = 0; n < b->count; n++) u[n] = velocity[column_slot(c, b->k + n)];
    for (size_t n = b->count; n % 4; n++) u[n] = 0;
    if (!move(b, T, u, f, before)) return false;
    for (size_t n = 0; n < b->count; n++) torque[column_slot(c, b->k + n)] = f[n];
    return true;
}

/* A block of a column, with the memory of the state. */
static together own_block(const stiction_state *state, const column *c, size_t k) {
    const size_t left = c->count - k;
    return (together){.c = c,
                      .k = k,
                      .count = left < block ? left : block,
                      .deflection = state->deflections + c->start + k,
                      .energy = state->energies + c->start + k,
                      .add_energy = state->groups->add_energy};
}

/* The same joints one by one, because a velocity cannot be used. */
static void step_own_singly(const step *s, const together *b) {
    write_memories(b, s->state->memories);
    step_singly(s, b->c, b->k, b->count);
    read_memories(b, s->state->memories);
}

/* ---- with all outputs ---- */

/* Writes the outputs that are computed from the memory before the step. */
static void write_ahead(const step *s, const together *b, const double *velocity,
                        const double *before) {
    if (!s->out.slope && !s->out.slipping && !wants_levels(&s->out)) return;
    for (size_t n = 0; n < b->count; n++) {
        const size_t slot = column_slot(b->c, b->k + n);
        const joint *j = &s->state->joints[slot];
        joint_memory m = s->memories[slot];
        m.deflection = before[n];
        if (s->out.slope)
            s->out.slope[slot] =
                stiction_joint_slope(j, (joint_input){.velocity = velocity[n]}, &m);
        write_levels(j, slot, joint_input_at(&s->in, slot), &s->out, &m, true);
        if (s->out.slipping)
            s->out.slipping[slot] =
                !b->c->fast->sticks(&j->model.element.c, velocity[n], before[n]);
    }
}

/* False, with nothing changed: the joints must be stepped one by one. */
static bool step_block_full(const step *s, const together *b) {
    double u[block], f[block], before[block];
    for (size_t n = 0; n < b->count; n++) u[n] = s->in.velocity[column_slot(b->c, b->k + n)];
    for (size_t n = b->count; n % 4; n++) u[n] = 0;
    if (!move(b, s->in.timestep, u, f, before)) return false;
    write_ahead(s, b, u, before);
    for (size_t n = 0; n < b->count; n++) {
        const size_t slot = column_slot(b->c, b->k + n);
        if (s->out.torque) s->out.torque[slot] = f[n];
        if (s->out.deflection) s->out.deflection[slot] = b->deflection[n];
        if (s->out.dissipated_energy) s->out.dissipated_energy[slot] = b->energy[n];
    }
    return true;
}

static bool can_remember(const joint *j, const joint_memory *m) {
    return joint_memory_is_plain(j, m) || stiction_joint_can_remember(j, m);
}

/* With the memory of a host, which may contain any numbers. */
static void step_hosts(const step *s, const column *c, size_t k) {
    double deflection[block], energy[block];
    bool remember = true;
    const size_t left = c->count - k;
    const together b = {.c = c,
                        .k = k,
                        .count = left < block ? left : block,
                        .deflection = deflection,
                        .energy = energy,
                        .add_energy = s->state->groups->add_energy};
    read_memories(&b, s->memories);
    for (size_t n = 0; n < b.count && remember; n++) {
        const size_t slot = column_slot(c, k + n);
        remember = can_remember(&s->state->joints[slot], &s->memories[slot]);
    }
    if (remember && step_block_full(s, &b))
        write_memories(&b, s->memories);
    else
        step_singly(s, c, k, b.count);
}

/* All joints, at the time step of the state. */
static void step_all(step *s) {
    s->memories = memories_of(s->state, &s->out);
    if (!s->out.memory) stiction_state_to_columns(s->state);
    for (size_t n = 0; n < s->state->groups->column_count; n++) {
        const column *c = &s->state->groups->columns[n];
        if (!column_is_long(c)) {
            step_singly(s, c, 0, c->count);
            continue;
        }
        for (size_t k = 0; k < c->count; k += block) {
            const together own = own_block(s->state, c, k);
            if (s->out.memory)
                step_hosts(s, c, k);
            else if (!step_block_full(s, &own))
                step_own_singly(s, &own);
        }
    }
}

/* ---- only velocities and torques ---- */

/* Kept out of line of the code that runs in every step. */
#define COLD static __attribute__((noinline))

COLD void step_slowly(stiction_state *state, size_t k, double velocity, double *torque) {
    joint_result result;
    if (!stiction_joint_step(&state->joints[k],
                             (joint_input){.velocity = velocity, .temperature = (double)NAN},
                             &state->memories[k], &result))
        count_fault(state, k, velocity);
    torque[k] = result.torque;
}

/* stiction_joint_step for a joint with a fast step. */
static inline void step_one(stiction_state *state, size_t k, const double *velocity,
                            double *torque) {
    const joint *j = &state->joints[k];
    joint_memory *m = &state->memories[k];
    const double v = velocity[k], before = m->deflection;
    if (!joint_fast_step(j) || !joint_can_use(v) || !(fabs(before) <= STICTION_DEFLECTION_LIMIT)) {
        step_slowly(state, k, v, torque);
        return;
    }
    const double f = j->model.element.step(&j->model.element.c, v, &m->deflection);
    m->dissipated += joint_dissipation(j->stiffness, j->timestep, v, f, before, m->deflection);
    torque[k] = f;
}

COLD void step_block_singly(stiction_state *state, const together *b, const double *velocity,
                            double *torque) {
    const step s = {.state = state,
                    .in = {.timestep = state->timestep, .velocity = velocity},
                    .out = {.torque = torque},
                    .memories = state->memories};
    step_own_singly(&s, b);
}

static void step_plainly(stiction_state *state, const double *velocity, double *torque) {
    if (!state->groups->has_many) { /* one by one, in their order */
        for (size_t k = 0; k < state->model->count; k++) step_one(state, k, velocity, torque);
        return;
    }
    if (!state->in_columns) stiction_state_to_columns(state);
    for (size_t n = 0; n < state->groups->column_count; n++) {
        const column *c = &state->groups->columns[n];
        if (!column_is_long(c)) {
            for (size_t k = 0; k < c->count; k++)
                step_one(state, column_slot(c, k), velocity, torque);
            continue;
        }
        for (size_t k = 0; k < c->count; k += block) {
            const together b = own_block(state, c, k);
            if (!step_block(&b, state->timestep, velocity, torque))
                step_block_singly(state, &b, velocity, torque);
        }
    }
}

stiction_status stiction_state_prepare(stiction_state *state, double timestep,
                                       stiction_error *error) {
    return timestep == state->timestep ? STICTION_OK : change_timestep(state, timestep, error);
}

/* Checks whether a step is possible and sets the time step of the state. */
static stiction_status prepare_step(stiction_state *state, const stiction_input *input,
                                    stiction_error *error) {
    TRY(check_step(state, input, error));
    return stiction_state_prepare(state, input->timestep, error);
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

/* As prepare_step; on failure the torques are 0. */
COLD stiction_status prepare_plainly(stiction_state *state, double timestep, const double *velocity,
                                     double *torque, stiction_error *error) {
    const stiction_input input = {.size = sizeof input, .timestep = timestep, .velocity = velocity};
    const stiction_status status = prepare_step(state, &input, error);
    if (status != STICTION_OK) clear_torque(state, &(stiction_output){.torque = torque});
    return status;
}

stiction_status stiction_step(stiction_state *state, double timestep, const double *velocity,
                              double *torque, stiction_error *error) {
    REQUIRE(torque, error, "the torque is NULL");
    /* the time step of a state is valid */
    const bool as_ever = state && timestep == state->timestep && velocity && !state->needs;
    if (!as_ever) {
        TRY(prepare_plainly(state, timestep, velocity, torque, error));
    }
    step_plainly(state, velocity, torque);
    return error ? stiction_succeed(error) : STICTION_OK;
}

stiction_status stiction_trial(const stiction_state *state, const stiction_input *input,
                               const stiction_output *output, stiction_error *error) {
    step_arguments own;
    stiction_status status = read_arguments(input, output, &own, error);
    if (status == STICTION_OK) status = check_step(state, &own.input, error);
    joint other;
    for (size_t k = 0; status == STICTION_OK && k < state->model->count; k++) {
        joint_memory memory = own.output.memory ? memories_of(state, &own.output)[k]
                                                : stiction_state_memory(state, k);
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
    TRY(stiction_state_check(state, error));
    REQUIRE(velocity && deflection && torque && deflection_rate, error, "an array is NULL");
    REQUIRE(tau >= 0, error, "tau %g must be at least 0 s", tau);
    if (tau > 0) TRY(stiction_check_timestep("tau", tau, STICTION_INVALID_ARGUMENT, error));
    stiction_status status = STICTION_OK;
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
