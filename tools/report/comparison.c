/*
 * A page that compares the runs of a sweep.
 */
#include "comparison.h"

#include <stdlib.h>

#include "assets.h"
#include "common/command.h"
#include "common/folder.h"
#include "comparison_data.h"
#include "joint_table.h"

/* The table that is there without a script: with one, the script shows all. */
enum { most_rows = 200, least_rows = 24, most_cells = 20000 };

/* ---- the table ---- */

static void print_head(FILE *out, const comparison *c) {
    fputs("<thead><tr><th class=\"text\">run</th>", out);
    for (size_t k = 0; k < c->parameter_count; k++)
        page_element(out, "th class=\"text\"", c->parameters[k]);
    for (size_t k = 0; k < c->figure_count; k++) {
        fputs("<th>", out);
        page_text(out, c->figures[k]);
        fprintf(out, "<small>%s</small></th>", comparison_unit(c, k));
    }
    fputs("<th class=\"text\">failure</th></tr></thead>\n", out);
}

/* A link to the report, or to the folder where there is none. */
static void print_name(FILE *out, const comparison *c, size_t run, const char *folder) {
    const char *of_run = comparison_folder(c, run);
    fputs("<td class=\"text\">", out);
    if (of_run) {
        char *report = format_text("%s/%s/report.html", folder, of_run);
        fputs("<a href=\"", out);
        page_address(out, of_run);
        fputs(file_exists(report) ? "/report.html\">" : "/\">", out);
        free(report);
    }
    page_text(out, comparison_name(c, run));
    fputs(of_run ? "</a></td>" : "</td>", out);
}

static void print_row(FILE *out, const comparison *c, size_t run, const char *folder) {
    const char *failure = c->runs[run].failure;
    fputs(failure ? "<tr class=\"failed\">" : "<tr>", out);
    print_name(out, c, run, folder);
    for (size_t k = 0; k < c->parameter_count; k++) {
        fputs("<td class=\"text\" data-value=\"", out);
        page_text(out, comparison_setting(c, run, k));
        fputs("\">", out);
        page_text(out, comparison_setting(c, run, k));
        fputs("</td>", out);
    }
    for (size_t k = 0; k < c->figure_count; k++)
        joint_table_number(out, comparison_figure(c, run, k), comparison_unit(c, k));
    page_element(out, "td class=\"text\"", failure ? failure : "");
    fputs("</tr>\n", out);
}

static void print_table(FILE *out, const comparison *c, const char *folder) {
    fputs("<section id=\"plain-runs\">\n<h2>Runs</h2>\n"
          "<div class=\"wide\"><table class=\"sortable\">\n",
          out);
    print_head(out, c);
    fputs("<tbody>\n", out);
    size_t rows = most_cells / (1 + c->parameter_count + c->figure_count);
    rows = rows < least_rows ? least_rows : rows > most_rows ? most_rows : rows;
    for (size_t k = 0; k < c->run_count && k < rows; k++) print_row(out, c, k, folder);
    fputs("</tbody></table></div>\n", out);
    if (c->run_count > rows) {
        char *text = format_text("and %zu more, in sweep.csv", c->run_count - rows);
        page_element(out, "p class=\"note\"", text);
        free(text);
    }
    fputs("</section>\n", out);
}

static void print_counts(page *p, const comparison *c) {
    size_t failed = 0;
    for (size_t k = 0; k < c->run_count; k++) failed += c->runs[k].failure != NULL;
    char *text =
        format_text("%zu run%s, %zu parameter%s.", c->run_count, c->run_count == 1 ? "" : "s",
                    c->parameter_count, c->parameter_count == 1 ? "" : "s");
    page_element(page_out(p), "p", text);
    free(text);
    if (c->note) page_element(page_out(p), "p class=\"note\"", c->note);
    if (!failed) return;
    text = format_text("%zu of the runs failed: their rows say why.", failed);
    page_warning(p, text);
    free(text);
}

bool comparison_write(const comparison *c, const char *folder, const char *into) {
    char *path = format_text("%s/sweep.html", into);
    page *p = page_begin_styled(path, c->title, comparison_css, comparison_css_size);
    free(path);
    if (!p) return false;
    print_counts(p, c);
    fputs("<noscript><p class=\"warning\">The drawings need JavaScript.</p></noscript>\n"
          "<div id=\"compare\"></div>\n",
          page_out(p));
    comparison_print_data(p, c, folder);
    comparison_print_curves(p, c, folder);
    page_script(p, comparison_js, comparison_js_size);
    print_table(page_out(p), c, folder);
    return page_end(p);
}
