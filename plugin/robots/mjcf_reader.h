/* SPDX-License-Identifier: MIT */
/* What the parts of the MJCF reader share. */
#ifndef STICTION_ROBOTS_MJCF_READER_H
#define STICTION_ROBOTS_MJCF_READER_H

#include "formats.h"
#include "xml.h"

typedef struct mjcf_class mjcf_class;

/* The elements of a file, with those that it includes. */
typedef struct mjcf_file {
    reader *r;
    const char *path;
    bool for_masses; /* no shape is needed, unless masses come from it */
    xml_element *root;
    const mjcf_class *classes;
    int class_count, included;
    bool strips_folders;                  /* of the names of meshes */
    uint64_t included_bytes, named_bytes; /* of files of elements, and of all others */
    const xml_element **site_equalities;  /* which are not in that text */
    size_t site_equality_count;
    bool compensates;          /* gravity: a link has gravcomp */
    const xml_element **lines; /* the element of each line of the text for MuJoCo */
    size_t line_count;
    bool is_written;
} mjcf_file;

mjcf_file *mjcf_open(reader *r, stiction_place at, const char *path);

bool mjcf_holds_bodies(const xml_element *e);
/* Whether a value, which may be NULL, is this one. */
bool mjcf_is(const char *value, const char *wanted);
bool mjcf_is_true(const char *value);
/* Whether a range limits a joint that has no `limited`. */
bool mjcf_limits_itself(const mjcf_file *f);
/* An attribute of <compiler>; NULL: not given. */
const char *mjcf_compiler(const mjcf_file *f, const char *attribute);

/* The element that gives another one this attribute: itself, or one of its defaults; NULL: none.
 * And the value. */
const xml_element *mjcf_find_stated(const mjcf_file *f, const xml_element *e,
                                    const char *class_name, const char *attribute);
const char *mjcf_stated(const mjcf_file *f, const xml_element *e, const char *class_name,
                        const char *attribute);

/* The name of a mesh, by default that of its file. */
const char *mjcf_asset_name(const mjcf_file *f, const xml_element *e);
bool mjcf_asset_is_there(const mjcf_file *f, const xml_element *e);
/* Replaces the path of an asset by one that this process can open. Refuses files that are not
 * permitted or not readable. */
void mjcf_set_asset(mjcf_file *f, xml_element *e);

/* The path of an asset's file, which is permitted and readable, if it is there; NULL: it has none.
 */
const char *mjcf_asset_path(mjcf_file *f, const xml_element *e);

/* Where an element is in its body, in any of MuJoCo's ways but fromto. */
void mjcf_read_pose(const mjcf_file *f, const xml_element *e, const char *class_name,
                    double place[3], double turn[4]);

/* <frame> and <replicate> in a body, in the bodies in it, and so on. */
void mjcf_expand_frames(const mjcf_file *f, xml_element *parent, const char *class_name);

/* The friction of the elements of our plugin, as the text of a configuration; NULL: there are none.
 * They are taken out. */
const char *mjcf_take_friction(mjcf_file *f);

/* The text for MuJoCo. What is left out is logged, the first time. */
const char *mjcf_write(mjcf_file *f, size_t *size);
/* Replaces a mesh by its hull, in the next text. */
void mjcf_use_hull(mjcf_file *f, const char *name);
/* Where an object, or a line of that text, comes from. An engine_locate of an mjcf_file. */
stiction_place mjcf_locate(const void *file, const char *object, int line);

typedef struct mjcf_source {
    robot_source robot;
    const mjcf_file *file;
    const char *friction; /* of elements of our plugin, as the text of a configuration; or NULL */
} mjcf_source;

/* The model as MuJoCo compiles it, with the XML of the file. */
mjcf_source mjcf_load(reader *r, stiction_place at, const char *path, bool for_masses);

/* Sets what the model says about a joint with one axis; its range only if limits act. */
void mjcf_set_joint(const mjModel *model, int joint, bool limited, body_link *link);
/* Whether it is a hinge or a slide. */
bool mjcf_has_axis(const mjModel *model, int joint);

/* See robot_look. */
robot_bodies mjcf_read_look(reader *r, stiction_place at, const char *path);

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
    unsigned *type, *affinity;         /* by geom, as in MuJoCo, and so that pairs touch */
} mjcf_import;

stiction_place mjcf_body_place(const mjcf_import *m, int body);

/* Fills type and affinity. */
void mjcf_read_contacts(mjcf_import *m);
/* The shapes of a body that touch others, added to a link. `frame` is that of the body, in the
 * link's. */
void mjcf_add_shapes(mjcf_import *m, body_file *file, body_link *link, int body,
                     const double position[3], const double turn[4]);

/* Equalities, tendons, and pairs that never touch. */
void mjcf_read_equalities(mjcf_import *m);
void mjcf_read_tendons(mjcf_import *m);
void mjcf_read_separations(mjcf_import *m);

/* Adds the postures of <keyframe> to the robot. */
void mjcf_read_keyframes(mjcf_import *m);

/* Refuses what would act and has no place in a world of ours, and warns of the rest. */
void mjcf_check(const mjcf_import *m);

#endif
