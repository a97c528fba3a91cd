/* SPDX-License-Identifier: MIT
 * Friction of the joints of a world, through the C ABI. Its memory lies in mjData (userdata, and
 * act under RK4), so that copies and resets of mjData are copies and resets of friction.
 */
#ifndef STICTION_MUJOCO_FRICTION_H
#define STICTION_MUJOCO_FRICTION_H

#include "results/joint_arrays.h"
#include "stability/coupling.h"
#include "stiction/stiction.h"
#include "valid.h"
#include "world.h"

STICTION_BEGIN_C

typedef enum friction_source {
    FRICTION_STICTION,     /* this library */
    FRICTION_FRICTIONLOSS, /* MuJoCo's own, on the same joints, to compare with */
    FRICTION_NONE
} friction_source;

/* "stiction", "frictionloss", "none"; NULL past the end. */
const char *friction_source_name(friction_source source);

/* How to make it. Start from zeros. */
typedef struct friction_options {
    stiction_log log; /* NULL: none */
    void *log_user;
    friction_source source;
    const char *configuration;          /* a file instead of the items' own; NULL: theirs */
    const char *law;                    /* instead of the configured ones; NULL: those */
    const char *coupling, *element;     /* the same */
    const stiction_override *overrides; /* of values in the configurations */
    size_t override_count;
} friction_options;

typedef struct friction friction;

/* The numbers of mjData.userdata that a joint needs (world_options.memory_per_joint): the
 * library's memory of it, and the torque of its constraints in the last step. */
enum { FRICTION_REMEMBERED = 18, FRICTION_MEMORY = FRICTION_REMEMBERED + 1 };

/*
 * NULL: see *error (which may be NULL); if a configuration has several errors, the others are
 * logged. With FRICTION_FRICTIONLOSS the world's model gets its friction here.
 */
friction *friction_create(world *w, const friction_options *options, stiction_error *error);
void friction_destroy(friction *f);

/* The friction of a joint of the world; law "none" where it has none. */
const stiction_joint_def *friction_joint(const friction *f, size_t joint);
/* Where it was identified, one entry per joint of the world. */
const valid_ranges *friction_valid(const friction *f);

/* Decides for a body whose coupling is auto, see coupling_decide. */
typedef stiction_status friction_judge(const void *user, size_t body, coupling_decision *decision,
                                       stiction_error *error);

/*
 * Decides how friction is coupled and prepares implicit coupling; call it before the first step.
 * The choice of auto is logged. `judge` NULL: explicit coupling counts as unsafe. On failure,
 * friction cannot be stepped.
 */
stiction_status friction_couple(friction *f, friction_judge *judge, const void *user,
                                const friction_options *options, stiction_error *error);

/* Makes explicit friction of a body implicit between two steps; on failure nothing changes. */
stiction_status friction_make_implicit(friction *f, size_t body, const friction_options *options,
                                       stiction_error *error);

/* Whether a body's friction is implicit, and whether that of any body is. */
bool friction_is_implicit(const friction *f, size_t body);
bool friction_has_implicit(const friction *f);
/* Whether the coupling of a body was chosen here. */
bool friction_is_auto(const friction *f, size_t body);
/* Why a body cannot be implicit where auto is configured; NULL: it can. */
const char *friction_obstacle(const friction *f, size_t body);
/* "explicit", "implicit", or "both" where bodies differ. */
const char *friction_coupling(const friction *f);

/* "no joint has friction: ..." with the reason; NULL: one has. */
const char *friction_absence(const friction *f);

/* The seed of what was drawn; false: nothing was. */
bool friction_seed(const friction *f, uint64_t *seed);

/* Whether a configuration is for this body of the world, and its friction is ours. */
bool friction_acts_on(const friction *f, size_t body);

/* Friction in the last step, one entry per joint of the world. The external torque is NaN in a body
 * whose friction does not read it; the levels are NaN in a body where none of them changes. */
joint_quantities friction_quantities(const friction *f);

/*
 * One step from the state in `data`: reads velocities, writes friction_quantities and updates the
 * memory in `data`. `command` is the torque of the controllers, one entry per joint.
 */
void friction_step(friction *f, mjData *data, const double *command);

/*
 * Whether friction can continue from mjData.userdata and act that others provide: each number must
 * be within the bounds of the joint's memory. The error names joint and number.
 */
stiction_status friction_check_memory(const friction *f, const double *userdata, const double *act,
                                      stiction_error *error);

/*
 * If a body's friction is implicit: steps the whole world with it, from the forces in `data`, which
 * include explicit friction, instead of mj_step2. Call friction_step first, which reads the loads.
 */
stiction_status friction_solve(friction *f, mjData *data, stiction_error *error);

/* Steps whose implicit friction did not converge, see STICTION_IMPLICIT_FROZEN. */
uint64_t friction_frozen_steps(const friction *f);
/* The joint and the contact of the first of them, for a message: " (...)", or "". */
const char *friction_frozen_where(const friction *f);

/*
 * A stage of RK4: returns the torques, one entry per joint, and writes the rates of the deflections
 * to data->ctrl. friction_quantities are those of the first stage of a step.
 */
const double *friction_stage(friction *f, mjData *data, bool first);

/* With FRICTION_FRICTIONLOSS: what MuJoCo's friction was in the step that `data` has just made. */
void friction_after(friction *f, const mjData *data);

/* Velocities that friction could not use, since it was made. */
uint64_t friction_faults(const friction *f);

STICTION_END_C

#endif
