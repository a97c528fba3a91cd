/* SPDX-License-Identifier: MIT
 * The plots of a run as PNGs for documents.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "document/text.h"
#include "joint_plots.h"
#include "report.h"

enum { most_joints = 4, most_points = 4000 };

/* "-NAME", with _ for characters that are unsafe in file names. The caller frees it. */
static char *suffix_of(const char *name) {
    char *suffix = format_text("-%s", name);
    for (char *c = suffix + 1; *c; c++) {
        const bool safe = (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
                          (*c >= 'a' && *c <= 'z') || *c == '-' || *c == '_';
        if (!safe) *c = '_';
    }
    return suffix;
}

static const struct {
    joint_plot plot;
    const char *name;
} pictures[] = {{JOINT_POSITION, "position"},
                {JOINT_TORQUE, "torque"},
                {JOINT_LAW, "law"},
                {JOINT_LEVEL, "level"},
                {JOINT_TEMPERATURE, "temperature"}};

static bool write_joint(const run_data *run, const run_joint *joint, const char *into,
                        const char *suffix, stiction_error *error) {
    joint_plots plots;
    joint_plots_make(&plots, run, joint, most_points);
    bool fine = true;
    for (size_t k = 0; fine && k < sizeof pictures / sizeof pictures[0]; k++) {
        if (!plots.plots[pictures[k].plot].count) continue; /* constant */
        char *path = format_text("%s/%s%s.png", into, pictures[k].name, suffix);
        fine = plot_write(&plots.plots[pictures[k].plot], path, PLOT_PNG, error);
        free(path);
    }
    joint_plots_release(&plots);
    return fine;
}

bool report_pngs_run(const run_data *run, const char *into, stiction_error *error) {
    if (!plot_png_possible()) return fail(error, REPORT_NO_PNGS);
    size_t *order = run_data_by_motion(run);
    bool fine = true;
    for (size_t k = 0; fine && k < run->joint_count && k < most_joints; k++) {
        const run_joint *joint = &run->joints[order[k]];
        if (k && !(run_data_motion(run, joint) > 0)) break;
        char *suffix = k ? suffix_of(joint->name) : copy_text("");
        fine = write_joint(run, joint, into, suffix, error);
        free(suffix);
    }
    free(order);
    return fine;
}

void report_remove(const char *folder) {
    DIR *files = opendir(folder);
    for (const struct dirent *entry; files && (entry = readdir(files)) != NULL;) {
        bool ours = strcmp(entry->d_name, "report.html") == 0;
        for (size_t k = 0; k < sizeof pictures / sizeof pictures[0]; k++) {
            const size_t length = strlen(pictures[k].name);
            ours = ours || (strncmp(entry->d_name, pictures[k].name, length) == 0 &&
                            stiction_text_ends_with(entry->d_name, ".png"));
        }
        char *path = format_text("%s/%s", folder, entry->d_name);
        if (ours) (void)unlink(path);
        free(path);
    }
    if (files) (void)closedir(files);
}
