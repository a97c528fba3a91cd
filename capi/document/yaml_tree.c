/* SPDX-License-Identifier: MIT
 * From libyaml's events to a tree. Its own loader is not used: it recurses with the nesting and
 * forgets the style of scalars.
 */
#define _GNU_SOURCE /* tdestroy */
#include "yaml_tree.h"

#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "error_list.h"
#include "yaml_syntax.h"

/* ---- anchors, found by their names in a balanced tree ---- */

typedef struct anchor {
    const char *name;
    tree_node *node;
} anchor;

struct tree_anchors {
    void *root; /* of tsearch */
};

static int compare_anchors(const void *a, const void *b) {
    return strcmp(((const anchor *)a)->name, ((const anchor *)b)->name);
}

static void keep_anchor(void *in_arena) {
    (void)in_arena;
}

static void free_anchors(void *anchors) {
    tdestroy(((tree_anchors *)anchors)->root, keep_anchor);
}

tree_node *stiction_yaml_anchored(const tree_anchors *anchors, const char *name) {
    const anchor wanted = {.name = name};
    anchor *const *found = anchors ? tfind(&wanted, &anchors->root, compare_anchors) : NULL;
    return found ? (*found)->node : NULL;
}

/* A later anchor of the same name takes the place of the earlier. False: no memory. */
static bool set_anchor(arena *memory, tree_anchors **anchors, const char *name, tree_node *node) {
    if (!*anchors) *anchors = stiction_arena_own(memory, sizeof **anchors, free_anchors);
    anchor *made = stiction_arena_take(memory, sizeof *made);
    if (!*anchors || !made) return false;
    made->name = stiction_arena_text(memory, name, strlen(name));
    anchor *const *found = made->name ? tsearch(made, &(*anchors)->root, compare_anchors) : NULL;
    if (found) (*found)->node = node;
    return found != NULL;
}

bool stiction_yaml_append(arena *memory, tree_node *parent, tree_node *key, tree_node *value) {
    tree_entry *entry = stiction_arena_take(memory, sizeof *entry);
    if (!entry) return false;
    *entry = (tree_entry){.key = key, .value = value};
    *(parent->last ? &parent->last->next : &parent->first) = entry;
    parent->last = entry;
    parent->count++;
    return true;
}

/* ---- << of YAML, and keys that a mapping has twice ---- */

typedef struct candidate {
    tree_entry entry; /* a copy */
    size_t order;     /* the mapping's own come first */
    bool own, hidden;
} candidate;

typedef struct candidates {
    candidate *list; /* NULL while they are only counted */
    size_t count;
} candidates;

static void add_candidate(candidates *c, const tree_entry *entry, bool own) {
    if (c->list) c->list[c->count] = (candidate){*entry, c->count, own, false};
    c->count++;
}

static void add_mapping(candidates *c, const tree_node *mapping) {
    if (mapping->kind != TREE_MAPPING) return;
    for (const tree_entry *e = mapping->first; e; e = e->next) add_candidate(c, e, false);
}

static bool is_merge(const tree_entry *entry) {
    return entry->key->plain && strcmp(entry->key->text, "<<") == 0;
}

/* The mapping's own entries, then those of each mapping that it takes over. */
static void collect(candidates *c, const tree_node *mapping) {
    for (const tree_entry *e = mapping->first; e; e = e->next)
        if (!is_merge(e)) add_candidate(c, e, true);
    for (const tree_entry *e = mapping->first; e; e = e->next) {
        if (!is_merge(e)) continue;
        if (e->value->kind == TREE_LIST)
            for (const tree_entry *item = e->value->first; item; item = item->next)
                add_mapping(c, item->value);
        else
            add_mapping(c, e->value);
    }
}

static void check_source(const tree_node *source, stiction_errors *errors) {
    if (source->kind != TREE_MAPPING && source->kind != TREE_BAD)
        stiction_errors_add(errors, source->at, "", STICTION_INVALID_CONFIG,
                            "<< must be a mapping or a list of mappings");
}

/* Where the last of doubles counts, several << are all taken, the first first. */
static void check_merges(const tree_node *mapping, tree_doubles doubles, stiction_errors *errors) {
    bool merged = false;
    for (const tree_entry *e = mapping->first; e; e = e->next) {
        if (!is_merge(e)) continue;
        if (merged && doubles != TREE_LAST_COUNTS)
            stiction_errors_add(errors, e->key->at, "", STICTION_INVALID_CONFIG,
                                "<< is given twice; a list merges several");
        merged = true;
        if (e->value->kind == TREE_LIST)
            for (const tree_entry *item = e->value->first; item; item = item->next)
                check_source(item->value, errors);
        else
            check_source(e->value, errors);
    }
}

static int by_key(const void *a, const void *b) {
    const candidate *left = a, *right = b;
    const int order = strcmp(left->entry.key->text, right->entry.key->text);
    return order ? order : left->order < right->order ? -1 : left->order > right->order;
}

static int by_order(const void *a, const void *b) {
    const candidate *left = a, *right = b;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* What is done about the second of two entries of a mapping under one key. */
static void settle_double(candidate *first, const candidate *second, const tree_options *options,
                          stiction_errors *errors) {
    const tree_node *key = second->entry.key;
    char message[300];
    if (options->doubles == TREE_KEEP_DOUBLES) return;
    if (options->doubles == TREE_REFUSE_DOUBLES) {
        stiction_errors_add(errors, key->at, "", STICTION_INVALID_CONFIG,
                            "the key '%.200s' is given twice, first in line %d", key->text,
                            first->entry.key->at.line);
        return;
    }
    first->hidden = true;
    (void)snprintf(message, sizeof message,
                   "the key '%.200s' is given twice; the last counts, as in Choreonoid", key->text);
    if (options->warn) options->warn(options->user, key->at, message);
}

/* Hides what is taken over under a key that is there before. */
static void settle(candidates *c, const tree_options *options, stiction_errors *errors) {
    qsort(c->list, c->count, sizeof *c->list, by_key);
    for (size_t k = 1; k < c->count; k++) {
        candidate *first = &c->list[k - 1], *second = &c->list[k];
        if (strcmp(first->entry.key->text, second->entry.key->text) != 0) continue;
        if (second->own)
            settle_double(first, second, options, errors);
        else
            second->hidden = true;
    }
    qsort(c->list, c->count, sizeof *c->list, by_order);
}

static bool relink(arena *memory, tree_node *mapping, const candidates *c) {
    mapping->first = mapping->last = NULL;
    mapping->count = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (c->list[k].hidden) continue;
        if (!stiction_yaml_append(memory, mapping, c->list[k].entry.key, c->list[k].entry.value))
            return false;
    }
    return true;
}

/*
 * Replaces the keys << of a mapping, where it has any, by what they take over: all but the keys
 * that the mapping has itself; of several mappings the first that has a key wins. Takes no more
 * entries than the mapping's size counts. Keys given twice are treated as the options say. False:
 * no memory.
 */
static bool merge(arena *memory, tree_node *mapping, const tree_options *options,
                  stiction_errors *errors) {
    const tree_entry *merged = mapping->first;
    while (merged && !is_merge(merged)) merged = merged->next;
    const bool doubles_matter = options->doubles != TREE_KEEP_DOUBLES && mapping->count > 1;
    if (!merged && !doubles_matter) return true;

    check_merges(mapping, options->doubles, errors);
    candidates c = {0};
    collect(&c, mapping);
    c.list = calloc(c.count + 1, sizeof *c.list);
    if (!c.list) return false;
    c.count = 0;
    collect(&c, mapping);
    settle(&c, options, errors);
    const bool done = relink(memory, mapping, &c);
    free(c.list);
    return done;
}

/* ---- from events to nodes ---- */

typedef struct builder {
    arena *memory;
    const char *text;
    size_t size;
    const char *path;
    const tree_options *options;
    stiction_errors *errors;
    bool stopped; /* after an error that hinders the reading */

    size_t nodes;
    tree_anchors *anchors;
    tree_node *root;
    /* the lists and mappings that are open, and the keys that wait for their values */
    tree_node *open[TREE_MAX_DEPTH], *key[TREE_MAX_DEPTH];
    size_t depth;
} builder;

/* Errors. */

static stiction_place at_mark(const builder *b, yaml_mark_t mark) {
    return (stiction_place){b->path, (int)mark.line + 1, (int)mark.column + 1};
}

#define REFUSE(b, where, ...)                                                                      \
    stiction_errors_add((b)->errors, where, "", STICTION_INVALID_CONFIG, __VA_ARGS__)

#define STOP(b, where, ...)                                                                        \
    do {                                                                                           \
        REFUSE(b, where, __VA_ARGS__);                                                             \
        (b)->stopped = true;                                                                       \
    } while (0)

static void stop_without_memory(builder *b) {
    stiction_errors_add_no_memory(b->errors, b->path);
    b->stopped = true;
}

/* The line and column of a byte, for bytes that are no characters. */
static stiction_place at_byte(const builder *b, size_t offset) {
    stiction_place at = {b->path, 1, 1};
    for (size_t k = 0; k < offset && k < b->size; k++) {
        if (b->text[k] == '\n') {
            at.line++;
            at.column = 1;
        } else if ((b->text[k] & 0xC0) != 0x80) {
            at.column++;
        }
    }
    return at;
}

static void stop_at_byte(builder *b, size_t offset) {
    const unsigned char byte = offset < b->size ? (unsigned char)b->text[offset] : 0;
    STOP(b, at_byte(b, offset),
         "byte 0x%02X is not allowed here: YAML is UTF-8 text without control characters", byte);
}

static void stop_at_syntax(builder *b, const yaml_parser_t *parser) {
    if (parser->error == YAML_MEMORY_ERROR) {
        stop_without_memory(b);
    } else if (parser->error == YAML_READER_ERROR) {
        stop_at_byte(b, parser->problem_offset);
    } else {
        bool at_context;
        const char *message = stiction_yaml_explain(parser->context, parser->problem, &at_context);
        STOP(b, at_mark(b, at_context ? parser->context_mark : parser->problem_mark),
             "this is not YAML: %s", message);
    }
}

/* Anchors and aliases. */

static void add_anchor(builder *b, const char *name, tree_node *node) {
    if (b->options->anchors_differ && stiction_yaml_anchored(b->anchors, name))
        REFUSE(b, node->at, "the anchor '%.200s' is defined twice", name);
    if (!set_anchor(b->memory, &b->anchors, name, node)) stop_without_memory(b);
}

static tree_node *find_anchor(const builder *b, const char *name) {
    tree_node *node = stiction_yaml_anchored(b->anchors, name);
    return node ? node : stiction_yaml_anchored(b->options->known, name);
}

/* Nodes. */

static bool count_nodes(builder *b, size_t count, stiction_place at) {
    if (count > TREE_MAX_NODES - b->nodes) {
        STOP(b, at,
             "more than %d keys and values, with the aliases expanded and %d bytes of a long text "
             "as one",
             TREE_MAX_NODES, TREE_TEXT_UNIT);
        return false;
    }
    b->nodes += count;
    return true;
}

static tree_node *new_node(builder *b, tree_kind kind, yaml_mark_t mark) {
    if (!count_nodes(b, 1, at_mark(b, mark))) return NULL;
    tree_node *node = stiction_arena_take(b->memory, sizeof *node);
    if (!node) {
        stop_without_memory(b);
        return NULL;
    }
    *node = (tree_node){.kind = kind, .at = at_mark(b, mark), .size = 1, .number = (double)NAN};
    return node;
}

static void add_entry(builder *b, tree_node *parent, tree_node *key, tree_node *value) {
    if (!stiction_yaml_append(b->memory, parent, key, value)) stop_without_memory(b);
    parent->size += value->size + (key ? key->size : 0);
}

/* Puts a node that is complete where it belongs. */
static void attach(builder *b, tree_node *node) {
    if (b->depth == 0) {
        b->root = node;
        return;
    }
    tree_node *parent = b->open[b->depth - 1], **key = &b->key[b->depth - 1];
    if (parent->kind == TREE_LIST) {
        add_entry(b, parent, NULL, node);
    } else if (!*key) {
        *key = node;
        if (node->kind == TREE_LIST || node->kind == TREE_MAPPING)
            REFUSE(b, node->at,
                   "a key must be a text, not a list or a mapping; quote the pattern if it is one");
    } else {
        if ((*key)->kind == TREE_SCALAR) add_entry(b, parent, *key, node);
        *key = NULL;
    }
}

static void open_node(builder *b, tree_node *node) {
    if (b->depth == TREE_MAX_DEPTH) {
        STOP(b, node->at, "lists and mappings are nested more than %d deep", TREE_MAX_DEPTH);
        return;
    }
    node->open = true;
    b->open[b->depth] = node;
    b->key[b->depth] = NULL;
    b->depth++;
}

static void close_node(builder *b, const yaml_event_t *event) {
    tree_node *node = b->open[--b->depth];
    node->open = false;
    node->end = at_mark(b, event->end_mark);
    if (node->kind == TREE_MAPPING && !merge(b->memory, node, b->options, b->errors))
        stop_without_memory(b);
    if (!b->stopped) attach(b, node);
}

/* Whether what comes next is the key of a mapping. */
static bool is_key(const builder *b) {
    return b->depth > 0 && b->open[b->depth - 1]->kind == TREE_MAPPING && !b->key[b->depth - 1];
}

static void refuse_alias(builder *b, stiction_place at, const char *name, bool inside) {
    if (inside)
        REFUSE(b, at, "alias '*%.200s' is inside the node that it refers to", name);
    else if (is_key(b))
        REFUSE(b, at,
               "alias '*%.200s' has no anchor '&%.200s' before it; if it is a pattern, quote the "
               "pattern: \"*%.200s\"",
               name, name, name);
    else
        REFUSE(b, at, "alias '*%.200s' has no anchor '&%.200s' before it", name, name);
}

static void read_alias(builder *b, const yaml_event_t *event) {
    const char *name = (const char *)event->data.alias.anchor;
    const stiction_place at = at_mark(b, event->start_mark);
    tree_node *node = find_anchor(b, name);
    if (node && !node->open) {
        node->aliased = true;
        if (count_nodes(b, node->size, at)) attach(b, node);
        return;
    }
    refuse_alias(b, at, name, node != NULL);
    tree_node *bad = new_node(b, TREE_BAD, event->start_mark);
    if (bad) attach(b, bad);
}

static void refuse_tag(builder *b, const tree_node *node, const char *tag) {
    static const char standard[] = "tag:yaml.org,2002:"; /* written as !! */
    const bool is_standard = strncmp(tag, standard, sizeof standard - 1) == 0;
    REFUSE(b, node->at, "tags such as %s%.200s are not used here", is_standard ? "!!" : "",
           is_standard ? tag + sizeof standard - 1 : tag);
}

/* What all kinds of nodes have: a place, perhaps an anchor, and no tag. */
static tree_node *begin_node(builder *b, const yaml_event_t *event, tree_kind kind,
                             const yaml_char_t *name, const yaml_char_t *tag) {
    tree_node *node = new_node(b, kind, event->start_mark);
    if (node && name) add_anchor(b, (const char *)name, node);
    if (node && tag && !b->options->tags) refuse_tag(b, node, (const char *)tag);
    return b->stopped ? NULL : node;
}

static void read_scalar(builder *b, const yaml_event_t *event) {
    const unsigned char *value = event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    tree_node *node =
        begin_node(b, event, TREE_SCALAR, event->data.scalar.anchor, event->data.scalar.tag);
    if (!node || !count_nodes(b, length / TREE_TEXT_UNIT, node->at)) return;
    node->size += length / TREE_TEXT_UNIT;
    node->end = at_mark(b, event->end_mark);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = stiction_arena_text(b->memory, value, length);
    if (!node->text) {
        stop_without_memory(b);
        return;
    }
    if (memchr(value, 0, length)) {
        REFUSE(b, node->at, "a text holds the character \\0");
        node->kind = TREE_BAD;
    }
    attach(b, node);
}

static void read_event(builder *b, const yaml_event_t *event) {
    tree_node *node;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->root)
            STOP(b, at_mark(b, event->start_mark), "a second document begins here; %s is one",
                 b->options->what ? b->options->what : "a file");
        break;
    case YAML_ALIAS_EVENT:
        read_alias(b, event);
        break;
    case YAML_SCALAR_EVENT:
        read_scalar(b, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        node = begin_node(b, event, TREE_LIST, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag);
        if (!node) break;
        node->flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
        open_node(b, node);
        break;
    case YAML_MAPPING_START_EVENT:
        node = begin_node(b, event, TREE_MAPPING, event->data.mapping_start.anchor,
                          event->data.mapping_start.tag);
        if (!node) break;
        node->flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
        open_node(b, node);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_node(b, event);
        break;
    default:
        break;
    }
}

static void read_events(builder *b, yaml_parser_t *parser) {
    bool ended = false;
    while (!ended && !b->stopped) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            stop_at_syntax(b, parser);
            return;
        }
        ended = event.type == YAML_STREAM_END_EVENT ||
                (event.type == YAML_DOCUMENT_END_EVENT && b->options->more_documents);
        read_event(b, &event);
        yaml_event_delete(&event);
    }
}

/* libyaml compares each %TAG of a document with all before it. They are looked for everywhere,
 * since YAML knows more ends of lines than one. False after too many. */
static bool tags_are_few(builder *b) {
    enum { most = 100 };
    const char *end = b->text + b->size, *p = b->text;
    for (int count = 0; (p = memchr(p, '%', (size_t)(end - p))); p++) {
        count += end - p >= 4 && memcmp(p, "%TAG", 4) == 0;
        if (count <= most) continue;
        STOP(b, at_byte(b, (size_t)(p - b->text)), "there are more than %d %%TAG", most);
        return false;
    }
    return true;
}

tree_document stiction_yaml_read(arena *memory, const char *text, size_t size, const char *path,
                                 const tree_options *options, stiction_errors *errors) {
    /* libyaml would count a byte order mark as a column */
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    builder b = {.memory = memory,
                 .text = text,
                 .size = size,
                 .path = path,
                 .options = options,
                 .errors = errors};
    yaml_parser_t parser;
    if (!tags_are_few(&b)) return (tree_document){0};
    if (!yaml_parser_initialize(&parser)) {
        stop_without_memory(&b);
        return (tree_document){0};
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    read_events(&b, &parser);
    yaml_parser_delete(&parser);

    if (!b.root && !b.stopped)
        REFUSE(&b, ((stiction_place){path, 1, 1}), "the file is empty%s%s",
               options->must_say ? "; it must say " : "",
               options->must_say ? options->must_say : "");
    return (tree_document){b.stopped ? NULL : b.root, b.anchors};
}

tree_entry *stiction_yaml_find(const tree_node *mapping, const char *key) {
    tree_entry *entry = mapping->first;
    while (entry && strcmp(entry->key->text, key) != 0) entry = entry->next;
    return entry;
}
