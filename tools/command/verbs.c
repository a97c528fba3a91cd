/* SPDX-License-Identifier: MIT */
/* The table of verbs, made from the list of verbs.h. */
#include "verbs.h"

#include <string.h>

#include "common/command.h"
#include "document/names.h"

#define VERB_ENTRY(name) &verb_##name,
const verb *const verbs[] = {VERBS(VERB_ENTRY) NULL};

enum { verb_count = sizeof verbs / sizeof verbs[0] - 1 };

const verb *find_verb(const char *name) {
    for (size_t k = 0; k < verb_count; k++)
        if (strcmp(verbs[k]->name, name) == 0) return verbs[k];
    return NULL;
}

const verb *find_verb_or_fail(const char *name, stiction_error *error) {
    const verb *found = find_verb(name);
    if (found) return found;
    const char *names[verb_count];
    for (size_t k = 0; k < verb_count; k++) names[k] = verbs[k]->name;
    char hint[NAME_HINT_SIZE];
    (void)fail(error, "there is no verb '%s'%s (see stiction --help)", name,
               stiction_name_hint(name, names, verb_count, hint));
    return NULL;
}
