/*
 * Slurm's own programs, sbatch, squeue, scontrol, are all that is known of Slurm. They are started
 * without a shell, and what they say against a call is told as they said it.
 */
#ifndef STICTION_TOOLS_SWEEP_SLURM_CALL_H
#define STICTION_TOOLS_SWEEP_SLURM_CALL_H

#include <stdbool.h>

#include "common/options.h"

typedef struct slurm_answer {
    bool started;  /* the program is there */
    bool fine;     /* it ended with 0 */
    char *out;     /* what it printed */
    char *refusal; /* a sentence on why it is not fine, "" where it is */
} slurm_answer;

/* The first word is the program. Free the answer. */
slurm_answer slurm_call(const text_list *words);
void slurm_answer_free(slurm_answer *answer);

#endif
