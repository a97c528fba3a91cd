/* SPDX-License-Identifier: MIT
 * A Choreonoid .body file as links: the header, links and their joints, bodies inside bodies.
 */
#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "body_reader.h"
#include "document/file.h"

enum { most_links = 2000, deepest = 8, most_noted = 20 };

/* Keys that Choreonoid gives a meaning which has nothing to do with masses and joints. */
static const char *const harmless[] = {
    "import",           "geometry", "standard_pose", "link_group",
    "default_ik_setup", "info",     "foot_links",    "device_prefix",
};

static bool already_noted(const body_reader *b, const char *key) {
    for (size_t k = 0; k < b->unread_count; k++)
        if (strcmp(b->unread[k]->key->text, key) == 0) return true;
    return false;
}

/* Notes the keys of a map that nobody asked for. */
static void note_unread(body_reader *b, const tree_node *map) {
    for (size_t k = 0; k < sizeof harmless / sizeof harmless[0]; k++)
        (void)stiction_doc_find(b->r, map, harmless[k]);
    for (const tree_entry *entry = map->first; entry; entry = entry->next) {
        if (entry->used || entry->value->aliased || already_noted(b, entry->key->text)) continue;
        if (b->unread_count == most_noted) {
            b->more_unread = true;
            return;
        }
        b->unread = stiction_reader_grow(b->r, b->unread, b->unread_count, sizeof *b->unread);
        b->unread[b->unread_count++] = entry;
    }
}

static void warn_unread(body_reader *b) {
    const char *list = "";
    for (size_t k = 0; k < b->unread_count; k++)
        list = stiction_reader_format(b->r, "%s%s %s (line %d)", list, k ? "," : "",
                                      b->unread[k]->key->text, b->unread[k]->key->at.line);
    if (b->unread_count)
        stiction_reader_warn(b->r, (stiction_place){b->body->path, 0, 0},
                             "keys that have no bearing on masses and joints are not read:%s%s",
                             list, b->more_unread ? ", ..." : "");
}

/* ---- documents ---- */

/* A file of YAML that a .body is made of. It may be named many times, under many names: it is read
 * once, and all together are bounded. */
typedef struct body_document {
    dev_t device;
    ino_t number;
    const char *what;          /* it was read as, */
    const tree_anchors *known; /* and with which anchors: with others it may mean something else */
    tree_document document;
    const struct body_document *next;
} body_document;

static const body_document *find_document(const body_document *list, const struct stat *file,
                                          const tree_options *options) {
    while (list && (list->device != file->st_dev || list->number != file->st_ino ||
                    list->known != options->known || strcmp(list->what, options->what) != 0))
        list = list->next;
    return list;
}

tree_document body_read_document(body_reader *b, stiction_place at, const char *path,
                                 const tree_options *options) {
    reader *r = b->r;
    body_whole *whole = b->whole;
    struct stat file;
    stiction_file_notes_add(r->notes, path);
    /* the reader reports a missing file */
    if (stat(path, &file) != 0) return stiction_doc_read(r, at, path, options);
    const body_document *known = find_document(whole->documents, &file, options);
    if (known) return known->document;
    whole->bytes += (uint64_t)file.st_size;
    if (whole->documents && whole->bytes > FILE_MOST_DOCUMENT)
        stiction_reader_refuse(r, at, "with '%s' the files of this robot have more than 64 MiB",
                               path);
    body_document *read = stiction_reader_alloc(r, sizeof *read);
    *read = (body_document){.device = file.st_dev,
                            .number = file.st_ino,
                            .what = options->what,
                            .known = options->known,
                            .document = stiction_doc_read(r, at, path, options),
                            .next = whole->documents};
    whole->documents = read;
    return read->document;
}

/* ---- links ---- */

static void add_link(body_reader *b, body_link link) {
    body_file *body = b->body;
    if (body->count == most_links)
        stiction_reader_refuse(b->r, link.at, "has more than %d links", most_links);
    robot_check_name(b->r, link.at, "a link", link.name);
    robot_check_name(b->r, link.at, "a joint", link.joint_name);
    body->links = stiction_reader_grow(b->r, body->links, body->count, sizeof *body->links);
    body->links[body->count++] = link;
}

body_link body_new_link(stiction_place at) {
    return (body_link){.at = at,
                       .parent = -1,
                       .joint_id = -1,
                       .axis = {0, 0, 1},
                       .rotation = {1, 0, 0, 0},
                       .effort = robot_not_stated,
                       .velocity_limit = (double)INFINITY,
                       .rotor = robot_not_stated,
                       .gear_ratio = robot_not_stated,
                       .friction = robot_not_stated,
                       .damping = robot_not_stated};
}

/* In a link without elements with masses, what it does not state is 1 kg and 1 kg m^2; beside
 * such elements it is 0. */
static void read_parts(body_reader *b, const tree_node *map, body_link *link) {
    mass_list masses = {0};
    shape_list shapes = {0};
    const tree_node *elements = stiction_doc_find(b->r, map, "elements");
    if (elements) body_read_elements(b, elements, &masses, &shapes);
    link->shapes = shapes.items;
    link->shape_count = b->r->most_faces && shapes.incomplete ? 0 : shapes.count;
    body_mass own = {0};
    if (!masses.count) own = (body_mass){.mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (body_read_mass(b, map, &own) || !masses.count) {
        masses.items = stiction_reader_grow(b->r, masses.items, masses.count, sizeof *masses.items);
        masses.items[masses.count++] = own;
    }
    body_set_mass(link, masses.items, masses.count);
    body_check_inertia(b->r, map->at, link);
}

const char *body_text(body_reader *b, const tree_node *map, const char *key,
                      const char *otherwise) {
    const tree_node *node = stiction_doc_find(b->r, map, key);
    return node ? stiction_doc_text(b->r, node, key) : otherwise;
}

double body_number(body_reader *b, const tree_node *map, const char *key, double otherwise) {
    const tree_node *node = stiction_doc_find(b->r, map, key);
    return node ? stiction_doc_number(b->r, node, key) : otherwise;
}

static void read_link(body_reader *b, const tree_node *map) {
    body_link link = body_new_link(map->at);
    link.name = body_text(b, map, "name", NULL);
    if (!link.name || !*link.name) stiction_reader_refuse(b->r, map->at, "a link lacks its name");
    link.joint_name = body_text(b, map, "joint_name", link.name);
    link.parent_name = body_text(b, map, "parent", NULL);
    body_read_joint(b, map, &link);
    read_parts(b, map, &link);
    const tree_node *material = stiction_doc_find(b->r, map, "material");
    if (material) {
        link.material = stiction_doc_text(b->r, material, "material");
        link.material_at = material->at;
    }
    note_unread(b, map);
    add_link(b, link);
}

static body_file *read_file(reader *r, body_whole *whole, stiction_place at, const char *path,
                            bool no_meshes, int depth);

static void add_loops(body_reader *b, const tree_node *joints, const char *prefix,
                      const char *suffix) {
    body_loops *loops = stiction_reader_alloc(b->r, sizeof *loops);
    *loops = (body_loops){joints, prefix, suffix, b->body->loops};
    b->body->loops = loops;
}

static int read_id_offset(reader *r, const tree_node *map) {
    const tree_node *offset = stiction_doc_find(r, map, "joint_id_offset");
    if (!offset) return 0;
    const double value = stiction_doc_number(r, offset, "joint_id_offset");
    if (value != floor(value) || fabs(value) > BODY_MOST_JOINT_ID)
        stiction_reader_refuse(r, offset->at, "joint_id_offset %g must be a whole number up to %d",
                               value, BODY_MOST_JOINT_ID);
    return (int)value;
}

/* A body inside a body: its links with other names, its root with another place and joint. */
static void read_sub_body(body_reader *b, const tree_node *map) {
    reader *r = b->r;
    const tree_node *uri = stiction_doc_find(r, map, "uri");
    if (!uri) stiction_reader_refuse(r, map->at, "a SubBody lacks its uri");
    const char *name = stiction_doc_text(r, uri, "uri");
    const char *prefix = body_text(b, map, "prefix", ""), *suffix = body_text(b, map, "suffix", "");
    const int id_offset = read_id_offset(r, map);
    const body_file *inner =
        read_file(r, b->whole, uri->at, stiction_reader_beside(r, b->body->path, name),
                  b->no_meshes, b->depth + 1);
    const int first = (int)b->body->count;
    if (inner->unread_shapes) body_note_unread_shape(b, inner->unread_shape_at);
    for (const body_loops *l = inner->loops; l; l = l->next)
        add_loops(b, l->joints, stiction_reader_format(r, "%s%s", prefix, l->prefix),
                  stiction_reader_format(r, "%s%s", l->suffix, suffix));
    for (size_t k = 0; k < inner->count; k++) {
        body_link link = inner->links[k];
        link.name = stiction_reader_format(r, "%s%s%s", prefix, link.name, suffix);
        link.joint_name = stiction_reader_format(r, "%s%s%s", prefix, link.joint_name, suffix);
        link.at = map->at;
        link.untouchable = false; /* only the rules of the whole body count */
        if (link.joint_id >= 0) link.joint_id += id_offset;
        if (k == inner->root) {
            link.parent_name = body_text(b, map, "parent", NULL);
            body_read_joint(b, map, &link);
        } else {
            link.parent += first;
            link.parent_name = NULL;
        }
        add_link(b, link);
    }
    (void)stiction_doc_find(r, map, "elements"); /* Choreonoid takes shapes from them, no masses */
    note_unread(b, map);
}

static const struct {
    const char *type;
    void (*read)(body_reader *b, const tree_node *map);
} link_types[] = {{"Link", read_link}, {"SubBody", read_sub_body}, {"Skip", NULL}};

static void read_link_node(body_reader *b, const tree_node *map, const char *type) {
    stiction_doc_expect(b->r, map, TREE_MAPPING, "a link");
    type = body_text(b, map, "type", type ? type : "Link");
    for (size_t k = 0; k < sizeof link_types / sizeof link_types[0]; k++)
        if (strcmp(link_types[k].type, type) == 0) {
            if (link_types[k].read) link_types[k].read(b, map);
            return;
        }
    stiction_reader_refuse(b->r, map->at, "a %s among the links is not read", type);
}

/* ---- the tree ---- */

static int find_link(const body_file *body, const char *name) {
    for (size_t k = 0; k < body->count; k++)
        if (strcmp(body->links[k].name, name) == 0) return (int)k;
    return -1;
}

static void refuse_doubles(reader *r, const body_file *body) {
    for (size_t k = 0; k < body->count; k++)
        for (size_t j = 0; j < k; j++) {
            const body_link *a = &body->links[j], *b = &body->links[k];
            if (strcmp(a->name, b->name) == 0)
                stiction_reader_refuse(r, b->at, "the link '%s' is defined twice", b->name);
            if (strcmp(a->joint_name, b->joint_name) == 0)
                stiction_reader_refuse(r, b->at, "the joint '%s' is defined twice", b->joint_name);
        }
}

static void connect(reader *r, body_file *body, const char *root_name, stiction_place root_at) {
    const int root = root_name ? find_link(body, root_name) : 0;
    if (root < 0) stiction_reader_refuse(r, root_at, "there is no link '%s'", root_name);
    body->root = (size_t)root;
    for (size_t k = 0; k < body->count; k++) {
        body_link *link = &body->links[k];
        if (link->parent_name) {
            link->parent = find_link(body, link->parent_name);
            if (link->parent < 0)
                stiction_reader_refuse(r, link->at, "link '%s': there is no link '%s', its parent",
                                       link->name, link->parent_name);
        } else if (link->parent < 0 && k != body->root) {
            stiction_reader_refuse(r, link->at, "link '%s' lacks its parent", link->name);
        }
    }
    /* every link must lead to the root */
    for (size_t k = 0; k < body->count; k++) {
        size_t steps = 0;
        for (int at = (int)k; at >= 0 && steps <= body->count; steps++) at = body->links[at].parent;
        if (steps > body->count)
            stiction_reader_refuse(r, body->links[k].at, "link '%s' is its own ancestor",
                                   body->links[k].name);
    }
}

/* ---- joints that follow others: a key of ours, which Choreonoid ignores ---- */

static int link_of_joint(body_reader *b, const tree_node *map, const char *key) {
    const tree_node *node = stiction_doc_find(b->r, map, key);
    if (!node) stiction_reader_refuse(b->r, map->at, "%s is missing", key);
    const char *name = stiction_doc_text(b->r, node, key);
    for (size_t k = 0; k < b->body->count; k++)
        if (b->body->links[k].joint_id >= 0 && strcmp(b->body->links[k].joint_name, name) == 0)
            return (int)k;
    stiction_reader_refuse(b->r, node->at, "there is no joint '%s' that moves", name);
}

static void read_couplings(body_reader *b, const tree_node *list) {
    body_equality *couples = NULL;
    stiction_doc_expect(b->r, list, TREE_LIST, BODY_COUPLINGS);
    for (const tree_entry *e = list->first; e; e = e->next) {
        body_equality couple = {.kind = BODY_COUPLE};
        stiction_doc_expect(b->r, e->value, TREE_MAPPING, "a coupling");
        couple.link[0] = link_of_joint(b, e->value, "joint");
        couple.link[1] = link_of_joint(b, e->value, "follows");
        const tree_node *polynomial = stiction_doc_find(b->r, e->value, "polynomial");
        if (!polynomial) stiction_reader_refuse(b->r, e->value->at, "polynomial is missing");
        stiction_doc_numbers(b->r, polynomial, "polynomial", 5, couple.polynomial);
        couples = stiction_reader_grow(b->r, couples, b->body->equality_count, sizeof *couples);
        couples[b->body->equality_count++] = couple;
    }
    b->body->equalities = couples;
}

/* ---- the file ---- */

static void read_header(body_reader *b, const tree_node *top) {
    reader *r = b->r;
    const tree_node *model_file = stiction_doc_find(r, top, "model_file");
    const char *format = body_text(b, top, "format", "");
    if (strcmp(format, "ChoreonoidBody") != 0) {
        if (model_file)
            stiction_reader_refuse(r, model_file->at, "only refers to '%s': give that file instead",
                                   stiction_doc_text(r, model_file, "model_file"));
        stiction_reader_refuse(r, top->at, "is not a body: its format must be ChoreonoidBody");
    }
    const tree_node *version_node = stiction_doc_find(r, top, "format_version");
    if (!version_node) stiction_reader_refuse(r, top->at, "format_version is missing");
    const double version = stiction_doc_number(r, version_node, "format_version");
    if (!(version >= 1 && version < 2.1))
        stiction_reader_refuse(r, version_node->at, "format_version %g is not read; 1.0 to 2.0 are",
                               version);
    const tree_node *unit_node = stiction_doc_find(r, top, "angle_unit");
    const char *unit = unit_node ? stiction_doc_text(r, unit_node, "angle_unit") : "degree";
    b->degrees = strcmp(unit, "radian") != 0;
    if (b->degrees && strcmp(unit, "degree") != 0)
        stiction_reader_refuse(r, unit_node->at, "angle_unit must be degree or radian, not '%s'",
                               unit);
    if (!b->degrees && version >= 2)
        stiction_reader_refuse(r, unit_node->at, "angle_unit must be degree in format_version 2");
}

static body_file *read_file(reader *r, body_whole *whole, stiction_place at, const char *path,
                            bool no_meshes, int depth) {
    if (depth > deepest)
        stiction_reader_refuse(r, at, "bodies are nested more than %d levels deep", deepest);
    body_file *body = stiction_reader_alloc(r, sizeof *body);
    body->path = path;
    body_reader b = {.r = r, .whole = whole, .body = body, .no_meshes = no_meshes, .depth = depth};
    const tree_options options = stiction_doc_choreonoid("a body");
    b.document = body_read_document(&b, at, path, &options);
    const tree_node *top = b.document.root;
    stiction_doc_expect(r, top, TREE_MAPPING, "the file");
    read_header(&b, top);
    body->name = body_text(&b, top, "name", NULL);
    if (body->name) robot_check_name(r, top->at, "the body", body->name);
    const tree_node *links = stiction_doc_find(r, top, "links");
    if (!links) stiction_reader_refuse(r, top->at, "links are missing");
    if (links->kind == TREE_SCALAR || !links->count)
        stiction_reader_refuse(r, links->at, "links must be a list of links");
    for (const tree_entry *e = links->first; e; e = e->next)
        read_link_node(&b, e->value, e->key ? e->key->text : NULL);
    if (!body->count) stiction_reader_refuse(r, links->at, "links must be a list of links");
    refuse_doubles(r, body);
    const tree_node *root = stiction_doc_find(r, top, "root_link");
    connect(r, body, root ? stiction_doc_text(r, root, "root_link") : NULL, root ? root->at : at);
    const tree_node *loops = stiction_doc_find(r, top, "extra_joints");
    if (loops) add_loops(&b, loops, "", "");
    const tree_node *couplings = stiction_doc_find(r, top, BODY_COUPLINGS);
    if (couplings) read_couplings(&b, couplings);
    const tree_node *handlers = stiction_doc_find(r, top, "body_handlers");
    if (handlers) body->handlers_at = handlers->at;
    body_read_contact_rules(&b, top);
    note_unread(&b, top);
    warn_unread(&b);
    return body;
}

static void add_limb(const body_file *body, size_t index, int *order, size_t *count) {
    order[(*count)++] = (int)index;
    for (size_t k = 0; k < body->count; k++)
        if (body->links[k].parent == (int)index) add_limb(body, k, order, count);
}

const int *body_order(reader *r, const body_file *body) {
    int *order = stiction_reader_alloc(r, body->count * sizeof *order);
    size_t count = 0;
    add_limb(body, body->root, order, &count);
    return order;
}

/* A scene as a body: what Choreonoid makes of a file that is no body. */
static body_file *read_scene(reader *r, stiction_place at, const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const char *name = slash ? slash + 1 : path;
    body_file *body = stiction_reader_alloc(r, sizeof *body);
    *body = (body_file){.path = path,
                        .name = stiction_reader_format(r, "%.*s", (int)(dot - name), name),
                        .apart = 1};
    body_whole whole = {0};
    body_reader b = {.r = r, .whole = &whole, .body = body};
    body_link link = body_new_link((stiction_place){path, 0, 0});
    link.name = link.joint_name = "Root";
    link.lower = -(double)INFINITY;
    link.upper = (double)INFINITY;
    const body_mass mass = {.mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    body_set_mass(&link, &mass, 1);
    shape_list shapes = {0};
    body_read_scene(&b, at, path, &shapes);
    link.shapes = shapes.items;
    link.shape_count = shapes.count;
    add_link(&b, link);
    return body;
}

bool body_is_scene(const char *path) {
    static const char *const endings[] = {".scen", ".wrl", ".stl", ".obj", ".dae"};
    const char *ending = strrchr(path, '.');
    for (size_t k = 0; ending && k < sizeof endings / sizeof endings[0]; k++)
        if (strcasecmp(ending, endings[k]) == 0) return true;
    return false;
}

body_file *body_read(reader *r, stiction_place at, const char *path) {
    body_whole whole = {0};
    return body_is_scene(path) ? read_scene(r, at, path) : read_file(r, &whole, at, path, false, 0);
}

body_file *body_read_without_meshes(reader *r, stiction_place at, const char *path) {
    body_whole whole = {0};
    return read_file(r, &whole, at, path, true, 0);
}
