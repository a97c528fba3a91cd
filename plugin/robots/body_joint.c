/* SPDX-License-Identifier: MIT
 * The position of a link of a .body and its joint.
 */
#include <math.h>
#include <string.h>

#include "body_reader.h"
#include "document/names.h"

double body_angle(const body_reader *b, double angle) {
    return b->degrees ? angle * mjPI / 180 : angle;
}

static bool is_list_of_lists(const tree_node *node) {
    return node->kind == TREE_LIST && node->count && node->first->value->kind == TREE_LIST;
}

/* Three numbers, or a list of such, which add up. */
bool body_translation(body_reader *b, const tree_node *map, double translation[3]) {
    const tree_node *node = stiction_doc_find(b->r, map, "translation");
    if (!node) return false;
    if (!is_list_of_lists(node)) {
        stiction_doc_numbers(b->r, node, "translation", 3, translation);
        return true;
    }
    mju_zero3(translation);
    for (const tree_entry *e = node->first; e; e = e->next) {
        double one[3];
        stiction_doc_numbers(b->r, e->value, "translation", 3, one);
        mju_addTo3(translation, one);
    }
    return true;
}

static void read_axis_angle(body_reader *b, const tree_node *node, double quaternion[4]) {
    double n[4];
    stiction_doc_numbers(b->r, node, "rotation", 4, n);
    if (mju_normalize3(n) < 1e-6)
        stiction_reader_refuse(b->r, node->at, "the axis of a rotation must not be zero");
    mju_axisAngle2Quat(quaternion, n, body_angle(b, n[3]));
}

/* An axis and an angle, or a list of such, of which the last is applied first. */
bool body_rotation(body_reader *b, const tree_node *map, double quaternion[4]) {
    const tree_node *node = stiction_doc_find(b->r, map, "rotation");
    if (!node) return false;
    if (!is_list_of_lists(node)) {
        read_axis_angle(b, node, quaternion);
        return true;
    }
    mju_unit4(quaternion);
    for (const tree_entry *e = node->first; e; e = e->next) {
        double one[4], product[4];
        read_axis_angle(b, e->value, one);
        mju_mulQuat(product, quaternion, one);
        mju_copy4(quaternion, product);
    }
    return true;
}

static const struct {
    const char *name;
    body_joint joint;
} joint_types[] = {
    {"fixed", BODY_FIXED},
    {"free", BODY_FREE},
    {"revolute", BODY_REVOLUTE},
    {"prismatic", BODY_PRISMATIC},
    {"slide", BODY_PRISMATIC},
    /* to the dynamics a link like any other that is fixed: only its surface moves */
    {"pseudo_continuous_track", BODY_FIXED},
    {"pseudoContinuousTrack", BODY_FIXED},
};
enum { joint_type_count = sizeof joint_types / sizeof joint_types[0] };

static body_joint read_joint_type(reader *r, const tree_node *node) {
    const char *name = stiction_doc_text(r, node, "joint_type");
    for (size_t k = 0; k < joint_type_count; k++)
        if (strcmp(joint_types[k].name, name) == 0) return joint_types[k].joint;
    const char *names[joint_type_count];
    for (size_t k = 0; k < joint_type_count; k++) names[k] = joint_types[k].name;
    const char *nearest = stiction_nearest_name(name, names, joint_type_count);
    stiction_reader_refuse(r, node->at, "joint_type '%s' is not read; %s%s", name,
                           nearest ? "the nearest is " : "there are fixed, free, revolute and ",
                           nearest ? nearest : "prismatic");
}

/* [x, y, z], or X, -X, ... */
static void read_axis(reader *r, const tree_node *node, double axis[3]) {
    if (node->kind == TREE_LIST) {
        stiction_doc_numbers(r, node, "joint_axis", 3, axis);
        if (mju_normalize3(axis) < 1e-6)
            stiction_reader_refuse(r, node->at, "joint_axis must not be zero");
        return;
    }
    static const char letters[] = "xyzXYZ";
    const char *text = stiction_doc_text(r, node, "joint_axis");
    const double sign = *text == '-' ? -1 : 1;
    if (sign < 0) text++;
    const char *letter = *text ? strchr(letters, *text) : NULL;
    if (!letter || text[1])
        stiction_reader_refuse(r, node->at,
                               "joint_axis must be a list or one of X, Y, Z, -X, -Y, -Z");
    mju_zero3(axis);
    axis[(letter - letters) % 3] = sign;
}

static double read_limit(reader *r, const tree_node *node, const char *what, double unlimited) {
    static const char *const names[] = {"unlimited", "inf", "-inf"};
    for (size_t k = 0; node->kind == TREE_SCALAR && k < sizeof names / sizeof names[0]; k++)
        if (strcmp(node->text, names[k]) == 0) return unlimited;
    return stiction_doc_number(r, node, what);
}

/* Two numbers, each of which may be without a limit. */
static void read_pair(reader *r, const tree_node *node, const char *what, double pair[2]) {
    stiction_doc_expect(r, node, TREE_LIST, what);
    if (node->count != 2)
        stiction_reader_refuse(r, node->at, "%s must have 2 numbers, not %zu", what, node->count);
    pair[0] = read_limit(r, node->first->value, what, -(double)INFINITY);
    pair[1] = read_limit(r, node->last->value, what, (double)INFINITY);
}

static void read_range(body_reader *b, const tree_node *map, body_link *link) {
    double range[2] = {-(double)INFINITY, (double)INFINITY};
    const tree_node *node = stiction_doc_find(b->r, map, "joint_range");
    if (node && node->kind == TREE_SCALAR) {
        range[1] = read_limit(b->r, node, "joint_range", (double)INFINITY);
        range[0] = -range[1];
    } else if (node) {
        read_pair(b->r, node, "joint_range", range);
    }
    if (range[0] > range[1])
        stiction_reader_refuse(b->r, node->at, "joint_range begins at %g, above its end at %g",
                               range[0], range[1]);
    const bool turns = link->joint == BODY_REVOLUTE;
    link->lower = turns ? body_angle(b, range[0]) : range[0];
    link->upper = turns ? body_angle(b, range[1]) : range[1];
}

static void read_velocity_limit(body_reader *b, const tree_node *map, body_link *link) {
    const tree_node *largest = stiction_doc_find(b->r, map, "max_joint_velocity");
    const tree_node *range = stiction_doc_find(b->r, map, "joint_velocity_range");
    double pair[2];
    if (largest) {
        link->velocity_limit =
            fabs(read_limit(b->r, largest, "max_joint_velocity", (double)INFINITY));
    } else if (range) {
        read_pair(b->r, range, "joint_velocity_range", pair);
        link->velocity_limit = fmin(fabs(pair[0]), fabs(pair[1]));
    }
    if (link->joint == BODY_REVOLUTE) link->velocity_limit = body_angle(b, link->velocity_limit);
}

static robot_number read_stated(reader *r, const tree_node *map, const char *key) {
    const tree_node *node = stiction_doc_find(r, map, key);
    return node ? number_at(node->at, stiction_doc_number(r, node, key)) : robot_not_stated;
}

/* joint_axis_inertia, or the rotor's times the square of the gear ratio. */
static void read_rotor(body_reader *b, const tree_node *map, body_link *link) {
    link->rotor = read_stated(b->r, map, "rotor_inertia");
    link->gear_ratio = read_stated(b->r, map, "gear_ratio");
    const double ratio = isnan(link->gear_ratio.value) ? 1 : link->gear_ratio.value;
    const double rotor = isnan(link->rotor.value) ? 0 : ratio * ratio * link->rotor.value;
    link->armature = body_number(b, map, "joint_axis_inertia", rotor);
    if (link->armature < 0)
        stiction_reader_refuse(b->r, map->at,
                               "the inertia of a rotor must not be negative, but is %g",
                               link->armature);
}

static void read_displacement(body_reader *b, const tree_node *map, body_link *link) {
    const double none = (double)NAN, angle = body_number(b, map, "joint_angle", none),
                 displacement = body_number(b, map, "joint_displacement", none);
    const bool turns = link->joint == BODY_REVOLUTE;
    if (!isnan(angle)) link->displacement = body_angle(b, angle);
    if (!isnan(displacement))
        link->displacement = turns ? body_angle(b, displacement) : displacement;
}

static void read_actuation(reader *r, const tree_node *map, body_link *link) {
    static const char *const torque[] = {"joint_effort", "jointEffort", "jointTorque",
                                         "jointForce"};
    const tree_node *mode = stiction_doc_find(r, map, "actuation_mode");
    if (!mode) return;
    const char *name = stiction_doc_text(r, mode, "actuation_mode");
    bool is_torque = false;
    for (size_t k = 0; k < sizeof torque / sizeof torque[0]; k++)
        is_torque = is_torque || strcmp(torque[k], name) == 0;
    link->held_at = is_torque ? (stiction_place){0} : mode->at;
}

/* What a link and a body inside a body both state about their joint. */
void body_read_joint(body_reader *b, const tree_node *map, body_link *link) {
    reader *r = b->r;
    (void)body_translation(b, map, link->translation);
    (void)body_rotation(b, map, link->rotation);
    const tree_node *id = stiction_doc_find(r, map, "joint_id");
    const tree_node *type = stiction_doc_find(r, map, "joint_type");
    const tree_node *axis = stiction_doc_find(r, map, "joint_axis");
    if (id) {
        const double value = stiction_doc_number(r, id, "joint_id");
        if (value != floor(value) || value < -1 || value > BODY_MOST_JOINT_ID)
            stiction_reader_refuse(r, id->at, "joint_id %g must be a whole number from 0 to %d",
                                   value, BODY_MOST_JOINT_ID);
        link->joint_id = (int)value;
    }
    if (type) {
        link->joint = read_joint_type(r, type);
        link->track_at = strncmp(type->text, "pseudo", 6) == 0 ? type->at : (stiction_place){0};
    }
    read_actuation(r, map, link);
    if (axis) read_axis(r, axis, link->axis);
    const tree_node *effort = stiction_doc_find(r, map, "max_joint_effort");
    if (effort)
        link->effort =
            number_at(effort->at, read_limit(r, effort, "max_joint_effort", (double)INFINITY));
    read_displacement(b, map, link);
    read_range(b, map, link);
    read_velocity_limit(b, map, link);
    read_rotor(b, map, link);
}
