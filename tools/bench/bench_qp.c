/* SPDX-License-Identifier: MIT
 * stiction bench, part qp: the solver of quadratic programs on those of a humanoid's motions, from
 * nothing and from the rows of the solution before. Processor time of each program; the
 * least of several solutions, since disturbances only add time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "body_programs.h"
#include "common/command.h"

enum { steps = 1000, quick_steps = 5 };
static const double timestep = 1e-3; /* s */

typedef struct timing {
    double *seconds; /* one per program */
    size_t iterations;
    bool solved;
} timing;

static double processor_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct work {
    double *x;
    signed char *active, *guess;
    void *workspace;
} work;

/* The least of some times of one program; `active` becomes what the solution holds. */
static double time_one(const qp_problem *p, const work *w, bool warm, size_t repeat,
                       qp_result *result) {
    double least = (double)INFINITY;
    for (size_t k = 0; k < repeat; k++) {
        memcpy(w->active, w->guess, p->m);
        const double before = processor_seconds();
        *result = warm ? qp_solve_warm(p, w->active, w->x, NULL, w->workspace)
                       : qp_solve(p, w->x, NULL, w->workspace);
        least = fmin(least, processor_seconds() - before);
    }
    if (warm && result->status == QP_SOLVED) memcpy(w->guess, w->active, p->m);
    return least;
}

static timing time_motion(body_programs *b, body_motion motion, bool warm, size_t count,
                          size_t repeat) {
    timing t = {.seconds = allocate(count, sizeof(double)), .solved = true};
    const qp_problem first = body_programs_at(b, motion, 0);
    const work w = {.x = allocate(first.n, sizeof(double)),
                    .active = allocate(first.m, 1),
                    .guess = allocate(first.m, 1),
                    .workspace = allocate(1, qp_workspace_size(first.n, first.m))};
    for (size_t k = 0; k < count; k++) {
        const qp_problem p = body_programs_at(b, motion, timestep * (double)k);
        qp_result result = {.status = QP_BAD_INPUT};
        t.seconds[k] = time_one(&p, &w, warm, repeat, &result);
        t.iterations += result.iterations;
        t.solved = t.solved && result.status == QP_SOLVED;
    }
    free(w.x);
    free(w.active);
    free(w.guess);
    free(w.workspace);
    return t;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const table_column columns[] = {
    {"variables", NULL, 0},
    {"rows", NULL, 0},
    {"motion", NULL, 0},
    {"start", NULL, 0},
    {"median_us", "median (us)", 4},
    {"p99_us", "99 % below (us)", 4},
    {"iterations", "iterations, mean", 3},
};

static bool measure_programs(const bench_request *request, body_programs *b, table *t,
                             stiction_error *error) {
    const size_t count = request->quick ? quick_steps : steps;
    const size_t repeat = request->repeat < 5 ? request->repeat : 5;
    for (body_motion motion = 0; motion < body_motion_count; motion++)
        for (int warm = 0; warm < 2; warm++) {
            const qp_problem p = body_programs_at(b, motion, 0);
            timing times = time_motion(b, motion, warm, count, repeat);
            qsort(times.seconds, count, sizeof *times.seconds, by_value);
            table_count(t, p.n);
            table_count(t, p.m);
            table_text(t, body_motion_name(motion));
            table_text(t, warm ? "warm" : "cold");
            table_number(t, 1e6 * times.seconds[count / 2]);
            table_number(t, 1e6 * times.seconds[count * 99 / 100]);
            table_number(t, (double)times.iterations / (double)count);
            free(times.seconds);
            if (!times.solved)
                return fail(error, "qp: a program of the motion %s was not solved",
                            body_motion_name(motion));
        }
    return true;
}

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    bool fine = true;
    for (int fingers = 0; fine && fingers < 2; fingers++) {
        body_programs *b = body_programs_create(project, fingers, error);
        fine = b && measure_programs(request, b, t, error);
        body_programs_destroy(b);
    }
    return fine;
}

const bench_part bench_qp = {
    .name = "qp",
    .needs_project = true,
    .only_if_named = true,
    BENCH_COLUMNS(columns),
    .measure = measure,
};
