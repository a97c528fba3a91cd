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
    {"targets", OPTION_FLAG, NULL, "print the goals of the parts laws and lambert", FIELD(targets)},
    {"plot", OPTION_TEXT, "FILE", "draw the part size, as SVG or PNG", FIELD(plot)},
    {"force", OPTION_FLAG, NULL, "replace the picture", FIELD(force)},
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
        "  laws      a step of a joint, in a batch and alone, and alternatives, as\n"
        "            ratios to one exp of libm (E), a look-up table (T), a copy (C) and\n"
        "            the least that any such law costs (floors)\n"
        "  machine   processor, caches, instruction set; printed with laws\n"
        "  lambert   Lambert's W0 and W-1 by range of the argument, and Boost's\n"
        "  size      batches from one joint to a million, on several threads\n"
        "  fleet     4096 robots of 37 joints; loading 1000 joints; bytes a joint\n"
        "  implicit  the solver of implicit coupling, 7 and 37 joints\n"
        "  engine    a step of MuJoCo without friction, with explicit and implicit\n"
        "            friction and with frictionloss, from the same states; a cost is\n"
        "            the time beyond that of the step without friction\n"
        "and, only if named:\n"
        "  qp        the solver of quadratic programs, on those of a humanoid\n"
        "  drives    joints with load, temperature, ripple, lag or presliding\n"
        "  run       where the time of stiction run goes\n"
        "  vector    steps per second of many environments with friction on one thread\n"
        "            and on all, next to MuJoCo without friction\n"
        "engine, qp, run and vector need a project and are left out without one.",
    .example = "  stiction bench --part laws --repeat 200\n"
               "  stiction bench --part size --plot speed.svg\n"
               "  stiction bench sample_projects/humanoid/humanoid_standing.cnoid\n"
               "  stiction bench --part run sample_projects/arm7/arm7.cnoid\n"
               "  stiction bench --part engine --repeat 50 --json humanoid_arms.cnoid",
    .program = "stiction-bench",
};
