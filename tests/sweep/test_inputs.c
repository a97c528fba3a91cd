/*
 * The files that runs read: what is told where they are others, and where nothing is known of them.
 */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "sweep/inputs.h"
#include "temporary_folder.h"

/* ---- what is said ---- */

/* What a call says on stderr, until the next one. */
static const char *said_by(bool (*call)(void *), void *user, bool *fine) {
    static char text[20000];
    FILE *file = tmpfile();
    const int before = dup(STDERR_FILENO);
    CHECK(file && before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    *fine = call(user);
    CHECK(fflush(stderr) == 0 && dup2(before, STDERR_FILENO) >= 0);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    (void)close(before);
    return text;
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) count++;
    return count;
}

/* So many files from a number on, whose digests have only this letter. */
static manifest files(int from, int count, char letter) {
    manifest list = {.entries = NULL};
    for (int k = from; k < from + count; k++) {
        char name[32];
        (void)snprintf(name, sizeof name, "f%03d", k);
        manifest_entry entry = {.name = name};
        memset(entry.digest, letter, sizeof entry.digest - 1);
        CHECK(manifest_add_entry(&list, &entry));
    }
    return list;
}

typedef struct pair {
    const manifest *a, *b;
    const char *first;
} pair;

static bool differ(void *user) {
    const pair *p = user;
    return sweep_inputs_differ(p->a, p->first, p->b, "two");
}

TEST(shards_differ_where_a_file_of_both_does) {
    manifest a = files(0, 30, 'a'), b = files(0, 30, 'b'), other = files(30, 5, 'c');
    manifest none = {.entries = NULL};
    bool fine;
    const char *said = said_by(differ, &(pair){&a, &a, "one"}, &fine);
    CHECK(!fine && !*said);
    said = said_by(differ, &(pair){&a, &other, "one"}, &fine); /* none is of both */
    CHECK(!fine && !*said);
    said = said_by(differ, &(pair){&a, &none, "one"}, &fine);
    CHECK(!fine && !*said);
    said = said_by(differ, &(pair){&a, &b, "one"}, &fine);
    CHECK(fine && count_of(said, "one and two were done with different files: 'f") == 20);
    said = said_by(differ, &(pair){&a, &b, NULL}, &fine); /* in silence */
    CHECK(fine && !*said);
    manifest_free(&a);
    manifest_free(&b);
    manifest_free(&other);
}

/* ---- a sweep that goes on ---- */

static char *projects[] = {"nowhere.cnoid"}, *laws[] = {"a", "b"}, *words[2100];
static sweep_parameter law = {.key = "law", .values = laws, .count = 2};
static const sweep_plan plan = {.projects = projects,
                                .project_count = 1,
                                .engine = "mujoco",
                                .parameters = &law,
                                .parameter_count = 1};

typedef struct check_of {
    bool accept;
    size_t done;
    size_t generation;
    size_t file_count;
    const char *file;
} check_of;

static bool check_inputs(void *user) {
    check_of *c = user;
    sweep_store store;
    char *out = format_text("%s/out", temporary_root);
    bool fine = sweep_store_look(&store, out, &plan, false);
    sweep_states states = sweep_states_read(NULL, &plan);
    for (size_t run = 0; run < c->done; run++) sweep_states_set(&states, run, SWEEP_DONE, NULL);
    const sweep_runner r = {.store = &store,
                            .states = &states,
                            .file = c->file,
                            .at_once = 1,
                            .time_limit = (double)NAN};
    sweep_inputs inputs = {.generation = 0};
    fine = fine && sweep_inputs_check(&inputs, &r, c->accept);
    c->generation = inputs.generation;
    c->file_count = inputs.now.count;
    sweep_inputs_free(&inputs);
    sweep_states_free(&states);
    sweep_store_close(&store);
    free(out);
    return fine;
}

/* A sweep whose runs read these files once. */
static void make_sweep(const manifest *list, size_t generation) {
    sweep_store store;
    char *out = format_text("%s/out", temporary_root);
    CHECK(sweep_store_look(&store, out, &plan, false) && sweep_store_take(&store));
    CHECK(records_put_inputs(store.records, generation, list) && sweep_store_settle(&store));
    sweep_store_close(&store);
    free(out);
}

TEST(runs_that_read_other_files_are_told_and_nothing_is_started) {
    manifest many = files(0, 25, 'a');
    (void)temporary_folder_make();
    temporary_write(temporary_root, "sweep.yaml", "sweep: 1\n");
    char *file = format_text("%s/sweep.yaml", temporary_root);
    make_sweep(&many, 1);
    bool fine;
    check_of c = {.done = 1, .file = file};
    const char *said = said_by(check_inputs, &c, &fine); /* the project is not there any more */
    CHECK(!fine && count_of(said, "which runs of this sweep read, is not read any more") == 20);
    CHECK_CONTAINS(said, "and 5 more files are others");
    CHECK_CONTAINS(said, "1 run in ");
    CHECK_CONTAINS(said, " was done with other files than those that are there now");
    c = (check_of){.done = 2, .file = file};
    said = said_by(check_inputs, &c, &fine);
    CHECK(!fine);
    CHECK_CONTAINS(said, "2 runs in ");
    CHECK_CONTAINS(said, " were done with other files");
    /* the user may want it so, and where no run is complete nobody is asked */
    c = (check_of){.done = 2, .file = file, .accept = true};
    said = said_by(check_inputs, &c, &fine);
    CHECK(fine && !*said && c.generation == 2);
    c = (check_of){.done = 0, .file = file};
    said = said_by(check_inputs, &c, &fine);
    CHECK(fine && !*said && c.generation == 2);
    free(file);
    manifest_free(&many);
    temporary_folder_remove();
}

TEST(sweep_of_which_no_files_are_known_goes_on) {
    const manifest none = {.entries = NULL};
    (void)temporary_folder_make();
    make_sweep(&none, 1);
    bool fine;
    check_of c = {.done = 2, .file = "/nowhere/sweep.yaml"};
    const char *said = said_by(check_inputs, &c, &fine);
    CHECK(fine && !*said && c.generation == 1 && c.file_count == 0);
    /* nor where the database is not there */
    CHECK(unlink(temporary_path(temporary_root, "out/" RECORDS_NAME)) == 0);
    said = said_by(check_inputs, &c, &fine);
    CHECK(fine && !*said && c.generation == 1);
    temporary_write(temporary_root, "out/" RECORDS_NAME, "no database");
    said = said_by(check_inputs, &c, &fine);
    CHECK(!fine);
    CHECK_CONTAINS(said, "it is no SQLite database");
    temporary_folder_remove();
}

/* Files that only some values name are found with them, up to a bound of such values. */
TEST(project_and_what_values_name_are_listed_from_the_folder_of_the_sweep_file) {
    (void)temporary_folder_make();
    temporary_write(temporary_root, "below/nowhere.cnoid", "no project");
    temporary_write(temporary_root, "below/sweep.yaml", "sweep: 1\n");
    char *file = format_text("%s/below/sweep.yaml", temporary_root);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) words[k] = format_text("w%zu", k);
    law = (sweep_parameter){.key = "law", .values = words, .count = sizeof words / sizeof words[0]};
    bool fine;
    check_of c = {.file = file};
    const char *said = said_by(check_inputs, &c, &fine);
    CHECK(fine && !*said && c.file_count == 1); /* the project, for all of them */
    law = (sweep_parameter){.key = "law", .values = laws, .count = 2};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) free(words[k]);
    free(file);
    temporary_folder_remove();
}
