/* SPDX-License-Identifier: MIT
 * A joint that comes near an end of its range is held back so that it can still stop there.
 */
#include "joint_limits.h"

#include <math.h>

static double clamp(double value, double lower, double upper) {
    return fmin(fmax(value, lower), upper);
}

/* For how many steps a joint goes on before it begins to brake, see below. */
static const double unbraked_steps = 4;

/*
 * The largest velocity v towards an end of the range, `distance` away, from which the joint can
 * still stop: it goes on for a short time h and then brakes, h v + v^2/(2 braking) = distance. This
 * holds the joint back smoothly before the end and demands no more than `braking` on the way: where
 * v was kept in the last step, it can be kept in the next. The joint comes to the end as
 * exp(-t/h). With h of one step semi-implicit Euler does not cross the end; with h of four steps
 * neither does an integrator that moves on with the velocity of the start of the step, by more
 * than braking dt^2. Beyond the end (distance < 0) v leads back.
 */
static double stopping_velocity(double distance, double braking, double dt) {
    if (isinf(distance)) return distance;
    const double d = fabs(distance), h = unbraked_steps * dt;
    return copysign(2 * d / (h + sqrt(h * h + 2 * d / braking)), distance);
}

/* The velocities that a joint may have at the end of the step. */
static joint_range velocity_range(const posture_joint_def *joint, limit_level level, double q,
                                  double dt) {
    const double most = level < LIMITS_NONE ? joint->velocity_limit : (double)INFINITY;
    if (level > LIMITS_ALL) return (joint_range){-most, most};
    const double down = stopping_velocity(q - joint->lower_limit, joint->braking, dt);
    const double up = stopping_velocity(joint->upper_limit - q, joint->braking, dt);
    return (joint_range){clamp(-down, -most, most), clamp(up, -most, most)};
}

joint_range joint_acceleration_range(const posture_joint_def *joint, limit_level level, double q,
                                     double dq, double dt) {
    const joint_range v = velocity_range(joint, level, q, dt);
    return (joint_range){(v.lower - dq) / dt, (v.upper - dq) / dt};
}
