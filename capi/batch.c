/* SPDX-License-Identifier: MIT
 * A batch: made, reset, read and changed. The step itself is in batch_step.c, the grouping in
 * columns.c.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch_internal.h"
#include "document/fail.h"
#include "sized.h"

stiction_batch_def stiction_batch_def_default(void) {
    return (stiction_batch_def){.size = sizeof(stiction_batch_def), .threads = 1};
}

static const joint *joint_at(const void *batch, size_t slot) {
    return batch_joint(batch, slot);
}

static size_t place_of(const void *batch, size_t slot) {
    return batch_place(batch, slot);
}

column_source stiction_batch_slots(const stiction_batch *batch) {
    enum { enough_environments = 16 }; /* for columns of one joint each */
    const bool by_joint = batch->environments >= enough_environments;
    return (column_source){.owner = batch,
                           .joint = joint_at,
                           .place = place_of,
                           .runs = by_joint ? batch->model->count : 1,
                           .length = by_joint ? batch->environments : batch->size};
}

/* Where the deflection of joint k of a column is. */
static double *deflection_in(const stiction_batch *batch, const column *c, size_t k) {
    return c->fast ? &batch->deflections[c->start + k]
                   : &batch->memories[column_slot(c, k)].deflection;
}

static double *deflection_at(const stiction_batch *batch, size_t slot) {
    size_t k;
    const column *c = stiction_columns_find(&batch->columns, slot, &k);
    return deflection_in(batch, c, k);
}

static void rest_slot(stiction_batch *batch, size_t slot) {
    *deflection_at(batch, slot) = 0;
    if (batch->memories) batch->memories[slot] = stiction_joint_at_rest();
    batch->faults[slot] = 0;
}

static stiction_status no_memory(const stiction_batch *batch, stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints",
                         batch->size);
}

/* Room for joints that step one by one, once there is such a joint. */
static stiction_status need_memories(stiction_batch *batch, stiction_error *error) {
    if (batch->memories) return STICTION_OK;
    batch->memories = calloc(batch->size, sizeof *batch->memories);
    return batch->memories ? STICTION_OK : no_memory(batch, error);
}

/* Counts `slots` more, or less, with what this joint needs. */
static void count_needs(stiction_batch *batch, const joint *j, long slots) {
    const unsigned needs = j->needs;
    batch->needs = 0;
    for (size_t k = 0; k < sizeof batch->need_slots / sizeof batch->need_slots[0]; k++) {
        if (needs >> k & 1) batch->need_slots[k] += (size_t)slots;
        if (batch->need_slots[k]) batch->needs |= 1u << k;
    }
}

/* The model's joints at a time step of the batch's own, for all environments. */
static stiction_status share(stiction_batch *batch, bool same_sample, stiction_error *error) {
    const stiction_model *model = batch->model;
    stiction_status status = STICTION_OK;
    memcpy(batch->shared, model->joints, model->count * sizeof *batch->shared);
    for (size_t k = 0; k < model->count && status == STICTION_OK; k++) {
        if (batch->timestep == model->timestep) continue;
        if (model->draws[k] && !same_sample)
            status = stiction_model_draw(model, k, model->sample, &model->joints[k],
                                         batch->timestep, &batch->shared[k], error);
        else
            status = stiction_joint_set_timestep(&batch->shared[k], model->names[k],
                                                 batch->timestep, error);
    }
    for (size_t k = 0; k < model->count && status == STICTION_OK; k++)
        count_needs(batch, &batch->shared[k], (long)batch->environments);
    return status;
}

/* A joint from malloc. */
static stiction_status draw(const stiction_batch *batch, size_t slot, uint64_t sample, joint **made,
                            stiction_error *error) {
    const joint *from = batch_joint(batch, slot); /* `made` may be where it is found */
    *made = malloc(sizeof **made);
    return *made ? stiction_model_draw(batch->model, slot / batch->environments, sample, from,
                                       batch->timestep, *made, error)
                 : no_memory(batch, error);
}

/* Draws every environment's sample, before there are columns. */
static stiction_status draw_all(stiction_batch *batch, stiction_error *error) {
    stiction_status status = STICTION_OK;
    for (size_t slot = 0; slot < batch->size && status == STICTION_OK; slot++)
        if (batch->model->draws[slot / batch->environments])
            status = draw(batch, slot, batch->model->sample + slot % batch->environments,
                          &batch->own[slot], error);
    return status;
}

static stiction_status fill(stiction_batch *batch, const stiction_batch_def *def,
                            stiction_error *error) {
    batch->timestep = def->timestep > 0 ? def->timestep : batch->model->timestep;
    stiction_status status = share(batch, def->same_sample, error);
    if (status == STICTION_OK && !def->same_sample) status = draw_all(batch, error);
    for (size_t slot = 0; slot < batch->size && status == STICTION_OK; slot++)
        if (!joint_fast_step(batch_joint(batch, slot))) status = need_memories(batch, error);
    const column_source slots = stiction_batch_slots(batch);
    return status == STICTION_OK ? stiction_columns_create(&slots, &batch->columns, error) : status;
}

/* So many that a thread which is held up can leave some to the others, and none too small. */
static size_t parts_of(size_t size, size_t threads) {
    enum { most_each = 128, small = 2048 };
    const size_t parts = size / small;
    if (threads == 1 || parts < threads) return threads;
    return parts < most_each * threads ? parts : most_each * threads;
}

static stiction_status make(stiction_batch *batch, const stiction_batch_def *def,
                            stiction_error *error) {
    const size_t size = batch->size, joints = batch->model->count;
    batch->shared = calloc(joints + 1, sizeof *batch->shared);
    batch->own = calloc(size + 1, sizeof *batch->own);
    batch->deflections = stiction_columns_lines(size);
    batch->faults = calloc(size + 1, sizeof *batch->faults);
    if (!batch->shared || !batch->own || !batch->deflections || !batch->faults)
        return no_memory(batch, error);
    batch->parts = parts_of(size, batch->threads);
    if (batch->threads > 1) {
        batch->pool = stiction_pool_create(batch->threads);
        FAIL_IF(!batch->pool, error, STICTION_OUT_OF_MEMORY,
                "no memory for %zu threads, or no more are allowed", batch->threads);
    }
    return fill(batch, def, error);
}

static stiction_status check_def(const stiction_model *model, size_t environments,
                                 const stiction_batch_def *def, stiction_error *error) {
    if (def->timestep != 0) {
        TRY(stiction_check_timestep("time step", def->timestep, STICTION_INVALID_ARGUMENT, error));
    }
    REQUIRE(def->threads >= 1 && def->threads <= 1024, error, "%zu threads: must be from 1 to 1024",
            def->threads);
    FAIL_IF(model->count && environments > SIZE_MAX / 4096 / model->count, error,
            STICTION_OUT_OF_MEMORY, "out of memory for %zu environments", environments);
    return STICTION_OK;
}

stiction_status stiction_batch_create(const stiction_model *model, size_t environments,
                                      const stiction_batch_def *def, stiction_batch **batch,
                                      stiction_error *error) {
    if (batch) *batch = NULL;
    REQUIRE(model, error, "the model is NULL");
    REQUIRE(batch, error, "the place for the batch is NULL");
    stiction_batch_def own = stiction_batch_def_default();
    if (def)
        READ_SIZED(stiction_batch_def, &own, def, environment_major, "batch definition", error);
    TRY(check_def(model, environments, &own, error));
    stiction_batch *made = calloc(1, sizeof *made);
    FAIL_IF(!made, error, STICTION_OUT_OF_MEMORY, "out of memory");
    *made = (stiction_batch){.model = model,
                             .environments = environments,
                             .size = environments * model->count,
                             .environment_major = own.environment_major,
                             .threads = own.threads};
    const stiction_status status = make(made, &own, error);
    if (status != STICTION_OK) {
        stiction_batch_destroy(made);
        return status;
    }
    *batch = made;
    return stiction_succeed(error);
}

void stiction_batch_destroy(stiction_batch *batch) {
    if (!batch) return;
    stiction_pool_destroy(batch->pool);
    stiction_columns_destroy(&batch->columns);
    for (size_t k = 0; batch->own && k < batch->size; k++) free(batch->own[k]);
    free(batch->own);
    free(batch->shared);
    free(batch->deflections);
    free(batch->memories);
    free(batch->faults);
    free(batch);
}

static stiction_status check_batch(const stiction_batch *batch, stiction_error *error) {
    REQUIRE(batch, error, "the batch is NULL");
    return STICTION_OK;
}

static stiction_status check_environment(const stiction_batch *batch, size_t environment,
                                         stiction_error *error) {
    TRY(check_batch(batch, error));
    REQUIRE(environment < batch->environments, error,
            "there is no environment %zu; the batch has %zu", environment, batch->environments);
    return STICTION_OK;
}

static stiction_status check_slot(const stiction_batch *batch, size_t environment, size_t index,
                                  stiction_error *error) {
    TRY(check_environment(batch, environment, error));
    REQUIRE(index < batch->model->count, error, "there is no joint %zu; the model has %zu", index,
            batch->model->count);
    return STICTION_OK;
}

stiction_status stiction_batch_reset(stiction_batch *batch, stiction_error *error) {
    TRY(check_batch(batch, error));
    memset(batch->deflections, 0, batch->size * sizeof *batch->deflections);
    memset(batch->faults, 0, batch->size * sizeof *batch->faults);
    for (size_t k = 0; batch->memories && k < batch->size; k++)
        batch->memories[k] = stiction_joint_at_rest();
    return stiction_succeed(error);
}

stiction_status stiction_batch_reset_environment(stiction_batch *batch, size_t environment,
                                                 stiction_error *error) {
    TRY(check_environment(batch, environment, error));
    for (size_t k = environment; k < batch->size; k += batch->environments) rest_slot(batch, k);
    return stiction_succeed(error);
}

/* All deflections to an array in the caller's order, or from there. */
static void read_deflections(const stiction_batch *batch, double *deflection) {
    for (size_t n = 0; n < batch->columns.count; n++) {
        const column *c = &batch->columns.list[n];
        for (size_t k = 0; k < c->count; k++)
            deflection[batch_place(batch, column_slot(c, k))] = *deflection_in(batch, c, k);
    }
}

static void write_deflections(const stiction_batch *batch, const double *deflection) {
    for (size_t n = 0; n < batch->columns.count; n++) {
        const column *c = &batch->columns.list[n];
        for (size_t k = 0; k < c->count; k++)
            *deflection_in(batch, c, k) = deflection[batch_place(batch, column_slot(c, k))];
    }
}

/* Groups the slots anew, after one has another law or no longer shares its numbers. Unless OK, the
 * columns are as they were. */
static stiction_status regroup(stiction_batch *batch, stiction_error *error) {
    for (size_t slot = 0; slot < batch->size; slot++)
        if (!joint_fast_step(batch_joint(batch, slot)) &&
            need_memories(batch, error) != STICTION_OK)
            return STICTION_OUT_OF_MEMORY;
    double *deflections = malloc(batch->size * sizeof *deflections);
    if (!deflections) return no_memory(batch, error);
    const column_source slots = stiction_batch_slots(batch);
    columns made;
    const stiction_status status = stiction_columns_create(&slots, &made, error);
    if (status == STICTION_OK) {
        read_deflections(batch, deflections);
        stiction_columns_destroy(&batch->columns);
        batch->columns = made;
        write_deflections(batch, deflections);
    }
    free(deflections);
    return status;
}

stiction_status stiction_batch_set_joint(stiction_batch *batch, size_t environment, size_t index,
                                         const stiction_joint_def *def, stiction_error *error) {
    TRY(check_slot(batch, environment, index, error));
    REQUIRE(def, error, "the definition is NULL");
    joint *changed = malloc(sizeof *changed);
    FAIL_IF(!changed, error, STICTION_OUT_OF_MEMORY, "out of memory");
    const size_t slot = index * batch->environments + environment;
    stiction_joint_def own;
    stiction_status status = stiction_joint_replacement(batch_joint(batch, slot), def, &own, error);
    if (status == STICTION_OK)
        status =
            stiction_joint_init(changed, batch->model->names[index], &own, batch->timestep, error);
    if (status != STICTION_OK) {
        free(changed);
        return status;
    }

    joint *const last = batch->own[slot];
    const joint *const before = batch_joint(batch, slot);
    const column_source slots = stiction_batch_slots(batch);
    batch->own[slot] = changed;
    if (!stiction_columns_refresh_slot(&batch->columns, &slots, slot))
        status = regroup(batch, error);
    if (status != STICTION_OK) {
        batch->own[slot] = last;
        free(changed);
        return status;
    }
    stiction_joint_keep_torque(before, changed, deflection_at(batch, slot),
                               batch->memories ? &batch->memories[slot].drive : NULL);
    count_needs(batch, changed, 1);
    count_needs(batch, before, -1);
    free(last);
    return stiction_succeed(error);
}

stiction_status stiction_batch_joint(const stiction_batch *batch, size_t environment, size_t index,
                                     stiction_joint_def *def, stiction_error *error) {
    TRY(check_slot(batch, environment, index, error));
    REQUIRE(def, error, "the definition is NULL");
    return stiction_joint_get_def(batch_joint(batch, index * batch->environments + environment), 1,
                                  0, def, error);
}

stiction_status stiction_batch_get_deflections(const stiction_batch *batch, double *deflection,
                                               stiction_error *error) {
    TRY(check_batch(batch, error));
    REQUIRE(deflection, error, "the array is NULL");
    read_deflections(batch, deflection);
    return stiction_succeed(error);
}

stiction_status stiction_batch_set_deflections(stiction_batch *batch, const double *deflection,
                                               stiction_error *error) {
    TRY(check_batch(batch, error));
    REQUIRE(deflection, error, "the array is NULL");
    for (size_t k = 0; k < batch->size; k++) {
        const double value = deflection[batch_place(batch, k)];
        const joint *j = batch_joint(batch, k);
        if (fabs(value) <= stiction_joint_most_deflection(j)) continue;
        stiction_error inner;
        (void)stiction_joint_refuse_deflection(NULL, j, value, &inner);
        return stiction_fail(
            error, STICTION_INVALID_ARGUMENT, "joint '%.200s' of environment %zu: %.700s",
            batch->model->names[k / batch->environments], k % batch->environments, inner.message);
    }
    write_deflections(batch, deflection);
    return stiction_succeed(error);
}

size_t stiction_batch_size(const stiction_batch *batch) {
    return batch ? batch->size : 0;
}

size_t stiction_batch_environment_count(const stiction_batch *batch) {
    return batch ? batch->environments : 0;
}

uint64_t stiction_batch_faults(const stiction_batch *batch, size_t environment, size_t index) {
    return check_slot(batch, environment, index, NULL) == STICTION_OK
               ? batch->faults[index * batch->environments + environment]
               : 0;
}

uint64_t stiction_batch_total_faults(const stiction_batch *batch) {
    uint64_t total = 0;
    for (size_t k = 0; k < stiction_batch_size(batch); k++) total += batch->faults[k];
    return total;
}

/* ---- samples: drawn joints have their own parameters in every environment ---- */

/* Swaps `joints` with the joints of the environment. */
static bool exchange(stiction_batch *batch, size_t environment, joint **joints) {
    const column_source slots = stiction_batch_slots(batch);
    bool fits = true;
    for (size_t k = 0; k < batch->model->count; k++) {
        if (!batch->model->draws[k]) continue;
        const size_t slot = k * batch->environments + environment;
        joint *const other = batch->own[slot];
        batch->own[slot] = joints[k];
        joints[k] = other;
        fits = stiction_columns_refresh_slot(&batch->columns, &slots, slot) && fits;
    }
    return fits;
}

static stiction_status replace(stiction_batch *batch, size_t environment, joint **joints,
                               stiction_error *error) {
    if (exchange(batch, environment, joints)) return STICTION_OK;
    const stiction_status status = regroup(batch, error);
    if (status != STICTION_OK) (void)exchange(batch, environment, joints);
    return status;
}

stiction_status stiction_batch_draw(stiction_batch *batch, size_t environment, uint64_t sample,
                                    stiction_error *error) {
    TRY(check_environment(batch, environment, error));
    const stiction_model *model = batch->model;
    stiction_status status = STICTION_OK;
    joint **joints = calloc(model->count + 1, sizeof(joint *));
    if (!joints) return no_memory(batch, error);
    for (size_t k = 0; k < model->count && status == STICTION_OK; k++)
        if (model->draws[k])
            status = draw(batch, k * batch->environments + environment, sample, &joints[k], error);
    if (status == STICTION_OK) status = replace(batch, environment, joints, error);
    for (size_t k = 0; k < model->count; k++) {
        const size_t slot = k * batch->environments + environment;
        if (status == STICTION_OK && model->draws[k]) {
            const joint *before = joints[k] ? joints[k] : &batch->shared[k];
            const joint *now = batch_joint(batch, slot);
            stiction_joint_keep_torque(before, now, deflection_at(batch, slot),
                                       batch->memories ? &batch->memories[slot].drive : NULL);
        }
        free(joints[k]);
    }
    free(joints);
    return status == STICTION_OK ? stiction_succeed(error) : status;
}
