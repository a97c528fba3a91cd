/* SPDX-License-Identifier: MIT */
/* JSON that is read. */
#include "json_in.h"

#include <errno.h>
#include <string.h>

#include "document/fail.h"
#include "document/file.h"

/* After "near" jansson quotes the file, which may be untrusted. If memory runs out it reports
 * nothing or a syntax error; errno tells them apart. */
static void refuse(const char *path, const json_error_t *why, stiction_error *error) {
    const char *near = strstr(why->text, " near '");
    const int length = near ? (int)(near - why->text) : (int)strlen(why->text);
    if (errno == ENOMEM || json_error_code(why) == json_error_out_of_memory)
        (void)stiction_fail_at(error, STICTION_OUT_OF_MEMORY, (stiction_place){path, 0, 0},
                               "out of memory");
    else
        (void)stiction_fail_at(error, STICTION_INVALID_CONFIG,
                               (stiction_place){path, why->line, why->column},
                               "this is not JSON: %.*s", length, why->text);
}

json_t *json_in_parse(const char *text, size_t size, const char *path, stiction_error *error) {
    json_error_t why;
    errno = 0;
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!json) refuse(path, &why, error);
    return json;
}

json_t *json_in_read(const char *path, stiction_error *error) {
    file_problem problem;
    arena memory = {0};
    size_t size;
    const char *text = stiction_file_read(&memory, path, FILE_MOST_SUMMARY, &size, &problem);
    if (!text) {
        (void)stiction_fail_at(error, problem.status, (stiction_place){path, 0, 0}, "%s",
                               problem.text);
        return NULL;
    }
    json_t *json = json_in_parse(text, size, path, error);
    stiction_arena_free(&memory);
    return json;
}
