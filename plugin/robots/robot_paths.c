/*
 * The files that robots and projects name. A package is looked for in the folders above, then in
 * those of STICTION_PACKAGE_PATH and ROS_PACKAGE_PATH, as Choreonoid does with the latter.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "robot_bodies.h"

static const char *behind(const char *text, const char *start) {
    const size_t length = strlen(start);
    return strncmp(text, start, length) == 0 ? text + length : NULL;
}

/* A file in a package that may be this folder or stand in it; NULL: neither is so. */
static const char *find_in(reader *r, const char *folder, const char *package, const char *file) {
    const char *inside = stiction_reader_format(r, "%s/%s/%s", folder, package, file);
    if (access(inside, F_OK) == 0) return inside;
    const char *slash = strrchr(folder, '/');
    const char *itself = stiction_reader_format(r, "%s/%s", folder, file);
    const bool is_package = strcmp(slash ? slash + 1 : folder, package) == 0;
    return is_package && access(itself, F_OK) == 0 ? itself : NULL;
}

static const char *find_above(reader *r, const char *path, const char *package, const char *file) {
    char *whole = realpath(path, NULL);
    char *folder = stiction_reader_format(r, "%s", whole ? whole : path);
    free(whole);
    for (char *slash; (slash = strrchr(folder, '/')) != NULL;) {
        *slash = '\0';
        const char *found = find_in(r, folder, package, file);
        if (found) return found;
    }
    return NULL;
}

static const char *find_listed(reader *r, const char *variable, const char *package,
                               const char *file) {
    const char *list = getenv(variable), *found = NULL;
    while (list && *list && !found) {
        const size_t length = strcspn(list, ":");
        char *folder = stiction_reader_format(r, "%.*s", (int)length, list);
        for (size_t n = length; n > 1 && folder[n - 1] == '/'; n--) folder[n - 1] = '\0';
        if (length) found = find_in(r, folder, package, file);
        list += length + (list[length] == ':');
    }
    return found;
}

const char *robot_resolve(reader *r, const char *named_in, const char *name) {
    const char *file = behind(name, "file://"), *rest = behind(name, "package://");
    if (!rest) rest = behind(name, "model://");
    if (file) return stiction_reader_format(r, "%s", file);
    if (!rest) return stiction_reader_beside(r, named_in, name);
    const char *slash = strchr(rest, '/');
    if (!slash) return NULL;
    const char *package = stiction_reader_format(r, "%.*s", (int)(slash - rest), rest);
    const char *found = find_above(r, named_in, package, slash + 1);
    if (!found) found = find_listed(r, "STICTION_PACKAGE_PATH", package, slash + 1);
    return found ? found : find_listed(r, "ROS_PACKAGE_PATH", package, slash + 1);
}
