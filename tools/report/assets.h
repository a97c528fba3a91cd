/*
 * The style and the scripts that go into the pages: page.css, page.js and comparison.js, which
 * embed.cmake turns into arrays. They are ASCII and end with 0.
 */
#ifndef STICTION_TOOLS_REPORT_ASSETS_H
#define STICTION_TOOLS_REPORT_ASSETS_H

#include <stddef.h>

extern const char page_css[], page_js[], comparison_js[];
extern const size_t page_css_size, page_js_size, comparison_js_size;

#endif
