/* SPDX-License-Identifier: MIT
 * Progress on stderr: a bar on a terminal, else a line now and then, only when it takes long.
 */
#include "progress.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "terminal.h"

static const double patience = 1;       /* s without a bar */
static const double between_bars = 0.1; /* s */
static const double between_lines = 30; /* s, where the environment gives nothing else */
static const double most_silence = 20;  /* such times without a line, whatever was done */
enum { widest_bar = 40, narrowest_bar = 10 };

/* s between two lines of a log */
static double interval_of_lines(void) {
    const char *given = getenv(PROGRESS_INTERVAL);
    double interval;
    return given && read_number(given, &interval) && interval >= 0 ? interval : between_lines;
}

progress progress_begin(const char *what, double total, bool results) {
    const bool terminal = isatty(STDERR_FILENO);
    return (progress){.what = what,
                      .total = total,
                      .started = monotonic_seconds(),
                      .interval = terminal ? 0 : interval_of_lines(),
                      .wanted = terminal && !(results && isatty(STDOUT_FILENO)),
                      .printed = true};
}

char *duration_text(double seconds) {
    const double minutes = floor(seconds / 60 + 0.5);
    if (!(seconds >= 100)) return format_text("%.0f s", seconds);
    if (minutes < 100) return format_text("%.0f min", minutes);
    return format_text("%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
}

/* ", 3 s left", or "" */
static char *time_left(double part, double elapsed) {
    if (!(part > 0)) return copy_text("");
    AUTO_FREE char *left = duration_text(elapsed * (1 - part) / part);
    return format_text(", %s left", left);
}

/* ---- a bar ---- */

/* "NAME [####    ]  40 %, 3 s left, NOTE" in so many columns; the bar gives way first. */
static char *line_with_bar(const char *name, double part, double elapsed, const char *note,
                           size_t columns) {
    static const char hashes[] = "########################################";
    AUTO_FREE char *left = time_left(part, elapsed);
    AUTO_FREE char *rest = format_text("%3.0f %%%s%s%s", 100 * part, left, *note ? ", " : "", note);
    const size_t taken = text_columns(name) + strlen(" [] ") + text_columns(rest);
    const size_t room = columns > taken ? columns - taken : 0;
    const int bar = room < widest_bar ? (int)room : widest_bar, filled = (int)(part * bar);
    return bar < narrowest_bar
               ? format_text("%s %s", name, rest)
               : format_text("%s [%.*s%*s] %s", name, filled, hashes, bar - filled, "", rest);
}

/* The terminal may have another width each time. Its last column stays free: a line that fills it
 * takes two rows in some terminals, of which only one would be overwritten. */
static void show_bar(const progress *p, double elapsed) {
    const size_t columns = terminal_size_of(stderr).columns - 1;
    AUTO_FREE char *name = text_fit_end(p->what, columns / 3);
    AUTO_FREE char *line =
        p->total > 0 ? line_with_bar(name, fmin(p->done / p->total, 1), elapsed, p->note, columns)
                     : format_text("%s: %s, %.0f s", name, p->note, elapsed);
    AUTO_FREE char *fitting = text_fit(line, columns);
    fprintf(stderr, "\r%s\033[K", fitting);
    (void)fflush(stderr);
}

/* ---- a log ---- */

static double part_of(const progress *p) {
    return p->total > 0 ? fmin(p->done / p->total, 1) : 0;
}

/* Whether one of 1, 2, 5, 10, 20, 30 ... 100 % lies between two parts. */
static bool passes_mark(double before, double now) {
    static const double marks[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4,
                                   0.5,  0.6,  0.7,  0.8, 0.9, 1};
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++)
        if (before < marks[k] && now >= marks[k]) return true;
    return false;
}

static bool line_is_due(const progress *p, double t) {
    if (!(p->interval > 0) || t - p->started < p->interval / 6) return false;
    if (!p->shown) return true;
    const double silence = t - p->shown;
    return silence >= p->interval &&
           (silence >= most_silence * p->interval || passes_mark(p->part, part_of(p)));
}

/* "16:20:31 sweep: 10 %, 20 of 200 done, 0 failed, 12.3 a second, 15 s left" */
static void print_line(progress *p, double elapsed) {
    const double part = part_of(p);
    char clock[16] = "";
    struct tm broken;
    const time_t now = time(NULL);
    if (localtime_r(&now, &broken)) (void)strftime(clock, sizeof clock, "%H:%M:%S ", &broken);
    AUTO_FREE char *percent = p->total > 0 ? format_text("%.0f %%, ", 100 * part) : copy_text("");
    AUTO_FREE char *rate = p->counts && p->done > 0 && elapsed > 0
                               ? format_text(", %.3g a second", p->done / elapsed)
                               : copy_text("");
    AUTO_FREE char *took = duration_text(elapsed), *left = time_left(part, elapsed);
    AUTO_FREE char *end = part > 0 && part < 1 ? copy_text(left) : format_text(", after %s", took);
    print_note("%s%s: %s%s%s%s", clock, p->what, percent, p->note, rate, end);
    (void)fflush(stderr);
    p->part = part;
    p->printed = true;
}

/* ---- both ---- */

void progress_update(progress *p, double done, const char *note) {
    if (!p->wanted && !(p->interval > 0)) return;
    p->done = done;
    p->printed = false;
    (void)snprintf(p->note, sizeof p->note, "%s", note);
    const double t = monotonic_seconds(), elapsed = t - p->started;
    if (p->wanted ? elapsed < patience || t - p->shown < between_bars : !line_is_due(p, t)) return;
    p->shown = t;
    p->visible = true;
    if (p->wanted)
        show_bar(p, elapsed);
    else
        print_line(p, elapsed);
}

void progress_end(progress *p) {
    if (p->visible && p->wanted) fputs("\r\033[K", stderr);
    /* a log that has a line also has the end */
    if (p->visible && !p->wanted && !p->printed) print_line(p, monotonic_seconds() - p->started);
    p->visible = p->wanted = false;
    p->interval = 0;
}

void progress_count(progress *p, size_t done, size_t failed, const char *more) {
    char note[sizeof p->note];
    (void)snprintf(note, sizeof note, "%zu of %.0f done, %zu failed%s", done, p->total, failed,
                   more);
    p->counts = true;
    progress_update(p, (double)done, note);
}
