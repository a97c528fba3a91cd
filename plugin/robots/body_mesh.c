/* SPDX-License-Identifier: MIT
 * The shapes of a link that MuJoCo has no primitive for, as meshes: files that a Resource names,
 * faces and extrusions in the .body itself, cones, and primitives out of shape.
 */
#include <math.h>
#include <string.h>

#include "body_reader.h"
#include "meshes/triangles.h"

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
        shape.faces = part->faces;
        shape.face_count = part->face_count;
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
    if (path)
        body_read_mesh_file(b, uri->at, path, &at, list);
    else
        list->incomplete = true;
}

void body_read_mesh_file(body_reader *b, stiction_place at, const char *path, const frame3 *frame,
                         shape_list *list) {
    static const double unit[3] = {1, 1, 1}, grey[3] = {0.7, 0.7, 0.7};
    const mesh *parts = mesh_read(b->r, at, path, unit);
    if (!parts) list->incomplete = true;
    add_parts(b, parts, frame, grey, list);
}

/* Geometry */

static bool make_box(body_reader *b, const tree_node *map, triangles *t) {
    double size[3] = {1, 1, 1};
    const tree_node *node = stiction_doc_find(b->r, map, "size");
    if (node) stiction_doc_numbers(b->r, node, "size", 3, size);
    triangles_add_box(t, &frame3_identity, size);
    return true;
}

static bool make_cone(body_reader *b, const tree_node *map, triangles *t) {
    const double radius = body_number(b, map, "radius", 1),
                 height = body_number(b, map, "height", 1);
    const double profile[2][2] = {{radius, -height / 2}, {0, height / 2}};
    triangles_add_round(t, &frame3_identity, profile, 2);
    return true;
}

static bool make_cylinder(body_reader *b, const tree_node *map, triangles *t) {
    const double radius = body_number(b, map, "radius", 1),
                 height = body_number(b, map, "height", 1);
    const double profile[2][2] = {{radius, -height / 2}, {radius, height / 2}};
    triangles_add_round(t, &frame3_identity, profile, 2);
    return true;
}

static bool make_capsule(body_reader *b, const tree_node *map, triangles *t) {
    enum { rings = TRIANGLES_AROUND / 2 };
    const double radius = body_number(b, map, "radius", 1),
                 height = body_number(b, map, "height", 1);
    double profile[rings][2];
    for (int k = 0; k < rings; k++) {
        const double angle = mjPI * k / (rings - 1);
        profile[k][0] = radius * sin(angle);
        profile[k][1] = -radius * cos(angle) + (2 * k < rings ? -height / 2 : height / 2);
    }
    triangles_add_round(t, &frame3_identity, (const double(*)[2])profile, rings);
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

static bool make_faces(body_reader *b, const tree_node *map, triangles *t, bool only_triangles) {
    size_t count, index_count, corners = 0;
    static const char *const names[] = {"faces", "triangles", "coord_index"};
    t->vertices = read_list(b, map, "vertices", &count);
    if (!t->vertices) t->vertices = read_list(b, map, "coordinate", &count); /* of old */
    t->vertex_count = count / 3;
    double *index = NULL;
    for (size_t k = 0; !index && k < sizeof names / sizeof names[0]; k++)
        index = read_list(b, map, names[k], &index_count);
    unsigned polygon[3] = {0}; /* the first corner and the last two */
    for (size_t k = 0; k < index_count; k++) {
        if (index[k] < 0 || (only_triangles && corners == 3)) corners = 0;
        if (index[k] < 0) continue;
        if (!is_index(index[k], t->vertex_count)) {
            stiction_reader_warn(b->r, map->at, "a face has point %g of %zu", index[k],
                                 t->vertex_count);
            return false;
        }
        polygon[corners < 2 ? corners : 2] = (unsigned)index[k];
        if (corners >= 2) triangles_add_face(t, 0, polygon, 3);
        if (corners >= 2) polygon[1] = polygon[2];
        corners++;
    }
    return true;
}

static bool make_face_set(body_reader *b, const tree_node *map, triangles *t) {
    return make_faces(b, map, t, false);
}

static bool make_triangles(body_reader *b, const tree_node *map, triangles *t) {
    return make_faces(b, map, t, true);
}

/* A cross section along a spine that is straight: the plane of the section is turned from y to the
 * spine. Others are not read. */
static bool make_extrusion(body_reader *b, const tree_node *map, triangles *t) {
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
            const double point[3] = {section[2 * i], 0, section[2 * i + 1]};
            double seen[3];
            mju_rotVecQuat(seen, point, turn);
            mju_addTo3(seen, spine + 3 * k);
            triangles_add_vertex(t, seen);
        }
    }
    triangles_add_tube(t, 0, (unsigned)steps, (unsigned)each);
    return true;
}

static const struct {
    const char *type;
    bool (*make)(body_reader *b, const tree_node *map, triangles *t);
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
        triangles t = {.r = b->r};
        made.is_read = geometries[k].make(b, node, &t);
        if (made.is_read && !b->no_meshes)
            made.parts =
                mesh_of_triangles(b->r, node->at, stiction_reader_format(b->r, "the %s", type), &t);
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
