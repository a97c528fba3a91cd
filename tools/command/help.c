/* SPDX-License-Identifier: MIT
 * Help on the terminal, made from the table of verbs.
 */
#include "help.h"

#include <string.h>

static const char headline[] = "stiction: joint friction that really sticks, for robot simulators";

void print_overview(FILE *out) {
    int width = 0;
    for (const verb *const *v = verbs; *v; v++)
        if ((int)strlen((*v)->name) > width) width = (int)strlen((*v)->name);
    fprintf(out, "%s\n\nusage: stiction VERB ARGUMENTS [OPTIONS]\n\nverbs:\n", headline);
    for (const verb *const *v = verbs; *v; v++)
        fprintf(out, "  %-*s  %s\n", width, (*v)->name, (*v)->summary);
    fputs("\nstiction --version prints the version. Exit codes: 0 all went well, 1 something\n"
          "is wrong with a file, 2 bad usage.\n",
          out);
}
