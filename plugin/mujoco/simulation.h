/*
 * A project that runs on MuJoCo: controllers, friction, the step, and what to record of it. The
 * state of the world, friction included, is one mjData; controllers keep their own beside it.
 */
#ifndef STICTION_MUJOCO_SIMULATION_H
#define STICTION_MUJOCO_SIMULATION_H

#include "controllers.h"
#include "friction.h"
#include "results/results.h"

STICTION_BEGIN_C

/* How to make it. Start from zeros and world_options_default(). */
typedef struct simulation_options {
    stiction_log log; /* for all parts; NULL: none */
    void *log_user;
    world_options world;
    friction_options friction;
    const char *const *controller; /* option strings that beat the project's */
    size_t controller_count;
    const char *const *specifications; /* of controllers instead of the project's */
    size_t specification_count;
    const char *targets; /* for the controllers; NULL: none */
    stiction_log words;  /* of controllers; NULL: not wanted */
    void *words_user;
    const char *const *overrides; /* what the user replaced, for the results */
    size_t override_count;
    double interval; /* s between rows of joints.csv; 0: every step */
} simulation_options;

simulation_options simulation_options_default(void);

typedef struct simulation simulation;

/* NULL: see *error. One thread at a time makes or runs simulations: MuJoCo's handlers are global.
 */
simulation *simulation_create(const char *project_path, const simulation_options *options,
                              stiction_error *error);
void simulation_destroy(simulation *s);

/* Back to the start, with nothing recorded. */
stiction_status simulation_reset(simulation *s, stiction_error *error);

const world *simulation_world(const simulation *s);
const friction *simulation_friction(const simulation *s);
const controllers *simulation_controllers(const simulation *s);
/* The state; a copy of it (mj_copyData) and back is a jump in time, but for the controllers. */
mjData *simulation_data(simulation *s);

/* What the controllers commanded in the last step, an entry a joint of the world. */
const double *simulation_command(const simulation *s);

double simulation_time(const simulation *s);

/*
 * Steps until simulated time `until`, and records each step. Unless OK, the simulation cannot go on
 * (it diverged, a controller failed, or MuJoCo gave up); what was recorded stays.
 */
stiction_status simulation_run(simulation *s, double until, stiction_error *error);
/* Whether all controllers have said that they are done: no further step is made. */
bool simulation_finished(const simulation *s);

/* What was recorded, to be written; `complete` tells whether it is all that was asked for. */
results *simulation_results(simulation *s, bool complete);

STICTION_END_C

#endif
