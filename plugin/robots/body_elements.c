/* SPDX-License-Identifier: MIT
 * The elements of a link: RigidBody and Shape wherever they are nested, everything else only for
 * the frame that it gives to what is inside.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "body_reader.h"

/* Far more than any link has; a file of aliases to aliases ends here. */
enum { most_elements = 100000, deepest = 100 };

typedef struct walk {
    body_reader *b;
    mass_list *masses;
    shape_list *shapes;
    const char *path; /* of the file that the elements stand in */
    int depth;
    bool unused; /* for drawing only, or where shapes are to be drawn, only to touch */
} walk;

static void walk_elements(walk *w, const tree_node *elements, const frame3 *frame);

static void read_inertia(body_reader *b, const tree_node *node, double I[9]) {
    stiction_doc_expect(b->r, node, TREE_LIST, "inertia");
    if (node->count == 9) {
        stiction_doc_numbers(b->r, node, "inertia", 9, I);
    } else if (node->count == 6) {
        double u[6];
        stiction_doc_numbers(b->r, node, "inertia", 6, u);
        memcpy(I, (const double[9]){u[0], u[1], u[2], u[1], u[3], u[4], u[2], u[4], u[5]},
               9 * sizeof *I);
    } else {
        stiction_reader_refuse(b->r, node->at, "inertia must have 6 or 9 numbers, not %zu",
                               node->count);
    }
    const double size = fabs(I[0]) + fabs(I[4]) + fabs(I[8]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            double *low = &I[3 * i + j], *high = &I[3 * j + i];
            if (fabs(*low - *high) > 1e-9 * size)
                stiction_reader_warn(b->r, node->at,
                                     "inertia is not symmetric, %g against %g: their mean is taken",
                                     *high, *low);
            *low = *high = 0.5 * (*low + *high);
        }
}

bool body_read_mass(body_reader *b, const tree_node *map, body_mass *mass) {
    const tree_node *m = stiction_doc_find(b->r, map, "mass");
    const tree_node *center = stiction_doc_find(b->r, map, "center_of_mass");
    const tree_node *inertia = stiction_doc_find(b->r, map, "inertia");
    if (m) {
        mass->mass = stiction_doc_number(b->r, m, "mass");
        if (mass->mass < 0)
            stiction_reader_refuse(b->r, m->at, "mass %g must not be negative", mass->mass);
    }
    if (center) stiction_doc_numbers(b->r, center, "center_of_mass", 3, mass->center);
    if (inertia) read_inertia(b, inertia, mass->inertia);
    return m || center || inertia;
}

static frame3 read_frame(body_reader *b, const tree_node *map) {
    frame3 frame = frame3_identity;
    double quaternion[4], scale[3];
    (void)body_translation(b, map, frame.offset);
    if (body_rotation(b, map, quaternion)) mju_quat2Mat(frame.linear, quaternion);
    const tree_node *node = stiction_doc_find(b->r, map, "scale");
    if (node) {
        stiction_doc_numbers(b->r, node, "scale", 3, scale);
        for (int k = 0; k < 9; k++) frame.linear[k] *= scale[k % 3];
    }
    return frame;
}

static void read_rigid_body(walk *w, const tree_node *map, const frame3 *frame) {
    body_mass own = {0}, seen = {0};
    (void)body_read_mass(w->b, map, &own);
    seen.mass = own.mass;
    frame3_point(frame, own.center, seen.center);
    frame3_tensor(frame, own.inertia, seen.inertia);
    mass_list *list = w->masses;
    list->items = stiction_reader_grow(w->b->r, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = seen;
}

/* The elements of a file of Choreonoid's scenes, which may name others. */
static void walk_scene_file(walk *w, stiction_place at, const char *path, const frame3 *frame) {
    reader *r = w->b->r;
    const tree_options options = stiction_doc_choreonoid("a scene");
    const tree_document file = body_read_document(w->b, at, path, &options);
    stiction_doc_expect(r, file.root, TREE_MAPPING, "the file");
    const tree_node *scene = stiction_doc_find(r, file.root, "scene");
    if (!scene) return;
    walk inner = *w;
    inner.path = path;
    if (++inner.depth > deepest)
        stiction_reader_refuse(r, at, "scenes are nested more than %d levels deep", deepest);
    const bool degrees = w->b->degrees;
    w->b->degrees = true;
    walk_elements(&inner, scene, frame);
    w->b->degrees = degrees;
}

static void walk_scene(walk *w, const tree_node *uri, const frame3 *frame) {
    if (w->unused) return;
    const char *path =
        mesh_locate(w->b->r, uri->at, w->path, stiction_doc_text(w->b->r, uri, "uri"));
    if (path) walk_scene_file(w, uri->at, path, frame);
}

void body_read_scene(body_reader *b, stiction_place at, const char *path, shape_list *shapes) {
    mass_list masses = {0};
    walk w = {.b = b, .masses = &masses, .shapes = shapes, .path = path};
    if (strcasecmp(strrchr(path, '.'), ".scen") == 0)
        walk_scene_file(&w, at, path, &frame3_identity);
    else
        body_read_mesh_file(b, at, path, &frame3_identity, shapes);
}

/* A resource that is YAML may hold masses; any other is a shape. */
static void walk_resource(walk *w, const tree_node *map, const frame3 *frame) {
    reader *r = w->b->r;
    const tree_node *uri = stiction_doc_find(r, map, "uri");
    if (!uri) return;
    const char *name = stiction_doc_text(r, uri, "uri");
    const char *ending = strrchr(name, '.');
    if (ending && strcasecmp(ending, ".scen") == 0) {
        walk_scene(w, uri, frame);
        return;
    }
    if (!ending || (strcasecmp(ending, ".yaml") != 0 && strcasecmp(ending, ".yml") != 0)) {
        if (!w->unused) body_read_mesh(w->b, map, w->path, frame, w->shapes);
        return;
    }
    const char *path = mesh_locate(r, uri->at, w->path, name);
    if (!path) stiction_reader_refuse(r, uri->at, "'%s' may hold masses, but was not found", name);
    tree_options options = stiction_doc_choreonoid("a part of a body");
    options.known = w->b->document.anchors;
    const tree_document file = body_read_document(w->b, uri->at, path, &options);
    const tree_node *fragment = stiction_doc_find(r, map, "fragment");
    if (!fragment) fragment = stiction_doc_find(r, map, "node");
    const tree_node *elements = file.root;
    if (fragment) {
        const char *anchor = stiction_doc_text(r, fragment, "node");
        elements = stiction_yaml_anchored(file.anchors, anchor);
        if (!elements)
            stiction_reader_refuse(r, fragment->at, "'%s' has no anchor '%s'", path, anchor);
    }
    walk inner = *w;
    inner.path = path;
    walk_elements(&inner, elements, frame);
}

/* A `resource` or a `shape` that an element has beside its elements. */
static void walk_part(walk *w, const tree_node *map, const char *key, const char *type,
                      const frame3 *frame);

static void walk_element(walk *w, const tree_node *map, const char *type, const frame3 *outer) {
    reader *r = w->b->r;
    stiction_doc_expect(r, map, TREE_MAPPING, "an element");
    if (++w->b->whole->elements > most_elements || w->depth > deepest)
        stiction_reader_refuse(r, map->at, "has too many elements for a robot");
    if (strcmp(type, "Skip") == 0) return;
    const frame3 inner = read_frame(w->b, map);
    const frame3 frame = frame3_inside(outer, &inner);
    if (strcmp(type, "RigidBody") == 0) read_rigid_body(w, map, &frame);
    if (strcmp(type, "Resource") == 0) walk_resource(w, map, &frame);
    if (strcmp(type, "Shape") == 0 && !w->unused)
        body_read_shape(w->b, map, w->path, &frame, w->shapes);
    const bool outside = w->unused;
    w->unused = outside || strcmp(type, r->most_faces ? "Collision" : "Visual") == 0;
    walk_part(w, map, "resource", "Resource", &frame);
    walk_part(w, map, "shape", "Shape", &frame);
    const tree_node *elements = stiction_doc_find(r, map, "elements");
    if (elements) walk_elements(w, elements, &frame);
    w->unused = outside;
}

static void walk_part(walk *w, const tree_node *map, const char *key, const char *type,
                      const frame3 *frame) {
    const tree_node *part = stiction_doc_find(w->b->r, map, key);
    if (part && part->kind == TREE_MAPPING) walk_element(w, part, type, frame);
}

static const char *type_of(walk *w, const tree_node *map, const char *otherwise) {
    reader *r = w->b->r;
    stiction_doc_expect(r, map, TREE_MAPPING, "an element");
    const tree_node *node = stiction_doc_find(r, map, "type");
    if (!node && !otherwise) stiction_reader_refuse(r, map->at, "an element lacks its type");
    const char *type = node ? stiction_doc_text(r, node, "type") : otherwise;
    if (otherwise && strcmp(type, otherwise) != 0)
        stiction_reader_refuse(r, node->at, "the type '%s' stands under '%s'", type, otherwise);
    return type;
}

/* A list of elements with types, one element with a type, or a map from type to element. */
static void walk_elements(walk *w, const tree_node *elements, const frame3 *frame) {
    w->depth++;
    if (elements->kind == TREE_SCALAR)
        stiction_reader_refuse(w->b->r, elements->at, "elements must be a list or a map");
    if (elements->kind == TREE_MAPPING && stiction_doc_find(w->b->r, elements, "type")) {
        walk_element(w, elements, type_of(w, elements, NULL), frame);
    } else {
        for (const tree_entry *e = elements->first; e; e = e->next)
            walk_element(w, e->value, type_of(w, e->value, e->key ? e->key->text : NULL), frame);
    }
    w->depth--;
}

void body_read_elements(body_reader *b, const tree_node *elements, mass_list *masses,
                        shape_list *shapes) {
    walk w = {.b = b, .masses = masses, .shapes = shapes, .path = b->body->path};
    walk_elements(&w, elements, &frame3_identity);
}
