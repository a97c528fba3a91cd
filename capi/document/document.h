/*
 * A YAML file as a tree of texts, lists and maps, each of which knows its place. Aliases point to
 * the node that they name and merges (<<) are resolved, as Choreonoid does both.
 */
#ifndef STICTION_CAPI_DOCUMENT_DOCUMENT_H
#define STICTION_CAPI_DOCUMENT_DOCUMENT_H

#include "reader.h"

typedef enum doc_kind { DOC_TEXT, DOC_LIST, DOC_MAP } doc_kind;

typedef struct doc_node doc_node;

typedef struct doc_entry {
    const char *key; /* NULL in a list */
    place at;        /* of the key */
    doc_node *value;
    bool used; /* somebody asked for it */
} doc_entry;

struct doc_node {
    doc_kind kind;
    place at;
    const char *text;   /* DOC_TEXT */
    doc_entry *entries; /* DOC_LIST, DOC_MAP */
    size_t count;
    bool aliased; /* somebody uses it under another name */
};

typedef struct doc_anchor {
    const char *name;
    doc_node *node;
    struct doc_anchor *next;
} doc_anchor;

typedef struct document {
    doc_node *root;
    doc_anchor *anchors;
} document;

/* The first document of a file. `at` is where its name stands; `known` are anchors of a file that
 * names this one. */
document doc_read(reader *r, place at, const char *path, doc_anchor *known);

/* The node of an anchor, or NULL. */
doc_node *doc_anchored(const doc_anchor *anchors, const char *name);

/*
 * The value of a key, or NULL. The key is given in snake_case and found in camelCase as well;
 * both at once are refused.
 */
doc_node *doc_find(reader *r, const doc_node *map, const char *key);

/* These refuse a node of another kind, in the name of `what`. */
const char *doc_text(reader *r, const doc_node *node, const char *what);
double doc_number(reader *r, const doc_node *node, const char *what);
bool doc_flag(reader *r, const doc_node *node, const char *what); /* true, yes, on, y, ... */
void doc_numbers(reader *r, const doc_node *list, const char *what, size_t count, double *numbers);
void doc_expect(reader *r, const doc_node *node, doc_kind kind, const char *what);

#endif
