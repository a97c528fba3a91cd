/* SPDX-License-Identifier: MIT
 * Where the time of a run went, as a table.
 */
#include "run_times.h"

const table_column run_times_columns[RUN_TIMES_COLUMNS] = {
    {"project", NULL, 0}, {"part", "of the time", 0},    {"ms", NULL, 4},
    {"percent", "%", 3},  {"us_a_step", "us a step", 4},
};

/* Whether a part of the time belongs to steps. */
static bool is_of_steps(times_part part) {
    return part >= TIMES_MUJOCO && part <= TIMES_RECORDING;
}

static void add_row(table *t, const char *name, const char *part, double seconds, double all,
                    size_t steps) {
    static const double ms = 1e3, us = 1e6, percent = 100;
    table_text(t, name);
    table_text(t, part);
    table_number(t, ms * seconds);
    table_number(t, all > 0 ? percent * seconds / all : 0);
    if (steps)
        table_number(t, us * seconds / (double)steps);
    else
        table_empty(t);
}

void run_times_add(table *t, const char *name, const times *of) {
    double all = 0;
    for (size_t k = 0; k < TIMES_PARTS; k++) all += of->seconds[k];
    for (size_t k = 0; k < TIMES_PARTS; k++)
        if (of->seconds[k] > 0)
            add_row(t, name, times_name((times_part)k), of->seconds[k], all,
                    is_of_steps((times_part)k) ? of->steps : 0);
    add_row(t, name, "sum", all, all, 0);
}
