/* SPDX-License-Identifier: MIT
 * Every allocation of a walk through a library failing in turn, once and with all after it: the
 * walk must end with STICTION_OUT_OF_MEMORY and say so, or be as it is with memory, and leave
 * nothing allocated.
 */
#ifndef STICTION_TESTS_FAULTS_IN_TURN_H
#define STICTION_TESTS_FAULTS_IN_TURN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"
#include "stiction/stiction.h"

/* What a walk ended with. */
typedef struct walk {
    stiction_status status;
    const char *call;
    stiction_error error;    /* of calls that fill one */
    stiction_errors *errors; /* of calls that fill a list; may be NULL */
    double result;           /* that must not depend on failures */
} walk;

/* Notes how a call ended; false: the walk ends with it. */
static inline bool went(walk *w, const char *call, stiction_status status) {
    w->status = status;
    w->call = call;
    return status == STICTION_OK;
}

/* Calls that give NULL have no other reason. */
static inline bool made(walk *w, const char *call, const void *thing) {
    if (thing) return true;
    snprintf(w->error.message, sizeof w->error.message, "out of memory");
    return went(w, call, STICTION_OUT_OF_MEMORY);
}

typedef void walk_call(walk *w);

typedef struct in_turn {
    const char *name;
    walk_call *go;
    long first, then; /* each of the first, then so many of the rest; then < 0: all */
    bool others_leak; /* where a message begins with "MuJoCo:" what it had in hand is lost */
} in_turn;

static inline int complain_of(const in_turn *t, const walk *w, long n, const char *what) {
    printf("FAILED: %s, allocation %ld: %s: %s (status %d: %s)\n", t->name, n, what, w->call,
           (int)w->status, w->error.message);
    return 1;
}

/* How many failed as they must not. */
static inline int try_in_turn(const in_turn *t, bool on) {
    walk expected = {.status = STICTION_OK};
    faults_arm(0, false);
    t->go(&expected); /* and what the C library allocates once */
    faults_arm(0, false);
    expected = (walk){.status = STICTION_OK};
    t->go(&expected);
    const long total = faults_counted();
    int bad = expected.status == STICTION_OK ? 0 : complain_of(t, &expected, 0, "fails");
    long injected = 0, refused = 0;
    const bool all = t->then < 0 || getenv("FAULTS_ALL");
    const long stride = all || total <= t->first ? 1 : (total - t->first) / t->then + 1;
    for (long n = 1; n <= total && bad < 10; n += n < t->first ? 1 : stride) {
        const long before = faults_live();
        walk w = {.status = STICTION_OK};
        faults_arm(n, on);
        t->go(&w);
        faults_arm(0, false);
        const long left = faults_live() - before;
        injected++;
        refused += w.status != STICTION_OK;
        const bool lost = t->others_leak && strncmp(w.error.message, "MuJoCo:", 7) == 0;
        if (left && !lost) {
            printf("%ld are not freed\n", left);
            bad += complain_of(t, &w, n, "leaks");
        }
        /* errors of controllers have a message and no status of their own */
        const bool controllers = strncmp(w.error.message, "controller '", 12) == 0;
        if (w.status != STICTION_OK && w.status != STICTION_OUT_OF_MEMORY && !controllers)
            bad += complain_of(t, &w, n, "another status");
        if (w.status != STICTION_OK && !strstr(w.error.message, "memory"))
            bad += complain_of(t, &w, n, "another message");
        if (w.status == STICTION_OK && memcmp(&w.result, &expected.result, sizeof w.result) != 0)
            bad += complain_of(t, &w, n, "another result");
    }
    printf("%s%s: %ld of %ld allocations made to fail: %ld refused, %ld without effect\n", t->name,
           on ? " (and all after it)" : "", injected, total, refused, injected - refused);
    return bad || !refused;
}

#endif
