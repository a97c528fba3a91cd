/* SPDX-License-Identifier: MIT
 * The shapes of a world for the replay of its runs: scene.json, from which a report draws the robot
 * in the postures of the series. Large meshes are simplified.
 */
#ifndef STICTION_TOOLS_RUN_SCENE_H
#define STICTION_TOOLS_RUN_SCENE_H

#include "mujoco/world.h"

/* Writes scene.json into an existing folder. */
bool scene_write(const world *w, const char *folder, stiction_error *error);
/* The same of a project or robot that is not loaded yet. `joints`: names of the series, of which the
 * world must have at least one; *missing is how many it lacks. */
bool scene_write_of(const char *path, const world_options *options, const char *const *joints,
                    size_t count, size_t *missing, const char *folder, stiction_error *error);

#endif
