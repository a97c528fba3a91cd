/* SPDX-License-Identifier: MIT
 * The errors of the loader: their location, the section they are about, and the offending value.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/names.h"
#include "document/number.h"
#include "load_section.h"

const char *stiction_load_overrides(const loader *l, const section *s,
                                    char buffer[OVERRIDES_SIZE]) {
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t k = 0; k < l->key_count && length < OVERRIDES_SIZE; k++) {
        if (!s->given[k] || !s->given[k]->override) continue;
        const int added = snprintf(buffer + length, OVERRIDES_SIZE - length, "%s%s",
                                   length ? ", " : "", s->given[k]->override);
        length += added > 0 ? (size_t)added : 0;
    }
    return buffer;
}

const char *stiction_load_who(const loader *l, const tree_node *node, const section *s,
                              char buffer[WHO_SIZE]) {
    char list[OVERRIDES_SIZE] = "", name[256] = "";
    const char *overrides = node->override ? node->override
                            : s            ? stiction_load_overrides(l, s, list)
                                           : "";
    if (s) (void)snprintf(name, sizeof name, "%s '%.200s': ", s->what, s->key->text);
    (void)snprintf(buffer, WHO_SIZE, "%s%.200s%s%s", *overrides ? "override " : "", overrides,
                   *overrides ? ": " : "", name);
    return buffer;
}

void stiction_load_no_memory(loader *l) {
    stiction_errors_add(l->errors, (stiction_place){l->path, 0, 0}, "", STICTION_OUT_OF_MEMORY,
                        "out of memory");
}

bool stiction_load_is_nothing(const tree_node *node) {
    return node->plain &&
           (!*node->text || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char *stiction_load_describe(const tree_node *node, char buffer[DESCRIPTION_SIZE]) {
    if (node->kind == TREE_LIST) return "a list";
    if (node->kind == TREE_MAPPING) return "a mapping";
    if (stiction_load_is_nothing(node)) return "nothing";
    (void)snprintf(buffer, DESCRIPTION_SIZE, "%s'%.200s'", node->plain ? "" : "the quoted text ",
                   node->text);
    return buffer;
}

const char *stiction_load_hint(const loader *l, const char *text, const char *const *list,
                               size_t count, char buffer[HINT_SIZE]) {
    return stiction_errors_full(l->errors) ? "" : stiction_name_hint(text, list, count, buffer);
}

double stiction_load_number(loader *l, const section *s, const char *key, const tree_node *node) {
    char buffer[DESCRIPTION_SIZE];
    double value = (double)NAN;
    const number_verdict verdict = node->kind == TREE_SCALAR && node->plain
                                       ? stiction_number_read(node->text, &value)
                                       : NUMBER_NOT_DECIMAL;
    if (verdict == NUMBER_NOT_DECIMAL || verdict == NUMBER_LEADING_ZERO)
        REFUSE(l, node, s, "%s must be a decimal number such as 2.5 or 1e-3, not %s", key,
               stiction_load_describe(node, buffer));
    if (verdict == NUMBER_NOT_FINITE)
        REFUSE(l, node, s, "%s %.100s is not finite", key, node->text);
    if (verdict == NUMBER_TOO_SMALL)
        REFUSE(l, node, s, "%s %.100s is too small for double precision", key, node->text);
    return verdict == NUMBER_OK ? value : (double)NAN;
}
