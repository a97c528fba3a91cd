/* SPDX-License-Identifier: MIT
 * The choice of smoothing, law and further effects. A richer model is chosen only where it predicts
 * blocks of the log that it was not fitted to better than a plainer one.
 */
#include "choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "robot_torque.h"
#include "smooth_motion.h"
#include "verdict.h"

/* A richer model must predict better by this share. */
static const double worth = 0.02;
static const double most_grid_step = 2e-3; /* s */
enum { most_grid_steps = 4 };              /* per sample */

/* From the plainest. Those that are dry, without viscosity, are for friction that falls with the
 * speed throughout, of which least squares would make a Coulomb torque near 0 and a viscosity that
 * no other speed confirms. */
static const struct {
    const char *law;
    bool dry;
} laws[] = {{"coulomb", false},  {"stribeck", true},  {"rational", true},
            {"stribeck", false}, {"rational", false}, {"stribeck2", false}};
enum { law_count = sizeof laws / sizeof laws[0] };
#define FALL_BITS (FIT_BIT(FIT_FALL) | FIT_BIT(FIT_STRIBECK))
#define BASE_BITS                                                                                  \
    (FIT_BIT(FIT_COULOMB) | FIT_BIT(FIT_VISCOUS) | FIT_BIT(FIT_STIFFNESS) | FIT_BIT(FIT_DAMPING))

/* ---- smoothing ---- */

void fit_smooth(fit_problem *p, const fit_smoothing *smoothing) {
    p->fastest = 0;
    for (size_t file = 0; file < p->count; file++) {
        fit_motion_make(&p->motions[file], &p->logs[file], smoothing,
                        fmax(most_grid_step, p->logs[file].step / most_grid_steps));
        for (size_t i = 0; i < p->logs[file].count; i++)
            p->fastest = fmax(p->fastest, fabs(p->motions[file].velocity[i]));
        if (p->robot)
            (void)fit_robot_torque(p->robot, &p->logs[file], &p->motions[file], smoothing,
                                   p->known[file]);
        for (size_t i = 0; i < p->logs[file].count; i++) {
            const size_t k = p->first[file] + i;
            p->torque[k] = p->measured[k] - (p->known ? p->known[file][i] : 0);
            if (!isnan(p->inertia)) p->torque[k] -= p->inertia * p->motions[file].acceleration[i];
        }
    }
    fit_prepare(p);
}

static const double usual_lag = 0.01; /* s: damping over stiffness, where the search starts */

static fit_model start_from(const fit_problem *p, const fit_plain *plain, double stiffness) {
    fit_model m = {.law = "coulomb", .free = BASE_BITS};
    m.theta[FIT_COULOMB] = log(fmax(plain->coulomb, 0.05 * p->scale));
    m.theta[FIT_VISCOUS] = log(fmax(plain->viscous, 1e-3 * p->scale / p->fastest));
    m.theta[FIT_STIFFNESS] = log(stiffness * p->scale);
    m.theta[FIT_DAMPING] = m.theta[FIT_STIFFNESS] + log(usual_lag);
    return m;
}

static fit_model with_fall(const fit_problem *p, fit_model m, const char *law, bool dry,
                           double speed) {
    m.law = law;
    m.free |= FALL_BITS;
    if (dry) m.free &= ~FIT_BIT(FIT_VISCOUS);
    m.theta[FIT_FALL] = log(0.3);
    m.theta[FIT_COULOMB] -= 0.2; /* so that F_S is above the level so far, and F_C below */
    m.theta[FIT_VISCOUS] = fmax(m.theta[FIT_VISCOUS], log(0.2 * p->scale / p->fastest));
    m.theta[FIT_STRIBECK] = log(speed * p->fastest);
    return m;
}

/* The best of several starts: a few iterations of each, then the rest of the most promising. */
static fit_model best_of(fit_simulator *s, fit_problem *p, const fit_model *starts, size_t count,
                         size_t iterations) {
    enum { most = 4, few = 6 };
    fit_model tried[most];
    size_t best = 0;
    for (size_t k = 0; k < count; k++) {
        tried[k] = starts[k];
        if (!fit_estimate(s, p, &tried[k], iterations < few ? iterations : few))
            tried[k].rms = INFINITY;
        if (tried[k].rms < tried[best].rms) best = k;
    }
    if (iterations > few) {
        const double close = 1.01 * tried[best].rms;
        for (size_t k = 0; k < count; k++)
            if (tried[k].rms < close) (void)fit_estimate(s, p, &tried[k], iterations - few);
        for (size_t k = 0; k < count; k++)
            if (tried[k].rms < tried[best].rms) best = k;
    }
    return tried[best];
}

static fit_model fit_coulomb(fit_simulator *s, fit_problem *p, const fit_plain *plain) {
    const fit_model starts[] = {start_from(p, plain, 30), start_from(p, plain, 600),
                                start_from(p, plain, 6000)};
    return best_of(s, p, starts, 3, 30);
}

static fit_model fit_fall(fit_simulator *s, fit_problem *p, const fit_plain *plain,
                          const fit_model *from, const char *law, bool dry) {
    const fit_model fresh = start_from(p, plain, 1000);
    const fit_model starts[] = {
        with_fall(p, *from, law, dry, 0.01), with_fall(p, *from, law, dry, 0.05),
        with_fall(p, *from, law, dry, 0.25), with_fall(p, fresh, law, dry, 0.05)};
    return best_of(s, p, starts, 4, 40);
}

enum { most_smoothings = 40 };
typedef struct trial {
    fit_smoothing smoothing;
    double rms;
} trial;

/* The error of the friction element under a smoothing: from several starts the first time, then
 * from the model of another smoothing. */
static void try_smoothing(fit_simulator *s, fit_problem *p, trial *t, fit_model *last,
                          fit_result *r) {
    fit_smooth(p, &t->smoothing);
    fit_plain plain = {0};
    fit_plain_estimate(p, &plain);
    if (isinf(last->rms)) {
        p->scale = fmax(fabs(plain.coulomb), 1e-9);
        const fit_model starts[] = {start_from(p, &plain, 60), start_from(p, &plain, 1000),
                                    start_from(p, &plain, 10000)};
        const fit_model m = best_of(s, p, starts, 3, 12);
        const fit_model falls[] = {with_fall(p, m, "stribeck", false, 0.03),
                                   with_fall(p, m, "stribeck", false, 0.15)};
        *last = best_of(s, p, falls, 2, 12);
    } else {
        const fit_model starts[] = {*last, with_fall(p, *last, "stribeck", false, 0.06)};
        *last = best_of(s, p, starts, 2, 6);
    }
    t->rms = last->rms;
    if (plain.rms < r->plain_rms) r->plain_rms = plain.rms, r->plain_smoothing = t->smoothing;
}

/* Chooses the smoothing under which the friction element explains the torque best: every second
 * one, then the neighbours of the best. */
static void choose_smoothing(fit_simulator *s, fit_problem *p, const fit_options *options,
                             fit_result *r) {
    trial trials[most_smoothings];
    size_t count = 0;
    const double step = fit_median_step(&p->logs[0]);
    const bool has_position = p->logs[0].column[LOG_POSITION] != NULL;
    const bool has_velocity = p->logs[0].column[LOG_VELOCITY] != NULL;
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0 ? !has_position : !has_velocity) continue;
        for (double w = 2.1; w < 60 && (w * step < 0.3 || w < 4); w *= 1.6)
            trials[count++] = (trial){{kind == 1, w * step}, INFINITY};
    }
    size_t best = 0;
    r->plain_rms = INFINITY;
    fit_model last = {.rms = INFINITY};
    p->softest = 0.02, p->stiffest = 0;
    for (size_t k = 0; k < count; k += 2) {
        if (options->progress)
            options->progress(options->progress_user, 0.5 * (double)k / (double)count, "smoothing");
        try_smoothing(s, p, &trials[k], &last, r);
        if (trials[k].rms < trials[best].rms) best = k;
    }
    const size_t middle = best;
    if (middle > 0) try_smoothing(s, p, &trials[middle - 1], &last, r);
    if (middle + 1 < count) try_smoothing(s, p, &trials[middle + 1], &last, r);
    for (size_t k = 0; k < count; k++)
        if (trials[k].rms < trials[best].rms) best = k;
    r->smoothing = trials[best].smoothing;
    /* a neighbour that explains the torque nearly as well */
    size_t second = best;
    for (size_t k = 0; k < count; k++) {
        if (k == best || !(trials[k].rms <= 1.15 * trials[best].rms)) continue;
        if (trials[k].smoothing.of_velocity == r->smoothing.of_velocity &&
            trials[k].smoothing.window < 0.7 * r->smoothing.window && k + 1 != best)
            continue;
        if (second == best || trials[k].rms < trials[second].rms) second = k;
    }
    r->second = trials[second].smoothing;
}

/* ---- held-out blocks ---- */

/* Of blocks of time, or of files. */
static void weigh_fold(fit_problem *p, int fold, bool of_files) {
    for (size_t file = 0; file < p->count; file++)
        for (size_t k = p->first[file]; k < p->first[file] + p->logs[file].count; k++) {
            const int number = of_files ? (int)file : p->block[k] / 2 + p->block[k];
            p->weight[k] = p->train[k] > 0 && (fold < 0 || number % 2 == fold);
        }
    fit_prepare(p);
}

/* Whether more than one file is fitted, so that files can predict each other. */
static bool has_files(const fit_problem *p) {
    size_t files = 0;
    for (size_t file = 0; file < p->count; file++) files += !p->logs[file].held_out;
    return files > 1;
}

/* The squared error per block of data that the model was not fitted to. */
static double cross_validate(fit_simulator *s, fit_problem *p, const fit_model *m, bool of_files,
                             double *per_block) {
    double *residual = allocate(p->samples, sizeof *residual),
           *friction = allocate(p->samples, sizeof *friction);
    double sum = 0;
    size_t n = 0;
    for (int b = 0; b < p->blocks; b++) per_block[b] = 0;
    for (int fold = 0; fold < 2; fold++) {
        weigh_fold(p, fold, of_files);
        fit_model fitted = *m;
        (void)fit_estimate(s, p, &fitted, 8);
        (void)fit_residual(s, p, &fitted, residual, friction);
        for (size_t k = 0; k < p->samples; k++)
            if (p->train[k] > 0 && p->weight[k] == 0) {
                sum += residual[k] * residual[k];
                per_block[p->block[k]] += residual[k] * residual[k];
                n++;
            }
    }
    weigh_fold(p, -1, false);
    free(residual), free(friction);
    return sqrt(sum / (double)n);
}

/* Whether `rich` predicts better than `plain` by enough: in total by a share of the error, and on
 * most blocks. */
static bool is_worth(const fit_problem *p, double rich_rms, const double *rich, double plain_rms,
                     const double *plain, double share) {
    if (rich_rms < plain_rms * (1 - share)) {
        int better = 0, blocks = 0;
        for (int b = 0; b < p->blocks; b++) {
            if (plain[b] == 0 && rich[b] == 0) continue;
            blocks++;
            better += rich[b] < plain[b];
        }
        return 3 * better > 2 * blocks - 2;
    }
    return false;
}

/* The same of plain least squares. */
static double cross_validate_plain(fit_problem *p) {
    double *residual = allocate(p->samples, sizeof *residual),
           *friction = allocate(p->samples, sizeof *friction);
    double sum = 0;
    size_t n = 0;
    for (int fold = 0; fold < 2; fold++) {
        weigh_fold(p, fold, false);
        fit_plain plain = {0};
        fit_plain_estimate(p, &plain);
        fit_plain_residual(p, &plain, residual, friction);
        for (size_t k = 0; k < p->samples; k++)
            if (p->train[k] > 0 && p->weight[k] == 0) sum += residual[k] * residual[k], n++;
    }
    weigh_fold(p, -1, false);
    free(residual), free(friction);
    return sqrt(sum / (double)n);
}

/* Whether a law is the one that the user asked for. */
static bool is_asked(const fit_options *options, const fit_model *m) {
    return !options->law || strncmp(m->law, options->law, strlen(options->law)) == 0;
}

/* The plainest law that predicts within 1 % of the best, of those that are worth more than
 * Coulomb's. Files predict each other too: they may cover other speeds, at which a law that only
 * fits its own fails. A model whose rms is infinite was not fitted. */
static fit_model choose_law(fit_simulator *s, fit_problem *p, const fit_options *options,
                            const fit_model *models, double *error, double *per_block) {
    double rms[law_count], of_blocks[law_count], least = INFINITY;
    const size_t count = (size_t)p->blocks;
    double *blocks = allocate(count * (law_count + 1), sizeof *blocks);
    for (size_t k = 0; k < law_count; k++) {
        rms[k] = of_blocks[k] = INFINITY;
        if (isinf(models[k].rms) || !is_asked(options, &models[k])) continue;
        if (!options->law && !fit_slides_in_fall(p, &models[k])) continue;
        rms[k] = of_blocks[k] = cross_validate(s, p, &models[k], false, blocks + k * count);
        if (has_files(p))
            rms[k] =
                hypot(rms[k], cross_validate(s, p, &models[k], true, blocks + law_count * count));
        if (k > 0 && isfinite(rms[0]) &&
            !is_worth(p, rms[k], blocks + k * count, rms[0], blocks, worth))
            rms[k] = INFINITY;
        least = fmin(least, rms[k]);
    }
    size_t best = 0;
    while (rms[best] > least * 1.01) best++;
    /* of laws with as many numbers, the better one */
    if (best + 1 < law_count && laws[best].dry == laws[best + 1].dry && best % 2 == 1 &&
        rms[best + 1] < rms[best])
        best++;
    *error = of_blocks[best];
    memcpy(per_block, blocks + best * count, count * sizeof *per_block);
    free(blocks);
    return models[best];
}

/* Where plain least squares predict better: Coulomb's law along the motion as they had it. */
static void try_as_plain(fit_simulator *s, fit_problem *p, fit_result *r, fit_model *m, double *rms,
                         double *blocks) {
    p->stiffest = 0;
    fit_plain plain = {0};
    fit_plain_estimate(p, &plain);
    const fit_model as_plain = fit_coulomb(s, p, &plain);
    const double error = cross_validate(s, p, &as_plain, false, blocks);
    if (error < *rms) *m = as_plain, *rms = error, r->smoothing = r->plain_smoothing;
}

/* Without --gravity, gravity is fitted if plain friction predicts better with it. */
static bool finds_gravity(fit_problem *p) {
    const bool slides = strcmp(p->unit, "N") == 0; /* gravity does not depend on its position */
    if (p->gravity || slides || !p->logs[0].column[LOG_POSITION]) return false;
    const double without = cross_validate_plain(p);
    p->gravity = true;
    fit_prepare(p);
    if (cross_validate_plain(p) < without * (1 - worth)) return true;
    p->gravity = false;
    fit_prepare(p);
    return false;
}

/* It stays if a bristle, whose torque depends on the position too, does not do as well. */
static void confirm_gravity(fit_simulator *s, fit_problem *p, fit_plain *plain, fit_model *coulomb,
                            fit_warnings *warnings) {
    double *blocks = allocate((size_t)p->blocks, sizeof *blocks);
    const double with = cross_validate(s, p, coulomb, false, blocks);
    p->gravity = false;
    fit_prepare(p);
    fit_plain alone = {0};
    fit_plain_estimate(p, &alone);
    const fit_model m = fit_coulomb(s, p, &alone);
    p->gravity = with < cross_validate(s, p, &m, false, blocks) * (1 - worth);
    fit_prepare(p);
    if (p->gravity)
        fit_warn(warnings, p->robot ? "the torque depends on the position beyond the gravity of "
                                      "--robot: the difference was fitted, as --gravity does"
                                    : "the torque depends on the position as gravity does: it was "
                                      "fitted, as --gravity does");
    else
        *plain = alone, *coulomb = m;
    free(blocks);
}

/* A bristle that bends far fits slow reversals of one motion and fails on others, and one that is
 * stiffer than the encoder resolves turns its noise into torque. Either must be worth it. */
static void choose_softness(fit_simulator *s, fit_problem *p, const fit_plain *plain,
                            fit_model *coulomb) {
    static const double usual = 4e-3, far = 0.05; /* rad or m */
    const double resolved = 4 * fit_quantum(&p->logs[0]);
    const struct {
        double softest, stiffest, gain;
    } kinds[] = {{usual, 0, 0}, {fmax(usual, 2 * resolved), resolved, 0.02}, {far, resolved, 0.06}};
    double *blocks = allocate((size_t)p->blocks, sizeof *blocks), best = INFINITY;
    size_t chosen = 0;
    for (size_t k = 0; k < 3; k++) {
        p->softest = kinds[k].softest, p->stiffest = kinds[k].stiffest;
        fit_model m = fit_coulomb(s, p, plain);
        const double rms = cross_validate(s, p, &m, false, blocks);
        if (rms < best * (1 - kinds[k].gain)) *coulomb = m, best = rms, chosen = k;
    }
    p->softest = kinds[chosen].softest, p->stiffest = kinds[chosen].stiffest;
    free(blocks);
}

/* ---- further effects ---- */

/* The number of periods per turn that explains the most of the residual of sliding. */
static double find_ripple(const fit_problem *p, const double *residual, const double *friction) {
    enum { enough = 3000 }; /* samples */
    double best = 0, count = 0;
    double low = INFINITY, high = -INFINITY;
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++) {
            low = fmin(low, p->motions[file].position[i]);
            high = fmax(high, p->motions[file].position[i]);
        }
    const double range = high - low;
    if (!(range > 0)) return 0;
    const double first = fmax(4 * 3.14159 / range, 3), last = fmin(400, 4000 / range);
    const size_t every = 1 + p->samples / enough;
    for (double c = first; c < last; c += 0.25 / range) {
        double xx = 0, xy = 0, yy = 0, xr = 0, yr = 0;
        for (size_t file = 0; file < p->count; file++)
            for (size_t i = 0; i < p->logs[file].count; i += every) {
                const size_t k = p->first[file] + i;
                if (p->weight[k] == 0) continue;
                const double angle = c * p->motions[file].position[i];
                const double x = friction[k] * cos(angle), y = friction[k] * sin(angle);
                xx += x * x, xy += x * y, yy += y * y, xr += x * residual[k], yr += y * residual[k];
            }
        const double det = xx * yy - xy * xy;
        if (!(det > 1e-6 * xx * yy)) continue;
        const double explained = (yy * xr * xr - 2 * xy * xr * yr + xx * yr * yr) / det;
        if (explained > best) best = explained, count = c;
    }
    return fabs(count - round(count)) < 0.05 + 0.5 / range ? round(count) : count;
}

static bool varies(const fit_problem *p, int column, double least) {
    double low = INFINITY, high = -INFINITY;
    for (size_t file = 0; file < p->count; file++) {
        const double *x = p->logs[file].column[column];
        if (!x) return false;
        for (size_t i = 0; i < p->logs[file].count; i++)
            low = fmin(low, x[i]), high = fmax(high, x[i]);
    }
    return high - low > least;
}

/* Adds effects one by one, each if it predicts better. */
static void add_effects(fit_simulator *s, fit_problem *p, fit_model *m, double *rms,
                        double *per_block) {
    const struct {
        const char *what;
        unsigned bits;
        bool possible;
        double share;
    } effects[] = {
        {"temperature", FIT_BIT(FIT_TEMPERATURE_LEVEL) | FIT_BIT(FIT_TEMPERATURE_VISCOUS),
         varies(p, LOG_TEMPERATURE, 5), worth},
        {"external", FIT_BIT(FIT_LOAD_EXTERNAL), varies(p, LOG_EXTERNAL, 0.5 * p->scale), 0.01},
        {"reverse", FIT_BIT(FIT_REVERSE), true, 0.05},
        /* also if reverse_factor alone was rejected: one factor for both may be a compromise that
         * does not predict better */
        {"reverse viscous", FIT_BIT(FIT_REVERSE) | FIT_BIT(FIT_REVERSE_VISCOUS),
         m->free & FIT_BIT(FIT_VISCOUS), 0.05},
        {"load", FIT_BIT(FIT_LOAD_MOTOR), p->gravity || p->robot, worth},
        {"ripple", FIT_BIT(FIT_RIPPLE_COS) | FIT_BIT(FIT_RIPPLE_SIN), true, 0.05},
    };
    double *blocks = allocate((size_t)p->blocks, sizeof *blocks);
    for (size_t k = 0; k < sizeof effects / sizeof effects[0]; k++) {
        if (!effects[k].possible) continue;
        fit_model rich = *m;
        rich.free |= effects[k].bits;
        rich.theta[FIT_REVERSE] = m->free & FIT_BIT(FIT_REVERSE) ? m->theta[FIT_REVERSE] : 0;
        if (!(m->free & FIT_BIT(FIT_REVERSE_VISCOUS)))
            rich.theta[FIT_REVERSE_VISCOUS] = rich.theta[FIT_REVERSE];
        if (effects[k].bits & FIT_BIT(FIT_LOAD_MOTOR)) {
            if (!p->load) p->load = allocate(p->samples, sizeof(double));
            rich.theta[FIT_LOAD_MOTOR] = log(0.03);
        }
        if (effects[k].bits & FIT_BIT(FIT_LOAD_EXTERNAL)) rich.theta[FIT_LOAD_EXTERNAL] = log(0.03);
        if (effects[k].bits & FIT_BIT(FIT_RIPPLE_COS)) {
            double *residual = allocate(p->samples, sizeof *residual),
                   *friction = allocate(p->samples, sizeof *friction);
            (void)fit_residual(s, p, m, residual, friction);
            p->ripple_count = find_ripple(p, residual, friction);
            free(residual), free(friction);
            if (!(p->ripple_count > 0)) continue;
            rich.theta[FIT_RIPPLE_COS] = 0.02, rich.theta[FIT_RIPPLE_SIN] = 0.02;
        }
        if (!fit_estimate(s, p, &rich, 25)) continue;
        const double error = cross_validate(s, p, &rich, false, blocks);
        /* a part of the effect is already in the model: less improvement suffices */
        const double share = m->free & effects[k].bits ? worth : effects[k].share;
        if (is_worth(p, error, blocks, *rms, per_block, share)) {
            *m = rich, *rms = error;
            memcpy(per_block, blocks, (size_t)p->blocks * sizeof *blocks);
        }
    }
    free(blocks);
}

/* ---- the whole ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The share of the scatter of y that a straight line over x explains. */
static double explained(const double *x, const double *y, size_t count) {
    double sx = 0, sy = 0, xx = 0, xy = 0, yy = 0;
    const double n = (double)count;
    for (size_t i = 0; i < count; i++) {
        const double a = x[i] - x[0], b = y[i] - y[0];
        sx += a, sy += b, xx += a * a, xy += a * b, yy += b * b;
    }
    xx -= sx * sx / n, xy -= sx * sy / n, yy -= sy * sy / n;
    return xx > 0 && yy > 0 && xy > 0 ? xy * xy / (xx * yy) : 0;
}

/* Marks where the joint rests: where for more than 0.2 s (a shorter stop is a reversal) it moves by
 * at most 2.5 steps of its encoder or 0.03 % of its range. A rest of more than 0.5 s is left out of
 * the fit: whatever holds the joint, often a brake, supplies the torque. It stays if the encoder
 * resolves that the torque follows the position, as that of a bending bristle does. */
static void find_rest(fit_problem *p, size_t file) {
    static const double shortest = 0.2, left_out_after = 0.5, follows = 0.4; /* s, s, share */
    const fit_log *log = &p->logs[file];
    const double *q = log->column[LOG_POSITION], *t = log->column[LOG_TIME];
    const double *torque = p->measured + p->first[file];
    if (!q) return;
    double least = q[0], most = q[0];
    for (size_t i = 0; i < log->count; i++) least = fmin(least, q[i]), most = fmax(most, q[i]);
    const double resolved = 2.5 * fit_quantum(log), still = fmax(resolved, 3e-4 * (most - least));
    for (size_t i = 0; i < log->count;) {
        double low = q[i], high = q[i];
        size_t end = i;
        for (; end < log->count; end++) {
            const double lower = fmin(low, q[end]), higher = fmax(high, q[end]);
            if (higher - lower > still) break;
            low = lower, high = higher;
        }
        const double lasts = t[end - 1] - t[i];
        const bool left_out =
            lasts > left_out_after &&
            (high - low <= resolved || explained(q + i, torque + i, end - i) < follows);
        for (size_t k = p->first[file] + i; k < p->first[file] + end; k++) {
            if (lasts > shortest) p->rests[k] = true;
            if (left_out) p->train[k] = -1;
        }
        i = left_out ? end : i + 1 + (end - i) / 4;
    }
}

/* The torque of friction at samples that clearly move: 98 % of it is less. */
static double usual_torque(const fit_problem *p, const double *friction) {
    double *sizes = allocate(p->samples, sizeof *sizes);
    size_t n = 0;
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++) {
            const size_t k = p->first[file] + i;
            if (p->weight[k] > 0 && fabs(p->motions[file].velocity[i]) > 0.05 * p->fastest)
                sizes[n++] = fabs(friction[k]);
        }
    qsort(sizes, n, sizeof *sizes, by_size);
    const double usual = n > 0 ? sizes[n - 1 - n / 50] : (double)INFINITY;
    free(sizes);
    return usual;
}

/* The span of samples from i on in which the joint stands still at one end of its motion. */
typedef struct stand {
    size_t end;
    double side, seconds; /* 1: at the upper end */
} stand;

static stand stand_from(const fit_log *log, size_t i, double least, double most, double reach) {
    const double *q = log->column[LOG_POSITION], *t = log->column[LOG_TIME];
    stand s = {i, q[i] >= most - reach ? 1 : -1, 0};
    while (s.end < log->count && (s.side > 0 ? most - q[s.end] : q[s.end] - least) <= reach)
        s.end++;
    if (s.end > i) s.seconds = t[s.end - 1] - t[i];
    return s;
}

/* A joint that stands still at one end of its motion, under more torque than friction ever takes,
 * is at its limit, whose force is not friction. Without `friction`, all samples at the ends lose
 * their weight, so that what friction is can be estimated from the others. */
static void leave_out_limits(fit_problem *p, const double *friction, double coulomb,
                             fit_warnings *warnings) {
    static const double shortest = 0.2, still = 1e-3; /* s, of the range */
    static const double of_usual = 2, of_coulomb = 4; /* more than these is too much */
    const double most_torque =
        friction ? fmin(of_usual * usual_torque(p, friction), of_coulomb * fabs(coulomb)) : 0;
    for (size_t file = 0; file < p->count; file++) {
        const fit_log *log = &p->logs[file];
        const double *q = log->column[LOG_POSITION];
        if (!q) continue;
        double least = q[0], most = q[0], lasted = 0, where = 0;
        for (size_t i = 0; i < log->count; i++) least = fmin(least, q[i]), most = fmax(most, q[i]);
        const double reach = fmax(still * (most - least), 2 * fit_quantum(log));
        if (reach > 0.02 * (most - least)) continue;
        stand s;
        for (size_t i = 0; i < log->count; i = s.end + 1) {
            s = stand_from(log, i, least, most, reach);
            if (s.seconds < shortest) continue;
            double mean = 0;
            for (size_t k = p->first[file] + i; k < p->first[file] + s.end; k++) {
                if (friction)
                    mean += s.side * friction[k] / (double)(s.end - i);
                else
                    p->weight[k] = 0;
            }
            if (!friction || !(mean > most_torque)) continue;
            for (size_t k = p->first[file] + i; k < p->first[file] + s.end; k++)
                if (p->train[k] > 0) p->train[k] = -2;
            lasted += s.seconds, where = s.side > 0 ? most : least;
        }
        if (lasted > 0)
            fit_warn(
                warnings,
                "%s: the joint stands at %.4g for %.2g s under more torque than friction takes "
                "anywhere else: it is probably at its limit; these samples are left out",
                log->path, where, lasted);
    }
}

static void make_blocks(fit_problem *p, const fit_options *options) {
    double total = 0;
    for (size_t file = 0; file < p->count; file++) {
        const fit_log *log = &p->logs[file];
        total += log->column[LOG_TIME][log->count - 1] - log->column[LOG_TIME][0];
    }
    const double length = fmin(2, total / 16);
    int block = 0;
    for (size_t file = 0; file < p->count; file++) {
        const fit_log *log = &p->logs[file];
        const double *t = log->column[LOG_TIME];
        int last = block;
        for (size_t i = 0; i < log->count; i++) {
            const size_t k = p->first[file] + i;
            const int number = (int)((t[i] - t[0]) / length);
            p->block[k] = block + number;
            p->cluster[k] = (int)(4 * (t[i] - t[0]) / length);
            last = p->block[k];
            const bool held = options->share > 0 && floor((number + 1) * options->share + 1e-9) >
                                                        floor(number * options->share + 1e-9);
            p->train[k] = !(log->held_out || held);
        }
        find_rest(p, file);
        block = last + 1;
    }
    p->blocks = block;
}

static void find_limits(fit_problem *p, fit_warnings *warnings) {
    double *friction = allocate(p->samples, sizeof *friction);
    leave_out_limits(p, NULL, 0, warnings);
    fit_prepare(p);
    fit_plain plain = {0};
    fit_plain_estimate(p, &plain);
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++) {
            const size_t k = p->first[file] + i;
            friction[k] = p->torque[k] - fit_nuisance_of(p, plain.nuisance, file, i);
        }
    leave_out_limits(p, friction, plain.coulomb, warnings);
    for (size_t k = 0; k < p->samples; k++) p->weight[k] = p->train[k] > 0;
    fit_prepare(p);
    free(friction);
}

bool fit_choose(fit_simulator *s, fit_problem *p, const fit_options *options, fit_result *r,
                fit_warnings *warnings, stiction_error *error) {
    make_blocks(p, options);
    for (size_t k = 0; k < p->samples; k++) p->weight[k] = p->train[k] > 0;
    fit_smooth(p, &(fit_smoothing){p->logs[0].column[LOG_VELOCITY] != NULL,
                                   fmax(0.03, 4 * p->logs[0].step)});
    find_limits(p, warnings);
    const bool found_gravity = finds_gravity(p);
    choose_smoothing(s, p, options, r);
    fit_smooth(p, &r->smoothing);
    fit_plain plain = {0};
    fit_plain_estimate(p, &plain);
    p->scale = fmax(fabs(plain.coulomb), 1e-9);
    fit_model models[law_count];
    choose_softness(s, p, &plain, &models[0]);
    if (found_gravity) confirm_gravity(s, p, &plain, &models[0], warnings);
    const bool falls = plain.viscous * p->fastest < 0.1 * p->scale;
    for (size_t k = 1; k < law_count; k++) {
        models[k] = (fit_model){.law = laws[k].law, .rms = INFINITY};
        if ((laws[k].dry && !falls) || !is_asked(options, &models[k])) continue;
        models[k] = fit_fall(s, p, &plain, &models[0], laws[k].law, laws[k].dry);
    }
    double *per_block = allocate((size_t)p->blocks, sizeof *per_block), rms = 0;
    fit_model m = choose_law(s, p, options, models, &rms, per_block);
    const unsigned law_bits = BASE_BITS | FALL_BITS;
    add_effects(s, p, &m, &rms, per_block);
    if (m.free & ~law_bits) {
        /* without these effects another law may have been chosen to imitate them */
        for (size_t k = 0; k < law_count; k++) {
            if (isinf(models[k].rms)) continue;
            for (size_t n = 0; n < FIT_PARAMETER_COUNT; n++)
                if (FIT_BIT(n) & ~law_bits) models[k].theta[n] = m.theta[n];
            models[k].free |= m.free & ~law_bits;
            if (laws[k].dry) models[k].free &= ~FIT_BIT(FIT_REVERSE_VISCOUS);
            (void)fit_estimate(s, p, &models[k], 30);
        }
        m = choose_law(s, p, options, models, &rms, per_block);
    }
    fit_smooth(p, &r->plain_smoothing);
    r->held_plain_rms = cross_validate_plain(p);
    if (rms > (1 + worth) * r->held_plain_rms && !options->law && !has_files(p))
        try_as_plain(s, p, r, &m, &rms, per_block);
    fit_smooth(p, &r->smoothing);
    (void)fit_estimate(s, p, &m, 40);
    r->model = m;
    r->rms = m.rms;
    free(per_block);
    r->held_kind = "on blocks of the log that were not used";
    r->held_rms = rms;
    return fit_judge(s, p, options, r, warnings, error);
}
