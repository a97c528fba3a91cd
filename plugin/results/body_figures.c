/* SPDX-License-Identifier: MIT
 * The table of a body's figures.
 */
#include "body_figures.h"

#include <math.h>
#include <string.h>

#include "body_record.h"

/* A centre of mass that turns around by more than this hunts, m. */
static const double reversal = 1e-4;

static double root_of(const squares *s) {
    return s->count ? sqrt(s->sum / (double)s->count) : (double)NAN;
}

/* The last third of a run, when what was asked is over. */
static com_window last_third(const body_record *r) {
    return com_series_window(&r->series, r->end_time * (2.0 / 3));
}

static int widest(const com_window *w) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (w->high[k] - w->low[k] > w->high[axis] - w->low[axis]) axis = k;
    return axis;
}

static double mass(const body_record *r) {
    return r->mass;
}
static double com_x(const body_record *r) {
    return r->samples ? r->end[0] : (double)NAN;
}
static double com_y(const body_record *r) {
    return r->samples ? r->end[1] : (double)NAN;
}
static double com_z(const body_record *r) {
    return r->samples ? r->end[2] : (double)NAN;
}
static double error_max_x(const body_record *r) {
    return r->error_max[0];
}
static double error_max_y(const body_record *r) {
    return r->error_max[1];
}
static double error_max_z(const body_record *r) {
    return r->error_max[2];
}
static double error_end_x(const body_record *r) {
    return r->error_end[0];
}
static double error_end_y(const body_record *r) {
    return r->error_end[1];
}
static double error_end_z(const body_record *r) {
    return r->error_end[2];
}
static double error_rms(const body_record *r) {
    return root_of(&r->error);
}

static double residual(const body_record *r) {
    if (!r->error.count) return (double)NAN;
    const com_window w = last_third(r);
    return sqrt(w.mean[0] * w.mean[0] + w.mean[1] * w.mean[1] + w.mean[2] * w.mean[2]);
}

static double hunting_of(const body_record *r) {
    const com_window w = last_third(r);
    const int axis = widest(&w);
    return w.count ? (w.high[axis] - w.low[axis]) / 2 : (double)NAN;
}

static double reversals(const body_record *r) {
    const com_window w = last_third(r);
    if (!w.count) return (double)NAN;
    return (double)com_series_reversals(&r->series, r->end_time * (2.0 / 3), widest(&w), reversal);
}

static double acceleration_error(const body_record *r) {
    return root_of(&r->acceleration);
}
static double cop_x(const body_record *r) {
    return r->cop_end[0];
}
static double cop_y(const body_record *r) {
    return r->cop_end[1];
}
static double cop_error_max(const body_record *r) {
    return r->cop_max;
}
static double cop_error_rms(const body_record *r) {
    return root_of(&r->cop);
}
static double slip(const body_record *r) {
    return r->knows_contacts ? r->slip : (double)NAN;
}
static double falls(const body_record *r) {
    return r->knows_contacts ? !isnan(r->fall_time) : (double)NAN;
}
static double fall_time(const body_record *r) {
    return r->fall_time;
}

/* x m kp/F: how far it went along the pull, in the last tenth of it, of how far a spring would. */
static double yield_ratio(const body_record *r) {
    double before[3], x = 0;
    const double *f = r->pull.force, size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    if (!r->pulled || !(size > 0) || r->end_time <= r->pull.time) return (double)NAN;
    if (!com_series_at(&r->series, fmax(r->pull.time - r->timestep / 2, 0), before))
        return (double)NAN;
    const com_window w =
        com_series_window(&r->series, r->end_time - 0.1 * (r->end_time - r->pull.time));
    for (int k = 0; k < 3; k++) x += (w.mean[k] - before[k]) * f[k] / size;
    return x * r->mass * r->kp / size;
}

#define ROW(name, title, head, unit, digits, interest, none, description)                          \
    {                                                                                              \
        name, NULL, title, head, unit, unit, digits, interest, FIGURE_NO_TOTAL, none, description, \
            NULL                                                                                   \
    }
static const struct {
    joint_figure figure;
    double (*value)(const body_record *r);
} figures[] = {
    {ROW("mass", "mass", NULL, "kg", 0, 0, NULL, "mass of the body"), mass},
    {ROW("com_x", "CoM x", NULL, "m", 0, 0, NULL, "centre of mass at the end"), com_x},
    {ROW("com_y", "CoM y", NULL, "m", 0, 0, NULL, "the same"), com_y},
    {ROW("com_z", "CoM z", NULL, "m", 0, 0, NULL, "the same"), com_z},
    {ROW("com_error_max_x", "CoM error x, largest", NULL, "m", 4, 0, NULL,
         "centre of mass minus its target, the largest value with its sign"),
     error_max_x},
    {ROW("com_error_max_y", "CoM error y, largest", NULL, "m", 4, 0, NULL, "the same"),
     error_max_y},
    {ROW("com_error_max_z", "CoM error z, largest", NULL, "m", 4, 0, NULL, "the same"),
     error_max_z},
    {ROW("com_error_end_x", "CoM error x, end", NULL, "m", 4, 0, NULL,
         "the same in the last sample"),
     error_end_x},
    {ROW("com_error_end_y", "CoM error y, end", NULL, "m", 4, 0, NULL, "the same"), error_end_y},
    {ROW("com_error_end_z", "CoM error z, end", NULL, "m", 4, 0, NULL, "the same"), error_end_z},
    {ROW("com_error_rms", "CoM error, rms", "CoM error", "m", 4, 1, NULL,
         "root mean square of the length of this error"),
     error_rms},
    {ROW("com_residual", "residual", "residual", "m", 4, 2, NULL,
         "length of the mean error in the last third of the run"),
     residual},
    {ROW("com_hunting", "hunting", "hunting", "m", 4, 3, NULL,
         "half the peak-to-peak motion of the centre of mass (of its error, if "
         "known) in the last third of the run, along the axis where it is largest"),
     hunting_of},
    {ROW("com_reversals", "reversals", NULL, "", 0, 0, NULL,
         "number of direction changes there by more than 0.1 mm"),
     reversals},
    {ROW("com_acceleration_error", "acceleration error", "acceleration error", "m/s^2", 4, 4, NULL,
         "root mean square of the acceleration of the centre of mass minus the one "
         "that the controller requested in the same step"),
     acceleration_error},
    {ROW("cop_x", "CoP x", NULL, "m", 0, 0, NULL, "centre of pressure at the end"), cop_x},
    {ROW("cop_y", "CoP y", NULL, "m", 0, 0, NULL, "the same"), cop_y},
    {ROW("cop_error_max", "CoP error, largest", NULL, "m", 4, 0, NULL,
         "largest distance from its target after the first 0.1 s"),
     cop_error_max},
    {ROW("cop_error_rms", "CoP error, rms", "CoP error", "m", 4, 5, NULL,
         "root mean square of this distance"),
     cop_error_rms},
    {ROW("sole_slip", "sole slip", "slip", "m", 4, 6, NULL,
         "largest horizontal motion of a link in contact since it touched down; 20 "
         "ms without contact count as lift-off"),
     slip},
    {ROW("falls", "falls", "falls", "", 0, 7, NULL,
         "1 if the base came below half of its initial height above the lowest "
         "contact or touched something, else 0"),
     falls},
    {ROW("fall_time", "falls at", NULL, "s", 4, 0, "stands", "time of the fall"), fall_time},
    {ROW("yield_ratio", "yield ratio", "yield", "", 4, 8, NULL,
         "x m kp/F of the first permanent pull, in the last tenth of the run: the "
         "motion of the centre of mass relative to that of the controller's spring; "
         "1 is compliant, 0 is stuck"),
     yield_ratio},
};
#undef ROW

const joint_figure *body_figure_at(size_t index) {
    return index < sizeof figures / sizeof figures[0] ? &figures[index].figure : NULL;
}

double body_record_value(const body_record *r, size_t figure) {
    return figures[figure].value(r);
}
