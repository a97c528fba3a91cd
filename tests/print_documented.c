/* SPDX-License-Identifier: MIT
 * The tables of docs/results.md that follow those of plugin/results: figures and columns.
 */
#include <stdio.h>
#include <string.h>

#include "results/body_figures.h"

/* "rad (m)" where the unit of a prismatic joint is another. */
static void print_unit(const char *unit) {
    const char *linear_unit = joint_linear_unit(unit);
    printf("%s", unit);
    if (strcmp(unit, linear_unit) != 0) printf(" (%s)", linear_unit);
}

int main(int argc, char **argv) {
    const joint_figure *f;
    if (argc != 2) return 2;
    const bool of_bodies = strcmp(argv[1], "bodies") == 0;
    if (of_bodies || strcmp(argv[1], "figures") == 0) {
        printf("| figure | unit | what it is |\n|---|---|---|\n");
        for (size_t k = 0; (f = (of_bodies ? body_figure_at : joint_figure_at)(k)); k++) {
            printf("| `%s`", f->name);
            if (f->alias) printf(" (also `%s`)", f->alias);
            printf(" | ");
            print_unit(f->unit);
            printf(" | %s |\n", f->description);
        }
    } else {
        printf("| column | unit | what it is |\n|---|---|---|\n| `time` | s | |\n");
        for (size_t k = 0; k < JOINT_COLUMN_COUNT; k++) {
            const joint_column *c = &joint_columns[k];
            printf("| `JOINT.%s` | ", c->name);
            print_unit(c->unit);
            printf(" | %s |\n", c->description);
        }
    }
    return 0;
}
