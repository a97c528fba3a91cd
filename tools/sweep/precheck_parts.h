/*
 * What of which run must be looked at, so that all of them are known: runs that have the same
 * project and the same values of all keys of a part are one case of it. And which value of the
 * sweep file is to blame where some cannot begin.
 */
#ifndef STICTION_TOOLS_SWEEP_PRECHECK_PARTS_H
#define STICTION_TOOLS_SWEEP_PRECHECK_PARTS_H

#include "run/settings.h"
#include "sweep/runner.h"

/* Behind the parts of settings: the run as a whole, with the values of all keys. */
enum { PART_ALL = SETTINGS_PART_COUNT, PART_COUNT };

typedef struct part_case {
    size_t first; /* of todo, that has it */
    unsigned part;
    char *refusal; /* why runs of it cannot begin; NULL: nothing is known against it */
} part_case;

/* A run to look at. */
typedef struct part_look {
    size_t task;     /* of todo */
    unsigned wanted; /* bit p: its case of part p */
} part_look;

typedef struct part_cases {
    const sweep_runner *r;
    part_case *cases;
    size_t case_count, case_room;
    uint32_t *of_run; /* PART_COUNT each: the number of its case and 1; 0: none */
    part_look *looks; /* in the order of the runs */
    size_t look_count;
    uint32_t *slots; /* a hash table of the cases */
    size_t slot_count;
} part_cases;

/* `splits` tells of a run of todo whether its parts are looked at one by one. */
part_cases part_cases_find(const sweep_runner *r, bool (*splits)(void *user, size_t task),
                           void *user);
void part_cases_free(part_cases *p);

/* The case of a run was found wanting. */
void part_cases_refuse(part_cases *p, size_t task, unsigned part, const char *sentence);

/* Why a run cannot begin; NULL: it can. */
const part_case *part_cases_refusal(const part_cases *p, size_t task);

/* The runs of one refusal. */
typedef struct part_blame {
    size_t first, count; /* of todo */
    stiction_place at;   /* in the sweep file; without a line: it is not known */
    char *what;          /* "law=coulomb", "project wrist.cnoid"; the caller frees it */
} part_blame;

/* Who is to blame for a sentence that some runs of a part were refused for. */
part_blame part_cases_blame(const part_cases *p, unsigned part, const char *sentence);

#endif
