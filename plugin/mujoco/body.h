/*
 * A Choreonoid .body file as links, and links as MJCF. What the format means was taken from
 * Choreonoid's own reader (src/Body/StdBodyLoader.cpp) and its sample models.
 */
#ifndef STICTION_MUJOCO_BODY_H
#define STICTION_MUJOCO_BODY_H

#include <stdio.h>

#include "formats.h"

typedef enum body_joint { BODY_FIXED, BODY_FREE, BODY_REVOLUTE, BODY_PRISMATIC } body_joint;

typedef struct body_link {
    const char *name;
    place at;
    int parent;              /* index of a link before or behind it; -1: the root */
    const char *parent_name; /* as the file gives it; NULL: none */

    const char *joint_name; /* the link's name where the file gives none */
    body_joint joint;
    int joint_id;                           /* -1: none */
    double axis[3];                         /* in the link's frame */
    double translation[3];                  /* of the link's frame in its parent's, m */
    double rotation[4];                     /* the same, a quaternion, w first */
    double lower, upper;                    /* rad or m; -inf, inf: without a limit */
    double displacement;                    /* at the start, rad or m */
    double armature;                        /* what the rotor adds, kg m^2 */
    robot_number effort, rotor, gear_ratio; /* as the file states them */

    double mass;         /* kg */
    double center[3];    /* of mass, in the link's frame, m */
    double inertia[9];   /* about the centre of mass, in the link's axes, kg m^2 */
    double principal[3]; /* its principal moments */
    double frame[4];     /* and axes, a quaternion */
    bool bare;           /* MuJoCo's compiler refuses this mass or inertia: set it afterwards */
} body_link;

typedef struct body_file {
    const char *name;
    const char *path;
    body_link *links;
    size_t count;
    size_t root;
} body_file;

body_file *body_read(reader *r, place at, const char *path);

/* Mass, centre and inertia of a link from its parts; also fills principal, frame and bare. */
typedef struct body_mass {
    double mass, center[3], inertia[9];
} body_mass;
void body_set_mass(body_link *link, const body_mass *parts, size_t count);

/* The <body> elements of a robot, for inside a <worldbody>. Angles are in radian. */
void body_write_links(reader *r, FILE *out, const body_file *body);

/* Gives the links of a compiled model the masses that its compiler would have refused. */
void body_restore_masses(const body_file *body, mjModel *model);

#endif
