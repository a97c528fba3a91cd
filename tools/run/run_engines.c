/* SPDX-License-Identifier: MIT */
/* The engines by their names. */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "run.h"

#define ENGINE_ROW(name) {#name, run_##name, run_check_##name},
static const struct {
    const char *name;
    run_engine *run;
    run_checker *check;
} engines[] = {RUN_ENGINES(ENGINE_ROW)};
enum { engine_count = sizeof engines / sizeof engines[0] };

run_engine *run_find_engine(const char *name) {
    for (size_t k = 0; k < engine_count; k++)
        if (strcmp(engines[k].name, name) == 0) return engines[k].run;
    return NULL;
}

run_checker *run_find_checker(const char *name) {
    for (size_t k = 0; k < engine_count; k++)
        if (strcmp(engines[k].name, name) == 0) return engines[k].check;
    return NULL;
}

char *run_engine_names(void) {
    char *names = NULL;
    for (size_t k = 0; k < engine_count; k++)
        append_text(&names, "%s%s", k ? " or " : "", engines[k].name);
    return names;
}
