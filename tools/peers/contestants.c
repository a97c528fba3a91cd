/* SPDX-License-Identifier: MIT */
/* The contestants that were built. A new one is its file, a row here, and its lines in
 * CMakeLists.txt. */
#include <stddef.h>

#include "peer.h"

#ifdef PEER_MUJOCO_HAS_DCMOTOR
#define DCMOTOR(X) X(mujoco3_dcmotor)
#else
#define DCMOTOR(X)
#endif
#ifdef PEER_MUJOCO_IS_3 /* the programs with MuJoCo 3, which have no other contestants */
#define ALL(X) X(mujoco3_default) X(mujoco3_stiff) X(mujoco3_noslip) DCMOTOR(X)
#else
#define ALWAYS(X)                                                                                  \
    X(stiction_rigid)                                                                              \
    X(stiction_bristle)                                                                            \
    X(stiction_explicit)                                                                           \
    X(mujoco2_default)                                                                             \
    X(mujoco2_stiff)                                                                               \
    X(mujoco2_noslip)
#ifdef PEER_HAS_DART
#define DART(X) X(dart_coulomb)
#else
#define DART(X)
#endif
#ifdef PEER_HAS_ODE
#define ODE(X) X(ode_motor)
#else
#define ODE(X)
#endif
#ifdef PEER_HAS_BULLET
#define BULLET(X) X(bullet_motor)
#else
#define BULLET(X)
#endif
#ifdef PEER_HAS_SIMBODY
#define SIMBODY(X) X(simbody_tanh)
#else
#define SIMBODY(X)
#endif
#define FORMULAS(X) X(formula_tanh) X(formula_karnopp) X(formula_lugre)
#define ALL(X)      ALWAYS(X) DART(X) ODE(X) BULLET(X) SIMBODY(X) FORMULAS(X)
#endif

#define DECLARE(name) extern const peer name;
ALL(DECLARE)

#define ENTRY(name) &name,
const peer *const contestants[] = {ALL(ENTRY) NULL};
