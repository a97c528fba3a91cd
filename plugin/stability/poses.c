/* SPDX-License-Identifier: MIT */
/* The poses at which a robot is judged. */
#include "poses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"

static const double pi = 3.14159265358979323846;
/* A limit beyond it counts as no limit: files write 1e16 for a wheel, Choreonoid has DBL_MAX. */
static const double farthest_limit = 1e4;
/* Hosts that round differently make the same moves in a search: a gain must exceed this part. */
static const double least_gain = 1e-9;

enum { ends = 2, spread_poses = 200 };
/* Parts of a range that a search moves a joint by: 1/4, 1/8, 1/16 and 1/32. */
enum { largest_part = 4, smallest_part = 32, part_count = 4 };
/* Poses that all searches together may try, beyond the first search. */
enum { most_tries = 6000 };

struct pose_walk {
    const pose_robot *robot;
    size_t *order;             /* of the joints by name */
    unsigned *primes;          /* of the joints, one each */
    size_t next, given, total; /* `given` poses come before the searches */
    double *loads;             /* 0: not searched for, or not any more */
    double *positions, *matrix;
    double *mobility; /* of each joint, at its lightest so far */
    double *lightest; /* positions of that pose, one row a joint */
    double *column;
};

void pose_range(const pose_joint *joint, double *lower, double *upper) {
    const double reach = joint->prismatic ? 1 : pi;
    const bool below = joint->lower > -farthest_limit, above = joint->upper < farthest_limit;
    *lower = below ? joint->lower : above ? fmin(-reach, joint->upper - 2 * reach) : -reach;
    *upper = above ? joint->upper : below ? fmax(reach, joint->lower + 2 * reach) : reach;
}

static size_t count_searches(size_t joint_count) {
    return 1 + most_tries / (ends * part_count * (joint_count + 1));
}

/* Products of numbers, some 1e9 of which take a second. */
static const double most_work = 1e11;

bool pose_is_feasible(const pose_robot *robot) {
    const double n = (double)robot->joint_count, dofs = (double)robot->dof_count;
    const double inverted = spread_poses + 3 + 3 * n, factored = most_tries / 4.0;
    return robot->joint_count <= STABILITY_MOST_JOINTS &&
           (inverted + factored) * dofs * dofs * dofs <= most_work;
}

static unsigned next_prime(unsigned prime) {
    for (;;) {
        unsigned divisor = 2;
        prime++;
        while (divisor * divisor <= prime && prime % divisor != 0) divisor++;
        if (divisor * divisor > prime) return prime;
    }
}

static void order_joints(pose_walk *w) {
    const pose_joint *joints = w->robot->joints;
    for (size_t k = 0; k < w->robot->joint_count; k++) {
        size_t at = k;
        for (; at > 0 && strcmp(joints[w->order[at - 1]].name, joints[k].name) > 0; at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = k;
    }
    unsigned prime = 1;
    for (size_t k = 0; k < w->robot->joint_count; k++)
        w->primes[w->order[k]] = prime = next_prime(prime);
}

/* Where no joint has a range there is one pose. */
static void count_poses(pose_walk *w, const double *loads) {
    const size_t n = w->robot->joint_count;
    bool moves = false;
    size_t searches = 0;
    for (size_t k = 0; k < n; k++) {
        double lower, upper;
        pose_range(&w->robot->joints[k], &lower, &upper);
        moves = moves || upper > lower;
        w->loads[k] = loads ? loads[k] : 1;
        searches += w->loads[k] > 0;
    }
    w->given = moves ? 1 + ends + ends * n + spread_poses : 1;
    if (searches > count_searches(n)) searches = count_searches(n);
    w->total = moves ? w->given + searches : 1;
}

pose_walk *pose_walk_create(const pose_robot *robot, const double *loads) {
    const size_t n = robot->joint_count;
    pose_walk *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->robot = robot;
    w->order = calloc(n + 1, sizeof *w->order);
    w->primes = calloc(n + 1, sizeof *w->primes);
    w->positions = calloc(2 * n * n + 4 * n + 1, sizeof *w->positions);
    if (!w->order || !w->primes || !w->positions) {
        pose_walk_destroy(w);
        return NULL;
    }
    w->matrix = w->positions + n;
    w->lightest = w->matrix + n * n;
    w->mobility = w->lightest + n * n;
    w->column = w->mobility + n;
    w->loads = w->column + n;
    order_joints(w);
    count_poses(w, loads);
    return w;
}

void pose_walk_destroy(pose_walk *w) {
    if (!w) return;
    free(w->order);
    free(w->primes);
    free(w->positions);
    free(w);
}

size_t pose_walk_count(const pose_walk *w) {
    return w->total;
}

/* A pose before the searches, by its number from 0 on. */
static void set_position(const pose_walk *w, size_t index, double *positions) {
    const size_t n = w->robot->joint_count, single = 1 + ends, spread = single + ends * n;
    for (size_t k = 0; k < n; k++) {
        double lower, upper;
        pose_range(&w->robot->joints[k], &lower, &upper);
        positions[k] = fmax(lower, fmin(0, upper));
        if (index > 0 && index < single) positions[k] = index == 1 ? lower : upper;
        /* Richtmyer's sequence: multiples of the roots of the primes, modulo 1 */
        const double x = ((double)index - (double)spread + 1) * sqrt(w->primes[k]);
        if (index >= spread) positions[k] = lower + (upper - lower) * (x - floor(x));
    }
    if (index < single || index >= spread) return;
    const size_t moved = w->order[(index - single) / ends];
    double lower, upper;
    pose_range(&w->robot->joints[moved], &lower, &upper);
    positions[moved] = (index - single) % ends ? upper : lower;
}

static stiction_status read_mobility(pose_walk *w, size_t joint, double *value,
                                     stiction_error *error) {
    const pose_robot *r = w->robot;
    const stiction_status status = r->columns(r->host, w->positions, joint, 1, w->column, error);
    *value = w->column[joint];
    return status;
}

/* Moves one joint after the other by ever smaller parts of its range, as long as that makes a joint
 * lighter. */
static stiction_status search(pose_walk *w, size_t joint, stiction_error *error) {
    const size_t n = w->robot->joint_count;
    double best = w->mobility[joint];
    memcpy(w->positions, w->lightest + joint * n, n * sizeof *w->positions);
    for (int part = largest_part; part <= smallest_part; part *= 2)
        for (size_t k = 0; k < ends * n; k++) {
            const size_t moved = w->order[k / ends];
            double lower, upper, value;
            pose_range(&w->robot->joints[moved], &lower, &upper);
            const double before = w->positions[moved], by = (upper - lower) / part;
            w->positions[moved] = fmin(upper, fmax(lower, before + (k % ends ? by : -by)));
            if (w->positions[moved] == before) continue;
            const stiction_status status = read_mobility(w, joint, &value, error);
            if (status != STICTION_OK) return status;
            if (value > (1 + least_gain) * best)
                best = value;
            else
                w->positions[moved] = before;
        }
    return STICTION_OK;
}

/* The joint with the largest stability number of those that no search was made for. */
static size_t next_joint(pose_walk *w) {
    size_t chosen = w->order[0];
    for (size_t k = 1; k < w->robot->joint_count; k++) {
        const size_t joint = w->order[k];
        if (w->loads[joint] * w->mobility[joint] >
            (1 + least_gain) * w->loads[chosen] * w->mobility[chosen])
            chosen = joint;
    }
    w->loads[chosen] = 0;
    return chosen;
}

static void keep_lightest(pose_walk *w) {
    const size_t n = w->robot->joint_count;
    for (size_t k = 0; k < n; k++) {
        const double value = w->matrix[k * (n + 1)];
        if (w->next > 0 && !(value > (1 + least_gain) * w->mobility[k])) continue;
        w->mobility[k] = value;
        memcpy(w->lightest + k * n, w->positions, n * sizeof *w->positions);
    }
}

stiction_status pose_walk_next(pose_walk *w, const double **matrix, const double **positions,
                               stiction_error *error) {
    const pose_robot *r = w->robot;
    *matrix = NULL;
    *positions = w->positions;
    if (w->next == w->total) return STICTION_OK;
    stiction_status status = STICTION_OK;
    if (w->next < w->given)
        set_position(w, w->next, w->positions);
    else
        status = search(w, next_joint(w), error);
    if (status == STICTION_OK && r->joint_count > 0)
        status = r->columns(r->host, w->positions, 0, r->joint_count, w->matrix, error);
    if (status != STICTION_OK) return status;
    if (w->next < w->given) keep_lightest(w);
    w->next++;
    *matrix = w->matrix;
    return STICTION_OK;
}
