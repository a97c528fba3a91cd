/* SPDX-License-Identifier: MIT
 * The keys of a mapping: << of YAML, which takes over what other mappings have, and keys that it
 * has twice.
 */
#ifndef STICTION_CAPI_DOCUMENT_YAML_MERGE_H
#define STICTION_CAPI_DOCUMENT_YAML_MERGE_H

#include "yaml_tree.h"

/*
 * Replaces the keys << of a mapping, where it has any, by what they take over: all but the keys
 * that the mapping has itself; of several mappings the first that has a key wins. Takes no more
 * entries than the mapping's size counts. Keys given twice are treated as the options say. False:
 * no memory.
 */
bool stiction_yaml_merge(arena *memory, tree_node *mapping, const tree_options *options,
                         stiction_errors *errors);

#endif
