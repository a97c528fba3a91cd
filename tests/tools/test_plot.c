/*
 * Pictures: what is on them, whatever is to be drawn, and what stays on the disk where none can be.
 */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "plot/panels.h"
#include "plot/sheet.h"
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
    CHECK(panels_write(p, path));
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

TEST(names_without_a_beginning_are_shown_by_their_end) {
    panel_cell cells[2] = {half, half};
    panel one;
    char long_name[64];
    memset(long_name, 0x80, sizeof long_name); /* no letter begins here */
    long_name[40] = '\0';
    const char *const both[] = {long_name, "b"};
    const panel_axis x = {.label = "x", .names = both, .name_count = 2};
    const panels p = heat_of(x, cells, &one);
    char *text = svg_of(&p);
    CHECK_CONTAINS(text, ">\xE2\x80\xA6<");
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
        char *text = svg_of(&p);
        CHECK(count_of(text, ">0.12") == (cases[k].text ? cases[k].columns : 0));
        if (cases[k].text) CHECK(count_of(text, cases[k].text) == cases[k].columns);
        CHECK(count_of(text, "crispEdges") == 128 + cases[k].columns);
        free(text);
    }
    /* nor where the rows are flat */
    panels flat = heat_of(one_name(), cells, &one);
    flat.y = axis_of_names("%d", 40);
    char *text = svg_of(&flat);
    CHECK(!strstr(text, ">0.123<") && count_of(text, "crispEdges") == 128 + 40);
    free(text);
}

TEST(cells_without_a_value_are_told_apart_and_explained) {
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
    CHECK(count_of(text, "crispEdges") == 128 + 4); /* three cells and the legend */
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
        char *text = svg_of(&p);
        for (int n = 0; n < 4; n++)
            if (cases[k].there[n]) CHECK_CONTAINS(text, cases[k].there[n]);
        for (int n = 0; n < 3; n++)
            if (cases[k].absent[n] && strstr(text, cases[k].absent[n]))
                FAIL("case %zu has %s", k, cases[k].absent[n]);
        free(text);
    }
}

TEST(marks_that_would_lie_on_each_other_are_left_out) {
    static const double marks[] = {1, 1.001, 2, 4};
    panel one;
    const plot_series series = {.label = "a", .x = four, .y = steps_of_four, .count = 4};
    panels p = lines_of(&one, &series, 1);
    p.x.marks = marks;
    p.x.mark_count = 4;
    char *text = svg_of(&p);
    CHECK_CONTAINS(text, ">1<");
    CHECK(!strstr(text, ">1.001<") && !strstr(text, ">3<"));
    CHECK_CONTAINS(text, ">2<");
    CHECK_CONTAINS(text, ">4<");
    free(text);
}

TEST(what_failed_is_a_cross_and_what_is_beyond_the_axis_is_not_there) {
    static const double y[] = {0.1, 7, -7, (double)NAN}, failed[] = {3, 4};
    panel one;
    const plot_series two[] = {{.label = "one", .x = four, .y = steps_of_four, .count = 4},
                               {.label = "other", .x = four, .y = y, .count = 4, .points = true}};
    panels p = lines_of(&one, two, 2);
    one.failed = failed;
    one.failed_count = 2;
    p.y.note = "worst of several runs";
    char *text = svg_of(&p);
    CHECK(count_of(text, "<circle") == 4 + 1 + 2);          /* and two in the legend */
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
    const plot_series series = {.label = "a", .x = four, .y = steps_of_four, .count = 4};
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
        char *text = svg_of(&p);
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
        CHECK(count_of(text, "<circle") == 4 * cases[k].count);
        free(text);
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
    char *text = svg_of(&p);
    const char *at = strstr(text, "rotate(-90)"), *size = at ? strstr(at, "font-size=\"") : NULL;
    double read = 0;
    CHECK(size && sscanf(size, "font-size=\"%lf\"", &read) == 1 && read >= 8 && read < 15);
    free(text);
}

/* ---- ticks ---- */

TEST(ticks_of_large_and_small_numbers_are_short) {
    char text[64];
    plot_axis axis = plot_axis_of(0, 4e7, 0, 5);
    plot_tick_text(&axis, 2, text, sizeof text);
    CHECK(strcmp(text, "2e+07") == 0);
    axis = plot_axis_of(0, 4e-7, 0, 5);
    plot_tick_text(&axis, 2, text, sizeof text);
    CHECK(strcmp(text, "2e-07") == 0);
    axis = plot_axis_of(0, 0.4, 0, 5);
    plot_tick_text(&axis, 2, text, sizeof text);
    CHECK(strcmp(text, "0.2") == 0);
    /* nothing at all, a point, and neighbouring doubles have some room */
    axis = plot_axis_of((double)INFINITY, -(double)INFINITY, 0, 5);
    CHECK(axis.low == -1 && axis.high == 1);
    axis = plot_axis_of(4, 4, 0, 5);
    CHECK(axis.low == 2 && axis.high == 6);
    axis = plot_axis_of(1, 1 + 1e-12, 0, 5);
    CHECK(axis.high - axis.low > 0.9);
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

TEST(logarithms_are_labelled_by_what_they_are_of) {
    static const double x[] = {-3, 0, 3};
    const plot_series series = {.label = "a", .x = x, .y = x, .count = 3};
    plot p = plot_of(&series, 1);
    p.decades = true;
    char *text = print_plot(&p, plot_svg);
    CHECK_CONTAINS(text, ">0.001<");
    CHECK_CONTAINS(text, ">1000<");
    free(text);
}

TEST(points_that_are_none_and_bands_beyond_the_axis_are_not_drawn) {
    static const double x[] = {0, 1, (double)NAN, 3, 1e301}, y[] = {0, (double)INFINITY, 1, 2, 1};
    static const plot_band bands[] = {{0.5, 1}, {7, 9}};
    plot_series series[] = {{.label = "line", .x = x, .y = y, .count = 4},
                            {.label = "dots", .x = x, .y = y, .count = 4, .points = true}};
    plot p = plot_of(series, 2);
    p.bands = bands;
    p.band_count = 2;
    p.band_label = "it chatters";
    char *text = print_plot(&p, plot_svg);
    CHECK(count_of(text, "fill=\"" PLOT_BAND_COLOUR "\"") == 1);
    CHECK(count_of(text, "h0") == 2 + 1); /* and one in the legend */
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

TEST(terminal_leaves_gaps_where_there_is_nothing) {
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
    char *text = print_plot(&p, plot_terminal);
    /* each number stands whole, with a space to the next */
    CHECK_CONTAINS(text, " 123456.");
    CHECK(!strstr(text, "123456.0123"));
    free(text);
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
    CHECK_CONTAINS(text, "\xE2\x80\xA6\n  b\n"); /* cut, and what is behind it stands below */
    free(text);
    CHECK(setenv("LINES", "9", 1) == 0); /* too few: a line each */
    text = print_plot(&p, plot_terminal);
    CHECK(!strstr(text, "D 4.5"));
    free(text);
}

/* ---- files ---- */

typedef struct target {
    const panels *of;
    const plot *simple;
    const char *path;
} target;

static bool write_it(void *user) {
    const target *t = user;
    const size_t length = strlen(t->path);
    if (t->of) return panels_write(t->of, t->path);
    return length > 4 && strcmp(t->path + length - 4, ".png") == 0
               ? plot_png(t->simple, t->path)
               : plot_svg_file(t->simple, t->path);
}

static void check_refused(const target *t, const char *sentence) {
    stiction_error said;
    if (command_catch(write_it, (void *)(uintptr_t)t, &said))
        FAIL("%s: written, not: %s", t->path, sentence);
    CHECK_CONTAINS(said.message, sentence);
}

TEST(picture_that_cannot_be_written_is_refused_and_the_old_one_stays) {
    panel one;
    const plot_series series = {.label = "a", .x = four, .y = steps_of_four, .count = 4};
    const panels p = lines_of(&one, &series, 1);
    const plot simple = plot_of(&series, 1);
    (void)temporary_folder_make();
    check_refused(&(target){&p, NULL, temporary_path(temporary_root, "no/p.svg")},
                  "No such file or directory");
    check_refused(&(target){NULL, &simple, temporary_path(temporary_root, "no/p.svg")},
                  "No such file or directory");
    check_refused(&(target){&p, NULL, "/dev/full"}, "No space left on device");
    check_refused(&(target){NULL, &simple, "/dev/full"}, "No space left on device");
    char path[128];
    struct rlimit sizes;
    (void)snprintf(path, sizeof path, "%s/p.svg", temporary_root);
    temporary_write(temporary_root, "p.svg", "old");
    CHECK(getrlimit(RLIMIT_FSIZE, &sizes) == 0 && signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, sizes.rlim_max}) == 0);
    check_refused(&(target){&p, NULL, path}, "File too large");
    check_refused(&(target){NULL, &simple, path}, "File too large");
    CHECK(setrlimit(RLIMIT_FSIZE, &sizes) == 0);
    CHECK(temporary_has(temporary_root, "p.svg", "old"));
    CHECK(rmdir(temporary_root) != 0 && unlink(path) == 0); /* and nothing lies beside it */
    CHECK(rmdir(temporary_root) == 0);
}

/* As PATH has it: no gnuplot, one that fails, one that is killed. */
TEST(picture_of_a_gnuplot_that_fails_is_none_and_the_old_one_stays) {
    panel one;
    const plot_series series = {.label = "a", .x = four, .y = steps_of_four, .count = 4};
    const panels p = lines_of(&one, &series, 1);
    const plot simple = plot_of(&series, 1);
    char *before = copy_text(getenv("PATH") ? getenv("PATH") : "");
    (void)temporary_folder_make();
    temporary_write(temporary_root, "p.png", "old");
    char path[128];
    (void)snprintf(path, sizeof path, "%s/p.png", temporary_root);
    const target both[] = {{&p, NULL, path}, {NULL, &simple, path}};
    static const struct {
        const char *script, *sentence;
    } cases[] = {{NULL, "a PNG needs gnuplot, which is not there"},
                 {"#!/bin/sh\nexit 3\n", "gnuplot could not draw the picture"},
                 {"#!/bin/sh\nkill -9 $$\n", "gnuplot could not draw the picture"},
                 {"no program", "gnuplot could not draw the picture"}};
    CHECK(setenv("PATH", temporary_root, 1) == 0);
    CHECK(!plot_png_possible());
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        if (cases[k].script) temporary_write(temporary_root, "gnuplot", cases[k].script);
        if (cases[k].script)
            CHECK(chmod(temporary_path(temporary_root, "gnuplot"), 0755) == 0 &&
                  plot_png_possible());
        for (int n = 0; n < 2; n++) check_refused(&both[n], cases[k].sentence);
        CHECK(temporary_has(temporary_root, "p.png", "old"));
    }
    /* folders of PATH that are too long, or not there */
    char *paths = allocate(6000, 1);
    memset(paths, 'x', 5000);
    (void)strcpy(paths + 5000, "::/nowhere");
    CHECK(setenv("PATH", paths, 1) == 0 && !plot_png_possible());
    CHECK(unsetenv("PATH") == 0 && !plot_png_possible());
    free(paths);
    CHECK(setenv("PATH", before, 1) == 0);
    /* no file for the script, or none for the picture */
    struct rlimit files, few;
    CHECK(getrlimit(RLIMIT_NOFILE, &files) == 0);
    const int next = open("/dev/null", O_RDONLY);
    (void)close(next);
    for (int free_files = 0; free_files < 2; free_files++) {
        few = (struct rlimit){(rlim_t)(next + free_files), files.rlim_max};
        CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
        check_refused(&both[0], "cannot make a temporary file: Too many open files");
        CHECK(setrlimit(RLIMIT_NOFILE, &files) == 0);
    }
    CHECK(temporary_has(temporary_root, "p.png", "old"));
    free(before);
    temporary_folder_remove();
}

static bool is_png(const char *folder, const char *name) {
    size_t size;
    char *bytes = temporary_read(folder, name, &size);
    const bool fine = bytes && size > 2000 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
    free(bytes);
    return fine;
}

/* All that a sheet and a plot may have, texts with quotes among it. */
TEST(everything_can_be_drawn_as_png) {
    if (!plot_png_possible()) return;
    static const double y[] = {0.1, (double)NAN, 0.3, 0.2}, failed[] = {3};
    static const plot_band bands[] = {{1, 2}, {7, 9}};
    panel_cell cells[] = {half, {.state = PANEL_NONE}, {.state = PANEL_FAILED}};
    panel one;
    CHECK(setenv("LC_ALL", "C", 1) == 0);
    (void)temporary_folder_make();
    const plot_series two[] = {{.label = "it's \"one\"", .x = four, .y = y, .count = 4},
                               {.label = "b", .x = four, .y = y, .count = 4, .points = true}};
    panels p = lines_of(&one, two, 2);
    one.failed = failed;
    one.failed_count = 1;
    CHECK(panels_write(&p, temporary_path(temporary_root, "lines.png")));
    CHECK(is_png(temporary_root, "lines.png"));
    p = heat_of(axis_of_names("it's %d", 3), cells, &one);
    CHECK(panels_write(&p, temporary_path(temporary_root, "heat.png")));
    CHECK(is_png(temporary_root, "heat.png"));
    plot simple = plot_of(two, 2);
    simple.bands = bands;
    simple.band_count = 2;
    simple.band_label = "it's so";
    CHECK(plot_png(&simple, temporary_path(temporary_root, "plot.png")));
    CHECK(is_png(temporary_root, "plot.png"));
    simple.decades = true;
    CHECK(plot_png(&simple, temporary_path(temporary_root, "decades.png")));
    CHECK(is_png(temporary_root, "decades.png"));
    sheet *empty = sheet_create(100, 100, "nothing");
    sheet_line(empty, NULL, 0, 0, 1, NULL);
    CHECK(sheet_write(empty, temporary_path(temporary_root, "empty.png")));
    temporary_folder_remove();
}
