/* SPDX-License-Identifier: MIT
 * One declarative parser for the options of all verbs.
 */
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "document/names.h"

void text_list_add(text_list *list, const char *item) {
    list->items = reallocate(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = item;
}

void text_list_free(text_list *list) {
    for (size_t k = 0; k < list->count; k++) free((char *)(uintptr_t)list->items[k]);
    free((void *)list->items);
    *list = (text_list){NULL, 0};
}

const char *text_list_repeated(const text_list *list) {
    for (size_t k = 0; k < list->count; k++)
        for (size_t n = 0; n < k; n++)
            if (strcmp(list->items[k], list->items[n]) == 0) return list->items[k];
    return NULL;
}

/* ---- one reader a kind of value; false: the text is not such a value ---- */

/* Nothing names no file: with --out '' a folder of results would begin at the root. */
static bool read_text(const char *text, void *field) {
    *(const char **)field = text;
    return *text;
}

static bool read_texts(const char *text, void *field) {
    text_list_add(field, text);
    return true;
}

static bool read_finite(const char *text, void *field) {
    double *value = field;
    return read_number(text, value) && isfinite(*value);
}

static bool read_positive(const char *text, void *field) {
    const double *value = field;
    return read_finite(text, field) && *value > 0;
}

static bool read_count(const char *text, void *field) {
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    *(size_t *)field = value;
    return isdigit((unsigned char)*text) && *end == '\0' && value > 0 && value < (size_t)-1 / 64;
}

static const struct {
    const char *what;
    bool (*read)(const char *text, void *field);
} kinds[] = {
    [OPTION_TEXT] = {"text", read_text},
    [OPTION_TEXTS] = {"text", read_texts},
    [OPTION_FILES] = {"text", read_texts},
    [OPTION_NUMBER] = {"a finite number", read_finite},
    [OPTION_POSITIVE] = {"a number above 0", read_positive},
    [OPTION_COUNT] = {"a whole number from 1", read_count},
};

/* ---- parsing ---- */

typedef struct parser {
    const char *who;
    const option *options;
    void *values;
    bool *seen; /* an entry an option */
    int argc;
    char **argv;
    int next;
    stiction_error *error;
} parser;

static size_t option_count(const option *options) {
    size_t count = 0;
    while (options[count].name) count++;
    return count;
}

static void *field_of(const option *o, void *values) {
    return (char *)values + o->offset;
}

/* The option whose name is the first `length` bytes of `name`, or NULL. */
static const option *find(const option *options, const char *name, size_t length) {
    for (const option *o = options; o->name; o++)
        if (strncmp(o->name, name, length) == 0 && o->name[length] == '\0') return o;
    return NULL;
}

static options_verdict unknown(const parser *p, const char *given, const char *name,
                               size_t length) {
    const size_t count = option_count(p->options);
    AUTO_FREE const char **names = allocate(count + 1, sizeof *names);
    for (size_t k = 0; k < count; k++) names[k] = p->options[k].name;
    names[count] = "help";
    AUTO_FREE char *typed = format_text("%.*s", (int)length, name);
    const char *nearest = stiction_nearest_name(typed, names, count + 1);
    if (nearest)
        (void)fail(p->error, "%s has no option '%s'; the nearest is --%s", p->who, given, nearest);
    else
        (void)fail(p->error, "%s has no option '%s'; see %s --help", p->who, given, p->who);
    return OPTIONS_WRONG;
}

/* The value after --name= or the next argument; NULL: it is missing. */
static const char *take_value(parser *p, const option *o, const char *equals) {
    if (equals) return equals + 1;
    /* a number may be negative, but two dashes are the next option */
    const char *next = p->next < p->argc ? p->argv[p->next] : NULL;
    if (next && !(strncmp(next, "--", 2) == 0 && next[2])) {
        p->next++;
        return next;
    }
    (void)fail(p->error, "%s: --%s needs a value: --%s %s", p->who, o->name, o->name, o->value);
    return NULL;
}

static bool is_list(const option *o) {
    return o->kind == OPTION_TEXTS || o->kind == OPTION_FILES;
}

static options_verdict take_option(parser *p, const char *argument) {
    const char *name = argument + (strncmp(argument, "--", 2) == 0 ? 2 : 1);
    const char *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) return OPTIONS_HELP;

    const option *o = argument[1] == '-' ? find(p->options, name, length) : NULL;
    if (!o) return unknown(p, argument, name, length);
    if (p->seen[o - p->options] && !is_list(o)) {
        (void)fail(p->error, "%s: --%s is given twice", p->who, o->name);
        return OPTIONS_WRONG;
    }
    p->seen[o - p->options] = true;

    if (o->kind == OPTION_FLAG) {
        if (equals) (void)fail(p->error, "%s: --%s takes no value", p->who, o->name);
        *(bool *)field_of(o, p->values) = true;
        return equals ? OPTIONS_WRONG : OPTIONS_FINE;
    }
    const char *value = take_value(p, o, equals);
    if (!value) return OPTIONS_WRONG;
    if (kinds[o->kind].read(value, field_of(o, p->values))) {
        while (o->kind == OPTION_FILES && !equals && p->next < p->argc &&
               p->argv[p->next][0] != '-')
            text_list_add(field_of(o, p->values), p->argv[p->next++]);
        return OPTIONS_FINE;
    }
    (void)fail(p->error, "%s: --%s '%s' is not %s", p->who, o->name, value, kinds[o->kind].what);
    return OPTIONS_WRONG;
}

options_verdict options_parse(const char *who, const option *options, int argc, char **argv,
                              void *values, text_list *arguments, stiction_error *error) {
    parser p = {who,  options, values, allocate(option_count(options), sizeof(bool)),
                argc, argv,    0,      error};
    options_verdict verdict = OPTIONS_FINE;
    bool ended = false;
    while (verdict == OPTIONS_FINE && p.next < argc) {
        const char *argument = argv[p.next++];
        if (!ended && strcmp(argument, "--") == 0)
            ended = true;
        else if (!ended && argument[0] == '-' && argument[1]) /* a lone - is a file */
            verdict = take_option(&p, argument);
        else
            text_list_add(arguments, argument);
    }
    free(p.seen);
    return verdict;
}

static void write_option(const option *o, const void *field, text_list *list) {
    const char *text = NULL;
    double number;
    size_t count;
    switch (o->kind) {
    case OPTION_FLAG:
        if (*(const bool *)field) text_list_add(list, format_text("--%s", o->name));
        break;
    case OPTION_TEXT:
        memcpy(&text, field, sizeof text);
        if (text) text_list_add(list, format_text("--%s=%s", o->name, text));
        break;
    case OPTION_TEXTS:
    case OPTION_FILES:
        for (size_t k = 0; k < ((const text_list *)field)->count; k++)
            text_list_add(list,
                          format_text("--%s=%s", o->name, ((const text_list *)field)->items[k]));
        break;
    case OPTION_NUMBER:
    case OPTION_POSITIVE:
        memcpy(&number, field, sizeof number);
        if (!isnan(number)) text_list_add(list, format_text("--%s=%.17g", o->name, number));
        break;
    case OPTION_COUNT:
        memcpy(&count, field, sizeof count);
        if (count) text_list_add(list, format_text("--%s=%zu", o->name, count));
        break;
    }
}

void options_write(const option *options, const void *values, bool (*is_wanted)(const char *name),
                   text_list *list) {
    for (const option *o = options; o->name; o++)
        if (is_wanted(o->name)) write_option(o, (const char *)values + o->offset, list);
}

void options_free(const option *options, void *values, text_list *arguments) {
    for (const option *o = options; o->name; o++)
        if (is_list(o)) free(((text_list *)field_of(o, values))->items);
    free(arguments->items);
}
