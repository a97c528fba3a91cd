/* SPDX-License-Identifier: MIT */
/* The list of the files of a folder: what it finds damaged, and what it never believes. */
#include "storage/manifest.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "temporary_folder.h"

/* A folder with two files in it and one below, all listed. */
static const char *make_listed(void) {
    const char *folder = temporary_folder_make();
    manifest list = {.entries = NULL};
    temporary_write(folder, "joints.csv", "time\n");
    temporary_write(folder, "summary.json", "{}\n");
    temporary_write(folder, "video/frame_0.png", "a picture");
    CHECK(manifest_add_all(&list, folder));
    CHECK(list.count == 3);
    CHECK(manifest_write(&list, folder));
    manifest_free(&list);
    return folder;
}

/* "NAME REASON" of the first file that is not as listed; "": all are; else the state. */
static const char *verdict(const char *folder) {
    static char text[200];
    static const char *const states[] = {"", "ABSENT", "DAMAGED", "UNREAD"};
    manifest list;
    const manifest_state state = manifest_read(&list, folder);
    const char *reason = NULL, *name = manifest_check(&list, folder, &reason);
    (void)snprintf(text, sizeof text, "%s%s%s%s", states[state], name ? name : "", name ? " " : "",
                   name ? reason : "");
    CHECK(state == MANIFEST_FINE || list.count == 0);
    manifest_free(&list);
    return text;
}

#define CHECK_VERDICT(folder, expected)                                                            \
    do {                                                                                           \
        const char *check_v = verdict(folder);                                                     \
        if (strcmp(check_v, expected) != 0) FAIL("\"%s\", expected \"%s\"", check_v, expected);    \
    } while (0)

TEST(a_list_is_read_as_it_was_written) {
    const char *folder = make_listed();
    CHECK_VERDICT(folder, "");
    manifest list;
    CHECK(manifest_read(&list, folder) == MANIFEST_FINE);
    CHECK(manifest_has(&list, "joints.csv") && manifest_has(&list, "video/frame_0.png"));
    CHECK(!manifest_has(&list, "video") && !manifest_has(&list, MANIFEST_NAME));
    CHECK(!manifest_has(&list, "joints") && !manifest_has(&list, "zzz"));
    CHECK(manifest_has_below(&list, "video") && !manifest_has_below(&list, "vid"));
    CHECK(!manifest_has_below(&list, "joints.csv"));
    manifest_free(&list);
    temporary_folder_remove();
}

/* A block is 64 bytes, and 65536 are read at a time. */
TEST(sums_are_those_of_others_at_any_size) {
    static const size_t sizes[] = {0,   1,   55,  56,   63,    64,    65,    119,
                                   120, 127, 128, 4097, 65535, 65536, 65537, 200001};
    enum { count = sizeof sizes / sizeof sizes[0] };
    static char bytes[200001];
    const char *folder = temporary_folder_make();
    manifest list = {.entries = NULL};
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (char)(k * k * 2654435761u >> 7);
    for (size_t k = 0; k < count; k++) {
        char name[24];
        (void)snprintf(name, sizeof name, "%zu", sizes[k]);
        FILE *file = fopen(temporary_path(folder, name), "wb");
        CHECK(file && fwrite(bytes, 1, sizes[k], file) == sizes[k] && fclose(file) == 0);
    }
    CHECK(manifest_add_all(&list, folder) && list.count == count && manifest_write(&list, folder));
    manifest_free(&list);
    char command[200];
    (void)snprintf(command, sizeof command, "cd %s && sha256sum --quiet -c " MANIFEST_NAME, folder);
    CHECK(system(command) == 0);
    temporary_folder_remove();
}

/* What another list knows is not read. */
TEST(known_sums_are_taken_over) {
    const char *folder = make_listed();
    manifest known, list = {.entries = NULL};
    CHECK(manifest_read(&known, folder) == MANIFEST_FINE);
    manifest_drop(&known, "summary.json");
    temporary_write(folder, "joints.csv", "changed");
    temporary_write(folder, "summary.json", "changed");
    CHECK(unlink(temporary_path(folder, "video/frame_0.png")) == 0);
    CHECK(manifest_add_rest(&list, folder, &known) && manifest_write(&list, folder));
    CHECK(list.count == 2);
    CHECK_VERDICT(folder, "joints.csv is not as it was written (checksum)");
    manifest_free(&list);
    manifest_free(&known);
    temporary_folder_remove();
}

TEST(changed_missing_and_unreadable_files_are_named) {
    const char *folder = make_listed();
    temporary_write(folder, "summary.json", "{ }\n");
    CHECK_VERDICT(folder, "summary.json is not as it was written (checksum)");
    temporary_write(folder, "summary.json", ""); /* cut off */
    CHECK_VERDICT(folder, "summary.json is not as it was written (checksum)");
    temporary_write(folder, "summary.json", "{}\n");
    CHECK_VERDICT(folder, "");
    temporary_unlink(folder, "video/frame_0.png");
    CHECK_VERDICT(folder, "video/frame_0.png is missing");
    temporary_unlink(folder, "joints.csv");
    CHECK_VERDICT(folder, "joints.csv is missing"); /* the first of them */
    CHECK(errno == 0);
    CHECK(mkdir(temporary_path(folder, "joints.csv"), 0777) == 0);
    CHECK_VERDICT(folder, "joints.csv cannot be read");
    manifest list;
    const char *reason;
    CHECK(manifest_read(&list, folder) == MANIFEST_FINE);
    CHECK(manifest_check(&list, folder, &reason) != NULL && errno == EISDIR);
    CHECK(!manifest_entry_holds(&list.entries[0], folder) && errno == EISDIR);
    manifest_free(&list);
    temporary_folder_remove();
}

/* A link may lead to a foreign file, or change unnoticed. */
TEST(links_in_place_of_files_are_not_followed) {
    const char *folder = make_listed();
    temporary_write(folder, "same", "{}\n");
    temporary_unlink(folder, "summary.json");
    CHECK(symlink("same", temporary_path(folder, "summary.json")) == 0);
    CHECK_VERDICT(folder, "summary.json cannot be read");
    temporary_unlink(folder, MANIFEST_NAME);
    CHECK(symlink("same", temporary_path(folder, MANIFEST_NAME)) == 0);
    CHECK_VERDICT(folder, "DAMAGED");
    temporary_folder_remove();
}

/* Whatever byte of the list is changed, and wherever it is cut off. */
TEST(a_damaged_list_is_not_read) {
    const char *folder = make_listed();
    size_t size;
    char *text = temporary_read(folder, MANIFEST_NAME, &size), *copy = malloc(size + 1);
    for (size_t k = 0; k < size; k++) {
        memcpy(copy, text, size + 1);
        copy[k] ^= 1;
        temporary_write(folder, MANIFEST_NAME, copy);
        if (strcmp(verdict(folder), "DAMAGED") != 0) FAIL("byte %zu: %s", k, verdict(folder));
        memcpy(copy, text, k);
        copy[k] = '\0';
        temporary_write(folder, MANIFEST_NAME, copy);
        if (strcmp(verdict(folder), "DAMAGED") != 0) FAIL("cut at %zu: %s", k, verdict(folder));
    }
    temporary_write(folder, MANIFEST_NAME, text);
    CHECK_VERDICT(folder, "");
    free(text);
    free(copy);
    temporary_folder_remove();
}

TEST(foreign_lists_are_damaged_and_missing_lists_absent) {
    const char *folder = make_listed();
    static const char *const others[] = {
        "", "\n", "hello\n",
        "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865  joints.csv\n"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        temporary_write(folder, MANIFEST_NAME, others[k]);
        CHECK_VERDICT(folder, "DAMAGED");
    }
    temporary_unlink(folder, MANIFEST_NAME);
    CHECK_VERDICT(folder, "ABSENT");
    CHECK(mkdir(temporary_path(folder, MANIFEST_NAME), 0777) == 0);
    CHECK_VERDICT(folder, "DAMAGED");
    CHECK_VERDICT(temporary_path(folder, "nowhere"), "ABSENT");
    CHECK_VERDICT(temporary_path(folder, "summary.json"), "ABSENT");
    temporary_folder_remove();
}

/* A list with a right checksum that names what is not in its folder. */
TEST(names_that_leave_the_folder_are_refused) {
    const char *folder = make_listed();
    static const char *const names[] = {"../other", "/etc/passwd", "video/../../other", ".",
                                        "..",       "video//x",    "video/.",           "a\\nb"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char digest[MANIFEST_DIGEST_SIZE];
        memset(digest, 'a', sizeof digest - 1);
        digest[sizeof digest - 1] = '\0';
        manifest list = {.entries = NULL};
        manifest_entry entry = {.name = strdup(names[k])};
        memcpy(entry.digest, digest, sizeof digest);
        CHECK(manifest_add_entry(&list, &entry) && manifest_write(&list, folder));
        if (strcmp(verdict(folder), "DAMAGED") != 0) FAIL("%s: %s", names[k], verdict(folder));
        free(entry.name);
        manifest_free(&list);
    }
    temporary_folder_remove();
}

TEST(entries_are_added_once_and_dropped) {
    const char *folder = make_listed();
    manifest list;
    CHECK(manifest_read(&list, folder) == MANIFEST_FINE);
    temporary_write(folder, "joints.csv", "other\n");
    CHECK(manifest_add(&list, folder, "joints.csv"));
    CHECK(list.count == 3 && manifest_entry_holds(&list.entries[0], folder));
    CHECK(!manifest_add(&list, folder, "nowhere") && errno == ENOENT);
    CHECK(!manifest_add(&list, folder, "video"));
    manifest_drop(&list, "nowhere");
    manifest_drop(&list, "joints.csv");
    CHECK(list.count == 2 && !manifest_has(&list, "joints.csv"));
    CHECK(manifest_write(&list, folder));
    CHECK_VERDICT(folder, "");
    /* without an entry there is no list */
    manifest_drop(&list, "summary.json");
    manifest_drop(&list, "video/frame_0.png");
    CHECK(manifest_write(&list, folder) && manifest_write(&list, folder));
    CHECK_VERDICT(folder, "ABSENT");
    manifest_free(&list);
    temporary_folder_remove();
}

/* The list that is there stays whole where the new one cannot be written. */
TEST(a_list_that_cannot_be_written_gives_the_error) {
    const char *folder = make_listed();
    manifest list;
    CHECK(manifest_read(&list, folder) == MANIFEST_FINE);
    CHECK(!manifest_write(&list, temporary_path(folder, "nowhere")) && errno == ENOENT);
    CHECK(mkdir(temporary_path(folder, "." MANIFEST_NAME ".part"), 0777) == 0);
    CHECK(!manifest_write(&list, folder) && errno == EISDIR);
    CHECK_VERDICT(folder, "");
    manifest_free(&list);
    temporary_folder_remove();
}
