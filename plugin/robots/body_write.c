/* SPDX-License-Identifier: MIT
 * Links as a Choreonoid .body file, with which a robot of another format opens there.
 */
#include <math.h>
#include <string.h>

#include "document/number.h"
#include "document/yaml_write.h"
#include "hull.h"
#include "robot_bodies.h"

/* Of a plane, which a .body has not: a box this long and thick below it, m. */
static const double plane_length = 20, plane_thickness = 0.2;

/* One number, or a list of several. */
static void write_numbers(FILE *out, const char *before, const double *numbers, int count,
                          const char *after) {
    char text[NUMBER_SIZE];
    fprintf(out, "%s%s", before, count > 1 ? "[ " : "");
    for (int k = 0; k < count; k++)
        fprintf(out, "%s%s", k ? ", " : "", stiction_number_write(numbers[k], text));
    fprintf(out, "%s%s", count > 1 ? " ]" : "", after);
}

static void write_key(FILE *out, const char *key, const double *numbers, int count) {
    fprintf(out, "    %s: ", key);
    write_numbers(out, "", numbers, count, "\n");
}

static void write_name(FILE *out, const char *key, const char *name) {
    fprintf(out, "    %s: ", key);
    (void)stiction_yaml_write_text(out, name);
    fputc('\n', out);
}

void body_axis_angle(const double quaternion[4], double axis_angle[4]) {
    const double sign = quaternion[0] < 0 ? -1 : 1;
    mju_scl3(axis_angle, quaternion + 1, sign);
    const double length = mju_norm3(axis_angle);
    axis_angle[3] = 2 * atan2(length, sign * quaternion[0]) * 180 / mjPI;
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
        const double end = unit * ends[k];
        if (k) fputs(", ", out);
        if (isfinite(end))
            write_numbers(out, "", &end, 1, "");
        else
            fputs("unlimited", out);
    }
    fputs(" ]\n", out);
}

static void write_joint(FILE *out, const body_link *link) {
    static const char *const types[] = {"fixed", "free", "revolute", "prismatic", "fixed"};
    fprintf(out, "    joint_type: %s\n", types[link->joint]);
    if (link->joint == BODY_FIXED || link->joint == BODY_FREE || link->joint == BODY_BALL) return;
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

/* A mesh touches as its convex hull, so that is what a .body gets. */
static void write_hull(FILE *out, const hull_faces *faces) {
    write_numbers(out, "{ type: TriangleMesh, vertices: ", faces->points,
                  3 * (int)faces->point_count, ", faces: [ ");
    for (size_t k = 0; k < faces->triangle_count; k++)
        fprintf(out, "%s%u, %u, %u", k ? ", " : "", faces->triangles[k][0], faces->triangles[k][1],
                faces->triangles[k][2]);
    fputs(" ] }\n", out);
}

static void write_geometry(FILE *out, const body_shape *s, const hull_faces *faces) {
    const double *half = s->size, size[3] = {2 * half[0], 2 * half[1], 2 * half[2]};
    const double slab[3] = {plane_length, plane_length, plane_thickness};
    switch (s->kind) {
    case BODY_BOX:
        write_numbers(out, "{ type: Box, size: ", size, 3, " }\n");
        break;
    case BODY_PLANE:
        write_numbers(out, "{ type: Box, size: ", slab, 3, " }\n");
        break;
    case BODY_CYLINDER:
    case BODY_CAPSULE:
        fprintf(out, "{ type: %s, ", s->kind == BODY_CYLINDER ? "Cylinder" : "Capsule");
        write_numbers(out, "radius: ", half, 1, "");
        write_numbers(out, ", height: ", &size[1], 1, " }\n");
        break;
    case BODY_SPHERE:
        write_numbers(out, "{ type: Sphere, radius: ", half, 1, " }\n");
        break;
    case BODY_ELLIPSOID: /* its scale makes it one */
        fputs("{ type: Sphere, radius: 1 }\n", out);
        break;
    case BODY_MESH:
        write_hull(out, faces);
        break;
    }
}

static void write_shape(FILE *out, const body_shape *s, const hull_faces *faces) {
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
    write_numbers(out, "      -\n        type: Shape\n        translation: ", at, 3, "\n");
    write_numbers(out, "        rotation: ", turn, 4, "\n");
    if (s->kind == BODY_ELLIPSOID) write_numbers(out, "        scale: ", s->size, 3, "\n");
    fputs("        geometry: ", out);
    write_geometry(out, s, faces);
    write_numbers(out, "        appearance: { material: { diffuse: ", s->color, 3, " } }\n");
}

/* How many meshes are flat, which have no hull. */
static size_t write_shapes(reader *r, FILE *out, const body_link *link) {
    size_t flat = 0;
    for (size_t k = 0; k < link->shape_count; k++) {
        const body_shape *s = &link->shapes[k];
        hull_faces faces = {.triangle_count = 0};
        if (s->kind == BODY_MESH) faces = hull_of_points(r, s->vertices, s->vertex_count);
        const bool is_flat = s->kind == BODY_MESH && !faces.triangle_count;
        if (!is_flat && k == flat) fputs("    elements:\n", out);
        if (!is_flat) write_shape(out, s, &faces);
        flat += is_flat;
    }
    return flat;
}

/* ---- the whole ---- */

static void write_ball(FILE *out, const body_file *body, const body_equality *e) {
    static const char *const points[] = {"translation_in_link1", "translation_in_link2"};
    fputs("  -\n    joint_type: ball\n", out);
    write_name(out, "link1_name", body->links[e->link[0]].name);
    write_name(out, "link2_name", body->links[e->link[1]].name);
    for (int k = 0; k < 2; k++) write_key(out, points[k], e->point[k], 3);
}

static bool is_coupling(const body_equality *e) {
    return e->kind == BODY_COUPLE && e->link[1] >= 0;
}

static void write_couplings(FILE *out, const body_file *body) {
    size_t written = 0;
    for (size_t k = 0; k < body->equality_count; k++) {
        const body_equality *e = &body->equalities[k];
        if (!is_coupling(e)) continue;
        if (written++ == 0) fputs("\n" BODY_COUPLINGS ":\n", out);
        fputs("  -\n", out);
        write_name(out, "joint", body->links[e->link[0]].joint_name);
        write_name(out, "follows", body->links[e->link[1]].joint_name);
        write_key(out, "polynomial", e->polynomial, 5);
    }
}

static size_t write_loops(FILE *out, const body_file *body) {
    size_t written = 0, other = 0;
    for (size_t k = 0; k < body->equality_count; k++) {
        const body_equality *e = &body->equalities[k];
        other += is_coupling(e);
        if (e->kind != BODY_CONNECT || e->link[0] < 0 || e->link[1] < 0) continue;
        if (written++ == 0) fputs("\nextra_joints:\n", out);
        write_ball(out, body, e);
    }
    return body->equality_count - written - other;
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
        meshes += write_shapes(r, out, &body->links[k]);
        springs += body->links[k].stiffness > 0;
    }
    const size_t ties = write_loops(out, body);
    write_couplings(out, body);
    if (meshes)
        stiction_reader_warn(r, at, "%zu flat mesh%s not written as shapes of a .body", meshes,
                             meshes > 1 ? "es are" : " is");
    if (springs)
        stiction_reader_warn(r, at, "a .body has no springs: those of %zu joint%s are left out",
                             springs, springs > 1 ? "s" : "");
    if (body->medium[0] > 0 || body->medium[1] > 0)
        stiction_reader_warn(r, at, "a .body has no medium that it moves in: it is left out");
    if (body->tendon_count)
        stiction_reader_warn(r, at, "a .body has no tendons: %zu left out", body->tendon_count);
    if (ties)
        stiction_reader_warn(
            r, at,
            "a .body has no such equalities: %zu, other than points held together and joints "
            "that follow others, left out",
            ties);
}
