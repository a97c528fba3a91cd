/*
 * A progress bar on stderr: only on a terminal, only when it takes long.
 */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double patience = 1;   /* s without a bar */
static const double interval = 0.1; /* s between two looks */
enum { bar_width = 40 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_begin(const char *what, double total, bool results) {
    const bool wanted = isatty(STDERR_FILENO) && !(results && isatty(STDOUT_FILENO));
    return (progress){.what = what, .total = total, .started = now(), .wanted = wanted};
}

static void show(const progress *p, double done, double elapsed) {
    const double part = fmin(done / p->total, 1);
    const int filled = (int)(part * bar_width);
    fprintf(stderr, "\r%s [%.*s%*s] %3.0f %%, %.0f s left \033[K", p->what, filled,
            "########################################", bar_width - filled, "", 100 * part,
            part > 0 ? elapsed * (1 - part) / part : 0);
}

void progress_update(progress *p, double done, double rows) {
    if (!p->wanted) return;
    const double t = now(), elapsed = t - p->started;
    if (elapsed < patience || t - p->shown < interval) return;
    p->shown = t;
    p->visible = true;
    if (p->total > 0)
        show(p, done, elapsed);
    else
        fprintf(stderr, "\r%s: %.0f rows, %.0f s\033[K", p->what, rows, elapsed);
    fflush(stderr);
}

void progress_end(progress *p) {
    if (p->visible) fputs("\r\033[K", stderr);
    p->visible = p->wanted = false;
}
