/*
 * The controllers of a project on the embedded engine: StictionPostureController for each body that
 * has one, with the engine's own mass matrix and bias. Another module is an error, since it would
 * change the result.
 */
#ifndef STICTION_MUJOCO_CONTROLLERS_H
#define STICTION_MUJOCO_CONTROLLERS_H

#include "controllers/posture/posture_config.h"
#include "world.h"

STICTION_BEGIN_C

typedef struct controllers controllers;

/* `extra` are option strings that beat those of the project, for all its controllers. */
controllers *controllers_create(const world *w, const char *const *extra, size_t extra_count,
                                stiction_error *error);
void controllers_destroy(controllers *c);
/* Back to before the first step. */
void controllers_reset(controllers *c);

/*
 * The torques of one control step, and where the joints should be (NaN: nobody says), an entry a
 * joint of the world; 0 where no controller is. `data` has its positions and velocities computed
 * (mj_step1).
 */
void controllers_step(controllers *c, const mjData *data, double time, double *command,
                      double *target);

/*
 * The gains of a body's controller where `data` is, as posture_gains, an entry a pair of the body's
 * joints; *period: how long it holds a torque, s. False, and nothing written: it has none.
 */
bool controllers_gains(controllers *c, const mjData *data, size_t body, double *stiffness,
                       double *damping, double *period);

/* One of them, for a report. */
typedef struct controller_view {
    const char *name, *body, *mode;
    const char *options;                     /* the project's and the extra ones */
    uint64_t clamped, relaxed, held, faults; /* in how many steps */
    const char *blocking;                    /* a joint whose limit had to give way; NULL: none */
} controller_view;

size_t controllers_count(const controllers *c);
controller_view controllers_look(const controllers *c, size_t index);

STICTION_END_C

#endif
