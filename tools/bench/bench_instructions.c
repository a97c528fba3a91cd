/* SPDX-License-Identifier: MIT
 * stiction bench --instructions: how many instructions a step of one joint takes, counted by
 * valgrind's callgrind. Times vary, these repeat exactly, for one build on one kind of processor.
 * callgrind runs this program once more, which then only makes the steps that are counted.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "bench_joints.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/verb.h"
#include "document/file.h"

extern char **environ;

/* Set for the program that is counted. */
static const char counted_variable[] = "STICTION_BENCH_COUNTED";

static const struct {
    char law;
    bool slides;
} cases[] = {{'s', true}, {'s', false}, {'r', true}, {'r', false}, {'c', true}, {'c', false}};
enum { case_count = sizeof cases / sizeof cases[0], counted_steps = 1000 };

/* ---- in the program that is counted ---- */

/* What a case steps. */
typedef struct stepped {
    stiction_element element;
    double deflection;
    stiction_state *state;
    double velocity, torque;
} stepped;

static void step_law(stepped *s) {
    for (int k = 0; k < counted_steps; k++)
        s->torque = stiction_element_c_step_1(&s->element, s->velocity, &s->deflection);
}

static void step_state(stepped *s) {
    for (int k = 0; k < counted_steps; k++)
        (void)stiction_step(s->state, bench_timestep, &s->velocity, &s->torque, NULL);
}

/* callgrind counts from the call of a function of this name to its end, and then writes a file.
 * Called through a pointer that may change, or a compiler would make copies under other names. */
void bench_counted_steps(void (*run)(stepped *), stepped *s);
void bench_counted_steps(void (*run)(stepped *), stepped *s) {
    run(s);
}
static void (*volatile counted)(void (*run)(stepped *), stepped *s) = bench_counted_steps;

static void make_counted_steps(void) {
    for (size_t k = 0; k < case_count; k++) {
        stiction_model *model = bench_model_create((const char[]){cases[k].law, '\0'}, 1);
        stepped s = {.element = bench_element(cases[k].law), .velocity = cases[k].slides ? 0.1 : 0};
        stiction_error error;
        bench_must(stiction_state_create(model, &s.state, &error), &error);
        /* the first steps get the joint to where it stays, and all that is bound late bound */
        step_law(&s);
        step_state(&s);
        counted(step_law, &s);
        counted(step_state, &s);
        stiction_state_destroy(s.state);
        stiction_model_destroy(model);
    }
}

/* ---- in the one that asks ---- */

/* Runs valgrind on this program. 0, or an error number. */
static int run_callgrind(const char *folder, int *status) {
    char *out = format_text("--callgrind-out-file=%s/count", folder);
    char *log = format_text("--log-file=%s/log", folder);
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) return errno;
    program[length] = '\0';
    char *const argv[] = {(char *)"valgrind",
                          (char *)"--tool=callgrind",
                          (char *)"--toggle-collect=bench_counted_steps",
                          (char *)"--dump-after=bench_counted_steps",
                          out,
                          log,
                          program,
                          (char *)"--instructions",
                          NULL};
    pid_t child;
    (void)setenv(counted_variable, "1", 1);
    int failure = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
    (void)unsetenv(counted_variable);
    while (!failure && waitpid(child, status, 0) < 0)
        if (errno != EINTR) failure = errno;
    free(out);
    free(log);
    return failure;
}

/* The number after "totals:" in file `index` of callgrind, or 0. */
static unsigned long read_total(const char *folder, size_t index) {
    char *path = format_text("%s/count.%zu", folder, index), line[512];
    file_problem problem;
    FILE *file = stiction_file_stream(path, FILE_MOST_LOG, &problem);
    unsigned long total = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "totals: %lu", &total) == 1) break;
    if (file) (void)fclose(file);
    free(path);
    return total;
}

static bool add_rows(const char *folder, table *t) {
    for (size_t k = 0; k < case_count; k++) {
        const unsigned long law = read_total(folder, 2 * k + 1);
        const unsigned long state = read_total(folder, 2 * k + 2);
        if (!law || !state)
            return complain("bench: callgrind counted nothing; was the program stripped?");
        table_text(t, bench_law_name(cases[k].law));
        table_text(t, cases[k].slides ? "slides" : "sticks");
        table_count(t, law / counted_steps);
        table_count(t, state / counted_steps);
    }
    return true;
}

static bool count_in(const char *folder, table *t) {
    int status = 0;
    const int failure = run_callgrind(folder, &status);
    if (failure == ENOENT)
        return complain("bench: --instructions needs valgrind, which is not there: install the "
                        "Debian package valgrind");
    if (failure || status)
        return complain("bench: valgrind could not count%s%s", failure ? ": " : "",
                        failure ? strerror(failure) : "");
    return add_rows(folder, t);
}

static bool measure(const bench_request *request, table *t) {
    (void)request;
    if (getenv(counted_variable)) {
        make_counted_steps();
        exit(EXIT_FINE);
    }
    const char *base = getenv("TMPDIR");
    char *folder = format_text("%s/stiction-bench-XXXXXX", base && *base ? base : P_tmpdir);
    const bool fine =
        (mkdtemp(folder) || complain("%s: %s", folder, strerror(errno))) && count_in(folder, t);
    folder_remove(folder);
    free(folder);
    return fine;
}

static const table_column columns[] = {
    {"law", NULL, 0},
    {"joint", NULL, 0},
    {"law_instructions", "step of the law", 0},
    {"step_instructions", "stiction_step of one joint", 0},
};

const bench_part bench_instructions = {
    .name = "instructions",
    .only_if_named = true,
    .columns = columns,
    .column_count = sizeof columns / sizeof columns[0],
    .measure = measure,
};
