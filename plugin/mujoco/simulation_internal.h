/* SPDX-License-Identifier: MIT */
/* What the parts of a simulation share. */
#ifndef STICTION_MUJOCO_SIMULATION_INTERNAL_H
#define STICTION_MUJOCO_SIMULATION_INTERNAL_H

#include "simulation.h"

typedef struct simulation_log {
    stiction_log log; /* NULL: none */
    void *user;
} simulation_log;

struct simulation {
    world *world;
    world_cache *worlds; /* that it is returned to; NULL: it is its own */
    friction *friction;
    controllers *controllers;
    pushes *pushes;
    mjData *data;
    results *results;
    results_def results_def;
    stiction_log log; /* of the host; NULL: none */
    void *log_user;
    bool (*is_stopped)(void); /* of the options */
    char **warnings;          /* that every record of the simulation gets */
    size_t warning_count;
    const char **labels;
    bool *prismatic;
    stiction_joint_def *joint_defs;
    double *position, *velocity, *command, *target; /* an entry a joint */
    double *last_position, *last_velocity; /* qpos and qvel at the start of the last step */
    int stage;                             /* of RK4, in a step */
    bool recording;                        /* there was memory so far */
    bool prepared;                         /* mj_step1 of the next step was made */
    bool stepped;                          /* data has the forces of a step */
    bool crowded;         /* there was no room for all contacts, which the record says */
    const double *torque; /* of a step, in place of the controllers'; NULL: theirs */
    stiction_controller_contact *contacts; /* of the last step, an entry a link of the model */
    size_t *contact_counts;                /* an entry a body */
    bool contacts_known;
    char **channel_names; /* of what belongs to no joint */
    double *channels;
    size_t channel_count;
    results_body *bodies; /* robots that float, */
    size_t *body_numbers; /* in the world, */
    body_sample *body_samples;
    body_touch *touches; /* room for one a link of the model */
    size_t body_count;
    size_t body_channels; /* the first of theirs */
    friction_options friction_options;
    stiction_override *overrides; /* all of them, those of the options first */
    char **override_texts;        /* of those that came later: name, value, name, ... */
    size_t override_count, later_count;
    stiction_status failure; /* of friction or a controller, with its error */
    bool controller_failed;
    stiction_error error;
};

/* The first parts of a simulation, with the texts and logs of its options. NULL after an error. */
world *simulation_take_world(const char *path, const simulation_options *o, stiction_error *error);
controllers *simulation_make_controllers(const world *w, const simulation_options *o,
                                         stiction_error *error);
/* To the worlds that it was taken from; NULL: it is nobody's any more. */
void simulation_give_back(world_cache *worlds, world *w);

/* What makes a friction, in place of the one that there is. Unless OK, nothing has changed. */
stiction_status simulation_make_friction(simulation *s, stiction_error *error);
/* A new record, of the friction that there is. False: no memory. */
bool simulation_make_results(simulation *s);
/* Positions and velocities to kinematics and inertia, for the next step or for who asks. */
void simulation_prepare(simulation *s);
/* Fills the channels from the state. */
void simulation_read_channels(simulation *s);
bool simulation_make_channels(simulation *s);

/* Robots that float: their list, their columns, and their samples from the start of a step and from
 * its end, when it is known what touched what. */
enum { SIMULATION_BODY_CHANNELS = 5 };
bool simulation_make_bodies(simulation *s);
const char *simulation_body_channel(size_t index);
void simulation_begin_bodies(simulation *s);
void simulation_end_bodies(simulation *s);
void simulation_free_bodies(simulation *s);

/* What a simulation is made of. */
typedef struct simulation_parts {
    const world *world;
    const friction *friction;
    controllers *controllers; /* NULL: none */
    mjData *data;
    bool (*is_stopped)(void); /* NULL: nobody stops it */
    bool *no_memory;          /* set where a verdict was not reached for want of it; may be NULL */
} simulation_parts;

/*
 * How near a body's friction, coupled explicitly, is to its limit where `data` is
 * (stability_ratios), under the integrator of the world, with the gains of its controller. `joints`
 * has an entry a joint of the body. `data` has been through mj_forward.
 */
stiction_status simulation_stability(const simulation_parts *parts, size_t body, double *joints,
                                     double *whole, stiction_error *error);

/* Which coupling auto takes for a body, see coupling_decide. `data` ends at the start again. */
stiction_status simulation_judge(const simulation_parts *parts, size_t body,
                                 coupling_decision *decision, stiction_error *error);

/* Warns once a body whose explicit friction is not stable at the start, or cannot be judged. */
void simulation_warn_unstable(const simulation_log *log, const simulation_parts *parts);

#endif
