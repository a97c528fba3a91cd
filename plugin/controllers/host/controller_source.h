/* SPDX-License-Identifier: MIT
 * From a specification to the table of functions that it names.
 */
#ifndef STICTION_CONTROLLERS_HOST_CONTROLLER_SOURCE_H
#define STICTION_CONTROLLERS_HOST_CONTROLLER_SOURCE_H

#include "built_in.h"
#include "controller_host.h"
#include "document/arena.h"

typedef struct controller_source {
    stiction_controller_api api; /* a copy; functions that it does not have are NULL */
    const char *options;         /* for create, as the table wants them */
    const char *shown_options;   /* without what only finds the controller */
    const char *library;         /* what was found, for people */
    const char *stem;
    bool is_built_in;
    built_in_create *create; /* of a built-in controller, in place of api.create; else NULL */
    void *handle;            /* of dlopen, to be closed; NULL: none */
    size_t threads;          /* of the process, before it was loaded */
} controller_source;

/* Its texts lie in the arena. Unless OK, there is nothing to close. */
stiction_status controller_source_find(const controller_host_def *def, arena *memory,
                                       controller_source *source, stiction_error *error);

/* The folder of the program or library that contains this code, of PATH_MAX bytes; "": unknown. */
void controller_own_folder(char *folder);

/* Threads of this process; 0: not known. */
size_t controller_source_count_threads(void);

#endif
