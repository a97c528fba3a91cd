/* SPDX-License-Identifier: MIT
 * The link that a push acts on.
 */
#include <stdio.h>
#include <string.h>

#include "document/names.h"
#include "push.h"

enum { most_names = 500 };

static bool refuse_name(const push_bodies *bodies, size_t body, bool of_link, const char *name,
                        char *sentence) {
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
    if (of_link)
        (void)snprintf(sentence, PUSH_SENTENCE, "body '%.200s' has no link '%.200s'%s",
                       bodies->name(bodies->context, body), name, hint);
    else
        (void)snprintf(sentence, PUSH_SENTENCE, "there is no body '%.200s'%s", name, hint);
    return false;
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
                      char *sentence) {
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
    if (!count && movable == 1) return refuse_name(bodies, last, true, p->link, sentence);
    if (count)
        (void)snprintf(sentence, PUSH_SENTENCE,
                       p->link[0] ? "%zu bodies have a link '%.200s': it must name its body"
                                  : "%zu bodies can be pushed: it must name its body or link%.0s",
                       count, p->link);
    else
        (void)snprintf(sentence, PUSH_SENTENCE,
                       p->link[0] ? "no body that moves has a link '%.200s'"
                                  : "no body can be pushed: nothing moves%.0s",
                       p->link);
    return false;
}

bool push_find(const push *p, const push_bodies *bodies, size_t *body, size_t *link,
               char sentence[PUSH_SENTENCE]) {
    if (!p->body[0]) {
        if (!find_only(p, bodies, body, link, sentence)) return false;
    } else {
        *body = 0;
        while (*body < bodies->count && strcmp(bodies->name(bodies->context, *body), p->body) != 0)
            ++*body;
        if (*body == bodies->count) return refuse_name(bodies, 0, false, p->body, sentence);
        if (!find_link(p, bodies, *body, link))
            return refuse_name(bodies, *body, true, p->link, sentence);
    }
    if (bodies->moves(bodies->context, *body, *link)) return true;
    (void)snprintf(sentence, PUSH_SENTENCE, "link '%.200s' of '%.200s' is fixed: no force moves it",
                   bodies->link(bodies->context, *body, *link),
                   bodies->name(bodies->context, *body));
    return false;
}
