/* SPDX-License-Identifier: MIT
 * The anchors of a document, found by their names.
 */
#ifndef STICTION_CAPI_DOCUMENT_YAML_ANCHORS_H
#define STICTION_CAPI_DOCUMENT_YAML_ANCHORS_H

#include "yaml_tree.h"

/* Adds an anchor; a later one of the same name takes the place of the earlier. `*anchors` may be
 * NULL, for none. False: no memory. */
bool stiction_yaml_anchor(arena *memory, tree_anchors **anchors, const char *name, tree_node *node);

#endif
