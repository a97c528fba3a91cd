/* SPDX-License-Identifier: MIT */
/* What the files of a simulation share. */
#ifndef STICTION_MUJOCO_SIMULATION_INTERNAL_H
#define STICTION_MUJOCO_SIMULATION_INTERNAL_H

#include "simulation.h"

/* A body with joints and a free root. */
typedef struct floating_body {
    size_t index; /* in the world */
    int root;     /* in the model */
} floating_body;

/* Numbers of a joint's chatter. */
enum { SIMULATION_WATCHED = 5 };

struct simulation {
    simulation_options options;
    world *world;
    friction *friction;
    controllers *controllers;
    pushes *pushes;
    mjData *data;
    results *results;
    results_def results_def;
    char **warnings; /* of every record of the simulation */
    size_t warning_count;
    stiction_joint_def *joint_defs;
    double *position, *velocity, *command, *target; /* one entry per joint */
    double *last_position, *last_velocity; /* qpos and qvel at the start of the last step */
    double *unprepared;    /* qpos before mj_step1, which normalises the quaternions in it */
    double *watched;       /* chatter of the joints, as numbers of a saved state */
    double *made_implicit; /* one entry per body; 1: auto took explicit coupling, which chattered */
    energy_sample energy;  /* of the last step that computed it */
    bool has_energy;       /* that is the current step */
    bool jumped;           /* the state was set from outside */
    int stage;             /* of RK4, in a step */
    bool recording;        /* false: out of memory for the record */
    bool prepared;         /* mj_step1 of the next step was made */
    bool stepped;          /* data has the forces of a step */
    bool crowded;          /* the record has the warning that there were too many contacts */
    const double *torque;  /* of a step, instead of the controllers'; NULL: theirs */
    stiction_controller_contact *contacts; /* of the last step, one entry per link of the model */
    size_t *contact_counts;                /* one entry per body */
    bool contacts_known;
    const char **channel_names; /* of columns that belong to no joint */
    double *channels;
    size_t channel_count;
    floating_body *floating;
    size_t floating_count;
    results_body *bodies; /* one entry per floating body */
    body_sample *body_samples;
    double *body_channels;        /* in `channels`: the first of floating bodies */
    body_touch *touches;          /* one entry per link of the model */
    stiction_override *overrides; /* copies of the options', then those set later */
    size_t override_count;
    stiction_status failure; /* of friction or a controller, with its error */
    bool controller_failed;
    stiction_error error;
    arena memory;
};

/* Calls MuJoCo for the simulation, see engine_run. */
stiction_status simulation_call(simulation *s, void (*call)(void *), stiction_error *error);

/* From now on, of a body whose coupling is auto. On failure nothing changes. */
stiction_status simulation_make_implicit(simulation *s, size_t body, stiction_error *error);

/* Replaces the friction by one with the overrides. On failure nothing changes. */
stiction_status simulation_make_friction(simulation *s, stiction_error *error);
/* Starts a new record. False: out of memory. */
bool simulation_make_results(simulation *s);
/* mj_step1, if it was not made yet. */
void simulation_prepare(simulation *s);

/* Columns that belong to no joint: their names, and their values at the start of a step and after
 * it, when contact forces are known. */
void simulation_make_channels(simulation *s, reader *r);
void simulation_begin_channels(simulation *s);
void simulation_end_channels(simulation *s);

/* What the stability of a body depends on. */
typedef struct simulation_parts {
    const world *world;
    const friction *friction;
    controllers *controllers; /* NULL: none */
    mjData *data;
    bool (*is_stopped)(void); /* may be NULL */
    bool *no_memory;          /* set if memory was missing for a verdict; may be NULL */
} simulation_parts;

/* Decides the coupling `auto` of a body, a friction_judge; `parts` are simulation_parts, whose
 * `data` is at the start afterwards. */
stiction_status simulation_judge(const void *parts, size_t body, coupling_decision *decision,
                                 stiction_error *error);

/* Warns once per body whose explicit friction is not stable at the start, or cannot be judged. */
void simulation_warn_unstable(const simulation_parts *parts, stiction_log log, void *log_user);

#endif
