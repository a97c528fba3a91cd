/* SPDX-License-Identifier: MIT
 * An HTML page with plots in one file that needs no network. Plots are interactive: the page
 * contains dygraphs. If dygraphs is not installed, they are SVGs. A page knows nothing of runs.
 */
#ifndef STICTION_TOOLS_REPORT_PAGE_H
#define STICTION_TOOLS_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "plot/plot.h"

typedef struct page page;

/* Environment variable with the folder of dygraph.min.js; default: that of libjs-dygraphs. */
#define PAGE_DYGRAPHS "STICTION_DYGRAPHS"
/* The same of three.min.js; default: that of libjs-three. */
#define PAGE_THREE "STICTION_THREE"

/* Begins a page with its title as heading; NULL on error. */
page *page_begin(const char *path, const char *title, stiction_error *error);
/* The same with an additional style sheet. */
page *page_begin_styled(const char *path, const char *title, const char *style,
                        stiction_error *error);
/* Replaces the file, if the page is complete, and frees the page. */
bool page_end(page *p, stiction_error *error);

/* For HTML of the caller, between the calls below. */
FILE *page_out(page *p);

/* Text, escaped for elements and quoted attributes. */
void page_text(FILE *out, const char *text);
/* Text, escaped as part of an address: a relative path, or a value after #. */
void page_address(FILE *out, const char *text);
/* `<tag>text</tag>` and a newline. */
void page_element(FILE *out, const char *tag, const char *text);
/* A JSON string that is safe inside a script element. */
void page_json_text(FILE *out, const char *text);
/* `"key": "text"`, with something before it. */
void page_json_member(FILE *out, const char *before, const char *key, const char *text);
/* A JSON number with the digits that a plot of this range needs; null if not finite. */
void page_json_number(FILE *out, double value, double range);
/* A highlighted box. */
void page_warning(page *p, const char *text);

/*
 * A block of plots with choices, such as joints; page_choice begins the plots of one. The page
 * shows one choice at a time, initially `first` (NULL: the first one). With several choices a
 * select box `label` appears, and the address stores the choice as #key=name. The note appears
 * below the box.
 *
 * `overlay`: check boxes overlay several choices, in one plot for each pair of axes. A choice may
 * then have several layers, such as runs, which are shown together.
 *
 * Plots with the same x label zoom together.
 */
void page_plots_begin(page *p, const char *key, const char *label, const char *first, bool overlay);
/* `layer` NULL: only one. */
void page_choice(page *p, const char *name, const char *layer, const char *note);
void page_plot(page *p, const plot *what);
void page_plots_end(page *p);

/* A place for the replay of runs (replay.h), whose data the caller writes as the JSON value
 * "replay-runs". False, with a note: three.js (Debian's libjs-three) is not installed. */
bool page_replay(page *p);
/* The same without a place and without a note. */
bool page_can_replay(page *p);

/* The caller writes a JSON value between these; scripts find it by its id. */
void page_json_begin(page *p, const char *id);
void page_json_end(page *p);
/* A script that runs after page.js. */
void page_script(page *p, const char *script);

#endif
