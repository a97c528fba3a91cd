/* SPDX-License-Identifier: MIT */
/* `stiction replay CONFIG LOG.csv`: an input is a configuration and a log. */
#include <stdio.h>

#include "../../../tools/command/verbs.h"
#include "../fuzz.h"
#include "common/command.h"

static void begin(void) {
    must(freopen("/dev/null", "w", stdout) != NULL); /* where the rows go */
}

static void read_replay(const uint8_t *data, size_t size) {
    fuzz_part rest = {data, size}, config = fuzz_next_part(&rest);
    const char *files[] = {fuzz_file("c.yaml", config.data, config.size),
                           fuzz_file("f.csv", rest.data, rest.size)};
    stiction_error error = {.status = STICTION_OK};
    const int code = verb_replay.run(verb_replay.defaults, &(text_list){files, 2}, &error);
    must(code == EXIT_FINE || code == EXIT_DATA || code == EXIT_USAGE);
}

const fuzz_reader fuzz_replay = {.name = "replay", .begin = begin, .read = read_replay};
