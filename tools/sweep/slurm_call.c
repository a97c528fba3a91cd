/*
 * Starts one of Slurm's programs and waits for it. What it prints goes to memory: there is no pipe
 * that could be full.
 */
#define _GNU_SOURCE /* memfd_create */
#include "sweep/slurm_call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "run/run.h"

enum { not_there = 127 };

static _Noreturn void become(const text_list *words, int out, int err) {
    /* an interrupt of the terminal is ours: a job must not be half submitted */
    (void)setpgid(0, 0);
    run_release_interrupts();
    const int in = open("/dev/null", O_RDONLY);
    if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0)
        _exit(126);
    (void)setenv("LC_ALL", "C", 1);
    (void)execvp(words->items[0], (char *const *)words->items);
    dprintf(STDERR_FILENO, "%s\n", strerror(errno));
    _exit(errno == ENOENT || errno == EACCES ? not_there : 126);
}

static char *text_of(int file) {
    const off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    char *text = allocate((size_t)(size > 0 ? size : 0) + 1, 1);
    ssize_t got = size > 0 ? pread(file, text, (size_t)size, 0) : 0;
    if (got < 0) got = 0;
    text[got] = '\0';
    return text;
}

/* "sbatch: error: A" and "sbatch: error: B" become "A; B". */
static char *sentence_of(const char *program, const char *said) {
    char *all = copy_text("");
    for (const char *line = said; *line;) {
        const size_t length = strcspn(line, "\n"), name = strlen(program);
        const char *begin = line, *end = line + length;
        if (strncmp(begin, program, name) == 0 && begin[name] == ':') begin += name + 1;
        begin += strspn(begin, " ");
        if (strncmp(begin, "error:", 6) == 0) begin += 6;
        begin += strspn(begin, " ");
        if (begin < end) {
            char *longer =
                format_text("%s%s%.*s", all, *all ? "; " : "", (int)(end - begin), begin);
            free(all);
            all = longer;
        }
        line = end + (*end == '\n');
    }
    return all;
}

static char *refusal_of(const slurm_answer *answer, const char *program, int status,
                        const char *said) {
    if (answer->fine) return copy_text("");
    if (!answer->started)
        return format_text("%s cannot be started: Slurm's programs must be in a folder of PATH",
                           program);
    char *sentence = sentence_of(program, said), *how;
    if (WIFSIGNALED(status))
        how = format_text("was killed by signal %d", WTERMSIG(status));
    else
        how = format_text("ended with %d", WEXITSTATUS(status));
    char *all = *sentence ? format_text("%s: %s", program, sentence)
                          : format_text("%s %s and said nothing", program, how);
    free(how);
    free(sentence);
    return all;
}

slurm_answer slurm_call(const text_list *words) {
    slurm_answer answer = {.started = false};
    text_list all = {NULL, 0};
    for (size_t k = 0; k < words->count; k++) text_list_add(&all, words->items[k]);
    text_list_add(&all, NULL);
    (void)flush_output();
    const int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    const pid_t child = out < 0 || err < 0 ? -1 : fork();
    if (child == 0) become(&all, out, err);
    int status = 0;
    if (child < 0) {
        answer.refusal = format_text("%s cannot be started: %s", words->items[0], strerror(errno));
        answer.out = copy_text("");
    } else {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        char *said = text_of(err);
        answer.started = !(WIFEXITED(status) && WEXITSTATUS(status) == not_there);
        answer.fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        answer.out = text_of(out);
        answer.refusal = refusal_of(&answer, words->items[0], status, said);
        free(said);
    }
    if (out >= 0) (void)close(out);
    if (err >= 0) (void)close(err);
    free(all.items);
    return answer;
}

void slurm_answer_free(slurm_answer *answer) {
    free(answer->out);
    free(answer->refusal);
    *answer = (slurm_answer){.started = false};
}
