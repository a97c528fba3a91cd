/* SPDX-License-Identifier: MIT
 * The two functions that each format of robots has (ROBOT_FORMATS in robot_bodies.h).
 */
#ifndef STICTION_ROBOTS_FORMATS_H
#define STICTION_ROBOTS_FORMATS_H

#include "robot.h"
#include "robot_bodies.h"

/* A robot for its inertias: a MuJoCo model, and what the file says about its joints. */
typedef struct robot_source {
    const char *name; /* of the model, or NULL */
    mjModel *model;
    body_link *links; /* found by the names of their joints, which may not be in the model */
    size_t link_count;
    stiction_place nameless_at; /* of the first joint without a name; line 0: not known */
} robot_source;

typedef robot_source robot_reader(reader *r, const char *path, const robot_options *options);
typedef robot_bodies robot_bodies_reader(reader *r, stiction_place at, const char *path);

#define ROBOT_FORMAT_FUNCTIONS(format, ending, read, bodies)                                       \
    robot_reader read;                                                                             \
    robot_bodies_reader bodies;
ROBOT_FORMATS(ROBOT_FORMAT_FUNCTIONS)
#undef ROBOT_FORMAT_FUNCTIONS

/* A robot that is its links. */
robot_source body_robot(reader *r, const body_file *body);

/* The link of a joint; NULL: unknown. */
body_link *robot_find_joint(const robot_source *source, const char *name);

/* Warns of joints without a name, the first of which is joint `first` of the model. */
void robot_warn_nameless(reader *r, const robot_source *source, const char *path, int count,
                         int first);

#endif
