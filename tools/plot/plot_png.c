/*
 * A plot as PNG, which gnuplot draws. Script and data go through files without names, so that
 * nothing in a joint's or file's name can be taken for a command.
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

extern char **environ;

/* A string of gnuplot in which nothing is special; a newline cannot be in a title. */
void plot_print_quoted(FILE *out, const char *text) {
    char *all = shown_text(text);
    fputc('\'', out);
    for (const char *c = all; *c; c++) {
        if (*c == '\'') fputc('\'', out);
        fputc(*c, out);
    }
    fputc('\'', out);
    free(all);
}

static void print_setting(FILE *out, const char *name, const char *text) {
    fprintf(out, "set %s ", name);
    plot_print_quoted(out, text);
    fputc('\n', out);
}

/* The dashes of SVG in gnuplot's words: (9,4), or a full line. */
void plot_print_dashes(FILE *out, const char *dashes) {
    fputs(dashes ? "(" : "solid", out);
    for (; dashes && *dashes; dashes++) fputc(*dashes == ' ' ? ',' : *dashes, out);
    if (dashes) fputc(')', out);
}

static void print_data(FILE *out, const plot *p) {
    for (size_t s = 0; s < p->count; s++) {
        const plot_series *series = &p->series[s];
        fprintf(out, "$series%zu << END_OF_DATA\n", s);
        for (size_t k = 0; k < series->count; k++) {
            if (isfinite(series->x[k]) && isfinite(series->y[k]))
                fprintf(out, "%.9g %.9g\n", series->x[k], series->y[k]);
            else
                fputc('\n', out);
        }
        fputs("END_OF_DATA\n", out);
    }
}

static void print_bands(FILE *out, const plot *p, const plot_axis *axis) {
    plot_band band;
    for (size_t k = 0; k < p->band_count; k++)
        if (plot_band_on(axis, &p->bands[k], &band))
            fprintf(out,
                    "set object rectangle from %.9g, graph 0 to %.9g, graph 1 behind "
                    "fillcolor rgb '" PLOT_BAND_COLOUR "' fillstyle solid noborder\n",
                    band.from, band.to);
}

static void print_style(FILE *out, const plot_series *series, const plot_style *style) {
    if (series->points) {
        fprintf(out, "with points pointtype 7 pointsize 0.6 linecolor rgb '%s'", style->colour);
        return;
    }
    fprintf(out, "with lines linewidth 2.2 linecolor rgb '%s' dashtype ", style->colour);
    plot_print_dashes(out, style->dashes);
}

static void print_ticks(FILE *out, char name, const plot_axis *axis) {
    fprintf(out, "set %crange [%.9g:%.9g]\nset %ctics %.9g\n", name, axis->low, axis->high, name,
            axis->step);
    if (!axis->decades) return;
    char text[32];
    const long first = plot_first_tick(axis), count = plot_tick_count(axis);
    fprintf(out, "set %ctics (", name);
    for (long k = first; k < first + count; k++) {
        plot_tick_text(axis, k, text, sizeof text);
        fprintf(out, "%s'%s' %.9g", k > first ? ", " : "", text, (double)k * axis->step);
    }
    fputs(")\n", out);
}

static void print_script(FILE *out, const void *user) {
    const plot *p = user;
    const plot_axis x = plot_x_axis(p, 8), y = plot_y_axis(p, 8);
    fputs("set terminal pngcairo size 1600,1000 noenhanced font 'DejaVu Sans,22' linewidth 2\n"
          "set encoding utf8\n"
          "set border 15 linecolor rgb '#555555'\n"
          "set grid linetype 1 linecolor rgb '#e4e4e4'\n"
          "set xzeroaxis linetype 1 linecolor rgb '#9a9a9a'\n"
          "set yzeroaxis linetype 1 linecolor rgb '#9a9a9a'\n"
          "set tics scale 0 textcolor rgb '#222222'\n"
          "set key top left Left reverse box linecolor rgb '#cccccc' opaque spacing 1.2\n",
          out);
    print_setting(out, "title", p->title);
    print_setting(out, "xlabel", p->x_label);
    print_setting(out, "ylabel", p->y_label);
    print_ticks(out, 'x', &x);
    print_ticks(out, 'y', &y);
    if (p->count < 2) fputs("unset key\n", out);
    print_bands(out, p, &x);
    print_data(out, p);
    for (size_t s = 0; s < p->count; s++) {
        fprintf(out, "%s$series%zu using 1:2 ", s ? ", " : "plot ", s);
        print_style(out, &p->series[s], plot_style_of(s));
        fputs(" title ", out);
        plot_print_quoted(out, p->series[s].label);
    }
    fputc('\n', out);
}

/* Our environment with a locale that has the degree sign of gnuplot's own texts. */
static char **environment_of_gnuplot(void) {
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **all = allocate(count + 2, sizeof *all);
    for (size_t k = 0; k < count; k++)
        if (strncmp(environ[k], locale, strlen("LC_ALL=")) != 0) all[kept++] = environ[k];
    all[kept] = locale;
    return all;
}

/* Runs gnuplot on a script, its picture going to `picture`. 0, or an error number. */
static int run_gnuplot(FILE *script, FILE *picture, int *status) {
    char *const argv[] = {(char *)"gnuplot", (char *)"-", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
    char **environment = environment_of_gnuplot();
    const int failure = posix_spawnp(&child, argv[0], &actions, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (failure) return failure;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* gnuplot ends well where it could not write: a PNG is whole where its last chunk is there. */
static bool is_whole(FILE *picture) {
    static const char last[] = "IEND\xae\x42\x60\x82";
    char end[sizeof last - 1];
    return fseek(picture, -(long)sizeof end, SEEK_END) == 0 &&
           fread(end, 1, sizeof end, picture) == sizeof end && memcmp(end, last, sizeof end) == 0;
}

static bool draw(FILE *script, FILE *picture) {
    int status = 0;
    if (fflush(script) != 0 || ferror(script))
        return complain("cannot write a temporary file: %s", strerror(errno));
    rewind(script); /* the child begins where we are */
    const int failure = run_gnuplot(script, picture, &status);
    if (failure == ENOENT)
        return complain("a PNG needs gnuplot, which is not there: install the Debian package "
                        "gnuplot-nox, or write an SVG");
    if (failure || status) return complain("gnuplot could not draw the picture");
    return is_whole(picture) ||
           complain("gnuplot drew half of the picture: is there room for temporary files?");
}

/* False after a sentence. */
static bool copy_to(FILE *from, const char *path) {
    whole_file to;
    if (!whole_file_begin(&to, path)) return false;
    char bytes[4096];
    size_t count;
    rewind(from);
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, count, to.out) != count) break;
    return whole_file_end(&to);
}

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

bool plot_gnuplot(void (*print)(FILE *out, const void *user), const void *user, const char *path) {
    FILE *script = tmpfile(), *picture = tmpfile();
    const bool ready =
        (script && picture) || complain("cannot make a temporary file: %s", strerror(errno));
    if (ready) print(script, user);
    /* only a picture that is whole takes the place of what is there */
    const bool fine = ready && draw(script, picture) && copy_to(picture, path);
    if (script) fclose(script);
    if (picture) fclose(picture);
    return fine;
}

bool plot_png(const plot *p, const char *path) {
    return plot_gnuplot(print_script, p, path);
}
