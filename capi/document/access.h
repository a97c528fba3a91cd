/*
 * Which files may be read because another file names them: a project or a robot may be a
 * stranger's, and must not reach what its user never meant to show. docs/files.md states the rule.
 */
#ifndef STICTION_CAPI_DOCUMENT_ACCESS_H
#define STICTION_CAPI_DOCUMENT_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

STICTION_BEGIN_C

typedef struct file_access {
    const char *given;          /* the file that the user gave, whose folder is open; NULL: none */
    const char *const *folders; /* that the user allows besides */
    size_t folder_count;
} file_access;

/*
 * Whether a file that is named by the given one, or by a file that it names, may be read: its real
 * path, without links and "..", is in the folder of the given file, in the ROS package that this is
 * part of (the nearest folder above with a package.xml), in a folder that is open to all (it has a
 * file .stiction) or allowed, or in the search path. False: the sentence says where it is and what would permit it. What is not
 * there is permitted, so that whoever opens it says so.
 */
enum { ACCESS_SENTENCE = 1000 };
bool stiction_access_permits(const file_access *access, const char *path,
                             char sentence[ACCESS_SENTENCE]);

STICTION_END_C

#endif
