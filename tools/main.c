/*
 * The stiction command: finds the verb and runs it. Errors go to stderr; exit code 0 only when all
 * went well, 1 when something was wrong with the data, 2 for bad usage.
 */
#include <stdio.h>
#include <string.h>

#include "stiction/stiction.h"

static void print_help(FILE *out) {
    fputs("stiction: joint friction that really sticks, for robot simulators\n"
          "\n"
          "usage: stiction --help | --version\n"
          "\n"
          "The library is libstiction; see README.md for how to call it.\n",
          out);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("stiction %s\n", stiction_version());
        return 0;
    }
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(stdout);
        return 0;
    }
    if (argc > 1) fprintf(stderr, "stiction: there is no verb '%s'\n", argv[1]);
    print_help(stderr);
    return 2;
}
