/* SPDX-License-Identifier: MIT
 * Rows of a sweep for tests of its database: two joints and a body, with figures by the number of
 * the run, one of which is not known.
 */
#ifndef STICTION_TESTS_SWEEP_ROWS_H
#define STICTION_TESTS_SWEEP_ROWS_H

#include <math.h>
#include <stdlib.h>

#include "sweep/records.h"

enum { most_figures = 100 };

/* The first `joints` of the three. */
static inline bool put_joints(records *r, size_t run, size_t joints, stiction_error *error) {
    static double of_joint[most_figures], of_body[most_figures];
    for (int k = 0; k < most_figures; k++) {
        of_joint[k] = k == 1 ? (double)NAN : (double)run + 0.1 * k;
        of_body[k] = -of_joint[k];
    }
    const record_joint figures[] = {{"HIP", false, false, of_joint},
                                    {"SLIDE", true, false, of_joint},
                                    {"HIP", false, true, of_body}};
    return records_put(r, &(record){.run = run, .joints = figures, .joint_count = joints}, error);
}

#endif
