/*
 * Cases of parts, by a hash table of the values of their keys.
 */
#include "sweep/precheck_parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

/* ---- cases ---- */

/* Whether a key counts for a part: that of the world counts for all. */
static bool counts(const sweep_plan *plan, size_t parameter, unsigned part) {
    const settings_part of = settings_part_of(plan->parameters[parameter].key);
    return part == PART_ALL || of == SETTINGS_WORLD || (unsigned)of == part;
}

static const char *value_of(const part_cases *p, size_t task, size_t parameter) {
    return sweep_plan_value(p->r->store->plan, p->r->todo[task], parameter);
}

static size_t project_of(const part_cases *p, size_t task) {
    return sweep_plan_project_index(p->r->store->plan, p->r->todo[task]);
}

static uint64_t mix(uint64_t hash, const char *text) {
    do hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return hash;
}

static uint64_t hash_of(const part_cases *p, size_t task, unsigned part) {
    const sweep_plan *plan = p->r->store->plan;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (project_of(p, task) * PART_COUNT + part);
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (counts(plan, k, part)) hash = mix(hash, value_of(p, task, k));
    return hash ^ hash >> 29;
}

static bool is_same(const part_cases *p, const part_case *c, size_t task, unsigned part) {
    const sweep_plan *plan = p->r->store->plan;
    if (c->part != part || project_of(p, c->first) != project_of(p, task)) return false;
    for (size_t k = 0; k < plan->parameter_count; k++) {
        if (!counts(plan, k, part)) continue;
        const char *a = value_of(p, c->first, k), *b = value_of(p, task, k);
        if (a != b && strcmp(a, b) != 0) return false;
    }
    return true;
}

static size_t find_slot(const part_cases *p, size_t task, unsigned part) {
    size_t slot = (size_t)hash_of(p, task, part) % p->slot_count;
    while (p->slots[slot] && !is_same(p, &p->cases[p->slots[slot] - 1], task, part))
        slot = (slot + 1) % p->slot_count;
    return slot;
}

/* Room for another case, with as many slots as cases to spare: of a grid there are few. */
static void make_room(part_cases *p) {
    if (p->case_count < p->case_room) return;
    p->case_room = p->case_room ? 2 * p->case_room : 64;
    p->cases = reallocate(p->cases, p->case_room, sizeof *p->cases);
    free(p->slots);
    p->slot_count = 2 * p->case_room + 1;
    p->slots = allocate(p->slot_count, sizeof *p->slots);
    for (size_t k = 0; k < p->case_count; k++)
        p->slots[find_slot(p, p->cases[k].first, p->cases[k].part)] = (uint32_t)k + 1;
}

/* The number of the case; *is_new: nobody had it before. */
static uint32_t find_case(part_cases *p, size_t task, unsigned part, bool *is_new) {
    make_room(p);
    const size_t slot = find_slot(p, task, part);
    *is_new = !p->slots[slot];
    if (*is_new) {
        p->cases[p->case_count++] = (part_case){.first = task, .part = part};
        p->slots[slot] = (uint32_t)p->case_count;
    }
    return p->slots[slot];
}

part_cases part_cases_find(const sweep_runner *r, bool (*splits)(void *user, size_t task),
                           void *user) {
    part_cases p = {.r = r};
    p.of_run = allocate(PART_COUNT * r->todo_count, sizeof *p.of_run);
    size_t room = 0;
    for (size_t task = 0; task < r->todo_count; task++) {
        const bool split = splits(user, task);
        unsigned wanted = 0;
        for (unsigned part = 0; part < PART_COUNT; part++) {
            bool is_new;
            if (split == (part == PART_ALL)) continue;
            p.of_run[PART_COUNT * task + part] = find_case(&p, task, part, &is_new);
            wanted |= (unsigned)is_new << part;
        }
        if (wanted && p.look_count == room) {
            room = room ? 2 * room : 64;
            p.looks = reallocate(p.looks, room, sizeof *p.looks);
        }
        if (wanted) p.looks[p.look_count++] = (part_look){task, wanted};
    }
    return p;
}

void part_cases_free(part_cases *p) {
    for (size_t k = 0; k < p->case_count; k++) free(p->cases[k].refusal);
    free(p->cases);
    free(p->of_run);
    free(p->slots);
    free(p->looks);
    *p = (part_cases){.r = NULL};
}

void part_cases_refuse(part_cases *p, size_t task, unsigned part, const char *sentence) {
    /* what was not asked of the parts is the world's, or the run's */
    unsigned of = part;
    if (!p->of_run[PART_COUNT * task + of]) of = SETTINGS_WORLD;
    if (!p->of_run[PART_COUNT * task + of]) of = PART_ALL;
    part_case *c = &p->cases[p->of_run[PART_COUNT * task + of] - 1];
    if (!c->refusal) c->refusal = copy_text(sentence);
}

const part_case *part_cases_refusal(const part_cases *p, size_t task) {
    for (unsigned part = 0; part < PART_COUNT; part++) {
        const uint32_t number = p->of_run[PART_COUNT * task + part];
        if (number && p->cases[number - 1].refusal) return &p->cases[number - 1];
    }
    return NULL;
}

/* ---- blame ---- */

static bool is_refused_for(const part_cases *p, size_t task, unsigned part, const char *sentence) {
    const part_case *c = part_cases_refusal(p, task);
    return c && c->part == part && strcmp(c->refusal, sentence) == 0;
}

/* Whether a word stands in a sentence by itself. */
static bool has_word(const char *sentence, const char *word) {
    static const char of_words[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    const size_t length = strlen(word);
    for (const char *at = sentence; length && (at = strstr(at, word)) != NULL; at++) {
        const bool begins = at == sentence || !strchr(of_words, at[-1]);
        const char behind = at[length];
        if (begins && (!behind || !strchr(of_words, behind) || behind == '.')) return true;
    }
    return false;
}

/* How much a sentence is about a key with a value: its name says more than a number. */
static int mention(const sweep_plan *plan, size_t run, size_t parameter, const char *sentence) {
    const char *key = plan->parameters[parameter].key, *dot = strrchr(key, '.');
    return 2 * has_word(sentence, dot ? dot + 1 : key) +
           has_word(sentence, sweep_plan_value(plan, run, parameter));
}

/* What runs of a refusal have in common, and others have not. */
typedef struct common {
    bool shared;   /* all of them have the value of the first */
    bool is_alone; /* no run that can begin has it */
    bool varies;   /* another run of the project has another */
} common;

static common compare(const part_cases *p, unsigned part, const char *sentence, size_t first,
                      size_t parameter) {
    common c = {true, true, false};
    const char *value = value_of(p, first, parameter);
    for (size_t task = 0; task < p->r->todo_count; task++) {
        if (project_of(p, task) != project_of(p, first)) continue;
        const bool same = strcmp(value_of(p, task, parameter), value) == 0;
        c.varies = c.varies || !same;
        if (is_refused_for(p, task, part, sentence))
            c.shared = c.shared && same;
        else if (!part_cases_refusal(p, task))
            c.is_alone = c.is_alone && !same;
    }
    return c;
}

/* The key whose value is to blame; parameter_count: none. One that others share is to blame with
 * another one, where the sentence tells of it. */
static size_t find_key(const part_cases *p, unsigned part, const char *sentence, size_t first) {
    const sweep_plan *plan = p->r->store->plan;
    const size_t run = p->r->todo[first];
    size_t best = plan->parameter_count;
    int most = 0;
    for (size_t k = 0; k < plan->parameter_count; k++) {
        if (!counts(plan, k, part)) continue;
        const common c = compare(p, part, sentence, first, k);
        const int said = mention(plan, run, k, sentence);
        if (!c.shared) continue;
        const int weight = c.is_alone && c.varies           ? 10 + said
                           : said > 1 || (said && c.varies) ? said
                                                            : 0;
        if (weight > most) {
            most = weight;
            best = k;
        }
    }
    return best;
}

part_blame part_cases_blame(const part_cases *p, unsigned part, const char *sentence) {
    const sweep_plan *plan = p->r->store->plan;
    part_blame b = {.count = 0};
    for (size_t task = 0; task < p->r->todo_count; task++)
        if (is_refused_for(p, task, part, sentence) && b.count++ == 0) b.first = task;
    const size_t run = p->r->todo[b.first], key = find_key(p, part, sentence, b.first);
    if (key < plan->parameter_count) {
        b.at = sweep_plan_place(plan, run, key);
        b.what = format_text("%s=%s", plan->parameters[key].key, sweep_plan_value(plan, run, key));
    } else {
        b.at = sweep_plan_project_place(plan, run);
        b.what = format_text("project %s", sweep_plan_project(plan, run));
    }
    return b;
}
