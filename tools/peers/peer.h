/* SPDX-License-Identifier: MIT
 * The interface of a contestant of the comparison of simulators: a planar chain of links, each on a
 * joint with friction, that is loaded, stepped and read. A contestant is one file, and a row in
 * contestants.c; docs/benchmarks.md says how to add one.
 */
#ifndef STICTION_PEERS_PEER_H
#define STICTION_PEERS_PEER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_MOST_LINKS = 64 };

/* All links are equal, all joints parallel. A link reaches from its joint to the next one along x.
 */
typedef struct chain {
    int count;
    double length;         /* m, between joints */
    double centre;         /* m, of mass, from the joint */
    double mass;           /* kg */
    double inertia;        /* kg m^2, about the centre of mass */
    double gravity;        /* m/s^2, along -y of the plane */
    double timestep;       /* s */
    double static_torque;  /* F_S, N m; 0: no friction at all */
    double coulomb_torque; /* F_C, N m */
    double stribeck;       /* v_S, rad/s */
    double viscous;        /* N m s/rad */
} chain;

typedef struct peer {
    const char *name;
    const char *settings; /* as its documentation offers them */
    bool has_stiction;    /* static friction may be above kinetic friction */
    const char *(*version)(void);
    /* At rest with all positions 0. NULL: this contestant cannot simulate that. */
    void *(*create)(const chain *c);
    void (*destroy)(void *made);
    /* One step under these torques of motors, N m. */
    void (*step)(void *made, const double *torque);
    void (*read)(const void *made, double *position, double *velocity);
    void (*place)(void *made, const double *position, const double *velocity);
} peer;

/* The level of a contestant with one level of friction: where a problem is about sticking alone it
 * is F_S, else F_C; the problem sets both levels to it. */

/* Those that were built; ends with NULL. */
extern const peer *const contestants[];

#ifdef __cplusplus
}
#endif

#endif
