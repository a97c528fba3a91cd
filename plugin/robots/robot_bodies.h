/* SPDX-License-Identifier: MIT
 * Any robot file as bodies for a world: the robot, and what else its file holds.
 */
#ifndef STICTION_ROBOTS_ROBOT_BODIES_H
#define STICTION_ROBOTS_ROBOT_BODIES_H

#include "body.h"
#include "meshes/frame3.h"

typedef struct robot_bodies {
    const body_file **files; /* the robot first, then a scene that does not move, things that lie
                                about; each is called by its root link where its file has no name */
    size_t count;
    double timestep;      /* s; NaN: the file has none */
    double gravity[3];    /* m/s^2; NaN likewise */
    const char *friction; /* that the file gives its joints, the text of a configuration; or NULL */
    bool placed;          /* the file gives the position of its root */
} robot_bodies;

/* X(format, ending of its files, reader of a robot, reader of bodies; see formats.h): the only list
 * of formats. A new one is a file in this folder, a row here and its ending in the message below.
 */
#define ROBOT_FORMATS(X)                                                                           \
    X(ROBOT_BODY, ".body", read_body_robot, read_body_bodies)                                      \
    X(ROBOT_URDF, ".urdf", read_urdf_robot, read_urdf_bodies)                                      \
    X(ROBOT_MJCF, ".xml", read_mjcf_robot, mjcf_read)
#define ROBOT_ENDINGS ".body, .urdf or .xml"

#define ROBOT_FORMAT_NAME(format, ...) format,
typedef enum robot_format { ROBOT_FORMATS(ROBOT_FORMAT_NAME) ROBOT_NO_FORMAT } robot_format;
#undef ROBOT_FORMAT_NAME

/* The format of a file by the ending of its name. */
robot_format robot_format_of(const char *path);
bool robot_is_file(const char *path);

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

/* Gives the root the base that a user asks for. Refuses one that floats without mass. */
void robot_set_base(reader *r, const body_file *body, robot_base base);

/* Friction that a robot's file states. */
#define ROBOT_OWN_FRICTION(what)                                                                   \
    "friction and damping of " what " are not used: friction belongs in the configuration, to "    \
    "which `stiction init` takes them over"

/* Links as a Choreonoid .body; what has no place there is warned of. */
void body_write_yaml(reader *r, FILE *out, const body_file *body);
/* A rotation as Choreonoid writes it: an axis and degrees. */
void body_axis_angle(const double quaternion[4], double axis_angle[4]);

frame3 body_frame_of(const double translation[3], const double rotation[4]);
/* The frame of a link in the world, with the joints where `displacements` put them. */
frame3 body_link_frame(const body_file *body, const double *displacements, size_t link);

/* What the links of robots look like: of each file the links with their shapes, whose meshes are
 * surfaces and not hulls. An empty list: the file cannot be read so. `untrusted` as in reader.h. */
typedef struct robot_look {
    arena memory;
    const body_file *const *files;
    size_t count;
} robot_look;
robot_look robot_look_read(const char *path, const char *untrusted);
/* NULL: the link looks as it touches, also where a part of it cannot be read. */
const body_link *robot_look_find(const robot_look *look, const char *link);
void robot_look_free(robot_look *look);

/* The lowest point of all shapes, m, in the world, with the joints where `displacements` (an entry
 * a link) put them; infinite: there are none. */
double body_lowest(const body_file *body, const double *displacements);

#endif
