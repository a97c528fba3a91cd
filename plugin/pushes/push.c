/* SPDX-License-Identifier: MIT
 * One push: its keys, and when it acts.
 */
#include "push.h"

#include <math.h>
#include <stdio.h>
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
    const char *unit; /* for the sentence */
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

const char *push_key_at(size_t index) {
    return index < key_count ? keys[index].name : NULL;
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

static bool set_number(push *p, const push_key *k, const char *value, char *sentence) {
    double numbers[3];
    if (read_numbers(value, numbers) == 1 &&
        (k->above ? numbers[0] > k->lowest : numbers[0] >= k->lowest)) {
        memcpy((char *)p + k->offset, numbers, sizeof *numbers);
        return true;
    }
    (void)snprintf(sentence, PUSH_SENTENCE, "%s must be a number %s %g (%s), not '%.200s'", k->name,
                   k->above ? "above" : "of at least", k->lowest, k->unit, value);
    return false;
}

/* The other of force and impulse is then no longer given. */
static void direct(push *p, const push_key *k, const double numbers[3]) {
    for (int i = 0; i < 3; i++) p->force[i] = p->impulse[i] = (double)NAN;
    memcpy((char *)p + k->offset, numbers, 3 * sizeof *numbers);
}

static bool set_vector(push *p, const push_key *k, const char *value, char *sentence) {
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
    (void)snprintf(sentence, PUSH_SENTENCE, "%s must be three finite numbers (%s)%s, not '%.200s'",
                   k->name, k->unit,
                   k->kind == KEY_DIRECTED && length > 0 ? ", or one: along the same line" : "",
                   value);
    return false;
}

static bool set_text(push *p, const push_key *k, const char *value, char *sentence) {
    if (strlen(value) < PUSH_NAME_SIZE) {
        (void)snprintf((char *)p + k->offset, PUSH_NAME_SIZE, "%s", value);
        return true;
    }
    (void)snprintf(sentence, PUSH_SENTENCE, "%s has %zu bytes, and may have %d", k->name,
                   strlen(value), PUSH_NAME_SIZE - 1);
    return false;
}

static bool set_in_c(push *p, const char *key, const char *value, char *sentence) {
    const char *names[key_count];
    for (size_t k = 0; k < key_count; k++) {
        names[k] = keys[k].name;
        if (strcmp(keys[k].name, key) != 0) continue;
        if (keys[k].kind == KEY_TEXT) return set_text(p, &keys[k], value, sentence);
        if (keys[k].kind == KEY_NUMBER) return set_number(p, &keys[k], value, sentence);
        return set_vector(p, &keys[k], value, sentence);
    }
    char hint[NAME_HINT_SIZE];
    (void)snprintf(sentence, PUSH_SENTENCE, "there is no key '%.100s'%s", key,
                   stiction_name_hint(key, names, key_count, hint));
    return false;
}

bool push_set(push *p, const char *key, const char *value, char sentence[PUSH_SENTENCE]) {
    const c_locale locale = c_locale_enter();
    const bool fine = set_in_c(p, key, value, sentence);
    c_locale_leave(locale);
    return fine;
}

bool push_read(push *p, const char *words, char sentence[PUSH_SENTENCE]) {
    while (*(words += strspn(words, " "))) {
        char word[2 * PUSH_NAME_SIZE];
        const char *quote = strchr(words, '"'), *blank = words + strcspn(words, " ");
        /* link="LEFT FOOT" */
        const char *end = quote && quote < blank ? quote + 1 + strcspn(quote + 1, "\"") : blank;
        size_t length = 0;
        for (const char *c = words; c < end && length < sizeof word - 1; c++)
            if (*c != '"') word[length++] = *c;
        word[length] = '\0';
        char *equals = strchr(word, '=');
        if (!equals) {
            (void)snprintf(sentence, PUSH_SENTENCE, "'%.200s' must be KEY=VALUE", word);
            return false;
        }
        *equals = '\0';
        if (!push_set(p, word, equals + 1, sentence)) return false;
        words = *end == '"' ? end + 1 : end;
    }
    return true;
}

bool push_check(push *p, char sentence[PUSH_SENTENCE]) {
    const bool has_impulse = !isnan(p->impulse[0]);
    if (!has_impulse && isnan(p->force[0])) {
        (void)snprintf(sentence, PUSH_SENTENCE, "it has neither a force nor an impulse");
        return false;
    }
    if (has_impulse && isinf(p->duration)) {
        (void)snprintf(sentence, PUSH_SENTENCE, "an impulse needs a duration");
        return false;
    }
    if (p->ramp > p->duration) {
        (void)snprintf(sentence, PUSH_SENTENCE, "ramp %g s is longer than duration %g s", p->ramp,
                       p->duration);
        return false;
    }
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
