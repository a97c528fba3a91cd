/* SPDX-License-Identifier: MIT
 * Styles and scripts as arrays, made by embed.cmake: page.css and page.js for all pages,
 * comparison.css and the joined files of comparison/ for the page of a sweep. ASCII, with a
 * terminating 0.
 */
#ifndef STICTION_TOOLS_REPORT_ASSETS_H
#define STICTION_TOOLS_REPORT_ASSETS_H

#include <stddef.h>

extern const char page_css[], page_js[], comparison_css[], comparison_js[];
extern const size_t page_css_size, page_js_size, comparison_css_size, comparison_js_size;

#endif
