/* SPDX-License-Identifier: MIT
 * The core: a configuration loaded, checked, overridden, edited and written; model, state, batch
 * and implicit solver made from it and stepped; a state saved and restored.
 */
#include <math.h>

#include "in_turn.h"

static const char path[] = "faults_library.yaml";

static const char text[] =
    "stiction: 1\n"
    "models: [Wrist, HRP5P]\n"
    "timestep: 0.001\n"
    "profiles:\n"
    "  wrist: &w { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4,\n"
    "              stribeck_velocity: 0.06, stiffness: 5000, damping: 50 }\n"
    "joints:\n"
    "  RWRR: { profile: wrist }\n"
    "  RW*: { <<: *w, viscous: {uniform: [3, 4]}, damping: {normal: [50, 2]} }\n";

static const char *const names[] = {"RWRR", "RWRY"};

/* The message of a list, which may be full of others. */
static void take_message(walk *w) {
    for (size_t k = 0; k < stiction_errors_count(w->errors); k++) {
        const stiction_error *error = stiction_errors_at(w->errors, k);
        if (k == 0 || error->status == STICTION_OUT_OF_MEMORY) w->error = *error;
        /* memory ends in no line of a file */
        if (error->status == STICTION_OUT_OF_MEMORY && error->line != 0)
            (void)snprintf(w->error.message, sizeof w->error.message, "line %d", error->line);
    }
}

static bool step_state(walk *w, stiction_model *model, stiction_state *state) {
    const double velocity[] = {0.1, -0.2};
    double torque[2];
    stiction_state *other = NULL;
    const size_t size = stiction_state_buffer_size(state);
    char *buffer = malloc(size);
    bool fine = made(w, "malloc", buffer) &&
                went(w, "state_create", stiction_state_create(model, &other, &w->error));
    for (int k = 0; k < 10 && fine; k++)
        fine = went(w, "step", stiction_step(state, 0.001, velocity, torque, &w->error));
    fine = fine && went(w, "save", stiction_state_save(state, buffer, size, &w->error)) &&
           went(w, "restore", stiction_state_restore(other, buffer, size, &w->error)) &&
           went(w, "copy", stiction_state_copy(other, state, &w->error)) &&
           went(w, "step", stiction_step(other, 0.001, velocity, torque, &w->error));
    if (fine) w->result += torque[0] + torque[1];
    stiction_state_destroy(other);
    free(buffer);
    return fine;
}

static bool step_batch(walk *w, stiction_model *model) {
    enum { environments = 64 };
    static double velocity[2 * environments], torque[2 * environments];
    stiction_batch_def def = stiction_batch_def_default();
    def.threads = 3;
    stiction_batch *batch = NULL;
    for (int k = 0; k < 2 * environments; k++) velocity[k] = 0.01 * k;
    const bool fine =
        went(w, "batch_create",
             stiction_batch_create(model, environments, &def, &batch, &w->error)) &&
        went(w, "batch_draw", stiction_batch_draw(batch, 1, 7, &w->error)) &&
        went(w, "step_batch", stiction_step_batch(batch, 0.001, velocity, torque, &w->error));
    for (int k = 0; k < 2 * environments && fine; k++) w->result += torque[k];
    stiction_batch_destroy(batch);
    return fine;
}

static bool step_implicit(walk *w, stiction_state *state) {
    static const double mass[] = {1, 0.1, 0.1, 2}, velocity[] = {0.1, 0.2}, force[] = {3, -1};
    static const int dof[] = {0, 1}, parent[] = {-1, 0};
    double next[2];
    stiction_implicit_def def = stiction_implicit_def_default();
    def.count = 2;
    def.parent = parent;
    stiction_implicit *solver = NULL;
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = stiction_implicit_output_default();
    input.timestep = 0.001;
    input.mass = mass;
    input.velocity = velocity;
    input.force = force;
    output.velocity = next;
    const bool fine =
        went(w, "implicit_create", stiction_implicit_create(&def, &solver, &w->error)) &&
        went(w, "implicit_add", stiction_implicit_add(solver, state, dof, &w->error)) &&
        went(w, "implicit_step", stiction_implicit_step(solver, &input, &output, &w->error));
    if (fine) w->result += next[0] + next[1];
    stiction_implicit_destroy(solver);
    return fine;
}

static bool make_and_step(walk *w, const stiction_config *config) {
    stiction_model *model = NULL;
    stiction_state *state = NULL;
    const bool fine =
        went(w, "model_create", stiction_model_create(config, names, 2, NULL, &model, &w->error)) &&
        went(w, "state_create", stiction_state_create(model, &state, &w->error)) &&
        step_state(w, model, state) && step_batch(w, model) && step_implicit(w, state);
    char *written = fine ? stiction_model_write(model) : NULL;
    const bool whole = fine && made(w, "model_write", written);
    stiction_free(written);
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    return whole;
}

static bool with_config(walk *w, stiction_config *config) {
    static const stiction_override overrides[] = {
        {"joints.RWRY.viscous", "{uniform: [3, 5]}"}, {"seed", "4"}, {"law", "coulomb"}};
    const stiction_distribution d = {STICTION_LOG_UNIFORM, 0.1, 0.2};
    stiction_config *again = NULL;
    char *written = NULL;
    const bool fine =
        went(w, "check", stiction_config_check(config, names, 2, 0, w->errors)) &&
        make_and_step(w, config) &&
        went(w, "override", stiction_config_override(config, overrides, 3, names, 2, w->errors)) &&
        went(w, "set_distribution",
             stiction_config_set_distribution(config, "RWRR", "coulomb_torque", &d, &w->error)) &&
        made(w, "config_write", written = stiction_config_write(config)) &&
        went(w, "parse", stiction_config_parse(written, strlen(written), NULL, &again, w->errors));
    stiction_config_destroy(again);
    stiction_free(written);
    return fine;
}

static void load(walk *w) {
    static const stiction_override edits[] = {{"joints.RWRR.static_torque", "2.75"},
                                              {"timestep", "0.002"}};
    stiction_config *config = NULL;
    w->errors = stiction_errors_create();
    bool fine = made(w, "errors_create", w->errors) &&
                went(w, "load", stiction_config_load(path, &config, w->errors)) &&
                with_config(w, config);
    fine = fine &&
           went(w, "edit_file", stiction_config_edit_file(path, edits, 2, names, 2, w->errors));
    if (!fine) take_message(w);
    stiction_config_destroy(config);
    stiction_errors_destroy(w->errors);
    w->errors = NULL;
}

/* A text full of errors gives these, or out of memory. */
static void refuse(walk *w) {
    static const char wrong[] = "stiction: 1\njoints: {a: {b: 3, law: [1]}, c: 4}\nd: 5\n";
    stiction_config *config = NULL;
    w->errors = stiction_errors_create();
    if (made(w, "errors_create", w->errors) &&
        stiction_config_parse(wrong, sizeof wrong - 1, "g", &config, w->errors) == STICTION_OK)
        (void)went(w, "parse", STICTION_INVALID_ARGUMENT);
    w->result = (double)stiction_errors_count(w->errors);
    take_message(w);
    if (w->error.status == STICTION_OUT_OF_MEMORY) (void)went(w, "parse", STICTION_OUT_OF_MEMORY);
    stiction_config_destroy(config);
    stiction_errors_destroy(w->errors);
    w->errors = NULL;
}

static bool put_file(void) {
    FILE *file = fopen(path, "w");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

int main(void) {
    const in_turn walks[] = {{.name = "the core", .go = load, .then = -1},
                             {.name = "mistakes", .go = refuse, .then = -1}};
    int bad = put_file() ? 0 : 1;
    for (size_t k = 0; k < sizeof walks / sizeof walks[0]; k++)
        for (int on = 0; on < 2; on++) bad += try_in_turn(&walks[k], on);
    (void)remove(path);
    return bad != 0;
}
