/* SPDX-License-Identifier: MIT
 * What the nodes of VRML97 mean: groups with their frames, and shapes as triangles.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "vrml.h"

/* Nodes that are walked, however often one is used; files inside files. */
enum { most_walked = 200000, most_inlines = 8, round_steps = 32 };

static const double pi = 3.14159265358979323846;

/* x -> linear x + offset */
typedef struct affine {
    double linear[9], offset[3];
} affine;

static const affine identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

typedef struct walk {
    triangles *t;
    const char *path; /* of the file, for those that it names */
    size_t *walked;
    int inlines;
} walk;

static void apply(const affine *a, const double x[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a->linear[3 * i] * x[0] + a->linear[3 * i + 1] * x[1] +
                 a->linear[3 * i + 2] * x[2] + a->offset[i];
}

static affine inside(const affine *outer, const affine *inner) {
    affine both = {{0}, {0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                both.linear[3 * i + j] += outer->linear[3 * i + k] * inner->linear[3 * k + j];
    apply(outer, inner->offset, both.offset);
    return both;
}

/* Numbers of a field, or what they are otherwise. */
static void numbers(const vrml_node *node, const char *name, size_t count, double *values) {
    const vrml_field *field = vrml_find(node, name);
    if (field && field->number_count >= count)
        memcpy(values, field->numbers, count * sizeof *values);
}

static affine shift(const double by[3], double sign) {
    affine a = identity;
    for (int k = 0; k < 3; k++) a.offset[k] = sign * by[k];
    return a;
}

static affine turn(const double r[4], double sign) {
    const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (!(length > 0)) return identity;
    const double n[3] = {r[0] / length, r[1] / length, r[2] / length};
    const double c = cos(r[3]), s = sign * sin(r[3]);
    const double cross[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
    affine a = identity;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.linear[3 * i + j] = c * (i == j) + s * cross[3 * i + j] + (1 - c) * n[i] * n[j];
    return a;
}

/* T C R SR S -SR -C; without these fields: the identity. */
static affine frame_of(const vrml_node *node) {
    double translation[3] = {0}, rotation[4] = {0, 0, 1, 0}, scale[3] = {1, 1, 1}, center[3] = {0},
           orientation[4] = {0, 0, 1, 0};
    numbers(node, "translation", 3, translation);
    numbers(node, "rotation", 4, rotation);
    numbers(node, "scale", 3, scale);
    numbers(node, "center", 3, center);
    numbers(node, "scaleOrientation", 4, orientation);
    const affine stretch = {{scale[0], 0, 0, 0, scale[1], 0, 0, 0, scale[2]}, {0, 0, 0}};
    const affine steps[] = {shift(center, 1), turn(rotation, 1),     turn(orientation, 1),
                            stretch,          turn(orientation, -1), shift(center, -1)};
    affine all = shift(translation, 1);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) all = inside(&all, &steps[k]);
    return all;
}

/* Geometry */

typedef bool make_shape(walk *w, const vrml_node *node, const affine *at);

static bool add_point(walk *w, const affine *at, double x, double y, double z) {
    double point[3];
    apply(at, (const double[3]){x, y, z}, point);
    return triangles_add_vertex(w->t, point);
}

static bool make_faces(walk *w, const vrml_node *node, const affine *at) {
    const vrml_field *coordinates = vrml_find(node, "coord"),
                     *index = vrml_find(node, "coordIndex");
    if (!coordinates || !coordinates->node_count || !index) return true;
    const vrml_field *points = vrml_find(coordinates->nodes[0], "point");
    if (!points) return true;
    const size_t first = w->t->vertex_count, count = points->number_count / 3;
    for (size_t k = 0; k < count; k++) {
        const double *x = points->numbers + 3 * k;
        if (!add_point(w, at, x[0], x[1], x[2])) return false;
    }
    unsigned *corners = triangles_take(w->t, (index->number_count + 1) * sizeof *corners);
    if (!corners) return false;
    size_t used = 0;
    bool fine = true;
    for (size_t k = 0; fine && k <= index->number_count; k++) {
        const double value = k < index->number_count ? index->numbers[k] : -1;
        if (value < 0) {
            fine = triangles_add_face(w->t, first, corners, used);
            used = 0;
        } else if (!(value < (double)count)) {
            fine = triangles_fail(w->t, "has a face with point %.0f of %zu", value, count);
        } else {
            corners[used++] = (unsigned)value;
        }
    }
    return fine;
}

static bool make_box(walk *w, const vrml_node *node, const affine *at) {
    static const unsigned sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double size[3] = {2, 2, 2};
    numbers(node, "size", 3, size);
    const size_t first = w->t->vertex_count;
    for (unsigned k = 0; k < 8; k++)
        if (!add_point(w, at, size[0] * (k & 1 ? 0.5 : -0.5), size[1] * (k & 2 ? 0.5 : -0.5),
                       size[2] * (k & 4 ? 0.5 : -0.5)))
            return false;
    for (int k = 0; k < 6; k++)
        if (!triangles_add_face(w->t, first, sides[k], 4)) return false;
    return true;
}

/* Rings about y with points at its ends: what a profile of radius and height sweeps. */
static bool make_round(walk *w, const affine *at, const double (*profile)[2], unsigned rings) {
    const size_t first = w->t->vertex_count;
    const unsigned n = round_steps;
    for (unsigned k = 0; k < rings; k++)
        for (unsigned i = 0; i < n; i++) {
            const double angle = 2 * pi * i / n;
            if (!add_point(w, at, profile[k][0] * cos(angle), profile[k][1],
                           profile[k][0] * sin(angle)))
                return false;
        }
    for (unsigned k = 0; k + 1 < rings; k++)
        for (unsigned i = 0; i < n; i++) {
            const unsigned j = (i + 1) % n;
            const unsigned side[4] = {k * n + i, (k + 1) * n + i, (k + 1) * n + j, k * n + j};
            if (!triangles_add_face(w->t, first, side, 4)) return false;
        }
    return true;
}

static bool make_sphere(walk *w, const vrml_node *node, const affine *at) {
    enum { rings = round_steps / 2 + 1 };
    double radius = 1, profile[rings][2];
    numbers(node, "radius", 1, &radius);
    for (int k = 0; k < rings; k++) {
        const double angle = pi * k / (rings - 1);
        profile[k][0] = k == 0 || k == rings - 1 ? 0 : radius * sin(angle);
        profile[k][1] = -radius * cos(angle);
    }
    return make_round(w, at, (const double(*)[2])profile, rings);
}

static bool make_cylinder(walk *w, const vrml_node *node, const affine *at) {
    double radius = 1, height = 2;
    numbers(node, "radius", 1, &radius);
    numbers(node, "height", 1, &height);
    const double profile[4][2] = {
        {0, -height / 2}, {radius, -height / 2}, {radius, height / 2}, {0, height / 2}};
    return make_round(w, at, profile, 4);
}

static bool make_cone(walk *w, const vrml_node *node, const affine *at) {
    double radius = 1, height = 2;
    numbers(node, "bottomRadius", 1, &radius);
    numbers(node, "height", 1, &height);
    const double profile[3][2] = {{0, -height / 2}, {radius, -height / 2}, {0, height / 2}};
    return make_round(w, at, profile, 3);
}

static bool make_nothing(walk *w, const vrml_node *node, const affine *at) {
    (void)w, (void)node, (void)at;
    return true;
}

static const struct {
    const char *type;
    make_shape *make;
} geometries[] = {
    {"IndexedFaceSet", make_faces},
    {"Box", make_box},
    {"Sphere", make_sphere},
    {"Cylinder", make_cylinder},
    {"Cone", make_cone},
    /* without a volume */
    {"IndexedLineSet", make_nothing},
    {"PointSet", make_nothing},
    {"Text", make_nothing},
};

static bool walk_shape(walk *w, const vrml_node *node, const affine *at) {
    const vrml_field *geometry = vrml_find(node, "geometry");
    if (!geometry || !geometry->node_count) return true;
    const vrml_node *shape = geometry->nodes[0];
    for (size_t k = 0; k < sizeof geometries / sizeof geometries[0]; k++)
        if (strcmp(geometries[k].type, shape->type) == 0) return geometries[k].make(w, shape, at);
    return triangles_note(w->t, "has a %.60s, which is not read and does not touch", shape->type);
}

/* Groups */

static bool walk_node(walk *w, const vrml_node *node, const affine *outer);

static bool walk_all(walk *w, const vrml_field *field, const affine *at) {
    for (size_t k = 0; field && k < field->node_count; k++)
        if (!walk_node(w, field->nodes[k], at)) return false;
    return true;
}

static bool walk_one(walk *w, const vrml_field *field, double index, const affine *at) {
    if (!field || !(index >= 0 && index < (double)field->node_count)) return true;
    return walk_node(w, field->nodes[(size_t)index], at);
}

static bool walk_switch(walk *w, const vrml_node *node, const affine *at) {
    double choice = -1;
    numbers(node, "whichChoice", 1, &choice);
    return walk_one(w, vrml_find(node, "choice"), choice, at);
}

static bool walk_lod(walk *w, const vrml_node *node, const affine *at) {
    return walk_one(w, vrml_find(node, "level"), 0, at);
}

/* Another file in the place of a node. */
static bool walk_inline(walk *w, const vrml_node *node, const affine *at) {
    const vrml_field *url = vrml_find(node, "url");
    if (!url || !url->text) return true;
    if (w->inlines == most_inlines)
        return triangles_fail(w->t, "has files inside files, more than %d levels", most_inlines);
    const char *slash = strrchr(w->path, '/');
    const size_t folder = slash && *url->text != '/' ? (size_t)(slash - w->path) + 1 : 0;
    char *path = triangles_take(w->t, folder + strlen(url->text) + 1);
    if (!path) return false;
    memcpy(path, w->path, folder);
    strcpy(path + folder, url->text);
    const char *ending = strrchr(path, '.');
    if (!ending || strcasecmp(ending, ".wrl") != 0)
        return triangles_note(w->t, "has '%.80s' inside, which is not read", url->text);
    size_t size;
    const char *bytes = mesh_named_bytes(w->t, path, &size);
    const vrml_field *top = bytes ? vrml_parse(w->t, bytes, size) : NULL;
    if (!top && w->t->is_forbidden) return false;
    if (!top) {
        char why[TRIANGLES_PROBLEM];
        memcpy(why, w->t->problem, sizeof why);
        w->t->problem[0] = '\0';
        return triangles_fail(w->t, "has '%.60s' inside, which %.200s", url->text, why);
    }
    walk inner = *w;
    inner.path = path;
    inner.inlines++;
    return walk_all(&inner, top, at);
}

static const struct {
    const char *type;
    make_shape *walk;
} types[] = {
    {"Shape", walk_shape},
    {"Switch", walk_switch},
    {"LOD", walk_lod},
    {"Inline", walk_inline},
};

/* Anything else is a group, perhaps with a frame: so are the joints and segments of robots, which
 * PROTOs declare. */
static bool walk_node(walk *w, const vrml_node *node, const affine *outer) {
    if (++*w->walked > most_walked)
        return triangles_fail(w->t, "has more than %d nodes, counted each time that they are used",
                              most_walked);
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (strcmp(types[k].type, node->type) == 0) return types[k].walk(w, node, outer);
    const affine own = frame_of(node), at = inside(outer, &own);
    return walk_all(w, vrml_find(node, "children"), &at);
}

bool mesh_import_vrml(triangles *t, const char *name, const char *bytes, size_t size) {
    size_t walked = 0;
    const vrml_field *top = vrml_parse(t, bytes, size);
    walk w = {.t = t, .path = name, .walked = &walked};
    return top && walk_all(&w, top, &identity);
}
