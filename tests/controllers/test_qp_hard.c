/* SPDX-License-Identifier: MIT
 * The quadratic program where it is hard: equalities beside x >= 0, corners where more rows meet
 * than there are variables, rows that follow from others, units over twelve decades,
 * contradictions, and a start from the rows of another solution. QP_ROUNDS in the environment asks
 * for as many programs of the first kind; `ninja qp-all` for 10,000.
 */
#include <stdbool.h>

#include "allocations.h"
#include "check.h"
#include "controllers/qp/qp.h"
#include "controllers/qp/qp_kernels.h"
#include "qp_kkt.h"
#include "random.h"

enum { most_variables = 96, most_rows = 320 };
static const double infinity = (double)INFINITY;

/* Of all of them; see qp_kkt.h for what it is relative to. */
static const double required = 1e-10;

typedef struct program {
    size_t n, m;
    double H[most_variables * most_variables], g[most_variables];
    double A[most_rows * most_variables], lower[most_rows], upper[most_rows];
    double point[most_variables]; /* keeps all rows */
    double x[most_variables], multipliers[most_rows];
    signed char active[most_rows];
} program;

static qp_problem problem_of(const program *p) {
    return (qp_problem){p->n, p->m, p->H, p->g, p->A, p->lower, p->upper};
}

/* Room for the largest; nothing may be allocated while a program is solved. */
static void *workspace(void) {
    static void *room;
    if (!room) room = malloc(qp_workspace_size(most_variables, most_rows));
    CHECK(room != NULL);
    return room;
}

static qp_result solve(program *p) {
    const qp_problem problem = problem_of(p);
    return qp_solve(&problem, p->x, p->multipliers, workspace());
}

static qp_result solve_warm(program *p) {
    const qp_problem problem = problem_of(p);
    return qp_solve_warm(&problem, p->active, p->x, p->multipliers, workspace());
}

static double error_of(const program *p) {
    const qp_problem problem = problem_of(p);
    return kkt_error(&problem, p->x, p->multipliers);
}

/* H = B'B/n + ridge. */
static void random_objective(random_source *r, program *p, double ridge) {
    static double B[most_variables][most_variables];
    const size_t n = p->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) B[i][j] = random_uniform(r, -1, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += B[k][i] * B[k][j];
            p->H[i * n + j] = p->H[j * n + i] = sum / (double)n + (i == j ? ridge : 0);
        }
    for (size_t i = 0; i < n; i++) p->g[i] = random_uniform(r, -1, 1);
}

static double row_value(const program *p, size_t row, const double *x) {
    double value = 0;
    for (size_t k = 0; k < p->n; k++) value += p->A[row * p->n + k] * x[k];
    return value;
}

static double *add_row(program *p) {
    double *row = p->A + p->m * p->n;
    memset(row, 0, p->n * sizeof *row);
    p->lower[p->m] = -infinity;
    p->upper[p->m++] = infinity;
    return row;
}

/* A row in any direction that is an equality at the point. */
static void add_equality(random_source *r, program *p) {
    double *row = add_row(p);
    for (size_t k = 0; k < p->n; k++) row[k] = random_uniform(r, -1, 1);
    p->lower[p->m - 1] = p->upper[p->m - 1] = row_value(p, p->m - 1, p->point);
}

/* Strictly convex, n/4 equalities, and x >= 0. */
static void equalities_and_bounds(random_source *r, program *p, size_t n) {
    p->n = n;
    p->m = 0;
    random_objective(r, p, random_decade(r, -3, 0));
    for (size_t k = 0; k < n; k++)
        p->point[k] = random_uniform(r, 0, 1) < 0.5 ? 0 : random_uniform(r, 0, 1);
    p->point[0] += 0.1; /* else a row may have no terms to be relative to */
    for (size_t i = 0; i < n / 4; i++) add_equality(r, p);
    for (size_t k = 0; k < n; k++) {
        add_row(p)[k] = 1;
        p->lower[p->m - 1] = 0;
    }
}

/* The same in other units of rows and variables. */
static void spoil_scaling(random_source *r, program *p, double decades) {
    for (size_t i = 0; i < p->m; i++) {
        const double unit = random_decade(r, -decades, decades);
        for (size_t k = 0; k < p->n; k++) p->A[i * p->n + k] *= unit;
        p->lower[i] *= unit;
        p->upper[i] *= unit;
    }
}

/* Solved, exactly, without allocation, to the same bits again: what is asked of every program. */
static void check_solved(program *p, int number, double *worst) {
    static program again;
    (void)workspace();
    const long before = allocations;
    const qp_result result = solve(p);
    CHECK(allocations == before);
    if (result.status != QP_SOLVED) {
        FAIL("program %d, n = %zu: status %d", number, p->n, (int)result.status);
        return;
    }
    const double error = error_of(p);
    if (!(error <= required)) FAIL("program %d, n = %zu: error %g", number, p->n, error);
    *worst = fmax(*worst, error);
    again = *p;
    memset(again.x, 0, sizeof again.x);
    CHECK(solve(&again).iterations == result.iterations);
    CHECK(memcmp(again.x, p->x, p->n * sizeof *p->x) == 0);
    CHECK(memcmp(again.multipliers, p->multipliers, p->m * sizeof *p->x) == 0);
}

static int rounds_asked(int usual) {
    const char *asked = getenv("QP_ROUNDS");
    return asked ? atoi(asked) : ROUNDS(usual);
}

TEST(equalities_beside_bounds_are_solved) {
    static program p;
    random_source r = {11};
    const int rounds = rounds_asked(600);
    CHECK(rounds > 0);
    double worst = 0;
    for (int k = 0; k < rounds; k++) {
        equalities_and_bounds(&r, &p, 4 + (size_t)(random_bits(&r) % (most_variables - 3)));
        check_solved(&p, k, &worst);
        for (size_t i = 0; i < p.n; i++) CHECK(p.x[i] >= 0);
    }
    printf("%d programs: error %.1e\n", rounds, worst);
}

/* Tasks that see half of the directions, and 1e-10 of them in all: what a controller's objective
 * is. */
TEST(objectives_that_hardly_see_some_directions_are_no_trouble) {
    static program p;
    random_source r = {20};
    double worst = 0;
    for (int k = 0; k < ROUNDS(200); k++) {
        equalities_and_bounds(&r, &p, 8 + (size_t)(random_bits(&r) % 50));
        memset(p.H, 0, sizeof p.H);
        for (size_t task = 0; task < p.n / 2; task++) {
            double row[most_variables];
            for (size_t i = 0; i < p.n; i++) row[i] = random_uniform(&r, -1, 1);
            for (size_t i = 0; i < p.n; i++)
                for (size_t j = 0; j < p.n; j++) p.H[i * p.n + j] += row[i] * row[j];
        }
        for (size_t i = 0; i < p.n; i++) p.H[i * p.n + i] += 1e-10;
        /* rows far from which the minimum would be, if they were not there */
        for (size_t i = 0; i < p.n; i++) {
            add_equality(&r, &p);
            const double room = random_bits(&r) % 2 ? 0 : random_uniform(&r, 0, 1);
            if (i % 2)
                p.lower[p.m - 1] = -infinity, p.upper[p.m - 1] += room;
            else
                p.lower[p.m - 1] -= room, p.upper[p.m - 1] = infinity;
        }
        check_solved(&p, k, &worst);
    }
    printf("error %.1e\n", worst);
}

/* Sums of the equalities, exact or rounded, and bounds twice over. */
static void add_dependent_rows(random_source *r, program *p) {
    const size_t equalities = p->n / 4, bounds = p->n;
    for (size_t j = 0; j < equalities; j++) {
        double *row = add_row(p), bound = 0;
        for (int part = 0; part < 3; part++) {
            const size_t i = (size_t)(random_bits(r) % equalities);
            const double share = j % 2 ? random_uniform(r, -2, 2) : (double)(part - 1);
            for (size_t k = 0; k < p->n; k++) row[k] += share * p->A[i * p->n + k];
            bound += share * p->lower[i];
        }
        p->lower[p->m - 1] = p->upper[p->m - 1] = bound;
    }
    for (size_t k = 0; k < bounds; k += 2) {
        const double unit = random_decade(r, -2, 2);
        add_row(p)[k] = -unit;
        p->upper[p->m - 1] = 0;
    }
}

TEST(rows_that_follow_from_others_are_no_trouble) {
    static program p;
    random_source r = {13};
    double worst = 0;
    for (int k = 0; k < ROUNDS(300); k++) {
        equalities_and_bounds(&r, &p, 4 + (size_t)(random_bits(&r) % 60));
        add_dependent_rows(&r, &p);
        if (k % 2) spoil_scaling(&r, &p, 6);
        check_solved(&p, k, &worst);
    }
    printf("error %.1e\n", worst);
}

/* The same row thirty times, as an equality: more equalities than variables. */
TEST(more_equalities_than_variables_are_no_trouble) {
    static program p;
    random_source r = {14};
    double worst = 0;
    for (int k = 0; k < ROUNDS(200); k++) {
        p.n = 2 + (size_t)(random_bits(&r) % 12);
        p.m = 0;
        random_objective(&r, &p, 0.1);
        for (size_t i = 0; i < p.n; i++) p.point[i] = random_uniform(&r, -1, 1);
        for (int i = 0; i < 30; i++) add_equality(&r, &p);
        check_solved(&p, k, &worst);
        for (size_t i = 0; i < p.n; i++) CHECK_NEAR(p.x[i], p.point[i], 1e-7);
    }
    printf("error %.1e\n", worst);
}

/* A corner where `extra` times as many rows meet as it needs, and to which the objective pulls. */
static void corner(random_source *r, program *p, size_t n, size_t rows, bool at_zero) {
    p->n = n;
    p->m = 0;
    random_objective(r, p, 0.1);
    for (size_t k = 0; k < n; k++) p->point[k] = at_zero ? 0 : random_uniform(r, -1, 1);
    double pull[most_variables] = {0};
    for (size_t i = 0; i < rows; i++) {
        double *row = add_row(p);
        const double share = i % 3 ? random_uniform(r, 0, 1) : 0;
        for (size_t k = 0; k < n; k++) row[k] = random_uniform(r, -1, 1);
        p->upper[p->m - 1] = row_value(p, p->m - 1, p->point);
        for (size_t k = 0; k < n; k++) pull[k] += share * row[k];
    }
    for (size_t k = 0; k < n; k++) {
        p->g[k] = -pull[k];
        for (size_t j = 0; j < n; j++) p->g[k] -= p->H[k * n + j] * p->point[j];
    }
}

TEST(corners_of_many_rows_are_solved) {
    static program p;
    random_source r = {15};
    double worst = 0;
    for (int k = 0; k < ROUNDS(400); k++) {
        const size_t n = 2 + (size_t)(random_bits(&r) % 30);
        corner(&r, &p, n, 3 * n, k % 2);
        const qp_result result = solve(&p);
        if (result.status != QP_SOLVED) FAIL("program %d: status %d", k, (int)result.status);
        for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(p.x[i] - p.point[i]));
        /* at 0 there are no terms to be relative to */
        const qp_problem problem = problem_of(&p);
        CHECK(kkt_stationarity(&problem, p.x, p.multipliers) <= required);
    }
    CHECK(worst < 1e-11);
    printf("within %.1e\n", worst);
}

/* The row that is named is one of those that contradict each other, and by as much as they do. */
TEST(contradictions_are_recognised_and_their_row_is_named) {
    static program p;
    random_source r = {16};
    for (int k = 0; k < ROUNDS(400); k++) {
        equalities_and_bounds(&r, &p, 8 + (size_t)(random_bits(&r) % 40));
        const size_t equalities = p.n / 4;
        const double gap = random_decade(&r, -6, 0);
        double *row = add_row(&p);
        const size_t last = p.m - 1;
        if (k % 2) {
            /* a sum of two equalities is to be what it is not */
            for (size_t c = 0; c < p.n; c++) row[c] = p.A[c] - 2 * p.A[p.n + c];
            p.lower[last] = p.upper[last] = p.lower[0] - 2 * p.lower[1] + gap;
        } else {
            /* and here a sum of three bounds, which nothing else contradicts */
            for (size_t c = 0; c < 3; c++) row[c] = 1;
            p.upper[last] = -gap;
            for (size_t i = 0; i < equalities; i++) p.lower[i] = -infinity, p.upper[i] = infinity;
        }
        const qp_result result = solve(&p);
        if (result.status != QP_INFEASIBLE) {
            FAIL("program %d: status %d", k, (int)result.status);
            continue;
        }
        const bool part =
            result.row == last ||
            (k % 2 ? result.row < 2 : result.row >= equalities && result.row < equalities + 3);
        if (!part) FAIL("program %d: row %zu", k, result.row);
        CHECK(result.violation > 0.1 * gap);
    }
}

/* Warm. */

static void check_same_solution(const program *p, const program *cold) {
    for (size_t k = 0; k < p->n; k++)
        CHECK_NEAR(p->x[k], cold->x[k], 1e-9 * fmax(1, fabs(cold->x[k])));
}

TEST(a_guess_leads_to_the_same_solution_whatever_it_is) {
    static program p, cold;
    random_source r = {17};
    size_t iterations_cold = 0, iterations_right = 0;
    for (int k = 0; k < ROUNDS(300); k++) {
        equalities_and_bounds(&r, &p, 4 + (size_t)(random_bits(&r) % 60));
        if (k % 3 == 0) add_dependent_rows(&r, &p);
        cold = p;
        CHECK(solve(&cold).status == QP_SOLVED);
        iterations_cold += solve(&cold).iterations;

        /* any rows, on any side, also on sides without a bound and of equalities */
        for (size_t i = 0; i < p.m; i++)
            p.active[i] = (signed char)((int)(random_bits(&r) % 3) - 1);
        CHECK(solve_warm(&p).status == QP_SOLVED);
        CHECK(error_of(&p) <= required);
        check_same_solution(&p, &cold);

        /* `active` is the right guess: no iteration is left */
        const long before = allocations;
        const qp_result right = solve_warm(&p);
        CHECK(allocations == before);
        CHECK(right.status == QP_SOLVED && error_of(&p) <= required);
        iterations_right += right.iterations;
        check_same_solution(&p, &cold);
        for (size_t i = 0; i < p.m; i++) {
            if (p.lower[i] == p.upper[i]) CHECK(p.active[i] == 0);
            if (p.multipliers[i] > 0 && p.lower[i] < p.upper[i]) CHECK(p.active[i] == 1);
            if (p.multipliers[i] < 0 && p.lower[i] < p.upper[i]) CHECK(p.active[i] == -1);
        }

        /* and the same bits each time */
        static program again;
        again = p;
        CHECK(solve_warm(&again).status == QP_SOLVED && solve_warm(&p).status == QP_SOLVED);
        CHECK(memcmp(again.x, p.x, p.n * sizeof *p.x) == 0);
        CHECK(memcmp(again.active, p.active, p.m) == 0);
    }
    CHECK(iterations_right <= iterations_cold);
    printf("%zu iterations without a guess, %zu with the right one\n", iterations_cold,
           iterations_right);
}

TEST(a_guess_is_left_alone_where_there_is_no_solution) {
    program p = {.n = 1, .m = 2, .H = {1}, .A = {1, 1}, .lower = {1, -2}, .upper = {2, 0}};
    p.active[0] = -1;
    p.active[1] = 1;
    p.x[0] = 7;
    CHECK(solve_warm(&p).status == QP_INFEASIBLE);
    CHECK(p.active[0] == -1 && p.active[1] == 1 && p.x[0] == 7);
    p.upper[1] = 1.5;
    CHECK(solve_warm(&p).status == QP_SOLVED);
    CHECK(p.active[0] == -1 && p.active[1] == 0);
    CHECK_NEAR(p.x[0], 1, 0);
}

/* The results of all loops for the same numbers, one after the other. */
static size_t run_loops(const qp_kernels *k, size_t n, const double *numbers, double *out) {
    const size_t stride = (n + 3) / 4 * 4;
    const double *rows = numbers, *v = numbers + n * stride;
    double *const begin = out;
    size_t used;
    k->dots(n, rows, stride, stride, v, out);
    out += n;
    memcpy(out, v, stride * sizeof *out);
    k->combine(n, v, rows, stride, stride, out);
    out += stride;
    memcpy(out, rows, n * stride * sizeof *out);
    k->spread(n, v, v, out, stride, stride);
    k->rotate(0.6, 0.8, stride, out, out + stride);
    out += n * stride;
    const double sum = k->scale(n, rows, v, out, &used);
    out += n;
    *out++ = sum;
    *out++ = (double)used;
    *out++ = k->all_finite(n * stride, rows);
    return (size_t)(out - begin);
}

TEST(the_loops_of_every_processor_give_the_same_bits) {
    enum { most = 40 };
    static double numbers[2 * most * most], ours[3 * most * most], plain[3 * most * most];
    random_source r = {19};
    for (size_t n = 2; n < most; n++) {
        for (size_t k = 0; k < 2 * most * most; k++)
            numbers[k] = random_bits(&r) % 5 ? random_uniform(&r, -1, 1) : 0;
        const size_t count = run_loops(qp_kernels_best(), n, numbers, ours);
        CHECK(run_loops(&qp_kernels_baseline, n, numbers, plain) == count);
        CHECK(memcmp(ours, plain, count * sizeof *ours) == 0);
        CHECK(ours[count - 1] == 1);
        numbers[n] = infinity;
        CHECK(!qp_kernels_best()->all_finite(n + 1, numbers));
        numbers[n] = (double)NAN;
        CHECK(!qp_kernels_baseline.all_finite(n + 1, numbers));
    }
    if (qp_kernels_best() == &qp_kernels_baseline) printf("only one variant runs here\n");
}
