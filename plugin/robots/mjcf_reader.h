/* SPDX-License-Identifier: MIT */
/* What the parts of the MJCF reader share. */
#ifndef STICTION_ROBOTS_MJCF_READER_H
#define STICTION_ROBOTS_MJCF_READER_H

#include "formats.h"
#include "xml.h"

/* Where the file defines a body with a name. */
typedef struct mjcf_place {
    const char *name;
    stiction_place at;
} mjcf_place;

typedef struct mjcf_source {
    robot_source robot;
    const mjcf_place *bodies;
    size_t body_count;
} mjcf_source;

/* The model as MuJoCo compiles it, and where its parts stand. */
mjcf_source mjcf_load(reader *r, stiction_place at, const char *path);

/* Sets what the model says about a joint with one axis; its range only if limits act. */
void mjcf_set_joint(const mjModel *model, int joint, bool limited, body_link *link);
/* Whether it is a hinge or a slide. */
bool mjcf_has_axis(const mjModel *model, int joint);

/* Refuses a file, whose elements are given, that names a file which may not be or cannot be read.
 */
void mjcf_permit_files(reader *r, const char *path, const xml_element *root);

/* A model on its way to bodies. */
typedef struct mjcf_import {
    reader *r;
    mjcf_source source;
    const mjModel *model;
    const char *path;
    body_file **files; /* the robot first */
    size_t file_count;
    int *file;          /* by body of the model; -1: it does not move and is part of the scene */
    int *link;          /* the same: its link, the last of several where it has several joints */
    int *joint_link;    /* by joint */
    double (*shift)[3]; /* by body: the origin of its link, in its own frame */
    double (*position)[3], (*turn)[4]; /* by body that does not move, in the world */
} mjcf_import;

stiction_place mjcf_body_place(const mjcf_import *m, int body);

/* The shapes of a body that touch others, added to a link. `frame` is that of the body, in the
 * link's. */
void mjcf_add_shapes(mjcf_import *m, body_file *file, body_link *link, int body,
                     const double position[3], const double turn[4]);

/* Equalities, tendons, and pairs that never touch. */
void mjcf_read_equalities(mjcf_import *m);
void mjcf_read_tendons(mjcf_import *m);
void mjcf_read_separations(mjcf_import *m);

/* Refuses what would act and has no place in a world of ours, and warns of the rest. */
void mjcf_check(const mjcf_import *m);

#endif
