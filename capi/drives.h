/* SPDX-License-Identifier: MIT */
/* Joints of real drives, for the tables of joints. */
#ifndef STICTION_CAPI_DRIVES_H
#define STICTION_CAPI_DRIVES_H

#include "joint_internal.h"

extern const joint_kind stiction_drive_kind;

/* What a definition, complete, makes of a law. */
stiction_drive_def stiction_joint_drive_def(const stiction_joint_def *def, const stiction_law *law,
                                            double timestep);

/* What is wrong with the parameters of a drive together, as stiction_joint_check_orders. */
stiction_status stiction_joint_check_drive(const char *who, const stiction_joint_def *def,
                                           uint64_t uses, joint_conflict *conflict,
                                           stiction_error *error);

/* Whether viscosity is not too far from G = K T + B for double precision. */
stiction_status stiction_joint_check_viscosity(double viscous, double G, char *message,
                                               size_t size);
/* The error message of a verdict; `needed` is the value that G must exceed. */
stiction_status stiction_joint_refuse_verdict(const joint *j, stiction_law_verdict verdict,
                                              double needed, char *message, size_t size);

#endif
