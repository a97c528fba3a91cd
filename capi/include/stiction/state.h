/*
 * A state: the bristles of all joints in one run, and the step that moves them. One thread at a
 * time may use a state; copying one is how a simulator branches.
 */
#ifndef STICTION_STATE_H
#define STICTION_STATE_H

#include "stiction/model.h"
#include "stiction/quantities.h"

STICTION_BEGIN_C

typedef struct stiction_state stiction_state;

/* A state at rest. The model must outlive it. Unless OK, *state is NULL. */
STICTION_API stiction_status stiction_state_create(const stiction_model *model,
                                                   stiction_state **state, stiction_error *error);
STICTION_API void stiction_state_destroy(stiction_state *state);

/* Back to rest, with the model's parameters, time step and no faults. */
STICTION_API stiction_status stiction_state_reset(stiction_state *state, stiction_error *error);

/* Makes `to` what `from` is; both of one model. */
STICTION_API stiction_status stiction_state_copy(stiction_state *to, const stiction_state *from,
                                                 stiction_error *error);

/*
 * A state as bytes: for the same version of the library, the same kind of machine and a model of
 * the same joints. Whatever steps have made can be saved and restored, bit for bit. What is
 * restored is checked number by number, each against what steps of its joint can make, so that it
 * can be stepped: a buffer that is damaged, forged, too short or too long is refused with a
 * sentence.
 */
STICTION_API size_t stiction_state_buffer_size(const stiction_state *state);
STICTION_API stiction_status stiction_state_save(const stiction_state *state, void *buffer,
                                                 size_t size, stiction_error *error);
/* `size` is stiction_state_buffer_size(). Unless OK, the state is as it was. */
STICTION_API stiction_status stiction_state_restore(stiction_state *state, const void *buffer,
                                                    size_t size, stiction_error *error);

/*
 * One step. velocity[] and torque[] have one entry a joint, in the model's order; the host
 * subtracts torque[] from its joint torques. Friction is computed from the velocity at the start
 * of the step (explicit coupling).
 *
 * A velocity that is not finite or beyond all motion (1e90 rad/s) gives torque 0 for that joint,
 * leaves its bristle as it was, and counts as a fault. Every other one gives a finite torque,
 * deflection and energy. The time step may differ from call to call, from 1e-30 to 1e30 s. Unless
 * OK, torque[] is all zeros and the state is as it was.
 */
STICTION_API stiction_status stiction_step(stiction_state *state, double timestep,
                                           const double *velocity, double *torque,
                                           stiction_error *error);

/* What a step reads. Start from stiction_input_default(). */
typedef struct stiction_input {
    size_t size;            /* set by the default */
    double timestep;        /* s, > 0: 1e-30 to 1e30 */
    const double *velocity; /* rad/s */
    const double *effort;   /* N m: the torque of the motor; NULL unless stiction_state_needs() */
    /* where a joint's friction depends on it, see stiction_state_needs; else NULL */
    const double *position;        /* rad */
    const double *external_torque; /* N m: all other torques on the joint but friction, with the
                                      effort what accelerates it. karnopp and quinn read the sum of
                                      both */
    const double *temperature;     /* deg C; NULL, or NaN for a joint: its own heat counts */
} stiction_input;

/* What the steps of a state cannot do without: bits of stiction_state_needs. */
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
    STICTION_JOINT_LEVELS(STICTION_QUANTITY_ARRAY) /* temperature, static_level, coulomb_level */
} stiction_output;

STICTION_API stiction_input stiction_input_default(void);
STICTION_API stiction_output stiction_output_default(void);

/* stiction_step with everything that there is to read and to tell. */
STICTION_API stiction_status stiction_step_full(stiction_state *state, const stiction_input *input,
                                                const stiction_output *output,
                                                stiction_error *error);

/* What stiction_step_full would tell, from the state as it is: for integrators with stages. */
STICTION_API stiction_status stiction_trial(const stiction_state *state,
                                            const stiction_input *input,
                                            const stiction_output *output, stiction_error *error);

/*
 * For integrators that carry the deflections themselves (Kikuuwe and Yamamoto, (19)): torque and
 * deflection rate from velocity and deflection, nothing is updated. tau is the time over which the
 * stage looks ahead; 0 is the exact differential equation and needs damping > 0. Only for laws
 * whose whole state is the deflection. A velocity or deflection that no step can use gives zeros.
 */
STICTION_API stiction_status stiction_rate(const stiction_state *state, double tau,
                                           const double *velocity, const double *deflection,
                                           double *torque, double *deflection_rate,
                                           stiction_error *error);

/*
 * Changes the friction of one joint from the next step on. The bristle keeps its torque: where the
 * stiffness changes, its deflection changes with it, so that the torque jumps by no more than the
 * new limits demand. A joint that stood in the model without friction may get some.
 */
STICTION_API stiction_status stiction_state_set_joint(stiction_state *state, size_t index,
                                                      const stiction_joint_def *def,
                                                      stiction_error *error);
STICTION_API stiction_status stiction_state_joint(const stiction_state *state, size_t index,
                                                  stiction_joint_def *def, stiction_error *error);

/* Deflections as they are, for hosts that keep them; both arrays have one entry a joint. One that
 * no steps of its joint can make (K |e| beyond 2^410 N m) is refused. */
STICTION_API stiction_status stiction_state_get_deflections(const stiction_state *state,
                                                            double *deflection,
                                                            stiction_error *error);
STICTION_API stiction_status stiction_state_set_deflections(stiction_state *state,
                                                            const double *deflection,
                                                            stiction_error *error);

/*
 * All that steps change but the counted faults, as numbers: for hosts that keep it among their own,
 * so that a copy or a reset of theirs is one of friction too (or stiction_output.memory, which
 * spares the copies). All zeros are rest. Both arrays have stiction_state_memory_size() entries. A
 * number that no steps can have made is refused by set_memory, and is a fault of its joint in a
 * step from stiction_output.memory.
 */
STICTION_API size_t stiction_state_memory_size(const stiction_state *state);
STICTION_API stiction_status stiction_state_get_memory(const stiction_state *state, double *memory,
                                                       stiction_error *error);
STICTION_API stiction_status stiction_state_set_memory(stiction_state *state, const double *memory,
                                                       stiction_error *error);

STICTION_API size_t stiction_state_joint_count(const stiction_state *state);
/* How often a joint was given a velocity or effort that is not usable; all joints together. */
STICTION_API uint64_t stiction_state_faults(const stiction_state *state, size_t index);
STICTION_API uint64_t stiction_state_total_faults(const stiction_state *state);

STICTION_END_C

#endif
