/* SPDX-License-Identifier: MIT
 * Finding the joints of a body by names and patterns, without a way to count its links.
 */
#include "joint_list.h"
#include "document/names.h"

#include <stdlib.h>
#include <string.h>

/* The characters that a ? may stand for in a joint's name, and how many spellings of one pattern
 * are tried. */
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
enum { most_spellings = 300000, longest_name = 255 };

static bool add(joint_list *list, const char *name, int link) {
    for (size_t k = 0; k < list->count; k++)
        if (list->links[k] == link) return true;
    char **names = realloc(list->names, (list->count + 1) * sizeof *names);
    if (names) list->names = names;
    int *links = realloc(list->links, (list->count + 1) * sizeof *links);
    if (links) list->links = links;
    char *copy = names && links ? strdup(name) : NULL;
    if (!copy) return false;
    list->names[list->count] = copy;
    list->links[list->count] = link;
    list->count++;
    return true;
}

/* A search in progress: the body, and the list that grows. */
typedef struct search {
    joint_list *list;
    const body_interface *bodies;
    body_handle body;
    int last;       /* the highest link that was found by name: all up to it exist */
    long spellings; /* tried so far, of one pattern */
    bool no_memory;
} search;

static void find_link(search *s, const char *name) {
    const int link = s->bodies->link_index_from_name(s->body, name);
    if (link < 0) return;
    if (link > s->last) s->last = link;
    if (!add(s->list, name, link)) s->no_memory = true;
}

/* Whether `c` fits the place of the pattern that starts at `place`; *next is the place after. */
static bool fits(const char *place, char c, const char **next) {
    const char *end = place[0] == '[' && place[1] ? strchr(place + 2, ']') : NULL;
    *next = end ? end + 1 : place + 1;
    char single[longest_name + 1] = {0};
    const size_t length = (size_t)(*next - place);
    if (length > longest_name) return false;
    memcpy(single, place, length);
    const char name[2] = {c, '\0'};
    return stiction_name_matches(single, name);
}

/* Spells a pattern without * out, character by character. */
static void spell(search *s, const char *place, char *name, size_t length) {
    if (s->no_memory || s->spellings > most_spellings || length >= longest_name) return;
    if (!*place) {
        name[length] = '\0';
        s->spellings++;
        find_link(s, name);
        return;
    }
    const bool open = *place == '?' || *place == '[';
    const char literal[2] = {*place, '\0'};
    for (const char *c = open ? alphabet : literal; *c; c++) {
        const char *next;
        if (!fits(place, *c, &next)) continue;
        name[length] = *c;
        spell(s, next, name, length + 1);
    }
}

/* What a * may stand for: the links that are known to exist. */
static void match_known(search *s, const char *pattern) {
    for (int link = 0; link <= s->last && !s->no_memory; link++) {
        const char *name = s->bodies->link_name(s->body, link);
        if (name && stiction_name_matches(pattern, name) && !add(s->list, name, link))
            s->no_memory = true;
    }
}

bool joint_list_find(joint_list *list, const body_interface *bodies, body_handle body,
                     const stiction_config *config) {
    *list = (joint_list){0};
    search s = {.list = list, .bodies = bodies, .body = body, .last = -1};
    const char *pattern;
    for (size_t k = 0; (pattern = stiction_config_joint_at(config, k, NULL)); k++)
        if (!strchr(pattern, '*')) {
            char name[longest_name + 1];
            s.spellings = 0;
            spell(&s, pattern, name, 0);
        }
    for (size_t k = 0; (pattern = stiction_config_joint_at(config, k, NULL)); k++)
        if (strchr(pattern, '*')) match_known(&s, pattern);
    return !s.no_memory;
}

void joint_list_free(joint_list *list) {
    for (size_t k = 0; k < list->count; k++) free(list->names[k]);
    free(list->names);
    free(list->links);
    *list = (joint_list){0};
}
