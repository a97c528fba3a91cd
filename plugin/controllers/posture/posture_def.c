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
    return (posture_joint_def){.size = sizeof(posture_joint_def),
                               .kp = 20,
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
    return (posture_def){.size = sizeof(posture_def),
                         .mode = POSTURE_QP,
                         .compensation_share = 0.8,
                         .compensation_edge = 0.0015,
                         .compensation_lead = 0.02,
                         .compensation_reach = 0.02,
                         .compensation_leak = 1};
}

posture_input posture_input_default(void) {
    return (posture_input){.size = sizeof(posture_input)};
}

posture_output posture_output_default(void) {
    return (posture_output){.size = sizeof(posture_output)};
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

/* Numbers, words, files. */
static const posture_key keys[] = {
    {{"kp", "s^-2", "gain of (50); N m/rad in mode pd"},
     KEY_PLAIN,
     JOINT(kp),
     &domain_not_negative},
    {{"kv", "s^-1", "gain of (50); N m s/rad in mode pd"},
     KEY_PLAIN,
     JOINT(kv),
     &domain_not_negative},
    {{"lambda", "s^-1", "gain of (51); 0: none"}, KEY_PLAIN, JOINT(lambda), &domain_not_negative},
    {{"weight", "1", "where limits cost acceleration"}, KEY_PLAIN, JOINT(weight), &domain_positive},
    {{"torque_limit", "N m", "largest torque"}, KEY_PLAIN, JOINT(torque_limit), &limit},
    {{"velocity_limit", "deg/s", ""}, KEY_ANGLE, JOINT(velocity_limit), &positive_limit},
    {{"lower_limit", "deg", "of the range"}, KEY_ANGLE, JOINT(lower_limit), &any_limit},
    {{"upper_limit", "deg", "of the range"}, KEY_ANGLE, JOINT(upper_limit), &any_limit},
    {{"braking", "deg/s^2", "before an end of the range"},
     KEY_ANGLE,
     JOINT(braking),
     &domain_positive},
    {{"target", "deg", "N m in mode torque"}, KEY_TARGET, TARGET(target), &optional},
    {{"from", "deg", "before a step, ramp or smooth way"}, KEY_TARGET, TARGET(from), &optional},
    {{"time", "s", "of a step, or when a ramp or sine begins"},
     KEY_PLAIN,
     TARGET(time),
     &domain_any},
    {{"duration", "s", "of a ramp or smooth way"},
     KEY_PLAIN,
     TARGET(duration),
     &domain_not_negative},
    {{"amplitude", "deg", "of a sine around the target"},
     KEY_TARGET,
     TARGET(amplitude),
     &domain_any},
    {{"frequency", "Hz", "of a sine"}, KEY_PLAIN, TARGET(frequency), &domain_not_negative},
    {{"period", "s", "of the controller; 0: every step"},
     KEY_PLAIN,
     DEF(period),
     &domain_not_negative},
    {{"leak", "s^-1", "of the integral of (51)"}, KEY_PLAIN, DEF(leak), &domain_not_negative},
    {{"compensation_share", "1", "of the friction that is fed forward"},
     KEY_PLAIN,
     DEF(compensation_share),
     &share},
    {{"compensation_edge", "rad/s", "velocity below which the feed-forward fades"},
     KEY_PLAIN,
     DEF(compensation_edge),
     &domain_positive},
    {{"compensation_lead", "s", "before a start from rest, it begins"},
     KEY_PLAIN,
     DEF(compensation_lead),
     &domain_not_negative},
    {{"compensation_reach", "rad", "before a target that is set at once, it fades"},
     KEY_PLAIN,
     DEF(compensation_reach),
     &domain_positive},
    {{"compensation_leak", "s^-1", "of the velocity of compensation: reference"},
     KEY_PLAIN,
     DEF(compensation_leak),
     &domain_not_negative},
    {{"shape", "hold | step | ramp | sine | smooth", "of the way to the target"},
     KEY_WORD,
     TARGET(shape),
     NULL},
    {{"mode", "qp | pd | torque", "the controller"}, KEY_WORD, DEF(mode), NULL},
    {{"anti_windup", "false | true", "of the integral term"}, KEY_SWITCH, DEF(anti_windup), NULL},
    {{"when_infeasible", "relax | hold", "limits or torque"},
     KEY_SWITCH,
     DEF(hold_infeasible),
     NULL},
    {{"compensation", "none | desired | reference", "of friction"},
     KEY_WORD,
     DEF(compensation),
     NULL},
    {{"motion", "file", "CSV that moves the joints it names"}, KEY_FILE, DEF(motion), NULL},
    {{"friction", "file", "configuration of the friction to compensate"},
     KEY_FILE,
     DEF(friction),
     NULL},
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
                       "sample %zu (%g at %g s) is not finite or not behind the one before", k,
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
