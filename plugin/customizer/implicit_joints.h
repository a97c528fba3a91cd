/* SPDX-License-Identifier: MIT
 * Implicit friction for a host that sees one joint at a time: each joint by itself, with the
 * inertia that the configuration gives it. What couples the joints, gravity and contacts are forces
 * of the last step to it, found from the momentum of the joint.
 */
#ifndef STICTION_CUSTOMIZER_IMPLICIT_JOINTS_H
#define STICTION_CUSTOMIZER_IMPLICIT_JOINTS_H

#include "stiction/stiction.h"

typedef struct implicit_joints implicit_joints;

/*
 * Whether the joints of a model are to be implicit: as the configuration says, or with auto as
 * coupling_decide finds for joints that move by themselves. `why` says why they cannot be; else it
 * is empty.
 */
bool implicit_joints_wanted(const stiction_config *config, const stiction_model *model,
                            double timestep, char *why, size_t size);

/* NULL: see *error. */
implicit_joints *implicit_joints_create(stiction_state *state, stiction_error *error);
void implicit_joints_destroy(implicit_joints *joints);

/* As stiction_step, with positions and the commanded efforts. */
stiction_status implicit_joints_step(implicit_joints *joints, double timestep,
                                     const double *position, const double *velocity,
                                     const double *command, double *friction,
                                     stiction_error *error);

#endif
