/* SPDX-License-Identifier: MIT
 * Where the time of a run goes.
 */
#include "times.h"

#include <time.h>

_Thread_local times *times_asked;

/* Controllers act every so many steps, 2, 4, 5 or 10: seven sees all of them. */
enum { every = 7 };

/* So many times the usual is an interruption, once it was seen often enough. */
enum { odd = 50, few = 20 };

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *times_name(times_part part) {
    static const char *const names[TIMES_PARTS] = {
        [TIMES_READING] = "reading",       [TIMES_MUJOCO] = "MuJoCo",
        [TIMES_CONTROLLER] = "controller", [TIMES_QP] = "its QP",
        [TIMES_FRICTION] = "friction",     [TIMES_RECORDING] = "recording",
        [TIMES_VIDEO] = "video",           [TIMES_SERIES] = "writing series",
        [TIMES_SUMMARY] = "summary",       [TIMES_REPORT] = "report",
        [TIMES_PICTURES] = "pictures",     [TIMES_DISK] = "checksums, disk",
        [TIMES_OTHER] = "everything else"};
    return names[part];
}

void times_begin(times *t) {
    *t = (times){.last = now()};
    times_asked = t;
}

void times_add(times_part part) {
    times *t = times_asked;
    const double time = now();
    t->seconds[part] += time - t->last;
    t->last = time;
}

void times_add_steps(void) {
    times *t = times_asked;
    const double time = now();
    t->steps_seconds += time - t->last;
    t->last = time;
    t->is_sampled = false;
}

void times_begin_sample(void) {
    times *t = times_asked;
    t->is_sampled = t->steps++ % every == 0;
    if (t->is_sampled) t->mark = now();
}

void times_add_sample(times_part part) {
    times *t = times_asked;
    const double time = now(), passed = time - t->mark;
    t->mark = time;
    if (t->sample_counts[part] >= few &&
        passed * (double)t->sample_counts[part] > odd * t->sampled_seconds[part])
        return;
    t->sampled_seconds[part] += passed;
    t->sample_counts[part]++;
}

void times_end(void) {
    times *t = times_asked;
    double all = 0;
    times_add(TIMES_OTHER);
    times_asked = NULL;
    for (size_t k = 0; k < TIMES_PARTS; k++) all += t->sampled_seconds[k];
    for (size_t k = 0; k < TIMES_PARTS && all > 0; k++)
        t->seconds[k] += t->steps_seconds * (t->sampled_seconds[k] / all);
    if (!(all > 0)) t->seconds[TIMES_OTHER] += t->steps_seconds;
}
