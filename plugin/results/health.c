/* SPDX-License-Identifier: MIT
 * The bounds of a run that can be believed, and what to do about one that cannot.
 */
#include "health.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results_internal.h"

/* Energy from nothing, as a share of the energy that moved. Euler's rule is of first order; what is
 * below results_def.least_energy does not count, however large its share. */
static const double most_created = 0.1;
/* Faster than any joint of a robot: rad/s, m/s. */
static const double fastest_turning = 200, fastest_sliding = 50;
/* Of the steps. */
static const double most_unconverged = 0.01, most_saturated = 0.5;
static const double most_sunk = 0.01; /* m */

/* ---- energy ---- */

typedef struct joint_work {
    double against_friction, driven, moved; /* J */
} joint_work;

static joint_work sum_work(const results *r) {
    joint_work sum = {0};
    for (size_t k = 0; k < r->def.count; k++) {
        const friction_work *w = joint_records_friction(r->records, k);
        sum.against_friction += w->work;
        sum.driven += w->driven;
        sum.moved += w->moved;
    }
    return sum;
}

void results_add_energy(results *r, const energy_sample *e) {
    energy_account *a = &r->energy;
    const double stored = e->kinetic + e->potential;
    a->last = stored;
    a->pushed = e->pushed;
    a->largest_kinetic = fmax(a->largest_kinetic, e->kinetic);
    const joint_work work = sum_work(r);
    /* what joints and pushes have taken so far; 0 at the start */
    const double taken = work.against_friction - work.driven - e->pushed;
    if (!a->known) a->first = stored + taken;
    a->known = true;
    const double created = stored - a->first + taken;
    if (!(created > a->created)) return;
    a->created = created;
    a->time = r->last_time;
    a->moved = work.moved + fabs(e->pushed) + a->largest_kinetic;
    a->constrained = e->constrained;
}

static bool creates_energy(const results *r) {
    const energy_account *a = &r->energy;
    return a->created > r->def.least_energy && a->created > most_created * a->moved;
}

static bool warn_of_energy(results *r) {
    if (!creates_energy(r)) return true;
    const energy_account *a = &r->energy;
    const bool by_constraints = a->constrained > 0.5 * a->created;
    char message[500];
    (void)snprintf(
        message, sizeof message,
        "the robot gained %.3g J from nothing in the first %.3g s, %.0f %% of the energy "
        "that moved: %s",
        a->created, a->time, 100 * a->created / a->moved,
        by_constraints ? "contacts or joint limits push it; check that nothing overlaps at the "
                         "start, or take a smaller time step"
                       : "the time step is too long for this motion; take a smaller one");
    return results_warn(r, message);
}

/* ---- speed ---- */

static bool is_too_fast(const results *r, size_t joint) {
    return r->top_speeds[joint] > (r->def.prismatic[joint] ? fastest_sliding : fastest_turning);
}

static bool warn_of_speed(results *r) {
    for (size_t k = 0; k < r->def.count; k++) {
        if (!is_too_fast(r, k)) continue;
        char message[400];
        (void)snprintf(message, sizeof message,
                       "joint '%.200s' reached %.3g %s, which no joint of a robot does: look at "
                       "its limits, its controller and its contacts",
                       r->def.names[k], r->top_speeds[k], r->def.prismatic[k] ? "m/s" : "rad/s");
        return results_warn(r, message);
    }
    return true;
}

/* ---- torque ---- */

static bool is_saturated(const results *r, size_t joint) {
    return (double)r->saturated[joint] > most_saturated * (double)r->samples;
}

static bool warn_of_saturation(results *r) {
    for (size_t k = 0; k < r->def.count; k++) {
        if (!is_saturated(r, k)) continue;
        char message[400];
        (void)snprintf(
            message, sizeof message,
            "joint '%.200s' is at its torque limit of %g %s in %.0f %% of the steps: its "
            "controller asks for more than the joint can give",
            r->def.names[k], r->def.torque_limits[k], r->def.prismatic[k] ? "N" : "N m",
            100 * (double)r->saturated[k] / (double)r->samples);
        return results_warn(r, message);
    }
    return true;
}

/* ---- where friction was identified ---- */

/* One warning for each quantity, about the first joint that leaves its range. */
static bool warn_of_range(results *r, valid_quantity quantity) {
    for (size_t k = 0; k < r->def.count; k++) {
        const double low = r->def.valid[k].low[quantity], high = r->def.valid[k].high[quantity];
        const double least = quantity == VALID_TEMPERATURE ? r->coldest[k] : low;
        const double most = quantity == VALID_SPEED  ? r->top_speeds[k]
                            : quantity == VALID_LOAD ? r->top_loads[k]
                                                     : r->warmest[k];
        if (!(least < low || most > high)) continue;
        char message[400];
        (void)snprintf(message, sizeof message,
                       "the %s of joint '%.200s' reached %.4g %s, and its friction was identified "
                       "from %.4g to %.4g (valid): it is extrapolated",
                       stiction_valid_key(quantity), r->def.names[k], most > high ? most : least,
                       stiction_valid_unit(quantity, r->def.prismatic[k]), low, high);
        if (!results_warn(r, message)) return false;
        break;
    }
    return true;
}

static bool warn_of_ranges(results *r) {
    return !r->def.valid || (warn_of_range(r, VALID_SPEED) && warn_of_range(r, VALID_LOAD) &&
                             warn_of_range(r, VALID_TEMPERATURE));
}

/* ---- sinking ---- */

/* A robot that stands on something has its centre of mass above it. */
static bool has_sunk(const recorded_body *b) {
    return body_record_sunk(b->record) > most_sunk;
}

static bool warn_of_sinking(results *r) {
    for (size_t k = 0; k < r->def.body_count; k++) {
        const recorded_body *b = &r->bodies[k];
        if (!has_sunk(b)) continue;
        char message[600];
        (void)snprintf(message, sizeof message,
                       "the centre of mass of '%.200s' ended %.3g m below all that it touches: it "
                       "sank through the floor with links that have no shape that touches",
                       b->name, body_record_sunk(b->record));
        if (!results_warn(r, message)) return false;
    }
    return true;
}

/* ---- convergence ---- */

static bool is_unconverged(const results *r) {
    return (double)r->unconverged > most_unconverged * (double)r->samples;
}

static bool warn_of_convergence(results *r) {
    if (!r->unconverged) return true;
    char message[700];
    (void)snprintf(message, sizeof message,
                   "implicit friction did not converge in %" PRIu64 " of %zu steps%s: its level is "
                   "that of the last iterate there",
                   r->unconverged, r->samples, r->unconverged_where);
    return results_warn(r, message);
}

/* ---- friction ---- */

/* One warning for all joints with the same verdict, which names the first. */
static bool warn_of_verdict(results *r, friction_verdict verdict, const char *what) {
    size_t count = 0, first = 0;
    for (size_t k = r->def.count; k-- > 0;)
        if (friction_work_verdict(joint_records_friction(r->records, k)) == verdict) {
            first = k;
            count++;
        }
    if (!count) return true;
    char more[40] = "", message[700];
    if (count > 1) (void)snprintf(more, sizeof more, " and of %zu more", count - 1);
    /* implicit friction follows a motion whose cause is something else */
    const char *why =
        strcmp(r->def.coupling, "implicit") == 0
            ? "the robot is not stable at this time step, because of its controller's gains or "
              "its contacts, and neither motion nor heat can be trusted; take a smaller time step "
              "or lower gains"
            : "it is not stable at this time step, and neither motion nor heat can be trusted; "
              "take a smaller time step, or what `stiction check CONFIG --body ROBOT` says would "
              "hold";
    (void)snprintf(message, sizeof message, "the friction of joint '%.200s'%s %s: %s",
                   r->def.names[first], more, what, why);
    return results_warn(r, message);
}

/* ---- all of it ---- */

void health_add(results *r, const results_sample *s) {
    for (size_t k = 0; k < r->def.count; k++)
        r->top_speeds[k] = fmax(r->top_speeds[k], fabs(s->velocity[k]));
    for (size_t k = 0; k < r->def.count; k++) {
        const double warmth = sample_known(s->friction.temperature, k);
        r->top_loads[k] = fmax(r->top_loads[k], fabs(sample_entry(s->command, k)));
        r->coldest[k] = fmin(r->coldest[k], warmth), r->warmest[k] = fmax(r->warmest[k], warmth);
    }
    for (size_t k = 0; k < r->def.count && r->def.torque_limits && s->command; k++)
        r->saturated[k] +=
            r->def.torque_limits[k] > 0 && fabs(s->command[k]) >= 0.999 * r->def.torque_limits[k];
}

bool health_is_stable(const results *r) {
    for (size_t k = 0; k < r->def.count; k++)
        if (is_too_fast(r, k) || is_saturated(r, k) ||
            friction_work_verdict(joint_records_friction(r->records, k)) != FRICTION_STABLE)
            return false;
    for (size_t k = 0; k < r->def.body_count; k++)
        if (has_sunk(&r->bodies[k])) return false;
    return !r->doubtful && !creates_energy(r) && !is_unconverged(r);
}

bool health_warn(results *r) {
    return warn_of_verdict(r, FRICTION_CHATTERS, "changes its sign from step to step") &&
           warn_of_verdict(r, FRICTION_GIVES_ENERGY, "gives energy instead of taking it") &&
           warn_of_energy(r) && warn_of_speed(r) && warn_of_saturation(r) && warn_of_ranges(r) &&
           warn_of_sinking(r) && warn_of_convergence(r);
}
