/* SPDX-License-Identifier: MIT */
/* The problems of one joint. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems.h"
#include "solution.h"

static const double pi = 3.14159265358979323846;
static const double degree = 3.14159265358979323846 / 180;

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

/* ---- under a given torque ---- */

typedef double load_function(const chain *c, double time, double level);

static double steady(const chain *c, double time, double level) {
    (void)c;
    return level * fmin(1, time);
}

static double with_dither(const chain *c, double time, double level) {
    return steady(c, time, level) + 0.08 * wrist.static_torque * sin(2 * pi * 20 * time);
}

/* The base turns by 0.05 rad at 1 Hz, which the joint feels as a torque. */
static double on_moving_base(const chain *c, double time, double level) {
    return steady(c, time, level) + c->inertia * 0.05 * 4 * pi * pi * sin(2 * pi * time);
}

/* Mean speed over the second half, which has whole periods, rad/s. */
static double creep_of(const peer *p, const chain *c, load_function *load, double share,
                       double duration) {
    const double level = share * wrist.static_torque;
    const long steps = lround(duration / c->timestep);
    void *made = p->create(c);
    double q = 0, v = 0, half = 0;
    for (long k = 0; k < steps && isfinite(q); k++) {
        const double torque = load(c, (double)k * c->timestep, level);
        p->step(made, &torque);
        if (k == steps / 2 - 1) p->read(made, &half, &v);
        if (k % 1000 == 0) p->read(made, &q, &v);
    }
    p->read(made, &q, &v);
    p->destroy(made);
    return fabs(q - half) / (duration / 2);
}

/* The largest creep over loads, time steps and inertias. */
static double worst_creep(const peer *p, load_function *load, const double *shares, int share_count,
                          double most_inertia, double duration) {
    static const double steps[] = {5e-4, 1e-3, 5e-3, 1e-2};
    const double inertias[] = {1e-4, 1e-2, most_inertia};
    double worst = 0;
    for (int s = 0; s < share_count; s++)
        for (int t = 0; t < 4; t++)
            for (int m = 0; m < 3; m++) {
                chain c = with_level(p, wrist, wrist.static_torque);
                c.timestep = steps[t];
                c.inertia = inertias[m];
                const double creep = creep_of(p, &c, load, shares[s], duration);
                worst = isnan(creep) || isnan(worst) ? (double)NAN : fmax(worst, creep);
            }
    return worst;
}

void measure_hold(const peer *p) {
    static const double shares[] = {0.3, 0.9, 0.99};
    const chain c = with_level(p, wrist, wrist.static_torque);
    const double duration = peers_reduced ? 4 : 60;
    const double at_wrist = creep_of(p, &c, steady, 0.9, duration);
    const double worst = worst_creep(p, steady, shares, 3, 1, duration);
    report("hold", p, "creep, wrist at 0.9 F_S, 1 ms", "rad/s", at_wrist, why_creep(at_wrist));
    report("hold", p, "creep, worst of 36 cases", "rad/s", worst, why_creep(worst));
}

void measure_disturbed(const peer *p) {
    static const double shares[] = {0.3, 0.8};
    const double duration = peers_reduced ? 4 : 20;
    const double dither = worst_creep(p, with_dither, shares, 2, wrist.inertia, duration);
    const double base = worst_creep(p, on_moving_base, shares, 2, wrist.inertia, duration);
    report("disturbed", p, "creep under dither, worst of 24 cases", "rad/s", dither,
           why_creep(dither));
    report("disturbed", p, "creep on a moving base, worst of 24 cases", "rad/s", base,
           why_creep(base));
}

/* The load at which the joint has a speed of 1 mrad/s, without viscosity. */
void measure_ramp(const peer *p) {
    const double rate = peers_reduced ? 1 : 0.1, speed = 1e-3;
    chain c = wrist;
    c.coulomb_torque = c.static_torque;
    c.viscous = 0;
    void *made = p->create(&c);
    double q = 0, v = 0, torque = 0;
    for (long k = 0; fabs(v) < speed && torque < 3 * c.static_torque && isfinite(v); k++) {
        torque = rate * (double)(k + 1) * c.timestep;
        p->step(made, &torque);
        p->read(made, &q, &v);
    }
    p->destroy(made);
    const double exact = c.static_torque + sqrt(2 * c.inertia * speed * rate);
    report("ramp", p, "break-away torque, error", "%", 100 * fabs(torque / exact - 1), NULL);
}

/* ---- under a drive ---- */

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
    const double swing = d->period > 0 ? d->amplitude * sin(2 * pi * time / d->period) : 0;
    return d->spring * (d->speed * time + swing - q);
}

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
static const drive of_swing = {
    .torque = spring, .inertia = 0.1675, .spring = 50, .amplitude = 0.15, .period = 2};
static chain slippery; /* the wrist with less viscosity, in which a spring makes stick-slip */
static chain plain;    /* the wrist with one level of friction */
static reference_motion ends, hunts, slips;
static double loop_energy;
enum { LOOPS = 4 }; /* the last one counts */

/* The same motion as reference_joint, by a contestant. Break-aways are counted by their speed. */
static reference_motion drive_peer(const peer *p, const chain *c, const drive *d, double duration) {
    reference_motion r = {.breakaways = 0};
    double q = 0, v = 0, integral = 0;
    bool moves = true;
    void *made = p->create(c);
    const long steps = lround(duration / c->timestep);
    for (long k = 0; k < steps && isfinite(v); k++) {
        const double time = (double)k * c->timestep, from = q;
        if (d->rate) integral += c->timestep * d->rate(d, time, q, v);
        const double torque = d->torque(d, time, q, v, integral);
        p->step(made, &torque);
        p->read(made, &q, &v);
        const double next = d->torque(d, time + c->timestep, q, v, integral);
        r.work += (torque + next) / 2 * (q - from);
        if (!moves && fabs(v) > 1e-2) {
            moves = true;
            if (r.breakaways == REFERENCE_MOST_EVENTS) continue;
            r.times[r.breakaways] = time;
            r.places[r.breakaways++] = from;
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

static double amplitude_of(const reference_motion *r) {
    return r->breakaways > 1 ? (r->places[r->breakaways - 1] - r->places[0]) / (r->breakaways - 1)
                             : (double)NAN;
}

/* The reference counts the start of a motion from rest under a load as a break-away, the
 * contestants do not. */
static reference_motion without_first(reference_motion r) {
    if (r.breakaways && r.times[0] < 1e-6) {
        r.breakaways--;
        memmove(r.times, r.times + 1, sizeof r.times - sizeof *r.times);
        memmove(r.places, r.places + 1, sizeof r.places - sizeof *r.places);
    }
    return r;
}

static double energy_of_loop(bool fine) {
    return reference_joint(&plain, &of_swing, LOOPS * of_swing.period, fine).work -
           reference_joint(&plain, &of_swing, (LOOPS - 1) * of_swing.period, fine).work;
}

void find_joint_references(void) {
    slippery = plain = wrist;
    slippery.viscous = 0.5;
    plain.coulomb_torque = plain.static_torque;
    plain.viscous = 0.5;
    ends = reference_joint(&wrist, &of_wrist, 6, true);
    hunts = without_first(reference_joint(&wrist, &with_integral, 60, true));
    slips = without_first(reference_joint(&slippery, &of_spring, 60, true));
    loop_energy = energy_of_loop(true);
    const reference_motion end = reference_joint(&wrist, &of_wrist, 6, false);
    const reference_motion hunt = without_first(reference_joint(&wrist, &with_integral, 60, false));
    const reference_motion slip = without_first(reference_joint(&slippery, &of_spring, 60, false));
    report_reference("reversals", "energy of a loop", "J", loop_energy,
                     fabs(loop_energy - energy_of_loop(false)));
    report_reference("stick-slip", "slips in 60 s", "1", slips.breakaways,
                     abs(slips.breakaways - slip.breakaways));
    report_reference("stick-slip", "period", "s", period_of(&slips),
                     fabs(period_of(&slips) - period_of(&slip)));
    report_reference("stick-slip", "amplitude", "rad", amplitude_of(&slips),
                     fabs(amplitude_of(&slips) - amplitude_of(&slip)));
    report_reference("wrist", "stop angle", "deg", ends.position / degree,
                     fabs(ends.position - end.position) / degree);
    report_reference("wrist", "sawtooth, period", "s", period_of(&hunts),
                     fabs(period_of(&hunts) - period_of(&hunt)));
}

/* A load below F_S that swings about half of it: what the joint drifts per cycle. */
static double drift_per_cycle(const peer *p) {
    const chain c = with_level(p, wrist, wrist.static_torque);
    const int cycles = peers_reduced ? 3 : 20;
    const double period = 5;
    void *made = p->create(&c);
    double q = 0, v = 0, first = 0;
    const long of_cycle = lround(period / c.timestep);
    for (long k = 0; k < cycles * of_cycle; k++) {
        const double swing = sin(2 * pi * (double)k * c.timestep / period);
        const double torque = c.static_torque * (0.5 + 0.4 * swing);
        p->step(made, &torque);
        if (k == of_cycle - 1) p->read(made, &first, &v);
    }
    p->read(made, &q, &v);
    p->destroy(made);
    return fabs(q - first) / (cycles - 1);
}

void measure_reversals(const peer *p) {
    const double drift = drift_per_cycle(p);
    const double energy = drive_peer(p, &plain, &of_swing, LOOPS * of_swing.period).work -
                          drive_peer(p, &plain, &of_swing, (LOOPS - 1) * of_swing.period).work;
    report("reversals", p, "drift of the return point", "rad/cycle", drift, NULL);
    report("reversals", p, "energy of a loop, error", "%", 100 * fabs(energy / loop_energy - 1),
           NULL);
}

void measure_stick_slip(const peer *p) {
    const chain c = with_level(p, slippery, slippery.coulomb_torque);
    const reference_motion r = drive_peer(p, &c, &of_spring, 60);
    const char *why = isnan(r.position) ? "diverges" : r.breakaways <= 1 ? "no stick-slip" : NULL;
    report("stick-slip", p, "slips in 60 s, error", "1", abs(r.breakaways - slips.breakaways), why);
    report("stick-slip", p, "period, error", "%", 100 * fabs(period_of(&r) / period_of(&slips) - 1),
           why);
    report("stick-slip", p, "amplitude, error", "%",
           100 * fabs(amplitude_of(&r) / amplitude_of(&slips) - 1), why);
}

/* With one level of friction: the one with the smaller error. */
static double stop_error(const peer *p) {
    const chain kinetic = with_level(p, wrist, wrist.coulomb_torque);
    const double error = fabs(drive_peer(p, &kinetic, &of_wrist, 6).position - ends.position);
    if (p->has_stiction) return error / degree;
    const chain sticky = with_level(p, wrist, wrist.static_torque);
    return fmin(error, fabs(drive_peer(p, &sticky, &of_wrist, 6).position - ends.position)) /
           degree;
}

void measure_wrist(const peer *p) {
    const chain c = with_level(p, wrist, wrist.coulomb_torque);
    const reference_motion hunt = drive_peer(p, &c, &with_integral, 60);
    const double tooth = period_of(&hunt);
    report("wrist", p, "stop angle, error", "deg", stop_error(p), NULL);
    report("wrist", p, "sawtooth period, error", "%", 100 * fabs(tooth / period_of(&hunts) - 1),
           isnan(hunt.position) ? "diverges"
           : isnan(tooth)       ? "no sawtooth"
                                : NULL);
}

/* ---- friction that changes with the load ---- */

/* What friction takes in the last of a few cycles of a torque that it holds, J. */
static double taken_in_cycle(const peer *p, double phase) {
    enum { CYCLES = 4 };
    const double torque = 0.25, mean = 2.5, swing = 1.25;
    chain c = wrist;
    c.static_torque = c.coulomb_torque = mean - swing;
    c.viscous = 0;
    c.is_loaded = true;
    void *made = p->create(&c);
    double q = 0, v = 0, taken = 0;
    const long of_cycle = lround(1 / c.timestep);
    for (long k = 0; k < CYCLES * of_cycle; k++) {
        const double time = (double)k * c.timestep, now = torque * sin(2 * pi * time);
        const double next = torque * sin(2 * pi * (time + c.timestep));
        p->set_level(made, mean + swing * sin(4 * pi * time + phase));
        const double from = q;
        p->step(made, &now);
        p->read(made, &q, &v);
        if (k >= (CYCLES - 1) * of_cycle) taken += (now + next) / 2 * (q - from);
    }
    p->destroy(made);
    return taken;
}

void measure_load(const peer *p) {
    double created = 0;
    for (int k = 0; k < 8 && p->set_level; k++)
        created = fmax(created, -taken_in_cycle(p, k * pi / 4));
    report("load", p, "energy created in a cycle", "J", created,
           p->set_level ? NULL : "friction without load");
}
