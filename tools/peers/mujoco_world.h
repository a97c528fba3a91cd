/* SPDX-License-Identifier: MIT
 * A chain in MuJoCo, for the contestants that are its settings: by the library (mujoco_native.c),
 * or by the official WebAssembly package in node (mujoco_node.c). Joints are those of the chain.
 */
#ifndef STICTION_PEERS_MUJOCO_WORLD_H
#define STICTION_PEERS_MUJOCO_WORLD_H

#include "peer.h"

typedef struct mujoco_world mujoco_world;

/* The chain as MJCF, valid until the next call. `option`: attributes of <option>; `joint`: of each
 * joint with friction; `motor`: an actuator for each of them, in which %d is its number. */
const char *mujoco_text(const chain *c, const char *option, const char *joint, const char *motor);
/* Degrees of freedom before those of the chain, and after them. */
int mujoco_before(const chain *c);
int mujoco_after(const chain *c);

mujoco_world *mujoco_open(const chain *c, const char *text); /* NULL: a message was printed */
void mujoco_close(mujoco_world *world);
void mujoco_step(mujoco_world *world, const double *torque);
void mujoco_read(mujoco_world *world, double *position, double *velocity);
void mujoco_place(mujoco_world *world, const double *position, const double *velocity);
void mujoco_set_level(mujoco_world *world, double level);
const char *mujoco_version(void);

#endif
