/*
 * stiction report: the pages of runs that are there already.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/place.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "document/text.h"
#include "report/column_picture.h"
#include "report/log_run.h"
#include "report/overlay.h"
#include "report/report.h"
#include "results/series.h"

typedef struct report_options {
    const char *out, *draw;
    log_options log;
    bool force, pictures;
} report_options;

/* What a page would be made of. */
static bool is_read(const char *name) {
    static const char *const names[] = {"summary.json", SERIES_CSV_NAME, SERIES_NPZ_NAME};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(name, names[k]) == 0) return true;
    return false;
}

/* Figures that were changed would stand on a page like any others. Without its list a run is read
 * as it is. False after a sentence for each file. */
static bool is_whole(const char *folder) {
    manifest list;
    const manifest_state state = place_read_list(&list, folder);
    bool whole = state != MANIFEST_DAMAGED ||
                 complain("%s/" MANIFEST_NAME " is damaged or was not written by stiction", folder);
    for (size_t k = 0; k < list.count; k++)
        if (is_read(list.entries[k].name) && !manifest_entry_holds(&list.entries[k], folder)) {
            need_memory();
            whole = complain("%s/%s is not as it was written (" MANIFEST_NAME
                             "), so nothing is made of this run",
                             folder, list.entries[k].name);
        }
    manifest_free(&list);
    return whole;
}

static bool are_whole(const text_list *folders) {
    bool whole = true;
    for (size_t k = 0; k < folders->count; k++) whole = is_whole(folders->items[k]) && whole;
    return whole;
}

static bool has_summary(const char *folder) {
    run_data run;
    const bool there = run_data_load_summary(&run, folder);
    run_data_release(&run);
    return there;
}

/* The page and, where wanted, the PNGs of a run into a folder, its own or another. */
static bool write_pages(const char *of, const char *into, bool pictures) {
    run_data run;
    const bool fine = run_data_load(&run, of) && report_write_run(&run, into) &&
                      (!pictures || report_pngs_run(&run, into));
    run_data_release(&run);
    return fine;
}

static int write_own(const char *folder, bool force, bool pictures) {
    place p;
    if (!has_summary(folder) || !is_whole(folder)) return EXIT_DATA;
    const bool fine = place_open_folder(&p, folder) && write_pages(folder, p.fresh, pictures) &&
                      place_add(&p, force);
    place_close(&p);
    if (!fine) return EXIT_DATA;
    show_line("report: %s/report.html", folder);
    return EXIT_FINE;
}

static int write_overlay(const text_list *folders, const char *out, bool force) {
    if (!whole_file_may_take(out, force) || !are_whole(folders)) return EXIT_DATA;
    if (!overlay_write(folders->items, folders->count, out)) return EXIT_DATA;
    show_line("report: %s", out);
    return EXIT_FINE;
}

static int write_picture(const text_list *folders, const char *column, const char *out,
                         bool force) {
    if (!out) {
        (void)complain("report: --draw needs --out FILE.svg or FILE.png");
        return EXIT_USAGE;
    }
    if (!whole_file_may_take(out, force) || !are_whole(folders)) return EXIT_DATA;
    if (!column_picture_write(folders->items, folders->count, column, out)) return EXIT_DATA;
    show_line("picture: %s", out);
    return EXIT_FINE;
}

static bool is_log(const char *path) {
    return stiction_text_ends_with(path, ".csv");
}

/* True after a sentence. */
static bool has_results(const char *folder) {
    manifest list;
    const bool there = place_read_list(&list, folder) == MANIFEST_FINE;
    if (there)
        (void)complain("%s has results already; give another --out, or --force to replace them",
                       folder);
    manifest_free(&list);
    return there;
}

/* A log becomes a run first, in a folder of its name below the working directory's results. */
static int write_log(const report_options *o, const char *path) {
    char *stem = path_stem(path);
    char *folder = o->out ? copy_text(o->out) : format_text("results/%s", stem);
    place p = {.lock = -1};
    const bool fine = (o->force || !has_results(folder)) &&
                      place_open(&p, folder, o->force ? PLACE_REPLACE : PLACE_FREE) &&
                      log_run_write(path, &o->log, p.fresh) &&
                      write_pages(p.fresh, p.fresh, o->pictures) && place_commit(&p);
    place_close(&p);
    if (fine) printf("report: %s/report.html\n", folder);
    free(folder);
    free(stem);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static bool has_log_options(const log_options *o) {
    return o->config || o->time || o->columns.count || o->joints.count || o->degrees;
}

static int run(const void *given, const text_list *folders) {
    const report_options *o = given;
    if (folders->count == 1 && is_log(folders->items[0]) && !o->draw)
        return write_log(o, folders->items[0]);
    for (size_t k = 0; k < folders->count; k++)
        if (is_log(folders->items[k])) {
            (void)complain("report: %s: a log is reported alone; several runs are compared by "
                           "their folders",
                           folders->items[k]);
            return EXIT_USAGE;
        }
    if (has_log_options(&o->log)) {
        (void)complain("report: --config, --column, --joint, --time and --degrees are for a log, "
                       "LOG.csv");
        return EXIT_USAGE;
    }
    const char *repeated = text_list_repeated(folders);
    if (repeated) {
        (void)complain("report: folder '%s' is given twice", repeated);
        return EXIT_USAGE;
    }
    if (o->pictures && (o->draw || folders->count > 1)) {
        (void)complain("report: --pictures is for one run, and --draw draws one itself");
        return EXIT_USAGE;
    }
    if (o->draw) return write_picture(folders, o->draw, o->out, o->force);
    if (folders->count > 1)
        return write_overlay(folders, o->out ? o->out : "overlay.html", o->force);
    if (!o->out) return write_own(folders->items[0], o->force, o->pictures);
    (void)complain("report: --out is for several runs; the report of one stands in its folder");
    return EXIT_USAGE;
}

static const report_options defaults = {.out = NULL};

static const option options_of_report[] = {
    {"out", OPTION_TEXT, "PATH", "the page over several runs, or the folder of a log",
     offsetof(report_options, out)},
    {"draw", OPTION_TEXT, "COLUMN", "a column of the series of all runs, as --out FILE.svg",
     offsetof(report_options, draw)},
    {"pictures", OPTION_FLAG, NULL, "of one run: PNGs of the plots, too, for documents",
     offsetof(report_options, pictures)},
    {"config", OPTION_TEXT, "FILE", "of a log: friction of its joints, computed along it",
     offsetof(report_options, log.config)},
    {"column", OPTION_TEXTS, "KIND=PATTERN", "of a log: which columns are what",
     offsetof(report_options, log.columns)},
    {"joint", OPTION_TEXTS, "NAME", "of a log: only this joint",
     offsetof(report_options, log.joints)},
    {"time", OPTION_TEXT, "COLUMN", "of a log: the column of time (default time or t)",
     offsetof(report_options, log.time)},
    {"degrees", OPTION_FLAG, NULL, "of a log: its angles are in degrees",
     offsetof(report_options, log.degrees)},
    {"force", OPTION_FLAG, NULL, "replace a file that is there, or a log's results",
     offsetof(report_options, force)},
    {.name = NULL},
};

const verb verb_report = {
    .name = "report",
    .summary = "pages of finished runs, one or several, or of a log",
    .arguments = "FOLDER...|LOG.csv",
    .least = 1,
    .most = OVERLAY_MOST_RUNS,
    .options = options_of_report,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .description =

        "Of one run: writes report.html into its folder, and with --pictures PNGs of the\n"
        "plots, from the summary.json and joints.csv or joints.npz that stiction run left\n"
        "there, and lists them in its SHA256SUMS; a file that is not listed there, or was\n"
        "changed since, is not replaced without --force.\n"
        "\n"
        "Of several, up to seven: writes one page in which they lie over each other, with\n"
        "position, velocity, torque, error and power of friction of the joints that are\n"
        "ticked, and all figures in one table. With --draw COLUMN, of one or several: a\n"
        "picture for documents of a column of the series over time, a line a run. A file\n"
        "that is there is replaced with --force, but never one of the results of a run.\n"
        "Nothing is made of a run that is not as it was written.\n"
        "\n"
        "Of LOG.csv, a log of another simulator or of a robot: writes a folder like that\n"
        "of a run, with the report (default results/LOG). A row has its time (s) and, as\n"
        "far as they are there, a position (rad), a velocity, a command (N m), a\n"
        "friction_torque and a target for each joint: columns such as JOINT.position,\n"
        "JOINT_pos, q_JOINT are found by their names; others are named with --column, for\n"
        "example --column position=meas/{joint}/angle. With --config friction is computed\n"
        "along the velocity where the log has none.",
    .example = "  stiction report results/wrist\n"
               "  stiction report results/wrist results50/wrist --out gains.html\n"
               "  stiction report soft/wrist stiff/wrist --draw RWRR.position --out a.svg\n"
               "  stiction report robot_log.csv --config config/hrp5p.yaml --degrees",
    .run = run,
};
