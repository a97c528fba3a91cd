/* SPDX-License-Identifier: MIT */
/* The solver: see descent.h. */
#include "implicit/descent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint_models/viscosity.h"

enum {
    most_iterations = 100,
    most_frozen = 50, /* iterations with frozen levels */
    most_following = 60,
    most_halvings = 30,
    most_rounds = 10,
    most_smoothed = 3
};

/* A gradient is zero where it is no more than this part of F_S, or than what rounding leaves. */
static const double enough = 1e-12, rounding = 16 * DBL_EPSILON;

/* What is missing to a balance that is one, and to one that Newton's method has all but found. */
static const double balanced = 1e-13, settled = 1e-9;

/* The same for smoothed rows, and the residual (in F_S) above which smoothing comes first. */
static const double roughly = 1e-4, far_off = 1;

/* No slope of a law is steeper: a product of two of them, or with a rigidity, is a number. */
static const double steepest = 0x1p400;

/* J does not rise where it gains no more than this part of its terms, which are rounded. */
static const double flat = 1e-14;

/* ---- memory ---- */

bool stiction_descent_create(descent *d, tree *sparse, tree *full, size_t row_count) {
    const size_t n = full->count, m = row_count;
    struct {
        double **array;
        size_t size;
    } arrays[] = {{&d->mass, sparse->size}, {&d->momentum, n},        {&d->velocity, n},
                  {&d->here.velocity, n},   {&d->here.product, n},    {&d->here.force, n},
                  {&d->here.slip, m},       {&d->here.element, m},    {&d->there.velocity, n},
                  {&d->there.product, n},   {&d->there.force, n},     {&d->there.slip, m},
                  {&d->there.element, m},   {&d->ahead.velocity, n},  {&d->ahead.product, n},
                  {&d->ahead.force, n},     {&d->ahead.slip, m},      {&d->ahead.element, m},
                  {&d->matrix, full->size}, {&d->system, full->size}, {&d->dense, n * n},
                  {&d->motion, n},          {&d->direction, n},       {&d->right, n},
                  {&d->magnitude, n},       {&d->imbalance, n},       {&d->step, m},
                  {&d->gradient, m},        {&d->slope, m},           {&d->level, m},
                  {&d->slope_ahead, m},     {&d->friction_ahead, m}};
    const size_t count = sizeof arrays / sizeof arrays[0];
    size_t total = 0;
    for (size_t k = 0; k < count; k++) total += arrays[k].size;
    *d = (descent){.sparse = sparse,
                   .full = full,
                   .rows = calloc(m + 1, sizeof *d->rows),
                   .sign = calloc(m + 1, sizeof *d->sign),
                   .held = calloc(n + 1, sizeof *d->held),
                   .stiff = calloc(m + 1, sizeof *d->stiff),
                   .ends = calloc(m + 1, sizeof *d->ends),
                   .numbers = calloc(total + 1, sizeof *d->numbers)};
    if (!stiction_factored_create(&d->factor, sparse) || !d->rows || !d->sign || !d->held ||
        !d->stiff || !d->ends || !d->numbers) {
        stiction_descent_destroy(d);
        return false;
    }
    double *next = d->numbers;
    for (size_t k = 0; k < count; next += arrays[k++].size) *arrays[k].array = next;
    return true;
}

void stiction_descent_destroy(descent *d) {
    free(d->rows);
    free(d->sign);
    free(d->held);
    free(d->stiff);
    free(d->ends);
    free(d->numbers);
    stiction_factored_destroy(&d->factor);
    *d = (descent){0};
}

/* ---- the law of a row, or its level frozen ---- */

/* In which direction a row slips or, where it sticks, would: 1 is backwards. */
static int side_of(const descent *d, size_t k) {
    return d->sign[k] ? d->sign[k] < 0 : d->here.element[k] < 0;
}

static const stiction_law_parameters *parameters_of(const descent *d, size_t k) {
    return d->rows[k].parameters[side_of(d, k)];
}

static double breakaway_of(const descent *d, size_t k) {
    return d->rows[k].breakaway[side_of(d, k)];
}

static double viscous_at(const descent *d, size_t k, double s) {
    return stiction_viscous_torque(parameters_of(d, k), s);
}

/* What a slip s > 0 of a row brings about in it, at most: with all others held, where its bristle
 * and its own inertia bear f. */
static double own_demand(const descent *d, size_t k, double f, double s) {
    const double m = d->mass[d->sparse->start[d->rows[k].dof]], G = d->rows[k].rigidity;
    return f - (d->rigid ? m : m / (m + G) * G) * s;
}

/* A power below 1 is infinitely steep at rest, where a Newton step would not move. Use instead the
 * slope of the chord up to the slip that the row would have by itself, which is at most its actual
 * slip. */
static double chord_at_rest(const descent *d, size_t k) {
    const double f = fabs(d->here.element[k]) - (d->is_frozen ? d->level[k] : breakaway_of(d, k));
    double low = DBL_MIN, high = DBL_MAX;
    while (f > 0 && high > 2 * low) {
        const double middle = sqrt(low) * sqrt(high);
        *(viscous_at(d, k, middle) < own_demand(d, k, f, middle) ? &low : &high) = middle;
    }
    return fmin(viscous_at(d, k, low) / low, steepest);
}

static double viscous_slope_at(const descent *d, size_t k, double s) {
    const stiction_law_parameters *p = parameters_of(d, k);
    if (s == 0 && !stiction_viscosity_is_linear(p) && p->viscous_exponent < 1)
        return chord_at_rest(d, k);
    return fmin(stiction_viscous_slope(p, s), steepest);
}

/* Phi at s >= 0 without viscosity, beside which it would be lost at high speed. */
static double level_at(const descent *d, size_t k, double s) {
    if (d->is_frozen) return d->level[k];
    stiction_law_parameters dry = *parameters_of(d, k);
    dry.viscous = 0;
    return d->rows[k].law->phi(&dry, s);
}

static double friction_at(const descent *d, size_t k, double s) {
    if (d->is_frozen) return d->level[k] + viscous_at(d, k, s);
    return d->rows[k].law->phi(parameters_of(d, k), s);
}

static double slope_at(const descent *d, size_t k, double s) {
    const double slope = d->is_frozen ? DBL_MAX : d->rows[k].law->phi_slope(parameters_of(d, k), s);
    return slope < steepest ? slope : viscous_slope_at(d, k, s);
}

/* ---- w from s ---- */

/* The product and the constraints of a velocity. */
static void evaluate(descent *d, descent_point *p) {
    stiction_tree_multiply(d->sparse, d->mass, p->velocity, p->product);
    if (!d->constraints) return;
    p->cost = d->constraints->evaluate(d->constraints->user, p->velocity, p->force);
    d->evaluated = p->velocity;
}

/* M/T and the constraints' curvature where `p` is. */
static double *curvature_at(descent *d, descent_point *p, const tree **t) {
    *t = d->constraints ? d->full : d->sparse;
    if (!d->constraints) {
        memcpy(d->matrix, d->mass, d->sparse->size * sizeof *d->matrix);
        return d->matrix;
    }
    const size_t n = d->full->count;
    const double *entry = d->mass;
    memset(d->dense, 0, n * n * sizeof *d->dense);
    for (size_t i = 0; i < n; i++)
        for (int j = (int)i; j >= 0; j = d->sparse->parent[j])
            d->dense[i * n + (size_t)j] = *entry++;
    if (d->evaluated != p->velocity) evaluate(d, p);
    d->constraints->curvature(d->constraints->user, d->dense);
    stiction_tree_pack(d->full, d->dense, d->matrix);
    return d->matrix;
}

/* The velocity at which a smoothed row reaches its level: 0.1 % of the change of velocity that the
 * level causes in a step. */
static double smoothed_width(const descent *d, size_t k) {
    return 0.001 * d->level[k] / d->mass[d->sparse->start[d->rows[k].dof]];
}

static double smoothed_force(const descent *d, size_t k, double w) {
    return d->level[k] * fmax(-1, fmin(w / smoothed_width(d, k), 1)) +
           copysign(viscous_at(d, k, fabs(w)), w);
}

static double smoothed_slope(const descent *d, size_t k, double w) {
    const double width = smoothed_width(d, k);
    return (fabs(w) < width ? d->level[k] / width : 0) + viscous_slope_at(d, k, fabs(w));
}

/* The degrees of freedom that do not follow: those of rigid joints, whose slip they are. */
static const bool *imposed_velocities(descent *d, descent_point *p) {
    if (!d->rigid || d->is_smooth) return NULL;
    memset(d->held, 0, d->full->count * sizeof *d->held);
    for (size_t k = 0; k < d->row_count; k++) {
        d->held[d->rows[k].dof] = true;
        p->velocity[d->rows[k].dof] = p->slip[k];
    }
    return d->held;
}

static void put_rigidities(const descent *d, const tree *t, double *matrix) {
    for (size_t k = 0; k < d->row_count && !d->rigid; k++)
        matrix[t->start[d->rows[k].dof]] += d->rows[k].rigidity;
}

static void put_smoothed_slopes(const descent *d, const tree *t, const descent_point *p,
                                double *matrix) {
    for (size_t k = 0; k < d->row_count; k++)
        matrix[t->start[d->rows[k].dof]] += smoothed_slope(d, k, p->velocity[d->rows[k].dof]);
}

static double bristle_force(const descent *d, const descent_point *p, size_t k) {
    const descent_row *row = &d->rows[k];
    return row->spring + row->rigidity * (p->velocity[row->dof] - p->slip[k]);
}

/* Minus the gradient of J for w; 0 where w is given. */
static void unbalanced(const descent *d, const descent_point *p, const bool *imposed,
                       double *right) {
    for (size_t i = 0; i < d->full->count; i++)
        right[i] = imposed && imposed[i] ? 0 : d->momentum[i] + p->force[i] - p->product[i];
    for (size_t k = 0; k < d->row_count && !d->rigid; k++)
        right[d->rows[k].dof] -= bristle_force(d, p, k);
    for (size_t k = 0; k < d->row_count && d->is_smooth; k++)
        right[d->rows[k].dof] -= smoothed_force(d, k, p->velocity[d->rows[k].dof]);
}

/* The factor of M/T with the bristles' G. */
static bool make_factor(descent *d, const bool *imposed) {
    memcpy(d->matrix, d->mass, d->sparse->size * sizeof *d->mass);
    put_rigidities(d, d->sparse, d->matrix);
    /* rows that are held are not read: they mark which ones are */
    for (size_t k = 0; k < d->row_count && d->rigid; k++)
        d->matrix[d->sparse->start[d->rows[k].dof]] += 1;
    return stiction_factored_update(&d->factor, d->sparse, d->matrix, imposed);
}

/* Without constraints w is the solution of linear equations; started from 0, so that the result
 * does not depend on the previous contents of w. */
static bool follow_linear(descent *d, descent_point *p) {
    const size_t n = d->full->count;
    const bool *imposed = imposed_velocities(d, p);
    if (d->row_count < n || !d->rigid) {
        if (!make_factor(d, imposed)) return false;
        for (size_t i = 0; i < n; i++)
            if (!imposed || !imposed[i]) p->velocity[i] = 0;
        if (imposed)
            evaluate(d, p);
        else
            memset(p->product, 0, n * sizeof *p->product);
        unbalanced(d, p, imposed, d->right);
        stiction_tree_solve(d->sparse, d->factor.factor, imposed, d->right);
        for (size_t i = 0; i < n; i++) p->velocity[i] += d->right[i];
    }
    evaluate(d, p);
    return true;
}

/* What is missing to the balance, as a part of the forces in it; in the metric of the masses, since
 * a contact reaches degrees of freedom of all sizes, and cancels in some. */
static double missing(const descent *d, const descent_point *p, const double *right) {
    double most = 0, scale = 0;
    for (size_t i = 0; i < d->full->count; i++) {
        const double mass = d->mass[d->sparse->start[i]];
        const double size = fabs(d->momentum[i]) + fabs(p->force[i]) + fabs(p->product[i]);
        most = fmax(most, right[i] * right[i] / mass);
        scale = fmax(scale, size * size / mass);
    }
    return scale > 0 ? sqrt(most / scale) : 0;
}

/* What J gains from one point to another, the laws apart; `scale`: rounding is a part of it. */
static double gain_of_motion(const descent *d, const descent_point *from, const descent_point *to,
                             double *scale) {
    double sum = d->constraints ? to->cost - from->cost : 0;
    *scale = d->constraints ? fabs(to->cost) + fabs(from->cost) : 0;
    for (size_t i = 0; i < d->full->count; i++) {
        const double change = to->velocity[i] - from->velocity[i];
        sum += change * (from->product[i] / 2 + to->product[i] / 2 - d->momentum[i]);
        *scale += fabs(change) * (fabs(from->product[i]) + fabs(d->momentum[i]));
    }
    for (size_t k = 0; k < d->row_count && !d->rigid; k++) {
        const size_t i = d->rows[k].dof;
        const double change = to->velocity[i] - from->velocity[i] - (to->slip[k] - from->slip[k]);
        const double force = bristle_force(d, from, k) / 2 + bristle_force(d, to, k) / 2;
        sum += change * force;
        *scale += fabs(change * force);
    }
    return sum;
}

static double product_of(size_t n, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Goes from `p` along d->direction as far as a convex J falls. False: nowhere. */
static bool search(descent *d, descent_point *p, const bool *imposed) {
    const size_t n = d->full->count;
    descent_point *next = &d->ahead;
    unbalanced(d, p, imposed, d->right);
    const double slope = -product_of(n, d->right, d->direction);
    double length = 1;
    memcpy(next->slip, p->slip, d->row_count * sizeof *next->slip);
    for (int k = 0; k < most_halvings; k++) {
        double scale;
        for (size_t i = 0; i < n; i++)
            next->velocity[i] = p->velocity[i] + length * d->direction[i];
        evaluate(d, next);
        const double gain = gain_of_motion(d, p, next, &scale);
        unbalanced(d, next, imposed, d->right);
        const double ahead = -product_of(n, d->right, d->direction);
        /* gain_of_motion leaves smoothed rows out, so the slope alone decides about them */
        if ((d->is_smooth || gain <= flat * scale) && ahead <= fmax(-slope, 0)) {
            const descent_point last = *p;
            *p = *next;
            p->element = last.element;
            next->velocity = last.velocity;
            next->product = last.product;
            next->force = last.force;
            next->slip = last.slip;
            return true;
        }
        /* where a straight slope would end, and not too close to either side */
        const double secant = slope < 0 && ahead > 0 ? slope / (slope - ahead) : 0.5;
        length *= fmin(fmax(secant, 0.1), 0.9);
    }
    return false;
}

/* With constraints by Newton's method on a convex function. */
static bool follow_constrained(descent *d, descent_point *p) {
    const bool *imposed = imposed_velocities(d, p);
    double last = INFINITY;
    evaluate(d, p);
    for (int k = 0; k < most_following; k++) {
        unbalanced(d, p, imposed, d->direction);
        const double now = missing(d, p, d->direction);
        /* Newton's method squares the error until rounding limits it */
        if (now <= (d->is_smooth ? roughly : balanced) || (now < settled && now > last / 2)) break;
        last = now;
        const tree *t;
        double *matrix = curvature_at(d, p, &t);
        put_rigidities(d, t, matrix);
        if (d->is_smooth) put_smoothed_slopes(d, t, p, matrix);
        if (!stiction_tree_factor(t, matrix, imposed)) return false;
        stiction_tree_solve(t, matrix, imposed, d->direction);
        if (!search(d, p, imposed)) break;
    }
    return true;
}

/* Whether what a row bears is better known from the balance of its joint than from its bristle,
 * whose two ends move alike where it is stiff. */
static bool is_stiff(const descent *d, size_t k) {
    return d->rigid ||
           (!d->rows[k].shares && d->rows[k].rigidity > d->mass[d->sparse->start[d->rows[k].dof]]);
}

static void read_elements(const descent *d, descent_point *p) {
    for (size_t k = 0; k < d->row_count; k++) {
        const size_t i = d->rows[k].dof;
        p->element[k] =
            d->stiff[k] ? d->momentum[i] + p->force[i] - p->product[i] : bristle_force(d, p, k);
    }
}

/* w of the slip of a point, and what the rows then must bear. False: M is not positive definite. */
static bool follow(descent *d, descent_point *p) {
    if (!(d->constraints ? follow_constrained(d, p) : follow_linear(d, p))) return false;
    read_elements(d, p);
    return true;
}

/* ---- the rows ---- */

/* Torques below this part of F_S count as zero. */
static inline double resolution(const descent_row *row) {
    return enough * stiction_least(row->breakaway[0], row->breakaway[1]);
}

/* What rounding leaves of the gradient of a row. */
static double noise(const descent *d, size_t k) {
    const descent_row *row = &d->rows[k];
    const descent_point *p = &d->here;
    const size_t i = row->dof;
    const double scale =
        d->stiff[k] ? fabs(d->momentum[i]) + fabs(p->force[i]) + d->magnitude[i]
                    : fabs(row->spring) + row->rigidity * (fabs(p->velocity[i]) + fabs(p->slip[k]));
    return stiction_most(rounding * scale, resolution(row));
}

/* Whether all rows stick and bear what they must, as those of a robot that rests do. */
static bool all_hold(const descent *d) {
    for (size_t k = 0; k < d->row_count; k++) {
        const double f = d->here.element[k];
        if (d->here.slip[k] != 0 || !(fabs(f) <= d->rows[k].breakaway[f < 0])) return false;
    }
    return !d->is_frozen;
}

/* Which rows slip, and their gradients and slopes. True: no row is to move any more. */
static bool find_slipping(descent *d, size_t *slipping) {
    /* local copies: the compiler must assume that the stores below change the fields of d */
    const descent_row *rows = d->rows;
    const double *slip = d->here.slip, *element = d->here.element;
    double *gradient = d->gradient, *friction = d->friction_ahead, residual = 0;
    const size_t row_count = d->row_count;
    const bool knows_ahead = d->knows_ahead, is_frozen = d->is_frozen;
    size_t count = 0;
    bool done = true;
    *slipping = 0;
    d->residual = 0;
    if (all_hold(d)) return true;
    if (d->has_stiff) stiction_tree_magnitude(d->sparse, d->mass, d->here.velocity, d->magnitude);
    for (size_t k = 0; k < row_count; k++) {
        const descent_row *row = &rows[k];
        const double s = slip[k], f = element[k];
        const double most = is_frozen ? d->level[k] : row->breakaway[f < 0];
        const bool breaks = s == 0 && fabs(f) > most && fabs(f) > most + noise(d, k);
        const int sign = s != 0 ? (s > 0) - (s < 0) : breaks ? (f > 0) - (f < 0) : 0;
        d->sign[k] = (signed char)sign;
        gradient[k] = 0;
        if (!sign) continue;
        count++;
        if (!knows_ahead || s == 0) friction[k] = friction_at(d, k, fabs(s));
        gradient[k] = sign * friction[k] - f;
        const double off = fabs(gradient[k]);
        if (!(off <= resolution(row)) && !(off <= noise(d, k))) done = false;
        const double part = off / row->breakaway[sign < 0];
        if (!(part > residual)) continue;
        residual = part;
        d->worst = k;
    }
    d->residual = residual;
    *slipping = count;
    return done;
}

/* Rows that would reverse end at rest, and the step is solved again until no row reverses. Without
 * this, rows that are coupled by a contact would come to rest one per iteration. */
static bool end_turning(descent *d, const tree *t) {
    const size_t n = d->full->count;
    double *w = d->motion, *given = d->ahead.velocity, *product = d->ahead.product;
    for (int round = 0; round < most_rounds; round++) {
        bool more = false;
        for (size_t k = 0; k < d->row_count; k++) {
            const double s = d->here.slip[k];
            if (!d->sign[k] || d->ends[k] || (s + d->step[k]) * d->sign[k] > 0) continue;
            d->ends[k] = d->held[d->rows[k].dof] = more = true;
        }
        if (!more) return true;
        memset(given, 0, n * sizeof *given);
        for (size_t k = 0; k < d->row_count; k++)
            if (d->ends[k]) given[d->rows[k].dof] = -d->here.slip[k];
        stiction_tree_multiply(t, d->system, given, product);
        for (size_t i = 0; i < n; i++) w[i] = d->right[i] - product[i];
        memcpy(d->matrix, d->system, t->size * sizeof *d->matrix);
        if (!stiction_tree_factor(t, d->matrix, d->held)) return false;
        stiction_tree_solve(t, d->matrix, d->held, w);
        for (size_t k = 0; k < d->row_count; k++) {
            const size_t i = d->rows[k].dof;
            if (d->ends[k]) w[i] = given[i];
            d->step[k] = d->sign[k] ? w[i] : 0;
        }
    }
    return true;
}

/* The step of w and s for the slopes of the rows that slip; `again`: with those of the last one,
 * and its factor. False: J is not convex there. */
static bool direct(descent *d, bool ends, bool again) {
    const tree *t = d->sparse;
    double *matrix = again ? d->matrix : curvature_at(d, &d->here, &t), *w = d->motion;
    const bool *held = d->rigid ? d->held : NULL;
    d->factored_rows = 0;
    /* w follows s up to rounding */
    unbalanced(d, &d->here, imposed_velocities(d, &d->here), w);
    memcpy(d->imbalance, w, d->full->count * sizeof *w);
    memset(d->held, 0, d->full->count * sizeof *d->held);
    for (size_t k = 0; k < d->row_count; k++) {
        const descent_row *row = &d->rows[k];
        double *diagonal = &matrix[t->start[row->dof]];
        const double c = d->slope[k], G = row->rigidity;
        if (!d->sign[k] && d->rigid) d->held[row->dof] = true;
        if (!d->sign[k] && !d->rigid && !again) *diagonal += G;
        if (!d->sign[k]) continue;
        if (!d->rigid && !(G + c > 0)) return false;
        /* a bristle of G in a row with a slope of c */
        if (!again) *diagonal += d->rigid ? c : G * c / (G + c);
        w[row->dof] -= d->rigid ? d->gradient[k] : d->gradient[k] * G / (G + c);
    }
    ends = ends && d->rigid && d->constraints;
    if (ends) {
        memset(d->ends, 0, d->row_count * sizeof *d->ends);
        memcpy(d->system, matrix, t->size * sizeof *matrix);
        memcpy(d->right, w, d->full->count * sizeof *w);
    }
    if (!again && !stiction_tree_factor(t, matrix, held)) return false;
    stiction_tree_solve(t, matrix, held, w);
    for (size_t k = 0; k < d->row_count; k++) {
        const double c = d->slope[k], G = d->rows[k].rigidity, w_k = w[d->rows[k].dof];
        if (!d->sign[k])
            d->step[k] = 0;
        else
            d->step[k] = d->rigid ? w_k : (G * w_k - d->gradient[k]) / (G + c);
    }
    return !ends || end_turning(d, t);
}

/* The trial at a part of the step: a row that would turn round stops. */
static bool go(descent *d, double length) {
    descent_point *to = &d->there;
    d->stops = false;
    for (size_t k = 0; k < d->row_count; k++) {
        const double s = d->here.slip[k] + length * d->step[k];
        const bool turns = d->sign[k] && !(s * d->sign[k] > 0);
        to->slip[k] = turns ? 0 : s;
        d->stops = d->stops || turns;
    }
    for (size_t i = 0; i < d->full->count; i++)
        to->velocity[i] = d->here.velocity[i] + length * d->motion[i];
    if (d->stops || d->constraints) return follow(d, to);
    evaluate(d, to);
    read_elements(d, to);
    return true;
}

/* The work of a row from a to b with its level at a. */
static double frozen_work(const descent *d, size_t k, double a, double b) {
    const stiction_law_parameters *p = parameters_of(d, k);
    const double level = level_at(d, k, a);
    if (stiction_viscosity_is_linear(p)) return (b - a) * (level + p->viscous * (a / 2 + b / 2));
    return (b - a) * level + stiction_power_work(p, a, b);
}

/* What J gains by the trial. The majoriser's gain has the levels of friction frozen where they
 * are. */
static double gain_of_trial(const descent *d, bool majoriser, double *scale) {
    const descent_point *from = &d->here, *to = &d->there;
    double sum = gain_of_motion(d, from, to, scale);
    for (size_t k = 0; k < d->row_count; k++) {
        if (!d->sign[k]) continue;
        const descent_row *row = &d->rows[k];
        const double a = fabs(from->slip[k]), b = fabs(to->slip[k]);
        const double gain = majoriser || d->is_frozen ? frozen_work(d, k, a, b)
                                                      : row->law->work(parameters_of(d, k), a, b);
        sum += gain;
        *scale += fabs(gain);
    }
    return sum;
}

/* The least that the curvature of J can be on the way to the trial, times its length squared. */
static double curvature_of_trial(descent *d) {
    const descent_point *from = &d->here, *to = &d->there;
    double sum = d->stops ? 0 : product_of(d->full->count, d->imbalance, d->motion);
    for (size_t k = 0; k < d->row_count; k++) {
        if (!d->sign[k]) continue;
        const double change = to->slip[k] - from->slip[k], c = d->slope[k];
        d->slope_ahead[k] = slope_at(d, k, fabs(to->slip[k]));
        const double least = fmin(c, d->slope_ahead[k]);
        /* of a whole step the curvature at its start is known without the rounding of forces */
        sum += d->stops ? change * (from->element[k] - to->element[k]) + least * change * change
                        : -d->gradient[k] * change + (least - c) * change * change;
    }
    return sum;
}

static void accept(descent *d) {
    const descent_point last = d->here;
    d->here = d->there;
    d->there = last;
}

/* The slope of J where the trial is, along the way to it. */
static double slope_of_trial(descent *d) {
    double slope = 0;
    for (size_t k = 0; k < d->row_count; k++) {
        const double s = d->there.slip[k], change = s - d->here.slip[k];
        if (s == 0) continue;
        d->friction_ahead[k] = friction_at(d, k, fabs(s));
        slope += change * (copysign(d->friction_ahead[k], s) - d->there.element[k]);
    }
    return slope;
}

static void find_slopes(descent *d) {
    const bool is_known = d->knows_ahead && !d->is_convex;
    for (size_t k = 0; k < d->row_count; k++) {
        const double s = fabs(d->here.slip[k]);
        if (d->sign[k]) d->slope[k] = is_known && s > 0 ? d->slope_ahead[k] : slope_at(d, k, s);
    }
}

/* Where J is convex and the error, which falls as in the last step, then is gone, the last factor
 * does. */
static bool newton(descent *d, size_t slipping, double last_residual) {
    double scale;
    const bool again = d->is_convex && d->factored_rows == slipping && isfinite(last_residual) &&
                       d->residual * d->residual < 0.1 * enough * last_residual;
    if (!again) find_slopes(d);
    d->knows_ahead = false;
    if (!direct(d, true, again) || !go(d, 1)) return false;
    if (!d->is_convex && !(curvature_of_trial(d) >= 0)) return false;
    /* on a convex way J falls if it still falls where that ends */
    const bool falls = slope_of_trial(d) <= 0 && !d->stops && !d->constraints;
    if (!falls && !(gain_of_trial(d, false, &scale) <= flat * scale)) return false;
    accept(d);
    d->knows_ahead = true;
    if (!d->stops) d->factored_rows = slipping;
    return true;
}

/* Whether a velocity of the trial has all but vanished: what is left of it then is rounding. */
static bool has_vanished(const descent *d) {
    static const double nearly = 1e-9;
    for (size_t i = 0; i < d->full->count; i++)
        if (fabs(d->there.velocity[i]) < nearly * fabs(d->here.velocity[i])) return true;
    return false;
}

/* Newton's step from a velocity that does not follow the slip, which needs no factor of its own. It
 * need not lower J where that is convex. Rows at rest stay there. False: `here` is unchanged. */
static bool leap(descent *d) {
    descent_point *p = &d->here;
    size_t slipping = 0;
    for (size_t k = 0; k < d->row_count; k++) slipping += p->slip[k] != 0;
    if (slipping == 0) return false;
    for (size_t k = 0; k < d->row_count; k++) {
        const double s = p->slip[k];
        p->element[k] = bristle_force(d, p, k);
        d->sign[k] = (signed char)((s > 0) - (s < 0));
        d->gradient[k] = s == 0 ? 0 : d->sign[k] * friction_at(d, k, fabs(s)) - p->element[k];
    }
    find_slopes(d);
    if (!direct(d, true, false) || !go(d, 1) || has_vanished(d)) return false;
    accept(d);
    if (!d->stops) d->factored_rows = slipping;
    d->iterations++;
    return true;
}

/* A step is short where J is nearly flat: on, as far as it falls all the way. */
static void go_on(descent *d) {
    double scale, best = gain_of_trial(d, false, &scale), length = 1;
    for (int k = 0; k < most_halvings && slope_of_trial(d) < 0; k++) {
        if (!go(d, 2 * length)) break;
        const double gain = gain_of_trial(d, false, &scale);
        if (!(gain < best)) break;
        best = gain;
        length *= 2;
    }
    (void)go(d, length);
}

/* The step in which no row that breaks away starts backwards, as coupled rows may: such a row stays
 * where it is. The last row that breaks away cannot do so, hence the remaining step lowers the
 * majoriser. False: M is not positive definite. */
static bool direct_forwards(descent *d) {
    for (bool turned = true; turned;) {
        if (!direct(d, false, false)) return false;
        turned = false;
        for (size_t k = 0; k < d->row_count; k++)
            if (d->sign[k] && d->here.slip[k] == 0 && !(d->step[k] * d->sign[k] > 0)) {
                d->sign[k] = 0;
                turned = true;
            }
    }
    return true;
}

/* How much of the step brings the first row that slows down to rest; all of it where none is. A
 * little more, since what rounding leaves of a slip would hold up the next step. */
static double to_first_stop(const descent *d) {
    double length = 1;
    for (size_t k = 0; k < d->row_count; k++) {
        const double s = d->here.slip[k], step = d->step[k];
        if (d->sign[k] && (s > 0 ? step < 0 : s < 0 && step > 0))
            length = fmin(length, -s / step * (1 + 4 * DBL_EPSILON));
    }
    return length;
}

/* Whether the majoriser is a parabola up to the first stop, so that it falls all the way; a sum of
 * what a short way gains might be no more than rounding. */
static bool is_quadratic(const descent *d) {
    for (size_t k = 0; k < d->row_count; k++)
        if (!stiction_viscosity_is_linear(parameters_of(d, k))) return false;
    return !d->constraints;
}

/* Minimises a smooth function near the majoriser, which shows at once which rows stick where
 * contacts couple all of them; steps would find that row by row. False: `here` is unchanged. */
static bool smooth(descent *d) {
    descent_point *to = &d->there;
    double scale;
    if (!d->rigid || !d->constraints || d->is_frozen || d->smoothed++ >= most_smoothed)
        return false;
    for (size_t k = 0; k < d->row_count; k++) d->level[k] = level_at(d, k, fabs(d->here.slip[k]));
    memcpy(to->velocity, d->here.velocity, d->full->count * sizeof *to->velocity);
    d->is_smooth = true;
    const bool done = follow_constrained(d, to);
    d->is_smooth = false;
    if (!done) return false;
    for (size_t k = 0; k < d->row_count; k++) {
        const double w = to->velocity[d->rows[k].dof];
        to->slip[k] = fabs(w) > smoothed_width(d, k) ? w : 0;
    }
    if (!follow(d, to) || !(gain_of_trial(d, true, &scale) < 0)) return false;
    accept(d);
    return true;
}

/* The majoriser has only the slope of viscosity. False: it does not decrease, so `here` is accurate
 * to rounding. */
static bool majorise(descent *d) {
    double scale;
    for (size_t k = 0; k < d->row_count; k++)
        d->slope[k] = viscous_slope_at(d, k, fabs(d->here.slip[k]));
    if (smooth(d)) return true;
    d->is_singular = !direct(d, true, false);
    if (d->is_singular) return false;
    if (go(d, 1) && gain_of_trial(d, true, &scale) <= 0) {
        if (!d->is_frozen) go_on(d);
        accept(d);
        return true;
    }
    /* rows that stop on the way make the rest go astray: only to the first of them, up to which the
     * majoriser is smooth and falls */
    d->is_singular = !direct_forwards(d);
    if (d->is_singular) return false;
    double length = to_first_stop(d);
    for (int k = 0; k < most_halvings; k++, length /= 2) {
        if (!go(d, length)) return false;
        if (!is_quadratic(d) && gain_of_trial(d, true, &scale) > 0) continue;
        accept(d);
        return true;
    }
    return false;
}

/* Whether the residual of the rows is within the rounding of stiff contacts, which is coarser than
 * the resolution of a row with small forces, such as a finger under a falling robot. */
static bool has_settled(descent *d) {
    if (d->residual < settled) return true;
    if (!d->constraints) return false;
    memset(d->right, 0, d->full->count * sizeof *d->right);
    for (size_t k = 0; k < d->row_count; k++) d->right[d->rows[k].dof] += d->gradient[k];
    return missing(d, &d->here, d->right) < 10 * settled; /* w itself follows to `settled` */
}

/* Descent from `here`. False: not converged. */
static bool descend(descent *d, int most, size_t *slipping) {
    double last = INFINITY;
    for (int k = 0; k < most; k++) {
        if (find_slipping(d, slipping)) return true;
        /* Newton's method squares the error until rounding limits it */
        if (d->residual > last / 2 && has_settled(d)) return true;
        const double before = last;
        last = d->residual;
        d->iterations++;
        if (k == 0 && d->residual > far_off && smooth(d)) continue;
        if (!newton(d, *slipping, before) && !majorise(d)) break;
    }
    return find_slipping(d, slipping) || has_settled(d);
}

/* Friction with the levels fixed at `here`, for which J is convex. */
static void freeze(descent *d, size_t *slipping) {
    for (size_t k = 0; k < d->row_count; k++) d->level[k] = level_at(d, k, fabs(d->here.slip[k]));
    d->is_frozen = true;
    d->factored_rows = 0;
    (void)descend(d, most_frozen, slipping);
}

static void finish(descent *d) {
    memcpy(d->velocity, d->here.velocity, d->full->count * sizeof *d->velocity);
    for (size_t k = 0; k < d->row_count; k++) {
        descent_row *row = &d->rows[k];
        row->slip = d->here.slip[k];
        /* from the law, so that it dissipates at this slip; what sticks bears what it must.
         * find_slipping ran last, so friction_ahead is the law's at `here`. */
        const double f = d->here.element[k];
        row->friction = row->slip != 0 ? copysign(d->friction_ahead[k], row->slip)
                                       : fmax(-row->breakaway[1], fmin(f, row->breakaway[0]));
    }
}

/* Contacts come and go: a run without them finds no force of the run before. */
static void forget_constraints(descent *d) {
    descent_point *const points[] = {&d->here, &d->there, &d->ahead};
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
        memset(points[k]->force, 0, d->full->count * sizeof *points[k]->force);
        points[k]->cost = 0;
    }
}

descent_end stiction_descent_run(descent *d) {
    size_t slipping = 0;
    if (!d->constraints) forget_constraints(d);
    d->iterations = d->smoothed = 0;
    d->is_frozen = d->is_singular = false;
    d->evaluated = NULL;
    memcpy(d->here.velocity, d->velocity, d->full->count * sizeof *d->velocity);
    for (size_t k = 0; k < d->row_count; k++) d->here.slip[k] = d->rows[k].slip;
    d->knows_ahead = d->has_stiff = false;
    d->factored_rows = 0;
    for (size_t k = 0; k < d->row_count; k++) {
        d->stiff[k] = is_stiff(d, k);
        d->has_stiff = d->has_stiff || d->stiff[k];
    }
    if (!(d->is_convex && leap(d)) && !follow(d, &d->here)) return DESCENT_SINGULAR;
    const bool converged = descend(d, most_iterations, &slipping);
    const size_t worst = d->worst;
    if (!converged) freeze(d, &slipping);
    d->worst = worst;
    if (d->is_singular) return DESCENT_SINGULAR;
    finish(d);
    if (!converged) return DESCENT_FROZEN;
    return slipping ? DESCENT_SLIPPED : DESCENT_STUCK;
}
