/* SPDX-License-Identifier: MIT
 * stiction report: pages and pictures of finished runs and of logs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "document/text.h"
#include "report/log_run.h"
#include "report/report.h"
#include "results/series.h"
#include "run/run.h"
#include "run/scene.h"
#include "storage/place.h"

typedef struct report_options {
    const char *out;
    text_list draw; /* each with commas between columns */
    log_options log;
    const char *robot; /* of a log; NULL: no replay */
    bool force, pictures;
} report_options;

/* Whether a report reads the file of a run folder. */
static bool is_read(const char *name) {
    static const char *const names[] = {"summary.json", SERIES_CSV_NAME, SERIES_NPZ_NAME};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(name, names[k]) == 0) return true;
    return false;
}

/* Whether the results are as they were written, so that no report shows changed figures. A run
 * without a list of its files is read as it is. Prints an error for each changed file. */
static bool is_intact(const char *folder) {
    AUTO(manifest_free) manifest list;
    const manifest_state state = manifest_read(&list, folder);
    bool intact =
        state != MANIFEST_DAMAGED ||
        print_error("%s/" MANIFEST_NAME " is damaged or was not written by stiction", folder);
    for (size_t k = 0; k < list.count; k++)
        if (is_read(list.entries[k].name) && !manifest_entry_holds(&list.entries[k], folder)) {
            need_memory();
            intact = print_error("%s/%s was changed after the run (" MANIFEST_NAME
                                 "); no report is written",
                                 folder, list.entries[k].name);
        }
    return intact;
}

static bool are_intact(const text_list *folders) {
    bool intact = true;
    for (size_t k = 0; k < folders->count; k++) intact = is_intact(folders->items[k]) && intact;
    return intact;
}

/* The page and the requested PNGs of a run. */
static bool write_pages(const run_data *run, const char *into, bool pictures,
                        stiction_error *error) {
    return report_write_run(run, into, error) && (!pictures || report_pngs_run(run, into, error));
}

static int write_own(const report_options *o, const char *folder, stiction_error *error) {
    place p = {.lock = -1};
    run_data run;
    bool fine = run_data_load_summary(&run, folder, error);
    run_data_release(&run);
    if (!fine || !is_intact(folder)) return EXIT_DATA;
    fine = place_open_folder(&p, folder, error);
    if (fine) {
        fine = run_data_load(&run, folder, error) &&
               write_pages(&run, p.fresh, o->pictures, error) && place_add(&p, o->force, error);
        run_data_release(&run);
    }
    place_close(&p);
    if (fine) show_line("report: %s/report.html", folder);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static text_list split_columns(const text_list *given) {
    text_list columns = {NULL, 0};
    for (size_t k = 0; k < given->count; k++)
        for (const char *at = given->items[k]; *at; at += strcspn(at, ","), at += *at == ',')
            if (*at != ',') text_list_add(&columns, format_text("%.*s", (int)strcspn(at, ","), at));
    return columns;
}

/* A page over several runs, or a picture of columns. */
static int write_file(const report_options *o, const text_list *folders, stiction_error *error) {
    const char *path = o->out ? o->out : "overlay.html";
    if (!whole_file_may_take(path, o->force, error) || !are_intact(folders)) return EXIT_DATA;
    AUTO(text_list_free) text_list columns = split_columns(&o->draw);
    const bool fine =
        columns.count ? column_picture_write(folders->items, folders->count, &columns, path, error)
                      : overlay_write(folders->items, folders->count, path, error);
    if (fine) show_line("%s: %s", columns.count ? "picture" : "report", path);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static bool is_log(const char *path) {
    return stiction_text_ends_with(path, ".csv");
}

static bool may_write_to(const char *folder, stiction_error *error) {
    return !run_has_results(folder) ||
           fail(error, "%s contains results; give another --out, or --force to replace them",
                folder);
}

/* The shapes of the robot of a log. */
static bool write_robot(const report_options *o, const run_data *run, const char *folder,
                        stiction_error *error) {
    if (!o->robot) return true;
    const world_options options = world_options_default();
    AUTO_FREE const char **names = allocate(run->joint_count + 1, sizeof *names);
    for (size_t k = 0; k < run->joint_count; k++) names[k] = run->joints[k].name;
    size_t missing;
    if (!scene_write_of(o->robot, &options, names, run->joint_count, &missing, folder, error))
        return false;
    if (missing)
        print_note("warning: %s: %zu of the %zu joints of the log are not in it", o->robot, missing,
                   run->joint_count);
    return true;
}

/* Makes a run of a log in a new folder, with its report. */
static int write_log(const report_options *o, const char *path, stiction_error *error) {
    stiction_config *config = o->log.config ? load_config(o->log.config) : NULL;
    if (o->log.config && !config) return EXIT_DATA;
    AUTO_FREE char *stem = path_stem(path);
    AUTO_FREE char *folder = o->out ? copy_text(o->out) : format_text("results/%s", stem);
    AUTO(place_close) place p = {.lock = -1};
    AUTO(run_data_release) run_data run = {.folder = NULL};
    const bool fine = (o->force || may_write_to(folder, error)) &&
                      place_open(&p, folder, o->force ? PLACE_REPLACE : PLACE_FREE, error) &&
                      log_run_write(path, &o->log, config, p.fresh, error) &&
                      run_data_load(&run, p.fresh, error) && write_robot(o, &run, p.fresh, error) &&
                      write_pages(&run, p.fresh, o->pictures, error) && place_commit(&p, error);
    for (size_t k = 0; fine && run_data_warning(&run, k); k++)
        print_note("warning: %s", run_data_warning(&run, k));
    if (fine) printf("report: %s/report.html\n", folder);
    stiction_config_destroy(config);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static bool has_log_options(const log_options *o) {
    return o->config || o->time || o->columns.count || o->joints.count || o->degrees;
}

static bool is_usable(const report_options *o, const text_list *folders, stiction_error *error) {
    for (size_t k = 0; k < folders->count; k++)
        if (is_log(folders->items[k]))
            return fail(error,
                        "report: %s: a log is reported alone; give the folders of runs to "
                        "compare them",
                        folders->items[k]);
    if (has_log_options(&o->log) || o->robot)
        return fail(error, "report: --config, --robot, --column, --joint, --time and --degrees "
                           "need a log, LOG.csv");
    const char *repeated = text_list_repeated(folders);
    if (repeated) return fail(error, "report: folder '%s' is given twice", repeated);
    if (o->pictures && (o->draw.count || folders->count > 1))
        return fail(error, "report: --pictures needs one run and no --draw");
    if (o->draw.count && !o->out)
        return fail(error, "report: --draw needs --out FILE.svg or FILE.png");
    if (!o->draw.count && o->out && folders->count == 1)
        return fail(error, "report: --out needs several runs; the report of one run is written to "
                           "its folder");
    return true;
}

static int run_report(const void *given, const text_list *folders, stiction_error *error) {
    const report_options *o = given;
    if (folders->count == 1 && is_log(folders->items[0]) && !o->draw.count)
        return write_log(o, folders->items[0], error);
    if (!is_usable(o, folders, error)) return EXIT_USAGE;
    return o->draw.count || folders->count > 1 ? write_file(o, folders, error)
                                               : write_own(o, folders->items[0], error);
}

static const report_options defaults = {.out = NULL};

#define FIELD(name) offsetof(report_options, name)

static const option options_of_report[] = {
    {"out", OPTION_TEXT, "PATH", "the page over several runs, or the folder for a log", FIELD(out)},
    {"draw", OPTION_TEXTS, "COLUMN,...", "draw columns of all runs into --out FILE", FIELD(draw)},
    {"pictures", OPTION_FLAG, NULL, "one run: also write PNGs of the plots", FIELD(pictures)},
    {"config", OPTION_TEXT, "FILE", "log: friction of its joints, computed along it",
     FIELD(log.config)},
    {"robot", OPTION_TEXT, "FILE", "log: its robot or project, for a replay", FIELD(robot)},
    {"column", OPTION_TEXTS, "KIND=PATTERN", "log: names of the columns of a kind",
     FIELD(log.columns)},
    {"joint", OPTION_TEXTS, "NAME", "log: only this joint", FIELD(log.joints)},
    {"time", OPTION_TEXT, "COLUMN", "log: the column of time (default time or t)", FIELD(log.time)},
    {"degrees", OPTION_FLAG, NULL, "log: its angles are in degrees", FIELD(log.degrees)},
    {"force", OPTION_FLAG, NULL, "replace an existing file, or the results of a log", FIELD(force)},
    {.name = NULL},
};

const verb verb_report = {
    .name = "report",
    .summary = "pages of finished runs, one or several, or of a log",
    .arguments = "FOLDER...|LOG.csv",
    .least = 1,
    .most = OVERLAY_MOST_RUNS,
    VERB_OPTIONS(options_of_report, defaults),
    .description =

        "One run: writes report.html into its folder, and PNGs of the plots with\n"
        "--pictures, from summary.json and joints.csv or joints.npz, and adds them to\n"
        "SHA256SUMS. A file that is not listed there, or was changed since, is replaced\n"
        "only with --force.\n"
        "\n"
        "Several runs, at most seven: writes one page that overlays them, with position,\n"
        "velocity, torque, error and friction power of the selected joints, and a table\n"
        "of all figures. With --draw COLUMN,..., also for one run: a picture of columns\n"
        "of the series over time, one line per run and column. The label of a run is\n"
        "the part of its path that differs (stiction run --name). An existing file is\n"
        "replaced with --force, but never a file of the results of a run. A run whose\n"
        "results were changed is refused.\n"
        "\n"
        "LOG.csv, a log of another simulator or of a robot: writes a folder like that of\n"
        "a run, with the report (default results/LOG). A row has the time (s) and, for\n"
        "each joint, any of position (rad), velocity, command (N m), friction_torque and\n"
        "target. Columns such as JOINT.position, JOINT_pos and q_JOINT are found by their\n"
        "names; name others with --column, for example\n"
        "--column position=meas/{joint}/angle. With --config, friction is computed along\n"
        "the velocity if the log has none; with --robot the page has a replay.",
    .example = "  stiction report results/wrist\n"
               "  stiction report results/wrist results50/wrist --out gains.html\n"
               "  stiction report soft/wrist stiff/wrist --draw RWRR.position --out a.svg\n"
               "  stiction report robot_log.csv --config config/hrp5p.yaml --degrees",
    .run = run_report,
};
