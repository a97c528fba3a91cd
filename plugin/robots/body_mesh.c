/* SPDX-License-Identifier: MIT
 * The shapes of a link that MuJoCo has no primitive for, as meshes: files that a Resource names,
 * faces and extrusions in the .body itself, cones, and primitives out of shape.
 */
#include <math.h>
#include <string.h>

#include "body_reader.h"

enum { round_steps = 32 };

static void add_shape(body_reader *b, shape_list *list, const body_shape *shape) {
    list->items = stiction_reader_grow(b->r, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = *shape;
}

/* Each part in the link's frame. */
static void add_parts(body_reader *b, const mesh *parts, const frame3 *frame, const double color[3],
                      shape_list *list) {
    double scale[3];
    body_shape shape = {.kind = BODY_MESH};
    const bool turned = body_take_apart(frame, shape.rotation, scale);
    const double off =
        turned ? fabs(scale[0] - 1) + fabs(scale[1] - 1) + fabs(scale[2] - 1) : (double)INFINITY;
    double R[9], mirror = 0;
    if (turned) mju_quat2Mat(R, shape.rotation);
    for (int k = 0; turned && k < 9; k++) mirror = fmax(mirror, fabs(R[k] - frame->linear[k]));
    mju_copy3(shape.color, color);
    for (const mesh *part = parts; part; part = part->next) {
        shape.vertex_count = part->count;
        if (off < 1e-9 && mirror < 1e-9) {
            mju_copy3(shape.translation, frame->offset);
            shape.vertices = part->vertices;
        } else {
            double *seen = stiction_reader_alloc(b->r, 3 * part->count * sizeof *seen);
            for (size_t k = 0; k < part->count; k++)
                frame3_point(frame, part->vertices + 3 * k, seen + 3 * k);
            mju_zero3(shape.translation);
            mju_unit4(shape.rotation);
            shape.vertices = seen;
        }
        add_shape(b, list, &shape);
    }
}

/* Files */

/* metadata: { length_unit: millimeter, upper_axis: Y }, of old a text with words */
static frame3 read_hints(body_reader *b, const tree_node *resource) {
    static const struct {
        const char *name;
        double meters;
    } units[] = {{"millimeter", 0.001}, {"inch", 0.0254}, {"meter", 1}};
    frame3 hints = frame3_identity;
    const tree_node *data = stiction_doc_find(b->r, resource, "metadata");
    if (!data) return hints;
    const bool old = data->kind == TREE_SCALAR;
    const tree_node *unit_node = old ? data : stiction_doc_find(b->r, data, "length_unit"),
                    *axis_node = old ? data : stiction_doc_find(b->r, data, "upper_axis");
    const char *unit = unit_node ? stiction_doc_text(b->r, unit_node, "length_unit") : "";
    const char *axis = axis_node ? stiction_doc_text(b->r, axis_node, "upper_axis") : "";
    const bool up = old ? strstr(axis, "y_upper") != NULL : strcmp(axis, "Y") == 0;
    if (up) memcpy(hints.linear, (const double[9]){0, 0, 1, 1, 0, 0, 0, 1, 0}, sizeof hints.linear);
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (old ? strstr(unit, units[k].name) != NULL : strcmp(unit, units[k].name) == 0) {
            for (int i = 0; i < 9; i++) hints.linear[i] *= units[k].meters;
            break;
        }
    return hints;
}

void body_read_mesh(body_reader *b, const tree_node *resource, const char *from,
                    const frame3 *frame, shape_list *list) {
    const tree_node *uri = stiction_doc_find(b->r, resource, "uri");
    if (!uri) return;
    const tree_node *node = stiction_doc_find(b->r, resource, "fragment");
    if (!node) node = stiction_doc_find(b->r, resource, "node");
    const frame3 hints = read_hints(b, resource), at = frame3_inside(frame, &hints);
    if (b->no_meshes) return;
    if (node) { /* a part of a file, by name */
        body_note_unread_shape(b, uri->at);
        return;
    }
    const char *path = mesh_locate(b->r, uri->at, from, stiction_doc_text(b->r, uri, "uri"));
    if (path) body_read_mesh_file(b, uri->at, path, &at, list);
}

void body_read_mesh_file(body_reader *b, stiction_place at, const char *path, const frame3 *frame,
                         shape_list *list) {
    static const double unit[3] = {1, 1, 1}, grey[3] = {0.7, 0.7, 0.7};
    add_parts(b, mesh_read(b->r, at, path, unit), frame, grey, list);
}

/* Geometry */

/* Points and triangles in the frame of the shape. */
typedef struct faces {
    double *points;
    size_t point_count;
    int *corners;
    size_t count;
} faces;

static void add_point(reader *r, faces *f, double x, double y, double z) {
    const double point[3] = {x, y, z};
    f->points = stiction_reader_grow(r, f->points, f->point_count, sizeof point);
    memcpy(f->points + 3 * f->point_count++, point, sizeof point);
}

static void add_face(reader *r, faces *f, int a, int b, int c) {
    const int face[3] = {a, b, c};
    f->corners = stiction_reader_grow(r, f->corners, f->count, sizeof face);
    memcpy(f->corners + 3 * f->count++, face, sizeof face);
}

/* Rings of as many points each, joined: a tube, with its ends closed. */
static void join_rings(reader *r, faces *f, int rings, int each) {
    for (int k = 0; k + 1 < rings; k++)
        for (int i = 0; i < each; i++) {
            const int j = (i + 1) % each;
            const int a = k * each + i, d = k * each + j;
            add_face(r, f, a, a + each, d + each);
            add_face(r, f, a, d + each, d);
        }
    for (int i = 1; i + 1 < each; i++) {
        const int top = (rings - 1) * each;
        add_face(r, f, 0, i, i + 1);
        add_face(r, f, top, top + i + 1, top + i);
    }
}

/* A number of the map, or 1. */
static double length_of(body_reader *b, const tree_node *map, const char *key) {
    const tree_node *node = stiction_doc_find(b->r, map, key);
    return node ? stiction_doc_number(b->r, node, key) : 1;
}

static void add_ring(body_reader *b, faces *f, double radius, double height) {
    for (int k = 0; k < round_steps; k++) {
        const double angle = 2 * mjPI * k / round_steps;
        add_point(b->r, f, radius * cos(angle), height, radius * sin(angle));
    }
}

static bool make_box(body_reader *b, const tree_node *map, faces *f) {
    double size[3] = {1, 1, 1};
    const tree_node *node = stiction_doc_find(b->r, map, "size");
    if (node) stiction_doc_numbers(b->r, node, "size", 3, size);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++)
            add_point(b->r, f, size[0] * (i == 1 || i == 2 ? 0.5 : -0.5), size[1] * (k - 0.5),
                      size[2] * (i < 2 ? -0.5 : 0.5));
    join_rings(b->r, f, 2, 4);
    return true;
}

static bool make_cone(body_reader *b, const tree_node *map, faces *f) {
    const double radius = length_of(b, map, "radius"), height = length_of(b, map, "height");
    add_ring(b, f, radius, -height / 2);
    add_ring(b, f, 0, height / 2);
    join_rings(b->r, f, 2, round_steps);
    return true;
}

static bool make_cylinder(body_reader *b, const tree_node *map, faces *f) {
    const double radius = length_of(b, map, "radius"), height = length_of(b, map, "height");
    add_ring(b, f, radius, -height / 2);
    add_ring(b, f, radius, height / 2);
    join_rings(b->r, f, 2, round_steps);
    return true;
}

static bool make_capsule(body_reader *b, const tree_node *map, faces *f) {
    const int rings = round_steps / 2;
    const double radius = length_of(b, map, "radius"), height = length_of(b, map, "height");
    for (int k = 0; k < rings; k++) {
        const double angle = mjPI * k / (rings - 1);
        add_ring(b, f, radius * sin(angle),
                 -radius * cos(angle) + (2 * k < rings ? -height / 2 : height / 2));
    }
    join_rings(b->r, f, rings, round_steps);
    return true;
}

/* A list of numbers of any length; NULL: the key is missing. */
static double *read_list(body_reader *b, const tree_node *map, const char *key, size_t *count) {
    const tree_node *node = stiction_doc_find(b->r, map, key);
    *count = 0;
    if (!node) return NULL;
    stiction_doc_expect(b->r, node, TREE_LIST, key);
    *count = node->count;
    double *numbers = stiction_reader_alloc(b->r, (node->count + 1) * sizeof *numbers);
    stiction_doc_numbers(b->r, node, key, node->count, numbers);
    return numbers;
}

/* Whether a number of a list of faces names one of the points. */
static bool is_index(double value, size_t points) {
    return value >= 0 && value < (double)points && value == floor(value);
}

static bool make_faces(body_reader *b, const tree_node *map, faces *f, bool triangles) {
    size_t count, index_count;
    static const char *const names[] = {"faces", "triangles", "coord_index"};
    f->points = read_list(b, map, "vertices", &count);
    if (!f->points) f->points = read_list(b, map, "coordinate", &count); /* of old */
    double *index = NULL;
    for (size_t k = 0; !index && k < sizeof names / sizeof names[0]; k++)
        index = read_list(b, map, names[k], &index_count);
    f->point_count = count / 3;
    int polygon[2] = {0}; /* the first and the last corner */
    size_t corners = 0;
    for (size_t k = 0; k < index_count; k++) {
        if (index[k] < 0 || (triangles && corners == 3)) corners = 0;
        if (index[k] < 0) continue;
        if (!is_index(index[k], f->point_count)) {
            stiction_reader_warn(b->r, map->at, "a face has point %g of %zu", index[k],
                                 f->point_count);
            return false;
        }
        if (corners >= 2) add_face(b->r, f, polygon[0], polygon[1], (int)index[k]);
        polygon[corners > 0] = (int)index[k];
        corners++;
    }
    return true;
}

static bool make_face_set(body_reader *b, const tree_node *map, faces *f) {
    return make_faces(b, map, f, false);
}

static bool make_triangles(body_reader *b, const tree_node *map, faces *f) {
    return make_faces(b, map, f, true);
}

/* A cross section along a spine that is straight: the plane of the section is turned from y to the
 * spine. Others are not read. */
static bool make_extrusion(body_reader *b, const tree_node *map, faces *f) {
    static const double square[10] = {1, 1, 1, -1, -1, -1, -1, 1, 1, 1}, up[6] = {0, 0, 0, 0, 1, 0};
    size_t section_count, spine_count;
    const double *section = read_list(b, map, "cross_section", &section_count);
    const double *spine = read_list(b, map, "spine", &spine_count);
    if (stiction_doc_find(b->r, map, "orientation") || stiction_doc_find(b->r, map, "scale"))
        return false;
    if (!section) section = square, section_count = 10;
    if (!spine) spine = up, spine_count = 6;
    const size_t steps = spine_count / 3;
    size_t each = section_count / 2;
    if (each > 1 && section[0] == section[2 * each - 2] && section[1] == section[2 * each - 1])
        each--; /* a closed one ends where it begins */
    if (steps < 2 || each < 3) return false;
    const double *end = spine + 3 * (steps - 1), y[3] = {0, 1, 0};
    double axis[3], turn[4] = {1, 0, 0, 0}, around[3];
    mju_sub3(axis, end, spine);
    const double length = mju_normalize3(axis);
    if (!(length > 0)) return false;
    mju_cross(around, y, axis);
    const double sine = mju_normalize3(around);
    if (sine > 1e-9)
        mju_axisAngle2Quat(turn, around, atan2(sine, axis[1]));
    else if (axis[1] < 0) /* upside down, about x */
        mju_axisAngle2Quat(turn, (const double[3]){1, 0, 0}, mjPI);
    for (size_t k = 0; k < steps; k++) {
        double from[3], off[3];
        mju_sub3(from, spine + 3 * k, spine);
        mju_cross(off, from, axis);
        if (mju_norm3(off) > 1e-6 * length) return false;
        for (size_t i = 0; i < each; i++) {
            double point[3], seen[3];
            point[0] = section[2 * i], point[1] = 0, point[2] = section[2 * i + 1];
            mju_rotVecQuat(seen, point, turn);
            add_point(b->r, f, seen[0] + spine[3 * k], seen[1] + spine[3 * k + 1],
                      seen[2] + spine[3 * k + 2]);
        }
    }
    join_rings(b->r, f, (int)steps, (int)each);
    return true;
}

static const struct {
    const char *type;
    bool (*make)(body_reader *b, const tree_node *map, faces *f);
} geometries[] = {
    {"Box", make_box},
    {"Cone", make_cone},
    {"Cylinder", make_cylinder},
    {"Capsule", make_capsule},
    {"IndexedFaceSet", make_face_set},
    {"TriangleMesh", make_triangles},
    {"Extrusion", make_extrusion},
};

/* Geometry is made once, however many aliases stand for it. */
typedef struct made_geometry {
    const tree_node *node;
    const mesh *parts; /* NULL: it is not read, or cannot be used */
    bool is_read;
    struct made_geometry *next;
} made_geometry;

static made_geometry make_geometry(body_reader *b, const tree_node *node, const char *type) {
    made_geometry made = {.node = node};
    for (size_t k = 0; k < sizeof geometries / sizeof geometries[0]; k++) {
        if (strcmp(geometries[k].type, type) != 0) continue;
        faces f = {0};
        made.is_read = geometries[k].make(b, node, &f);
        if (made.is_read && !b->no_meshes)
            made.parts =
                mesh_of_triangles(b->r, node->at, stiction_reader_format(b->r, "the %s", type),
                                  f.points, f.point_count, f.corners, f.count);
    }
    return made;
}

bool body_read_geometry(body_reader *b, const tree_node *geometry, const char *type,
                        const frame3 *frame, const double color[3], shape_list *list) {
    made_geometry *made = b->geometries;
    while (made && made->node != geometry) made = made->next;
    if (!made) {
        made = stiction_reader_alloc(b->r, sizeof *made);
        *made = make_geometry(b, geometry, type);
        made->next = b->geometries;
        b->geometries = made;
    }
    add_parts(b, made->parts, frame, color, list);
    return made->is_read;
}
