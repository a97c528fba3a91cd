/* SPDX-License-Identifier: MIT
 * The <collision>s of a URDF as shapes: half lengths, the axis along z, as MuJoCo has them.
 */
#include <string.h>

#include "meshes/mesh.h"
#include "urdf_reader.h"

/* roll, pitch, yaw: first about x, then about y, then about z, all of the fixed frame. */
void urdf_read_origin(reader *r, const xml_element *element, double translation[3],
                      double rotation[4]) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const xml_element *origin = xml_child(element, "origin");
    double angles[3] = {0, 0, 0};
    mju_zero3(translation);
    mju_unit4(rotation);
    if (!origin) return;
    (void)xml_numbers(r, origin, "xyz", 3, translation);
    if (!xml_numbers(r, origin, "rpy", 3, angles)) return;
    for (int k = 0; k < 3; k++) {
        double turn[4], product[4];
        mju_axisAngle2Quat(turn, axes[k], angles[k]);
        mju_mulQuat(product, turn, rotation);
        mju_copy4(rotation, product);
    }
}

typedef struct shape_reader {
    reader *r;
    body_file *body;
    const xml_element *element; /* <box>, <mesh>, ... */
    const mesh *parts;          /* of a mesh whose parts lie apart, after the first; NULL: none */
} shape_reader;

static void note_unread(const shape_reader *s) {
    if (s->body->unread_shapes++ == 0) s->body->unread_shape_at = s->element->at;
}

static double length_of(const shape_reader *s, const char *key) {
    const double length =
        stiction_reader_number(s->r, s->element->at, key, xml_required(s->r, s->element, key));
    if (!(length > 0))
        stiction_reader_refuse(s->r, s->element->at, "%s %g must be above 0", key, length);
    return length;
}

static bool read_box(shape_reader *s, body_shape *shape) {
    double size[3];
    (void)xml_required(s->r, s->element, "size");
    (void)xml_numbers(s->r, s->element, "size", 3, size);
    for (int k = 0; k < 3; k++) {
        if (!(size[k] > 0))
            stiction_reader_refuse(s->r, s->element->at, "size %g must be above 0", size[k]);
        shape->size[k] = 0.5 * size[k];
    }
    shape->kind = BODY_BOX;
    return true;
}

static bool read_sphere(shape_reader *s, body_shape *shape) {
    shape->kind = BODY_SPHERE;
    shape->size[0] = shape->size[1] = shape->size[2] = length_of(s, "radius");
    return true;
}

static bool read_cylinder(shape_reader *s, body_shape *shape) {
    shape->kind = BODY_CYLINDER;
    shape->size[0] = length_of(s, "radius");
    shape->size[1] = 0.5 * length_of(s, "length");
    return true;
}

/* Its length is that between the centres of its ends. */
static bool read_capsule(shape_reader *s, body_shape *shape) {
    (void)read_cylinder(s, shape);
    shape->kind = BODY_CAPSULE;
    return true;
}

/* A missing package is reported once, with the number of its meshes. */
static const char *locate(const shape_reader *s, const char *name) {
    const stiction_log log = s->r->log;
    if (s->body->unread_shapes) s->r->log = NULL;
    const char *path = mesh_locate(s->r, s->element->at, s->body->path, name);
    s->r->log = log;
    if (!path) note_unread(s);
    return path;
}

static bool read_mesh(shape_reader *s, body_shape *shape) {
    const char *path = locate(s, xml_required(s->r, s->element, "filename"));
    double scale[3] = {1, 1, 1};
    (void)xml_numbers(s->r, s->element, "scale", 3, scale);
    const mesh *read = path ? mesh_read(s->r, s->element->at, path, scale) : NULL;
    if (!read) return false;
    shape->kind = BODY_MESH;
    shape->vertices = read->vertices;
    shape->vertex_count = read->count;
    s->parts = read->next;
    return true;
}

static const struct {
    const char *name;
    bool (*read)(shape_reader *s, body_shape *shape); /* false: it cannot be used */
} kinds[] = {
    {"box", read_box},         {"sphere", read_sphere}, {"cylinder", read_cylinder},
    {"capsule", read_capsule}, {"mesh", read_mesh},
};

static bool read_geometry(shape_reader *s, const xml_element *geometry, body_shape *shape) {
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        s->element = xml_child(geometry, kinds[k].name);
        if (s->element) return kinds[k].read(s, shape);
    }
    s->element = geometry->first_child ? geometry->first_child : geometry;
    note_unread(s);
    return false;
}

void urdf_read_shapes(reader *r, body_file *body, const xml_element *element, body_link *link) {
    body_shape *shapes = NULL;
    for (const xml_element *e = xml_child(element, "collision"); e; e = xml_next(e, "collision")) {
        const xml_element *geometry = xml_child(e, "geometry");
        if (!geometry) stiction_reader_refuse(r, e->at, "<collision> lacks its <geometry>");
        shape_reader s = {.r = r, .body = body};
        body_shape shape = {.color = {0.7, 0.7, 0.7}};
        urdf_read_origin(r, e, shape.translation, shape.rotation);
        bool more = read_geometry(&s, geometry, &shape);
        while (more) {
            shapes = stiction_reader_grow(r, shapes, link->shape_count, sizeof *shapes);
            shapes[link->shape_count++] = shape;
            more = s.parts;
            if (!more) break;
            shape.vertices = s.parts->vertices;
            shape.vertex_count = s.parts->count;
            s.parts = s.parts->next;
        }
    }
    link->shapes = shapes;
}
