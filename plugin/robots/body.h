/* SPDX-License-Identifier: MIT
 * A Choreonoid .body file as links, and links as MJCF. What the format means was taken from
 * Choreonoid's own reader (src/Body/StdBodyLoader.cpp) and its sample models.
 */
#ifndef STICTION_ROBOTS_BODY_H
#define STICTION_ROBOTS_BODY_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "mujoco_compile/fence.h"

/* A number and where the file states it; NaN: it does not. */
typedef struct robot_number {
    double value;
    const char *path;
    int line;
} robot_number;

static const robot_number robot_not_stated = {(double)NAN, NULL, 0};
robot_number number_at(stiction_place at, double value);

/* Names are compared with patterns, each letter with each: longer ones are refused, `what` being
 * what the name is of. */
void robot_check_name(reader *r, stiction_place at, const char *what, const char *name);

/* Ball joints, which only MJCF has, have no axis and no friction and are not counted as joints. */
typedef enum body_joint {
    BODY_FIXED,
    BODY_FREE,
    BODY_REVOLUTE,
    BODY_PRISMATIC,
    BODY_BALL
} body_joint;

typedef enum body_shape_kind {
    BODY_BOX,
    BODY_SPHERE,
    BODY_ELLIPSOID,
    BODY_CYLINDER,
    BODY_CAPSULE,
    BODY_MESH,
    BODY_PLANE /* z = 0 of its frame, without end; only of what never moves */
} body_shape_kind;

/* What MJCF says of a geom's contacts, as in MuJoCo. */
typedef struct body_contact {
    unsigned type, affinity;
    int dimensions, priority;
    double friction[3];
} body_contact;

/* A shape that touches others, in its link's frame. */
typedef struct body_shape {
    body_shape_kind kind;
    double size[3];         /* m, as MuJoCo takes them: half lengths, the axis along z */
    const double *vertices; /* of a mesh, m: points whose convex hull touches */
    size_t vertex_count;
    const int *faces; /* of a mesh to be drawn, three vertices each; NULL: it is a hull */
    size_t face_count;
    double translation[3];
    double rotation[4];
    double color[3];             /* red, green, blue, 0 to 1 */
    const body_contact *contact; /* NULL: from its link's material and its body */
} body_shape;

typedef struct body_link {
    const char *name;
    stiction_place at;
    int parent;              /* index of a link before or after it; -1: the root */
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
    double velocity_limit;                  /* rad/s or m/s; inf: none */
    robot_number friction, damping;         /* the same; no simulation has them from here */
    double stiffness, rest; /* of a spring at the joint, N m/rad, and where it is slack */
    bool nameless;          /* its joint has no name in the file; a warning was given */

    double mass;         /* kg */
    double center[3];    /* of mass, in the link's frame, m */
    double inertia[9];   /* about the centre of mass, in the link's axes, kg m^2 */
    double principal[3]; /* its principal moments */
    double frame[4];     /* and axes, a quaternion */
    bool bare;           /* MuJoCo's compiler refuses this mass or inertia: set it afterwards */

    const body_shape *shapes;
    size_t shape_count;
    const char *material; /* NULL: Choreonoid's default */
    stiction_place material_at;
    double shape_friction; /* of its shapes, for whoever writes them */
    int priority;     /* as MuJoCo has it: the friction of the higher one counts, else the larger */
    bool untouchable; /* the file takes it out of all contacts */
    stiction_place track_at; /* of a joint_type that makes its surface move; line 0: none */
    stiction_place held_at;  /* of an actuation_mode other than joint_effort; line 0: none */
} body_link;

/* extra_joints of a file, whose links have other names where it is a body inside a body. */
typedef struct body_loops {
    const struct tree_node *joints;
    const char *prefix, *suffix;
    const struct body_loops *next;
} body_loops;

/* Whether the base of a robot floats; a user may ask for what its file does not say. */
typedef enum robot_base { ROBOT_BASE_OF_FILE, ROBOT_BASE_FIXED, ROBOT_BASE_FREE } robot_base;

typedef struct body_file {
    const char *name;
    const char *path;
    body_link *links;
    size_t count;
    size_t root;
    size_t unread_shapes;           /* see body_mesh.c for what is read */
    stiction_place unread_shape_at; /* the first of them */
    const body_loops *loops;        /* NULL: none */
    int apart;                  /* links with so many joints between them, or fewer, never touch */
    const bool *never_touch;    /* instead, count x count: those that do not; NULL: by `apart` */
    stiction_place handlers_at; /* of body_handlers, which change it; line 0: none */
    const struct body_equality *equalities;
    size_t equality_count;
    const struct body_tendon *tendons;
    size_t tendon_count;
    double medium[2]; /* density (kg/m^3) and viscosity (N s/m^2) of what it moves in */
    const struct body_keyframe *keyframes;
    size_t keyframe_count;
    const int (*separate)[2]; /* pairs of links that never touch, whatever the body's item says */
    size_t separate_count;
} body_file;

/* A keyframe of an MJCF file. */
typedef struct body_keyframe {
    const char *name;
    const double *displacements;        /* one entry per link, rad or m */
    bool placed;                        /* its root floats: */
    double translation[3], rotation[4]; /* of the root in the world */
} body_keyframe;

/* What holds two links or two joints together, beside extra_joints. */
typedef enum body_equality_kind {
    BODY_CONNECT,
    BODY_WELD,
    BODY_COUPLE,
    BODY_COUPLE_TENDONS /* `link` has their numbers among the tendons */
} body_equality_kind;
typedef struct body_equality {
    body_equality_kind kind;
    int link[2];          /* -1: the world; of a couple the joints' links, the second may be -1 */
    double point[2][3];   /* in the links' frames, m */
    double turn[4];       /* of a weld: the second link's frame in the first one's */
    double torque_scale;  /* of a weld, m */
    double polynomial[5]; /* of a couple: the first joint's or tendon's position from the second's */
} body_equality;

/* The key of a .body for couples, which is ours: `joint`, `follows`, `polynomial`. */
#define BODY_COUPLINGS "stiction_couplings"

/* A sum of joint positions with a spring or limits. */
typedef struct body_tendon {
    const int *links; /* of the joints */
    const double *factors;
    size_t count;
    bool limited;
    double range[2];
    double stiffness, rest; /* and the sum where it is slack */
} body_tendon;

/* A link with the defaults of all members. */
body_link body_new_link(stiction_place at);
/* Refuses moments of inertia that are negative (or makes them 0 with a warning, where they are so
 * small that they are rounding), and warns of those that no real thing has. */
void body_check_inertia(reader *r, stiction_place at, body_link *link);
/* The same links, of which none has a name that MuJoCo keeps for itself. */
body_file body_for_model(reader *r, const body_file *body);

body_file *body_read(reader *r, stiction_place at, const char *path);
/* Whether a file is a scene or a mesh by its name: body_read makes a link of 1 kg of it. */
bool body_is_scene(const char *path);
/* The same, for whoever has no use for shapes: without meshes, which take time. */
body_file *body_read_without_meshes(reader *r, stiction_place at, const char *path);

/* Whether two links of a body that collides with itself pass through each other. */
bool body_never_touch(const body_file *body, size_t a, size_t b);

/* Mass, centre and inertia of a link from its parts; also fills principal, frame and bare. */
typedef struct body_mass {
    double mass, center[3], inertia[9];
} body_mass;
void body_set_mass(body_link *link, const body_mass *parts, size_t count);
/* The same from its shapes, filled with something of this density, kg/m^3; of a mesh its hull. */
void body_weigh(reader *r, body_link *link, double density);

/* How links become MJCF. Zeros: without shapes, limits as soft as MuJoCo's are. */
typedef struct body_style {
    bool shapes;
    unsigned contact_type, contact_affinity; /* of the shapes, as in MuJoCo */
    double softness;                         /* time constant of contacts and limits, s */
} body_style;

/* The <mesh> elements of a robot's shapes, for inside an <asset>. */
void body_write_meshes(reader *r, FILE *out, const body_file *body);

/* The <body> elements of a robot, for inside a <worldbody>. Angles are in radian. */
void body_write_links(reader *r, FILE *out, const body_file *body, const body_style *style);

/* Gives the links of a compiled model the masses that its compiler would have refused. */
void body_restore_masses(const body_file *body, mjModel *model);

/* The links from the root, each limb to its end: Choreonoid's order and that of the model. */
const int *body_order(reader *r, const body_file *body);

#endif
