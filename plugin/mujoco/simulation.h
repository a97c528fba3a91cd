/* SPDX-License-Identifier: MIT
 * A project that runs on MuJoCo: controllers, friction, the step, and what to record of it. The
 * state of the world, friction included, is one mjData; controllers keep their own beside it.
 */
#ifndef STICTION_MUJOCO_SIMULATION_H
#define STICTION_MUJOCO_SIMULATION_H

#include "body_view.h"
#include "controllers.h"
#include "friction.h"
#include "pushes.h"
#include "results/results.h"
#include "world_cache.h"

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
    const char *targets;             /* for the controllers; NULL: none */
    const stiction_override *pushes; /* what the user says of them, see pushes/push.h */
    size_t push_count;
    stiction_log words; /* of controllers; NULL: not wanted */
    void *words_user;
    const char *const *overrides; /* what the user replaced, for the results */
    size_t override_count;
    double interval;     /* s between rows of joints.csv; 0: every step; NaN: none */
    world_cache *worlds; /* where it takes its world from, and returns it to; NULL: it makes one */
    bool (*is_stopped)(void); /* asked while files are read and friction is judged, which may take a
                                 while: true ends that with an error; NULL: nobody is asked */
} simulation_options;

simulation_options simulation_options_default(void);

typedef struct simulation simulation;

/* NULL: see *error. A simulation is used by one thread at a time, others by others. */
simulation *simulation_create(const char *project_path, const simulation_options *options,
                              stiction_error *error);
void simulation_destroy(simulation *s);

/* What a simulation is made of, each part of the world and of options of its own. */
typedef enum simulation_part {
    SIMULATION_WORLD,
    SIMULATION_CONTROLLERS,
    SIMULATION_PUSHES,
    SIMULATION_FRICTION,
    SIMULATION_PART_COUNT
} simulation_part;

/*
 * Whether a part could be made. Where each part of some options can, and a simulation of one of
 * them with the same world and source of friction can be created, so can all combinations of the
 * parts, unless `depends` says that the coupling of this friction depends on the controllers.
 */
stiction_status simulation_check(const char *project_path, const simulation_options *options,
                                 simulation_part part, bool *depends, stiction_error *error);

/* Back to the start, with nothing recorded. */
stiction_status simulation_reset(simulation *s, stiction_error *error);

const world *simulation_world(const simulation *s);
const friction *simulation_friction(const simulation *s);
const controllers *simulation_controllers(const simulation *s);
/* The state; a copy of it (mj_copyData) and back is a jump in time, but for the controllers. */
mjData *simulation_data(simulation *s);

/* Makes positions and velocities known to what is asked of a body (body_view.h). */
stiction_status simulation_look(simulation *s, stiction_error *error);

/* The contacts of the last step, see body_view_contacts; those of no step are none. */
size_t simulation_contacts(simulation *s, size_t body, stiction_controller_contact *contacts,
                           stiction_error *error);

/* What the controllers commanded in the last step, an entry a joint of the world. */
const double *simulation_command(const simulation *s);

double simulation_time(const simulation *s);

/* Where the user wants the joints, for controllers: an entry a joint, NaN: nobody says. */
void simulation_set_targets(simulation *s, const double *target);

/* One step with these torques in place of the controllers', an entry a joint; NULL: theirs. As
 * simulation_run otherwise. */
stiction_status simulation_step(simulation *s, const double *torque, stiction_error *error);

/*
 * Puts values in place of those of the configuration, by name as stiction_override, beside those of
 * the options; the last one of a name counts. Unless OK, all is as it was.
 */
stiction_status simulation_override(simulation *s, const char *name, const char *value,
                                    stiction_error *error);

/* The state of world and friction in a buffer of so many bytes, and back; controllers are told of a
 * jump, and a new record begins. */
size_t simulation_state_size(const simulation *s);
void simulation_save(const simulation *s, void *buffer);
stiction_status simulation_restore(simulation *s, const void *buffer, size_t size,
                                   stiction_error *error);
/* The state was changed from outside, through simulation_data: friction forgets. */
void simulation_moved(simulation *s);

/*
 * Steps until simulated time `until`, and records each step. Unless OK, the simulation cannot go on
 * (it diverged, a controller failed, or MuJoCo gave up); what was recorded stays.
 */
stiction_status simulation_run(simulation *s, double until, stiction_error *error);
/* Whether all controllers have said that they are done: no further step is made. */
bool simulation_finished(const simulation *s);

/* What was recorded so far. */
const results *simulation_record(const simulation *s);

/* What was recorded, to be written; `complete` tells whether it is all that was asked for. */
results *simulation_results(simulation *s, bool complete);

STICTION_END_C

#endif
