/* SPDX-License-Identifier: MIT */
/* The vectors of real drives, with the keys of a configuration as their names. */
#ifndef STICTION_TESTS_DRIVES_REFERENCE_H
#define STICTION_TESTS_DRIVES_REFERENCE_H

#include "reference.h"

/* Those of tests/reference, or of the file that STICTION_DRIVES names. */
static inline reference_node drives_load(void) {
    const char *other = getenv("STICTION_DRIVES");
    return reference_file(other ? other : "reference/drives.json");
}

static inline const stiction_law *drives_law(reference_node map, stiction_law_parameters *p) {
    *p = stiction_law_parameters_default();
#define READ(key, ...) p->key = reference_value_or(map, #key, p->key);
    STICTION_LAW_PARAMETERS(READ)
#undef READ
    const char *name = reference_text(reference_get(map, "law"));
    const stiction_law *law = stiction_law_find(name);
    if (!law) reference_fail("no law", name);
    return law;
}

#endif
