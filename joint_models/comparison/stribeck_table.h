/* SPDX-License-Identifier: MIT
 * The Stribeck law through a linear look-up table, as Cisneros et al. computed it (section V-A).
 * To compare with: with 1024 entries it is off by some 1e-4 N m where the closed form is exact.
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_STRIBECK_TABLE_H
#define STICTION_JOINT_MODELS_COMPARISON_STRIBECK_TABLE_H

#include "joint_models/sliding.h"

STICTION_BEGIN_C

typedef struct stiction_stribeck_table {
    stiction_phi_z phi_z;
    stiction_line line;    /* that the law tends to */
    const double *entries; /* the caller's */
    size_t count;
    double start;   /* Z F_S exactly, rad/s */
    double spacing; /* rad/s */
} stiction_stribeck_table;

/* Fills `entries` (count >= 2), which must outlive the table. False unless phi_z is Stribeck's. */
bool stiction_stribeck_table_init(stiction_stribeck_table *table, const stiction_phi_z *phi_z,
                                  double *entries, size_t count);

double stiction_stribeck_table_at(const stiction_stribeck_table *table, double x);

STICTION_END_C

#endif
