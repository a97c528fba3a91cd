/* SPDX-License-Identifier: MIT
 * Runs a command again and again, each time with another of its allocations or writes failing, and
 * looks at how it ends: with exit code 0 and the output of a run without a failure, or with exit
 * code 1 and a true message; never by a signal, and never not at all.
 *
 * usage: faults SHIM memory|writes [OPTIONS] -- COMMAND...
 *   --on            all after the failing one fail, too
 *   --errno NAME    of failing writes: ENOSPC (default) or EIO
 *   --first N       every one of the first N (default: every one)
 *   --then N        and N of the rest, at equal distances (default 0)
 *   --writes N      the same of writes, which are few: N at equal distances (default: every one)
 *   --prepare SH    before each run, in the shell
 *   --check SH      after each run; $CODE is its exit code; must succeed
 * FAULTS_ALL=1 in the environment: every one; FAULTS_VERBOSE=1: which ones had no effect.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim.h"

/* A run that takes longer hangs: a hundred times what the longest takes here. */
enum { longest_run = 300 };
enum { shown_failures = 10 };

typedef struct driver {
    const char *shim, *prepare, *check;
    bool writes, on;
    int error;
    long first, then;
    char **command;
    faults_page *page;
    char page_path[64], out_path[64], err_path[64];
    char *expected; /* stdout of a run without a failure */
    long injected, refused, without_effect, failures;
} driver;

/* ---- a run ---- */

static void give_up(const char *what) {
    fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void set_number(const char *name, long value) {
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", value);
    (void)setenv(name, text, 1);
}

static void redirect(const char *path, int to) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, to) < 0) _exit(99);
    if (file != to) (void)close(file);
}

static _Noreturn void become_command(const driver *d, long n) {
    redirect(d->out_path, STDOUT_FILENO);
    redirect(d->err_path, STDERR_FILENO);
    (void)alarm(longest_run);
    (void)setenv("FAULTS_PAGE", d->page_path, 1);
    set_number(d->writes ? "FAULTS_WRITES" : "FAULTS_MEMORY", n);
    set_number("FAULTS_ERRNO", d->error);
    if (d->on) (void)setenv("FAULTS_ON", "1", 1);
    (void)setenv("LD_PRELOAD", d->shim, 1);
    (void)execvp(d->command[0], d->command);
    _exit(98);
}

static int run_command(driver *d, long n) {
    memset(d->page, 0, sizeof *d->page);
    if (d->prepare && system(d->prepare) != 0) {
        fprintf(stderr, "faults: cannot prepare: %s\n", d->prepare);
        exit(2);
    }
    const pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) become_command(d, n);
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) give_up("waitpid");
    return status;
}

static char *contents(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!file || !memory) give_up(path);
    for (int c; (c = fgetc(file)) != EOF;) (void)fputc(c, memory);
    (void)fclose(file);
    (void)fclose(memory);
    return text;
}

/* ---- what came of it ---- */

static bool contains_any(const char *text, const char *const *parts) {
    for (; *parts; parts++)
        if (strcasestr(text, *parts)) return true;
    return false;
}

/* Whether the text has a part of the path, without the marks around names of files that
 * are in the making. */
static bool names_path(const char *text, const char *path) {
    char copy[512], *rest = NULL;
    (void)snprintf(copy, sizeof copy, "%s", path);
    for (char *part = strtok_r(copy, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
        part += part[0] == '.';
        char *ending = strrchr(part, '.');
        if (ending && ending != part && (strcmp(ending, ".part") == 0 || strlen(ending) == 7))
            *ending = '\0';
        if (strcmp(part, "tmp") == 0 || strlen(part) < 3) continue;
        if (strstr(text, part)) return true;
    }
    return false;
}

/* NULL: the message is true. */
static const char *find_false_message(const driver *d, const char *text) {
    static const char *const memory[] = {"out of memory", "cannot allocate memory", NULL};
    /* the first of them only where it is memory that ended */
    static const char *const false_reasons[] = {"the file cannot be",
                                                "is not YAML",
                                                "not well-formed",
                                                "no element found",
                                                "is not JSON",
                                                "no such file",
                                                "unknown",
                                                "damaged",
                                                "invalid",
                                                "unexpected",
                                                NULL};
    /* the last are SQLite's own texts: it does not keep every error number */
    const char *const reasons[] = {strerror(d->error), strerror(EIO), "disk I/O error",
                                   "unable to open database file", NULL};
    if (!*text) return "it says nothing";
    if (contains_any(text, false_reasons + d->writes)) return "it gives a wrong reason";
    if (!d->writes) return contains_any(text, memory) ? NULL : "it does not say why";
    if (!contains_any(text, reasons)) return "it does not say why";
    /* stdout and stderr have no name; a folder is synced for a file in it */
    const bool nameless = !d->page->path[0] || strcmp(d->page->path, d->out_path) == 0 ||
                          strcmp(d->page->path, d->err_path) == 0 ||
                          strcmp(d->page->call, "fsync") == 0;
    return nameless || names_path(text, d->page->path) ? NULL : "it does not name the file";
}

static const char *verdict(driver *d, int status) {
    static char text[128];
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "it hangs";
    if (WIFSIGNALED(status)) {
        (void)snprintf(text, sizeof text, "killed by signal %d", WTERMSIG(status));
        return text;
    }
    const int code = WEXITSTATUS(status);
    char *out = contents(d->out_path), *err = contents(d->err_path);
    const char *problem = NULL;
    if (code == 1) {
        d->refused++;
        /* the reason of a run of a sweep is in its row */
        char *both = NULL;
        if (asprintf(&both, "%s%s", err, out) < 0) give_up("asprintf");
        problem = find_false_message(d, both);
        free(both);
    } else if (code == 0) {
        d->without_effect++;
        if (getenv("FAULTS_VERBOSE")) printf("no effect: %s %s\n", d->page->call, d->page->path);
        if (strcmp(out, d->expected) != 0) problem = "exit code 0 with another output";
    } else {
        (void)snprintf(text, sizeof text, "exit code %d", code);
        problem = text;
    }
    set_number("CODE", code);
    (void)setenv("ON", d->on ? "1" : "", 1); /* then what is to be removed stays */
    if (!problem && d->check && system(d->check) != 0) problem = "what it left is not right";
    free(out);
    free(err);
    return problem;
}

static void report_problem(driver *d, long n, const char *problem) {
    if (++d->failures > shown_failures) return;
    char *err = contents(d->err_path);
    printf("FAILED: %s %ld%s (%s %s): %s\n%s", d->writes ? "write" : "allocation", n,
           d->on ? " and all after it" : "", d->page->call, d->page->path, problem, err);
    printf("  again: FAULTS_PAGE=%s FAULTS_%s=%ld%s LD_PRELOAD=%s", d->page_path,
           d->writes ? "WRITES" : "MEMORY", n, d->on ? " FAULTS_ON=1" : "", d->shim);
    for (char **word = d->command; *word; word++) printf(" %s", *word);
    printf("\n");
    free(err);
}

/* ---- all of them ---- */

/* The next number to try: each of the first, then some at equal distances. */
static long next_number(const driver *d, long n, long total) {
    if (d->first < 0 || n < d->first) return n + 1;
    if (d->then <= 0) return total + 1;
    const long stride = (total - d->first) / d->then;
    return n + (stride > 0 ? stride : 1);
}

static void make_files(driver *d) {
    (void)snprintf(d->page_path, sizeof d->page_path, "/tmp/faults.%d.page", (int)getpid());
    (void)snprintf(d->out_path, sizeof d->out_path, "/tmp/faults.%d.out", (int)getpid());
    (void)snprintf(d->err_path, sizeof d->err_path, "/tmp/faults.%d.err", (int)getpid());
    const int file = open(d->page_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, sizeof *d->page) != 0) give_up(d->page_path);
    d->page = mmap(NULL, sizeof *d->page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (d->page == MAP_FAILED) give_up("mmap");
    (void)close(file);
}

static long count_all(driver *d) {
    const int status = run_command(d, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char *err = contents(d->err_path);
        printf("without a failure it fails (status %d):\n%s", status, err);
        exit(1);
    }
    d->expected = contents(d->out_path);
    (void)setenv("CODE", "0", 1);
    if (d->check && system(d->check) != 0) {
        printf("without a failure what it leaves is not right: %s\n", d->check);
        exit(1);
    }
    return atomic_load(d->writes ? &d->page->writes : &d->page->allocations);
}

static void try_all(driver *d, long total) {
    for (long n = 1; n <= total; n = next_number(d, n, total)) {
        const int status = run_command(d, n);
        if (atomic_load(&d->page->injected) == 0) continue; /* fewer calls than the first time */
        d->injected++;
        const char *problem = verdict(d, status);
        if (problem) report_problem(d, n, problem);
    }
}

int main(int argc, char **argv) {
    driver d = {.error = ENOSPC, .first = -1};
    static const struct option options[] = {
        {"on", no_argument, NULL, 'o'},           {"errno", required_argument, NULL, 'e'},
        {"first", required_argument, NULL, 'f'},  {"then", required_argument, NULL, 't'},
        {"writes", required_argument, NULL, 'w'}, {"prepare", required_argument, NULL, 'p'},
        {"check", required_argument, NULL, 'c'},  {NULL, 0, NULL, 0}};
    if (argc < 4) return 2;
    d.shim = argv[1];
    d.writes = strcmp(argv[2], "writes") == 0;
    long writes = 0;
    argc -= 2;
    argv += 2;
    for (int c; (c = getopt_long(argc, argv, "+", options, NULL)) != -1;) {
        if (c == 'o') d.on = true;
        if (c == 'e') d.error = strcmp(optarg, "EIO") == 0 ? EIO : ENOSPC;
        if (c == 'f') d.first = atol(optarg);
        if (c == 't') d.then = atol(optarg);
        if (c == 'w') writes = atol(optarg);
        if (c == 'p') d.prepare = optarg;
        if (c == 'c') d.check = optarg;
        if (c == '?') return 2;
    }
    if (d.writes) {
        d.first = writes ? 0 : -1;
        d.then = writes;
    }
    const char *all = getenv("FAULTS_ALL");
    if (all && *all) d.first = -1;
    if (getenv("FAULTS_FEW")) { /* where each is slow: tools/coverage.py */
        d.then = d.first < 0 ? 60 : (d.first + d.then) / 8 + 1;
        d.first = 0;
    }
    d.command = argv + optind;
    make_files(&d);
    const long total = count_all(&d);
    try_all(&d, total);
    printf("%s%s: %ld of %ld %s made to fail: %ld refused, %ld without effect, %ld FAILED\n",
           d.command[1] ? d.command[1] : d.command[0], d.on ? " (and all after it)" : "",
           d.injected, total, d.writes ? "writes" : "allocations", d.refused, d.without_effect,
           d.failures);
    (void)unlink(d.page_path);
    (void)unlink(d.out_path);
    (void)unlink(d.err_path);
    return d.failures || !d.injected;
}
