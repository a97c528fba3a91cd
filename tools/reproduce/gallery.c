/* SPDX-License-Identifier: MIT */
/* The gallery: every figure drawn like the paper's, with parameters, misprints and verdicts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "papers.h"
#include "report/page.h"
#include "report/reduce.h"
#include "show.h"

/* ---- one experiment ---- */

static void print_cell(FILE *out, bool number, const char *text) {
    fputs(number ? "<td>" : "<td class=\"text\">", out);
    page_text(out, text);
    fputs("</td>", out);
}

static void print_number(FILE *out, double value, const char *format) {
    char text[40];
    (void)snprintf(text, sizeof text, format, value);
    print_cell(out, true, isfinite(value) ? text : "-");
}

static void print_heads(FILE *out, const char *const *heads, size_t count, size_t first_number) {
    fputs("<div class=\"wide whole\"><table>\n<thead><tr>", out);
    for (size_t k = 0; k < count; k++)
        page_element(out, k < first_number ? "th class=\"text\"" : "th", heads[k]);
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void print_quantities(FILE *out, const experiment_run *run) {
    static const char *const heads[] = {"quantity", "verdict", "the paper", "ours", "unit", ""};
    if (!run->of->quantity_count) return;
    print_heads(out, heads, 6, 6);
    for (size_t k = 0; k < run->of->quantity_count; k++) {
        const experiment_quantity *q = &run->of->quantities[k];
        const experiment_verdict verdict = experiment_judge(run, k);
        char paper_text[200];
        show_paper(q, paper_text, sizeof paper_text);
        fputs(verdict == VERDICT_FAILED ? "<tr class=\"failed\">" : "<tr>", out);
        print_cell(out, false, q->name);
        print_cell(out, false, experiment_verdict_name(verdict));
        print_cell(out, false, paper_text);
        print_number(out, run->measured[k], "%.6g");
        print_cell(out, false, q->unit);
        print_cell(out, false, show_reason(run, k));
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void print_parameters(FILE *out, const experiment *e) {
    static const char *const heads[] = {"parameter", "value", "unit", "source", ""};
    fputs("<details><summary>parameters</summary>\n", out);
    print_heads(out, heads, 5, 5);
    for (const experiment_parameter *p = e->parameters; p < e->parameters + e->parameter_count;
         p++) {
        fputs("<tr>", out);
        print_cell(out, false, p->symbol);
        print_number(out, p->value, "%.9g");
        print_cell(out, false, p->unit);
        print_cell(out, false, show_source(p->source));
        print_cell(out, false, p->note ? p->note : "");
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></details>\n", out);
}

static void print_misprints(FILE *out, const experiment *e) {
    if (!e->misprints) return;
    fputs("<details><summary>corrected misprints</summary><ul>\n", out);
    for (const char *const *m = e->misprints; *m; m++) page_element(out, "li", *m);
    fputs("</ul></details>\n", out);
}

static void print_table(FILE *out, const experiment_table *t) {
    page_element(out, "h3", t->title);
    print_heads(out, t->heads, t->columns, 1);
    for (size_t k = 0; k < t->cell_count; k++) {
        if (k % t->columns == 0) fputs("<tr>", out);
        print_cell(out, k % t->columns > 0, t->cells[k]);
        if ((k + 1) % t->columns == 0) fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* ---- its plots ---- */

/* Of a curve: what a screen can show. */
enum { most_points = 1500, most_loop_points = 3000 };

static bool is_loop(const experiment_curve *c) {
    for (size_t k = 1; !c->dots && k < c->count; k++)
        if (c->x[k] < c->x[k - 1]) return true;
    return false;
}

static bool has_loop(const experiment_plot *p) {
    for (size_t k = 0; k < p->curve_count; k++)
        if (is_loop(p->curves[k])) return true;
    return false;
}

/* Points of a series, fewer than there were; the caller frees x and y. */
static plot_series thinned(const experiment_curve *c) {
    size_t *indices = allocate(c->count + 1, sizeof *indices), count = 0;
    const double *y = c->y;
    if (c->dots || !is_loop(c)) {
        count = reduce_series(&y, 1, c->count, most_points, indices);
    } else {
        const size_t stride = c->count / most_loop_points + 1;
        for (size_t k = 0; k < c->count; k += stride) indices[count++] = k;
        indices[count++] = c->count - 1; /* a loop ends where it ends */
    }
    double *x = allocate(count, sizeof *x), *kept = allocate(count, sizeof *kept);
    for (size_t k = 0; k < count; k++) {
        x[k] = c->x[indices[k]];
        kept[k] = c->y[indices[k]];
    }
    free(indices);
    return (plot_series){.label = c->label, .x = x, .y = kept, .count = count, .points = c->dots};
}

/* A plot over time is interactive; a loop, whose x turns back, is a picture. */
static void print_plot(page *p, const experiment_plot *of) {
    AUTO_FREE plot_series *series = allocate(of->curve_count, sizeof *series);
    plot view = experiment_plot_view(of, series);
    for (size_t k = 0; k < of->curve_count; k++) series[k] = thinned(of->curves[k]);
    if (has_loop(of)) {
        fputs("<figure>\n", page_out(p));
        plot_svg(&view, page_out(p));
        fputs("</figure>\n", page_out(p));
    } else {
        page_plot(p, &view);
    }
    for (size_t k = 0; k < of->curve_count; k++) {
        free((void *)series[k].x);
        free((void *)series[k].y);
    }
}

/* Interactive plots that follow each other are one block. */
static void print_plots(page *p, const experiment_run *run) {
    bool open = false;
    for (size_t k = 0; k < run->plot_count; k++) {
        const bool picture = has_loop(run->plots[k]);
        if (open && picture) page_plots_end(p);
        if (!open && !picture) {
            page_plots_begin(p, run->of->id, "", NULL, false);
            page_choice(p, run->of->id, NULL, NULL);
        }
        open = !picture;
        print_plot(p, run->plots[k]);
    }
    if (open) page_plots_end(p);
}

/* ---- links ---- */

static const char contents_anchor[] = "contents";

/* A link to FOLDER/ID-N.ENDING for every plot: files that show_curves and show_pngs write. */
static void print_files(FILE *out, const experiment_run *run, const char *what, const char *folder,
                        const char *ending) {
    fprintf(out, " \xC2\xB7 %s", what);
    for (size_t k = 1; k <= run->plot_count; k++) {
        fprintf(out, " <a href=\"%s/", folder);
        page_address(out, run->of->id);
        fprintf(out, "-%zu.%s\">%zu</a>", k, ending, k);
    }
}

/* Where it comes from and where its numbers are. */
static void print_links(FILE *out, const experiment_run *run) {
    const paper *from = paper_of(run->of);
    fprintf(out, "<p class=\"note\">Paper <a href=\"#paper-%s\">%s</a>, ", from->letter,
            from->letter);
    page_text(out, from->name);
    if (run->plot_count) print_files(out, run, "Curves as CSV:", "curves", "csv");
    if (run->plot_count && run->of->chief && plot_png_possible())
        print_files(out, run, "Pictures:", "png", "png");
    fprintf(out, " \xC2\xB7 <a href=\"#%s\">Contents</a></p>\n", contents_anchor);
}

/* What the letters stand for. */
static void print_legend(FILE *out) {
    fputs("<dl class=\"facts\" id=\"papers\">\n", out);
    for (const paper *p = papers; p->letter; p++) {
        fprintf(out, "<dt id=\"paper-%s\">%s</dt><dd>", p->letter, p->letter);
        page_text(out, p->authors);
        fputs(": <cite>", out);
        page_text(out, p->title);
        fputs("</cite>.", out);
        if (p->published) {
            fputc(' ', out);
            page_text(out, p->published);
            fputc('.', out);
        }
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
}

/* ---- the page ---- */

static void print_run(page *p, const experiment_run *run) {
    FILE *out = page_out(p);
    fputs("<section>\n<h2 id=\"", out);
    page_text(out, run->of->id);
    fputs("\">", out);
    page_text(out, run->of->id);
    fputs(": ", out);
    page_text(out, run->of->title);
    fputs("</h2>\n", out);
    page_element(out, "p", run->of->shows);
    print_links(out, run);
    print_plots(p, run);
    for (size_t k = 0; k < run->table_count; k++) print_table(out, run->tables[k]);
    print_quantities(out, run);
    print_parameters(out, run->of);
    print_misprints(out, run->of);
    fputs("</section>\n", out);
}

/* The experiments of one paper among those that were run. */
static void print_list(FILE *out, experiment_run *const *runs, size_t count, const paper *of) {
    bool open = false;
    for (size_t k = 0; k < count; k++) {
        const experiment *e = runs[k]->of;
        if (paper_of(e) != of) continue;
        if (!open) {
            fprintf(out, "<h3>%s: ", of->letter);
            page_text(out, of->name);
            fputs("</h3>\n<ul>\n", out);
        }
        open = true;
        fprintf(out, "<li><a href=\"#%s\">%s</a> ", e->id, e->id);
        page_text(out, e->title);
        fputs(experiment_holds(runs[k]) ? "</li>\n" : " <strong>FAILED</strong></li>\n", out);
    }
    if (open) fputs("</ul>\n", out);
}

static void print_contents(FILE *out, experiment_run *const *runs, size_t count) {
    fputs("<p>Five papers on friction, their experiments run again by this project: ours beside "
          "theirs.</p>\n",
          out);
    print_legend(out);
    fprintf(out, "<nav id=\"%s\">\n", contents_anchor);
    for (const paper *p = papers; p->letter; p++) print_list(out, runs, count, p);
    fputs("</nav>\n", out);
}

bool show_gallery(experiment_run *const *runs, size_t count, const char *folder,
                  stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/gallery.html", folder);
    page *p = page_begin(path, "The papers, reproduced", error);
    if (!p) return false;
    print_contents(page_out(p), runs, count);
    for (size_t k = 0; k < count; k++) print_run(p, runs[k]);
    return page_end(p, error);
}
