/* SPDX-License-Identifier: MIT
 * What happened in a run, in sentences made from its figures.
 */
#ifndef STICTION_TOOLS_REPORT_RUN_SENTENCES_H
#define STICTION_TOOLS_REPORT_RUN_SENTENCES_H

#include <stdio.h>

#include "run_data.h"

/* As a paragraph of a page. */
void run_sentences_print(FILE *out, const run_data *run);

#endif
