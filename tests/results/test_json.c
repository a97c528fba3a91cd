/* SPDX-License-Identifier: MIT
 * JSON as it is written and read: its layout, whatever the texts and containers, and that a lack of
 * room or memory anywhere is an error and leaves no partial file.
 */
#define _GNU_SOURCE /* fopencookie */
#include <errno.h>

#include "check.h"
#include "document/auto.h"
#include "stiction/error.h"
#include "temporary.h"
#include "json/json_in.h"
#include "json/json_out.h"

OWNS(json_t, json_decref)

/* ---- what is printed ------------------------------------------------------------------------- */

static char printed[4096];

static const char *print(const json_t *value) {
    FILE *file = fmemopen(printed, sizeof printed, "w");
    CHECK(json_out_print(value, file));
    (void)fclose(file);
    return printed;
}

static void check_layout(const char *given, const char *expected) {
    OWNED(json_t) *value = json_loads(given, JSON_DECODE_ANY, NULL);
    if (!value) abort();
    if (strcmp(print(value), expected) != 0) FAIL("%s became\n%s", given, printed);
}

TEST(what_holds_no_container_stands_on_one_line) {
    check_layout("{}", "{}\n");
    check_layout("[]", "[]\n");
    check_layout("[1, 2]", "[1, 2]\n");
    check_layout("{\"a\": {}, \"b\": []}", "{\"a\": {}, \"b\": []}\n");
    check_layout("[{}, []]", "[{}, []]\n");
    check_layout("[[], [1], {\"a\": 1}, 2]", "[\n  [],\n  [1],\n  {\"a\": 1},\n  2\n]\n");
    check_layout("{\"a\": {\"b\": [3]}, \"c\": {\"d\": 4}}",
                 "{\n  \"a\": {\n    \"b\": [3]\n  },\n  \"c\": {\"d\": 4}\n}\n");
}

TEST(a_key_or_text_that_is_no_utf8_is_shown) {
    OWNED(json_t) *object = json_object();
    CHECK(json_out_set(object, "a\xff", json_out_text("\xfe")));
    CHECK(json_out_set(object, "none", json_out_text(NULL)));
    if (strcmp(print(object), "{\"a\\\\xff\": \"\\\\xfe\", \"none\": \"\"}\n") != 0)
        FAIL("%s", printed);
    CHECK(!json_out_set(object, "lost", NULL) && !json_object_get(object, "lost"));
}

/* ---- without room ---------------------------------------------------------------------------- */

/* A file whose write number `at` fails, and with `for_good` all after it. */
typedef struct narrow {
    long at, count;
    int for_good;
} narrow;

static ssize_t narrow_write(void *cookie, const char *bytes, size_t size) {
    narrow *n = cookie;
    (void)bytes;
    n->count++;
    if (n->count == n->at || (n->for_good && n->count > n->at)) {
        errno = ENOSPC;
        return 0;
    }
    return (ssize_t)size;
}

static bool print_narrow(const json_t *value, narrow *n) {
    FILE *out = fopencookie(n, "w", (cookie_io_functions_t){.write = narrow_write});
    (void)setvbuf(out, NULL, _IONBF, 0);
    const bool fine = json_out_print(value, out);
    (void)fclose(out);
    return fine;
}

TEST(a_write_that_fails_anywhere_is_told) {
    OWNED(json_t) *value = json_loads(
        "{\"a\": [1, [2, 3], {}], \"b\": {\"c\": {\"d\": \"e\"}}, \"f\": [[4], 5]}", 0, NULL);
    narrow all = {0};
    CHECK(print_narrow(value, &all));
    CHECK(all.count > 40);
    for (long at = 1; at <= all.count; at++)
        for (int for_good = 0; for_good < 2; for_good++)
            if (print_narrow(value, &(narrow){.at = at, .for_good = for_good}))
                FAIL("write %ld failed and nobody said so", at);
}

/* ---- without memory -------------------------------------------------------------------------- */

static long countdown; /* until an allocation of jansson's fails; 0: none does */

static void *take(size_t size) {
    if (countdown == 0 || --countdown != 0) return malloc(size);
    errno = ENOMEM; /* as malloc does */
    return NULL;
}

static json_t *build(void) {
    json_t *top = json_object(), *list = json_array();
    bool fine = top && list && json_array_append_new(list, json_out_number(0.5)) == 0;
    fine = json_out_set(top, "list", list) && fine;
    fine = json_out_set(top, "text", json_out_text("no UTF-8: \xff")) && fine;
    fine = json_out_set(top, "\xff", json_out_number(3)) && fine;
    if (fine) return top;
    json_decref(top);
    return NULL;
}

/* The bytes of a file; -1: there is none. */
static long content(const char *path, char *bytes, size_t room) {
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    const size_t size = fread(bytes, 1, room - 1, file);
    bytes[size] = '\0';
    (void)fclose(file);
    return (long)size;
}

TEST(without_memory_a_file_stays_as_it_was) {
    static const char expected[] = "{\n  \"list\": [0.5],\n  \"text\": \"no UTF-8: \\\\xff\",\n"
                                   "  \"\\\\xff\": 3\n}\n";
    const char *path = temporary_file("out.json", "before");
    char bytes[200];
    long tries = 0;
    bool reached = true; /* the allocation that fails: one may be made up for */
    json_set_alloc_funcs(take, free);
    while (reached && tries < 1000) {
        (void)temporary_file("out.json", "before");
        countdown = ++tries;
        errno = 0;
        json_t *value = build();
        const bool fine = value && json_out_write(value, path);
        reached = countdown == 0;
        countdown = 0;
        if (value && !fine && errno != ENOMEM) FAIL("allocation %ld: %s", tries, strerror(errno));
        json_decref(value);
        CHECK(content(path, bytes, sizeof bytes) > 0);
        if (strcmp(bytes, fine ? expected : "before") != 0)
            FAIL("allocation %ld: %s", tries, bytes);
        CHECK(fine || reached);
    }
    json_set_alloc_funcs(malloc, free);
    CHECK(!reached && tries > 10);
}

TEST(a_folder_that_is_not_there_is_told) {
    OWNED(json_t) *value = json_object();
    errno = 0;
    CHECK(!json_out_write(value, "/nowhere/at/all.json") && errno == ENOENT);
}

/* ---- reading --------------------------------------------------------------------------------- */

TEST(what_is_no_json_is_told_with_its_place_and_without_its_words) {
    stiction_error error;
    CHECK(!json_in_read(temporary_file("in.json", "{\"a\": 1,\n  secret}"), &error));
    CHECK(error.status == STICTION_INVALID_CONFIG && error.line == 2);
    CHECK_CONTAINS(error.message, "this is not JSON: ");
    CHECK(!strstr(error.message, "secret"));
    CHECK(!json_in_read("/nowhere.json", &error));
    CHECK_CONTAINS(error.message, "No such file or directory");
}

TEST(a_lack_of_memory_in_reading_is_no_mistake_of_the_file) {
    const char *path = temporary_file("in.json", "{\"a\": [1.5, \"text\", {\"b\": null}]}");
    json_t *read = NULL;
    long tries = 0;
    json_set_alloc_funcs(take, free);
    while (!read && tries < 1000) {
        stiction_error error = {0};
        countdown = ++tries;
        read = json_in_read(path, &error);
        countdown = 0;
        if (!read && error.status != STICTION_OUT_OF_MEMORY)
            FAIL("allocation %ld: %s", tries, error.message);
    }
    CHECK(read && tries > 5);
    CHECK_NEAR(json_real_value(json_array_get(json_object_get(read, "a"), 0)), 1.5, 0);
    json_decref(read);
    json_set_alloc_funcs(malloc, free);
}
