/* SPDX-License-Identifier: MIT
 * Reading a YAML file into a reader's memory.
 */
#include "document.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "error_list.h"

tree_options stiction_doc_choreonoid(const char *what) {
    return (tree_options){.what = what,
                          .tags = true,
                          .more_documents = true,
                          .anchors_differ = true,
                          .doubles = TREE_LAST_COUNTS};
}

static void warn(void *user, stiction_place at, const char *message) {
    stiction_reader_warn(user, at, "%s", message);
}

tree_document stiction_doc_read(reader *r, stiction_place at, const char *path,
                                const tree_options *options) {
    size_t size;
    const char *text = stiction_reader_file(r, at, path, &size);
    tree_options own = *options;
    own.warn = warn;
    own.user = r;
    stiction_errors *errors = stiction_reader_errors(r);
    stiction_errors_begin(errors);
    const tree_document read = stiction_yaml_read(&r->memory, text, size, path, &own, errors);
    if (stiction_errors_status(errors) != STICTION_OK)
        stiction_reader_refuse_as(r, stiction_errors_at(errors, 0));
    return read;
}

/* joint_type -> jointType */
static void camel_case(char *out, size_t size, const char *key) {
    size_t n = 0;
    for (; *key && n + 1 < size; key++)
        if (*key == '_' && key[1])
            out[n++] = (char)toupper((unsigned char)*++key);
        else
            out[n++] = *key;
    out[n] = '\0';
}

tree_node *stiction_doc_find(reader *r, const tree_node *map, const char *key) {
    char camel[64];
    camel_case(camel, sizeof camel, key);
    tree_entry *entry = stiction_yaml_find(map, key);
    tree_entry *other = strcmp(camel, key) == 0 ? NULL : stiction_yaml_find(map, camel);
    if (entry && other)
        stiction_reader_refuse(r, other->key->at, "%s and %s are one key, given twice", key, camel);
    if (!entry) entry = other;
    if (!entry) return NULL;
    entry->used = true;
    return entry->value;
}

void stiction_doc_expect(reader *r, const tree_node *node, tree_kind kind, const char *what) {
    static const char *const names[] = {[TREE_BAD] = "nothing",
                                        [TREE_SCALAR] = "a single value",
                                        [TREE_LIST] = "a list",
                                        [TREE_MAPPING] = "a map"};
    if (node->kind != kind)
        stiction_reader_refuse(r, node->at, "%s must be %s, not %s", what, names[kind],
                               names[node->kind]);
}

const char *stiction_doc_text(reader *r, const tree_node *node, const char *what) {
    stiction_doc_expect(r, node, TREE_SCALAR, what);
    return node->text;
}

double stiction_doc_number(reader *r, const tree_node *node, const char *what) {
    return stiction_reader_number(r, node->at, what, stiction_doc_text(r, node, what));
}

/* The words that Choreonoid knows, in lower case, upper case or with a capital. */
bool stiction_doc_flag(reader *r, const tree_node *node, const char *what) {
    static const char *const words[2][4] = {{"false", "no", "off", "n"},
                                            {"true", "yes", "on", "y"}};
    const char *text = stiction_doc_text(r, node, what);
    for (int value = 0; value < 2; value++)
        for (int k = 0; k < 4; k++)
            if (strcasecmp(text, words[value][k]) == 0) return value;
    stiction_reader_refuse(r, node->at, "%s must be true or false, not '%.100s'", what, text);
}

void stiction_doc_numbers(reader *r, const tree_node *list, const char *what, size_t count,
                          double *numbers) {
    stiction_doc_expect(r, list, TREE_LIST, what);
    if (list->count != count)
        stiction_reader_refuse(r, list->at, "%s must have %zu numbers, not %zu", what, count,
                               list->count);
    for (const tree_entry *e = list->first; e; e = e->next)
        *numbers++ = stiction_doc_number(r, e->value, what);
}
