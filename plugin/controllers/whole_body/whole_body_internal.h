/* SPDX-License-Identifier: MIT
 * What the files of the whole-body controller share.
 *
 * "Program" indices count the degrees of freedom that the quadratic program has: the base's six
 * where it floats, then the joints that are not kept apart. "dof" are those of the input.
 */
#ifndef STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_INTERNAL_H
#define STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_INTERNAL_H

#include "whole_body.h"

enum { most_task_rows = 6 };

/* What a row of a task asks for. */
typedef enum task_value {
    TASK_ACCELERATION, /* of J a + bias, less the bias */
    TASK_VELOCITY,     /* desired */
    TASK_LATER,        /* the same, compensation_lead later */
    TASK_ERROR,        /* the distance to where it should be */
    TASK_VALUES
} task_value;

/* What a task asks for in this step, and its rows. */
typedef struct task_rows {
    size_t count;
    double *J; /* count x p */
    double values[TASK_VALUES][most_task_rows];
    double weight;
} task_rows;

typedef struct contact_state {
    bool is_closed;
    double since; /* s: of the last opening or closing */
} contact_state;

/* Where a task began. */
typedef struct task_start {
    double position[3], rotation[4];
} task_start;

struct whole_body {
    void *block; /* all arrays below are cut from it */
    whole_body_def def;
    size_t n, base, dof; /* joints, 6 or 0, both */
    size_t p;            /* degrees of freedom of the program */
    size_t *dofs;        /* p: their numbers in the dof */
    size_t most_forces, most_contact_rows;

    /* what a run remembers */
    bool started;
    uint64_t counts[WHOLE_BODY_EVENTS];
    task_start *starts;
    contact_state *contacts;
    double *start;       /* n: q of the first step */
    double *follows;     /* n: where joints without a trajectory are led by the tasks */
    bool *is_led;        /* n */
    double *desired;     /* dof: the velocity that tasks and trajectories ask for */
    double *later;       /* dof: the same, compensation_lead later */
    double *goal;        /* n: where joints should be that are not led; else NaN */
    double *integral;    /* dof: of ddq_r, rad/s */
    double *led;         /* n: integral of the acceleration, with a leak, for `reference` */
    double *last_torque; /* n */
    double *last_M;      /* dof x dof, of the step before */
    bool has_last_M;

    /* the step at hand */
    unsigned events;
    double *v;                          /* dof: velocities */
    double *a;                          /* dof: accelerations of the solution */
    double *push;                       /* dof: of the integral term */
    double *bias;                       /* dof: with what else acts */
    double *coriolis;                   /* dof: C s */
    double *feedforward;                /* n: torque */
    double *external;                   /* n: torque of gravity and motion */
    double *ahead;                      /* n: the acceleration it would cause without friction */
    double *integral_torque;            /* n */
    posture_reference *references;      /* n */
    double *reference_q, *reference_dq; /* n: for records */
    double *asked_joints;               /* n: ddq_r of (50) */
    double *apart; /* dof: accelerations of joints that are kept apart; else 0 */
    task_rows *tasks;
    double *contact_J;    /* rows x p */
    double *contact_goal; /* rows */
    size_t contact_rows;
    double *generators;        /* most_forces x 6: force and torque about the link's frame */
    size_t *generator_contact; /* most_forces */
    size_t forces;
    double *JtG; /* dof x forces */
    size_t closed;
    whole_body_view view;

    /* the program */
    double *H, *Ha, *g, *A, *lower, *upper, *x, *b;
    size_t rows, motion_row, contact_row;
    signed char *active; /* a row: what the last solution held */
    size_t guessed_rows;
    void *workspace;
};

/* ---- vectors and rotations ---- */

static inline double dot3(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double *a, const double *b, double *to) {
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

/* Quaternions have w first. */
void turn_vector(const double q[4], const double v[3], double to[3]);
/* The rotation vector that leads from one orientation to the other, in the world. */
void turn_between(const double from[4], const double to[4], double vector[3]);
/* The orientation turned by a rotation vector of the world. */
void turn_by(const double vector[3], const double q[4], double to[4]);

/* ---- the parts of a step ---- */

typedef const stiction_controller_input *step_input;

/* Mass and centre of mass, with its velocity and the bias of its acceleration. */
typedef struct body_com {
    double mass, position[3], velocity[3], bias[3];
} body_com;

/* The index of a link among those whose Jacobians are needed. */
static inline size_t body_link(const whole_body *w, size_t link) {
    size_t k = 0;
    while (w->def.links[k] != link) k++;
    return k;
}

body_com body_com_of(const whole_body *w, step_input in);
/* (J v) of a row of a Jacobian. */
double body_along(const double *row, const double *v, size_t count);

/* The cost of a joint's own acceleration. */
static inline double body_posture_cost(const whole_body *w, size_t joint) {
    const double weight = w->def.posture.joints[joint].weight;
    return w->def.posture_weight * weight * weight;
}
/* Adds what tasks contribute to the gradient of a least-squares objective. */
void body_add_tasks(const whole_body *w, task_value value, double *g);

/* The present and the desired state of a task. */
void body_tasks_begin(whole_body *w, step_input in);
void body_tasks_rows(whole_body *w, step_input in);

/* Which contacts are closed, and their rows and forces. */
void body_contacts_detect(whole_body *w, step_input in);
void body_contacts_rows(whole_body *w, step_input in);

/* The joints' references, with those that follow the tasks; the desired velocity of all. */
void body_references(whole_body *w, step_input in);
void body_desired(whole_body *w, step_input in);

/* (51) and friction. */
void body_integral_begin(whole_body *w);
void body_integral_push(whole_body *w, step_input in);
void body_integral_advance(whole_body *w, step_input in);
void body_feedforward(whole_body *w, step_input in);

/* The quadratic program: false where it has no solution at any level. */
bool body_solve(whole_body *w, step_input in);
/* Ha, the tasks' part of the objective, from the rows of tasks. */
void body_objective(whole_body *w);

#endif
