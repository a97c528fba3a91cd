/* SPDX-License-Identifier: MIT
 * A profile or a joint of a configuration file, as written there.
 */
#ifndef STICTION_CAPI_LOAD_SECTION_H
#define STICTION_CAPI_LOAD_SECTION_H

#include "load_internal.h"

struct section {
    const char *what;     /* "profile" or "joint" */
    const tree_node *key; /* its name */
    uint64_t own;         /* bit k: it gives parameter k itself */
    bool own_law;
    bool broken; /* refused in a way from which more errors would follow */

    /* what stiction_load_resolve finds */
    enum { SECTION_FRESH, SECTION_IN_WORK, SECTION_RESOLVED } state;
    int height;         /* how many profiles are beneath it */
    section *base;      /* the profile that it builds on */
    section *law_owner; /* the section that gives its law */
    uint64_t completed; /* bit k: of the joints that have their law from here, one has k */
    bool has_law_above; /* of the joints that build on this profile, one has a law */

    const tree_node *given[]; /* by key: its own, and once resolved those of the profiles */
};

/* The profile of a name, or NULL. */
section *stiction_load_find_section(const section_list *list, const char *name);

/* Reads {uniform: [2, 3]}, the value of parameter k; its number is NaN where it is refused. */
void stiction_load_distribution(loader *l, const section *s, size_t k, tree_node *node);

/* Whether a value of a parameter is meant to be drawn. */
bool stiction_load_is_drawn(const tree_node *node);

/* How a section that is resolved draws parameter k; false: it does not, or not rightly. */
bool stiction_load_drawn(const section *s, size_t k, stiction_distribution *d);

/* What is wrong with the scales that a section gives, now that it is known what they scale. */
void stiction_load_check_scales(loader *l, const section *s);

#endif
