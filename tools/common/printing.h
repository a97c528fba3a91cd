/* SPDX-License-Identifier: MIT
 * Until all callers take errors: calls of these functions without the last argument print it.
 */
#ifndef STICTION_TOOLS_COMMON_PRINTING_H
#define STICTION_TOOLS_COMMON_PRINTING_H

#include "stiction/model.h"

struct place;
struct storage_file;

bool print_place_open(struct place *p, const char *folder, int rule);
bool print_place_commit(struct place *p);
bool print_place_open_folder(struct place *p, const char *folder);
bool print_place_add(struct place *p, bool force);
bool print_place_clear(const char *folder);
bool print_place_may_write(const char *folder, const char *name, bool force);
bool print_folder_make(const char *path);
bool print_whole_file_may_take(const char *path, bool force);
bool print_whole_file_begin(struct storage_file *file, const char *path);
bool print_whole_file_end(struct storage_file *file);
bool print_find_joint(const stiction_config *config, const char *path, const char *name,
                      stiction_joint_def *def);

#define COMMON_PICK_2(a, b, name, ...)          name
#define COMMON_PICK_3(a, b, c, name, ...)       name
#define COMMON_PICK_4(a, b, c, d, name, ...)    name
#define COMMON_PICK_5(a, b, c, d, e, name, ...) name
#define place_open(...)                         COMMON_PICK_4(__VA_ARGS__, place_open, print_place_open, 0)(__VA_ARGS__)
#define place_commit(...)                                                                          \
    COMMON_PICK_2(__VA_ARGS__, place_commit, print_place_commit, 0)(__VA_ARGS__)
#define place_open_folder(...)                                                                     \
    COMMON_PICK_3(__VA_ARGS__, place_open_folder, print_place_open_folder, 0)(__VA_ARGS__)
#define place_add(...)   COMMON_PICK_3(__VA_ARGS__, place_add, print_place_add, 0)(__VA_ARGS__)
#define place_clear(...) COMMON_PICK_2(__VA_ARGS__, place_clear, print_place_clear, 0)(__VA_ARGS__)
#define place_may_write(...)                                                                       \
    COMMON_PICK_4(__VA_ARGS__, place_may_write, print_place_may_write, 0)(__VA_ARGS__)
#define place_read_list(list, folder) manifest_read(list, folder)
#define folder_make(...)              COMMON_PICK_2(__VA_ARGS__, folder_make, print_folder_make, 0)(__VA_ARGS__)
#define whole_file_may_take(...)                                                                   \
    COMMON_PICK_3(__VA_ARGS__, whole_file_may_take, print_whole_file_may_take, 0)(__VA_ARGS__)
#define whole_file_begin(...)                                                                      \
    COMMON_PICK_3(__VA_ARGS__, whole_file_begin, print_whole_file_begin, 0)(__VA_ARGS__)
#define whole_file_end(...)                                                                        \
    COMMON_PICK_2(__VA_ARGS__, whole_file_end, print_whole_file_end, 0)(__VA_ARGS__)
#define find_joint(...) COMMON_PICK_5(__VA_ARGS__, find_joint, print_find_joint, 0)(__VA_ARGS__)

#endif
