/* SPDX-License-Identifier: MIT
 * The man page in roff, made from the table of verbs.
 */
#include "help.h"
#include "stiction/stiction.h"

/* Text in which nothing is a command of roff; an empty line begins a paragraph. */
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

void print_man(FILE *out) {
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
