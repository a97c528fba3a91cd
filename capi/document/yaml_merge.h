/*
 * The key << of YAML: takes over what other mappings have.
 */
#ifndef STICTION_CAPI_DOCUMENT_YAML_MERGE_H
#define STICTION_CAPI_DOCUMENT_YAML_MERGE_H

#include "yaml_tree.h"

/*
 * Replaces the keys << of a mapping, where it has any, by what they take over: all but the keys
 * that the mapping has itself; of several mappings the first that has a key wins. Takes no more
 * entries than the mapping's size counts. False: no memory.
 */
bool tree_merge(arena *memory, tree_node *mapping, const char *path, stiction_errors *errors);

#endif
