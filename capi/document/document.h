/* SPDX-License-Identifier: MIT
 * Reading a YAML file into a reader's memory, where the first error ends the reading: keys in
 * either spelling, and values of a kind.
 */
#ifndef STICTION_CAPI_DOCUMENT_DOCUMENT_H
#define STICTION_CAPI_DOCUMENT_DOCUMENT_H

#include "reader.h"
#include "yaml_tree.h"

/* `at` is where the file is named. Warnings go to the reader's log. */
tree_document stiction_doc_read(reader *r, stiction_place at, const char *path,
                                const tree_options *options);

/* As Choreonoid reads its own files: what this one is, and a sign of that, see tree_options. */
tree_options stiction_doc_choreonoid(const char *what);

/*
 * The value of a key, or NULL. The key is given in snake_case and found in camelCase as well;
 * both at once are refused.
 */
tree_node *stiction_doc_find(reader *r, const tree_node *map, const char *key);

/* These refuse a node of another kind, in the name of `what`. */
const char *stiction_doc_text(reader *r, const tree_node *node, const char *what);
double stiction_doc_number(reader *r, const tree_node *node, const char *what);
bool stiction_doc_flag(reader *r, const tree_node *node,
                       const char *what); /* true, yes, on, y, ... */
void stiction_doc_numbers(reader *r, const tree_node *list, const char *what, size_t count,
                          double *numbers);
void stiction_doc_expect(reader *r, const tree_node *node, tree_kind kind, const char *what);

#endif
