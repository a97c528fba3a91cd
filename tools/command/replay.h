/* SPDX-License-Identifier: MIT
 * stiction replay: the columns of a log and the joints of a configuration.
 */
#ifndef STICTION_TOOLS_COMMAND_REPLAY_H
#define STICTION_TOOLS_COMMAND_REPLAY_H

#include "common/options.h"
#include "document/csv.h"
#include "stiction/stiction.h"

/* Suffixes of the columns that replay adds for a joint. */
enum { REPLAY_COLUMNS = 3 };
extern const char *const replay_columns[REPLAY_COLUMNS];

/* Inputs besides the velocity: columns JOINT.position and so on. */
enum { REPLAY_POSITION, REPLAY_EFFORT, REPLAY_EXTERNAL, REPLAY_TEMPERATURE, REPLAY_INPUTS };
extern const char *const replay_inputs[REPLAY_INPUTS]; /* suffixes */
#define REPLAY_NO_COLUMN ((size_t)-1)

/* A joint whose velocity is in a column of the log. */
typedef struct channel {
    char *joint;
    size_t column;
    size_t inputs[REPLAY_INPUTS]; /* columns of the inputs; REPLAY_NO_COLUMN: none */
    stiction_joint_def def;
    size_t missing, first_missing; /* rows without a velocity, and the first of them */
    uint64_t faults;               /* counted by the library up to this row */
} channel;

typedef struct channels {
    channel *items;
    size_t count;
} channels;

/*
 * Finds the joints of a configuration in the header of a log: columns JOINT.velocity and JOINT, and
 * those of `mapped`, a list of JOINT=COLUMN. Returns an exit code.
 */
int channels_find(channels *c, const csv *head, const stiction_config *config,
                  const char *config_path, const text_list *mapped, stiction_error *error);
void channels_free(channels *c);

#endif
