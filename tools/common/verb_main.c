/* SPDX-License-Identifier: MIT */
/* Runs a verb, for the command and for the programs that it starts. */
#include "verb_main.h"

#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/* The width of "--name VALUE". */
static int option_width(const option *o) {
    return (int)(2 + strlen(o->name) + (o->value ? 1 + strlen(o->value) : 0));
}

static void print_option(FILE *out, const option *o, int width) {
    fprintf(out, "  --%s%s%s%*s  %s%s\n", o->name, o->value ? " " : "", o->value ? o->value : "",
            width - option_width(o), "", o->help, o->kind == OPTION_TEXTS ? " (repeatable)" : "");
}

void print_help(const verb *v, FILE *out) {
    static const option help = {"help", OPTION_FLAG, NULL, "print this text", 0};
    fprintf(out, "stiction %s: %s\n\nusage: stiction %s %s [OPTIONS]\n\n%s\n\noptions:\n", v->name,
            v->summary, v->name, v->arguments, v->description);
    int width = option_width(&help);
    for (const option *o = v->options; o->name; o++)
        if (option_width(o) > width) width = option_width(o);
    for (const option *o = v->options; o->name; o++) print_option(out, o, width);
    print_option(out, &help, width);
    fprintf(out, "\nexample:\n%s\n", v->example);
}

static bool count_fits(const verb *v, size_t count, stiction_error *error) {
    return (count >= v->least && (v->most == 0 || count <= v->most)) ||
           fail(error, "%s: %s; usage: stiction %s %s", v->name,
                count < v->least ? "an argument is missing" : "one argument too many", v->name,
                v->arguments);
}

int call_verb(const verb *v, verb_action *action, int argc, char **argv) {
    AUTO_FREE void *values = allocate(1, v->options_size);
    memcpy(values, v->defaults, v->options_size);
    text_list arguments = {NULL, 0};
    stiction_error error = {.status = STICTION_OK};
    int status = EXIT_USAGE;
    switch (options_parse(v->name, v->options, argc, argv, values, &arguments, &error)) {
    case OPTIONS_FINE:
        if (count_fits(v, arguments.count, &error)) status = action(values, &arguments, &error);
        break;
    case OPTIONS_HELP:
        print_help(v, stdout);
        status = EXIT_FINE;
        break;
    case OPTIONS_WRONG:
        break;
    }
    if (error.status != STICTION_OK) (void)report_error(&error);
    if (status == EXIT_USAGE) fprintf(stderr, "try: stiction %s --help\n", v->name);
    options_free(v->options, values, &arguments);
    return status;
}

/* jansson drops a value that it has no memory for, and a table would silently be shorter: so the
 * process ends instead. */
static void *allocate_for_json(size_t size) {
    return reallocate(NULL, size, 1);
}

void begin_program(void) {
    /* a file that grows too large is an error of writing */
    (void)signal(SIGXFSZ, SIG_IGN);
    json_set_alloc_funcs(allocate_for_json, free);
}

int finish_program(int status) {
    /* a full disk must not look like success */
    const int why = flush_output();
    if (!why) return status;
    (void)print_error("cannot write the output: %s", strerror(why));
    return status == EXIT_FINE ? EXIT_DATA : status;
}

int run_program(const verb *v, verb_action *action, int argc, char **argv) {
    begin_program();
    return finish_program(call_verb(v, action, argc - 1, argv + 1));
}

char *find_program(const char *name) {
    /* in a build directory; from bin; from libexec */
    static const char *const places[] = {"", "../libexec/stiction/", "../../bin/"};
    char own[PATH_MAX];
    if (!realpath("/proc/self/exe", own)) return NULL;
    *strrchr(own, '/') = '\0';
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        char *path = format_text("%s/%s%s", own, places[k], name);
        if (access(path, X_OK) == 0) return path;
        free(path);
    }
    return NULL;
}
