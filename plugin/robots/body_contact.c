/* SPDX-License-Identifier: MIT
 * Which links of a body may touch others: its collision_detection_rules, or collisionDetection of
 * old, as Choreonoid's BodyCollisionLinkFilter takes them: one rule after the other.
 */
#include <string.h>

#include "body_reader.h"

/* How many joints lie between two links; large where they are far apart. A free joint holds nobody
 * together. */
static int distance(const body_file *body, size_t a, size_t b) {
    int from_a = 0;
    for (int i = (int)a; i >= 0; i = body->links[i].parent, from_a++) {
        int from_b = 0;
        for (int k = (int)b; k >= 0; k = body->links[k].parent, from_b++) {
            if (i == k) return from_a + from_b;
            if (body->links[k].joint == BODY_FREE) break;
        }
        if (body->links[i].joint == BODY_FREE) break;
    }
    return (int)body->count;
}

bool body_never_touch(const body_file *body, size_t a, size_t b) {
    return body->never_touch ? body->never_touch[a * body->count + b]
                             : distance(body, a, b) <= body->apart;
}

/* ---- rules ---- */

typedef struct pair_rules {
    body_reader *b;
    bool *apart; /* count x count */
} pair_rules;

static void set_pair(const pair_rules *p, size_t i, size_t k, bool apart) {
    const size_t n = p->b->body->count;
    p->apart[i * n + k] = p->apart[k * n + i] = apart;
}

/* All pairs within a distance. */
static void part_by_distance(const pair_rules *p, int most) {
    for (size_t i = 0; i < p->b->body->count; i++)
        for (size_t k = 0; k < i; k++)
            if (distance(p->b->body, i, k) <= most) set_pair(p, i, k, true);
}

/* Which links a list names; the text `all` names every one. */
static const bool *find_named(const body_reader *b, const tree_node *names, const char *what) {
    const bool all = names->kind == TREE_SCALAR && strcmp(names->text, "all") == 0;
    if (!all) stiction_doc_expect(b->r, names, TREE_LIST, what);
    bool *named = stiction_reader_alloc(b->r, b->body->count * sizeof *named);
    for (size_t k = 0; k < b->body->count; k++) {
        named[k] = all;
        for (const tree_entry *e = names->first; e && !named[k]; e = e->next)
            named[k] = strcmp(stiction_doc_text(b->r, e->value, what), b->body->links[k].name) == 0;
    }
    return named;
}

static void set_untouchable(const body_reader *b, const bool *named, bool value) {
    for (size_t k = 0; k < b->body->count; k++)
        if (named[k]) b->body->links[k].untouchable = value;
}

/* The pairs of which both are named, or one if `one` is set. */
static void set_pairs(const pair_rules *p, const bool *named, bool one, bool apart) {
    for (size_t i = 0; i < p->b->body->count; i++)
        for (size_t k = 0; k < i; k++)
            if (one ? named[i] || named[k] : named[i] && named[k]) set_pair(p, i, k, apart);
}

static void set_apart(body_reader *b, const tree_node *node, const char *what) {
    const double links = stiction_doc_number(b->r, node, what);
    if (!(links >= 0 && links <= 1000))
        stiction_reader_refuse(b->r, node->at, "%s %g must be from 0 to 1000", what, links);
    /* those that share a joint never touch in MuJoCo, whatever a rule says */
    b->body->apart = links > 1 ? (int)links : 1;
}

static const struct {
    const char *key;
    bool group;                /* pairs in the list, not every pair with one of the list */
    bool apart;                /* they do not touch */
    bool sets_links, links_to; /* the links themselves become untouchable, or no longer */
} rules_of[] = {
    {"disabled_links", false, true, true, true},
    {"enabled_links", false, false, true, false},
    {"disabled_link_group", true, true, false, false},
    {"enabled_link_group", true, false, true, false},
};

static void read_rule(const pair_rules *p, const tree_entry *rule) {
    const char *key = rule->key->text;
    if (strcmp(key, "disabled_link_chain_level") == 0) {
        set_apart(p->b, rule->value, key);
        part_by_distance(p, p->b->body->apart);
        return;
    }
    for (size_t k = 0; k < sizeof rules_of / sizeof rules_of[0]; k++) {
        if (strcmp(rules_of[k].key, key) != 0) continue;
        if (rules_of[k].group) stiction_doc_expect(p->b->r, rule->value, TREE_LIST, key);
        const bool *named = find_named(p->b, rule->value, key);
        if (rules_of[k].sets_links) set_untouchable(p->b, named, rules_of[k].links_to);
        set_pairs(p, named, !rules_of[k].group, rules_of[k].apart);
        return;
    }
    stiction_reader_warn(p->b->r, rule->key->at, "the rule '%s' is not known: it is not used", key);
}

/* excludeLinkGroups: [ { name: A, links: [ ... ] } ] */
static void read_old_groups(const pair_rules *p, const tree_node *groups) {
    stiction_doc_expect(p->b->r, groups, TREE_LIST, "excludeLinkGroups");
    for (const tree_entry *e = groups->first; e; e = e->next) {
        if (e->value->kind != TREE_MAPPING) continue;
        const tree_node *links = stiction_doc_find(p->b->r, e->value, "links");
        if (!links) continue;
        stiction_doc_expect(p->b->r, links, TREE_LIST, "links");
        set_pairs(p, find_named(p->b, links, "links"), false, true);
    }
}

void body_read_contact_rules(body_reader *b, const tree_node *top) {
    body_file *body = b->body;
    body->apart = 1;
    const tree_node *rules = stiction_doc_find(b->r, top, "collision_detection_rules");
    const tree_node *old = rules ? NULL : stiction_doc_find(b->r, top, "collision_detection");
    if (!rules && !old) return;
    pair_rules p = {b, stiction_reader_alloc(b->r, body->count * body->count * sizeof(bool))};
    body->never_touch = p.apart;
    if (rules && rules->kind == TREE_LIST) {
        for (const tree_entry *e = rules->first; e; e = e->next) {
            stiction_doc_expect(b->r, e->value, TREE_MAPPING, "a rule");
            for (const tree_entry *rule = e->value->first; rule; rule = rule->next)
                read_rule(&p, rule);
        }
    } else if (old && old->kind == TREE_MAPPING) {
        const tree_node *depth = stiction_doc_find(b->r, old, "exclude_tree_depth");
        const tree_node *links = stiction_doc_find(b->r, old, "exclude_links");
        const tree_node *groups = stiction_doc_find(b->r, old, "exclude_link_groups");
        if (depth) set_apart(b, depth, "excludeTreeDepth");
        part_by_distance(&p, body->apart);
        if (links) set_untouchable(b, find_named(b, links, "excludeLinks"), true);
        if (groups) read_old_groups(&p, groups);
    }
}
