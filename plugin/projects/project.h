/* SPDX-License-Identifier: MIT
 * A Choreonoid project (.cnoid): which bodies are simulated from where, by which simulator item,
 * with which friction and under which controllers. What the format means was taken from
 * Choreonoid's own items (store and restore in src/BodyPlugin).
 */
#ifndef STICTION_PROJECTS_PROJECT_H
#define STICTION_PROJECTS_PROJECT_H

#include "materials.h"
#include "pushes/push.h"
#include "robots/robot_bodies.h"

/* A controller item below a body. */
typedef struct project_controller {
    const char *name; /* of the item */
    stiction_place at;
    const char *class_name; /* "SimpleControllerItem" */
    const char *module;     /* "StictionPostureController", without folder and ending; "" */
    const char *file;       /* the same as the project writes it; "" */
    const char *options;    /* its option string; "" */
} project_controller;

typedef struct project_body {
    const char *name; /* of the item */
    stiction_place at;
    const body_file *file;
    double translation[3]; /* of the root at the start, m */
    double rotation[4];    /* the same, a quaternion, w first */
    bool fixed_root;
    bool collides;
    bool collides_with_itself;
    const double *displacements; /* at the start by link of the file, rad or m */
    const project_controller *controllers;
    size_t controller_count;
} project_body;

/* A StictionItem below a simulator. */
typedef struct project_friction {
    const char *name;
    stiction_place at;
    bool enabled;
    const char *configuration; /* the path of its file; NULL: none */
    stiction_place configuration_at;
    const char *text;     /* the configuration itself, if the robot's own file contains it; NULL:
                           * none */
    const char *law;      /* instead of the configured laws; NULL: as configured */
    const char *coupling; /* instead of the configured one; NULL: that */
    const push *pushes;   /* that act while it is enabled */
    size_t push_count;
} project_friction;

typedef struct project_simulator {
    const char *name, *class_name; /* "AISTSimulator", "AISTSimulatorItem" */
    stiction_place at;
    double timestep; /* s */
    double duration; /* s; infinite: until it is stopped */
    double gravity[3];
    bool runge_kutta;           /* the item asks for it */
    bool ends_with_controllers; /* the same: when all of them have finished */
    const char *obstacle;       /* why a world refuses it; NULL: nothing */
    stiction_place obstacle_at;
    const project_friction *frictions;
    size_t friction_count;
} project_simulator;

typedef struct project {
    const char *path;
    bool is_robot;              /* no project, but a robot that is made one */
    const project_body *bodies; /* those of the world, in the order of the items */
    size_t body_count;
    const project_simulator *simulators; /* at least one */
    size_t simulator_count;
    material_table materials;
    const char *idle_friction; /* a StictionItem below no simulator; NULL: none */
} project;

/* The message that refuses a robot where a project is needed. */
#define PROJECT_IS_ROBOT "is a robot, not a project (.cnoid)"

/* A robot (.body, .urdf, .xml) as a project: at rest at its file's start, without a controller, its
 * friction without a configuration; 10 s at 1 ms, or the time step and gravity of an MJCF file.
 * On a floor that is added, the plane z = 0, a robot that floats starts with its lowest point.
 */
typedef enum project_floor {
    PROJECT_NO_FLOOR,
    PROJECT_FLOOR,
    PROJECT_FLOOR_IF_FLOATING
} project_floor;
typedef struct project_robot_options {
    project_floor floor;
    robot_base base;
    const char *posture; /* at the start: "JOINT:DEGREES,...", a file or a keyframe; NULL: none */
    const struct standing **standing; /* gets how the robot stands if it floats, which it then does:
                                         with bent knees unless `posture` is given; NULL: no */
} project_robot_options;
const project *project_of_robot(reader *r, const char *path, const project_robot_options *options);

/* The keyframe of a robot that a text names. Refuses a text that names none. */
const body_keyframe *project_find_keyframe(reader *r, const body_file *file, const char *name);

/* Refuses unknown values that would change the result, and warns of all others. What only
 * concerns one simulator becomes its `obstacle`. */
const project *project_read(reader *r, const char *path);

/* Refuses only what is an error in Choreonoid as well: in a StictionItem, or in the class of an
 * item, misspelt, below a simulator or instead of one. project_read begins with the same check. */
void project_check(reader *r, const char *path);

/* Describes the time range of a simulator that never ends, such as "without end"; NULL: it ends. */
const char *project_endlessness(const project *p, const project_simulator *s);

#endif
