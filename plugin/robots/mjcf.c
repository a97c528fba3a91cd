/* SPDX-License-Identifier: MIT
 * MJCF: read by MuJoCo from its file. The XML is read a second time only to say where the numbers
 * of the joints stand, which MuJoCo does not keep.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf_reader.h"

enum { deepest = 20, most_classes = 1000 }; /* files in files */

/* A class of defaults. */
typedef struct defaults {
    const char *name;
    const xml_element *joint; /* NULL: it says nothing about joints */
    const struct defaults *parent;
    struct defaults *next;
} defaults;

typedef struct mjcf {
    reader *r;
    const char *path;
    robot_source source;
    mjcf_place *bodies; /* those with a name */
    size_t body_count;
    defaults *classes;
    int class_count;
} mjcf;

static bool holds_bodies(const xml_element *e) {
    return strcmp(e->name, "worldbody") == 0 || strcmp(e->name, "body") == 0;
}

/* Puts the elements of included files in the place of <include>, beside and in bodies. */
static void expand_includes(mjcf *m, xml_element *parent, int depth) {
    for (xml_element **at = &parent->first_child, *e; (e = *at);) {
        if (strcmp(e->name, "include") != 0) {
            if (holds_bodies(e)) expand_includes(m, e, depth);
            at = &e->next;
            continue;
        }
        if (depth == deepest)
            stiction_reader_refuse(m->r, e->at, "files include each other without end");
        size_t size;
        const char *path = stiction_reader_beside(m->r, m->path, xml_required(m->r, e, "file"));
        const char *text = stiction_reader_file(m->r, e->at, path, &size);
        xml_element *root = xml_parse(m->r, path, text, size);
        expand_includes(m, root, depth + 1);
        *at = root->first_child;
        while (*at) at = &(*at)->next;
        *at = e->next;
    }
}

static defaults *find_class(const mjcf *m, const char *name) {
    defaults *d = m->classes;
    while (d && strcmp(d->name, name) != 0) d = d->next;
    return d;
}

/* <default class=...>, which may hold others; the outermost is called main. */
static void read_defaults(mjcf *m, const xml_element *e, const char *parent) {
    const char *name = xml_attribute(e, "class");
    if (!name) name = "main";
    defaults *d = find_class(m, name);
    if (!d) {
        if (m->class_count++ == most_classes)
            stiction_reader_refuse(m->r, e->at, "has more than %d classes of defaults",
                                   most_classes);
        d = stiction_reader_alloc(m->r, sizeof *d);
        *d = (defaults){name, NULL, parent ? find_class(m, parent) : NULL, m->classes};
        m->classes = d;
    }
    const xml_element *joint = xml_child(e, "joint");
    if (joint) d->joint = joint;
    for (e = xml_child(e, "default"); e; e = xml_next(e, "default")) read_defaults(m, e, name);
}

/* The element that gives a joint this attribute: its own, or one of its defaults. */
static const xml_element *find_stated(const mjcf *m, const xml_element *joint,
                                      const char *class_name, const char *attribute) {
    if (xml_attribute(joint, attribute)) return joint;
    const char *own = xml_attribute(joint, "class");
    for (const defaults *d = find_class(m, own ? own : class_name); d; d = d->parent)
        if (d->joint && xml_attribute(d->joint, attribute)) return d->joint;
    return NULL;
}

static robot_number stated(const mjcf *m, const xml_element *joint, const char *class_name,
                           const char *attribute, const mjtNum *values, int dof) {
    const xml_element *e = find_stated(m, joint, class_name, attribute);
    return e ? number_at(e->at, values[dof]) : robot_not_stated;
}

void mjcf_set_joint(const mjModel *model, int joint, bool limited, body_link *link) {
    link->joint = model->jnt_type[joint] == mjJNT_HINGE ? BODY_REVOLUTE : BODY_PRISMATIC;
    mju_copy3(link->axis, model->jnt_axis + 3 * joint);
    link->armature = model->dof_armature[model->jnt_dofadr[joint]];
    limited = limited && model->jnt_limited[joint];
    link->lower = limited ? model->jnt_range[2 * joint] : -(double)INFINITY;
    link->upper = limited ? model->jnt_range[2 * joint + 1] : (double)INFINITY;
}

bool mjcf_has_axis(const mjModel *model, int joint) {
    return model->jnt_type[joint] == mjJNT_HINGE || model->jnt_type[joint] == mjJNT_SLIDE;
}

/* All joints with an axis and a name. */
static void list_joints(mjcf *m) {
    const mjModel *model = m->source.model;
    m->source.links =
        stiction_reader_alloc(m->r, ((size_t)model->njnt + 1) * sizeof *m->source.links);
    for (int k = 0; k < model->njnt; k++) {
        const char *name = mj_id2name(model, mjOBJ_JOINT, k);
        if (!mjcf_has_axis(model, k) || !name) continue;
        body_link *link = &m->source.links[m->source.link_count++];
        *link = body_new_link((stiction_place){m->path, 0, 0});
        link->joint_name = name;
        mjcf_set_joint(model, k, true, link);
    }
}

static void read_joint(mjcf *m, const xml_element *e, const char *class_name) {
    const mjModel *model = m->source.model;
    const char *name = xml_attribute(e, "name");
    if (!name && m->source.nameless_at.line == 0) m->source.nameless_at = e->at;
    body_link *link = name ? robot_find_joint(&m->source, name) : NULL;
    if (!link) return;
    const int dof = model->jnt_dofadr[mj_name2id(model, mjOBJ_JOINT, name)];
    link->friction = stated(m, e, class_name, "frictionloss", model->dof_frictionloss, dof);
    link->damping = stated(m, e, class_name, "damping", model->dof_damping, dof);
}

static void note_body(mjcf *m, const xml_element *e) {
    const char *name = xml_attribute(e, "name");
    if (!name) return;
    m->bodies = stiction_reader_grow(m->r, m->bodies, m->body_count, sizeof *m->bodies);
    m->bodies[m->body_count++] = (mjcf_place){name, e->at};
}

static void visit_bodies(mjcf *m, const xml_element *e, const char *class_name) {
    if (strcmp(e->name, "body") == 0) note_body(m, e);
    if (strcmp(e->name, "joint") == 0) read_joint(m, e, class_name);
    if (!holds_bodies(e)) return;
    const char *child_class = xml_attribute(e, "childclass");
    for (const xml_element *c = e->first_child; c; c = c->next)
        visit_bodies(m, c, child_class ? child_class : class_name);
}

/* The largest torque of a motor, or infinity: what its force range or its control range lets
 * through. */
static double largest_effort(const mjModel *model, int k) {
    const double gear = fabs(model->actuator_gear[6 * k]);
    const mjtNum *force = model->actuator_forcerange + 2 * k;
    const mjtNum *control = model->actuator_ctrlrange + 2 * k;
    if (model->actuator_forcelimited[k]) return gear * fmax(fabs(force[0]), fabs(force[1]));
    const bool direct = model->actuator_gaintype[k] == mjGAIN_FIXED &&
                        model->actuator_biastype[k] == mjBIAS_NONE &&
                        model->actuator_ctrllimited[k];
    const double gain = fabs(model->actuator_gainprm[mjNGAIN * k]);
    return direct ? gear * gain * fmax(fabs(control[0]), fabs(control[1])) : (double)INFINITY;
}

static void read_efforts(mjcf *m) {
    const mjModel *model = m->source.model;
    for (int k = 0; k < model->nu; k++) {
        if (model->actuator_trntype[k] != mjTRN_JOINT) continue;
        const char *name = mj_id2name(model, mjOBJ_JOINT, model->actuator_trnid[2 * k]);
        const double effort = largest_effort(model, k);
        body_link *link = name ? robot_find_joint(&m->source, name) : NULL;
        if (link && isfinite(effort))
            link->effort = number_at((stiction_place){m->path, 0, 0}, effort);
    }
}

mjcf_source mjcf_load(reader *r, stiction_place at, const char *path) {
    size_t size;
    const char *text = stiction_reader_file(r, at, path, &size);
    xml_element *root = xml_parse(r, path, text, size);
    if (strcmp(root->name, "mujoco") != 0)
        stiction_reader_refuse(r, root->at, "is not MJCF: it begins with %s, not with <mujoco>",
                               xml_kind(root));
    mjcf_permit_files(r, path, root);
    mjcf m = {.r = r, .path = path};
    m.source.name = xml_attribute(root, "model");
    m.source.model = engine_load(r, path, NULL, 0, NULL, NULL);
    list_joints(&m);
    expand_includes(&m, root, 0);
    for (const xml_element *e = xml_child(root, "default"); e; e = xml_next(e, "default"))
        read_defaults(&m, e, NULL);
    for (const xml_element *e = root->first_child; e; e = e->next) visit_bodies(&m, e, "main");
    read_efforts(&m);
    return (mjcf_source){m.source, m.bodies, m.body_count};
}

robot_source read_mjcf_robot(reader *r, const char *path, const robot_options *options) {
    const robot_source source = mjcf_load(r, (stiction_place){path, 0, 0}, path).robot;
    bool floats = false;
    for (int k = 0; k < source.model->njnt; k++)
        floats = floats || source.model->jnt_type[k] == mjJNT_FREE;
    if (options->base != ROBOT_BASE_OF_FILE && floats != (options->base == ROBOT_BASE_FREE))
        stiction_reader_warn(r, (stiction_place){path, 0, 0},
                             "the joints are judged with the base that the file has, which %s",
                             floats ? "floats" : "is fixed");
    return source;
}
