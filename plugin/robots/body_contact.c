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

/* Pairs, where rules name them */

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

static bool is_among(reader *r, const tree_node *names, const char *what, const char *name) {
    if (names->kind == TREE_SCALAR) return strcmp(names->text, "all") == 0;
    for (const tree_entry *e = names->first; e; e = e->next)
        if (strcmp(stiction_doc_text(r, e->value, what), name) == 0) return true;
    return false;
}

/* The pairs of which both, or where `one` is set one, are named. */
static void set_group(const pair_rules *p, const tree_node *names, const char *what, bool one,
                      bool apart) {
    const body_file *body = p->b->body;
    bool *named = stiction_reader_alloc(p->b->r, body->count * sizeof *named);
    for (size_t k = 0; k < body->count; k++)
        named[k] = is_among(p->b->r, names, what, body->links[k].name);
    for (size_t i = 0; i < body->count; i++)
        for (size_t k = 0; k < i; k++)
            if (one ? named[i] || named[k] : named[i] && named[k]) set_pair(p, i, k, apart);
}

/* Rules */

static void set_untouchable(body_reader *b, const tree_node *names, const char *what, bool value) {
    const bool all = names->kind == TREE_SCALAR && strcmp(names->text, "all") == 0;
    if (!all) stiction_doc_expect(b->r, names, TREE_LIST, what);
    for (size_t k = 0; k < b->body->count; k++) {
        body_link *link = &b->body->links[k];
        bool named = all;
        for (const tree_entry *e = names->first; e; e = e->next)
            named = named || strcmp(stiction_doc_text(b->r, e->value, what), link->name) == 0;
        if (named) link->untouchable = value;
    }
}

static void set_apart(body_reader *b, const tree_node *node, const char *what) {
    const double links = stiction_doc_number(b->r, node, what);
    if (!(links >= 0 && links <= 1000))
        stiction_reader_refuse(b->r, node->at, "%s %g must be from 0 to 1000", what, links);
    /* those that share a joint never touch */
    b->body->apart = links > 1 ? (int)links : 1;
}

/* Two links that share a joint never touch in MuJoCo, whatever a rule says. */
typedef void rule_reader(const pair_rules *p, const tree_node *value, const char *key);

static void read_level(const pair_rules *p, const tree_node *value, const char *key) {
    set_apart(p->b, value, key);
    part_by_distance(p, p->b->body->apart);
}

static void read_disabled(const pair_rules *p, const tree_node *value, const char *key) {
    set_untouchable(p->b, value, key, true);
    set_group(p, value, key, true, true);
}

static void read_enabled(const pair_rules *p, const tree_node *value, const char *key) {
    set_untouchable(p->b, value, key, false);
    set_group(p, value, key, true, false);
}

static void read_disabled_group(const pair_rules *p, const tree_node *value, const char *key) {
    stiction_doc_expect(p->b->r, value, TREE_LIST, key);
    set_group(p, value, key, false, true);
}

static void read_enabled_group(const pair_rules *p, const tree_node *value, const char *key) {
    stiction_doc_expect(p->b->r, value, TREE_LIST, key);
    set_untouchable(p->b, value, key, false);
    set_group(p, value, key, false, false);
}

static const struct {
    const char *key;
    rule_reader *read;
} rules_of[] = {
    {"disabled_link_chain_level", read_level},
    {"disabled_links", read_disabled},
    {"enabled_links", read_enabled},
    {"disabled_link_group", read_disabled_group},
    {"enabled_link_group", read_enabled_group},
};

static void read_rule(const pair_rules *p, const tree_entry *rule) {
    for (size_t k = 0; k < sizeof rules_of / sizeof rules_of[0]; k++)
        if (strcmp(rules_of[k].key, rule->key->text) == 0) {
            rules_of[k].read(p, rule->value, rule->key->text);
            return;
        }
    stiction_reader_warn(p->b->r, rule->key->at, "the rule '%s' is not known: it is not used",
                         rule->key->text);
}

/* excludeLinkGroups: [ { name: A, links: [ ... ] } ] */
static void read_old_groups(const pair_rules *p, const tree_node *groups) {
    stiction_doc_expect(p->b->r, groups, TREE_LIST, "excludeLinkGroups");
    for (const tree_entry *e = groups->first; e; e = e->next) {
        if (e->value->kind != TREE_MAPPING) continue;
        const tree_node *links = stiction_doc_find(p->b->r, e->value, "links");
        if (links) read_disabled_group(p, links, "links");
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
        if (links) set_untouchable(b, links, "excludeLinks", true);
        if (groups) read_old_groups(&p, groups);
    }
}
