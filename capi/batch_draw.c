/* SPDX-License-Identifier: MIT
 * Samples in a batch: joints that are drawn have parameters of their own in every environment. They
 * step in the same loops, with numbers a joint.
 */
#include <stdlib.h>

#include "batch_internal.h"
#include "document/fail.h"

static stiction_status no_memory(const stiction_batch *batch, stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints",
                         batch->size);
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

stiction_status stiction_batch_draw_all(stiction_batch *batch, stiction_error *error) {
    stiction_status status = STICTION_OK;
    for (size_t slot = 0; slot < batch->size && status == STICTION_OK; slot++)
        if (batch->model->draws[slot / batch->environments])
            status = draw(batch, slot, batch->model->sample + slot % batch->environments,
                          &batch->own[slot], error);
    return status;
}

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
    const stiction_status status = stiction_batch_regroup(batch, error);
    if (status != STICTION_OK) (void)exchange(batch, environment, joints);
    return status;
}

stiction_status stiction_batch_draw(stiction_batch *batch, size_t environment, uint64_t sample,
                                    stiction_error *error) {
    stiction_status status = stiction_batch_check_environment(batch, environment, error);
    if (status != STICTION_OK) return status;
    const stiction_model *model = batch->model;
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
            stiction_joint_keep_torque(before, now, stiction_batch_deflection(batch, slot),
                                       batch->memories ? &batch->memories[slot].drive : NULL);
        }
        free(joints[k]);
    }
    free(joints);
    return status == STICTION_OK ? stiction_succeed(error) : status;
}
