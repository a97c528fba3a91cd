/* SPDX-License-Identifier: MIT */
/* What stiction bench does and takes: for the command, which starts the program, and for it. */
#include "bench_options.h"

static const bench_options defaults = {.repeat = 0};

#define FIELD(name) offsetof(bench_options, name)

static const option options_of_bench[] = {
    {"part", OPTION_TEXTS, "PART", "only this part; may be repeated (default: all)", FIELD(parts)},
    {"repeat", OPTION_COUNT, "N", "how often everything is timed (default 50)", FIELD(repeat)},
    {"runs", OPTION_COUNT, "N", "the most runs of the part sweep (default 10000)", FIELD(runs)},
    {"quick", OPTION_FLAG, NULL, "see that it works: the times are worth nothing", FIELD(quick)},
    {"json", OPTION_FLAG, NULL, "the tables as JSON", FIELD(json)},
    {"targets", OPTION_FLAG, NULL, "what this project aims at, in the parts laws and lambert",
     FIELD(targets)},
    {"plot", OPTION_TEXT, "FILE", "the part size as a picture too: SVG, or PNG by its name",
     FIELD(plot)},
    {"force", OPTION_FLAG, NULL, "replace the picture that is there", FIELD(force)},
    {"instructions", OPTION_FLAG, NULL, "instructions of a step, counted by valgrind",
     FIELD(instructions)},
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
        "  laws    a step of a joint, in a batch and alone, beside what others take for\n"
        "          the same, as ratios to\n"
        "          E      one exp of libm,\n"
        "          T      a step of the same batch with a look-up table of 4096 entries\n"
        "                 in the place of the exact law,\n"
        "          C      a copy of as many bytes as the batch reads and writes,\n"
        "          floor  a step with nothing but exp2, square root and division in the\n"
        "                 place of the law, in the same loops and instructions.\n"
        "          The bars of --targets are in T, C, floors and batch calls, so that\n"
        "          they mean the same on every processor; all is timed in turns, and the\n"
        "          best times count. Batches are as large as the caches of this machine\n"
        "          say.\n"
        "  machine  the processor, its caches and the instruction set that was chosen; it\n"
        "          comes with the part laws.\n"
        "  lambert  Lambert's W0 and W-1 by ranges of their argument, beside Boost's, and\n"
        "          their largest error.\n"
        "  size    a step of a batch, from one joint to a million and on several threads.\n"
        "  fleet   4096 robots of 37 joints against real time, loading of 1000 joints,\n"
        "          bytes a joint.\n"
        "  implicit  the solver of implicit coupling by itself, of 7 and 37 joints that\n"
        "          move or stick.\n"
        "  engine  a step of MuJoCo without friction, with this library's, explicit and\n"
        "          implicit, and with MuJoCo's own frictionloss, in projects. All are\n"
        "          stepped from the same states of a run with friction, in turns; the\n"
        "          torques of the controllers are held and not in the times.\n"
        "  drives  where it is named: a step of a joint with load, temperature, ripple,\n"
        "          lag or presliding, beside the same law without.\n"
        "  controller  where it is named: the posture controller of a project directly\n"
        "          and through the table that any controller has.\n"
        "  qp      where it is named: the solver of quadratic programs, on those of a\n"
        "          humanoid that stands, squats and is pushed, with and without the rows\n"
        "          of the solution before.\n"
        "  run     where it is named: where the time of stiction run goes in projects,\n"
        "          with a page, with series as arrays alone, and without any.\n"
        "  sweep   where it is named: sweeps of 100 and 10000 runs (1 s each) of the\n"
        "          wrist's project, or of one with its keys, their merge and their page,\n"
        "          in TMPDIR; --runs 100000 takes its time. \"again\" is the same command\n"
        "          when all is done.\n"
        "A cost is the time beyond that of the step without friction.\n"
        "Parts that need a project are left out where none is given. With --instructions\n"
        "nothing is timed, unless a part is named: callgrind counts, and counts the same\n"
        "each time.",
    .example = "  stiction bench --part laws --repeat 200\n"
               "  stiction bench --part size --plot speed.svg\n"
               "  stiction bench sample_projects/humanoid/humanoid_standing.cnoid\n"
               "  stiction bench --part sweep sample_projects/wrist/wrist.cnoid\n"
               "  stiction bench --part run sample_projects/arm7/arm7.cnoid\n"
               "  stiction bench --part engine --repeat 50 --json humanoid_arms.cnoid",
    .program = "stiction-bench",
};
