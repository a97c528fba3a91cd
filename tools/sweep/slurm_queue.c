/*
 * The answers of squeue and scontrol.
 */
#include "sweep/slurm_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "sweep/slurm_call.h"

/* Those in which nothing happens any more; a state that is not here may still change. */
static const char *const ended[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                    "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                    "REVOKED",   "TIMEOUT"};

static bool is_live(const char *state) {
    for (size_t k = 0; k < sizeof ended / sizeof ended[0]; k++)
        if (strcmp(state, ended[k]) == 0) return false;
    return true;
}

static void replace(char **text, const char *by) {
    free(*text);
    *text = copy_text(by);
}

static void note_end(slurm_queue *q, const char *index, const char *state) {
    size_t task;
    if (strcmp(state, "COMPLETED") == 0 || sscanf(index, "%zu", &task) != 1) return;
    q->ends = reallocate(q->ends, q->end_count + 1, sizeof *q->ends);
    q->ends[q->end_count++] = (slurm_end){task, copy_text(state)};
}

/* A row of a task. One line may stand for many that wait, but not with --array. */
static void take_task(slurm_queue *q, const char *state, const char *index, const char *reason) {
    const bool live = is_live(state), waits = strcmp(state, "PENDING") == 0;
    q->tasks_live = q->tasks_live || live;
    q->waiting += waits;
    q->running += live && !waits;
    if (!live) note_end(q, index, state);
    if (waits && !*q->reason && strcmp(reason, "None") != 0) replace(&q->reason, reason);
    if (waits && (strstr(reason, "held") || strstr(reason, "Held"))) replace(&q->held, reason);
}

/* "STATE|JOB|INDEX|COMMENT|REASON"; rows of other jobs are none of ours. */
static void take_row(slurm_queue *q, char *row, const char *tasks, const char *merge) {
    char *fields[5];
    for (size_t k = 0; k < 5; k++) {
        fields[k] = row;
        row += strcspn(row, k < 4 ? "|" : "");
        if (k < 4) {
            if (!*row) return;
            *row++ = '\0';
        }
    }
    const size_t job = strtoul(fields[1], NULL, 10);
    if (strcmp(fields[3], tasks) == 0) {
        take_task(q, fields[0], fields[2], fields[4]);
        q->tasks_job = job;
    } else if (strcmp(fields[3], merge) == 0) {
        /* one that was tried again leaves the one before in the queue for a while */
        if (is_live(fields[0]) || !q->merge_live) q->merge_job = job;
        q->merge_live = q->merge_live || is_live(fields[0]);
    } else {
        return;
    }
    q->cancelled += strcmp(fields[0], "CANCELLED") == 0;
}

bool slurm_queue_read(const char *key, slurm_queue *queue, char **problem) {
    *queue = (slurm_queue){.reason = copy_text(""), .held = copy_text("")};
    *problem = NULL;
    char *user = format_text("--user=%lu", (unsigned long)getuid());
    const char *const items[] = {"squeue", "--noheader",   "--array",
                                 user,     "--states=all", "--format=%T|%F|%K|%k|%r"};
    const text_list words = {(const char **)items, sizeof items / sizeof items[0]};
    slurm_answer answer = slurm_call(&words);
    free(user);
    char *tasks = format_text(SLURM_COMMENT, key, SLURM_TASKS),
         *merge = format_text(SLURM_COMMENT, key, SLURM_MERGE);
    for (char *line = answer.fine ? answer.out : NULL; line && *line;) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end == '\n');
        *end = '\0';
        take_row(queue, line, tasks, merge);
        line = next;
    }
    queue->missing = !answer.started;
    if (!answer.fine) *problem = copy_text(answer.refusal);
    const bool fine = answer.fine;
    free(tasks);
    free(merge);
    slurm_answer_free(&answer);
    return fine;
}

void slurm_queue_free(slurm_queue *queue) {
    for (size_t k = 0; k < queue->end_count; k++) free(queue->ends[k].state);
    free(queue->ends);
    free(queue->reason);
    free(queue->held);
    *queue = (slurm_queue){.reason = NULL};
}

const char *slurm_queue_end(const slurm_queue *queue, size_t task) {
    for (size_t k = 0; k < queue->end_count; k++)
        if (queue->ends[k].task == task) return queue->ends[k].state;
    return NULL;
}

size_t slurm_most_tasks(char **problem) {
    static const char *const items[] = {"scontrol", "show", "config"};
    const text_list words = {(const char **)items, sizeof items / sizeof items[0]};
    slurm_answer answer = slurm_call(&words);
    size_t size = 0;
    *problem = NULL;
    const char *line = answer.fine ? strstr(answer.out, "MaxArraySize") : NULL;
    if (!answer.fine)
        *problem = copy_text(answer.refusal);
    else if (!line || sscanf(line, "MaxArraySize = %zu", &size) != 1)
        *problem = copy_text("scontrol show config tells no MaxArraySize");
    else if (size < 2)
        *problem = format_text("this Slurm takes no job arrays (MaxArraySize = %zu)", size);
    slurm_answer_free(&answer);
    return size < 2 ? 0 : size - 1; /* it is above the largest index, and ours begin at 1 */
}
