/*
 * Goldfarb and Idnani's dual active set method: from the free minimum, take up the row that is
 * violated most, letting go of held rows whose multiplier would turn, until none is violated.
 * It works on y = L'x/scale, where H is 1 and a row's normal has length 1; H is never inverted.
 */
#include "qp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "qp_internal.h"

/* Rounds of refinement of the solution, with residuals from the data as they were given. */
enum { refinements = 2 };

/* A solution keeps its rows to this, relative to the terms in them; mostly to 1e-14. */
static const double exactness = 1e-10;

/* Which row to take up. */

/* The side of a row on which x is wrong, if it is, and by how much in the scale of y: from the row
 * as it was given, so that its accuracy does not depend on H. */
static side nearer_side(const solver *s, size_t row, double *wrong) {
    const qp_problem *p = s->p;
    const double value = dense_dot(p->n, p->A + row * p->n, s->x);
    const double below = p->lower[row] - value, above = value - p->upper[row];
    *wrong = fmax(below, above) / s->norm[row];
    return below > above ? (side){row, 1, s->lower[row]} : (side){row, -1, -s->upper[row]};
}

/* What rounding errors of a row's value are relative to, in the scale of y. */
static double row_size(const solver *s, side c) {
    const double *row = s->p->A + c.row * s->p->n;
    double sum = 0;
    for (size_t k = 0; k < s->p->n; k++) sum += fabs(row[k] * s->x[k]);
    return sum / s->norm[c.row] + fabs(c.bound);
}

/* The same for y, which has come from far away. */
static double path_size(const solver *s) {
    const size_t n = s->p->n;
    return sqrt(dense_dot(n, s->y, s->y)) + sqrt(dense_dot(n, s->start, s->start));
}

/* A violation up to this is none; less strict once half of the iterations are used up. */
static double tolerance(const solver *s, side c) {
    const double strict = (double)s->p->n * DBL_EPSILON * row_size(s, c);
    return 10 * (s->iterations < s->limit / 2 ? strict : strict + s->noise * path_size(s));
}

/* The row that is violated most, equalities first. False: none is. */
static bool find_violated(solver *s, side *worst) {
    double largest = 0;
    bool equality = false, found = false;
    for (size_t i = 0; i < s->p->m; i++) {
        if (s->state[i] != ROW_OPEN || (equality && !is_equality(s, i))) continue;
        double wrong;
        const side c = nearer_side(s, i, &wrong);
        const bool first_equality = is_equality(s, i) && !equality;
        if (!(wrong > (first_equality ? 0 : largest)) || wrong <= tolerance(s, c)) continue;
        *worst = c;
        largest = wrong;
        equality = is_equality(s, i);
        found = true;
    }
    return found;
}

/* Taking a row up. */

/* How far the multipliers may move against r before one turns, and whose that is. */
static double dual_step(const solver *s, size_t *blocking) {
    double largest = 0, step = (double)INFINITY;
    for (size_t j = 0; j < s->held.count; j++) largest = fmax(largest, fabs(s->r[j]));
    for (size_t j = 0; j < s->held.count; j++) {
        if (is_equality(s, s->sides[j].row) || s->r[j] <= s->noise * largest) continue;
        const double ratio = fmax(s->multiplier[j], 0) / s->r[j];
        if (ratio >= step) continue;
        step = ratio;
        *blocking = j;
    }
    return step;
}

/* Other rows are held than before: what seemed to depend on them may not do so any more. */
static void look_again(solver *s) {
    for (size_t i = 0; i < s->p->m; i++)
        if (s->state[i] == ROW_TOLERATED) s->state[i] = ROW_OPEN;
}

static void let_go(solver *s, size_t j) {
    s->state[s->sides[j].row] = ROW_OPEN;
    look_again(s);
    basis_drop(&s->held, j);
    const size_t behind = s->held.count - j;
    memmove(s->sides + j, s->sides + j + 1, behind * sizeof *s->sides);
    memmove(s->multiplier + j, s->multiplier + j + 1, behind * sizeof *s->multiplier);
}

static void hold(solver *s, side c, double multiplier) {
    s->sides[s->held.count] = c;
    s->multiplier[s->held.count] = multiplier;
    s->state[c.row] = ROW_HELD;
    basis_add(&s->held, s->d);
    look_again(s);
}

/* d, r and the square of the part of the normal that no held row hinders. */
static double directions(solver *s, side c) {
    const size_t n = s->p->n, count = s->held.count;
    basis_project(&s->held, s->normals + c.row * n, s->d);
    for (size_t k = 0; k < n; k++) s->d[k] *= c.sign;
    memcpy(s->r, s->d, count * sizeof *s->r);
    basis_solve(&s->held, s->r);
    return dense_dot(n - count, s->d + count, s->d + count);
}

/* How far y is on the wrong side. */
static double violation(const solver *s, side c) {
    return c.bound - c.sign * dense_dot(s->p->n, s->normals + c.row * s->p->n, s->y);
}

/* Moves y until this side is kept, and holds it. */
static qp_status enforce(solver *s, side c) {
    const size_t n = s->p->n;
    const double dependent = 1e3 * s->noise;
    double multiplier = 0;
    for (;;) {
        if (s->iterations++ >= s->limit) return QP_ITERATION_LIMIT;
        const double freedom = directions(s, c), wrong = violation(s, c);
        const bool free_to_move = freedom > dependent * dependent;
        const double full = free_to_move ? fmax(wrong, 0) / freedom : (double)INFINITY;
        size_t blocking = 0;
        const double partial = dual_step(s, &blocking), step = fmin(full, partial);

        if (isinf(step)) {
            /* no way to go: a contradiction, unless all of it is rounding */
            if (wrong > dependent * (path_size(s) + fabs(c.bound))) return QP_INFEASIBLE;
            s->state[c.row] = ROW_TOLERATED;
            return QP_SOLVED;
        }
        dense_add(s->held.count, -step, s->r, s->multiplier);
        multiplier += step;
        if (free_to_move) {
            basis_expand(&s->held, s->held.count, n, s->d, s->z);
            dense_add(n, step, s->z, s->y);
        }
        if (full <= partial) {
            hold(s, c, multiplier);
            return QP_SOLVED;
        }
        let_go(s, blocking);
    }
}

/* The held inequality whose multiplier has the wrong sign most clearly. */
static bool find_turned(const solver *s, size_t *turned) {
    double least = 0;
    for (size_t j = 0; j < s->held.count; j++) {
        if (is_equality(s, s->sides[j].row) || !(s->multiplier[j] < least)) continue;
        least = s->multiplier[j];
        *turned = j;
    }
    return least < 0;
}

/* Makes y the minimum under the rows that are held, free of the errors of the way to it. */
static void settle(solver *s) {
    size_t turned = 0;
    for (;;) {
        for (int k = 0; k < refinements; k++) qp_refine(s);
        if (s->iterations >= s->limit || !find_turned(s, &turned)) return;
        let_go(s, turned);
        s->iterations++;
    }
}

static void give(const solver *s, double *x, double *multipliers) {
    memcpy(x, s->x, s->p->n * sizeof *x);
    if (!multipliers) return;
    for (size_t i = 0; i < s->p->m; i++) multipliers[i] = 0;
    for (size_t j = 0; j < s->held.count; j++) {
        const side c = s->sides[j];
        multipliers[c.row] = -c.sign * s->multiplier[j] / s->norm[c.row];
    }
}

static qp_result infeasible(const solver *s, size_t row, double wrong) {
    return (qp_result){QP_INFEASIBLE, row, wrong * s->norm[row], s->iterations};
}

static qp_result without_row(const solver *s, qp_status status) {
    return (qp_result){status, s->p->m, 0, s->iterations};
}

/* What is reached when no row can be taken up any more. */
static qp_result verdict(const solver *s) {
    size_t turned;
    if (find_turned(s, &turned)) return without_row(s, QP_ITERATION_LIMIT);
    for (size_t i = 0; i < s->p->m; i++) {
        if (s->state[i] == ROW_EMPTY) continue;
        double wrong;
        const side c = nearer_side(s, i, &wrong);
        if (wrong <= exactness * row_size(s, c)) continue;
        /* what rounding seemed to explain, it does not: the rows that are held contradict */
        return s->state[i] == ROW_TOLERATED ? infeasible(s, i, wrong)
                                            : without_row(s, QP_ITERATION_LIMIT);
    }
    return without_row(s, QP_SOLVED);
}

/* Takes up rows until none is violated, also when y is free of rounding errors. */
static qp_result iterate(solver *s) {
    bool settled = false;
    for (;;) {
        side c = {0};
        if (!settled) {
            memcpy(s->x, s->y, s->p->n * sizeof *s->x);
            qp_to_x(s, s->x);
        }
        if (find_violated(s, &c)) {
            const qp_status status = enforce(s, c);
            if (status == QP_INFEASIBLE) return infeasible(s, c.row, violation(s, c));
            if (status != QP_SOLVED) return without_row(s, status);
            settled = false;
        } else if (!settled) {
            settle(s);
            settled = true;
        } else {
            return verdict(s);
        }
    }
}

qp_result qp_solve(const qp_problem *p, double *x, double *multipliers, void *workspace) {
    const qp_result bad = {QP_BAD_INPUT, p ? p->m : 0, 0, 0};
    solver s;
    if (!qp_input_is_usable(p, x, workspace) || !qp_prepare(&s, p, workspace)) return bad;
    for (size_t i = 0; i < p->m; i++) {
        const double contradiction = qp_contradiction(&s, i);
        if (contradiction > 0) return (qp_result){QP_INFEASIBLE, i, contradiction, 0};
    }
    const qp_result result = iterate(&s);
    if (result.status != QP_SOLVED) return result;
    if (!qp_all_finite(p->n, s.x) || !qp_all_finite(s.held.count, s.multiplier)) return bad;
    give(&s, x, multipliers);
    return result;
}
