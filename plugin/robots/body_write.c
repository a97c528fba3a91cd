/* SPDX-License-Identifier: MIT
 * Links as a Choreonoid .body file, with which a robot of another format opens there.
 */
#include <math.h>
#include <string.h>

#include "document/number.h"
#include "document/yaml_write.h"
#include "robot_bodies.h"

/* Of a plane, which a .body has not: a box this long and thick below it, m. */
static const double plane_length = 20, plane_thickness = 0.2;

static void write_number(FILE *out, double value) {
    char text[NUMBER_SIZE];
    fputs(stiction_number_write(value, text), out);
}

static void write_numbers(FILE *out, const double *numbers, int count) {
    fputs("[ ", out);
    for (int k = 0; k < count; k++) {
        if (k) fputs(", ", out);
        write_number(out, numbers[k]);
    }
    fputs(" ]", out);
}

static void write_key(FILE *out, const char *key, const double *numbers, int count) {
    fprintf(out, "    %s: ", key);
    if (count == 1)
        write_number(out, *numbers);
    else
        write_numbers(out, numbers, count);
    fputc('\n', out);
}

static void write_name(FILE *out, const char *key, const char *name) {
    fprintf(out, "    %s: ", key);
    (void)stiction_yaml_write_text(out, name);
    fputc('\n', out);
}

static double degrees(double angle) {
    return angle * 180 / mjPI;
}

void body_axis_angle(const double quaternion[4], double axis_angle[4]) {
    const double sign = quaternion[0] < 0 ? -1 : 1;
    mju_scl3(axis_angle, quaternion + 1, sign);
    const double length = mju_norm3(axis_angle);
    axis_angle[3] = degrees(2 * atan2(length, sign * quaternion[0]));
    if (length > 0)
        mju_scl3(axis_angle, axis_angle, 1 / length);
    else
        axis_angle[0] = 1;
}

/* ---- joints ---- */

static void write_range(FILE *out, const body_link *link) {
    const double unit = link->joint == BODY_REVOLUTE ? 180 / mjPI : 1;
    const double ends[2] = {link->lower, link->upper};
    fputs("    joint_range: [ ", out);
    for (int k = 0; k < 2; k++) {
        if (k) fputs(", ", out);
        if (isfinite(ends[k]))
            write_number(out, unit * ends[k]);
        else
            fputs("unlimited", out);
    }
    fputs(" ]\n", out);
}

static void write_joint(FILE *out, const body_link *link) {
    static const char *const types[] = {"fixed", "free", "revolute", "prismatic"};
    fprintf(out, "    joint_type: %s\n", types[link->joint]);
    if (link->joint == BODY_FIXED || link->joint == BODY_FREE) return;
    const double unit = link->joint == BODY_REVOLUTE ? 180 / mjPI : 1;
    const double start = unit * link->displacement, one = 1;
    if (strcmp(link->joint_name, link->name) != 0) write_name(out, "joint_name", link->joint_name);
    if (link->joint_id >= 0) fprintf(out, "    joint_id: %d\n", link->joint_id);
    write_key(out, "joint_axis", link->axis, 3);
    write_range(out, link);
    if (start != 0) write_key(out, "joint_displacement", &start, 1);
    if (isfinite(link->effort.value)) write_key(out, "max_joint_effort", &link->effort.value, 1);
    if (isfinite(link->velocity_limit)) {
        const double velocity = unit * link->velocity_limit;
        write_key(out, "max_joint_velocity", &velocity, 1);
    }
    if (link->armature > 0) {
        const bool stated = !isnan(link->rotor.value) && !isnan(link->gear_ratio.value);
        write_key(out, "rotor_inertia", stated ? &link->rotor.value : &link->armature, 1);
        write_key(out, "gear_ratio", stated ? &link->gear_ratio.value : &one, 1);
    }
}

/* ---- shapes ---- */

/* Choreonoid's axis is y. */
static void turn_axis(double rotation[4]) {
    const double about_x[3] = {1, 0, 0};
    double quarter[4], turned[4];
    mju_axisAngle2Quat(quarter, about_x, mjPI / 2);
    mju_mulQuat(turned, rotation, quarter);
    mju_copy4(rotation, turned);
}

static void write_round(FILE *out, const char *type, const double size[3]) {
    fprintf(out, "{ type: %s, radius: ", type);
    write_number(out, size[0]);
    fputs(", height: ", out);
    write_number(out, 2 * size[1]);
    fputs(" }\n", out);
}

static void write_box(FILE *out, const double half[3]) {
    const double size[3] = {2 * half[0], 2 * half[1], 2 * half[2]};
    fputs("{ type: Box, size: ", out);
    write_numbers(out, size, 3);
    fputs(" }\n", out);
}

static void write_geometry(FILE *out, const body_shape *s) {
    const double slab[3] = {plane_length / 2, plane_length / 2, plane_thickness / 2};
    switch (s->kind) {
    case BODY_BOX:
        write_box(out, s->size);
        break;
    case BODY_PLANE:
        write_box(out, slab);
        break;
    case BODY_CYLINDER:
        write_round(out, "Cylinder", s->size);
        break;
    case BODY_CAPSULE:
        write_round(out, "Capsule", s->size);
        break;
    case BODY_SPHERE:
        fputs("{ type: Sphere, radius: ", out);
        write_number(out, s->size[0]);
        fputs(" }\n", out);
        break;
    case BODY_ELLIPSOID:
        fputs("{ type: Sphere, radius: 1 }\n", out);
        break;
    case BODY_MESH:
        break;
    }
}

static void write_shape(FILE *out, const body_shape *s) {
    double rotation[4], turn[4], at[3];
    mju_copy4(rotation, s->rotation);
    mju_copy3(at, s->translation);
    if (s->kind == BODY_CYLINDER || s->kind == BODY_CAPSULE) turn_axis(rotation);
    if (s->kind == BODY_PLANE) {
        const double below[3] = {0, 0, -plane_thickness / 2};
        double way[3];
        mju_rotVecQuat(way, below, rotation);
        mju_addTo3(at, way);
    }
    body_axis_angle(rotation, turn);
    const bool ball = s->kind == BODY_ELLIPSOID;
    fputs("      -\n        type: Shape\n        translation: ", out);
    write_numbers(out, at, 3);
    fputs("\n        rotation: ", out);
    write_numbers(out, turn, 4);
    if (ball) {
        fputs("\n        scale: ", out);
        write_numbers(out, s->size, 3);
    }
    fputs("\n        geometry: ", out);
    write_geometry(out, s);
    fputs("        appearance: { material: { diffuse: ", out);
    write_numbers(out, s->color, 3);
    fputs(" } }\n", out);
}

/* How many shapes cannot be written. */
static size_t write_shapes(FILE *out, const body_link *link) {
    size_t left_out = 0;
    for (size_t k = 0; k < link->shape_count; k++) left_out += link->shapes[k].kind == BODY_MESH;
    if (left_out < link->shape_count) fputs("    elements:\n", out);
    for (size_t k = 0; k < link->shape_count; k++)
        if (link->shapes[k].kind != BODY_MESH) write_shape(out, &link->shapes[k]);
    return left_out;
}

/* ---- the whole ---- */

static void write_ball(FILE *out, const body_file *body, const body_equality *e) {
    static const char *const points[] = {"translation_in_link1", "translation_in_link2"};
    fputs("  -\n    joint_type: ball\n", out);
    write_name(out, "link1_name", body->links[e->link[0]].name);
    write_name(out, "link2_name", body->links[e->link[1]].name);
    for (int k = 0; k < 2; k++) write_key(out, points[k], e->point[k], 3);
}

static size_t write_loops(FILE *out, const body_file *body) {
    size_t written = 0;
    for (size_t k = 0; k < body->equality_count; k++) {
        const body_equality *e = &body->equalities[k];
        if (e->kind != BODY_CONNECT || e->link[0] < 0 || e->link[1] < 0) continue;
        if (written++ == 0) fputs("\nextra_joints:\n", out);
        write_ball(out, body, e);
    }
    return body->equality_count - written;
}

static void write_link(FILE *out, const body_file *body, const body_link *link) {
    double turn[4];
    fputs("  -\n", out);
    write_name(out, "name", link->name);
    if (link->parent >= 0) write_name(out, "parent", body->links[link->parent].name);
    body_axis_angle(link->rotation, turn);
    write_key(out, "translation", link->translation, 3);
    if (turn[3] != 0) write_key(out, "rotation", turn, 4);
    write_joint(out, link);
    write_key(out, "mass", &link->mass, 1);
    write_key(out, "center_of_mass", link->center, 3);
    write_key(out, "inertia", link->inertia, 9);
    if (link->material) write_name(out, "material", link->material);
}

void body_write_yaml(reader *r, FILE *out, const body_file *body) {
    const stiction_place at = {body->path, 0, 0};
    size_t meshes = 0, springs = 0;
    fputs("format: ChoreonoidBody\nformat_version: 2.0\nname: ", out);
    (void)stiction_yaml_write_text(out, body->name ? body->name : "robot");
    fputs("\nroot_link: ", out);
    (void)stiction_yaml_write_text(out, body->links[body->root].name);
    fputs("\n\nlinks:\n", out);
    for (size_t k = 0; k < body->count; k++) {
        write_link(out, body, &body->links[k]);
        meshes += write_shapes(out, &body->links[k]);
        springs += body->links[k].stiffness > 0;
    }
    const size_t ties = write_loops(out, body);
    if (meshes)
        stiction_reader_warn(r, at, "%zu mesh%s not written as shapes of a .body", meshes,
                             meshes > 1 ? "es are" : " is");
    if (springs)
        stiction_reader_warn(r, at, "a .body has no springs: those of %zu joint%s are left out",
                             springs, springs > 1 ? "s" : "");
    if (body->tendon_count)
        stiction_reader_warn(r, at, "a .body has no tendons: %zu left out", body->tendon_count);
    if (ties)
        stiction_reader_warn(
            r, at,
            "a .body has no such equalities: %zu, other than points held together, "
            "left out",
            ties);
}
