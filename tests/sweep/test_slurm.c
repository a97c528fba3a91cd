/*
 * What Slurm's programs answer, with scripts in place of them: whatever they say becomes a queue, a
 * number or a sentence; and what stands in the scripts that are written for it.
 */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "common/place.h"
#include "sweep/slurm_call.h"
#include "sweep/slurm_queue.h"
#include "sweep/slurm_script.h"
#include "temporary_folder.h"

/* ---- programs ---- */

static char *path_before;

static void begin(void) {
    path_before = copy_text(getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin");
    char *path = format_text("%s:%s", temporary_folder_make(), path_before);
    CHECK(setenv("PATH", path, 1) == 0);
    free(path);
}

static void end(void) {
    CHECK(setenv("PATH", path_before, 1) == 0);
    free(path_before);
    temporary_folder_remove();
}

/* A program of this name that does so. */
static void program(const char *name, const char *script) {
    char *text = format_text("#!/bin/sh\n%s\n", script);
    temporary_write(temporary_root, name, text);
    CHECK(chmod(temporary_path(temporary_root, name), 0755) == 0);
    free(text);
}

/* ---- calls ---- */

static slurm_answer call(const char *name) {
    const char *const items[] = {name, "--a"};
    const text_list words = {(const char **)(uintptr_t)items, 2};
    return slurm_call(&words);
}

TEST(answers_are_told_in_the_words_of_the_program) {
    static const struct {
        const char *script, *refusal;
        bool fine;
    } cases[] = {{"echo \"out $1 $LC_ALL\"", "", true},
                 {"exit 3", "sbatch ended with 3 and said nothing", false},
                 {"kill -9 $$", "sbatch was killed by signal 9 and said nothing", false},
                 {"echo 'sbatch: error: bad' >&2; exit 1", "sbatch: bad", false},
                 {"echo 'sbatch: bad' >&2; echo >&2; echo 'error: worse' >&2; exit 1",
                  "sbatch: bad; worse", false},
                 {"echo 'sbatcher: bad' >&2; exit 1", "sbatch: sbatcher: bad", false},
                 {"printf 'bad' >&2; kill -9 $$", "sbatch: bad", false},
                 {"printf '   \n' >&2; exit 2", "sbatch ended with 2 and said nothing", false}};
    begin();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        program("sbatch", cases[k].script);
        slurm_answer a = call("sbatch");
        if (!a.started || a.fine != cases[k].fine || strcmp(a.refusal, cases[k].refusal) != 0)
            FAIL("%s: '%s'", cases[k].script, a.refusal);
        CHECK(strcmp(a.out, k ? "" : "out --a C\n") == 0);
        slurm_answer_free(&a);
    }
    end();
}

TEST(programs_that_are_not_there_are_told) {
    static const char sentence[] =
        "sbatch cannot be started: Slurm's programs must be in a folder of PATH";
    begin();
    CHECK(setenv("PATH", temporary_root, 1) == 0);
    for (int there = 0; there < 2; there++) {
        slurm_answer a = call("sbatch");
        CHECK(!a.started && !a.fine && strcmp(a.refusal, sentence) == 0 && !*a.out);
        slurm_answer_free(&a);
        temporary_write(temporary_root, "sbatch", "echo 41\n"); /* which may not be started */
    }
    /* nothing can be, where there are no files to be had */
    program("sbatch", "echo 41");
    struct rlimit files;
    const int next = open("/dev/null", O_RDONLY);
    (void)close(next);
    CHECK(getrlimit(RLIMIT_NOFILE, &files) == 0);
    for (int more = 0; more < 2; more++) {
        CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)(next + more), files.rlim_max}) ==
              0);
        slurm_answer a = call("sbatch");
        CHECK(setrlimit(RLIMIT_NOFILE, &files) == 0);
        CHECK(!a.started && !a.fine);
        CHECK_CONTAINS(a.refusal, "sbatch cannot be started: Too many open files");
        slurm_answer_free(&a);
    }
    end();
}

/* ---- the queue ---- */

static slurm_job job = {.key = "0123456789abcdef", .tasks_job = 70, .merge_job = 71};

static slurm_queue queue_of(const char *rows) {
    slurm_queue q;
    char *problem, *script = format_text("cat <<'END'\n%s\nEND", rows);
    program("squeue", script);
    CHECK(slurm_queue_read(&job, &q, &problem) && !problem && !q.missing);
    free(script);
    return q;
}

TEST(rows_of_the_queue_are_ours_or_not) {
    begin();
    slurm_queue q = queue_of("RUNNING|70|1|stiction-0123456789abcdef-tasks|None\n"
                             "PENDING|70|2|stiction-0123456789abcdef-tasks|None\n"
                             "PENDING|70|3|stiction-0123456789abcdef-tasks|Resources\n"
                             "PENDING|70|4|stiction-0123456789abcdef-tasks|Priority\n"
                             "COMPLETED|70|5|stiction-0123456789abcdef-tasks|None\n"
                             "TIMEOUT|70|6|stiction-0123456789abcdef-tasks|None\n"
                             "FAILED|70|N/A|stiction-0123456789abcdef-tasks|None\n"
                             "a row that is none\n"
                             "RUNNING|70\n"
                             "RUNNING|5|1|stiction-0-tasks|None\n"  /* another sweep's */
                             "RUNNING|70|1|stiction-0-tasks|None\n" /* with our number */
                             "RUNNING|6|1|mine|None\n");
    CHECK(q.tasks_live && q.running == 1 && q.waiting == 3 && !q.merge_live && q.tasks_job == 70);
    CHECK(strcmp(q.reason, "Resources") == 0 && !*q.held && q.cancelled == 0);
    CHECK(q.end_count == 1 && strcmp(slurm_queue_end(&q, 6), "TIMEOUT") == 0);
    CHECK(!slurm_queue_end(&q, 5) && !slurm_queue_end(&q, 1));
    slurm_queue_free(&q);
    /* by its number, where a site has replaced the comment */
    q = queue_of("RUNNING|70|1|the site|None\nPENDING|71|N/A|the site|Dependency");
    CHECK(q.tasks_live && q.merge_live && q.merge_job == 71);
    slurm_queue_free(&q);
    /* none of these is known */
    job.tasks_job = job.merge_job = 0;
    q = queue_of("RUNNING|70|1|the site|None\nPENDING|0|N/A|the site|Dependency");
    CHECK(!q.tasks_live && !q.merge_live && !q.tasks_job);
    slurm_queue_free(&q);
    job.tasks_job = 70;
    job.merge_job = 71;
    end();
}

TEST(who_waits_for_a_person_is_told) {
    begin();
    slurm_queue q = queue_of("PENDING|70|1|stiction-0123456789abcdef-tasks|JobHeldUser");
    CHECK(strcmp(q.held, "JobHeldUser") == 0);
    slurm_queue_free(&q);
    q = queue_of("PENDING|70|1|stiction-0123456789abcdef-tasks|launch failed requeued held\n"
                 "RUNNING|70|2|stiction-0123456789abcdef-tasks|JobHeldUser");
    CHECK(strcmp(q.held, "launch failed requeued held") == 0);
    slurm_queue_free(&q);
    end();
}

/* One that was tried again leaves the one before in the queue for a while. */
TEST(merge_is_the_one_that_lives) {
    begin();
    slurm_queue q = queue_of("FAILED|71|N/A|stiction-0123456789abcdef-merge|None\n"
                             "RUNNING|75|N/A|stiction-0123456789abcdef-merge|None\n"
                             "CANCELLED|73|N/A|stiction-0123456789abcdef-merge|None");
    CHECK(q.merge_live && q.merge_job == 75 && q.cancelled == 1 && !q.tasks_live);
    slurm_queue_free(&q);
    q = queue_of("FAILED|71|N/A|stiction-0123456789abcdef-merge|None\n"
                 "TIMEOUT|75|N/A|stiction-0123456789abcdef-merge|None");
    CHECK(!q.merge_live && q.merge_job == 75);
    slurm_queue_free(&q);
    end();
}

TEST(queue_that_does_not_answer_is_no_empty_one) {
    begin();
    slurm_queue q;
    char *problem;
    program("squeue", "echo 'squeue: error: Unable to contact slurm controller' >&2; exit 1");
    CHECK(!slurm_queue_read(&job, &q, &problem) && !q.missing && !q.tasks_live);
    CHECK(strcmp(problem, "squeue: Unable to contact slurm controller") == 0);
    free(problem);
    slurm_queue_free(&q);
    CHECK(setenv("PATH", "/nowhere", 1) == 0);
    CHECK(!slurm_queue_read(&job, &q, &problem) && q.missing);
    CHECK_CONTAINS(problem, "squeue cannot be started");
    free(problem);
    slurm_queue_free(&q);
    CHECK(setenv("PATH", path_before, 1) == 0);
    end();
}

TEST(size_of_arrays_is_what_slurm_says) {
    static const struct {
        const char *script;
        size_t most;
        const char *problem;
    } cases[] = {{"echo 'Configuration\nMaxArraySize            = 1001'", 1000, NULL},
                 {"echo 'MaxArraySize = 2'", 1, NULL},
                 {"echo 'MaxArraySize = 1'", 0, "takes no job arrays (MaxArraySize = 1)"},
                 {"echo 'MaxArraySize = 0'", 0, "takes no job arrays (MaxArraySize = 0)"},
                 {"echo 'MaxArraySize = many'", 0, "tells no MaxArraySize"},
                 {"echo 'MaxJobCount = 7'", 0, "tells no MaxArraySize"},
                 {"echo 'scontrol: error: no' >&2; exit 1", 0, "scontrol: no"}};
    begin();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char *problem;
        program("scontrol", cases[k].script);
        CHECK(slurm_most_tasks(&problem) == cases[k].most);
        if (cases[k].problem && problem) CHECK_CONTAINS(problem, cases[k].problem);
        CHECK(!problem == !cases[k].problem);
        free(problem);
    }
    end();
}

/* ---- the record of a round ---- */

/* In a folder with a list, as ours are. */
static void write_record(const char *text) {
    char *own = format_text("%s/" SLURM_FOLDER, temporary_root);
    place p;
    (void)mkdir(own, 0777);
    CHECK(place_open_folder(&p, own));
    temporary_write(p.fresh, SLURM_RECORD, text);
    CHECK(place_add(&p, true));
    place_close(&p);
    free(own);
}

#define NUMBERS                                                                                    \
    "\"shards\": 3, \"runs\": 5, \"done\": 1, \"failed\": 0, \"tasks_job\": 7, \"merge_job\": 8"
#define KEY "\"key\": \"0123456789abcdef\""

TEST(records_that_are_none_of_ours_are_not_read) {
    static const char *const wrong[] = {
        "[]",
        "no JSON",
        "{\"slurm\": 2, " KEY ", " NUMBERS ", \"tasks\": []}",
        "{\"slurm\": \"1\", " KEY ", " NUMBERS ", \"tasks\": []}",
        "{\"slurm\": 1, " NUMBERS ", \"tasks\": []}",
        "{\"slurm\": 1, \"key\": \"short\", " NUMBERS ", \"tasks\": []}",
        "{\"slurm\": 1, " KEY ", " NUMBERS "}",
        "{\"slurm\": 1, " KEY ", " NUMBERS ", \"tasks\": 5}",
        "{\"slurm\": 1, " KEY ", \"shards\": -1, \"tasks\": []}",
        "{\"slurm\": 1, " KEY ", \"shards\": 2, \"tasks\": []}",
        "{\"slurm\": 1, " KEY ", " NUMBERS ", \"tasks\": [5]}",
        "{\"slurm\": 1, " KEY ", " NUMBERS ", \"tasks\": [[1]]}",
        "{\"slurm\": 1, " KEY ", " NUMBERS ", \"tasks\": [[0, 2]]}", /* they count from 1 on */
        "{\"slurm\": 1, " KEY ", " NUMBERS ", \"tasks\": [[4, 2]]}", /* there are three */
        "{\"slurm\": 1, " KEY ", \"shards\": 0, \"runs\": 5, \"done\": 1, \"failed\": 0, "
        "\"tasks_job\": 7, \"merge_job\": 8, \"tasks\": []}",
        "{\"slurm\": 1, " KEY ", \"shards\": 9000000000, \"runs\": 5, \"done\": 1, \"failed\": 0, "
        "\"tasks_job\": 7, \"merge_job\": 8, \"tasks\": [[1, 2]]}"};
    slurm_job read;
    (void)temporary_folder_make();
    CHECK(!slurm_job_read(&read, temporary_root)); /* there is none */
    slurm_job_free(&read);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        write_record(wrong[k]);
        if (slurm_job_read(&read, temporary_root)) FAIL("read: %s", wrong[k]);
        slurm_job_free(&read);
    }
    write_record("{\"slurm\": 1, " KEY ", " NUMBERS ", \"tasks\": [[1, 2], [3, 3]]}");
    CHECK(slurm_job_read(&read, temporary_root) && read.shard_count == 3 && read.task_count == 2);
    CHECK(read.tasks[1].index == 3 && read.tasks[1].runs == 3 && read.tasks_job == 7);
    CHECK(read.merge_job == 8 && strcmp(read.key, job.key) == 0 && read.run_count == 5);
    read.merge_job = 9;
    CHECK(slurm_job_update(&read, temporary_root));
    slurm_job_free(&read);
    CHECK(slurm_job_read(&read, temporary_root) && read.merge_job == 9);
    slurm_job_free(&read);
    /* one that somebody changed is not as it was written */
    temporary_write(temporary_root, SLURM_FOLDER "/" SLURM_RECORD,
                    "{\"slurm\": 1, " KEY ", " NUMBERS ", \"tasks\": []}");
    CHECK(!slurm_job_read(&read, temporary_root));
    slurm_job_free(&read);
    temporary_folder_remove();
}

TEST(runs_are_spread_over_tasks_whichever_are_missing) {
    static const size_t every_third[] = {0, 3, 6, 9, 12, 15}, few[] = {4};
    slurm_job j;
    /* three shards would put all of them into one: a few more spread them */
    slurm_job_plan(&j, every_third, 6, 2, 100);
    CHECK(j.run_count == 6 && j.shard_count > 3 && j.task_count >= 3);
    for (size_t k = 0; k < j.task_count; k++) CHECK(j.tasks[k].runs <= 2);
    slurm_job_free(&j);
    slurm_job_plan(&j, every_third, 6, 1, 3); /* no more than that many */
    CHECK(j.shard_count <= 3 && j.task_count == 1 && j.tasks[0].runs == 6);
    slurm_job_free(&j);
    slurm_job_plan(&j, few, 1, 10, 100);
    char *indices = slurm_job_indices(&j);
    CHECK(j.task_count == 1 && strcmp(indices, "1") == 0);
    free(indices);
    slurm_job_free(&j);
    slurm_task tasks[] = {{3, 1}, {7, 1}, {8, 1}, {9, 1}, {12, 1}};
    indices = slurm_job_indices(&(slurm_job){.tasks = tasks, .task_count = 5});
    CHECK(strcmp(indices, "3,7-9,12") == 0);
    free(indices);
}

TEST(shards_are_folders_with_a_plan) {
    (void)temporary_folder_make();
    CHECK(!slurm_has_shards(temporary_root));
    CHECK(mkdir(temporary_path(temporary_root, SLURM_SHARDS), 0777) == 0);
    CHECK(!slurm_has_shards(temporary_root));
    CHECK(mkdir(temporary_path(temporary_root, SLURM_SHARDS "/.1-of-2.part"), 0777) == 0);
    temporary_write(temporary_root, SLURM_SHARDS "/.1-of-2.part/sweep.json", "{}");
    CHECK(mkdir(temporary_path(temporary_root, SLURM_SHARDS "/2-of-2"), 0777) == 0);
    CHECK(!slurm_has_shards(temporary_root));
    temporary_write(temporary_root, SLURM_SHARDS "/2-of-2/sweep.json", "{}");
    CHECK(slurm_has_shards(temporary_root));
    temporary_folder_remove();
}

/* ---- the scripts ---- */

TEST(words_of_a_shell_are_quoted_where_they_must_be) {
    static const struct {
        const char *text, *word;
    } cases[] = {{"a/b.yaml", "a/b.yaml"}, {"", "''"},
                 {"a b", "'a b'"},         {"it's", "'it'\\''s'"},
                 {"$x", "'$x'"},           {"--a=b,c:1@%+_-", "--a=b,c:1@%+_-"},
                 {"`a`\\", "'`a`\\'"},     {"\xC3\xA9", "'\xC3\xA9'"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char *word = shell_word(cases[k].text);
        if (strcmp(word, cases[k].word) != 0) FAIL("%s: %s", cases[k].text, word);
        free(word);
    }
}

static bool check_request(void *user) {
    return slurm_request_check(user);
}

TEST(options_of_sbatch_that_are_ours_are_refused) {
    static const struct {
        const char *word, *sentence; /* NULL: fine */
    } cases[] = {{"--mem=2G", NULL},
                 {"-p", NULL},
                 {"--arrays", NULL}, /* another word */
                 {"--waiting", NULL},
                 {"--array", "--array behind -- is stiction's own"},
                 {"--array=1-3", "--array=1-3 behind -- is"},
                 {"-a1-3", "-a1-3 behind -- is"},
                 {"-a", "-a behind -- is"},
                 {"-W", "-W behind -- is"},
                 {"--comment=x", "--comment=x behind -- is"},
                 {"--a\nb", "an option of sbatch has a line end in it"}};
    stiction_error said;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const slurm_request q = {
            .file = "f", .folder = "o", .more = {(const char **)(uintptr_t)&cases[k].word, 1}};
        const bool fine = command_catch(check_request, (void *)(uintptr_t)&q, &said);
        if (fine != !cases[k].sentence) FAIL("%s", cases[k].word);
        if (cases[k].sentence) CHECK_CONTAINS(said.message, cases[k].sentence);
    }
    const struct {
        slurm_request q;
        const char *sentence;
    } lines[] = {{{.file = "a\nb", .folder = "o"}, "the name of the file has a line end"},
                 {{.file = "f", .folder = "o\n"}, "the name of the folder has a line end"},
                 {{.file = "f", .folder = "o", .partition = "\n"}, "--partition has a line end"},
                 {{.file = "f", .folder = "o", .scratch = "a\n"}, "--scratch has a line end"}};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        CHECK(!command_catch(check_request, (void *)(uintptr_t)&lines[k].q, &said));
        CHECK_CONTAINS(said.message, lines[k].sentence);
    }
}

typedef struct writing {
    slurm_request q;
    const char *into;
} writing;

static bool write_scripts(void *user) {
    const writing *w = user;
    slurm_task tasks[] = {{1, 2}, {2, 2}};
    const slurm_job two = {
        .key = "0123456789abcdef", .shard_count = 2, .tasks = tasks, .task_count = 2};
    return slurm_write_scripts(&w->q, &two, w->into);
}

static void check_script(const slurm_request *q, const char *name, const char *part) {
    size_t size;
    stiction_error said = {.status = STICTION_OK};
    const writing w = {*q, temporary_root};
    if (!command_catch(write_scripts, (void *)(uintptr_t)&w, &said)) FAIL("%s", said.message);
    char *text = temporary_read(temporary_root, name, &size);
    if (!text || !strstr(text, part)) FAIL("%s lacks: %s\n%s", name, part, text ? text : "");
    free(text);
}

TEST(scripts_say_what_was_asked_for) {
    (void)temporary_folder_make();
    slurm_request q = {.file = "s.yaml", .folder = "/data/o"};
    check_script(&q, SLURM_ARRAY_FILE, "#SBATCH \"--array=1-2\"\n");
    check_script(&q, SLURM_ARRAY_FILE, "#SBATCH \"--output=%A_%a.log\"\n");
    check_script(&q, SLURM_ARRAY_FILE, "out=/data/o\n");
    check_script(&q, SLURM_MERGE_FILE, "--partial --remove -- \"$@\"\n");
    q.accept_changes = true;
    q.most_at_once = 7;
    q.partition = "a \"b\" \\c";
    check_script(&q, SLURM_MERGE_FILE, "--partial --remove --accept-changes -- \"$@\"\n");
    check_script(&q, SLURM_ARRAY_FILE, "#SBATCH \"--array=1-2%7\"\n");
    check_script(&q, SLURM_ARRAY_FILE, "#SBATCH \"--partition=a \\\"b\\\" \\\\c\"\n");
    /* variables of the node are expanded there, and nothing else is */
    q.scratch = "$TMPDIR/${USER}x/$1/${A/$/\"`\\";
    check_script(&q, SLURM_ARRAY_FILE,
                 "scratch=\"${TMPDIR:?is not set on this node}/${USER:?is not set on this "
                 "node}x/\\$1/\\${A/\\$/\\\"\\`\\\\\"\n");
    /* Slurm would read %j in a folder's name as its own: there the script writes the log */
    q.folder = "/data/100%j";
    check_script(&q, SLURM_ARRAY_FILE, "#SBATCH \"--output=/dev/null\"\n");
    check_script(&q, SLURM_ARRAY_FILE,
                 "exec >>\"$out/.slurm/${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID.log\" 2>&1\n");
    check_script(&q, SLURM_MERGE_FILE, "exec >>\"$out/.slurm/${SLURM_JOB_ID}_merge.log\" 2>&1\n");
    temporary_folder_remove();
}

TEST(scripts_name_the_folder_as_the_shell_does) {
    char here[300];
    CHECK(getcwd(here, sizeof here) != NULL);
    char *before = getenv("PWD") ? copy_text(getenv("PWD")) : NULL;
    (void)temporary_folder_make();
    char *real = format_text("%s/real", temporary_root),
         *link = format_text("%s/link", temporary_root);
    CHECK(mkdir(real, 0777) == 0 && symlink(real, link) == 0 && chdir(link) == 0);
    const slurm_request q = {.file = "s.yaml", .folder = "o"};
    char *by_link = format_text("out=%s/o\n", link), *by_name = format_text("out=%s/o\n", real);
    CHECK(setenv("PWD", link, 1) == 0);
    check_script(&q, SLURM_ARRAY_FILE, by_link);
    /* a PWD that is another folder, or none, is not believed */
    static const char *const others[] = {"/", "relative", "/nowhere/at/all"};
    for (int k = 0; k < 3; k++) {
        CHECK(setenv("PWD", others[k], 1) == 0);
        check_script(&q, SLURM_ARRAY_FILE, by_name);
    }
    CHECK(unsetenv("PWD") == 0);
    check_script(&q, SLURM_MERGE_FILE, by_name);
    /* one that is gone has no name */
    stiction_error said = {.status = STICTION_OK};
    const writing w = {q, temporary_root};
    CHECK(rmdir(real) == 0);
    CHECK(!command_catch(write_scripts, (void *)(uintptr_t)&w, &said));
    CHECK_CONTAINS(said.message, "this folder has no name");
    CHECK(chdir(temporary_root) == 0);
    const writing nowhere = {q, "/nowhere"};
    CHECK(!command_catch(write_scripts, (void *)(uintptr_t)&nowhere, &said));
    CHECK_CONTAINS(said.message, "No such file or directory");
    CHECK(chdir(here) == 0);
    if (before) CHECK(setenv("PWD", before, 1) == 0);
    free(before);
    free(real);
    free(link);
    free(by_link);
    free(by_name);
    temporary_folder_remove();
}
