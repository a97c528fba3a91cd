/* SPDX-License-Identifier: MIT
 * A Choreonoid project for a robot, as `stiction new` writes it and as one that runs there.
 */
#ifndef STICTION_TOOLS_RUN_PROJECT_FILE_H
#define STICTION_TOOLS_RUN_PROJECT_FILE_H

#include <stdio.h>

#include "projects/project.h"

typedef struct project_file {
    const project *project;         /* of a robot: where its bodies start, its simulator */
    const char *const *files;       /* of each body, as the project names it */
    const char *comment;            /* a line */
    const char *configuration;      /* of friction; NULL: none */
    const char *controller_options; /* of a controller for the robot; NULL: none */
    const char *controller;         /* its module: "StictionPostureController" */
} project_file;

void project_file_write(FILE *out, const project_file *p);

/* The plane below a robot and whatever only an MJCF file has must be written as a .body. */
bool project_needs_body_file(const project_body *body);

/* The path of `path` as seen from a folder; both must exist. NULL: one of
 * them does not. */
const char *path_from(reader *r, const char *folder, const char *path);

#endif
