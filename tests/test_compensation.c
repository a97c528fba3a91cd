/*
 * Friction to feed forward: of the same laws and the same file as a simulation's.
 */
#include <unistd.h>

#include "check.h"
#include "controllers/compensation/compensation.h"
#include "stiction/models/law.h"

static const char *const joints[] = {"RWRR", "NOBODY"};

static compensation *wrist(void) {
    compensation *c;
    stiction_error error;
    if (compensation_create("../config/hrp5p.yaml", joints, 2, &c, &error) != STICTION_OK)
        FAIL("%s", error.message);
    return c;
}

TEST(the_torque_is_phi_with_a_soft_edge) {
    compensation *c = wrist();
    const stiction_law *law = stiction_law_find("stribeck");
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = 2.5;
    p.coulomb_torque = 0.4;
    p.stribeck_velocity = 0.06;
    p.stribeck_exponent = 1;
    p.viscous = 4.5;
    const double edge = 0.01;
    for (double v = -1; v <= 1; v += 0.05) {
        const double soft = fabs(v) / sqrt(v * v + edge * edge);
        CHECK_NEAR(compensation_torque(c, 0, v, 1, edge), soft * stiction_phi(law, &p, v), 1e-12);
        CHECK_NEAR(compensation_torque(c, 0, v, 0.7, edge),
                   0.7 * compensation_torque(c, 0, v, 1, edge), 1e-12);
    }
    /* at rest there is none, and it comes smoothly: 0.7 of the static torque at the edge */
    CHECK_SAME(compensation_torque(c, 0, 0, 1, edge), 0);
    CHECK_NEAR(compensation_torque(c, 0, 1e-6, 1, edge), 2.5e-4, 1e-7);
    CHECK_NEAR(compensation_torque(c, 0, edge, 1, edge), sqrt(0.5) * 2.2231, 1e-3);
    CHECK_SAME(compensation_torque(c, 0, (double)NAN, 1, edge), 0);
    compensation_destroy(c);
}

TEST(a_joint_without_friction_gets_none) {
    compensation *c = wrist();
    CHECK_SAME(compensation_torque(c, 1, 1, 1, 0.01), 0);
    CHECK_SAME(compensation_torque(c, 7, 1, 1, 0.01), 0);
    CHECK_SAME(compensation_torque(NULL, 0, 1, 1, 0.01), 0);
    compensation_destroy(c);
    compensation_destroy(NULL);
}

TEST(what_cannot_be_compensated_is_refused) {
    compensation *c;
    stiction_error error;
    CHECK(compensation_create("no/such.yaml", joints, 2, &c, &error) != STICTION_OK && !c);
    CHECK_CONTAINS(error.path, "no/such.yaml");
    char path[] = "compensationXXXXXX";
    const int file = mkstemp(path);
    static const char text[] =
        "stiction: 1\ntimestep: 0.001\njoints:\n  RWRR: { law: karnopp, static_torque: 2, "
        "coulomb_torque: 1, stribeck_velocity: 0.1, viscous: 1, stick_velocity: 0.01 }\n";
    CHECK(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    (void)close(file);
    CHECK(compensation_create(path, joints, 1, &c, &error) == STICTION_INVALID_CONFIG && !c);
    CHECK_CONTAINS(error.message,
                   "joint 'RWRR': law karnopp cannot be compensated: it is a model of "
                   "the literature and has no Phi");
    (void)unlink(path);
}
