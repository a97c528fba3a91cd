/* --set KEY=VALUE, a line each. */
#include <stdlib.h>
#include <string.h>

#include "catch.h"
#include "run/settings.h"

static bool read_all(void *given) {
    settings s;
    const bool fine = settings_read(&s, given);
    settings_free(&s);
    return fine;
}

static bool check_one(void *text) {
    return settings_check(text, (stiction_place){"f.yaml", 3, 7});
}

static void read_set(const uint8_t *data, size_t size) {
    char *text = fuzz_text((fuzz_part){data, size});
    text_list given = {.items = NULL};
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = '\0';
        text_list_add(&given, line);
        (void)fuzz_catch(check_one, line);
    }
    (void)fuzz_catch(read_all, &given);
    free((void *)given.items);
    free(text);
}

const fuzz_reader fuzz_set = {.name = "set", .read = read_set};
