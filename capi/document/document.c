/*
 * A YAML file as a tree of texts, lists and maps, from libyaml's events.
 */
#include "document.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

/* Deeper and larger than any robot; a file that goes on beyond ends in bounded time and memory. */
enum { deepest = 200, widest = 4096, most_anchors = 4096, most_entries = 4000000 };

typedef struct parse {
    yaml_parser_t parser;
    yaml_event_t event;
    reader *r;
    const char *path;
    doc_anchor *anchors, *known;
    int depth;
    size_t entries, anchor_count;
} parse;

/* Both may be called on zeros and twice. */
static void finish_parse(void *memory) {
    parse *p = memory;
    yaml_event_delete(&p->event);
    yaml_parser_delete(&p->parser);
}

static place place_of(const parse *p, yaml_mark_t mark) {
    return (place){p->path, (int)mark.line + 1, (int)mark.column + 1};
}

static place here(const parse *p) {
    return place_of(p, p->event.start_mark);
}

static void next_event(parse *p) {
    yaml_event_delete(&p->event);
    if (yaml_parser_parse(&p->parser, &p->event)) return;
    const char *problem = p->parser.problem ? p->parser.problem : "is not YAML";
    reader_refuse(p->r, place_of(p, p->parser.problem_mark), "%s", problem);
}

static char *copy(parse *p, const yaml_char_t *text) {
    return reader_format(p->r, "%s", (const char *)text);
}

doc_node *doc_anchored(const doc_anchor *anchors, const char *name) {
    while (anchors && strcmp(anchors->name, name) != 0) anchors = anchors->next;
    return anchors ? anchors->node : NULL;
}

static doc_node *new_node(parse *p, doc_kind kind) {
    doc_node *node = reader_alloc(p->r, sizeof *node);
    node->kind = kind;
    node->at = here(p);
    return node;
}

/* Only when the node is complete: an alias to a node around it would make the tree endless. */
static void add_anchor(parse *p, const char *name, doc_node *node) {
    if (doc_anchored(p->anchors, name))
        reader_refuse(p->r, node->at, "the anchor '%s' is defined twice", name);
    if (++p->anchor_count > most_anchors)
        reader_refuse(p->r, node->at, "has more than %d anchors", most_anchors);
    doc_anchor *anchor = reader_alloc(p->r, sizeof *anchor);
    *anchor = (doc_anchor){name, node, p->anchors};
    p->anchors = anchor;
}

static doc_entry *find_entry(const doc_node *map, const char *key) {
    for (size_t k = 0; k < map->count; k++)
        if (strcmp(map->entries[k].key, key) == 0) return &map->entries[k];
    return NULL;
}

static void add(parse *p, doc_node *node, doc_entry entry) {
    if (++p->entries > most_entries || (node->kind == DOC_MAP && node->count == widest))
        reader_refuse(p->r, entry.at, "is too large for a robot");
    node->entries = reader_grow(p->r, node->entries, node->count, sizeof *node->entries);
    node->entries[node->count++] = entry;
}

/* What stands in the map itself, or was merged before, comes first. */
static void merge(parse *p, doc_node *map, const doc_node *source) {
    if (source->kind == DOC_LIST) {
        for (size_t k = 0; k < source->count; k++) merge(p, map, source->entries[k].value);
        return;
    }
    if (source->kind != DOC_MAP) reader_refuse(p->r, source->at, "only maps can be merged with <<");
    for (size_t k = 0; k < source->count; k++)
        if (!find_entry(map, source->entries[k].key)) add(p, map, source->entries[k]);
}

static doc_node *read_node(parse *p);

static doc_node *read_list(parse *p) {
    doc_node *list = new_node(p, DOC_LIST);
    for (next_event(p); p->event.type != YAML_SEQUENCE_END_EVENT; next_event(p)) {
        const place at = here(p);
        add(p, list, (doc_entry){NULL, at, read_node(p), false});
    }
    return list;
}

static doc_node *read_map(parse *p) {
    doc_node *map = new_node(p, DOC_MAP);
    doc_node *merges = new_node(p, DOC_LIST);
    for (next_event(p); p->event.type != YAML_MAPPING_END_EVENT; next_event(p)) {
        const place at = here(p);
        if (p->event.type != YAML_SCALAR_EVENT) reader_refuse(p->r, at, "a key must be a text");
        const char *key = copy(p, p->event.data.scalar.value);
        next_event(p);
        const doc_entry entry = {key, at, read_node(p), false};
        doc_entry *earlier = find_entry(map, key);
        if (earlier && p->r->unlike_keys)
            reader_refuse(p->r, at, "the key '%s' is given twice", key);
        if (earlier) {
            reader_warn(p->r, at, "the key '%s' is given twice; the last counts, as in Choreonoid",
                        key);
            *earlier = entry;
        } else {
            add(p, strcmp(key, "<<") == 0 ? merges : map, entry);
        }
    }
    merge(p, map, merges);
    return map;
}

static doc_node *read_alias(parse *p) {
    const char *name = (const char *)p->event.data.alias.anchor;
    doc_node *node = doc_anchored(p->anchors, name);
    if (!node) node = doc_anchored(p->known, name);
    if (!node) reader_refuse(p->r, here(p), "the anchor '%s' is not defined", name);
    node->aliased = true;
    return node;
}

static doc_node *read_text(parse *p) {
    doc_node *node = new_node(p, DOC_TEXT);
    node->text = copy(p, p->event.data.scalar.value);
    return node;
}

static const yaml_char_t *event_anchor(const yaml_event_t *event) {
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor;
    default:
        return NULL;
    }
}

/* The node that the current event begins; leaves its last event current. */
static doc_node *read_node(parse *p) {
    if (++p->depth > deepest)
        reader_refuse(p->r, here(p), "is nested more than %d levels deep", deepest);
    const yaml_char_t *anchor = event_anchor(&p->event);
    const char *name = anchor ? copy(p, anchor) : NULL;
    doc_node *node = p->event.type == YAML_ALIAS_EVENT            ? read_alias(p)
                     : p->event.type == YAML_SEQUENCE_START_EVENT ? read_list(p)
                     : p->event.type == YAML_MAPPING_START_EVENT  ? read_map(p)
                                                                  : read_text(p);
    if (name) add_anchor(p, name, node);
    p->depth--;
    return node;
}

document doc_read(reader *r, place at, const char *path, doc_anchor *known) {
    size_t size;
    const char *text = reader_file(r, at, path, &size);
    parse *p = reader_own(r, sizeof *p, finish_parse);
    p->r = r;
    p->path = path;
    p->known = known;
    if (!yaml_parser_initialize(&p->parser)) reader_refuse(r, at, "out of memory");
    yaml_parser_set_input_string(&p->parser, (const unsigned char *)text, size);
    next_event(p); /* the start of the stream */
    next_event(p); /* the start of the document */
    if (p->event.type != YAML_DOCUMENT_START_EVENT)
        reader_refuse(r, (place){path, 0, 0}, "is empty");
    next_event(p);
    const document read = {read_node(p), p->anchors};
    finish_parse(p);
    return read;
}

/* joint_type -> jointType */
static void camel_case(char *out, size_t size, const char *key) {
    size_t n = 0;
    for (; *key && n + 1 < size; key++)
        if (*key == '_' && key[1])
            out[n++] = (char)toupper((unsigned char)*++key);
        else
            out[n++] = *key;
    out[n] = '\0';
}

doc_node *doc_find(reader *r, const doc_node *map, const char *key) {
    char camel[64];
    camel_case(camel, sizeof camel, key);
    doc_entry *entry = find_entry(map, key);
    doc_entry *other = strcmp(camel, key) == 0 ? NULL : find_entry(map, camel);
    if (entry && other)
        reader_refuse(r, other->at, "%s and %s are one key, given twice", key, camel);
    if (!entry) entry = other;
    if (!entry) return NULL;
    entry->used = true;
    return entry->value;
}

void doc_expect(reader *r, const doc_node *node, doc_kind kind, const char *what) {
    static const char *const names[] = {"a single value", "a list", "a map"};
    if (node->kind != kind)
        reader_refuse(r, node->at, "%s must be %s, not %s", what, names[kind], names[node->kind]);
}

const char *doc_text(reader *r, const doc_node *node, const char *what) {
    doc_expect(r, node, DOC_TEXT, what);
    return node->text;
}

double doc_number(reader *r, const doc_node *node, const char *what) {
    return reader_number(r, node->at, what, doc_text(r, node, what));
}

/* The words that Choreonoid knows, in lower case, upper case or with a capital. */
bool doc_flag(reader *r, const doc_node *node, const char *what) {
    static const char *const words[2][4] = {{"false", "no", "off", "n"},
                                            {"true", "yes", "on", "y"}};
    const char *text = doc_text(r, node, what);
    for (int value = 0; value < 2; value++)
        for (int k = 0; k < 4; k++)
            if (strcasecmp(text, words[value][k]) == 0) return value;
    reader_refuse(r, node->at, "%s must be true or false, not '%.100s'", what, text);
}

void doc_numbers(reader *r, const doc_node *list, const char *what, size_t count, double *numbers) {
    doc_expect(r, list, DOC_LIST, what);
    if (list->count != count)
        reader_refuse(r, list->at, "%s must have %zu numbers, not %zu", what, count, list->count);
    for (size_t k = 0; k < count; k++) numbers[k] = doc_number(r, list->entries[k].value, what);
}
