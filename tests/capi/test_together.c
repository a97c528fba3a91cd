/* SPDX-License-Identifier: MIT
 * Joints that step together: a state of many joints, whose deflections and energies lie in the
 * order of its laws, does and reports bit for bit what as many states of one joint do, whatever is
 * done to it in between.
 */
#include "auto.h"
#include "edges.h"
#include "wrist.h"

enum { most_joints = 80, memory_most = most_joints * 32 };

/* The same robot twice. */
typedef struct robot {
    size_t count, numbers; /* numbers: that one joint remembers */
    stiction_model *model;
    stiction_state *state, *other; /* other: to copy to and restore into */
    single_joint singles[most_joints];
    double timestep;
    random_source random;
} robot;

/* Laws with a fast step and without, in runs and in turns. */
static stiction_joint_def def_of(char letter, random_source *r) {
    stiction_joint_def def = def_of_law(letter == 'r'   ? "rational"
                                        : letter == 'c' ? "coulomb"
                                        : letter == 'l' ? "lugre"
                                        : letter == 'b' ? "rbm"
                                                        : "stribeck");
    if (letter == 'e') def.stribeck_exponent = 2; /* has no closed form */
    const double scale = random_uniform(r, 0.5, 2);
    def.static_torque *= scale;
    def.coulomb_torque *= scale;
    def.stiffness *= random_uniform(r, 0.5, 2);
    def.damping = 200;   /* enough at any time step */
    if (letter == 'd') { /* a drive with all that remembers */
        def.lag = 0.01;
        def.temperature_level = -0.002;
        def.thermal_resistance = 4;
        def.thermal_time = 1;
        def.presliding_torque[0] = 0.05;
        def.presliding_stiffness[0] = 20000;
    }
    return def;
}

static robot robot_of(const char *laws, uint64_t seed) {
    robot b = {.count = strlen(laws), .timestep = 0.001, .random = {seed}};
    stiction_joint_def defs[most_joints];
    for (size_t k = 0; k < b.count; k++) {
        defs[k] = def_of(laws[k], &b.random);
        b.singles[k] = single_joint_of(defs[k], b.timestep);
    }
    b.model = model_of(b.count, defs, b.timestep);
    b.state = state_of(b.model);
    b.other = state_of(b.model);
    b.numbers = stiction_state_memory_size(b.state) / b.count;
    CHECK(b.numbers * b.count <= memory_most);
    return b;
}

static void robot_free(robot *b) {
    for (size_t k = 0; k < b->count; k++) {
        stiction_state_destroy(b->singles[k].state);
        stiction_model_destroy(b->singles[k].model);
    }
    stiction_state_destroy(b->state);
    stiction_state_destroy(b->other);
    stiction_model_destroy(b->model);
}

static void draw_velocities(robot *b, bool edges, double *velocity) {
    for (size_t k = 0; k < b->count; k++)
        velocity[k] = edges && edge_below(&b->random, 8) == 0
                          ? edge_velocity(&b->random)
                          : random_uniform(&b->random, -1, 1) * random_decade(&b->random, -4, 0);
    if (edges && edge_below(&b->random, 4) == 0)
        velocity[edge_below(&b->random, b->count)] = (double)NAN;
}

/* ---- what is done to both ---- */

/* In place: torques where the velocities were. */
static void step(robot *b, bool edges, bool in_place) {
    double velocity[most_joints], torque[most_joints], alone;
    draw_velocities(b, edges, velocity);
    memcpy(torque, velocity, sizeof torque);
    CHECK(stiction_step(b->state, b->timestep, in_place ? torque : velocity, torque, NULL) ==
          STICTION_OK);
    for (size_t k = 0; k < b->count; k++) {
        CHECK(stiction_step(b->singles[k].state, b->timestep, &velocity[k], &alone, NULL) ==
              STICTION_OK);
        CHECK_SAME(torque[k], alone);
    }
}

typedef struct outputs {
    double torque[most_joints], deflection[most_joints], slope[most_joints], energy[most_joints];
    double level[most_joints];
    unsigned char slipping[most_joints];
} outputs;

static stiction_output output_of(outputs *t, size_t k) {
    stiction_output out = stiction_output_default();
    out.torque = &t->torque[k];
    out.deflection = &t->deflection[k];
    out.slope = &t->slope[k];
    out.dissipated_energy = &t->energy[k];
    out.static_level = &t->level[k];
    out.slipping = &t->slipping[k];
    return out;
}

typedef enum full_way { FULL, FULL_BY_A_HOST, TRIAL } full_way;

static void step_full(robot *b, bool edges, full_way way) {
    double velocity[most_joints], memory[memory_most];
    outputs all, alone;
    stiction_input in = stiction_input_default();
    draw_velocities(b, edges, velocity);
    in.timestep = b->timestep;
    in.velocity = velocity;
    stiction_output out = output_of(&all, 0);
    if (way == FULL_BY_A_HOST) {
        CHECK(stiction_state_get_memory(b->state, memory, NULL) == STICTION_OK);
        out.memory = memory;
    }
    if (way == FULL_BY_A_HOST) { /* a trial reads the host's numbers and leaves them */
        double before[memory_most];
        memcpy(before, memory, sizeof memory);
        CHECK(stiction_trial(b->other, &in, &out, NULL) == STICTION_OK);
        CHECK(memcmp(before, memory, b->count * b->numbers * sizeof *memory) == 0);
    }
    CHECK((way == TRIAL ? stiction_trial(b->state, &in, &out, NULL)
                        : stiction_step_full(b->state, &in, &out, NULL)) == STICTION_OK);
    if (way == FULL_BY_A_HOST)
        CHECK(stiction_state_set_memory(b->state, memory, NULL) == STICTION_OK);
    for (size_t k = 0; k < b->count; k++) {
        in.velocity = &velocity[k];
        out = output_of(&alone, k);
        CHECK((way == TRIAL
                   ? stiction_trial(b->singles[k].state, &in, &out, NULL)
                   : stiction_step_full(b->singles[k].state, &in, &out, NULL)) == STICTION_OK);
        CHECK_SAME(all.torque[k], alone.torque[k]);
        CHECK_SAME(all.deflection[k], alone.deflection[k]);
        CHECK_SAME(all.slope[k], alone.slope[k]);
        CHECK_SAME(all.energy[k], alone.energy[k]);
        CHECK_SAME(all.level[k], alone.level[k]);
        CHECK(all.slipping[k] == alone.slipping[k]);
    }
}

/* Through bytes, a copy or numbers into the other state, which goes on. */
static void move_to_other(robot *b, size_t way) {
    stiction_state *to = b->other;
    double memory[memory_most];
    if (way == 0) {
        const size_t size = stiction_state_buffer_size(b->state);
        void *bytes = malloc(size);
        CHECK(stiction_state_save(b->state, bytes, size, NULL) == STICTION_OK);
        CHECK(stiction_state_restore(to, bytes, size, NULL) == STICTION_OK);
        free(bytes);
    } else {
        CHECK(stiction_state_copy(to, b->state, NULL) == STICTION_OK);
    }
    if (way == 2) {
        CHECK(stiction_state_get_memory(b->state, memory, NULL) == STICTION_OK);
        CHECK(stiction_state_set_memory(to, memory, NULL) == STICTION_OK);
    }
    b->other = b->state;
    b->state = to;
}

static void set_deflections(robot *b) {
    double e[most_joints];
    CHECK(stiction_state_get_deflections(b->state, e, NULL) == STICTION_OK);
    for (size_t k = 0; k < b->count; k++) {
        e[k] /= 2;
        CHECK(stiction_state_set_deflections(b->singles[k].state, &e[k], NULL) == STICTION_OK);
    }
    CHECK(stiction_state_set_deflections(b->state, e, NULL) == STICTION_OK);
}

static void set_joint(robot *b) {
    const size_t k = edge_below(&b->random, b->count);
    const stiction_joint_def def = def_of("srclebd"[edge_below(&b->random, 7)], &b -> random);
    CHECK(stiction_state_set_joint(b->state, k, &def, NULL) == STICTION_OK);
    CHECK(stiction_state_set_joint(b->singles[k].state, 0, &def, NULL) == STICTION_OK);
}

static void reset(robot *b) {
    CHECK(stiction_state_reset(b->state, NULL) == STICTION_OK);
    for (size_t k = 0; k < b->count; k++)
        CHECK(stiction_state_reset(b->singles[k].state, NULL) == STICTION_OK);
    b->timestep = 0.001;
}

/* All that both remember, and their faults. */
static void compare(const robot *b) {
    double all[memory_most], alone[memory_most];
    CHECK(stiction_state_get_memory(b->state, all, NULL) == STICTION_OK);
    for (size_t k = 0; k < b->count; k++) {
        const stiction_state *single = b->singles[k].state;
        CHECK(stiction_state_get_memory(single, alone, NULL) == STICTION_OK);
        for (size_t n = 0; n < b->numbers; n++) CHECK_SAME(all[k * b->numbers + n], alone[n]);
        CHECK(stiction_state_faults(b->state, k) == stiction_state_faults(single, 0));
    }
}

static void one_thing(robot *b) {
    const bool edges = edge_below(&b->random, 3) == 0;
    const size_t what = edge_below(&b->random, 20);
    if (what < 7)
        step(b, edges, what == 0);
    else if (what < 13)
        step_full(b, edges, what < 9 ? FULL : what < 11 ? FULL_BY_A_HOST : TRIAL);
    else if (what < 16)
        move_to_other(b, what - 13);
    else if (what == 16)
        set_deflections(b);
    else if (what == 17)
        set_joint(b);
    else if (what == 18)
        b->timestep = random_decade(&b->random, -4, -2.5);
    else if (edge_below(&b->random, 8) == 0)
        reset(b);
}

static void compare_for_long(const char *laws, uint64_t seed) {
    enum { things = 600 };
    AUTO(robot_free) robot b = robot_of(laws, seed);
    for (size_t n = 0; n < things && !check_failures; n++) {
        one_thing(&b);
        if (n % 4 == 0) compare(&b);
    }
    compare(&b);
}

TEST(joints_of_one_law_in_fours_step_as_each_alone) {
    compare_for_long("ssssssssssss", 1);
}

TEST(joints_of_one_law_with_a_rest_step_as_each_alone) {
    compare_for_long("rrrrrrr", 2);
    compare_for_long("ss", 3);
}

TEST(laws_one_after_the_other_step_as_each_joint_alone) {
    compare_for_long("ssssrrrrrrrrcccclllebsssss", 4);
}

TEST(laws_in_turns_step_as_each_joint_alone) {
    compare_for_long("srcldesrbcdlsrclsrcssrcs", 5);
}

TEST(more_joints_than_a_block_step_as_each_alone) {
    compare_for_long("ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssrrs",
                     6);
}

/* A state that nobody changes may be read by many: what is read is the same each time. */
TEST(reading_a_state_between_steps_changes_nothing) {
    AUTO(robot_free) robot read = robot_of("sssssssscccc", 7), silent = robot_of("sssssssscccc", 7);
    for (size_t n = 0; n < 50; n++) {
        double e[2][most_joints];
        step(&read, false, false);
        step(&silent, false, false);
        for (size_t k = 0; k < 2; k++)
            CHECK(stiction_state_get_deflections(read.state, e[k], NULL) == STICTION_OK);
        CHECK(memcmp(e[0], e[1], read.count * sizeof e[0][0]) == 0);
        compare(&read);
    }
    compare(&silent);
}
