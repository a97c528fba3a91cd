/* The poses at which a robot is looked at: ends of the ranges, and an even spread over them. */
#include "poses.h"

#include <math.h>

enum { ends = 2, spread_poses = 200 };

void pose_range(const robot_joint *joint, double *lower, double *upper) {
    const double reach = joint->type == ROBOT_REVOLUTE ? mjPI : 1;
    *lower = isfinite(joint->lower) ? joint->lower : fmin(-reach, joint->upper - 2 * reach);
    *upper = isfinite(joint->upper) ? joint->upper : fmax(reach, joint->lower + 2 * reach);
}

static unsigned next_prime(unsigned prime) {
    for (;;) {
        unsigned divisor = 2;
        prime++;
        while (divisor * divisor <= prime && prime % divisor != 0) divisor++;
        if (divisor * divisor > prime) return prime;
    }
}

size_t pose_count(const robot *r) {
    return 1 + ends + ends * r->joint_count + spread_poses;
}

/* The position of joint k in a pose, within lower and upper. */
static double position_at(size_t index, size_t k, size_t joints, unsigned prime, double lower,
                          double upper) {
    const size_t single = 1 + ends, spread = single + ends * joints;
    const double neutral = fmax(lower, fmin(0, upper));
    if (index == 0) return neutral;
    if (index < single) return index == 1 ? lower : upper;
    if (index < spread) {
        const size_t which = index - single;
        return which / ends != k ? neutral : which % ends ? upper : lower;
    }
    /* Richtmyer's sequence: multiples of the roots of the primes, modulo 1 */
    const double x = (double)(index - spread + 1) * sqrt(prime);
    return lower + (upper - lower) * (x - floor(x));
}

void pose_at(const robot *r, size_t index, double *positions) {
    unsigned prime = 1;
    for (size_t k = 0; k < r->joint_count; k++) {
        double lower, upper;
        pose_range(&r->joints[k], &lower, &upper);
        prime = next_prime(prime);
        positions[k] = position_at(index, k, r->joint_count, prime, lower, upper);
    }
}
