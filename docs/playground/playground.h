/* SPDX-License-Identifier: MIT
 * One joint with friction for the page docs/playground: its parameters, its curves, and experiments
 * with it. The page calls this through WebAssembly; the test calls it natively too.
 */
#ifndef STICTION_PLAYGROUND_H
#define STICTION_PLAYGROUND_H

#include <stddef.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define PLAY EMSCRIPTEN_KEEPALIVE
#else
#define PLAY
#endif

/* ---- tables: NULL past the end ---- */

PLAY const char *play_law_name(int law);
PLAY int play_law_reads(int law, int parameter); /* 1: the law has this parameter */
PLAY const char *play_parameter_key(int parameter);
PLAY const char *play_parameter_symbol(int parameter);
PLAY const char *play_parameter_unit(int parameter);
PLAY const char *play_parameter_description(int parameter);
PLAY double play_parameter_fallback(int parameter); /* NaN: it must be given */

/* ---- the joint ---- */

PLAY void play_clear(int law);                   /* nothing is given but the law */
PLAY void play_set(int parameter, double value); /* NaN: not given */
PLAY double play_value(int parameter);           /* with fallbacks, as resolved */
PLAY const char *play_check(double timestep);    /* "": it can be stepped; else why not */
PLAY double play_descent(double timestep);       /* what K T + B must exceed */
PLAY double play_least_inertia(double timestep); /* explicit coupling is stable above it */
PLAY const char *play_write(double timestep);    /* as a configuration file */
PLAY const char *play_read(const char *yaml); /* "": the joint is the file's first; else why not */
PLAY int play_read_law(void);                 /* of the file that was read last */
PLAY double play_read_timestep(void);         /* 0: it has none */

/* ---- curves ---- */

/* y[k] of x[k]: Phi over velocity, or Phi_Z over v* where timestep > 0; with this torque of the
 * motor. 0: the joint is not legal. */
PLAY int play_curve(double timestep, double motor_torque, int count, const double *x, double *y);

/* ---- experiments ---- */

typedef enum play_experiment {
    PLAY_WRIST,  /* an inertia under the compliant controller of HRP-5P's wrist */
    PLAY_SPRING, /* an inertia that a spring draws at constant speed */
    PLAY_HOLD,   /* a load put on within the first tenth; beside it friction as tanh(v/v_0) */
    PLAY_RAMP    /* a load that rises steadily */
} play_experiment;

/* Settings of play_run, in this order. */
enum {
    PLAY_INERTIA,  /* kg m^2 */
    PLAY_TIMESTEP, /* s */
    PLAY_IMPLICIT, /* 1: implicit coupling */
    PLAY_DURATION, /* s */
    PLAY_KP,       /* wrist: s^-2 */
    PLAY_KV,       /* wrist: s^-1 */
    PLAY_LAMBDA,   /* wrist: s^-1 */
    PLAY_TARGET,   /* wrist: deg */
    PLAY_PULL,     /* spring: N m/rad */
    PLAY_SPEED,    /* spring: rad/s */
    PLAY_LOAD,     /* hold: N m */
    PLAY_SOFTNESS, /* hold: v_0 of tanh(v/v_0), rad/s */
    PLAY_RATE,     /* ramp: N m/s */
    PLAY_SETTINGS
};

/* What a run computes, one column each; `other` is the wrist's target, the spring's far end, the
 * position under tanh, or the load. */
enum {
    PLAY_TIME,
    PLAY_POSITION,
    PLAY_VELOCITY,
    PLAY_FRICTION,
    PLAY_DRIVE,
    PLAY_OTHER,
    PLAY_COLUMNS
};
enum { PLAY_ROWS = 4000 };

/* The figures of a run; NaN: there is none. */
enum {
    PLAY_STOP_POSITION, /* rad, where the joint came to rest for good */
    PLAY_STOP_TIME,     /* s */
    PLAY_BREAKAWAYS,    /* after the first stop, or from the start in a ramp, hold or spring */
    PLAY_PERIOD,        /* s, mean time between break-aways */
    PLAY_PEAK,          /* N m, the largest torque against friction at a break-away */
    PLAY_CREEP,         /* rad/s, mean over the second half, where it is below 1e-3 */
    PLAY_OTHER_CREEP,   /* rad/s, the same of tanh */
    PLAY_FIGURES
};

/* Runs; returns the number of rows, each PLAY_COLUMNS long, or 0 where the joint is not legal. */
PLAY int play_run(play_experiment experiment, const double *settings, double *rows,
                  double *figures);

#endif
