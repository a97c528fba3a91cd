/* SPDX-License-Identifier: MIT
 * A YAML document as a tree with the place of everything in it: read from libyaml's events, so that
 * depth, size and aliases are bounded, with << merged. It knows nothing of friction. All files of
 * YAML are read by it; what differs between their formats are its options.
 */
#ifndef STICTION_CAPI_DOCUMENT_YAML_TREE_H
#define STICTION_CAPI_DOCUMENT_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "fail.h"
#include "stiction/load.h"

enum {
    TREE_MAX_DEPTH = 100,
    /* keys and values; an alias counts as much as what it stands for, and a text as one more for
     * each TREE_TEXT_UNIT bytes: what is made of it, a copy or a number, is made of each alias.
     * 64 MiB, the largest file, are a million of these. */
    TREE_MAX_NODES = 2000000,
    TREE_TEXT_UNIT = 64
};

typedef enum tree_kind {
    TREE_BAD, /* in place of what was refused with an error */
    TREE_SCALAR,
    TREE_LIST,
    TREE_MAPPING
} tree_kind;

typedef struct tree_node tree_node;
typedef struct tree_entry tree_entry;
typedef struct tree_anchors tree_anchors;

/* An alias is the node that it refers to: a node may have several parents. */
struct tree_node {
    tree_kind kind;
    stiction_place at;
    stiction_place end; /* after it; of a list or a mapping only where it is in brackets */
    bool flow;          /* a list or a mapping in brackets */
    bool plain;         /* a scalar without quotes */
    bool open;          /* its end has not been read yet */
    bool aliased;       /* some alias refers to it */
    const char *text;   /* of a scalar, without a 0 in it; else NULL */
    tree_entry *first;  /* of a list or a mapping; the keys of a mapping are scalars */
    tree_entry *last;
    size_t count;         /* of the entries */
    size_t size;          /* with all that is under it, as TREE_MAX_NODES counts */
    double number;        /* for the reader: NaN until it makes a number of the text */
    const char *override; /* NULL: it comes from the file; else the "KEY=VALUE" that put it there */
};

struct tree_entry {
    tree_node *key; /* NULL in a list */
    tree_node *value;
    bool used; /* for the reader: somebody asked for it */
    tree_entry *next;
};

/* What becomes of a key that a mapping has twice. */
typedef enum tree_doubles {
    TREE_KEEP_DOUBLES, /* the reader sees both */
    TREE_REFUSE_DOUBLES,
    TREE_LAST_COUNTS /* with a warning */
} tree_doubles;

/* How formats differ. Zeros are the strictest, but for doubles, which the reader finds itself. */
typedef struct tree_options {
    const char *what;     /* the file is; NULL: "a file" */
    const char *must_say; /* the key that an empty file must begin with; NULL: none */
    bool tags;            /* are passed over; else refused */
    bool more_documents;  /* after the first are skipped; else refused */
    bool anchors_differ;  /* one of the same name is refused; else it hides the earlier */
    tree_doubles doubles;
    const tree_anchors *known; /* of a file that names this one */
    void (*warn)(void *user, stiction_place at, const char *message);
    void *user;
} tree_options;

typedef struct tree_document {
    tree_node *root; /* NULL: with an error, there is none or it cannot be read */
    tree_anchors *anchors;
} tree_document;

/*
 * The document in a text. Errors that do not stop the reading are added too.
 * `path`, which the places keep, may be NULL.
 */
tree_document stiction_yaml_read(arena *memory, const char *text, size_t size, const char *path,
                                 const tree_options *options, stiction_errors *errors);

/* The node of an anchor, or NULL. */
tree_node *stiction_yaml_anchored(const tree_anchors *anchors, const char *name);

/* Adds an entry at the end of a list, whose entries have no key, or of a mapping. False: no memory.
 */
bool stiction_yaml_append(arena *memory, tree_node *parent, tree_node *key, tree_node *value);

/* The entry of a key, or NULL. */
tree_entry *stiction_yaml_find(const tree_node *mapping, const char *key);

#endif
