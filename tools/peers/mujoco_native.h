/* SPDX-License-Identifier: MIT
 * A world of MuJoCo, as the library has it.
 */
#ifndef STICTION_PEERS_MUJOCO_NATIVE_H
#define STICTION_PEERS_MUJOCO_NATIVE_H

#include <mujoco/mujoco.h>

#include "mujoco_world.h"

struct mujoco_world {
    mjModel *model;
    mjData *data;
    int before, count; /* degrees of freedom before those of the chain, and of the chain */
    bool has_failed;
};

#endif
