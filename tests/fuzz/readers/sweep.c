/* SPDX-License-Identifier: MIT */
/* Sweep files: what is read has runs, each with its settings. */
#include <stdlib.h>

#include "../fuzz.h"
#include "common/command.h"
#include "mujoco/overrides.h"
#include "run/project_traits.h"
#include "run/run.h"
#include "run/run_shared.h"
#include "sweep/sweep_file.h"

static bool has_engine(const char *name) {
    return run_find_engine(name) != NULL;
}

static bool check_override(const char *text, stiction_place at, stiction_error *error) {
    return overrides_check(text, at, true, error);
}

static const sweep_rules rules = {has_engine,
                                  run_engine_names,
                                  override_has_key,
                                  check_override,
                                  override_is_of_controllers,
                                  project_has_other_controllers,
                                  run_controller_is_posture,
                                  project_draws,
                                  true};

static void read_sweep(const uint8_t *data, size_t size) {
    sweep_plan plan;
    stiction_errors *errors = stiction_errors_create();
    const bool fine = sweep_file_read(fuzz_file("f.yaml", data, size), &rules, &plan, errors);
    must(fine == (stiction_errors_count(errors) == 0));
    for (size_t k = 0; k < stiction_errors_count(errors); k++)
        must_be_told(stiction_errors_at(errors, k));
    if (fine) {
        const size_t count = sweep_plan_count(&plan);
        must(count <= SWEEP_MOST_RUNS);
        for (size_t run = 0; run < count && run < 3; run++) {
            free(sweep_plan_name(&plan, run));
            json_decref(sweep_plan_run_json(&plan, run));
        }
    }
    sweep_plan_free(&plan);
    stiction_errors_destroy(errors);
}

const fuzz_reader fuzz_sweep = {.name = "sweep", .read = read_sweep};
