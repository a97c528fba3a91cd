/* SPDX-License-Identifier: MIT
 * Pushes and pulls: external forces on links of a robot, for some time or from some time on. What
 * a project or the user says of them, and how large a force is when; nothing here knows an engine.
 *
 *     link=WAIST force=100,0,0 time=1 duration=0.1
 *
 * An error message has the value and the bound; the caller adds the place.
 */
#ifndef STICTION_PUSHES_PUSH_H
#define STICTION_PUSHES_PUSH_H

#include <stdbool.h>
#include <stddef.h>

#include "document/fail.h"

STICTION_BEGIN_C

enum { PUSH_NAME_SIZE = 200, PUSH_SENTENCE = 1000 };

typedef struct push {
    char name[PUSH_NAME_SIZE]; /* "": push, push-2, ... by its place in the list */
    char body[PUSH_NAME_SIZE]; /* "": the one that has the link */
    char link[PUSH_NAME_SIZE]; /* "": the body's base */
    double time;               /* s: from when on */
    double duration;           /* s; infinite: it does not end */
    double ramp;               /* s, until it is whole; 0: at once */
    double force[3];           /* N, in the world's axes */
    double impulse[3];         /* N s, all of it; NaN: the force is given */
    double point[3];           /* m, in the link's frame; NaN: at its centre of mass */
    double kp;                 /* 1/s^2, of the task that it pulls against; NaN: unknown */
    stiction_place at;         /* of what names it; its path is the caller's */
} push;

/* Without a force: that is a mistake until it has one. */
push push_default(void);

/* Sets one of its keys; force and impulse may be one number where the push has a direction. */
bool push_set(push *p, const char *key, const char *value, char message[PUSH_SENTENCE]);
/* Sets keys by a text of KEY=VALUE, with blanks between them. */
bool push_read(push *p, const char *text, char message[PUSH_SENTENCE]);
/* Whether it is whole; the force then is that of the impulse. */
bool push_check(push *p, char message[PUSH_SENTENCE]);

/* How much of the force acts in the step that begins at a time: 0 to 1. An impulse is exact where
 * time and duration are whole numbers of steps. */
double push_share(const push *p, double time, double timestep);

/* ---- several ---- */

/* Start from zeros. */
typedef struct push_list {
    push *items;
    size_t count;
} push_list;

void push_list_free(push_list *list);
/* False: no memory. */
bool push_list_add(push_list *list, const push *p);

/*
 * What the user says on top of a project: `key` is "push" (its value the text of one more, or
 * "none": all before are dropped), "push.KEY" (of all of them) or "push.NAME.KEY".
 */
bool push_list_set(push_list *list, const char *key, const char *value,
                   char message[PUSH_SENTENCE]);
/* Whether there can be such a key and value, without a project. */
bool push_list_may_set(const char *key, const char *value, char message[PUSH_SENTENCE]);
/* Names those that have none, and checks all; *which is the one that the message is about. */
bool push_list_check(push_list *list, size_t *which, char message[PUSH_SENTENCE]);

/* ---- where it acts ---- */

/* The bodies of a simulation. */
typedef struct push_bodies {
    const void *context;
    size_t count;
    const char *(*name)(const void *context, size_t body);
    const char *(*link)(const void *context, size_t body, size_t link); /* NULL: no more */
    bool (*moves)(const void *context, size_t body, size_t link);
} push_bodies;

bool push_find(const push *p, const push_bodies *bodies, size_t *body, size_t *link,
               char message[PUSH_SENTENCE]);

STICTION_END_C

#endif
