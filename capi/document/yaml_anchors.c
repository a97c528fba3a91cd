/* SPDX-License-Identifier: MIT
 * Anchors as a crit-bit tree: a fork says which bit of the name decides, and bits grow downwards.
 * So a name is found in as many steps as it has bits, whatever the other names are; a hash table
 * would have its collisions chosen by whoever writes the file.
 */
#include "yaml_anchors.h"

#include <stdint.h>
#include <string.h>

struct tree_anchors {
    const char *name; /* NULL: a fork */
    tree_node *node;
    size_t bit;
    tree_anchors *side[2];
};

/* Behind its end a name has zeros. */
static bool bit_of(const char *name, size_t length, size_t bit) {
    return bit / 8 < length && (unsigned char)name[bit / 8] >> (7 - bit % 8) & 1;
}

/* The anchor that has this name, if any has. */
static const tree_anchors *candidate(const tree_anchors *a, const char *name, size_t length) {
    while (!a->name) a = a->side[bit_of(name, length, a->bit)];
    return a;
}

/* The first bit in which two names differ; of the same names none is. */
static const size_t none = SIZE_MAX;

static size_t first_difference(const char *a, const char *b) {
    size_t byte = 0, bit = 0;
    for (; a[byte] == b[byte]; byte++)
        if (!a[byte]) return none;
    const unsigned difference = (unsigned char)(a[byte] ^ b[byte]);
    while (!(difference >> (7 - bit) & 1)) bit++;
    return 8 * byte + bit;
}

tree_node *stiction_yaml_anchored(const tree_anchors *anchors, const char *name) {
    if (!anchors) return NULL;
    const tree_anchors *found = candidate(anchors, name, strlen(name));
    return strcmp(found->name, name) == 0 ? found->node : NULL;
}

bool stiction_yaml_anchor(arena *memory, tree_anchors **anchors, const char *name,
                          tree_node *node) {
    const size_t length = strlen(name);
    const size_t bit =
        *anchors ? first_difference(candidate(*anchors, name, length)->name, name) : 0;
    tree_anchors **at = anchors;
    while (*at && !(*at)->name && (*at)->bit < bit)
        at = &(*at)->side[bit_of(name, length, (*at)->bit)];
    if (bit == none) {
        (*at)->node = node;
        return true;
    }
    const char *copy = stiction_arena_text(memory, name, length);
    tree_anchors *leaf = stiction_arena_take(memory, sizeof *leaf);
    tree_anchors *fork = stiction_arena_take(memory, sizeof *fork);
    if (!copy || !leaf || !fork) return false;
    const bool side = bit_of(name, length, bit);
    *leaf = (tree_anchors){.name = copy, .node = node};
    fork->bit = bit;
    fork->side[side] = leaf;
    fork->side[!side] = *at;
    *at = *at ? fork : leaf;
    return true;
}
