/*
 * What a sweep is: the grid, its runs, and both as JSON.
 */
#include "sweep/plan.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"

static void free_texts(char **texts, size_t count) {
    for (size_t k = 0; k < count; k++) free(texts[k]);
    free(texts);
}

void sweep_plan_free(sweep_plan *plan) {
    free_texts(plan->projects, plan->project_count);
    for (size_t k = 0; k < plan->parameter_count; k++) {
        free(plan->parameters[k].key);
        free_texts(plan->parameters[k].values, plan->parameters[k].count);
    }
    free(plan->parameters);
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
    const size_t count = combinations(plan, 0);
    return count > SWEEP_MOST_RUNS ? count : count * plan->project_count;
}

const char *sweep_plan_project(const sweep_plan *plan, size_t run) {
    return plan->projects[run / combinations(plan, 0)];
}

const char *sweep_plan_value(const sweep_plan *plan, size_t run, size_t parameter) {
    const sweep_parameter *p = &plan->parameters[parameter];
    return p->values[run / combinations(plan, parameter + 1) % p->count];
}

/* ---- names ---- */

/* FNV-1a */
static uint32_t hash(const char *text) {
    uint32_t h = 2166136261u;
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

static char *json_line(const json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT);
    if (text) return text;
    (void)complain("out of memory");
    exit(1);
}

char *sweep_plan_name(const sweep_plan *plan, size_t run) {
    json_t *settings = sweep_plan_run_json(plan, run);
    char *text = json_line(settings);
    char *name = format_text("%04zu-%08" PRIx32, run + 1, hash(text));
    free(text);
    json_decref(settings);
    return name;
}

static const char *behind_last(char separator, const char *text) {
    const char *found = strrchr(text, separator);
    return found ? found + 1 : text;
}

static const char *last_word(const char *key) {
    return behind_last('.', key);
}

const char *sweep_plan_short_key(const sweep_plan *plan, size_t parameter) {
    const char *key = plan->parameters[parameter].key;
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (k != parameter && strcmp(last_word(plan->parameters[k].key), last_word(key)) == 0)
            return key;
    return last_word(key);
}

const char *sweep_plan_short_project(const sweep_plan *plan, size_t run) {
    const char *project = sweep_plan_project(plan, run), *name = behind_last('/', project);
    for (size_t k = 0; k < plan->project_count; k++)
        if (strcmp(plan->projects[k], project) != 0 &&
            strcmp(behind_last('/', plan->projects[k]), name) == 0)
            return project;
    return name;
}

static void extend(char **text, const char *more) {
    char *longer = format_text("%s %s", *text, more);
    free(*text);
    *text = longer;
}

char *sweep_plan_label(const sweep_plan *plan, size_t run) {
    char *label = format_text("%zu", run + 1);
    if (plan->project_count > 1) {
        char *stem = path_stem(sweep_plan_project(plan, run));
        extend(&label, stem);
        free(stem);
    }
    for (size_t k = 0; k < plan->parameter_count; k++) {
        if (plan->parameters[k].count == 1) continue;
        char *setting =
            format_text("%s=%s", sweep_plan_short_key(plan, k), sweep_plan_value(plan, run, k));
        extend(&label, setting);
        free(setting);
    }
    return label;
}

/* ---- JSON ---- */

static json_t *texts_json(char *const *texts, size_t count) {
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) json_array_append_new(list, json_string(texts[k]));
    return list;
}

static json_t *text_or_null(const char *text) {
    return text ? json_string(text) : json_null();
}

json_t *sweep_plan_json(const sweep_plan *plan) {
    json_t *json = json_object(), *set = json_object();
    json_object_set_new(json, "sweep", json_integer(1));
    json_object_set_new(json, "projects", texts_json(plan->projects, plan->project_count));
    json_object_set_new(json, "engine", json_string(plan->engine));
    json_object_set_new(json, "interval", text_or_null(plan->interval));
    for (size_t k = 0; k < plan->parameter_count; k++)
        json_object_set_new(set, plan->parameters[k].key,
                            texts_json(plan->parameters[k].values, plan->parameters[k].count));
    json_object_set_new(json, "set", set);
    json_object_set_new(json, "runs", json_integer((json_int_t)sweep_plan_count(plan)));
    return json;
}

json_t *sweep_plan_run_json(const sweep_plan *plan, size_t run) {
    json_t *json = json_object(), *set = json_object();
    json_object_set_new(json, "project", json_string(sweep_plan_project(plan, run)));
    json_object_set_new(json, "engine", json_string(plan->engine));
    json_object_set_new(json, "interval", text_or_null(plan->interval));
    for (size_t k = 0; k < plan->parameter_count; k++)
        json_object_set_new(set, plan->parameters[k].key,
                            json_string(sweep_plan_value(plan, run, k)));
    json_object_set_new(json, "set", set);
    return json;
}

static bool read_texts(const json_t *list, char ***texts, size_t *count) {
    *texts = allocate(json_array_size(list), sizeof **texts);
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *text = json_string_value(json_array_get(list, k));
        if (!text) return false;
        (*texts)[(*count)++] = copy_text(text);
    }
    return *count > 0;
}

bool sweep_plan_read_json(sweep_plan *plan, const json_t *json) {
    *plan = (sweep_plan){.projects = NULL};
    const char *engine = json_string_value(json_object_get(json, "engine"));
    const char *interval = json_string_value(json_object_get(json, "interval"));
    json_t *set = json_object_get(json, "set");
    plan->engine = engine ? copy_text(engine) : NULL;
    plan->interval = interval ? copy_text(interval) : NULL;
    plan->parameters = allocate(json_object_size(set), sizeof *plan->parameters);
    bool fine =
        engine && json_is_object(set) &&
        read_texts(json_object_get(json, "projects"), &plan->projects, &plan->project_count);
    const char *key;
    json_t *values;
    json_object_foreach(set, key, values) {
        sweep_parameter *p = &plan->parameters[plan->parameter_count++];
        p->key = copy_text(key);
        fine = read_texts(values, &p->values, &p->count) && fine;
    }
    if (!fine || sweep_plan_count(plan) > SWEEP_MOST_RUNS) return false;
    json_t *again = sweep_plan_json(plan);
    const bool same = sweep_json_same(json, again);
    json_decref(again);
    return same;
}

bool sweep_json_same(const json_t *a, const json_t *b) {
    char *one = json_line(a), *other = json_line(b);
    const bool same = strcmp(one, other) == 0;
    free(one);
    free(other);
    return same;
}
