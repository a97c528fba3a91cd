/*
 * What stiction replay is made of: the columns of a log and the joints of a configuration.
 */
#ifndef STICTION_TOOLS_COMMAND_REPLAY_H
#define STICTION_TOOLS_COMMAND_REPLAY_H

#include "common/options.h"
#include "document/csv.h"
#include "stiction/stiction.h"

/* What replay adds for a joint, behind its name. */
enum { REPLAY_COLUMNS = 3 };
extern const char *const replay_columns[REPLAY_COLUMNS];

/* What friction may depend on beside the velocity: columns JOINT.position and so on. */
enum { REPLAY_POSITION, REPLAY_EFFORT, REPLAY_EXTERNAL, REPLAY_TEMPERATURE, REPLAY_INPUTS };
extern const char *const replay_inputs[REPLAY_INPUTS]; /* behind the name of the joint */
#define REPLAY_NO_COLUMN ((size_t)-1)

/* A joint whose velocity is in a column of the log. */
typedef struct channel {
    char *joint;
    size_t column;
    size_t
        inputs[REPLAY_INPUTS]; /* the columns of what its friction reads; else REPLAY_NO_COLUMN */
    stiction_joint_def def;
    size_t missing,
        first_missing; /* in how many rows a number is not there, and the first of them */
    uint64_t faults;   /* that the library has counted up to this row */
} channel;

typedef struct channels {
    channel *items;
    size_t count;
} channels;

/*
 * Finds the joints of a configuration in the head of a log: columns JOINT.velocity and JOINT, and
 * those of `mapped`, a list of JOINT=COLUMN. EXIT_FINE, or another code after a complaint.
 */
int channels_find(channels *c, const csv *head, const stiction_config *config,
                  const char *config_path, const text_list *mapped);
void channels_free(channels *c);

#endif
