/* SPDX-License-Identifier: MIT
 * The state of one body of a world, in the frames and the order of stiction/controller.h: the
 * velocities of a floating base first (linear and angular in the world's frame), then the joints.
 * `data` has its positions and velocities computed (mj_step1).
 */
#ifndef STICTION_MUJOCO_BODY_VIEW_H
#define STICTION_MUJOCO_BODY_VIEW_H

#include "stiction/controller.h"
#include "world.h"

STICTION_BEGIN_C

/* Velocities of a body: its joints, and 6 of a base that floats. */
size_t body_view_dof(const world *w, size_t body);

/* A link's name in the robot's file, the base's first; NULL past the end. */
const char *body_view_link(const world *w, size_t body, size_t link);

/* Pose and velocity of the base's frame. */
typedef struct body_base {
    double position[3], rotation[4], linear[3], angular[3];
} body_base;
body_base body_view_base(const world *w, const mjData *data, size_t body);

/* dof x dof; dof; 6 x dof. */
void body_view_mass_matrix(const world *w, const mjData *data, size_t body, double *mass_matrix);
void body_view_bias(const world *w, const mjData *data, size_t body, double *bias);
void body_view_jacobian(const world *w, const mjData *data, size_t body, size_t link,
                        double *jacobian);
/* The pose of a link, and its acceleration if no velocity of the body changed. */
stiction_controller_link_state body_view_link_state(const world *w, const mjData *data, size_t body,
                                                    size_t link);

/* Pose and velocity of a link; its other numbers are 0. */
stiction_controller_link_motion body_view_motion(const world *w, const mjData *data, size_t body,
                                                 size_t link);
/* What a link exerts on its parent, about the origin of its frame. Call mj_rnePostConstraint
 * before, after mj_step2. */
void body_view_joint_wrench(const world *w, const mjData *data, size_t body, size_t link,
                            double force[3], double torque[3]);

/* Puts a body where a controller wants it to start, at rest; either may be NULL, see needs. */
void body_view_start(const world *w, mjData *data, size_t body, const double *joints,
                     const double *base);

/* Writes the links that touched something in the last step of `data`, at most one entry per link,
 * and returns their number. Call it after mj_step2 and before the next mj_step1, which finds new
 * contacts whose forces are not known yet. */
size_t body_view_contacts(const world *w, const mjData *data, size_t body,
                          stiction_controller_contact *contacts);

STICTION_END_C

#endif
