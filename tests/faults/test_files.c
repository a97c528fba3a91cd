/* SPDX-License-Identifier: MIT
 * Places of results and the folder of a sweep while the calls that write or look at files fail,
 * each in turn: a failure is reported, the old or the new results are complete, files of others
 * stay, and the next one, whom nothing fails, puts all right.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "storage/place.h"
#include "sweep/store.h"
#include "walks.h"

/* A disk that is full, for a moment, for two of three, and from now on; a file system that cannot
 * do it, nor the next but one. */
static const kind_of_failure kinds[] = {{"full", ENOSPC, 1},
                                        {"impossible", EINVAL, 1},
                                        {"full from now on", ENOSPC, ~0U},
                                        {"impossible twice", EINVAL, 5},
                                        {"full twice", ENOSPC, 5}};
static char scratch[128];

static void arm(long n, const kind_of_failure *kind) {
    faults_arm_files(n, kind->which, kind->why);
}

static long disarm(void) {
    const faults_page *page = faults_files();
    faults_disarm_files();
    (void)snprintf(failing_call, sizeof failing_call, "%s %s", page->call, page->path);
    return atomic_load(&page->writes);
}

static void walk(const scenario *s) {
    fail_in_turn(s, kinds, sizeof kinds / sizeof kinds[0]);
}

static bool writes(const char *folder, const char *name, const char *text) {
    FILE *file = fopen(temporary_path(folder, name), "w");
    const bool written = file && fputs(text, file) != EOF;
    return ((!file || fclose(file) == 0) && written) || fail(&error, "%s is not written", name);
}

static bool put(const char *folder, place_rule rule, const char *text) {
    place p;
    const bool fine = place_open(&p, folder, rule, &error) && writes(p.fresh, "joints.csv", text) &&
                      place_commit(&p, &error);
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

/* ---- a place ---- */

static void prepare_nothing(void) {
    (void)snprintf(scratch, sizeof scratch, "%s/.out.part", temporary_root);
}

/* Results, and among them of others a file, a link, a pipe and folders. */
static void prepare_old(void) {
    prepare_nothing();
    CHECK(put(out, PLACE_FREE, "old"));
    temporary_write(out, "notes.txt", "mine");
    temporary_write(out, "deep/.file", "mine");
    CHECK(mkdir(temporary_path(out, "deep/empty"), 0777) == 0);
    CHECK(symlink("notes.txt", temporary_path(out, "link")) == 0);
    CHECK(mkfifo(temporary_path(out, "pipe"), 0666) == 0);
}

static bool others_stayed(void) {
    struct stat status;
    return temporary_has(out, "notes.txt", "mine") && temporary_has(out, "deep/.file", "mine") &&
           temporary_has(out, "link", "mine") && lstat(temporary_path(out, "pipe"), &status) == 0 &&
           S_ISFIFO(status.st_mode) && stat(temporary_path(out, "deep/empty"), &status) == 0;
}

/* Files of others are moved at the end; where that fails, the next run does it. */
static bool others_wait(void) {
    return access(temporary_path(scratch, "old"), F_OK) == 0;
}

/* Nothing fails any more. */
static void check_next(void) {
    const bool fine = put(out, PLACE_OWN, "third");
    EXPECT(fine);
    if (!fine) printf("%s\n", error.message);
    EXPECT(is_whole(out) && temporary_has(out, "joints.csv", "third"));
    EXPECT(temporary_has(temporary_root, ".out.part", NULL));
}

static bool go_free(void) {
    return put(out, PLACE_FREE, "new");
}

static void check_free(bool fine) {
    EXPECT(!fine || is_whole(out));
    EXPECT(temporary_has(out, "joints.csv", "new") || (!fine && access(out, F_OK) != 0));
    check_next();
}

TEST(results_take_a_free_place_or_none_whatever_fails) {
    walk(&(scenario){"free", prepare_nothing, go_free, check_free, 2, false});
}

static bool go_replace(void) {
    return put(out, PLACE_REPLACE, "new");
}

static void check_replace(bool fine) {
    EXPECT(is_whole(out) && (others_stayed() || others_wait()));
    EXPECT(temporary_has(out, "joints.csv", "new") ||
           (!fine && temporary_has(out, "joints.csv", "old")));
    check_next();
    EXPECT(others_stayed());
}

TEST(results_are_the_old_or_the_new_whatever_fails) {
    walk(&(scenario){"replace", prepare_old, go_replace, check_replace, 2, false});
}

/* One died between the two renames. */
static void prepare_moved_away(void) {
    prepare_old();
    CHECK(mkdir(scratch, 0777) == 0 && rename(out, temporary_path(scratch, "old")) == 0);
    temporary_write(scratch, "lock", "");
}

static bool go_recover(void) {
    place p;
    const bool fine = place_open(&p, out, PLACE_REPLACE, &error);
    place_close(&p);
    return fine;
}

static void check_moved_away(bool fine) {
    const bool back = is_whole(out) && temporary_has(out, "joints.csv", "old") && others_stayed();
    EXPECT(back || (!fine && temporary_has(scratch, "old/joints.csv", "old")));
    EXPECT(go_recover() && is_whole(out) && temporary_has(out, "joints.csv", "old"));
    EXPECT(others_stayed());
    check_next();
}

TEST(results_that_were_moved_away_are_not_lost_whatever_fails) {
    walk(&(scenario){"moved away", prepare_moved_away, go_recover, check_moved_away, 2, false});
}

/* A process died after the renames, with files of others in what it replaced. */
static void prepare_exchanged(void) {
    prepare_old();
    CHECK(mkdir(scratch, 0777) == 0 && rename(out, temporary_path(scratch, "old")) == 0);
    CHECK(put(temporary_path(temporary_root, "other"), PLACE_FREE, "new"));
    CHECK(rename(temporary_path(temporary_root, "other"), out) == 0);
    temporary_write(scratch, "lock", "");
}

static void check_exchanged(bool fine) {
    (void)fine;
    EXPECT(is_whole(out) && temporary_has(out, "joints.csv", "new"));
    EXPECT(temporary_has(out, "deep/.file", "mine") ||
           temporary_has(scratch, "old/deep/.file", "mine"));
    EXPECT(go_recover());
    EXPECT(temporary_has(out, "deep/.file", "mine") && temporary_has(out, "notes.txt", "mine"));
    check_next();
}

TEST(files_of_others_are_not_lost_whatever_fails) {
    walk(&(scenario){"exchanged", prepare_exchanged, go_recover, check_exchanged, 2, false});
}

/* ---- files for a folder ---- */

static void prepare_report(void) {
    prepare_old();
    place p;
    CHECK(place_open_folder(&p, out, &error) && writes(p.fresh, "report.html", "old") &&
          place_add(&p, false, &error));
    place_close(&p);
}

static bool go_add(void) {
    place p;
    const bool fine = place_open_folder(&p, out, &error) && writes(p.fresh, "report.html", "new") &&
                      writes(p.fresh, "law.png", "new") && place_add(&p, false, &error);
    place_close(&p);
    return fine;
}

static void check_add(bool fine) {
    EXPECT(is_whole(out) && others_stayed() && temporary_has(out, "joints.csv", "old"));
    EXPECT(temporary_has(out, "report.html", "new") ||
           (!fine && temporary_has(out, "report.html", "old")));
    /* one that could not be listed any more is in the way, and stays */
    EXPECT(go_recover() && (go_add() || strstr(error.message, "is not listed as written")));
    EXPECT(is_whole(out) && temporary_has(temporary_root, ".out.part", NULL));
}

TEST(added_files_are_listed_whatever_fails) {
    walk(&(scenario){"add", prepare_report, go_add, check_add, 2, false});
}

/* One that is not ours is not replaced by one of ours. */
static void prepare_foreign(void) {
    prepare_old();
    temporary_write(out, "law.png", "mine");
}

static void check_foreign(bool fine) {
    EXPECT(!fine && temporary_has(out, "law.png", "mine"));
    EXPECT(is_whole(out) && others_stayed() && temporary_has(out, "joints.csv", "old"));
}

TEST(file_of_others_is_not_replaced_whatever_fails) {
    walk(&(scenario){"foreign", prepare_foreign, go_add, check_foreign, 2, true});
}

/* ---- a sweep ---- */

static char *projects[] = {"wrist.cnoid"}, *laws[] = {"stribeck", "coulomb"}, *gains[] = {"1", "2"};
static sweep_parameter law = {.key = "law", .values = laws, .count = 2},
                       gain = {.key = "controller.kp", .values = gains, .count = 2};
static const sweep_plan of_laws = {.projects = projects,
                                   .project_count = 1,
                                   .engine = "mujoco",
                                   .parameters = &law,
                                   .parameter_count = 1},
                        of_gains = {.projects = projects,
                                    .project_count = 1,
                                    .engine = "mujoco",
                                    .interval = "0.1",
                                    .parameters = &gain,
                                    .parameter_count = 1};

static bool make_run(sweep_store *store, size_t run, const char *failure) {
    place p;
    const bool fine =
        sweep_store_open_run(store, run, &p, &error) &&
        (writes(p.fresh, "joints.csv", "time\n") &&
         writes(p.fresh, "summary.json", "{\"joints\": {}}\n")) &&
        sweep_store_commit(store, run, &p, &(sweep_outcome){.failure = failure, .folder = p.fresh},
                           &error);
    place_close(&p);
    return fine;
}

/* A second run that failed; `force`: over another sweep. */
static bool sweeps(const sweep_plan *plan, bool force) {
    sweep_store store;
    const bool fine = sweep_store_open(&store, out, plan, force, &error) &&
                      sweep_store_take(&store, &error) && make_run(&store, 0, NULL) &&
                      make_run(&store, 1, "it fell") && records_commit(store.records, &error);
    sweep_store_close(&store);
    return fine;
}

static bool has_sweep(const char *folder, const sweep_plan *plan) {
    char *reason = NULL, *why = NULL;
    const bool fine = sweep_run_state(folder, plan, 0, &why) == SWEEP_DONE && !why &&
                      sweep_run_state(folder, plan, 1, &reason) == SWEEP_FAILED &&
                      strcmp(reason, "it fell") == 0 && is_whole(folder);
    free(reason);
    free(why);
    return fine;
}

static void prepare_sweep(void) {
    CHECK(sweeps(&of_laws, false) && has_sweep(out, &of_laws));
}

static bool go_sweep(void) {
    return sweeps(&of_laws, false);
}

static void check_sweep(bool fine) {
    EXPECT(!fine || has_sweep(out, &of_laws));
    for (size_t run = 0; run < 2; run++) {
        char *reason;
        EXPECT(sweep_run_state(out, &of_laws, run, &reason) != SWEEP_DAMAGED);
        free(reason);
    }
    EXPECT(sweeps(&of_laws, false) && has_sweep(out, &of_laws));
}

TEST(runs_of_a_sweep_are_whole_or_absent_whatever_fails) {
    walk(&(scenario){"sweep", prepare_nothing, go_sweep, check_sweep, 7, false});
}

/* ---- figures alone ---- */

static bool go_figures(void) {
    sweep_store store;
    json_t *summary = json_loads("{\"joints\": {\"J\": {\"final_position\": 0.5}}}", 0, NULL);
    const sweep_outcome done = {.summary = summary}, failed = {.failure = "it fell"};
    const bool fine = sweep_store_open(&store, out, &of_laws, false, &error) &&
                      sweep_store_take(&store, &error) &&
                      sweep_store_commit(&store, 0, NULL, &done, &error) &&
                      sweep_store_commit(&store, 1, NULL, &failed, &error) &&
                      records_commit(store.records, &error);
    sweep_store_close(&store);
    json_decref(summary);
    return fine;
}

/* What was reported as written is there; nothing is partially there. */
static void check_figures(bool fine) {
    for (int again = 0; again < 2; again++) {
        sweep_states s;
        EXPECT(sweep_states_read_folder(&s, out, &of_laws, &error));
        EXPECT(s.states[0] == SWEEP_DONE || (!fine && s.states[0] == SWEEP_ABSENT));
        EXPECT(s.states[1] == SWEEP_FAILED || (!fine && s.states[1] == SWEEP_ABSENT));
        sweep_states_free(&s);
        EXPECT(again || go_figures());
        fine = true;
    }
}

TEST(rows_of_a_sweep_are_there_or_not_whatever_fails) {
    walk(&(scenario){"figures", prepare_nothing, go_figures, check_figures, 7, false});
}

/* ---- over another sweep ---- */

static bool go_force(void) {
    return sweeps(&of_gains, true);
}

/* What is there is one of the two, or nothing. */
static void check_force(bool fine) {
    EXPECT(!fine || has_sweep(out, &of_gains));
    EXPECT(sweeps(&of_gains, true) && has_sweep(out, &of_gains));
}

TEST(forced_sweep_replaces_another_whatever_fails) {
    walk(&(scenario){"force", prepare_sweep, go_force, check_force, 7, false});
}
