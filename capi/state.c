/* SPDX-License-Identifier: MIT
 * The state of a run: made, copied, saved, changed. The step itself is in step.c.
 */
#include "state_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"

stiction_status stiction_state_check(const stiction_state *state, stiction_error *error) {
    REQUIRE(state, error, "the state is NULL");
    return STICTION_OK;
}

static stiction_status check_joint(const stiction_state *state, size_t index,
                                   stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(index < state->model->count, error, "there is no joint %zu; the model has %zu", index,
            state->model->count);
    return STICTION_OK;
}

/* In the memory that is there: what changes joints, a step among them, allocates nothing. */
void stiction_state_group(stiction_state *state) {
    stiction_groups_fill(&state->own_groups, state->joints, state->model->count);
    state->groups = &state->own_groups;
}

void stiction_state_to_memories(stiction_state *state) {
    for (size_t k = 0; state->in_columns && k < state->model->count; k++)
        state->memories[k] = stiction_state_memory(state, k);
    state->in_columns = false;
}

void stiction_state_to_columns(stiction_state *state) {
    if (state->in_columns) return;
    /* what fills up the last four of a column is at rest */
    memset(state->deflections, 0,
           stiction_groups_most_homes(state->model->count) * sizeof *state->deflections);
    for (size_t k = 0; k < state->model->count; k++) {
        const size_t home = state->groups->homes[k];
        if (home == no_home) continue;
        state->deflections[home] = state->memories[k].deflection;
        state->energies[home] = state->memories[k].dissipated;
    }
    state->in_columns = true;
}

joint_memory stiction_state_memory(const stiction_state *state, size_t k) {
    joint_memory m = state->memories[k];
    const size_t home = state->groups->homes[k];
    if (!state->in_columns || home == no_home) return m;
    m.deflection = state->deflections[home];
    m.dissipated = state->energies[home];
    return m;
}

static void rest(stiction_state *state) {
    const stiction_model *model = state->model;
    state->timestep = model->timestep;
    state->needs = model->needs;
    if (model->count) memcpy(state->joints, model->joints, model->count * sizeof *state->joints);
    for (size_t k = 0; k < model->count; k++) {
        state->memories[k] = stiction_joint_at_rest();
        state->faults[k] = 0;
    }
    state->in_columns = false;
    state->groups = &model->groups;
}

stiction_status stiction_state_create(const stiction_model *model, stiction_state **state,
                                      stiction_error *error) {
    if (state) *state = NULL;
    REQUIRE(model, error, "the model is NULL");
    REQUIRE(state, error, "the place for the state is NULL");
    stiction_state *made = calloc(1, sizeof *made);
    if (!made) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    *made = (stiction_state){
        .model = model,
        .joints = calloc(model->count + 1, sizeof *made->joints),
        .memories = calloc(model->count + 1, sizeof *made->memories),
        .faults = calloc(model->count + 1, sizeof *made->faults),
        .deflections = stiction_columns_lines(stiction_groups_most_homes(model->count)),
        .energies = stiction_columns_lines(stiction_groups_most_homes(model->count))};
    if (!made->joints || !made->memories || !made->faults || !made->deflections ||
        !made->energies || !stiction_groups_create(&made->own_groups, model->count)) {
        stiction_state_destroy(made);
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints",
                             model->count);
    }
    rest(made);
    *state = made;
    return stiction_succeed(error);
}

void stiction_state_destroy(stiction_state *state) {
    if (!state) return;
    free(state->joints);
    free(state->memories);
    free(state->faults);
    stiction_groups_destroy(&state->own_groups);
    free(state->deflections);
    free(state->energies);
    free(state);
}

stiction_status stiction_state_reset(stiction_state *state, stiction_error *error) {
    TRY(stiction_state_check(state, error));
    rest(state);
    return stiction_succeed(error);
}

stiction_status stiction_state_copy(stiction_state *to, const stiction_state *from,
                                    stiction_error *error) {
    if (!to || !from) return stiction_state_check(NULL, error);
    REQUIRE(to->model == from->model, error, "the two states are of different models");
    if (to == from) return stiction_succeed(error);
    const size_t count = from->model->count;
    to->timestep = from->timestep;
    to->needs = from->needs;
    memcpy(to->joints, from->joints, count * sizeof *to->joints);
    for (size_t k = 0; k < count; k++) to->memories[k] = stiction_state_memory(from, k);
    to->in_columns = false;
    memcpy(to->faults, from->faults, count * sizeof *to->faults);
    if (from->groups == &from->model->groups)
        to->groups = from->groups;
    else
        stiction_state_group(to);
    return stiction_succeed(error);
}

stiction_status stiction_state_set_joint(stiction_state *state, size_t index,
                                         const stiction_joint_def *def, stiction_error *error) {
    TRY(check_joint(state, index, error));
    REQUIRE(def, error, "the definition is NULL");
    joint changed;
    stiction_joint_def own;
    TRY(stiction_joint_replacement(&state->joints[index], def, &own, error));
    TRY(stiction_joint_init(&changed, state->model->names[index], &own, state->timestep, error));

    stiction_state_to_memories(state);
    stiction_joint_keep_torque(&state->joints[index], &changed, &state->memories[index].deflection,
                               &state->memories[index].drive);
    state->joints[index] = changed;
    state->needs = 0;
    for (size_t k = 0; k < state->model->count; k++) state->needs |= state->joints[k].needs;
    stiction_state_group(state);
    return stiction_succeed(error);
}

stiction_status stiction_joint_get_def(const joint *joints, size_t count, size_t index,
                                       stiction_joint_def *def, stiction_error *error) {
    REQUIRE(index < count, error, "there is no joint %zu; the model has %zu", index, count);
    stiction_joint_give_def(&joints[index].def, def);
    return stiction_succeed(error);
}

stiction_status stiction_state_joint(const stiction_state *state, size_t index,
                                     stiction_joint_def *def, stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(def, error, "the definition is NULL");
    return stiction_joint_get_def(state->joints, state->model->count, index, def, error);
}

stiction_status stiction_state_get_deflections(const stiction_state *state, double *deflection,
                                               stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(deflection, error, "the array is NULL");
    for (size_t k = 0; k < state->model->count; k++)
        deflection[k] = stiction_state_memory(state, k).deflection;
    return stiction_succeed(error);
}

stiction_status stiction_state_set_deflections(stiction_state *state, const double *deflection,
                                               stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(deflection, error, "the array is NULL");
    for (size_t k = 0; k < state->model->count; k++)
        if (!(fabs(deflection[k]) <= stiction_joint_most_deflection(&state->joints[k])))
            return stiction_joint_refuse_deflection(state->model->names[k], &state->joints[k],
                                                    deflection[k], error);
    stiction_state_to_memories(state);
    for (size_t k = 0; k < state->model->count; k++) state->memories[k].deflection = deflection[k];
    return stiction_succeed(error);
}

size_t stiction_state_memory_size(const stiction_state *state) {
    return state ? state->model->count * memory_numbers : 0;
}

stiction_status stiction_state_get_memory(const stiction_state *state, double *memory,
                                          stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(memory, error, "the array is NULL");
    for (size_t k = 0; k < state->model->count; k++) {
        const joint_memory m = stiction_state_memory(state, k);
        memcpy(memory + k * memory_numbers, &m, sizeof m);
    }
    return stiction_succeed(error);
}

stiction_status stiction_state_set_memory(stiction_state *state, const double *memory,
                                          stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(memory, error, "the array is NULL");
    for (size_t k = 0; k < state->model->count; k++) {
        joint_memory m;
        memcpy(&m, memory + k * memory_numbers, sizeof m);
        TRY(stiction_joint_check_memory(state->model->names[k], &state->joints[k], &m,
                                        STICTION_INVALID_ARGUMENT, error));
    }
    memcpy(state->memories, memory, state->model->count * sizeof *state->memories);
    state->in_columns = false;
    return stiction_succeed(error);
}

size_t stiction_state_joint_count(const stiction_state *state) {
    return state ? state->model->count : 0;
}

uint64_t stiction_state_faults(const stiction_state *state, size_t index) {
    return state && index < state->model->count ? state->faults[index] : 0;
}

uint64_t stiction_state_total_faults(const stiction_state *state) {
    uint64_t total = 0;
    for (size_t k = 0; k < stiction_state_joint_count(state); k++) total += state->faults[k];
    return total;
}

unsigned stiction_state_needs(const stiction_state *state) {
    return state ? state->needs : 0;
}
