/*
 * Which links of a body may touch others: its collision_detection_rules, or collisionDetection of
 * old, as Choreonoid's BodyCollisionLinkFilter takes them.
 */
#include <string.h>

#include "body_reader.h"

static void set_untouchable(body_reader *b, const doc_node *names, const char *what, bool value) {
    const bool all = names->kind == DOC_TEXT && strcmp(names->text, "all") == 0;
    if (!all) doc_expect(b->r, names, DOC_LIST, what);
    for (size_t k = 0; k < b->body->count; k++) {
        body_link *link = &b->body->links[k];
        bool named = all;
        for (size_t i = 0; !all && i < names->count; i++)
            named = named || strcmp(doc_text(b->r, names->entries[i].value, what), link->name) == 0;
        if (named) link->untouchable = value;
    }
}

static void set_apart(body_reader *b, const doc_node *node, const char *what) {
    const double links = doc_number(b->r, node, what);
    if (!(links >= 0 && links <= 1000))
        reader_refuse(b->r, node->at, "%s %g must be from 0 to 1000", what, links);
    /* those that share a joint never touch */
    b->body->apart = links > 1 ? (int)links : 1;
}

static void read_rule(body_reader *b, const doc_entry *rule) {
    if (strcmp(rule->key, "disabled_link_chain_level") == 0)
        set_apart(b, rule->value, rule->key);
    else if (strcmp(rule->key, "disabled_links") == 0)
        set_untouchable(b, rule->value, rule->key, true);
    else if (strcmp(rule->key, "enabled_links") == 0)
        set_untouchable(b, rule->value, rule->key, false);
    else if (b->body->pair_rule_at.line == 0)
        b->body->pair_rule_at = rule->at;
}

void body_read_contact_rules(body_reader *b, const doc_node *top) {
    b->body->apart = 1;
    const doc_node *rules = doc_find(b->r, top, "collision_detection_rules");
    const doc_node *old = rules ? NULL : doc_find(b->r, top, "collision_detection");
    if (rules && rules->kind == DOC_LIST) {
        for (size_t k = 0; k < rules->count; k++) {
            const doc_node *map = rules->entries[k].value;
            doc_expect(b->r, map, DOC_MAP, "a rule");
            for (size_t i = 0; i < map->count; i++) read_rule(b, &map->entries[i]);
        }
    } else if (old && old->kind == DOC_MAP) {
        const doc_node *depth = doc_find(b->r, old, "exclude_tree_depth");
        const doc_node *links = doc_find(b->r, old, "exclude_links");
        const doc_node *groups = doc_find(b->r, old, "exclude_link_groups");
        if (depth) set_apart(b, depth, "excludeTreeDepth");
        if (links) set_untouchable(b, links, "excludeLinks", true);
        if (groups) b->body->pair_rule_at = groups->at;
    }
}
