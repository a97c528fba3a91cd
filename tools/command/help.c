/*
 * Help on the terminal, made from the table of verbs.
 */
#include "help.h"

#include <string.h>

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

/* "--name VALUE", as wide as it is. */
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
