/* SPDX-License-Identifier: MIT
 * Parameters that are drawn: legal, reproducible, independent of all but their key, and distributed
 * as the file says.
 */
#include <float.h>
#include <stiction/stiction.h>

#include "auto.h"
#include "load.h"
#include "wrist.h"

static stiction_joint_def draw(const stiction_config *config, const char *name, uint64_t sample,
                               double timestep) {
    stiction_joint_def def = stiction_joint_def_default();
    stiction_error error;
    if (stiction_config_draw(config, name, sample, timestep, &def, &error) != STICTION_OK)
        FAIL("%s", error.message);
    return def;
}

static const char wrist[] = "stiction: 1\n"
                            "timestep: 0.001\n"
                            "seed: 42\n"
                            "profiles:\n"
                            "  wrist:\n"
                            "    law: stribeck\n"
                            "    static_torque: {uniform: [2.0, 3.0]}\n"
                            "    coulomb_torque: {normal: [0.4, 0.1]}\n"
                            "    stribeck_velocity: {log_uniform: [0.02, 0.2]}\n"
                            "    viscous: 4.5\n"
                            "    stiffness: 5000\n"
                            "    damping: 150\n"
                            "joints:\n"
                            "  RWRR: { profile: wrist }\n"
                            "  'L*': { profile: wrist, viscous: {scale: [0.8, 1.2]} }\n";

/* Legality. */

/* As many combinations as can be are illegal by themselves. */
static const struct {
    const char *key, *distribution;
} everything[] = {
    {"static_torque", "{uniform: [0.1, 3]}"},
    {"coulomb_torque", "{normal: [1, 1]}"},
    {"stribeck_velocity", "{log_uniform: [0.003, 1]}"},
    {"stribeck_exponent", "{uniform: [1, 3]}"},
    {"viscous", "{normal: [0, 2]}"},
    {"stiffness", "{log_uniform: [1e3, 1e5]}"},
    {"damping", "{uniform: [0, 100]}"},
    {"stick_velocity", "{log_uniform: [1e-6, 1e-2]}"},
    {"elastic_limit", "{log_uniform: [1e-6, 1e-2]}"},
    {"bristle_spacing", "{uniform: [0.01, 1]}"},
    {"bristle_stiffness", "{normal: [1, 0.5]}"},
    {"bristle_height", "{uniform: [0.1, 1]}"},
    {"bristle_length", "{uniform: [0.1, 2]}"},
    {"body_length", "{uniform: [0.1, 9]}"},
    {"angle_scale", "{uniform: [0.1, 2]}"},
    {"min_angle", "{uniform: [0.1, 1]}"},
    {"max_angle", "{uniform: [0.1, 1]}"},
    {"inertia", "{uniform: [0, 1]}"},
    {"load_motor", "{uniform: [0, 0.5]}"},
    {"load_external", "{uniform: [0, 2]}"},
    {"load_motor_static", "{uniform: [0, 0.6]}"},
    {"load_external_static", "{uniform: [0, 1]}"},
    {"load_limit", "{uniform: [0.01, 0.1]}"},
    {"temperature", "{uniform: [0, 100]}"},
    {"reference_temperature", "{uniform: [0, 100]}"},
    {"temperature_level", "{uniform: [-0.005, 0.005]}"},
    {"temperature_viscous", "{uniform: [-0.02, 0.02]}"},
    {"ambient_temperature", "{uniform: [0, 100]}"},
    {"thermal_resistance", "{uniform: [0, 4]}"},
    {"thermal_time", "{uniform: [1, 900]}"},
    {"ripple", "{uniform: [0, 0.5]}"},
    {"ripple_count", "{uniform: [1, 100]}"},
    {"ripple_phase", "{uniform: [0, 6]}"},
    {"reverse_factor", "{uniform: [0.8, 1.2]}"},
    {"lag", "{uniform: [0, 0.1]}"},
    {"reverse_viscous_factor", "{uniform: [0.8, 1.2]}"},
    {"viscous_exponent", "{uniform: [0.3, 2]}"},
};

static stiction_config *parse_law(const char *law) {
    char text[4096];
    int length = snprintf(text, sizeof text, "stiction: 1\njoints:\n  J:\n    law: %s\n", law);
    for (size_t k = 0; k < sizeof everything / sizeof everything[0]; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, "    %s: %s\n",
                           everything[k].key, everything[k].distribution);
    return parse_fine(text);
}

TEST(every_draw_of_every_law_is_legal) {
    CHECK(sizeof everything / sizeof everything[0] == stiction_parameter_count());
    stiction_law_info law;
    for (size_t l = 0; stiction_law_info_at(l, &law); l++) {
        AUTO(free_config) stiction_config *config = parse_law(law.name);
        for (uint64_t sample = 0; config && sample < ROUNDS(100000); sample++) {
            const stiction_joint_def def = draw(config, "J", sample, 1e-3);
            stiction_error error;
            if (stiction_joint_def_check("J", &def, 1e-3, &error) != STICTION_OK)
                FAIL("%s, sample %llu: %s", law.name, (unsigned long long)sample, error.message);
            if (law.parameters && law.name[0] == 's' && law.parameters & 3)
                CHECK(def.static_torque >= def.coulomb_torque);
        }
    }
}

TEST(what_no_draw_can_make_legal_at_the_time_step_is_refused_with_its_place) {
    AUTO(free_config)
    stiction_config *config =
        parse_fine("stiction: 1\n"
                   "joints:\n"
                   "  RWRR: { law: stribeck, static_torque: {uniform: [2, 3]},\n"
                   "          coulomb_torque: 0.4, stribeck_velocity: 0.06,\n"
                   "          stiffness: 5000, damping: {uniform: [1, 2]} }\n");
    const char *name = "RWRR";
    stiction_model_def def = stiction_model_def_default();
    stiction_model *model;
    stiction_error error;
    def.timestep = 1e-3;
    CHECK(stiction_model_create(config, &name, 1, &def, &model, &error) ==
          STICTION_ILLEGAL_TIMESTEP);
    CHECK(model == NULL);
    CHECK(error.line == 5 && error.column == 37);
    CHECK_CONTAINS(error.message,
                   "joint 'RWRR': none of 10000 draws of static_torque {uniform: [2, 3]}, damping "
                   "{uniform: [1, 2]} is legal; in the last one at time step 0.001 s stiffness *");
    stiction_joint_def drawn = stiction_joint_def_default();
    CHECK(stiction_config_draw(config, name, 0, 1e-3, &drawn, &error) == STICTION_ILLEGAL_TIMESTEP);
    CHECK(isnan(drawn.damping));
    /* without a time step the domains alone count */
    CHECK(stiction_config_draw(config, name, 0, 0, &drawn, &error) == STICTION_OK);
    CHECK(drawn.damping >= 1 && drawn.damping <= 2);
}

/* As a model has it, whether anything is drawn or not. */
TEST(a_joint_that_is_illegal_at_the_time_step_is_not_given) {
    const char *name = "RWRR";
    stiction_joint_def weak = wrist_def(), given = stiction_joint_def_default();
    stiction_error error;
    weak.damping = 1;
    AUTO(free_config) stiction_config *config = stiction_config_create();
    CHECK(stiction_config_add_joint(config, name, &weak, NULL) == STICTION_OK);
    CHECK_REFUSED(stiction_config_draw(config, name, 0, 1e-3, &given, &error),
                  STICTION_ILLEGAL_TIMESTEP, error,
                  "joint 'RWRR': at time step 0.001 s stiffness * timestep +");
    CHECK(isnan(given.damping));
    CHECK(stiction_config_draw(config, name, 0, 0, &given, NULL) == STICTION_OK);
    CHECK_SAME(given.damping, 1);
    CHECK(stiction_config_draw(config, name, 0, 0.01, &given, NULL) == STICTION_OK);
    stiction_config_destroy(config);
    config = parse_fine("stiction: 1\n"
                        "timestep: 0.001\n"
                        "joints:\n"
                        "  RWRR: { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4,\n"
                        "          stribeck_velocity: 0.06, stiffness: 5000, damping: 1 }\n");
    CHECK(stiction_config_draw(config, name, 0, 0, &given, &error) == STICTION_ILLEGAL_TIMESTEP);
    CHECK(error.line == 5);
}

/* What a draw depends on. */

TEST(a_seed_means_the_same_numbers_everywhere) {
    AUTO(free_config) stiction_config *config = parse_fine(wrist);
    const stiction_joint_def first = draw(config, "RWRR", 0, 0), left = draw(config, "LWRR", 7, 0);
    CHECK_SAME(first.static_torque, 0x1.33d12a1e7557ap+1);
    CHECK_SAME(first.coulomb_torque, 0x1.fcd02b2ddc1dap-2);
    CHECK_SAME(first.stribeck_velocity, 0x1.d27a45b29a278p-5);
    CHECK_SAME(left.static_torque, 0x1.01f4abb61628dp+1);
    CHECK_SAME(left.viscous, 0x1.0c5cb1f89e132p+2);
    CHECK_SAME(first.viscous, 4.5);
}

static bool same(const stiction_joint_def *a, const stiction_joint_def *b) {
    bool equal = strcmp(a->law, b->law) == 0;
    for (size_t k = 0; k < stiction_parameter_count(); k++) {
        const double x = stiction_joint_def_value(a, k), y = stiction_joint_def_value(b, k);
        equal = equal && memcmp(&x, &y, sizeof x) == 0;
    }
    return equal;
}

TEST(a_joint_draws_the_same_whatever_other_joints_there_are) {
    static const char more[] = "stiction: 1\n"
                               "seed: 42\n"
                               "joints:\n"
                               "  A: { law: coulomb, coulomb_torque: {uniform: [1, 2]},\n"
                               "       stiffness: {uniform: [1, 2]}, damping: 1 }\n"
                               "  RWRR:\n"
                               "    damping: 150\n"
                               "    stiffness: 5000\n"
                               "    viscous: 4.5\n"
                               "    stribeck_velocity: {log_uniform: [0.02, 0.2]}\n"
                               "    coulomb_torque: {normal: [0.4, 0.1]}\n"
                               "    static_torque: {uniform: [2.0, 3.0]}\n"
                               "    law: stribeck\n";
    const char *names[] = {"LB", "RWRR", "LA"}, *others[] = {"RWRR", "A"};
    AUTO(free_config) stiction_config *config = parse_fine(wrist), *larger = parse_fine(more);
    AUTO(free_model) stiction_model *model = NULL, *other = NULL;
    stiction_model_def def = {.size = sizeof def, .sample = 3};
    CHECK(stiction_model_create(config, names, 3, &def, &model, NULL) == STICTION_OK);
    def.timestep = 1e-3;
    CHECK(stiction_model_create(larger, others, 2, &def, &other, NULL) == STICTION_OK);
    stiction_joint_def a = stiction_joint_def_default(), b = a;
    stiction_joint_def c = draw(config, "RWRR", 3, 0);
    CHECK(stiction_model_joint(model, 1, &a, NULL) == STICTION_OK);
    CHECK(stiction_model_joint(other, 0, &b, NULL) == STICTION_OK);
    CHECK(same(&a, &b));
    CHECK(same(&a, &c));
    /* joints of one pattern have draws of their own */
    CHECK(stiction_model_joint(model, 0, &a, NULL) == STICTION_OK);
    CHECK(stiction_model_joint(model, 2, &b, NULL) == STICTION_OK);
    CHECK(a.static_torque != b.static_torque && a.viscous != b.viscous);
    CHECK(a.stiffness == b.stiffness);
    CHECK(stiction_model_sample(model) == 3 && stiction_model_seed(model) == 42);
    CHECK(stiction_model_joint_is_random(other, 0) && !stiction_model_joint_is_random(other, 2));
}

TEST(seed_and_sample_change_the_draw_and_the_time_step_does_not) {
    AUTO(free_config) stiction_config *config = parse_fine(wrist);
    const stiction_joint_def a = draw(config, "RWRR", 0, 0), b = draw(config, "RWRR", 1, 0),
                             c = draw(config, "RWRR", 0, 1e-4);
    CHECK(a.static_torque != b.static_torque);
    CHECK(same(&a, &c));
    stiction_joint_def found = stiction_joint_def_default(), at = found;
    CHECK(stiction_config_find_joint(config, "RWRR", &found) != NULL);
    CHECK(stiction_config_joint_at(config, 0, &at) != NULL);
    CHECK(same(&a, &found) && same(&a, &at));
    CHECK(stiction_config_seed(config) == 42);
    CHECK(stiction_config_set_seed(config, 43, NULL) == STICTION_OK);
    const stiction_joint_def d = draw(config, "RWRR", 0, 0);
    CHECK(a.static_torque != d.static_torque);
    stiction_error error;
    CHECK_REFUSED(stiction_config_set_seed(config, (uint64_t)1 << 53, &error),
                  STICTION_INVALID_CONFIG, error,
                  "seed 9007199254740992 must be at most 9007199254740991");
}

TEST(no_seed_is_seed_0) {
    AUTO(free_config)
    stiction_config *config =
        parse_fine("stiction: 1\njoints: {J: {law: coulomb, damping: 1, stiffness:"
                   " 1, coulomb_torque: {uniform: [1, 2]}}}\n");
    const stiction_joint_def without = draw(config, "J", 0, 0);
    CHECK(stiction_config_seed(config) == 0 && stiction_config_is_random(config));
    CHECK(stiction_config_set_seed(config, 0, NULL) == STICTION_OK);
    const stiction_joint_def with = draw(config, "J", 0, 0);
    CHECK(same(&without, &with));
}

/* Statistics. */

enum { many = 100000 };

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov's distance; where the distribution is right it is above 1.95/sqrt(n) in one case of a
 * thousand. The seed is fixed, so it is above or never. */
static void check_distribution(const char *what, double *values, double (*cdf)(double)) {
    double distance = 0;
    qsort(values, many, sizeof *values, by_value);
    for (int k = 0; k < many; k++) {
        const double p = cdf(values[k]);
        distance = fmax(distance, fmax(p - (double)k / many, (double)(k + 1) / many - p));
    }
    if (!(distance < 1.95 / sqrt(many))) FAIL("%s: distance %g", what, distance);
    if (!(distance > 0.2 / sqrt(many))) FAIL("%s: distance %g is too small", what, distance);
}

static double uniform_2_3(double x) {
    return fmin(fmax(x - 2, 0), 1);
}
static double uniform_scaled(double x) {
    return fmin(fmax((x / 4.5 - 0.8) / 0.4, 0), 1);
}
static double log_uniform(double x) {
    return fmin(fmax(log(x / 0.02) / log(10), 0), 1);
}
static double normal(double x) {
    return 0.5 * erfc(-x / sqrt(2));
}
/* Mean 0.4 and deviation 0.1, above 0. */
static double truncated(double x) {
    return (normal((x - 0.4) / 0.1) - normal(-4)) / (1 - normal(-4));
}
/* Mean 1 and deviation 2, above 0. */
static double half(double x) {
    return (normal((x - 1) / 2) - normal(-0.5)) / (1 - normal(-0.5));
}

TEST(numbers_are_distributed_as_the_file_says) {
    static double values[5][many];
    AUTO(free_config) stiction_config *config = parse_fine(wrist);
    AUTO(free_config)
    stiction_config *wide =
        parse_fine("stiction: 1\njoints: {J: {law: coulomb, damping: 1, stiffness:"
                   " 1, coulomb_torque: {normal: [1, 2]}}}\n");
    for (int k = 0; k < many; k++) {
        const stiction_joint_def def = draw(config, "LWRR", (uint64_t)k, 0);
        values[0][k] = def.static_torque;
        values[1][k] = def.coulomb_torque;
        values[2][k] = def.stribeck_velocity;
        values[3][k] = def.viscous;
        values[4][k] = draw(wide, "J", (uint64_t)k, 0).coulomb_torque;
    }
    /* parameters know nothing of each other: the correlation of n pairs has deviation 1/sqrt(n) */
    double product = 0;
    for (int k = 0; k < many; k++)
        product += (values[0][k] - 2.5) * sqrt(12) * (values[3][k] / 4.5 - 1) / 0.4 * sqrt(12);
    CHECK_NEAR(product / many, 0, 3.3 / sqrt(many));
    /* and neither do samples that follow each other */
    product = 0;
    for (int k = 1; k < many; k++) product += (values[0][k] - 2.5) * (values[0][k - 1] - 2.5) * 12;
    CHECK_NEAR(product / many, 0, 3.3 / sqrt(many));
    check_distribution("uniform", values[0], uniform_2_3);
    check_distribution("normal", values[1], truncated);
    check_distribution("log_uniform", values[2], log_uniform);
    check_distribution("scale", values[3], uniform_scaled);
    check_distribution("normal near its end", values[4], half);
}

/* All 1024 cells of 64 joints, 64 parameters' seeds: chi-square of the leading bits. */
TEST(joints_and_seeds_draw_evenly) {
    AUTO(free_config)
    stiction_config *config = parse_fine("stiction: 1\njoints: {'*': {law: coulomb, damping: 1, "
                                         "stiffness: 1, coulomb_torque: {uniform: [1, 2]}}}\n");
    enum { cells = 256, joints = 300, seeds = 300 };
    static double count[cells];
    char name[32];
    for (int j = 0; j < joints; j++)
        for (uint64_t seed = 0; seed < seeds; seed++) {
            (void)snprintf(name, sizeof name, "J%d", j);
            (void)stiction_config_set_seed(config, seed, NULL);
            const double u = draw(config, name, 0, 0).coulomb_torque - 1;
            count[(int)fmin(u * cells, cells - 1)]++;
        }
    double chi = 0;
    const double expected = (double)joints * seeds / cells;
    for (int k = 0; k < cells; k++) chi += (count[k] - expected) * (count[k] - expected) / expected;
    /* mean 255, deviation sqrt(2 255) */
    CHECK_NEAR(chi, cells - 1, 3.3 * sqrt(2.0 * (cells - 1)));
}

/* Ends that no rounding may leave, and numbers as far apart as parameters may be. */
TEST(no_draw_leaves_its_interval) {
    static const stiction_distribution cases[] = {
        {STICTION_UNIFORM, 0.1, 0.3},
        {STICTION_UNIFORM, 1, 1},
        {STICTION_UNIFORM, STICTION_LEAST, STICTION_MOST},
        {STICTION_LOG_UNIFORM, 0.1, 0.3},
        {STICTION_LOG_UNIFORM, 1, 1},
        {STICTION_LOG_UNIFORM, STICTION_LEAST, STICTION_MOST},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        AUTO(free_config)
        stiction_config *config =
            parse_fine("stiction: 1\njoints: {J: {law: quinn, coulomb_torque: 1, "
                       "stick_velocity: 1}}\n");
        CHECK(stiction_config_set_distribution(config, "J", "coulomb_torque", &cases[c], NULL) ==
              STICTION_OK);
        for (uint64_t k = 0; k < 10000; k++) {
            const double value = draw(config, "J", k, 0).coulomb_torque;
            if (!(value >= cases[c].first && value <= cases[c].second))
                FAIL("case %zu, sample %llu: %a", c, (unsigned long long)k, value);
        }
    }
}

/* States and batches. */

static stiction_model *make_model(const stiction_config *config, const char *const *names,
                                  size_t count, uint64_t sample, double timestep) {
    stiction_model_def def = stiction_model_def_default();
    stiction_model *model = NULL;
    stiction_error error;
    def.sample = sample;
    def.timestep = timestep;
    if (stiction_model_create(config, names, count, &def, &model, &error) != STICTION_OK)
        FAIL("%s", error.message);
    return model;
}

enum { robots = 37, joint_count = 6, steps = 200 };

static double velocity_at(size_t robot, size_t joint, int step) {
    return sin(0.1 * step + (double)robot + 0.3 * (double)joint);
}

/* The torques of robot k are those of a state of sample `first` + k, bit for bit. */
static void compare(stiction_batch *batch, const stiction_config *config, const char *const *names,
                    uint64_t first, double timestep) {
    static double velocity[robots * joint_count], torque[robots * joint_count];
    stiction_model *models[robots];
    stiction_state *states[robots];
    for (size_t r = 0; r < robots; r++) {
        models[r] = make_model(config, names, joint_count, first + r, timestep);
        CHECK(stiction_state_create(models[r], &states[r], NULL) == STICTION_OK);
        for (size_t j = 0; j < joint_count; j++) {
            stiction_joint_def a = stiction_joint_def_default(), b = a;
            CHECK(stiction_batch_joint(batch, r, j, &a, NULL) == STICTION_OK);
            CHECK(stiction_model_joint(models[r], j, &b, NULL) == STICTION_OK);
            CHECK(same(&a, &b));
        }
    }
    for (int step = 0; step < steps; step++) {
        for (size_t r = 0; r < robots; r++)
            for (size_t j = 0; j < joint_count; j++)
                velocity[j * robots + r] = velocity_at(r, j, step);
        CHECK(stiction_step_batch(batch, timestep, velocity, torque, NULL) == STICTION_OK);
        for (size_t r = 0; r < robots; r++) {
            double v[joint_count], f[joint_count];
            for (size_t j = 0; j < joint_count; j++) v[j] = velocity_at(r, j, step);
            CHECK(stiction_step(states[r], timestep, v, f, NULL) == STICTION_OK);
            for (size_t j = 0; j < joint_count; j++) CHECK_SAME(torque[j * robots + r], f[j]);
        }
    }
    for (size_t r = 0; r < robots; r++) {
        stiction_state_destroy(states[r]);
        stiction_model_destroy(models[r]);
    }
}

/* An exponent has no fast step, dahl none at all: all ways through a batch. */
static const char fleet[] =
    "stiction: 1\n"
    "seed: 5\n"
    "profiles:\n"
    "  p: { law: stribeck, static_torque: {uniform: [0.1, 3]}, coulomb_torque: {uniform: [0.1, "
    "3]},\n"
    "       stribeck_velocity: {log_uniform: [0.01, 1]}, viscous: 1, stiffness: 5000,\n"
    "       damping: {uniform: [0, 60]} }\n"
    "joints:\n"
    "  A: { profile: p }\n"
    "  B: { profile: p, law: rational }\n"
    "  C: { profile: p, law: coulomb }\n"
    "  D: { profile: p, stribeck_exponent: {uniform: [1, 2]} }\n"
    "  E: { law: dahl, coulomb_torque: {normal: [1, 0.3]}, stiffness: 1000 }\n"
    "  F: { law: coulomb, coulomb_torque: 1, stiffness: 1000, damping: 1 }\n";
static const char *const fleet_names[joint_count] = {"A", "B", "C", "D", "E", "F"};

TEST(robot_k_of_a_batch_is_a_state_of_sample_k_to_the_bit) {
    AUTO(free_config) stiction_config *config = parse_fine(fleet);
    for (uint64_t first = 0; first < 3; first++)
        for (size_t threads = 1; threads <= 2; threads++) {
            AUTO(free_model)
            stiction_model *model = make_model(config, fleet_names, joint_count, first, 1e-3);
            stiction_batch_def def = stiction_batch_def_default();
            AUTO(free_batch) stiction_batch *batch = NULL;
            def.threads = threads;
            if (first == 2) def.timestep = 5e-4; /* at which other draws are legal */
            CHECK(stiction_batch_create(model, robots, &def, &batch, NULL) == STICTION_OK);
            compare(batch, config, fleet_names, first, first == 2 ? 5e-4 : 1e-3);
        }
}

TEST(environments_draw_another_sample) {
    AUTO(free_config) stiction_config *config = parse_fine(fleet);
    AUTO(free_model) stiction_model *model = make_model(config, fleet_names, joint_count, 0, 1e-3);
    AUTO(free_batch) stiction_batch *batch = NULL;
    stiction_batch_def def = stiction_batch_def_default();
    def.same_sample = true;
    CHECK(stiction_batch_create(model, robots, &def, &batch, NULL) == STICTION_OK);
    for (size_t r = 0; r < robots; r++) {
        stiction_joint_def a = stiction_joint_def_default(), b = a;
        CHECK(stiction_batch_joint(batch, r, 0, &a, NULL) == STICTION_OK);
        CHECK(stiction_model_joint(model, 0, &b, NULL) == STICTION_OK);
        CHECK(same(&a, &b));
        CHECK(stiction_batch_draw(batch, r, 1000 + r, NULL) == STICTION_OK);
    }
    compare(batch, config, fleet_names, 1000, 1e-3);
    /* once more, where every environment has its own already */
    CHECK(stiction_batch_reset(batch, NULL) == STICTION_OK);
    for (size_t r = 0; r < robots; r++)
        CHECK(stiction_batch_draw(batch, r, 5 + r, NULL) == STICTION_OK);
    compare(batch, config, fleet_names, 5, 1e-3);
    stiction_error error;
    CHECK(stiction_batch_draw(batch, robots, 0, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_batch_draw(NULL, 0, 0, &error) == STICTION_INVALID_ARGUMENT);
}

TEST(a_state_draws_another_sample_and_its_bristles_keep_their_torques) {
    AUTO(free_config)
    stiction_config *config =
        parse_fine("stiction: 1\njoints: {J: {law: coulomb, damping: 1, stiffness:"
                   " {uniform: [10, 20]}, coulomb_torque: 1}, N: {law: none}}\n");
    const char *names[] = {"J", "N"};
    AUTO(free_model) stiction_model *model = make_model(config, names, 2, 0, 1e-3);
    AUTO(free_state) stiction_state *state = NULL;
    CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
    const double deflection[2] = {0.01, 0};
    double now[2];
    CHECK(stiction_state_set_deflections(state, deflection, NULL) == STICTION_OK);
    stiction_joint_def before = stiction_joint_def_default(), after = before;
    CHECK(stiction_state_joint(state, 0, &before, NULL) == STICTION_OK);
    CHECK(stiction_state_draw(state, 9, NULL) == STICTION_OK);
    CHECK(stiction_state_joint(state, 0, &after, NULL) == STICTION_OK);
    CHECK(stiction_state_get_deflections(state, now, NULL) == STICTION_OK);
    const stiction_joint_def expected = draw(config, "J", 9, 1e-3);
    CHECK(same(&after, &expected));
    CHECK(before.stiffness != after.stiffness);
    CHECK_NEAR(now[0] * after.stiffness, 0.01 * before.stiffness, 1e-16);
    CHECK(stiction_state_reset(state, NULL) == STICTION_OK);
    CHECK(stiction_state_joint(state, 0, &after, NULL) == STICTION_OK);
    CHECK(same(&after, &before));
    CHECK(stiction_state_draw(NULL, 0, NULL) == STICTION_INVALID_ARGUMENT);
}

/* Nothing is lost on the way. */

TEST(distributions_are_written_and_read_back_to_the_bit) {
    AUTO(free_config) stiction_config *config = parse_fine(wrist);
    AUTO(free_text) char *text = stiction_config_write(config);
    CHECK_CONTAINS(text, "seed: 42\n");
    CHECK_CONTAINS(text, "static_torque: {uniform: [2, 3]}  # F_S, N m\n");
    CHECK_CONTAINS(text, "coulomb_torque: {normal: [0.4, 0.1]}  # F_C, N m\n");
    CHECK_CONTAINS(text, "stribeck_velocity: {log_uniform: [0.02, 0.2]}");
    AUTO(free_config) stiction_config *again = parse_fine(text);
    for (uint64_t k = 0; k < 100; k++) {
        const stiction_joint_def a = draw(config, "LX", k, 0), b = draw(again, "LX", k, 0);
        CHECK(same(&a, &b));
    }
    /* a model has nothing but numbers */
    const char *names[] = {"RWRR", "LA"};
    AUTO(free_model) stiction_model *model = make_model(config, names, 2, 0, 0);
    AUTO(free_text) char *drawn = stiction_model_write(model);
    CHECK(!strstr(drawn, "{") && !strstr(drawn, "seed"));
}

static stiction_status set_value(stiction_config *config, const char *key, const char *value,
                                 char *message) {
    const char *names[] = {"RWRR", "LA", "LB"};
    const stiction_override o = {key, value};
    stiction_errors *errors = stiction_errors_create();
    const stiction_status status = stiction_config_override(config, &o, 1, names, 3, errors);
    message[0] = '\0';
    if (stiction_errors_count(errors))
        (void)stiction_error_format(stiction_errors_at(errors, 0), message, 1024);
    stiction_errors_destroy(errors);
    return status;
}

TEST(overrides_beat_distributions_and_may_be_some) {
    AUTO(free_config) stiction_config *config = parse_fine(wrist);
    char said[1024];
    CHECK(set_value(config, "joints.RWRR.static_torque", "2.75", said) == STICTION_OK);
    CHECK_SAME(draw(config, "RWRR", 1, 0).static_torque, 2.75);
    CHECK(set_value(config, "joints.LA.viscous", "{uniform: [7, 8]}", said) == STICTION_OK);
    const double one = draw(config, "LA", 1, 0).viscous, two = draw(config, "LA", 2, 0).viscous;
    CHECK(one >= 7 && one <= 8 && two >= 7 && two <= 8 && one != two);
    CHECK(draw(config, "LB", 1, 0).viscous < 7);
    CHECK(set_value(config, "seed", "7", said) == STICTION_OK);
    CHECK(stiction_config_seed(config) == 7);
    CHECK(set_value(config, "joints.LA.viscous", "{uniform: [8, 7]}", said) != STICTION_OK);
    CHECK_CONTAINS(said,
                   "fine.yaml:15:36: override joints.LA.viscous={uniform: [8, 7]}: joint 'LA': "
                   "viscous is drawn from 8 to 7, which must not be below it");
    CHECK(set_value(config, "joints.LA.viscous", "{uniform: [8", said) != STICTION_OK);
    CHECK_CONTAINS(said,
                   "viscous must be a decimal number such as 2.5 or 1e-3, not '{uniform: [8'");
    CHECK(set_value(config, "repetition", "1", said) == STICTION_OK);
    CHECK(stiction_config_seed(config) == 7);
    CHECK(set_value(config, "repetition", "3", said) == STICTION_OK);
    CHECK(stiction_config_seed(config) == 9); /* of the tree, so that others may follow */
    CHECK(set_value(config, "seed", "8", said) == STICTION_OK && stiction_config_seed(config) == 8);
    static const char *const wrong[] = {"0", "1.5", "-2", "two", "1e7"};
    for (size_t k = 0; k < 5; k++) {
        CHECK(set_value(config, "repetition", wrong[k], said) == STICTION_INVALID_CONFIG);
        CHECK_CONTAINS(said, "override repetition: it must be a whole number from 1 to 1000000");
    }
    CHECK(set_value(config, "seed", "-1", said) != STICTION_OK);
    CHECK_CONTAINS(said, "seed must be a whole number from 0 to 9007199254740991, not '-1'");
}

TEST(a_seed_for_a_file_that_draws_nothing_is_refused) {
    AUTO(free_config)
    stiction_config *config = parse_fine("stiction: 1\nseed: 3\njoints: {RWRR: {law: none}}\n");
    char said[1024];
    CHECK(stiction_config_seed(config) == 3 && !stiction_config_is_random(config));
    CHECK(set_value(config, "seed", "7", said) == STICTION_INVALID_CONFIG);
    CHECK_CONTAINS(said, "override seed: nothing is drawn");
    /* which of several equal runs it is may be said */
    const uint64_t seed = stiction_config_seed(config);
    CHECK(set_value(config, "repetition", "2", said) == STICTION_OK);
    CHECK(stiction_config_seed(config) == seed);
}

TEST(distributions_are_set_and_read_from_c) {
    AUTO(free_config)
    stiction_config *config =
        parse_fine("stiction: 1\njoints: {J: {law: stribeck, static_torque: 2, "
                   "coulomb_torque: 1, stribeck_velocity: 0.1, damping: 50, "
                   "stiffness: 5000}}\n");
    const stiction_distribution fine = {STICTION_UNIFORM, 2, 3}, other = {STICTION_NORMAL, 5, 1};
    const stiction_distribution bad[] = {{STICTION_UNIFORM, 0.2, 0.9},
                                         {STICTION_UNIFORM, -1, 3},
                                         {STICTION_UNIFORM, 2, (double)INFINITY},
                                         {STICTION_UNIFORM, (double)NAN, 2},
                                         {STICTION_NORMAL, 2, 0},
                                         {STICTION_LOG_UNIFORM, 0, 2},
                                         {(stiction_distribution_kind)99, 1, 2}};
    static const char *const why[] = {
        "joint 'J': no draw can be legal: static_torque 0.9 is below coulomb_torque 1",
        "joint 'J': static_torque -1 must be above 0",
        "joint 'J': static_torque inf is not finite",
        "joint 'J': a number of the distribution is not given",
        "joint 'J': static_torque has a deviation of 0, which must be above 0",
        "joint 'J': static_torque 0 must be above 0",
        "joint 'J': there is no distribution 99"};
    stiction_distribution found;
    stiction_error error;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        CHECK(stiction_config_set_distribution(config, "J", "static_torque", &bad[k], &error) !=
              STICTION_OK);
        CHECK_CONTAINS(error.message, why[k]);
    }
    CHECK(!stiction_config_is_random(config) &&
          !stiction_config_distribution(config, 0, 0, &found));
    CHECK(stiction_config_set_distribution(config, "J", "static_torque", &fine, NULL) ==
          STICTION_OK);
    CHECK(stiction_config_set_distribution(config, "J", "viscous", &other, NULL) == STICTION_OK);
    CHECK(stiction_config_set_distribution(config, "J", "static_torque", &fine, NULL) ==
          STICTION_OK);
    CHECK(stiction_config_distribution(config, 0, 0, &found));
    CHECK(found.kind == STICTION_UNIFORM && found.first == 2 && found.second == 3);
    CHECK_REFUSED(stiction_config_set_distribution(config, "K", "viscous", &other, &error),
                  STICTION_INVALID_CONFIG, error, "joint 'K': the configuration has no such entry");
    CHECK_REFUSED(stiction_config_set_distribution(config, "J", "viscus", &other, &error),
                  STICTION_INVALID_CONFIG, error, "joint 'J': there is no parameter 'viscus'");
    CHECK(stiction_config_set_distribution(config, "J", "viscous", NULL, NULL) ==
          STICTION_INVALID_ARGUMENT);
    CHECK(strcmp(stiction_distribution_name(STICTION_NORMAL), "normal") == 0);
    CHECK(stiction_distribution_name((stiction_distribution_kind)3) == NULL);
}
