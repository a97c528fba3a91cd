/* SPDX-License-Identifier: MIT
 * The pushes of a StictionItem: a list of mappings, whose keys are those of pushes/push.h.
 *
 *     pushes: [ { link: WAIST, time: 1, duration: 0.1, force: [ 100, 0, 0 ] } ]
 */
#include "project_reader.h"

static _Noreturn void refuse(reader *r, const project_item *item, stiction_place at,
                             const char *sentence) {
    stiction_reader_refuse(r, at, "StictionItem '%s': a push: %s", item->name, sentence);
}

/* A scalar, or the entries of a list with blanks between them. */
static const char *text_of_value(reader *r, const tree_node *value, const char *key) {
    if (value->kind != TREE_LIST) return stiction_doc_text(r, value, key);
    const char *text = "";
    for (const tree_entry *e = value->first; e; e = e->next)
        text = stiction_reader_format(r, "%s %s", text, stiction_doc_text(r, e->value, key));
    return text;
}

static push read_push(reader *r, const project_item *item, const tree_node *map) {
    char sentence[PUSH_SENTENCE];
    push p = push_default();
    stiction_doc_expect(r, map, TREE_MAPPING, "a push");
    p.at = map->at;
    for (tree_entry *e = map->first; e; e = e->next) {
        e->used = true;
        if (!push_set(&p, e->key->text, text_of_value(r, e->value, e->key->text), sentence))
            refuse(r, item, e->value->at, sentence);
    }
    push tried = p; /* an impulse stays one, for what the user changes */
    if (!push_check(&tried, sentence)) refuse(r, item, map->at, sentence);
    return p;
}

size_t project_read_pushes(reader *r, const project_item *item, const push **pushes) {
    const tree_node *list = stiction_doc_find(r, item->data, "pushes");
    *pushes = NULL;
    if (!list) return 0;
    stiction_doc_expect(r, list, TREE_LIST, "pushes");
    push *read = stiction_reader_alloc(r, (list->count + 1) * sizeof *read);
    push_list all = {.items = read};
    for (const tree_entry *e = list->first; e; e = e->next)
        read[all.count++] = read_push(r, item, e->value);
    char sentence[PUSH_SENTENCE];
    size_t which;
    if (!push_list_check(&all, &which, sentence)) refuse(r, item, read[which].at, sentence);
    *pushes = read;
    return all.count;
}
