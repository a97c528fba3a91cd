/* SPDX-License-Identifier: MIT
 * The primitive shapes of a link, as MuJoCo's geoms have them: half lengths, the axis along z.
 * A shape that its frames shear or squeeze out of its kind becomes a mesh (body_mesh.c).
 */
#include <math.h>
#include <string.h>

#include "body_reader.h"

bool body_take_apart(const frame3 *frame, double quaternion[4], double scale[3]) {
    double R[9];
    memcpy(R, frame->linear, sizeof R);
    for (int k = 0; k < 3; k++) {
        scale[k] = sqrt(R[k] * R[k] + R[3 + k] * R[3 + k] + R[6 + k] * R[6 + k]);
        if (!(scale[k] > 0)) return false;
        for (int i = 0; i < 3; i++) R[3 * i + k] /= scale[k];
    }
    /* a mirror image: the shapes are their own */
    if (!rotation_is_proper(R))
        for (int i = 0; i < 3; i++) R[3 * i] = -R[3 * i];
    if (!rotation_is_proper(R)) return false;
    mju_mat2Quat(quaternion, R);
    mju_normalize4(quaternion);
    return true;
}

static double length_of(body_reader *b, const tree_node *map, const char *key) {
    const tree_node *node = stiction_doc_find(b->r, map, key);
    const double length = node ? stiction_doc_number(b->r, node, key) : 1;
    if (length < 0)
        stiction_reader_refuse(b->r, node->at, "%s %g must not be negative", key, length);
    return length;
}

static bool same(double a, double b) {
    return fabs(a - b) <= 1e-6 * fabs(a);
}

static bool read_box(body_reader *b, const tree_node *map, const double scale[3], body_shape *s) {
    double size[3] = {1, 1, 1};
    const tree_node *node = stiction_doc_find(b->r, map, "size");
    if (node) stiction_doc_numbers(b->r, node, "size", 3, size);
    s->kind = BODY_BOX;
    for (int k = 0; k < 3; k++) {
        if (size[k] < 0)
            stiction_reader_refuse(b->r, node->at, "size %g must not be negative", size[k]);
        s->size[k] = 0.5 * size[k] * scale[k];
    }
    return s->size[0] > 0 && s->size[1] > 0 && s->size[2] > 0;
}

static bool read_sphere(body_reader *b, const tree_node *map, const double scale[3],
                        body_shape *s) {
    const double radius = length_of(b, map, "radius");
    s->kind = same(scale[0], scale[1]) && same(scale[0], scale[2]) ? BODY_SPHERE : BODY_ELLIPSOID;
    for (int k = 0; k < 3; k++) s->size[k] = radius * scale[k];
    return radius > 0;
}

/* Its axis is y; MuJoCo's is z. */
static bool read_round(body_reader *b, const tree_node *map, const double scale[3], body_shape *s) {
    const double radius = length_of(b, map, "radius"), height = length_of(b, map, "height");
    const double about_x[3] = {1, 0, 0};
    double quarter[4], turned[4];
    mju_axisAngle2Quat(quarter, about_x, -mjPI / 2);
    mju_mulQuat(turned, s->rotation, quarter);
    mju_copy4(s->rotation, turned);
    s->size[0] = radius * scale[0];
    s->size[1] = 0.5 * height * scale[1];
    return radius > 0 && height > 0 && same(scale[0], scale[2]);
}

static bool read_cylinder(body_reader *b, const tree_node *map, const double scale[3],
                          body_shape *s) {
    s->kind = BODY_CYLINDER;
    return read_round(b, map, scale, s);
}

static bool read_capsule(body_reader *b, const tree_node *map, const double scale[3],
                         body_shape *s) {
    s->kind = BODY_CAPSULE;
    return read_round(b, map, scale, s) && same(scale[0], scale[1]);
}

static const struct {
    const char *type;
    bool (*read)(body_reader *b, const tree_node *map, const double scale[3], body_shape *s);
} kinds[] = {
    {"Box", read_box},
    {"Sphere", read_sphere},
    {"Cylinder", read_cylinder},
    {"Capsule", read_capsule},
};

static void read_color(reader *r, const tree_node *map, double color[3]) {
    static const double grey[3] = {0.7, 0.7, 0.7};
    mju_copy3(color, grey);
    const tree_node *appearance = stiction_doc_find(r, map, "appearance");
    if (!appearance || appearance->kind != TREE_MAPPING) return;
    const tree_node *material = stiction_doc_find(r, appearance, "material");
    if (!material || material->kind != TREE_MAPPING) return;
    const tree_node *diffuse = stiction_doc_find(r, material, "diffuse");
    if (!diffuse) diffuse = stiction_doc_find(r, material, "diffuse_color");
    if (diffuse) stiction_doc_numbers(r, diffuse, "diffuse", 3, color);
}

void body_note_unread_shape(body_reader *b, stiction_place at) {
    if (b->body->unread_shapes++ == 0) b->body->unread_shape_at = at;
}

void body_read_shape(body_reader *b, const tree_node *map, const char *path, const frame3 *frame,
                     shape_list *list) {
    const tree_node *geometry = stiction_doc_find(b->r, map, "geometry");
    if (!geometry) return;
    stiction_doc_expect(b->r, geometry, TREE_MAPPING, "geometry");
    const tree_node *type = stiction_doc_find(b->r, geometry, "type");
    const char *name = type ? stiction_doc_text(b->r, type, "type") : "";
    if (strcmp(name, "Resource") == 0) {
        body_read_mesh(b, geometry, path, frame, list);
        return;
    }
    body_shape shape = {0};
    double scale[3];
    read_color(b->r, map, shape.color);
    mju_copy3(shape.translation, frame->offset);
    size_t k = 0;
    while (k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k].type, name) != 0) k++;
    if (k == sizeof kinds / sizeof kinds[0] || !body_take_apart(frame, shape.rotation, scale) ||
        !kinds[k].read(b, geometry, scale, &shape)) {
        if (!body_read_geometry(b, geometry, name, frame, shape.color, list))
            body_note_unread_shape(b, geometry->at);
        return;
    }
    list->items = stiction_reader_grow(b->r, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = shape;
}
