/* SPDX-License-Identifier: MIT
 * Combines profiles and joints: what a section inherits from its profiles, and whether it is valid
 * as a whole. An error is reported at the section that causes it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/text.h"
#include "load_internal.h"

enum { most_profiles = 100 }; /* on top of each other */

/* The profiles beneath a section. */

static void refuse_unknown_profile(loader *l, const section *s, const tree_node *name) {
    const char *names[HINT_MOST];
    char hint[HINT_SIZE];
    size_t count = 0;
    for (; count < HINT_MOST && count < l->profiles.count; count++)
        names[count] = l->profiles.in_order[count]->key->text;
    REFUSE(l, name, s, "there is no profile '%.200s'%s", name->text,
           stiction_load_hint(l, name->text, names, count, hint));
}

/* The section at the end of the circle names it whole: a -> b -> a. */
static void refuse_circle(loader *l, const section *s, const tree_node *name) {
    char circle[768] = "";
    size_t length = 0;
    const section *first = s->base;
    for (const section *p = first; length < sizeof circle; p = p->base) {
        const int added =
            snprintf(circle + length, sizeof circle - length, "%.60s -> ", p->key->text);
        length += added > 0 ? (size_t)added : 0;
        if (p == s) break;
    }
    REFUSE(l, name, s, "it builds on itself: %s%.60s", circle, first->key->text);
}

static void inherit(const loader *l, section *s) {
    const section *base = s->base;
    for (size_t k = 0; k < l->key_count; k++)
        if (k != KEY_PROFILE && !s->given[k]) s->given[k] = base->given[k];
    if (!s->law_owner) s->law_owner = base->law_owner;
    s->height = base->height + 1;
    s->broken = s->broken || base->broken;
}

static void resolve(loader *l, section *s, int depth);

static void build_on(loader *l, section *s, const tree_node *name, int depth) {
    s->base = stiction_load_find_section(&l->profiles, name->text);
    if (!s->base) {
        refuse_unknown_profile(l, s, name);
    } else if (s->base->state == SECTION_IN_WORK) {
        refuse_circle(l, s, name);
    } else {
        if (s->base->state == SECTION_FRESH && depth < most_profiles)
            resolve(l, s->base, depth + 1);
        inherit(l, s);
        const bool too_high = s->height > most_profiles || s->base->state == SECTION_FRESH;
        if (!too_high || s->base->broken) return;
        REFUSE(l, name, s, "more than %d profiles build on each other", most_profiles);
    }
    s->broken = true;
}

static void resolve(loader *l, section *s, int depth) {
    const tree_node *name = s->given[KEY_PROFILE];
    s->state = SECTION_IN_WORK;
    s->law_owner = s->own_law ? s : NULL;
    if (name && name->kind == TREE_SCALAR && *name->text) build_on(l, s, name, depth);
    s->state = SECTION_RESOLVED;
}

/* A section as a whole. */

/* If one list is refused, the others are not checked, because they are checked together. */
static bool lists_are_right(const loader *l, const section *s) {
    for (size_t k = 0; k < stiction_list_count(); k++) {
        const tree_node *node = s->given[KEY_PARAMETERS + l->parameter_count + k];
        if (node && isnan(node->number)) return false;
    }
    return true;
}

static void copy_lists(const loader *l, const section *s, stiction_joint_def *def) {
    stiction_list_info list;
    for (size_t k = 0; stiction_list_at(k, &list); k++) {
        const tree_node *node = s->given[KEY_PARAMETERS + l->parameter_count + k];
        char *to = (char *)def + list.offset;
        for (const tree_entry *entry = node ? node->first : NULL; entry;
             entry = entry->next, to += sizeof(double))
            memcpy(to, &entry->value->number, sizeof(double));
    }
}

/* What is not drawn. */
static stiction_joint_def def_of(const loader *l, const section *s) {
    stiction_joint_def def = stiction_joint_def_default();
    stiction_parameter_info info;
    if (s->given[KEY_LAW]) def.law = s->given[KEY_LAW]->text;
    for (size_t k = 0; k < l->parameter_count && stiction_parameter_at(k, &info); k++)
        if (s->given[KEY_PARAMETERS + k] && !stiction_load_is_drawn(s->given[KEY_PARAMETERS + k]))
            memcpy((char *)&def + info.offset, &s->given[KEY_PARAMETERS + k]->number,
                   sizeof(double));
    if (lists_are_right(l, s)) copy_lists(l, s, &def);
    return def;
}

/* What is drawn, to be freed; NULL: nothing. False: no memory. */
static bool list_draws(const loader *l, const section *s, joint_draws **draws) {
    stiction_distribution d;
    *draws = NULL;
    for (size_t k = 0; k < l->parameter_count; k++) {
        if (!stiction_load_drawn(s, k, &d)) continue;
        joint_draws *longer = stiction_draws_copy(*draws);
        free(*draws);
        *draws = longer;
        if (!longer) return false;
        stiction_draws_set(longer, k, &d);
    }
    return true;
}

/* Where to point: at the first of the parameters that the section gives itself, else at its law,
 * else at its name. */
static const tree_node *blamed(const section *s, const joint_conflict *conflict) {
    for (size_t k = 0; k < conflict->count; k++)
        if (s->own >> conflict->parameters[k] & 1)
            return s->given[KEY_PARAMETERS + conflict->parameters[k]];
    return s->own_law ? s->given[KEY_LAW] : s->key;
}

static void check_law_is_given(loader *l, const section *s) {
    if (s->given[KEY_LAW]) return;
    /* where no joint of a profile has a law, it is the profile that lacks one */
    const section *guilty = s->base && !s->base->has_law_above ? s->base : s;
    REFUSE(l, guilty->key, guilty, "law is not given");
}

static void check_parameters_are_given(loader *l, const section *s, const stiction_law_info *law) {
    stiction_error error;
    stiction_parameter_info info;
    const section *owner = s->law_owner;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        if (!(law->parameters >> k & 1) || s->given[KEY_PARAMETERS + k] || !isnan(info.fallback))
            continue;
        (void)stiction_joint_check_parameter("", law->name, k, (double)NAN, &error);
        /* where no joint with this profile's law has it, it is the profile that lacks it */
        if (owner != s && !(owner->completed >> k & 1))
            stiction_load_refuse(l, owner->given[KEY_LAW], owner, info.key, "%s", error.message);
        else
            stiction_load_refuse(l, s->key, s, info.key, "%s", error.message);
    }
}

/* The known law of a section; false where it has none. */
static bool find_law(const section *s, stiction_law_info *law) {
    const tree_node *name = s->given[KEY_LAW];
    return name && name->kind == TREE_SCALAR && stiction_law_info_find(name->text, law);
}

/* Whether one of some draws is legal; sections with the same distributions try the same draws. */
static stiction_status try_draws(loader *l, const stiction_joint_def *def, const joint_draws *draws,
                                 stiction_error *error) {
    const draw_key key = {l->config->seed, 0, ""};
    joint j;
    if (!l->draws_left) return STICTION_OK;
    return stiction_draw_joint(&j, def, draws, &key, 0, &l->draws_left, error);
}

/* What is wrong with the parameters together, as far as they are given. */
static stiction_status check_parameters(loader *l, const section *s, const joint_draws *draws,
                                        joint_conflict *conflict, stiction_error *error) {
    stiction_joint_def def = def_of(l, s);
    stiction_law_info info;
    stiction_joint_def complete;
    stiction_error incomplete;
    const joint_kind *kind;
    const stiction_law *law;
    const bool known = find_law(s, &info);
    *conflict = (joint_conflict){0};
    const uint64_t uses = known ? info.parameters : UINT64_MAX;
    stiction_status status = stiction_joint_check_orders("", &def, uses, conflict, error);
    stiction_draws_favour(draws, &def);
    if (status == STICTION_OK && draws)
        status =
            stiction_joint_check_orders(stiction_draws_refusal(draws), &def, uses, conflict, error);
    if (status != STICTION_OK || !known ||
        stiction_joint_complete(NULL, &def, &complete, &incomplete) != STICTION_OK)
        return status;
    if (stiction_joint_find_law(info.name, &kind, &law) && kind->conflict)
        *conflict = *kind->conflict;
    return draws ? try_draws(l, &complete, draws, error)
                 : stiction_config_check_def(NULL, &def, &complete, error);
}

static stiction_status check_together(loader *l, const section *s, joint_conflict *conflict,
                                      stiction_error *error) {
    joint_draws *draws;
    stiction_status status = STICTION_OK;
    if (list_draws(l, s, &draws))
        status = check_parameters(l, s, draws, conflict, error);
    else
        stiction_load_no_memory(l);
    free(draws);
    return status;
}

/* Whether a section gives a parameter of a conflict, or any where the conflict names none. */
static bool takes_part(const section *s, const joint_conflict *conflict) {
    if (!conflict->count) return s->own != 0;
    for (size_t k = 0; k < conflict->count; k++)
        if (s->own >> conflict->parameters[k] & 1) return true;
    return false;
}

static bool is_same(const joint_conflict *a, const joint_conflict *b) {
    return a->count == b->count &&
           memcmp(a->parameters, b->parameters, a->count * sizeof a->parameters[0]) == 0;
}

static void check_whole(loader *l, const section *s) {
    joint_conflict conflict, beneath;
    stiction_error error, unused;
    const stiction_status status = check_together(l, s, &conflict, &error);
    if (status == STICTION_OUT_OF_MEMORY) stiction_load_no_memory(l);
    if (status == STICTION_OK || status == STICTION_OUT_OF_MEMORY) return;
    /* an error of the profile itself is reported there */
    if (s->base && !takes_part(s, &conflict) &&
        check_together(l, s->base, &beneath, &unused) == status && is_same(&conflict, &beneath))
        return;
    stiction_load_refuse(l, blamed(s, &conflict), s, "together", "%s", error.message);
}

static void check_section(loader *l, const section *s, bool is_joint) {
    stiction_law_info law;
    if (is_joint && !s->broken) check_law_is_given(l, s);
    if (is_joint && !s->broken && find_law(s, &law)) check_parameters_are_given(l, s, &law);
    stiction_load_check_scales(l, s);
    check_whole(l, s);
}

static void note_what_joints_have(loader *l) {
    for (size_t k = 0; k < l->joints.count; k++) {
        section *s = l->joints.in_order[k];
        if (s->base && s->given[KEY_LAW]) s->base->has_law_above = true;
        for (size_t n = 0; s->law_owner && n < l->parameter_count; n++)
            if (s->given[KEY_PARAMETERS + n]) s->law_owner->completed |= (uint64_t)1 << n;
    }
}

void stiction_load_resolve(loader *l) {
    const section_list *lists[] = {&l->profiles, &l->joints};
    for (size_t n = 0; n < 2; n++)
        for (size_t k = 0; k < lists[n]->count; k++)
            if (lists[n]->in_order[k]->state == SECTION_FRESH) resolve(l, lists[n]->in_order[k], 0);
    note_what_joints_have(l);
    for (size_t n = 0; n < 2; n++)
        for (size_t k = 0; k < lists[n]->count; k++)
            check_section(l, lists[n]->in_order[k], n == 1);
}

/* Into the configuration. */

static config_place place_of(const tree_node *node) {
    return node ? (config_place){node->at.line, node->at.column} : (config_place){0, 0};
}

/* Where an illegal Z is reported: at the damping, if the section itself gives it. */
static config_place damping_of(const loader *l, const section *s, bool has_own) {
    for (size_t k = 0; k < l->parameter_count; k++)
        if (strcmp(l->keys[KEY_PARAMETERS + k], "damping") == 0)
            return place_of(!has_own || s->own >> k & 1 ? s->given[KEY_PARAMETERS + k] : NULL);
    return place_of(NULL);
}

static bool store(loader *l, const section *s) {
    stiction_joint_def def = def_of(l, s), complete;
    joint_draws *draws;
    stiction_error error;
    if (!list_draws(l, s, &draws)) return false;
    stiction_draws_favour(draws, &def);
    const stiction_status status = draws ? stiction_joint_complete(NULL, &def, &complete, &error)
                                         : stiction_config_check_def(NULL, &def, &complete, &error);
    config_joint *added =
        status == STICTION_OK ? stiction_config_append(l->config, s->key->text, &complete) : NULL;
    if (!added) free(draws);
    if (status == STICTION_OUT_OF_MEMORY) return false;
    if (status != STICTION_OK) REFUSE(l, s->key, s, "%s", error.message);
    if (!added) return status != STICTION_OK;
    added->draws = draws;
    const bool has_own = s->own || s->own_law;
    added->at = place_of(s->key);
    added->damping = damping_of(l, s, has_own);
    if (!has_own && s->base) added->profile = stiction_text_copy(s->base->key->text);
    char overrides[OVERRIDES_SIZE];
    if (*stiction_load_overrides(l, s, overrides)) added->overrides = stiction_text_copy(overrides);
    return (has_own || !s->base || added->profile) && (!*overrides || added->overrides);
}

void stiction_load_store_joints(loader *l) {
    for (size_t k = 0; k < l->joints.count; k++)
        if (!store(l, l->joints.in_order[k])) {
            stiction_load_no_memory(l);
            return;
        }
}
