/*
 * --allow DIR: folders from which files may be read that a project, a robot or a sweep names. They
 * go into the environment variable STICTION_ALLOW, so that the runs of a sweep have them, too.
 */
#ifndef STICTION_TOOLS_COMMON_ALLOW_H
#define STICTION_TOOLS_COMMON_ALLOW_H

#include "options.h"

/* The row of a verb's options; its field is a text_list. */
#define ALLOW_OPTION(options, field)                                                               \
    {                                                                                              \
        "allow", OPTION_TEXTS, "DIR", "files that a file names may be here, too",                  \
            offsetof(options, field)                                                               \
    }

/* False after a sentence about what is no folder. */
bool allow_folders(const text_list *folders);

#endif
