/* SPDX-License-Identifier: MIT
 * The database of a sweep: an input is sweep.db, the plan is always the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "catch.h"
#include "common/folder.h"
#include "sweep/states.h"
#include "sweep/tables.h"

static char *projects[] = {"wrist.cnoid"}, *laws[] = {"coulomb", "stribeck"}, *times[] = {"0.01"};
static sweep_parameter parameters[] = {{.key = "law", .values = laws, .count = 2},
                                       {.key = "duration", .values = times, .count = 1}};
static const sweep_plan plan = {.projects = projects,
                                .project_count = 1,
                                .engine = "mujoco",
                                .parameters = parameters,
                                .parameter_count = 2};

/* A database that cannot be read is refused as a whole. */
static void read_database(const char *folder) {
    stiction_error error;
    sweep_states states;
    bool fine = sweep_states_read_folder(&states, folder, &plan, &error);
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

static void begin(void) {
    must(freopen("/dev/null", "w", stdout) != NULL); /* where the table goes */
}

static void read_sweep_database(const uint8_t *data, size_t size) {
    char folder[120];
    (void)snprintf(folder, sizeof folder, "%s/sweep", fuzz_folder());
    folder_remove(folder);
    (void)mkdir(folder, 0700);
    (void)fuzz_file("sweep/sweep.db", data, size);
    read_database(folder);
}

const fuzz_reader fuzz_sweep_database = {
    .name = "sweep_database", .begin = begin, .read = read_sweep_database};
