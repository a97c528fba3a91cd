/* SPDX-License-Identifier: MIT
 * A page that compares the runs of a sweep.
 */
#include "comparison.h"

#include <stdlib.h>

#include "assets.h"
#include "common/command.h"
#include "comparison_data.h"

static void print_counts(page *p, const comparison *c) {
    size_t failed = 0;
    for (size_t k = 0; k < c->run_count; k++) failed += comparison_failed(c, k);
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

bool comparison_write(const comparison *c, const char *folder, const char *into,
                      stiction_error *error) {
    char *path = format_text("%s/sweep.html", into);
    page *p = page_begin_styled(path, c->title, comparison_css, comparison_css_size, error);
    free(path);
    if (!p) return false;
    print_counts(p, c);
    fputs("<noscript><p class=\"warning\">The drawings and the table need JavaScript; "
          "sweep.csv has all numbers.</p></noscript>\n"
          "<div id=\"compare\"></div>\n",
          page_out(p));
    comparison_print_data(p, c, folder);
    comparison_print_curves(p, c, folder);
    page_script(p, comparison_js, comparison_js_size);
    return page_end(p, error);
}
