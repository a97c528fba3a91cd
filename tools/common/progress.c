/*
 * A progress bar on stderr: only on a terminal, only when it takes long.
 */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "terminal.h"

static const double patience = 1;   /* s without a bar */
static const double interval = 0.1; /* s between two looks */
enum { widest_bar = 40, narrowest_bar = 10 };

progress progress_begin(const char *what, double total, bool results) {
    const bool wanted = isatty(STDERR_FILENO) && !(results && isatty(STDOUT_FILENO));
    return (progress){
        .what = what, .total = total, .started = monotonic_seconds(), .wanted = wanted};
}

/* "NAME [####    ]  40 %, 3 s left, NOTE" in so many columns; the bar gives way first. */
static char *line_with_bar(const char *name, double part, double elapsed, const char *note,
                           size_t columns) {
    static const char hashes[] = "########################################";
    char *left =
        part > 0 ? format_text(", %.0f s left", elapsed * (1 - part) / part) : copy_text("");
    char *rest = format_text("%3.0f %%%s%s%s", 100 * part, left, *note ? ", " : "", note);
    free(left);
    const size_t taken = text_columns(name) + strlen(" [] ") + text_columns(rest);
    const size_t room = columns > taken ? columns - taken : 0;
    const int bar = room < widest_bar ? (int)room : widest_bar, filled = (int)(part * bar);
    char *line = bar < narrowest_bar
                     ? format_text("%s %s", name, rest)
                     : format_text("%s [%.*s%*s] %s", name, filled, hashes, bar - filled, "", rest);
    free(rest);
    return line;
}

/* The terminal may have another width each time. Its last column stays free: a line that fills it
 * takes two rows in some terminals, of which only one would be overwritten. */
static void show(const progress *p, double done, double elapsed, const char *note) {
    const size_t columns = terminal_size_of(stderr).columns - 1;
    char *name = text_fit_end(p->what, columns / 3);
    char *line = p->total > 0
                     ? line_with_bar(name, fmin(done / p->total, 1), elapsed, note, columns)
                     : format_text("%s: %s, %.0f s", name, note, elapsed);
    char *fitting = text_fit(line, columns);
    fprintf(stderr, "\r%s\033[K", fitting);
    (void)fflush(stderr);
    free(fitting);
    free(line);
    free(name);
}

void progress_update(progress *p, double done, const char *note) {
    if (!p->wanted) return;
    const double t = monotonic_seconds(), elapsed = t - p->started;
    if (elapsed < patience || t - p->shown < interval) return;
    p->shown = t;
    p->visible = true;
    show(p, done, elapsed, note);
}

void progress_end(progress *p) {
    if (p->visible) fputs("\r\033[K", stderr);
    p->visible = p->wanted = false;
}
