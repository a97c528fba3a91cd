/* SPDX-License-Identifier: MIT */
/* Every named body must exist; the other specifications must match the number of bodies. */
#include "controller_choice.h"

#include <stdbool.h>
#include <string.h>

#include "controller_host.h"
#include "document/fail.h"
#include "document/names.h"

static bool is_for(const char *body, const char *specification, size_t length) {
    return length && strlen(body) == length && strncmp(body, specification, length) == 0;
}

static stiction_status refuse_body(const char *specification, size_t length,
                                   const char *const *bodies, size_t body_count,
                                   stiction_error *error) {
    char name[200], hint[NAME_HINT_SIZE];
    const size_t kept = length < sizeof name ? length : sizeof name - 1;
    memcpy(name, specification, kept);
    name[kept] = '\0';
    return stiction_fail(error, STICTION_INVALID_CONFIG,
                         "controller '%.300s': there is no body '%s' with joints%s", specification,
                         name, stiction_name_hint(name, bodies, body_count, hint));
}

stiction_status controller_choose(const char *const *specifications, size_t specification_count,
                                  const char *const *bodies, size_t body_count, const char **chosen,
                                  stiction_error *error) {
    size_t without_body = 0, length;
    for (size_t b = 0; b < body_count; b++) chosen[b] = NULL;
    if (specification_count && !body_count && controller_is_none(specifications[0]))
        return stiction_succeed(error);
    if (specification_count && !body_count)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "controller '%.300s': no body has joints", specifications[0]);
    for (size_t k = 0; k < specification_count; k++) {
        const char *rest = controller_without_body(specifications[k], &length);
        if (length) continue;
        for (size_t b = without_body; b < (without_body ? without_body + 1 : body_count); b++)
            if (b < body_count) chosen[b] = rest;
        without_body++;
    }
    if (without_body > 1 && without_body != body_count)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "%zu controllers are given for %zu bodies with joints: give one for "
                             "all, one for each, or BODY=CONTROLLER",
                             without_body, body_count);
    for (size_t k = 0; k < specification_count; k++) {
        const char *rest = controller_without_body(specifications[k], &length);
        size_t found = 0;
        for (size_t b = 0; b < body_count; b++) {
            if (!is_for(bodies[b], specifications[k], length)) continue;
            chosen[b] = rest;
            found++;
        }
        if (length && !found)
            return refuse_body(specifications[k], length, bodies, body_count, error);
    }
    return stiction_succeed(error);
}
