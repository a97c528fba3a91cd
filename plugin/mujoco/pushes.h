/* SPDX-License-Identifier: MIT
 * The pushes of a project and of its user on the embedded engine: forces on bodies of MuJoCo.
 */
#ifndef STICTION_MUJOCO_PUSHES_H
#define STICTION_MUJOCO_PUSHES_H

#include "pushes/push.h"
#include "world.h"

STICTION_BEGIN_C

typedef struct pushes {
    const world *world;
    push_list list; /* with the bodies and links that they act on */
    int *bodies;    /* of the model, one entry per push */
    double *forces; /* in the last step, three numbers per push, N */
} pushes;

/* Those of the enabled StictionItems, changed by the user's values (push_list_set). Warns of pushes
 * that do not act because their item is not enabled. NULL: see *error. */
pushes *pushes_create(const world *w, const stiction_override *values, size_t value_count,
                      stiction_log log, void *log_user, stiction_error *error);
void pushes_destroy(pushes *p);

/* Writes the forces of the step that begins at `time`, s, to xfrc_applied. Positions of links in
 * `data` must be computed. */
void pushes_apply(pushes *p, mjData *data, double time);

STICTION_END_C

#endif
