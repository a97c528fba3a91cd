/* SPDX-License-Identifier: MIT
 * What a sweep costs a run, and whether that grows with their number: the command itself, run in a
 * folder that goes again.
 */
#define _GNU_SOURCE /* wait4 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/verb_main.h"
#include "storage/folders.h"

/* What one command took. */
typedef struct cost {
    double seconds, processor; /* s */
    double memory;             /* of its largest process, bytes */
} cost;

/* How a sweep is run. */
typedef struct way {
    const char *name;
    bool series;        /* they are kept */
    bool process_a_run; /* nothing is shared */
} way;
static const way ways[] = {{"figures", false, false},
                           {"series", true, false},
                           {"figures, a process a run", false, true},
                           {"series, a process a run", true, true}};
enum { way_count = sizeof ways / sizeof ways[0] };

/* Above so many runs only figures; a process a run only for the first number of runs. */
enum { most_with_series = 10000 };

typedef struct course {
    const char *folder;
    size_t runs;
    const way *way;
    cost sweep, merge, again;
    double bytes, page; /* on the disk, of all and of sweep.html */
} course;

/* ---- a command ---- */

static _Noreturn void exec_command(char *const *arguments, bool process_a_run, const char *errors) {
    const int out = open("/dev/null", O_WRONLY | O_CLOEXEC),
              err = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0 || err < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
        _exit(126);
    /* a limit of the time of a processor is one of a process, so that none stays for a second run
     */
    const struct rlimit long_time = {10000000, RLIM_INFINITY};
    if (process_a_run) (void)setrlimit(RLIMIT_CPU, &long_time);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    char *command = find_program("stiction");
    if (command) (void)execv(command, arguments);
    _exit(127);
}

static void print_errors(const char *path) {
    char text[4000] = "";
    const int errors = open(path, O_RDONLY | O_CLOEXEC);
    if (errors < 0) return;
    if (read(errors, text, sizeof text - 1) > 0) fputs(text, stderr);
    (void)close(errors);
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static volatile sig_atomic_t under_way; /* a process */

static void pass_on(int number) {
    if (under_way > 0) (void)kill((pid_t)under_way, number);
}

/* Adds to the cost. Returns false after an error on stderr. */
static bool run_command(const course *c, const char *const *arguments, cost *of) {
    char *errors = format_text("%s/errors", c->folder);
    const double started = monotonic_seconds();
    (void)fflush(NULL);
    /* an interrupt goes to the child; the folder is removed after it */
    under_way = 0;
    (void)signal(SIGINT, pass_on);
    (void)signal(SIGTERM, pass_on);
    const pid_t child = fork();
    if (child == 0) exec_command((char *const *)arguments, c->way->process_a_run, errors);
    if (child > 0) under_way = child;
    int status = -1;
    struct rusage used = {0};
    while (child > 0 && wait4(child, &status, 0, &used) < 0 && errno == EINTR) continue;
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    const bool fine = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    of->seconds += monotonic_seconds() - started;
    of->processor += seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    of->memory = fmax(of->memory, 1024 * (double)used.ru_maxrss);
    if (!fine) {
        print_errors(errors);
        (void)complain("bench: stiction %s failed", arguments[1]);
    }
    free(errors);
    return fine;
}

/* ---- a sweep, its merge, and the command again, which only reads and shows ---- */

/* As near to a square as it goes. */
static size_t side_of(size_t runs) {
    size_t side = (size_t)sqrt((double)runs);
    while (side > 1 && runs % side) side--;
    return side ? side : 1;
}

static bool write_file(const course *c, const char *project) {
    char *path = format_text("%s/sweep.yaml", c->folder), *whole = realpath(project, NULL);
    FILE *file = whole ? fopen(path, "we") : NULL;
    const size_t side = side_of(c->runs);
    if (file)
        fprintf(file,
                "sweep: 1\nprojects: [\"%s\"]\n%sset:\n  duration: 1\n"
                "  controller.kp: {linspace: [20, 60, %zu]}\n"
                "  joints.*.static_torque: {linspace: [2.1, 3, %zu]}\n",
                whole, c->way->series ? "interval: 0.01\n" : "", side, c->runs / side);
    const bool fine = (file && fclose(file) == 0) || complain("%s: %s", path, strerror(errno));
    free(whole);
    free(path);
    return fine;
}

static bool run_shard(course *c, const char *shard, const char *out) {
    char *file = format_text("%s/sweep.yaml", c->folder),
         *to = format_text("%s/%s", c->folder, out);
    const char *arguments[] = {
        "stiction", "sweep", file, "--out", to, "--no-reports", shard ? "--shard" : NULL,
        shard,      NULL,    NULL};
    if (!c->way->series) arguments[shard ? 8 : 6] = "--figures-only";
    const bool fine = run_command(c, arguments, shard ? &c->sweep : &c->again);
    free(file);
    free(to);
    return fine;
}

static bool merge(course *c) {
    char *first = format_text("%s/a", c->folder), *second = format_text("%s/b", c->folder),
         *all = format_text("%s/all", c->folder);
    const char *arguments[] = {"stiction", "merge", first, second, "--out", all, NULL};
    const bool fine = run_command(c, arguments, &c->merge);
    free(first);
    free(second);
    free(all);
    return fine;
}

static bool add_size(void *user, const char *path) {
    struct stat status;
    double *size = user;
    if (lstat(path, &status) != 0) return true;
    *size += 512 * (double)status.st_blocks;
    if (S_ISDIR(status.st_mode)) (void)storage_visit(path, add_size, size);
    return true;
}

static double size_of(const char *path) {
    double size = 0;
    (void)storage_visit(path, add_size, &size);
    return size;
}

static bool run_course(course *c, const char *project) {
    char *all = format_text("%s/all", c->folder), *page = format_text("%s/sweep.html", all);
    const bool fine = write_file(c, project) && run_shard(c, "1/2", "a") &&
                      run_shard(c, "2/2", "b") && merge(c) && run_shard(c, NULL, "all");
    c->bytes = size_of(all);
    c->page = size_of(page);
    free(page);
    free(all);
    return fine;
}

/* ---- the table ---- */

static const table_column columns[] = {
    {"runs", NULL, 0},
    {"kept", NULL, 0},
    {"runs_a_second", "runs a second", 3},
    {"processor_ms", "processor, a run (ms)", 3},
    {"faster", "times faster", 3},
    {"bytes_a_run", "bytes a run", 4},
    {"sweep_mb", "memory (MB)", 3},
    {"merge_ms", "merge, a run (ms)", 3},
    {"merge_mb", "memory (MB)", 3},
    {"again_ms", "again, a run (ms)", 3},
    {"again_mb", "memory (MB)", 3},
    {"page_mb", "page (MB)", 3},
};

static void add_row(table *t, const course *c, double alone) {
    const double runs = (double)c->runs, mb = 1e-6, ms = 1e3;
    table_count(t, c->runs);
    table_text(t, c->way->name);
    table_number(t, runs / c->sweep.seconds);
    table_number(t, ms * c->sweep.processor / runs);
    table_number_or_empty(t,
                          c->way->process_a_run ? (double)NAN : alone * runs / c->sweep.processor);
    table_number(t, c->bytes / runs);
    table_number(t, mb * c->sweep.memory);
    table_number(t, ms * c->merge.seconds / runs);
    table_number(t, mb * c->merge.memory);
    table_number(t, ms * c->again.seconds / runs);
    table_number(t, mb * c->again.memory);
    table_number(t, mb * c->page);
}

/* One of them in a folder of its own, which goes again. */
static bool measure_one(const char *project, course *c) {
    const char *place = getenv("TMPDIR");
    char *folder = format_text("%s/stiction-XXXXXX", place && *place ? place : "/tmp");
    bool fine = mkdtemp(folder) || complain("%s: %s", folder, strerror(errno));
    c->folder = folder;
    if (fine) {
        fine = run_course(c, project);
        folder_remove(folder);
    }
    c->folder = NULL;
    free(folder);
    return fine;
}

/* Those of a process a run first: others are compared with them, s of a processor a run. */
static bool measure_all(const bench_request *request, table *t, const size_t *counts, size_t n) {
    const char *project = request->projects->items[0];
    double alone[2] = {(double)NAN, (double)NAN};
    course first[way_count];
    for (size_t k = way_count; k-- > 0;) {
        first[k] = (course){.runs = counts[0], .way = &ways[k]};
        if (!measure_one(project, &first[k])) return false;
        if (ways[k].process_a_run)
            alone[ways[k].series] = first[k].sweep.processor / (double)counts[0];
    }
    for (size_t k = 0; k < way_count; k++) add_row(t, &first[k], alone[ways[k].series]);
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < way_count; k++) {
            course c = {.runs = counts[i], .way = &ways[k]};
            if (ways[k].process_a_run || (ways[k].series && c.runs > most_with_series)) continue;
            if (!measure_one(project, &c)) return false;
            add_row(t, &c, alone[ways[k].series]);
        }
    return true;
}

static bool measure(const bench_request *request, table *t) {
    size_t counts[3] = {100, 10000}, n = 2;
    if (request->quick) {
        counts[0] = 4;
        n = 1;
    }
    if (request->runs) {
        n = request->runs > 100 ? 3 : 1;
        counts[n - 1] = request->runs;
        if (n == 3 && request->runs <= 10000) counts[--n - 1] = request->runs;
    }
    return measure_all(request, t, counts, n);
}

const bench_part bench_sweep = {
    .name = "sweep",
    .needs_project = true,
    .only_if_named = true,
    .columns = columns,
    .column_count = sizeof columns / sizeof columns[0],
    .measure = measure,
};
