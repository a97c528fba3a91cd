/*
 * YAML files of the posture controller, straight from libyaml's events: one mapping, and one a
 * joint in it. Anything else is refused where it begins, so depth and size need no bounds.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "config_internal.h"
#include "words.h"

typedef struct yaml_source {
    yaml_parser_t parser;
    yaml_event_t event; /* the last one */
    posture_config *config;
    const char *path;
    int version_line, joints_line; /* 0: not there yet */
    stiction_error *error;
} yaml_source;

/* What only files have, and what only their joints have. */
static const char *const others[] = {"posture", "joints", NULL};
static const char *const nothing_else[] = {NULL};

static config_place place_of(const yaml_source *y, yaml_mark_t mark) {
    return (config_place){y->path, NULL, (int)mark.line + 1, (int)mark.column + 1};
}

static config_place here(const yaml_source *y) {
    return place_of(y, y->event.start_mark);
}

static stiction_status refuse_syntax(yaml_source *y) {
    const yaml_parser_t *p = &y->parser;
    if (p->error == YAML_MEMORY_ERROR) return config_out_of_memory(y->error);
    if (p->error == YAML_READER_ERROR)
        return config_refuse((config_place){.path = y->path}, NULL, y->error,
                             "the file cannot be read, or is not UTF-8 text");
    return config_refuse(place_of(y, p->problem_mark), NULL, y->error, "this is not YAML: %s",
                         p->problem ? p->problem : "it cannot be read");
}

static stiction_status next(yaml_source *y) {
    yaml_event_delete(&y->event);
    return yaml_parser_parse(&y->parser, &y->event) ? STICTION_OK : refuse_syntax(y);
}

static bool is_end(const yaml_source *y) {
    return y->event.type == YAML_MAPPING_END_EVENT;
}

/* The text of the event; NULL: it is none. */
static const char *text_of(const yaml_source *y) {
    if (y->event.type != YAML_SCALAR_EVENT) return NULL;
    const char *text = (const char *)y->event.data.scalar.value;
    return strlen(text) == y->event.data.scalar.length ? text : NULL;
}

/* The next event, which must be a text. */
static stiction_status next_text(yaml_source *y, const char *joint, const char *what) {
    const stiction_status status = next(y);
    if (status != STICTION_OK || text_of(y)) return status;
    return config_refuse(here(y), joint, y->error,
                         "%s must be a number or word, not a list, a mapping or an alias", what);
}

/* The next event, which must begin a mapping. */
static stiction_status next_mapping(yaml_source *y, const char *joint, const char *sentence) {
    const stiction_status status = next(y);
    if (status != STICTION_OK || y->event.type == YAML_MAPPING_START_EVENT) return status;
    return config_refuse(here(y), joint, y->error, "%s", sentence);
}

enum { NAME_SIZE = 256 };

/* Reads key after key: `entry` is called with each, before its value. */
static stiction_status read_mapping(yaml_source *y, const char *joint,
                                    stiction_status (*entry)(yaml_source *y, const char *joint,
                                                             const char *key)) {
    for (;;) {
        char key[NAME_SIZE];
        stiction_status status = next(y);
        if (status != STICTION_OK || is_end(y)) return status;
        if (!text_of(y) || strlen(text_of(y)) >= sizeof key)
            return config_refuse(here(y), joint, y->error,
                                 "a key must be a word of less than %d "
                                 "letters",
                                 NAME_SIZE);
        (void)strcpy(key, text_of(y));
        status = entry(y, joint, key);
        if (status != STICTION_OK) return status;
    }
}

/* A setting, for all joints or for one. */
static stiction_status read_setting(yaml_source *y, const char *joint, const char *name) {
    size_t key;
    char hint[HINT_SIZE];
    if (!config_find_key(name, &key) || (joint && !key_is_of_joints(key)))
        return config_refuse(here(y), joint, y->error, "there is no key '%.100s'%s", name,
                             config_hint(name, joint != NULL, joint ? nothing_else : others, hint));
    const stiction_status status = next_text(y, joint, name);
    if (status != STICTION_OK) return status;
    return config_set(y->config, here(y), joint, key, text_of(y), y->error);
}

static stiction_status refuse_second(const yaml_source *y, const char *joint, const char *what,
                                     int first) {
    return config_refuse(here(y), joint, y->error, "%s is given twice, first in line %d", what,
                         first);
}

static stiction_status read_joint(yaml_source *y, const char *joint, const char *name) {
    (void)joint;
    const int first = config_first_line(y->config, name);
    if (!*name) return config_refuse(here(y), NULL, y->error, "a joint's name is empty");
    if (first > 0) return refuse_second(y, name, "it", first);
    const stiction_status status =
        next_mapping(y, name, "it must be a mapping such as { target: 90 }");
    return status == STICTION_OK ? read_mapping(y, name, read_setting) : status;
}

static stiction_status read_joints(yaml_source *y) {
    if (y->joints_line > 0) return refuse_second(y, NULL, "joints", y->joints_line);
    y->joints_line = here(y).line;
    const stiction_status status = next_mapping(y, NULL, "joints must be a mapping of names");
    return status == STICTION_OK ? read_mapping(y, NULL, read_joint) : status;
}

static stiction_status read_version(yaml_source *y) {
    if (y->version_line > 0) return refuse_second(y, NULL, "posture", y->version_line);
    y->version_line = here(y).line;
    const stiction_status status = next_text(y, NULL, "posture");
    if (status != STICTION_OK) return status;
    if (strcmp(text_of(y), "1") == 0) return STICTION_OK;
    return config_refuse(here(y), NULL, y->error,
                         "posture must be 1, the version of the format, not '%.100s'", text_of(y));
}

static stiction_status read_entry(yaml_source *y, const char *joint, const char *key) {
    if (strcmp(key, "posture") == 0) return read_version(y);
    if (strcmp(key, "joints") == 0) return read_joints(y);
    return read_setting(y, joint, key);
}

static stiction_status read_document(yaml_source *y) {
    stiction_status status = next(y);            /* the stream */
    if (status == STICTION_OK) status = next(y); /* the document */
    if (status == STICTION_OK)
        status = next_mapping(y, NULL, "a file must be a mapping such as posture: 1");
    if (status == STICTION_OK) status = read_mapping(y, NULL, read_entry);
    if (status == STICTION_OK) status = next(y); /* the end of the document */
    if (status == STICTION_OK) status = next(y);
    if (status != STICTION_OK) return status;
    if (y->event.type != YAML_STREAM_END_EVENT)
        return config_refuse(here(y), NULL, y->error, "a second document begins here");
    if (y->version_line == 0)
        return config_refuse((config_place){y->path, NULL, 1, 1}, NULL, y->error,
                             "there is no key 'posture': a file must say posture: 1, the version "
                             "of the format");
    return STICTION_OK;
}

enum { PATH_SIZE = 4096 };

/* The folder of a file, "" where its path names none; false: too long. */
static bool find_directory(const char *path, char directory[PATH_SIZE]) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    if (length >= PATH_SIZE) return false;
    memcpy(directory, path, length);
    directory[length] = '\0';
    return true;
}

/* From a file or, where that is NULL, from a text. */
static stiction_status read_source(posture_config *config, FILE *file, const char *text,
                                   size_t size, const char *path, stiction_error *error) {
    yaml_source y = {.config = config, .path = path, .error = error};
    if (!yaml_parser_initialize(&y.parser)) return config_out_of_memory(error);
    if (file)
        yaml_parser_set_input_file(&y.parser, file);
    else
        yaml_parser_set_input_string(&y.parser, (const unsigned char *)text, size);
    const words_locale locale = words_enter();
    char directory[PATH_SIZE];
    stiction_status status = find_directory(path, directory)
                                 ? config_begin(config, path, directory, error)
                                 : config_refuse((config_place){0}, NULL, error,
                                                 "the path '%.100s...' is too long", path);
    if (status == STICTION_OK) status = read_document(&y);
    words_leave(locale);
    yaml_event_delete(&y.event);
    yaml_parser_delete(&y.parser);
    return status == STICTION_OK ? posture_fail(error, STICTION_OK, "%s", "") : status;
}

stiction_status posture_config_add_text(posture_config *config, const char *text, size_t size,
                                        const char *path, stiction_error *error) {
    if (!config || !text || !path)
        return posture_fail(error, STICTION_INVALID_ARGUMENT, "the text or its path is NULL");
    return read_source(config, NULL, text, size, path, error);
}

stiction_status posture_config_add_file(posture_config *config, const char *path,
                                        stiction_error *error) {
    if (!config || !path) return posture_fail(error, STICTION_INVALID_ARGUMENT, "the path is NULL");
    FILE *file = fopen(path, "rb");
    if (!file)
        return config_refuse((config_place){.path = path}, NULL, error,
                             "the file cannot be read: %s", strerror(errno));
    const stiction_status status = read_source(config, file, NULL, 0, path, error);
    (void)fclose(file);
    return status;
}
