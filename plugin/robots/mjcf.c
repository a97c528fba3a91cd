/* SPDX-License-Identifier: MIT
 * MJCF: the model that MuJoCo compiles, and what it does not keep: the places of numbers in the
 * file, and the torque limits of actuators.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf_reader.h"

typedef struct mjcf {
    reader *r;
    const char *path;
    mjcf_file *file;
    robot_source source;
} mjcf;

static robot_number stated(const mjcf *m, const xml_element *joint, const char *class_name,
                           const char *attribute, const mjtNum *values, int dof) {
    const xml_element *e = mjcf_find_stated(m->file, joint, class_name, attribute);
    return e ? number_at(e->at, values[dof]) : robot_not_stated;
}

void mjcf_set_joint(const mjModel *model, int joint, bool limited, body_link *link) {
    static const body_joint types[] = {[mjJNT_FREE] = BODY_FREE,
                                       [mjJNT_BALL] = BODY_BALL,
                                       [mjJNT_SLIDE] = BODY_PRISMATIC,
                                       [mjJNT_HINGE] = BODY_REVOLUTE};
    link->joint = types[model->jnt_type[joint]];
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

/* The larger end of a range of forces as the torque limit of a joint. False: nothing limits. */
static bool read_range(const mjcf *m, const xml_element *e, const char *class_name,
                       const char *range, const char *limited, double factor, body_link *link) {
    const mjcf_file *f = m->file;
    const xml_element *stated = mjcf_find_stated(f, e, class_name, range);
    const char *flag = mjcf_stated(f, e, class_name, limited);
    double ends[2];
    if (!stated ||
        (flag && strcmp(flag, "auto") != 0 ? !mjcf_is_true(flag) : !mjcf_limits_itself(f)))
        return false;
    if (!xml_numbers(m->r, stated, range, 2, ends)) return false;
    const double most = factor * fmax(fabs(ends[0]), fabs(ends[1]));
    if (!(link->effort.value <= most)) link->effort = number_at(stated->at, most);
    return true;
}

static bool is_plain(const mjcf_file *f, const xml_element *e, const char *attribute,
                     const char *plain) {
    const char *value = mjcf_stated(f, e, "main", attribute);
    return !value || strcmp(value, plain) == 0;
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
    read_range(m, e, class_name, "actuatorfrcrange", "actuatorfrclimited", 1, link);
}

static void visit_bodies(mjcf *m, const xml_element *e, const char *class_name) {
    if (strcmp(e->name, "joint") == 0) read_joint(m, e, class_name);
    if (!mjcf_holds_bodies(e)) return;
    const char *child_class = xml_attribute(e, "childclass");
    for (const xml_element *c = e->first_child; c; c = c->next)
        visit_bodies(m, c, child_class ? child_class : class_name);
}

/* The torque limit of a joint from the largest force of an actuator, which a range of control times
 * the gain is only without feedback. */
static void read_effort(const mjcf *m, const xml_element *e) {
    const mjcf_file *f = m->file;
    const char *name = xml_attribute(e, "joint"), *gear = mjcf_stated(f, e, "main", "gear");
    body_link *link = name ? robot_find_joint(&m->source, name) : NULL;
    const double factor = gear ? fabs(strtod(gear, NULL)) : 1;
    if (!link || read_range(m, e, "main", "forcerange", "forcelimited", factor, link)) return;
    const char *gain = mjcf_stated(f, e, "main", "gainprm");
    const bool general = strcmp(e->name, "general") == 0;
    const bool direct =
        strcmp(e->name, "motor") == 0 ||
        (general && is_plain(f, e, "gaintype", "fixed") && is_plain(f, e, "biastype", "none"));
    if (direct)
        (void)read_range(m, e, "main", "ctrlrange", "ctrllimited",
                         factor * (general && gain ? fabs(strtod(gain, NULL)) : 1), link);
}

static void read_efforts(const mjcf *m) {
    for (const xml_element *a = xml_child(m->file->root, "actuator"); a;
         a = xml_next(a, "actuator"))
        for (const xml_element *e = a->first_child; e; e = e->next) read_effort(m, e);
}

static mjModel *compile(const mjcf *m) {
    char mesh[ENGINE_MESSAGE];
    for (;;) {
        size_t size;
        const char *text = mjcf_write(m->file, &size);
        mjModel *model = engine_load(
            m->r, &(engine_text){m->path, text, size, true, mjcf_locate, m->file, mesh});
        if (model) return model;
        mjcf_use_hull(m->file, mesh);
    }
}

mjcf_source mjcf_load(reader *r, stiction_place at, const char *path, bool for_masses) {
    mjcf m = {.r = r, .path = path, .file = mjcf_open(r, at, path)};
    m.file->for_masses = for_masses;
    const char *friction = mjcf_take_friction(m.file);
    m.source.name = xml_attribute(m.file->root, "model");
    m.source.model = compile(&m);
    list_joints(&m);
    for (const xml_element *e = m.file->root->first_child; e; e = e->next)
        visit_bodies(&m, e, "main");
    read_efforts(&m);
    return (mjcf_source){m.source, m.file, friction};
}

robot_source read_mjcf_robot(reader *r, const char *path, const robot_options *options) {
    const robot_source source = mjcf_load(r, (stiction_place){path, 0, 0}, path, true).robot;
    bool floats = false;
    for (int k = 0; k < source.model->njnt; k++)
        floats = floats || source.model->jnt_type[k] == mjJNT_FREE;
    if (options->base != ROBOT_BASE_OF_FILE && floats != (options->base == ROBOT_BASE_FREE))
        stiction_reader_warn(r, (stiction_place){path, 0, 0},
                             "the joints are judged with the base that the file has, which %s",
                             floats ? "floats" : "is fixed");
    return source;
}
