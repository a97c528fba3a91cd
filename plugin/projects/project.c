/* SPDX-License-Identifier: MIT
 * A Choreonoid project (.cnoid) as bodies, simulators, friction and controllers: the tree of items.
 * Which items count follows Choreonoid's SimulatorItem; what each one states is in
 * project_items.c. What would change the result and is not known is refused here.
 */
#include "project.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/names.h"
#include "document/text.h"
#include "project_reader.h"

/* Far more than any project has: the limit for files of aliases to aliases. */
enum { most_items = 10000, deepest = 100, most_links = 5000, most_shapes = 100000 };

typedef struct body_entry {
    project_body body;
    project_controller *controllers;
} body_entry;

typedef struct simulator_entry {
    project_simulator simulator;
    project_friction *frictions;
} simulator_entry;

typedef struct tree {
    reader *r;
    const char *path;
    project_times times;
    const project_robot_file *robots;
    body_entry *bodies;
    size_t body_count;
    size_t links, shapes; /* of all bodies */
    simulator_entry *simulators;
    size_t simulator_count;
    size_t items;
    int worlds;
    material_table materials;
    const char *idle_friction;
    const char **unknown; /* classes that were warned of */
    size_t unknown_count;
} tree;

/* The depth of an item; -1: not below such an item. */
typedef struct around {
    bool world;
    int body, simulator;
    int depth;
} around;

/* Items */

typedef around visit(tree *t, const project_item *item, around at);

static around visit_nothing(tree *t, const project_item *item, around at) {
    (void)t, (void)item;
    return at;
}

static around visit_world(tree *t, const project_item *item, around at) {
    if (t->worlds++ > 0) stiction_reader_refuse(t->r, item->at, "a second WorldItem is not read");
    const tree_node *table =
        project_find(t->r, item->data, "default_material_table_file", "material_table_file");
    if (!table ||
        stiction_text_ends_with(stiction_doc_text(t->r, table, "default_material_table_file"),
                                "default/materials.yaml"))
        materials_begin(t->r, &t->materials);
    else
        materials_merge(t->r, table->at,
                        project_resolve(t->r, t->path, table, "default_material_table_file"),
                        &t->materials);
    at.world = true;
    return at;
}

static void add_body(tree *t, project_body body) {
    t->links += body.file->count;
    for (size_t k = 0; k < body.file->count; k++) t->shapes += body.file->links[k].shape_count;
    if (t->links > most_links || t->shapes > most_shapes)
        stiction_reader_refuse(t->r, body.at,
                               "with '%s' the bodies have more than %d links or %d shapes",
                               body.name, most_links, most_shapes);
    t->bodies = stiction_reader_grow(t->r, t->bodies, t->body_count, sizeof *t->bodies);
    t->bodies[t->body_count++] = (body_entry){.body = body};
}

static around visit_body(tree *t, const project_item *item, around at) {
    if (at.simulator >= 0)
        stiction_reader_refuse(t->r, item->at, "body '%s' below a simulator item is not read",
                               item->name);
    if (!at.world) {
        stiction_reader_warn(t->r, item->at, "body '%s' is in no world: it is not simulated",
                             item->name);
        return at;
    }
    const project_body *others;
    size_t count;
    at.body = (int)t->body_count;
    add_body(t, project_read_body(t->r, t->path, item, &t->robots, &others, &count));
    for (size_t k = 0; k < count; k++) add_body(t, others[k]);
    return at;
}

static around visit_controller(tree *t, const project_item *item, around at) {
    if (!at.world) return at;
    if (at.body < 0)
        stiction_reader_refuse(t->r, item->at, "%s '%s' is below no body: it is not read",
                               item->class_name, item->name);
    body_entry *b = &t->bodies[at.body];
    b->controllers = stiction_reader_grow(t->r, b->controllers, b->body.controller_count,
                                          sizeof *b->controllers);
    b->controllers[b->body.controller_count++] = project_read_controller(t->r, item);
    return at;
}

static around visit_friction(tree *t, const project_item *item, around at) {
    if (at.simulator < 0) {
        if (!t->idle_friction) t->idle_friction = item->name;
        stiction_reader_warn(t->r, item->at,
                             "StictionItem '%s' is below no simulator item: it is not used",
                             item->name);
        return at;
    }
    simulator_entry *s = &t->simulators[at.simulator];
    s->frictions =
        stiction_reader_grow(t->r, s->frictions, s->simulator.friction_count, sizeof *s->frictions);
    project_friction *added = &s->frictions[s->simulator.friction_count++];
    *added = project_read_friction(t->r, t->path, item);
    return at;
}

/* Choreonoid uses these only below a simulator item. */
static around visit_sub_simulator(tree *t, const project_item *item, around at) {
    if (at.simulator >= 0 && project_flag(t->r, item->data, "enabled", true))
        project_note_obstacle(
            &t->simulators[at.simulator].simulator, item->at,
            stiction_reader_format(t->r, "%s '%s' is not read, but would act on the bodies",
                                   item->class_name, item->name));
    return at;
}

static around visit_simulator(tree *t, const project_item *item, around at) {
    if (at.simulator >= 0) return visit_sub_simulator(t, item, at);
    if (!at.world) {
        stiction_reader_warn(t->r, item->at, "simulator '%s' is in no world: it is not used",
                             item->name);
        return at;
    }
    t->simulators =
        stiction_reader_grow(t->r, t->simulators, t->simulator_count, sizeof *t->simulators);
    t->simulators[t->simulator_count] =
        (simulator_entry){.simulator = project_read_simulator(t->r, item, t->times)};
    at.simulator = (int)t->simulator_count++;
    return at;
}

static around visit_kinematic(tree *t, const project_item *item, around at) {
    if (at.world)
        stiction_reader_warn(
            t->r, item->at, "'%s' only moves bodies, without dynamics: it is not used", item->name);
    return at;
}

/* What acts on the bodies in a way that is not read. */
static around visit_acting(tree *t, const project_item *item, around at) {
    if (at.world)
        stiction_reader_refuse(t->r, item->at,
                               "%s '%s' is not read, but would change the simulation",
                               item->class_name, item->name);
    return at;
}

/* Values of a table override those of the world and of earlier tables. */
static around visit_materials(tree *t, const project_item *item, around at) {
    const tree_node *file = stiction_doc_find(t->r, item->data, "file");
    if (!at.world) return at;
    if (!file)
        stiction_reader_refuse(t->r, item->at, "%s '%s' lacks its file", item->class_name,
                               item->name);
    materials_merge(t->r, file->at, project_resolve(t->r, t->path, file, "file"), &t->materials);
    return at;
}

static around visit_script(tree *t, const project_item *item, around at) {
    return item->checked ? visit_acting(t, item, at) : at;
}

/* The first row that fits; '*' matches any beginning. */
static const struct {
    const char *class_name;
    visit *visit;
} classes[] = {
    {"RootItem", visit_nothing},
    {"WorldItem", visit_world},
    {"BodyItem", visit_body},
    {"StictionItem", visit_friction},
    {"KinematicSimulatorItem", visit_kinematic},
    {"GLVisionSimulatorItem", visit_nothing},
    {"SampleCameraEffectSimulatorItem", visit_nothing},
    {"DynamicTCSimulatorItem", visit_sub_simulator},
    {"MulticopterSimulatorItem", visit_sub_simulator},
    {"SubmersibleSimulatorItem", visit_sub_simulator},
    {"*SubSimulatorItem", visit_sub_simulator},
    {"AISTSimulatorItem", visit_simulator},
    {"*SimulatorItem", visit_simulator},
    {"SimpleControllerItem", visit_controller},
    {"*ControllerItem", visit_controller},
    {"ExtraJointItem", visit_acting},
    {"LinkOverwriteItem", visit_acting},
    {"MaterialTableItem", visit_materials},
    {"*SimScriptItem", visit_script},
    /* recordings, scenes and what they are shown with */
    {"FolderItem", visit_nothing},
    {"GroupItem", visit_nothing},
    {"*SeqItem", visit_nothing},
    {"BodyMotionItem", visit_nothing},
    {"WorldLogFileItem", visit_nothing},
    {"SceneItem", visit_nothing},
    {"*CameraItem", visit_nothing},
    {"*LightItem", visit_nothing},
    {"LightingItem", visit_nothing},
    {"*LoggerItem", visit_nothing},
    {"SensorVisualizer", visit_nothing},
    {"*VisualizerItem", visit_nothing},
    {"*PointSetItem", visit_nothing},
    {"*ScriptItem", visit_nothing},
};

static bool fits(const char *pattern, const char *name) {
    return *pattern == '*' ? stiction_text_ends_with(name, pattern + 1)
                           : strcmp(pattern, name) == 0;
}

/* The end of the message about an unknown class. */
static const char *class_hint(const char *name, char hint[NAME_HINT_SIZE]) {
    const char *names[sizeof classes / sizeof classes[0]];
    size_t count = 0;
    for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++)
        if (*classes[k].class_name != '*') names[count++] = classes[k].class_name;
    const char *nearest = stiction_nearest_name(name, names, count);
    if (!nearest) return "";
    (void)snprintf(hint, NAME_HINT_SIZE, "; the nearest is %.200s", nearest);
    return hint;
}

static const char *unknown_below_simulator(reader *r, const project_item *item) {
    char hint[NAME_HINT_SIZE];
    return stiction_reader_format(r, "'%s' below a simulator is of an unknown class, %s%s",
                                  item->name, item->class_name, class_hint(item->class_name, hint));
}

/* Below a simulator an unknown item may be one that acts on the bodies. */
static around visit_unknown(tree *t, const project_item *item, around at) {
    char hint[NAME_HINT_SIZE];
    if (at.simulator >= 0 && project_flag(t->r, item->data, "enabled", true)) {
        project_note_obstacle(&t->simulators[at.simulator].simulator, item->at,
                              unknown_below_simulator(t->r, item));
        return at;
    }
    for (size_t k = 0; k < t->unknown_count; k++)
        if (strcmp(t->unknown[k], item->class_name) == 0) return at;
    t->unknown = stiction_reader_grow(t->r, t->unknown, t->unknown_count, sizeof *t->unknown);
    t->unknown[t->unknown_count++] = item->class_name;
    stiction_reader_warn(t->r, item->at, "a %s is not known, so '%s' is not read%s",
                         item->class_name, item->name, class_hint(item->class_name, hint));
    return at;
}

/* NULL: the class is not known. */
static visit *visit_of(const char *class_name) {
    for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++)
        if (fits(classes[k].class_name, class_name)) return classes[k].visit;
    return NULL;
}

static around visit_item(tree *t, const project_item *item, around at) {
    visit *known = visit_of(item->class_name);
    return known ? known(t, item, at) : visit_unknown(t, item, at);
}

static void walk(tree *t, const tree_node *map, around at) {
    if (++t->items > most_items || ++at.depth > deepest)
        stiction_reader_refuse(t->r, map->at, "has too many items for a project");
    const project_item item = project_read_item(t->r, map);
    const around inside = visit_item(t, &item, at);
    if (!item.children) return;
    for (const tree_entry *e = item.children->first; e; e = e->next) walk(t, e->value, inside);
}

/* Errors in Choreonoid, too */

typedef struct check {
    reader *r;
    size_t items, simulators;
    const char *unknown; /* the message about the first item of an unknown class; NULL: none */
    stiction_place unknown_at;
} check;

/* False: the item names a plugin that is not one of ours. */
static bool may_be_ours(const project_item *item) {
    static const char *const ours[] = {"Stiction"};
    return !*item->plugin || stiction_nearest_name(item->plugin, ours, 1);
}

static void check_unknown(check *c, const project_item *item, bool below_simulator) {
    char hint[NAME_HINT_SIZE];
    if (below_simulator && may_be_ours(item))
        stiction_reader_refuse(c->r, item->at, "%s", unknown_below_simulator(c->r, item));
    if (c->unknown) return;
    c->unknown = stiction_reader_format(c->r, "'%s' is of an unknown class, %s%s", item->name,
                                        item->class_name, class_hint(item->class_name, hint));
    c->unknown_at = item->at;
}

static void check_item(check *c, const tree_node *map, bool below_simulator, int depth) {
    if (++c->items > most_items || depth > deepest)
        stiction_reader_refuse(c->r, map->at, "has too many items for a project");
    const project_item item = project_read_item(c->r, map);
    visit *known = visit_of(item.class_name);
    if (known == visit_friction) project_check_friction(c->r, &item);
    if (known == visit_simulator) project_check_time_range(c->r, &item);
    if (known == visit_body) {
        project_check_body_file(c->r, &item);
        project_check_displacements(c->r, &item);
    }
    if (!known) check_unknown(c, &item, below_simulator);
    const bool is_simulator = known == visit_simulator || known == visit_kinematic;
    c->simulators += is_simulator;
    if (!item.children) return;
    for (const tree_entry *e = item.children->first; e; e = e->next)
        check_item(c, e->value, below_simulator || is_simulator, depth + 1);
}

static void check_items(reader *r, const tree_node *items) {
    check c = {.r = r};
    check_item(&c, items, false, 1);
    if (!c.simulators && c.unknown)
        stiction_reader_refuse(r, c.unknown_at, "%s; there is no simulator item", c.unknown);
}

/* The whole */

static const project *finish(const tree *t) {
    project_body *bodies = stiction_reader_alloc(t->r, t->body_count * sizeof *bodies + 1);
    for (size_t k = 0; k < t->body_count; k++) {
        bodies[k] = t->bodies[k].body;
        bodies[k].controllers = t->bodies[k].controllers;
    }
    project_simulator *simulators =
        stiction_reader_alloc(t->r, t->simulator_count * sizeof *simulators + 1);
    for (size_t k = 0; k < t->simulator_count; k++) {
        simulators[k] = t->simulators[k].simulator;
        simulators[k].frictions = t->simulators[k].frictions;
    }
    project *p = stiction_reader_alloc(t->r, sizeof *p);
    *p = (project){.path = t->path,
                   .bodies = bodies,
                   .body_count = t->body_count,
                   .simulators = simulators,
                   .simulator_count = t->simulator_count,
                   .materials = t->materials,
                   .idle_friction = t->idle_friction};
    return p;
}

static const tree_node *read_items(reader *r, const char *path, project_times *times) {
    const stiction_place whole = {path, 0, 0};
    if (robot_is_file(path)) stiction_reader_refuse(r, whole, PROJECT_IS_ROBOT);
    const tree_options options = stiction_doc_choreonoid("a project");
    const tree_node *top = stiction_doc_read(r, whole, path, &options).root;
    stiction_doc_expect(r, top, TREE_MAPPING, "the file");
    const tree_node *items = stiction_doc_find(r, top, "items");
    if (!items) stiction_reader_refuse(r, whole, "is not a project: it has no items");
    check_items(r, items);
    if (times) *times = project_read_times(r, top);
    return items;
}

void project_check(reader *r, const char *path) {
    (void)read_items(r, path, NULL);
}

const project *project_read(reader *r, const char *path) {
    const stiction_place whole = {path, 0, 0};
    tree t = {.r = r, .path = path};
    const tree_node *items = read_items(r, path, &t.times);
    walk(&t, items, (around){.body = -1, .simulator = -1});
    if (!t.worlds) stiction_reader_refuse(r, whole, "has no WorldItem");
    if (!t.simulator_count) stiction_reader_refuse(r, whole, "has no simulator item in its world");
    if (!t.body_count) stiction_reader_refuse(r, whole, "has no body in its world");
    return finish(&t);
}

const char *project_endlessness(const project *p, const project_simulator *s) {
    if (isfinite(s->duration)) return NULL;
    if (!s->ends_with_controllers) return "without end";
    size_t controllers = 0;
    for (size_t k = 0; k < p->body_count; k++)
        for (size_t n = 0; n < p->bodies[k].controller_count; n++, controllers++)
            if (strcmp(p->bodies[k].controllers[n].module, "StictionPostureController") == 0)
                return "until its controllers end, which a posture controller never does";
    return controllers ? NULL : "until its controllers end, of which there are none";
}
