/* SPDX-License-Identifier: MIT
 * A project that runs on MuJoCo: controllers, friction, the step, and the record of the run. The
 * state of the world, including friction, is one mjData; controllers keep their own state.
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

/* Start from simulation_options_default(). Everything must outlive the simulation. */
typedef struct simulation_options {
    stiction_log log; /* for all parts; NULL: none */
    void *log_user;
    world_options world;
    friction_options friction;
    const char *const *controller; /* option strings that replace the project's */
    size_t controller_count;
    const char *const *specifications; /* of controllers, instead of the project's */
    size_t specification_count;
    const char *targets;             /* for the controllers; NULL: none */
    const stiction_override *pushes; /* values of pushes, see pushes/push.h */
    size_t push_count;
    stiction_log controller_log; /* messages of controllers; NULL: not wanted */
    void *controller_log_user;
    const char *const *overrides; /* what the user replaced, for the results */
    size_t override_count;
    double interval;     /* s between rows of joints.csv; 0: every step; NaN: none */
    world_cache *worlds; /* takes the world from here and returns it; NULL: makes its own */
    world *shared; /* of another simulation, in place of an own one: with friction that does not
                      change the model; NULL: none */
    bool (*is_stopped)(void); /* called while files are read and friction is judged: true stops
                               * that with an error; may be NULL */
} simulation_options;

simulation_options simulation_options_default(void);

typedef struct simulation simulation;

/* NULL: see *error. One thread at a time may use a simulation. */
simulation *simulation_create(const char *project_path, const simulation_options *options,
                              stiction_error *error);
void simulation_destroy(simulation *s);

/* Back to the start, with an empty record. */
stiction_status simulation_reset(simulation *s, stiction_error *error);

const world *simulation_world(const simulation *s);
const friction *simulation_friction(const simulation *s);
const controllers *simulation_controllers(const simulation *s);
/* The state. Copying it (mj_copyData) and back jumps in time, except for the controllers. */
mjData *simulation_data(simulation *s);

/* Computes positions and velocities of links for the functions of body_view.h. */
stiction_status simulation_update_links(simulation *s, stiction_error *error);

/* Contacts of the last step, see body_view_contacts; before the first step there are 0. */
size_t simulation_contacts(simulation *s, size_t body, stiction_controller_contact *contacts,
                           stiction_error *error);

/* The torques that the controllers commanded in the last step, one per joint of the world. */
const double *simulation_command(const simulation *s);

double simulation_time(const simulation *s);

/* Target positions for controllers, one per joint; NaN: no target. */
void simulation_set_targets(simulation *s, const double *target);

/* `count` steps with these torques, one per joint, instead of the controllers'; NULL: theirs.
 * Otherwise as simulation_run. */
stiction_status simulation_step(simulation *s, const double *torque, size_t count,
                                stiction_error *error);

/*
 * Replaces a value of the configuration, by name as stiction_override, in addition to those of the
 * options; the last one of a name counts. On failure nothing changes.
 */
stiction_status simulation_override(simulation *s, const char *name, const char *value,
                                    stiction_error *error);

/* Saves the state of world and friction to a buffer of this size, and restores it; controllers are
 * reset, and a new record begins. */
size_t simulation_state_size(const simulation *s);
void simulation_save(const simulation *s, void *buffer);
stiction_status simulation_restore(simulation *s, const void *buffer, size_t size,
                                   stiction_error *error);
/* Call this after changing the state through simulation_data: it resets friction. */
void simulation_moved(simulation *s);

/*
 * Steps until simulated time `until`, and records each step. Unless OK, the simulation cannot
 * continue (it diverged, a controller failed, or MuJoCo reported an error); the record stays.
 */
stiction_status simulation_run(simulation *s, double until, stiction_error *error);
/* Whether all controllers have finished: no further step is made. */
bool simulation_finished(const simulation *s);

/* The record so far. */
const results *simulation_record(const simulation *s);

/* The record, ready to be written; `complete`: the run reached its end. */
results *simulation_results(simulation *s, bool complete);

STICTION_END_C

#endif
