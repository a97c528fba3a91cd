/* SPDX-License-Identifier: MIT
 * Tables of fields: every mistake is reported at its place.
 */
#include "section_fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "controllers/posture/posture.h"
#include "controllers/posture/words.h"
#include "document/number.h"

stiction_status section_refuse(const section_owner *owner, const tree_node *at,
                               stiction_error *error, const char *format, ...) {
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const setting_place place = {at->at, NULL};
    if (!owner->name) return config_refuse(place, NULL, error, "%s: %s", owner->what, sentence);
    return config_refuse(place, NULL, error, "%s '%.100s': %s", owner->what, owner->name, sentence);
}

stiction_status section_number(const section_owner *owner, const tree_node *node, const char *name,
                               double *value, stiction_error *error) {
    if (node->kind == TREE_SCALAR && stiction_decimal(node->text, value)) {
        if (fabs(*value) <= POSTURE_MOST) return STICTION_OK;
        return section_refuse(owner, node, error, "%s %g must be at %s %g", name, *value,
                              *value > 0 ? "most" : "least", copysign(POSTURE_MOST, *value));
    }
    return section_refuse(owner, node, error,
                          "%s must be a decimal number such as 2.5 or 1e-3, not '%.100s'", name,
                          node->kind == TREE_SCALAR ? node->text : "...");
}

stiction_status section_vector(const section_owner *owner, const tree_node *node, const char *name,
                               double value[3], stiction_error *error) {
    if (node->kind != TREE_LIST || node->count != 3)
        return section_refuse(owner, node, error, "%s must be a list of three numbers", name);
    stiction_status status = STICTION_OK;
    const tree_entry *e = node->first;
    for (size_t k = 0; k < 3 && status == STICTION_OK; k++, e = e->next)
        status = section_number(owner, e->value, name, &value[k], error);
    return status;
}

static stiction_status read_link(const section_owner *owner, const tree_node *node, size_t *link,
                                 stiction_error *error) {
    const stiction_controller_setup *s = owner->setup;
    char hint[NAME_HINT_SIZE];
    for (*link = 0; *link < s->link_count; ++*link)
        if (strcmp(s->links[*link], node->text) == 0) return STICTION_OK;
    return section_refuse(owner, node, error, "the robot has no link '%.100s'%s", node->text,
                          stiction_name_hint(node->text, s->links, s->link_count, hint));
}

static stiction_status read_field(const section_owner *owner, const section_field *field,
                                  const tree_node *node, void *to, stiction_error *error) {
    void *at = (char *)to + field->offset;
    if (field->kind == FIELD_NODE) {
        memcpy(at, &node, sizeof node);
        return STICTION_OK;
    }
    if (field->kind == FIELD_VECTOR) return section_vector(owner, node, field->name, at, error);
    if (field->kind == FIELD_NUMBER) {
        double *value = at;
        const stiction_status status = section_number(owner, node, field->name, value, error);
        if (status != STICTION_OK) return status;
        if (field->exclusive ? *value > field->minimum : *value >= field->minimum) return status;
        return section_refuse(owner, node, error, "%s %.15g must be %s %g", field->name, *value,
                              field->exclusive ? "above" : "at least", field->minimum);
    }
    if (node->kind != TREE_SCALAR)
        return section_refuse(owner, node, error, "%s must be a word", field->name);
    if (field->kind == FIELD_LINK) return read_link(owner, node, at, error);
    if (field->kind == FIELD_NAME) {
        memcpy(at, &node->text, sizeof node->text);
        return STICTION_OK;
    }
    size_t choice;
    if (!words_choose(field->words, node->text, &choice))
        return section_refuse(owner, node, error, "%s must be %s, not '%.100s'", field->name,
                              field->words, node->text);
    *(int *)at = (int)choice;
    return STICTION_OK;
}

static const char *hint_of(const char *word, const section_field *fields, size_t count,
                           char hint[NAME_HINT_SIZE]) {
    enum { most = 32 };
    const char *names[most];
    for (size_t k = 0; k < count && k < most; k++) names[k] = fields[k].name;
    return stiction_name_hint(word, names, count < most ? count : most, hint);
}

stiction_status section_read(const section_owner *owner, const tree_node *mapping,
                             const section_field *fields, size_t count, void *to, unsigned *given,
                             stiction_error *error) {
    char hint[NAME_HINT_SIZE];
    stiction_status status = STICTION_OK;
    if (given) *given = 0;
    if (mapping->kind != TREE_MAPPING)
        return section_refuse(owner, mapping, error, "it must be a mapping of keys");
    for (const tree_entry *e = mapping->first; e && status == STICTION_OK; e = e->next) {
        size_t k = 0;
        while (k < count && strcmp(fields[k].name, e->key->text) != 0) k++;
        if (k == count)
            return section_refuse(owner, e->key, error, "there is no key '%.100s'%s", e->key->text,
                                  hint_of(e->key->text, fields, count, hint));
        status = read_field(owner, &fields[k], e->value, to, error);
        if (given) *given |= 1u << k;
    }
    return status;
}
