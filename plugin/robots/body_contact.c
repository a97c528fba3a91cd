/*
 * Which links of a body may touch others: its collision_detection_rules, or collisionDetection of
 * old, as Choreonoid's BodyCollisionLinkFilter takes them.
 */
#include <string.h>

#include "body_reader.h"

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

static void read_rule(body_reader *b, const tree_entry *rule) {
    const char *key = rule->key->text;
    if (strcmp(key, "disabled_link_chain_level") == 0)
        set_apart(b, rule->value, key);
    else if (strcmp(key, "disabled_links") == 0)
        set_untouchable(b, rule->value, key, true);
    else if (strcmp(key, "enabled_links") == 0)
        set_untouchable(b, rule->value, key, false);
    else if (b->body->pair_rule_at.line == 0)
        b->body->pair_rule_at = rule->key->at;
}

void body_read_contact_rules(body_reader *b, const tree_node *top) {
    b->body->apart = 1;
    const tree_node *rules = stiction_doc_find(b->r, top, "collision_detection_rules");
    const tree_node *old = rules ? NULL : stiction_doc_find(b->r, top, "collision_detection");
    if (rules && rules->kind == TREE_LIST) {
        for (const tree_entry *e = rules->first; e; e = e->next) {
            stiction_doc_expect(b->r, e->value, TREE_MAPPING, "a rule");
            for (const tree_entry *rule = e->value->first; rule; rule = rule->next)
                read_rule(b, rule);
        }
    } else if (old && old->kind == TREE_MAPPING) {
        const tree_node *depth = stiction_doc_find(b->r, old, "exclude_tree_depth");
        const tree_node *links = stiction_doc_find(b->r, old, "exclude_links");
        const tree_node *groups = stiction_doc_find(b->r, old, "exclude_link_groups");
        if (depth) set_apart(b, depth, "excludeTreeDepth");
        if (links) set_untouchable(b, links, "excludeLinks", true);
        if (groups) b->body->pair_rule_at = groups->at;
    }
}
