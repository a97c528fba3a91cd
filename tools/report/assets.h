/* SPDX-License-Identifier: MIT
 * Styles and scripts as arrays, made by embed.cmake: page.css and page.js for all pages,
 * replay.js for those with a replay, comparison.css and the joined files of comparison/ for the page of a sweep. ASCII, with a
 * terminating 0.
 */
#ifndef STICTION_TOOLS_REPORT_ASSETS_H
#define STICTION_TOOLS_REPORT_ASSETS_H

extern const char page_css[], page_js[], replay_js[], comparison_css[], comparison_js[];

#endif
