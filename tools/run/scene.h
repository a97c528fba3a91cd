/* SPDX-License-Identifier: MIT
 * The shapes of a world for the replay of its runs: scene.json, from which a report draws the robot
 * in the postures of the series. Large meshes are simplified.
 */
#ifndef STICTION_TOOLS_RUN_SCENE_H
#define STICTION_TOOLS_RUN_SCENE_H

#include <stdio.h>

#include "mujoco/world.h"

/* Appends the contact forces of a moment to a text for scene_write: one force for each pair of
 * links that touch, in the middle of where they press. A comma comes first. Nothing if nothing
 * touches. */
void scene_add_contacts(FILE *contacts, const world *w, const mjData *data, double time);

/* Writes scene.json into an existing folder. `contacts`: the text of scene_add_contacts, or NULL.
 */
bool scene_write(const world *w, const char *contacts, const char *folder, stiction_error *error);
/* The same of a project or robot that is not loaded yet. `joints`: names of the series, of which
 * the world must have at least one; *missing is how many it lacks. */
bool scene_write_of(const char *path, const world_options *options, const char *const *joints,
                    size_t count, size_t *missing, const char *folder, stiction_error *error);

#endif
