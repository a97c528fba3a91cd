/* SPDX-License-Identifier: MIT
 * Any robot file as bodies for a world: the robot, and what else its file holds.
 */
#ifndef STICTION_ROBOTS_ROBOT_BODIES_H
#define STICTION_ROBOTS_ROBOT_BODIES_H

#include "body.h"

typedef struct robot_bodies {
    const body_file **files; /* the robot first, then a scene that does not move, things that lie
                                about; each is called by its root link where its file has no name */
    size_t count;
    double timestep;   /* s; NaN: the file does not say */
    double gravity[3]; /* m/s^2; NaN likewise */
    bool placed;       /* the file gives the position of its root */
} robot_bodies;

typedef enum robot_format { ROBOT_BODY, ROBOT_URDF, ROBOT_MJCF, ROBOT_NO_FORMAT } robot_format;

/* The format of a file by the ending of its name, see formats.h. */
robot_format robot_format_of(const char *path);
bool robot_is_file(const char *path);
/* ".body, .urdf or .xml" */
#define ROBOT_ENDINGS ".body, .urdf or .xml"

/* Whether a file is a robot of OpenHRP: a .wrl with joints that move. Choreonoid reads it; here it
 * would be a mesh without joints. */
bool robot_is_openhrp(reader *r, stiction_place at, const char *path);
/* The end of a message about a file: what to use in place of a .wrl; "" for other files. */
const char *robot_openhrp_hint(const char *path);

/* What would act in a simulation and is not carried over is refused, what is harmless a warning.
 * `at` is where the file is named. */
robot_bodies robot_read_bodies(reader *r, stiction_place at, const char *path);

/* A file of one body. */
robot_bodies robot_one_body(reader *r, const body_file *file);

/* Friction that a robot's file states. */
#define ROBOT_OWN_FRICTION(what)                                                                   \
    "friction and damping of " what " are not used: friction belongs in the configuration, to "    \
    "which `stiction init` takes them over"

/* Links as a Choreonoid .body; what has no place there is warned of. */
void body_write_yaml(reader *r, FILE *out, const body_file *body);
/* A rotation as Choreonoid writes it: an axis and degrees. */
void body_axis_angle(const double quaternion[4], double axis_angle[4]);

/* The lowest point of all shapes, m, in the world, with the joints where `displacements` (an entry
 * a link) put them; infinite: there are none. */
double body_lowest(const body_file *body, const double *displacements);

#endif
