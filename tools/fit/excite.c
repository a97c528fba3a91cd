/* SPDX-License-Identifier: MIT
 * A motion for identification: constant speeds both ways, each twice the one before, from what the
 * encoder resolves to the limit; small sines, in which the bristle bends; and a sum of sines. Slow
 * speeds do most of the work for static torque and Stribeck velocity.
 */
#include "excite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "smooth_motion.h"
#include "verdict.h"

enum { sines = 5, most_speeds = 12 };
static const double pi = 3.14159265358979323846;

typedef struct writer {
    const excite_limits *limits;
    double *position;
    size_t count, used;
    double now; /* rad from the middle */
} writer;

static void put(writer *w, double position) {
    if (w->used < w->count) w->position[w->used++] = position;
    w->now = position;
}

/* Moves by `distance` at a speed, with the acceleration that is allowed. */
static void stroke(writer *w, double distance, double speed) {
    const double dt = 1.0 / EXCITE_RATE, start = w->now, way = fabs(distance);
    const double a = w->limits->acceleration, top = fmin(speed, sqrt(way * a));
    const double rise = top / a, cruise = way / top - rise, whole = 2 * rise + cruise;
    for (double t = dt; t < whole; t += dt) {
        const double s = t < rise            ? 0.5 * a * t * t
                         : t < rise + cruise ? 0.5 * a * rise * rise + top * (t - rise)
                                             : way - 0.5 * a * (whole - t) * (whole - t);
        put(w, start + copysign(s, distance));
    }
    put(w, start + distance);
}

/* Constant speeds, the slow ones first, in about so many seconds. */
static void speeds(writer *w, double reach, double seconds) {
    double list[most_speeds];
    size_t n = 0;
    for (double v = w->limits->velocity; v > w->limits->slowest && n < most_speeds; v /= 2)
        list[n++] = v;
    const double each = seconds / (2.2 * (double)fmax((double)n, 1));
    for (size_t k = n; k-- > 0;) {
        const double way = fmin(list[k] * each, reach);
        /* alternately on both sides of the middle, so that gravity differs */
        const double side = k % 2 ? 1 : -1;
        stroke(w, side * way, list[k]);
        stroke(w, -side * way, list[k]);
    }
}

/* Sines whose amplitude falls to where only the bristle moves. */
static void small_sines(writer *w, double reach, double seconds) {
    const double dt = 1.0 / EXCITE_RATE, base = w->now;
    for (double t = dt; t < seconds; t += dt) {
        const double share = t / seconds;
        const double amplitude = 0.02 * reach * pow(0.01, share) * sin(pi * fmin(4 * t, 0.5));
        put(w, base + amplitude * sin(2 * pi * t));
    }
    stroke(w, -w->now, w->limits->velocity);
}

/* A sum of sines that begins and ends at rest, as large as the limits allow. */
static void fourier(writer *w, double reach) {
    const size_t n = w->count > w->used ? w->count - w->used : 0;
    if (n < EXCITE_RATE) return;
    const double dt = 1.0 / EXCITE_RATE, seconds = (double)n * dt;
    double *shape = allocate(n, sizeof *shape), most = 0, fastest = 0, hardest = 0;
    for (size_t k = 0; k < n; k++) {
        const double t = (double)k * dt, edge = fmin(1, fmin(t, seconds - t) / (0.15 * seconds));
        double sum = 0;
        for (int h = 0; h < sines; h++)
            sum += sin(2 * pi * (0.13 + 0.17 * h) * t + 1.7 * h * h) / (1 + h);
        shape[k] = sum * edge * edge * (3 - 2 * edge);
        most = fmax(most, fabs(shape[k]));
        if (k > 0) fastest = fmax(fastest, fabs(shape[k] - shape[k - 1]) / dt);
        if (k > 1)
            hardest = fmax(hardest, fabs(shape[k] - 2 * shape[k - 1] + shape[k - 2]) / (dt * dt));
    }
    const double scale =
        fmin(reach / most, fmin(w->limits->velocity / fastest, w->limits->acceleration / hardest));
    const double base = w->now;
    for (size_t k = 0; k < n; k++) put(w, base + scale * shape[k]);
    free(shape);
}

double *excite_motion(const excite_limits *limits, size_t count) {
    writer w = {.limits = limits, .position = allocate(count, sizeof(double)), .count = count};
    const double middle = 0.5 * (limits->lower + limits->upper);
    const double reach = 0.45 * (limits->upper - limits->lower);
    const double seconds = (double)count / EXCITE_RATE;
    for (int k = 0; k < EXCITE_RATE / 2; k++) put(&w, 0);
    speeds(&w, reach, 0.5 * seconds);
    small_sines(&w, reach, 0.12 * seconds);
    fourier(&w, reach);
    while (w.used < count) put(&w, w.now);
    for (size_t k = 0; k < count; k++) w.position[k] += middle;
    return w.position;
}

/* ---- the accuracy to expect ---- */

size_t excite_predict(const double *position, size_t count, const stiction_joint_def *def,
                      double noise, fit_deviation rows[FIT_VALUES]) {
    fit_log record = {.count = count, .step = 1.0 / EXCITE_RATE};
    double *time = allocate(count, sizeof *time), *copy = allocate(count, sizeof *copy);
    for (size_t k = 0; k < count; k++) time[k] = (double)k / EXCITE_RATE, copy[k] = position[k];
    record.column[LOG_TIME] = time, record.column[LOG_POSITION] = copy;
    fit_motion motion = {0};
    size_t first = 0;
    fit_problem p = {.logs = &record,
                     .motions = &motion,
                     .count = 1,
                     .samples = count,
                     .first = &first,
                     .inertia = (double)NAN,
                     .timestep = 0.001,
                     .scale = def->coulomb_torque};
    p.measured = allocate(count, sizeof(double)), p.torque = allocate(count, sizeof(double));
    p.weight = allocate(count, sizeof(double)), p.train = allocate(count, sizeof(double));
    p.block = allocate(count, sizeof(int)), p.cluster = allocate(count, sizeof(int));
    for (size_t k = 0; k < count; k++) p.weight[k] = p.train[k] = 1;
    fit_smooth(&p, &(fit_smoothing){false, 0.02});
    const bool falls = def->static_torque > def->coulomb_torque * 1.01;
    fit_model m = {.law = falls ? def->law : "coulomb", .free = 0xf | (falls ? 0x30 : 0)};
    m.theta[FIT_COULOMB] = log(def->coulomb_torque);
    m.theta[FIT_VISCOUS] = log(fmax(def->viscous, 1e-6));
    m.theta[FIT_STIFFNESS] = log(def->stiffness);
    m.theta[FIT_DAMPING] = log(fmax(def->damping, 1e-6));
    if (falls) {
        m.theta[FIT_FALL] = log(def->static_torque / def->coulomb_torque - 1);
        m.theta[FIT_STRIBECK] = log(def->stribeck_velocity);
    }
    stiction_error error;
    fit_simulator *s = fit_simulator_create(&error);
    const size_t n = fit_expected(s, &p, &m, noise, rows);
    fit_simulator_destroy(s);
    fit_motion_free(&motion);
    free(time), free(copy), free(p.measured), free(p.torque), free(p.weight), free(p.train);
    free(p.block), free(p.cluster), free(p.nuisance);
    return n;
}
