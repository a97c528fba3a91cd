/* SPDX-License-Identifier: MIT
 * What a batch holds. Inside, the slots lie joint by joint: slot = joint * environments +
 * environment; a place is where the caller's arrays have it.
 */
#ifndef STICTION_CAPI_BATCH_INTERNAL_H
#define STICTION_CAPI_BATCH_INTERNAL_H

#include "columns.h"
#include "model_internal.h"
#include "pool.h"
#include "stiction/batch.h"

struct stiction_batch {
    const stiction_model *model;
    size_t environments, size; /* size = environments * joints */
    bool environment_major;
    double timestep;
    size_t need_slots[joint_input_count]; /* how many have each bit of stiction_need */
    unsigned needs;                       /* of all slots */
    joint *shared;                        /* the model's joints at the batch's time step */
    joint **own;                          /* of a slot: its own joint, or NULL: the shared one */
    columns columns;
    double *deflections;    /* of the columns with a fast step, one after the other */
    joint_memory *memories; /* of slots that step one by one; NULL if there are none */
    uint64_t *faults;       /* of slots */
    pool *pool;             /* NULL: one thread */
    size_t threads, parts;  /* parts: into which a step is cut for the threads */
};

/* The joint of a slot. */
static inline const joint *batch_joint(const stiction_batch *batch, size_t slot) {
    return batch->own[slot] ? batch->own[slot] : &batch->shared[slot / batch->environments];
}

static inline size_t batch_place(const stiction_batch *batch, size_t slot) {
    if (!batch->environment_major) return slot;
    return slot % batch->environments * batch->model->count + slot / batch->environments;
}

/* What the columns of a batch are made of. */
column_source stiction_batch_slots(const stiction_batch *batch);

#endif
