/* SPDX-License-Identifier: MIT
 * What the links of an MJCF file look like, from its elements: MuJoCo's compiler is not asked,
 * which would take time and refuse meshes that are good enough to be drawn. Only links that show a
 * mesh are listed: the others look as they touch.
 */
#include <stdlib.h>
#include <string.h>

#include "meshes/mesh.h"
#include "mjcf_reader.h"

/* Groups from here on are hidden at first in viewers of MuJoCo. */
enum { first_hidden_group = 3, deepest = 1000 };

typedef struct look_reader {
    const mjcf_file *f;
    body_file *made;
    int body; /* number of the last one, as MuJoCo counts */
} look_reader;

typedef struct seen_link {
    body_shape *shapes;
    size_t count;
    bool has_mesh, incomplete;
} seen_link;

static double number_of(const mjcf_file *f, const xml_element *e, const char *class_name,
                        const char *attribute, double otherwise) {
    const char *text = mjcf_stated(f, e, class_name, attribute);
    return text ? strtod(text, NULL) : otherwise;
}

static const xml_element *find_asset(const mjcf_file *f, const char *kind, const char *name) {
    for (const xml_element *a = xml_child(f->root, "asset"); name && a; a = xml_next(a, "asset"))
        for (const xml_element *m = xml_child(a, kind); m; m = xml_next(m, kind))
            if (strcmp(mjcf_asset_name(f, m), name) == 0) return m;
    return NULL;
}

/* Its own colour counts before that of its material. */
static void read_colour(const mjcf_file *f, const xml_element *geom, const char *class_name,
                        double colour[3]) {
    double rgba[4] = {0.5, 0.5, 0.5, 1};
    const xml_element *stated = mjcf_find_stated(f, geom, class_name, "rgba");
    const xml_element *material =
        find_asset(f, "material", mjcf_stated(f, geom, class_name, "material"));
    if (!stated && material) {
        stated = mjcf_find_stated(f, material, "main", "rgba");
        for (int k = 0; k < 3; k++) rgba[k] = 1;
    }
    if (stated) (void)xml_numbers(f->r, stated, "rgba", 4, rgba);
    mju_copy3(colour, rgba);
}

static bool read_mesh(const mjcf_file *f, const xml_element *geom, const char *class_name,
                      body_shape *shape) {
    double scale[3] = {1, 1, 1};
    xml_element *asset =
        (xml_element *)find_asset(f, "mesh", mjcf_stated(f, geom, class_name, "mesh"));
    if (!asset || mjcf_stated(f, asset, "main", "refpos") ||
        mjcf_stated(f, asset, "main", "refquat"))
        return false;
    const char *path = mjcf_asset_path((mjcf_file *)f, asset);
    const xml_element *scaled = mjcf_find_stated(f, asset, "main", "scale");
    if (scaled) (void)xml_numbers(f->r, scaled, "scale", 3, scale);
    const mesh *made = path ? mesh_read(f->r, asset->at, path, scale) : NULL;
    if (!made) return false;
    shape->kind = BODY_MESH;
    shape->vertices = made->vertices;
    shape->vertex_count = made->count;
    shape->faces = made->faces;
    shape->face_count = made->face_count;
    return true;
}

static bool read_shape(const mjcf_file *f, const xml_element *geom, const char *class_name,
                       body_shape *shape) {
    static const struct {
        const char *name;
        body_shape_kind kind;
        int sizes;
    } kinds[] = {{"sphere", BODY_SPHERE, 1},
                 {"capsule", BODY_CAPSULE, 2},
                 {"ellipsoid", BODY_ELLIPSOID, 3},
                 {"cylinder", BODY_CYLINDER, 2},
                 {"box", BODY_BOX, 3}};
    const char *type = mjcf_stated(f, geom, class_name, "type");
    if (!type) type = kinds[0].name;
    read_colour(f, geom, class_name, shape->color);
    mjcf_read_pose(f, geom, class_name, shape->translation, shape->rotation);
    if (strcmp(type, "mesh") == 0) return read_mesh(f, geom, class_name, shape);
    /* a primitive around a mesh, or along a line */
    if (mjcf_stated(f, geom, class_name, "mesh") || mjcf_stated(f, geom, class_name, "fromto"))
        return false;
    const xml_element *size = mjcf_find_stated(f, geom, class_name, "size");
    size_t k = 0;
    while (k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k].name, type) != 0) k++;
    if (k == sizeof kinds / sizeof kinds[0] || !size) return false;
    const char *text = xml_attribute(size, "size");
    for (int i = 0; i < kinds[k].sizes; i++) {
        char *end;
        shape->size[i] = strtod(text, &end);
        if (end == text || !(shape->size[i] > 0)) return false;
        text = end;
    }
    shape->kind = kinds[k].kind;
    return true;
}

static bool is_seen(const mjcf_file *f, const xml_element *geom, const char *class_name) {
    return number_of(f, geom, class_name, "group", 0) < first_hidden_group;
}

static bool touches(const mjcf_file *f, const xml_element *geom, const char *class_name) {
    return number_of(f, geom, class_name, "contype", 1) != 0 ||
           number_of(f, geom, class_name, "conaffinity", 1) != 0;
}

static bool is_mesh(const mjcf_file *f, const xml_element *geom, const char *class_name) {
    return mjcf_is(mjcf_stated(f, geom, class_name, "type"), "mesh");
}

/* Where a mesh is there to be seen alone, what touches is not shown. */
static seen_link read_geoms(const mjcf_file *f, const xml_element *body, const char *class_name) {
    bool alone = false;
    seen_link made = {0};
    for (const xml_element *g = xml_child(body, "geom"); g; g = xml_next(g, "geom"))
        alone = alone || (is_seen(f, g, class_name) && is_mesh(f, g, class_name) &&
                          !touches(f, g, class_name));
    for (const xml_element *g = xml_child(body, "geom"); g; g = xml_next(g, "geom")) {
        body_shape shape = {0};
        if (!is_seen(f, g, class_name) || (alone && touches(f, g, class_name))) continue;
        if (!read_shape(f, g, class_name, &shape)) made.incomplete = true;
        made.has_mesh = made.has_mesh || shape.kind == BODY_MESH;
        made.shapes = stiction_reader_grow(f->r, made.shapes, made.count, sizeof *made.shapes);
        made.shapes[made.count++] = shape;
    }
    return made;
}

/* A link's frame is at the last joint of its body. */
static void read_body(look_reader *l, const xml_element *body, const char *class_name) {
    const mjcf_file *f = l->f;
    double shift[3] = {0}, turn[4];
    seen_link seen = read_geoms(f, body, class_name);
    const char *name = xml_attribute(body, "name");
    if (!seen.has_mesh || seen.incomplete) return;
    for (const xml_element *j = xml_child(body, "joint"); j; j = xml_next(j, "joint"))
        if (!mjcf_is(mjcf_stated(f, j, class_name, "type"), "free"))
            mjcf_read_pose(f, j, class_name, shift, turn);
    for (size_t k = 0; k < seen.count; k++) mju_subFrom3(seen.shapes[k].translation, shift);
    body_link link = body_new_link(body->at);
    link.name = name && *name ? name : stiction_reader_format(f->r, "body %d", l->body);
    link.shapes = seen.shapes;
    link.shape_count = seen.count;
    l->made->links =
        stiction_reader_grow(f->r, l->made->links, l->made->count, sizeof *l->made->links);
    l->made->links[l->made->count++] = link;
}

static void read_bodies(look_reader *l, const xml_element *parent, const char *class_name,
                        int depth) {
    for (const xml_element *e = xml_child(parent, "body"); e && depth < deepest;
         e = xml_next(e, "body")) {
        const char *inner = xml_attribute(e, "childclass");
        if (!inner) inner = class_name;
        l->body++;
        read_body(l, e, inner);
        read_bodies(l, e, inner, depth + 1);
    }
}

robot_bodies mjcf_read_look(reader *r, stiction_place at, const char *path) {
    const mjcf_file *f = mjcf_open(r, at, path);
    look_reader l = {.f = f, .made = stiction_reader_alloc(r, sizeof *l.made)};
    l.made->path = path;
    for (xml_element *e = xml_child(f->root, "worldbody"); e; e = xml_next(e, "worldbody")) {
        mjcf_expand_frames(f, e, "main");
        read_bodies(&l, e, "main", 0);
    }
    const body_file **files = stiction_reader_alloc(r, sizeof *files);
    files[0] = l.made;
    return (robot_bodies){.files = files, .count = 1};
}
