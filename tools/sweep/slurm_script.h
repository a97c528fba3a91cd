/*
 * The two scripts of a round, which sbatch takes as they are: a task of the array, and the merge.
 * All that they need stands in them, quoted; they work from wherever they are submitted.
 */
#ifndef STICTION_TOOLS_SWEEP_SLURM_SCRIPT_H
#define STICTION_TOOLS_SWEEP_SLURM_SCRIPT_H

#include "common/options.h"
#include "sweep/slurm_job.h"

/* What a line of a task's log begins with that tells of moving its shard from the scratch folder:
 * why it ended stands before. */
#define SLURM_MOVING "moving: "

typedef struct slurm_request {
    const char *file;      /* of the sweep, as the user gave it */
    const char *folder;    /* of the sweep */
    const char *partition; /* NULL: Slurm's default */
    const char *scratch;  /* a folder on the node, in which $NAME is a variable there; NULL: none */
    bool accept_changes;  /* also the merge takes what was done with other files */
    bool retry;           /* tasks repeat runs that failed before them */
    size_t most_at_once;  /* tasks; 0: as many as Slurm likes */
    text_list more;       /* options for sbatch */
    text_list task_words; /* options for the sweep of each task */
} slurm_request;

/* What cannot be said in a script, or belongs to us among the options for sbatch. False after a
 * sentence on stderr. */
bool slurm_request_check(const slurm_request *q);

/* The options of sbatch for the array or the merge; the caller frees the texts and the list. */
text_list slurm_array_options(const slurm_request *q, const slurm_job *job);
text_list slurm_merge_options(const slurm_request *q, const slurm_job *job);
void slurm_options_free(text_list *options);

/* Both scripts into a folder. False after a sentence on stderr. */
bool slurm_write_scripts(const slurm_request *q, const slurm_job *job, const char *into);

/* A text as one word of a shell; the caller frees it. */
char *shell_word(const char *text);

#endif
