/*
 * A Choreonoid project (.cnoid) as bodies, simulators, friction and controllers: the tree of items.
 * Which items count follows Choreonoid's SimulatorItem; what each one states is in
 * project_items.c. What would change the result and is not known is refused here.
 */
#include "project.h"

#include <stdio.h>
#include <string.h>

#include "document/names.h"
#include "document/text.h"
#include "project_reader.h"

/* Far more than any project has; a file of aliases to aliases ends here. */
enum { most_items = 10000, deepest = 100 };

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
    body_entry *bodies;
    size_t body_count;
    simulator_entry *simulators;
    size_t simulator_count;
    size_t items;
    int worlds;
    const char **unknown; /* classes that were warned of */
    size_t unknown_count;
} tree;

/* Where an item stands; -1: not below such an item. */
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
    if (table &&
        !stiction_text_ends_with(stiction_doc_text(t->r, table, "default_material_table_file"),
                                 "default/materials.yaml"))
        stiction_reader_refuse(t->r, table->at,
                               "no table of materials but Choreonoid's own is read");
    at.world = true;
    return at;
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
    t->bodies = stiction_reader_grow(t->r, t->bodies, t->body_count, sizeof *t->bodies);
    t->bodies[t->body_count] = (body_entry){.body = project_read_body(t->r, t->path, item)};
    at.body = (int)t->body_count++;
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
    if (strcmp(added->coupling, "explicit") != 0)
        project_note_obstacle(
            &s->simulator, added->coupling_at,
            stiction_reader_format(t->r,
                                   "StictionItem '%s': the coupling must be explicit, not '%s'",
                                   item->name, added->coupling));
    return at;
}

/* Of these Choreonoid uses only what stands below a simulator item. */
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

static around visit_script(tree *t, const project_item *item, around at) {
    return item->checked ? visit_acting(t, item, at) : at;
}

/* The first row that fits; '*' stands for any beginning. */
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
    {"*SimulatorItem", visit_simulator},
    {"*ControllerItem", visit_controller},
    {"ExtraJointItem", visit_acting},
    {"LinkOverwriteItem", visit_acting},
    {"MaterialTableItem", visit_acting},
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

/* What to say behind an unknown class. */
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

/* Below a simulator an item may be meant to act on its bodies. */
static around visit_unknown(tree *t, const project_item *item, around at) {
    char hint[NAME_HINT_SIZE];
    if (at.simulator >= 0 && project_flag(t->r, item->data, "enabled", true)) {
        project_note_obstacle(
            &t->simulators[at.simulator].simulator, item->at,
            stiction_reader_format(t->r, "'%s' below a simulator is of an unknown class, %s%s",
                                   item->name, item->class_name,
                                   class_hint(item->class_name, hint)));
        return at;
    }
    for (size_t k = 0; k < t->unknown_count; k++)
        if (strcmp(t->unknown[k], item->class_name) == 0) return at;
    t->unknown = stiction_reader_grow(t->r, t->unknown, t->unknown_count, sizeof *t->unknown);
    t->unknown[t->unknown_count++] = item->class_name;
    stiction_reader_warn(t->r, item->at, "a %s is not known, so '%s' is not read", item->class_name,
                         item->name);
    return at;
}

static around visit_item(tree *t, const project_item *item, around at) {
    for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++)
        if (fits(classes[k].class_name, item->class_name)) return classes[k].visit(t, item, at);
    return visit_unknown(t, item, at);
}

static void walk(tree *t, const tree_node *map, around at) {
    if (++t->items > most_items || ++at.depth > deepest)
        stiction_reader_refuse(t->r, map->at, "has too many items for a project");
    const project_item item = project_read_item(t->r, map);
    const around inside = visit_item(t, &item, at);
    if (!item.children) return;
    for (const tree_entry *e = item.children->first; e; e = e->next) walk(t, e->value, inside);
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
    *p = (project){t->path, bodies, t->body_count, simulators, t->simulator_count};
    return p;
}

bool project_is_robot(const char *path) {
    static const char *const endings[] = {".body", ".urdf", ".xml"};
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++)
        if (stiction_text_ends_with(path, endings[k])) return true;
    return false;
}

const project *project_read(reader *r, const char *path) {
    const stiction_place whole = {path, 0, 0};
    if (project_is_robot(path)) stiction_reader_refuse(r, whole, PROJECT_IS_ROBOT);
    const tree_options options = stiction_doc_choreonoid();
    const tree_node *top = stiction_doc_read(r, whole, path, &options).root;
    stiction_doc_expect(r, top, TREE_MAPPING, "the file");
    const tree_node *items = stiction_doc_find(r, top, "items");
    if (!items) stiction_reader_refuse(r, whole, "is not a project: it has no items");
    tree t = {.r = r, .path = path, .times = project_read_times(r, top)};
    walk(&t, items, (around){.body = -1, .simulator = -1});
    if (!t.worlds) stiction_reader_refuse(r, whole, "has no WorldItem");
    if (!t.simulator_count) stiction_reader_refuse(r, whole, "has no simulator item in its world");
    if (!t.body_count) stiction_reader_refuse(r, whole, "has no body in its world");
    return finish(&t);
}
