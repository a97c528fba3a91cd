/* SPDX-License-Identifier: MIT
 * Nonlinear least squares with GSL; linear nuisances are projected out (variable projection).
 */
#include "estimate.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- nuisances ---- */

size_t fit_nuisance_count(const fit_problem *p) {
    return p->count + (isnan(p->inertia) ? 1 : 0) + (p->gravity ? 2 : 0);
}

/* Column c of the nuisances at a sample of a log. */
static double column_at(const fit_problem *p, size_t c, size_t file, size_t i) {
    if (c < p->count) return c == file;
    c -= p->count;
    if (isnan(p->inertia) && c-- == 0) return p->motions[file].acceleration[i];
    const double q = p->motions[file].position[i];
    return c == 0 ? sin(q) : cos(q);
}

void fit_prepare(fit_problem *p) {
    const size_t n = fit_nuisance_count(p);
    p->nuisances = n;
    if (!p->nuisance) p->nuisance = allocate((p->count + 3) * p->samples, sizeof(double));
    memset(p->gram, 0, sizeof p->gram);
    for (size_t c = 0; c < n; c++) {
        double *column = p->nuisance + c * p->samples;
        double before = 0;
        for (size_t file = 0; file < p->count; file++)
            for (size_t i = 0; i < p->logs[file].count; i++) {
                const size_t k = p->first[file] + i;
                column[k] = p->weight[k] * column_at(p, c, file, i);
                before += column[k] * column[k];
            }
        /* twice, so that rounding leaves no dependence */
        for (int round = 0; round < 2; round++)
            for (size_t b = 0; b < c; b++) {
                const double *other = p->nuisance + b * p->samples;
                double dot = 0;
                for (size_t k = 0; k < p->samples; k++) dot += other[k] * column[k];
                p->gram[b * FIT_NUISANCES + c] += dot;
                for (size_t k = 0; k < p->samples; k++) column[k] -= dot * other[k];
            }
        double after = 0;
        for (size_t k = 0; k < p->samples; k++) after += column[k] * column[k];
        const bool depends = !(after > 1e-10 * before);
        p->gram[c * FIT_NUISANCES + c] = depends ? 0 : sqrt(after);
        for (size_t k = 0; k < p->samples; k++) column[k] = depends ? 0 : column[k] / sqrt(after);
    }
}

void fit_project(const fit_problem *p, double *y) {
    for (size_t c = 0; c < p->nuisances; c++) {
        const double *column = p->nuisance + c * p->samples;
        double dot = 0;
        for (size_t k = 0; k < p->samples; k++) dot += column[k] * y[k];
        for (size_t k = 0; k < p->samples; k++) y[k] -= dot * column[k];
    }
}

bool fit_has_weight(const fit_problem *p, size_t file) {
    return p->gram[file * FIT_NUISANCES + file] > 0;
}

void fit_nuisances(const fit_problem *p, const double *friction, double *coefficient) {
    double dots[FIT_NUISANCES];
    for (size_t c = 0; c < p->nuisances; c++) {
        const double *column = p->nuisance + c * p->samples;
        dots[c] = 0;
        for (size_t k = 0; k < p->samples; k++)
            dots[c] += column[k] * p->weight[k] * (p->torque[k] - friction[k]);
    }
    for (size_t c = p->nuisances; c-- > 0;) {
        for (size_t b = c + 1; b < p->nuisances; b++)
            dots[c] -= p->gram[c * FIT_NUISANCES + b] * coefficient[b];
        const double r = p->gram[c * FIT_NUISANCES + c];
        coefficient[c] = r > 0 ? dots[c] / r : 0;
    }
    /* a file without weight has the mean offset of the others */
    double sum = 0, counted = 0;
    for (size_t c = 0; c < p->count; c++)
        if (fit_has_weight(p, c)) sum += coefficient[c], counted++;
    for (size_t c = 0; c < p->count; c++)
        if (!fit_has_weight(p, c)) coefficient[c] = sum / fmax(counted, 1);
}

double fit_nuisance_of(const fit_problem *p, const double *coefficient, size_t file, size_t i) {
    double sum = 0;
    for (size_t c = 0; c < p->nuisances; c++)
        if (coefficient[c] != 0) sum += coefficient[c] * column_at(p, c, file, i);
    return sum;
}

/* Offsets of files without weight come from their own residual, as a sensor's drift is not what is
 * to be predicted. */
static void offset_held_out(const fit_problem *p, double *residual) {
    for (size_t file = 0; file < p->count; file++) {
        if (fit_has_weight(p, file)) continue;
        double sum = 0, counted = 0;
        const size_t n = p->logs[file].count;
        for (size_t i = 0; i < n; i++) {
            if (p->train[p->first[file] + i] < 0) continue;
            sum += residual[p->first[file] + i];
            counted++;
        }
        for (size_t i = 0; i < n; i++) residual[p->first[file] + i] -= sum / fmax(counted, 1);
    }
}

double fit_rms(const fit_problem *p, const double *residual, double weight) {
    double sum = 0;
    size_t n = 0;
    for (size_t k = 0; k < p->samples; k++)
        if (p->weight[k] == weight) {
            sum += residual[k] * residual[k];
            n++;
        }
    return n ? sqrt(sum / (double)n) : (double)NAN;
}

static void subtract_nuisances(const fit_problem *p, const double *coefficient, double *residual) {
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++)
            residual[p->first[file] + i] -= fit_nuisance_of(p, coefficient, file, i);
    offset_held_out(p, residual);
}

bool fit_residual(fit_simulator *s, fit_problem *p, const fit_model *model, double *residual,
                  double *friction) {
    if (!fit_simulate(s, p, model, 1, true, &friction)) return false;
    for (size_t k = 0; k < p->samples; k++) residual[k] = p->torque[k] - friction[k];
    subtract_nuisances(p, model->nuisance, residual);
    return true;
}

/* ---- plain least squares ---- */

static double direction(double velocity, double deadband) {
    return fabs(velocity) >= deadband && velocity != 0 ? copysign(1, velocity)
           : deadband > 0                              ? velocity / deadband
                                                       : 0;
}

static void plain_friction(const fit_problem *p, const fit_plain *plain, double *friction) {
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++) {
            const double v = p->motions[file].velocity[i];
            friction[p->first[file] + i] =
                plain->coulomb * direction(v, plain->deadband) + plain->viscous * v;
        }
}

static void plain_with(const fit_problem *p, double deadband, fit_plain *plain) {
    double *columns[2], *y = allocate(p->samples, sizeof *y);
    for (int c = 0; c < 2; c++) columns[c] = allocate(p->samples, sizeof(double));
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++) {
            const size_t k = p->first[file] + i;
            const double v = p->motions[file].velocity[i];
            columns[0][k] = p->weight[k] * direction(v, deadband);
            columns[1][k] = p->weight[k] * v;
            y[k] = p->weight[k] * p->torque[k];
        }
    fit_project(p, columns[0]), fit_project(p, columns[1]), fit_project(p, y);
    double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
    for (size_t k = 0; k < p->samples; k++) {
        aa += columns[0][k] * columns[0][k], ab += columns[0][k] * columns[1][k];
        bb += columns[1][k] * columns[1][k], ay += columns[0][k] * y[k], by += columns[1][k] * y[k];
    }
    const double det = aa * bb - ab * ab;
    plain->deadband = deadband;
    plain->coulomb = det > 1e-12 * aa * bb ? (bb * ay - ab * by) / det : aa > 0 ? ay / aa : 0;
    plain->viscous = det > 1e-12 * aa * bb ? (aa * by - ab * ay) / det : 0;
    plain_friction(p, plain, y);
    fit_nuisances(p, y, plain->nuisance);
    fit_plain_residual(p, plain, y, columns[0]);
    plain->rms = fit_rms(p, y, 1);
    free(y), free(columns[0]), free(columns[1]);
}

void fit_plain_residual(const fit_problem *p, const fit_plain *plain, double *residual,
                        double *friction) {
    plain_friction(p, plain, friction);
    for (size_t k = 0; k < p->samples; k++) residual[k] = p->torque[k] - friction[k];
    subtract_nuisances(p, plain->nuisance, residual);
}

void fit_plain_estimate(const fit_problem *p, fit_plain *plain) {
    plain_with(p, 0, plain);
    for (double share = 1e-3; share < 0.05; share *= 3) {
        fit_plain other = {0};
        plain_with(p, share * p->fastest, &other);
        if (other.rms < plain->rms) *plain = other;
    }
}

/* ---- the search ---- */

typedef struct search {
    fit_simulator *s;
    fit_problem *p;
    const fit_model *start;
    size_t parameter[FIT_PARAMETER_COUNT]; /* of each number of the vector */
    size_t count, rows;
    double *lanes[FIT_LANES];
    bool failed;
} search;

static fit_model model_at(const search *t, const gsl_vector *x) {
    fit_model model = *t->start;
    for (size_t n = 0; n < t->count; n++) model.theta[t->parameter[n]] = gsl_vector_get(x, n);
    return model;
}

static void weigh_and_project(const fit_problem *p, double *y) {
    for (size_t k = 0; k < p->samples; k++) y[k] *= p->weight[k];
    fit_project(p, y);
}

static int value_of(const gsl_vector *x, void *context, gsl_vector *f) {
    search *t = context;
    const fit_model model = model_at(t, x);
    if (!fit_simulate(t->s, t->p, &model, 1, false, t->lanes)) {
        t->failed = true;
        return GSL_EDOM;
    }
    double *y = t->lanes[0];
    for (size_t k = 0; k < t->p->samples; k++) y[k] -= t->p->torque[k];
    weigh_and_project(t->p, y);
    for (size_t k = 0, row = 0; k < t->p->samples; k++)
        if (t->p->weight[k] > 0) gsl_vector_set(f, row++, y[k]);
    return GSL_SUCCESS;
}

static const double small_step = 2e-4;

static int slope_of(const gsl_vector *x, void *context, gsl_matrix *jacobian) {
    search *t = context;
    fit_model models[FIT_LANES];
    models[0] = model_at(t, x);
    for (size_t n = 0; n < t->count; n++) {
        models[n + 1] = models[0];
        models[n + 1].theta[t->parameter[n]] += small_step;
    }
    if (!fit_simulate(t->s, t->p, models, t->count + 1, false, t->lanes)) {
        t->failed = true;
        return GSL_EDOM;
    }
    for (size_t n = 0; n < t->count; n++) {
        double *y = t->lanes[n + 1];
        for (size_t k = 0; k < t->p->samples; k++) y[k] = (y[k] - t->lanes[0][k]) / small_step;
        weigh_and_project(t->p, y);
        for (size_t k = 0, row = 0; k < t->p->samples; k++)
            if (t->p->weight[k] > 0) gsl_matrix_set(jacobian, row++, n, y[k]);
    }
    return GSL_SUCCESS;
}

/* Limits of each number: beyond them it has no effect or the joint is invalid. */
static bool is_reasonable(const fit_problem *p, const fit_model *m) {
    const double *x = m->theta, level = log(p->scale);
    return x[FIT_COULOMB] > level - 9 && x[FIT_COULOMB] < level + 5 &&
           x[FIT_STIFFNESS] < level + 16 && x[FIT_FALL] < 3;
}

static void clamp(const fit_problem *p, double *x) {
    const double level = log(p->scale), speed = log(p->fastest);
    const double bounds[][3] = {
        {FIT_COULOMB, level - 9, level + 4},
        {FIT_VISCOUS, level - speed - 9, level - speed + 4},
        {FIT_STIFFNESS, level - 1, level + 14},
        {FIT_DAMPING, level - speed - 7, level - speed + 7},
        {FIT_FALL, -7, 3},
        {FIT_STRIBECK, speed - 8, speed - 0.9},
        {FIT_REVERSE, -2, 2},
        {FIT_REVERSE_VISCOUS, -2, 2},
        {FIT_LOAD_MOTOR, -9, -0.2},
        {FIT_LOAD_EXTERNAL, -9, 1},
    };
    for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
        double *value = &x[(size_t)bounds[k][0]];
        *value = fmin(fmax(*value, bounds[k][1]), bounds[k][2]);
    }
    if (p->softest > 0) x[FIT_STIFFNESS] = fmax(x[FIT_STIFFNESS], x[FIT_COULOMB] - log(p->softest));
    if (p->stiffest > 0)
        x[FIT_STIFFNESS] = fmin(x[FIT_STIFFNESS], x[FIT_COULOMB] - log(p->stiffest));
}

static bool estimate_once(fit_simulator *s, fit_problem *p, fit_model *model,
                          size_t most_iterations) {
    clamp(p, model->theta);
    search t = {.s = s, .p = p, .start = model};
    for (size_t k = 0; k < FIT_PARAMETER_COUNT; k++)
        if (model->free & FIT_BIT(k)) t.parameter[t.count++] = k;
    for (size_t k = 0; k < p->samples; k++) t.rows += p->weight[k] > 0;
    for (size_t k = 0; k <= t.count; k++) t.lanes[k] = allocate(p->samples, sizeof(double));

    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    parameters.solver = gsl_multifit_nlinear_solver_cholesky;
    parameters.scale = gsl_multifit_nlinear_scale_levenberg;
    gsl_multifit_nlinear_workspace *w = must_have(
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, t.rows, t.count));
    gsl_multifit_nlinear_fdf fdf = {
        .f = value_of, .df = slope_of, .n = t.rows, .p = t.count, .params = &t};
    gsl_vector *x = must_have(gsl_vector_alloc(t.count));
    for (size_t n = 0; n < t.count; n++) gsl_vector_set(x, n, model->theta[t.parameter[n]]);
    if (gsl_multifit_nlinear_init(x, &fdf, w) == GSL_SUCCESS && !t.failed) {
        double last = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w));
        for (size_t k = 0; k < most_iterations; k++) {
            if (gsl_multifit_nlinear_iterate(w) != GSL_SUCCESS || t.failed) break;
            const fit_model found = model_at(&t, gsl_multifit_nlinear_position(w));
            if (!is_reasonable(p, &found)) break;
            *model = found;
            const double now = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w));
            if (now > last * (1 - 1e-5)) break;
            last = now;
        }
    }
    gsl_vector_free(x);
    gsl_multifit_nlinear_free(w);
    clamp(p, model->theta);
    double *friction = t.lanes[0], *residual = t.lanes[1];
    bool fine = fit_simulate(s, p, model, 1, p->load != NULL, &friction);
    if (fine) {
        fit_nuisances(p, friction, model->nuisance);
        for (size_t k = 0; k < p->samples; k++)
            residual[k] = p->weight[k] * (p->torque[k] - friction[k]);
        fit_project(p, residual);
        model->rms = fit_rms(p, residual, 1);
        if (p->load)
            for (size_t file = 0; file < p->count; file++)
                for (size_t i = 0; i < p->logs[file].count; i++) {
                    const size_t k = p->first[file] + i;
                    p->load[k] = friction[k] + fit_nuisance_of(p, model->nuisance, file, i) +
                                 (p->known ? p->known[file][i] : 0);
                }
    }
    for (size_t k = 0; k <= t.count; k++) free(t.lanes[k]);
    return fine;
}

bool fit_estimate(fit_simulator *s, fit_problem *p, fit_model *model, size_t most_iterations) {
    const bool loaded = model->free & FIT_BIT(FIT_LOAD_MOTOR);
    bool fine = estimate_once(s, p, model, most_iterations);
    /* the load is the model's own torque: a fixed point */
    for (int round = 0; loaded && fine && round < 3; round++) fine = estimate_once(s, p, model, 5);
    return fine;
}

/* ---- how well the parameters are known ---- */

static void add_scores(const fit_problem *p, const search *t, const double *residual,
                       gsl_matrix *normal, gsl_matrix *meat) {
    gsl_vector *score = must_have(gsl_vector_calloc(t->count));
    for (size_t k = 0; k < p->samples; k++) {
        if (p->weight[k] > 0)
            for (size_t a = 0; a < t->count; a++) {
                const double ja = t->lanes[a + 1][k];
                *gsl_vector_ptr(score, a) += ja * residual[k];
                for (size_t b = 0; b <= a; b++)
                    *gsl_matrix_ptr(normal, a, b) += ja * t->lanes[b + 1][k];
            }
        /* half a block: errors within it are correlated, those of others are not */
        if (k + 1 == p->samples || p->cluster[k + 1] != p->cluster[k]) {
            gsl_blas_dsyr(CblasLower, 1, score, meat);
            gsl_vector_set_zero(score);
        }
    }
    gsl_vector_free(score);
}

/* The slopes of friction by the free parameters, in lanes 1 and up, and the residual in lane 0,
 * both weighted and projected. */
static bool linearise(search *t) {
    fit_model models[FIT_LANES];
    for (size_t k = 0; k < FIT_PARAMETER_COUNT; k++)
        if (t->start->free & FIT_BIT(k)) t->parameter[t->count++] = k;
    for (size_t n = 0; n <= t->count; n++) {
        t->lanes[n] = allocate(t->p->samples, sizeof(double));
        models[n] = *t->start;
        if (n > 0) models[n].theta[t->parameter[n - 1]] += 1e-3;
    }
    if (!fit_simulate(t->s, t->p, models, t->count + 1, false, t->lanes)) return false;
    for (size_t n = 1; n <= t->count; n++) {
        for (size_t k = 0; k < t->p->samples; k++)
            t->lanes[n][k] = (t->lanes[n][k] - t->lanes[0][k]) / 1e-3;
        weigh_and_project(t->p, t->lanes[n]);
    }
    double *residual = t->lanes[0];
    for (size_t k = 0; k < t->p->samples; k++) residual[k] = t->p->torque[k] - residual[k];
    weigh_and_project(t->p, residual);
    return true;
}

static void release(search *t) {
    for (size_t k = 0; k <= t->count; k++) free(t->lanes[k]);
}

/* Inverts the lower triangle of J'J in place. */
static bool invert(gsl_matrix *normal) {
    /* a number without any effect gets a huge variance rather than none */
    double largest = 0;
    for (size_t a = 0; a < normal->size1; a++)
        largest = fmax(largest, gsl_matrix_get(normal, a, a));
    for (size_t a = 0; a < normal->size1; a++) *gsl_matrix_ptr(normal, a, a) += 1e-9 * largest;
    return gsl_linalg_cholesky_decomp1(normal) == GSL_SUCCESS &&
           gsl_linalg_cholesky_invert(normal) == GSL_SUCCESS;
}

bool fit_covariance(fit_simulator *s, fit_problem *p, const fit_model *model, double noise,
                    double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT]) {
    search t = {.s = s, .p = p, .start = model};
    memset(covariance, 0, sizeof(double) * FIT_PARAMETER_COUNT * FIT_PARAMETER_COUNT);
    const bool fine = linearise(&t);
    const size_t n = t.count;
    gsl_matrix *normal = must_have(gsl_matrix_calloc(n, n)),
               *meat = must_have(gsl_matrix_calloc(n, n));
    if (fine) {
        add_scores(p, &t, t.lanes[0], normal, meat);
        if (noise > 0) {
            gsl_matrix_memcpy(meat, normal);
            gsl_matrix_scale(meat, noise * noise);
        }
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < a; b++) gsl_matrix_set(meat, b, a, gsl_matrix_get(meat, a, b));
        if (invert(normal)) {
            gsl_matrix *half = must_have(gsl_matrix_alloc(n, n)),
                       *whole = must_have(gsl_matrix_alloc(n, n));
            gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, normal, meat, 0, half);
            gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, half, normal, 0, whole);
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n; b++)
                    covariance[t.parameter[a]][t.parameter[b]] = gsl_matrix_get(whole, a, b);
            gsl_matrix_free(half), gsl_matrix_free(whole);
        }
    }
    gsl_matrix_free(normal), gsl_matrix_free(meat);
    release(&t);
    return fine;
}

/* ---- profiles ---- */

/* `inverse` of J'J times the slopes of a quantity, and the quantity's variance at unit noise. */
static double response(const search *t, const gsl_matrix *inverse, const double *slope,
                       double *to) {
    double variance = 0;
    for (size_t a = 0; a < t->count; a++) {
        to[a] = 0;
        for (size_t b = 0; b < t->count; b++)
            to[a] += gsl_matrix_get(inverse, a, b) * slope[t->parameter[b]];
    }
    for (size_t a = 0; a < t->count; a++) variance += to[a] * slope[t->parameter[a]];
    return variance;
}

/* One Gauss-Newton step of all parameters but the quantity, with the slopes of the optimum. */
static void follow(const search *t, const gsl_matrix *inverse, const double *slope,
                   const double *towards, double variance, const double *residual,
                   fit_model *model) {
    static const double most = 0.5; /* a logarithm */
    double gradient[FIT_PARAMETER_COUNT] = {0}, step[FIT_PARAMETER_COUNT] = {0}, along = 0;
    for (size_t a = 0; a < t->count; a++)
        for (size_t k = 0; k < t->p->samples; k++) gradient[a] += t->lanes[a + 1][k] * residual[k];
    for (size_t a = 0; a < t->count; a++) {
        for (size_t b = 0; b < t->count; b++)
            step[a] += gsl_matrix_get(inverse, a, b) * gradient[b];
        along += step[a] * slope[t->parameter[a]];
    }
    for (size_t a = 0; a < t->count; a++)
        model->theta[t->parameter[a]] +=
            fmax(fmin(step[a] - towards[a] * along / variance, most), -most);
}

static void profile(const search *t, const gsl_matrix *inverse, double least,
                    const double slope[FIT_PARAMETER_COUNT], double reach, double *const *friction,
                    fit_profile *to) {
    enum { rounds = 3 };
    double towards[FIT_PARAMETER_COUNT];
    const double variance = response(t, inverse, slope, towards);
    to->variance = variance;
    fit_model tried[FIT_PROFILE];
    for (size_t i = 0; i < FIT_PROFILE; i++) {
        const double x = 2 * (double)i / (FIT_PROFILE - 1) - 1;
        tried[i] = *t->start;
        for (size_t a = 0; a < t->count; a++)
            tried[i].theta[t->parameter[a]] += x * reach * towards[a] / variance;
        to->rise[i] = INFINITY;
    }
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < FIT_PROFILE; i++) clamp(t->p, tried[i].theta);
        if (!fit_simulate(t->s, t->p, tried, FIT_PROFILE, false, friction)) return;
        for (size_t i = 0; i < FIT_PROFILE; i++) {
            double sum = 0, *residual = friction[i];
            for (size_t k = 0; k < t->p->samples; k++) residual[k] = t->p->torque[k] - residual[k];
            weigh_and_project(t->p, residual);
            for (size_t k = 0; k < t->p->samples; k++) sum += residual[k] * residual[k];
            if (sum - least < to->rise[i]) to->rise[i] = sum - least, to->models[i] = tried[i];
            follow(t, inverse, slope, towards, variance, residual, &tried[i]);
        }
    }
}

bool fit_profiles(fit_simulator *s, fit_problem *p, const fit_model *model,
                  const double (*slopes)[FIT_PARAMETER_COUNT], const double *reach, size_t count,
                  fit_profile *profiles) {
    search t = {.s = s, .p = p, .start = model};
    bool fine = linearise(&t);
    gsl_matrix *normal = must_have(gsl_matrix_calloc(t.count, t.count));
    double *friction[FIT_PROFILE], least = 0;
    for (size_t i = 0; i < FIT_PROFILE; i++) friction[i] = allocate(p->samples, sizeof(double));
    for (size_t k = 0; k < p->samples && fine; k++) {
        least += t.lanes[0][k] * t.lanes[0][k];
        for (size_t a = 0; a < t.count; a++)
            for (size_t b = 0; b <= a; b++)
                *gsl_matrix_ptr(normal, a, b) += t.lanes[a + 1][k] * t.lanes[b + 1][k];
    }
    fine = fine && invert(normal);
    for (size_t n = 0; n < count && fine; n++)
        profile(&t, normal, least, slopes[n], reach[n], friction, &profiles[n]);
    for (size_t i = 0; i < FIT_PROFILE; i++) free(friction[i]);
    gsl_matrix_free(normal);
    release(&t);
    return fine;
}
