/* SPDX-License-Identifier: MIT */
/* The little geometry that reading a robot needs. */
#include "rotation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "mujoco_compile/mujoco_versions.h"

void frame3_tensor(const frame3 *f, const double tensor[9], double out[9]) {
    double half[9];
    mju_mulMatMat(half, f->linear, tensor, 3, 3, 3);
    mju_mulMatMatT(out, half, f->linear, 3, 3, 3);
}

bool rotation_is_proper(const double R[9]) {
    double product[9], cross[3];
    mju_mulMatMatT(product, R, R, 3, 3, 3);
    for (int k = 0; k < 9; k++)
        if (!(fabs(product[k] - frame3_identity.linear[k]) < 1e-4)) return false;
    mju_cross(cross, R, R + 3);
    return mju_dot3(cross, R + 6) > 0;
}

/* Turns the plane (p, q) so that D[p][q] becomes 0: one rotation of Jacobi's. */
static void turn(double D[9], double axes[9], int p, int q) {
    if (D[3 * p + q] == 0) return;
    const double tau = (D[4 * q] - D[4 * p]) / (2 * D[3 * p + q]);
    const double t = copysign(1, tau) / (fabs(tau) + sqrt(1 + tau * tau));
    const double c = 1 / sqrt(1 + t * t), s = t * c;
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, tmp[9];
    R[4 * p] = R[4 * q] = c;
    R[3 * p + q] = s;
    R[3 * q + p] = -s;
    mju_mulMatTMat(tmp, R, D, 3, 3, 3);
    mju_mulMatMat(D, tmp, R, 3, 3, 3);
    D[3 * p + q] = D[3 * q + p] = 0;
    mju_mulMatMat(tmp, axes, R, 3, 3, 3);
    memcpy(axes, tmp, sizeof tmp);
}

void principal_axes(const double A[9], double moments[3], double axes[9]) {
    double D[9];
    memcpy(D, A, sizeof D);
    memcpy(axes, frame3_identity.linear, 9 * sizeof *axes);
    const double size = fabs(A[0]) + fabs(A[4]) + fabs(A[8]);
    /* it converges quadratically: four sweeps do, the bound is for numbers that are not */
    for (int sweep = 0; sweep < 20; sweep++) {
        if (fabs(D[1]) + fabs(D[2]) + fabs(D[5]) <= DBL_EPSILON * DBL_EPSILON * size) break;
        turn(D, axes, 0, 1);
        turn(D, axes, 0, 2);
        turn(D, axes, 1, 2);
    }
    for (int k = 0; k < 3; k++) moments[k] = D[4 * k];
}
