/* SPDX-License-Identifier: MIT
 * What the verbs share: errors, numbers, text that fits, folders, and special cases of places of
 * results.
 */
#include <errno.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/terminal.h"
#include "storage/place.h"
#include "temporary_folder.h"

static stiction_error caught;

/* ---- errors ---- */

TEST(error_has_its_place_and_no_control_characters) {
    CHECK(!fail_at(&caught, "a\x1b.csv", 7, "the first of %d", 2));
    CHECK(strcmp(caught.message, "the first of 2") == 0 && caught.line == 7);
    CHECK(caught.status == STICTION_INVALID_CONFIG && !strchr(caught.path, 0x1b));
    CHECK(!fail(&caught, "a\x1b") && caught.line == 0 && !strchr(caught.message, 0x1b));
}

TEST(numbers_are_the_whole_text) {
    char longest[450];
    double value;
    memset(longest, '1', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(!read_number(longest, &value) && !read_number("1 2", &value) && !read_number("", &value));
    CHECK(read_number(" 2.5\n", &value) && value == 2.5);
    CHECK(read_number("1e-400", &value) && value == 0);
    CHECK(read_number("1e400", &value) && value == (double)INFINITY);
    CHECK(read_number("-1e400", &value) && value == -(double)INFINITY);
    CHECK(read_number("-inf", &value) && value == -(double)INFINITY);
    CHECK(read_number("nan", &value) && isnan(value));
}

/* ---- text ---- */

static bool fits(char *text, const char *expected) {
    const bool same = strcmp(text, expected) == 0;
    if (!same) printf("'%s' instead of '%s'\n", text, expected);
    free(text);
    return same;
}

TEST(text_is_cut_at_characters) {
    CHECK(fits(text_fit("wrist", 5), "wrist") && fits(text_fit("wrists", 5), "wris\xE2\x80\xA6"));
    CHECK(fits(text_fit("wrist", 0), "") && fits(text_fit_end("wrist", 0), ""));
    CHECK(fits(text_fit_end("wrist", 5), "wrist"));
    CHECK(fits(text_fit_end("a/wrist", 5), "\xE2\x80\xA6rist"));
    CHECK(fits(text_fit("\xC3\xA4\xC3\xB6\xC3\xBC", 2), "\xC3\xA4\xE2\x80\xA6"));
    CHECK(fits(text_fit_end("\xC3\xA4\xC3\xB6\xC3\xBC", 2), "\xE2\x80\xA6\xC3\xBC"));
}

/* ---- folders ---- */

TEST(only_child_is_the_one_folder) {
    const char *root = temporary_folder_make();
    CHECK(!folder_only_child(root) && !folder_only_child(temporary_path(root, "nowhere")));
    temporary_write(root, "file", "");
    temporary_write(root, ".hidden/file", "");
    CHECK(!folder_only_child(root));
    temporary_write(root, "one/file", "");
    CHECK(fits(folder_only_child(root), temporary_path(root, "one")));
    temporary_write(root, "two/file", "");
    CHECK(!folder_only_child(root));
    temporary_folder_remove();
}

TEST(copy_is_the_whole_file_and_replaces_none) {
    const char *root = temporary_folder_make();
    char from[128], to[128];
    (void)snprintf(from, sizeof from, "%s/from", root);
    (void)snprintf(to, sizeof to, "%s/to", root);
    CHECK(!folder_copy_file(from, to, 0600) && errno == ENOENT);
    AUTO_FREE char *text = calloc(1, 65536);
    memset(text, 'x', 65000);
    temporary_write(root, "from", text);
    CHECK(folder_copy_file(from, to, 0600) && temporary_has(root, "to", text));
    CHECK(!folder_copy_file(from, to, 0600) && errno == EEXIST);
    CHECK(!folder_copy_file(root, temporary_path(root, "other"), 0600) && errno == EISDIR);
    temporary_folder_remove();
}

/* ---- places ---- */

static place taken;

static bool open_place(const char *folder) {
    return place_open(&taken, folder, PLACE_FREE, &caught);
}

TEST(folder_without_a_name_of_its_own_has_one) {
    const char *root = temporary_folder_make();
    char here[256], out[128], back[256];
    CHECK(getcwd(here, sizeof here) != NULL);
    (void)snprintf(out, sizeof out, "%s/out", root);
    CHECK(mkdir(out, 0777) == 0 && chdir(out) == 0);
    CHECK(open_place(".") && strcmp(taken.target, out) == 0);
    place_close(&taken);
    (void)snprintf(back, sizeof back, "%s///", out);
    CHECK(open_place(back) && strcmp(taken.target, out) == 0);
    place_close(&taken);
    CHECK(chdir(root) == 0 && open_place("other"));
    CHECK(strcmp(taken.scratch, ".other.part") == 0);
    place_close(&taken);
    CHECK(chdir(here) == 0 && temporary_has(root, ".out.part", NULL));
    temporary_folder_remove();
}

TEST(file_in_place_of_the_scratch_folder_is_an_error) {
    const char *root = temporary_folder_make();
    char out[128];
    (void)snprintf(out, sizeof out, "%s/out", root);
    temporary_write(root, ".out.part", "a file");
    CHECK(!open_place(out));
    CHECK_CONTAINS(caught.message, ".out.part: Not a directory");
    CHECK(temporary_has(root, ".out.part", "a file"));
    (void)snprintf(out, sizeof out, "%s/.out.part/below", root);
    CHECK(!open_place(out) && caught.message[0]);
    temporary_folder_remove();
}
