/* SPDX-License-Identifier: MIT
 * Shell completion, made from the table of verbs; the scripts in completion/ call it.
 */
#include <string.h>

#include "common/command.h"
#include "mujoco/overrides.h"
#include "verbs.h"

static void offer(FILE *out, const char *start, const char *dashes, const char *word) {
    const size_t n = strlen(dashes), length = strlen(start);
    const bool fits =
        length <= n ? strncmp(start, dashes, length) == 0
                    : strncmp(start, dashes, n) == 0 && strncmp(start + n, word, length - n) == 0;
    if (fits) fprintf(out, "%s%s\n", dashes, word);
}

/* ---- completions of a placeholder of the usage ---- */

static void offer_laws(FILE *out, const char *start, const char *config) {
    (void)config;
    stiction_law_info info;
    for (size_t k = 0; stiction_law_info_at(k, &info); k++) offer(out, start, "", info.name);
}

static void offer_joints(FILE *out, const char *start, const char *path) {
    stiction_config *config = NULL;
    if (!path || stiction_config_load(path, &config, NULL) != STICTION_OK) return;
    for (size_t k = 0; k < stiction_config_joint_count(config); k++)
        offer(out, start, "", stiction_config_joint_at(config, k, NULL));
    stiction_config_destroy(config);
}

static void offer_verbs(FILE *out, const char *start, const char *config) {
    (void)config;
    for (const verb *const *v = verbs; *v; v++) offer(out, start, "", (*v)->name);
}

/* Of --set KEY=VALUE. */
static void offer_keys(FILE *out, const char *start, const char *config) {
    (void)config;
    const char *key;
    for (size_t k = 0; (key = override_key_at(k)); k++) offer(out, start, "", key);
}

static const struct {
    const char *placeholder;
    void (*offer)(FILE *out, const char *start, const char *config);
} placeholders[] = {
    {"LAW", offer_laws}, {"JOINT", offer_joints}, {"VERB", offer_verbs}, {"KEY", offer_keys}};

/* Anything else is the name of a file, or nothing that can be known. */
static void offer_for(FILE *out, const char *placeholder, size_t length, const char *start,
                      const char *config) {
    for (size_t k = 0; k < sizeof placeholders / sizeof placeholders[0]; k++)
        if (strlen(placeholders[k].placeholder) == length &&
            strncmp(placeholders[k].placeholder, placeholder, length) == 0)
            placeholders[k].offer(out, start, config);
}

/* ---- the position of the last word ---- */

static const option *option_before(const verb *v, const char *word) {
    for (const option *o = v->options; o->name; o++)
        if (o->value && strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0) return o;
    return NULL;
}

/* What the usage calls argument `index`: "CONFIG JOINT..." has JOINT from 1 on, "[VERB]" has VERB.
 */
static void offer_argument(FILE *out, const verb *v, size_t index, const char *start,
                           const char *config) {
    const char *word = v->arguments;
    for (; index > 0 && word[strcspn(word, " ")]; index--) word += strcspn(word, " ") + 1;
    word += *word == '[';
    offer_for(out, word, strcspn(word, " .]"), start, config);
}

static void complete_verb(FILE *out, const verb *v, int count, char **tokens) {
    const char *last = tokens[count - 1], *first_argument = NULL;
    size_t arguments = 0;
    for (int k = 0; k + 1 < count; k++) {
        if (option_before(v, tokens[k])) {
            k++;
            continue;
        }
        if (tokens[k][0] == '-' && tokens[k][1]) continue;
        if (arguments++ == 0) first_argument = tokens[k];
    }
    const option *o = count > 1 ? option_before(v, tokens[count - 2]) : NULL;
    if (o) {
        offer_for(out, o->value, strcspn(o->value, "="), last, first_argument);
    } else if (last[0] == '-') {
        for (o = v->options; o->name; o++) offer(out, last, "--", o->name);
        offer(out, last, "--", "help");
    } else {
        offer_argument(out, v, arguments, last, first_argument);
    }
}

void print_completions(int count, char **tokens, FILE *out) {
    if (count == 0) return;
    if (count == 1) {
        offer_verbs(out, tokens[0], NULL);
        offer(out, tokens[0], "--", "help");
        offer(out, tokens[0], "--", "version");
        return;
    }
    const verb *v = find_verb(tokens[0]);
    if (v) complete_verb(out, v, count - 1, tokens + 1);
}
