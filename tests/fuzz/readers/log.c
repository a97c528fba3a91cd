/* SPDX-License-Identifier: MIT
 * `stiction report LOG.csv`: what becomes a run must be readable as one. An input may be two files,
 * a configuration and the log.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../fuzz.h"
#include "common/command.h"
#include "common/folder.h"
#include "report/log_run.h"
#include "report/run_data.h"

typedef struct writing {
    const char *log, *folder;
    log_options options;
} writing;

static bool write_run(const writing *w) {
    stiction_error error;
    stiction_config *config = NULL;
    if (w->options.config && stiction_config_load(w->options.config, &config, NULL) != STICTION_OK)
        return false;
    const bool fine =
        succeeds(log_run_write(w->log, &w->options, config, w->folder, &error), &error);
    stiction_config_destroy(config);
    return fine;
}

static bool load_run(const writing *w) {
    run_data run;
    stiction_error error;
    const bool fine = succeeds(run_data_load(&run, w->folder, &error), &error);
    if (fine)
        for (size_t k = 0; k < run.sample_count; k++) must(isfinite(run.time[k]));
    run_data_release(&run);
    return fine;
}

static void read_log(const uint8_t *data, size_t size) {
    char folder[120];
    (void)snprintf(folder, sizeof folder, "%s/log", fuzz_folder());
    fuzz_part rest = {data, size}, config = fuzz_next_part(&rest);
    writing w = {.folder = folder};
    if (rest.size) {
        w.options.config = fuzz_file("c.yaml", config.data, config.size);
        w.log = fuzz_file("f.csv", rest.data, rest.size);
    } else {
        w.log = fuzz_file("f.csv", config.data, config.size);
    }
    w.options.degrees = size % 2;
    folder_remove(folder);
    if (write_run(&w)) must(load_run(&w));
}

const fuzz_reader fuzz_log = {.name = "log", .read = read_log};
