/* SPDX-License-Identifier: MIT
 * What the shim and the driver share: a page of memory that all processes of a run see. Environment
 * of the shim:
 *
 *   FAULTS_PAGE     the file of the page; without it the shim does nothing
 *   FAULTS_MEMORY   the number of the allocation that fails, from 1 on; 0: all are counted only
 *   FAULTS_WRITES   the number of the call that writes and fails
 *   FAULTS_ON       all calls after it fail as well
 *   FAULTS_ERRNO    why a write fails, a number
 *   FAULTS_TRACE    the first that fails says on stderr who called
 */
#ifndef STICTION_TESTS_FAULTS_SHIM_H
#define STICTION_TESTS_FAULTS_SHIM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct faults_page {
    atomic_long allocations, writes; /* so far, of all processes */
    atomic_long injected;            /* how many were made to fail */
    char call[32];                   /* the first of them */
    char path[512];                  /* of a file, where there is one */
} faults_page;

/* A call of the kind that is counted: whether it must fail. */
bool faults_fails_memory(void);
/* Allocations that are not freed yet, of this process. */
long faults_live(void);
/* From now on the n-th allocation fails, and with `on` all after it; 0: none. Counts anew. */
void faults_arm(long n, bool on);
/* Allocations since. */
long faults_counted(void);

/* Where shim_files.c is part of a program: from now on the n-th call that writes, or looks at a
 * file, fails for the reason `why`, and those after it whose bits are set (bit 0: itself); 0: all
 * are counted only. */
void faults_arm_files(long n, unsigned which, int why);
void faults_disarm_files(void);
/* What happened since. */
const faults_page *faults_files(void);

/* The function that ours replaces, looked up once. A pointer to it out of one to an object, which
 * ISO C does not convert. Its users include dlfcn.h with _GNU_SOURCE. */
#ifdef RTLD_NEXT
#define SHOWN __attribute__((visibility("default")))
#define REAL(name)                                                                                 \
    static __typeof__(&(name)) real;                                                               \
    if (!real) shim_find(&real, #name)

static inline void shim_find(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    __builtin_memcpy(function, &found, sizeof found);
}
#endif

#endif
