/*
 * A progress bar on stderr: only on a terminal, only when it takes long.
 */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "command.h"

static const double patience = 1;   /* s without a bar */
static const double interval = 0.1; /* s between two looks */
enum { bar_width = 40 };

progress progress_begin(const char *what, double total, bool results) {
    const bool wanted = isatty(STDERR_FILENO) && !(results && isatty(STDOUT_FILENO));
    return (progress){
        .what = what, .total = total, .started = monotonic_seconds(), .wanted = wanted};
}

static void show(const progress *p, double done, double elapsed, const char *note) {
    const double part = fmin(done / p->total, 1);
    const int filled = (int)(part * bar_width);
    fprintf(stderr, "\r%s [%.*s%*s] %3.0f %%, %.0f s left%s%s\033[K", p->what, filled,
            "########################################", bar_width - filled, "", 100 * part,
            part > 0 ? elapsed * (1 - part) / part : 0, *note ? ", " : "", note);
}

void progress_update(progress *p, double done, const char *note) {
    if (!p->wanted) return;
    const double t = monotonic_seconds(), elapsed = t - p->started;
    if (elapsed < patience || t - p->shown < interval) return;
    p->shown = t;
    p->visible = true;
    if (p->total > 0)
        show(p, done, elapsed, note);
    else
        fprintf(stderr, "\r%s: %s, %.0f s\033[K", p->what, note, elapsed);
    fflush(stderr);
}

void progress_end(progress *p) {
    if (p->visible) fputs("\r\033[K", stderr);
    p->visible = p->wanted = false;
}
