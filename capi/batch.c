/*
 * A batch: made, reset, read and changed. The step itself is in batch_step.c, the grouping in
 * batch_columns.c.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch_internal.h"
#include "error_internal.h"
#include "sized.h"

stiction_batch_def stiction_batch_def_default(void) {
    return (stiction_batch_def){.size = sizeof(stiction_batch_def), .threads = 1};
}

double *batch_deflection(const stiction_batch *batch, size_t slot) {
    return batch_law(batch_joint(batch, slot)) ? &batch->deflections[slot]
                                               : &batch->memories[slot].deflection;
}

static void rest_slot(stiction_batch *batch, size_t slot) {
    batch->deflections[slot] = 0;
    if (batch->memories) batch->memories[slot] = joint_at_rest();
    batch->faults[slot] = 0;
}

/* Room for joints that step one by one, once there is such a joint. */
static stiction_status need_memories(stiction_batch *batch, stiction_error *error) {
    if (batch->memories) return STICTION_OK;
    batch->memories = calloc(batch->size, sizeof *batch->memories);
    return batch->memories
               ? STICTION_OK
               : fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", batch->size);
}

static stiction_status fill(stiction_batch *batch, double timestep, stiction_error *error) {
    const stiction_model *model = batch->model;
    stiction_status status = STICTION_OK;
    memcpy(batch->shared, model->joints, model->count * sizeof *batch->shared);
    batch->timestep = timestep;
    for (size_t k = 0; k < model->count && status == STICTION_OK; k++) {
        if (timestep != model->timestep)
            status = joint_set_timestep(&batch->shared[k], model->names[k], timestep, error);
        if (status == STICTION_OK && batch->environments && !batch_law(&batch->shared[k]))
            status = need_memories(batch, error);
        if (batch->shared[k].kind->info.needs_effort) batch->effort_slots += batch->environments;
    }
    return status == STICTION_OK ? batch_columns_create(batch, &batch->groups, error) : status;
}

static stiction_status make(stiction_batch *batch, const stiction_batch_def *def,
                            stiction_error *error) {
    const size_t size = batch->size, joints = batch->model->count;
    batch->shared = calloc(joints + 1, sizeof *batch->shared);
    batch->own = calloc(size + 1, sizeof *batch->own);
    batch->deflections = aligned_alloc(64, (size * sizeof(double) / 64 + 1) * 64);
    batch->faults = calloc(size + 1, sizeof *batch->faults);
    if (!batch->shared || !batch->own || !batch->deflections || !batch->faults)
        return fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", size);
    memset(batch->deflections, 0, size * sizeof *batch->deflections);
    if (batch->threads > 1) {
        batch->pool = pool_create(batch->threads);
        if (!batch->pool)
            return fail(error, STICTION_OUT_OF_MEMORY, "%zu threads cannot be had", batch->threads);
    }
    return fill(batch, def->timestep > 0 ? def->timestep : batch->model->timestep, error);
}

static stiction_status check_def(const stiction_model *model, size_t environments,
                                 const stiction_batch_def *def, stiction_error *error) {
    if (!(def->timestep >= 0 && def->timestep <= DBL_MAX))
        return fail(error, STICTION_INVALID_ARGUMENT, "time step %g must be above 0 s",
                    def->timestep);
    if (def->threads < 1 || def->threads > 1024)
        return fail(error, STICTION_INVALID_ARGUMENT, "%zu threads: must be from 1 to 1024",
                    def->threads);
    if (model->count && environments > SIZE_MAX / 4096 / model->count)
        return fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu environments",
                    environments);
    return STICTION_OK;
}

stiction_status stiction_batch_create(const stiction_model *model, size_t environments,
                                      const stiction_batch_def *def, stiction_batch **batch,
                                      stiction_error *error) {
    if (batch) *batch = NULL;
    if (!model || !batch)
        return fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL",
                    model ? "place for the batch" : "model");
    stiction_batch_def own = stiction_batch_def_default();
    if (def && !sized_read(&own, sizeof own, def, SIZED_END(stiction_batch_def, environment_major)))
        return fail(error, STICTION_INVALID_ARGUMENT,
                    "the size of the batch definition is %zu; start from "
                    "stiction_batch_def_default()",
                    def->size);
    stiction_status status = check_def(model, environments, &own, error);
    if (status != STICTION_OK) return status;
    stiction_batch *made = calloc(1, sizeof *made);
    if (!made) return fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    *made = (stiction_batch){.model = model,
                             .environments = environments,
                             .size = environments * model->count,
                             .environment_major = own.environment_major,
                             .threads = own.threads};
    status = make(made, &own, error);
    if (status != STICTION_OK) {
        stiction_batch_destroy(made);
        return status;
    }
    *batch = made;
    return succeed(error);
}

void stiction_batch_destroy(stiction_batch *batch) {
    if (!batch) return;
    pool_destroy(batch->pool);
    batch_columns_destroy(&batch->groups);
    for (size_t k = 0; batch->own && k < batch->size; k++) free(batch->own[k]);
    free(batch->own);
    free(batch->shared);
    free(batch->deflections);
    free(batch->memories);
    free(batch->faults);
    free(batch);
}

static stiction_status check_batch(const stiction_batch *batch, stiction_error *error) {
    return batch ? STICTION_OK : fail(error, STICTION_INVALID_ARGUMENT, "the batch is NULL");
}

static stiction_status check_environment(const stiction_batch *batch, size_t environment,
                                         stiction_error *error) {
    const stiction_status status = check_batch(batch, error);
    if (status != STICTION_OK) return status;
    return environment < batch->environments
               ? STICTION_OK
               : fail(error, STICTION_INVALID_ARGUMENT,
                      "there is no environment %zu; the batch has %zu", environment,
                      batch->environments);
}

static stiction_status check_slot(const stiction_batch *batch, size_t environment, size_t index,
                                  stiction_error *error) {
    const stiction_status status = check_environment(batch, environment, error);
    if (status != STICTION_OK) return status;
    return index < batch->model->count
               ? STICTION_OK
               : fail(error, STICTION_INVALID_ARGUMENT, "there is no joint %zu; the model has %zu",
                      index, batch->model->count);
}

stiction_status stiction_batch_reset(stiction_batch *batch, stiction_error *error) {
    const stiction_status status = check_batch(batch, error);
    if (status != STICTION_OK) return status;
    for (size_t k = 0; k < batch->size; k++) rest_slot(batch, k);
    return succeed(error);
}

stiction_status stiction_batch_reset_environment(stiction_batch *batch, size_t environment,
                                                 stiction_error *error) {
    const stiction_status status = check_environment(batch, environment, error);
    if (status != STICTION_OK) return status;
    for (size_t k = environment; k < batch->size; k += batch->environments) rest_slot(batch, k);
    return succeed(error);
}

/* Groups the slots anew, after a slot has another law or no longer shares its numbers. */
static stiction_status regroup(stiction_batch *batch, stiction_error *error) {
    batch_columns groups;
    const stiction_status status = batch_columns_create(batch, &groups, error);
    if (status != STICTION_OK) return status;
    batch_columns_destroy(&batch->groups);
    batch->groups = groups;
    return STICTION_OK;
}

stiction_status stiction_batch_set_joint(stiction_batch *batch, size_t environment, size_t index,
                                         const stiction_joint_def *def, stiction_error *error) {
    stiction_status status = check_slot(batch, environment, index, error);
    if (status != STICTION_OK) return status;
    if (!def) return fail(error, STICTION_INVALID_ARGUMENT, "the definition is NULL");
    joint *changed = malloc(sizeof *changed);
    if (!changed) return fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    status = joint_init(changed, batch->model->names[index], def, batch->timestep, error);
    if (status == STICTION_OK && !batch_law(changed)) status = need_memories(batch, error);
    if (status != STICTION_OK) {
        free(changed);
        return status;
    }

    const size_t slot = index * batch->environments + environment;
    joint *const last = batch->own[slot];
    const joint *const before = batch_joint(batch, slot);
    const double deflection = *batch_deflection(batch, slot);
    batch->own[slot] = changed;
    if (!batch_columns_refresh_slot(batch, &batch->groups, slot)) status = regroup(batch, error);
    if (status != STICTION_OK) {
        batch->own[slot] = last;
        free(changed);
        return status;
    }
    /* the bristle keeps its torque K e */
    *batch_deflection(batch, slot) =
        deflection * (changed->stiffness > 0 ? before->stiffness / changed->stiffness : 0);
    batch->effort_slots += changed->kind->info.needs_effort;
    batch->effort_slots -= before->kind->info.needs_effort;
    free(last);
    return succeed(error);
}

stiction_status stiction_batch_joint(const stiction_batch *batch, size_t environment, size_t index,
                                     stiction_joint_def *def, stiction_error *error) {
    const stiction_status status = check_slot(batch, environment, index, error);
    if (status != STICTION_OK) return status;
    if (!def) return fail(error, STICTION_INVALID_ARGUMENT, "the definition is NULL");
    return joint_get_def(batch_joint(batch, index * batch->environments + environment), 1, 0, def,
                         error);
}

stiction_status stiction_batch_get_deflections(const stiction_batch *batch, double *deflection,
                                               stiction_error *error) {
    const stiction_status status = check_batch(batch, error);
    if (status != STICTION_OK) return status;
    if (!deflection) return fail(error, STICTION_INVALID_ARGUMENT, "the array is NULL");
    for (size_t k = 0; k < batch->size; k++)
        deflection[batch_place(batch, k)] = *batch_deflection(batch, k);
    return succeed(error);
}

stiction_status stiction_batch_set_deflections(stiction_batch *batch, const double *deflection,
                                               stiction_error *error) {
    const stiction_status status = check_batch(batch, error);
    if (status != STICTION_OK) return status;
    if (!deflection) return fail(error, STICTION_INVALID_ARGUMENT, "the array is NULL");
    for (size_t k = 0; k < batch->size; k++)
        if (!joint_can_use(deflection[batch_place(batch, k)]))
            return fail(error, STICTION_INVALID_ARGUMENT,
                        "joint '%.200s' of environment %zu: deflection %g is not finite",
                        batch->model->names[k / batch->environments], k % batch->environments,
                        deflection[batch_place(batch, k)]);
    for (size_t k = 0; k < batch->size; k++)
        *batch_deflection(batch, k) = deflection[batch_place(batch, k)];
    return succeed(error);
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
