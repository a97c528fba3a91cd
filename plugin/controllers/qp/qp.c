/* SPDX-License-Identifier: MIT
 * Goldfarb and Idnani's dual active set method: from the minimum under the equalities, and under
 * the rows that a solution before this one held, take up the row that is violated most, letting go
 * of held rows whose multiplier would turn, until none is violated.
 */
#include "qp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "qp_internal.h"

/* The largest violation of a row in a solution, relative to the terms of the row; mostly it is
 * 1e-15. */
static const double exactness = 1e-10;

/* The same for a row that follows from others: it is kept as far as they are. */
static const double consistency = 1e-11;

/* A direction counts if it is this many times larger than its rounding error. */
static const double clearly = 1e2;

/* When a row is taken up more often than this, its tolerance doubles each time. In exact
 * arithmetic this would not be needed, but with rounding errors rows may come and go without
 * end. */
enum { patience = 4 };

/* Which row to take up. */

/* The side of a row that its value violates, or is nearer to, and by how much. */
static side nearer_side(const solver *s, size_t row, double value, double *wrong) {
    const row_info *info = &s->rows[row];
    const double below = info->lower - value, above = value - info->upper;
    *wrong = below > above ? below : above;
    return below > above ? (side){row, 1, info->lower} : (side){row, -1, -info->upper};
}

static double largest_magnitude(size_t n, const double *v) {
    double largest = 0;
    for (size_t k = 0; k < n; k++) largest = fabs(v[k]) > largest ? fabs(v[k]) : largest;
    return largest;
}

/* The error of the value of a row due to rounding of x. It grows with the largest x of the whole
 * way here; after a refinement it is at most what the last step of the refinement changed. */
static double rounding_of_x(const solver *s, size_t row) {
    const row_info *info = &s->rows[row];
    const double of_way = DBL_EPSILON * info->sum * s->largest;
    const double of_step = DBL_EPSILON * info->sum * s->present + info->reach * s->last_step;
    return s->settled && of_step < of_way ? of_step : of_way;
}

/* A violation up to this is tolerated. Before x is settled it has the rounding errors of all
 * steps so far, then only those of its own size. */
static double tolerance(const solver *s, side c) {
    const row_info *row = &s->rows[c.row];
    const double n = (double)s->n;
    const double bound = fabs(c.bound);
    const double strict = s->settled ? 10 * n * DBL_EPSILON * (qp_row_size(s, c.row) + bound) +
                                           4 * rounding_of_x(s, c.row)
                                     : 10 * DBL_EPSILON * (row->reach * s->path + n * bound);
    return row->times <= patience ? strict : ldexp(strict, (int)(row->times - patience));
}

static void compute_values(solver *s) {
    for (size_t i = 0; i < s->m; i++)
        if (s->rows[i].single < s->n) s->value[i] = qp_row_value(s, i);
    for (size_t k = 0, run; k < s->dense_count; k += run) {
        /* rows that lie side by side go together */
        const size_t first = s->dense[k];
        run = 1;
        while (k + run < s->dense_count && s->dense[k + run] == first + run) run++;
        s->k->dots(run, s->A + first * s->stride, s->stride, s->stride, s->x, s->value + first);
    }
    s->present = largest_magnitude(s->n, s->x);
    s->largest = fmax(s->largest, s->present);
}

/* The row that is violated most. False: none is. */
static bool find_violated(solver *s, side *worst) {
    double largest = 0;
    compute_values(s);
    for (size_t i = 0; i < s->m; i++) {
        const row_info *row = &s->rows[i];
        if (row->state != ROW_OPEN) continue;
        double wrong;
        const side c = nearer_side(s, i, s->value[i], &wrong);
        if (!(wrong * row->inverse_norm > largest) || wrong <= tolerance(s, c)) continue;
        *worst = c;
        largest = wrong * row->inverse_norm;
    }
    return largest > 0;
}

/* Taking a row up. */

/* How far the multipliers may move against r before one turns, and whose that is. */
static double dual_step(const solver *s, double noise, size_t *blocking) {
    const double none = noise * largest_magnitude(s->count, s->r);
    double step = (double)INFINITY;
    for (size_t j = 0; j < s->count; j++) {
        if (s->r[j] <= none || s->rows[s->held[j].at.row].equality) continue;
        const double ratio = (s->multiplier[j] > 0 ? s->multiplier[j] : 0) / s->r[j];
        if (ratio >= step) continue;
        step = ratio;
        *blocking = j;
    }
    return step;
}

/* The held rows have changed, so rows that seemed to depend on them may be independent now. */
static void reopen_tolerated(solver *s) {
    for (size_t i = 0; i < s->m; i++)
        if (s->rows[i].state == ROW_TOLERATED) s->rows[i].state = ROW_OPEN;
}

/* A side that is being taken up. */
typedef struct candidate {
    held_side normal;
    double free;  /* the square of the part of the normal that no held row hinders */
    double noise; /* the rounding error of that part */
} candidate;

/* r, and what of the normal is rounding, from d. */
static void compare_with_held(solver *s, candidate *c) {
    memcpy(s->r, s->d, s->count * sizeof *s->r);
    qp_solve_R(s, s->r);
    c->noise = c->normal.noise;
    /* rows that are nearly parallel make r large, but their own errors are no larger for that */
    for (size_t j = 0; j < s->count; j++) {
        const double share = fabs(s->r[j]);
        c->noise += (share < 10 ? share : 10) * s->held[j].noise;
    }
}

static candidate begin(solver *s, side at) {
    candidate c = {0};
    qp_normal(s, at, &c.normal, s->d);
    const size_t q = s->count;
    c.free = dense_dot(s->n - q, s->d + q, s->d + q);
    memset(s->z, 0, s->stride * sizeof *s->z);
    s->k->combine(s->n - q, s->d + q, s->Jt + q * s->stride, s->stride, s->stride, s->z);
    compare_with_held(s, &c);
    return c;
}

/* One held row less: z gains the direction that it hindered. */
static void let_go(solver *s, size_t blocking, candidate *c) {
    qp_let_go(s, blocking, s->d);
    const size_t q = s->count;
    s->k->combine(1, &s->d[q], s->Jt + q * s->stride, s->stride, s->stride, s->z);
    c->free += s->d[q] * s->d[q];
    compare_with_held(s, c);
    reopen_tolerated(s);
}

/* How far x is on the wrong side, in the scale of y. */
static double violation(const solver *s, const held_side *c) {
    return (c->at.bound - c->at.sign * qp_row_value(s, c->at.row)) * c->inverse_length;
}

/* How much of it may be rounding of the terms. */
static double rounding(const solver *s, const held_side *c) {
    const double size = qp_row_size(s, c->at.row) + fabs(c->at.bound);
    const double possible = 10 * DBL_EPSILON * size + rounding_of_x(s, c->at.row);
    return (double)s->n * possible * c->inverse_length;
}

/* A side that depends on the held ones and cannot be reached, unless its violation is only
 * rounding. To tell, the held rows are first kept as exactly as possible. */
static bool contradicts(solver *s, const candidate *c) {
    double possible = rounding(s, &c->normal);
    qp_correct_rows(s);
    for (size_t j = 0; j < s->count; j++) possible += fabs(s->r[j]) * rounding(s, &s->held[j]);
    return violation(s, &c->normal) > possible;
}

/* Moves x until this side is kept, and holds it. */
static qp_status enforce(solver *s, side at) {
    candidate c = begin(s, at);
    double multiplier = 0;
    for (;;) {
        if (s->iterations++ >= s->limit) return QP_ITERATION_LIMIT;
        const double wrong = violation(s, &c.normal);
        const double free_length = sqrt(c.free);
        const bool free_to_move = free_length > clearly * c.noise;
        const double full = free_to_move ? fmax(wrong, 0) / c.free : (double)INFINITY;
        size_t blocking = 0;
        const double partial = dual_step(s, c.noise, &blocking), step = fmin(full, partial);
        if (isinf(step)) {
            if (contradicts(s, &c)) return QP_INFEASIBLE;
            s->rows[at.row].state = ROW_TOLERATED;
            s->rows[at.row].times++;
            s->settled = false;
            return QP_SOLVED;
        }
        for (size_t j = 0; j < s->count; j++) s->multiplier[j] -= step * s->r[j];
        multiplier += step;
        if (free_to_move) {
            for (size_t k = 0; k < s->n; k++) s->x[k] += step * s->z[k];
            s->path += step * free_length;
        }
        s->settled = false;
        if (full <= partial) {
            s->rows[at.row].times++;
            s->multiplier[s->count] = multiplier;
            qp_hold(s, &c.normal, s->d, s->z, free_length);
            reopen_tolerated(s);
            return QP_SOLVED;
        }
        let_go(s, blocking, &c);
    }
}

/* Making it exact. */

/* The force of a held row, in the scale of x. */
static double force_of(const solver *s, size_t held) {
    return s->multiplier[held] * s->held[held].inverse_length;
}

/* A force below this has the wrong sign, and not by rounding. */
static double turned_below(const solver *s) {
    double largest = largest_magnitude(s->n, s->g);
    for (size_t j = 0; j < s->count; j++) largest = fmax(largest, fabs(force_of(s, j)));
    return -10 * (double)s->n * DBL_EPSILON * largest;
}

static bool has_turned(const solver *s, size_t held, double below) {
    return !s->rows[s->held[held].at.row].equality && force_of(s, held) < below;
}

/* The held inequality whose force has the wrong sign most clearly. */
static bool find_turned(const solver *s, size_t *turned) {
    double least = turned_below(s);
    bool found = false;
    for (size_t j = 0; j < s->count; j++) {
        if (!has_turned(s, j, least)) continue;
        least = force_of(s, j);
        *turned = j;
        found = true;
    }
    return found;
}

/* Refines until a further step would change no digit: each step is smaller than the one before
 * by about the same factor. `before` is the size of the step before the first; 0: unknown, and a
 * factor of 1e-4 is assumed. */
static void make_exact(solver *s, double before) {
    enum { most = 6 };
    for (int k = 0; k < most; k++) {
        s->last_step = qp_refine(s, NULL);
        if (before == 0) before = 1e-4 * s->length;
        if (s->last_step * s->last_step <= DBL_EPSILON * s->length * before) return;
        before = s->last_step;
    }
}

/* Makes x the minimum under the held rows, without the rounding errors of earlier steps. */
static void settle(solver *s) {
    size_t turned = 0;
    s->settled = true;
    for (;;) {
        make_exact(s, 0);
        if (s->iterations >= s->limit || !find_turned(s, &turned)) return;
        qp_let_go(s, turned, s->d);
        reopen_tolerated(s);
        s->iterations++;
    }
}

/* Where to begin. */

static size_t list_equalities(solver *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->m; i++)
        if (s->rows[i].equality && s->rows[i].state == ROW_OPEN)
            s->sides[count++] = (side){i, 1, s->rows[i].lower};
    return count;
}

/* The equalities, then the guessed sides that have a finite bound. */
static size_t list_guess(solver *s, size_t count, const signed char *active) {
    for (size_t i = 0; i < s->m; i++) {
        const row_info *row = &s->rows[i];
        if (active[i] == 0 || row->equality || row->state != ROW_OPEN) continue;
        const side c = active[i] < 0 ? (side){i, 1, row->lower} : (side){i, -1, -row->upper};
        if (isfinite(c.bound)) s->sides[count++] = c;
    }
    return count;
}

/* Keeps those of the guess that are held with a multiplier of the right sign. */
static bool drop_turned(solver *s, size_t *count) {
    const double below = turned_below(s);
    size_t turned = 0;
    for (size_t j = 0; j < s->count; j++)
        if (has_turned(s, j, below)) {
            s->rows[s->held[j].at.row].state = ROW_OPEN;
            turned++;
        }
    if (turned == 0) return false;
    size_t kept = 0;
    for (size_t k = 0; k < *count; k++)
        if (s->rows[s->sides[k].row].state == ROW_HELD) s->sides[kept++] = s->sides[k];
    *count = kept;
    s->iterations += turned;
    return true;
}

/* The minimum under the equalities and the guessed rows with multipliers of the right sign. */
static void start(solver *s, const signed char *active) {
    size_t count = list_equalities(s);
    if (active) count = list_guess(s, count, active);
    s->settled = true;
    do {
        s->count = 0;
        memset(s->x, 0, s->n * sizeof *s->x);
        qp_hold_all(s, count, s->sides);
        double free_minimum;
        const double first = qp_refine(s, &free_minimum);
        s->path = first + free_minimum;
        make_exact(s, first);
    } while (drop_turned(s, &count));
    s->iterations += s->count;
    reopen_tolerated(s);
}

/* The result. */

static qp_result infeasible(const solver *s, size_t row, double wrong) {
    return (qp_result){QP_INFEASIBLE, row, wrong / s->rows[row].scale, s->iterations};
}

static qp_result without_row(const solver *s, qp_status status) {
    return (qp_result){status, s->m, 0, s->iterations};
}

static bool follows(row_state state) {
    return state == ROW_TOLERATED || state == ROW_REDUNDANT;
}

/* The result when no further row can be taken up. */
static qp_result verdict(const solver *s) {
    size_t turned;
    if (find_turned(s, &turned)) return without_row(s, QP_ITERATION_LIMIT);
    double largest = 0;
    size_t worst = s->m;
    for (size_t i = 0; i < s->m; i++) {
        const row_info *row = &s->rows[i];
        if (row->state == ROW_EMPTY) continue;
        double wrong;
        const side c = nearer_side(s, i, s->value[i], &wrong);
        const double measure = wrong * row->inverse_norm;
        if (!(measure > largest)) continue;
        const double relative = follows(row->state) ? consistency : exactness;
        if (wrong <= relative * (qp_row_size(s, i) + fabs(c.bound)) + clearly * rounding_of_x(s, i))
            continue;
        largest = measure;
        worst = i;
    }
    if (worst == s->m) return without_row(s, QP_SOLVED);
    /* rounding does not explain this violation after all: the held rows contradict the row */
    double wrong;
    (void)nearer_side(s, worst, s->value[worst], &wrong);
    return follows(s->rows[worst].state) ? infeasible(s, worst, wrong)
                                         : without_row(s, QP_ITERATION_LIMIT);
}

/* Takes up rows until none is violated, also when x is free of rounding errors. */
static qp_result iterate(solver *s) {
    for (;;) {
        side c = {0};
        if (find_violated(s, &c)) {
            if (!s->updates) qp_begin_updates(s);
            const qp_status status = enforce(s, c);
            if (status == QP_INFEASIBLE)
                return infeasible(s, c.row, c.bound - c.sign * qp_row_value(s, c.row));
            if (status != QP_SOLVED) return without_row(s, status);
        } else if (!s->settled) {
            settle(s);
        } else {
            return verdict(s);
        }
    }
}

/* A bound of a variable is kept to the last digit. */
static void keep_bounds(solver *s) {
    for (size_t i = 0; i < s->m; i++) {
        const row_info *row = &s->rows[i];
        if (row->single == s->n) continue;
        const double value = qp_row_value(s, i);
        if (value < row->lower) s->x[row->single] = row->lower / row->entry;
        if (value > row->upper) s->x[row->single] = row->upper / row->entry;
    }
    for (size_t j = 0; j < s->count; j++) {
        const side c = s->held[j].at;
        const row_info *row = &s->rows[c.row];
        if (row->single < s->n) s->x[row->single] = c.sign * c.bound / row->entry;
    }
}

static void give(const solver *s, signed char *active, double *x, double *multipliers) {
    memcpy(x, s->x, s->n * sizeof *x);
    for (size_t i = 0; multipliers && i < s->m; i++) multipliers[i] = 0;
    for (size_t i = 0; active && i < s->m; i++) active[i] = 0;
    for (size_t j = 0; j < s->count; j++) {
        const held_side *c = &s->held[j];
        const row_info *row = &s->rows[c->at.row];
        const double multiplier = row->equality ? s->multiplier[j] : fmax(s->multiplier[j], 0);
        if (multipliers)
            multipliers[c->at.row] = -c->at.sign * multiplier * c->inverse_length * row->scale;
        if (active && !row->equality) active[c->at.row] = c->at.sign > 0 ? -1 : 1;
    }
}

static qp_result solve(const qp_problem *p, signed char *active, double *x, double *multipliers,
                       void *workspace) {
    const qp_result bad = {QP_BAD_INPUT, p ? p->m : 0, 0, 0};
    solver s;
    if (!qp_input_is_usable(p, x, workspace) || !qp_prepare(&s, p, workspace)) return bad;
    for (size_t i = 0; i < p->m; i++) {
        const double contradiction = qp_contradiction(&s, i);
        if (contradiction > 0) return (qp_result){QP_INFEASIBLE, i, contradiction, 0};
    }
    start(&s, active);
    const qp_result result = iterate(&s);
    if (result.status != QP_SOLVED) return result;
    keep_bounds(&s);
    for (size_t k = 0; k < p->n; k++) s.x[k] *= s.scale[k];
    if (!s.k->all_finite(p->n, s.x) || !s.k->all_finite(s.count, s.multiplier)) return bad;
    give(&s, active, x, multipliers);
    return result;
}

qp_result qp_solve_warm(const qp_problem *p, signed char *active, double *x, double *multipliers,
                        void *workspace) {
    return solve(p, active, x, multipliers, workspace);
}

qp_result qp_solve(const qp_problem *p, double *x, double *multipliers, void *workspace) {
    return qp_solve_warm(p, NULL, x, multipliers, workspace);
}
