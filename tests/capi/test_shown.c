/* SPDX-License-Identifier: MIT
 * Texts from outside: shown without anything hidden, in CSV without anything that acts, and read
 * back as what they were.
 */
#include "auto.h"
#include "check.h"
#include "document/csv.h"
#include "document/fail.h"
#include "document/shown.h"
#include "stiction/load.h"
#include "temporary.h"

static const struct {
    const char *text, *shown;
} cases[] = {
    {"", ""},
    {"RWRR, \xE8\x82\xA9 \xF0\x9F\xA4\x96", "RWRR, \xE8\x82\xA9 \xF0\x9F\xA4\x96"},
    {"\x1b[31mred\x07\x7f", "\\x1b[31mred\\x07\\x7f"},
    {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
    {"\xC2\x9B"
     "31m",
     "\\u009b31m"}, /* CSI of eight bits */
    {"\xE2\x80\xAE"
     "evil",
     "\\u202eevil"}, /* right to left */
    {"\xE2\x81\xA6\xE2\x81\xA9\xD8\x9C", "\\u2066\\u2069\\u061c"},
    {"a\xE2\x80\x8B"
     "b\xEF\xBB\xBF",
     "a\\u200bb\\ufeff"}, /* without width */
    {"\xE2\x80\xA8\xE2\x80\xA9", "\\u2028\\u2029"},
    {"\xF3\xA0\x81\x81", "\\U000e0041"}, /* a tag */
    {"\xFF\xC3(\xC0\x80\xED\xA0\x80", "\\xff\\xc3(\\xc0\\x80\\xed\\xa0\\x80"},
    {"C:\\new \\x1b", "C:\\new \\x1b"}, /* a backslash stays */
};
enum { case_count = sizeof cases / sizeof cases[0] };

TEST(nothing_is_hidden_and_what_was_shown_stays) {
    for (size_t k = 0; k < case_count; k++) {
        char out[200], again[200];
        const size_t length = stiction_show(cases[k].text, out, sizeof out);
        CHECK(length == strlen(cases[k].shown));
        if (strcmp(out, cases[k].shown) != 0) FAIL("case %zu: \"%s\"", k, out);
        (void)stiction_show(out, again, sizeof again);
        CHECK(strcmp(out, again) == 0);
        CHECK(stiction_is_plain(cases[k].text) == (strcmp(cases[k].text, cases[k].shown) == 0));
    }
}

TEST(what_does_not_fit_ends_before_an_escape) {
    for (size_t size = 0; size < 30; size++) {
        char out[30] = "unchanged";
        (void)stiction_show("ab\x1b\xE2\x80\xAE"
                            "c",
                            out, size);
        CHECK(size == 0 || strlen(out) < size);
        CHECK(size == 0 || strlen(out) == 0 || strlen(out) == 1 || strlen(out) == 2 ||
              strcmp(out, "ab\\x1b") == 0 || strcmp(out, "ab\\x1b\\u202e") == 0 ||
              strcmp(out, "ab\\x1b\\u202ec") == 0);
    }
}

TEST(errors_are_shown_with_path_and_message) {
    stiction_error error;
    (void)stiction_fail_at(&error, STICTION_INVALID_CONFIG, (stiction_place){"a\x1b[2J.yaml", 1, 2},
                           "joint '%s'", "\x07\n\xE2\x80\xAE");
    CHECK(strcmp(error.path, "a\\x1b[2J.yaml") == 0);
    CHECK(strcmp(error.message, "joint '\\x07\\n\\u202e'") == 0);
    stiction_config *config = NULL;
    AUTO(free_errors) stiction_errors *errors = stiction_errors_create();
    (void)stiction_config_load("no\x1bwhere.yaml", &config, errors);
    CHECK(strcmp(stiction_errors_at(errors, 0)->path, "no\\x1bwhere.yaml") == 0);
}

static const struct {
    const char *text, *cell;
} cells[] = {
    {"RWRR.position", "RWRR.position"},
    {"a,b \"c\"", "\"a,b \"\"c\"\"\""},
    {"=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""},
    {"+1+cmd|' /C calc'!A0", "\"'+1+cmd|' /C calc'!A0\""},
    {"-2+3", "\"'-2+3\""},
    {"@SUM(1)", "\"'@SUM(1)\""},
    {"-2.5e-3", "-2.5e-3"},
    {"+7", "+7"},
    {"-inf", "-inf"},
    {"-", "-"},
    {"a=b", "a=b"},
    {"\t=1", "\\t=1"},
    {"line\nend", "line\\nend"},
    {"# no comment", "\"# no comment\""},
};

TEST(cells_do_not_act_in_terminals_and_spreadsheets_and_are_read_back) {
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
        AUTO(free_text) char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        stiction_csv_print(out, cells[k].text);
        (void)fclose(out);
        if (strcmp(text, cells[k].cell) != 0) FAIL("cell %zu: %s", k, text);
        csv file;
        stiction_error error;
        CHECK(stiction_csv_open(&file, temporary_file("cells.csv", text), 1000, &error));
        CHECK(stiction_csv_next(&file, &error) == CSV_ROW && file.count == 1);
        const char *cell = file.cells[0].text;
        CHECK(stiction_csv_names(cell, strlen(cell), cells[k].text));
        CHECK(!stiction_csv_names(cell, strlen(cell), "another"));
        stiction_csv_close(&file);
    }
}

TEST(a_long_cell_with_a_quote_keeps_its_characters) {
    char text[5001], *cell = NULL;
    size_t size;
    for (size_t k = 0; k < 2500; k++) memcpy(text + 2 * k, "\u00E9", 3);
    text[4998] = 'x';
    text[4999] = '"';
    FILE *out = open_memstream(&cell, &size);
    stiction_csv_print(out, text);
    (void)fclose(out);
    CHECK(size == 5003 && strspn(cell, "\"\u00E9x") == size);
    free(cell);
}

TEST(a_file_that_grows_ends_at_its_limit) {
    csv file;
    stiction_error error;
    const char *path = temporary_file("grows.csv", "1\n2\n3\n");
    CHECK(stiction_csv_open(&file, path, 8, &error));
    FILE *more = fopen(path, "a");
    (void)fputs("4\n5\n6\n", more);
    (void)fclose(more);
    csv_verdict verdict;
    while ((verdict = stiction_csv_next(&file, &error)) == CSV_ROW) continue;
    CHECK(verdict == CSV_WRONG);
    CHECK_CONTAINS(error.message, "it is larger than 8 bytes, the most that is read");
    stiction_csv_close(&file);
    CHECK(!stiction_csv_open(&file, path, 8, &error));
    CHECK(strcmp(error.message, "it is 12 bytes; at most 8 bytes are read") == 0);
    stiction_csv_close(&file);
}
