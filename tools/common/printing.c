/* SPDX-License-Identifier: MIT
 * The former functions of tools/common that print their error, for callers that do not take it yet.
 */
#include "command.h"
#include "folder.h"
#include "storage/place.h"
#include "whole_file.h"

bool print_place_open(place *p, const char *folder, int rule) {
    stiction_error error;
    return place_open(p, folder, (place_rule)rule, &error) || report_error(&error);
}

bool print_place_commit(place *p) {
    stiction_error error;
    return place_commit(p, &error) || report_error(&error);
}

bool print_place_open_folder(place *p, const char *folder) {
    stiction_error error;
    return place_open_folder(p, folder, &error) || report_error(&error);
}

bool print_place_add(place *p, bool force) {
    stiction_error error;
    return place_add(p, force, &error) || report_error(&error);
}

bool print_place_clear(const char *folder) {
    stiction_error error;
    return place_clear(folder, &error) || report_error(&error);
}

bool print_place_may_write(const char *folder, const char *name, bool force) {
    stiction_error error;
    return place_may_write(folder, name, force, &error) || report_error(&error);
}

bool print_folder_make(const char *path) {
    stiction_error error;
    return folder_make(path, &error) || report_error(&error);
}

bool print_whole_file_may_take(const char *path, bool force) {
    stiction_error error;
    return whole_file_may_take(path, force, &error) || report_error(&error);
}

bool print_whole_file_begin(whole_file *file, const char *path) {
    stiction_error error;
    return whole_file_begin(file, path, &error) || report_error(&error);
}

bool print_whole_file_end(whole_file *file) {
    stiction_error error;
    return whole_file_end(file, &error) || report_error(&error);
}

bool print_find_joint(const stiction_config *config, const char *path, const char *name,
                      stiction_joint_def *def) {
    stiction_error error;
    return find_joint(config, path, name, def, &error) || report_error(&error);
}
