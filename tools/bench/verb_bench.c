/* SPDX-License-Identifier: MIT */
/* What stiction bench does and takes: for the command, which starts the program, and for it. */
#include "bench_options.h"

static const bench_options defaults = {.repeat = 0};

#define FIELD(name) offsetof(bench_options, name)

static const option options_of_bench[] = {
    {"part", OPTION_TEXTS, "PART", "only this part; repeatable", FIELD(parts)},
    {"repeat", OPTION_COUNT, "N", "number of repetitions (default 50)", FIELD(repeat)},
    {"quick", OPTION_FLAG, NULL, "only check that it works: the times mean nothing", FIELD(quick)},
    {"json", OPTION_FLAG, NULL, "print the tables as JSON", FIELD(json)},
    {.name = NULL},
};

const verb verb_bench = {
    .name = "bench",
    .summary = "measure what friction costs",
    .arguments = "[PROJECT.cnoid...]",
    .least = 0,
    .most = 0,
    VERB_OPTIONS(options_of_bench, defaults),
    .description =

        "Measures times on this machine, in parts:\n"
        "  laws      a step of a joint, in a batch and alone, also as a ratio to one exp\n"
        "            of libm (E)\n"
        "  implicit  the solver of implicit coupling, 7 and 37 joints\n"
        "  engine    a step of MuJoCo without friction, with explicit and implicit\n"
        "            friction and with frictionloss, from the same states; a cost is\n"
        "            the time beyond that of the step without friction\n"
        "and, only if named:\n"
        "  vector    steps per second of many environments with friction on one thread\n"
        "            and on all, next to MuJoCo without friction\n"
        "engine and vector need a project and are left out without one.",
    .example = "  stiction bench --part laws --repeat 200\n"
               "  stiction bench sample_projects/humanoid/humanoid_standing.cnoid\n"
               "  stiction bench --part engine --repeat 50 --json humanoid_arms.cnoid",
    .program = "stiction-bench",
};
