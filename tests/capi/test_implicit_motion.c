/* SPDX-License-Identifier: MIT
 * Implicit coupling in motion: one joint follows the branch on which it slides, and what explicit
 * coupling does only with small steps and heavy joints (break away at the static torque, slip,
 * stop, hold, dissipate) holds for light ones and to 10 ms.
 */
#include "auto.h"
#include "implicit_robot.h"
#include "stiction/models/law.h"
#include "wrist.h"

/* ---- one joint against branch continuation ---- */

/* The slip s of one joint: k s + Phi(s) contains b. */
typedef struct branch {
    const stiction_law *law;
    stiction_law_parameters parameters;
    double k, b;
} branch;

static double imbalance(const branch *j, double s) {
    return j->k * s - j->b + stiction_phi(j->law, &j->parameters, s);
}

static double bisect(const branch *j, double below, double above) {
    for (int n = 0; n < 200; n++) {
        const double middle = below / 2 + above / 2;
        if (middle == below || middle == above) break;
        if (imbalance(j, middle) < 0)
            below = middle;
        else
            above = middle;
    }
    return above;
}

/* The only root above a slip at which friction is too weak: the imbalance is convex. */
static double root_above(const branch *j, double from) {
    double step = 1e-3;
    while (imbalance(j, from + step) < 0) step *= 2;
    return bisect(j, from, from + step);
}

/* Where the imbalance of a slip between 0 and `from` is least. */
static double fold_below(const branch *j, double from) {
    double left = 0, right = from;
    for (int n = 0; n < 100; n++) {
        const double middle = left / 2 + right / 2;
        if (j->k + stiction_phi_slope(j->law, &j->parameters, middle) < 0)
            left = middle;
        else
            right = middle;
    }
    return right;
}

static double from_rest(const branch *j) {
    const double F_S = j->parameters.static_torque;
    if (fabs(j->b) <= F_S) return 0;
    branch forward = *j;
    forward.b = fabs(j->b);
    return copysign(root_above(&forward, 0), j->b);
}

/* What a joint that slid at `from` does: it stays on its branch of sliding while there is one.
 * *unclear: the branch ends so close to here that the last digits decide. */
static double continue_branch(const branch *j, double from, bool *unclear) {
    *unclear = fabs(fabs(j->b) - j->parameters.static_torque) < 1e-9 * j->parameters.static_torque;
    if (from == 0) return from_rest(j);
    if (from < 0) {
        branch mirrored = *j;
        mirrored.b = -j->b;
        return -continue_branch(&mirrored, -from, unclear);
    }
    if (imbalance(j, from) < 0) return root_above(j, from);
    const double fold = fold_below(j, from), least = imbalance(j, fold);
    if (fabs(least) < 1e-9 * j->parameters.static_torque) *unclear = true;
    return least < 0 ? bisect(j, fold, from) : from_rest(j);
}

/* Any joint of a law that falls convexly. */
static stiction_joint_def falling_joint(random_source *r, const char *law) {
    stiction_joint_def def = wrist_def();
    def.law = law;
    def.static_torque = random_decade(r, -1, 1.5);
    def.coulomb_torque = def.static_torque * random_uniform(r, 0.1, 0.9);
    def.stribeck_velocity = random_decade(r, -2.5, -0.5);
    def.viscous = def.static_torque * random_decade(r, -2, 0.5);
    def.stiffness = def.static_torque * random_decade(r, 2, 4);
    const double steepest = (def.static_torque - def.coulomb_torque) / def.stribeck_velocity;
    def.damping = steepest * random_uniform(r, 1.01, 4);
    return def;
}

/* The problem of the next step of an axis, for its slip alone: its velocity follows from it. */
static branch branch_of(const implicit_robot *a, bool rigid) {
    const stiction_joint_def *def = &a->joints[0];
    branch j = {stiction_law_find(def->law), stiction_joint_law_parameters(def), 0, 0};
    const double m = a->tree.mass[0] / a->T, G = def->stiffness * a->T + def->damping;
    const double spring = def->stiffness * a->deflection[0];
    j.k = rigid ? m : 1 / (1 / m + 1 / G);
    j.b = rigid ? m * a->v[0] + a->force[0] : j.k * (a->v[0] + a->force[0] / m + spring / G);
    return j;
}

typedef struct comparison {
    long steps, unclear, stops, breakaways, others; /* others: a joint that slips could stick */
    double worst;
} comparison;

static void compare_step(implicit_robot *a, bool rigid, comparison *seen) {
    const branch j = branch_of(a, rigid);
    /* a bristle that is new begins with the joint */
    const bool fresh = a->slip[0] == 0 && a->deflection[0] == 0;
    const double before = rigid || fresh ? a->v[0] : a->slip[0];
    bool unclear;
    const double expected = continue_branch(&j, before, &unclear);
    implicit_robot_step(a);
    seen->steps++;
    seen->stops += before != 0 && expected == 0;
    seen->others += expected != 0 && fabs(j.b) < j.parameters.static_torque;
    seen->breakaways += before == 0 && expected != 0;
    seen->unclear += unclear;
    if (unclear) return;
    const double off = fabs(a->slip[0] - expected) / fmax(1, fabs(expected));
    seen->worst = fmax(seen->worst, off);
    if (!(off <= 1e-9))
        FAIL("%s, %s: from %.17g the slip is %.17g, branch continuation %.17g", a->joints[0].law,
             implicit_element(rigid), before, a->slip[0], expected);
}

/* Any velocity and force, then from the slip that this left to any other. */
static void compare_cold(random_source *r, implicit_robot *a, bool rigid, comparison *seen) {
    const double F_S = a->joints[0].static_torque, fast = random_decade(r, -4, 1);
    for (int k = 0; k < 100; k++) {
        a->tree.mass[0] = random_decade(r, -4, 0);
        a->T = random_decade(r, -4, -2);
        a->v[0] = fast * random_uniform(r, -1, 1);
        a->force[0] = F_S * random_uniform(r, -4, 4);
        compare_step(a, rigid, seen);
    }
}

/* Driven to and fro beyond the static torque, with a ripple: sticks, slips and turns. */
static void compare_warm(random_source *r, implicit_robot *a, bool rigid, comparison *seen) {
    const double F_S = a->joints[0].static_torque, part = random_uniform(r, 1, 2);
    const double period = random_uniform(r, 50, 400), ripple = random_decade(r, -3, -0.5);
    a->v[0] = 0;
    a->tree.mass[0] = random_decade(r, -4, 0);
    a->T = random_decade(r, -4, -2);
    for (int k = 0; k < 400; k++) {
        const double phase = 2 * 3.141592653589793 * k / period;
        a->force[0] = F_S * (part * sin(phase) + ripple * random_uniform(r, -1, 1));
        compare_step(a, rigid, seen);
    }
}

static void follow_branches(const char *law, bool rigid) {
    random_source r = {7};
    comparison seen = {0};
    while (seen.steps < 250000) {
        AUTO(implicit_robot_free) implicit_robot a;
        implicit_axis_start(&a, falling_joint(&r, law), 1, 0.001, rigid);
        compare_cold(&r, &a, rigid, &seen);
        compare_warm(&r, &a, rigid, &seen);
    }
    printf("%s, %s: %ld steps within %.1e of branch continuation; %ld stop, %ld break away, %ld "
           "slip where they could stick, %ld are too close to call\n",
           law, implicit_element(rigid), seen.steps, seen.worst, seen.stops, seen.breakaways,
           seen.others, seen.unclear);
    CHECK(seen.worst <= 1e-9);
    CHECK(seen.unclear <= seen.steps / 10000);
    CHECK(seen.stops > 1000 && seen.breakaways > 1000 && seen.others > 1000);
}

/* Where constraints come later, and none comes: the bristle moves when the next step begins, and
 * descent may start at a slip that is predicted. */
static void compare_later(random_source *r, const char *law, comparison *seen) {
    AUTO(implicit_robot_free) implicit_robot a = {.tree = {.count = 1, .parent = {-1}}};
    const stiction_joint_def def = falling_joint(r, law);
    const double F_S = def.static_torque, part = random_uniform(r, 1, 2);
    const double period = random_uniform(r, 50, 400), ripple = random_decade(r, -3, -0.5);
    a.joints[0] = def;
    a.tree.mass[0] = random_decade(r, -4, 0);
    a.T = random_decade(r, -4, -2);
    stiction_implicit_def solver = implicit_robot_def(&a, false);
    solver.constraints_later = true;
    implicit_robot_start(&a, solver);
    for (int k = 0; k < 400; k++) {
        const double phase = 2 * 3.141592653589793 * k / period;
        a.force[0] = F_S * (part * sin(phase) + ripple * random_uniform(r, -1, 1));
        a.deflection[0] += a.T * (a.v[0] - a.slip[0]);
        compare_step(&a, false, seen);
    }
}

TEST(a_joint_whose_constraints_come_later_follows_its_branch) {
    random_source r = {7};
    comparison seen = {0};
    while (seen.steps < 100000)
        compare_later(&r, seen.steps % 800 ? "rational" : "stribeck", &seen);
    printf("%ld steps within %.1e of branch continuation; %ld stop, %ld break away, %ld slip where "
           "they could stick\n",
           seen.steps, seen.worst, seen.stops, seen.breakaways, seen.others);
    CHECK(seen.worst <= 1e-9);
    CHECK(seen.stops > 500 && seen.breakaways > 500 && seen.others > 500);
}

TEST(a_rigid_stribeck_joint_follows_its_branch) {
    follow_branches("stribeck", true);
}
TEST(a_rigid_rational_joint_follows_its_branch) {
    follow_branches("rational", true);
}
TEST(a_stribeck_joint_with_a_bristle_follows_its_branch) {
    follow_branches("stribeck", false);
}
TEST(a_rational_joint_with_a_bristle_follows_its_branch) {
    follow_branches("rational", false);
}

/* ---- sticking and slipping ---- */

static const double milliseconds[] = {0.1, 1, 5, 10};
enum { timesteps = sizeof milliseconds / sizeof milliseconds[0] };

/* Where the wrist's friction is least, as velocity grows: Phi'(v) = 0. */
static double least_sliding_torque(void) {
    const stiction_joint_def def = wrist_def();
    const double F_SC = def.static_torque - def.coulomb_torque, v_S = def.stribeck_velocity;
    const double v = v_S * log(F_SC / (v_S * def.viscous));
    return def.coulomb_torque + F_SC * exp(-v / v_S) + def.viscous * v;
}

typedef struct stick_slip {
    int slips;
    double lowest, highest; /* torque of the spring where a slip ends, N m */
} stick_slip;

/* A joint so light that it follows its spring: a slip ends where friction is least. */
static stick_slip draw_light_joint(double T, bool rigid) {
    stick_slip seen = {.lowest = 1e9};
    implicit_robot a;
    bool moving = false;
    implicit_axis_start(&a, wrist_def(), 1e-3, T, rigid);
    for (long k = 0; k < lround(45 / T); k++) {
        const double spring = 10 * (0.05 * (double)k * T - a.q[0]);
        implicit_axis_step(&a, spring);
        const bool slips = fabs(a.v[0]) > 0.01;
        seen.slips += slips && !moving;
        if (!slips && moving) {
            seen.lowest = fmin(seen.lowest, spring);
            seen.highest = fmax(seen.highest, spring);
        }
        moving = slips;
    }
    implicit_robot_free(&a);
    return seen;
}

static void check_light_joint(bool rigid) {
    for (size_t k = 0; k < timesteps; k++) {
        const stick_slip seen = draw_light_joint(milliseconds[k] / 1e3, rigid);
        printf("%s at %g ms: %d slips, to %.4f to %.4f N m (least friction %.4f)\n",
               implicit_element(rigid), milliseconds[k], seen.slips, seen.lowest, seen.highest,
               least_sliding_torque());
        CHECK(seen.slips == 13);
        CHECK_NEAR(seen.lowest, 1.22, 0.005);
        CHECK_NEAR(seen.highest, 1.22, 0.005);
    }
}

TEST(a_light_rigid_joint_slips_as_often_at_any_time_step) {
    check_light_joint(true);
}
TEST(a_light_joint_with_a_bristle_slips_as_often_at_any_time_step) {
    check_light_joint(false);
}

static void check_breakaway(bool rigid) {
    const double inertias[] = {1e-4, 1e-3, 1e-2, 0.1, 1};
    double worst = 0;
    for (size_t n = 0; n < ROUNDS(5); n++)
        for (size_t k = 0; k < timesteps; k++) {
            AUTO(implicit_robot_free) implicit_robot a;
            double load = 0, largest = 0;
            const double T = milliseconds[k] / 1e3;
            implicit_axis_start(&a, wrist_def(), inertias[n], T, rigid);
            while (a.v[0] < 0.1) {
                load += 0.05 * T; /* 0.05 N m/s: 50 s to the static torque */
                implicit_axis_step(&a, load);
                largest = fmax(largest, a.friction[0]);
            }
            CHECK_NEAR(largest, 2.5, 0.001 * 2.5);
            worst = fmax(worst, fabs(largest / 2.5 - 1));
        }
    printf("%s: within %.1e of the static torque\n", implicit_element(rigid), worst);
}

TEST(a_rigid_joint_breaks_away_at_the_static_torque) {
    check_breakaway(true);
}
TEST(a_joint_with_a_bristle_breaks_away_at_the_static_torque) {
    check_breakaway(false);
}

/* ---- the wrist ---- */

static const double wrist_inertia = 0.1675, degree = 3.141592653589793 / 180;

/* Cisneros et al., Fig 12: (50) and (51) with lambda = 0. */
static double wrist_controller(double q, double v) {
    return wrist_inertia * (20 * (90 * degree - q) - 2 * v);
}

static double wrist_angle(double T, bool rigid) {
    implicit_robot a;
    implicit_axis_start(&a, wrist_def(), wrist_inertia, T, rigid);
    for (long k = 0; k < lround(6 / T); k++)
        implicit_axis_step(&a, wrist_controller(a.q[0], a.v[0]));
    const double angle = a.q[0] / degree;
    implicit_robot_free(&a);
    return angle;
}

/* What both couplings go to as the time step goes to 0: explicitly, at 0.01 ms. */
static double wrist_limit(void) {
    const double T = 1e-5;
    single_joint j = single_joint_of(wrist_def(), T);
    double q = 0, v = 0;
    for (long k = 0; k < lround(6 / T); k++) {
        const double torque = wrist_controller(q, v) - single_joint_step(&j, T, v);
        v += T / wrist_inertia * torque;
        q += T * v;
    }
    single_joint_free(&j);
    return q / degree;
}

static void check_wrist(bool rigid, double expected, double at_1_ms, double at_10_ms) {
    const double one = wrist_angle(1e-3, rigid), ten = wrist_angle(1e-2, rigid);
    printf("%s: %.4f deg at 1 ms, %.4f deg at 10 ms; the limit is %.4f\n", implicit_element(rigid),
           one, ten, expected);
    CHECK_NEAR(one, expected, at_1_ms);
    CHECK_NEAR(ten, expected, at_10_ms);
}

TEST(the_rigid_wrist_stops_where_it_should) {
    check_wrist(true, 69.890, 0.006, 0.05);
}
TEST(the_wrist_with_a_bristle_stops_where_it_should) {
    const double limit = wrist_limit();
    CHECK_NEAR(limit, 69.8742, 0.0002);
    check_wrist(false, limit, 0.005, 0.08);
}
