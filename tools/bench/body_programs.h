/* SPDX-License-Identifier: MIT
 * The quadratic programs of a humanoid on two feet, for the bench and the tests of the solver: what
 * a whole-body controller asks at moments of a motion of the sample humanoid, with the mass matrix,
 * the bias and the Jacobians of the embedded engine. The same programs each time.
 *
 * Variables are the accelerations of base and joints, and 32 forces along the edges of friction
 * pyramids at the corners of the soles: 73, or 91 with the fingers. Rows are the six of the
 * floating base and six a foot, all equalities, then torques, accelerations and forces with two
 * bounds each.
 */
#ifndef STICTION_TOOLS_BENCH_BODY_PROGRAMS_H
#define STICTION_TOOLS_BENCH_BODY_PROGRAMS_H

#include <stdbool.h>

#include "controllers/qp/qp.h"
#include "stiction/error.h"

STICTION_BEGIN_C

typedef enum body_motion {
    BODY_STANDING, /* sways by less than a millimetre */
    BODY_SQUAT,    /* 10 cm down in 2 s, and up again */
    BODY_PUSH,     /* 0.1 s at the pelvis, and what is asked against it */
    body_motion_count
} body_motion;

const char *body_motion_name(body_motion motion);

typedef struct body_programs body_programs;

/* Of a project with the sample humanoid; NULL: see *error. */
body_programs *body_programs_create(const char *path, bool fingers, stiction_error *error);
void body_programs_destroy(body_programs *b);

/* The program at t (s) of a motion; it is overwritten by the next. */
qp_problem body_programs_at(body_programs *b, body_motion motion, double t);

STICTION_END_C

#endif
