/* SPDX-License-Identifier: MIT
 * What the laws with a load read of a step: positions, and the torques from outside that the drives
 * have to bear (docs/drives.md, "The external torque"): gravity and the like of the start of the
 * step, and the constraints of the one before, which mjData.userdata carries on. No friction is in
 * it.
 */
#include <string.h>

#include "friction_internal.h"

static bool reads(const friction_part *part, unsigned what) {
    return (part->needs & what) != 0;
}

/* Pushes on links, as torques of all degrees of freedom; NULL if there are none. */
static const double *push_torques(const friction *f, mjData *data) {
    const mjModel *model = f->world->model;
    bool any = false;
    for (int body = 1; body < model->nbody; body++) {
        mjtNum *wrench = data->xfrc_applied + 6 * body;
        if (mju_isZero(wrench, 6)) continue;
        if (!any) mju_zero(f->pushed, model->nv);
        any = true;
        mj_applyFT(model, data, wrench, wrench + 3, data->xipos + 3 * body, body, f->pushed);
    }
    return any ? f->pushed : NULL;
}

static void read_part(const friction *f, const friction_part *part, const mjData *data,
                      const double *pushed) {
    const double *carried = friction_carried(f, data);
    for (size_t k = part->first; k < part->first + part->count; k++) {
        const int dof = f->world->joints[k].velocity;
        /* passive forces are springs here: worlds have no MuJoCo dampers */
        f->last.external_torque[k] = data->qfrc_passive[dof] - data->qfrc_bias[dof] +
                                     (pushed ? pushed[dof] : 0) + carried[k];
    }
}

void friction_read_loads(const friction *f, mjData *data) {
    const double *pushed = NULL;
    bool looked = false;
    for (const friction_part *part = f->parts; part; part = part->next) {
        if (reads(part, STICTION_NEEDS_POSITION))
            for (size_t k = part->first; k < part->first + part->count; k++)
                f->position[k] = data->qpos[f->world->joints[k].position];
        if (!reads(part, STICTION_NEEDS_EXTERNAL_TORQUE)) continue;
        if (!looked) pushed = push_torques(f, data);
        looked = true;
        read_part(f, part, data, pushed);
    }
}

void friction_carry_constraints(const friction *f, const mjData *data) {
    double *carried = friction_carried(f, data);
    for (const friction_part *part = f->parts; part; part = part->next) {
        if (!reads(part, STICTION_NEEDS_EXTERNAL_TORQUE)) continue;
        /* of contacts, limits and equalities: the world has no friction of MuJoCo's own besides
         * ours. Without a constraint qfrc_constraint is not written. */
        for (size_t k = part->first; k < part->first + part->count; k++)
            carried[k] = data->nefc ? data->qfrc_constraint[f->world->joints[k].velocity] : 0;
    }
}
