/* SPDX-License-Identifier: MIT
 * stiction help: what there is, or what a verb does.
 */
#include "help.h"

typedef struct help_options {
    bool man;
} help_options;

static int print_asked(const void *given, const text_list *arguments, stiction_error *error) {
    const help_options *o = given;
    if (o->man) {
        print_man(stdout);
    } else if (arguments->count == 0) {
        print_overview(stdout);
    } else {
        const verb *v = find_verb_or_fail(arguments->items[0], error);
        if (!v) return EXIT_USAGE;
        print_help(v, stdout);
    }
    return EXIT_FINE;
}

static const help_options defaults = {.man = false};

static const option options_of_help[] = {
    {"man", OPTION_FLAG, NULL, "the man page of all verbs, in roff", offsetof(help_options, man)},
    {.name = NULL},
};

const verb verb_help = {
    .name = "help",
    .summary = "what a verb does: stiction help VERB, or stiction VERB --help",
    .arguments = "[VERB]",
    .least = 0,
    .most = 1,
    .options = options_of_help,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .description = "Lists the verbs, or says of one what it does, what it takes and which options\n"
                   "it has, with an example.",
    .example = "  stiction help\n"
               "  stiction help curve\n"
               "  stiction help --man | man -l -",
    .run = print_asked,
};
