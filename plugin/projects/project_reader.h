/* SPDX-License-Identifier: MIT */
/* What the parts of the project reader share. */
#ifndef STICTION_PROJECTS_PROJECT_READER_H
#define STICTION_PROJECTS_PROJECT_READER_H

#include "document/document.h"
#include "project.h"

/* What every item of the tree states. */
typedef struct project_item {
    const char *name, *class_name;
    const char *plugin;    /* "" where the file names none */
    stiction_place at;     /* of its class */
    bool checked;          /* in Choreonoid's view of the tree */
    const tree_node *data; /* a map; empty where the file has none */
    const tree_node *children;
} project_item;

/* Of the time bar, for simulator items that take their time step or their length from it. */
typedef struct project_times {
    double frame_rate; /* 1/s */
    double last;       /* s; NaN: not stated */
} project_times;

project_item project_read_item(reader *r, const tree_node *map);
project_times project_read_times(reader *r, const tree_node *top);

/* The robots that items name: each file is read once. */
typedef struct project_robot_file {
    const char *path;
    robot_bodies bodies;
    const struct project_robot_file *next;
} project_robot_file;

/* A body, and the other *count bodies of its file: `others`. */
project_body project_read_body(reader *r, const char *path, const project_item *item,
                               const project_robot_file **known, const project_body **others,
                               size_t *count);
/* The initial joint positions of a file, one entry per link; those outside their range are moved
 * to its end. */
const double *project_start_of(reader *r, stiction_place at, const body_file *file);
/* Moves the joints into a posture; its keyframe, or NULL. */
const body_keyframe *project_apply_posture(reader *r, const body_file *file, const char *text,
                                           double *displacements);
/* A file that has a name: its own, or that of its path. */
const body_file *project_named(reader *r, const body_file *file);
project_controller project_read_controller(reader *r, const project_item *item);
project_simulator project_read_simulator(reader *r, const project_item *item, project_times times);
/* Stores the first reason why a simulator cannot be used. */
void project_note_obstacle(project_simulator *simulator, stiction_place at, const char *obstacle);
/* Refuses a time range that Choreonoid would take for one without end. */
void project_check_time_range(reader *r, const project_item *item);
/* Refuses a body whose file is not there, where that is known without Choreonoid's variables. */
void project_check_body_file(reader *r, const project_item *item);
/* Refuses initial displacements that a start would not use. */
void project_check_displacements(reader *r, const project_item *item);
/* Refuses a StictionItem with errors in its own values: keys, types, law, plugin. */
void project_check_friction(reader *r, const project_item *item);
project_friction project_read_friction(reader *r, const char *path, const project_item *item);

/* The path that a project names, with ${SHARE}, ${PROJECT_DIR} and ${HOME} filled in. */
const char *project_resolve(reader *r, const char *project_path, const tree_node *name,
                            const char *what);

/* The value of a key that also has an old name, or NULL. Both in snake_case. */
const tree_node *project_find(reader *r, const tree_node *map, const char *key, const char *old);

/* A boolean of an item's data, or its default. */
bool project_flag(reader *r, const tree_node *map, const char *key, bool otherwise);

#endif
