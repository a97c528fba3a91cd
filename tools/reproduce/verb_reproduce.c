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

        "Runs the experiments of the five papers that the models come from. A letter is\n"
        "a paper (S, K, R, E, B; --list says which), an id an experiment of it (S.fig12):\n"
        "both select, and without any all are run. Prints quantity, ours, the paper's and\n"
        "a verdict, and writes gallery.html (every figure drawn like the paper's),\n"
        "results.json, curves/*.csv and png/*.png. Exit code 1 when a quantity leaves the\n"
        "tolerance around our stated number.",
    .example = "  stiction reproduce --list\n"
               "  stiction reproduce S.fig12 K --out papers",
    .program = "stiction-reproduce",
};
