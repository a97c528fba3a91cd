/*
 * The styles and scripts that go into the pages, which embed.cmake turns into arrays: page.css and
 * page.js into all, comparison.css and the joined files of comparison/ into that of a sweep. They
 * are ASCII and end with 0.
 */
#ifndef STICTION_TOOLS_REPORT_ASSETS_H
#define STICTION_TOOLS_REPORT_ASSETS_H

#include <stddef.h>

extern const char page_css[], page_js[], comparison_css[], comparison_js[];
extern const size_t page_css_size, page_js_size, comparison_css_size, comparison_js_size;

#endif
