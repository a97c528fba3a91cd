/* SPDX-License-Identifier: MIT
 * Values of option strings and files: numbers, words, vectors, and what is wrong with them.
 */
#include "posture_settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "document/number.h"

_Noreturn void config_refuse(reader *r, setting_place place, const char *format, ...) {
    char option[128] = "", owner[128] = "", message[512];
    if (place.option) (void)snprintf(option, sizeof option, "option '%.100s': ", place.option);
    if (place.name)
        (void)snprintf(owner, sizeof owner, "%s '%.100s': ", place.what, place.name);
    else if (place.what)
        (void)snprintf(owner, sizeof owner, "%s: ", place.what);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    stiction_reader_refuse(r, place.at, "%s%s%s", option, owner, message);
}

bool config_choose(const char *list, const char *word, size_t *index) {
    static const char between[] = " | ";
    for (size_t k = 0; *list; k++) {
        const char *end = strstr(list, between);
        const size_t length = end ? (size_t)(end - list) : strlen(list);
        if (strlen(word) == length && strncmp(list, word, length) == 0) {
            *index = k;
            return true;
        }
        list += end ? length + strlen(between) : length;
    }
    return false;
}

const char *config_read_text(reader *r, setting_place owner, const tree_node *node,
                             const char *name) {
    if (node->kind != TREE_SCALAR)
        config_refuse(r, config_at(owner, node),
                      "%s must be a number or word, not a list or a mapping", name);
    return node->text;
}

double config_read_value(reader *r, setting_place at, const posture_key *key, const char *text) {
    const posture_key_info *info = &key->info;
    char message[POSTURE_MESSAGE];
    size_t word;
    double value;
    if (!key->domain) {
        if (!config_choose(info->unit, text, &word))
            config_refuse(r, at, "%s must be %s, not '%.100s'", info->name, info->unit, text);
        return (double)word;
    }
    if (!stiction_decimal(text, &value))
        config_refuse(r, at, "%s must be a decimal number such as 2.5 or 1e-3, not '%.100s'",
                      info->name, text);
    if (!posture_key_accepts(key, value, message)) config_refuse(r, at, "%s", message);
    return value;
}

void config_read_vector(reader *r, setting_place owner, const tree_node *node, const char *name,
                        double vector[3]) {
    const posture_key number = {.info = {.name = name}, .domain = &domain_any};
    if (node->kind != TREE_LIST || node->count != 3)
        config_refuse(r, config_at(owner, node), "%s must be a list of three numbers", name);
    for (const tree_entry *e = node->first; e; e = e->next)
        *vector++ = config_read_value(r, config_at(owner, e->value), &number,
                                      config_read_text(r, owner, e->value, name));
}

const char *config_joint_hint(reader *r, const char *name, const posture_joint_def *joints,
                              size_t count) {
    const char **names = stiction_reader_alloc(r, (count + 1) * sizeof *names);
    for (size_t k = 0; k < count; k++) names[k] = joints[k].name;
    const char *nearest = stiction_nearest_name(name, names, count);
    return nearest ? stiction_reader_format(r, "; the nearest is '%.100s'", nearest) : "";
}
