/* SPDX-License-Identifier: MIT */
/* --untrusted: a file that somebody else wrote may name only files in its own folder. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "access.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a real path is in the folder of a file. */
static bool is_beside(const char *real, const char *file) {
    char folder[PATH_MAX], whole[PATH_MAX];
    const char *slash = strrchr(file, '/');
    const int length = slash ? (int)(slash - file) + 1 : 1;
    if (snprintf(folder, sizeof folder, "%.*s", length, slash ? file : ".") >= PATH_MAX ||
        !realpath(folder, whole))
        return false;
    const size_t end = strlen(whole);
    return strncmp(real, whole, end) == 0 && (whole[end - 1] == '/' || real[end] == '/');
}

bool stiction_access_permits(const char *project, const char *path, char message[ACCESS_MESSAGE]) {
    char real[PATH_MAX];
    if (!project) return true;
    errno = 0;
    if (!realpath(path, real)) {
        (void)snprintf(message, ACCESS_MESSAGE, "out of memory");
        return errno != ENOMEM;
    }
    if (is_beside(real, project)) return true;
    if (strcmp(path, real) == 0)
        (void)snprintf(message, ACCESS_MESSAGE, "'%.300s'", path);
    else
        (void)snprintf(message, ACCESS_MESSAGE, "'%.200s' is '%.300s', which", path, real);
    const size_t length = strlen(message);
    (void)snprintf(message + length, ACCESS_MESSAGE - length,
                   " is outside the folder of '%.200s', which --untrusted refuses", project);
    return false;
}
