/* SPDX-License-Identifier: MIT
 * Threads that share the steps of a batch. Each has its own share of the parts, the same in every
 * step, so that its joints stay in its cache; threads that are done help the others. Between two
 * steps they poll for some microseconds, since the steps of a simulator follow each other closely,
 * and then sleep.
 */
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct worker {
    pool *pool;
    size_t share;
    unsigned round; /* in which it was started */
    pthread_t thread;
} worker;

/* The parts of one thread that have not been started; on a separate cache line. */
typedef struct share {
    _Alignas(64) atomic_size_t next;
    size_t end;
} share;

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    atomic_uint round;     /* rises with each piece of work */
    atomic_size_t working; /* threads that have not finished this round */
    bool stop;
    pool_work work;
    void *context;
    share *shares;
    size_t threads; /* the caller's among them: of shares */
    size_t count;   /* of workers that run */
    pid_t process;  /* in which they run */
    worker workers[];
};

/* About as many polls as take the time needed to wake a thread. */
enum { polls = 20000 };

static void work_off(pool *p, size_t own) {
    for (size_t k = 0; k < p->threads; k++) {
        share *s = &p->shares[(own + k) % p->threads];
        for (size_t part; (part = atomic_fetch_add(&s->next, 1)) < s->end;)
            p->work(p->context, part);
    }
}

static void wait_for_round(pool *p, unsigned last) {
    for (int k = 0; k < polls; k++)
        if (atomic_load_explicit(&p->round, memory_order_acquire) != last) return;
    (void)pthread_mutex_lock(&p->mutex);
    while (atomic_load(&p->round) == last) (void)pthread_cond_wait(&p->wake, &p->mutex);
    (void)pthread_mutex_unlock(&p->mutex);
}

static void *run_worker(void *context) {
    worker *w = context;
    pool *p = w->pool;
    for (unsigned last = w->round;; last++) {
        wait_for_round(p, last);
        if (p->stop) return NULL;
        work_off(p, w->share);
        if (atomic_fetch_sub(&p->working, 1) > 1) continue;
        (void)pthread_mutex_lock(&p->mutex);
        (void)pthread_cond_signal(&p->done);
        (void)pthread_mutex_unlock(&p->mutex);
    }
}

static void begin_round(pool *p) {
    atomic_store(&p->working, p->count);
    (void)pthread_mutex_lock(&p->mutex);
    (void)atomic_fetch_add(&p->round, 1);
    (void)pthread_cond_broadcast(&p->wake);
    (void)pthread_mutex_unlock(&p->mutex);
}

static void wait_until_done(pool *p) {
    for (int k = 0; k < polls; k++)
        if (atomic_load_explicit(&p->working, memory_order_acquire) == 0) return;
    (void)pthread_mutex_lock(&p->mutex);
    while (atomic_load(&p->working) > 0) (void)pthread_cond_wait(&p->done, &p->mutex);
    (void)pthread_mutex_unlock(&p->mutex);
}

/* False: not all of them could be started. */
static bool start_workers(pool *p) {
    (void)pthread_mutex_init(&p->mutex, NULL);
    (void)pthread_cond_init(&p->wake, NULL);
    (void)pthread_cond_init(&p->done, NULL);
    p->process = getpid();
    bool complete = true;
    for (p->count = 0; complete && p->count + 1 < p->threads; p->count += complete) {
        worker *w = &p->workers[p->count];
        *w = (worker){.pool = p, .share = p->count + 1, .round = atomic_load(&p->round)};
        complete = pthread_create(&w->thread, NULL, run_worker, w) == 0;
    }
    return complete;
}

void stiction_pool_run(pool *p, pool_work work, void *context, size_t parts) {
    /* a child process has the memory of its parent and none of its threads; with fewer threads the
     * others do their parts */
    if (p->process != getpid()) (void)start_workers(p);
    p->work = work;
    p->context = context;
    for (size_t k = 0; k < p->threads; k++) {
        atomic_store(&p->shares[k].next, parts * k / p->threads);
        p->shares[k].end = parts * (k + 1) / p->threads;
    }
    begin_round(p);
    work_off(p, 0);
    wait_until_done(p);
}

pool *stiction_pool_create(size_t threads) {
    pool *p = calloc(1, sizeof *p + threads * sizeof *p->workers);
    if (!p) return NULL;
    p->threads = threads;
    p->shares = aligned_alloc(_Alignof(share), threads * sizeof *p->shares);
    if (start_workers(p) && p->shares) return p;
    stiction_pool_destroy(p);
    return NULL;
}

void stiction_pool_destroy(pool *p) {
    if (!p) return;
    if (p->process == getpid()) { /* in a child nobody waits for work */
        p->stop = true;
        begin_round(p);
        for (size_t k = 0; k < p->count; k++) (void)pthread_join(p->workers[k].thread, NULL);
        (void)pthread_cond_destroy(&p->done);
        (void)pthread_cond_destroy(&p->wake);
        (void)pthread_mutex_destroy(&p->mutex);
    }
    free(p->shares);
    free(p);
}
