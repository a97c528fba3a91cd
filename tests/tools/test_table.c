/*
 * The tables and axes of the stiction command: aligned for people, exact for programs.
 */
#include "check.h"
#include "common/table.h"
#include "plot/plot.h"
#include "json/json_out.h"

static char printed[4096];

static void print(const table *t, table_format format) {
    FILE *file = fmemopen(printed, sizeof printed, "w");
    table_print(t, format, file);
    fclose(file);
}

static table *sample(void) {
    const table_column columns[] = {
        {"joint", NULL, 0}, {"Z", "Z [rad/s/(N m)]", 3}, {"steps", NULL, 0}, {"legal", NULL, 0}};
    table *t = table_create(columns, 4);
    table_text(t, "R\"W\",é");
    table_number(t, 0.1);
    table_count(t, 12);
    table_bool(t, true);
    table_text(t, "LWRR");
    table_number(t, (double)NAN);
    table_empty(t);
    table_bool(t, false);
    return t;
}

#define CHECK_PRINTED(expected)                                                                    \
    do {                                                                                           \
        if (strcmp(printed, (expected)) != 0) FAIL("printed:\n%s\nnot:\n%s", printed, (expected)); \
    } while (0)

TEST(text_is_aligned_by_characters) {
    table *t = sample();
    print(t, TABLE_TEXT);
    CHECK_PRINTED("joint   Z [rad/s/(N m)]  steps  legal\n"
                  "R\"W\",é              0.1     12  yes\n"
                  "LWRR                nan         no\n");
    table_destroy(t);
}

TEST(csv_has_17_digits_and_quotes) {
    table *t = sample();
    print(t, TABLE_CSV);
    CHECK_PRINTED("joint,Z,steps,legal\n"
                  "\"R\"\"W\"\",é\",0.10000000000000001,12,1\n"
                  "LWRR,nan,,0\n");
    table_destroy(t);
}

TEST(json_escapes_and_has_null) {
    table *t = sample();
    print(t, TABLE_JSON);
    CHECK_PRINTED("[\n"
                  "  {\"joint\": \"R\\\"W\\\",é\", \"Z\": 0.10000000000000001, \"steps\": 12, "
                  "\"legal\": true},\n"
                  "  {\"joint\": \"LWRR\", \"Z\": null, \"steps\": null, \"legal\": false}\n"
                  "]\n");
    table_destroy(t);
}

TEST(json_is_written_whatever_the_text) {
    const struct {
        const char *text, *written;
    } cases[] = {{"a\\b\n\x01", "\"a\\\\b\\n\\u0001\"\n"},
                 {"no UTF-8: \xC3(", "\"no UTF-8: \\\\xc3(\"\n"},
                 {"", "\"\"\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        FILE *file = fmemopen(printed, sizeof printed, "w");
        json_t *value = json_out_text(cases[k].text);
        CHECK(json_out_print(value, file));
        json_decref(value);
        fclose(file);
        CHECK_PRINTED(cases[k].written);
    }
}

TEST(json_numbers_have_all_digits_and_no_needless_fraction) {
    const struct {
        double number;
        const char *written;
    } cases[] = {{0.1, "0.10000000000000001\n"},
                 {3, "3\n"},
                 {-0.0, "-0.0\n"},
                 {1e300, "1.0000000000000001e300\n"},
                 {(double)NAN, "null\n"},
                 {-(double)INFINITY, "null\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        FILE *file = fmemopen(printed, sizeof printed, "w");
        json_t *value = json_out_number(cases[k].number);
        CHECK(json_out_print(value, file));
        json_decref(value);
        fclose(file);
        CHECK_PRINTED(cases[k].written);
    }
}

TEST(table_without_rows_is_an_empty_list) {
    const table_column columns[] = {{"a", NULL, 0}};
    table *t = table_create(columns, 1);
    print(t, TABLE_JSON);
    CHECK_PRINTED("[]\n");
    print(t, TABLE_CSV);
    CHECK_PRINTED("a\n");
    table_destroy(t);
}

/* ---- axes ---- */

static plot_axis axis_of(double low, double high) {
    static double x[2], y[2];
    static plot_series series;
    x[0] = low;
    x[1] = high;
    series = (plot_series){.x = x, .y = y, .count = 2};
    const plot p = {.series = &series, .count = 1};
    return plot_x_axis(&p, 8);
}

/* All ticks of an axis, with a space behind each. */
static const char *ticks_of(double low, double high) {
    static char all[512];
    const plot_axis axis = axis_of(low, high);
    all[0] = '\0';
    for (long k = 0; k < plot_tick_count(&axis); k++) {
        char one[64];
        plot_tick_text(&axis, plot_first_tick(&axis) + k, one, sizeof one);
        strcat(strcat(all, one), " ");
    }
    return all;
}

TEST(ticks_are_round_and_have_as_many_decimals_as_they_need) {
    CHECK(strcmp(ticks_of(-0.5, 0.5), "-0.4 -0.2 0.0 0.2 0.4 ") == 0);
    CHECK(strcmp(ticks_of(0, 1), "0.0 0.2 0.4 0.6 0.8 1.0 ") == 0);
    CHECK(strcmp(ticks_of(-3, 40), "0 10 20 30 40 ") == 0);
    CHECK(strcmp(ticks_of(0, 2e-9), "0 5e-10 1e-09 1.5e-09 2e-09 ") == 0);
}

TEST(axis_of_hardly_anything_has_a_width) {
    const double low[] = {0, 5, 1, -1e308, (double)NAN};
    const double high[] = {0, 5, nextafter(1, 2), 1e308, (double)NAN};
    for (size_t k = 0; k < sizeof low / sizeof low[0]; k++) {
        const plot_axis axis = axis_of(low[k], high[k]);
        CHECK(axis.low < axis.high && axis.step > 0 && isfinite(axis.high - axis.low));
        CHECK(plot_tick_count(&axis) >= 1 && plot_tick_count(&axis) <= 10);
    }
}

/* Where the box of the legend begins, in the picture's units: 800 wide, 500 high. */
static void place_legend(const double *x, const double *y, size_t count, int *left, int *top) {
    const plot_series series[] = {{.label = "one", .x = x, .y = y, .count = count},
                                  {.label = "two", .x = x, .y = y, .count = count}};
    const plot p = {.title = "t", .x_label = "x", .y_label = "y", .series = series, .count = 2};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    plot_svg(&p, file);
    fclose(file);
    const char *box = strstr(text, "rx=\"4\"");
    while (box && box > text && strncmp(box, "<rect", 5) != 0) box--;
    CHECK(box && sscanf(box, "<rect x=\"%d\" y=\"%d\"", left, top) == 2);
    free(text);
}

TEST(the_legend_of_an_svg_is_in_the_corner_where_it_hides_least) {
    enum { count = 101 };
    double x[count], rises[count], falls[count], is_high[count];
    for (int k = 0; k < count; k++) {
        x[k] = k / 100.0;
        rises[k] = x[k] * x[k];
        falls[k] = 1 - x[k] * x[k];
        is_high[k] = k ? 1 : 0;
    }
    int left = 0, top = 0;
    place_legend(x, rises, count, &left, &top);
    CHECK(left < 400 && top < 250);
    place_legend(x, falls, count, &left, &top);
    CHECK(left > 400 && top < 250);
    place_legend(x, is_high, count, &left, &top);
    CHECK(left > 400 && top > 250);
}
