/* SPDX-License-Identifier: MIT
 * A saved state. An input is a way of saving and records of ten bytes, an offset into a buffer that
 * was saved and eight bytes for there; so it means the same when the layout changes. What is
 * restored can be stepped and saved, and what was saved can be restored.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz.h"
#include "stiction/stiction.h"

static const char configuration[] =
    "stiction: 1\n"
    "profiles:\n"
    "  p: { static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06, viscous: 4.5,\n"
    "       stiffness: 5000, damping: 50 }\n"
    "joints:\n"
    "  a: { profile: p, law: stribeck }\n"
    "  b: { profile: p, law: stribeck, stribeck_exponent: 2 }\n"
    "  c: { profile: p, law: rational }\n"
    "  d: { law: coulomb, coulomb_torque: 1, viscous: 1, stiffness: 5000, damping: 50 }\n"
    "  e: { profile: p, law: lugre }\n";

enum { joint_count = 5 };
static const char *const names[joint_count] = {"a", "b", "c", "d", "e"};

static stiction_model *model;
static stiction_state *state, *again;
static unsigned char *saved, *buffer, *second;
static size_t saved_size;

/* Where a saved state has the sum of what follows, see capi/save.c: an input that is sealed
 * anew gets as far as the numbers. */
enum { checksum_at = 32, payload_at = 40 };

static void seal(unsigned char *bytes) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = payload_at; k < saved_size; k++) hash = (hash ^ bytes[k]) * 0x100000001b3u;
    memcpy(bytes + checksum_at, &hash, sizeof hash);
}

static void step(stiction_state *s, double speed) {
    double velocity[joint_count], torque[joint_count];
    static const double some[joint_count] = {0.5}; /* of all that a forged joint may read */
    stiction_error error;
    for (size_t k = 0; k < joint_count; k++) velocity[k] = k % 2 ? speed : -speed;
    stiction_input in = stiction_input_default();
    stiction_output out = stiction_output_default();
    in.timestep = 1e-3;
    in.velocity = velocity;
    in.effort = in.position = in.external_torque = some;
    out.torque = torque;
    /* what was restored is legal at its own time step, and may not be at this one */
    const stiction_status status = stiction_step_full(s, &in, &out, &error);
    must(status == STICTION_OK || status == STICTION_ILLEGAL_TIMESTEP);
    if (status != STICTION_OK) must_be_told(&error);
    for (size_t k = 0; k < joint_count; k++) must(isfinite(torque[k]));
}

static void clean_up(void) {
    stiction_state_destroy(state);
    stiction_state_destroy(again);
    stiction_model_destroy(model);
    free(saved);
    free(buffer);
    free(second);
}

static void begin(void) {
    stiction_model_def def = stiction_model_def_default();
    stiction_config *config;
    stiction_error error;
    def.timestep = 1e-3;
    must(stiction_config_parse(configuration, strlen(configuration), "state", &config, NULL) ==
         STICTION_OK);
    must(stiction_model_create(config, names, joint_count, &def, &model, &error) == STICTION_OK);
    must(stiction_state_create(model, &state, &error) == STICTION_OK);
    must(stiction_state_create(model, &again, &error) == STICTION_OK);
    stiction_config_destroy(config);
    for (int k = 0; k < 100; k++) step(state, 0.3);
    saved_size = stiction_state_buffer_size(state);
    saved = malloc(saved_size);
    buffer = malloc(saved_size);
    second = malloc(saved_size);
    must(saved && buffer && second && atexit(clean_up) == 0);
    must(stiction_state_save(state, saved, saved_size, &error) == STICTION_OK);
    /* the layout is still as this file has it */
    memcpy(buffer, saved, saved_size);
    seal(buffer);
    must(memcmp(buffer, saved, saved_size) == 0);
}

/* Everything that a legal host may do next. */
static void go_on(void) {
    static const double speeds[] = {0, 1e-300, 0.01, 1, -1e6, 1e48, 1e89};
    stiction_error error;
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; k++) {
        step(state, speeds[k]);
        must(stiction_state_save(state, second, saved_size, &error) == STICTION_OK);
        must(stiction_state_restore(again, second, saved_size, &error) == STICTION_OK);
    }
}

static void read_state(const uint8_t *data, size_t size) {
    stiction_error error;
    if (size == 0) return;
    const bool sealed = data[0] % 4 != 0;
    memcpy(buffer, saved, saved_size);
    for (size_t k = 1; k + 10 <= size; k += 10) {
        const size_t at = (data[k] + 256u * data[k + 1]) % (saved_size - 7);
        memcpy(buffer + at, data + k + 2, 8);
    }
    if (sealed) seal(buffer);
    if (stiction_state_restore(state, buffer, saved_size, &error) == STICTION_OK)
        go_on();
    else
        must_be_told(&error);
    /* as it came, and cut off */
    if (stiction_state_restore(state, data, size, &error) != STICTION_OK) must_be_told(&error);
    must(stiction_state_restore(state, saved, size % saved_size, &error) != STICTION_OK);
}

const fuzz_reader fuzz_state = {.name = "state", .begin = begin, .read = read_state};
