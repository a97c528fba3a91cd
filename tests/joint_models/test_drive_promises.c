/* SPDX-License-Identifier: MIT
 * What friction of real drives must not do: create energy, creep, forget where it was, or change
 * joints that have none of it. Through the ABI; the numbers are those of docs/drives.md.
 */
#include <float.h>

#include "auto.h"
#include "random.h"
#include "stiction/stiction.h"
#include "wrist.h"

static const double degree = 3.141592653589793 / 180;

/* ---- what is neutral ---- */

TEST(neutral_values_give_the_torques_of_the_plain_law_to_the_bit) {
    static const char *const laws[] = {"coulomb", "stribeck", "rational"};
    random_source r = {7};
    for (int l = 0; l < 3; l++) {
        stiction_joint_def plain = wrist_def(), neutral = wrist_def();
        plain.law = neutral.law = laws[l];
        neutral.load_motor = neutral.load_external = neutral.load_motor_static =
            neutral.load_external_static = 0;
        neutral.ripple = neutral.temperature_level = neutral.temperature_viscous = neutral.lag = 0;
        neutral.thermal_resistance = 0;
        neutral.reverse_factor = neutral.viscous_exponent = 1;
        neutral.reverse_viscous_factor = l == 1 ? STICTION_AUTO : 1;
        neutral.temperature = 80;
        AUTO(single_joint_free)
        single_joint a = single_joint_of(plain, 0.001), b = single_joint_of(neutral, 0.001);
        for (int k = 0; k < 20000; k++) {
            const double v = random_uniform(&r, -1, 1) * random_decade(&r, -6, 1);
            CHECK_SAME(single_joint_step(&b, 0.001, v), single_joint_step(&a, 0.001, v));
        }
        CHECK(stiction_state_needs(b.state) == 0);
    }
}

/* ---- direction ---- */

typedef struct drive_input {
    double velocity, position, effort, external, temperature;
} drive_input;

static double step_with(stiction_state *state, double T, const drive_input *in);

/* Step by step against the plain law whose F_S, F_C and D are those of the direction: x < 0 is
 * backwards, and the deflection of both is the same. */
TEST(backward_motion_uses_the_levels_and_viscous_friction_of_that_direction) {
    static const char *const laws[] = {"coulomb", "stribeck", "rational"};
    static const struct {
        double levels, viscous;
    } factors[] = {{0.93, 1.12}, {1, 1.12}, {0.93, 1}};
    random_source r = {93};
    for (int n = 0; n < 9; n++) {
        stiction_joint_def def = wrist_def(), forwards = wrist_def(), backwards;
        def.law = forwards.law = laws[n % 3];
        backwards = forwards;
        def.reverse_factor = factors[n / 3].levels;
        def.reverse_viscous_factor = factors[n / 3].viscous;
        backwards.static_torque *= def.reverse_factor;
        backwards.coulomb_torque *= def.reverse_factor;
        backwards.viscous *= def.reverse_viscous_factor;
        AUTO(single_joint_free) single_joint drive = single_joint_of(def, 0.001);
        AUTO(single_joint_free) single_joint ahead = single_joint_of(forwards, 0.001);
        AUTO(single_joint_free) single_joint behind = single_joint_of(backwards, 0.001);
        const double Z = 1 / (def.stiffness * 0.001 + def.damping);
        int count = 0;
        for (int k = 0; k < 20000; k++) {
            const double v = random_uniform(&r, -1, 1) * random_decade(&r, -4, 1);
            const double e = single_joint_deflection(&drive);
            const bool back = v + Z * def.stiffness * e < 0; /* x of (38a) */
            single_joint *side = back ? &behind : &ahead;
            CHECK(stiction_state_set_deflections(side->state, &e, NULL) == STICTION_OK);
            const double expected = single_joint_step(side, 0.001, v);
            const double f = single_joint_step(&drive, 0.001, v);
            if (!(fabs(f - expected) <= 1e-13 * fmax(1, fabs(expected))))
                FAIL("%s at v %g: %.17g, not %.17g", def.law, v, f, expected);
            count += back;
        }
        CHECK(count > 5000 && count < 15000);
    }
}

TEST(viscous_friction_without_its_own_factor_follows_reverse_factor_to_the_bit) {
    static const char *const laws[] = {"coulomb", "stribeck", "rational"};
    const double absent[] = {(double)NAN, STICTION_AUTO};
    random_source r = {94};
    for (int n = 0; n < 6; n++) {
        stiction_joint_def follows = wrist_def(), given = wrist_def();
        follows.law = given.law = laws[n % 3];
        follows.reverse_factor = given.reverse_factor = given.reverse_viscous_factor = 1.2;
        follows.temperature_viscous = given.temperature_viscous = 0.02;
        follows.reverse_viscous_factor = absent[n / 3];
        AUTO(single_joint_free)
        single_joint a = single_joint_of(follows, 0.001), b = single_joint_of(given, 0.001);
        for (int k = 0; k < 5000; k++) {
            const drive_input in = {.velocity =
                                        random_uniform(&r, -1, 1) * random_decade(&r, -4, 1),
                                    .temperature = random_uniform(&r, -20, 90)};
            CHECK_SAME(step_with(b.state, 0.001, &in), step_with(a.state, 0.001, &in));
        }
    }
}

/* ---- energy ---- */

/* All keys at once, at random. */
static stiction_joint_def random_drive(random_source *r, const char *law) {
    stiction_joint_def def = wrist_def();
    def.law = law;
    def.load_motor = random_uniform(r, 0, 0.4);
    def.load_external = random_uniform(r, 0, 1.5);
    def.load_motor_static = random_uniform(r, 0, 0.4);
    def.load_external_static = random_uniform(r, 0, 0.4);
    def.load_limit = 5;
    def.temperature_level = random_uniform(r, -0.003, 0.003);
    def.temperature_viscous = random_uniform(r, -0.01, 0.02);
    def.thermal_resistance = random_uniform(r, 0, 40);
    def.thermal_time = 1;
    def.ripple = random_uniform(r, 0, 0.3);
    def.ripple_count = 7;
    def.reverse_factor = random_uniform(r, 0.7, 1.4);
    if (random_bits(r) % 2) def.reverse_viscous_factor = random_uniform(r, 0.5, 2);
    def.lag = random_uniform(r, 0, 1) < 0.5 ? 0 : random_decade(r, -4, -1);
    for (int k = 0; k < 3; k++) {
        def.presliding_torque[k] = 0.1;
        def.presliding_stiffness[k] = 1000.0 + 500 * k;
    }
    def.damping = 400;
    return def;
}

/* The energy in all springs of a joint, from its memory: the deflection first, presliding last. */
static double stored(const stiction_joint_def *def, const stiction_state *state) {
    double m[64];
    const size_t numbers = stiction_state_memory_size(state);
    CHECK(stiction_state_get_memory(state, m, NULL) == STICTION_OK);
    double sum = 0.5 * def->stiffness * m[0] * m[0];
    for (size_t k = 0; k < 3; k++) {
        const double e = m[numbers - STICTION_PRESLIDING_MOST + k];
        sum += 0.5 * def->presliding_stiffness[k] * e * e;
    }
    return sum;
}

static double step_with(stiction_state *state, double T, const drive_input *in) {
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    double torque = 0;
    input.timestep = T;
    input.velocity = &in->velocity;
    input.position = &in->position;
    input.effort = &in->effort;
    input.external_torque = &in->external;
    input.temperature = &in->temperature;
    output.torque = &torque;
    stiction_error error;
    if (stiction_step_full(state, &input, &output, &error) != STICTION_OK)
        FAIL("%s", error.message);
    return torque;
}

TEST(no_sequence_of_levels_yields_energy_in_a_million_steps) {
    static const char *const laws[] = {"coulomb", "stribeck", "rational"};
    random_source r = {18};
    double least = 0;
    for (int n = 0; n < 100; n++) {
        const stiction_joint_def def = random_drive(&r, laws[n % 3]);
        AUTO(single_joint_free) single_joint j = single_joint_of(def, 0.001);
        double before = 0;
        for (int k = 0; k < 10000; k++) {
            const drive_input in = {.velocity =
                                        random_uniform(&r, -1, 1) * random_decade(&r, -4, 0),
                                    .position = random_uniform(&r, -10, 10),
                                    .effort = random_uniform(&r, -8, 8),
                                    .external = random_uniform(&r, -8, 8),
                                    .temperature = random_uniform(&r, -60, 160)};
            const double f = step_with(j.state, 0.001, &in), now = stored(&def, j.state);
            least = fmin(least, 0.001 * f * in.velocity - (now - before));
            before = now;
        }
    }
    printf("least of T f u less what is stored: %.2g J\n", least);
    CHECK(least >= -1e-15);
}

/* A bristle whose force is scaled by the load gives 3.5e-4 J a cycle here, mujoco #3528. */
TEST(a_load_in_phase_with_the_deflection_yields_no_energy) {
    stiction_joint_def def = wrist_def();
    def.load_motor = 0.3;
    AUTO(single_joint_free) single_joint j = single_joint_of(def, 0.001);
    const double omega = 2 * 3.141592653589793;
    double work = 0;
    for (int k = 0; k < 100000; k++) {
        const double phase = omega * k * 0.001;
        const drive_input in = {.velocity = 2e-4 * omega * cos(phase),
                                .effort = 2 + 2 * cos(phase),
                                .temperature = (double)NAN};
        work += 0.001 * in.velocity * step_with(j.state, 0.001, &in);
        if (k % 1000 == 999) CHECK(work >= -1e-15);
    }
    printf("work of 100 cycles: %.3g J\n", work);
}

/* ---- load ---- */

/* BAM's M5 of the mx106, DRIVES. */
static stiction_joint_def mx106(void) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "stribeck";
    def.coulomb_torque = 1.8812712661235184e-10;
    def.static_torque = 1.8812712661235184e-10 + 0.12242747179820507;
    def.stribeck_velocity = 1.7457130513692263;
    def.stribeck_exponent = 1.138313248724122;
    def.viscous = 0.05066487276724427;
    def.load_motor = 0.20763710226562626;
    def.load_external = 0.022684350817709906;
    def.load_motor_static = 0.19519320110890795;
    def.load_external_static = 0.08490162305974122;
    def.load_limit = 20;
    def.stiffness = 5000;
    def.damping = 50;
    return def;
}

TEST(a_load_at_rest_changes_no_level_of_coulomb) {
    stiction_joint_def def = wrist_def();
    def.law = "coulomb";
    def.coulomb_torque = 1;
    def.load_external = 0.3;
    def.load_motor_static = 0.2;
    def.load_external_static = 0.1;
    def.load_limit = 3;
    def.temperature_viscous = 0.01;
    def.temperature = 40;
    AUTO(single_joint_free) single_joint j = single_joint_of(def, 0.001);
    const double velocity = 0.1, effort = 3, external = 0, position = 0;
    double torque, levels[2] = {0};
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = 0.001;
    input.velocity = &velocity;
    input.effort = &effort;
    input.external_torque = &external;
    input.position = &position;
    output.torque = &torque;
    output.static_level = &levels[0];
    output.coulomb_level = &levels[1];
    CHECK(stiction_step_full(j.state, &input, &output, NULL) == STICTION_OK);
    CHECK_SAME(levels[0], 1);
    CHECK_SAME(levels[1], 1);
    single_joint_free(&j);
    def.load_external = 0;
    j = single_joint_of(def, 0.001);
    CHECK(!(stiction_state_needs(j.state) & STICTION_NEEDS_EXTERNAL_TORQUE));
}

/* The motor torque at which a joint starts from rest under an external torque, on a ramp from
 * `from` by `rate` N m/s. */
static double breaks_away(double external, double from, double rate) {
    const double T = 0.001, M = 0.1;
    single_joint j = single_joint_of(mx106(), T);
    double v = 0, torque = from;
    /* a stuck joint moves by the rate of its load over K, far below this */
    for (int k = 0; fabs(v) < 0.001 && k < 1000000; k++) {
        torque = from + rate * T * k;
        const drive_input in = {
            .velocity = v, .effort = torque, .external = external, .temperature = (double)NAN};
        v += T / M * (torque + external - step_with(j.state, T, &in));
    }
    single_joint_free(&j);
    return torque;
}

TEST(a_drive_and_its_back_drive_break_away_where_bam_says) {
    const double drive = breaks_away(-2, 2, 0.02), back = breaks_away(-2, 2, -0.02);
    printf("drive %.4f N m, back-drive %.4f N m\n", drive, back);
    CHECK_NEAR(drive, 3.9145, 0.01);
    CHECK_NEAR(back, 1.1850, 0.01);
}

/* ---- rest ---- */

typedef struct axis {
    single_joint joint;
    double M, T, q, v;
} axis;

static void axis_free(axis *a) {
    single_joint_free(&a->joint);
}

/* Gives the friction torque. */
static double axis_step(axis *a, double load) {
    const double f = single_joint_step(&a->joint, a->T, a->v);
    a->v += a->T / a->M * (load - f);
    a->q += a->T * a->v;
    return f;
}

TEST(a_joint_that_lags_holds_without_drift) {
    stiction_joint_def def = wrist_def();
    def.lag = 0.05;
    AUTO(axis_free) axis a = {single_joint_of(def, 0.001), 0.1675, 0.001, 0, 0};
    double start = 0;
    for (int k = 0; k < 65000; k++) {
        axis_step(&a, 0.92 * 2.5 * fmin(k / 5000.0, 1));
        if (k == 35000) start = a.q;
    }
    printf("drift in 30 s: %.2g rad\n", a.q - start);
    CHECK_SAME(a.q, start);
}

static stiction_joint_def presliding_wrist(void) {
    stiction_joint_def def = wrist_def();
    const double torque[] = {0.1, 0.12, 0.15}, stiffness[] = {2000, 1500, 1000};
    memcpy(def.presliding_torque, torque, sizeof torque);
    memcpy(def.presliding_stiffness, stiffness, sizeof stiffness);
    return def;
}

TEST(a_dither_leaves_a_joint_with_presliding_where_it_was) {
    AUTO(axis_free) axis a = {single_joint_of(presliding_wrist(), 0.001), 0.1675, 0.001, 0, 0};
    double first = 0, last = 0;
    for (int k = 0; k < 65000; k++) {
        const double dither = k > 5000 ? 0.3 * sin(2 * 3.141592653589793 * 10 * k * 0.001) : 0;
        axis_step(&a, 1.2 * fmin(k / 5000.0, 1) + dither);
        if (k == 34999) first = a.q;
        if (k == 64999) last = a.q;
    }
    printf("moved in 30 s: %.2g rad\n", last - first);
    CHECK_NEAR(last, first, 1e-15);
}

TEST(presliding_breaks_away_at_the_static_torque) {
    AUTO(axis_free) axis a = {single_joint_of(presliding_wrist(), 0.001), 0.1675, 0.001, 0, 0};
    double load = 0;
    for (int k = 0; fabs(a.v) < 0.01 && k < 1000000; k++) axis_step(&a, load = 0.02 * 0.001 * k);
    printf("breaks away at %.4f N m\n", load);
    CHECK(load >= 2.50 && load <= 2.51);
}

/* The largest friction on a ramp to 1.1 F_S within 11 s; without viscosity it is the break-away. */
static double largest_on_a_ramp(stiction_joint_def def) {
    const double T = 0.001, inertia = 2 * T * def.damping + T * T * 2e4;
    AUTO(axis_free) axis a = {single_joint_of(def, T), inertia, T, 0, 0};
    double largest = 0;
    for (int k = 0; k < 11000; k++) {
        largest = fmax(largest, axis_step(&a, 1e-4 * k * def.static_torque));
        if (fabs(a.v) > 0.1) break;
    }
    return largest;
}

TEST(every_accepted_presliding_breaks_away_at_the_static_torque) {
    static const char *const laws[] = {"stribeck", "rational"};
    random_source r = {11};
    int accepted = 0;
    double worst = 0;
    for (int k = 0; k < 400; k++) {
        stiction_joint_def def = wrist_def();
        def.law = laws[k % 2];
        def.viscous = 0;
        def.coulomb_torque = random_uniform(&r, 0.2, 2.4);
        def.damping = def.stiffness * random_decade(&r, -3, 0.7);
        const int count = 1 + k % 3;
        for (int n = 0; n < count; n++) {
            def.presliding_torque[n] = def.coulomb_torque * random_uniform(&r, 0.05, 0.95) / count;
            def.presliding_stiffness[n] = def.stiffness * random_decade(&r, -2, 1);
        }
        if (stiction_joint_def_check("J", &def, 0.001, NULL) != STICTION_OK) continue;
        accepted++;
        worst = fmax(worst, 1 - largest_on_a_ramp(def) / def.static_torque);
    }
    printf("%d of 400 accepted, at most %.3g %% below the static torque\n", accepted, 100 * worst);
    CHECK(accepted > 100 && accepted < 350);
    CHECK(worst < 0.002);
}

TEST(presliding_that_would_break_away_early_is_refused) {
    stiction_error error;
    stiction_joint_def def = wrist_def();
    def.static_torque = 2;
    def.coulomb_torque = 1.2;
    def.presliding_torque[0] = 1;
    def.presliding_stiffness[0] = 5;
    CHECK_REFUSED(stiction_joint_def_check("J", &def, 0.001, &error), STICTION_INVALID_CONFIG,
                  error, "would break away at 1.001, below static_torque 2; it must be at least");
    def.presliding_stiffness[0] = 5000;
    CHECK(stiction_joint_def_check("J", &def, 0.001, &error) == STICTION_OK);
    def.damping = 4.8 * def.stiffness;
    CHECK_REFUSED(stiction_joint_def_check("J", &def, 0.001, &error), STICTION_INVALID_CONFIG,
                  error, "below static_torque 2; it must be at least");
    def.damping = 6 * def.stiffness;
    CHECK_REFUSED(stiction_joint_def_check("J", &def, 0.001, &error), STICTION_INVALID_CONFIG,
                  error, "damping 30000 is too large beside presliding_torque");
}

TEST(minor_loops_return_to_their_point) {
    AUTO(single_joint_free) single_joint j = single_joint_of(presliding_wrist(), 0.001);
    double torque = 0, first = 0;
    for (int k = 0; k < 100; k++) torque = single_joint_step(&j, 0.001, 0.0015); /* bends */
    first = torque;
    for (int loop = 0; loop < 50; loop++) {
        for (int k = 0; k < 30; k++) (void)single_joint_step(&j, 0.001, -0.0015);
        for (int k = 0; k < 30; k++) torque = single_joint_step(&j, 0.001, 0.0015);
        CHECK_NEAR(torque, first, 1e-14);
    }
}

/* ---- lag on the wrist ---- */

static double wrist_stops(double T) {
    stiction_joint_def def = wrist_def();
    def.stribeck_velocity = 0.01;
    def.damping = 5;
    def.lag = 0.01;
    AUTO(axis_free)
    axis a = {single_joint_of(def, T), 0.1846, T, 0, 0}; /* the inertia of the real wrist */
    for (int k = 0; k < (int)(6 / T); k++)
        axis_step(&a, a.M * (20 * (90 * degree - a.q) - 2 * a.v));
    return a.q / degree;
}

TEST(lag_makes_legal_what_the_law_alone_forbids) {
    const double steps[] = {0.0005, 0.00025, 0.0001};
    for (int k = 0; k < 3; k++) {
        const double angle = wrist_stops(steps[k]);
        printf("%g ms: %.4f deg\n", 1000 * steps[k], angle);
        CHECK_NEAR(angle, 80.667, 0.01);
    }
    stiction_joint_def def = wrist_def();
    def.stribeck_velocity = 0.01;
    def.damping = 5;
    def.lag = 0.01;
    stiction_error error;
    CHECK(stiction_joint_def_check("J", &def, 0.001, &error) == STICTION_ILLEGAL_TIMESTEP);
    /* T/(T + lag) F_SC/v_S - D - K T = 210/11 - 4.5 - 5 */
    CHECK_CONTAINS(error.message, "a damping above 9.59090909091 would do");
}

/* ---- what is legal ---- */

static void check_edge(stiction_joint_def def, double T, double needed) {
    stiction_error error;
    def.damping = (needed - def.stiffness * T) * (1 + 1e-9);
    if (stiction_joint_def_check("J", &def, T, &error) != STICTION_OK) FAIL("%s", error.message);
    def.damping = (needed - def.stiffness * T) * (1 - 1e-9);
    CHECK(stiction_joint_def_check("J", &def, T, &error) == STICTION_ILLEGAL_TIMESTEP);
}

TEST(a_configuration_is_judged_at_its_extremes) {
    const double T = 0.001, F_SC = 2.1, v_S = 0.06, D = 4.5;
    stiction_joint_def def = wrist_def();
    def.load_motor_static = 0.2;
    def.load_external_static = 0.08;
    def.load_limit = 20;
    check_edge(def, T, (F_SC + 0.28 * 20) / v_S - D);
    def.load_motor = 0.3; /* F_C plays no part */
    check_edge(def, T, (F_SC + 0.28 * 20) / v_S - D);
    def.ripple = 0.1;
    def.reverse_factor = 1.1;
    check_edge(def, T, (1.1 * 1.1 * F_SC + 0.28 * 20) / v_S - D);
    def.temperature_level = -0.002; /* the largest torque is that of the cold */
    const double cold = 1 + 0.002 * 75, hot = exp(-0.02 * 125);
    check_edge(def, T, (1.1 * 1.1 * cold * F_SC + 0.28 * 20) / v_S - D);
    def.temperature_viscous = 0.02; /* and the least viscosity that of the hot */
    check_edge(def, T, (1.1 * 1.1 * cold * F_SC + 0.28 * 20) / v_S - D * hot);
    def.law = "rational";
    check_edge(def, T, (1.1 * 1.1 * cold * F_SC + 0.28 * 20) / v_S - D * hot);
    def.reverse_viscous_factor = 1.5; /* D is least forwards */
    check_edge(def, T, (1.1 * 1.1 * cold * F_SC + 0.28 * 20) / v_S - D * hot);
    def.reverse_viscous_factor = 0.6; /* and now backwards; F_SC knows nothing of it */
    check_edge(def, T, (1.1 * 1.1 * cold * F_SC + 0.28 * 20) / v_S - 0.6 * D * hot);
    def.lag = 0.004;
    check_edge(def, T, 0.2 * (1.1 * 1.1 * cold * F_SC + 0.28 * 20) / v_S - 0.6 * D * hot);
    /* what a long lag leaves of F_SC is judged by itself: its sum with F_C is rounded */
    stiction_joint_def slow = wrist_def();
    slow.coulomb_torque = 2.4;
    slow.viscous = 0;
    slow.stiffness = 1e-6;
    for (slow.lag = 1; slow.lag < 1e6; slow.lag *= 3)
        check_edge(slow, T, T / (T + slow.lag) * (2.5 - 2.4) / v_S);
}

TEST(contradictory_parameters_are_refused_with_a_message) {
    stiction_error error;
    const struct {
        size_t offset;
        double value;
        const char *message;
    } rows[] = {
        {offsetof(stiction_joint_def, load_motor), 1, "together must be below 1"},
        {offsetof(stiction_joint_def, load_motor_static), 0.1,
         "load_motor_static needs load_limit"},
        {offsetof(stiction_joint_def, load_external_static), 0.1,
         "load_external_static needs load_limit"},
        {offsetof(stiction_joint_def, thermal_resistance), 4, "needs a thermal_time above 0"},
        {offsetof(stiction_joint_def, temperature_level), -0.009,
         "leaves no friction at 150 deg C; it must be above -0.008 1/K"},
        {offsetof(stiction_joint_def, temperature_level), 0.02, "leaves no friction at -50 deg C"},
        {offsetof(stiction_joint_def, temperature_viscous), 1,
         "is up to 1.67996e+33 from -50 to 150 deg C; it must be at most 1e+30 N m s/rad"},
        {offsetof(stiction_joint_def, temperature_viscous), -1, "viscous 4.5 with temperature_"},
        {offsetof(stiction_joint_def, ripple), 1, "ripple 1 must be at most 0.99"},
        {offsetof(stiction_joint_def, reverse_factor), 0, "reverse_factor 0 must be above 0"},
        {offsetof(stiction_joint_def, reverse_viscous_factor), 0,
         "reverse_viscous_factor 0 must be above 0"},
        {offsetof(stiction_joint_def, reverse_viscous_factor), 0.001,
         "reverse_viscous_factor 0.001 must be at least 0.01"},
        {offsetof(stiction_joint_def, reverse_viscous_factor), 101,
         "reverse_viscous_factor 101 must be at most 100"},
        {offsetof(stiction_joint_def, lag), -1, "lag -1 must be at least 0"},
        {offsetof(stiction_joint_def, presliding_torque), 0.1,
         "presliding_torque has 1 numbers and presliding_stiffness 0"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        stiction_joint_def def = wrist_def();
        memcpy((char *)&def + rows[k].offset, &rows[k].value, sizeof(double));
        CHECK_REFUSED(stiction_joint_def_check("J", &def, 0.001, &error), STICTION_INVALID_CONFIG,
                      error, rows[k].message);
    }
    stiction_joint_def def = wrist_def();
    def.viscous = 6e29;
    def.reverse_viscous_factor = 2;
    CHECK_REFUSED(stiction_joint_def_check("J", &def, 0.001, &error), STICTION_INVALID_CONFIG,
                  error, "and reverse_viscous_factor 2 is up to 1.2e+30 from -50 to 150 deg C");
    def = presliding_wrist();
    def.coulomb_torque = 0.3;
    CHECK_REFUSED(stiction_joint_def_check("J", &def, 0.001, &error), STICTION_INVALID_CONFIG,
                  error, "presliding_torque 0.37 is above coulomb_torque 0.3");
    def = presliding_wrist();
    def.coulomb_torque = 0.37; /* all of it */
    CHECK(stiction_joint_def_check("J", &def, 0.001, &error) == STICTION_OK);
}

TEST(a_step_says_what_it_lacks) {
    const struct {
        size_t offset;
        unsigned need;
        const char *message;
    } rows[] = {{offsetof(stiction_joint_def, load_motor), STICTION_NEEDS_EFFORT,
                 "load_motor needs the effort"},
                {offsetof(stiction_joint_def, load_external), STICTION_NEEDS_EXTERNAL_TORQUE,
                 "load_external needs the external torque"},
                {offsetof(stiction_joint_def, ripple), STICTION_NEEDS_POSITION,
                 "ripple needs the position"}};
    for (size_t k = 0; k < 3; k++) {
        stiction_joint_def def = wrist_def();
        const double some = 0.1;
        memcpy((char *)&def + rows[k].offset, &some, sizeof some);
        AUTO(single_joint_free) single_joint j = single_joint_of(def, 0.001);
        CHECK(stiction_state_needs(j.state) == rows[k].need);
        stiction_error error;
        double v = 0, f;
        CHECK_REFUSED(stiction_step(j.state, 0.001, &v, &f, &error), STICTION_INVALID_ARGUMENT,
                      error, rows[k].message);
    }
}

/* ---- states ---- */

TEST(another_drive_keeps_the_torque_of_its_presliding) {
    AUTO(single_joint_free) single_joint j = single_joint_of(presliding_wrist(), 0.001);
    double memory[64];
    for (int k = 0; k < 20; k++) (void)single_joint_step(&j, 0.001, 0.002);
    CHECK(stiction_state_get_memory(j.state, memory, NULL) == STICTION_OK);
    double *e = memory + stiction_state_memory_size(j.state) - STICTION_PRESLIDING_MOST;
    const double first = 2000 * e[0], second = 1500 * e[1];
    CHECK(first > 0.05 && e[2] != 0);

    /* two of them, the first four times as stiff */
    stiction_joint_def def = presliding_wrist();
    def.presliding_stiffness[0] = 8000;
    def.presliding_torque[2] = def.presliding_stiffness[2] = (double)NAN;
    CHECK(stiction_state_set_joint(j.state, 0, &def, NULL) == STICTION_OK);
    CHECK(stiction_state_get_memory(j.state, memory, NULL) == STICTION_OK);
    CHECK_NEAR(8000 * e[0], first, 1e-15);
    CHECK_NEAR(1500 * e[1], second, 1e-15);
    CHECK_SAME(e[2], 0);

    /* and none */
    def = wrist_def();
    CHECK(stiction_state_set_joint(j.state, 0, &def, NULL) == STICTION_OK);
    CHECK(stiction_state_get_memory(j.state, memory, NULL) == STICTION_OK);
    CHECK_SAME(e[0], 0);
}

/* ---- levels, heat ---- */

TEST(levels_of_joints_without_drives_are_reported_too) {
    const stiction_joint_def defs[] = {def_of_law("none"), def_of_law("lugre"), wrist_def()};
    const double levels[3][2] = {{0, 0}, {0, 0}, {2.5, 0.4}};
    AUTO(free_model) stiction_model *model = model_of(3, defs, 0.001);
    AUTO(free_state) stiction_state *state = state_of(model);
    const double velocity[3] = {0.1, 0.1, 0.1};
    double temperature[3], static_level[3], coulomb_level[3];
    stiction_input input = {.size = sizeof input, .timestep = 0.001, .velocity = velocity};
    stiction_output output = stiction_output_default();
    output.temperature = temperature;
    output.static_level = static_level;
    output.coulomb_level = coulomb_level;
    CHECK(stiction_step_full(state, &input, &output, NULL) == STICTION_OK);
    for (int k = 0; k < 3; k++) {
        CHECK_SAME(temperature[k], 25);
        CHECK_SAME(static_level[k], levels[k][0]);
        CHECK_SAME(coulomb_level[k], levels[k][1]);
    }
}

TEST(a_joint_warms_up_and_its_levels_are_reported) {
    stiction_joint_def def = wrist_def();
    def.temperature_level = -0.002;
    def.thermal_resistance = 4;
    def.thermal_time = 2;
    AUTO(single_joint_free) single_joint j = single_joint_of(def, 0.001);
    double velocity = 1, torque, temperature, static_level, coulomb_level, before = 0;
    stiction_input input = {.size = sizeof input, .timestep = 0.001, .velocity = &velocity};
    stiction_output output = stiction_output_default();
    output.torque = &torque;
    output.temperature = &temperature;
    output.static_level = &static_level;
    output.coulomb_level = &coulomb_level;
    for (int k = 0; k < 20000; k++) {
        CHECK(stiction_step_full(j.state, &input, &output, NULL) == STICTION_OK);
        CHECK(temperature >= before);
        CHECK_NEAR(static_level, 2.5 * (1 - 0.002 * (temperature - 25)), 1e-14);
        CHECK_NEAR(coulomb_level, 0.4 * (1 - 0.002 * (temperature - 25)), 1e-14);
        before = temperature;
    }
    /* at rest with itself: R F v above the surroundings */
    CHECK_NEAR(temperature, 25 + 4 * torque * 1, 0.01);
}
