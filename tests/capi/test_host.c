/* SPDX-License-Identifier: MIT
 * What hosts share: whom a file is for, the effort that stays in a simulator, a model of some of
 * the joints. The simulator at the end is the smallest host that there can be.
 */
#include <string.h>

#include "auto.h"
#include "load.h"
#include "stiction/stiction.h"

TEST(a_file_is_for_its_models_or_without_any_for_those_who_have_its_joints) {
    static const char *const names[] = {"A", "B1"}, *const others[] = {"X"};
    AUTO(free_config)
    stiction_config *named =
        parse_fine("stiction: 1\nmodels: [R, S]\njoints: { A: { law: none } }\n");
    CHECK(stiction_config_is_for(named, "S", NULL, 0));
    CHECK(!stiction_config_is_for(named, "T", names, 2));
    CHECK(!stiction_config_is_for(named, NULL, names, 2));
    AUTO(free_config)
    stiction_config *any = parse_fine("stiction: 1\njoints: { \"B*\": { law: none } }\n");
    CHECK(stiction_config_is_for(any, "T", names, 2));
    CHECK(stiction_config_is_for(any, NULL, names, 2));
    CHECK(!stiction_config_is_for(any, "T", names, 1));
    CHECK(!stiction_config_is_for(any, "T", others, 1));
    CHECK(!stiction_config_is_for(any, "T", NULL, 0));
    CHECK(!stiction_config_is_for(NULL, "T", names, 2));
}

TEST(an_effort_that_nobody_rewrites_stays_the_command) {
    AUTO(free_effort) stiction_effort *effort = stiction_effort_create(2);
    double u[] = {3, 0};
    for (int step = 0; step < 1000; step++) {
        u[0] = 3 + step; /* a controller; the second joint has none */
        const double friction[] = {1, 0.1};
        const double *command = stiction_effort_command(effort, u);
        CHECK_NEAR(command[0], 3 + step, 0);
        CHECK_NEAR(command[1], 0, 0);
        memcpy(u, stiction_effort_apply(effort, friction), sizeof u);
        CHECK_NEAR(u[0], 2 + step, 0);
        CHECK_NEAR(u[1], -0.1, 0);
    }
    stiction_effort_destroy(NULL);
}

TEST(a_command_of_zero_at_the_start_is_one) {
    stiction_effort *effort = stiction_effort_create(1);
    const double u = 0;
    CHECK_NEAR(stiction_effort_command(effort, &u)[0], 0, 0);
    stiction_effort_destroy(effort);
    CHECK(stiction_effort_create((size_t)-1) == NULL);
}

TEST(a_partial_model_passes_over_patterns_of_other_joints) {
    static const char *const names[] = {"A"};
    AUTO(free_config)
    stiction_config *config = parse_fine(
        "stiction: 1\ntimestep: 0.001\njoints: { A: { law: none }, Z: { law: none } }\n");
    stiction_model_def def = stiction_model_def_default();
    AUTO(free_model) stiction_model *model = NULL;
    stiction_error error;
    CHECK(stiction_model_create(config, names, 1, &def, &model, &error) == STICTION_INVALID_CONFIG);
    def.partial = true;
    CHECK(stiction_model_create(config, names, 1, &def, &model, &error) == STICTION_OK);
}

/* A simulator of one joint that keeps its effort, as real ones do. */
typedef struct simulator {
    double q, dq, u, inertia;
} simulator;

static void simulate(simulator *s, double T) {
    s->dq += T * s->u / s->inertia;
    s->q += T * s->dq;
}

TEST(a_host_is_a_config_a_model_a_state_an_effort_and_a_loop) {
    static const char *const names[] = {"RWRR"};
    const double T = 0.001;
    AUTO(free_config)
    stiction_config *config =
        parse_fine("stiction: 1\njoints:\n  RWRR: { law: stribeck, static_torque: 2.5,\n"
                   "    coulomb_torque: 0.4, stribeck_velocity: 0.06, viscous: 4.5,\n"
                   "    stiffness: 5000, damping: 50 }\n");
    const stiction_override override = {"joints.RWRR.viscous", "4"};
    CHECK(stiction_config_override(config, &override, 1, names, 1, NULL) == STICTION_OK);
    CHECK(stiction_config_is_for(config, "wrist", names, 1));
    stiction_model_def def = {.size = sizeof def, .timestep = T};
    AUTO(free_model) stiction_model *model = NULL;
    AUTO(free_state) stiction_state *state = NULL;
    CHECK(stiction_model_create(config, names, 1, &def, &model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
    AUTO(free_effort) stiction_effort *effort = stiction_effort_create(1);

    /* it turns, nobody drives it, and friction stops it: no step adds to the last one's friction */
    simulator s = {.dq = 1, .inertia = 0.1675};
    for (int step = 0; step < 2000; step++) {
        double friction;
        (void)stiction_effort_command(effort, &s.u);
        CHECK(stiction_step(state, T, &s.dq, &friction, NULL) == STICTION_OK);
        s.u = *stiction_effort_apply(effort, &friction);
        simulate(&s, T);
    }
    CHECK_NEAR(s.dq, 0, 1e-6);
    CHECK(s.q > 0 && s.q < 0.1);
}
