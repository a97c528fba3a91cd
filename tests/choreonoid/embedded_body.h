/* SPDX-License-Identifier: MIT */
/* A robot of a project on the embedded engine, for tests in C++, which its headers are not for. */
#ifndef STICTION_TESTS_CHOREONOID_EMBEDDED_BODY_H
#define STICTION_TESTS_CHOREONOID_EMBEDDED_BODY_H

#include <stdbool.h>

#include "stiction/controller.h"

STICTION_BEGIN_C

typedef struct embedded_body embedded_body;

/* The first body with joints; NULL: the project cannot be used. */
embedded_body *embedded_body_load(const char *path);
void embedded_body_free(embedded_body *e);

bool embedded_body_floats(const embedded_body *e);
size_t embedded_body_dof(const embedded_body *e);
size_t embedded_body_joint_count(const embedded_body *e);
stiction_controller_joint embedded_body_joint(const embedded_body *e, size_t joint);
size_t embedded_body_link_count(const embedded_body *e);
const char *embedded_body_link(const embedded_body *e, size_t link);
const double *embedded_body_gravity(const embedded_body *e);

/* Where it is and how it moves. A fixed base stays where the project has it. */
typedef struct embedded_pose {
    double position[3], rotation[4], linear[3], angular[3];
} embedded_pose;
void embedded_body_put(embedded_body *e, const embedded_pose *base, const double *q,
                       const double *dq);

/* As it is now. */
embedded_pose embedded_body_base(const embedded_body *e);
void embedded_body_mass_matrix(const embedded_body *e, double *mass_matrix);
void embedded_body_bias(const embedded_body *e, double *bias);
void embedded_body_jacobian(const embedded_body *e, size_t link, double *jacobian);
stiction_controller_link_state embedded_body_link_state(const embedded_body *e, size_t link);

STICTION_END_C

#endif
