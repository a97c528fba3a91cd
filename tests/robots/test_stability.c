/* SPDX-License-Identifier: MIT
 * The stability of explicit coupling: the number against closed forms, and the verdict against
 * short simulations on either side of the limit.
 */
#include <complex.h>

#include "check.h"
#include "random.h"
#include "stability/coupling.h"
#include "stability/inertia.h"
#include "stability/linear.h"
#include "stability/stability.h"
#include "stiction/stiction.h"

static const double T = 0.001; /* s */

/* The paper's wrist. */
static stiction_joint_def wrist(void) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "stribeck";
    def.static_torque = 2.5;
    def.coulomb_torque = 0.4;
    def.stribeck_velocity = 0.06;
    def.stribeck_exponent = 1;
    def.viscous = 4.5;
    def.stiffness = 5000;
    def.damping = 50;
    return def;
}

/* A robot of which only the inverse of its mass matrix is known. */
static robot_mobility of_matrix(size_t n, double *inverse) {
    return (robot_mobility){.joint_count = n, .pose_count = 1, .matrices = inverse};
}

static stability_joint judge_one(const stability_spring *spring, double inertia,
                                 stability_body *body) {
    double inverse = 1 / inertia;
    const robot_mobility m = of_matrix(1, &inverse);
    stability_joint joint;
    CHECK(stability_judge(&m, spring, T, &joint, body, NULL) == STICTION_OK);
    return joint;
}

/*
 * Explicit coupling of n joints that stick, from a tiny push: the host integrates, the library
 * computes friction from the velocity before. The largest velocity of the last 100 steps over the
 * push.
 */
static double growth(size_t n, const double *inverse, const stiction_joint_def *defs, int steps) {
    static const char *const names[] = {"a", "b", "c", "d"};
    stiction_config *config = stiction_config_create();
    stiction_model *model;
    stiction_state *state;
    stiction_model_def def = stiction_model_def_default();
    def.timestep = T;
    for (size_t k = 0; k < n; k++)
        CHECK(stiction_config_add_joint(config, names[k], &defs[k], NULL) == STICTION_OK);
    CHECK(stiction_model_create(config, names, n, &def, &model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
    const double push = 1e-9;
    double v[4] = {push, -push / 2, push / 3, -push / 4}, f[4], last = 0;
    for (int step = 0; step < steps; step++) {
        CHECK(stiction_step(state, T, v, f, NULL) == STICTION_OK);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) v[i] -= T * inverse[i * n + j] * f[j];
        for (size_t i = 0; i < n && step >= steps - 100; i++) last = fmax(last, fabs(v[i]));
    }
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    return last / push;
}

TEST(papers_stiffness_and_damping_need_an_inertia_of_0_02625) {
    const stiction_joint_def def = wrist();
    const stability_spring spring = stability_spring_of(&def, T);
    stability_body body;
    CHECK_SAME(spring.stiffness, 5000);
    CHECK_SAME(spring.damping, 50);
    CHECK_NEAR(spring.needed, 2.1 / 0.06 - 4.5, 1e-12);
    CHECK_NEAR(judge_one(&spring, 0.1675, &body).number, 0.105 / 0.1675, 1e-15);
    CHECK(judge_one(&spring, 0.0263, &body).verdict == STABILITY_STABLE && body.stable);
    CHECK(judge_one(&spring, 0.0262, &body).verdict == STABILITY_UNSTABLE && !body.stable);
}

TEST(simulation_agrees_with_the_verdict_on_either_side) {
    const stiction_joint_def def = wrist();
    double inverse = 1 / 0.0263;
    CHECK(growth(1, &inverse, &def, 5000) < 1e-3);
    inverse = 1 / 0.0262;
    CHECK(growth(1, &inverse, &def, 5000) > 1e3);
}

TEST(finger_explodes_and_what_would_hold_holds) {
    stiction_joint_def def = wrist();
    stability_spring spring = stability_spring_of(&def, T);
    stability_body body;
    double inverse = 1 / 1e-4;
    stability_joint joint = judge_one(&spring, 1e-4, &body);
    CHECK_NEAR(joint.number, 1050, 1e-9);
    /* the Stribeck law asks for K T + B > 30.5, but 4 M/T is 0.4 */
    CHECK(joint.verdict == STABILITY_IMPOSSIBLE);
    CHECK(isnan(joint.holding_stiffness) && isnan(joint.holding_damping));
    CHECK(growth(1, &inverse, &def, 100) > 1e6);
    /* Coulomb's law asks for nothing */
    def.law = "coulomb";
    spring = stability_spring_of(&def, T);
    joint = judge_one(&spring, 1e-4, &body);
    CHECK(joint.verdict == STABILITY_UNSTABLE);
    CHECK_NEAR(joint.holding_stiffness, 5000 * 3.2 / 1050, 1e-12);
    CHECK_NEAR(joint.holding_damping, 50 * 3.2 / 1050, 1e-12);
    CHECK_NEAR(body.holding, 3.2, 1e-12);
    CHECK(growth(1, &inverse, &def, 5000) > 1e3);
    def.stiffness = joint.holding_stiffness;
    def.damping = joint.holding_damping;
    CHECK(growth(1, &inverse, &def, 5000) < 1e-3);
}

TEST(illegal_joint_is_given_the_damping_it_lacks) {
    stiction_joint_def def = wrist();
    def.damping = 10; /* K T + B = 15, 30.5 are needed */
    stability_spring spring = stability_spring_of(&def, T);
    stability_body body;
    CHECK(!stability_is_legal(&spring, T) && stability_is_legal(&spring, 0.01));
    stability_joint joint = judge_one(&spring, 0.1675, &body);
    CHECK(joint.verdict == STABILITY_ILLEGAL && !body.stable);
    CHECK_NEAR(joint.holding_stiffness, 5000, 0);
    CHECK_NEAR(joint.holding_damping, 1.1 * 30.5 - 5, 1e-12);
    /* where the inertia does not carry that much, with less damping and more stiffness */
    joint = judge_one(&spring, 0.012, &body);
    CHECK_NEAR(5 + joint.holding_stiffness * T + joint.holding_damping, 5 + 1.1 * 30.5, 1e-9);
    CHECK_NEAR(2 * T * joint.holding_damping + T * T * joint.holding_stiffness, 3.2 * 0.012, 1e-12);
    CHECK(joint.holding_damping > 0 && joint.holding_damping < 10);
    def.stiffness = joint.holding_stiffness;
    def.damping = joint.holding_damping;
    CHECK(stiction_joint_def_check(NULL, &def, T, NULL) == STICTION_OK);
    const double inverse = 1 / 0.012;
    CHECK(growth(1, &inverse, &def, 5000) < 1e-3);
    /* 30.5 T = 4 M: beyond, nothing does */
    CHECK(judge_one(&spring, 0.00763, &body).verdict == STABILITY_ILLEGAL);
    CHECK(judge_one(&spring, 0.00762, &body).verdict == STABILITY_IMPOSSIBLE);
}

TEST(joints_that_are_stable_alone_may_not_be_together) {
    stiction_error error;
    robot *r = robot_load("robots/two_link.body", NULL, &error);
    robot_mobility m;
    CHECK(r && robot_mobility_compute(r, &m, &error) == STICTION_OK);
    /* each at 3 of 4 in its own worst pose */
    stability_spring springs[2];
    stiction_joint_def defs[2];
    for (size_t k = 0; k < 2; k++) {
        const double load = 3 * robot_effective_inertia(&m, k), B = load / (2.1 * T);
        springs[k] = (stability_spring){100 * B, B, 0, 0};
        defs[k] = wrist();
        defs[k].law = "coulomb";
        defs[k].stiffness = springs[k].stiffness;
        defs[k].damping = springs[k].damping;
        CHECK_NEAR(2 * T * B + T * T * 100 * B, load, 1e-12);
    }
    stability_joint joints[2];
    stability_body body;
    CHECK(stability_judge(&m, springs, T, joints, &body, &error) == STICTION_OK);
    CHECK_NEAR(joints[0].number, 3, 1e-9);
    CHECK_NEAR(joints[1].number, 3, 1e-9);
    /* at the straight pose, W12^2/(W11 W22) = M12^2/(M11 M22) = 25/32 */
    CHECK_NEAR(body.number, 3 * (1 + sqrt(25.0 / 32)), 1e-9);
    CHECK(!body.stable);
    CHECK(joints[0].verdict == STABILITY_TOGETHER && joints[1].verdict == STABILITY_TOGETHER);
    CHECK(body.holding <= 3.2 + 1e-9 && body.holding > 3.1);
    const double straight[2] = {0, 0};
    double W[4];
    CHECK(robot_mobility_at(r, straight, W, &error) == STICTION_OK);
    CHECK(growth(2, W, defs, 3000) > 1e3);
    for (size_t k = 0; k < 2; k++) {
        CHECK(joints[k].holding_damping < springs[k].damping);
        CHECK_NEAR(joints[k].holding_stiffness, 100 * joints[k].holding_damping, 1e-9);
        defs[k].stiffness = joints[k].holding_stiffness;
        defs[k].damping = joints[k].holding_damping;
    }
    CHECK(growth(2, W, defs, 3000) < 1e-3);
    robot_mobility_release(&m);
    robot_destroy(r);
}

/* A random M^-1 of n joints, strongly coupled: A A' with a little on the diagonal. */
static void random_inverse(random_source *seed, size_t n, double *W) {
    double A[16];
    for (size_t k = 0; k < n * n; k++) A[k] = random_uniform(seed, -1, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            W[i * n + j] = i == j ? 0.05 : 0;
            for (size_t k = 0; k < n; k++) W[i * n + j] += A[i * n + k] * A[j * n + k];
        }
    const double scale = random_decade(seed, -1, 4);
    for (size_t k = 0; k < n * n; k++) W[k] *= scale;
}

TEST(what_would_hold_is_judged_stable_for_random_robots) {
    random_source seed = {1};
    int changed = 0;
    for (int round = 0; round < 2000; round++) {
        double W[16];
        stability_spring springs[4];
        stability_joint joints[4];
        stability_body body;
        random_inverse(&seed, 4, W);
        const robot_mobility m = of_matrix(4, W);
        for (int k = 0; k < 4; k++) {
            const double K = random_decade(&seed, 0, 4);
            springs[k] = (stability_spring){K, K * random_uniform(&seed, 0.001, 0.1),
                                            random_uniform(&seed, -5, 5) * K * T, 0};
        }
        CHECK(stability_judge(&m, springs, T, joints, &body, NULL) == STICTION_OK);
        const bool was_stable = body.stable;
        for (int k = 0; k < 4; k++) {
            const bool found = !isnan(joints[k].holding_damping);
            if (was_stable) CHECK_SAME(joints[k].holding_damping, springs[k].damping);
            springs[k].stiffness = found ? joints[k].holding_stiffness : 0;
            springs[k].damping = found ? joints[k].holding_damping : 0;
            changed += !was_stable && found;
        }
        CHECK(stability_judge(&m, springs, T, joints, &body, NULL) == STICTION_OK);
        CHECK(body.stable);
    }
    CHECK(changed > 1000);
}

TEST(drives_are_judged_at_their_largest_fall_and_with_presliding) {
    stiction_joint_def def = wrist();
    def.load_motor = 0.5; /* F_C plays no part */
    CHECK_NEAR(stability_spring_of(&def, T).needed, 30.5, 1e-12);
    def.load_motor_static = 0.1;
    def.load_limit = 10;
    CHECK_NEAR(stability_spring_of(&def, T).needed, (2.1 + 1) / 0.06 - 4.5, 1e-12);
    def.lag = 0.001;
    CHECK_NEAR(stability_spring_of(&def, T).needed, 0.5 * (2.1 + 1) / 0.06 - 4.5, 1e-12);
    /* springs beside the law's own count for stability, and not for what is legal */
    def = wrist();
    def.presliding_torque[0] = def.presliding_torque[1] = 0.1;
    def.presliding_stiffness[0] = 40000;
    def.presliding_stiffness[1] = 60000;
    const stability_spring spring = stability_spring_of(&def, T);
    CHECK_SAME(spring.beside, 100000);
    CHECK_NEAR(spring.needed, 30.5, 1e-12);
    stability_body body;
    const double load = 2 * T * 50 + T * T * 105000;
    stability_joint joint = judge_one(&spring, load / 3.9, &body);
    CHECK(joint.verdict == STABILITY_STABLE);
    CHECK_NEAR(joint.number, 3.9, 1e-12);
    joint = judge_one(&spring, load / 4.1, &body);
    CHECK(joint.verdict == STABILITY_UNSTABLE);
    CHECK_NEAR(2 * T * joint.holding_damping + T * T * (joint.holding_stiffness + 100000),
               0.8 * 4 * load / 4.1, 1e-12);
    /* as a simulation finds */
    double inverse = 3.9 / load;
    CHECK(growth(1, &inverse, &def, 5000) < 1e-3);
    inverse = 4.1 / load;
    CHECK(growth(1, &inverse, &def, 5000) > 1e2);
    /* nothing is left for K and B */
    joint = judge_one(&spring, 100000 * T * T / 4, &body);
    CHECK(joint.verdict == STABILITY_IMPOSSIBLE && isnan(joint.holding_stiffness));
}

TEST(laws_are_springs_as_their_models_say) {
    stiction_joint_def def = wrist();
    def.stick_velocity = 0.01;
    def.law = "lugre";
    CHECK_SAME(stability_spring_of(&def, T).stiffness, 5000);
    CHECK_SAME(stability_spring_of(&def, T).damping,
               54.5); /* its viscous part acts at rest as well */
    CHECK(stability_is_legal(&(stability_spring){1, 0, -(double)INFINITY, 0}, T));
    def.law = "dahl";
    CHECK_SAME(stability_spring_of(&def, T).stiffness, 5000);
    CHECK_SAME(stability_spring_of(&def, T).damping, 0);
    def.law = "tanh";
    CHECK_SAME(stability_spring_of(&def, T).stiffness, 0);
    CHECK_NEAR(stability_spring_of(&def, T).damping, 40, 1e-13);
    def.law = "karnopp";
    CHECK_SAME(stability_spring_of(&def, T).damping, 0);
    def.law = "none";
    stability_body body;
    const stability_spring none = stability_spring_of(&def, T);
    CHECK(judge_one(&none, 1, &body).verdict == STABILITY_NONE && body.stable);
    /* lugre explodes where its number says so */
    def.law = "lugre";
    const stability_spring spring = stability_spring_of(&def, T);
    double inverse = 3.9 / (2 * T * spring.damping + T * T * spring.stiffness);
    CHECK(growth(1, &inverse, &def, 3000) < 1e-3);
    inverse *= 4.1 / 3.9;
    CHECK(growth(1, &inverse, &def, 3000) > 1e3);
}

TEST(what_was_not_looked_at_is_neither_stable_nor_safe) {
    double W[4] = {1, 0, 0, 1};
    const robot_mobility m = {.joint_count = 2, .pose_count = 1, .matrices = W, .partial = true};
    const stability_spring springs[2] = {{100, 1, 0, 0}, {100, 3000, 0, 0}};
    stability_joint joints[2];
    stability_body body;
    CHECK(stability_judge(&m, springs, T, joints, &body, NULL) == STICTION_OK);
    CHECK(isnan(body.number) && !body.stable);
    CHECK(joints[0].verdict == STABILITY_UNJUDGED && joints[1].verdict == STABILITY_UNSTABLE);
}

/* ---- which coupling auto takes ---- */

/* A host of three joints, the second without friction. Where the first is near its upper end, all
 * are ten times as light. */
typedef struct light_end {
    double scale;          /* of the mobility */
    stiction_status fails; /* what the host answers for its masses */
} light_end;

static const double mobility_of_three[3][3] = {{4, 1, -2}, {1, 9, 0.5}, {-2, 0.5, 6}};

static stiction_status light_columns(void *host, const double *positions, size_t first,
                                     size_t count, double *columns, stiction_error *error) {
    const light_end *h = host;
    (void)error;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < 3; i++)
            columns[3 * k + i] =
                h->scale * (positions[0] > 0.9 ? 10 : 1) * mobility_of_three[first + k][i];
    return h->fails;
}

TEST(auto_is_explicit_where_the_worst_pose_is_safe_by_a_factor_of_two) {
    static const pose_joint joints[] = {
        {"a", false, -1, 1}, {"b", false, -1, 1}, {"c", true, -0.5, 0.5}};
    stiction_joint_def friction[3] = {wrist(), wrist(), wrist()};
    friction[1].law = "none";
    friction[2].stiffness = 20000;
    light_end host = {.scale = 1};
    coupling_robot asked = {
        .poses = {joints, 3, 3, light_columns, &host}, .friction = friction, .timestep = T};
    /* the larger eigenvalue for the joints with friction, at the light end */
    const double first = 2 * T * 50 + T * T * 5000, third = 2 * T * 50 + T * T * 20000;
    const double p = 40 * first, r = 60 * third, q2 = 400 * first * third;
    const double number = (p + r) / 2 + sqrt((p - r) * (p - r) / 4 + q2);
    coupling_decision d;
    stiction_error error;
    robot_mobility all;
    double worst[3];
    CHECK(coupling_decide(STICTION_COUPLING_AUTO, &asked, &all, worst, &d, &error) == STICTION_OK);
    CHECK_NEAR(d.ratio, number / 4, 1e-9 * number);
    CHECK(d.reason == COUPLING_UNSAFE && d.coupling == STICTION_COUPLING_IMPLICIT);
    CHECK(worst[0] > 0.9 && all.pose_count > 200 && !all.partial);
    CHECK_NEAR(robot_effective_inertia(&all, 2), 1.0 / 60, 1e-12);
    robot_mobility_release(&all);
    for (int side = -1; side <= 1; side += 2) {
        host.scale = (0.5 + 0.001 * side) / (number / 4);
        CHECK(coupling_decide(STICTION_COUPLING_AUTO, &asked, NULL, worst, &d, &error) ==
              STICTION_OK);
        CHECK_NEAR(d.ratio, 0.5 + 0.001 * side, 1e-9);
        CHECK(d.reason == (side < 0 ? COUPLING_SAFE : COUPLING_UNSAFE));
        CHECK((d.coupling == STICTION_COUPLING_EXPLICIT) == (side < 0) && worst[0] > 0.9);
    }
    /* what is configured is not judged but where the masses are wanted */
    CHECK(coupling_decide(STICTION_COUPLING_EXPLICIT, &asked, NULL, NULL, &d, &error) ==
          STICTION_OK);
    CHECK(d.reason == COUPLING_CONFIGURED && d.coupling == STICTION_COUPLING_EXPLICIT);
    CHECK(isnan(d.ratio));
    CHECK(coupling_decide(STICTION_COUPLING_EXPLICIT, &asked, &all, NULL, &d, &error) ==
          STICTION_OK);
    CHECK(d.reason == COUPLING_CONFIGURED && d.ratio > 0.5 && all.pose_count > 200);
    robot_mobility_release(&all);
    host.fails = STICTION_INVALID_ARGUMENT;
    CHECK(coupling_decide(STICTION_COUPLING_AUTO, &asked, &all, NULL, &d, &error) ==
          STICTION_INVALID_ARGUMENT);
}

TEST(auto_without_masses_or_a_potential_says_why) {
    static const pose_joint joints[] = {
        {"a", false, -1, 1}, {"b", false, -1, 1}, {"c", false, -1, 1}};
    stiction_joint_def friction[3] = {wrist(), wrist(), wrist()};
    light_end host = {.scale = 1};
    coupling_robot asked = {
        .poses = {joints, 3, 100000, light_columns, &host}, .friction = friction, .timestep = T};
    coupling_decision d;
    stiction_error error;
    robot_mobility all;
    CHECK(coupling_decide(STICTION_COUPLING_AUTO, &asked, &all, NULL, &d, &error) == STICTION_OK);
    CHECK(d.reason == COUPLING_UNJUDGED && d.coupling == STICTION_COUPLING_IMPLICIT);
    CHECK(all.partial && all.pose_count == 1);
    CHECK_NEAR(robot_effective_inertia(&all, 1), 1.0 / 9, 1e-12);
    robot_mobility_release(&all);
    asked.poses.columns = NULL;
    CHECK(coupling_decide(STICTION_COUPLING_AUTO, &asked, NULL, NULL, &d, &error) == STICTION_OK);
    CHECK(d.reason == COUPLING_UNSAFE && d.coupling == STICTION_COUPLING_IMPLICIT);
    asked.rk4 = true;
    CHECK(coupling_decide(STICTION_COUPLING_AUTO, &asked, NULL, NULL, &d, &error) == STICTION_OK);
    CHECK(d.reason == COUPLING_RK4 && d.coupling == STICTION_COUPLING_EXPLICIT);
    friction[2].law = "lugre";
    CHECK(coupling_decide(STICTION_COUPLING_AUTO, &asked, NULL, NULL, &d, &error) == STICTION_OK);
    CHECK(d.reason == COUPLING_NO_POTENTIAL && d.joint == 2);
    CHECK(d.coupling == STICTION_COUPLING_EXPLICIT && isnan(d.ratio));
}

TEST(robot_without_joints_is_stable) {
    const robot_mobility m = {.pose_count = 1};
    stability_body body;
    CHECK(stability_judge(&m, NULL, T, NULL, &body, NULL) == STICTION_OK);
    CHECK(body.stable);
}

/* The table of verdicts, docs/robots.md and the help of check name the same. */
TEST(every_verdict_stands_in_the_document) {
    static char text[1 << 16];
    FILE *file = fopen("../docs/robots.md", "rb");
    CHECK(file != NULL);
    if (!file) return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (stability_verdict v = STABILITY_NONE; v <= STABILITY_UNJUDGED; v++) {
        char row[64];
        (void)snprintf(row, sizeof row, "\n| `%s` |", stability_verdict_name(v));
        CHECK_CONTAINS(text, row);
    }
}
