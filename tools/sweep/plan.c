/* SPDX-License-Identifier: MIT
 * The plan of a sweep: the grid, its runs, and both as JSON.
 */
#include "sweep/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "sweep/goal.h"
#include "sweep/select.h"

static void free_texts(char **texts, size_t count) {
    for (size_t k = 0; k < count; k++) free(texts[k]);
    free(texts);
}

void sweep_parameter_free(sweep_parameter *p) {
    free(p->key);
    free_texts(p->values, p->count);
    free(p->spots);
    free(p->slots);
}

void sweep_plan_free(sweep_plan *plan) {
    free_texts(plan->projects, plan->project_count);
    free(plan->project_spots);
    for (size_t k = 0; k < plan->parameter_count; k++) sweep_parameter_free(&plan->parameters[k]);
    free(plan->parameters);
    sweep_goal_free(plan->goal);
    json_decref(plan->definition);
    json_decref(plan->outcome);
    sweep_select_free(plan->works.select);
    free(plan->works.text);
    free(plan->works.edge);
    free(plan->path);
    free(plan->warning);
    free(plan->table);
    free(plan->engine);
    free(plan->interval);
    *plan = (sweep_plan){.projects = NULL};
}

/* ---- the grid ---- */

/* Stops above the bound, so that the product cannot overflow. */
static size_t combinations(const sweep_plan *plan, size_t first) {
    size_t count = 1;
    for (size_t k = first; k < plan->parameter_count && count <= SWEEP_MOST_RUNS; k++)
        count *= plan->parameters[k].count;
    return count;
}

size_t sweep_plan_count(const sweep_plan *plan) {
    if (plan->table) return plan->run_count;
    const size_t count = combinations(plan, 0);
    return count > SWEEP_MOST_RUNS ? count : count * plan->project_count;
}

/* Numbers of a row of the table. */
static size_t row_size(const sweep_plan *plan) {
    return plan->parameter_count + 1;
}

size_t sweep_plan_project_index(const sweep_plan *plan, size_t run) {
    return plan->table ? plan->table[run * row_size(plan)] : run / combinations(plan, 0);
}

static size_t value_index(const sweep_plan *plan, size_t run, size_t parameter) {
    if (plan->table) return plan->table[run * row_size(plan) + 1 + parameter];
    return run / combinations(plan, parameter + 1) % plan->parameters[parameter].count;
}

const char *sweep_plan_project(const sweep_plan *plan, size_t run) {
    return plan->projects[sweep_plan_project_index(plan, run)];
}

const char *sweep_plan_value(const sweep_plan *plan, size_t run, size_t parameter) {
    return plan->parameters[parameter].values[value_index(plan, run, parameter)];
}

bool sweep_plan_varies(const sweep_plan *plan, size_t parameter) {
    return plan->parameters[parameter].count > 1;
}

static stiction_place place_of(const sweep_plan *plan, const sweep_spot *spots, size_t at) {
    if (!plan->path || !spots || !spots[at].line) return (stiction_place){.path = NULL};
    return (stiction_place){plan->path, spots[at].line, spots[at].column};
}

stiction_place sweep_plan_place(const sweep_plan *plan, size_t run, size_t parameter) {
    return place_of(plan, plan->parameters[parameter].spots, value_index(plan, run, parameter));
}

stiction_place sweep_plan_project_place(const sweep_plan *plan, size_t run) {
    return place_of(plan, plan->project_spots, sweep_plan_project_index(plan, run));
}

/* ---- adding runs ---- */

/* FNV-1a */
static uint32_t hash(const char *text) {
    uint32_t h = 2166136261u;
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

/* Where a text is in the hash table of a key, or where it would be. */
static uint32_t *find_slot(const sweep_parameter *p, const char *text) {
    size_t at = hash(text) & (p->slot_count - 1);
    while (p->slots[at] && strcmp(p->values[p->slots[at] - 1], text) != 0)
        at = (at + 1) & (p->slot_count - 1);
    return &p->slots[at];
}

static void grow_slots(sweep_parameter *p) {
    free(p->slots);
    p->slot_count = 64;
    while (p->slot_count < 4 * (p->count + 1)) p->slot_count *= 2;
    p->slots = allocate(p->slot_count, sizeof *p->slots);
    for (size_t k = 0; k < p->count; k++) *find_slot(p, p->values[k]) = (uint32_t)k + 1;
}

size_t sweep_parameter_add(sweep_parameter *p, const char *value, sweep_spot spot) {
    if (p->slot_count < 2 * (p->count + 1)) grow_slots(p);
    uint32_t *slot = find_slot(p, value);
    if (*slot) return *slot - 1;
    if (p->count >= p->room) {
        p->room = p->count < 8 ? 16 : 2 * p->count;
        const bool unknown = !p->spots;
        p->values = reallocate(p->values, p->room, sizeof *p->values);
        p->spots = reallocate(p->spots, p->room, sizeof *p->spots);
        if (unknown) memset(p->spots, 0, p->room * sizeof *p->spots);
    }
    p->values[p->count] = copy_text(value);
    p->spots[p->count] = spot;
    *slot = (uint32_t)++p->count;
    return p->count - 1;
}

uint32_t *sweep_plan_add_row(sweep_plan *plan) {
    if (!plan->table || plan->run_count == plan->run_room) {
        plan->run_room = plan->run_room ? 2 * plan->run_room : 64;
        plan->table = reallocate(plan->table, plan->run_room * row_size(plan), sizeof *plan->table);
    }
    return &plan->table[plan->run_count++ * row_size(plan)];
}

/* Every combination as rows. */
static void make_table(sweep_plan *plan) {
    sweep_plan grid = *plan;
    const size_t count = sweep_plan_count(plan);
    for (size_t run = 0; run < count; run++) {
        uint32_t *row = sweep_plan_add_row(plan);
        row[0] = (uint32_t)sweep_plan_project_index(&grid, run);
        for (size_t k = 0; k < plan->parameter_count; k++)
            row[k + 1] = (uint32_t)value_index(&grid, run, k);
    }
}

size_t sweep_plan_append(sweep_plan *plan, size_t project, const char *const *values) {
    if (!plan->table) make_table(plan);
    uint32_t *row = sweep_plan_add_row(plan);
    row[0] = (uint32_t)project;
    for (size_t k = 0; k < plan->parameter_count; k++)
        row[k + 1] = (uint32_t)sweep_parameter_add(&plan->parameters[k], values[k],
                                                   plan->parameters[k].spot);
    return plan->run_count - 1;
}

/* ---- names ---- */

char *sweep_plan_name(const sweep_plan *plan, size_t run) {
    json_auto_t *settings = sweep_plan_run_json(plan, run);
    AUTO_FREE char *text = must_have(json_dumps(settings, JSON_COMPACT));
    return format_text("%04zu-%08" PRIx32, run + 1, hash(text));
}

static const char *after_last(char separator, const char *text) {
    const char *found = strrchr(text, separator);
    return found ? found + 1 : text;
}

static const char *last_word(const char *key) {
    return after_last('.', key);
}

const char *sweep_plan_short_key(const sweep_plan *plan, size_t parameter) {
    const char *key = plan->parameters[parameter].key;
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (k != parameter && strcmp(last_word(plan->parameters[k].key), last_word(key)) == 0)
            return key;
    return last_word(key);
}

static char *rounded(const char *text, int digits) {
    double number;
    return read_number(text, &number) ? format_text("%.*g", digits, number) : copy_text(text);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t count_distinct(char *const *texts, size_t count) {
    AUTO_FREE char **sorted = allocate(count, sizeof *sorted);
    size_t distinct = 0;
    memcpy(sorted, texts, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_text);
    for (size_t k = 0; k < count; k++) distinct += !k || strcmp(sorted[k], sorted[k - 1]) != 0;
    return distinct;
}

void sweep_round_texts(char **texts, size_t count) {
    const size_t distinct = count_distinct(texts, count);
    AUTO_FREE char **made = allocate(count, sizeof *made);
    bool kept = false;
    for (int digits = 4; digits <= 9 && !kept; digits++) {
        for (size_t k = 0; k < count; k++) made[k] = rounded(texts[k], digits);
        kept = count_distinct(made, count) == distinct;
        for (size_t k = 0; k < count; k++) {
            free(kept ? texts[k] : made[k]);
            if (kept) texts[k] = made[k];
        }
    }
}

size_t sweep_plan_find_key(const sweep_plan *plan, const char *name, size_t *alike) {
    size_t found = plan->parameter_count;
    *alike = 0;
    for (size_t k = 0; k < plan->parameter_count; k++) {
        const char *key = plan->parameters[k].key;
        const size_t length = strlen(key), part = strlen(name);
        if (strcmp(key, name) == 0) return k;
        if (length <= part || key[length - part - 1] != '.' ||
            strcmp(key + length - part, name) != 0)
            continue;
        found = k;
        ++*alike;
    }
    return *alike == 1 ? found : plan->parameter_count;
}

const char *sweep_plan_short_project(const sweep_plan *plan, size_t project) {
    const char *path = plan->projects[project], *name = after_last('/', path);
    for (size_t k = 0; k < plan->project_count; k++)
        if (k != project && strcmp(after_last('/', plan->projects[k]), name) == 0) return path;
    return name;
}

/* ---- JSON ---- */

static json_t *texts_json(char *const *texts, size_t count) {
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) json_array_append_new(list, json_string(texts[k]));
    return list;
}

/* "0 3 17": the project of a run, and its values, by their places in the lists above. */
static json_t *row_json(const sweep_plan *plan, const uint32_t *row, char *text) {
    char *end = text;
    for (size_t k = 0; k < row_size(plan); k++)
        end += sprintf(end, k ? " %" PRIu32 : "%" PRIu32, row[k]);
    return json_string(text);
}

static json_t *table_json(const sweep_plan *plan) {
    json_t *list = json_array();
    AUTO_FREE char *text = allocate(row_size(plan), 12);
    for (size_t run = 0; run < plan->run_count; run++)
        json_array_append_new(list, row_json(plan, &plan->table[run * row_size(plan)], text));
    return list;
}

static const char works_key[] = "works", *const edge_keys[] = {"smallest", "largest"};

json_t *sweep_plan_json(const sweep_plan *plan) {
    json_t *set = json_object();
    for (size_t k = 0; k < plan->parameter_count; k++)
        json_object_set_new(set, plan->parameters[k].key,
                            texts_json(plan->parameters[k].values, plan->parameters[k].count));
    json_t *json = json_pack("{s:i, s:o, s:s, s:s?, s:o, s:I}", "sweep", 1, "projects",
                             texts_json(plan->projects, plan->project_count), "engine",
                             plan->engine, "interval", plan->interval, "set", set, "runs",
                             (json_int_t)sweep_plan_count(plan));
    if (plan->table) json_object_set_new(json, "table", table_json(plan));
    if (plan->definition) json_object_set(json, "search", plan->definition);
    if (plan->outcome) json_object_set(json, "outcome", plan->outcome);
    const sweep_works *works = &plan->works;
    if (works->text) json_object_set_new(json, works_key, json_string(works->text));
    if (works->edge) json_object_set_new(json, edge_keys[works->largest], json_string(works->edge));
    return json;
}

json_t *sweep_plan_run_json(const sweep_plan *plan, size_t run) {
    json_t *set = json_object();
    for (size_t k = 0; k < plan->parameter_count; k++)
        json_object_set_new(set, plan->parameters[k].key,
                            json_string(sweep_plan_value(plan, run, k)));
    return json_pack("{s:s, s:s, s:s?, s:o}", "project", sweep_plan_project(plan, run), "engine",
                     plan->engine, "interval", plan->interval, "set", set);
}

/* The searched keys of a search that has not begun have no values. */
static bool read_texts(const json_t *list, bool may_be_empty, char ***texts, size_t *count) {
    *texts = allocate(json_array_size(list), sizeof **texts);
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *text = json_string_value(json_array_get(list, k));
        if (!text) return false;
        (*texts)[(*count)++] = copy_text(text);
    }
    return *count > 0 || (may_be_empty && json_is_array(list));
}

static bool read_row(const sweep_plan *plan, const char *text, uint32_t *row) {
    for (size_t k = 0; text && k < row_size(plan); k++) {
        const size_t count = k ? plan->parameters[k - 1].count : plan->project_count;
        char *end;
        const unsigned long number = strtoul(text, &end, 10);
        if (end == text || number >= count) return false;
        row[k] = (uint32_t)number;
        text = end;
    }
    return text && !*text;
}

static bool read_table(sweep_plan *plan, const json_t *table) {
    if (!table) return true;
    if (!json_is_array(table) || json_array_size(table) > SWEEP_MOST_RUNS) return false;
    for (size_t run = 0; run < json_array_size(table); run++)
        if (!read_row(plan, json_string_value(json_array_get(table, run)),
                      sweep_plan_add_row(plan)))
            return false;
    if (!plan->table && plan->definition) plan->table = allocate(1, sizeof *plan->table);
    return plan->run_count > 0 || plan->definition;
}

/* Whether two texts of JSON are the same, the order of keys included. */
static bool is_same_json(const json_t *a, const json_t *b) {
    AUTO_FREE char *one = must_have(json_dumps(a, JSON_COMPACT));
    AUTO_FREE char *other = must_have(json_dumps(b, JSON_COMPACT));
    return strcmp(one, other) == 0;
}

static char *copy_member(const json_t *json, const char *key) {
    const char *text = json_string_value(json_object_get(json, key));
    return text ? copy_text(text) : NULL;
}

static bool read_works(sweep_works *works, const json_t *json) {
    works->text = copy_member(json, works_key);
    works->largest = json_object_get(json, edge_keys[1]) != NULL;
    works->edge = copy_member(json, edge_keys[works->largest]);
    works->select = works->text ? sweep_select_read(works->text, NULL) : NULL;
    return !works->text || works->select;
}

bool sweep_plan_read_json(sweep_plan *plan, const json_t *json) {
    *plan = (sweep_plan){.projects = NULL};
    const char *engine = json_string_value(json_object_get(json, "engine"));
    const char *interval = json_string_value(json_object_get(json, "interval"));
    json_t *set = json_object_get(json, "set");
    plan->engine = engine ? copy_text(engine) : NULL;
    plan->interval = interval ? copy_text(interval) : NULL;
    plan->parameters = allocate(json_object_size(set), sizeof *plan->parameters);
    plan->definition = json_incref(json_object_get(json, "search"));
    plan->outcome = json_incref(json_object_get(json, "outcome"));
    bool fine =
        engine && json_is_object(set) &&
        read_texts(json_object_get(json, "projects"), false, &plan->projects, &plan->project_count);
    const char *key;
    json_t *values;
    json_object_foreach(set, key, values) {
        sweep_parameter *p = &plan->parameters[plan->parameter_count++];
        p->key = copy_text(key);
        fine = read_texts(values, plan->definition, &p->values, &p->count) && fine;
    }
    fine = read_works(&plan->works, json) && fine;
    fine = fine && read_table(plan, json_object_get(json, "table"));
    if (!fine || sweep_plan_count(plan) > SWEEP_MOST_RUNS) return false;
    json_auto_t *again = sweep_plan_json(plan);
    return is_same_json(json, again);
}

static void forget_works(json_t *json) {
    (void)json_object_del(json, works_key);
    for (int k = 0; k < 2; k++) (void)json_object_del(json, edge_keys[k]);
}

bool sweep_plan_is(const sweep_plan *plan, const json_t *json) {
    json_auto_t *own = sweep_plan_json(plan);
    bool same;
    if (plan->definition) {
        static const char *const parts[] = {"search", "projects", "engine", "interval"};
        same = true;
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
            same =
                same && json_equal(json_object_get(own, parts[k]), json_object_get(json, parts[k]));
    } else {
        json_auto_t *other = json_copy((json_t *)(uintptr_t)json);
        forget_works(own);
        forget_works(other);
        same = is_same_json(own, other);
    }
    return same;
}
