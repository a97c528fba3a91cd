/* SPDX-License-Identifier: MIT
 * The quadratic program on other people's: small ones of the set of Maros and Meszaros, with the
 * optimum that they give. Where H is not positive definite, 1/2 rho |x - x_k|^2 is added and x_k
 * follows the solution until it stays, which is the solution without it: each solution is the guess
 * for the next.
 */
#include <stdbool.h>

#include "check.h"
#include "controllers/qp/qp.h"
#include "qp_kkt.h"

enum { most_variables = 100, most_rows = 320 };

typedef struct program {
    char name[32];
    size_t n, m;
    double optimum, constant;
    double H[most_variables * most_variables], g[most_variables];
    double A[most_rows * most_variables], lower[most_rows], upper[most_rows];
} program;

/* The reader; anything unknown is an error in the file. */

static bool read_entries(FILE *file, double *row, size_t n) {
    size_t count, column;
    if (fscanf(file, "%zu", &count) != 1) return false;
    for (size_t k = 0; k < count; k++)
        if (fscanf(file, "%zu", &column) != 1 || column >= n ||
            fscanf(file, "%lf", &row[column]) != 1)
            return false;
    return true;
}

static bool read_line(FILE *file, const char *what, program *p) {
    size_t i;
    if (fscanf(file, "%zu", &i) != 1) return false;
    if (strcmp(what, "H") == 0) return i < p->n && read_entries(file, p->H + i * p->n, i + 1);
    if (strcmp(what, "g") == 0) return i < p->n && fscanf(file, "%lf", &p->g[i]) == 1;
    return strcmp(what, "A") == 0 && i < p->m &&
           fscanf(file, "%lf %lf", &p->lower[i], &p->upper[i]) == 2 &&
           read_entries(file, p->A + i * p->n, p->n);
}

static bool read_program(FILE *file, program *p) {
    char what[32];
    memset(p, 0, sizeof *p);
    while (fscanf(file, "%31s", what) == 1 && what[0] == '#')
        if (fscanf(file, "%*[^\n]") != 0) return false;
    if (feof(file)) return false;
    if (strcmp(what, "program") != 0 ||
        fscanf(file, "%31s %zu %zu %lf %lf", p->name, &p->n, &p->m, &p->optimum, &p->constant) !=
            5 ||
        p->n > most_variables || p->m > most_rows) {
        FAIL("a program begins with '%s'", what);
        return false;
    }
    while (fscanf(file, "%31s", what) == 1 && strcmp(what, "end") != 0)
        if (!read_line(file, what, p)) {
            FAIL("%s: a line of %s", p->name, what);
            return false;
        }
    return true;
}

static double objective(const program *p, const double *x) {
    double sum = p->constant;
    for (size_t i = 0; i < p->n; i++) {
        sum += p->g[i] * x[i];
        for (size_t j = 0; j <= i; j++) sum += p->H[i * p->n + j] * x[i] * x[j] / (i == j ? 2 : 1);
    }
    return sum;
}

typedef struct attempt {
    qp_result result;
    size_t rounds;
    double error; /* of Kuhn and Tucker, the largest of all rounds */
    double x[most_variables], multipliers[most_rows];
} attempt;

static double largest_diagonal(const program *p) {
    double largest = 0;
    for (size_t k = 0; k < p->n; k++) largest = fmax(largest, p->H[k * p->n + k]);
    return largest;
}

static void solve(const program *p, attempt *a) {
    static double H[most_variables * most_variables], g[most_variables], before[most_variables];
    static signed char active[most_rows];
    void *workspace = malloc(qp_workspace_size(p->n, p->m));
    memset(a, 0, sizeof *a);
    memset(active, 0, sizeof active);
    const qp_problem as_given = {p->n, p->m, p->H, p->g, p->A, p->lower, p->upper};
    a->result = qp_solve_warm(&as_given, active, a->x, a->multipliers, workspace);
    a->rounds = 1;
    if (a->result.status == QP_SOLVED) a->error = kkt_error(&as_given, a->x, a->multipliers);
    bool stays = a->result.status != QP_BAD_INPUT;
    const double rho = 1e-3 * largest_diagonal(p);
    memcpy(H, p->H, sizeof H);
    for (size_t k = 0; k < p->n; k++) H[k * p->n + k] += rho;
    for (; !stays && a->rounds < 2000; a->rounds++) {
        memcpy(before, a->x, sizeof before);
        for (size_t k = 0; k < p->n; k++) g[k] = p->g[k] - rho * before[k];
        const qp_problem moved = {p->n, p->m, H, g, p->A, p->lower, p->upper};
        a->result = qp_solve_warm(&moved, active, a->x, a->multipliers, workspace);
        if (a->result.status != QP_SOLVED) break;
        a->error = fmax(a->error, kkt_error(&moved, a->x, a->multipliers));
        double step = 0, size = 1;
        for (size_t k = 0; k < p->n; k++) {
            step = fmax(step, fabs(a->x[k] - before[k]));
            size = fmax(size, fabs(a->x[k]));
        }
        stays = step <= 1e-11 * size;
    }
    if (!stays) a->rounds = 0;
    free(workspace);
}

TEST(maros_and_meszaros_have_their_optimum) {
    static program p;
    static attempt a;
    FILE *file = fopen("qp/maros_meszaros.txt", "r");
    CHECK(file != NULL);
    int count = 0;
    while (file && read_program(file, &p)) {
        solve(&p, &a);
        count++;
        if (a.result.status != QP_SOLVED || a.rounds == 0) {
            FAIL("%s: status %d, row %zu, %zu rounds", p.name, (int)a.result.status, a.result.row,
                 a.rounds);
            continue;
        }
        /* the optima have nine digits */
        const double reached = objective(&p, a.x), size = fmax(1, fabs(p.optimum));
        printf("%-9s n %3zu, m %3zu: %.9g, %zu rounds, error %.1e\n", p.name, p.n, p.m, reached,
               a.rounds, a.error);
        CHECK_NEAR(reached, p.optimum, 2e-8 * size);
        if (!(a.error <= 1e-10)) FAIL("%s: error %g", p.name, a.error);
    }
    if (file) (void)fclose(file);
    CHECK(count == 26);
}
