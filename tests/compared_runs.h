/* SPDX-License-Identifier: MIT
 * Runs of a comparison (tools/report/comparison.h) that a test holds in a list.
 */
#ifndef STICTION_TESTS_COMPARED_RUNS_H
#define STICTION_TESTS_COMPARED_RUNS_H

#include <math.h>

#include "report/comparison.h"

typedef struct compared_run {
    const char *name, *folder, *failure; /* NULL: none */
    const char *const *settings;
    const double *figures; /* NULL: it failed */
} compared_run;

static const char *compared_name(void *user, size_t run, size_t column) {
    (void)column;
    return ((const compared_run *)user)[run].name;
}

static const char *compared_folder(void *user, size_t run, size_t column) {
    (void)column;
    return ((const compared_run *)user)[run].folder;
}

static const char *compared_failure(void *user, size_t run, size_t column) {
    (void)column;
    return ((const compared_run *)user)[run].failure;
}

static const char *compared_warnings(void *user, size_t run, size_t column) {
    (void)user, (void)run, (void)column;
    return NULL;
}

static const char *compared_setting(void *user, size_t run, size_t column) {
    return ((const compared_run *)user)[run].settings[column];
}

static double compared_figure(void *user, size_t run, size_t figure) {
    return ((const compared_run *)user)[run].figures[figure];
}

static inline comparison compare_runs(compared_run *runs, size_t count) {
    return (comparison){.title = "",
                        .run_count = count,
                        .name = compared_name,
                        .folder = compared_folder,
                        .failure = compared_failure,
                        .warnings = compared_warnings,
                        .setting = compared_setting,
                        .figure = compared_figure,
                        .user = runs};
}

#endif
