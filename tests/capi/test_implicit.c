/* SPDX-License-Identifier: MIT
 * Implicit coupling: what must hold of every step of any robot, against conditions that the solver
 * does not use, and against branch continuation where there is one joint.
 */

#include <float.h>

#include "check.h"
#include "random_tree.h"
#include "stiction/models/law.h"

static const char *const law_names[] = {"coulomb", "stribeck", "stribeck alpha", "rational"};

/* `which` of random_joint from here on: powers of velocity. */
enum { powers = 4 };

/* A joint like that of a robot: HRP-5P's wrist scaled, K and B as its file has them. */
static stiction_joint_def robot_joint(random_source *r, size_t which) {
    stiction_joint_def def = random_joint(r, which);
    const double F_S = random_decade(r, -2, 1.5);
    def.static_torque = F_S;
    def.coulomb_torque = F_S * random_uniform(r, 0.1, 1);
    def.stribeck_velocity = random_decade(r, -2.5, -0.5);
    def.viscous = F_S * random_decade(r, -2, 0.5);
    def.stiffness = F_S * random_decade(r, 2, 4);
    def.damping = 1.01 * 4 * (def.static_torque - def.coulomb_torque) / def.stribeck_velocity;
    return def;
}

typedef struct robot {
    random_tree tree;
    stiction_joint_def joints[most_joints];
    int dof[most_joints];
    stiction_model *model;
    stiction_state *state;
    stiction_implicit *solver;
    double T, velocity[most_joints], force[most_joints], next[most_joints], friction[most_joints],
        slip[most_joints], deflection[most_joints], before[most_joints];
    stiction_implicit_output output;
} robot;

static bool robot_make(robot *m, random_source *r, size_t which, bool rigid, bool is_coupled) {
    const size_t n = 1 + random_bits(r) % (is_coupled ? 8 : 40);
    memset(m, 0, sizeof *m);
    if (is_coupled)
        random_tree_couple(&m->tree, r, n, -7, -4, random_decade(r, -3, 0));
    else
        random_tree_make(&m->tree, r, n, -4, 0);
    m->T = random_decade(r, -4, -2);
    for (size_t k = 0; k < n; k++) {
        /* one in eight has none, as free roots and passive joints */
        m->joints[k] = robot_joint(r, which);
        if (random_uniform(r, 0, 1) < 0.125) m->joints[k].law = NULL;
        m->dof[k] = (int)k;
    }
    stiction_implicit_def def = stiction_implicit_def_default();
    def.count = n;
    def.parent = m->tree.parent;
    def.rigid = rigid;
    stiction_error error;
    if (!random_tree_state(m->joints, n, m->T, &m->model, &m->state)) return false;
    if (stiction_implicit_create(&def, &m->solver, &error) != STICTION_OK ||
        stiction_implicit_add(m->solver, m->state, m->dof, &error) != STICTION_OK) {
        printf("%s\n", error.message);
        return false;
    }
    m->output = stiction_implicit_output_default();
    m->output.velocity = m->next;
    m->output.friction = m->friction;
    m->output.slip = m->slip;
    m->output.deflection = m->deflection;
    return true;
}

static void robot_free(robot *m) {
    stiction_implicit_destroy(m->solver);
    stiction_state_destroy(m->state);
    stiction_model_destroy(m->model);
}

static stiction_status robot_step(robot *m) {
    stiction_implicit_input input = stiction_implicit_input_default();
    input.timestep = m->T;
    input.mass = m->tree.mass;
    input.velocity = m->velocity;
    input.force = m->force;
    memcpy(m->before, m->deflection, sizeof m->before);
    return stiction_implicit_step(m->solver, &input, &m->output, NULL);
}

/* J of descent.h where w is the velocity and s the slip. */
static double potential(const robot *m, const double *w, const double *s, bool rigid) {
    const size_t n = m->tree.count;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double momentum = 0;
        for (size_t j = 0; j < n; j++)
            momentum += m->tree.mass[i * n + j] * (w[j] - m->velocity[j]);
        sum += (w[i] - m->velocity[i]) * momentum / (2 * m->T) - m->force[i] * w[i];
        const stiction_joint_def *def = &m->joints[i];
        if (!def->law) continue;
        const stiction_law_parameters p = stiction_joint_law_parameters(def);
        sum += stiction_phi_work(stiction_law_find(def->law), &p, 0, s[i]);
        const double G = def->stiffness * m->T + def->damping;
        const double x = w[i] - s[i] + def->stiffness * m->before[i] / G;
        if (!rigid) sum += G / 2 * x * x;
    }
    return sum;
}

/* The worst that was seen. */
typedef struct worst {
    double optimality, balance, rise;
    int iterations;
    long steps, frozen, unsolved, not_dissipating;
} worst;

static void judge(const robot *m, bool rigid, worst *seen) {
    const size_t n = m->tree.count;
    double scale = 0;
    for (size_t i = 0; i < n; i++) {
        double momentum = 0, size = fabs(m->force[i]), digits = 0;
        for (size_t j = 0; j < n; j++) {
            const double part = m->tree.mass[i * n + j] * (m->next[j] - m->velocity[j]) / m->T;
            momentum += part;
            size += fabs(part);
            digits += fabs(m->tree.mass[i * n + j]) * (fabs(m->next[j]) + fabs(m->velocity[j]));
        }
        /* what no velocity in double precision can do better */
        digits *= 16 * DBL_EPSILON / m->T;
        /* the equation of motion, in units of its own terms */
        const double off = fabs(momentum - m->force[i] + m->friction[i]);
        seen->balance = fmax(seen->balance, (off - digits) / size);
        scale += size * (fabs(m->next[i]) + fabs(m->velocity[i]));
        const stiction_joint_def *def = &m->joints[i];
        if (!def->law) continue;
        const stiction_law_parameters p = stiction_joint_law_parameters(def);
        const stiction_law *law = stiction_law_find(def->law);
        const double F_S = stiction_phi(law, &p, 0.0), s = m->slip[i], f = m->friction[i];
        const double bears = m->force[i] - momentum;
        const double wrong =
            s != 0 ? fabs(bears - stiction_phi(law, &p, s)) : fmax(fabs(bears) - F_S, 0);
        seen->optimality = fmax(seen->optimality, (wrong - digits) / F_S);
        if (f * s < 0) seen->not_dissipating++;
        if (rigid && m->next[i] != s) seen->unsolved++;
    }
    /* from the point at which descent starts, where w = v; what rounding leaves apart */
    double start[most_joints] = {0};
    for (size_t i = 0; i < n; i++) start[i] = rigid ? m->velocity[i] : 0;
    const double rise = potential(m, m->next, m->slip, rigid);
    if (rigid) {
        const double from = potential(m, m->velocity, start, rigid);
        seen->rise = fmax(seen->rise, (rise - from) / (scale + fabs(from)));
    }
    seen->iterations =
        m->output.iterations > seen->iterations ? m->output.iterations : seen->iterations;
    seen->frozen += m->output.outcome == STICTION_IMPLICIT_FROZEN;
    seen->steps++;
}

/* Cold: any velocity and any force. Then the same robot goes on for some steps, warm. */
static void solve(size_t which, bool rigid, bool is_coupled, int count) {
    random_source r = {14 + which};
    worst seen = {0};
    for (int k = 0; k < count; k++) {
        robot m;
        if (!robot_make(&m, &r, which, rigid, is_coupled)) {
            FAIL("a robot cannot be made");
            return;
        }
        const size_t n = m.tree.count;
        const double motion = random_decade(&r, -4, 1);
        for (size_t i = 0; i < n; i++) m.velocity[i] = motion * random_uniform(&r, -1, 1);
        for (int step = 0; step < 4; step++) {
            for (size_t i = 0; i < n; i++) {
                const double load = m.joints[i].law ? m.joints[i].coulomb_torque : 1;
                m.force[i] = load * random_uniform(&r, -4, 4);
            }
            if (robot_step(&m) != STICTION_OK) seen.unsolved++;
            judge(&m, rigid, &seen);
            memcpy(m.velocity, m.next, sizeof m.velocity);
        }
        robot_free(&m);
    }
    printf(
        "%s, %s: %ld steps, %d iterations at most, optimality %.1e F_S, balance %.1e, J rises by "
        "%.1e, frozen %ld\n",
        law_names[which % powers], rigid ? "rigid" : "bristle", seen.steps, seen.iterations,
        seen.optimality, seen.balance, seen.rise, seen.frozen);
    CHECK(seen.unsolved == 0);
    CHECK(seen.frozen == 0);
    CHECK(seen.not_dissipating == 0);
    CHECK(seen.iterations <= 100);
    CHECK(seen.optimality <= 1e-8);
    CHECK(seen.balance <= 1e-9);
    CHECK(seen.rise <= 1e-13);
}

enum { trees = ROUNDS(10000) };

/* Where a row that stops drags the others along, the way to all of what a step wants leads uphill.
 */
TEST(joints_of_nearly_one_axis) {
    for (size_t which = 0; which < powers; which++) {
        solve(which, false, true, trees / 4);
        solve(which, true, true, trees / 4);
    }
}

/* With bristles and rigid. */
static void solve_trees(size_t which, int count) {
    solve(which, false, false, count);
    solve(which, true, false, count);
}

TEST(trees_of_joints_with_powers_of_velocity) {
    for (size_t which = powers; which < 2 * powers; which++) solve_trees(which, trees / 50);
}

TEST(trees_of_coulomb_joints) {
    solve_trees(0, trees);
}
TEST(trees_of_stribeck_joints) {
    solve_trees(1, trees);
}
TEST(trees_of_other_exponents) {
    solve_trees(2, trees / 2);
}
TEST(trees_of_rational_joints) {
    solve_trees(3, trees);
}
