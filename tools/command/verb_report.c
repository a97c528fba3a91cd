/*
 * stiction report: the pages of runs that are there already.
 */
#include <stdio.h>

#include "common/command.h"
#include "common/verb.h"
#include "report/overlay.h"
#include "report/report.h"

typedef struct report_options {
    const char *out;
} report_options;

static int write_own(const char *folder) {
    if (!report_write(folder) || !report_pngs(folder)) return EXIT_DATA;
    printf("report: %s/report.html\n", folder);
    return EXIT_FINE;
}

static int write_overlay(const text_list *folders, const char *out) {
    if (!overlay_write(folders->items, folders->count, out)) return EXIT_DATA;
    printf("report: %s\n", out);
    return EXIT_FINE;
}

static int run(const void *given, const text_list *folders) {
    const report_options *o = given;
    const char *repeated = text_list_repeated(folders);
    if (repeated) {
        (void)complain("report: folder '%s' is given twice", repeated);
        return EXIT_USAGE;
    }
    if (folders->count > 1) return write_overlay(folders, o->out ? o->out : "overlay.html");
    if (!o->out) return write_own(folders->items[0]);
    (void)complain("report: --out is for several runs; the report of one stands in its folder");
    return EXIT_USAGE;
}

static const report_options defaults = {.out = NULL};

static const option options_of_report[] = {
    {"out", OPTION_TEXT, "FILE", "the page over several runs (default overlay.html)",
     offsetof(report_options, out)},
    {.name = NULL},
};

const verb verb_report = {
    .name = "report",
    .summary = "pages of finished runs, one alone or several over each other",
    .arguments = "FOLDER...",
    .least = 1,
    .most = OVERLAY_MOST_RUNS,
    .options = options_of_report,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .description =

        "Of one run: writes report.html and the PNGs into its folder, from the\n"
        "summary.json and joints.csv that stiction run left there. Of several, up to\n"
        "seven: writes one page in which they lie over each other, with position,\n"
        "velocity, torque, error and power of friction of the joints that are ticked, and\n"
        "all figures in one table.",
    .example = "  stiction report results/wrist\n"
               "  stiction report results/wrist results50/wrist --out gains.html",
    .run = run,
};
