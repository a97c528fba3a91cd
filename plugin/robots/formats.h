/*
 * One reader a format. Each gives a MuJoCo model and what the file says beyond it, joint by joint;
 * robot.c puts the two together by the joints' names.
 */
#ifndef STICTION_ROBOTS_FORMATS_H
#define STICTION_ROBOTS_FORMATS_H

#include "mujoco_compile/fence.h"
#include "robot.h"

/* What a file says about a joint. */
typedef struct joint_facts {
    const char *name;
    int id;
    double lower, upper; /* NaN: as the model has them */
    robot_number effort, friction, damping, rotor_inertia, gear_ratio;
} joint_facts;

typedef struct robot_source {
    const char *name; /* of the model, or NULL */
    mjModel *model;
    joint_facts *facts; /* of joints that may or may not be in the model */
    size_t fact_count;
    stiction_place nameless_at; /* of the first joint without a name; line 0: not known */
} robot_source;

typedef robot_source robot_format(reader *r, const char *path, const robot_options *options);

/* The formats by the ends of their names. A new one is a file in this folder and a row here. */
#define ROBOT_FORMATS(X)                                                                           \
    X(".body", read_body_robot)                                                                    \
    X(".urdf", read_urdf_robot)                                                                    \
    X(".xml", read_mjcf_robot)

#define ROBOT_FORMAT_FUNCTION(ending, read) robot_format read;
ROBOT_FORMATS(ROBOT_FORMAT_FUNCTION)
#undef ROBOT_FORMAT_FUNCTION

/* Facts with nothing stated. */
joint_facts facts_of(const char *name);
joint_facts *add_facts(reader *r, robot_source *source, const char *name);

/* Warns of joints without a name, the first of which is joint `first` of the model. */
void robot_warn_nameless(reader *r, const robot_source *source, const char *path, int count,
                         int first);

/* Names are compared with patterns, each letter with each: longer ones are refused, `what` being
 * what the name is of. */
void robot_check_name(reader *r, stiction_place at, const char *what, const char *name);

/* A number that stands at a place. */
robot_number number_at(stiction_place at, double value);

#endif
