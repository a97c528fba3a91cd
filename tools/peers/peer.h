/* SPDX-License-Identifier: MIT
 * The interface of a contestant of the comparison of simulators: a planar chain of links, each on a
 * joint with friction, that is loaded, stepped and read. A contestant is one file, and a row in
 * contestants.c; README.md says how to add one.
 */
#ifndef STICTION_PEERS_PEER_H
#define STICTION_PEERS_PEER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_MOST_LINKS = 64 };

#define PEER_ROPE        1.0  /* m */
#define PEER_FOOT_HEIGHT 0.04 /* m, of a foot, which is as long as its link */
#define PEER_FOOT_WIDTH  0.2  /* m */
#define PEER_FLOOR       1.0  /* coefficient of friction of the feet */

/* All links are equal, all joints parallel. A link reaches from its joint to the next one along x.
 */
typedef struct chain {
    int count;
    int trunk, limb; /* after so many links it branches, into limbs of so many; 0: it does not */
    double length;   /* m, between joints */
    double centre;   /* m, of mass, from the joint */
    double mass;     /* kg */
    double inertia;  /* kg m^2, about the centre of mass */
    double gravity;  /* m/s^2, along -y of the plane */
    double timestep; /* s */
    double static_torque;  /* F_S, N m; 0: no friction at all */
    double coulomb_torque; /* F_C, N m */
    double stribeck;       /* v_S, rad/s */
    double viscous;        /* N m s/rad */
    bool is_loaded;        /* its friction changes with a load: set_level will be called */
    double weight;         /* kg: hangs on a rope from the tip of the last link; 0: none */
    bool stands;           /* the first link is free, and joint 0 only a place in the arrays, which
                              counts the turn of that link. The first and the last link are feet,
                              boxes around the link, on a floor that the first one touches */
} chain;

/* The link that link k is attached to; -1: none. */
static inline int peer_parent(const chain *c, int k) {
    return c->limb && k > c->trunk && (k - c->trunk) % c->limb == 0 ? c->trunk - 1 : k - 1;
}

typedef struct peer {
    const char *name;
    const char *settings; /* as its documentation offers them */
    bool has_stiction;    /* static friction may be above kinetic friction */
    bool is_remote;       /* it runs in another process, so that its time is not measured */
    const char *(*version)(void);
    /* At rest with all positions 0. NULL: this contestant cannot simulate that. */
    void *(*create)(const chain *c);
    void (*destroy)(void *made);
    /* One step under these torques of motors, N m. */
    void (*step)(void *made, const double *torque);
    /* NaN after a failure. */
    void (*read)(void *made, double *position, double *velocity);
    void (*place)(void *made, const double *position, const double *velocity);
    /* The friction of all joints from now on, N m, at least that of the chain. NULL: it stays. */
    void (*set_level)(void *made, double level);
} peer;

/* Those that were built; ends with NULL. */
extern const peer *const contestants[];

#ifdef __cplusplus
}
#endif

#endif
