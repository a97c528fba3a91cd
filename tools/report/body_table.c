/*
 * Robots that float on the page of a run.
 */
#include "body_table.h"

#include <math.h>

#include "joint_table.h"
#include "page.h"

bool body_table_has(const run_data *run, const joint_figure *f) {
    for (size_t k = 0; k < run->body_count; k++)
        if (isfinite(run_data_figure(&run->bodies[k], f->name))) return true;
    return false;
}

static void print_meanings(FILE *out, const run_data *run) {
    const joint_figure *f;
    fputs("<details class=\"note\"><summary>What these mean</summary>\n<dl class=\"facts\">\n",
          out);
    for (size_t k = 0; (f = body_figure_at(k)); k++) {
        if (!body_table_has(run, f)) continue;
        page_element(out, "dt", f->title);
        page_element(out, "dd", f->description);
    }
    fputs("</dl></details>\n", out);
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
    print_meanings(out, run);
}
