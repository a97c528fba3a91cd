/*
 * The step of a batch: allocates nothing, prints nothing, and locks nothing but to wake its
 * threads. Which thread computes a joint changes nothing in the result.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "batch_internal.h"
#include "error_internal.h"
#include "sized.h"

enum { block = STICTION_ELEMENT_C_BLOCK, number_count = STICTION_ELEMENT_C_NUMBERS };

/* Of one call. */
typedef struct step {
    stiction_batch *batch;
    const double *velocity, *effort;
    double *torque;
} step;

/* Where the places of a column are: all in a row, at a distance, or each by itself. */
static size_t place_distance(const stiction_batch *batch) {
    return batch->environment_major ? batch->model->count : 1;
}

/* Whether the caller's arrays have the column as one piece. */
static bool in_one_piece(const stiction_batch *batch, const batch_column *c) {
    return !c->slots && (!batch->environment_major || batch->environments == 1);
}

static const double *numbers_at(const batch_column *c, size_t k) {
    return c->numbers + (c->shared ? 0 : k * number_count);
}

/* No torque where it is NaN, and one fault more. */
static void settle(stiction_batch *batch, const batch_column *c, size_t k, size_t count,
                   double *torque) {
    for (size_t n = 0; n < count; n++)
        if (isnan(torque[n])) {
            torque[n] = 0;
            batch->faults[c->slots ? c->slots[k + n] : c->first + k + n]++;
        }
}

/* Slots k to k + count of a column that is one piece; k is a multiple of the block. */
static void step_piece(const step *s, const batch_column *c, size_t k, size_t count) {
    stiction_batch *batch = s->batch;
    double *torque = s->torque + c->first + k;
    if (c->law->step_many(numbers_at(c, k), c->shared, batch->timestep, count,
                          s->velocity + c->first + k, batch->deflections + c->first + k, torque))
        settle(batch, c, k, count, torque);
}

/* The same, up to a block of them, through copies. */
static void step_scattered(const step *s, const batch_column *c, size_t k, size_t count) {
    stiction_batch *batch = s->batch;
    double u[block], e[block], f[block];
    const size_t *slots = c->slots ? c->slots + k : NULL, *places = slots ? c->places + k : NULL;
    const size_t distance = place_distance(batch);
    const size_t first = slots ? 0 : batch_place(batch, c->first + k);
    double *deflections = slots ? e : batch->deflections + c->first + k;

    for (size_t n = 0; n < count; n++)
        u[n] = s->velocity[places ? places[n] : first + n * distance];
    for (size_t n = 0; slots && n < count; n++) e[n] = batch->deflections[slots[n]];
    if (c->law->step_many(numbers_at(c, k), c->shared, batch->timestep, count, u, deflections, f))
        settle(batch, c, k, count, f);
    for (size_t n = 0; slots && n < count; n++) batch->deflections[slots[n]] = e[n];
    for (size_t n = 0; n < count; n++) s->torque[places ? places[n] : first + n * distance] = f[n];
}

/* The same one by one. */
static void step_singly(const step *s, const batch_column *c, size_t k, size_t count) {
    stiction_batch *batch = s->batch;
    for (size_t n = k; n < k + count; n++) {
        const size_t slot = c->slots ? c->slots[n] : c->first + n;
        const size_t place = batch_place(batch, slot);
        joint_result result;
        if (!joint_step(batch_joint(batch, slot), s->velocity[place],
                        s->effort ? s->effort[place] : 0, &batch->memories[slot], &result))
            batch->faults[slot]++;
        s->torque[place] = result.torque;
    }
}

/* The part of a column that is one thread's: whole blocks. They take turns, so that a batch of
 * many short columns is shared as well. */
typedef struct range {
    size_t begin, end;
} range;

static range part_of(const stiction_batch *batch, size_t column, size_t part) {
    const size_t count = batch->groups.columns[column].count;
    if (batch->threads == 1) return (range){0, count};
    const size_t blocks = (count + block - 1) / block, turn = (part + column) % batch->threads;
    const size_t end = blocks * (turn + 1) / batch->threads * block;
    return (range){blocks * turn / batch->threads * block, end < count ? end : count};
}

static void step_part(void *context, size_t part) {
    const step *s = context;
    const stiction_batch *batch = s->batch;
    size_t longest = 0; /* of the columns that go block by block */
    for (size_t n = 0; n < batch->groups.count; n++) {
        const batch_column *c = &batch->groups.columns[n];
        const range r = part_of(batch, n, part);
        const size_t count = r.end - r.begin;
        if (c->law && in_one_piece(batch, c))
            step_piece(s, c, r.begin, count);
        else if (count > longest)
            longest = count;
    }
    /* block after block of all columns, as their places are next to each other */
    for (size_t k = 0; k < longest; k += block)
        for (size_t n = 0; n < batch->groups.count; n++) {
            const batch_column *c = &batch->groups.columns[n];
            const range r = part_of(batch, n, part);
            if (r.begin + k >= r.end || (c->law && in_one_piece(batch, c))) continue;
            const size_t left = r.end - r.begin - k, count = left < block ? left : block;
            (c->law ? step_scattered : step_singly)(s, c, r.begin + k, count);
        }
}

static stiction_status change_timestep(stiction_batch *batch, double timestep,
                                       stiction_error *error) {
    const stiction_model *model = batch->model;
    joint other;
    for (size_t pass = 0; pass < 2; pass++) {
        /* the first pass only tries */
        for (size_t k = 0; k < model->count + batch->size; k++) {
            joint *j = k < model->count ? &batch->shared[k] : batch->own[k - model->count];
            if (!j) continue;
            const size_t index = k < model->count ? k : (k - model->count) / batch->environments;
            if (pass == 0) other = *j;
            const stiction_status status =
                joint_set_timestep(pass ? j : &other, model->names[index], timestep, error);
            if (status != STICTION_OK) return status;
        }
    }
    batch->timestep = timestep;
    batch_columns_refresh(batch, &batch->groups);
    return STICTION_OK;
}

static stiction_status check(const stiction_batch *batch, const stiction_input *input,
                             const double *torque, stiction_error *error) {
    if (!torque) return fail(error, STICTION_INVALID_ARGUMENT, "the torque is NULL");
    if (!input->velocity && batch->size)
        return fail(error, STICTION_INVALID_ARGUMENT, "the velocity is NULL");
    if (!(input->timestep > 0 && input->timestep <= DBL_MAX))
        return fail(error, STICTION_INVALID_ARGUMENT, "time step %g must be above 0 s",
                    input->timestep);
    if (batch->effort_slots && !input->effort)
        return fail(error, STICTION_INVALID_ARGUMENT,
                    "a joint with a karnopp or quinn law needs the effort");
    return STICTION_OK;
}

static stiction_status run(stiction_batch *batch, const stiction_input *input, double *torque,
                           stiction_error *error) {
    stiction_status status = check(batch, input, torque, error);
    if (status == STICTION_OK && input->timestep != batch->timestep)
        status = change_timestep(batch, input->timestep, error);
    if (status != STICTION_OK) {
        if (torque) memset(torque, 0, batch->size * sizeof *torque);
        return status;
    }
    step s = {batch, input->velocity, input->effort, torque};
    if (batch->pool)
        pool_run(batch->pool, step_part, &s);
    else
        step_part(&s, 0);
    return succeed(error);
}

stiction_status stiction_step_batch(stiction_batch *batch, double timestep, const double *velocity,
                                    double *torque, stiction_error *error) {
    if (!batch) return fail(error, STICTION_INVALID_ARGUMENT, "the batch is NULL");
    const stiction_input input = {.size = sizeof input, .timestep = timestep, .velocity = velocity};
    return run(batch, &input, torque, error);
}

stiction_status stiction_step_batch_full(stiction_batch *batch, const stiction_input *input,
                                         double *torque, stiction_error *error) {
    if (!batch || !input)
        return fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL", batch ? "input" : "batch");
    stiction_input own = stiction_input_default();
    if (!sized_read(&own, sizeof own, input, SIZED_END(stiction_input, effort)))
        return fail(error, STICTION_INVALID_ARGUMENT,
                    "the size of the input is %zu; start from stiction_input_default()",
                    input->size);
    return run(batch, &own, torque, error);
}
