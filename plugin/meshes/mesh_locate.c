/* SPDX-License-Identifier: MIT
 * Finds the file that a robot names: beside it, below ${SHARE}, or in a ROS package.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mesh.h"

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_there(reader *r, const char *path) {
    struct stat status;
    stiction_file_notes_add(r->notes, path);
    return stat(path, &status) == 0;
}

/* A package in one of the folders of a list with colons: FOLDER/MIDDLE/REST, or the folder is the
 * package itself. NULL: not found. */
static const char *find_in_list(reader *r, const char *variable, const char *middle,
                                const char *rest) {
    const char *list = getenv(variable), *inside = strchr(rest, '/');
    const int name = (int)(inside ? inside - rest : (long)strlen(rest));
    for (const char *at = list; at && *at;) {
        const int length = (int)strcspn(at, ":");
        const char *below = stiction_reader_format(r, "%.*s/%s%s", length, at, middle, rest);
        if (length && is_there(r, below)) return below;
        const char *folder = stiction_reader_format(r, "%.*s", length, at);
        const char *slash = strrchr(folder, '/'), *last = slash ? slash + 1 : folder;
        if (inside && (int)strlen(last) == name && strncmp(last, rest, (size_t)name) == 0) {
            const char *itself = stiction_reader_format(r, "%s%s", folder, inside);
            if (is_there(r, itself)) return itself;
        }
        at += length + (at[length] == ':');
    }
    return NULL;
}

/* Whether a folder is the package of this name, whatever the folder itself is called: its
 * package.xml has the name. */
static bool is_package(reader *r, const char *folder, const char *name, size_t length) {
    char text[4096];
    const char *path = stiction_reader_format(r, "%s/package.xml", folder);
    FILE *file = is_there(r, path) ? fopen(path, "re") : NULL;
    if (!file) return false;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    const char *start = strstr(text, "<name>");
    if (!start) return false;
    start += strlen("<name>");
    start += strspn(start, " \t\r\n");
    return strncmp(start, name, length) == 0 && strchr(" \t\r\n<", start[length]);
}

/* A package around the robot's own file, as in NAME/urdf/robot.urdf. */
static const char *find_around(reader *r, const char *from, const char *rest) {
    const char *real = realpath(from, NULL);
    if (!real) return NULL;
    char *folder = stiction_reader_format(r, "%s", real);
    free((void *)real);
    for (char *slash; (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        const char *path = stiction_reader_format(r, "%s/%s", folder, rest);
        if (is_there(r, path)) return path;
        const size_t name = strcspn(rest, "/");
        const char *itself = stiction_reader_format(r, "%s%s", folder, rest + name);
        if (is_package(r, folder, rest, name) && is_there(r, itself)) return itself;
    }
    return NULL;
}

const char *mesh_locate(reader *r, stiction_place at, const char *from, const char *uri) {
    static const char share[] = "${SHARE}", package[] = "package://", file[] = "file://";
    if (starts_with(uri, file)) return stiction_reader_format(r, "%s", uri + strlen(file));
    if (starts_with(uri, share)) {
        const char *folder = getenv("STICTION_CHOREONOID_SHARE");
        if (folder && *folder)
            return stiction_reader_format(r, "%s%s", folder, uri + strlen(share));
        stiction_reader_warn(r, at,
                             "'%s' needs the environment variable STICTION_CHOREONOID_SHARE: the "
                             "folder for which ${SHARE} stands",
                             uri);
        return NULL;
    }
    if (starts_with(uri, package)) {
        const char *rest = uri + strlen(package);
        const char *found = find_around(r, from, rest);
        if (!found) found = find_in_list(r, "STICTION_PACKAGE_PATH", "", rest);
        if (!found) found = find_in_list(r, "ROS_PACKAGE_PATH", "", rest);
        if (!found) found = find_in_list(r, "AMENT_PREFIX_PATH", "share/", rest);
        if (!found)
            stiction_reader_warn(r, at,
                                 "'%s' is not there: neither in a folder around '%s' nor in "
                                 "STICTION_PACKAGE_PATH, ROS_PACKAGE_PATH or AMENT_PREFIX_PATH",
                                 uri, from);
        return found;
    }
    if (strstr(uri, "://") || strstr(uri, "${")) {
        stiction_reader_warn(r, at, "'%s' is no file name that is read", uri);
        return NULL;
    }
    return stiction_reader_beside(r, from, uri);
}
