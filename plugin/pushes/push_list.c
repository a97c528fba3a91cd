/* SPDX-License-Identifier: MIT
 * Several pushes, and what a user changes of those of a project.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "push.h"

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

static bool refuse(char *sentence, const char *why) {
    (void)snprintf(sentence, PUSH_SENTENCE, "%s", why);
    return false;
}

static bool add_words(push_list *list, const char *words, char *sentence) {
    push p = push_default();
    if (strcmp(words, "none") == 0) {
        list->count = 0;
        return true;
    }
    if (!push_read(&p, words, sentence)) return false;
    push tried = p; /* an impulse stays one, for what is changed later */
    if (!push_check(&tried, sentence)) return false;
    return push_list_add(list, &p) || refuse(sentence, "out of memory");
}

bool push_list_set(push_list *list, const char *key, const char *value,
                   char sentence[PUSH_SENTENCE]) {
    if (strcmp(key, "push") == 0) return add_words(list, value, sentence);
    const char *of = key + strlen(prefix), *dot = strrchr(of, '.');
    size_t changed = 0, which;
    if (!push_list_check(list, &which, sentence)) return false; /* they have names now */
    for (size_t k = 0; k < list->count; k++) {
        push *p = &list->items[k];
        if (dot && (strlen(p->name) != (size_t)(dot - of) ||
                    strncmp(p->name, of, (size_t)(dot - of)) != 0))
            continue;
        if (!push_set(p, dot ? dot + 1 : of, value, sentence)) return false;
        changed++;
    }
    if (changed) return true;
    (void)snprintf(sentence, PUSH_SENTENCE, "there is no push%s%.*s%s to change", dot ? " '" : "",
                   dot ? (int)(dot - of) : 0, of, dot ? "'" : "");
    return false;
}

bool push_list_may_set(const char *key, const char *value, char sentence[PUSH_SENTENCE]) {
    push_list list = {NULL, 0};
    push some = push_default();
    bool fine = true;
    if (strcmp(key, "push") != 0) {
        const char *of = key + strlen(prefix), *dot = strrchr(of, '.');
        (void)snprintf(some.name, sizeof some.name, "%.*s", dot ? (int)(dot - of) : 0, of);
        some.force[0] = some.force[1] = some.force[2] = some.duration = 1;
        fine = push_list_add(&list, &some) || refuse(sentence, "out of memory");
    }
    fine = fine && push_list_set(&list, key, value, sentence);
    push_list_free(&list);
    return fine;
}

static bool is_taken(const push_list *list, size_t before, const char *name) {
    for (size_t k = 0; k < before; k++)
        if (strcmp(list->items[k].name, name) == 0) return true;
    return false;
}

bool push_list_check(push_list *list, size_t *which, char sentence[PUSH_SENTENCE]) {
    for (*which = 0; *which < list->count; ++*which) {
        push *p = &list->items[*which];
        if (!p->name[0]) {
            (void)snprintf(p->name, sizeof p->name, "push");
            for (size_t number = 2; is_taken(list, *which, p->name); number++)
                (void)snprintf(p->name, sizeof p->name, "push-%zu", number);
        }
        if (is_taken(list, *which, p->name)) {
            (void)snprintf(sentence, PUSH_SENTENCE, "there are two pushes of the name '%s'",
                           p->name);
            return false;
        }
        if (!push_check(p, sentence)) return false;
    }
    return true;
}
