/*
 * Rounds of jobs on Slurm. What is there decides what comes next, and not what was done before:
 * jobs that live are followed, shards that wait are merged, runs that are missing are submitted.
 */
#include "sweep/slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/place.h"
#include "common/progress.h"
#include "document/file.h"
#include "run/run.h"
#include "sweep/inputs.h"
#include "sweep/precheck.h"
#include "sweep/processes.h"
#include "sweep/slurm_call.h"
#include "sweep/slurm_queue.h"

/* Rounds in a row, and merges of one round, that come to nothing. */
enum { most_fruitless = 3 };

/* Without --chunk: a task is worth its start, and a queue is not flooded. */
enum { least_chunk = 10, usual_tasks = 100 };

/* Without a Slurm to ask: its own default. */
enum { default_most_tasks = 1000 };

/* s between two looks at the queue: the first, and up to which it grows. */
static const double first_wait = 0.2, longest_wait = 10;

typedef struct work {
    const slurm_sweep *s;
    const char *folder;
    slurm_job job;
    bool has_job;
    slurm_queue queue;                 /* as it was seen last */
    size_t *todo, count, done, failed; /* runs, as they were seen last */
    size_t fruitless, merges;
    bool retried;
    bool watched;            /* tasks of the round lived under this command */
    size_t cancelled_before; /* it; others are the wish of a user meanwhile */
    int lock;
} work;

/* ---- the runs ---- */

/* What is complete. `first`: also whether the others could begin; then the folder becomes ours. */
static bool survey(work *w, bool first) {
    const slurm_sweep *s = w->s;
    sweep_store store;
    bool fine = sweep_store_look(&store, w->folder, s->plan, first && s->force);
    if (fine) {
        const bool fresh = !store.is_sweep || (first && s->force);
        sweep_states states = sweep_states_read(fresh ? NULL : w->folder, s->plan);
        states.folder = w->folder;
        if (first) (void)sweep_states_tell_damage(&states, SWEEP_NOT_COMPLETE);
        free(w->todo);
        w->todo = allocate(states.count, sizeof *w->todo);
        w->count = 0;
        const bool retry = s->retry && !w->retried;
        for (size_t run = 0; run < states.count; run++)
            if (states.states[run] != SWEEP_DONE && (states.states[run] != SWEEP_FAILED || retry))
                w->todo[w->count++] = run;
        w->done = sweep_states_count(&states, SWEEP_DONE);
        w->failed = sweep_states_count(&states, SWEEP_FAILED);
        const sweep_runner r = {.store = &store,
                                .states = &states,
                                .file = s->request.file,
                                .todo = w->todo,
                                .todo_count = w->count,
                                .at_once = processes_cores(),
                                .time_limit = (double)NAN};
        sweep_inputs inputs = {.generation = 0};
        fine = !states.unread;
        if (first)
            fine = fine && sweep_inputs_check(&inputs, &r, s->request.accept_changes) &&
                   (s->keep_going || sweep_precheck(&r)) && sweep_store_take(&store);
        sweep_inputs_free(&inputs);
        sweep_states_free(&states);
    }
    sweep_store_close(&store);
    return fine;
}

/* Whether the folder has this sweep. */
static bool is_this_sweep(const work *w) {
    char *path = format_text("%s/sweep.json", w->folder);
    sweep_plan there;
    bool same = false;
    if (file_exists(path)) {
        if (sweep_plan_load(w->folder, &there)) {
            json_t *a = sweep_plan_json(&there), *b = sweep_plan_json(w->s->plan);
            same = sweep_json_same(a, b);
            json_decref(a);
            json_decref(b);
        }
        sweep_plan_free(&there);
    }
    free(path);
    return same;
}

/* ---- the queue ---- */

/* What was seen before stays where Slurm does not answer: its controller may be started anew at any
 * moment. False after a sentence: there is no Slurm. */
static bool look_at_queue(work *w, bool *answered) {
    slurm_queue seen;
    char *problem;
    *answered = slurm_queue_read(&w->job, &seen, &problem);
    const bool gone = seen.missing;
    if (*answered) {
        slurm_queue_free(&w->queue);
        w->queue = seen;
    } else {
        slurm_queue_free(&seen);
    }
    if (gone) (void)complain("%s", problem);
    free(problem);
    return !gone;
}

static bool is_live(const work *w) {
    return w->queue.tasks_live || w->queue.merge_live;
}

/* Runs of the round that are done, and that failed, as its tasks tell it. */
static progress_state state_of_tasks(const work *w) {
    progress_state all = {.total = w->job.run_count};
    size_t left = 0;
    for (size_t k = 0; k < w->job.task_count; k++) {
        const slurm_task *t = &w->job.tasks[k];
        char *path = slurm_progress(w->folder, t->index);
        progress_state s;
        /* one that was begun anew counts only what was left by then */
        const bool told = progress_read(path, &s) && s.done <= s.total && s.total <= t->runs;
        left += told ? s.total - s.done : t->runs;
        all.failed += told ? s.failed : 0;
        free(path);
    }
    all.done = left < all.total ? all.total - left : 0;
    return all;
}

static char *what_happens(const work *w) {
    const slurm_queue *q = &w->queue;
    if (!q->tasks_live) return copy_text("; merging");
    if (!q->waiting)
        return format_text("; %zu task%s run%s", q->running, q->running == 1 ? "" : "s",
                           q->running == 1 ? "s" : "");
    const char *opening = *q->reason ? " (" : "", *closing = *q->reason ? ")" : "";
    return format_text("; tasks: %zu run, %zu wait%s%s%s", q->running, q->waiting, opening,
                       q->reason, closing);
}

static void wait_a_while(double seconds) {
    const struct timespec tick = {0, 100000000};
    const double until = monotonic_seconds() + seconds;
    while (!run_interrupted() && monotonic_seconds() < until) (void)nanosleep(&tick, NULL);
}

static void tell_how_to_go_on(const work *w) {
    char *merge = w->job.merge_job ? format_text(" %zu", w->job.merge_job) : copy_text("");
    (void)complain("job %zu goes on without this command; the same command follows it again, and "
                   "scancel %zu%s ends it",
                   w->job.tasks_job, w->job.tasks_job, merge);
    free(merge);
}

/* Until none of the jobs lives. False after a sentence: the user stopped it, or Slurm is gone. */
static bool follow(work *w) {
    progress bar = progress_begin(SWEEP_PROGRESS, (double)w->job.run_count, false);
    double wait = first_wait;
    w->watched = w->watched || w->queue.tasks_live;
    bool fine = true, told_silence = false, told_held = false;
    while (fine && is_live(w) && !run_interrupted()) {
        const progress_state s = state_of_tasks(w);
        char *more = what_happens(w);
        progress_count(&bar, s.done, s.failed, more);
        free(more);
        if (*w->queue.held && !told_held) {
            (void)complain("Slurm holds tasks of job %zu (%s); scontrol release %zu lets them go",
                           w->job.tasks_job, w->queue.held, w->job.tasks_job);
            told_held = true;
        }
        wait_a_while(wait);
        wait = fmin(wait * 1.3, longest_wait);
        if (run_interrupted()) break;
        bool answered;
        fine = look_at_queue(w, &answered);
        if (fine && !answered && !told_silence) {
            (void)complain("squeue has no answer at this moment; it is asked again");
            told_silence = true;
        }
        if (answered) told_silence = false;
    }
    progress_end(&bar);
    if (fine && is_live(w)) {
        tell_how_to_go_on(w);
        fine = false;
    }
    return fine;
}

/* ---- submitting ---- */

/* The number of the job; 0: `*refusal`, the caller's to free, says why. */
static size_t submit(const text_list *options, const char *script, size_t after, char **refusal) {
    text_list words = {NULL, 0};
    text_list_add(&words, "sbatch");
    text_list_add(&words, "--parsable");
    for (size_t k = 0; k < options->count; k++) text_list_add(&words, options->items[k]);
    char *dependency = format_text("--dependency=afterany:%zu", after);
    if (after) text_list_add(&words, dependency);
    text_list_add(&words, script);
    slurm_answer answer = slurm_call(&words);
    const size_t job = answer.fine ? strtoul(answer.out, NULL, 10) : 0;
    *refusal = job           ? NULL
               : answer.fine ? format_text("sbatch told no number of a job, but: %s", answer.out)
                             : copy_text(answer.refusal);
    slurm_answer_free(&answer);
    free(dependency);
    free(words.items);
    return job;
}

static size_t submit_script(const work *w, const char *name, size_t after, char **refusal) {
    text_list options = strcmp(name, SLURM_ARRAY_FILE) == 0
                            ? slurm_array_options(&w->s->request, &w->job)
                            : slurm_merge_options(&w->s->request, &w->job);
    char *script = slurm_path(w->folder, name);
    const size_t job = submit(&options, script, after, refusal);
    free(script);
    slurm_options_free(&options);
    return job;
}

/* Also without the tasks, for those that were left; `after` 0: at once. */
static bool submit_merge(work *w, size_t after) {
    char *refusal;
    const size_t job = submit_script(w, SLURM_MERGE_FILE, after, &refusal);
    if (job) {
        w->job.merge_job = job;
        w->queue.merge_live = true;
        w->merges++;
        (void)slurm_job_update(&w->job, w->folder);
    } else {
        (void)complain("the merge is not submitted: %s", refusal);
    }
    free(refusal);
    return job != 0;
}

static size_t chunk_of(const work *w) {
    if (w->s->chunk) return w->s->chunk;
    const size_t even = (w->count + usual_tasks - 1) / usual_tasks;
    return even > least_chunk ? even : least_chunk;
}

/* What the tasks of the last round told. */
static void clear_progress(const work *w) {
    char *path = slurm_path(w->folder, "progress");
    folder_remove(path);
    free(path);
}

/* What fails in a round is not repeated by the next one. */
static bool write_scripts(const work *w, const char *into) {
    slurm_request q = w->s->request;
    q.retry = w->s->retry && !w->retried;
    return slurm_write_scripts(&q, &w->job, into);
}

static bool write_round(const work *w) {
    char *own = format_text("%s/" SLURM_FOLDER, w->folder);
    place p;
    const bool fine = place_open_folder(&p, own) && write_scripts(w, p.fresh) &&
                      slurm_job_write(&w->job, p.fresh) && place_add(&p, true);
    place_close(&p);
    free(own);
    return fine;
}

/* The scripts and the record of a round for what is to be done. */
static bool plan_round(work *w) {
    char *problem;
    size_t most = slurm_most_tasks(&problem);
    if (!most && w->s->only_scripts) {
        most = default_most_tasks;
        tell_line("%s; arrays of up to %zu tasks are taken as allowed", problem, most);
    } else if (!most) {
        (void)complain("nothing is submitted: %s", problem);
    }
    free(problem);
    if (!most) return false;
    const size_t chunk = chunk_of(w), wanted = (w->count + chunk - 1) / chunk;
    if (wanted > most)
        tell_line(
            "%zu runs a task would be %zu tasks; this Slurm takes arrays of up to %zu, so they "
            "have more runs",
            chunk, wanted, most);
    slurm_job_free(&w->job);
    slurm_job_plan(&w->job, w->todo, w->count, chunk, most);
    w->job.done = w->done;
    w->job.failed = w->failed;
    w->has_job = true;
    w->merges = 0;
    clear_progress(w);
    char *progress_folder = slurm_path(w->folder, "progress");
    const bool fine = folder_make(progress_folder) && write_round(w);
    free(progress_folder);
    return fine;
}

static void tell_round(const work *w) {
    size_t largest = 0;
    for (size_t k = 0; k < w->job.task_count; k++)
        if (w->job.tasks[k].runs > largest) largest = w->job.tasks[k].runs;
    tell_line("job %zu: %zu run%s in %zu task%s of up to %zu; logs: %s/" SLURM_FOLDER,
              w->job.tasks_job, w->job.run_count, w->job.run_count == 1 ? "" : "s",
              w->job.task_count, w->job.task_count == 1 ? "" : "s", largest, w->folder);
}

static bool submit_round(work *w) {
    if (!plan_round(w)) return false;
    char *refusal;
    w->job.tasks_job = submit_script(w, SLURM_ARRAY_FILE, 0, &refusal);
    const bool fine = w->job.tasks_job || complain("nothing is submitted: %s", refusal);
    free(refusal);
    if (!fine) return false;
    slurm_queue_free(&w->queue);
    w->queue = (slurm_queue){.reason = copy_text(""), .held = copy_text(""), .tasks_live = true};
    w->retried = true;
    w->cancelled_before = 0;
    (void)slurm_job_update(&w->job, w->folder);
    tell_round(w);
    (void)submit_merge(w, w->job.tasks_job); /* else when the tasks are over */
    return true;
}

/* ---- what came of a round ---- */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* The last line of a log that tells something; NULL: there is none. The caller frees it. */
static char *last_line(const char *path) {
    file_problem problem;
    FILE *file = stiction_file_stream(path, FILE_MOST_LOG, &problem);
    char *line = NULL, *last = NULL;
    size_t size = 0;
    while (file && getline(&line, &size, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!*line || begins(line, "warning: ") || begins(line, "try: ") ||
            begins(line, SLURM_MOVING))
            continue;
        free(last);
        last = copy_text(begins(line, "stiction: ") ? line + strlen("stiction: ") : line);
    }
    free(line);
    if (file) (void)fclose(file);
    return last;
}

static void tell_end(const work *w, size_t job, size_t task, const char *beginning) {
    char *log = slurm_log(w->folder, job, task), *line = last_line(log);
    const char *state = task ? slurm_queue_end(&w->queue, task) : NULL;
    char *how = state ? format_text(" (%s)", state) : copy_text("");
    if (line)
        (void)complain("%s%s; %s ends: %s", beginning, how, log, line);
    else if (state && strcmp(state, "CANCELLED") == 0)
        (void)complain("%s%s", beginning, how);
    else if (file_exists(log))
        (void)complain("%s%s, and said nothing (%s)", beginning, how, log);
    else
        (void)complain("%s%s; there is no %s: does its node see this folder?", beginning, how, log);
    free(how);
    free(line);
    free(log);
}

/* A sentence for every task that left runs undone, up to a number of them. */
static void tell_tasks(const work *w) {
    enum { most_sentences = 3 };
    size_t *missing = allocate(w->job.shard_count, sizeof *missing), told = 0, more = 0;
    for (size_t k = 0; k < w->count; k++) missing[w->todo[k] % w->job.shard_count]++;
    for (size_t k = 0; k < w->job.task_count; k++) {
        const slurm_task *t = &w->job.tasks[k];
        const size_t left = missing[t->index - 1];
        if (!left) continue;
        if (told == most_sentences) {
            more++;
            continue;
        }
        told++;
        char *beginning = format_text("task %zu of job %zu ended without %zu of its %zu runs",
                                      t->index, w->job.tasks_job, left, t->runs);
        tell_end(w, w->job.tasks_job, t->index, beginning);
        free(beginning);
    }
    if (more)
        (void)complain("and %zu more task%s ended without some of their runs", more,
                       more == 1 ? "" : "s");
    free(missing);
}

static bool is_cancelled(const work *w) {
    return w->queue.cancelled > w->cancelled_before;
}

/* Whether what is missing may be submitted once more; false after a sentence. A round that ended
 * before this command began is not its affair. */
static bool judge_round(work *w) {
    if (!w->count || !w->watched) return true;
    tell_tasks(w);
    if (is_cancelled(w))
        return complain("job %zu was cancelled, so the %zu runs that are missing are not submitted "
                        "again",
                        w->job.tasks_job, w->count);
    if (w->done > w->job.done) {
        w->fruitless = 0;
    } else if (w->failed > w->job.failed) {
        return complain(
            "no run of job %zu went well, so the %zu that are missing are not submitted "
            "again",
            w->job.tasks_job, w->count);
    } else if (++w->fruitless == most_fruitless) {
        return complain(
            "no run became complete in %d jobs one after the other, so the %zu that are "
            "missing are not submitted again",
            (int)most_fruitless, w->count);
    }
    (void)complain("the %zu runs that are missing are submitted again", w->count);
    return true;
}

/* Shards are there, and no job lives. */
static bool merge_again(work *w) {
    if (w->merges) {
        char *beginning = format_text("job %zu did not merge the shards", w->job.merge_job);
        tell_end(w, w->job.merge_job, 0, beginning);
        free(beginning);
    }
    if (w->merges >= most_fruitless)
        return complain("the shards in %s/" SLURM_SHARDS " could not be merged, see above",
                        w->folder);
    /* the command before this one did not accept what this one does */
    if (w->s->request.accept_changes && !w->merges && !write_round(w)) return false;
    return submit_merge(w, 0);
}

/* ---- all of it ---- */

/* One command at a time submits. */
static bool lock(work *w) {
    char *own = format_text("%s/" SLURM_FOLDER, w->folder), *path = slurm_path(w->folder, "lock");
    bool fine = folder_make(own);
    if (fine) {
        w->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (w->lock < 0)
            fine = complain("%s: %s", path, strerror(errno));
        else if (flock(w->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            fine = complain("another stiction sweep --slurm follows the jobs of %s", w->folder);
        /* a file system without locks has to be trusted */
    }
    free(path);
    free(own);
    return fine;
}

/* What another sweep left, or one that was replaced. */
static void clear_rounds(work *w) {
    if (w->lock >= 0) (void)close(w->lock);
    w->lock = -1;
    char *shards = format_text("%s/" SLURM_SHARDS, w->folder);
    char *own = format_text("%s/" SLURM_FOLDER, w->folder);
    folder_remove(shards);
    folder_remove(own);
    w->has_job = false;
    free(shards);
    free(own);
}

/* The jobs of the command before this one, where some live. False after a sentence. */
static bool take_up(work *w) {
    w->has_job = is_this_sweep(w) && slurm_job_read(&w->job, w->folder);
    if (!w->has_job) return true;
    bool answered;
    if (w->s->only_scripts) { /* which need no Slurm */
        char *problem;
        (void)slurm_queue_read(&w->job, &w->queue, &problem);
        free(problem);
    } else {
        if (!lock(w) || !look_at_queue(w, &answered)) return false;
        if (!answered)
            return complain("squeue has no answer, so it is not known whether job %zu still lives",
                            w->job.tasks_job);
    }
    if (!is_live(w)) return true;
    /* a command that was killed may not have written their numbers down */
    if (w->queue.tasks_job) w->job.tasks_job = w->queue.tasks_job;
    if (w->queue.merge_job) w->job.merge_job = w->queue.merge_job;
    if (w->s->force || w->s->only_scripts)
        return complain("job %zu of %s still lives; scancel %zu %zu ends it", w->job.tasks_job,
                        w->folder, w->job.tasks_job, w->job.merge_job);
    tell_line("job %zu of this sweep still lives and is followed", w->job.tasks_job);
    w->retried = true;
    return true;
}

/* For those who submit by hand. */
static bool show_scripts(work *w) {
    char *own = format_text("%s/" SLURM_FOLDER, w->folder);
    const char *into = w->s->scripts_folder ? w->s->scripts_folder : own;
    bool fine = plan_round(w);
    if (fine && w->s->scripts_folder) {
        place p = {.lock = -1};
        fine = folder_make(into) && place_open_folder(&p, into) && write_scripts(w, p.fresh) &&
               place_add(&p, w->s->force);
        place_close(&p);
    }
    if (fine) {
        char *array = format_text("%s/" SLURM_ARRAY_FILE, into), *first = shell_word(array);
        char *merge = format_text("%s/" SLURM_MERGE_FILE, into), *second = shell_word(merge);
        show_line("%zu runs in %zu tasks; to submit them, and the job that merges behind them:",
                  w->job.run_count, w->job.task_count);
        show_line("job=$(sbatch --parsable %s)", first);
        show_line("sbatch --dependency=afterany:$job %s", second);
        free(array);
        free(merge);
        free(first);
        free(second);
    }
    free(own);
    return fine;
}

/* One step: true where there is another one to do; `*fine` false ends it as well. */
static bool step(work *w, bool *fine, sweep_verdict *verdict) {
    if (is_live(w)) {
        *fine = follow(w);
        return *fine;
    }
    if (w->has_job && slurm_has_shards(w->folder) && !is_cancelled(w)) {
        if (merge_again(w)) return true;
        *verdict = SWEEP_STOPPED;
        return false;
    }
    *fine = survey(w, false);
    if (!*fine) return false;
    if (w->count && judge_round(w)) {
        *fine = submit_round(w);
        return *fine;
    }
    *verdict = w->count ? SWEEP_STOPPED : SWEEP_ALL_RAN;
    return false;
}

static bool run_rounds(work *w, sweep_verdict *verdict) {
    bool fine = true;
    *verdict = SWEEP_ALL_RAN;
    if (!is_live(w)) {
        w->cancelled_before = w->queue.cancelled; /* this command is a new wish */
        fine = survey(w, true);
        if (fine && w->s->force) clear_rounds(w);
        fine = fine && (w->lock >= 0 || lock(w));
        if (!fine) return false;
        if (!w->count && !slurm_has_shards(w->folder)) return true;
        if (w->has_job && slurm_has_shards(w->folder))
            fine = merge_again(w);
        else
            fine = submit_round(w);
    }
    while (fine && step(w, &fine, verdict)) continue;
    return fine;
}

bool sweep_on_slurm(const slurm_sweep *s, sweep_verdict *verdict) {
    work w = {.s = s, .folder = s->request.folder, .lock = -1};
    bool fine = slurm_request_check(&s->request) && take_up(&w);
    run_catch_interrupts();
    if (fine && s->only_scripts)
        fine = survey(&w, true) && lock(&w) &&
               (w.count ? show_scripts(&w) : (show_line("all runs are complete already"), true));
    else
        fine = fine && run_rounds(&w, verdict);
    if (w.lock >= 0) (void)close(w.lock);
    slurm_queue_free(&w.queue);
    slurm_job_free(&w.job);
    free(w.todo);
    return fine;
}
