/*
 * The stiction command: finds the verb and runs it. Errors go to stderr; exit code 0 only when all
 * went well, 1 when something was wrong with the data, 2 for bad usage.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/verb.h"
#include "document/names.h"
#include "help.h"
#include "stiction/stiction.h"

const verb *const verbs[] = {&verb_run,  &verb_sweep,  &verb_merge,     &verb_check, &verb_curve,
                             &verb_init, &verb_replay, &verb_reproduce, &verb_bench, NULL};

const verb *find_verb(const char *name) {
    for (const verb *const *v = verbs; *v; v++)
        if (strcmp((*v)->name, name) == 0) return *v;
    return NULL;
}

/* ---- what is no verb ---- */

static int unknown_verb(const char *name) {
    const char *names[64];
    size_t count = 0;
    for (const verb *const *v = verbs; *v; v++) names[count++] = (*v)->name;
    names[count++] = "help";
    complain("there is no verb '%s'; the nearest is '%s' (see stiction --help)", name,
             stiction_nearest_name(name, names, count));
    return EXIT_USAGE;
}

static int run_version(int argc, char **argv) {
    (void)argc, (void)argv;
    printf("stiction %s\n", stiction_version());
    return EXIT_FINE;
}

static int run_help(int argc, char **argv) {
    if (argc == 0) {
        print_overview(stdout);
        return EXIT_FINE;
    }
    if (strcmp(argv[0], "--man") == 0) {
        print_man(stdout);
        return EXIT_FINE;
    }
    if (strcmp(argv[0], "--complete") == 0) {
        print_completions(argc - 1, argv + 1, stdout);
        return EXIT_FINE;
    }
    const verb *v = find_verb(argv[0]);
    if (!v) return unknown_verb(argv[0]);
    print_help(v, stdout);
    return EXIT_FINE;
}

static const struct {
    const char *word;
    int (*run)(int argc, char **argv);
} others[] = {
    {"--version", run_version},
    {"--help", run_help},
    {"-h", run_help},
    {"help", run_help},
};

/* ---- a verb ---- */

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
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (strcmp(argv[1], others[k].word) == 0) return others[k].run(argc - 2, argv + 2);
    const verb *v = find_verb(argv[1]);
    return v ? run_verb(v, argc - 2, argv + 2) : unknown_verb(argv[1]);
}

int main(int argc, char **argv) {
    const int status = run(argc, argv);
    /* a full disk must not look like success */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("cannot write the output: %s", strerror(errno));
        return status == EXIT_FINE ? EXIT_DATA : status;
    }
    return status;
}
