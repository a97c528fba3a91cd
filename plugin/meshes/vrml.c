/* SPDX-License-Identifier: MIT
 * The grammar of VRML97. PROTOs are passed over: a node of theirs is one of an unknown type.
 */
#include "vrml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { deepest = 200 };

typedef enum token_kind { AT_END, WORD, STRING, NUMBER, SIGN } token_kind;

typedef struct token {
    token_kind kind;
    const char *start;
    size_t length;
    double number;
} token;

typedef struct name_list {
    const char *name;
    vrml_node *node;
    struct name_list *next;
} name_list;

enum { name_buckets = 1024 };

typedef struct parser {
    triangles *t;
    const char *at, *end;
    int line;
    int depth;
    token now;
    name_list *names[name_buckets];
} parser;

static bool fail(parser *p, const char *what) {
    return triangles_fail(p->t, "cannot be read: line %d: %s", p->line, what);
}

/* Tokens */

static void skip_space(parser *p) {
    while (p->at < p->end) {
        if (*p->at == '#') {
            while (p->at < p->end && *p->at != '\n') p->at++;
        } else if (*p->at == ',' || isspace((unsigned char)*p->at)) {
            p->line += *p->at == '\n';
            p->at++;
        } else {
            return;
        }
    }
}

static bool is_word(char c) {
    return (unsigned char)c > ' ' && !strchr("\"#',.[]\\{}", c);
}

/* False: a problem. Behind the bytes is a 0, where a number ends. */
static bool next(parser *p) {
    skip_space(p);
    token *now = &p->now;
    *now = (token){.kind = AT_END, .start = p->at};
    if (p->at == p->end) return true;
    const char c = *p->at;
    if (strchr("[]{}", c)) {
        now->kind = SIGN;
        now->length = 1;
        p->at++;
        return true;
    }
    if (c == '"') {
        now->kind = STRING;
        now->start = ++p->at;
        while (p->at < p->end && *p->at != '"') {
            if (*p->at == '\\' && p->at + 1 < p->end) p->at++;
            p->line += *p->at == '\n';
            p->at++;
        }
        if (p->at == p->end) return fail(p, "a string without its end");
        now->length = (size_t)(p->at++ - now->start);
        return true;
    }
    if (isdigit((unsigned char)c) || strchr("+-.", c)) {
        char *after;
        now->kind = NUMBER;
        now->number = strtod(p->at, &after);
        if (after == p->at) return fail(p, "no number where a sign is");
        p->at = after;
        now->length = (size_t)(after - now->start);
        return true;
    }
    now->kind = WORD;
    while (p->at < p->end && (is_word(*p->at) || *p->at == '.')) p->at++;
    now->length = (size_t)(p->at - now->start);
    return now->length > 0 || fail(p, "a character that has no meaning here");
}

static bool is_sign(const parser *p, char sign) {
    return p->now.kind == SIGN && *p->now.start == sign;
}

static bool is(const parser *p, const char *word) {
    return p->now.kind == WORD && p->now.length == strlen(word) &&
           memcmp(p->now.start, word, p->now.length) == 0;
}

static void *take(parser *p, size_t size) {
    return triangles_take(p->t, size);
}

/* The text of the current token. */
static const char *copy(parser *p) {
    char *text = take(p, p->now.length + 1);
    if (text) memcpy(text, p->now.start, p->now.length);
    return text;
}

/* Names that DEF gives */

static name_list **bucket(parser *p, const char *name) {
    unsigned hash = 5381;
    for (const char *c = name; *c; c++) hash = hash * 33 + (unsigned char)*c;
    return &p->names[hash % name_buckets];
}

static bool define(parser *p, const char *name, vrml_node *node) {
    name_list *entry = take(p, sizeof *entry), **list = bucket(p, name);
    if (!entry) return false;
    *entry = (name_list){name, node, *list};
    *list = entry;
    return true;
}

/* The last of the name. */
static vrml_node *find_defined(parser *p, const char *name) {
    for (const name_list *e = *bucket(p, name); e; e = e->next)
        if (strcmp(e->name, name) == 0) return e->node;
    return NULL;
}

/* Values */

static bool add(parser *p, void **items, size_t *count, size_t *room, size_t size,
                const void *item) {
    if (!triangles_make_room(p->t, items, *count, room, size)) return false;
    memcpy((char *)*items + (*count)++ * size, item, size);
    return true;
}

static bool add_number(parser *p, vrml_field *field, double number) {
    return add(p, (void **)&field->numbers, &field->number_count, &field->number_room,
               sizeof number, &number);
}

static bool parse_node(parser *p, vrml_node **node);

/* A node; the current token begins it. */
static bool add_node(parser *p, vrml_field *field) {
    vrml_node *node = NULL;
    if (++p->depth > deepest) return fail(p, "nested too deep");
    const bool fine = parse_node(p, &node);
    p->depth--;
    if (!fine || !node) return fine;
    return add(p, (void **)&field->nodes, &field->node_count, &field->node_room, sizeof node,
               &node);
}

/* One part of a value: a number, a string, a truth, NULL or a node. */
static bool parse_part(parser *p, vrml_field *field) {
    switch (p->now.kind) {
    case NUMBER:
        return add_number(p, field, p->now.number) && next(p);
    case STRING:
        if (!field->text && !(field->text = copy(p))) return false;
        return next(p);
    case WORD:
        if (is(p, "NULL")) return next(p);
        if (is(p, "TRUE") || is(p, "FALSE")) return add_number(p, field, is(p, "TRUE")) && next(p);
        return add_node(p, field);
    default:
        return fail(p, p->now.kind == AT_END ? "the file ends inside a node" : "no value");
    }
}

static bool parse_value(parser *p, vrml_field *field) {
    if (is(p, "IS")) return next(p) && next(p);
    if (is_sign(p, '[')) {
        if (!next(p)) return false;
        while (!is_sign(p, ']'))
            if (!parse_part(p, field)) return false;
        return next(p);
    }
    if (!parse_part(p, field)) return false;
    while (p->now.kind == NUMBER || p->now.kind == STRING)
        if (!parse_part(p, field)) return false;
    return true;
}

/* What is not read */

/* From an opening sign to its end. */
static bool skip_block(parser *p, char open, char close) {
    int level = 0;
    if (!is_sign(p, open)) return fail(p, "a PROTO without its parts");
    do {
        if (p->now.kind == AT_END) return fail(p, "the file ends inside a PROTO");
        if (p->now.kind == SIGN) level += (*p->now.start == open) - (*p->now.start == close);
        if (!next(p)) return false;
    } while (level > 0);
    return true;
}

/* True with *skipped where a PROTO or a ROUTE stood. */
static bool skip_statement(parser *p, bool *skipped) {
    *skipped = true;
    if (is(p, "PROTO"))
        return next(p) && next(p) && skip_block(p, '[', ']') && skip_block(p, '{', '}');
    if (is(p, "EXTERNPROTO")) {
        if (!next(p) || !next(p) || !skip_block(p, '[', ']')) return false;
        if (is_sign(p, '[')) return skip_block(p, '[', ']');
        return next(p);
    }
    if (is(p, "ROUTE")) return next(p) && next(p) && next(p) && next(p);
    *skipped = false;
    return true;
}

/* Nodes */

static bool parse_field(parser *p, vrml_node *node) {
    /* a script's own: eventIn TYPE NAME, field TYPE NAME VALUE */
    const bool event = is(p, "eventIn") || is(p, "eventOut");
    if (event || is(p, "field") || is(p, "exposedField"))
        if (!next(p) || !next(p)) return false;
    if (p->now.kind != WORD) return fail(p, "no name of a field");
    vrml_field *field = take(p, sizeof *field);
    if (!field || !(field->name = copy(p)) || !next(p)) return false;
    if (event) return is(p, "IS") ? next(p) && next(p) : true;
    if (!parse_value(p, field)) return false;
    field->next = node->fields;
    node->fields = field;
    return true;
}

static bool parse_fields(parser *p, vrml_node *node) {
    if (!is_sign(p, '{')) return fail(p, "a node without its {");
    if (!next(p)) return false;
    while (!is_sign(p, '}')) {
        bool skipped;
        if (p->now.kind == AT_END) return fail(p, "the file ends inside a node");
        if (!skip_statement(p, &skipped)) return false;
        if (!skipped && !parse_field(p, node)) return false;
    }
    return next(p);
}

static bool parse_node(parser *p, vrml_node **node) {
    const char *name = NULL;
    if (is(p, "USE")) {
        if (!next(p) || !(name = copy(p))) return false;
        *node = find_defined(p, name);
        if (!*node)
            return triangles_fail(p->t, "cannot be read: line %d: USE of '%.60s', which has no DEF",
                                  p->line, name);
        return next(p);
    }
    if (is(p, "DEF"))
        if (!next(p) || !(name = copy(p)) || !next(p)) return false;
    if (p->now.kind != WORD) return fail(p, "no node where one should be");
    vrml_node *made = take(p, sizeof *made);
    if (!made || !(made->type = copy(p)) || !next(p) || !parse_fields(p, made)) return false;
    /* only now: no node is inside itself */
    if (name && !define(p, name, made)) return false;
    *node = made;
    return true;
}

const vrml_field *vrml_parse(triangles *t, const char *text, size_t size) {
    static const char magic[] = "#VRML V2.0";
    if (size < sizeof magic - 1 || memcmp(text, magic, sizeof magic - 1) != 0)
        return triangles_fail(t, "is no VRML: it must begin with \"%s\"", magic), NULL;
    parser *p = triangles_take(t, sizeof *p);
    vrml_field *top = p ? triangles_take(t, sizeof *top) : NULL;
    if (!top) return NULL;
    *p = (parser){.t = t, .at = text, .end = text + size, .line = 1};
    if (!next(p)) return NULL;
    while (p->now.kind != AT_END) {
        bool skipped;
        if (!skip_statement(p, &skipped)) return NULL;
        if (!skipped && !add_node(p, top)) return NULL;
    }
    return top;
}

const vrml_field *vrml_find(const vrml_node *node, const char *name) {
    for (const vrml_field *f = node->fields; f; f = f->next)
        if (strcmp(f->name, name) == 0) return f;
    return NULL;
}
