/* SPDX-License-Identifier: MIT
 * The pushes of a project and of its user on the embedded engine: forces on bodies of MuJoCo.
 */
#ifndef STICTION_MUJOCO_PUSHES_H
#define STICTION_MUJOCO_PUSHES_H

#include "pushes/push.h"
#include "world.h"

STICTION_BEGIN_C

typedef struct pushes pushes;

/* Those of the enabled StictionItems, changed by what the user says (push_list_set). Warns of those
 * that do not act since their item is not enabled. NULL: see *error. */
pushes *pushes_create(const world *w, const stiction_override *said, size_t said_count,
                      stiction_log log, void *log_user, stiction_error *error);
void pushes_destroy(pushes *p);

/* All of them, with the bodies and links that they act on; they stay where they are. */
size_t pushes_count(const pushes *p);
const push *pushes_at(const pushes *p, size_t index);

/* Puts the forces of the step that begins at a time, s, into xfrc_applied; the positions of `data`
 * are computed. */
void pushes_apply(pushes *p, mjData *data, double time);

/* What acts in that step: three numbers a push, N. */
const double *pushes_forces(const pushes *p);

STICTION_END_C

#endif
