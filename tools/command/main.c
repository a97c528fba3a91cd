/* SPDX-License-Identifier: MIT
 * The stiction command: finds the verb and runs it. Errors go to stderr; exit code 0 only when all
 * went well, 1 when something was wrong with the data, 2 for bad usage.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/verb_main.h"
#include "document/names.h"
#include "stiction/stiction.h"
#include "verbs.h"

/* ---- the table of verbs ---- */

#define VERB_ENTRY(name) &verb_##name,
const verb *const verbs[] = {VERBS(VERB_ENTRY) NULL};

enum { verb_count = sizeof verbs / sizeof verbs[0] - 1 };

const verb *find_verb(const char *name) {
    for (size_t k = 0; k < verb_count; k++)
        if (strcmp(verbs[k]->name, name) == 0) return verbs[k];
    return NULL;
}

const verb *find_verb_or_fail(const char *name, stiction_error *error) {
    const verb *found = find_verb(name);
    if (found) return found;
    const char *names[verb_count];
    for (size_t k = 0; k < verb_count; k++) names[k] = verbs[k]->name;
    char hint[NAME_HINT_SIZE];
    (void)fail(error, "there is no verb '%s'%s (see stiction --help)", name,
               stiction_name_hint(name, names, verb_count, hint));
    return NULL;
}

/* ---- running one ---- */

/* As git does with its subcommands: the program replaces this process. */
static int become_program(const verb *v, char **argv) {
    AUTO_FREE char *path = find_program(v->program);
    if (path) (void)execv(path, argv);
    (void)print_error("%s: cannot start the program %s: %s", v->name, v->program,
                      path ? strerror(errno) : "it is not installed (package stiction-extras)");
    return EXIT_DATA;
}

static int run_verb(const verb *v, int argc, char **argv) {
    /* argv[-1] is the name of the verb */
    return v->program ? become_program(v, argv - 1) : call_verb(v, v->run, argc, argv);
}

static int find_and_run(int argc, char **argv) {
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
    stiction_error error;
    const verb *v = find_verb_or_fail(word, &error);
    if (!v) {
        (void)report_error(&error);
        return EXIT_USAGE;
    }
    /* for the shell: what follows are words of the user, not options of ours */
    if (v == &verb_help && argc > 0 && strcmp(argv[0], "--complete") == 0) {
        print_completions(argc - 1, argv + 1, stdout);
        return EXIT_FINE;
    }
    return run_verb(v, argc, argv);
}

int main(int argc, char **argv) {
    begin_program();
    return finish_program(find_and_run(argc, argv));
}
