/* SPDX-License-Identifier: MIT
 * One joint at one time step: its kind, its parameters and the model made of them; and its memory,
 * which is all that a step changes.
 */
#ifndef STICTION_CAPI_JOINT_INTERNAL_H
#define STICTION_CAPI_JOINT_INTERNAL_H

#include <math.h>

#include "joint_models/drive/drive_step.h"
#include "joint_models/reference/reference.h"
#include "stiction/joint.h"
#include "stiction/state.h"

typedef struct joint_memory {
    double deflection; /* of the bristle, rad */
    double dissipated; /* J */
    double position;   /* rad: velocity summed up, for models that know places */
    double start, direction, last_base, reversed; /* of the rotating bristle model */
    double slip; /* rad/s: of the bristle's foot in the last step, where coupling is implicit */
    stiction_drive_memory drive; /* of real drives; of all others zeros */
} joint_memory;

/* A host sees the memory of a joint as this many numbers. */
enum { memory_numbers = sizeof(joint_memory) / sizeof(double) };
_Static_assert(sizeof(joint_memory) == memory_numbers * sizeof(double), "nothing but doubles");

typedef struct joint_kind joint_kind;

typedef struct joint {
    const joint_kind *kind;
    const stiction_law *law;        /* of the kinds that stick; else NULL */
    const stiction_fast_step *fast; /* of a law in closed form whose levels stay; else NULL */
    unsigned needs;                 /* bits of stiction_need */
    bool is_drive;                  /* its levels change: model.drive, in which the element is the
                                       first member, as it is in the union */
    unsigned derived;               /* of def: bit 0 its stiffness, bit 1 its damping */
    stiction_joint_def def;         /* complete: fallbacks filled in, derived values in numbers */
    double timestep;
    double stiffness; /* of the deflection, N m/rad; 0: nothing deflects */
    union {
        stiction_element element;
        stiction_drive drive;
        stiction_single_state single_state;
        stiction_ffbm ffbm;
        stiction_sawtooth sawtooth;
        stiction_bristles bristles;
    } model;
} joint;

/*
 * The inputs of one joint at the start of a step: the velocity and STICTION_JOINT_INPUTS. A joint
 * whose law reads a new input steps without a fast step until the fast steps take that input too.
 */
#define JOINT_INPUT_FIELD(name, unit, description, absent) double name;
typedef struct joint_input {
    double velocity; /* rad/s */
    STICTION_JOINT_INPUTS(JOINT_INPUT_FIELD)
} joint_input;
#undef JOINT_INPUT_FIELD

/* The bit of each input in stiction_need. */
#define JOINT_INPUT_NUMBER(name, ...) joint_input_##name,
enum { STICTION_JOINT_INPUTS(JOINT_INPUT_NUMBER) joint_input_count };
#undef JOINT_INPUT_NUMBER
_Static_assert(STICTION_NEEDS_EFFORT == 1 << joint_input_effort &&
                   STICTION_NEEDS_POSITION == 1 << joint_input_position &&
                   STICTION_NEEDS_EXTERNAL_TORQUE == 1 << joint_input_external_torque,
               "bit k is row k");

/* For STICTION_JOINT_INPUTS: initialises a joint_input from entry `k` of the arrays of `input`, the
 * variables of these names where it is used; and a struct of arrays from those of another one. */
#define READ_INPUT(name, unit, description, absent)  .name = input->name ? input->name[k] : (absent),
#define SHARE_INPUT(name, unit, description, absent) .name = input->name,

/* The inputs of joint k, where the caller's arrays have it. */
static inline joint_input joint_input_at(const stiction_input *input, size_t k) {
    return (joint_input){.velocity = input->velocity[k], STICTION_JOINT_INPUTS(READ_INPUT)};
}

typedef struct joint_result {
    double torque;
    bool slipping; /* set if the kind has no `slips` function */
} joint_result;

/* The parameters that an error is about, in the order of its message. */
typedef struct joint_conflict {
    size_t count;
    size_t parameters[4];
} joint_conflict;

struct joint_kind {
    stiction_law_info info;
    /* The parameters that an error of prepare is about; NULL: none that a file gives. */
    const joint_conflict *conflict;
    /* Fills joint->model from joint->def and joint->timestep. Each parameter is in its domain; the
     * message reports parameters that contradict each other. NULL: the model is the def. */
    stiction_status (*prepare)(joint *j, char *message, size_t size);
    /* Updates deflection and position, which stiction_joint_step restores if they or the torque are
     * not finite; updates the rest of the memory only if they are finite. */
    joint_result (*step)(const joint *j, joint_input in, joint_memory *m);
    /* Whether the joint slips in the next step; NULL: the step reports it. */
    bool (*slips)(const joint *j, joint_input in, const joint_memory *m);
    /* d torque/d velocity of the next step; NULL: by a central difference of step. */
    double (*slope)(const joint *j, joint_input in, const joint_memory *m);
    /* Torque and deflection rate; NULL: the deflection is not the whole state. */
    void (*rate)(const joint *j, double velocity, double deflection, double *torque,
                 double *deflection_rate);
};

/* The kind and law with this name; false if there is none. */
bool stiction_joint_find_law(const char *name, const joint_kind **kind, const stiction_law **law);

/* The inputs that a prepared joint requires, bits of stiction_need. */
unsigned stiction_joint_needs(const joint *j);
/* The error for required inputs that `input` does not have. */
stiction_status stiction_joint_refuse_input(const char *name, const joint *j,
                                            const stiction_input *input, stiction_error *error);
static inline unsigned joint_lacks(unsigned needs, const stiction_input *input) {
#define IF_GIVEN(name, ...) | (input->name ? 1u << joint_input_##name : 0)
    return needs & ~(0 STICTION_JOINT_INPUTS(IF_GIVEN));
#undef IF_GIVEN
}

/* Creates a joint from a def, complete and validated, for a time step (or tau >= 0 of a stage).
 * `name` is for the error message and may be NULL. */
stiction_status stiction_joint_init(joint *j, const char *name, const stiction_joint_def *def,
                                    double timestep, stiction_error *error);

/* The same joint at another time step. */
stiction_status stiction_joint_set_timestep(joint *j, const char *name, double timestep,
                                            stiction_error *error);

/* Whether a parameter may be STICTION_AUTO; fills in what is, and returns `joint.derived`. Where
 * the torque is not given, NaN. */
bool stiction_joint_may_be_auto(size_t parameter);
unsigned stiction_joint_derive(stiction_joint_def *def);
/* The def of a joint with STICTION_AUTO for what was derived. */
stiction_joint_def stiction_joint_underived(const joint *j);
/* The def that replaces that of a joint: derived numbers that it leaves as they are stay derived.
 */
stiction_status stiction_joint_replacement(const joint *before, const stiction_joint_def *def,
                                           stiction_joint_def *own, stiction_error *error);

/* Checks that the parameters that the law of `def` reads are given, and that all given parameters
 * are in their domains; does not check the time step. On success *complete has the fallbacks filled
 * in and `law` of static lifetime. */
stiction_status stiction_joint_complete(const char *name, const stiction_joint_def *def,
                                        stiction_joint_def *complete, stiction_error *error);

/* The checks of stiction_joint_complete one by one, for callers that report all errors; `who` is
 * put before the message. One parameter of a law: given, finite, within its bounds. */
stiction_status stiction_joint_check_parameter(const char *who, const char *law, size_t index,
                                               double value, stiction_error *error);
/* Number k of a list. */
stiction_status stiction_joint_check_list_number(const char *who, size_t list, size_t k,
                                                 double value, stiction_error *error);
/* Parameters among `uses` that bound each other; missing parameters are ignored. `conflict` may be
 * NULL. */
stiction_status stiction_joint_check_orders(const char *who, const stiction_joint_def *def,
                                            uint64_t uses, joint_conflict *conflict,
                                            stiction_error *error);

/* " N m", or "" where a parameter is a plain number: what follows its value. */
const char *stiction_joint_unit(size_t index);

/* Whether a time step is finite, above 0 and within its bounds; `what` names it in the message. */
stiction_status stiction_check_timestep(const char *what, double timestep, stiction_status status,
                                        stiction_error *error);

/* Whether a parameter may not be below another one. */
bool stiction_joint_is_upper(size_t parameter);

/* Copies a definition to a caller, whose struct may be an older and shorter one. */
void stiction_joint_give_def(const stiction_joint_def *from, stiction_joint_def *def);
/* The same for a joint of several. */
stiction_status stiction_joint_get_def(const joint *joints, size_t count, size_t index,
                                       stiction_joint_def *def, stiction_error *error);

/* Whether a velocity or an effort is within the limits of a step. */
static inline bool joint_can_use(double value) {
    return fabs(value) <= STICTION_VELOCITY_LIMIT;
}

/* The inputs that a drive reads; 0 for those it does not need, which may have any value. */
static inline stiction_drive_input joint_drive_input(const joint *j, joint_input in) {
    const unsigned needs = j->needs;
    return (stiction_drive_input){needs & STICTION_NEEDS_POSITION ? in.position : 0,
                                  needs & STICTION_NEEDS_EFFORT ? in.effort : 0,
                                  needs & STICTION_NEEDS_EXTERNAL_TORQUE ? in.external_torque : 0,
                                  in.temperature};
}

/* Whether a drive can use all inputs: if the sum of magnitudes is within the limit, so is each. */
static inline bool joint_can_drive(double velocity, const stiction_drive_input *in) {
    const double temperature = isnan(in->temperature) ? 0 : in->temperature;
    return joint_can_use(fabs(velocity) + fabs(in->position) + fabs(in->motor_torque) +
                         fabs(in->external_torque) + fabs(temperature));
}

/* Whether steps of this joint can have produced each number of a memory. From such a memory a step
 * gives finite numbers and again such a memory. */
bool stiction_joint_can_remember(const joint *j, const joint_memory *m);
/* A quick test that is true for the memory of joints that only slide or hold; if it is false, the
 * memory may be legal, too. */
static inline bool joint_memory_is_plain(const joint *j, const joint_memory *m) {
    return !j->is_drive && m->position == 0 && m->start == 0 && m->direction == 0 &&
           m->last_base == 0 && m->reversed == 0 && fabs(m->slip) <= STICTION_VELOCITY_LIMIT &&
           fabs(m->deflection) * j->stiffness < STICTION_SPRING_LIMIT / 2 &&
           fabs(m->dissipated) < STICTION_SPRING_LIMIT;
}
/* The same with an error; `name` may be NULL. */
stiction_status stiction_joint_check_memory(const char *name, const joint *j, const joint_memory *m,
                                            stiction_status status, stiction_error *error);
/* The largest deflection of such a memory, rad. */
double stiction_joint_most_deflection(const joint *j);

/* The error for a larger deflection. */
stiction_status stiction_joint_refuse_deflection(const char *name, const joint *j,
                                                 double deflection, stiction_error *error);

/* When the stiffness of a joint changes, bristle and presliding elements keep their torques K e, as
 * far as the new joint has them. `drive` may be NULL. */
void stiction_joint_keep_torque(const joint *from, const joint *to, double *deflection,
                                stiction_drive_memory *drive);

/* A memory at rest. */
joint_memory stiction_joint_at_rest(void);

/* The fast step of a joint, or NULL. */
static inline const stiction_fast_step *joint_fast_step(const joint *j) {
    return j->fast;
}

/* The energy dissipated in a step, J: the work done on the joint minus the energy stored in the
 * bristle. */
static inline double joint_dissipation(double stiffness, double timestep, double velocity,
                                       double torque, double before, double after) {
    return torque * velocity * timestep -
           (0.5 * stiffness * after * after - 0.5 * stiffness * before * before);
}

/* STICTION_JOINT_LEVELS of one joint. */
#define JOINT_LEVEL_FIELD(type, name, unit, description) type name;
typedef struct joint_levels {
    STICTION_JOINT_LEVELS(JOINT_LEVEL_FIELD)
} joint_levels;
#undef JOINT_LEVEL_FIELD

/* For STICTION_JOINT_LEVELS: writes entry `k` of the arrays of `output` from `levels`, the
 * variables of these names where it is used. */
#define WRITE_LEVEL(type, name, unit, description)                                                 \
    if (output->name) output->name[k] = levels.name;

/* The levels of a step whose law has these parameters, and breaks away at this torque. Elements
 * beside the law add their limits to both levels. */
joint_levels stiction_joint_levels_of(const stiction_law_parameters *law, double breakaway,
                                      double beside, double temperature);
/* The levels of the next step. */
joint_levels stiction_joint_levels(const joint *j, joint_input in, const joint_memory *m);

/* One step of one joint. False, without changing the memory, if an input or the result cannot be
 * used. */
bool stiction_joint_step(const joint *j, joint_input in, joint_memory *m, joint_result *r);

/* d torque/d velocity of the next step from this memory. */
double stiction_joint_slope(const joint *j, joint_input in, const joint_memory *m);

#endif
