/* SPDX-License-Identifier: MIT
 * The tables of the stiction command: aligned for people, exact for programs.
 */
#include "check.h"
#include "common/table.h"
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
    table_text(t, "yes");
    table_text(t, "LWRR");
    table_number(t, (double)NAN);
    table_empty(t);
    table_text(t, "no");
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
                  "\"R\"\"W\"\",é\",0.10000000000000001,12,yes\n"
                  "LWRR,nan,,no\n");
    table_destroy(t);
}

TEST(json_escapes_and_has_null) {
    table *t = sample();
    print(t, TABLE_JSON);
    CHECK_PRINTED("[\n"
                  "  {\"joint\": \"R\\\"W\\\",é\", \"Z\": 0.10000000000000001, \"steps\": 12, "
                  "\"legal\": \"yes\"},\n"
                  "  {\"joint\": \"LWRR\", \"Z\": null, \"steps\": null, \"legal\": \"no\"}\n"
                  "]\n");
    table_destroy(t);
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
        json_auto_t *value = json_out_number(cases[k].number);
        CHECK(json_out_print(value, file));
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
