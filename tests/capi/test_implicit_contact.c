/* SPDX-License-Identifier: MIT
 * Implicit coupling with constraints: solved together with friction, against the conditions of a
 * solution; and a contact that draws a joint until it breaks away, solved together and later.
 */
#include "auto.h"
#include "implicit_robot.h"
#include "stiction/models/law.h"
#include "wrist.h"

/* ---- any constraints on any tree ---- */

enum { most_stops = 8 };

/* One-sided dampers: the sum of k/2 max(0, a'w - b)^2. */
typedef struct stops {
    size_t count, dofs;
    double a[most_stops][most_joints], b[most_stops], k[most_stops];
    double closing[most_stops]; /* of the last velocity */
} stops;

/* In long double: the solver cannot know how a constraint rounds, and in double the balance of
 * these stiff ones is known to 1e-8 F_S only. */
static double evaluate_stops(void *user, const double *velocity, double *force) {
    stops *s = user;
    long double cost = 0, sum[most_joints] = {0};
    for (size_t n = 0; n < s->count; n++) {
        long double x = -(long double)s->b[n];
        for (size_t i = 0; i < s->dofs; i++)
            x += (long double)s->a[n][i] * (long double)velocity[i];
        x = fmaxl(x, 0);
        s->closing[n] = (double)x;
        const long double torque = (long double)s->k[n] * x;
        cost += torque * x / 2;
        for (size_t i = 0; i < s->dofs; i++) sum[i] -= torque * (long double)s->a[n][i];
    }
    for (size_t i = 0; i < s->dofs; i++) force[i] = (double)sum[i];
    return (double)cost;
}

static void curve_stops(void *user, double *matrix) {
    const stops *s = user;
    for (size_t n = 0; n < s->count; n++)
        for (size_t i = 0; i < s->dofs && s->closing[n] > 0; i++)
            for (size_t j = 0; j <= i; j++)
                matrix[i * s->dofs + j] += s->k[n] * s->a[n][i] * s->a[n][j];
}

static void make_stops(stops *s, random_source *r, size_t dofs) {
    memset(s, 0, sizeof *s);
    s->count = 1 + random_bits(r) % most_stops;
    s->dofs = dofs;
    for (size_t n = 0; n < s->count; n++) {
        s->k[n] = random_decade(r, 0, 4);
        s->b[n] = random_uniform(r, -1, 1) * random_decade(r, -3, 0);
        for (size_t i = 0; i < dofs; i++) s->a[n][i] = random_uniform(r, -1, 1);
    }
}

static stiction_status step_with(implicit_robot *m, const stiction_constraints *constraints,
                                 stiction_error *error) {
    stiction_implicit_input input = stiction_implicit_input_default();
    input.timestep = m->T;
    input.mass = m->tree.mass;
    input.velocity = m->v;
    input.force = m->force;
    input.constraints = constraints;
    return stiction_implicit_step(m->solver, &input, &m->output, error);
}

typedef struct worst {
    double balance, optimality;
    long closed, slipped, frozen, steps;
} worst;

/* The equation of motion and the law, from the output. */
static void judge(const implicit_robot *m, const double *v, const stops *s, worst *seen) {
    const size_t n = m->tree.count;
    double force[most_joints];
    stops again = *s;
    (void)evaluate_stops(&again, m->v, force);
    for (size_t k = 0; k < s->count; k++) seen->closed += again.closing[k] > 0;
    for (size_t i = 0; i < n; i++) {
        double off = m->force[i] + force[i] - m->friction[i];
        double size = fabs(m->force[i]) + fabs(force[i]);
        for (size_t j = 0; j < n; j++) {
            const double M = m->tree.mass[i * n + j] / m->T;
            off -= M * (m->v[j] - v[j]);
            size += M * (fabs(m->v[j]) + fabs(v[j]));
        }
        for (size_t k = 0; k < s->count; k++)
            size += s->k[k] * fabs(s->a[k][i]) * (fabs(s->b[k]) + again.closing[k]);
        seen->balance = fmax(seen->balance, fabs(off) / size);
        const stiction_law_parameters p = stiction_joint_law_parameters(&m->joints[i]);
        const double f = m->friction[i], slip = m->slip[i], F_S = p.static_torque;
        const double wrong = slip != 0
                                 ? fabs(f - stiction_phi(stiction_law_find("stribeck"), &p, slip))
                                 : fmax(fabs(f) - F_S, 0);
        seen->optimality = fmax(seen->optimality, wrong / F_S);
    }
    seen->steps++;
    seen->slipped += m->output.outcome != STICTION_IMPLICIT_STUCK;
    seen->frozen += m->output.outcome == STICTION_IMPLICIT_FROZEN;
}

static void solve_together(bool rigid) {
    random_source r = {31};
    worst seen = {0};
    for (int k = 0; k < 2000; k++) {
        AUTO(implicit_robot_free) implicit_robot m;
        stops s;
        memset(&m, 0, sizeof m);
        random_tree_make(&m.tree, &r, 1 + random_bits(&r) % 20, -4, 0);
        m.T = random_decade(&r, -4, -2);
        for (size_t i = 0; i < m.tree.count; i++) m.joints[i] = wrist_def();
        implicit_robot_start(&m, implicit_robot_def(&m, rigid));
        make_stops(&s, &r, m.tree.count);
        const stiction_constraints constraints = {&s, evaluate_stops, curve_stops};
        for (size_t i = 0; i < m.tree.count; i++) m.v[i] = random_uniform(&r, -0.3, 0.3);
        for (int n = 0; n < 10; n++) {
            double before[most_joints];
            stiction_error error;
            for (size_t i = 0; i < m.tree.count; i++) m.force[i] = random_uniform(&r, -5, 5);
            memcpy(before, m.v, sizeof before);
            /* contacts come and go: nothing of them may stay */
            const bool open = n % 3 == 2;
            if (step_with(&m, open ? NULL : &constraints, &error) != STICTION_OK)
                FAIL("%s", error.message);
            judge(&m, before, open ? &(stops){.dofs = m.tree.count} : &s, &seen);
            CHECK(m.output.heat >= 0);
        }
    }
    printf(
        "%s: %ld steps, %ld with slip, %ld closed constraints, balance %.1e, law %.1e F_S, frozen "
        "%ld\n",
        implicit_element(rigid), seen.steps, seen.slipped, seen.closed, seen.balance,
        seen.optimality, seen.frozen);
    CHECK(seen.frozen == 0);
    CHECK(seen.balance < 1e-9);
    CHECK(seen.optimality < 1e-9);
    CHECK(seen.closed > 1000 && seen.slipped > 1000);
}

TEST(constraints_together_with_rigid_joints) {
    solve_together(true);
}
TEST(constraints_together_with_bristles) {
    solve_together(false);
}

/* ---- a contact that draws a joint ---- */

/* A spring of 1000 N m/rad between the joint and something that moves away. */
typedef struct pull {
    double q, T, end; /* of the joint before the step; after it, of what pulls */
} pull;

static const double contact_stiffness = 1000;

static double evaluate_pull(void *user, const double *velocity, double *force) {
    const pull *p = user;
    const double stretch = p->end - (p->q + p->T * velocity[0]);
    force[0] = contact_stiffness * stretch;
    return contact_stiffness * stretch * stretch / (2 * p->T);
}

static void curve_pull(void *user, double *matrix) {
    const pull *p = user;
    matrix[0] += contact_stiffness * p->T;
}

/* A host's own step after ours: its contact is implicit, and sees our friction. */
static void step_host(implicit_robot *a, const pull *p, double *v) {
    const double M = a->tree.mass[0], T = a->T, k = contact_stiffness;
    a->v[0] = *v;
    stiction_error error;
    if (step_with(a, NULL, &error) != STICTION_OK) FAIL("%s", error.message);
    *v = (M * *v / T - a->friction[0] + k * (p->end - p->q)) / (M / T + k * T);
}

typedef struct departure {
    double torque; /* the largest of the contact, N m */
    double way;    /* on which the joint gave way before it slipped, rad */
    bool slipped;
} departure;

/* Until the joint has slipped, so that the contact bears a tenth less; or 3000 s. */
static departure draw_away(double M, double T, bool rigid, bool later) {
    implicit_robot a;
    implicit_axis_start(&a, wrist_def(), M, T, rigid);
    if (later) {
        stiction_implicit_def def = implicit_robot_def(&a, false);
        implicit_robot_free(&a);
        def.constraints_later = true;
        implicit_robot_start(&a, def);
    }
    departure d = {0};
    double v = 0;
    pull p = {.T = T};
    const stiction_constraints constraints = {&p, evaluate_pull, curve_pull};
    for (long k = 0; !d.slipped && k < lround(3000 / T); k++) {
        stiction_error error;
        p.end += 2e-4 * T; /* 0.2 N m/s where the joint holds */
        if (later)
            step_host(&a, &p, &v);
        else if (step_with(&a, &constraints, &error) != STICTION_OK)
            FAIL("%s", error.message);
        else
            v = a.v[0];
        p.q += T * v;
        const double torque = contact_stiffness * (p.end - p.q);
        if (torque > d.torque) d = (departure){.torque = torque, .way = p.q};
        d.slipped = torque < 0.9 * d.torque;
    }
    implicit_robot_free(&a);
    return d;
}

static void check_contact(bool rigid, bool later, const char *how) {
    const double inertias[] = {0.1, 1e-3}, timesteps[] = {1e-3, 5e-3, 1e-2};
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++) {
            const departure d = draw_away(inertias[n], timesteps[k], rigid, later);
            printf("%s, %s, %g kg m^2 at %g ms: %.4f N m, after %.1e rad\n", how,
                   implicit_element(rigid), inertias[n], 1e3 * timesteps[k], d.torque, d.way);
            CHECK_NEAR(d.torque, 2.5, 0.01);
            CHECK(d.slipped);
        }
}

TEST(a_contact_draws_a_rigid_joint_away_at_the_static_torque) {
    check_contact(true, false, "together");
}
TEST(a_contact_draws_a_joint_away_at_the_static_torque) {
    check_contact(false, false, "together");
}
TEST(a_contact_that_comes_later_draws_a_joint_away_at_the_static_torque) {
    check_contact(false, true, "later");
}

static double evaluate_nonsense(void *user, const double *velocity, double *force) {
    (void)velocity;
    force[0] = NAN;
    return *(const double *)user;
}

static void curve_nothing(void *user, double *matrix) {
    (void)user, (void)matrix;
}

TEST(a_constraint_that_is_not_finite_is_refused_and_changes_nothing) {
    double cost = NAN;
    const stiction_constraints constraints = {&cost, evaluate_nonsense, curve_nothing};
    for (int rigid = 0; rigid < 2; rigid++) {
        AUTO(implicit_robot_free) implicit_robot m;
        random_source r = {7};
        stiction_error error;
        double before[most_joints * 16], after[most_joints * 16];
        memset(&m, 0, sizeof m);
        random_tree_make(&m.tree, &r, 3, -2, 0);
        m.T = 0.001;
        for (size_t i = 0; i < 3; i++) {
            m.joints[i] = wrist_def();
            m.force[i] = 5;
        }
        implicit_robot_start(&m, implicit_robot_def(&m, rigid));
        CHECK(step_with(&m, NULL, &error) == STICTION_OK);
        CHECK(stiction_state_get_memory(m.state, before, NULL) == STICTION_OK);
        CHECK_REFUSED(step_with(&m, &constraints, &error), STICTION_INVALID_ARGUMENT, error,
                      "the constraints give a cost or a force that is not finite");
        CHECK(stiction_state_get_memory(m.state, after, NULL) == STICTION_OK);
        CHECK(memcmp(before, after, stiction_state_memory_size(m.state) * sizeof(double)) == 0);
        for (size_t i = 0; i < 3; i++) CHECK(m.friction[i] == 0 && isfinite(m.v[i]));
    }
}

TEST(constraints_without_a_function_are_refused) {
    const stiction_constraints none[] = {{NULL, NULL, curve_nothing},
                                         {NULL, evaluate_nonsense, NULL}};
    AUTO(implicit_robot_free) implicit_robot m;
    random_source r = {7};
    stiction_error error;
    memset(&m, 0, sizeof m);
    random_tree_make(&m.tree, &r, 1, -2, 0);
    m.T = 0.001;
    m.joints[0] = wrist_def();
    implicit_robot_start(&m, implicit_robot_def(&m, true));
    for (size_t k = 0; k < 2; k++) {
        CHECK_REFUSED(step_with(&m, &none[k], &error), STICTION_INVALID_ARGUMENT, error,
                      "a function of the constraints is NULL");
    }
}

/* Friction that begins while a joint moves finds it sliding, at every time step. */
TEST(a_bristle_that_begins_on_the_move_slides) {
    static const double steps[] = {1e-4, 1e-3, 2e-3, 5e-3, 1e-2};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        AUTO(implicit_robot_free) implicit_robot m;
        random_source r = {7};
        double way = 0;
        memset(&m, 0, sizeof m);
        random_tree_make(&m.tree, &r, 1, -2, 0);
        m.tree.mass[0] = 1e-4;
        m.T = steps[k];
        m.joints[0] = wrist_def();
        m.joints[0].static_torque = 0.05;
        m.joints[0].coulomb_torque = 0.008;
        m.joints[0].viscous = 0.09;
        m.joints[0].stiffness = 100;
        m.joints[0].damping = 1;
        implicit_robot_start(&m, implicit_robot_def(&m, false));
        m.v[0] = 0.3;
        m.force[0] = 0.03;
        for (int n = 0; n < (int)lround(1 / m.T); n++) {
            CHECK(step_with(&m, NULL, NULL) == STICTION_OK);
            way += m.T * m.v[0];
        }
        printf("at %g s: %.4f rad in 1 s\n", m.T, way);
        CHECK_NEAR(way, 0.2356, 0.001);
    }
}
