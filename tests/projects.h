/* SPDX-License-Identifier: MIT */
/* Projects as texts, for the tests that read them. */
#ifndef STICTION_TESTS_PROJECTS_H
#define STICTION_TESTS_PROJECTS_H

#include "check.h"
#include "stiction/error.h"
#include "stiction/load.h"
#include "temporary.h"

static char warnings[8192];

static inline void keep_warning(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level;
    const size_t used = strlen(warnings);
    (void)snprintf(warnings + used, sizeof warnings - used, "%s\n", message);
}

/* A line of a message without the folder of the test's own files. */
static inline const char *without_folder(const char *line) {
    const size_t folder = strlen(temporary_folder) + 1;
    return strncmp(line, temporary_folder, folder - 1) == 0 ? line + folder : line;
}

#define BODY_HEAD "format: ChoreonoidBody\nformat_version: 2.0\nname: Model\nlinks:\n"

/* An arm of two links on a fixed base; the second joint comes first in the file, and slides. */
#define ARM_BODY                                                                                   \
    BODY_HEAD                                                                                      \
    "  - name: BASE\n"                                                                             \
    "    joint_type: fixed\n"                                                                      \
    "    translation: [ 0, 0, 0.5 ]\n"                                                             \
    "  - name: TIP\n"                                                                              \
    "    parent: UPPER\n"                                                                          \
    "    joint_type: prismatic\n"                                                                  \
    "    joint_id: 1\n"                                                                            \
    "    joint_axis: X\n"                                                                          \
    "    translation: [ 0.3, 0, 0 ]\n"                                                             \
    "    joint_range: [ -0.1, 0.2 ]\n"                                                             \
    "    max_joint_effort: 30\n"                                                                   \
    "    mass: 2\n"                                                                                \
    "    inertia: [ 0.02, 0, 0, 0, 0.03, 0, 0, 0, 0.04 ]\n"                                        \
    "  - name: UPPER\n"                                                                            \
    "    parent: BASE\n"                                                                           \
    "    joint_type: revolute\n"                                                                   \
    "    joint_id: 0\n"                                                                            \
    "    joint_axis: Z\n"                                                                          \
    "    joint_range: [ -170, 170 ]\n"                                                             \
    "    max_joint_velocity: 90\n"                                                                 \
    "    rotor_inertia: 0.0001\n"                                                                  \
    "    gear_ratio: 100\n"                                                                        \
    "    mass: 3\n"                                                                                \
    "    center_of_mass: [ 0.15, 0, 0 ]\n"                                                         \
    "    inertia: [ 0.01, 0, 0, 0, 0.05, 0, 0, 0, 0.05 ]\n"

/* A box of 0.2 x 0.3 x 0.4 m. */
#define BOX_BODY                                                                                   \
    BODY_HEAD                                                                                      \
    "  - name: BOX\n"                                                                              \
    "    joint_type: free\n"                                                                       \
    "    mass: 5\n"                                                                                \
    "    inertia: [ 0.1, 0, 0, 0, 0.08, 0, 0, 0, 0.05 ]\n"                                         \
    "    elements: { Shape: { geometry: { type: Box, size: [ 0.2, 0.3, 0.4 ] } } }\n"

/* A floor whose upper side is z = 0 where its root is at the origin. */
#define FLOOR_BODY                                                                                 \
    BODY_HEAD                                                                                      \
    "  - name: FLOOR\n"                                                                            \
    "    joint_type: fixed\n"                                                                      \
    "    material: Ground\n"                                                                       \
    "    elements:\n"                                                                              \
    "      - { type: Shape, translation: [ 0, 0, -0.1 ],\n"                                        \
    "          geometry: { type: Box, size: [ 10, 10, 0.2 ] } }\n"

#define PROJECT_HEAD                                                                               \
    "items:\n"                                                                                     \
    "  class: RootItem\n"                                                                          \
    "  children:\n"                                                                                \
    "    - class: WorldItem\n"                                                                     \
    "      name: World\n"                                                                          \
    "      children:\n"
#define SIMULATOR "        - { class: AISTSimulatorItem, name: Sim, data: { time_step: 0.001 } }\n"

/* A BodyItem with more of its data. */
#define BODY_ITEM(item_name, file, more)                                                           \
    "        - { class: BodyItem, name: " item_name ", data: { file: " file ", " more " } }\n"

#endif
