/*
 * Replacing values in a configuration: its tree is changed and written in flow style, each key on
 * the line where it stood.
 */
#include "configuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "document/names.h"

typedef struct editor {
    reader *r;
    tree_node *root;
    const char *const *names;
    size_t name_count;
    const configuration_value *value; /* that is being set */
} editor;

static _Noreturn void refuse(const editor *e, const char *sentence) {
    reader_refuse(e->r, (place){0}, "--set %s=%s: %s", e->value->path, e->value->value, sentence);
}

/* ---- the tree ---- */

static void append(editor *e, tree_node *map, tree_entry entry) {
    tree_entry *added = reader_alloc(e->r, sizeof *added);
    *added = (tree_entry){.key = entry.key, .value = entry.value};
    *(map->last ? &map->last->next : &map->first) = added;
    map->last = added;
    map->count++;
}

static tree_node *new_node(editor *e, tree_kind kind, const char *text) {
    tree_node *node = reader_alloc(e->r, sizeof *node);
    node->kind = kind;
    node->text = text;
    return node;
}

/* An alias would change with the node that it names. */
static tree_node *own_copy(editor *e, const tree_node *map) {
    tree_node *copy = new_node(e, TREE_MAPPING, NULL);
    copy->at = map->at;
    for (const tree_entry *entry = map->first; entry; entry = entry->next) append(e, copy, *entry);
    return copy;
}

static void set(editor *e, tree_node *map, const char *key, tree_node *value) {
    tree_entry *entry = tree_find(map, key);
    if (entry)
        entry->value = value;
    else
        append(e, map,
               (tree_entry){new_node(e, TREE_SCALAR, reader_format(e->r, "%s", key)), value, false,
                            NULL});
}

static tree_node *section(editor *e, const char *name) {
    tree_entry *entry = tree_find(e->root, name);
    if (!entry || entry->value->kind != TREE_MAPPING)
        refuse(e, reader_format(e->r, "the configuration has no %s", name));
    return entry->value;
}

/* ---- one value ---- */

static void set_in_entry(editor *e, tree_node *map, const char *name, const char *key) {
    tree_entry *entry = tree_find(map, name);
    if (entry->value->kind != TREE_MAPPING) refuse(e, "there is no map of parameters");
    entry->value = own_copy(e, entry->value);
    set(e, entry->value, key, new_node(e, TREE_SCALAR, e->value->value));
}

/* The entry that gives a joint its friction: its name, or the last pattern that matches. */
static const tree_entry *governing(const tree_node *joints, const char *name) {
    const tree_entry *found = tree_find(joints, name);
    for (const tree_entry *entry = joints->first; entry && !tree_find(joints, name);
         entry = entry->next)
        if (stiction_name_matches(entry->key->text, name)) found = entry;
    return found;
}

static void set_in_joints(editor *e, const char *pattern, const char *key) {
    tree_node *joints = section(e, "joints");
    if (tree_find(joints, pattern) && !stiction_name_is_pattern(pattern)) {
        set_in_entry(e, joints, pattern, key);
        return;
    }
    size_t found = 0;
    for (size_t k = 0; k < e->name_count; k++) {
        const char *name = e->names[k];
        const tree_entry *entry =
            stiction_name_matches(pattern, name) ? governing(joints, name) : NULL;
        if (!entry) continue;
        found++;
        if (strcmp(entry->key->text, name) != 0) set(e, joints, name, entry->value);
        set_in_entry(e, joints, name, key);
    }
    if (found) return;
    const char *nearest = stiction_nearest_name(pattern, e->names, e->name_count);
    refuse(e, reader_format(e->r, "no joint with friction is called '%s'%s%s%s", pattern,
                            nearest ? "; the nearest is '" : "", nearest ? nearest : "",
                            nearest ? "'" : ""));
}

static void set_in_profiles(editor *e, const char *name, const char *key) {
    tree_node *profiles = section(e, "profiles");
    if (!tree_find(profiles, name)) {
        const char **names = reader_alloc(e->r, profiles->count * sizeof *names + 1);
        size_t count = 0;
        for (const tree_entry *entry = profiles->first; entry; entry = entry->next)
            names[count++] = entry->key->text;
        const char *nearest = stiction_nearest_name(name, names, profiles->count);
        refuse(e, reader_format(e->r, "there is no profile '%s'%s%s%s", name,
                                nearest ? "; the nearest is '" : "", nearest ? nearest : "",
                                nearest ? "'" : ""));
    }
    set_in_entry(e, profiles, name, key);
}

/* "joints.RWRR.law" -> "RWRR", "law"; a name may have dots, a key has none. */
static void set_value(editor *e, const configuration_value *value) {
    static const char joints[] = "joints.", profiles[] = "profiles.";
    e->value = value;
    const bool in_joints = strncmp(value->path, joints, strlen(joints)) == 0;
    const bool in_profiles = strncmp(value->path, profiles, strlen(profiles)) == 0;
    if (!in_joints && !in_profiles) {
        set(e, e->root, value->path, new_node(e, TREE_SCALAR, value->value));
        return;
    }
    char *name =
        reader_format(e->r, "%s", value->path + (in_joints ? strlen(joints) : strlen(profiles)));
    char *dot = strrchr(name, '.');
    if (!dot || dot == name || !dot[1]) refuse(e, "must be joints.JOINT.KEY or profiles.NAME.KEY");
    *dot = '\0';
    if (in_joints)
        set_in_joints(e, name, dot + 1);
    else
        set_in_profiles(e, name, dot + 1);
}

/* ---- writing ---- */

typedef struct writer {
    FILE *out;
    int line;
} writer;

static void go_to_line(writer *w, int line) {
    for (; w->line < line; w->line++) fputc('\n', w->out);
}

static void write_text(writer *w, const char *text) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
    if (*text && strspn(text, plain) == strlen(text) && strcmp(text, "-") != 0) {
        fputs(text, w->out);
        return;
    }
    fputc('"', w->out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(w->out, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            fprintf(w->out, "\\x%02x", *c);
        else
            fputc(*c, w->out);
    fputc('"', w->out);
}

static void write_node(writer *w, const tree_node *node) {
    if (node->kind == TREE_SCALAR) {
        write_text(w, node->text);
        return;
    }
    const bool map = node->kind == TREE_MAPPING;
    fputc(map ? '{' : '[', w->out);
    for (const tree_entry *entry = node->first; entry; entry = entry->next) {
        if (entry != node->first) fputc(',', w->out);
        go_to_line(w, (map ? entry->key : entry->value)->at.line);
        fputc(' ', w->out);
        if (map) {
            write_text(w, entry->key->text);
            fputs(": ", w->out);
        }
        write_node(w, entry->value);
    }
    fputs(map ? " }" : " ]", w->out);
}

const char *configuration_with(reader *r, const char *path, const configuration_value *values,
                               size_t count, const char *const *names, size_t name_count) {
    editor e = {.r = r,
                .root = doc_read(r, (place){path, 0, 0}, path, &(tree_options){.what = NULL}).root,
                .names = names,
                .name_count = name_count};
    doc_expect(r, e.root, TREE_MAPPING, "the file");
    for (size_t k = 0; k < count; k++) set_value(&e, &values[k]);

    text_stream *stream = reader_stream(r);
    writer w = {stream->file, 1};
    write_node(&w, e.root);
    fputc('\n', stream->file);
    return reader_stream_text(r, stream);
}
