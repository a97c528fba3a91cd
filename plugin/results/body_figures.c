/*
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
    {ROW("mass", "mass", NULL, "kg", 0, 0, NULL, "The mass of the body"), mass},
    {ROW("com_x", "CoM x", NULL, "m", 0, 0, NULL, "The centre of mass at the end"), com_x},
    {ROW("com_y", "CoM y", NULL, "m", 0, 0, NULL, "The same"), com_y},
    {ROW("com_z", "CoM z", NULL, "m", 0, 0, NULL, "The same"), com_z},
    {ROW("com_error_max_x", "CoM error x, largest", NULL, "m", 4, 0, NULL,
         "Where the centre of mass was less where the controller wanted it, farthest off, with its "
         "sign"),
     error_max_x},
    {ROW("com_error_max_y", "CoM error y, largest", NULL, "m", 4, 0, NULL, "The same"),
     error_max_y},
    {ROW("com_error_max_z", "CoM error z, largest", NULL, "m", 4, 0, NULL, "The same"),
     error_max_z},
    {ROW("com_error_end_x", "CoM error x, end", NULL, "m", 4, 0, NULL,
         "The same in the last sample"),
     error_end_x},
    {ROW("com_error_end_y", "CoM error y, end", NULL, "m", 4, 0, NULL, "The same"), error_end_y},
    {ROW("com_error_end_z", "CoM error z, end", NULL, "m", 4, 0, NULL, "The same"), error_end_z},
    {ROW("com_error_rms", "CoM error, rms", "CoM error", "m", 4, 1, NULL,
         "Root mean square of its length over the run"),
     error_rms},
    {ROW("com_residual", "residual", "residual", "m", 4, 2, NULL,
         "Length of the mean error in the last third of the run"),
     residual},
    {ROW("com_hunting", "hunting", "hunting", "m", 4, 3, NULL,
         "Half of the way from the lowest to the highest position of the centre of mass (its "
         "error, "
         "where the controller tells it) in the last third of the run, along the axis where it is "
         "widest"),
     hunting_of},
    {ROW("com_reversals", "reversals", NULL, "", 0, 0, NULL,
         "How often it turned around by more than 0.1 mm there"),
     reversals},
    {ROW("com_acceleration_error", "acceleration error", "acceleration error", "m/s^2", 4, 4, NULL,
         "Root mean square of the centre of mass's real acceleration less what the controller "
         "asked "
         "for in the same step"),
     acceleration_error},
    {ROW("cop_x", "CoP x", NULL, "m", 0, 0, NULL, "Where the floor carries it at the end"), cop_x},
    {ROW("cop_y", "CoP y", NULL, "m", 0, 0, NULL, "The same"), cop_y},
    {ROW("cop_error_max", "CoP error, largest", NULL, "m", 4, 0, NULL,
         "How far that was from where the controller wanted it, behind the first 0.1 s"),
     cop_error_max},
    {ROW("cop_error_rms", "CoP error, rms", "CoP error", "m", 4, 5, NULL,
         "Root mean square of the same"),
     cop_error_rms},
    {ROW("sole_slip", "sole slip", "slip", "m", 4, 6, NULL,
         "The farthest that the frame of a link that touches something went sideways since it "
         "touched down; one that touched nothing for 20 ms is off the floor"),
     slip},
    {ROW("falls", "falls", "falls", "", 0, 7, NULL,
         "1 where its base came below half of its height at the start above the lowest point that "
         "it touched, or the base itself touched something; else 0"),
     falls},
    {ROW("fall_time", "falls at", NULL, "s", 4, 0, "stands", "When it did"), fall_time},
    {ROW("yield_ratio", "yield ratio", "yield", "", 4, 8, NULL,
         "x m kp/F of the first pull without end: how far the centre of mass went along it, in the "
         "last tenth, of how far the spring of the controller would let it: 1 is compliant, 0 is "
         "stuck. kp is that of the push, or the controller's note com_kp"),
     yield_ratio},
};
#undef ROW

const joint_figure *body_figure_at(size_t index) {
    return index < sizeof figures / sizeof figures[0] ? &figures[index].figure : NULL;
}

double body_record_value(const body_record *r, size_t figure) {
    return figures[figure].value(r);
}
