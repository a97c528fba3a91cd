/* SPDX-License-Identifier: MIT
 * Values replaced in the text of a configuration file. The overridden tree determines what is new
 * and where it belongs; the rest of the text does not change. The new text is then parsed and
 * compared with the intended configuration.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/file.h"
#include "document/memory_stream.h"
#include "document/yaml_write.h"
#include "load_internal.h"

typedef struct change {
    size_t at, length; /* the part of the text that is replaced */
    size_t order;      /* among those at one place */
    char *text;        /* malloc'ed */
} change;

typedef struct text_editor {
    const char *text; /* ends with a 0 */
    size_t size;
    size_t *lines; /* where each begins */
    size_t line_count;
    const char *line_end; /* as the first line has it */
    change *changes;
    size_t count, capacity;
    bool failed; /* a name that is not UTF-8, a place that cannot be edited, or no memory */
    bool no_memory;
} text_editor;

/* Places. */

static bool is_before(stiction_place a, stiction_place b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/* As libyaml counts lines: \n, \r\n, \r, and three characters beyond ASCII. 0: no line ends here.
 */
static size_t line_end_length(const char *p) {
    if (*p == '\r' && p[1] == '\n') return 2;
    if (*p == '\n' || *p == '\r') return 1;
    if (strncmp(p, "\xC2\x85", 2) == 0) return 2;
    return strncmp(p, "\xE2\x80\xA8", 3) == 0 || strncmp(p, "\xE2\x80\xA9", 3) == 0 ? 3 : 0;
}

/* False: no memory. */
static bool find_lines(text_editor *e) {
    static const char mark[] = "\xEF\xBB\xBF"; /* which the reader skips */
    const size_t first = strncmp(e->text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
    size_t capacity = 2;
    for (const char *p = e->text; *p; p++) capacity += line_end_length(p) > 0;
    e->lines = calloc(capacity, sizeof *e->lines);
    if (!e->lines) return false;
    e->line_end = "\n";
    e->lines[e->line_count++] = first;
    for (const char *p = e->text + first; *p;) {
        const size_t length = line_end_length(p);
        if (length && e->line_count == 1 && *p == '\r') e->line_end = length == 2 ? "\r\n" : "\r";
        p += length ? length : 1;
        if (length) e->lines[e->line_count++] = (size_t)(p - e->text);
    }
    return true;
}

/* Columns are counted in characters. */
static size_t offset_of(const text_editor *e, stiction_place place) {
    if (place.line < 1 || (size_t)place.line > e->line_count) return e->size;
    const char *p = e->text + e->lines[place.line - 1];
    for (int column = 1; column < place.column && *p;) {
        p++;
        if ((*p & 0xC0) != 0x80) column++;
    }
    return (size_t)(p - e->text);
}

/* Where the line of an offset ends. */
static size_t end_of_line(const text_editor *e, size_t offset) {
    while (e->text[offset] && !line_end_length(e->text + offset)) offset++;
    return offset;
}

/* Whether an entry is written in this mapping or list itself: not added by an override, not merged
 * by <<, and not an alias. The target of an alias comes before it. */
static bool is_own(const tree_node *parent, const tree_entry *entry) {
    const tree_node *first = entry->key ? entry->key : entry->value;
    return !first->override && !is_before(first->at, parent->at) &&
           !is_before(entry->value->at, first->at);
}

/* The place after the last of the own entries of a node; false: it has none. */
static bool find_end_of_entries(const tree_node *node, stiction_place *end);

static bool find_end(const tree_node *node, stiction_place *end) {
    if (node->kind != TREE_SCALAR && !node->flow) return find_end_of_entries(node, end);
    *end = node->end;
    return true;
}

static bool find_end_of_entries(const tree_node *node, stiction_place *end) {
    bool found = false;
    for (const tree_entry *entry = node->first; entry; entry = entry->next) {
        stiction_place last;
        if (!is_own(node, entry) || !find_end(entry->value, &last)) continue;
        if (!found || is_before(*end, last)) *end = last;
        found = true;
    }
    return found;
}

/* The column of a block's keys, from 0. */
static int indentation(const tree_node *mapping) {
    const tree_entry *entry = mapping->first;
    while (entry && !is_own(mapping, entry)) entry = entry->next;
    return entry ? entry->key->at.column - 1 : 0;
}

/* Changes. */

/* The text is the editor's from now on. */
static void add_change(text_editor *e, size_t at, size_t length, char *text) {
    if (e->count == e->capacity) {
        const size_t capacity = 2 * e->capacity + 16;
        change *larger = realloc(e->changes, capacity * sizeof *larger);
        if (!larger) {
            e->failed = e->no_memory = true;
            free(text);
            return;
        }
        e->changes = larger;
        e->capacity = capacity;
    }
    e->changes[e->count] = (change){at, length, e->count, text};
    e->count++;
}

/* A value as given if it is unambiguous YAML, otherwise quoted. */
static bool write_value(FILE *out, const char *text) {
    static const char harmless[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-";
    if (!*text || text[strspn(text, harmless)]) return stiction_yaml_write_text(out, text);
    (void)fputs(text, out);
    return true;
}

static bool write_node(FILE *out, const tree_node *node) {
    const bool is_list = node->kind == TREE_LIST;
    if (node->kind == TREE_SCALAR) return write_value(out, node->text);
    bool fine = true;
    const char *before = is_list ? "" : " ";
    (void)fputs(is_list ? "[" : "{", out);
    for (const tree_entry *entry = node->first; entry; entry = entry->next) {
        (void)fputs(before, out);
        if (entry->key) {
            fine = stiction_yaml_write_text(out, entry->key->text) && fine;
            (void)fputs(": ", out);
        }
        fine = write_node(out, entry->value) && fine;
        before = ", ";
    }
    (void)fputs(is_list ? "]" : " }", out);
    return fine;
}

/* `before`, the key if there is one, and the value; NULL if it cannot be written. */
static char *format_entry(text_editor *e, const char *before, int spaces, const tree_node *key,
                          const tree_node *value) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = stiction_memory_stream(&text, &size);
    if (!out) {
        e->no_memory = true;
        return NULL;
    }
    (void)fprintf(out, "%s%*s", before, spaces, "");
    bool fine = !key || stiction_yaml_write_text(out, key->text);
    if (key) (void)fputs(": ", out);
    fine = write_node(out, value) && fine;
    if (fclose(out) != 0) e->no_memory = true;
    if (fine && text) return text;
    free(text);
    return NULL;
}

static void replace(text_editor *e, const tree_node *value) {
    const size_t at = offset_of(e, value->at), end = offset_of(e, value->end);
    char *text = format_entry(e, "", 0, NULL, value);
    if (text && end >= at)
        add_change(e, at, end - at, text);
    else
        e->failed = true;
}

/* After the last entry: in the same brackets, or on a new line. */
static void insert(text_editor *e, const tree_node *mapping, const tree_entry *entry) {
    stiction_place end;
    size_t at;
    if (find_end_of_entries(mapping, &end)) {
        at = offset_of(e, end);
        if (!mapping->flow) at = end_of_line(e, at);
    } else if (mapping->flow && (at = offset_of(e, mapping->end)) > 0) {
        at--; /* it has nothing but <<: before the bracket */
    } else {
        e->failed = true;
        return;
    }
    char *text = mapping->flow
                     ? format_entry(e, ", ", 0, entry->key, entry->value)
                     : format_entry(e, e->line_end, indentation(mapping), entry->key, entry->value);
    if (text)
        add_change(e, at, 0, text);
    else
        e->failed = true;
}

static bool is_edited(const tree_node *mapping) {
    for (const tree_entry *entry = mapping->first; entry; entry = entry->next)
        if (entry->key->override || entry->value->override) return true;
    return false;
}

/* Values merged by << are shared with other mappings; a value written in this mapping overrides
 * them. The target of an alias is not part of this mapping. */
static void visit(text_editor *e, const tree_node *mapping) {
    for (const tree_entry *entry = mapping->first; entry && !e->failed; entry = entry->next) {
        const tree_node *key = entry->key, *value = entry->value;
        const bool is_taken_over = is_before(key->at, mapping->at);
        const bool is_alias = !is_taken_over && is_before(value->at, key->at);
        if (key->override || (value->override && is_taken_over))
            insert(e, mapping, entry);
        else if (value->override && !is_alias)
            replace(e, value);
        else if (value->override || (value->kind == TREE_MAPPING && is_alias && is_edited(value)))
            e->failed = true;
        else if (value->kind == TREE_MAPPING && !is_alias && !is_taken_over)
            visit(e, value);
    }
}

static int by_place(const void *a, const void *b) {
    const change *left = a, *right = b;
    if (left->at != right->at) return left->at < right->at ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* The text with all changes, or NULL: no memory. */
static char *apply(text_editor *e, size_t *size) {
    char *edited = NULL;
    FILE *out = stiction_memory_stream(&edited, size);
    if (!out) return NULL;
    if (e->count) qsort(e->changes, e->count, sizeof *e->changes, by_place);
    size_t done = 0;
    for (size_t k = 0; k < e->count; k++) {
        const change *c = &e->changes[k];
        if (c->at > done) (void)fwrite(e->text + done, 1, c->at - done, out);
        (void)fputs(c->text, out);
        done = c->at + c->length;
    }
    (void)fwrite(e->text + done, 1, e->size - done, out);
    return fclose(out) == 0 ? edited : NULL;
}

/* Whether a text parses to the same configuration. */
static bool parses_to(const char *text, size_t size, const stiction_config *meant,
                      bool *no_memory) {
    stiction_config *config = NULL;
    char *expected = stiction_config_write(meant), *found = NULL;
    const stiction_status status = stiction_config_parse(text, size, NULL, &config, NULL);
    if (status == STICTION_OK) found = stiction_config_write(config);
    const bool same = expected && found && strcmp(expected, found) == 0;
    *no_memory = status == STICTION_OUT_OF_MEMORY || !expected || (config && !found);
    stiction_config_destroy(config);
    free(expected);
    free(found);
    return same;
}

/* The text of the file with what was overridden in it, or NULL. */
static char *edit(const char *text, size_t size, const stiction_config *overridden,
                  size_t *edited_size, bool *no_memory) {
    text_editor e = {.text = text, .size = size};
    if (find_lines(&e))
        visit(&e, overridden->root);
    else
        e.failed = e.no_memory = true;
    char *edited = e.failed ? NULL : apply(&e, edited_size);
    *no_memory = e.no_memory || (!e.failed && !edited);
    for (size_t k = 0; k < e.count; k++) free(e.changes[k].text);
    free(e.changes);
    free(e.lines);
    if (edited && parses_to(edited, *edited_size, overridden, no_memory)) return edited;
    free(edited);
    return NULL;
}

/* The file. */

/* Memory that ended is no fault of the file. */
static void refuse_as(stiction_errors *errors, const char *path, stiction_status status,
                      const char *message, const char *problem) {
    const bool no_memory = status == STICTION_OUT_OF_MEMORY;
    stiction_errors_begin(errors);
    stiction_errors_add(errors, (stiction_place){path, 0, 0}, "", status, "%s%s",
                        no_memory ? "out of memory" : message, no_memory ? "" : problem);
}

static void write_edited(const char *path, const char *text, size_t size,
                         const stiction_config *overridden, stiction_errors *errors) {
    file_problem problem;
    size_t edited_size = 0;
    bool no_memory;
    char *edited = edit(text, size, overridden, &edited_size, &no_memory);
    if (!edited && no_memory)
        refuse_as(errors, path, STICTION_OUT_OF_MEMORY, "", "");
    else if (!edited)
        refuse_as(
            errors, path, STICTION_INVALID_CONFIG,
            "these values cannot be written where they stand (an alias or << shares them with "
            "others, or they are written in a way that is not edited); change the file by hand",
            "");
    else if (!stiction_file_replace(path, edited, edited_size, &problem))
        refuse_as(errors, path, problem.status, "the file cannot be written: ", problem.text);
    free(edited);
}

stiction_status stiction_config_edit_file(const char *path, const stiction_override *overrides,
                                          size_t count, const char *const *names, size_t name_count,
                                          stiction_errors *errors) {
    if (!path) return STICTION_INVALID_ARGUMENT;
    stiction_errors *list = errors ? errors : stiction_errors_create();
    if (!list) return STICTION_OUT_OF_MEMORY;
    stiction_errors_begin(list);
    arena memory = {0};
    size_t size = 0;
    file_problem problem;
    stiction_config *config = NULL;
    const char *text = stiction_file_read(&memory, path, FILE_MOST_CONFIGURATION, &size, &problem);
    if (!text)
        refuse_as(list, path, problem.status, "the file cannot be read: ", problem.text);
    else if (stiction_config_parse(text, size, path, &config, list) == STICTION_OK &&
             stiction_config_override(config, overrides, count, names, name_count, list) ==
                 STICTION_OK &&
             count)
        write_edited(path, text, size, config, list);
    const stiction_status status = stiction_errors_status(list);
    stiction_config_destroy(config);
    stiction_arena_free(&memory);
    if (!errors) stiction_errors_destroy(list);
    return status;
}
