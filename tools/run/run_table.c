/*
 * The table of results: a row a joint, or, for people, a row a robot that has many.
 */
#include "run_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"

/* For people: more joints than this are one row. */
enum { few_joints = 3 };

static const table_column columns[] = {
    {"project", NULL, 0},
    {"joint", NULL, 0},
    {"law", NULL, 0},
    {"final_position", "stops at (deg)", 6},
    {"stop_time", "after (s)", 5},
    {"stick_slip_events", "breaks away", 0},
    {"peak_torque", "peak (N m)", 4},
    {"tracking_error", "error (deg)", 4},
    {"dissipated_energy", "heat (J)", 4},
    {"creep", "creep (rad/s)", 2},
};
enum { first_figure = 3, column_count = sizeof columns / sizeof columns[0] };

const table_column *run_table_column(const char *figure) {
    for (size_t k = first_figure; k < column_count; k++)
        if (strcmp(columns[k].name, figure) == 0) return &columns[k];
    return NULL;
}

/* Angles are degrees for people; a length is m for all. */
double run_table_value(const run_joint *joint, const char *figure) {
    static const double degree = 3.141592653589793 / 180;
    const double value = run_data_figure(joint, figure);
    const bool angle =
        strcmp(figure, "final_position") == 0 || strcmp(figure, "tracking_error") == 0;
    return angle && !joint->prismatic ? value / degree : value;
}

static double shown(const run_joint *joint, const char *name, bool for_people) {
    return for_people ? run_table_value(joint, name) : run_data_figure(joint, name);
}

static void add_number(table *t, double value) {
    if (isfinite(value))
        table_number(t, value);
    else
        table_empty(t);
}

static void add_joint(table *t, const char *project, const run_joint *joint, bool for_people) {
    table_text(t, project);
    table_text(t, joint->name);
    table_text(t, joint->friction.law ? joint->friction.law : "none");
    for (size_t k = first_figure; k < column_count; k++)
        add_number(t, shown(joint, columns[k].name, for_people));
}

/* A robot: what its joints have at most; how often all of them broke away; all their heat. */
static void add_robot(table *t, const char *project, const run_data *run) {
    char *name = format_text("%zu joints", run->joint_count);
    table_text(t, project);
    table_text(t, name);
    table_text(t, "");
    free(name);
    for (size_t c = first_figure; c < column_count; c++) {
        const bool sum = c == 5 || c == 8;
        double value = (double)NAN;
        for (size_t k = 0; k < run->joint_count && c != 3; k++) {
            const double one = fabs(shown(&run->joints[k], columns[c].name, true));
            if (isfinite(one)) value = isnan(value) ? one : sum ? value + one : fmax(value, one);
        }
        add_number(t, value);
    }
}

void run_table_print(const char *const *folders, size_t count, table_format format) {
    table *t = table_create(columns, column_count);
    for (size_t k = 0; k < count; k++) {
        run_data run;
        const bool for_people = format == TABLE_TEXT;
        if (run_data_load_summary(&run, folders[k])) {
            char *project = path_stem(folders[k]);
            for (size_t n = 0; n < run.joint_count; n++)
                if (!for_people || run.joint_count <= few_joints)
                    add_joint(t, project, &run.joints[n], for_people);
            if (for_people && run.joint_count > few_joints) add_robot(t, project, &run);
            free(project);
        }
        run_data_release(&run);
    }
    table_print(t, format, stdout);
    if (format == TABLE_JSON) putchar('\n');
    table_destroy(t);
}
