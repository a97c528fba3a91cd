/*
 * Which files may be read because another file names them.
 */
#define _GNU_SOURCE /* dladdr, realpath */
#include "access.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a real path is in a folder; a folder that is not there has nothing in it. */
static bool is_in(const char *real, const char *folder) {
    char whole[PATH_MAX];
    if (!realpath(folder, whole)) return false;
    const size_t length = strlen(whole);
    return strncmp(real, whole, length) == 0 &&
           (whole[length - 1] == '/' || real[length] == '/' || real[length] == '\0');
}

/* In a folder, or in what lies in it. */
static bool is_below(const char *real, const char *folder, size_t length, const char *rest) {
    char path[PATH_MAX];
    const int written = snprintf(path, sizeof path, "%.*s%s", (int)length, folder, rest);
    return written > 0 && written < PATH_MAX && is_in(real, path);
}

/* In one of the folders of a list with colons. */
static bool is_in_list(const char *real, const char *list, const char *rest) {
    for (; list && *list; list += *list == ':') {
        const size_t length = strcspn(list, ":");
        if (length && is_below(real, list, length, rest)) return true;
        list += length;
    }
    return false;
}

/* Cuts the last name off a path; false: it has no more. */
static bool go_up(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = '\0';
    return true;
}

/* Whether a folder has a file of this name in it. */
static bool has(const char *folder, const char *name) {
    char path[PATH_MAX];
    const int written = snprintf(path, sizeof path, "%s/%s", folder, name);
    return written > 0 && written < PATH_MAX && access(path, F_OK) == 0;
}

/* The folder of a file, or the ROS package around it. */
static bool is_around(const char *real, char folder[PATH_MAX]) {
    if (is_in(real, folder)) return true;
    do {
        if (has(folder, "package.xml")) return is_in(real, folder);
    } while (go_up(folder));
    return false;
}

/* Whether whoever owns a folder around it opened that to all projects. Where everybody writes, the
 * mark may be anybody's. */
static bool is_opened(const char *real) {
    char folder[PATH_MAX];
    struct stat status;
    (void)snprintf(folder, sizeof folder, "%s", real);
    while (go_up(folder))
        if (has(folder, ".stiction") && stat(folder, &status) == 0 && !(status.st_mode & S_IWOTH))
            return true;
    return false;
}

/* A file that is a link has two folders: that of the link, and its own. */
static bool is_beside(const char *real, const char *given) {
    char folder[PATH_MAX], named[PATH_MAX];
    const char *slash = strrchr(given, '/');
    const int length = slash ? (int)(slash - given) + 1 : 1;
    if (snprintf(named, sizeof named, "%.*s", length, slash ? given : ".") >= PATH_MAX)
        return false;
    if (realpath(named, folder) && is_around(real, folder)) return true;
    return realpath(given, folder) && go_up(folder) && is_around(real, folder);
}

/* ---- the search path ---- */

static const struct {
    const char *variable, *rest;
} variables[] = {
    {"STICTION_ALLOW", ""},   {"STICTION_CHOREONOID_SHARE", ""}, {"STICTION_PACKAGE_PATH", ""},
    {"ROS_PACKAGE_PATH", ""}, {"AMENT_PREFIX_PATH", "/share"},
};

/* From the folder of the program or library that this is in: of a build, whose folder has links to
 * its sources, and of an installation. */
static const char *const shares[] = {"/share/stiction", "/../share/stiction",
                                     "/../../share/stiction"};
static const char *const of_share[] = {"", "/config", "/sample_projects"};

static bool is_shared(const char *real) {
    static const char here;
    char own[PATH_MAX], rest[64];
    Dl_info info;
    const bool known = dladdr(&here, &info) && info.dli_fname && realpath(info.dli_fname, own);
    /* a program is known by the name that it was called with */
    if ((!known && !realpath("/proc/self/exe", own)) || !go_up(own)) return false;
    for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++)
        for (size_t n = 0; n < sizeof of_share / sizeof of_share[0]; n++) {
            (void)snprintf(rest, sizeof rest, "%s%s", shares[k], of_share[n]);
            if (is_below(real, own, strlen(own), rest)) return true;
        }
    return false;
}

static bool is_in_search_path(const char *real) {
    for (size_t k = 0; k < sizeof variables / sizeof variables[0]; k++)
        if (is_in_list(real, getenv(variables[k].variable), variables[k].rest)) return true;
    return is_shared(real);
}

/* ---- the rule ---- */

static void explain(const file_access *access, const char *path, char *real,
                    char sentence[ACCESS_SENTENCE]) {
    const bool is_link = strcmp(path, real) != 0;
    int length =
        is_link ? snprintf(sentence, ACCESS_SENTENCE, "'%.200s' is '%.200s', which", path, real)
                : snprintf(sentence, ACCESS_SENTENCE, "'%.200s'", path);
    (void)go_up(real);
    length += snprintf(sentence + length, ACCESS_SENTENCE - (size_t)length,
                       " is not in the folder of '%.200s' nor where else files may be read; to "
                       "permit it, give --allow '%.300s'",
                       access->given ? access->given : "a file of the user", real);
}

bool stiction_access_permits(const file_access *access, const char *path,
                             char sentence[ACCESS_SENTENCE]) {
    char real[PATH_MAX];
    errno = 0;
    if (!realpath(path, real)) {
        (void)snprintf(sentence, ACCESS_SENTENCE, "out of memory");
        return errno != ENOMEM;
    }
    bool permitted = (access->given && is_beside(real, access->given)) || is_opened(real) ||
                     is_in_search_path(real);
    for (size_t k = 0; k < access->folder_count && !permitted; k++)
        permitted = is_in(real, access->folders[k]);
    if (!permitted) explain(access, path, real, sentence);
    return permitted;
}
