/* SPDX-License-Identifier: MIT
 * Sortable tables of joints and of floating robots.
 */
#include "joint_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "joint_plots.h"
#include "page.h"

/* ---- cells ---- */

/* Four significant digits without trailing zeros: 69.88, 0.0341, 12345, 3.2e-06. */
static void print_number(FILE *out, double value) {
    const double size = fabs(value);
    if (size < 1e-4 || size >= 1e7) {
        fprintf(out, "%.4g", value);
        return;
    }
    char text[64];
    const int decimals = (int)fmax(0, 3 - floor(log10(size)));
    int length = snprintf(text, sizeof text, "%.*f", decimals, value);
    while (decimals && text[length - 1] == '0') length--;
    if (text[length - 1] == '.') length--;
    fprintf(out, "%.*s", length, text);
}

void joint_table_number(FILE *out, double value, const char *unit) {
    if (isnan(value)) {
        fputs("<td data-value=\"\">\xE2\x80\x93</td>", out);
        return;
    }
    fprintf(out, "<td data-value=\"%.17g\">", value);
    print_number(out, joint_unit_shown(unit, value));
    fputs("</td>", out);
}

void joint_table_figure(FILE *out, const run_joint *joint, const joint_figure *f) {
    const double value = run_data_figure(joint, f->name);
    if (isnan(value) && f->none)
        fprintf(out, "<td data-value=\"\">%s</td>", f->none);
    else
        joint_table_number(out, value, joint_figure_unit(f, joint->prismatic));
}

void joint_table_text(FILE *out, const char *text) {
    page_element(out, "td class=\"text\"", text);
}

void joint_table_link(FILE *out, const char *address, const char *joint, const char *text) {
    fputs("<td class=\"text\"><a href=\"", out);
    page_address(out, address);
    if (joint) {
        fputs("#joint=", out);
        page_address(out, joint);
    }
    fputs("\">", out);
    page_text(out, text);
    fputs("</a></td>", out);
}

double joint_table_target(const run_data *run, const run_joint *joint) {
    for (size_t k = run->sample_count; joint->target && k-- > 0;)
        if (isfinite(joint->target[k])) return round(joint->target[k] * 1e6) / 1e6 + 0.0;
    return (double)NAN;
}

/* ---- the table ---- */

bool joint_table_has_sliding(const run_data *run) {
    for (size_t j = 0; j < run->joint_count; j++)
        if (run->joints[j].prismatic) return true;
    return false;
}

/* A brief table leaves out columns that are not `brief` (page.js). */
static void print_head(FILE *out, const char *title, const char *unit, const char *linear_unit,
                       bool brief) {
    fprintf(out, "<th data-unit=\"%s%s%s\"%s>%s<small>", unit, linear_unit ? " or " : "",
            linear_unit ? linear_unit : "", brief ? "" : " class=\"more\"", title);
    fputs(strcmp(unit, "rad") == 0 ? "\xC2\xB0" : unit, out);
    if (linear_unit && strcmp(unit, linear_unit) != 0) fprintf(out, " or %s", linear_unit);
    fputs("</small></th>", out);
}

void joint_table_head(FILE *out, const joint_figure *f, bool with_sliding) {
    print_head(out, f->title, f->unit, with_sliding ? joint_linear_unit(f->unit) : NULL,
               f->interest > 0);
}

void joint_table_begin(FILE *out, bool with_runs, bool with_sliding) {
    fputs("<div class=\"wide\"><table class=\"sortable\">\n<thead><tr>", out);
    if (with_runs) fputs("<th class=\"text\">run</th>", out);
    fputs("<th class=\"text\">joint</th><th class=\"text\">law</th>", out);
    print_head(out, "target", "rad", with_sliding ? "m" : NULL, true);
    const joint_figure *f;
    for (size_t k = 0; (f = joint_figure_at(k)); k++) joint_table_head(out, f, with_sliding);
    fputs("<th class=\"text more\">friction</th></tr></thead>\n<tbody>\n", out);
}

static void print_row(FILE *out, const run_data *run, const run_joint *joint, const char *name,
                      const char *report) {
    fputs("<tr data-joint=\"", out);
    page_text(out, joint->name);
    fputs(run_data_figure(joint, "stop_time") == 0 ? "\">" : "\" data-moved>", out);
    if (name) joint_table_link(out, report, NULL, name);
    joint_table_link(out, report, joint->name, joint->name);
    joint_table_text(out, joint->friction.law);
    joint_table_number(out, joint_table_target(run, joint), joint->prismatic ? "m" : "rad");
    const joint_figure *f;
    for (size_t k = 0; (f = joint_figure_at(k)); k++) joint_table_figure(out, joint, f);
    AUTO_FREE char *friction = joint_friction_text(joint);
    joint_table_text(out, friction);
    fputs("</tr>\n", out);
}

void joint_table_rows(FILE *out, const run_data *run, const char *name, const char *report) {
    for (size_t j = 0; j < run->joint_count; j++)
        print_row(out, run, &run->joints[j], name, report);
}

/* Explanations of figures; of bodies only those that a body has. */
static void print_meanings(FILE *out, const joint_figure *(*figure_at)(size_t),
                           const run_data *bodies_of) {
    fputs("<details class=\"note\"><summary>What the figures mean</summary>\n"
          "<dl class=\"facts\">\n",
          out);
    const joint_figure *f;
    for (size_t k = 0; (f = figure_at(k)); k++) {
        if (bodies_of && !body_table_has(bodies_of, f)) continue;
        page_element(out, "dt", f->title);
        page_element(out, "dd", f->description);
    }
    fputs("</dl></details>\n", out);
}

void joint_table_end(FILE *out) {
    fputs("</tbody></table></div>\n", out);
    print_meanings(out, joint_figure_at, NULL);
}

/* ---- bodies ---- */

bool body_table_has(const run_data *run, const joint_figure *f) {
    for (size_t k = 0; k < run->body_count; k++)
        if (isfinite(run_data_figure(&run->bodies[k], f->name))) return true;
    return false;
}

void body_table_print(FILE *out, const run_data *run) {
    const joint_figure *f;
    if (!run->body_count) return;
    fputs("<div class=\"wide\"><table class=\"sortable\">\n<thead><tr><th class=\"text\">body</th>",
          out);
    for (size_t k = 0; (f = body_figure_at(k)); k++)
        if (body_table_has(run, f)) joint_table_head(out, f, false);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t b = 0; b < run->body_count; b++) {
        fputs("<tr>", out);
        joint_table_text(out, run->bodies[b].name);
        for (size_t k = 0; (f = body_figure_at(k)); k++)
            if (body_table_has(run, f)) joint_table_figure(out, &run->bodies[b], f);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    print_meanings(out, body_figure_at, run);
}
