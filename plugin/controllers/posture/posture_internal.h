/* SPDX-License-Identifier: MIT
 * What the files of the posture controller share: its keys, its structs, and how it reports.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_POSTURE_INTERNAL_H
#define STICTION_CONTROLLERS_POSTURE_POSTURE_INTERNAL_H

#include "document/fail.h"
#include "posture.h"
#include "posture_config.h"

/* Keys of definitions, files and options: one table. */

typedef enum key_kind {
    KEY_PLAIN,
    KEY_ANGLE,  /* or its derivatives: degrees in files, unless the joint is prismatic */
    KEY_TARGET, /* the same, but a torque for POSTURE_TORQUE */
    KEY_WORD,   /* an enum, in the order of the words of info.unit */
    KEY_SWITCH, /* a bool: the second word of info.unit */
    KEY_FILE,   /* a path: const char * */
    /* only in sections of files, see whole_body_config.c: */
    KEY_VECTOR, /* double[3] */
    KEY_LINK,   /* size_t: the index of a link of the robot */
    KEY_TEXT,   /* const char *: any scalar */
    KEY_NODE    /* const tree_node *: read by the caller */
} key_kind;

typedef struct key_domain {
    double minimum, maximum;
    bool exclusive; /* the minimum itself is not allowed */
    bool limit;     /* may be infinite: none */
    bool optional;  /* may be NaN: not given */
} key_domain;

extern const key_domain domain_any, domain_not_negative, domain_positive;

typedef struct posture_key {
    posture_key_info info;
    key_kind kind;
    bool of_controller;       /* a field of posture_def; else of posture_joint_def or a section */
    size_t offset;            /* of its field */
    const key_domain *domain; /* of a number; else NULL */
} posture_key;

const posture_key *posture_key_at(size_t index); /* NULL past the end */

enum { POSTURE_MESSAGE = 256 };

/* Whether a key may have this value; otherwise the message contains the reason. */
bool posture_key_accepts(const posture_key *key, double value, char message[POSTURE_MESSAGE]);

/* What is wrong with a joint: the name of the key at fault and a message; NULL: nothing. */
const char *joint_problem(const posture_joint_def *def, posture_mode mode,
                          char message[POSTURE_MESSAGE]);

/* Structs. */

struct posture {
    posture_def def; /* its joints are ours */
    posture_joint_def *joints;
    bool integrates, has_velocity_limits, has_joint_limits;
};

enum { event_count = 5 };

struct posture_state {
    const posture *controller;

    /* what a run remembers */
    bool started;
    uint64_t counts[event_count];
    double *memory;   /* integral, start and last, in one block */
    double *integral; /* of ddq_r, rad/s */
    double *start;    /* q of the first step, rad */
    double *last;     /* torque of the last step, N m */

    /* the step at hand */
    double *reference;       /* ddq_r, or the torque outside of POSTURE_QP */
    double *wanted;          /* ddq_r, or the nearest to it that keeps relaxed limits */
    double *acceleration;    /* ddq */
    double *torque;          /* N m */
    double *integral_torque; /* tau_p, N m */
    double *next_integral;   /* rad/s */
    double *push;            /* lambda (integral - dq), rad/s^2 */
    size_t blocking;

    /* the quadratic program, over x = weight (ddq - wanted): 1/2 x'x */
    double *H, *g, *A, *lower, *upper, *x;
    void *workspace;
};

#endif
