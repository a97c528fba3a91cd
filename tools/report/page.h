/*
 * A page of HTML with plots, one file that needs no network: what every report is made of. Plots
 * are interactive through dygraphs, which is written into the page where the machine has it, and
 * SVG where not. A page knows nothing of runs.
 */
#ifndef STICTION_TOOLS_REPORT_PAGE_H
#define STICTION_TOOLS_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "plot/plot.h"

typedef struct page page;

/* The folder of dygraph.min.js is that of Debian's libjs-dygraphs, or this variable's. */
#define PAGE_DYGRAPHS "STICTION_DYGRAPHS"

/* Begins a page with its title as heading; NULL on error. */
page *page_begin(const char *path, const char *title, stiction_error *error);
/* The same with an additional style sheet. */
page *page_begin_styled(const char *path, const char *title, const char *style, size_t size,
                        stiction_error *error);
/* Replaces the file, if the page is complete, and frees the page. */
bool page_end(page *p, stiction_error *error);

/* Where HTML of one's own goes, between the calls here. */
FILE *page_out(page *p);

/* Text with nothing in it that HTML, in an element or a quoted attribute, takes for its own. */
void page_text(FILE *out, const char *text);
/* The same as part of an address: a path beside the page, or a value behind #. */
void page_address(FILE *out, const char *text);
/* `<tag>text</tag>` with a newline. */
void page_element(FILE *out, const char *tag, const char *text);
/* A string of JSON that may stand inside a script element, whatever is in it. */
void page_json_text(FILE *out, const char *text);
/* A number of JSON with as many digits as a range of values of this size needs; or null. */
void page_json_number(FILE *out, double value, double range);
/* A box that is seen. */
void page_warning(page *p, const char *text);

/*
 * A block of plots in choices: page_choice begins the plots of one. One choice at a time is shown,
 * `first` to begin with (NULL: the first one); where there are several, a select box `label`
 * chooses, and the address remembers it as #key=name. A note stands under the box.
 *
 * `overlay`: check boxes lay several choices over each other, plots with the same axes into one. A
 * choice may then come in layers of the same name, which are shown together: a run each.
 *
 * Plots with the same x label zoom together.
 */
void page_plots_begin(page *p, const char *key, const char *label, const char *first, bool overlay);
/* `layer` NULL: there is but one. */
void page_choice(page *p, const char *name, const char *layer, const char *note);
void page_plot(page *p, const plot *what);
void page_plots_end(page *p);

/* A JSON value that page.js and page_script see by this id: write it between the two. */
void page_json_begin(page *p, const char *id);
void page_json_end(page *p);
/* A script of this program's own, behind page.js; it draws without dygraphs. */
void page_script(page *p, const char *script, size_t size);

#endif
