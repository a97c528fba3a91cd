/* SPDX-License-Identifier: MIT
 * Where results go: old ones stay until new ones are whole, what is not ours stays for good, one
 * process at a time writes, and what a dead one left is put right.
 */
#include "storage/place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "check.h"
#include "temporary_folder.h"

static stiction_error error;

static bool opens(place *p, const char *folder, place_rule rule) {
    return place_open(p, folder, rule, &error);
}
static bool opens_folder(place *p, const char *folder) {
    return place_open_folder(p, folder, &error);
}
static bool commits(place *p) {
    return place_commit(p, &error);
}
/* Results with this text in them, the whole way. */
static bool put(const char *folder, place_rule rule, const char *text) {
    place p;
    bool fine = opens(&p, folder, rule);
    if (fine) {
        temporary_write(p.fresh, "joints.csv", text);
        fine = commits(&p);
    }
    place_close(&p);
    return fine;
}

static bool is_whole(const char *folder) {
    manifest list;
    const char *reason;
    const bool whole =
        manifest_read(&list, folder) == MANIFEST_FINE && !manifest_check(&list, folder, &reason);
    manifest_free(&list);
    return whole;
}

/* A folder "out" in a temporary one; its scratch folder is ".out.part" beside it. */
static char out[128];

static const char *in_root(const char *name) {
    return temporary_path(temporary_root, name);
}

static const char *begin(void) {
    const char *root = temporary_folder_make();
    (void)snprintf(out, sizeof out, "%s/out", root);
    return root;
}

/* ---- taking a place ---- */

TEST(files_of_others_are_in_the_way_or_stay) {
    (void)begin();
    temporary_write(out, "notes.txt", "mine");
    CHECK(!put(out, PLACE_FREE, "one"));
    CHECK_CONTAINS(error.message, "has 'notes.txt' in it, which is not listed");
    CHECK(!put(out, PLACE_REPLACE, "one"));
    CHECK_CONTAINS(error.message, "has 'notes.txt' in it, which is not listed");
    temporary_unlink(out, "notes.txt");
    CHECK(put(out, PLACE_FREE, "one"));
    temporary_write(out, "notes.txt", "mine");
    temporary_write(out, "deep/.file", "mine");
    CHECK(put(out, PLACE_REPLACE, "two"));
    CHECK(is_whole(out) && temporary_has(out, "joints.csv", "two"));
    CHECK(temporary_has(out, "notes.txt", "mine") && temporary_has(out, "deep/.file", "mine"));
    CHECK(temporary_has(temporary_root, ".out.part", NULL));
    temporary_folder_remove();
}

/* What is not as it was written is still listed as ours: it may be replaced. */
TEST(damaged_results_are_replaced_unless_their_list_is_damaged) {
    (void)begin();
    CHECK(put(out, PLACE_FREE, "one"));
    temporary_write(out, "joints.csv", "");
    CHECK(put(out, PLACE_REPLACE, "two"));
    CHECK(is_whole(out) && temporary_has(out, "joints.csv", "two"));
    temporary_write(out, MANIFEST_NAME, "broken");
    CHECK(!put(out, PLACE_REPLACE, "three"));
    CHECK_CONTAINS(error.message, "which is not listed as written by stiction");
    CHECK(temporary_has(out, "joints.csv", "two"));
    CHECK(put(out, PLACE_OWN, "three"));
    CHECK(is_whole(out) && temporary_has(out, "joints.csv", "three"));
    temporary_folder_remove();
}

TEST(links_and_files_are_no_place) {
    const char *root = begin();
    CHECK(mkdir(in_root("elsewhere"), 0777) == 0 && symlink("elsewhere", out) == 0);
    CHECK(!put(out, PLACE_REPLACE, "one"));
    CHECK_CONTAINS(error.message, "is a symbolic link");
    CHECK(temporary_has(root, "elsewhere/joints.csv", NULL));
    temporary_unlink(root, "out");
    temporary_write(root, "out", "a file");
    CHECK(!put(out, PLACE_REPLACE, "one"));
    CHECK_CONTAINS(error.message, "exists and is not a directory");
    CHECK(temporary_has(root, "out", "a file") && temporary_has(root, ".out.part", NULL));
    temporary_folder_remove();
}

/* A file of the user has the name of a new one: neither is lost. */
TEST(file_of_the_user_with_the_name_of_a_result_is_not_replaced) {
    const char *root = begin();
    place p;
    CHECK(put(out, PLACE_FREE, "one"));
    temporary_write(out, "notes.txt", "mine");
    CHECK(opens(&p, out, PLACE_REPLACE));
    temporary_write(p.fresh, "notes.txt", "ours");
    CHECK(!commits(&p));
    CHECK_CONTAINS(error.message, "has 'notes.txt' in it");
    place_close(&p);
    CHECK(is_whole(out) && temporary_has(out, "notes.txt", "mine"));
    CHECK(temporary_has(root, "out-2/notes.txt", "ours"));
    temporary_folder_remove();
}

/* Somebody comes in between: neither result is lost. */
TEST(results_that_appear_meanwhile_are_not_overwritten) {
    const char *root = begin();
    place p;
    CHECK(opens(&p, out, PLACE_FREE));
    temporary_write(p.fresh, "joints.csv", "ours");
    temporary_write(out, "theirs", "mine");
    CHECK(!commits(&p));
    CHECK_CONTAINS(error.message, "has 'theirs' in it");
    place_close(&p);
    CHECK(temporary_has(out, "theirs", "mine") && temporary_has(out, "joints.csv", NULL));
    CHECK(is_whole(in_root("out-2")) && temporary_has(root, "out-2/joints.csv", "ours"));
    temporary_folder_remove();
}

/* ---- the lock ---- */

TEST(scratch_folder_of_the_user_is_refused_and_stays) {
    const char *root = begin();
    temporary_write(root, ".out.part/thesis.tex", "mine");
    CHECK(!put(out, PLACE_FREE, "one"));
    CHECK_CONTAINS(error.message, "is in the way: it was not made by stiction");
    CHECK(temporary_has(root, ".out.part/thesis.tex", "mine") && temporary_has(root, "out", NULL));
    CHECK(temporary_has(root, ".out.part/lock", NULL));
    temporary_unlink(root, ".out.part/thesis.tex");
    temporary_write(root, ".out.part/lock", "");
    CHECK(put(out, PLACE_FREE, "one") && temporary_has(root, ".out.part", NULL));
    temporary_folder_remove();
}

/* ---- what dead ones left ---- */

/* It died before the new results took the place. */
TEST(old_results_that_were_moved_away_come_back) {
    const char *root = begin();
    CHECK(put(out, PLACE_FREE, "old"));
    temporary_write(root, ".out.part/lock", "");
    CHECK(rename(out, in_root(".out.part/old")) == 0);
    place p;
    CHECK(opens(&p, out, PLACE_REPLACE));
    CHECK(is_whole(out) && temporary_has(out, "joints.csv", "old"));
    place_close(&p);
    CHECK(is_whole(out) && temporary_has(root, ".out.part", NULL));
    temporary_folder_remove();
}

/* It died after that: the scratch folder has the old results, with files of the user that
 * were not moved yet. */
TEST(files_of_others_among_replaced_results_are_saved) {
    const char *root = begin();
    CHECK(put(out, PLACE_FREE, "old"));
    CHECK(mkdir(in_root(".out.part"), 0777) == 0);
    CHECK(rename(out, in_root(".out.part/old")) == 0);
    temporary_write(root, ".out.part/old/late.txt", "mine");
    temporary_write(root, ".out.part/lock", "");
    char made[128];
    (void)snprintf(made, sizeof made, "%s/fresh", root);
    CHECK(put(made, PLACE_FREE, "new") && rename(made, out) == 0);
    place p;
    CHECK(opens(&p, out, PLACE_REPLACE));
    place_close(&p);
    CHECK(is_whole(out) && temporary_has(out, "joints.csv", "new"));
    CHECK(temporary_has(out, "late.txt", "mine") && temporary_has(root, ".out.part", NULL));
    temporary_folder_remove();
}

/* ---- files for a folder that is there ---- */

TEST(added_files_are_listed_and_those_of_the_user_stay) {
    (void)begin();
    CHECK(put(out, PLACE_FREE, "one"));
    for (int again = 0; again < 2; again++) {
        place p;
        CHECK(opens_folder(&p, out));
        temporary_write(p.fresh, "report.html", again ? "new" : "old");
        CHECK(place_add(&p, false, &error));
        place_close(&p);
        CHECK(is_whole(out) && temporary_has(out, "report.html", again ? "new" : "old"));
    }
    temporary_write(out, "law.png", "mine");
    place p;
    CHECK(opens_folder(&p, out));
    temporary_write(p.fresh, "law.png", "ours");
    CHECK(!place_add(&p, false, &error));
    CHECK_CONTAINS(error.message, "law.png exists and is not listed as written by stiction");
    place_close(&p);
    CHECK(is_whole(out) && temporary_has(out, "law.png", "mine"));
    temporary_folder_remove();
}

TEST(clearing_removes_only_our_files) {
    (void)begin();
    CHECK(put(out, PLACE_FREE, "one"));
    temporary_write(out, "law.png", "mine");
    CHECK(!place_clear(out, &error));
    CHECK_CONTAINS(error.message, "has files in it that are not listed as written by stiction");
    CHECK(temporary_has(out, "joints.csv", NULL) && temporary_has(out, MANIFEST_NAME, NULL));
    CHECK(temporary_has(out, "law.png", "mine"));
    temporary_unlink(out, "law.png");
    CHECK(place_clear(out, &error));
    CHECK(temporary_has(temporary_root, "out", NULL));
    temporary_folder_remove();
}
