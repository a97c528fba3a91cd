/* SPDX-License-Identifier: MIT */
/* Elements A to D of Kikuuwe et al. 2006 with Coulomb friction. */
#include "coulomb_element.h"

stiction_law_parameters coulomb_parameters(double F) {
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = p.coulomb_torque = F;
    p.stribeck_velocity = 1; /* not used */
    return p;
}

stiction_element coulomb_element(double F, const stiction_element_def *def) {
    stiction_element element;
    const stiction_law_parameters p = coulomb_parameters(F);
    (void)stiction_element_init(&element, def, stiction_law_find("coulomb"), &p);
    return element;
}

bool element_c_sticks(const stiction_element *element, double u, double e) {
    return stiction_phi_z_sticks(&element->phi_z, u + element->Z * element->def.stiffness * e);
}
