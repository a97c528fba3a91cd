/* SPDX-License-Identifier: MIT
 * Walks through a library while its calls fail, each in turn: what begins as `prepare` leaves it
 * must be as `check` says, whatever failed. test_files.c says how a failure is armed.
 */
#ifndef STICTION_TESTS_FAULTS_WALKS_H
#define STICTION_TESTS_FAULTS_WALKS_H

#include "../check.h"
#include "../temporary_folder.h"
#include "common/folder.h"
#include "shim.h"
#include "stiction/error.h"

typedef struct scenario {
    const char *name;
    void (*prepare)(void);
    bool (*go)(void);
    void (*check)(bool went_well);
    long step;    /* of the sample: every so many calls */
    bool refuses; /* always */
} scenario;

/* One kind of failure. */
typedef struct kind_of_failure {
    const char *name;
    int why;        /* errno */
    unsigned which; /* of the calls from the n-th on: bit 0 is that one */
} kind_of_failure;

/* Lets the n-th call fail; 0: none. */
static void arm(long n, const kind_of_failure *kind);
/* Nothing fails any more; how many calls there were. */
static long disarm(void);

static stiction_error error;
static char out[128], trial[800], failing_call[600];

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) FAIL("%s: not true: %s", trial, #condition);                             \
    } while (0)

/* In memory, where renames wait for no disk. */
static inline void begin(const scenario *s) {
    (void)strcpy(temporary_root, "/dev/shm/stiction_test_XXXXXX");
    const char *root = mkdtemp(temporary_root) ? temporary_root : temporary_folder_make();
    (void)snprintf(out, sizeof out, "%s/out", root);
    s->prepare();
}

/* Every call of the first kind, of the others a sample; FAULTS_ALL: every one. */
static inline void fail_in_turn(const scenario *s, const kind_of_failure *kinds, int count) {
    long total = 0, refused = 0, all = 0;
    for (int k = 0; k < count; k++) {
        const long step = k && !getenv("FAULTS_ALL") ? s->step : 1;
        for (long n = k ? 1 + k % step : 0; n <= total && check_failures < 5; n += step) {
            begin(s);
            error = (stiction_error){.status = STICTION_OK};
            arm(n, &kinds[k]);
            const bool fine = s->go();
            const long calls = disarm();
            (void)snprintf(trial, sizeof trial, "%s: call %ld (%s), %s", s->name, n, failing_call,
                           kinds[k].name);
            if (!n) total = calls;
            if (!n) EXPECT(fine != s->refuses);
            all++;
            refused += !fine;
            EXPECT(fine || error.message[0]);
            s->check(fine);
            folder_remove(temporary_root);
        }
    }
    printf("%s: %ld failures among %ld calls, %ld times refused\n", s->name, all, total, refused);
    CHECK(refused > all / 4); /* or nothing failed */
}

#endif
