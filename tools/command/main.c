/*
 * The stiction command: finds the verb and runs it. Errors go to stderr; exit code 0 only when all
 * went well, 1 when something was wrong with the data, 2 for bad usage.
 */
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "help.h"
#include "stiction/stiction.h"

static bool count_fits(const verb *v, size_t count) {
    if (count >= v->least && (v->most == 0 || count <= v->most)) return true;
    complain("%s: %s; usage: stiction %s %s", v->name,
             count < v->least ? "an argument is missing" : "there is an argument too many", v->name,
             v->arguments);
    return false;
}

static int run_verb(const verb *v, int argc, char **argv) {
    void *values = allocate(1, v->options_size);
    memcpy(values, v->defaults, v->options_size);
    text_list arguments = {NULL, 0};
    int status = EXIT_USAGE;
    switch (options_parse(v->name, v->options, argc, argv, values, &arguments)) {
    case OPTIONS_FINE:
        if (count_fits(v, arguments.count)) status = v->run(values, &arguments);
        break;
    case OPTIONS_HELP:
        print_help(v, stdout);
        status = EXIT_FINE;
        break;
    case OPTIONS_WRONG:
        break;
    }
    if (status == EXIT_USAGE) fprintf(stderr, "try: stiction %s --help\n", v->name);
    options_free(v->options, values, &arguments);
    free(values);
    return status;
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    argc -= 2;
    argv += 2;
    if (strcmp(word, "--version") == 0) {
        printf("stiction %s\n", stiction_version());
        return EXIT_FINE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return run_verb(&verb_help, argc, argv);
    const verb *v = find_verb_or_complain(word);
    if (!v) return EXIT_USAGE;
    /* the shell asks: what follows are words of the user, and no options of ours */
    if (v == &verb_help && argc > 0 && strcmp(argv[0], "--complete") == 0) {
        print_completions(argc - 1, argv + 1, stdout);
        return EXIT_FINE;
    }
    return run_verb(v, argc, argv);
}

/* jansson leaves out what it has no memory for: a table would be shorter, and nobody would know. */
static void *allocate_for_json(size_t size) {
    return reallocate(NULL, size, 1);
}

int main(int argc, char **argv) {
    /* a file that becomes too large is an error of writing, told in a sentence */
    (void)signal(SIGXFSZ, SIG_IGN);
    json_set_alloc_funcs(allocate_for_json, free);
    const int status = run(argc, argv);
    /* a full disk must not look like success */
    const int why = flush_output();
    if (!why) return status;
    complain("cannot write the output: %s", strerror(why));
    return status == EXIT_FINE ? EXIT_DATA : status;
}
