/*
 * What a batch holds. Inside, the slots lie joint by joint: slot = joint * environments +
 * environment; a place is where the caller's arrays have it.
 */
#ifndef STICTION_CAPI_BATCH_INTERNAL_H
#define STICTION_CAPI_BATCH_INTERNAL_H

#include "model_internal.h"
#include "pool.h"
#include "stiction/batch.h"

/* Slots that step in one loop: of one law in closed form, or whatever steps one by one. */
typedef struct batch_column {
    const stiction_law *law; /* NULL: one by one */
    size_t count;
    size_t first;    /* slot; the others follow, unless `slots` */
    size_t *slots;   /* of each, or NULL */
    size_t *places;  /* of each, where `slots` */
    bool shared;     /* the same numbers for all */
    double *numbers; /* of the law, see stiction_element_c_step_many */
} batch_column;

typedef struct batch_columns {
    batch_column *columns;
    size_t count;
} batch_columns;

struct stiction_batch {
    const stiction_model *model;
    size_t environments, size; /* size = environments * joints */
    bool environment_major;
    double timestep;
    size_t effort_slots;    /* that need the effort */
    joint *shared;          /* the model's joints at the batch's time step */
    joint **own;            /* of a slot: its own joint, or NULL: the shared one */
    double *deflections;    /* of slots in columns of a law */
    joint_memory *memories; /* of slots that step one by one; NULL where there are none */
    uint64_t *faults;       /* of slots */
    batch_columns groups;
    pool *pool; /* NULL: one thread */
    size_t threads;
};

/* The joint of a slot. */
static inline const joint *batch_joint(const stiction_batch *batch, size_t slot) {
    return batch->own[slot] ? batch->own[slot] : &batch->shared[slot / batch->environments];
}

static inline size_t batch_place(const stiction_batch *batch, size_t slot) {
    if (!batch->environment_major) return slot;
    return slot % batch->environments * batch->model->count + slot / batch->environments;
}

/* The law in whose columns a joint steps, or NULL: one by one. */
const stiction_law *batch_law(const joint *j);

/* Groups all slots into columns. Unless OK, *groups is empty. */
stiction_status batch_columns_create(const stiction_batch *batch, batch_columns *groups,
                                     stiction_error *error);
void batch_columns_destroy(batch_columns *groups);
/* Reads the numbers of all joints anew. */
void batch_columns_refresh(const stiction_batch *batch, batch_columns *groups);
/* The same for one slot: false where its column cannot hold the joint it has now. */
bool batch_columns_refresh_slot(const stiction_batch *batch, batch_columns *groups, size_t slot);

/* Where the deflection of a slot is. */
double *batch_deflection(const stiction_batch *batch, size_t slot);

#endif
