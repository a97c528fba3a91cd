/* SPDX-License-Identifier: MIT
 * The two scripts of a sweep on Slurm, and the calls of sbatch and squeue. Every text from outside
 * is one quoted word in a script.
 */
#include "sweep/slurm.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/whole_file.h"

/* Without --chunk: enough runs per task to be worth its start, and not too many tasks. most_tasks
 * is one less than Slurm's default MaxArraySize. */
enum { least_chunk = 10, usual_tasks = 100, most_tasks = 1000 };

/* ---- quoting ---- */

/* it's -> 'it'\''s' */
char *shell_word(const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._-+:,=@%";
    if (*text && !text[strspn(text, plain)]) return copy_text(text);
    char *word = copy_text("'");
    for (size_t length; *text; text += length + (text[length] != '\0')) {
        length = strcspn(text, "'");
        append_text(&word, "%.*s%s", (int)length, text, text[length] ? "'\\''" : "");
    }
    append_text(&word, "'");
    return word;
}

static void put_word(FILE *out, const char *before, const char *text, const char *after) {
    AUTO_FREE char *word = shell_word(text);
    fprintf(out, "%s%s%s", before, word, after);
}

/* An option for sbatch, in the quoting that sbatch itself reads. */
static void put_directive(FILE *out, const char *name, const char *value) {
    AUTO_FREE char *whole = format_text("%s%s", name, value);
    fputs("#SBATCH \"", out);
    for (const char *text = whole; *text; text++) {
        if (strchr("\"\\", *text)) fputc('\\', out);
        fputc(*text, out);
    }
    fputs("\"\n", out);
}

/* ---- paths ---- */

/* The current folder by the name that the shell uses: after symbolic links a node may have other
 * names. */
static char *current_folder(void) {
    const char *named = getenv("PWD");
    struct stat there, here;
    if (named && named[0] == '/' && stat(named, &there) == 0 && stat(".", &here) == 0 &&
        there.st_dev == here.st_dev && there.st_ino == here.st_ino)
        return copy_text(named);
    return must_have(getcwd(NULL, 0));
}

static char *absolute_path(const char *path) {
    AUTO_FREE char *here = path[0] == '/' ? NULL : current_folder();
    return here ? format_text("%s/%s", here, path) : copy_text(path);
}

char *slurm_path(const slurm_sweep *s, const char *name) {
    return s->scripts ? format_text("%s/%s", s->scripts, name)
                      : format_text("%s/.slurm/%s", s->folder, name);
}

/* ---- the array ---- */

static size_t shard_count(const slurm_sweep *s) {
    const size_t even = (s->run_count + usual_tasks - 1) / usual_tasks;
    const size_t chunk = s->chunk ? s->chunk : even > least_chunk ? even : least_chunk;
    const size_t shards = (s->run_count + chunk - 1) / chunk;
    return shards > most_tasks ? most_tasks : shards;
}

/* "1-3,7": the shards with runs to do. They depend on the whole sweep alone, so that a later
 * command continues the shards that an earlier one left. */
static char *array_indices(const slurm_sweep *s, size_t *tasks) {
    const size_t shards = shard_count(s);
    AUTO_FREE bool *wanted = allocate(shards + 2, sizeof *wanted);
    for (size_t k = 0; k < s->todo_count; k++) wanted[s->todo[k] % shards + 1] = true;
    char *text = copy_text("");
    *tasks = 0;
    for (size_t first = 1, last; first <= shards; first = last + 1) {
        last = first;
        if (!wanted[first]) continue;
        while (wanted[last + 1]) last++;
        append_text(&text, "%s%zu", *tasks ? "," : "", first);
        if (last > first) append_text(&text, "-%zu", last);
        *tasks += last - first + 1;
    }
    if (s->most_at_once) append_text(&text, "%%%zu", s->most_at_once);
    return text;
}

/* ---- the scripts ---- */

/* Options of sbatch that the scripts set themselves. */
static const char *const own_options[] = {"--array",  "-a",           "--chdir", "-D",
                                          "--output", "-o",           "--error", "-e",
                                          "--wrap",   "--dependency", "-d"};

/* The last one of an option counts for sbatch, so those that the user may replace come first. */
static void put_beginning(FILE *out, const slurm_sweep *s, const char *indices, const char *log) {
    char own[PATH_MAX], *stem = path_stem(s->file), *folder = absolute_path(s->folder);
    AUTO_FREE char *here = current_folder(), *logs = format_text("%s/.slurm", folder);
    fputs("#!/bin/sh\n", out);
    put_directive(out, "--job-name=stiction-", stem);
    put_directive(out, "--nodes=1", "");
    if (s->partition) put_directive(out, "--partition=", s->partition);
    for (size_t k = 0; k < s->sbatch_options.count; k++)
        put_directive(out, s->sbatch_options.items[k], "");
    put_directive(out, "--requeue", "");
    put_directive(out, "--open-mode=append", "");
    put_directive(out, "--chdir=", logs);
    put_directive(out, "--output=", log);
    if (indices) put_directive(out, "--array=", indices);
    fputs("# written by stiction sweep --slurm\n", out);
    put_word(out, "stiction=", realpath("/proc/self/exe", own) ? own : "stiction", "\n");
    put_word(out, "file=", s->file, "\n");
    put_word(out, "out=", folder, "\n");
    put_word(out, "cd -- ", here, " || exit 1\n");
    free(folder);
    free(stem);
}

static void put_array(FILE *out, const slurm_sweep *s, const char *indices) {
    put_beginning(out, s, indices, "%A_%a.log");
    fprintf(out,
            "task=${SLURM_ARRAY_TASK_ID:?this script is for sbatch}\n"
            "shard=$out/.shards/$task-of-%zu\n"
            "mkdir -p -- \"$out/.shards\" || exit 1\n"
            "\"$stiction\" sweep --shard \"$task/%zu\" --out \"$shard\" --skip \"$out\" \\\n"
            "    --jobs \"${SLURM_CPUS_ON_NODE:-1}\" \\\n    ",
            shard_count(s), shard_count(s));
    for (size_t k = 0; k < s->sweep_options.count; k++)
        put_word(out, "", s->sweep_options.items[k], " ");
    fputs("-- \"$file\"\n", out);
}

static void put_merge(FILE *out, const slurm_sweep *s, const char *unused) {
    (void)unused;
    put_beginning(out, s, NULL, "%j_merge.log");
    fprintf(out,
            "set --\n"
            "for shard in \"$out\"/.shards/*/; do\n"
            "    [ ! -e \"$shard/sweep.json\" ] || set -- \"$@\" \"${shard%%/}\"\n"
            "done\n"
            "[ $# -gt 0 ] || { echo 'there is no shard to merge'; exit 1; }\n"
            "\"$stiction\" merge --out \"$out\" --partial --remove%s -- \"$@\"\n"
            "status=$?\n"
            "rmdir -- \"$out/.shards\" 2>/dev/null\n"
            "exit \"$status\"\n",
            s->accept_changes ? " --accept-changes" : "");
}

static bool write_script(const slurm_sweep *s, const char *name, const char *indices,
                         void (*put)(FILE *, const slurm_sweep *, const char *),
                         stiction_error *error) {
    AUTO_FREE char *path = slurm_path(s, name);
    whole_file file;
    const bool begun = whole_file_begin(&file, path, error);
    if (begun) put(file.out, s, indices);
    return begun && whole_file_end(&file, error);
}

bool slurm_write_scripts(const slurm_sweep *s, slurm_jobs *jobs, stiction_error *error) {
    AUTO_FREE char *indices = array_indices(s, &jobs->tasks);
    AUTO_FREE char *logs = format_text("%s/.slurm", s->folder),
                   *old = format_text("%s/.shards", s->folder);
    if (s->force) folder_remove(old);
    return folder_make(logs, error) && (!s->scripts || folder_make(s->scripts, error)) &&
           write_script(s, "array.sh", indices, put_array, error) &&
           write_script(s, "merge.sh", NULL, put_merge, error);
}

/* ---- Slurm's programs ---- */

/* The output of a command; the caller frees it. NULL: it failed. */
static char *output_of(const char *command, stiction_error *error) {
    char *text = copy_text(""), line[4096];
    (void)flush_output();
    FILE *from = popen(command, "r");
    while (from && fgets(line, sizeof line, from)) append_text(&text, "%s", line);
    const int status = from ? pclose(from) : -1;
    if (status == 0) return text;
    free(text);
    const int length = (int)strcspn(command, " ");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        (void)fail(error, "%.*s is not in PATH: is Slurm installed?", length, command);
    else
        (void)fail(error, "%.*s failed", length, command);
    return NULL;
}

/* The number of a job that has the folder of the logs as its own; 0: none, or an error. */
static bool find_job(const slurm_sweep *s, size_t *job, stiction_error *error) {
    char *command =
        format_text("squeue --noheader --user=%lu --format='%%A %%Z'", (unsigned long)getuid());
    AUTO_FREE char *rows = output_of(command, error), *folder = absolute_path(s->folder);
    AUTO_FREE char *logs = format_text("%s/.slurm", folder);
    *job = 0;
    for (char *row = rows ? strtok(rows, "\n") : NULL; row; row = strtok(NULL, "\n")) {
        const char *blank = strchr(row, ' ');
        if (blank && strcmp(blank + 1, logs) == 0) *job = strtoul(row, NULL, 10);
    }
    const bool fine = rows != NULL;
    free(command);
    return fine;
}

/* Whether a text may be in a line of a script. */
static bool is_one_line(const char *text, stiction_error *error) {
    return !text || !strchr(text, '\n') ||
           fail(error, "'%s': a script of Slurm cannot contain a line end in a name", text);
}

static bool check_option(const char *given, stiction_error *error) {
    for (size_t n = 0; n < sizeof own_options / sizeof own_options[0]; n++) {
        const size_t length = strlen(own_options[n]);
        if (strncmp(given, own_options[n], length) == 0 &&
            (length == 2 || !given[length] || given[length] == '='))
            return fail(error, "%s: the scripts set this option of sbatch themselves", given);
    }
    return is_one_line(given, error);
}

bool slurm_check(const slurm_sweep *s, bool only_scripts, stiction_error *error) {
    for (size_t k = 0; k < s->sbatch_options.count; k++)
        if (!check_option(s->sbatch_options.items[k], error)) return false;
    if (!is_one_line(s->file, error) || !is_one_line(s->folder, error) ||
        !is_one_line(s->partition, error))
        return false;
    if (strpbrk(s->folder, "%\\"))
        return fail(error, "--out %s: Slurm replaces %% and \\ in the name of a folder", s->folder);
    size_t job = 0;
    if (!only_scripts && !find_job(s, &job, error)) return false;
    return !job || fail(error,
                        "job %zu of this sweep is still in the queue (squeue --me); "
                        "wait for it, or end it with scancel %zu",
                        job, job);
}

static size_t submit(const slurm_sweep *s, const char *name, size_t after, stiction_error *error) {
    AUTO_FREE char *path = slurm_path(s, name), *script = shell_word(path);
    AUTO_FREE char *condition =
        after ? format_text("--dependency=afterany:%zu ", after) : copy_text("");
    AUTO_FREE char *command = format_text("sbatch --parsable %s%s", condition, script);
    AUTO_FREE char *answer = output_of(command, error);
    const size_t job = answer ? strtoul(answer, NULL, 10) : 0;
    if (answer && !job) (void)fail(error, "sbatch printed no job number: %s", answer);
    return job;
}

bool slurm_submit(const slurm_sweep *s, slurm_jobs *jobs, stiction_error *error) {
    jobs->array = submit(s, "array.sh", 0, error);
    jobs->merge = jobs->array ? submit(s, "merge.sh", jobs->array, error) : 0;
    return jobs->merge != 0;
}
