/*
 * A YAML document as a tree with the place of everything in it: read from libyaml's events, so that
 * depth, size and aliases are bounded, with << merged. It knows nothing of friction.
 */
#ifndef STICTION_CAPI_DOCUMENT_YAML_TREE_H
#define STICTION_CAPI_DOCUMENT_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "stiction/load.h"

enum {
    TREE_MAX_DEPTH = 100,
    /* keys and values; an alias counts as much as what it stands for */
    TREE_MAX_NODES = 2000000
};

typedef enum tree_kind {
    TREE_BAD, /* stands for what was refused with an error */
    TREE_SCALAR,
    TREE_LIST,
    TREE_MAPPING
} tree_kind;

typedef struct tree_node tree_node;
typedef struct tree_entry tree_entry;

/* An alias is the node that it stands for: a node may have several parents. */
struct tree_node {
    tree_kind kind;
    int line, column;
    bool plain;        /* a scalar without quotes */
    bool open;         /* its end has not been read yet */
    const char *text;  /* of a scalar, without a 0 in it; else NULL */
    tree_entry *first; /* of a list or a mapping; the keys of a mapping are scalars */
    tree_entry *last;
    size_t size;   /* with all that is under it */
    double number; /* for the reader: NaN until it makes a number of the text */
};

struct tree_entry {
    tree_node *key; /* NULL in a list */
    tree_node *value;
    tree_entry *next;
};

/*
 * The root of the one document in a text. NULL with an error where there is none or it cannot be
 * read; mistakes that do not hinder the reading are added to the errors as well. `path` is for the
 * messages.
 */
tree_node *tree_read(arena *memory, const char *text, size_t size, const char *path,
                     stiction_errors *errors);

#endif
