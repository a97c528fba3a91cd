/* SPDX-License-Identifier: MIT
 * The compliant whole-body controller: accelerations of the base and the joints and forces of the
 * contacts that realise weighted tasks under the dynamics of the floating base and all limits, by
 * one quadratic program a step; torques follow by inverse dynamics. (50) and (51) of Cisneros et
 * al. for a body that stands. Plain C for any host; a control step allocates nothing and cannot
 * fail.
 *
 *     tasks       kp (x_d - x) + kv (dx_d - dx) + feedforward ddx_d
 *     posture     the joints' own (50); joints without a trajectory follow the tasks
 *     push        lambda (integral of ddq_r - dq), added to all of them
 *     rows        base: M a + c = J'f   contacts: J a + (dJ/dt) v = 0   forces >= 0
 *                 joints: M a + c - J'f + feed-forward within the torque limits, velocity and joint
 *                 limits
 */
#ifndef STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_H
#define STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "controllers/compensation/compensation.h"
#include "controllers/posture/posture.h"
#include "stiction/controller.h"

STICTION_BEGIN_C

typedef enum whole_body_kind {
    WHOLE_BODY_COM,         /* the centre of mass */
    WHOLE_BODY_ORIENTATION, /* of a link */
    WHOLE_BODY_POSITION,    /* of a point of a link */
    WHOLE_BODY_POSE         /* both */
} whole_body_kind;

/* A part of a task's path: from `time` on, for `duration`, to a place. Between moves the task
 * rests. */
typedef struct whole_body_move {
    double time, duration; /* s; duration 0: at once */
    bool is_absolute;      /* `to` is a place in the world; otherwise relative to the task's
                            * first position */
    double to[3];          /* m */
    double turn[3];        /* rad, a rotation vector in the world, from the task's first
                            * orientation */
} whole_body_move;

typedef struct whole_body_task {
    const char *name;
    whole_body_kind kind;
    size_t link;         /* its number in the setup; not for WHOLE_BODY_COM */
    double point[3];     /* m: in the link's frame, for a position or pose */
    double kp, kv;       /* s^-2, s^-1, >= 0 */
    double feedforward;  /* >= 0: the share of the path's acceleration that is fed forward */
    double weight;       /* > 0 */
    bool axes[3];        /* of the world: which count */
    posture_shape shape; /* of the moves: step, ramp or smooth */
    const whole_body_move *moves;
    size_t move_count;
} whole_body_task;

typedef enum whole_body_closing {
    WHOLE_BODY_BY_FORCE, /* closed while the floor presses */
    WHOLE_BODY_TOLD      /* from `from` until `until`, whatever the forces are */
} whole_body_closing;

enum { WHOLE_BODY_CORNERS = 8, WHOLE_BODY_GENERATORS = 4 };

typedef struct whole_body_contact {
    const char *name;
    size_t link;
    double corners[WHOLE_BODY_CORNERS][3]; /* m: in the link's frame */
    size_t corner_count;                   /* 1: a point, three rows; 3 and more: six rows */
    double normal[3];                      /* of length 1, in the link's frame: into the body */
    double friction;                       /* > 0: the coefficient assumed for the pyramids */
    double kv;                             /* s^-1, >= 0: the rate at which a moving contact is
                                            * braked */
    whole_body_closing closing;
    double from, until;             /* s: closed only in this interval */
    double close_force, open_force; /* N, along the normal; open_force < close_force */
} whole_body_contact;

typedef struct whole_body_def {
    posture_def posture;   /* joints, gains, limits, integral, compensation, period */
    double posture_weight; /* > 0: of the posture among the tasks */
    double base_lambda;    /* s^-1, >= 0: of the integral term, for the base */
    double force_weight;   /* > 0: of the forces; must be small compared to the weights of tasks */
    const bool *apart;     /* a joint: its (50) is kept outside of the program; NULL: none */
    bool floating;         /* the base moves freely */
    double gravity[3];     /* m/s^2 */
    double timestep;       /* s */
    size_t link_count;     /* of the links whose Jacobians are needed, */
    const size_t *links;   /* their numbers, each once */
    size_t task_count;
    const whole_body_task *tasks;
    size_t contact_count;
    const whole_body_contact *contacts;
    compensation *friction; /* to feed forward; NULL: none. It has a run of its own */
} whole_body_def;

typedef struct whole_body whole_body;

/* A controller and its run. The definition and all that it points to must outlive it. Unless OK,
 * *body is NULL. */
stiction_status whole_body_create(const whole_body_def *def, whole_body **body,
                                  stiction_error *error);
void whole_body_destroy(whole_body *body);
const whole_body_def *whole_body_definition(const whole_body *body);
/* Back to before the first step, with no events counted. */
void whole_body_reset(whole_body *body);

/* What may happen in a step. */
typedef enum whole_body_event {
    WHOLE_BODY_CLAMPED,                 /* a torque was cut to its limit */
    WHOLE_BODY_RELAXED_JOINT_LIMITS,    /* relaxed first, */
    WHOLE_BODY_RELAXED_VELOCITY_LIMITS, /* then these, */
    WHOLE_BODY_RELAXED_CONTACTS,        /* then contacts may accelerate; torque limits never */
    WHOLE_BODY_HELD,                    /* no solution was found: the last torque again */
    WHOLE_BODY_FAULT,                   /* an input was not finite or missing: torque 0 */
    WHOLE_BODY_OPENED,                  /* a contact opened */
    WHOLE_BODY_CLOSED,                  /* a contact closed */
    WHOLE_BODY_EVENTS
} whole_body_event;

/* One control step. The torque is finite and within its limits, always. */
void whole_body_step(whole_body *body, const stiction_controller_input *in, double *torque);

/* In how many steps since the reset an event happened. */
uint64_t whole_body_count(const whole_body *body, whole_body_event event);

/* What the last step found, for records; all in the world. */
typedef struct whole_body_view {
    double mass;                                      /* kg */
    double com[3], com_reference[3], com_velocity[3]; /* m, m/s */
    double com_asked[3];   /* m/s^2: the acceleration that the task asked for */
    double com_planned[3]; /* the one that the program found */
    double cop[2];         /* m: where the program presses on the floor; NaN: nowhere */
    double base_tilt;      /* rad: between the base and its orientation task, or the start */
    size_t closed;         /* contacts */
    size_t variables, rows, iterations;
    const double *acceleration;       /* dof: of the program */
    const double *reference;          /* joints: where they should be, rad */
    const double *reference_velocity; /* rad/s */
    const double *integral_torque;    /* joints: of (51), N m */
    const double *feedforward;        /* joints: N m */
} whole_body_view;

whole_body_view whole_body_last_step(const whole_body *body);
/* How far a task was from where it should be at the last step: m, or rad of an orientation; of a
 * pose the position's. */
double whole_body_task_error(const whole_body *body, size_t task);

STICTION_END_C

#endif
