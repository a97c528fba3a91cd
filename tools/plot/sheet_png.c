/* SPDX-License-Identifier: MIT
 * A drawing as PNG, by gnuplot, whose axes are the pixels of the drawing. Script and picture go
 * through files without names, so that no text of a drawing can become a command or a path.
 */
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "common/whole_file.h"
#include "plot.h"
#include "sheet.h"

extern char **environ;

/* Pixels of the PNG per pixel of the drawing. */
enum { scale = 2 };

/* ---- the script ---- */

static void print_box(FILE *out, const sheet_shape *s) {
    const sheet_point at = s->points[0], size = s->points[1];
    fprintf(out,
            "set object rectangle from %.9g,%.9g to %.9g,%.9g back fillcolor rgb '#%06x' "
            "fillstyle solid noborder\n",
            at.x, at.y, at.x + size.x, at.y + size.y, s->colour);
}

static void print_label(FILE *out, const sheet_shape *s) {
    static const char *const anchors[] = {"left", "center", "right"};
    fputs("set label '", out);
    for (const char *c = s->text; *c; c++) {
        if (*c == '\'') fputc('\'', out);
        fputc(*c, out);
    }
    /* cairo's points are 4/3 pixels */
    fprintf(out, "' at %.9g,%.9g %s %s front font 'DejaVu Sans,%g' textcolor rgb '#%06x'\n",
            s->points[0].x, s->points[0].y, anchors[s->anchor], s->upright ? "rotate by 90" : "",
            0.75 * s->width, s->colour);
}

static void print_points(FILE *out, const sheet_shape *s, size_t number) {
    fprintf(out, "$shape%zu << END_OF_DATA\n", number);
    for (size_t k = 0; k < s->count; k++) {
        if (isfinite(s->points[k].x) && isfinite(s->points[k].y))
            fprintf(out, "%.9g %.9g\n", s->points[k].x, s->points[k].y);
        else
            fputc('\n', out);
    }
    fputs("END_OF_DATA\n", out);
}

static void print_style(FILE *out, const sheet_shape *s) {
    if (s->kind == SHEET_DOTS) {
        fprintf(out, "with points pointtype 7 pointsize %g linecolor rgb '#%06x'", s->width / 3.6,
                s->colour);
        return;
    }
    fprintf(out, "with lines linewidth %g linecolor rgb '#%06x' dashtype ", s->width, s->colour);
    /* "9 4" of SVG is (9,4) */
    fputs(s->dashes ? "(" : "solid", out);
    for (const char *c = s->dashes; c && *c; c++) fputc(*c == ' ' ? ',' : *c, out);
    if (s->dashes) fputc(')', out);
}

static bool has_points(const sheet_shape *s) {
    return s->kind == SHEET_LINE || s->kind == SHEET_DOTS;
}

static void print_script(FILE *out, const sheet *s) {
    fprintf(out,
            "set terminal pngcairo size %d,%d noenhanced font 'DejaVu Sans,10' fontscale %d "
            "linewidth %d pointscale %d\n"
            "set encoding utf8\nunset border\nunset tics\nunset key\n"
            "set lmargin at screen 0\nset rmargin at screen 1\n"
            "set bmargin at screen 0\nset tmargin at screen 1\n"
            "set xrange [0:%d]\nset yrange [%d:0]\n",
            scale * s->width, scale * s->height, scale, scale, scale, s->width, s->height);
    for (size_t k = 0; k < s->count; k++) {
        if (s->shapes[k].kind == SHEET_BOX) print_box(out, &s->shapes[k]);
        if (s->shapes[k].kind == SHEET_TEXT) print_label(out, &s->shapes[k]);
        if (has_points(&s->shapes[k])) print_points(out, &s->shapes[k], k);
    }
    fputs("plot NaN notitle", out); /* plot needs at least one item */
    for (size_t k = 0; k < s->count; k++) {
        if (!has_points(&s->shapes[k])) continue;
        fprintf(out, ", $shape%zu using 1:2 ", k);
        print_style(out, &s->shapes[k]);
    }
    fputc('\n', out);
}

/* ---- gnuplot ---- */

bool plot_png_possible(void) {
    const char *folders = getenv("PATH");
    char path[4096];
    while (folders && *folders) {
        const size_t length = strcspn(folders, ":");
        const int size = snprintf(path, sizeof path, "%.*s/gnuplot", (int)length, folders);
        if (size < (int)sizeof path && access(path, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* Our environment with a UTF-8 locale, which gnuplot needs for the texts. */
static char **make_environment(void) {
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **all = allocate(count + 2, sizeof *all);
    for (size_t k = 0; k < count; k++)
        if (strncmp(environ[k], locale, strlen("LC_ALL=")) != 0) all[kept++] = environ[k];
    all[kept] = locale;
    return all;
}

/* Runs gnuplot on a script; its output goes to `picture`. Returns 0 or an error number. */
static int run_gnuplot(FILE *script, FILE *picture, int *status) {
    char *const argv[] = {(char *)"gnuplot", (char *)"-", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
    AUTO_FREE char **environment = make_environment();
    const int failure = posix_spawnp(&child, argv[0], &actions, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) return failure;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* Whether the last chunk of the PNG is there: gnuplot exits with 0 even if it could not write. */
static bool is_complete(FILE *picture) {
    static const char last[] = "IEND\xae\x42\x60\x82";
    char end[sizeof last - 1];
    return fseek(picture, -(long)sizeof end, SEEK_END) == 0 &&
           fread(end, 1, sizeof end, picture) == sizeof end && memcmp(end, last, sizeof end) == 0;
}

static bool fail_temporary(stiction_error *error) {
    return fail(error, "cannot write a temporary file: %s", strerror(errno));
}

static bool draw(FILE *script, FILE *picture, stiction_error *error) {
    int status = 0;
    if (fflush(script) != 0 || ferror(script)) return fail_temporary(error);
    rewind(script); /* the child reads from our position */
    const int failure = run_gnuplot(script, picture, &status);
    if (failure == ENOENT)
        return fail(error, "a PNG needs gnuplot: install the Debian package gnuplot-nox, or write "
                           "an SVG");
    if (failure || status) return fail(error, "gnuplot could not draw the picture");
    return is_complete(picture) ||
           fail(error, "gnuplot wrote an incomplete picture; is there space for temporary files?");
}

static bool copy_to(FILE *from, const char *path, stiction_error *error) {
    whole_file to;
    if (!whole_file_begin(&to, path, error)) return false;
    char bytes[4096];
    size_t count;
    rewind(from);
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, count, to.out) != count) break;
    return whole_file_end(&to, error);
}

bool sheet_png(const sheet *s, const char *path, stiction_error *error) {
    FILE *script = tmpfile(), *picture = tmpfile();
    const bool ready = (script && picture) || fail_temporary(error);
    if (ready) print_script(script, s);
    const bool fine = ready && draw(script, picture, error) && copy_to(picture, path, error);
    if (script) fclose(script);
    if (picture) fclose(picture);
    return fine;
}
