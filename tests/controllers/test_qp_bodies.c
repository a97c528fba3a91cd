/* SPDX-License-Identifier: MIT
 * The quadratic program on sequences of a humanoid on two feet that stands, squats and is pushed,
 * as a whole-body controller has them, 73 variables and 91 with the fingers: all solved, exactly,
 * without allocation, to the same bits each time, from nothing and from the solution before.
 */
#include <stdbool.h>

#include "allocations.h"
#include "bench/body_programs.h"
#include "check.h"
#include "qp_kkt.h"

enum { most_variables = 91, most_rows = 180, foot_rows = 6, first_foot_row = 6 };

static const char project[] = "../sample_projects/humanoid/humanoid_standing.cnoid";
static const double duration = 2, required = 1e-10;

typedef struct solution {
    double x[most_variables], multipliers[most_rows];
    signed char active[most_rows];
} solution;

static void *workspace(void) {
    static void *room;
    if (!room) room = malloc(qp_workspace_size(most_variables, most_rows));
    CHECK(room != NULL);
    return room;
}

/* From nothing, or from what `s` holds. Twice: what comes out does not depend on what was before.
 */
static qp_result solve(const qp_problem *p, bool warm, solution *s) {
    static solution again;
    void *room = workspace();
    again = *s;
    const long before = allocations;
    const qp_result result = qp_solve_warm(p, warm ? s->active : NULL, s->x, s->multipliers, room);
    CHECK(allocations == before);
    memset(room, 0x55, qp_workspace_size(p->n, p->m));
    (void)qp_solve_warm(p, warm ? again.active : NULL, again.x, again.multipliers, room);
    CHECK(memcmp(s->x, again.x, p->n * sizeof *s->x) == 0);
    CHECK(memcmp(s->multipliers, again.multipliers, p->m * sizeof *s->x) == 0);
    CHECK(memcmp(s->active, again.active, p->m) == 0);
    return result;
}

typedef struct tally {
    int programs;
    size_t most_active, changes;
    double worst, difference;
} tally;

static void check_step(tally *t, const qp_problem *p, solution *warm) {
    static solution cold, before;
    before = *warm;
    const qp_result first = solve(p, false, &cold), second = solve(p, true, warm);
    if (first.status != QP_SOLVED || second.status != QP_SOLVED) {
        FAIL("program %d of %zu variables: status %d, warm %d", t->programs, p->n,
             (int)first.status, (int)second.status);
        return;
    }
    t->programs++;
    t->worst = fmax(t->worst, kkt_error(p, cold.x, cold.multipliers));
    t->worst = fmax(t->worst, kkt_error(p, warm->x, warm->multipliers));
    double largest = 0, difference = 0;
    for (size_t k = 0; k < p->n; k++) {
        largest = fmax(largest, fabs(cold.x[k]));
        difference = fmax(difference, fabs(cold.x[k] - warm->x[k]));
    }
    t->difference = fmax(t->difference, difference / largest);
    size_t active = 0;
    for (size_t i = 0; i < p->m; i++) {
        active += warm->active[i] != 0;
        t->changes += warm->active[i] != before.active[i];
    }
    t->most_active = active > t->most_active ? active : t->most_active;
}

static body_programs *programs(bool fingers) {
    stiction_error error = {.status = STICTION_OK};
    body_programs *b = body_programs_create(project, fingers, &error);
    if (!b) {
        FAIL("%s: %s", error.path, error.message);
        exit(EXIT_FAILURE);
    }
    return b;
}

/* A program in the place of another, with the same variables. */
typedef qp_problem (*variation)(const qp_problem *p);

static qp_problem as_it_is(const qp_problem *p) {
    return *p;
}

static void check_sequences(bool fingers, int steps, variation vary) {
    body_programs *b = programs(fingers);
    for (body_motion motion = 0; motion < body_motion_count; motion++) {
        solution s = {.x = {0}};
        tally t = {0};
        for (int k = 0; k < steps; k++) {
            const qp_problem given = body_programs_at(b, motion, duration * k / steps);
            const qp_problem p = vary(&given);
            check_step(&t, &p, &s);
        }
        printf("%s: %d programs, up to %zu rows at a bound, %zu changes; error %.1e, warm within "
               "%.1e\n",
               body_motion_name(motion), t.programs, t.most_active, t.changes, t.worst,
               t.difference);
        CHECK(t.programs == steps && t.worst <= required && t.difference <= 1e-10);
        if (motion != BODY_STANDING) CHECK(t.most_active >= 8 && t.changes >= 8);
    }
    body_programs_destroy(b);
}

TEST(sequences_of_73_variables_are_solved) {
    check_sequences(false, ROUNDS(200), as_it_is);
}

TEST(sequences_of_91_variables_are_solved) {
    check_sequences(true, ROUNDS(100), as_it_is);
}

TEST(the_programs_have_the_size_that_is_said) {
    const struct {
        bool fingers;
        size_t n, rows;
    } sizes[] = {{false, 73, 102}, {true, 91, 138}};
    for (size_t k = 0; k < 2; k++) {
        body_programs *b = programs(sizes[k].fingers);
        const qp_problem p = body_programs_at(b, BODY_STANDING, 0);
        size_t equalities = 0;
        for (size_t i = 0; i < p.m; i++) {
            equalities += p.lower[i] == p.upper[i];
            CHECK(isfinite(p.lower[i]) && isfinite(p.upper[i]));
        }
        CHECK(p.n == sizes[k].n && equalities == 18 && p.m == 18 + sizes[k].rows);
        body_programs_destroy(b);
    }
}

/* A foot that does not accelerate, said by its four corners: twelve rows of rank six. */
static qp_problem by_corners(const qp_problem *p) {
    enum { corners = 4, rows = 3 * corners };
    static const double arms[corners][3] = {
        {0.16, 0.07, -0.1}, {0.16, -0.07, -0.1}, {-0.1, 0.07, -0.1}, {-0.1, -0.07, -0.1}};
    static double A[most_rows * most_variables], lower[most_rows], upper[most_rows];
    size_t row = 0;
    for (size_t i = 0; i < p->m; i++) {
        const bool contact = i >= first_foot_row && i < first_foot_row + 2 * foot_rows;
        if (contact && i % foot_rows != 0) continue;
        if (!contact) {
            memcpy(A + row * p->n, p->A + i * p->n, p->n * sizeof *A);
            lower[row] = p->lower[i];
            upper[row++] = p->upper[i];
            continue;
        }
        for (size_t corner = 0; corner < corners; corner++)
            for (size_t c = 0; c < 3; c++, row++) {
                /* linear + angular x arm */
                const size_t u = (c + 1) % 3, v = (c + 2) % 3;
                const double *linear = p->A + (i + c) * p->n;
                const double *angular_u = p->A + (i + 3 + u) * p->n;
                const double *angular_v = p->A + (i + 3 + v) * p->n;
                const double *arm = arms[corner];
                for (size_t k = 0; k < p->n; k++)
                    A[row * p->n + k] = linear[k] + angular_u[k] * arm[v] - angular_v[k] * arm[u];
                lower[row] = upper[row] =
                    p->lower[i + c] + p->lower[i + 3 + u] * arm[v] - p->lower[i + 3 + v] * arm[u];
            }
    }
    return (qp_problem){p->n, row, p->H, p->g, A, lower, upper};
}

TEST(contacts_said_by_corners_are_no_trouble) {
    check_sequences(false, ROUNDS(100), by_corners);
}
