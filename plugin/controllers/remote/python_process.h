/* SPDX-License-Identifier: MIT
 * A Python controller as a child process, connected by a socket. Its output is logged line by
 * line, and the last line becomes part of the message about its end.
 */
#ifndef STICTION_CONTROLLERS_REMOTE_PYTHON_PROCESS_H
#define STICTION_CONTROLLERS_REMOTE_PYTHON_PROCESS_H

#include <sys/types.h>

#include "stiction/error.h"

enum { PYTHON_LINE = 400 };

/* Start from zeros. */
typedef struct python_process {
    pid_t child;        /* 0: none */
    int socket, output; /* the host's ends; -1: closed */
    stiction_log log;
    void *log_user;
    char line[PYTHON_LINE]; /* that is being printed */
    size_t length;
    char last[PYTHON_LINE]; /* that was not empty */
} python_process;

/* Unless OK, nothing was started. */
stiction_status python_process_start(python_process *p, const char *file, stiction_error *error);

/* Reads what it printed. */
void python_process_listen(void *process);

/* Closes the socket, waits for the process at most so many seconds, then kills it, and describes
 * the end: "ended with code 1 after 'last line'". */
void python_process_end(python_process *p, double timeout, char how[2 * PYTHON_LINE]);

#endif
