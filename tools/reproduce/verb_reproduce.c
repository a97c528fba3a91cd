/* SPDX-License-Identifier: MIT */
/* What stiction reproduce does and takes: for the command, which starts the program, and for it. */
#include "reproduce_options.h"

static const reproduce_options defaults = {.out = "reproduction"};

#define FIELD(name) offsetof(reproduce_options, name)

static const option options_of_reproduce[] = {
    {"list", OPTION_FLAG, NULL, "list what each experiment shows and how long it takes",
     FIELD(list)},
    {"out", OPTION_TEXT, "DIR", "output folder (default reproduction)", FIELD(out)},
    {"force", OPTION_FLAG, NULL, "replace earlier results", FIELD(force)},
    {"jobs", OPTION_COUNT, "N", "experiments in parallel (default: the number of cores)",
     FIELD(jobs)},
    {"csv", OPTION_FLAG, NULL, "the table as CSV", FIELD(csv)},
    {"json", OPTION_FLAG, NULL, "the table as JSON", FIELD(json)},
    {.name = NULL},
};

const verb verb_reproduce = {
    .name = "reproduce",
    .summary = "the experiments of five papers, ours beside theirs",
    .arguments = "[ID|PAPER...]",
    .least = 0,
    .most = 0,
    VERB_OPTIONS(options_of_reproduce, defaults),
    .description =

        "Runs the experiments of the five papers that the models come from, and a few of\n"
        "our own. A letter is a paper (S, K, R, E, B; --list says which), an id an\n"
        "experiment of it (S.fig12): both select, and without any all are run. Prints\n"
        "quantity, ours, the paper's and a verdict, and writes gallery.html (every figure\n"
        "drawn like the paper's), results.json, curves/*.csv, png/*.png and, where all\n"
        "of an experiment belongs on one picture, sheets/*.svg. Exit code 1 when a\n"
        "quantity leaves the tolerance around our stated number.",
    .example = "  stiction reproduce --list\n"
               "  stiction reproduce S.fig12 K --out papers\n"
               "  stiction reproduce own.real_wrist --out real_wrist",
    .program = "stiction-reproduce",
};
