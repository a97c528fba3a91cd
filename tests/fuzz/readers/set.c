/* SPDX-License-Identifier: MIT */
/* --set KEY=VALUE, a line each. */
#include <stdlib.h>
#include <string.h>

#include "../fuzz.h"
#include "common/command.h"
#include "common/options.h"
#include "mujoco/overrides.h"

static void read_set(const uint8_t *data, size_t size) {
    char *text = fuzz_text((fuzz_part){data, size});
    text_list given = {.items = NULL};
    stiction_error error;
    overrides o;
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = '\0';
        text_list_add(&given, line);
        if (!overrides_check(line, (stiction_place){"f.yaml", 3, 7}, false, &error))
            must_be_told(&error);
    }
    if (!overrides_read(&o, given.items, given.count, false, &error)) must_be_told(&error);
    overrides_free(&o);
    free((void *)given.items);
    free(text);
}

const fuzz_reader fuzz_set = {.name = "set", .read = read_set};
