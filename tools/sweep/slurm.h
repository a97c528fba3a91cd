/*
 * A sweep on a cluster: rounds of a job array and a job that merges, until every run is complete.
 * All that is known stands in the folder of the sweep and in Slurm's queue; the command that
 * follows them may end at any moment, and the next one takes up.
 */
#ifndef STICTION_TOOLS_SWEEP_SLURM_H
#define STICTION_TOOLS_SWEEP_SLURM_H

#include "sweep/runner.h"
#include "sweep/slurm_script.h"

typedef struct slurm_sweep {
    slurm_request request;
    const sweep_plan *plan;
    size_t chunk;               /* runs of a task; 0: we choose */
    bool only_scripts;          /* nothing is submitted */
    const char *scripts_folder; /* for them; NULL: that of the records */
    bool retry, force, keep_going;
} slurm_sweep;

/* False after a sentence on stderr: there is nothing more to show. SWEEP_STOPPED: not all runs are
 * complete, and a sentence said why. */
bool sweep_on_slurm(const slurm_sweep *s, sweep_verdict *verdict);

#endif
