/* SPDX-License-Identifier: MIT
 * VRML97 (.wrl): its grammar as nodes with fields, then groups with their frames and shapes as
 * triangles. PROTOs are passed over: a node of theirs is one of an unknown type.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "triangles.h"

/* Levels of nodes; nodes that are visited, however often one is used; files inside files. */
enum { deepest = 200, most_visited = 200000, most_inlines = 8 };

typedef struct vrml_node vrml_node;

/* A value: numbers, or nodes, or the first string. */
typedef struct vrml_field {
    const char *name;
    double *numbers; /* TRUE is 1, FALSE 0 */
    size_t number_count;
    vrml_node **nodes;
    size_t node_count;
    const char *text; /* NULL: none */
    struct vrml_field *next;
} vrml_field;

/* A node that is used in several places is one shared node; none contains itself. */
struct vrml_node {
    const char *type;
    vrml_field *fields;
};

/* ---- tokens ---- */

typedef enum token_kind { AT_END, WORD, STRING, NUMBER, SIGN } token_kind;

typedef struct token {
    token_kind kind;
    const char *start;
    size_t length;
    double number;
} token;

/* Names that DEF gives. */
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

static _Noreturn void fail(const parser *p, const char *what) {
    triangles_fail(p->t, "cannot be read: line %d: %s", p->line, what);
}

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

/* Goes to the next token. After the bytes is a 0, where a number ends. */
static void next(parser *p) {
    skip_space(p);
    token *now = &p->now;
    *now = (token){.kind = AT_END, .start = p->at};
    if (p->at == p->end) return;
    const char c = *p->at;
    if (strchr("[]{}", c)) {
        now->kind = SIGN;
        p->at++;
    } else if (c == '"') {
        now->kind = STRING;
        now->start = ++p->at;
        while (p->at < p->end && *p->at != '"') {
            if (*p->at == '\\' && p->at + 1 < p->end) p->at++;
            p->line += *p->at == '\n';
            p->at++;
        }
        if (p->at == p->end) fail(p, "a string without its end");
        now->length = (size_t)(p->at++ - now->start);
    } else if (isdigit((unsigned char)c) || strchr("+-.", c)) {
        char *after;
        now->kind = NUMBER;
        now->number = strtod(p->at, &after);
        if (after == p->at) fail(p, "no number where a sign is");
        p->at = after;
    } else {
        now->kind = WORD;
        while (p->at < p->end && (is_word(*p->at) || *p->at == '.')) p->at++;
        if (p->at == now->start) fail(p, "a character that has no meaning here");
    }
    if (now->kind != STRING) now->length = (size_t)(p->at - now->start);
}

static void skip_tokens(parser *p, int count) {
    while (count-- > 0) next(p);
}

static bool is_sign(const parser *p, char sign) {
    return p->now.kind == SIGN && *p->now.start == sign;
}

static bool is(const parser *p, const char *word) {
    return p->now.kind == WORD && p->now.length == strlen(word) &&
           memcmp(p->now.start, word, p->now.length) == 0;
}

/* The text of the current token, and on to the next. */
static const char *take_text(parser *p) {
    char *text = stiction_reader_alloc(p->t->r, p->now.length + 1);
    memcpy(text, p->now.start, p->now.length);
    next(p);
    return text;
}

static name_list **find_bucket(parser *p, const char *name) {
    unsigned hash = 5381;
    for (const char *c = name; *c; c++) hash = hash * 33 + (unsigned char)*c;
    return &p->names[hash % name_buckets];
}

/* ---- nodes ---- */

static vrml_node *parse_node(parser *p);

static void add_node(parser *p, vrml_field *field) {
    if (++p->depth > deepest) fail(p, "nested too deep");
    vrml_node *node = parse_node(p);
    p->depth--;
    field->nodes =
        stiction_reader_grow(p->t->r, field->nodes, field->node_count, sizeof(vrml_node *));
    field->nodes[field->node_count++] = node;
}

static void add_number(parser *p, vrml_field *field, double number) {
    field->numbers =
        stiction_reader_grow(p->t->r, field->numbers, field->number_count, sizeof number);
    field->numbers[field->number_count++] = number;
    next(p);
}

/* One part of a value: a number, a string, a truth, NULL or a node. */
static void parse_part(parser *p, vrml_field *field) {
    switch (p->now.kind) {
    case NUMBER:
        add_number(p, field, p->now.number);
        return;
    case STRING:
        if (field->text)
            next(p);
        else
            field->text = take_text(p);
        return;
    case WORD:
        if (is(p, "NULL"))
            next(p);
        else if (is(p, "TRUE") || is(p, "FALSE"))
            add_number(p, field, is(p, "TRUE"));
        else
            add_node(p, field);
        return;
    default:
        fail(p, p->now.kind == AT_END ? "the file ends inside a node" : "no value");
    }
}

static void parse_value(parser *p, vrml_field *field) {
    if (is(p, "IS")) {
        skip_tokens(p, 2);
    } else if (is_sign(p, '[')) {
        next(p);
        while (!is_sign(p, ']')) parse_part(p, field);
        next(p);
    } else {
        do parse_part(p, field);
        while (p->now.kind == NUMBER || p->now.kind == STRING);
    }
}

/* From an opening sign to its end. */
static void skip_block(parser *p, char open, char close) {
    int level = 0;
    if (!is_sign(p, open)) fail(p, "a PROTO without its parts");
    do {
        if (p->now.kind == AT_END) fail(p, "the file ends inside a PROTO");
        if (p->now.kind == SIGN) level += (*p->now.start == open) - (*p->now.start == close);
        next(p);
    } while (level > 0);
}

/* Skips a PROTO or a ROUTE; false: there is none. */
static bool skip_statement(parser *p) {
    const bool is_extern = is(p, "EXTERNPROTO");
    if (is(p, "ROUTE")) {
        skip_tokens(p, 4);
        return true;
    }
    if (!is(p, "PROTO") && !is_extern) return false;
    skip_tokens(p, 2);
    skip_block(p, '[', ']');
    if (!is_extern)
        skip_block(p, '{', '}');
    else if (is_sign(p, '['))
        skip_block(p, '[', ']');
    else
        next(p);
    return true;
}

static void parse_field(parser *p, vrml_node *node) {
    /* a script's own: eventIn TYPE NAME, field TYPE NAME VALUE */
    const bool event = is(p, "eventIn") || is(p, "eventOut");
    if (event || is(p, "field") || is(p, "exposedField")) skip_tokens(p, 2);
    if (p->now.kind != WORD) fail(p, "no name of a field");
    vrml_field *field = stiction_reader_alloc(p->t->r, sizeof *field);
    field->name = take_text(p);
    if (event) {
        if (is(p, "IS")) skip_tokens(p, 2);
        return;
    }
    parse_value(p, field);
    field->next = node->fields;
    node->fields = field;
}

static vrml_node *parse_node(parser *p) {
    const char *name = NULL;
    if (is(p, "USE")) {
        next(p);
        const int line = p->line;
        name = take_text(p);
        for (const name_list *e = *find_bucket(p, name); e; e = e->next)
            if (strcmp(e->name, name) == 0) return e->node;
        triangles_fail(p->t, "cannot be read: line %d: USE of '%.60s', which has no DEF", line,
                       name);
    }
    if (is(p, "DEF")) {
        next(p);
        name = take_text(p);
    }
    if (p->now.kind != WORD) fail(p, "no node where one should be");
    vrml_node *node = stiction_reader_alloc(p->t->r, sizeof *node);
    node->type = take_text(p);
    if (!is_sign(p, '{')) fail(p, "a node without its {");
    next(p);
    while (!is_sign(p, '}')) {
        if (p->now.kind == AT_END) fail(p, "the file ends inside a node");
        if (!skip_statement(p)) parse_field(p, node);
    }
    next(p);
    if (name) { /* only now, so that no node contains itself */
        name_list *entry = stiction_reader_alloc(p->t->r, sizeof *entry), **list;
        list = find_bucket(p, name);
        *entry = (name_list){name, node, *list};
        *list = entry;
    }
    return node;
}

/* The nodes at the top as a field. */
static const vrml_field *parse_file(triangles *t, const char *text, size_t size) {
    static const char magic[] = "#VRML V2.0";
    if (size < sizeof magic - 1 || memcmp(text, magic, sizeof magic - 1) != 0)
        triangles_fail(t, "is no VRML: it must begin with \"%s\"", magic);
    parser *p = stiction_reader_alloc(t->r, sizeof *p);
    vrml_field *top = stiction_reader_alloc(t->r, sizeof *top);
    *p = (parser){.t = t, .at = text, .end = text + size, .line = 1};
    next(p);
    while (p->now.kind != AT_END)
        if (!skip_statement(p)) add_node(p, top);
    return top;
}

/* NULL: the node does not state it. */
static const vrml_field *find_field(const vrml_node *node, const char *name) {
    const vrml_field *f = node->fields;
    while (f && strcmp(f->name, name) != 0) f = f->next;
    return f;
}

/* The numbers of a field, which stay as they are if it has too few. */
static void read_numbers(const vrml_node *node, const char *name, size_t count, double *values) {
    const vrml_field *field = find_field(node, name);
    if (field && field->number_count >= count)
        memcpy(values, field->numbers, count * sizeof *values);
}

/* ---- frames ---- */

static frame3 shift(const double by[3], double sign) {
    frame3 a = frame3_identity;
    for (int k = 0; k < 3; k++) a.offset[k] = sign * by[k];
    return a;
}

static frame3 turn(const double r[4], double sign) {
    const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (!(length > 0)) return frame3_identity;
    const double n[3] = {r[0] / length, r[1] / length, r[2] / length};
    const double c = cos(r[3]), s = sign * sin(r[3]);
    const double cross[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
    frame3 a = frame3_identity;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.linear[3 * i + j] = c * (i == j) + s * cross[3 * i + j] + (1 - c) * n[i] * n[j];
    return a;
}

/* T C R SR S -SR -C; without these fields: the identity. */
static frame3 frame_of(const vrml_node *node) {
    double translation[3] = {0}, rotation[4] = {0, 0, 1, 0}, scale[3] = {1, 1, 1}, center[3] = {0},
           orientation[4] = {0, 0, 1, 0};
    read_numbers(node, "translation", 3, translation);
    read_numbers(node, "rotation", 4, rotation);
    read_numbers(node, "scale", 3, scale);
    read_numbers(node, "center", 3, center);
    read_numbers(node, "scaleOrientation", 4, orientation);
    const frame3 stretch = {{scale[0], 0, 0, 0, scale[1], 0, 0, 0, scale[2]}, {0, 0, 0}};
    const frame3 steps[] = {shift(center, 1), turn(rotation, 1),     turn(orientation, 1),
                            stretch,          turn(orientation, -1), shift(center, -1)};
    frame3 all = shift(translation, 1);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
        all = frame3_inside(&all, &steps[k]);
    return all;
}

/* ---- shapes ---- */

typedef struct visitor {
    triangles *t;
    const char *path; /* of the file, for those that it names */
    size_t *visited;
    int inlines;
} visitor;

typedef void visit(visitor *v, const vrml_node *node, const frame3 *at);

static void add_faces(visitor *v, const vrml_node *node, const frame3 *at) {
    triangles *t = v->t;
    const vrml_field *coordinates = find_field(node, "coord"),
                     *index = find_field(node, "coordIndex");
    if (!coordinates || !coordinates->node_count || !index) return;
    const vrml_field *points = find_field(coordinates->nodes[0], "point");
    if (!points) return;
    const size_t first = t->vertex_count, count = points->number_count / 3;
    for (size_t k = 0; k < count; k++) {
        double point[3];
        frame3_point(at, points->numbers + 3 * k, point);
        triangles_add_vertex(t, point);
    }
    unsigned *corners = stiction_reader_alloc(t->r, index->number_count * sizeof *corners);
    size_t used = 0;
    for (size_t k = 0; k <= index->number_count; k++) {
        const double value = k < index->number_count ? index->numbers[k] : -1;
        if (value < 0) {
            triangles_add_face(t, first, corners, used);
            used = 0;
        } else if (!(value < (double)count)) {
            triangles_fail(t, "has a face with point %.0f of %zu", value, count);
        } else {
            corners[used++] = (unsigned)value;
        }
    }
}

static void add_box(visitor *v, const vrml_node *node, const frame3 *at) {
    double size[3] = {2, 2, 2};
    read_numbers(node, "size", 3, size);
    triangles_add_box(v->t, at, size);
}

static void add_sphere(visitor *v, const vrml_node *node, const frame3 *at) {
    enum { rings = TRIANGLES_AROUND / 2 + 1 };
    double radius = 1, profile[rings][2];
    read_numbers(node, "radius", 1, &radius);
    for (int k = 0; k < rings; k++) {
        const double angle = 3.14159265358979323846 * k / (rings - 1);
        profile[k][0] = k == 0 || k == rings - 1 ? 0 : radius * sin(angle);
        profile[k][1] = -radius * cos(angle);
    }
    triangles_add_round(v->t, at, (const double(*)[2])profile, rings);
}

static void add_cylinder(visitor *v, const vrml_node *node, const frame3 *at) {
    double radius = 1, height = 2;
    read_numbers(node, "radius", 1, &radius);
    read_numbers(node, "height", 1, &height);
    const double profile[2][2] = {{radius, -height / 2}, {radius, height / 2}};
    triangles_add_round(v->t, at, profile, 2);
}

static void add_cone(visitor *v, const vrml_node *node, const frame3 *at) {
    double radius = 1, height = 2;
    read_numbers(node, "bottomRadius", 1, &radius);
    read_numbers(node, "height", 1, &height);
    const double profile[2][2] = {{radius, -height / 2}, {0, height / 2}};
    triangles_add_round(v->t, at, profile, 2);
}

static const struct {
    const char *type;
    visit *add; /* NULL: it has no volume */
} geometries[] = {
    {"IndexedFaceSet", add_faces},
    {"Box", add_box},
    {"Sphere", add_sphere},
    {"Cylinder", add_cylinder},
    {"Cone", add_cone},
    {"IndexedLineSet", NULL},
    {"PointSet", NULL},
    {"Text", NULL},
};

static void visit_shape(visitor *v, const vrml_node *node, const frame3 *at) {
    const vrml_field *geometry = find_field(node, "geometry");
    if (!geometry || !geometry->node_count) return;
    const vrml_node *shape = geometry->nodes[0];
    for (size_t k = 0; k < sizeof geometries / sizeof geometries[0]; k++)
        if (strcmp(geometries[k].type, shape->type) == 0) {
            if (geometries[k].add) geometries[k].add(v, shape, at);
            return;
        }
    triangles_note(v->t, "has a %.60s, which is not read and does not touch", shape->type);
}

/* ---- groups ---- */

static visit visit_node;

static void visit_all(visitor *v, const vrml_field *field, const frame3 *at) {
    for (size_t k = 0; field && k < field->node_count; k++) visit_node(v, field->nodes[k], at);
}

static void visit_one(visitor *v, const vrml_field *field, double index, const frame3 *at) {
    if (field && index >= 0 && index < (double)field->node_count)
        visit_node(v, field->nodes[(size_t)index], at);
}

static void visit_switch(visitor *v, const vrml_node *node, const frame3 *at) {
    double choice = -1;
    read_numbers(node, "whichChoice", 1, &choice);
    visit_one(v, find_field(node, "choice"), choice, at);
}

static void visit_lod(visitor *v, const vrml_node *node, const frame3 *at) {
    visit_one(v, find_field(node, "level"), 0, at);
}

/* The nodes of another file, which the mesh may not always name. */
static const vrml_field *read_named(triangles *t, const char *url, const char *path) {
    char message[ACCESS_MESSAGE];
    size_t size;
    t->names_files = true;
    t->is_forbidden = !stiction_access_permits(t->r->untrusted, path, message);
    if (t->is_forbidden) triangles_fail(t, "%s", message);
    t->inside = stiction_reader_format(t->r, "has '%.60s' inside, which ", url);
    const char *bytes = mesh_file_bytes(t, path, &size);
    const vrml_field *top = parse_file(t, bytes, size);
    t->inside = NULL;
    return top;
}

static void visit_inline(visitor *v, const vrml_node *node, const frame3 *at) {
    triangles *t = v->t;
    const vrml_field *url = find_field(node, "url");
    if (!url || !url->text) return;
    if (v->inlines == most_inlines)
        triangles_fail(t, "has files inside files, more than %d levels", most_inlines);
    visitor inner = *v;
    inner.path = stiction_reader_beside(t->r, v->path, url->text);
    inner.inlines++;
    const char *ending = strrchr(inner.path, '.');
    if (ending && strcasecmp(ending, ".wrl") == 0)
        visit_all(&inner, read_named(t, url->text, inner.path), at);
    else
        triangles_note(t, "has '%.80s' inside, which is not read", url->text);
}

static const struct {
    const char *type;
    visit *visit;
} types[] = {
    {"Shape", visit_shape},
    {"Switch", visit_switch},
    {"LOD", visit_lod},
    {"Inline", visit_inline},
};

/* Anything else is a group, perhaps with a frame: so are the joints and segments of robots, which
 * PROTOs declare. */
static void visit_node(visitor *v, const vrml_node *node, const frame3 *outer) {
    if (++*v->visited > most_visited)
        triangles_fail(v->t, "has more than %d nodes, counted each time that they are used",
                       most_visited);
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (strcmp(types[k].type, node->type) == 0) {
            types[k].visit(v, node, outer);
            return;
        }
    const frame3 own = frame_of(node), at = frame3_inside(outer, &own);
    visit_all(v, find_field(node, "children"), &at);
}

void mesh_import_vrml(triangles *t, const char *path, const char *bytes, size_t size) {
    size_t visited = 0;
    visitor v = {.t = t, .path = path, .visited = &visited};
    visit_all(&v, parse_file(t, bytes, size), &frame3_identity);
}
