/* SPDX-License-Identifier: MIT
 * Pushes: their keys, when they act, lists of them, and the links that they act on.
 */
#include "push.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/c_locale.h"
#include "document/names.h"
#include "document/number.h"

typedef enum key_kind { KEY_TEXT, KEY_NUMBER, KEY_VECTOR, KEY_DIRECTED } key_kind;

typedef struct push_key {
    const char *name;
    size_t offset;
    key_kind kind;
    double lowest;    /* of a number */
    bool above;       /* it must be above that */
    const char *unit; /* for messages */
} push_key;

#define AT(field) offsetof(push, field)
static const push_key keys[] = {
    {"name", AT(name), KEY_TEXT, 0, false, ""},
    {"body", AT(body), KEY_TEXT, 0, false, ""},
    {"link", AT(link), KEY_TEXT, 0, false, ""},
    {"time", AT(time), KEY_NUMBER, 0, false, "s"},
    {"duration", AT(duration), KEY_NUMBER, 0, true, "s"},
    {"ramp", AT(ramp), KEY_NUMBER, 0, false, "s"},
    {"force", AT(force), KEY_DIRECTED, 0, false, "N"},
    {"impulse", AT(impulse), KEY_DIRECTED, 0, false, "N s"},
    {"point", AT(point), KEY_VECTOR, 0, false, "m"},
    {"kp", AT(kp), KEY_NUMBER, 0, true, "1/s^2"},
};
#undef AT
enum { key_count = sizeof keys / sizeof keys[0] };

__attribute__((format(printf, 2, 3))) static bool refuse(char *message, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, PUSH_SENTENCE, format, arguments);
    va_end(arguments);
    return false;
}

push push_default(void) {
    const double none = (double)NAN;
    return (push){.duration = (double)INFINITY,
                  .force = {none, none, none},
                  .impulse = {none, none, none},
                  .point = {none, none, none},
                  .kp = none};
}

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* One to three numbers with commas or blanks between them; 0: something else. */
static size_t read_numbers(const char *text, double numbers[3]) {
    size_t count = 0;
    while (*(text += strspn(text, " ,[]"))) {
        char word[64];
        const size_t length = strcspn(text, " ,[]");
        if (count == 3 || length >= sizeof word) return 0;
        (void)snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (!stiction_decimal(word, &numbers[count++])) return 0;
        text += length;
    }
    return count;
}

static bool set_number(push *p, const push_key *k, const char *value, char *message) {
    double numbers[3];
    if (read_numbers(value, numbers) == 1 &&
        (k->above ? numbers[0] > k->lowest : numbers[0] >= k->lowest)) {
        memcpy((char *)p + k->offset, numbers, sizeof *numbers);
        return true;
    }
    return refuse(message, "%s must be a number %s %g (%s), not '%.200s'", k->name,
                  k->above ? "above" : "of at least", k->lowest, k->unit, value);
}

/* The other of force and impulse is then no longer given. */
static void direct(push *p, const push_key *k, const double numbers[3]) {
    for (int i = 0; i < 3; i++) p->force[i] = p->impulse[i] = (double)NAN;
    memcpy((char *)p + k->offset, numbers, 3 * sizeof *numbers);
}

static bool set_vector(push *p, const push_key *k, const char *value, char *message) {
    double numbers[3];
    const size_t count = read_numbers(value, numbers);
    const double *along = isnan(p->impulse[0]) ? p->force : p->impulse;
    const double length = length_of(along);
    if (count == 3 && k->kind == KEY_DIRECTED) {
        direct(p, k, numbers);
        return true;
    }
    if (count == 3) {
        memcpy((char *)p + k->offset, numbers, sizeof numbers);
        return true;
    }
    if (count == 1 && k->kind == KEY_DIRECTED && length > 0) {
        const double size = numbers[0];
        for (int i = 0; i < 3; i++) numbers[i] = size * along[i] / length;
        direct(p, k, numbers);
        return true;
    }
    return refuse(message, "%s must be three finite numbers (%s)%s, not '%.200s'", k->name, k->unit,
                  k->kind == KEY_DIRECTED && length > 0 ? ", or one: along the same line" : "",
                  value);
}

static bool set_text(push *p, const push_key *k, const char *value, char *message) {
    if (strlen(value) < PUSH_NAME_SIZE) {
        (void)snprintf((char *)p + k->offset, PUSH_NAME_SIZE, "%s", value);
        return true;
    }
    return refuse(message, "%s has %zu bytes, and may have %d", k->name, strlen(value),
                  PUSH_NAME_SIZE - 1);
}

static bool set_in_c(push *p, const char *key, const char *value, char *message) {
    const char *names[key_count];
    for (size_t k = 0; k < key_count; k++) {
        names[k] = keys[k].name;
        if (strcmp(keys[k].name, key) != 0) continue;
        if (keys[k].kind == KEY_TEXT) return set_text(p, &keys[k], value, message);
        if (keys[k].kind == KEY_NUMBER) return set_number(p, &keys[k], value, message);
        return set_vector(p, &keys[k], value, message);
    }
    char hint[NAME_HINT_SIZE];
    return refuse(message, "there is no key '%.100s'%s", key,
                  stiction_name_hint(key, names, key_count, hint));
}

bool push_set(push *p, const char *key, const char *value, char message[PUSH_SENTENCE]) {
    const c_locale locale = c_locale_enter();
    const bool fine = set_in_c(p, key, value, message);
    c_locale_leave(locale);
    return fine;
}

bool push_read(push *p, const char *text, char message[PUSH_SENTENCE]) {
    while (*(text += strspn(text, " "))) {
        char setting[2 * PUSH_NAME_SIZE];
        const char *quote = strchr(text, '"'), *blank = text + strcspn(text, " ");
        /* link="LEFT FOOT" */
        const char *end = quote && quote < blank ? quote + 1 + strcspn(quote + 1, "\"") : blank;
        size_t length = 0;
        for (const char *c = text; c < end && length < sizeof setting - 1; c++)
            if (*c != '"') setting[length++] = *c;
        setting[length] = '\0';
        char *equals = strchr(setting, '=');
        if (!equals) return refuse(message, "'%.200s' must be KEY=VALUE", setting);
        *equals = '\0';
        if (!push_set(p, setting, equals + 1, message)) return false;
        text = *end == '"' ? end + 1 : end;
    }
    return true;
}

bool push_check(push *p, char message[PUSH_SENTENCE]) {
    const bool has_impulse = !isnan(p->impulse[0]);
    if (!has_impulse && isnan(p->force[0]))
        return refuse(message, "it has neither a force nor an impulse");
    if (has_impulse && isinf(p->duration)) return refuse(message, "an impulse needs a duration");
    if (p->ramp > p->duration)
        return refuse(message, "ramp %g s is longer than duration %g s", p->ramp, p->duration);
    for (int i = 0; i < 3 && has_impulse; i++)
        p->force[i] = p->impulse[i] / (p->duration - p->ramp / 2);
    return true;
}

double push_share(const push *p, double time, double timestep) {
    /* steps begin at sums of roundings */
    const double since = time - p->time + 0.5 * timestep;
    if (since < 0 || !(since < p->duration)) return 0;
    /* of the step's middle, so that steps of a ramp add up to half of it */
    return p->ramp > 0 ? fmin(since / p->ramp, 1) : 1;
}

/* ---- several ---- */

static const char prefix[] = "push.";

void push_list_free(push_list *list) {
    free(list->items);
    *list = (push_list){NULL, 0};
}

bool push_list_add(push_list *list, const push *p) {
    push *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items) return false;
    list->items = items;
    items[list->count++] = *p;
    return true;
}

static bool add_from_text(push_list *list, const char *text, char *message) {
    push p = push_default();
    if (strcmp(text, "none") == 0) {
        list->count = 0;
        return true;
    }
    if (!push_read(&p, text, message)) return false;
    push tried = p; /* an impulse stays one, for what is changed later */
    if (!push_check(&tried, message)) return false;
    return push_list_add(list, &p) || refuse(message, "out of memory");
}

bool push_list_set(push_list *list, const char *key, const char *value,
                   char message[PUSH_SENTENCE]) {
    if (strcmp(key, "push") == 0) return add_from_text(list, value, message);
    const char *of = key + strlen(prefix), *dot = strrchr(of, '.');
    size_t changed = 0, which;
    if (!push_list_check(list, &which, message)) return false; /* they have names now */
    for (size_t k = 0; k < list->count; k++) {
        push *p = &list->items[k];
        if (dot && (strlen(p->name) != (size_t)(dot - of) ||
                    strncmp(p->name, of, (size_t)(dot - of)) != 0))
            continue;
        if (!push_set(p, dot ? dot + 1 : of, value, message)) return false;
        changed++;
    }
    if (changed) return true;
    return refuse(message, "there is no push%s%.*s%s to change", dot ? " '" : "",
                  dot ? (int)(dot - of) : 0, of, dot ? "'" : "");
}

bool push_list_may_set(const char *key, const char *value, char message[PUSH_SENTENCE]) {
    push_list list = {NULL, 0};
    push some = push_default();
    bool fine = true;
    if (strcmp(key, "push") != 0) {
        const char *of = key + strlen(prefix), *dot = strrchr(of, '.');
        (void)snprintf(some.name, sizeof some.name, "%.*s", dot ? (int)(dot - of) : 0, of);
        some.force[0] = some.force[1] = some.force[2] = some.duration = 1;
        fine = push_list_add(&list, &some) || refuse(message, "out of memory");
    }
    fine = fine && push_list_set(&list, key, value, message);
    push_list_free(&list);
    return fine;
}

static bool is_taken(const push_list *list, size_t before, const char *name) {
    for (size_t k = 0; k < before; k++)
        if (strcmp(list->items[k].name, name) == 0) return true;
    return false;
}

bool push_list_check(push_list *list, size_t *which, char message[PUSH_SENTENCE]) {
    for (*which = 0; *which < list->count; ++*which) {
        push *p = &list->items[*which];
        if (!p->name[0]) {
            (void)snprintf(p->name, sizeof p->name, "push");
            for (size_t number = 2; is_taken(list, *which, p->name); number++)
                (void)snprintf(p->name, sizeof p->name, "push-%zu", number);
        }
        if (is_taken(list, *which, p->name))
            return refuse(message, "there are two pushes of the name '%s'", p->name);
        if (!push_check(p, message)) return false;
    }
    return true;
}

/* ---- where it acts ---- */

enum { most_names = 500 };

static bool refuse_name(const push_bodies *bodies, size_t body, bool of_link, const char *name,
                        char *message) {
    const char *names[most_names];
    char hint[NAME_HINT_SIZE];
    size_t count = 0;
    const char *next;
    if (of_link)
        while (count < most_names && (next = bodies->link(bodies->context, body, count)))
            names[count++] = next;
    else
        for (; count < most_names && count < bodies->count; count++)
            names[count] = bodies->name(bodies->context, count);
    (void)stiction_name_hint(name, names, count, hint);
    if (!of_link) return refuse(message, "there is no body '%.200s'%s", name, hint);
    return refuse(message, "body '%.200s' has no link '%.200s'%s",
                  bodies->name(bodies->context, body), name, hint);
}

/* The number of the link of a body; without a name the base. */
static bool find_link(const push *p, const push_bodies *bodies, size_t body, size_t *link) {
    const char *name;
    if (!p->link[0]) {
        *link = 0;
        return true;
    }
    for (*link = 0; (name = bodies->link(bodies->context, body, *link)); ++*link)
        if (strcmp(name, p->link) == 0) return true;
    return false;
}

static bool moves(const push_bodies *bodies, size_t body) {
    for (size_t k = 0; bodies->link(bodies->context, body, k); k++)
        if (bodies->moves(bodies->context, body, k)) return true;
    return false;
}

/* The one body that can be meant where none is named. */
static bool find_only(const push *p, const push_bodies *bodies, size_t *body, size_t *link,
                      char *message) {
    size_t count = 0, found = 0, movable = 0, last = 0;
    for (size_t k = 0; k < bodies->count; k++) {
        if (!moves(bodies, k)) continue;
        movable++;
        last = k;
        if (!find_link(p, bodies, k, &found)) continue;
        if (!count++) {
            *body = k;
            *link = found;
        }
    }
    if (count == 1) return true;
    if (!count && movable == 1) return refuse_name(bodies, last, true, p->link, message);
    if (count)
        return refuse(message,
                      p->link[0] ? "%zu bodies have a link '%.200s': it must name its body"
                                 : "%zu bodies can be pushed: it must name its body or link%.0s",
                      count, p->link);
    return refuse(message,
                  p->link[0] ? "no body that moves has a link '%.200s'"
                             : "no body can be pushed: nothing moves%.0s",
                  p->link);
}

bool push_find(const push *p, const push_bodies *bodies, size_t *body, size_t *link,
               char message[PUSH_SENTENCE]) {
    if (!p->body[0]) {
        if (!find_only(p, bodies, body, link, message)) return false;
    } else {
        *body = 0;
        while (*body < bodies->count && strcmp(bodies->name(bodies->context, *body), p->body) != 0)
            ++*body;
        if (*body == bodies->count) return refuse_name(bodies, 0, false, p->body, message);
        if (!find_link(p, bodies, *body, link))
            return refuse_name(bodies, *body, true, p->link, message);
    }
    if (bodies->moves(bodies->context, *body, *link)) return true;
    return refuse(message, "link '%.200s' of '%.200s' is fixed: no force moves it",
                  bodies->link(bodies->context, *body, *link),
                  bodies->name(bodies->context, *body));
}
