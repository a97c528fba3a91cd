/*
 * Friction compensation: the torque that friction takes from a joint that moves with a given
 * velocity, of the same laws and the same file that a simulation uses. It knows no controller: what
 * velocity that is, is the caller's choice. It must not be the measured one: near rest its sign is
 * noise, and the torque jumps with it.
 */
#ifndef STICTION_CONTROLLERS_COMPENSATION_COMPENSATION_H
#define STICTION_CONTROLLERS_COMPENSATION_COMPENSATION_H

#include <stddef.h>

#include "stiction/error.h"

STICTION_BEGIN_C

typedef struct compensation compensation;

/*
 * Reads a configuration of friction for these joints. A joint that the file does not name has none,
 * one whose law has no Phi (the models of the literature) is an error. Unless OK, *result is NULL.
 */
stiction_status compensation_create(const char *path, const char *const *joints, size_t count,
                                    compensation **result, stiction_error *error);
void compensation_destroy(compensation *c);

/*
 * The torque for a velocity, rad/s: share Phi(v) v/sqrt(v^2 + edge^2). The edge, rad/s, > 0, makes
 * it smooth where Phi jumps from -F_S to F_S: 0 at rest, 0.7 Phi at the edge, and within 1 % of Phi
 * from 7 edges on.
 */
double compensation_torque(const compensation *c, size_t joint, double velocity, double share,
                           double edge);

STICTION_END_C

#endif
