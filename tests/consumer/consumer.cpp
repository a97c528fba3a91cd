/* SPDX-License-Identifier: MIT */
// Every public header in C++17, and a law at one point.
#include <cmath>
#include <cstdio>

#include <stiction/models/lambert_w.h>
#include <stiction/models/law.h>
#include <stiction/stiction.h>

int main() {
    stiction_law_parameters wrist = stiction_law_parameters_default();
    wrist.static_torque = 2.5;
    wrist.coulomb_torque = 0.4;
    wrist.stribeck_velocity = 0.06;
    wrist.viscous = 4.5;
    stiction_phi_z phi_z;
    if (stiction_phi_z_prepare(&phi_z, stiction_law_find("stribeck"), &wrist, 1.0 / 55) !=
        STICTION_LAW_OK)
        return 1;
    const double y = stiction_phi_z_at(&phi_z, -50), w = stiction_lambert_w0(1);
    std::printf("Phi_Z(-50) = %.15g, W0(1) = %.15g\n", y, w);
    return std::fabs(y + 208.35294117647058) < 1e-12 && std::fabs(w * std::exp(w) - 1) < 1e-15 ? 0
                                                                                               : 1;
}
