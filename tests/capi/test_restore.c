/* SPDX-License-Identifier: MIT
 * Saved states: whatever steps make can be restored, whatever is restored can be stepped, and what
 * is damaged, forged or not ours is refused and changes nothing.
 */
#include "auto.h"
#include "edges.h"
#include "state_buffer.h"
#include "wrist.h"

enum { joints = 3, numbers = state_buffer_numbers, plain = state_buffer_plain };
static const double T = 0.001;

typedef struct saved {
    stiction_model *model;
    stiction_state *state;
    size_t size;
    unsigned char *good, *bad, *before;
} saved;

static saved saved_of(const char *const laws[joints]) {
    static const char *const names[joints] = {"A", "B", "C"};
    saved s = {0};
    stiction_config *config = stiction_config_create();
    for (size_t k = 0; k < joints; k++) {
        stiction_joint_def def = wrist_def();
        def.law = laws[k];
        def.bristle_spacing = 0.002;
        def.bristle_stiffness = 0.1;
        def.bristle_height = 0.098;
        def.bristle_length = 0.1;
        def.body_length = 1;
        CHECK(stiction_config_add_joint(config, names[k], &def, NULL) == STICTION_OK);
    }
    stiction_model_def def = {.size = sizeof def, .timestep = T};
    CHECK(stiction_model_create(config, names, joints, &def, &s.model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(s.model, &s.state, NULL) == STICTION_OK);
    stiction_config_destroy(config);
    s.size = stiction_state_buffer_size(s.state);
    CHECK(s.size == state_buffer_header + joints * state_buffer_joint);
    s.good = malloc(s.size);
    s.bad = malloc(2 * s.size);
    s.before = malloc(s.size);
    return s;
}

static void saved_free(saved *s) {
    free(s->good);
    free(s->bad);
    free(s->before);
    stiction_state_destroy(s->state);
    stiction_model_destroy(s->model);
}

static void steps(saved *s, double velocity, int count) {
    double v[joints], f[joints];
    for (int k = 0; k < count; k++) {
        for (size_t j = 0; j < joints; j++) v[j] = velocity;
        CHECK(stiction_step(s->state, T, v, f, NULL) == STICTION_OK);
        for (size_t j = 0; j < joints; j++) CHECK(isfinite(f[j]));
    }
    CHECK(stiction_state_save(s->state, s->good, s->size, NULL) == STICTION_OK);
    memcpy(s->bad, s->good, s->size);
}

/* Refused with this in the message, and nothing has changed. */
static void check_refused(saved *s, size_t size, const char *part) {
    stiction_error error;
    CHECK(stiction_state_save(s->state, s->before, s->size, NULL) == STICTION_OK);
    const stiction_status status = stiction_state_restore(s->state, s->bad, size, &error);
    CHECK(status != STICTION_OK);
    if (status != STICTION_OK) CHECK_CONTAINS(error.message, part);
    unsigned char *after = malloc(s->size);
    CHECK(stiction_state_save(s->state, after, s->size, NULL) == STICTION_OK);
    CHECK(memcmp(after, s->before, s->size) == 0);
    free(after);
    memcpy(s->bad, s->good, s->size);
}

static const char *const ours[joints] = {"stribeck", "rational", "coulomb"};
static const char *const places[joints] = {"rbm", "lugre", "sawtooth"};

TEST(what_the_fastest_step_has_made_is_restored_bit_for_bit) {
    static const double speeds[] = {1e48, -1e48, 1e60, 1e90, -0x1p300, 1e-300};
    for (size_t l = 0; l < 2; l++) {
        AUTO(saved_free) saved s = saved_of(l ? places : ours);
        for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; k++)
            for (int count = 1; count <= 1000; count *= 10) {
                stiction_error error;
                steps(&s, speeds[k], count);
                CHECK(stiction_state_reset(s.state, NULL) == STICTION_OK);
                if (stiction_state_restore(s.state, s.good, s.size, &error) != STICTION_OK)
                    FAIL("%g rad/s: %s", speeds[k], error.message);
                CHECK(stiction_state_save(s.state, s.bad, s.size, NULL) == STICTION_OK);
                CHECK(memcmp(s.bad, s.good, s.size) == 0);
            }
        CHECK(stiction_state_total_faults(s.state) == 0);
    }
}

TEST(memories_that_cancel_are_refused_by_joint_and_number) {
    static const char *const names[plain] = {"deflection", "dissipated energy", "position", "start",
                                             "direction",  "last base",         "reversal", "slip"};
    AUTO(saved_free) saved s = saved_of(places);
    steps(&s, 0.3, 20);
    for (size_t a = 0; a < plain; a++) {
        char part[64];
        (void)snprintf(part, sizeof part, "joint 'B': %s 1e+300 in its memory must be ", names[a]);
        for (size_t b = 0; b < plain; b++) {
            if (b == a || (a == 1 && b == 1)) continue;
            const double much = a == 1 || b == 1 ? 1.5e301 : 1e300;
            (void)snprintf(part, sizeof part, "joint 'B': %s %s%g in its memory must be ",
                           names[a < b ? a : b], a < b ? "" : "-", much);
            state_buffer_put(s.bad, s.size, state_buffer_number(1, a), much);
            state_buffer_put(s.bad, s.size, state_buffer_number(1, b), -much);
            /* energy has the widest bounds: beside it another number is the first outside */
            if ((a == 1 || b == 1) && (a < b ? a : b) == 1)
                (void)snprintf(part, sizeof part, "in its memory must be ");
            check_refused(&s, s.size, part);
        }
        static const double none[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
        for (size_t n = 0; n < 3; n++) {
            state_buffer_put(s.bad, s.size, state_buffer_number(2, a), none[n]);
            (void)snprintf(part, sizeof part, "joint 'C': %s %g in its memory is not finite",
                           names[a], none[n]);
            check_refused(&s, s.size, part);
        }
    }
    /* numbers that are only some */
    state_buffer_put(s.bad, s.size, state_buffer_number(0, 4), 0.5);
    check_refused(&s, s.size, "joint 'A': direction 0.5 in its memory must be a whole number from");
    state_buffer_put(s.bad, s.size, state_buffer_number(0, 6), -1);
    check_refused(&s, s.size, "joint 'A': reversal -1 in its memory must be a whole number from 0");
    state_buffer_put(s.bad, s.size, state_buffer_number(0, 5), 1.5);
    check_refused(&s, s.size, "joint 'A': last base 1.5");
}

/* The bound of a deflection is that of the joint's own stiffness; what is within steps. */
TEST(a_deflection_is_bounded_by_the_stiffness) {
    AUTO(saved_free) saved s = saved_of(ours);
    stiction_error error;
    steps(&s, 0.3, 20);
    const double most = 0x1p410 / 5000;
    state_buffer_put(s.bad, s.size, state_buffer_number(0, 0), nextafter(most, DBL_MAX));
    check_refused(&s, s.size, "joint 'A': deflection 5.28");
    state_buffer_put(s.bad, s.size, state_buffer_number(0, 0), -most);
    CHECK(stiction_state_restore(s.state, s.bad, s.size, &error) == STICTION_OK);
    steps(&s, 0x1p300, 100);
    steps(&s, 0, 100);
    steps(&s, -0x1p300, 100);
    CHECK(stiction_state_restore(s.state, s.good, s.size, &error) == STICTION_OK);
}

TEST(a_buffer_that_is_not_of_this_state_is_refused) {
    AUTO(saved_free) saved s = saved_of(ours);
    steps(&s, 0.3, 20);
    AUTO(single_joint_free) single_joint other = single_joint_of(wrist_def(), T);
    stiction_error error;
    CHECK_REFUSED(stiction_state_save(s.state, s.bad, s.size - 1, &error),
                  STICTION_INVALID_ARGUMENT, error, "needs");
    CHECK_REFUSED(stiction_state_restore(other.state, s.good, s.size, &error),
                  STICTION_INVALID_BUFFER, error, "holds 3 joints, the model has 1");
    CHECK_REFUSED(stiction_state_copy(other.state, s.state, &error), STICTION_INVALID_ARGUMENT,
                  error, "different models");
    for (size_t size = 0; size < s.size; size++) check_refused(&s, size, "the buffer has");
    memset(s.bad + s.size, 0, s.size);
    check_refused(&s, s.size + 1, "a state of this model has");
    check_refused(&s, 2 * s.size, "a state of this model has");
    for (size_t k = 0; k < s.size; k++) { /* one bit of damage */
        s.bad[k] ^= (unsigned char)(1u << k % 8);
        check_refused(&s, s.size, "buffer");
    }
    s.bad[state_buffer_version]++;
    check_refused(&s, s.size, "this library reads 4");
    for (size_t k = 0; k < s.size; k += 8) /* the other byte order */
        for (size_t n = 0; n < 4; n++) {
            const unsigned char byte = s.bad[k + n];
            s.bad[k + n] = s.bad[k + 7 - n];
            s.bad[k + 7 - n] = byte;
        }
    memcpy(s.bad, "stiction", 8);
    check_refused(&s, s.size, "another byte order");
    state_buffer_put(s.bad, s.size, state_buffer_timestep, 1e-300);
    check_refused(&s, s.size, "the buffer's time step 1e-300 must be at least 1e-30 s");
    state_buffer_put(s.bad, s.size, state_buffer_timestep, (double)NAN);
    check_refused(&s, s.size, "the buffer's time step nan must be above 0 s");
    /* a parameter beyond its bound: static_torque is the first */
    state_buffer_put(s.bad, s.size,
                     state_buffer_header + state_buffer_def +
                         offsetof(stiction_joint_def, static_torque),
                     1e300);
    check_refused(&s, s.size, "joint 'A': static_torque 1e+300 must be at most 1e+30 N m");
    memset(s.bad + state_buffer_header, 'x', 32);
    state_buffer_sign(s.bad, s.size);
    check_refused(&s, s.size, "there is no law 'xxx");
}

/* Forged as you like: refused, or it steps. */
TEST(whatever_is_restored_can_be_stepped) {
    static const double values[] = {0,       -0.0,     1,        -1,     1e30,    1e-30, 0x1p-1074,
                                    1e90,    -1e110,   1e200,    -1e200, DBL_MAX, 1e140, 0x1p410,
                                    0x1p460, -0x1p600, 0x1p1000, 1e-300, 5e-324};
    random_source r = {5};
    size_t accepted = 0;
    for (int round = 0; round < 20000; round++) {
        AUTO(saved_free) saved s = saved_of(round % 2 ? places : ours);
        steps(&s, 0.3, 2);
        for (size_t k = 1 + edge_below(&r, 3); k > 0; k--) {
            const size_t place =
                edge_below(&r, 3)
                    ? state_buffer_number(edge_below(&r, joints), edge_below(&r, numbers))
                    : state_buffer_timestep +
                          edge_below(&r, (s.size - state_buffer_timestep) / 8) * 8;
            state_buffer_put(s.bad, s.size, place,
                             edge_below(&r, 2)
                                 ? values[edge_below(&r, 19)]
                                 : random_uniform(&r, -1, 1) * random_decade(&r, -300, 300));
        }
        stiction_error error = {.message = ""};
        const stiction_status status = stiction_state_restore(s.state, s.bad, s.size, &error);
        if (status != STICTION_OK) {
            CHECK(strlen(error.message) > 10);
            continue;
        }
        accepted++;
        AUTO(free_bytes) unsigned char *again = malloc(s.size);
        double f[joints], d[joints], e[joints], v[joints], h[joints];
        stiction_input in = stiction_input_default();
        stiction_output out = stiction_output_default();
        double stored;
        memcpy(&stored, s.bad + state_buffer_timestep, sizeof stored);
        in.timestep = edge_below(&r, 2) ? stored : T;
        in.velocity = v;
        in.effort = h;
        out.torque = f;
        out.deflection = e;
        out.dissipated_energy = d;
        for (int k = 0; k < 5; k++) {
            for (size_t j = 0; j < joints; j++) {
                v[j] = edge_velocity(&r);
                h[j] = edge_velocity(&r);
            }
            if (stiction_step_full(s.state, &in, &out, NULL) != STICTION_OK) break;
            for (size_t j = 0; j < joints; j++)
                CHECK(isfinite(f[j]) && isfinite(e[j]) && isfinite(d[j]));
            CHECK(stiction_state_save(s.state, again, s.size, NULL) == STICTION_OK);
            if (stiction_state_restore(s.state, again, s.size, &error) != STICTION_OK)
                FAIL("round %d: %s", round, error.message);
        }
    }
    printf("%zu of 20000 forged buffers were accepted\n", accepted);
    CHECK(accepted > 2000 && accepted < 19000);
}

TEST(the_memory_of_a_drive_is_checked_number_by_number) {
    stiction_joint_def def = wrist_def();
    def.lag = 0.01;
    def.presliding_torque[0] = 0.1;
    def.presliding_stiffness[0] = 1000;
    AUTO(free_model) stiction_model *model = model_of(1, &def, T);
    AUTO(free_state) stiction_state *state = state_of(model);
    const size_t size = stiction_state_buffer_size(state);
    AUTO(free_bytes) unsigned char *good = malloc(size), *bad = malloc(size);
    const double v = 0.3;
    double f;
    for (int k = 0; k < 20; k++) CHECK(stiction_step(state, T, &v, &f, NULL) == STICTION_OK);
    CHECK(stiction_state_save(state, good, size, NULL) == STICTION_OK);
    const struct {
        size_t number;
        double value;
        const char *message;
    } rows[] = {{8, (double)NAN, "temperature rise nan in its memory is not finite"},
                {8, 1e302, "temperature rise 1e+302 in its memory must be"},
                {9, -1, "level -1 in its memory must be from 0"},
                {10, 1e300, "presliding deflection 1e+300 in its memory must be"},
                {11, 1, "presliding deflection 1 in its memory must be from 0 to 0"},
                {17, (double)INFINITY, "presliding deflection inf"}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        stiction_error error;
        memcpy(bad, good, size);
        state_buffer_put(bad, size, state_buffer_number(0, rows[k].number), rows[k].value);
        CHECK_REFUSED(stiction_state_restore(state, bad, size, &error), STICTION_INVALID_BUFFER,
                      error, rows[k].message);
    }
    CHECK(stiction_state_restore(state, good, size, NULL) == STICTION_OK);
}

/* Springs bent as far as they may be, whose torques stay where they become others. */
TEST(a_state_whose_joint_was_changed_is_restored) {
    random_source r = {7};
    stiction_joint_def def = wrist_def();
    def.presliding_torque[0] = 0.1;
    def.presliding_stiffness[0] = 1000;
    AUTO(single_joint_free) single_joint j = single_joint_of(def, T);
    unsigned char buffer[2048];
    const size_t size = stiction_state_buffer_size(j.state);
    CHECK(size <= sizeof buffer);
    for (int k = 0; k < 200; k++) {
        double memory[numbers] = {0};
        memory[0] = 0x1p410 / def.stiffness;
        memory[10] = -0x1p410 / def.presliding_stiffness[0];
        CHECK(stiction_state_set_memory(j.state, memory, NULL) == STICTION_OK);
        def.stiffness = random_decade(&r, 3, 6);
        def.presliding_stiffness[0] = def.stiffness * random_decade(&r, -1, 1);
        CHECK(stiction_state_set_joint(j.state, 0, &def, NULL) == STICTION_OK);
        CHECK(stiction_state_save(j.state, buffer, size, NULL) == STICTION_OK);
        CHECK(stiction_state_restore(j.state, buffer, size, NULL) == STICTION_OK);
    }
}

/* All joints with what remembers. */
static void make_drives(saved *s) {
    for (size_t k = 0; k < joints; k++) {
        stiction_joint_def def = stiction_joint_def_default();
        CHECK(stiction_state_joint(s->state, k, &def, NULL) == STICTION_OK);
        def.lag = 0.01;
        def.temperature_level = -0.002;
        def.thermal_resistance = def.thermal_time = 1;
        for (size_t n = 0; n < STICTION_PRESLIDING_MOST; n++) {
            def.presliding_torque[n] = 0.01;
            def.presliding_stiffness[n] = 1000;
        }
        CHECK(stiction_state_set_joint(s->state, k, &def, NULL) == STICTION_OK);
    }
}

/* A host's own memory may hold anything: then the step is a fault and reports nothing of it. */
TEST(a_host_memory_with_invalid_numbers_is_a_fault) {
    static const char *const alike[joints] = {"coulomb", "coulomb", "coulomb"};
    for (size_t l = 0; l < 4; l++)
        for (size_t n = 0; n < (l < 3 ? (size_t)plain : numbers); n++)
            for (int huge = 0; huge < 2; huge++) {
                AUTO(saved_free) saved s = saved_of(l == 0 ? ours : l == 1 ? places : alike);
                if (l == 3) make_drives(&s);
                double memory[joints * numbers] = {0}, v[joints] = {1, 1, 1}, f[joints], d[joints];
                double e[joints], slope[joints];
                memory[numbers + n] = huge ? DBL_MAX : (double)NAN;
                stiction_input in = {.size = sizeof in, .timestep = T, .velocity = v};
                stiction_output out = stiction_output_default();
                out.memory = memory;
                out.torque = f;
                out.deflection = e;
                out.slope = slope;
                out.dissipated_energy = d;
                CHECK(stiction_step_full(s.state, &in, &out, NULL) == STICTION_OK);
                for (size_t k = 0; k < joints; k++)
                    CHECK(isfinite(f[k]) && isfinite(d[k]) && isfinite(e[k]) && isfinite(slope[k]));
                CHECK(f[1] == 0 && (l == 1 || f[0] > 0));
                CHECK(stiction_state_faults(s.state, 1) == 1);
                CHECK(stiction_state_faults(s.state, 0) == 0);
            }
}
