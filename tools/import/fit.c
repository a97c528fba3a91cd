/* SPDX-License-Identifier: MIT
 * Least squares: for a Stribeck velocity and an exponent the torque is linear in the rest, so a
 * grid of both gives where to begin, and the method of Levenberg and Marquardt ends it.
 */
#include "fit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { grid_size = 32, thin_size = 4000, most_steps = 300, most_beginnings = 3 };

static const double exact = 1e-8; /* residuals below this share of the torque are as good as none */
static const double steepest_exponent = 10;

/* The kinds of curve that are tried; the exponent is a number more only where it is needed. */
typedef struct shape {
    const char *law;
    unsigned free;
} shape;

#define BIT(number) (1u << (number))
static const shape shapes[] = {
    {"coulomb", BIT(FIT_COULOMB) | BIT(FIT_VISCOUS)},
    {"stribeck", BIT(FIT_COULOMB) | BIT(FIT_FALL) | BIT(FIT_VELOCITY) | BIT(FIT_VISCOUS)},
    {"rational", BIT(FIT_COULOMB) | BIT(FIT_FALL) | BIT(FIT_VELOCITY) | BIT(FIT_VISCOUS)},
    {"stribeck",
     BIT(FIT_COULOMB) | BIT(FIT_FALL) | BIT(FIT_VELOCITY) | BIT(FIT_EXPONENT) | BIT(FIT_VISCOUS)},
};
enum { shape_count = sizeof shapes / sizeof shapes[0] };

static bool has(unsigned free, fit_number number) {
    return free & BIT(number);
}

static size_t count_bits(unsigned bits) {
    size_t count = 0;
    for (; bits; bits >>= 1) count += bits & 1;
    return count;
}

/* ---- the curve ---- */

/* How much of the fall is left at a speed, and its derivatives by ln v_S and by alpha. */
typedef struct fall {
    double share, by_velocity, by_exponent;
} fall;

static fall fall_at(const fit *f, double speed) {
    const double u = speed / f->value[FIT_VELOCITY], alpha = f->value[FIT_EXPONENT];
    if (f->law[0] == 'c') return (fall){0, 0, 0};
    if (f->law[0] == 'r') {
        const double share = 1 / (1 + u);
        return (fall){share, share * (1 - share), 0};
    }
    const double w = pow(u, alpha), share = exp(-w);
    if (!(share > 0)) return (fall){0, 0, 0};
    return (fall){share, share * w * alpha, -share * w * log(u)};
}

static double magnitude(const fit *f, double speed, double share) {
    return f->value[FIT_COULOMB] + f->value[FIT_FALL] * share + f->value[FIT_VISCOUS] * speed;
}

double fit_at(const fit *f, double velocity) {
    const double speed = fabs(velocity);
    const double torque = magnitude(f, speed, fall_at(f, speed).share);
    return velocity < 0 ? -f->value[FIT_REVERSE] * torque : torque;
}

static double sum_of_squares(const fit *f, const fit_table *t) {
    double sum = 0;
    for (size_t k = 0; k < t->count; k++) {
        const double miss = t->torque[k] - fit_at(f, t->velocity[k]);
        sum += miss * miss;
    }
    return sum;
}

/* ---- small linear systems ---- */

/* Solves A x = b of the rows that are free, by Gauss with pivots; false: it is singular. */
static bool solve(size_t n, double a[FIT_COUNT][FIT_COUNT], double b[FIT_COUNT]) {
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        if (!(fabs(a[pivot][k]) > 1e-14)) return false; /* the diagonal is 1 */
        for (size_t j = 0; j < n; j++) {
            const double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (size_t i = k + 1; i < n; i++) {
            const double factor = a[i][k] / a[k][k];
            for (size_t j = k; j < n; j++) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return true;
}

/* The normal equations of some numbers, scaled so that the diagonal is 1. */
typedef struct normal {
    size_t n;
    double a[FIT_COUNT][FIT_COUNT], b[FIT_COUNT], scale[FIT_COUNT];
} normal;

static void scale_normal(normal *e) {
    for (size_t i = 0; i < e->n; i++) e->scale[i] = e->a[i][i] > 0 ? sqrt(e->a[i][i]) : 1;
    for (size_t i = 0; i < e->n; i++) {
        e->b[i] /= e->scale[i];
        for (size_t j = 0; j < e->n; j++) e->a[i][j] /= e->scale[i] * e->scale[j];
    }
}

/* ---- where to begin ---- */

/* The best F_C, F_SC and D, none of them negative, for the v_S, alpha and reverse factor of f: of
 * all ways to hold some of them at 0 the best that leaves none below it. */
static double fit_linear(fit *f, const fit_table *t) {
    static const fit_number numbers[] = {FIT_COULOMB, FIT_FALL, FIT_VISCOUS};
    double a[3][3] = {{0}}, b[3] = {0}, square = 0, best = DBL_MAX, best_value[3] = {0};
    for (size_t k = 0; k < t->count; k++) {
        const double speed = fabs(t->velocity[k]);
        const double side = t->velocity[k] < 0 ? -f->value[FIT_REVERSE] : 1;
        const double row[3] = {side, side * fall_at(f, speed).share, side * speed};
        for (size_t i = 0; i < 3; i++) {
            b[i] += row[i] * t->torque[k];
            for (size_t j = 0; j < 3; j++) a[i][j] += row[i] * row[j];
        }
        square += t->torque[k] * t->torque[k];
    }
    for (unsigned set = 1; set < 8; set++) {
        normal e = {.n = 0};
        size_t of[3] = {0};
        bool allowed = true;
        for (size_t i = 0; i < 3; i++)
            if (set >> i & 1) {
                allowed = allowed && has(f->free, numbers[i]);
                of[e.n++] = i;
            }
        for (size_t i = 0; i < e.n; i++) {
            e.b[i] = b[of[i]];
            for (size_t j = 0; j < e.n; j++) e.a[i][j] = a[of[i]][of[j]];
        }
        scale_normal(&e);
        if (!allowed || !solve(e.n, e.a, e.b)) continue;
        double value[3] = {0}, sum = square;
        for (size_t i = 0; i < e.n; i++) {
            value[of[i]] = e.b[i] / e.scale[i];
            allowed = allowed && value[of[i]] >= 0;
            sum -= value[of[i]] * b[of[i]];
        }
        if (!allowed || !(sum < best)) continue;
        best = sum;
        memcpy(best_value, value, sizeof value);
    }
    for (size_t i = 0; i < 3; i++) f->value[numbers[i]] = best_value[i];
    return best;
}

/* ---- and the rest ---- */

/* v_S by its logarithm, so that it stays above 0. */
static void move(fit *f, fit_number number, double by, const double range[2]) {
    double *value = &f->value[number];
    if (number == FIT_VELOCITY)
        *value = fmin(fmax(*value * exp(fmin(fmax(by, -2), 2)), range[0]), range[1]);
    else if (number == FIT_EXPONENT)
        *value = fmin(fmax(*value + by, 1), steepest_exponent);
    else if (number == FIT_REVERSE)
        *value = fmin(fmax(*value + by, 0.01), 100);
    else
        *value = fmax(*value + by, 0);
}

/* One side's derivatives by all numbers. */
static void derivatives(const fit *f, double velocity, double d[FIT_COUNT]) {
    const double speed = fabs(velocity), side = velocity < 0 ? -f->value[FIT_REVERSE] : 1;
    const fall left = fall_at(f, speed);
    d[FIT_COULOMB] = side;
    d[FIT_FALL] = side * left.share;
    d[FIT_VELOCITY] = side * f->value[FIT_FALL] * left.by_velocity;
    d[FIT_EXPONENT] = side * f->value[FIT_FALL] * left.by_exponent;
    d[FIT_VISCOUS] = side * speed;
    d[FIT_REVERSE] = velocity < 0 ? -magnitude(f, speed, left.share) : 0;
}

static normal normal_of(const fit *f, const fit_table *t, fit_number of[FIT_COUNT]) {
    normal e = {.n = 0};
    for (int k = 0; k < FIT_COUNT; k++)
        if (has(f->free, (fit_number)k)) of[e.n++] = (fit_number)k;
    for (size_t k = 0; k < t->count; k++) {
        double d[FIT_COUNT];
        const double miss = t->torque[k] - fit_at(f, t->velocity[k]);
        derivatives(f, t->velocity[k], d);
        for (size_t i = 0; i < e.n; i++) {
            e.b[i] += d[of[i]] * miss;
            for (size_t j = 0; j < e.n; j++) e.a[i][j] += d[of[i]] * d[of[j]];
        }
    }
    scale_normal(&e);
    return e;
}

static double improve(fit *f, const fit_table *t, const double range[2]) {
    double sum = sum_of_squares(f, t), damping = 1e-3;
    for (int step = 0; step < most_steps && damping < 1e6; step++) {
        fit_number of[FIT_COUNT];
        normal e = normal_of(f, t, of);
        for (size_t i = 0; i < e.n; i++) e.a[i][i] += damping;
        fit next = *f;
        if (solve(e.n, e.a, e.b))
            for (size_t i = 0; i < e.n; i++) move(&next, of[i], e.b[i] / e.scale[i], range);
        const double there = sum_of_squares(&next, t);
        if (there < sum) {
            const bool done = sum - there <= 1e-12 * sum;
            *f = next;
            sum = there;
            damping = fmax(damping / 5, 1e-9);
            if (done) break;
        } else {
            damping *= 4;
        }
    }
    return sum;
}

/* Standard errors: the root of the diagonal of (J'J)^-1 times the variance. */
static void find_errors(fit *f, const fit_table *t, double sum) {
    fit_number of[FIT_COUNT];
    const normal whole = normal_of(f, t, of);
    const double freedom = (double)t->count - (double)whole.n;
    for (int k = 0; k < FIT_COUNT; k++) f->error[k] = (double)NAN;
    for (size_t i = 0; i < whole.n; i++) {
        normal e = whole;
        for (size_t j = 0; j < e.n; j++) e.b[j] = i == j;
        if (freedom < 1 || !solve(e.n, e.a, e.b) || !(e.b[i] >= 0)) continue;
        f->error[of[i]] = sqrt(e.b[i] * sum / freedom) / e.scale[i];
        if (of[i] == FIT_VELOCITY) f->error[of[i]] *= f->value[FIT_VELOCITY];
    }
}

/* ---- a law, and the best of them ---- */

static double fit_grid(const shape *s, unsigned free, double reverse, const fit_table *thin,
                       const double range[2], fit beginnings[most_beginnings], size_t *count) {
    double sums[most_beginnings] = {0};
    const bool bends = has(free, FIT_VELOCITY);
    *count = 0;
    for (int k = 0; k < (bends ? grid_size : 1); k++)
        for (int exponent = 1; exponent <= (has(free, FIT_EXPONENT) ? 3 : 1); exponent++) {
            const double share = (double)k / (grid_size - 1);
            fit f = {.law = s->law, .free = free};
            f.value[FIT_VELOCITY] = range[0] * pow(range[1] / range[0], share);
            f.value[FIT_EXPONENT] = exponent;
            f.value[FIT_REVERSE] = reverse;
            const double sum = fit_linear(&f, thin);
            size_t at = *count;
            while (at > 0 && sum < sums[at - 1]) at--;
            if (at == most_beginnings) continue;
            if (*count < most_beginnings) ++*count;
            for (size_t i = *count - 1; i > at; i--) {
                sums[i] = sums[i - 1];
                beginnings[i] = beginnings[i - 1];
            }
            sums[at] = sum;
            beginnings[at] = f;
        }
    return sums[0];
}

/* Backwards over forwards by the means of both, a number to begin with. */
static double reverse_guess(const fit_table *t) {
    double sum[2] = {0}, count[2] = {0};
    for (size_t k = 0; k < t->count; k++) {
        sum[t->velocity[k] < 0] += fabs(t->torque[k]);
        count[t->velocity[k] < 0]++;
    }
    const double ratio = sum[1] / count[1] / (sum[0] / count[0]);
    return isfinite(ratio) ? fmin(fmax(ratio, 0.01), 100) : 1;
}

static fit fit_shape(const shape *s, bool both_ways, const fit_table *thin, const double range[2]) {
    fit beginnings[most_beginnings], best = {.law = s->law};
    size_t count;
    double least = DBL_MAX;
    const unsigned free = s->free | (both_ways ? BIT(FIT_REVERSE) : 0);
    (void)fit_grid(s, free, both_ways ? reverse_guess(thin) : 1, thin, range, beginnings, &count);
    for (size_t k = 0; k < count; k++) {
        const double sum = improve(&beginnings[k], thin, range);
        if (!(sum < least)) continue;
        least = sum;
        best = beginnings[k];
    }
    double square = 0;
    for (size_t k = 0; k < thin->count; k++) square += thin->torque[k] * thin->torque[k];
    const double n = (double)thin->count;
    best.criterion = n * log(fmax(least, exact * exact * square) / n + DBL_MIN) +
                     (double)count_bits(free) * log(n);
    return best;
}

/* A number at the end of its range says that the table does not know it: the same law with one
 * number less is tried as well, and is better. */
static bool is_at_its_end(const fit *f) {
    return has(f->free, FIT_EXPONENT) && f->value[FIT_EXPONENT] >= steepest_exponent;
}

static void finish(fit *f, const fit_table *t, const double range[2]) {
    const double sum = improve(f, t, range);
    find_errors(f, t, sum);
    f->residual = sqrt(sum / (double)t->count);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The speeds in rising order, each once; how many there are. */
static size_t sorted_speeds(const fit_table *t, double *speeds) {
    size_t count = 0;
    for (size_t k = 0; k < t->count; k++) speeds[k] = fabs(t->velocity[k]);
    qsort(speeds, t->count, sizeof *speeds, by_value);
    for (size_t k = 0; k < t->count; k++)
        if (count == 0 || speeds[k] > speeds[count - 1]) speeds[count++] = speeds[k];
    return count;
}

size_t fit_speeds(const fit_table *t) {
    double *speeds = malloc((t->count + 1) * sizeof *speeds);
    const size_t count = speeds ? sorted_speeds(t, speeds) : 0;
    free(speeds);
    return count;
}

size_t fit_speeds_needed(const char *law) {
    for (size_t k = 0; k < shape_count; k++)
        if (strcmp(shapes[k].law, law) == 0) return count_bits(shapes[k].free);
    return 0;
}

static bool goes_both_ways(const fit_table *t) {
    bool ways[2] = {false, false};
    for (size_t k = 0; k < t->count; k++) ways[t->velocity[k] < 0] = true;
    return ways[0] && ways[1];
}

/* Every so many rows of a long table, where many curves are tried. */
static fit_table thinned(const fit_table *t, double *memory) {
    const size_t stride = (t->count + thin_size - 1) / thin_size;
    size_t count = 0;
    for (size_t k = 0; k < t->count; k += stride) {
        memory[count] = t->velocity[k];
        memory[thin_size + count++] = t->torque[k];
    }
    return (fit_table){memory, memory + thin_size, count};
}

bool fit_table_to(const fit_table *t, const char *law, fit *best) {
    double *speeds = malloc((t->count + 1) * sizeof *speeds);
    double *memory = malloc(2 * thin_size * sizeof *memory);
    bool found = false;
    if (speeds && memory && t->count > 0) {
        const size_t count = sorted_speeds(t, speeds);
        const double range[2] = {speeds[0] / 3, speeds[count - 1] * 3};
        const fit_table thin = thinned(t, memory);
        for (size_t k = 0; k < shape_count; k++) {
            if (law && strcmp(shapes[k].law, law) != 0) continue;
            if (count < count_bits(shapes[k].free)) continue;
            for (int ways = 0; ways < (goes_both_ways(t) ? 2 : 1); ways++) {
                const fit f = fit_shape(&shapes[k], ways == 1, &thin, range);
                if (found && (is_at_its_end(&f) || !(f.criterion < best->criterion))) continue;
                *best = f;
                found = true;
            }
        }
        if (found) finish(best, t, range);
    }
    free(speeds);
    free(memory);
    return found;
}
