/* SPDX-License-Identifier: MIT
 * The C ABI: what it reads, reports, keeps and refuses.
 */
#include <float.h>
#include <math.h>

#include "auto.h"
#include "stiction/models/law.h"
#include "wrist.h"

static const double T = 0.001;

TEST(version_is_reported) {
    int major, minor, patch;
    CHECK(sscanf(stiction_version(), "%d.%d.%d", &major, &minor, &patch) == 3);
    CHECK(stiction_abi_version() == STICTION_ABI_VERSION);
}

TEST(step_is_algorithm_1_of_the_paper) {
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), T);
    const stiction_law_parameters p = wrist_law();
    const double K = 5000, B = 50, Z = 1 / (K * T + B);
    stiction_phi_z phi_z;
    CHECK(stiction_phi_z_prepare(&phi_z, stiction_law_find("stribeck"), &p, Z) == STICTION_LAW_OK);
    double e = 0;
    for (int k = 0; k < 1000; k++) {
        const double u = 0.2 * sin(0.01 * k);
        const double f = stiction_phi_z_at(&phi_z, u + Z * K * e); /* (13), (17) */
        e = Z * (B * e + f * T);                                   /* (18) */
        CHECK_NEAR(single_joint_step(&j, T, u), f, 1e-12);
        CHECK_NEAR(single_joint_deflection(&j), e, 1e-16);
    }
}

TEST(output_holds_every_value_of_each_joint) {
    const stiction_joint_def defs[2] = {wrist_def(), def_of_law("coulomb")};
    AUTO(free_model) stiction_model *model = model_of(2, defs, T);
    AUTO(free_state) stiction_state *state = state_of(model);
    double velocity[2] = {0.001, 2}, torque[2], deflection[2], slope[2], energy[2];
    unsigned char slipping[2];
    stiction_input input = {.size = sizeof input, .timestep = T, .velocity = velocity};
    stiction_output output = stiction_output_default();
    output.torque = torque;
    output.deflection = deflection;
    output.slope = slope;
    output.slipping = slipping;
    output.dissipated_energy = energy;
    CHECK(stiction_step_full(state, &input, &output, NULL) == STICTION_OK);
    CHECK_NEAR(torque[0], 0.001 * 55, 1e-16); /* sticks: x/Z */
    CHECK(slipping[0] == 0 && slipping[1] == 1);
    CHECK_NEAR(deflection[0], 1e-6, 1e-20); /* the bristle takes the whole motion */
    CHECK_NEAR(slope[0], 55, 1e-13);
    CHECK_NEAR(slope[1], 4.5 / (1 + 4.5 / 55), 1e-14);
    /* the work f u T less the energy K e^2/2 in the bristle */
    CHECK_NEAR(energy[0], 0.055 * 0.001 * T - 0.5 * 5000 * 1e-12, 1e-20);
    CHECK(energy[1] > 0);

    /* each output by itself, and none at all */
    const stiction_output nothing = stiction_output_default();
    CHECK(stiction_step_full(state, &input, &nothing, NULL) == STICTION_OK);
}

TEST(slope_is_the_derivative_of_the_torque) {
    stiction_law_info info;
    for (size_t k = 0; stiction_law_info_at(k, &info); k++) {
        if (strcmp(info.name, "sawtooth") == 0 || strcmp(info.name, "drbm") == 0 ||
            strcmp(info.name, "rbm") == 0)
            continue; /* constant in the velocity but for its sign */
        AUTO(single_joint_free) single_joint j = single_joint_of(def_of_law(info.name), T);
        double torque, slope, effort = 0;
        double velocity = 0.3;
        stiction_input input = stiction_input_default();
        input.timestep = T;
        input.velocity = &velocity;
        input.effort = &effort;
        stiction_output output = {.size = sizeof output, .torque = &torque};
        for (int n = 0; n < 50; n++)
            CHECK(stiction_step_full(j.state, &input, &output, NULL) == STICTION_OK);
        output.slope = &slope;
        CHECK(stiction_trial(j.state, &input, &output, NULL) == STICTION_OK);
        const double h = 1e-5;
        double high, low;
        output.slope = NULL;
        velocity = 0.3 + h;
        output.torque = &high;
        CHECK(stiction_trial(j.state, &input, &output, NULL) == STICTION_OK);
        velocity = 0.3 - h;
        output.torque = &low;
        CHECK(stiction_trial(j.state, &input, &output, NULL) == STICTION_OK);
        /* second order in h, and the roundings of the difference */
        CHECK_NEAR(slope, (high - low) / (2 * h), 1e-5 * fmax(fabs(slope), 1));
    }
}

TEST(trial_does_not_commit) {
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), T);
    for (int k = 0; k < 20; k++) (void)single_joint_step(&j, T, 0.02);
    const double before = single_joint_deflection(&j);
    double velocity = 0.1, tried, committed;
    stiction_input input = {.size = sizeof input, .timestep = T, .velocity = &velocity};
    stiction_output output = {.size = sizeof output, .torque = &tried};
    CHECK(stiction_trial(j.state, &input, &output, NULL) == STICTION_OK);
    CHECK_SAME(single_joint_deflection(&j), before);
    committed = single_joint_step(&j, T, velocity);
    CHECK_SAME(committed, tried);

    /* at another time step, too, without taking the state to it */
    input.timestep = T / 2;
    CHECK(stiction_trial(j.state, &input, &output, NULL) == STICTION_OK);
    input.timestep = T;
    double again;
    output.torque = &again;
    CHECK(stiction_trial(j.state, &input, &output, NULL) == STICTION_OK);
    CHECK_SAME(single_joint_step(&j, T, velocity), again);
}

/* Loads the bristle to `torque` by a slow motion, then stops. */
static void load_bristle(single_joint *j, double torque) {
    const double displacement = torque / 5000;
    for (int k = 0; k < 1000; k++) (void)single_joint_step(j, T, displacement / (1000 * T));
    for (int k = 0; k < 10; k++) (void)single_joint_step(j, T, 0);
}

TEST(changed_parameters_do_not_make_the_torque_jump) {
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), T);
    load_bristle(&j, 2.0);
    const double held = single_joint_step(&j, T, 0);
    CHECK_NEAR(held, 2.0, 1e-12);

    stiction_joint_def def = wrist_def();
    def.stiffness = 20000; /* four times: the deflection gives way, not the torque */
    CHECK(stiction_state_set_joint(j.state, 0, &def, NULL) == STICTION_OK);
    CHECK_NEAR(single_joint_step(&j, T, 0), held, 1e-12);
    CHECK_NEAR(single_joint_deflection(&j), 2.0 / 20000, 1e-16);

    def.static_torque = 5;
    def.damping = 80;
    def.viscous = 1;
    CHECK(stiction_state_set_joint(j.state, 0, &def, NULL) == STICTION_OK);
    CHECK_NEAR(single_joint_step(&j, T, 0), held, 1e-12);

    /* a limit below the held torque demands a jump, of that size and not more */
    def.static_torque = 1.5;
    CHECK(stiction_state_set_joint(j.state, 0, &def, NULL) == STICTION_OK);
    const double after = single_joint_step(&j, T, 0);
    CHECK(after <= 1.5 && after > 0.4);

    /* another law keeps the torque, too, within its limits */
    def = def_of_law("rational");
    def.static_torque = 4;
    def.damping = 100;
    for (int k = 0; k < 1000; k++) (void)single_joint_step(&j, T, 0); /* until it sticks again */
    const double now = single_joint_step(&j, T, 0);
    CHECK(stiction_state_set_joint(j.state, 0, &def, NULL) == STICTION_OK);
    CHECK_NEAR(single_joint_step(&j, T, 0), now, 1e-12);
}

TEST(changed_parameters_are_validated_and_read_back) {
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), T);
    stiction_error error;
    stiction_joint_def def = wrist_def(), read = stiction_joint_def_default();
    def.static_torque = 0.3;
    CHECK_REFUSED(stiction_state_set_joint(j.state, 0, &def, &error), STICTION_INVALID_CONFIG,
                  error, "joint 'J0': static_torque 0.3 is below coulomb_torque 0.4");
    CHECK(stiction_state_joint(j.state, 0, &read, NULL) == STICTION_OK);
    CHECK_SAME(read.static_torque, 2.5);
    CHECK_SAME(read.stribeck_exponent, 1); /* the fallback, filled in */
    CHECK(strcmp(read.law, "stribeck") == 0);

    def = wrist_def();
    def.damping = 20;
    CHECK_REFUSED(stiction_state_set_joint(j.state, 0, &def, &error), STICTION_ILLEGAL_TIMESTEP,
                  error, "a damping above 25.5 would do");
    CHECK_REFUSED(stiction_state_set_joint(j.state, 1, &def, &error), STICTION_INVALID_ARGUMENT,
                  error, "there is no joint 1");
    CHECK(stiction_state_set_joint(j.state, 0, NULL, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_state_joint(j.state, 7, &read, &error) == STICTION_INVALID_ARGUMENT);
}

TEST(time_step_may_change_between_steps) {
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), T);
    load_bristle(&j, 2.0);
    /* at rest the torque does not depend on the time step */
    const double steps[] = {0.002, 0.0005, 0.01, 0.001};
    for (int k = 0; k < 40; k++) CHECK_NEAR(single_joint_step(&j, steps[k % 4], 0), 2.0, 1e-12);
    /* sliding settles at Phi(v) whatever the steps */
    for (int k = 0; k < 4000; k++) (void)single_joint_step(&j, steps[k % 4], 0.5);
    const stiction_law_parameters p = wrist_law();
    CHECK_NEAR(single_joint_step(&j, 0.0007, 0.5),
               stiction_phi(stiction_law_find("stribeck"), &p, 0.5), 1e-12);
}

TEST(illegal_time_step_leaves_the_state_alone) {
    stiction_joint_def def = wrist_def();
    def.damping = 26; /* legal at 1 ms (5 + 26 > 30.5), not at 0.5 ms */
    AUTO(single_joint_free) single_joint j = single_joint_of(def, T);
    load_bristle(&j, 1.0);
    const double before = single_joint_deflection(&j), velocity = 0.01;
    double torque = 7;
    stiction_error error;
    CHECK_REFUSED(stiction_step(j.state, 0.0005, &velocity, &torque, &error),
                  STICTION_ILLEGAL_TIMESTEP, error, "joint 'J0': at time step 0.0005 s");
    CHECK_CONTAINS(error.message, "a damping above 28 would do");
    CHECK_SAME(torque, 0);
    CHECK_SAME(single_joint_deflection(&j), before);
    CHECK_NEAR(single_joint_step(&j, T, 0), 1.0, 1e-12);
}

TEST(velocity_that_is_not_finite_is_a_counted_fault) {
    const stiction_joint_def defs[3] = {wrist_def(), wrist_def(), wrist_def()};
    AUTO(free_model) stiction_model *model = model_of(3, defs, T);
    AUTO(free_state) stiction_state *state = state_of(model);
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double bad[][3] = {{nan, 0.01, 0}, {inf, 0.01, 0}, {-inf, 0.01, 0}, {1e308, 0.01, 0}};
    double torque[3], deflection[3];
    for (int k = 0; k < 4; k++) {
        CHECK(stiction_step(state, T, bad[k], torque, NULL) == STICTION_OK);
        CHECK_SAME(torque[0], 0);
        CHECK(torque[1] > 0);
    }
    CHECK(stiction_state_get_deflections(state, deflection, NULL) == STICTION_OK);
    CHECK_SAME(deflection[0], 0);
    CHECK(stiction_state_faults(state, 0) == 4);
    CHECK(stiction_state_faults(state, 1) == 0);
    CHECK(stiction_state_total_faults(state) == 4);
    /* the joint goes on as if nothing had been */
    const double good[3] = {0.01, 0.01, 0.01};
    CHECK(stiction_step(state, T, good, torque, NULL) == STICTION_OK);
    CHECK_NEAR(torque[0], 0.55, 1e-15);
    CHECK(stiction_state_reset(state, NULL) == STICTION_OK);
    CHECK(stiction_state_total_faults(state) == 0);
}

/* A drive that reads all there is, in a step that is a fault of the first of two joints. */
static void fault(stiction_state *state, const stiction_input *input, double *memory) {
    double numbers[7][2];
    unsigned char slipping[2];
    stiction_output output = stiction_output_default();
    output.torque = numbers[0];
    output.slope = numbers[1];
    output.static_level = numbers[2];
    output.coulomb_level = numbers[3];
    output.temperature = numbers[4];
    output.deflection = numbers[5];
    output.dissipated_energy = numbers[6];
    output.slipping = slipping;
    output.memory = memory;
    const uint64_t before = stiction_state_faults(state, 0);
    CHECK(stiction_step_full(state, input, &output, NULL) == STICTION_OK);
    CHECK(stiction_state_faults(state, 0) == before + 1 && stiction_state_faults(state, 1) == 0);
    for (int n = 0; n < 5; n++) CHECK_SAME(numbers[n][0], 0);
    for (int n = 5; n < 7; n++) CHECK(isfinite(numbers[n][0]));
    CHECK(slipping[0] == 0);
    CHECK(numbers[2][1] > numbers[3][1] && numbers[3][1] > 0 && numbers[4][1] == 30);
}

TEST(a_fault_reports_only_finite_numbers) {
    stiction_joint_def def = wrist_def();
    def.ripple = 0.1;
    def.load_motor = 0.3;
    def.temperature_level = 0.001;
    def.presliding_torque[0] = 0.2;
    def.presliding_stiffness[0] = 1000;
    const stiction_joint_def defs[] = {def, def};
    AUTO(free_model) stiction_model *model = model_of(2, defs, T);
    AUTO(free_state) stiction_state *state = state_of(model);
    double given[4][2], memory[64] = {0};
    stiction_input input = stiction_input_default();
    input.timestep = T;
    input.velocity = given[0];
    input.position = given[1];
    input.effort = given[2];
    input.temperature = given[3];
    const double bad[] = {(double)INFINITY, -(double)INFINITY, 1e300, (double)NAN};
    for (int n = 0; n < 4; n++)
        for (int b = 0; b < (n < 3 ? 4 : 3); b++) { /* temperature NaN: its own */
            for (int k = 0; k < 8; k++) given[k / 2][k % 2] = k < 6 ? 1 : 30;
            given[n][0] = bad[b];
            fault(state, &input, NULL);
        }
    given[3][0] = (double)NAN;
    const size_t numbers = stiction_state_memory_size(state) / 2;
    for (size_t k = 0; k < numbers; k++)
        for (int b = 0; b < 4; b++) {
            memset(memory, 0, sizeof memory);
            memory[k] = bad[b] == 1e300 ? (double)INFINITY : bad[b];
            fault(state, &input, memory);
        }
    /* one that reads no temperature has no fault, and its own */
    def = wrist_def();
    CHECK(stiction_state_set_joint(state, 0, &def, NULL) == STICTION_OK);
    stiction_output output = stiction_output_default();
    double temperature[2];
    output.temperature = temperature;
    given[3][0] = (double)INFINITY;
    CHECK(stiction_step_full(state, &input, &output, NULL) == STICTION_OK);
    CHECK_SAME(temperature[0], 25);
}

static int warnings;

static void count_warning(void *user, stiction_log_level level, const char *message) {
    CHECK(user == &warnings);
    if (level == STICTION_LOG_WARNING) {
        warnings++;
        CHECK_CONTAINS(message, "joint 'J0': velocity nan");
    } else {
        CHECK_CONTAINS(message, "joint 'free': no friction is configured");
    }
}

TEST(each_warning_is_logged_once) {
    AUTO(free_config) stiction_config *config = stiction_config_create();
    const stiction_joint_def wrist = wrist_def();
    CHECK(stiction_config_add_joint(config, "J*", &wrist, NULL) == STICTION_OK);
    const char *names[] = {"J0", "free"};
    stiction_model_def def = stiction_model_def_default();
    def.timestep = T;
    def.log = count_warning;
    def.log_user = &warnings;
    AUTO(free_model) stiction_model *model = NULL;
    CHECK(stiction_model_create(config, names, 2, &def, &model, NULL) == STICTION_OK);
    AUTO(free_state) stiction_state *state = state_of(model);
    const double velocity[2] = {(double)NAN, 5};
    double torque[2];
    for (int k = 0; k < 100; k++)
        CHECK(stiction_step(state, T, velocity, torque, NULL) == STICTION_OK);
    CHECK(warnings == 1);
    CHECK_SAME(torque[1], 0);
}

TEST(names_beat_patterns_and_later_patterns_earlier_ones) {
    AUTO(free_config) stiction_config *config = stiction_config_create();
    stiction_joint_def def = wrist_def();
    const struct {
        const char *pattern;
        double static_torque;
    } entries[] = {{"RWRR", 1}, {"?WR*", 1.2}, {"LWR[PY]", 1.4}, {"LWRP", 1.6}, {"*[!R]", 1.8}};
    for (size_t k = 0; k < 5; k++) {
        def.static_torque = entries[k].static_torque;
        CHECK(stiction_config_add_joint(config, entries[k].pattern, &def, NULL) == STICTION_OK);
    }
    const char *names[] = {"RWRR", "LWRR", "LWRP", "LWRY", "RWRP", "WP"};
    const double expected[] = {1, 1.2, 1.6, 1.8, 1.8, 1.8};
    CHECK(stiction_config_set_timestep(config, T, NULL) == STICTION_OK);
    AUTO(free_model) stiction_model *model = NULL;
    stiction_error error;
    CHECK(stiction_model_create(config, names, 6, NULL, &model, &error) == STICTION_OK);
    for (size_t k = 0; k < 6; k++) {
        stiction_joint_def found = stiction_joint_def_default();
        CHECK(stiction_model_joint(model, k, &found, NULL) == STICTION_OK);
        CHECK_SAME(found.static_torque, expected[k]);
        CHECK(stiction_model_find_joint(model, names[k]) == k);
        CHECK(strcmp(stiction_model_joint_name(model, k), names[k]) == 0);
    }
    CHECK(stiction_model_find_joint(model, "no") == 6);
    CHECK(stiction_model_joint_name(model, 6) == NULL);
    CHECK_SAME(stiction_model_timestep(model), T);
}

/* Finding a name takes no longer among many: CTest's TIMEOUT bounds what would be quadratic. */
TEST(robot_with_a_hundred_thousand_joints_is_made) {
    enum { count = 100000 };
    static char names[count][24];
    static const char *list[count];
    AUTO(free_config) stiction_config *config = stiction_config_create();
    stiction_joint_def none = stiction_joint_def_default();
    none.law = "none";
    for (size_t k = 0; k < count; k++) {
        /* in no order */
        (void)snprintf(names[k], sizeof names[k], "J%zu", k * 7919 % count);
        list[k] = names[k];
        CHECK(stiction_config_add_joint(config, names[k], &none, NULL) == STICTION_OK);
    }
    stiction_model_def def = stiction_model_def_default();
    AUTO(free_model) stiction_model *model = NULL;
    def.timestep = T;
    CHECK(stiction_model_create(config, list, count, &def, &model, NULL) == STICTION_OK);
    CHECK(stiction_config_check(config, list, count, T, NULL) == STICTION_OK);
    for (size_t k = 0; k < count; k++) CHECK(stiction_model_find_joint(model, names[k]) == k);
}

TEST(configurations_that_do_not_fit_are_refused) {
    AUTO(free_config) stiction_config *config = stiction_config_create();
    const stiction_joint_def def = wrist_def();
    const char *names[] = {"RWRR", "RWRP"};
    stiction_model *model;
    stiction_error error;
    stiction_model_def model_def = stiction_model_def_default();
    CHECK_REFUSED(stiction_model_create(config, names, 2, NULL, &model, &error),
                  STICTION_INVALID_ARGUMENT, error, "time step");
    model_def.timestep = -1;
    CHECK_REFUSED(stiction_model_create(config, names, 2, &model_def, &model, &error),
                  STICTION_INVALID_ARGUMENT, error, "time step -1 must be above 0");
    model_def.timestep = T;

    CHECK(stiction_config_add_joint(config, "RWRX", &def, NULL) == STICTION_OK);
    CHECK_REFUSED(stiction_config_add_joint(config, "RWRX", &def, &error), STICTION_INVALID_CONFIG,
                  error, "given twice");
    CHECK(stiction_model_create(config, names, 2, &model_def, &model, &error) ==
          STICTION_INVALID_CONFIG);
    CHECK(model == NULL);
    CHECK_CONTAINS(error.message, "joint 'RWRX': the robot has no such joint");
    CHECK_CONTAINS(error.message, "RWRR");
    stiction_config_destroy(config);

    config = stiction_config_create();
    CHECK(stiction_config_add_joint(config, "RWRR", &def, NULL) == STICTION_OK);
    model_def.strict = true;
    CHECK_REFUSED(stiction_model_create(config, names, 2, &model_def, &model, &error),
                  STICTION_INVALID_CONFIG, error,
                  "joint 'RWRP': nothing in the configuration matches it");
    const char *twice[] = {"RWRR", "RWRR"};
    CHECK_REFUSED(stiction_model_create(config, twice, 2, &model_def, &model, &error),
                  STICTION_INVALID_ARGUMENT, error, "both named 'RWRR'");
    const char *nameless[] = {"RWRR", NULL};
    CHECK(stiction_model_create(config, nameless, 2, &model_def, &model, &error) ==
          STICTION_INVALID_ARGUMENT);
    model_def.size = 3;
    CHECK_REFUSED(stiction_model_create(config, names, 2, &model_def, &model, &error),
                  STICTION_INVALID_ARGUMENT, error, "stiction_model_def_default");
}

TEST(every_parameter_is_checked_by_name_value_and_bound) {
    stiction_law_info info;
    stiction_error error;
    for (size_t n = 0; stiction_law_info_at(n, &info); n++) {
        stiction_joint_def def = def_of_law(info.name);
        CHECK(stiction_joint_def_check("X", &def, T, &error) == STICTION_OK);
        stiction_parameter_info parameter;
        for (size_t k = 0; stiction_parameter_at(k, &parameter); k++) {
            const bool read = info.parameters >> k & 1;
            double *value = (double *)(void *)((char *)&def + parameter.offset);
            const double good = *value;
            const double bad[] = {-1e300, (double)INFINITY, (double)NAN};
            for (int b = 0; b < 3; b++) {
                *value = bad[b];
                const stiction_status status = stiction_joint_def_check("X", &def, T, &error);
                if (isnan(bad[b]) && (!read || !isnan(parameter.fallback))) {
                    CHECK(status == STICTION_OK); /* it is not read, or has a fallback */
                } else {
                    CHECK(status == STICTION_INVALID_CONFIG);
                    CHECK_CONTAINS(error.message, "joint 'X': ");
                    CHECK_CONTAINS(error.message, parameter.key);
                }
            }
            *value = good;
        }
        def.presliding_torque[1] = 0.1;
        CHECK_REFUSED(stiction_joint_def_check("X", &def, T, &error), STICTION_INVALID_CONFIG,
                      error, "number 2 of presliding_torque is given, and number 1 is");
        def.presliding_torque[0] = -(double)INFINITY;
        CHECK_REFUSED(stiction_joint_def_check("X", &def, T, &error), STICTION_INVALID_CONFIG,
                      error, "number 1 of presliding_torque is -inf; it must be from");
    }
}

TEST(definitions_that_make_no_sense_are_refused) {
    stiction_error error;
    stiction_joint_def def = stiction_joint_def_default();
    CHECK_REFUSED(stiction_joint_def_check(NULL, &def, T, &error), STICTION_INVALID_CONFIG, error,
                  "law is not given");
    def.law = "stribek";
    CHECK_REFUSED(stiction_joint_def_check("X", &def, T, &error), STICTION_INVALID_CONFIG, error,
                  "there is no law 'stribek'");
    def = wrist_def();
    def.size = 4;
    CHECK(stiction_joint_def_check("X", &def, T, &error) == STICTION_INVALID_ARGUMENT);
    def = wrist_def();
    def.stribeck_exponent = 0.9;
    CHECK_REFUSED(stiction_joint_def_check("X", &def, T, &error), STICTION_INVALID_CONFIG, error,
                  "stribeck_exponent 0.9 must be at least 1");
    def = def_of_law("elasto_plastic");
    def.elastic_limit = 1;
    CHECK_REFUSED(stiction_joint_def_check("X", &def, T, &error), STICTION_INVALID_CONFIG, error,
                  "elastic_limit must be below");
    def = def_of_law("drbm");
    def.bristle_spacing = 1;
    CHECK_REFUSED(stiction_joint_def_check("X", &def, T, &error), STICTION_INVALID_CONFIG, error,
                  "bristle_spacing must be below");
    def = wrist_def();
    CHECK(stiction_joint_def_check("X", NULL, T, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_joint_def_check("X", &def, 0, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_joint_def_check("X", &def, (double)NAN, NULL) == STICTION_INVALID_ARGUMENT);
}

TEST(definition_of_an_older_caller_is_read) {
    /* as if the struct ended where it did before the reference models */
    stiction_joint_def def = wrist_def();
    def.size = offsetof(stiction_joint_def, stick_velocity);
    def.stick_velocity = 12345;
    stiction_error error;
    CHECK(stiction_joint_def_check("X", &def, T, &error) == STICTION_OK);
    def.law = "tanh";
    CHECK_REFUSED(stiction_joint_def_check("X", &def, T, &error), STICTION_INVALID_CONFIG, error,
                  "law tanh needs stick_velocity (epsilon, rad/s)");
}

TEST(structs_of_a_newer_caller_are_read) {
    /* as if a later header had added fields at the end */
    struct {
        stiction_input known;
        double unknown[4];
    } input = {stiction_input_default(), {1, 2, 3, 4}};
    struct {
        stiction_output known;
        double *unknown[4];
    } output = {stiction_output_default(), {NULL}};
    const double velocity = 0.01;
    double torque = 0;
    input.known.size = sizeof input;
    input.known.timestep = T;
    input.known.velocity = &velocity;
    output.known.size = sizeof output;
    output.known.torque = &torque;
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), T);
    CHECK(stiction_step_full(j.state, &input.known, &output.known, NULL) == STICTION_OK);
    CHECK_NEAR(torque, 0.55, 1e-15);
}

/* tests/capi/test_null.c passes NULL for every pointer. */
TEST(unusable_arguments_are_refused_with_a_message) {
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), T);
    const double velocity = 0;
    double torque;
    stiction_error error;
    memset(&error, 0xff, sizeof error);
    stiction_input input = {0};
    stiction_output output = {0};
    CHECK_REFUSED(stiction_step_full(j.state, &input, &output, &error), STICTION_INVALID_ARGUMENT,
                  error, "start from stiction_output_default()");
    output = stiction_output_default();
    CHECK_REFUSED(stiction_step_full(j.state, &input, &output, &error), STICTION_INVALID_ARGUMENT,
                  error, "start from stiction_input_default()");
    const double broken = (double)NAN;
    CHECK(stiction_state_set_deflections(j.state, &broken, &error) == STICTION_INVALID_ARGUMENT);
    /* nobody needs the error, and success clears it */
    CHECK(stiction_step(NULL, T, &velocity, &torque, NULL) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_step(j.state, T, &velocity, &torque, &error) == STICTION_OK);
    CHECK(error.status == STICTION_OK && error.message[0] == '\0');
    for (int k = STICTION_OK; k <= STICTION_OUT_OF_MEMORY; k++)
        CHECK(strcmp(stiction_status_name((stiction_status)k), "unknown status") != 0);
}

TEST(laws_that_need_the_effort_say_so) {
    AUTO(single_joint_free) single_joint j = single_joint_of(def_of_law("karnopp"), T);
    double velocity = 0, torque, effort = 1.5;
    stiction_error error;
    CHECK_REFUSED(stiction_step(j.state, T, &velocity, &torque, &error), STICTION_INVALID_ARGUMENT,
                  error, "needs the effort");
    stiction_input input = stiction_input_default();
    input.timestep = T;
    input.velocity = &velocity;
    input.effort = &effort;
    stiction_output output = {.size = sizeof output, .torque = &torque};
    CHECK(stiction_step_full(j.state, &input, &output, NULL) == STICTION_OK);
    CHECK_SAME(torque, 1.5); /* it holds what it is given */
    effort = (double)NAN;
    CHECK(stiction_step_full(j.state, &input, &output, NULL) == STICTION_OK);
    CHECK_SAME(torque, 0);
    CHECK(stiction_state_total_faults(j.state) == 1);
}

TEST(rate_is_the_step_of_an_integrator_that_carries_the_deflection) {
    AUTO(single_joint_free) single_joint j = single_joint_of(wrist_def(), T);
    double e = 0;
    for (int k = 0; k < 500; k++) {
        const double velocity = 0.2 * sin(0.02 * k);
        double torque, rate;
        CHECK(stiction_rate(j.state, T, &velocity, &e, &torque, &rate, NULL) == STICTION_OK);
        e += T * rate;
        CHECK_NEAR(single_joint_step(&j, T, velocity), torque, 1e-13);
        CHECK_NEAR(single_joint_deflection(&j), e, 1e-17);
    }
    /* tau = 0 is the exact differential equation: stuck, the bristle takes the whole motion */
    const double slow = 0.001, zero = 0;
    double torque, rate;
    CHECK(stiction_rate(j.state, 0, &slow, &zero, &torque, &rate, NULL) == STICTION_OK);
    CHECK_NEAR(rate, slow, 1e-18);
    CHECK_NEAR(torque, 50 * slow, 1e-16);

    stiction_error error;
    stiction_joint_def undamped = def_of_law("coulomb");
    undamped.damping = 0;
    CHECK(stiction_state_set_joint(j.state, 0, &undamped, NULL) == STICTION_OK);
    CHECK_REFUSED(stiction_rate(j.state, 0, &slow, &zero, &torque, &rate, &error),
                  STICTION_ILLEGAL_TIMESTEP, error, "damping must be above 0");
    CHECK_SAME(torque, 0);
    const stiction_joint_def sawtooth = def_of_law("sawtooth");
    CHECK(stiction_state_set_joint(j.state, 0, &sawtooth, NULL) == STICTION_OK);
    CHECK_REFUSED(stiction_rate(j.state, T, &slow, &zero, &torque, &rate, &error),
                  STICTION_INVALID_ARGUMENT, error, "law sawtooth has more state");
    CHECK(stiction_rate(j.state, -1, &slow, &zero, &torque, &rate, &error) ==
          STICTION_INVALID_ARGUMENT);
}

TEST(a_robot_without_joints_is_a_robot) {
    AUTO(free_model) stiction_model *model = model_of(0, NULL, T);
    AUTO(free_state) stiction_state *state = state_of(model);
    double torque = 0;
    CHECK(stiction_step(state, T, NULL, &torque, NULL) == STICTION_OK);
}

TEST(the_law_of_a_joint_gets_every_parameter_of_its_definition) {
    stiction_joint_def def = stiction_joint_def_default();
    stiction_law_parameters p = stiction_joint_law_parameters(&def);
    const stiction_law_parameters fallback = stiction_law_parameters_default();
    CHECK(memcmp(&p, &fallback, sizeof p) == 0);

    /* a value of its own for each, through the table */
    stiction_parameter_info info;
    for (size_t k = 0; k < STICTION_LAW_PARAMETER_COUNT && stiction_parameter_at(k, &info); k++) {
        const double value = 2 + (double)k;
        memcpy((char *)&def + info.offset, &value, sizeof value);
    }
    p = stiction_joint_law_parameters(&def);
    double values[STICTION_LAW_PARAMETER_COUNT];
    memcpy(values, &p, sizeof values);
    for (size_t k = 0; k < STICTION_LAW_PARAMETER_COUNT; k++) CHECK_SAME(values[k], 2 + (double)k);
    CHECK_SAME(p.stribeck_exponent, def.stribeck_exponent);
    CHECK_SAME(p.viscous, def.viscous);
}
