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
    doc_node *root;
    const char *const *names;
    size_t name_count;
    const configuration_value *value; /* that is being set */
} editor;

static _Noreturn void refuse(const editor *e, const char *sentence) {
    reader_refuse(e->r, (place){0}, "--set %s=%s: %s", e->value->path, e->value->value, sentence);
}

/* ---- the tree ---- */

static doc_entry *find(const doc_node *map, const char *key) {
    for (size_t k = 0; k < map->count; k++)
        if (strcmp(map->entries[k].key, key) == 0) return &map->entries[k];
    return NULL;
}

static doc_node *new_node(editor *e, doc_kind kind, const char *text) {
    doc_node *node = reader_alloc(e->r, sizeof *node);
    node->kind = kind;
    node->text = text;
    return node;
}

/* An alias would change with the node that it names. */
static doc_node *own_copy(editor *e, const doc_node *map) {
    doc_node *copy = new_node(e, DOC_MAP, NULL);
    copy->at = map->at;
    for (size_t k = 0; k < map->count; k++) {
        copy->entries = reader_grow(e->r, copy->entries, copy->count, sizeof *copy->entries);
        copy->entries[copy->count++] = map->entries[k];
    }
    return copy;
}

static void set(editor *e, doc_node *map, const char *key, doc_node *value) {
    doc_entry *entry = find(map, key);
    if (!entry) {
        map->entries = reader_grow(e->r, map->entries, map->count, sizeof *map->entries);
        entry = &map->entries[map->count++];
        *entry = (doc_entry){.key = reader_format(e->r, "%s", key)};
    }
    entry->value = value;
}

static doc_node *section(editor *e, const char *name) {
    doc_entry *entry = find(e->root, name);
    if (!entry || entry->value->kind != DOC_MAP)
        refuse(e, reader_format(e->r, "the configuration has no %s", name));
    return entry->value;
}

/* ---- one value ---- */

static void set_in_entry(editor *e, doc_node *map, const char *name, const char *key) {
    doc_entry *entry = find(map, name);
    if (entry->value->kind != DOC_MAP) refuse(e, "there is no map of parameters");
    entry->value = own_copy(e, entry->value);
    set(e, entry->value, key, new_node(e, DOC_TEXT, e->value->value));
}

/* The entry that gives a joint its friction: its name, or the last pattern that matches. */
static const doc_entry *governing(const doc_node *joints, const char *name) {
    const doc_entry *found = find(joints, name);
    for (size_t k = joints->count; !found && k > 0; k--)
        if (stiction_name_matches(joints->entries[k - 1].key, name))
            found = &joints->entries[k - 1];
    return found;
}

static void set_in_joints(editor *e, const char *pattern, const char *key) {
    doc_node *joints = section(e, "joints");
    if (find(joints, pattern) && !stiction_name_is_pattern(pattern)) {
        set_in_entry(e, joints, pattern, key);
        return;
    }
    size_t found = 0;
    for (size_t k = 0; k < e->name_count; k++) {
        const char *name = e->names[k];
        const doc_entry *entry =
            stiction_name_matches(pattern, name) ? governing(joints, name) : NULL;
        if (!entry) continue;
        found++;
        if (strcmp(entry->key, name) != 0) set(e, joints, name, entry->value);
        set_in_entry(e, joints, name, key);
    }
    if (found) return;
    const char *nearest = stiction_nearest_name(pattern, e->names, e->name_count);
    refuse(e, reader_format(e->r, "no joint with friction is called '%s'%s%s%s", pattern,
                            nearest ? "; the nearest is '" : "", nearest ? nearest : "",
                            nearest ? "'" : ""));
}

static void set_in_profiles(editor *e, const char *name, const char *key) {
    doc_node *profiles = section(e, "profiles");
    if (!find(profiles, name)) {
        const char **names = reader_alloc(e->r, profiles->count * sizeof *names + 1);
        for (size_t k = 0; k < profiles->count; k++) names[k] = profiles->entries[k].key;
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
        set(e, e->root, value->path, new_node(e, DOC_TEXT, value->value));
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

static void write_node(writer *w, const doc_node *node) {
    if (node->kind == DOC_TEXT) {
        write_text(w, node->text);
        return;
    }
    const bool map = node->kind == DOC_MAP;
    fputc(map ? '{' : '[', w->out);
    for (size_t k = 0; k < node->count; k++) {
        const doc_entry *entry = &node->entries[k];
        if (k) fputc(',', w->out);
        go_to_line(w, entry->at.line);
        fputc(' ', w->out);
        if (map) {
            write_text(w, entry->key);
            fputs(": ", w->out);
        }
        write_node(w, entry->value);
    }
    fputs(map ? " }" : " ]", w->out);
}

const char *configuration_with(reader *r, const char *path, const configuration_value *values,
                               size_t count, const char *const *names, size_t name_count) {
    editor e = {.r = r,
                .root = doc_read(r, (place){path, 0, 0}, path, NULL).root,
                .names = names,
                .name_count = name_count};
    doc_expect(r, e.root, DOC_MAP, "the file");
    for (size_t k = 0; k < count; k++) set_value(&e, &values[k]);

    text_stream *stream = reader_stream(r);
    writer w = {stream->file, 1};
    write_node(&w, e.root);
    fputc('\n', stream->file);
    return reader_stream_text(r, stream);
}
