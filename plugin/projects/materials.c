/* SPDX-License-Identifier: MIT */
/* Tables of materials: Choreonoid's own, and files. */
#include "materials.h"

#include <math.h>
#include <string.h>

/* share/default/materials.yaml of Choreonoid 2.5, as far as it concerns friction: a material
 * without a roughness has 0.5. */
static const surface_material own_materials[] = {
    {"Default", 1},
    {"Ground", 1},
    {"Ball", 0.5},
    {"Slider", 0},
    {"Tire", 1},
    {"Tracks", 0.5},
    {"OilWetGround", 0.1},
    {"Sole", 1},
    {"Hand", 1},
    {"TankTracks", 1},
    {"TankWheel", 1},
    {"AizuSpiderTracks", 1},
    {"AizuSpiderWheel", 1},
    {"DoubleArmV7ATracks", 1},
    {"DoubleArmV7AWheel", 1},
    {"Wire", 0.5},
    {"Steel", 1},
};

static const material_pair own_pairs[] = {
    {.names = {"Default", "Default"}, .friction = 0.5},
    {.names = {"Ground", "Ball"}, .friction = 0.5, .restitution = 0.8},
    {.names = {"Ground", "Default"}, .friction = 0.5},
    {.names = {"Default", "Slider"}, .friction = 0},
    {.names = {"Ground", "Slider"}, .friction = 0},
    {.names = {"Ground", "Sole"}, .friction = 1},
    {.names = {"Ground", "Tire"}, .friction = 3},
    {.names = {"Default", "Hand"}, .friction = 1},
    {.names = {"Ground", "TankTracks"}, .friction = 1},
    {.names = {"TankWheel", "TankTracks"}, .friction = 1},
    {.names = {"Ground", "AizuSpiderTracks"}, .friction = 1},
    {.names = {"AizuSpiderWheel", "AizuSpiderTracks"}, .friction = 1},
    {.names = {"Ground", "DoubleArmV7ATracks"}, .friction = 1},
    {.names = {"DoubleArmV7AWheel", "DoubleArmV7ATracks"}, .friction = 1},
    {.names = {"Wire", "Default"}, .friction = 0.5},
    {.names = {"Wire", "Ground"}, .friction = 0.5},
    {.names = {"Steel", "Steel"}, .friction = 0.5},
    {.names = {"Steel", "Hand"}, .friction = 1},
};

static surface_material *find_material(const material_table *table, const char *name) {
    for (size_t k = 0; k < table->count; k++)
        if (strcmp(table->materials[k].name, name) == 0) return &table->materials[k];
    return NULL;
}

static material_pair *find_pair(const material_table *table, const char *a, const char *b) {
    for (size_t k = 0; k < table->pair_count; k++) {
        material_pair *pair = &table->pairs[k];
        if ((strcmp(pair->names[0], a) == 0 && strcmp(pair->names[1], b) == 0) ||
            (strcmp(pair->names[0], b) == 0 && strcmp(pair->names[1], a) == 0))
            return pair;
    }
    return NULL;
}

static void set_material(reader *r, material_table *table, surface_material one) {
    surface_material *known = find_material(table, one.name);
    if (known) {
        *known = one;
        return;
    }
    table->materials =
        stiction_reader_grow(r, table->materials, table->count, sizeof *table->materials);
    table->materials[table->count++] = one;
}

static void set_pair(reader *r, material_table *table, material_pair pair) {
    material_pair *known = find_pair(table, pair.names[0], pair.names[1]);
    if (known) {
        *known = pair;
        return;
    }
    table->pairs = stiction_reader_grow(r, table->pairs, table->pair_count, sizeof *table->pairs);
    table->pairs[table->pair_count++] = pair;
}

void materials_begin(reader *r, material_table *table) {
    for (size_t k = 0; k < sizeof own_materials / sizeof own_materials[0]; k++)
        set_material(r, table, own_materials[k]);
    for (size_t k = 0; k < sizeof own_pairs / sizeof own_pairs[0]; k++)
        set_pair(r, table, own_pairs[k]);
}

/* Files */

static double number_of(reader *r, const tree_node *map, const char *key, double otherwise) {
    const tree_node *node = stiction_doc_find(r, map, key);
    const double value = node ? stiction_doc_number(r, node, key) : otherwise;
    if (value < 0) stiction_reader_refuse(r, node->at, "%s %g must not be negative", key, value);
    return value;
}

/* A linear search among those before it: a table has about ten. */
static void count_one(reader *r, stiction_place at, material_table *table) {
    enum { most = 10000 };
    if (++table->read > most)
        stiction_reader_refuse(r, at, "has more than %d materials and pairs of them", most);
}

static void read_material(reader *r, const tree_node *map, material_table *table) {
    stiction_doc_expect(r, map, TREE_MAPPING, "a material");
    const tree_node *name = stiction_doc_find(r, map, "name");
    if (!name) stiction_reader_refuse(r, map->at, "a material lacks its name");
    count_one(r, map->at, table);
    set_material(r, table,
                 (surface_material){stiction_doc_text(r, name, "name"),
                                    number_of(r, map, "roughness", 0.5)});
}

/* Three or more materials form a pair each with each, as in Choreonoid. */
static void read_contact(reader *r, const tree_node *map, material_table *table) {
    stiction_doc_expect(r, map, TREE_MAPPING, "a contact material");
    const tree_node *names = stiction_doc_find(r, map, "materials");
    if (!names) stiction_reader_refuse(r, map->at, "a contact material lacks its materials");
    stiction_doc_expect(r, names, TREE_LIST, "materials");
    if (names->count < 2)
        stiction_reader_refuse(r, names->at, "materials must name at least 2, not %zu",
                               names->count);
    const double friction = number_of(r, map, "friction", 0.5);
    const tree_node *collision = stiction_doc_find(r, map, "collision_handler");
    material_pair pair = {
        .friction = number_of(r, map, "static_friction", friction),
        .at = map->at,
        .restitution = number_of(r, map, "restitution", 0),
        .collision = collision ? stiction_doc_text(r, collision, "collision_handler") : NULL};
    for (const tree_entry *e = names->first; e; e = e->next)
        for (const tree_entry *f = e->next; f; f = f->next) {
            pair.names[0] = stiction_doc_text(r, e->value, "materials");
            pair.names[1] = stiction_doc_text(r, f->value, "materials");
            count_one(r, map->at, table);
            set_pair(r, table, pair);
        }
}

static void each(reader *r, const tree_node *list, const char *what,
                 void read(reader *r, const tree_node *map, material_table *table),
                 material_table *table) {
    if (!list) return;
    stiction_doc_expect(r, list, TREE_LIST, what);
    for (const tree_entry *e = list->first; e; e = e->next) read(r, e->value, table);
}

void materials_merge(reader *r, stiction_place at, const char *path, material_table *table) {
    const tree_options options = stiction_doc_choreonoid("a table of materials");
    const tree_node *top = stiction_doc_read(r, at, path, &options).root;
    stiction_doc_expect(r, top, TREE_MAPPING, "the file");
    each(r, stiction_doc_find(r, top, "materials"), "materials", read_material, table);
    each(r, stiction_doc_find(r, top, "contact_materials"), "contact_materials", read_contact,
         table);
}

/* Asking */

const char *materials_known(const material_table *table, const char *name) {
    return name && find_material(table, name) ? name : "Default";
}

const material_pair *materials_pair(const material_table *table, const char *a, const char *b) {
    return find_pair(table, materials_known(table, a), materials_known(table, b));
}

static double roughness_of(const material_table *table, const char *name) {
    const surface_material *m = find_material(table, materials_known(table, name));
    return m ? m->roughness : 0.5;
}

double materials_friction(const material_table *table, const char *a, const char *b) {
    const material_pair *pair = materials_pair(table, a, b);
    return pair ? pair->friction : sqrt(roughness_of(table, a) * roughness_of(table, b));
}
