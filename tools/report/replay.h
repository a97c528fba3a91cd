/* SPDX-License-Identifier: MIT
 * The replay of runs on a page: the robot as three.js draws it, in the postures of the series.
 */
#ifndef STICTION_TOOLS_REPORT_REPLAY_H
#define STICTION_TOOLS_REPORT_REPLAY_H

#include "page.h"
#include "run_data.h"

/* Prints the replay of runs with a scene.json in their folder, together; nothing without one.
 * `names` of the runs, NULL for one run; its page may lie in another folder. */
void replay_print(page *p, const run_data *runs, const char *const *names,
                  const char *const *folders, size_t count);

/* Small pictures of many runs, which move under the mouse. A run's picture takes the place of the
 * canvas element with data-thumbnail=INDEX. */
typedef struct thumbnails thumbnails;
thumbnails *thumbnails_begin(page *p);
/* The index of the run's picture; -1: it has none, for lack of shapes or because there are many. */
int thumbnails_add(thumbnails *t, const run_data *run, const char *folder);
/* Prints the data and frees it. */
void thumbnails_end(thumbnails *t);

#endif
