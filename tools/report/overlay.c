/* SPDX-License-Identifier: MIT
 * A page that overlays finished runs, joint by joint.
 */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "joint_table.h"
#include "report.h"

/* ---- links ---- */

/* The address of a run's report from the folder of the page. The caller frees it. */
static char *report_address(const char *page_path, const char *folder) {
    char *base = copy_text(page_path), *slash = strrchr(base, '/');
    if (slash) slash[slash == base] = '\0';
    char *from = realpath(slash ? base : ".", NULL), *to = realpath(folder, NULL);
    char *address = from && to ? path_relative(from, to) : copy_text(folder);
    const size_t length = strlen(address);
    char *report =
        format_text("%s%sreport.html", address, length && address[length - 1] != '/' ? "/" : "");
    free(address);
    free(from);
    free(to);
    free(base);
    return report;
}

/* ---- the page ---- */

static void print_table(FILE *out, const run_data *runs, const char *const *names, size_t count,
                        const char *path) {
    bool sliding = false;
    for (size_t k = 0; k < count; k++) sliding = sliding || joint_table_has_sliding(&runs[k]);
    joint_table_begin(out, true, sliding);
    for (size_t k = 0; k < count; k++) {
        char *report = report_address(path, names[k]);
        joint_table_rows(out, &runs[k], names[k], report);
        free(report);
    }
    joint_table_end(out);
}

static void print_plots(page *p, const run_data *runs, const char *const *names, size_t count) {
    const size_t most = report_plots(p, runs, names, count);
    if (!most) return;
    char *text =
        format_text("A curve shows about %zu samples, including the minimum and maximum of every "
                    "interval; joints.csv of a run has all.",
                    most);
    page_element(page_out(p), "p class=\"note\"", text);
    free(text);
}

static void print_run(page *p, const run_data *run, const char *name) {
    page_element(page_out(p), "h3", name);
    report_warnings(p, run);
    report_facts(page_out(p), run);
}

static bool write_page(const run_data *runs, const char *const *names, size_t count,
                       const char *path, stiction_error *error) {
    char *title = format_text("%zu runs compared", count);
    page *p = page_begin(path, title, error);
    free(title);
    if (!p) return false;
    print_plots(p, runs, names, count);
    page_element(page_out(p), "h2", "Figures");
    print_table(page_out(p), runs, names, count, path);
    page_element(page_out(p), "h2", "Settings");
    for (size_t k = 0; k < count; k++) print_run(p, &runs[k], names[k]);
    return page_end(p, error);
}

bool overlay_write(const char *const *folders, size_t count, const char *path,
                   stiction_error *error) {
    run_data *runs = allocate(count, sizeof *runs);
    size_t loaded = 0;
    bool fine = true;
    for (; fine && loaded < count; loaded++)
        fine = run_data_load(&runs[loaded], folders[loaded], error);
    fine = fine && write_page(runs, folders, count, path, error);
    for (size_t k = 0; k < loaded; k++) run_data_release(&runs[k]);
    free(runs);
    return fine;
}
