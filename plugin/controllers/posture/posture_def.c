/* SPDX-License-Identifier: MIT
 * Definitions of the posture controller: defaults, the table of keys, and what is wrong with them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posture_internal.h"
#include "stiction/compensate.h"

posture_joint_def posture_joint_def_default(void) {
    const double none = (double)INFINITY;
    return (posture_joint_def){.kp = 20,
                               .kv = 2,
                               .lambda = 0,
                               .weight = 1,
                               .torque_limit = none,
                               .velocity_limit = none,
                               .lower_limit = -none,
                               .upper_limit = none,
                               .braking = 10,
                               .trajectory = posture_trajectory_default()};
}

posture_def posture_def_default(void) {
    return (posture_def){.mode = POSTURE_QP,
                         .compensation_share = 0.8,
                         .compensation_edge = 0.0015,
                         .compensation_lead = 0.02,
                         .compensation_reach = 0.02,
                         .compensation_leak = 1};
}

/* Keys. */

const key_domain domain_any = {.minimum = -POSTURE_MOST, .maximum = POSTURE_MOST};
const key_domain domain_not_negative = {.minimum = 0, .maximum = POSTURE_MOST};
const key_domain domain_positive = {.minimum = 0, .maximum = POSTURE_MOST, .exclusive = true};
static const key_domain any_limit = {
    .minimum = -(double)INFINITY, .maximum = (double)INFINITY, .limit = true};
static const key_domain limit = {.minimum = 0, .maximum = (double)INFINITY, .limit = true};
static const key_domain positive_limit = {
    .minimum = 0, .maximum = (double)INFINITY, .exclusive = true, .limit = true};
static const key_domain optional = {
    .minimum = -POSTURE_MOST, .maximum = POSTURE_MOST, .optional = true};
static const key_domain share = {.minimum = 0, .maximum = STICTION_MOST_SHARE};

#define JOINT(field)  false, offsetof(posture_joint_def, field)
#define TARGET(field) false, offsetof(posture_joint_def, trajectory.field)
#define DEF(field)    true, offsetof(posture_def, field)

#define KEY(name, unit, kind, field, domain, description)                                          \
    { {name, unit, description}, kind, field, domain }

static const posture_key keys[] = {
    KEY("kp", "s^-2", KEY_PLAIN, JOINT(kp), &domain_not_negative,
        "gain of (50); N m/rad in mode pd"),
    KEY("kv", "s^-1", KEY_PLAIN, JOINT(kv), &domain_not_negative,
        "gain of (50); N m s/rad in mode pd"),
    KEY("lambda", "s^-1", KEY_PLAIN, JOINT(lambda), &domain_not_negative, "gain of (51); 0: none"),
    KEY("weight", "1", KEY_PLAIN, JOINT(weight), &domain_positive,
        "where limits cost acceleration"),
    KEY("torque_limit", "N m", KEY_PLAIN, JOINT(torque_limit), &limit, "largest torque"),
    KEY("velocity_limit", "deg/s", KEY_ANGLE, JOINT(velocity_limit), &positive_limit, ""),
    KEY("lower_limit", "deg", KEY_ANGLE, JOINT(lower_limit), &any_limit, "of the range"),
    KEY("upper_limit", "deg", KEY_ANGLE, JOINT(upper_limit), &any_limit, "of the range"),
    KEY("braking", "deg/s^2", KEY_ANGLE, JOINT(braking), &domain_positive,
        "before an end of the range"),
    KEY("target", "deg", KEY_TARGET, TARGET(target), &optional, "N m in mode torque"),
    KEY("from", "deg", KEY_TARGET, TARGET(from), &optional, "before a step, ramp or smooth way"),
    KEY("time", "s", KEY_PLAIN, TARGET(time), &domain_any,
        "of a step, or when a ramp or sine begins"),
    KEY("duration", "s", KEY_PLAIN, TARGET(duration), &domain_not_negative,
        "of a ramp or smooth way"),
    KEY("amplitude", "deg", KEY_TARGET, TARGET(amplitude), &domain_any,
        "of a sine around the target"),
    KEY("frequency", "Hz", KEY_PLAIN, TARGET(frequency), &domain_not_negative, "of a sine"),
    KEY("period", "s", KEY_PLAIN, DEF(period), &domain_not_negative,
        "of the controller; 0: every step"),
    KEY("leak", "s^-1", KEY_PLAIN, DEF(leak), &domain_not_negative, "of the integral of (51)"),
    KEY("compensation_share", "1", KEY_PLAIN, DEF(compensation_share), &share,
        "of the friction that is fed forward"),
    KEY("compensation_edge", "rad/s", KEY_PLAIN, DEF(compensation_edge), &domain_positive,
        "velocity below which the feed-forward fades"),
    KEY("compensation_lead", "s", KEY_PLAIN, DEF(compensation_lead), &domain_not_negative,
        "before a start from rest, it begins"),
    KEY("compensation_reach", "rad", KEY_PLAIN, DEF(compensation_reach), &domain_positive,
        "before a target that is set at once, it fades"),
    KEY("compensation_leak", "s^-1", KEY_PLAIN, DEF(compensation_leak), &domain_not_negative,
        "of the velocity of compensation: reference"),
    KEY("shape", "hold | step | ramp | sine | smooth", KEY_WORD, TARGET(shape), NULL,
        "of the way to the target"),
    KEY("mode", "qp | pd | torque", KEY_WORD, DEF(mode), NULL, "the controller"),
    KEY("anti_windup", "false | true", KEY_SWITCH, DEF(anti_windup), NULL, "of the integral term"),
    KEY("when_infeasible", "relax | hold", KEY_SWITCH, DEF(hold_infeasible), NULL,
        "limits or torque"),
    KEY("compensation", "none | desired | reference", KEY_WORD, DEF(compensation), NULL,
        "of friction"),
    KEY("motion", "file", KEY_FILE, DEF(motion), NULL, "CSV that moves the joints it names"),
    KEY("friction", "file", KEY_FILE, DEF(friction), NULL,
        "configuration of the friction to compensate"),
};

const posture_key *posture_key_at(size_t index) {
    return index < sizeof keys / sizeof keys[0] ? &keys[index] : NULL;
}

bool posture_config_key_at(size_t index, posture_key_info *info) {
    const posture_key *key = posture_key_at(index);
    if (key) *info = key->info;
    return key;
}

bool posture_key_accepts(const posture_key *key, double value, char message[POSTURE_MESSAGE]) {
    const key_domain *d = key->domain;
    if (d->optional && isnan(value)) return true;
    if (isnan(value) || (isinf(value) && !d->limit)) {
        (void)snprintf(message, POSTURE_MESSAGE, "%s %g is not finite", key->info.name, value);
        return false;
    }
    if (value > d->maximum) {
        (void)snprintf(message, POSTURE_MESSAGE, "%s %.15g must be at most %g", key->info.name,
                       value, d->maximum);
        return false;
    }
    if (d->exclusive ? value > d->minimum : value >= d->minimum) return true;
    (void)snprintf(message, POSTURE_MESSAGE, "%s %.15g must be %s %g", key->info.name, value,
                   d->exclusive ? "above" : "at least", d->minimum);
    return false;
}

static double key_value(const posture_joint_def *def, const posture_key *key) {
    double value;
    memcpy(&value, (const char *)def + key->offset, sizeof value);
    return value;
}

/* What is wrong with a trajectory as a whole. */
static const char *trajectory_problem(const posture_trajectory *t, char message[POSTURE_MESSAGE]) {
    if ((t->shape == POSTURE_RAMP || t->shape == POSTURE_SMOOTH) && !(t->duration > 0)) {
        (void)snprintf(message, POSTURE_MESSAGE, "a %s needs a duration above 0",
                       t->shape == POSTURE_RAMP ? "ramp" : "smooth way");
        return "duration";
    }
    if (t->shape == POSTURE_SINE && !(t->frequency > 0)) {
        (void)snprintf(message, POSTURE_MESSAGE, "a sine needs a frequency above 0");
        return "frequency";
    }
    if (t->shape != POSTURE_SAMPLES) return NULL;
    if (!t->samples || t->sample_count == 0) {
        (void)snprintf(message, POSTURE_MESSAGE, "shape samples has none");
        return "shape";
    }
    for (size_t k = 0; k < t->sample_count; k++) {
        const posture_sample *s = t->samples + k;
        if (isfinite(s->time) && isfinite(s->value) && (k == 0 || s->time > s[-1].time)) continue;
        (void)snprintf(message, POSTURE_MESSAGE,
                       "sample %zu (%g at %g s) is not finite or not after the one before", k,
                       s->value, s->time);
        return "shape";
    }
    return NULL;
}

const char *joint_problem(const posture_joint_def *def, posture_mode mode,
                          char message[POSTURE_MESSAGE]) {
    for (const posture_key *key = keys; key < keys + sizeof keys / sizeof keys[0]; key++)
        if (key->domain && !key->of_controller &&
            !posture_key_accepts(key, key_value(def, key), message))
            return key->info.name;
    if (def->upper_limit < def->lower_limit) {
        (void)snprintf(message, POSTURE_MESSAGE,
                       "upper_limit %.15g rad is below lower_limit %.15g rad", def->upper_limit,
                       def->lower_limit);
        return "upper_limit";
    }
    if (def->lambda > 0 && mode != POSTURE_QP) {
        (void)snprintf(message, POSTURE_MESSAGE, "lambda %.15g: only mode qp has an integral term",
                       def->lambda);
        return "lambda";
    }
    if ((unsigned)def->trajectory.shape > POSTURE_SAMPLES) {
        (void)snprintf(message, POSTURE_MESSAGE, "there is no shape %d",
                       (int)def->trajectory.shape);
        return "shape";
    }
    return trajectory_problem(&def->trajectory, message);
}
