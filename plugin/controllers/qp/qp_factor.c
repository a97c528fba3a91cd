/* SPDX-License-Identifier: MIT
 * The factorisations: H = U'U; the normals of the rows to begin with, N = Q [R; 0] by reflections;
 * and Jt = Q'U^-T, in which rows come by a reflection and go by rotations (Goldfarb and Idnani,
 * section 4). Diagonals are kept as their reciprocals.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "qp_internal.h"

/* The multiple of four at or below. */
static size_t from(size_t column) {
    return column / 4 * 4;
}

/* H. */

/* gathered = minus the elements of a column of U above its diagonal. */
static void gather_column(const solver *s, size_t column) {
    for (size_t k = 0; k < column; k++) s->gathered[k] = -s->U[k * s->stride + column];
}

bool qp_factor(solver *s) {
    const size_t n = s->n, stride = s->stride;
    for (size_t j = 0; j < n; j++) {
        double *row = s->U + j * stride;
        const size_t begin = from(j);
        memset(row, 0, begin * sizeof *row);
        memcpy(row + begin, s->H + j * stride + begin, (stride - begin) * sizeof *row);
        gather_column(s, j);
        s->k->combine(j, s->gathered, s->U + begin, stride, stride - begin, row + begin);
        /* a diagonal of ones became so small: it is rounding */
        if (!(row[j] > (double)n * DBL_EPSILON)) return false;
        const double inverse = 1 / sqrt(row[j]);
        for (size_t k = begin; k < j; k++) row[k] = 0;
        for (size_t k = j; k < stride; k++) row[k] *= inverse;
        s->inverse_diagonal[j] = inverse;
    }
    return true;
}

/* Rows of `width` numbers become U^-T times them. Zeros that are known to be there before column i
 * of row i (the inverse) are left alone. */
static void solve_rows(const solver *s, double *rows, size_t width, bool triangular) {
    const size_t block = 16;
    for (size_t i = 0; i < s->n; i++) {
        double *row = rows + i * width;
        const size_t end = triangular ? from(i) + 4 : width;
        gather_column(s, i);
        for (size_t c = 0; c < end; c += block) {
            const size_t part = end - c < block ? end - c : block, first = triangular ? c : 0;
            if (first >= i) break;
            s->k->combine(i - first, s->gathered + first, rows + first * width + c, width, part,
                          row + c);
        }
        for (size_t k = 0; k < end; k++) row[k] *= s->inverse_diagonal[i];
    }
}

/* The rows to begin with. */

/* A row is held if its diagonal in R is this many times its rounding error. */
static const double clearly = 1e2;

/* The length of a vector from `begin` on. */
static double tail_length(size_t begin, size_t end, const double *v) {
    return sqrt(dense_dot(end - begin, v + begin, v + begin));
}

/* The relative rounding error of a normal: it is a sum in which large terms may have cancelled. */
static double noise_of(const solver *s, double terms, double inverse_length) {
    const double cancelled = terms * inverse_length;
    return (double)s->n * DBL_EPSILON * (cancelled > 1 ? cancelled : 1);
}

/* An estimate of these terms from the diagonal of U. */
static double terms_of(const solver *s, size_t row) {
    const row_info *info = &s->rows[row];
    if (info->single < s->n) return fabs(info->entry) * s->inverse_diagonal[info->single];
    for (size_t k = 0; k < s->n; k++) s->gathered[k] = fabs(s->A[row * s->stride + k]);
    return dense_dot(s->n, s->gathered, s->inverse_diagonal);
}

/* The normals of sides become rows of V, of length 1. */
static void form_normals(solver *s, size_t count, const side *sides) {
    const size_t n = s->n, width = (count + 3) / 4 * 4;
    memset(s->wide, 0, n * width * sizeof *s->wide);
    for (size_t j = 0; j < count; j++) {
        const row_info *row = &s->rows[sides[j].row];
        if (row->single < n) s->wide[row->single * width + j] = sides[j].sign * row->entry;
        for (size_t k = 0; row->single == n && k < n; k++)
            s->wide[k * width + j] = sides[j].sign * s->A[sides[j].row * s->stride + k];
    }
    solve_rows(s, s->wide, width, false);
    for (size_t j = 0; j < count; j++) {
        double *v = s->V + (s->count + j) * s->stride;
        for (size_t k = 0; k < n; k++) v[k] = s->wide[k * width + j];
        for (size_t k = n; k < s->stride; k++) v[k] = 0;
        const double length = tail_length(0, n, v), inverse = 1 / length;
        for (size_t k = 0; k < n; k++) v[k] *= inverse;
        s->held[s->count + j] =
            (held_side){sides[j], length, inverse, noise_of(s, terms_of(s, sides[j].row), inverse)};
    }
}

/* The reflection that leaves only the first of v's elements from `begin` on: v becomes its vector.
 * Gives what that element becomes. */
static double reflection(size_t begin, double length, double *v, double *beta) {
    const double signed_length = v[begin] < 0 ? -length : length;
    *beta = 1 / (length * (length + fabs(v[begin])));
    v[begin] += signed_length;
    return -signed_length;
}

/* Rows of V from `first` to before `end` are reflected by row `by`. */
static void reflect(const solver *s, size_t by, size_t first, size_t end) {
    const size_t begin = from(by), stride = s->stride, count = end - first;
    const double *v = s->V + by * stride + begin;
    double *rows = s->V + first * stride + begin;
    s->k->dots(count, rows, stride, stride - begin, v, s->gathered);
    for (size_t j = 0; j < count; j++) s->gathered[j] *= -s->beta[by];
    s->k->spread(count, s->gathered, v, rows, stride, stride - begin);
}

/* Adds the normal in row `at` of V, after its reflection by all before it. Returns the length
 * that it adds. */
static void take_up(solver *s, size_t at, double length) {
    const size_t stride = s->stride, q = s->count;
    double *v = s->V + q * stride;
    if (at != q) {
        memcpy(v, s->V + at * stride, stride * sizeof *v);
        s->held[q] = s->held[at];
    }
    double *column = s->R + q * stride;
    memcpy(column, v, q * sizeof *column);
    memset(v, 0, q * sizeof *v);
    column[q] = reflection(q, length, v, &s->beta[q]);
    s->inverse_R[q] = 1 / column[q];
    s->rows[s->held[q].at.row].state = ROW_HELD;
    s->multiplier[q] = 0;
    s->count++;
}

static void set_aside(solver *s, size_t row) {
    s->rows[row].state = s->rows[row].equality ? ROW_REDUNDANT : ROW_TOLERATED;
}

/* As many as there is room for. */
static void hold_some(solver *s, size_t count, const side *sides) {
    const size_t first = s->count, end = first + count;
    form_normals(s, count, sides);
    for (size_t k = 0; k < first; k++) reflect(s, k, first, end);
    for (size_t at = first; at < end; at++) {
        const double *v = s->V + at * s->stride;
        const double length = tail_length(s->count, s->n, v);
        if (!(length > clearly * s->held[at].noise)) {
            set_aside(s, s->held[at].at.row);
            continue;
        }
        take_up(s, at, length);
        reflect(s, s->count - 1, at + 1, end);
    }
}

void qp_hold_all(solver *s, size_t count, const side *sides) {
    for (size_t done = 0, some; done < count; done += some) {
        const size_t room = s->n - s->count;
        some = count - done < room ? count - done : room;
        if (some == 0) {
            /* as many as there are variables: all other rows depend on them */
            for (; done < count; done++) set_aside(s, sides[done].row);
            return;
        }
        hold_some(s, some, sides + done);
    }
}

/* Jt. */

/* The deviations of x if |y| is 1, and from them the reach of each row. */
static void measure_reach(solver *s) {
    const size_t n = s->n, stride = s->stride;
    for (size_t k = 0; k < n; k++) s->deviation[k] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++) {
            const double element = s->Jt[i * stride + k];
            s->deviation[k] += element * element;
        }
    for (size_t k = 0; k < n; k++) s->deviation[k] = sqrt(s->deviation[k]);
    for (size_t i = 0; i < s->m; i++) {
        row_info *row = &s->rows[i];
        row->reach = 0;
        if (row->single < n)
            row->reach = fabs(row->entry) * s->deviation[row->single];
        else if (row->state != ROW_EMPTY)
            for (size_t k = 0; k < n; k++)
                row->reach += fabs(s->A[i * stride + k]) * s->deviation[k];
    }
}

/* Reflects all of Jt by all of V at once: the reflections are 1 - V' T' V. */
static void reflect_inverse(solver *s) {
    const size_t n = s->n, stride = s->stride, q = s->count;
    for (size_t b = 0; b < q; b++) {
        const double *v = s->V + b * stride;
        double *row = s->wide + b * stride;
        memset(row, 0, stride * sizeof *row);
        s->k->combine(n - b, v + b, s->Jt + b * stride, stride, stride, row);
        s->k->dots(b, s->V + from(b), stride, stride - from(b), v + from(b), s->gathered);
        for (size_t a = 0; a < b; a++) s->gathered[a] = -s->gathered[a];
        s->k->combine(b, s->gathered, s->wide, stride, stride, row);
        for (size_t k = 0; k < stride; k++) row[k] *= s->beta[b];
    }
    for (size_t i = 0; i < n; i++) {
        const size_t count = i + 1 < q ? i + 1 : q;
        for (size_t b = 0; b < count; b++) s->gathered[b] = -s->V[b * stride + i];
        s->k->combine(count, s->gathered, s->wide, stride, stride, s->Jt + i * stride);
    }
}

void qp_begin_updates(solver *s) {
    memset(s->Jt, 0, s->n * s->stride * sizeof *s->Jt);
    for (size_t i = 0; i < s->n; i++) s->Jt[i * s->stride + i] = 1;
    solve_rows(s, s->Jt, s->stride, true);
    measure_reach(s);
    for (size_t j = 0; j < s->count; j++)
        s->held[j].noise = noise_of(s, s->rows[s->held[j].at.row].reach, s->held[j].inverse_length);
    reflect_inverse(s);
    s->updates = true;
}

/* Vectors. */

static void forward(const solver *s, double *v) {
    for (size_t i = 0; i < s->n; i++) {
        const size_t begin = from(i);
        const double element = v[i] * s->inverse_diagonal[i];
        const double minus = -element;
        s->k->combine(1, &minus, s->U + i * s->stride + begin, s->stride, s->stride - begin,
                      v + begin);
        v[i] = element;
    }
}

static void backward(const solver *s, double *v) {
    for (size_t i = s->n; i-- > 0;) {
        const size_t begin = from(i);
        double sum;
        const double own = v[i];
        v[i] = 0;
        s->k->dots(1, s->U + i * s->stride + begin, s->stride, s->stride - begin, v + begin, &sum);
        v[i] = (own - sum) * s->inverse_diagonal[i];
    }
}

static void reflect_vector(const solver *s, size_t by, double *v) {
    const size_t begin = from(by), width = s->stride - begin;
    const double *row = s->V + by * s->stride + begin;
    double along;
    s->k->dots(1, row, s->stride, width, v + begin, &along);
    along *= -s->beta[by];
    s->k->combine(1, &along, row, s->stride, width, v + begin);
}

void qp_to_basis(solver *s, const double *v, double *d) {
    if (s->updates) {
        s->k->dots(s->n, s->Jt, s->stride, s->stride, v, d);
        return;
    }
    memcpy(d, v, s->stride * sizeof *d);
    forward(s, d);
    for (size_t k = 0; k < s->count; k++) reflect_vector(s, k, d);
}

void qp_from_basis(solver *s, const double *d, double *v) {
    if (s->updates) {
        memset(v, 0, s->stride * sizeof *v);
        s->k->combine(s->n, d, s->Jt, s->stride, s->stride, v);
        return;
    }
    memcpy(v, d, s->stride * sizeof *v);
    for (size_t k = s->count; k-- > 0;) reflect_vector(s, k, v);
    backward(s, v);
}

/* Rows that come and go. */

void qp_normal(solver *s, side c, held_side *normal, double *d) {
    const row_info *row = &s->rows[c.row];
    const size_t n = s->n;
    if (row->single < n)
        for (size_t i = 0; i < n; i++) d[i] = s->Jt[i * s->stride + row->single] * row->entry;
    else
        s->k->dots(n, s->Jt, s->stride, s->stride, s->A + c.row * s->stride, d);
    const double length = tail_length(0, n, d), inverse = 1 / length;
    for (size_t i = 0; i < n; i++) d[i] *= c.sign * inverse;
    *normal = (held_side){c, length, inverse, noise_of(s, row->reach, inverse)};
}

void qp_hold(solver *s, const held_side *normal, double *d, const double *z, double free_length) {
    const size_t stride = s->stride, q = s->count;
    double *column = s->R + q * stride, *first = s->Jt + q * stride;
    memcpy(column, d, q * sizeof *column);
    double beta;
    const double signed_length = d[q] < 0 ? -free_length : free_length;
    column[q] = reflection(q, free_length, d, &beta);
    s->inverse_R[q] = 1 / column[q];
    /* Jt reflected: its rows less beta d times (d'Jt), and that is z and a little */
    memcpy(s->w, z, stride * sizeof *s->w);
    s->k->combine(1, &signed_length, first, stride, stride, s->w);
    for (size_t i = q; i < s->n; i++) s->gathered[i] = -beta * d[i];
    s->k->spread(s->n - q, s->gathered + q, s->w, first, stride, stride);
    s->held[q] = *normal;
    s->rows[normal->at.row].state = ROW_HELD;
    s->count++;
}

void qp_let_go(solver *s, size_t j, double *d) {
    const size_t stride = s->stride, left = --s->count, after = left - j;
    s->rows[s->held[j].at.row].state = ROW_OPEN;
    memmove(s->held + j, s->held + j + 1, after * sizeof *s->held);
    memmove(s->multiplier + j, s->multiplier + j + 1, after * sizeof *s->multiplier);
    memmove(s->R + j * stride, s->R + (j + 1) * stride, after * stride * sizeof *s->R);
    /* the columns after it now reach one below the diagonal */
    for (size_t i = j; i < left; i++) {
        double *column = s->R + i * stride;
        const double inverse = 1 / sqrt(column[i] * column[i] + column[i + 1] * column[i + 1]);
        const double cosine = column[i] * inverse, sine = column[i + 1] * inverse;
        for (size_t c = i; c < left; c++) {
            double *a = s->R + c * stride + i, upper = a[0], lower = a[1];
            a[0] = cosine * upper + sine * lower;
            a[1] = cosine * lower - sine * upper;
        }
        s->inverse_R[i] = inverse;
        s->k->rotate(cosine, sine, stride, s->Jt + i * stride, s->Jt + (i + 1) * stride);
        const double upper = d[i], lower = d[i + 1];
        d[i] = cosine * upper + sine * lower;
        d[i + 1] = cosine * lower - sine * upper;
    }
}

void qp_solve_R(const solver *s, double *v) {
    for (size_t j = s->count; j-- > 0;) {
        const double *column = s->R + j * s->stride;
        v[j] *= s->inverse_R[j];
        for (size_t i = 0; i < j; i++) v[i] -= v[j] * column[i];
    }
}

void qp_solve_R_transposed(const solver *s, double *v) {
    for (size_t j = 0; j < s->count; j++) {
        const double *column = s->R + j * s->stride;
        double sum = v[j];
        for (size_t i = 0; i < j; i++) sum -= column[i] * v[i];
        v[j] = sum * s->inverse_R[j];
    }
}
