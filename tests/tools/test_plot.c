/* SPDX-License-Identifier: MIT
 * Pictures: what is drawn for which data, and what remains on disk when drawing fails.
 */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "plot/plot_axis.h"
#include "temporary_folder.h"

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) count++;
    return count;
}

/* The SVG of panels; the caller frees it. */
static char *svg_of(const panels *p) {
    (void)temporary_folder_make();
    const char *path = temporary_path(temporary_root, "p.svg");
    stiction_error error;
    if (!panels_write(p, path, &error)) FAIL("%s", error.message);
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    CHECK(file && fread(text, 1, (1 << 20) - 1, file) > 0);
    if (file) (void)fclose(file);
    temporary_folder_remove();
    return text;
}

/* ---- axes of names ---- */

enum { most_names = 40 };
static char names[most_names][64];
static const char *name_list[most_names];

static panel_axis axis_of_names(const char *format, size_t count) {
    for (size_t k = 0; k < count; k++) {
        (void)snprintf(names[k], sizeof names[k], format, (int)k);
        name_list[k] = names[k];
    }
    return (panel_axis){.label = "name", .names = name_list, .name_count = count};
}

static panel_axis one_name(void) {
    static const char *const one[] = {"only"};
    return (panel_axis){.label = "other", .names = one, .name_count = 1};
}

/* A heat map over one row of cells. */
static panels heat_of(panel_axis x, const panel_cell *cells, panel *one) {
    *one = (panel){.cells = cells};
    return (panels){.title = "",
                    .x = x,
                    .y = one_name(),
                    .z = {.label = "figure", .low = 0, .high = 1},
                    .panels = one,
                    .count = 1};
}

static const panel_cell half = {.state = PANEL_VALUE, .value = 0.123456};

TEST(long_names_keep_whole_letters_of_both_ends) {
    panel_cell cells[most_names];
    panel one;
    for (int k = 0; k < most_names; k++) cells[k] = half;
    /* both cuts, ten bytes from the ends, fall into a letter of two bytes */
    const panels p = heat_of(axis_of_names("abcdefghi\xC3\xA9----\xC3\xA9"
                                           "1234567%02d",
                                           30),
                             cells, &one);
    char *text = svg_of(&p);
    CHECK_CONTAINS(text, ">abcdefghi\xE2\x80\xA6"
                         "123456700<");
    CHECK_CONTAINS(text, "123456702<");
    CHECK(!strstr(text, "123456701<")); /* thirty have no room: every other one */
    CHECK(count_of(text, "\xE2\x80\xA6") == 15);
    CHECK(count_of(text, "rotate(-90)") == 15 + 2); /* upright, as the labels of y and z */
    free(text);
    /* short ones lie */
    const panels q = heat_of(axis_of_names("%d", 4), cells, &one);
    text = svg_of(&q);
    CHECK(count_of(text, "rotate(-90)") == 2 && !strstr(text, "\xE2\x80\xA6"));
    free(text);
}

/* ---- cells ---- */

TEST(cells_have_as_many_digits_as_there_is_room_for) {
    static const struct {
        size_t columns;
        const char *text;
    } cases[] = {{4, ">0.123<"}, {16, ">0.12<"}, {40, NULL}};
    panel_cell cells[most_names];
    panel one;
    for (int k = 0; k < most_names; k++) cells[k] = half;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const panels p = heat_of(axis_of_names("%d", cases[k].columns), cells, &one);
        AUTO_FREE char *text = svg_of(&p);
        CHECK(count_of(text, ">0.12") == (cases[k].text ? cases[k].columns : 0));
        if (cases[k].text) CHECK(count_of(text, cases[k].text) == cases[k].columns);
        CHECK(count_of(text, "crispEdges") == 128 + cases[k].columns);
    }
    /* nor where the rows are flat */
    panels flat = heat_of(one_name(), cells, &one);
    flat.y = axis_of_names("%d", 40);
    AUTO_FREE char *text = svg_of(&flat);
    CHECK(!strstr(text, ">0.123<") && count_of(text, "crispEdges") == 128 + 40);
}

TEST(cells_without_a_value_are_distinguished_and_explained) {
    panel_cell cells[] = {half,
                          {.state = PANEL_EMPTY},
                          {.state = PANEL_NONE},
                          {.state = PANEL_FAILED},
                          {.state = PANEL_VALUE, .value = 0.75, .some_failed = true}};
    panel one;
    panels p = heat_of(axis_of_names("%d", 5), cells, &one);
    p.z.note = "worst of several runs";
    p.title = "A <title>";
    char *text = svg_of(&p);
    CHECK_CONTAINS(text, ">A &lt;title&gt;<");
    CHECK_CONTAINS(text, ">worst of several runs<");
    CHECK_CONTAINS(text, ">failed<");
    CHECK_CONTAINS(text, ">no value<");
    CHECK_CONTAINS(text, ">\xE2\x80\x93<");             /* the cell that has none */
    CHECK(count_of(text, "#dddddd") == 2);              /* it, and the legend */
    CHECK(count_of(text, "stroke-width=\"2.5\"") == 1); /* the corner of the last */
    CHECK(count_of(text, ">0.123<") == 1 && count_of(text, ">0.75<") == 1);
    CHECK(count_of(text, "crispEdges") == 128 + 4); /* three cells and a key of the legend */
    free(text);
    cells[2] = cells[3] = cells[4] = half;
    text = svg_of(&p);
    CHECK(!strstr(text, ">failed<") && !strstr(text, ">no value<"));
    free(text);
}

/* ---- lines ---- */

static const double four[] = {1, 2, 3, 4}, steps_of_four[] = {0.1, 0.2, 0.3, 0.4};

static panels lines_of(panel *one, const plot_series *series, size_t count) {
    *one = (panel){.series = series, .series_count = count};
    return (panels){.title = "",
                    .x = {.label = "x (s)", .low = 1, .high = 4},
                    .y = {.label = "y (rad)", .low = 0, .high = 0.5},
                    .panels = one,
                    .count = 1};
}

TEST(logarithmic_axes_have_ticks_that_fit_their_span) {
    static const struct {
        double low, high;
        const char *there[4], *absent[3];
    } cases[] = {
        {2, 8, {">2<", ">3<", ">7<", ">8<"}, {">10<", ">1<"}},            /* within a decade */
        {1, 100, {">1<", ">2<", ">5<", ">50<"}, {">3<", ">1000<"}},       /* two */
        {1, 1e5, {">1<", ">10<", ">100<", ">10000<"}, {">2<", ">5<"}},    /* a few */
        {1e-20, 1e20, {">1<", ">1e-20<", ">1e+20<"}, {">10<", ">1e+19<"}} /* many */
    };
    panel one;
    const double *y = steps_of_four;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double x[] = {cases[k].low, cases[k].high};
        const plot_series series = {.label = "a", .x = x, .y = y, .count = 2};
        panels p = lines_of(&one, &series, 1);
        p.x = (panel_axis){.label = "x", .low = x[0], .high = x[1], .log = true};
        p.y.low = 0.1;
        AUTO_FREE char *text = svg_of(&p);
        for (int n = 0; n < 4; n++)
            if (cases[k].there[n]) CHECK_CONTAINS(text, cases[k].there[n]);
        for (int n = 0; n < 3; n++)
            if (cases[k].absent[n] && strstr(text, cases[k].absent[n]))
                FAIL("case %zu has %s", k, cases[k].absent[n]);
    }
}

TEST(marks_that_would_lie_on_each_other_are_left_out) {
    static const double marks[] = {1, 1.001, 2, 4};
    panel one;
    const plot_series series = {.label = "a", .x = four, .y = steps_of_four, .count = 4};
    panels p = lines_of(&one, &series, 1);
    p.x.marks = marks;
    p.x.mark_count = 4;
    AUTO_FREE char *text = svg_of(&p);
    CHECK_CONTAINS(text, ">1<");
    CHECK(!strstr(text, ">1.001<") && !strstr(text, ">3<"));
    CHECK_CONTAINS(text, ">2<");
    CHECK_CONTAINS(text, ">4<");
}

TEST(failures_are_crosses_and_points_beyond_the_axis_are_not_drawn) {
    static const double y[] = {0.1, 7, -7, (double)NAN}, failed[] = {3, 4};
    panel one;
    const plot_series two[] = {{.label = "one", .x = four, .y = steps_of_four, .count = 4},
                               {.label = "other", .x = four, .y = y, .count = 4, .points = true}};
    panels p = lines_of(&one, two, 2);
    one.failed = failed;
    one.failed_count = 2;
    p.y.note = "worst of several runs";
    char *text = svg_of(&p);
    CHECK(count_of(text, "h0") == 1 + 1);                   /* and one in the legend */
    CHECK(count_of(text, "stroke-width=\"1.6\"") == 2 * 3); /* and one in the legend */
    CHECK_CONTAINS(text, ">failed<");
    CHECK_CONTAINS(text, ">worst of several runs<");
    CHECK_CONTAINS(text, ">other<");
    free(text);
    /* lines over names, which have no grid */
    p.x = axis_of_names("law %d", 5);
    text = svg_of(&p);
    CHECK(count_of(text, ">law ") == 5);
    free(text);
    /* one line alone needs no legend, but for what failed */
    one.series_count = 1;
    text = svg_of(&p);
    CHECK(!strstr(text, ">one<") && strstr(text, ">failed<"));
    free(text);
}

TEST(panels_stand_in_rows_that_fit_a_page) {
    static const struct {
        size_t count, columns;
    } cases[] = {{1, 1}, {2, 2}, {3, 3}, {4, 2}, {5, 3}, {9, 3}, {10, 4}, {16, 4}};
    const plot_series series = {
        .label = "a", .x = four, .y = steps_of_four, .count = 4, .marked = true};
    panel all[16];
    panel one;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        panels p = lines_of(&one, &series, 1);
        for (size_t n = 0; n < cases[k].count; n++) {
            all[n] = one;
            all[n].title = "panel";
        }
        p.panels = all;
        p.count = cases[k].count;
        AUTO_FREE char *text = svg_of(&p);
        /* those of the first row have one height */
        const char *first = strstr(text, ">panel<");
        char height[40] = "";
        for (const char *c = first; c && c > text; c--)
            if (strncmp(c, " y=\"", 4) == 0) {
                (void)snprintf(height, sizeof height, "%.*s", (int)strcspn(c + 4, "\"") + 5, c);
                break;
            }
        size_t columns = 0;
        for (const char *c = text; (c = strstr(c, height)) != NULL; c++)
            columns += strncmp(strchr(c, '>'), ">panel<", 7) == 0;
        if (columns != cases[k].columns) FAIL("%zu panels in %zu columns", cases[k].count, columns);
        CHECK(count_of(text, ">panel<") == cases[k].count);
        CHECK(count_of(text, "h0") == 4 * cases[k].count);
    }
}

TEST(long_labels_are_smaller) {
    panel one;
    char label[200];
    memset(label, 'x', sizeof label);
    label[100] = '\0';
    const plot_series series = {.label = "a", .x = four, .y = steps_of_four, .count = 4};
    panels p = lines_of(&one, &series, 1);
    p.y.label = label;
    AUTO_FREE char *text = svg_of(&p);
    const char *at = strstr(text, "rotate(-90)"), *size = at ? strstr(at, "font-size=\"") : NULL;
    double read = 0;
    CHECK(size && sscanf(size, "font-size=\"%lf\"", &read) == 1 && read >= 8 && read < 15);
}

/* ---- ticks ---- */

/* All ticks of an axis, each followed by a space. */
static const char *ticks_of(double low, double high, int most) {
    static char all[1024];
    const panel_axis axis = {.low = low, .high = high};
    const plot_ruler r = plot_ruler_make(&axis, 0, most);
    all[0] = '\0';
    for (size_t k = 0; k < r.count; k++) strcat(strcat(all, r.ticks[k].text), " ");
    return all;
}

TEST(ticks_are_round_and_have_as_many_decimals_as_they_need) {
    CHECK(strcmp(ticks_of(-0.5, 0.5, 8), "-0.4 -0.2 0.0 0.2 0.4 ") == 0);
    CHECK(strcmp(ticks_of(0, 1, 8), "0.0 0.2 0.4 0.6 0.8 1.0 ") == 0);
    CHECK(strcmp(ticks_of(-3, 40, 8), "0 10 20 30 40 ") == 0);
    CHECK(strcmp(ticks_of(0, 2e-9, 8), "0 5e-10 1e-09 1.5e-09 2e-09 ") == 0);
    CHECK(strcmp(ticks_of(0, 4e7, 5), "0 1e+07 2e+07 3e+07 4e+07 ") == 0);
}

TEST(axis_without_values_or_with_a_flat_range_has_a_width) {
    static const struct {
        double low, high, least_width;
    } cases[] = {{(double)INFINITY, -(double)INFINITY, 2},
                 {0, 0, 2},
                 {4, 4, 4},
                 {1, 1 + 1e-12, 0.9},
                 {(double)NAN, (double)NAN, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const panel_axis axis = {.low = cases[k].low, .high = cases[k].high};
        const plot_ruler r = plot_ruler_make(&axis, 0, 8);
        CHECK(r.high - r.low >= cases[k].least_width && isfinite(r.high - r.low));
        CHECK(r.count >= 1 && r.count <= 10);
    }
}

static char *print_plot(const plot *p, void (*print)(const plot *, FILE *)) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    print(p, out);
    (void)fclose(out);
    return text;
}

static plot plot_of(const plot_series *series, size_t count) {
    return (plot){
        .title = "title", .x_label = "x", .y_label = "y", .series = series, .count = count};
}

TEST(legend_names_the_series_and_the_bands_in_rows_that_fit) {
    static const char *const labels[] = {"first",
                                         "a label with many words that takes half of a row",
                                         "another label that takes as much room as the last one"};
    static const plot_band band = {1, 2};
    plot_series series[3];
    for (size_t k = 0; k < 3; k++)
        series[k] = (plot_series){.label = labels[k], .x = four, .y = steps_of_four, .count = 4};
    plot p = plot_of(series, 3);
    p.bands = &band;
    p.band_count = 1;
    p.band_label = "sticks";
    AUTO_FREE char *text = print_plot(&p, plot_svg);
    double y[4];
    const char *const all[] = {labels[0], labels[1], labels[2], "sticks"};
    for (size_t k = 0; k < 4; k++) {
        const char *label = strstr(text, all[k]);
        while (label && label > text && strncmp(label, " y=\"", 4) != 0) label--;
        CHECK(label && sscanf(label, " y=\"%lf", &y[k]) == 1);
    }
    CHECK(y[0] == y[1] && y[2] > y[1] && y[3] == y[2]);
    CHECK_CONTAINS(text, "width=\"800\" height=\"500\"");
}

TEST(points_that_are_not_finite_and_bands_beyond_the_axis_are_not_drawn) {
    static const double x[] = {0, 1, (double)NAN, 3, 1e301}, y[] = {0, (double)INFINITY, 1, 2, 1};
    static const plot_band bands[] = {{0.5, 1}, {7, 9}};
    plot_series series[] = {{.label = "line", .x = x, .y = y, .count = 4},
                            {.label = "dots", .x = x, .y = y, .count = 4, .points = true}};
    plot p = plot_of(series, 2);
    p.bands = bands;
    p.band_count = 2;
    p.band_label = "it chatters";
    char *text = print_plot(&p, plot_svg);
    CHECK(count_of(text, "fill=\"#fbe9bf\"") == 1 + 1); /* and one in the legend */
    CHECK(count_of(text, "h0") == 2 + 1);               /* and one in the legend */
    CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
    free(text);
    series[0].count = 5; /* one beyond all numbers that can be drawn does not make the axis */
    text = print_plot(&p, plot_svg);
    CHECK_CONTAINS(text, ">3");
    CHECK(!strstr(text, "nan") && !strstr(text, "inf") && !strstr(text, "e+30"));
    free(text);
    static const double huge[] = {0, 1e308, -1e308, 0};
    series[0] = (plot_series){.label = "line", .x = huge, .y = huge, .count = 4};
    text = print_plot(&p, plot_svg);
    CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
    free(text);
}

/* ---- the terminal ---- */

TEST(the_terminal_leaves_gaps_for_missing_points) {
    static const double x[] = {0, 1, 2, 3, 4}, y[] = {0, (double)NAN, 1, 1, (double)INFINITY};
    const plot_series series = {.label = "the label", .x = x, .y = y, .count = 5};
    const plot p = plot_of(&series, 1);
    CHECK(setenv("COLUMNS", "80", 1) == 0);
    char *text = print_plot(&p, plot_terminal);
    CHECK_CONTAINS(text, "the label"); /* there is no note */
    free(text);
    /* a point beyond all, and no point: nothing but the axes, and no end of them */
    static const double far[] = {1e305, -1e305};
    const plot_series beyond = {.label = "far", .x = far, .y = far, .count = 2};
    const plot q = plot_of(&beyond, 1);
    text = print_plot(&q, plot_terminal);
    CHECK_CONTAINS(text, "far");
    CHECK(!strstr(text, "1e+305"));
    free(text);
}

TEST(numbers_that_have_no_room_on_the_axis_are_left_out) {
    static const double x[] = {123456, 123456.5}, y[] = {0, 1};
    const plot_series series = {.label = "a", .note = "b", .x = x, .y = y, .count = 2};
    const plot p = plot_of(&series, 1);
    CHECK(setenv("COLUMNS", "40", 1) == 0);
    AUTO_FREE char *text = print_plot(&p, plot_terminal);
    /* each number stands whole, with a space to the next */
    CHECK_CONTAINS(text, " 123456.");
    CHECK(!strstr(text, "123456.0123"));
}

TEST(notes_that_are_longer_than_the_terminal_are_cut_between_their_parts) {
    static const double x[] = {0, 1};
    const plot_series two[] = {{.label = "a",
                                .note = "law stribeck  F_S 2.5  F_C 0.4  v_S 0.06  D 4.5",
                                .x = x,
                                .y = x,
                                .count = 2},
                               {.label = "b",
                                .note = "a_word_that_is_longer_than_all_of_the_line_that_it_has  b",
                                .x = x,
                                .y = x,
                                .count = 2}};
    const plot p = plot_of(two, 2);
    CHECK(setenv("COLUMNS", "30", 1) == 0 && setenv("LINES", "60", 1) == 0);
    char *text = print_plot(&p, plot_terminal);
    CHECK_CONTAINS(text, "law stribeck  F_S 2.5\n  F_C 0.4  v_S 0.06  D 4.5\n");
    CHECK_CONTAINS(text, "\xE2\x80\xA6\n  b\n"); /* cut; the rest follows below */
    free(text);
    CHECK(setenv("LINES", "9", 1) == 0); /* too few: a line each */
    text = print_plot(&p, plot_terminal);
    CHECK(!strstr(text, "D 4.5"));
    free(text);
}

/* ---- files ---- */

static void check_refused(const plot *p, const char *path, const char *message) {
    stiction_error error = {.message = ""};
    if (plot_write(p, path, plot_format_of(path), &error))
        FAIL("%s: written, expected: %s", path, message);
    CHECK_CONTAINS(error.message, message);
}

TEST(picture_that_cannot_be_written_is_refused_and_the_old_one_stays) {
    const plot_series series = {.label = "a", .x = four, .y = steps_of_four, .count = 4};
    const plot p = plot_of(&series, 1);
    (void)temporary_folder_make();
    check_refused(&p, temporary_path(temporary_root, "no/p.svg"), "No such file or directory");
    check_refused(&p, "/dev/full", "No space left on device");
    char path[128];
    struct rlimit sizes;
    (void)snprintf(path, sizeof path, "%s/p.svg", temporary_root);
    temporary_write(temporary_root, "p.svg", "old");
    CHECK(getrlimit(RLIMIT_FSIZE, &sizes) == 0 && signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, sizes.rlim_max}) == 0);
    check_refused(&p, path, "File too large");
    CHECK(setrlimit(RLIMIT_FSIZE, &sizes) == 0);
    CHECK(temporary_has(temporary_root, "p.svg", "old"));
    CHECK(rmdir(temporary_root) != 0 && unlink(path) == 0); /* no other file is left */
    CHECK(rmdir(temporary_root) == 0);
}

/* PATH without gnuplot, and with one that fails or is killed. */
TEST(png_is_refused_and_the_old_one_stays_when_gnuplot_fails) {
    const plot_series series = {.label = "a", .x = four, .y = steps_of_four, .count = 4};
    const plot p = plot_of(&series, 1);
    AUTO_FREE char *before = copy_text(getenv("PATH") ? getenv("PATH") : "");
    (void)temporary_folder_make();
    temporary_write(temporary_root, "p.png", "old");
    char path[128];
    (void)snprintf(path, sizeof path, "%s/p.png", temporary_root);
    static const struct {
        const char *script, *message;
    } cases[] = {{NULL, "a PNG needs gnuplot"},
                 {"#!/bin/sh\nexit 3\n", "gnuplot could not draw the picture"},
                 {"#!/bin/sh\nkill -9 $$\n", "gnuplot could not draw the picture"},
                 {"no program", "gnuplot could not draw the picture"}};
    CHECK(setenv("PATH", temporary_root, 1) == 0);
    CHECK(!plot_png_possible());
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        if (cases[k].script) {
            temporary_write(temporary_root, "gnuplot", cases[k].script);
            CHECK(chmod(temporary_path(temporary_root, "gnuplot"), 0755) == 0);
            CHECK(plot_png_possible());
        }
        check_refused(&p, path, cases[k].message);
        CHECK(temporary_has(temporary_root, "p.png", "old"));
    }
    /* directories in PATH that are too long or do not exist */
    AUTO_FREE char *paths = allocate(6000, 1);
    memset(paths, 'x', 5000);
    (void)strcpy(paths + 5000, "::/nowhere");
    CHECK(setenv("PATH", paths, 1) == 0 && !plot_png_possible());
    CHECK(unsetenv("PATH") == 0 && !plot_png_possible());
    CHECK(setenv("PATH", before, 1) == 0);
    /* no file descriptor left for the script or for the picture */
    struct rlimit files, few;
    CHECK(getrlimit(RLIMIT_NOFILE, &files) == 0);
    const int next = open("/dev/null", O_RDONLY);
    (void)close(next);
    for (int free_files = 0; free_files < 2; free_files++) {
        few = (struct rlimit){(rlim_t)(next + free_files), files.rlim_max};
        CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
        check_refused(&p, path, "cannot write a temporary file: Too many open files");
        CHECK(setrlimit(RLIMIT_NOFILE, &files) == 0);
    }
    CHECK(temporary_has(temporary_root, "p.png", "old"));
    temporary_folder_remove();
}

static bool is_png(const char *folder, const char *name) {
    size_t size;
    AUTO_FREE char *bytes = temporary_read(folder, name, &size);
    return bytes && size > 2000 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

/* All kinds of shapes, and texts with quotes. */
TEST(everything_can_be_drawn_as_png) {
    if (!plot_png_possible()) return;
    static const double y[] = {0.1, (double)NAN, 0.3, 0.2}, failed[] = {3};
    static const plot_band bands[] = {{1, 2}, {7, 9}};
    panel_cell cells[] = {half, {.state = PANEL_NONE}, {.state = PANEL_FAILED}};
    panel one;
    stiction_error error;
    CHECK(setenv("LC_ALL", "C", 1) == 0);
    (void)temporary_folder_make();
    const plot_series two[] = {{.label = "it's \"one\"", .x = four, .y = y, .count = 4},
                               {.label = "b", .x = four, .y = y, .count = 4, .points = true}};
    panels p = lines_of(&one, two, 2);
    one.failed = failed;
    one.failed_count = 1;
    CHECK(panels_write(&p, temporary_path(temporary_root, "lines.png"), &error));
    CHECK(is_png(temporary_root, "lines.png"));
    p = heat_of(axis_of_names("it's %d", 3), cells, &one);
    CHECK(panels_write(&p, temporary_path(temporary_root, "heat.png"), &error));
    CHECK(is_png(temporary_root, "heat.png"));
    plot simple = plot_of(two, 2);
    simple.bands = bands;
    simple.band_count = 2;
    simple.band_label = "it's so";
    CHECK(plot_write(&simple, temporary_path(temporary_root, "plot.png"), PLOT_PNG, &error));
    CHECK(is_png(temporary_root, "plot.png"));
    simple.count = 0; /* an empty frame */
    CHECK(plot_write(&simple, temporary_path(temporary_root, "empty.png"), PLOT_PNG, &error));
    CHECK(is_png(temporary_root, "empty.png"));
    temporary_folder_remove();
}
