/* SPDX-License-Identifier: MIT
 * A state: the memory of all joints in one run, and the step that updates it. Only one thread at a
 * time may use a state. Simulators copy a state to branch.
 */
#ifndef STICTION_STATE_H
#define STICTION_STATE_H

#include "stiction/model.h"
#include "stiction/quantities.h"

STICTION_BEGIN_C

typedef struct stiction_state stiction_state;

/* A state at rest. The model must outlive it. On failure, *state is NULL. */
STICTION_API stiction_status stiction_state_create(const stiction_model *model,
                                                   stiction_state **state, stiction_error *error);
STICTION_API void stiction_state_destroy(stiction_state *state);

/* Returns to rest, with the model's parameters and time step, and no faults. */
STICTION_API stiction_status stiction_state_reset(stiction_state *state, stiction_error *error);

/* Copies `from` to `to`; both belong to the same model. */
STICTION_API stiction_status stiction_state_copy(stiction_state *to, const stiction_state *from,
                                                 stiction_error *error);

/*
 * A state as bytes, for the same version of the library, the same kind of machine and a model of
 * the same joints. Saving and restoring is exact. Restoring checks each number against the range
 * that steps of its joint can produce; a damaged or forged buffer, or one of the wrong size, is
 * refused.
 */
STICTION_API size_t stiction_state_buffer_size(const stiction_state *state);
STICTION_API stiction_status stiction_state_save(const stiction_state *state, void *buffer,
                                                 size_t size, stiction_error *error);
/* `size` is stiction_state_buffer_size(). On failure, the state does not change. */
STICTION_API stiction_status stiction_state_restore(stiction_state *state, const void *buffer,
                                                    size_t size, stiction_error *error);

/*
 * One step. velocity[] and torque[] have one entry per joint, in the model's order; the host
 * subtracts torque[] from its joint torques. Friction is computed from the velocity at the start of
 * the step (explicit coupling).
 *
 * A velocity that is not finite, or above 1e90 rad/s, gives torque 0 for that joint, does not
 * change its bristle, and counts as a fault. Every other velocity gives a finite torque, deflection
 * and energy. The time step may differ from call to call, from 1e-30 to 1e30 s. On failure,
 * torque[] is all zeros and the state does not change.
 */
STICTION_API stiction_status stiction_step(stiction_state *state, double timestep,
                                           const double *velocity, double *torque,
                                           stiction_error *error);

/* The inputs of a step, one entry per joint. Start from stiction_input_default(). */
typedef struct stiction_input {
    size_t size;            /* set by the default */
    double timestep;        /* s, > 0: 1e-30 to 1e30 */
    const double *velocity; /* rad/s */
    const double *effort;   /* N m: the torque of the motor; NULL unless stiction_state_needs() */
    /* read by joints whose friction depends on them, see stiction_state_needs; may be NULL
     * otherwise */
    const double *position;        /* rad */
    const double *external_torque; /* N m: all other torques on the joint except friction; effort +
                                      external_torque - friction accelerates the joint. karnopp and
                                      quinn read the sum effort + external_torque */
    const double
        *temperature; /* deg C; NULL, or NaN for a joint: it computes its own temperature */
} stiction_input;

/* The inputs that steps of a state require: bits of stiction_state_needs. */
typedef enum stiction_need {
    STICTION_NEEDS_EFFORT = 1,         /* karnopp, quinn, load_motor */
    STICTION_NEEDS_POSITION = 2,       /* ripple */
    STICTION_NEEDS_EXTERNAL_TORQUE = 4 /* load_external */
} stiction_need;
STICTION_API unsigned stiction_state_needs(const stiction_state *state);

/*
 * What a step writes: arrays with one entry per joint, each NULL if not wanted. Start from
 * stiction_output_default(). All numbers are finite. After a fault, torque and slope are 0; so are
 * temperature and levels if an input or memory that cannot be used would determine them.
 */
typedef struct stiction_output {
    size_t size;               /* set by the default */
    double *torque;            /* N m, to be subtracted */
    double *deflection;        /* of the bristle, rad */
    double *slope;             /* d torque/d velocity, N m s/rad */
    unsigned char *slipping;   /* 1: slips, 0: sticks */
    double *dissipated_energy; /* since the start or the last reset, J; once a step is too small to
                                  change the sum, the sum stays */
    double *memory;            /* if given, read and updated instead of the state's own memory; the
                                  layout is that of stiction_state_get_memory */
    STICTION_JOINT_LEVELS(STICTION_QUANTITY_ARRAY) /* stiction/quantities.h describes them */
} stiction_output;

STICTION_API stiction_input stiction_input_default(void);
STICTION_API stiction_output stiction_output_default(void);

/* stiction_step with all inputs and outputs. */
STICTION_API stiction_status stiction_step_full(stiction_state *state, const stiction_input *input,
                                                const stiction_output *output,
                                                stiction_error *error);

/* The outputs of stiction_step_full without changing the state: for integrators with stages. */
STICTION_API stiction_status stiction_trial(const stiction_state *state,
                                            const stiction_input *input,
                                            const stiction_output *output, stiction_error *error);

/*
 * For integrators that carry the deflections themselves (Kikuuwe and Yamamoto, (19)): torque and
 * deflection rate from velocity and deflection; the state does not change. tau is the time over
 * which the stage looks ahead; 0 is the exact differential equation and requires damping > 0. Only
 * for laws whose whole state is the deflection. A velocity or deflection that cannot be used gives
 * zeros.
 */
STICTION_API stiction_status stiction_rate(const stiction_state *state, double tau,
                                           const double *velocity, const double *deflection,
                                           double *torque, double *deflection_rate,
                                           stiction_error *error);

/*
 * Changes the friction of one joint from the next step on. The bristle keeps its torque: if the
 * stiffness changes, its deflection changes with it, so that the torque jumps no more than the new
 * limits require. A joint that has no friction in the model may get some.
 */
STICTION_API stiction_status stiction_state_set_joint(stiction_state *state, size_t index,
                                                      const stiction_joint_def *def,
                                                      stiction_error *error);
STICTION_API stiction_status stiction_state_joint(const stiction_state *state, size_t index,
                                                  stiction_joint_def *def, stiction_error *error);

/* The deflections, for hosts that store them; arrays have one entry per joint. A deflection that
 * steps of its joint cannot produce (K |e| above 2^410 N m) is refused. */
STICTION_API stiction_status stiction_state_get_deflections(const stiction_state *state,
                                                            double *deflection,
                                                            stiction_error *error);
STICTION_API stiction_status stiction_state_set_deflections(stiction_state *state,
                                                            const double *deflection,
                                                            stiction_error *error);

/*
 * Everything that steps change, except the fault counts, as numbers: for hosts that store it in
 * their own state, so that copying or resetting that state does the same to friction
 * (stiction_output.memory does it without copies). All zeros is rest. Arrays have
 * stiction_state_memory_size() entries. A number that steps cannot produce is refused by
 * set_memory, and is a fault of its joint in a step from stiction_output.memory.
 */
STICTION_API size_t stiction_state_memory_size(const stiction_state *state);
STICTION_API stiction_status stiction_state_get_memory(const stiction_state *state, double *memory,
                                                       stiction_error *error);
STICTION_API stiction_status stiction_state_set_memory(stiction_state *state, const double *memory,
                                                       stiction_error *error);

STICTION_API size_t stiction_state_joint_count(const stiction_state *state);
/* How often a joint was given a velocity or effort that cannot be used, and the total of all
 * joints. */
STICTION_API uint64_t stiction_state_faults(const stiction_state *state, size_t index);
STICTION_API uint64_t stiction_state_total_faults(const stiction_state *state);

STICTION_END_C

#endif
