/* SPDX-License-Identifier: MIT
 * The look-up table of Cisneros et al., section V-A: the first term of (27), tabulated over x from
 * Z F_S to where it is negligible, linear in between.
 * Only to compare with: the closed form is as fast and exact.
 */
#include "joint_models/comparison/stribeck_table.h"

#include <string.h>

#include "joint_models/exponential.h"

/* The term is tabulated until it has fallen to this part of its value at the threshold. */
static const double negligible = 1e-6;

bool stiction_stribeck_table_init(stiction_stribeck_table *table, const stiction_phi_z *phi_z,
                                  double *entries, size_t count) {
    if (!table || !phi_z || !phi_z->law || strcmp(phi_z->law->name, "stribeck") != 0 || !entries ||
        count < 2)
        return false;
    /* the term is at most F_SC/g e^(1-kappa-sigma) */
    const double sigma_end = 1 - stiction_ln(negligible);
    *table = (stiction_stribeck_table){.phi_z = *phi_z, .entries = entries, .count = count};
    table->line = stiction_line_of(phi_z);
    table->start = phi_z->Z * phi_z->breakaway;
    table->spacing = sigma_end / dd_round(stiction_sliding_rate(phi_z)) / (double)(count - 1);
    for (size_t k = 0; k < count; k++) {
        const double x = table->start + (double)k * table->spacing;
        entries[k] = stiction_phi_z_at(phi_z, x) - stiction_line_at(table->line, x);
    }
    return true;
}

double stiction_stribeck_table_at(const stiction_stribeck_table *table, double x) {
    const stiction_phi_z *phi_z = &table->phi_z;
    if (stiction_phi_z_sticks(phi_z, x) || !isfinite(x)) return stiction_phi_z_at(phi_z, x);
    const double a = fabs(x), place = (a - table->start) / table->spacing;
    const double line = stiction_line_at(table->line, a);
    if (!(place < (double)(table->count - 1))) return copysign(line, x);
    const size_t k = (size_t)fmax(place, 0);
    const double fraction = place - (double)k;
    const double term = table->entries[k] + fraction * (table->entries[k + 1] - table->entries[k]);
    return copysign(line + term, x);
}
