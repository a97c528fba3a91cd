/* `stiction replay CONFIG LOG.csv`: an input is a configuration and a log. */
#include <stdio.h>

#include "../../../tools/command/verbs.h"
#include "catch.h"

static bool replay(void *arguments) {
    const int code = verb_replay.run(verb_replay.defaults, arguments);
    must(code == EXIT_FINE || code == EXIT_DATA || code == EXIT_USAGE);
    return code == EXIT_FINE;
}

static void begin(void) {
    must(freopen("/dev/null", "w", stdout) != NULL); /* where the rows go */
}

static void read_replay(const uint8_t *data, size_t size) {
    fuzz_part rest = {data, size}, config = fuzz_next_part(&rest);
    const char *files[] = {fuzz_file("c.yaml", config.data, config.size),
                           fuzz_file("f.csv", rest.data, rest.size)};
    (void)fuzz_catch(replay, &(text_list){files, 2});
}

const fuzz_reader fuzz_replay = {.name = "replay", .begin = begin, .read = read_replay};
