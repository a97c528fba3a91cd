/* SPDX-License-Identifier: MIT */
/* The comparison: problems, the figure of each contestant, and peers.json.
 * usage: peers [--reduced] [OUT.json] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer.h"
#include "solution.h"

static const double pi = 3.14159265358979323846;
static bool reduced;
static FILE *out;
static bool comma;

/* HRP-5P's wrist: Cisneros et al., Fig 3, and the inertia that fits their figures. */
static const chain wrist = {.count = 1,
                            .length = 1,
                            .mass = 1,
                            .inertia = 0.1675,
                            .timestep = 1e-3,
                            .static_torque = 2.5,
                            .coulomb_torque = 0.4,
                            .stribeck = 0.06,
                            .viscous = 4.5};

/* A value that means that the contestant cannot do it, or failed: `why` is shown. */
static void report(const char *problem, const peer *p, const char *figure, const char *unit,
                   double value, const char *why) {
    fprintf(
        out,
        "%s\n {\"problem\": \"%s\", \"contestant\": \"%s\", \"figure\": \"%s\", \"unit\": \"%s\"",
        comma ? "," : "", problem, p->name, figure, unit);
    comma = true;
    if (why || !isfinite(value))
        fprintf(out, ", \"value\": null, \"why\": \"%s\"}", why ? why : "diverges");
    else
        fprintf(out, ", \"value\": %.6g}", value);
    fflush(out);
}

static void report_reference(const char *problem, const char *figure, const char *unit,
                             double value, double error) {
    fprintf(
        out,
        "%s\n {\"problem\": \"%s\", \"contestant\": \"reference\", \"figure\": \"%s\", \"unit\": "
        "\"%s\", \"value\": %.9g, \"error\": %.2g}",
        comma ? "," : "", problem, figure, unit, value, error);
    comma = true;
}

/* For one level of friction: that of the problem. */
static chain with_level(const peer *p, chain c, double level) {
    if (!p->has_stiction) c.static_torque = c.coulomb_torque = level;
    return c;
}

/* ---- one joint under a given torque ---- */

typedef double load_function(double time, double level);

static double steady(double time, double level) {
    return level * fmin(1, time);
}

static double with_dither(double time, double level) {
    return steady(time, level) + 0.08 * wrist.static_torque * sin(2 * pi * 20 * time);
}

/* The base turns by 0.05 rad at 1 Hz, which the joint feels as a torque. */
static double on_moving_base(double time, double level) {
    return steady(time, level) + wrist.inertia * 0.05 * 4 * pi * pi * sin(2 * pi * time);
}

/* Mean speed over the second half, rad/s; NaN: not finite; INFINITY is not used. */
static double creep_of(const peer *p, const chain *c, load_function *load, double level,
                       double duration) {
    void *made = p->create(c);
    if (!made) return (double)NAN;
    double q = 0, v = 0, half = 0;
    const long steps = lround(duration / c->timestep);
    for (long k = 0; k < steps && isfinite(q); k++) {
        const double torque = load((double)k * c->timestep, level);
        p->step(made, &torque);
        if (k == steps / 2 - 1) p->read(made, &half, &v); /* whole periods before the end */
        if (k % 100 == 0) p->read(made, &q, &v);
    }
    p->read(made, &q, &v);
    p->destroy(made);
    return fabs(q - half) / (duration / 2);
}

static const char *creep_words(double creep) {
    return isnan(creep) ? "diverges" : creep > 0.1 ? "slips" : NULL;
}

static void hold(const peer *p) {
    static const double shares[] = {0.3, 0.9, 0.99}, steps[] = {5e-4, 1e-3, 5e-3, 1e-2},
                        inertias[] = {1e-4, 1e-2, 1};
    double worst = 0, at_wrist = 0;
    for (int s = 0; s < 3; s++)
        for (int t = 0; t < 4; t++)
            for (int m = 0; m < 3; m++) {
                chain c = with_level(p, wrist, wrist.static_torque);
                c.timestep = steps[t];
                c.inertia = inertias[m];
                const double creep =
                    creep_of(p, &c, steady, shares[s] * wrist.static_torque, reduced ? 4 : 60);
                worst = isnan(creep) || isnan(worst) ? (double)NAN : fmax(worst, creep);
            }
    const chain c = with_level(p, wrist, wrist.static_torque);
    at_wrist = creep_of(p, &c, steady, 0.9 * wrist.static_torque, reduced ? 4 : 60);
    report("hold", p, "creep, wrist at 0.9 F_S, 1 ms", "rad/s", at_wrist, creep_words(at_wrist));
    report("hold", p, "creep, worst of 36 cases", "rad/s", worst, creep_words(worst));
}

static void disturbed(const peer *p) {
    const chain c = with_level(p, wrist, wrist.static_torque);
    const double seconds = reduced ? 4 : 60;
    const double dither = creep_of(p, &c, with_dither, 0.9 * wrist.static_torque, seconds);
    const double base = creep_of(p, &c, on_moving_base, 0.5 * wrist.static_torque, seconds);
    report("disturbed", p, "creep under dither", "rad/s", dither, creep_words(dither));
    report("disturbed", p, "creep on a moving base", "rad/s", base, creep_words(base));
}

static void ramp(const peer *p) {
    const chain c = with_level(p, wrist, wrist.static_torque);
    const double rate = reduced ? 1 : 0.1;
    void *made = p->create(&c);
    double q = 0, v = 0, torque = 0;
    for (long k = 0; fabs(v) < 1e-2 && torque < 3 * c.static_torque && isfinite(v); k++) {
        torque = rate * (double)k * c.timestep;
        p->step(made, &torque);
        p->read(made, &q, &v);
    }
    p->destroy(made);
    report("ramp", p, "break-away torque, error", "%", 100 * (torque / c.static_torque - 1), NULL);
}

static void reversals(const peer *p) {
    const chain c = with_level(p, wrist, wrist.static_torque);
    const int cycles = reduced ? 3 : 20;
    const double period = 5;
    void *made = p->create(&c);
    double q = 0, v = 0, first = 0;
    const long of_cycle = lround(period / c.timestep);
    for (long k = 0; k < cycles * of_cycle; k++) {
        const double torque = 0.8 * c.static_torque * sin(2 * pi * (double)k * c.timestep / period);
        p->step(made, &torque);
        if (k == of_cycle - 1) p->read(made, &first, &v);
    }
    p->read(made, &q, &v);
    p->destroy(made);
    report("reversals", p, "drift of the return point", "rad/cycle", fabs(q - first) / (cycles - 1),
           NULL);
}

/* ---- one joint under a drive ---- */

static double controller(const drive *d, double time, double q, double v, double integral) {
    (void)time;
    const double reference = d->kp * (d->target - q) - d->kv * v;
    return d->inertia * reference + d->lambda * d->inertia * (integral - v);
}

static double controller_rate(const drive *d, double time, double q, double v) {
    (void)time;
    return d->kp * (d->target - q) - d->kv * v;
}

static double spring(const drive *d, double time, double q, double v, double integral) {
    (void)v;
    (void)integral;
    return d->spring * (d->speed * time - q);
}

/* The same motion as reference_joint, by a contestant. Break-aways are counted by their speed. */
static reference_motion drive_peer(const peer *p, const chain *c, const drive *d, double duration) {
    reference_motion r = {.stop_time = 0};
    double q = 0, v = 0, integral = 0;
    bool moves = true;
    void *made = p->create(c);
    const long steps = lround(duration / c->timestep);
    for (long k = 0; k < steps && isfinite(v); k++) {
        const double time = (double)k * c->timestep;
        if (d->rate) integral += c->timestep * d->rate(d, time, q, v);
        const double torque = d->torque(d, time, q, v, integral);
        p->step(made, &torque);
        p->read(made, &q, &v);
        if (fabs(v) > 1e-3) r.stop_time = time;
        if (!moves && fabs(v) > 1e-2) {
            moves = true;
            if (r.breakaways < REFERENCE_MOST_EVENTS) r.times[r.breakaways++] = time;
        } else if (moves && fabs(v) < 1e-3) {
            moves = false;
        }
    }
    p->destroy(made);
    r.position = q;
    r.velocity = v;
    return r;
}

static double period_of(const reference_motion *r) {
    return r->breakaways > 1 ? (r->times[r->breakaways - 1] - r->times[0]) / (r->breakaways - 1)
                             : (double)NAN;
}

/* The reference counts the start of a motion from rest under a load as a break-away, the
 * contestants do not. */
static reference_motion without_first(reference_motion r) {
    if (r.breakaways && r.times[0] < 1e-6) {
        memmove(r.times, r.times + 1, sizeof r.times - sizeof *r.times);
        r.breakaways--;
    }
    return r;
}

static const double degree = 3.14159265358979323846 / 180;
static const drive of_wrist = {.torque = controller,
                               .rate = controller_rate,
                               .kp = 20,
                               .kv = 2,
                               .target = 3.14159265358979323846 / 2,
                               .inertia = 0.1675};
static const drive with_integral = {.torque = controller,
                                    .rate = controller_rate,
                                    .kp = 50,
                                    .kv = 14,
                                    .lambda = 1,
                                    .target = 3.14159265358979323846 / 2,
                                    .inertia = 0.1675};
static const drive of_spring = {.torque = spring, .inertia = 0.1675, .spring = 10, .speed = 0.05};
static chain slippery; /* the wrist with less viscosity, in which a spring makes stick-slip */
static reference_motion ends, hunts, slips;

static double error_of(double a, double b) {
    return fabs(a - b);
}

static void reference_of_drives(void) {
    slippery = wrist;
    slippery.viscous = 0.5;
    ends = reference_joint(&wrist, &of_wrist, 6, true);
    hunts = without_first(reference_joint(&wrist, &with_integral, 60, true));
    slips = without_first(reference_joint(&slippery, &of_spring, 60, true));
    const reference_motion end = reference_joint(&wrist, &of_wrist, 6, false);
    const reference_motion hunt = without_first(reference_joint(&wrist, &with_integral, 60, false));
    const reference_motion slip = without_first(reference_joint(&slippery, &of_spring, 60, false));
    report_reference("wrist", "stop angle", "deg", ends.position / degree,
                     error_of(ends.position, end.position) / degree);
    report_reference("wrist", "sawtooth, period", "s", period_of(&hunts),
                     error_of(period_of(&hunts), period_of(&hunt)));
    report_reference("stick-slip", "slips in 60 s", "1", slips.breakaways,
                     error_of(slips.breakaways, slip.breakaways));
    report_reference("stick-slip", "period", "s", period_of(&slips),
                     error_of(period_of(&slips), period_of(&slip)));
}

static void drives(const peer *p) {
    const chain kinetic = with_level(p, wrist, wrist.coulomb_torque);
    const chain drawn = with_level(p, slippery, slippery.coulomb_torque);
    const reference_motion end = drive_peer(p, &kinetic, &of_wrist, 6);
    report("wrist", p, "stop angle, error", "deg", error_of(end.position, ends.position) / degree,
           NULL);
    const reference_motion slip = drive_peer(p, &drawn, &of_spring, 60);
    const double period = period_of(&slip);
    report("stick-slip", p, "period, error", "%",
           100 * error_of(period, period_of(&slips)) / period_of(&slips),
           isnan(slip.position) ? "diverges"
           : isnan(period)      ? "no stick-slip"
                                : NULL);
    const reference_motion hunt = drive_peer(p, &kinetic, &with_integral, 60);
    const double tooth = period_of(&hunt);
    report("wrist", p, "sawtooth period, error", "%",
           100 * error_of(tooth, period_of(&hunts)) / period_of(&hunts),
           isnan(hunt.position) ? "diverges"
           : isnan(tooth)       ? "no sawtooth"
                                : NULL);
}

/* ---- chains that come to rest ---- */

typedef struct coasting {
    const char *name;
    chain of;
    double velocity[8], position[8];
    double duration, rest, error;
} coasting;

static coasting coastings[] = {
    {.name = "double pendulum",
     .of = {.count = 2,
            .length = 0.5,
            .centre = 0.25,
            .mass = 2,
            .inertia = 2 * 0.25 / 12,
            .gravity = 9.81,
            .static_torque = 2,
            .coulomb_torque = 2,
            .stribeck = 0.06},
     .velocity = {0, 8},
     .duration = 10},
    {.name = "7-joint arm, coasting",
     .of = {.count = 7,
            .length = 0.3,
            .centre = 0.15,
            .mass = 2,
            .inertia = 2 * 0.09 / 12,
            .static_torque = 3,
            .coulomb_torque = 3,
            .stribeck = 0.06},
     .velocity = {1, -1, 0.5, 1, -0.5, 1, -1},
     .duration = 10},
};
enum { coasting_count = sizeof coastings / sizeof coastings[0] };

static void reference_of_coastings(void) {
    for (int k = 0; k < coasting_count; k++) {
        coasting *of = &coastings[k];
        reference_chain(&of->of, of->velocity, of->duration, reduced ? 1e-4 : 1e-5, of->position,
                        &of->rest, &of->error);
        report_reference(of->name, "time at rest", "s", of->rest, of->error);
    }
}

/* The largest distance from the reference at the end, rad; -1: not for chains. */
static double pose_error(const peer *p, const coasting *of, double timestep, double *rest) {
    chain c = of->of;
    c.timestep = timestep;
    void *made = p->create(&c);
    if (!made) return -1;
    double q[8] = {0}, v[8], torque[8] = {0}, worst = 0;
    p->place(made, q, of->velocity);
    *rest = 0;
    const long steps = lround(of->duration / timestep);
    for (long k = 0; k < steps; k++) {
        double fastest = 0;
        p->step(made, torque);
        p->read(made, q, v);
        for (int i = 0; i < c.count; i++) fastest = fmax(fastest, fabs(v[i]));
        if (!(fastest < 1e-3)) *rest = (double)(k + 1) * timestep;
    }
    p->destroy(made);
    for (int i = 0; i < c.count; i++) worst = fmax(worst, fabs(q[i] - of->position[i]));
    return isfinite(q[0]) ? worst : (double)NAN;
}

static void coast(const peer *p) {
    for (int k = 0; k < coasting_count; k++) {
        double rest, unused;
        const double at_1 = pose_error(p, &coastings[k], 1e-3, &rest);
        if (at_1 < 0) {
            report(coastings[k].name, p, "pose at rest, error", "rad", 0, "one joint only");
            continue;
        }
        const double at_4 = pose_error(p, &coastings[k], 4e-3, &unused);
        report(coastings[k].name, p, "pose at rest, error", "rad", at_1, NULL);
        report(coastings[k].name, p, "time at rest, error", "s", error_of(rest, coastings[k].rest),
               rest > coastings[k].duration - 0.1 ? "does not rest" : NULL);
        report(coastings[k].name, p, "order of convergence", "1", log(at_4 / at_1) / log(4), NULL);
    }
}

/* ---- cost ---- */

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double processor_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The time of the processor for a block of steps, s; NaN: the motion is absurd. */
static double time_block(const peer *p, void *made, int count, double speed) {
    static const double zero[PEER_MOST_LINKS];
    double q[PEER_MOST_LINKS] = {0}, v[PEER_MOST_LINKS];
    for (int k = 0; k < count; k++) v[k] = k % 2 ? -speed : speed;
    p->place(made, q, v);
    const double start = processor_seconds();
    for (int k = 0; k < 50; k++) p->step(made, zero);
    const double time = processor_seconds() - start;
    p->read(made, q, v);
    for (int k = 0; k < count; k++)
        if (!(fabs(v[k]) < 100)) return (double)NAN;
    return time;
}

/* Blocks with and without friction take turns; the median of their ratios. */
static void cost(const peer *p) {
    static const int sizes[] = {7, 53};
    for (int s = 0; s < 2; s++)
        for (int moving = 0; moving < 2; moving++) {
            enum { most = 41 };
            double ratios[most];
            const int blocks = reduced ? 11 : most;
            char figure[60];
            chain c = {.count = sizes[s],
                       .length = 0.1,
                       .centre = 0.05,
                       .mass = 0.5,
                       .inertia = 1e-3,
                       .timestep = 1e-3,
                       .stribeck = 0.06,
                       .static_torque = moving ? 0.01 : 1000,
                       .coulomb_torque = moving ? 0.01 : 1000,
                       .gravity = moving ? 0 : 9.81};
            chain without = c;
            without.static_torque = without.coulomb_torque = without.gravity = 0;
            void *with = p->create(&c), *plain = p->create(&without);
            (void)snprintf(figure, sizeof figure, "%d joints that %s", sizes[s],
                           moving ? "slip" : "stick");
            if (!with || !plain) {
                report("cost", p, figure, "steps without friction", 0, "one joint only");
                continue;
            }
            bool fine = true;
            for (int k = 0; k < blocks; k++) {
                const double on = time_block(p, with, c.count, moving ? 1 : 0);
                ratios[k] = on / time_block(p, plain, c.count, moving ? 1 : 0);
                fine = fine && !isnan(ratios[k]);
            }
            qsort(ratios, (size_t)blocks, sizeof *ratios, by_size);
            report("cost", p, figure, "steps without friction", ratios[blocks / 2],
                   fine ? NULL : "diverges");
            p->destroy(with);
            p->destroy(plain);
        }
}

/* ---- all ---- */

static void print_processor(void) {
    char line[300], name[300] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !*name && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
            (void)snprintf(name, sizeof name, "%s", strchr(line, ':') + 2);
    if (file) (void)fclose(file);
    name[strcspn(name, "\n\"\\")] = '\0';
    fprintf(out, "{\"processor\": \"%s\",\n\"reduced\": %s,\n\"contestants\": [", name,
            reduced ? "true" : "false");
    for (int k = 0; contestants[k]; k++)
        fprintf(out, "%s\n {\"name\": \"%s\", \"version\": \"%s\", \"settings\": \"%s\"}",
                k ? "," : "", contestants[k]->name, contestants[k]->version(),
                contestants[k]->settings);
    fprintf(out, "],\n\"figures\": [");
}

int main(int argc, char **argv) {
    const char *path = "peers.json";
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--reduced") == 0)
            reduced = true;
        else
            path = argv[k];
    out = fopen(path, "w");
    if (!out) {
        perror(path);
        return 1;
    }
    print_processor();
    reference_of_drives();
    reference_of_coastings();
    static void (*const problems[])(const peer *) = {hold,   disturbed, ramp, reversals,
                                                     drives, coast,     cost};
    for (int k = 0; contestants[k]; k++) {
        const double start = seconds();
        for (size_t n = 0; n < sizeof problems / sizeof problems[0]; n++)
            problems[n](contestants[k]);
        fprintf(stderr, "%s: %.1f s\n", contestants[k]->name, seconds() - start);
    }
    fprintf(out, "\n]}\n");
    return fclose(out) != 0;
}
