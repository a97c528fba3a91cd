/*
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

static const key_domain any = {.minimum = -POSTURE_MOST, .maximum = POSTURE_MOST};
static const key_domain not_negative = {.minimum = 0, .maximum = POSTURE_MOST};
static const key_domain positive = {.minimum = 0, .maximum = POSTURE_MOST, .exclusive = true};
static const key_domain any_limit = {
    .minimum = -(double)INFINITY, .maximum = (double)INFINITY, .limit = true};
static const key_domain limit = {.minimum = 0, .maximum = (double)INFINITY, .limit = true};
static const key_domain positive_limit = {
    .minimum = 0, .maximum = (double)INFINITY, .exclusive = true, .limit = true};
static const key_domain optional = {
    .minimum = -POSTURE_MOST, .maximum = POSTURE_MOST, .optional = true};
static const key_domain share = {.minimum = 0, .maximum = STICTION_MOST_SHARE};

#define JOINT(field)  offsetof(posture_joint_def, field)
#define DEF(field)    offsetof(posture_def, field)
#define TARGET(field) offsetof(posture_joint_def, trajectory.field)

static const joint_key keys[] = {
    {{"kp", "s^-2", "gain of (50); N m/rad in mode pd"}, KEY_PLAIN, &not_negative, JOINT(kp)},
    {{"kv", "s^-1", "gain of (50); N m s/rad in mode pd"}, KEY_PLAIN, &not_negative, JOINT(kv)},
    {{"lambda", "s^-1", "gain of (51); 0: none"}, KEY_PLAIN, &not_negative, JOINT(lambda)},
    {{"weight", "1", "where limits cost acceleration"}, KEY_PLAIN, &positive, JOINT(weight)},
    {{"torque_limit", "N m", "largest torque"}, KEY_PLAIN, &limit, JOINT(torque_limit)},
    {{"velocity_limit", "deg/s", ""}, KEY_ANGLE, &positive_limit, JOINT(velocity_limit)},
    {{"lower_limit", "deg", "of the range"}, KEY_ANGLE, &any_limit, JOINT(lower_limit)},
    {{"upper_limit", "deg", "of the range"}, KEY_ANGLE, &any_limit, JOINT(upper_limit)},
    {{"braking", "deg/s^2", "before an end of the range"}, KEY_ANGLE, &positive, JOINT(braking)},
    {{"target", "deg", "N m in mode torque"}, KEY_TARGET, &optional, TARGET(target)},
    {{"from", "deg", "before a step, ramp or smooth way"}, KEY_TARGET, &optional, TARGET(from)},
    {{"time", "s", "of a step, or when a ramp or sine begins"}, KEY_PLAIN, &any, TARGET(time)},
    {{"duration", "s", "of a ramp or smooth way"}, KEY_PLAIN, &not_negative, TARGET(duration)},
    {{"amplitude", "deg", "of a sine around the target"}, KEY_TARGET, &any, TARGET(amplitude)},
    {{"frequency", "Hz", "of a sine"}, KEY_PLAIN, &not_negative, TARGET(frequency)},
    {{"period", "s", "of the controller; 0: every step"},
     KEY_OF_CONTROLLER,
     &not_negative,
     DEF(period)},
    {{"leak", "s^-1", "of the integral of (51)"}, KEY_OF_CONTROLLER, &not_negative, DEF(leak)},
    {{"compensation_share", "1", "of the friction that is fed forward"},
     KEY_OF_CONTROLLER,
     &share,
     DEF(compensation_share)},
    {{"compensation_edge", "rad/s", "velocity below which the feed-forward fades"},
     KEY_OF_CONTROLLER,
     &positive,
     DEF(compensation_edge)},
    {{"compensation_lead", "s", "before a start from rest, it begins"},
     KEY_OF_CONTROLLER,
     &not_negative,
     DEF(compensation_lead)},
    {{"compensation_reach", "rad", "before a target that is set at once, it fades"},
     KEY_OF_CONTROLLER,
     &positive,
     DEF(compensation_reach)},
    {{"compensation_leak", "s^-1", "of the velocity of compensation: reference"},
     KEY_OF_CONTROLLER,
     &not_negative,
     DEF(compensation_leak)},
};

size_t joint_key_count(void) {
    return sizeof keys / sizeof keys[0];
}

const joint_key *joint_key_at(size_t index) {
    return &keys[index];
}

bool joint_key_accepts(const joint_key *key, double value, char sentence[POSTURE_SENTENCE]) {
    const key_domain *d = key->domain;
    if (d->optional && isnan(value)) return true;
    if (isnan(value) || (isinf(value) && !d->limit)) {
        (void)snprintf(sentence, POSTURE_SENTENCE, "%s %g is not finite", key->info.name, value);
        return false;
    }
    if (value > d->maximum) {
        (void)snprintf(sentence, POSTURE_SENTENCE, "%s %.15g must be at most %g", key->info.name,
                       value, d->maximum);
        return false;
    }
    if (d->exclusive ? value > d->minimum : value >= d->minimum) return true;
    (void)snprintf(sentence, POSTURE_SENTENCE, "%s %.15g must be %s %g", key->info.name, value,
                   d->exclusive ? "above" : "at least", d->minimum);
    return false;
}

static double key_value(const posture_joint_def *def, const joint_key *key) {
    double value;
    memcpy(&value, (const char *)def + key->offset, sizeof value);
    return value;
}

/* What is wrong with a trajectory as a whole. */
static const char *trajectory_problem(const posture_trajectory *t,
                                      char sentence[POSTURE_SENTENCE]) {
    if ((t->shape == POSTURE_RAMP || t->shape == POSTURE_SMOOTH) && !(t->duration > 0)) {
        (void)snprintf(sentence, POSTURE_SENTENCE, "a %s needs a duration above 0",
                       t->shape == POSTURE_RAMP ? "ramp" : "smooth way");
        return "duration";
    }
    if (t->shape == POSTURE_SINE && !(t->frequency > 0)) {
        (void)snprintf(sentence, POSTURE_SENTENCE, "a sine needs a frequency above 0");
        return "frequency";
    }
    if (t->shape != POSTURE_SAMPLES) return NULL;
    if (!t->samples || t->sample_count == 0) {
        (void)snprintf(sentence, POSTURE_SENTENCE, "shape samples has none");
        return "shape";
    }
    for (size_t k = 0; k < t->sample_count; k++) {
        const posture_sample *s = t->samples + k;
        if (isfinite(s->time) && isfinite(s->value) && (k == 0 || s->time > s[-1].time)) continue;
        (void)snprintf(sentence, POSTURE_SENTENCE,
                       "sample %zu (%g at %g s) is not finite or not behind the one before", k,
                       s->value, s->time);
        return "shape";
    }
    return NULL;
}

const char *joint_problem(const posture_joint_def *def, posture_mode mode,
                          char sentence[POSTURE_SENTENCE]) {
    for (size_t k = 0; k < joint_key_count(); k++)
        if (keys[k].kind != KEY_OF_CONTROLLER &&
            !joint_key_accepts(&keys[k], key_value(def, &keys[k]), sentence))
            return keys[k].info.name;
    if (def->upper_limit < def->lower_limit) {
        (void)snprintf(sentence, POSTURE_SENTENCE,
                       "upper_limit %.15g rad is below lower_limit %.15g rad", def->upper_limit,
                       def->lower_limit);
        return "upper_limit";
    }
    if (def->lambda > 0 && mode != POSTURE_QP) {
        (void)snprintf(sentence, POSTURE_SENTENCE,
                       "lambda %.15g: only mode qp has an integral term", def->lambda);
        return "lambda";
    }
    if ((unsigned)def->trajectory.shape > POSTURE_SAMPLES) {
        (void)snprintf(sentence, POSTURE_SENTENCE, "there is no shape %d",
                       (int)def->trajectory.shape);
        return "shape";
    }
    return trajectory_problem(&def->trajectory, sentence);
}
