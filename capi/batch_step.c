/* SPDX-License-Identifier: MIT
 * The step of a batch: allocates nothing, prints nothing, and locks nothing but to wake its
 * threads. Which thread computes a joint changes nothing in the result.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "batch_internal.h"
#include "document/fail.h"
#include "sized.h"

enum { block = STICTION_FAST_BLOCK };

/* Kept out of the way of what runs in every step. */
#define COLD __attribute__((noinline))

/* Of one call. */
typedef struct step {
    stiction_batch *batch;
    stiction_input in;
    double *torque;
} step;

/* Whether the caller's arrays have the column as one piece. */
static bool in_one_piece(const stiction_batch *batch, const column *c) {
    return c->fast && !c->slots && (!batch->environment_major || batch->environments == 1);
}

/* No torque where it is NaN, and one fault more. */
COLD static void settle(stiction_batch *batch, const column *c, size_t k, size_t count,
                        double *torque) {
    for (size_t n = 0; n < count; n++)
        if (isnan(torque[n])) {
            torque[n] = 0;
            batch->faults[column_slot(c, k + n)]++;
        }
}

/* Joints k to k + count of a column that is one piece; k is a multiple of the block. */
static void step_piece(const step *s, const column *c, size_t k, size_t count) {
    stiction_batch *batch = s->batch;
    double *torque = s->torque + c->first + k;
    if (column_step(c, k, count, s->in.timestep, s->in.velocity + c->first + k,
                    batch->deflections + c->start + k, torque))
        settle(batch, c, k, count, torque);
}

/* The same, up to a block, through copies. */
static void step_scattered(const step *s, const column *c, size_t k, size_t count) {
    stiction_batch *batch = s->batch;
    double u[block], f[block];
    size_t own[block];
    const size_t *places = c->places ? c->places + k : NULL;
    /* with few environments, one column holds several joints, which are not evenly spaced */
    if (!places && c->count > batch->environments) {
        for (size_t n = 0; n < count; n++) own[n] = batch_place(batch, c->first + k + n);
        places = own;
    }
    const size_t first = places ? 0 : batch_place(batch, c->first + k);
    const size_t distance = batch->environment_major ? batch->model->count : 1;

    for (size_t n = 0; n < count; n++)
        u[n] = s->in.velocity[places ? places[n] : first + n * distance];
    if (column_step(c, k, count, s->in.timestep, u, batch->deflections + c->start + k, f))
        settle(batch, c, k, count, f);
    for (size_t n = 0; n < count; n++) s->torque[places ? places[n] : first + n * distance] = f[n];
}

/* The same joint by joint. */
static void step_singly(const step *s, const column *c, size_t k, size_t count) {
    stiction_batch *batch = s->batch;
    for (size_t n = k; n < k + count; n++) {
        const size_t slot = column_slot(c, n), place = batch_place(batch, slot);
        joint_result result;
        if (!stiction_joint_step(batch_joint(batch, slot), joint_input_at(&s->in, place),
                                 &batch->memories[slot], &result))
            batch->faults[slot]++;
        s->torque[place] = result.torque;
    }
}

/* What of a column belongs to a part: whole blocks. The parts take turns, so that a batch of many
 * short columns is shared as well. */
typedef struct range {
    size_t begin, end;
} range;

static range part_of(const stiction_batch *batch, size_t n, size_t part) {
    const size_t count = batch->columns.list[n].count, parts = batch->parts;
    if (parts == 1) return (range){0, count};
    const size_t blocks = (count + block - 1) / block, turn = (part + n) % parts;
    const size_t end = blocks * (turn + 1) / parts * block;
    return (range){blocks * turn / parts * block, end < count ? end : count};
}

/* The columns of a part that are not one piece, block after block of all of them, as their places
 * are next to each other. */
COLD static void step_apart(const step *s, size_t part, size_t longest) {
    const stiction_batch *batch = s->batch;
    for (size_t k = 0; k < longest; k += block)
        for (size_t n = 0; n < batch->columns.count; n++) {
            const column *c = &batch->columns.list[n];
            const range r = part_of(batch, n, part);
            if (r.begin + k >= r.end || in_one_piece(batch, c)) continue;
            const size_t left = r.end - r.begin - k, count = left < block ? left : block;
            (c->fast ? step_scattered : step_singly)(s, c, r.begin + k, count);
        }
}

static void step_part(void *context, size_t part) {
    const step *s = context;
    const stiction_batch *batch = s->batch;
    size_t longest = 0; /* of the columns that are not one piece */
    for (size_t n = 0; n < batch->columns.count; n++) {
        const column *c = &batch->columns.list[n];
        const range r = part_of(batch, n, part);
        const size_t count = r.end - r.begin;
        if (in_one_piece(batch, c))
            step_piece(s, c, r.begin, count);
        else if (count > longest)
            longest = count;
    }
    if (longest) step_apart(s, part, longest);
}

/* Whether an environment has the model's joint k. */
static bool is_shared(const stiction_batch *batch, size_t k) {
    joint *const *own = batch->own + k * batch->environments;
    for (size_t n = 0; n < batch->environments; n++)
        if (!own[n]) return true;
    return false;
}

/* Joint k of those that a batch has: the model's, then the slots' own; NULL if no environment uses
 * it or the slot has no joint of its own. */
static joint *joint_of_batch(const stiction_batch *batch, size_t k, const char **name) {
    const size_t count = batch->model->count;
    *name = batch->model->names[k < count ? k : (k - count) / batch->environments];
    if (k < count) return is_shared(batch, k) ? &batch->shared[k] : NULL;
    return batch->own[k - count];
}

static void set_timestep(stiction_batch *batch, double timestep) {
    const char *name;
    for (size_t k = 0; k < batch->model->count + batch->size; k++) {
        joint *j = joint_of_batch(batch, k, &name);
        if (j) (void)stiction_joint_set_timestep(j, name, timestep, NULL);
    }
    batch->timestep = timestep;
}

/* Takes all joints to another time step, or none. */
static stiction_status change_timestep(stiction_batch *batch, double timestep,
                                       stiction_error *error) {
    for (size_t k = 0; k < batch->model->count + batch->size; k++) {
        const char *name;
        const joint *j = joint_of_batch(batch, k, &name);
        if (!j) continue;
        joint other = *j;
        TRY(stiction_joint_set_timestep(&other, name, timestep, error));
    }
    /* whether a joint has a fast step does not depend on it: the columns stay, with other numbers
     */
    set_timestep(batch, timestep);
    const column_source slots = stiction_batch_slots(batch);
    stiction_columns_refresh(&batch->columns, &slots);
    return STICTION_OK;
}

static stiction_status check(const stiction_batch *batch, const stiction_input *input,
                             const double *torque, stiction_error *error) {
    REQUIRE(torque, error, "the torque is NULL");
    REQUIRE(input->velocity || !batch->size, error, "the velocity is NULL");
    TRY(stiction_check_timestep("time step", input->timestep, STICTION_INVALID_ARGUMENT, error));
    for (size_t slot = 0; joint_lacks(batch->needs, input) && slot < batch->size; slot++) {
        TRY(stiction_joint_refuse_input(batch->model->names[slot / batch->environments],
                                        batch_joint(batch, slot), input, error));
    }
    return STICTION_OK;
}

/* Checks whether a step is possible and sets the time step of the batch. */
COLD static stiction_status prepare(stiction_batch *batch, const stiction_input *input,
                                    double *torque, stiction_error *error) {
    stiction_status status = check(batch, input, torque, error);
    if (status == STICTION_OK && input->timestep != batch->timestep)
        status = change_timestep(batch, input->timestep, error);
    if (status != STICTION_OK && torque) memset(torque, 0, batch->size * sizeof *torque);
    return status;
}

static stiction_status step_batch(stiction_batch *batch, const stiction_input *input,
                                  double *torque, stiction_error *error) {
    /* the time step of a batch is a good one */
    const bool as_ever = input->timestep == batch->timestep && input->velocity && torque &&
                         !joint_lacks(batch->needs, input);
    if (!as_ever) {
        TRY(prepare(batch, input, torque, error));
    }
    step s = {batch, *input, torque};
    if (batch->pool)
        stiction_pool_run(batch->pool, step_part, &s, batch->parts);
    else
        step_part(&s, 0);
    return error ? stiction_succeed(error) : STICTION_OK;
}

stiction_status stiction_step_batch(stiction_batch *batch, double timestep, const double *velocity,
                                    double *torque, stiction_error *error) {
    REQUIRE(batch, error, "the batch is NULL");
    /* a robot with one law is one short column, for which the overhead of the general path would
     * show */
    const column *first = batch->columns.list;
    if (batch->parts == 1 && batch->columns.count == 1 && in_one_piece(batch, first) &&
        timestep == batch->timestep && velocity && torque) {
        if (column_step(first, 0, first->count, timestep, velocity, batch->deflections, torque))
            settle(batch, first, 0, first->count, torque);
        return error ? stiction_succeed(error) : STICTION_OK;
    }
    const stiction_input input = {.size = sizeof input, .timestep = timestep, .velocity = velocity};
    return step_batch(batch, &input, torque, error);
}

stiction_status stiction_step_batch_full(stiction_batch *batch, const stiction_input *input,
                                         double *torque, stiction_error *error) {
    REQUIRE(batch, error, "the batch is NULL");
    REQUIRE(input, error, "the input is NULL");
    stiction_input own = stiction_input_default();
    READ_SIZED(stiction_input, &own, input, effort, "input", error);
    return step_batch(batch, &own, torque, error);
}
