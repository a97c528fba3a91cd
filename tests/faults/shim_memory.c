/* SPDX-License-Identifier: MIT
 * malloc and its kin, counted, and made to fail at will. A library to preload, or part of a test
 * program, whose libraries then use it, too.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "shim.h"

static atomic_long live;

/* The functions that ours replace; looked up at the first call, which may be any. */
static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void (*free)(void *);
    int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    pid_t (*fork)(void);
} real;

/* Memory for the look-up itself: never freed. */
static char early[65536];
static size_t early_used;

static void *take_early(size_t size) {
    early_used = (early_used + 15) & ~(size_t)15;
    if (size > sizeof early - early_used) abort();
    early_used += size;
    return early + early_used - size;
}

static bool is_early(const void *memory) {
    return (const char *)memory >= early && (const char *)memory < early + sizeof early;
}

static bool looking_up;

static bool is_ready(void) {
    if (real.free) return true;
    if (looking_up) return false;
    looking_up = true;
    shim_find(&real.malloc, "malloc");
    shim_find(&real.calloc, "calloc");
    shim_find(&real.realloc, "realloc");
    shim_find(&real.aligned_alloc, "aligned_alloc");
    shim_find(&real.posix_memalign, "posix_memalign");
    shim_find(&real.pthread_create, "pthread_create");
    shim_find(&real.fork, "fork");
    shim_find(&real.free, "free");
    looking_up = false;
    return true;
}

#ifndef FAULTS_PRELOADED /* where shim_files.c knows what fails */
static atomic_long fails_at, counted;
static atomic_bool fails_on;

bool faults_fails_memory(void) {
    const long n = atomic_fetch_add(&counted, 1) + 1, at = atomic_load(&fails_at);
    return at && (n == at || (n > at && atomic_load(&fails_on)));
}

void faults_arm(long n, bool on) {
    atomic_store(&counted, 0);
    atomic_store(&fails_on, on);
    atomic_store(&fails_at, n);
}

long faults_counted(void) {
    return atomic_load(&counted);
}
#endif

long faults_live(void) {
    return atomic_load(&live);
}

static bool fails(void) {
    if (!faults_fails_memory()) return false;
    errno = ENOMEM;
    return true;
}

static void *counting(void *memory) {
    if (memory) atomic_fetch_add(&live, 1);
    return memory;
}

SHOWN void *malloc(size_t size) {
    if (!is_ready()) return take_early(size);
    return fails() ? NULL : counting(real.malloc(size));
}

SHOWN void *calloc(size_t count, size_t size) {
    if (!is_ready()) return take_early(count * size); /* of zeros */
    return fails() ? NULL : counting(real.calloc(count, size));
}

SHOWN void *realloc(void *memory, size_t size) {
    if (!is_ready() || is_early(memory)) abort();
    if (fails()) return NULL;
    void *moved = real.realloc(memory, size);
    if (!memory) return counting(moved);
    if (!size && !moved) atomic_fetch_sub(&live, 1);
    return moved;
}

SHOWN void *reallocarray(void *memory, size_t count, size_t size) {
    if (size && count > (size_t)-1 / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, count * size);
}

SHOWN void *aligned_alloc(size_t alignment, size_t size) {
    (void)is_ready();
    return fails() ? NULL : counting(real.aligned_alloc(alignment, size));
}

SHOWN void *memalign(size_t alignment, size_t size) {
    return aligned_alloc(alignment, size);
}

SHOWN int posix_memalign(void **memory, size_t alignment, size_t size) {
    (void)is_ready();
    if (fails()) return ENOMEM;
    const int problem = real.posix_memalign(memory, alignment, size);
    if (!problem) (void)counting(*memory);
    return problem;
}

SHOWN void free(void *memory) {
    if (!memory || is_early(memory)) return;
    (void)is_ready();
    atomic_fetch_sub(&live, 1);
    real.free(memory);
}

/* Threads and processes need memory, too. */
SHOWN int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *call(void *),
                         void *argument) {
    (void)is_ready();
    return faults_fails_memory() ? EAGAIN : real.pthread_create(thread, attributes, call, argument);
}

SHOWN pid_t fork(void) {
    (void)is_ready();
    return fails() ? -1 : real.fork();
}
