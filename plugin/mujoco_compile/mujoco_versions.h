/* SPDX-License-Identifier: MIT
 * MuJoCo's header, of version 2.2 (Debian 12) or 3 (from 3.3 on): what differs between them is
 * here, and only here. Tried with 2.2.2, 3.3.6, 3.9.0 and 3.12.1.
 */
#ifndef STICTION_MUJOCO_VERSIONS_H
#define STICTION_MUJOCO_VERSIONS_H

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <string.h>

/* 222 is 2.2.2, 337 is 3.3.7, and then 3009000 is 3.9.0. */
#define MUJOCO_IS_3 (mjVERSION_HEADER >= 300)

#if MUJOCO_IS_3
/* Counts of a model are 64 bits wide, and arguments of functions are ints as they were. Robots are
 * small; with MuJoCo 2 the compiler looks after all other conversions. */
#pragma GCC diagnostic ignored "-Wconversion"

/* They have other names, and another order. */
static inline void mju_rotVecMat(mjtNum to[3], const mjtNum vector[3], const mjtNum matrix[9]) {
    mju_mulMatVec3(to, matrix, vector);
}
static inline void mju_rotVecMatT(mjtNum to[3], const mjtNum vector[3], const mjtNum matrix[9]) {
    mju_mulMatTVec3(to, matrix, vector);
}

/* Of an mjvLight: the sun. */
#define MUJOCO_SUN .type = mjLIGHT_DIRECTIONAL, .texid = -1

/* A message of the compiler names its object after one of these, up to the end. */
#define MUJOCO_NAME_KEYS                                                                           \
    { "Element name '", "repeated name '" }
#define MUJOCO_NAME_END "'"

/* Of an mjModel: which equalities act from the start. */
#define MUJOCO_EQ_ACTIVE eq_active0
/* The flag that switches springs off. */
#if mjVERSION_HEADER >= 336
#define MUJOCO_NO_SPRINGS mjDSBL_SPRING
#else
#define MUJOCO_NO_SPRINGS mjDSBL_PASSIVE
#endif
/* From where bodies count in exclude_signature. */
#define MUJOCO_FIRST_EXCLUDED 0
#else
#define MUJOCO_EQ_ACTIVE      eq_active
#define MUJOCO_NO_SPRINGS     mjDSBL_PASSIVE
#define MUJOCO_FIRST_EXCLUDED 1
#define MUJOCO_SUN            .directional = 1
#define MUJOCO_NAME_KEYS                                                                           \
    { "Object name = " }
#define MUJOCO_NAME_END ",\n"
#endif

/* Whether two shapes may touch in as many points as a collision function finds; later versions have
 * set aside memory for those of their own. */
#define MUJOCO_HAS_ROOM_FOR_CONTACTS (mjVERSION_HEADER < 3008000)

/* qM of the positions that mj_comPos has seen. */
static inline void mujoco_compute_inertia(const mjModel *model, mjData *data) {
#if mjVERSION_HEADER >= 334
    mj_makeM(model, data); /* mj_crb alone writes another matrix */
#else
    mj_crb(model, data);
#endif
}

/* The inertia matrix row by row along the parents of each degree of freedom: (i, i), (i, parent of
 * i), and so on to the root. */
static inline void mujoco_pack_inertia(const mjModel *model, const mjData *data, mjtNum *packed) {
#if mjVERSION_HEADER < 3011000
    mju_copy(packed, data->qM, model->nM);
#else
    for (int k = 0; k < model->nv; k++) {
        /* columns ascend; zeros of bodies that are simple may be left out */
        int at = model->M_rowadr[k] + model->M_rownnz[k] - 1;
        for (int i = k; i >= 0; i = model->dof_parentid[i]) {
            const bool is_there = at >= model->M_rowadr[k] && model->M_colind[at] == i;
            *packed++ = is_there ? data->M[at--] : 0;
        }
    }
#endif
}

#if MUJOCO_IS_3
/* Whether MuJoCo damps a degree of freedom by itself. */
static inline bool mujoco_is_damped(const mjModel *model, int dof) {
#ifdef mjNPOLY
    for (int k = 0; k < mjNPOLY; k++)
        if (model->dof_dampingpoly[mjNPOLY * dof + k] != 0) return true;
#endif
    return model->dof_damping[dof] != 0;
}

/* Whether flags make MuJoCo leave out all passive forces, of plugins as well. */
static inline bool mujoco_skips_passive(const mjModel *model) {
#if mjVERSION_HEADER >= 336
    const int all = mjDSBL_SPRING | mjDSBL_DAMPER;
#else
    const int all = mjDSBL_PASSIVE;
#endif
    return (model->opt.disableflags & all) == all;
}

/* Whether flags leave its dampers in. */
static inline bool mujoco_has_dampers(const mjModel *model) {
#if mjVERSION_HEADER >= 336
    return (model->opt.disableflags & mjDSBL_DAMPER) == 0;
#else
    return (model->opt.disableflags & mjDSBL_PASSIVE) == 0;
#endif
}

/* Whether bodies at rest may be left out of steps. */
static inline bool mujoco_may_sleep(const mjModel *model) {
#if mjVERSION_HEADER >= 340
    return (model->opt.enableflags & mjENBL_SLEEP) != 0;
#else
    (void)model;
    return false;
#endif
}

/* Before the function that registers plugins when the library is loaded. */
#if mjVERSION_HEADER >= 3007000
#define MUJOCO_PLUGIN_INIT mjPLUGIN_LIB_INIT(stiction)
#else
#define MUJOCO_PLUGIN_INIT mjPLUGIN_LIB_INIT
#endif
#endif

/* The length at which the spring of a tendon is slack: a number, or two ends of a range. */
static inline double mujoco_rest(const mjModel *model, int tendon) {
    return model->tendon_lengthspring[(MUJOCO_IS_3 ? 2 : 1) * tendon];
}
static inline void mujoco_set_rest(mjModel *model, int tendon, double rest) {
    for (int k = 0; k < (MUJOCO_IS_3 ? 2 : 1); k++)
        model->tendon_lengthspring[(MUJOCO_IS_3 ? 2 : 1) * tendon + k] = rest;
}

/* What a model has that acts, that MuJoCo 2 does not know and that no reader takes over; NULL:
 * nothing. */
static inline const char *mujoco_find_unread(const mjModel *model) {
#if MUJOCO_IS_3
    if (model->nflex > 0) return "a flex";
    for (int k = 0; k < model->ntendon; k++) {
        const mjtNum *rest = model->tendon_lengthspring + 2 * k;
        if (model->tendon_armature[k] > 0) return "a tendon with armature";
        if (model->tendon_stiffness[k] > 0 && rest[0] != rest[1])
            return "a tendon whose spring is slack over a range";
    }
#ifdef mjNPOLY
    for (int k = 0; k < mjNPOLY * model->njnt; k++)
        if (model->jnt_stiffnesspoly[k] != 0) return "a joint whose spring is not linear";
    for (int k = 0; k < mjNPOLY * model->ntendon; k++)
        if (model->tendon_stiffnesspoly[k] != 0 || model->tendon_dampingpoly[k] != 0)
            return "a tendon whose spring or damper is not linear";
#endif
#else
    (void)model;
#endif
    return NULL;
}

/* A text as a file in memory. False: no memory. */
static inline bool mujoco_add_text(mjVFS *files, const char *name, const char *text, size_t size) {
#if MUJOCO_IS_3
    return mj_addBufferVFS(files, name, text, (int)size) == 0;
#else
    if (mj_makeEmptyFileVFS(files, name, (int)size) != 0) return false;
    memcpy(files->filedata[files->nfile - 1], text, size);
    return true;
#endif
}

#endif
