/* SPDX-License-Identifier: MIT
 * The shapes of a world for the replay of its runs: scene.json, from which a report draws the robot
 * in the postures of the series. Large meshes are simplified.
 */
#ifndef STICTION_TOOLS_RUN_SCENE_H
#define STICTION_TOOLS_RUN_SCENE_H

#include "mujoco/world.h"

/* Writes scene.json into an existing folder. */
bool scene_write(const world *w, const char *folder, stiction_error *error);

#endif
