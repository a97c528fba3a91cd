/* SPDX-License-Identifier: MIT */
/* The folder of a run: an input is summary.json and joints.csv, or joints.npz where it begins so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fuzz.h"
#include "common/command.h"
#include "report/report.h"
#include "report/run_data.h"

static bool load(const char *folder) {
    run_data run;
    stiction_error error;
    const bool fine = succeeds(run_data_load(&run, folder, &error), &error);
    if (fine) {
        free(run_data_warnings(&run));
        free(run_data_by_motion(&run));
        (void)run_data_is_stable(&run);
        for (size_t k = 0; k < run.joint_count; k++)
            for (size_t n = 0; joint_figure_at(n); n++)
                (void)run_data_figure(&run.joints[k], joint_figure_at(n)->name);
    }
    run_data_release(&run);
    return fine;
}

static void report(const char *folder) {
    stiction_error error;
    (void)succeeds(report_write(folder, folder, &error), &error);
}

static void read_run(const uint8_t *data, size_t size) {
    static char folder[120];
    (void)snprintf(folder, sizeof folder, "%s/run", fuzz_folder());
    (void)mkdir(folder, 0700);
    fuzz_part rest = {data, size}, summary = fuzz_next_part(&rest);
    (void)fuzz_file("run/summary.json", summary.data, summary.size);
    const bool is_npz = rest.size > 1 && rest.data[0] == 'P' && rest.data[1] == 'K';
    static char other[140];
    (void)snprintf(other, sizeof other, "%s/%s", folder,
                   is_npz ? SERIES_CSV_NAME : SERIES_NPZ_NAME);
    (void)unlink(other);
    (void)fuzz_file(is_npz ? "run/" SERIES_NPZ_NAME : "run/" SERIES_CSV_NAME, rest.data, rest.size);
    if (load(folder)) report(folder);
}

const fuzz_reader fuzz_run = {.name = "run", .read = read_run};
