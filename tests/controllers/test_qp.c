/* SPDX-License-Identifier: MIT
 * The quadratic program of the posture controller: Kuhn and Tucker on random programs,
 * contradictions, and nothing that leads astray.
 */
#include <stdbool.h>

#include "check.h"
#include "qp_kkt.h"
#include "random.h"

static const double infinity = (double)INFINITY, nan_value = (double)NAN;

enum { most_variables = 40, most_rows = 160 };

typedef struct program {
    size_t n, m;
    double H[most_variables * most_variables], g[most_variables];
    double A[most_rows * most_variables], lower[most_rows], upper[most_rows];
    double x[most_variables], multipliers[most_rows];
} program;

static qp_problem problem_of(const program *p) {
    return (qp_problem){p->n, p->m, p->H, p->g, p->A, p->lower, p->upper};
}

static qp_result solve(program *p) {
    void *workspace = malloc(qp_workspace_size(p->n, p->m));
    CHECK(workspace != NULL);
    const qp_problem problem = problem_of(p);
    const qp_result result = qp_solve(&problem, p->x, p->multipliers, workspace);
    free(workspace);
    return result;
}

/* H = B'B + ridge, positive definite. */
static void random_objective(random_source *r, program *p, double ridge) {
    double B[most_variables][most_variables];
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) B[i][j] = random_uniform(r, -1, 1);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = i == j ? ridge : 0;
            for (size_t k = 0; k < p->n; k++) sum += B[k][i] * B[k][j];
            p->H[i * p->n + j] = sum;
        }
    for (size_t i = 0; i < p->n; i++) p->g[i] = random_uniform(r, -10, 10);
}

/* What the bounds of a row are to the value at a point that keeps them all. */
static void random_bounds(random_source *r, program *p, size_t i, double value) {
    const double width = random_uniform(r, 0, 1), kind = random_uniform(r, 0, 1);
    p->lower[i] = kind < 0.3 ? -(double)INFINITY : value - width;
    p->upper[i] = kind > 0.7 ? (double)INFINITY : value + random_uniform(r, 0, 0.3);
    if (kind < 0.1) p->upper[i] = value; /* a corner: many rows meet here */
    if (kind > 0.95) p->lower[i] = p->upper[i] = value;
}

/* A program that some point keeps, with duplicate and dependent rows. */
static void random_program(random_source *r, program *p, size_t n, size_t m) {
    double point[most_variables];
    p->n = n;
    p->m = m;
    random_objective(r, p, random_decade(r, -6, 0));
    for (size_t k = 0; k < n; k++) point[k] = random_uniform(r, -1, 1);
    for (size_t i = 0; i < m; i++) {
        double *row = p->A + i * n, value = 0;
        const double kind = random_uniform(r, 0, 1);
        for (size_t k = 0; k < n; k++) row[k] = random_uniform(r, -1, 1);
        if (kind < 0.3) /* a bound on one variable */
            for (size_t k = 0; k < n; k++) row[k] = k == i % n;
        if (i > 1 && kind > 0.8) { /* a combination of other rows, or one of them again */
            const double a = random_uniform(r, -1, 1), b = kind > 0.9 ? 0 : 1;
            for (size_t k = 0; k < n; k++)
                row[k] = a * p->A[(i - 1) * n + k] + b * p->A[(i - 2) * n + k];
        }
        for (size_t k = 0; k < n; k++) value += row[k] * point[k];
        random_bounds(r, p, i, value);
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
    for (size_t k = 0; k < p->n; k++) {
        const double unit = random_decade(r, -decades, decades);
        for (size_t i = 0; i < p->m; i++) p->A[i * p->n + k] *= unit;
        for (size_t i = 0; i < p->n; i++) {
            p->H[i * p->n + k] *= unit;
            p->H[k * p->n + i] *= unit;
        }
        p->g[k] *= unit;
    }
}

static void check_random_programs(uint64_t seed, double decades, int count) {
    static program p;
    random_source r = {seed};
    double worst = 0;
    for (int k = 0; k < count; k++) {
        const size_t n = 1 + (size_t)(random_bits(&r) % most_variables);
        random_program(&r, &p, n, (size_t)(random_bits(&r) % (most_rows + 1)));
        spoil_scaling(&r, &p, decades);
        const qp_result result = solve(&p);
        if (result.status != QP_SOLVED) FAIL("program %d: status %d", k, (int)result.status);
        const qp_problem problem = problem_of(&p);
        const double error = kkt_error(&problem, p.x, p.multipliers);
        if (!(error <= 1e-10)) FAIL("program %d: error %g", k, error);
        worst = fmax(worst, error);
    }
    printf("%d programs, units over %g decades: error %.1e\n", count, 2 * decades, worst);
}

TEST(random_programs_meet_kuhn_and_tucker) {
    check_random_programs(1, 0, 2500);
}

TEST(badly_scaled_programs_meet_kuhn_and_tucker) {
    check_random_programs(2, 3, 1500);
    check_random_programs(3, 6, 1500);
}

TEST(an_infeasible_program_names_its_row) {
    program p = {.n = 2,
                 .m = 3,
                 .H = {1, 0, 0, 1},
                 .A = {1, 0, 0, 1, 1, 0},
                 .lower = {1, -1, -infinity},
                 .upper = {2, 1, -3}};
    const qp_result result = solve(&p);
    CHECK(result.status == QP_INFEASIBLE && (result.row == 0 || result.row == 2));
    CHECK_NEAR(result.violation, 4, 1e-9);
    p.upper[1] = -2; /* below its own lower bound */
    CHECK(solve(&p).row == 1);
    CHECK_NEAR(solve(&p).violation, 1, 0);
    p = (program){.n = 1, .m = 1, .H = {1}, .A = {0}, .lower = {3}, .upper = {4}};
    CHECK(solve(&p).status == QP_INFEASIBLE);
    CHECK_NEAR(solve(&p).violation, 3, 0);
}

TEST(bad_programs_are_refused) {
    program p = {.n = 2,
                 .m = 1,
                 .H = {1, nan_value, 0, 1}, /* above the diagonal nothing is read */
                 .A = {1, 0},
                 .lower = {-1},
                 .upper = {1}};
    CHECK(solve(&p).status == QP_SOLVED);
    double *const numbers[] = {&p.H[0], &p.H[2], &p.g[1], &p.A[0], &p.lower[0], &p.upper[0]};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        const double good = *numbers[k];
        *numbers[k] = nan_value;
        CHECK(solve(&p).status == QP_BAD_INPUT);
        *numbers[k] = good;
    }
    p.H[2] = 1; /* singular */
    CHECK(solve(&p).status == QP_BAD_INPUT);
    p.H[2] = 0;
    p.lower[0] = infinity;
    CHECK(solve(&p).status == QP_BAD_INPUT);
    CHECK(qp_solve(NULL, p.x, NULL, &p).status == QP_BAD_INPUT);
    CHECK(qp_workspace_size(0, 1) == 0 && qp_workspace_size((size_t)-1, 1) == 0);
}

/* Whatever the numbers are, there is an end, and no answer that is not one. */
TEST(no_input_leads_astray) {
    static program p;
    random_source r = {6};
    const double strange[] = {0, -0.0, 1e-320, 1e-200, 1e200, -1e308, 1, infinity, nan_value};
    int solved = 0;
    for (int k = 0; k < 4000; k++) {
        random_program(&r, &p, 1 + (size_t)(random_bits(&r) % 6), (size_t)(random_bits(&r) % 20));
        double *const arrays[] = {p.H, p.g, p.A, p.lower, p.upper};
        const size_t sizes[] = {p.n * p.n, p.n, p.m * p.n, p.m, p.m};
        for (int changes = (int)(random_bits(&r) % 4); changes-- > 0;) {
            const size_t array = (size_t)(random_bits(&r) % 5);
            if (sizes[array] == 0) continue;
            arrays[array][random_bits(&r) % sizes[array]] = strange[random_bits(&r) % 9];
        }
        const qp_result result = solve(&p);
        CHECK(result.iterations <= 101 + 20 * (p.n + p.m));
        if (result.status != QP_SOLVED) continue;
        solved++;
        for (size_t j = 0; j < p.n; j++) CHECK(isfinite(p.x[j]));
    }
    CHECK(solved > 1000);
}
