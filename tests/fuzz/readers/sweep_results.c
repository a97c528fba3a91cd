/* SPDX-License-Identifier: MIT
 * The folder of a sweep. Of sweep_results an input is sweep.json, and settings.json and
 * summary.json of its first run, where the plan has one; of sweep_database it is sweep.db of a plan
 * that is always the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../fuzz.h"
#include "common/command.h"
#include "common/folder.h"
#include "storage/manifest.h"
#include "sweep/rows.h"
#include "sweep/store.h"
#include "sweep/tables.h"

/* more runs than these find nothing new */
enum { most_runs = 50 };

typedef struct store {
    const char *folder;
    fuzz_part settings, summary;
} store;

static void put(const char *folder, const char *name, fuzz_part part) {
    char *path = format_text("%s/%s", folder, name);
    (void)fuzz_file(path + strlen(fuzz_folder()) + 1, part.data, part.size);
    free(path);
}

/* Otherwise it would be damaged, and reading would end. */
static void list_files(const char *folder) {
    manifest list = {.entries = NULL};
    must(manifest_add_all(&list, folder) && manifest_write(&list, folder));
    manifest_free(&list);
}

static void read_store(const store *s) {
    sweep_plan plan;
    stiction_error error;
    bool fine = sweep_plan_load(s->folder, &plan, &error);
    const size_t count = fine ? sweep_plan_count(&plan) : 0;
    if (count > 0 && count <= most_runs) {
        char *run = sweep_run_folder(s->folder, &plan, 0);
        must(folder_make(run, &error));
        put(run, "settings.json", s->settings);
        put(run, "summary.json", s->summary);
        list_files(run);
        free(run);
        sweep_store taken = {.folder = s->folder, .plan = &plan, .lock = -1};
        sweep_states states = {.count = 0};
        sweep_rows rows = {.count = 0};
        taken.records = records_create(s->folder, &plan, &error);
        fine = taken.records &&
               sweep_states_read(&states, s->folder, &plan, taken.records, &error) &&
               sweep_states_adopt(&states, &taken, &error) &&
               sweep_rows_read(&rows, &states, &error) && sweep_write_csv(&rows, s->folder, &error);
        must(rows.count <= count && rows.failed <= rows.count);
        if (fine) sweep_print(&rows, stdout);
        sweep_rows_free(&rows);
        sweep_states_free(&states);
        sweep_store_close(&taken);
    }
    sweep_plan_free(&plan);
    (void)succeeds(fine, &error);
}

/* Where a sweep was; it is empty. */
static const char *empty_folder(void) {
    static char folder[120];
    (void)snprintf(folder, sizeof folder, "%s/sweep", fuzz_folder());
    folder_remove(folder);
    (void)mkdir(folder, 0700);
    return folder;
}

static void read_sweep_results(const uint8_t *data, size_t size) {
    fuzz_part rest = {data, size}, plan = fuzz_next_part(&rest);
    store s = {.folder = empty_folder()};
    s.settings = fuzz_next_part(&rest);
    s.summary = rest;
    (void)fuzz_file("sweep/sweep.json", plan.data, plan.size);
    read_store(&s);
}

/* ---- the database ---- */

static char *projects[] = {"wrist.cnoid"}, *laws[] = {"coulomb", "stribeck"}, *times[] = {"0.01"};
static sweep_parameter parameters[] = {{.key = "law", .values = laws, .count = 2},
                                       {.key = "duration", .values = times, .count = 1}};
static const sweep_plan the_plan = {.projects = projects,
                                    .project_count = 1,
                                    .engine = "mujoco",
                                    .parameters = parameters,
                                    .parameter_count = 2};

/* A database that cannot be read is refused as a whole. */
static void read_database(const char *folder) {
    stiction_error error;
    sweep_states states;
    bool fine = sweep_states_read_folder(&states, folder, &the_plan, &error);
    if (fine) {
        sweep_rows rows;
        fine = sweep_rows_read(&rows, &states, &error);
        must(rows.count <= states.count && rows.failed <= rows.count);
        for (size_t k = 0; k < rows.count; k++) must(rows.rows[k].run < states.count);
        if (fine) (void)sweep_write_csv(&rows, folder, &error);
        sweep_print(&rows, stdout);
        sweep_rows_free(&rows);
    }
    sweep_states_free(&states);
    (void)succeeds(fine, &error);
}

static void read_sweep_database(const uint8_t *data, size_t size) {
    const char *folder = empty_folder();
    (void)fuzz_file("sweep/sweep.db", data, size);
    read_database(folder);
}

static void begin(void) {
    must(freopen("/dev/null", "w", stdout) != NULL); /* where the table goes */
}

const fuzz_reader fuzz_sweep_results = {
    .name = "sweep_results", .begin = begin, .read = read_sweep_results};
const fuzz_reader fuzz_sweep_database = {
    .name = "sweep_database", .begin = begin, .read = read_sweep_database};
