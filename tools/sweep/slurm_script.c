/*
 * The scripts for sbatch. Every text from outside stands in them as one quoted word.
 */
#include "sweep/slurm_script.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/whole_file.h"
#include "document/memory_stream.h"
#include "sweep/slurm_queue.h"

/* ---- words ---- */

/* 'it'\''s' */
char *shell_word(const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._-+:,=@%";
    if (*text && !text[strspn(text, plain)]) return copy_text(text);
    char *word = NULL;
    size_t size;
    FILE *out = must_have(stiction_memory_stream(&word, &size));
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
    return must_have(fclose(out) == 0 ? word : NULL);
}

/* Slurm's own quoting, behind #SBATCH: what it takes as an option when it reads the script. */
static void put_directive(FILE *out, const char *word) {
    fputc('"', out);
    for (; *word; word++) {
        if (*word == '"' || *word == '\\') fputc('\\', out);
        fputc(*word, out);
    }
    fputc('"', out);
}

static size_t name_length(const char *text) {
    size_t length = 0;
    if (isdigit((unsigned char)*text)) return 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    return length;
}

/* "$TMPDIR/x y" becomes a word in which only variables are expanded, and one that is not set ends
 * the task. */
static char *word_with_variables(const char *text) {
    char *word = NULL;
    size_t size;
    FILE *out = must_have(stiction_memory_stream(&word, &size));
    fputc('"', out);
    while (*text) {
        const bool braced = text[0] == '$' && text[1] == '{';
        const char *name = text + 1 + braced;
        const size_t length = text[0] == '$' ? name_length(name) : 0;
        if (length && (!braced || name[length] == '}')) {
            fprintf(out, "${%.*s:?is not set on this node}", (int)length, name);
            text = name + length + braced;
        } else {
            if (strchr("$`\"\\", *text)) fputc('\\', out);
            fputc(*text++, out);
        }
    }
    fputc('"', out);
    return must_have(fclose(out) == 0 ? word : NULL);
}

/* ---- options of sbatch ---- */

/* What the scripts rely on. */
static const char *const our_options[] = {
    "--array",     "-a",        "--output",     "-o",         "--error",    "-e",     "--chdir",
    "-D",          "--comment", "--wrap",       "--wait",     "-W",         "--hold", "-H",
    "--open-mode", "--requeue", "--no-requeue", "--parsable", "--test-only"};

static bool is_option(const char *word, const char *name) {
    const size_t length = strlen(name);
    if (strncmp(word, name, length) != 0) return false;
    return !word[length] || word[length] == '=' || (name[1] != '-' && word[length] != '-');
}

static bool has_line_end(const char *text, const char *what) {
    return text && strchr(text, '\n') &&
           !complain("%s has a line end in it, which a script of Slurm cannot have", what);
}

bool slurm_request_check(const slurm_request *q) {
    for (size_t k = 0; k < q->more.count; k++) {
        for (size_t n = 0; n < sizeof our_options / sizeof our_options[0]; n++)
            if (is_option(q->more.items[k], our_options[n]))
                return complain("%s behind -- is stiction's own option of sbatch here",
                                q->more.items[k]);
        if (has_line_end(q->more.items[k], "an option of sbatch")) return false;
    }
    return !has_line_end(q->file, "the name of the file") &&
           !has_line_end(q->folder, "the name of the folder") &&
           !has_line_end(q->partition, "--partition") && !has_line_end(q->scratch, "--scratch");
}

/* Where the user stands, by the name that the shell gives it: on a node the folders behind links
 * may have other names. NULL: it has none; errno says why. */
static char *this_folder(void) {
    const char *named = getenv("PWD");
    struct stat there, here;
    if (named && named[0] == '/' && stat(named, &there) == 0 && stat(".", &here) == 0 &&
        there.st_dev == here.st_dev && there.st_ino == here.st_ino)
        return copy_text(named);
    return getcwd(NULL, 0);
}

/* A path as every node sees it. */
static char *whole_path(const char *path) {
    char *here = path[0] == '/' ? NULL : this_folder();
    char *whole = here ? format_text("%s/%s", here, path) : copy_text(path);
    free(here);
    return whole;
}

/* Slurm replaces %j and the like in the name of a log, and in folders of it, and takes a backslash
 * as its own: there the script writes the log. */
static bool slurm_can_log(const char *folder) {
    return !strpbrk(folder, "%\\");
}

static char *job_name(const slurm_request *q) {
    char *stem = path_stem(q->file), *name = format_text("--job-name=stiction-%s", stem);
    free(stem);
    return name;
}

/* Ours that may be replaced come first, those that may not last: the last one counts. */
static text_list options_of(const slurm_request *q, const slurm_job *job, const char *part,
                            const char *log) {
    text_list options = {NULL, 0};
    char *folder = whole_path(q->folder);
    text_list_add(&options, job_name(q));
    text_list_add(&options, copy_text("--nodes=1"));
    if (q->partition) text_list_add(&options, format_text("--partition=%s", q->partition));
    for (size_t k = 0; k < q->more.count; k++) text_list_add(&options, copy_text(q->more.items[k]));
    text_list_add(&options, copy_text("--requeue"));
    text_list_add(&options, copy_text("--open-mode=append"));
    char *comment = format_text(SLURM_COMMENT, job->key, part);
    text_list_add(&options, format_text("--comment=%s", comment));
    text_list_add(&options, format_text("--chdir=%s/" SLURM_FOLDER, folder));
    text_list_add(&options, format_text("--output=%s", slurm_can_log(folder) ? log : "/dev/null"));
    free(comment);
    free(folder);
    return options;
}

text_list slurm_array_options(const slurm_request *q, const slurm_job *job) {
    text_list options = options_of(q, job, SLURM_TASKS, "%A_%a.log");
    char *indices = slurm_job_indices(job);
    text_list_add(&options, q->most_at_once
                                ? format_text("--array=%s%%%zu", indices, q->most_at_once)
                                : format_text("--array=%s", indices));
    free(indices);
    return options;
}

text_list slurm_merge_options(const slurm_request *q, const slurm_job *job) {
    return options_of(q, job, SLURM_MERGE, "%j_merge.log");
}

void slurm_options_free(text_list *options) {
    for (size_t k = 0; k < options->count; k++) free((void *)(uintptr_t)options->items[k]);
    free(options->items);
    *options = (text_list){NULL, 0};
}

/* ---- what both scripts begin with ---- */

static void put_word(FILE *out, const char *name, const char *text) {
    char *word = shell_word(text);
    fprintf(out, "%s=%s\n", name, word);
    free(word);
}

static bool put_beginning(FILE *out, const slurm_request *q, const text_list *options,
                          const char *what, const char *log) {
    char own[PATH_MAX], *here = this_folder(), *folder = whole_path(q->folder);
    const bool fine = here && realpath("/proc/self/exe", own) && !has_line_end(here, "this folder");
    if (fine) {
        fputs("#!/bin/sh\n", out);
        for (size_t k = 0; k < options->count; k++) {
            fputs("#SBATCH ", out);
            put_directive(out, options->items[k]);
            fputc('\n', out);
        }
        fprintf(out, "# %s; written by stiction sweep --slurm\n", what);
        put_word(out, "stiction", own);
        put_word(out, "file", q->file);
        put_word(out, "out", folder);
        if (!slurm_can_log(folder)) fprintf(out, "exec >>\"$out/" SLURM_FOLDER "/%s\" 2>&1\n", log);
        put_word(out, "here", here);
        fputs("cd -- \"$here\" || exit 1\n", out);
    } else if (!here) {
        (void)complain("this folder has no name: %s", strerror(errno));
    }
    free(folder);
    free(here);
    return fine;
}

/* ---- a task ---- */

/* What the user accepts the merges do, too. */
static const char *accepted(const slurm_request *q) {
    return q->accept_changes ? " --accept-changes" : "";
}

static bool put_array(FILE *out, const slurm_request *q, const slurm_job *job) {
    text_list options = slurm_array_options(q, job);
    const bool fine = put_beginning(out, q, &options, "A task of a sweep: one shard of its runs",
                                    "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID.log");
    slurm_options_free(&options);
    fprintf(out,
            "task=${SLURM_ARRAY_TASK_ID:?this script is for sbatch}\n"
            "shards=%zu\n"
            "shard=$out/" SLURM_SHARDS "/$task-of-$shards\n"
            "cores=${SLURM_CPUS_ON_NODE:-${SLURM_CPUS_PER_TASK:-1}}\n"
            "mkdir -p -- \"$out/" SLURM_SHARDS "\" \"$out/" SLURM_FOLDER "/progress\" || exit 1\n",
            job->shard_count);
    if (q->scratch) {
        char *scratch = word_with_variables(q->scratch);
        fputs("set --\n"
              "[ ! -e \"$shard/sweep.json\" ] || set -- --skip \"$shard\"\n",
              out);
        fprintf(out,
                "\n"
                "# the work is done on the node; a task that comes back to it goes on there\n"
                "scratch=%s\n"
                "work=$scratch/stiction-${SLURM_ARRAY_JOB_ID:-0}-$task\n"
                "mkdir -p -- \"$scratch\" || exit 1\n"
                "mkdir -m 700 -- \"$work\" 2>/dev/null ||\n"
                "    { [ -d \"$work\" ] && [ ! -L \"$work\" ] && [ -O \"$work\" ]; } ||\n"
                "    { echo \"$work cannot be made\" >&2; exit 1; }\n",
                scratch);
        free(scratch);
    } else {
        fputs("work=$shard\n", out);
    }
    fputs("\n"
          "# Slurm asks with SIGTERM before it kills: what is complete stays\n"
          "child=\n"
          "trap '[ -z \"$child\" ] || kill -TERM \"$child\" 2>/dev/null' TERM INT XCPU\n"
          "\"$stiction\" sweep --shard \"$task/$shards\" --out \"$work\" --jobs \"$cores\" \\\n"
          "    --skip \"$out\" --progress \"$out/" SLURM_FOLDER "/progress/$task\" \\\n",
          out);
    if (q->scratch) fputs("    \"$@\" \\\n", out);
    if (q->retry) fputs("    --retry \\\n", out);
    for (size_t k = 0; k < q->task_words.count; k++) {
        char *word = shell_word(q->task_words.items[k]);
        fprintf(out, "    %s \\\n", word);
        free(word);
    }
    fputs("    -- \"$file\" &\n"
          "child=$!\n"
          "while :; do\n"
          "    wait \"$child\"\n"
          "    status=$?\n"
          "    kill -0 \"$child\" 2>/dev/null || break\n"
          "done\n",
          out);
    if (q->scratch)
        fprintf(out,
                "\n"
                "# what is complete moves to the shard\n"
                "[ ! -e \"$work/sweep.json\" ] ||\n"
                "    \"$stiction\" merge \"$work\" --out \"$shard\" --partial --remove%s 2>&1 "
                ">/dev/null |\n"
                "    sed 's/^/" SLURM_MOVING "/'\n"
                "[ ! -e \"$work/sweep.json\" ] || {\n"
                "    echo \"what is complete could not be moved to $shard: it is left in $work\" "
                ">&2\n"
                "    exit 1\n"
                "}\n"
                "rm -rf -- \"$work\"\n",
                accepted(q));
    fputs("exit \"$status\"\n", out);
    return fine;
}

/* ---- the merge ---- */

static bool put_merge(FILE *out, const slurm_request *q, const slurm_job *job) {
    text_list options = slurm_merge_options(q, job);
    const bool fine = put_beginning(out, q, &options, "All shards of a sweep become the whole",
                                    "${SLURM_JOB_ID}_merge.log");
    slurm_options_free(&options);
    fputs("set --\n"
          "for shard in \"$out\"/" SLURM_SHARDS "/*/; do\n"
          "    [ ! -e \"$shard/sweep.json\" ] || set -- \"$@\" \"${shard%/}\"\n"
          "done\n"
          "[ $# -gt 0 ] || { echo 'there is no shard to merge'; exit 0; }\n"
          "\"$stiction\" merge --out \"$out\" --partial --remove",
          out);
    fputs(accepted(q), out);
    fputs(" -- \"$@\"\n"
          "status=$?\n"
          "rmdir -- \"$out/" SLURM_SHARDS "\" 2>/dev/null\n"
          "exit \"$status\"\n",
          out);
    return fine;
}

static bool write_one(const slurm_request *q, const slurm_job *job, const char *into,
                      const char *name,
                      bool (*put)(FILE *, const slurm_request *, const slurm_job *)) {
    char *path = format_text("%s/%s", into, name);
    whole_file file;
    bool fine = whole_file_begin(&file, path);
    if (fine) {
        fine = put(file.out, q, job);
        fine = whole_file_end(&file) && fine;
    }
    free(path);
    return fine;
}

bool slurm_write_scripts(const slurm_request *q, const slurm_job *job, const char *into) {
    return write_one(q, job, into, SLURM_ARRAY_FILE, put_array) &&
           write_one(q, job, into, SLURM_MERGE_FILE, put_merge);
}
