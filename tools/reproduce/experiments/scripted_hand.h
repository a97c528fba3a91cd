/* SPDX-License-Identifier: MIT
 * A hand that pulls a handle through a spring along a script of strokes, for the renderings of
 * Kikuuwe et al. 2006, section V: the experimenter of the paper, who cannot be repeated. The handle
 * is whatever the experiment makes of the hand's force.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_SCRIPTED_HAND_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_SCRIPTED_HAND_H

#include "../experiment.h"

/* A straight line, then perhaps an arc to the left of it, then a rest. */
typedef struct hand_stroke {
    double from[2], to[2]; /* m, of the line */
    double radius, turn;   /* m, rad, of the arc; 0: none */
    double speed;          /* m/s, but for a ramp at either end */
    double rest;           /* s */
    double tremor;         /* N, of a fluctuating force during the rest */
} hand_stroke;

typedef struct scripted_hand {
    const hand_stroke *strokes;
    size_t count;
    double stiffness, damping; /* N/m, N s/m, of the spring to the handle */
    double ramp;               /* s */
    double tremor_period;      /* s */
} scripted_hand;

/* The hand of the parameters "hand stiffness", "hand damping", "ramp" and "tremor period". */
scripted_hand scripted_hand_of(const experiment *self, const hand_stroke *strokes, size_t count);

typedef enum hand_phase { HAND_ON_LINE, HAND_ON_ARC, HAND_AT_REST } hand_phase;

/* One step of a rendering, from its end. */
typedef struct hand_sample {
    double time;
    double position[2], velocity[2]; /* of the handle */
    double force[2];                 /* N: the one that the paper draws */
    size_t stroke;
    hand_phase phase; /* of the hand */
    double progress;  /* through the phase, 0 to 1 */
} hand_sample;

/* The handle: moves its velocity by one step under the hand's force and returns the force to draw.
 */
typedef bool (*hand_handle)(void *handle, const double hand_force[2], double velocity[2],
                            double drawn[2]);

typedef struct hand_record {
    hand_sample *samples;
    size_t count;
} hand_record;

/* The whole script at time step T. Release it, also without samples, where the handle cannot step. */
hand_record hand_play(const scripted_hand *hand, double T, hand_handle step, void *handle);
void hand_record_release(hand_record *record);

/* ---- what to see of it ---- */

/* The trajectory with force vectors (metre_per_newton long, < 0: reversed) at every `interval`, Fig
 * 16 and 19; the points where a stroke begins or ends; coordinates and force over time, Fig 17
 * and 20. */
void hand_draw(const hand_record *record, experiment_run *out, double interval,
               double metre_per_newton, const char *force_label, const char *points_label,
               const char *magnitude_title);

/* Over a phase of a stroke from its middle to shortly before its end: without the transients. */
typedef struct hand_summary {
    double least_force, mean_force, largest_force; /* N */
    double mean_angle, largest_angle; /* deg, of the force to the velocity, > 0 to the left */
    double range;                     /* m, the handle's largest distance from its first place */
} hand_summary;
hand_summary hand_summarize(const hand_record *record, size_t stroke, hand_phase phase);

/* The most that the handle of a rest is away from where it was `period` ago, m. */
double hand_drift(const hand_record *record, size_t stroke, double period);

#endif
