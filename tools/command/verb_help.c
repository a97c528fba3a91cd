/* SPDX-License-Identifier: MIT
 * stiction help: help on the terminal and the man page, made from the table of verbs.
 */
#include <string.h>

#include "common/verb_main.h"
#include "stiction/stiction.h"
#include "verbs.h"

static const char headline[] = "stiction: joint friction that really sticks, for robot simulators";

void print_overview(FILE *out) {
    int width = 0;
    for (const verb *const *v = verbs; *v; v++)
        if ((int)strlen((*v)->name) > width) width = (int)strlen((*v)->name);
    fprintf(out, "%s\n\nusage: stiction VERB ARGUMENTS [OPTIONS]\n\nverbs:\n", headline);
    for (const verb *const *v = verbs; *v; v++)
        fprintf(out, "  %-*s  %s\n", width, (*v)->name, (*v)->summary);
    fputs("\nstiction --version prints the version. Exit codes: 0 all went well, 1 something\n"
          "is wrong with a file, 2 bad usage.\n",
          out);
}

/* ---- the man page ---- */

/* Escapes what roff would execute; an empty line begins a paragraph. */
static void print_escaped(FILE *out, const char *text) {
    bool line_starts = true;
    for (; *text; text++) {
        if (line_starts && (*text == '.' || *text == '\'')) fputs("\\&", out);
        if (line_starts && *text == '\n')
            fputs(".PP\n", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
        line_starts = *text == '\n';
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const option *o) {
    fprintf(out, ".TP\n\\fB\\-\\-%s\\fR \\fI%s\\fR\n", o->name, o->value ? o->value : "");
    print_escaped(out, o->help);
    if (o->kind == OPTION_TEXTS) fputs("(repeatable)\n", out);
}

static void print_verb(FILE *out, const verb *v) {
    fprintf(out, ".SS stiction %s \\fI%s\\fR [\\fIOPTIONS\\fR]\n", v->name, v->arguments);
    print_escaped(out, v->description);
    for (const option *o = v->options; o->name; o++) print_option(out, o);
    fputs(".PP\nExample:\n.PP\n.EX\n", out);
    print_escaped(out, v->example);
    fputs(".EE\n", out);
}

static void print_man(FILE *out) {
    fprintf(out, ".TH STICTION 1 \"\" \"stiction %s\" \"User Commands\"\n", stiction_version());
    fputs(".SH NAME\nstiction \\- joint friction that really sticks, for robot simulators\n"
          ".SH SYNOPSIS\n\\fBstiction\\fR \\fIVERB\\fR \\fIARGUMENTS\\fR [\\fIOPTIONS\\fR]\n.br\n"
          "\\fBstiction \\-\\-version\\fR\n"
          ".SH DESCRIPTION\n",
          out);
    for (const verb *const *v = verbs; *v; v++) {
        fprintf(out, ".TP\n\\fB%s\\fR\n", (*v)->name);
        print_escaped(out, (*v)->summary);
    }
    fputs(".SH VERBS\n", out);
    for (const verb *const *v = verbs; *v; v++) print_verb(out, *v);
    fputs(".SH EXIT STATUS\n0 all went well, 1 something is wrong with a file or a verdict is\n"
          "negative, 2 bad usage.\n",
          out);
}

/* ---- the verb ---- */

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
    VERB_OPTIONS(options_of_help, defaults),
    .description = "Lists the verbs, or says of one what it does, what it takes and which options\n"
                   "it has, with an example.",
    .example = "  stiction help\n"
               "  stiction help curve\n"
               "  stiction help --man | man -l -",
    .run = print_asked,
};
