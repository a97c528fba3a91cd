/*
 * A round of a sweep on Slurm, and its record.
 */
#include "sweep/slurm_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/place.h"
#include "sweep/plan.h"
#include "json/json_in.h"
#include "json/json_out.h"

/* ---- the tasks ---- */

/* How many of the runs the largest of so many shards has. */
static size_t largest_shard(const size_t *todo, size_t count, size_t shards, size_t *sizes) {
    size_t largest = 0;
    memset(sizes, 0, shards * sizeof *sizes);
    for (size_t k = 0; k < count; k++) {
        const size_t size = ++sizes[todo[k] % shards];
        if (size > largest) largest = size;
    }
    return largest;
}

/* What is missing may be every n-th run, which few shards would share: one more, or a few, and it
 * is spread evenly. */
static size_t best_count(const size_t *todo, size_t count, size_t chunk, size_t least,
                         size_t most) {
    enum { tries = 32 };
    size_t *sizes = allocate(least + tries, sizeof *sizes), best = least, size = (size_t)-1;
    for (size_t n = least; n < least + tries && n <= most && size > chunk; n++) {
        const size_t largest = largest_shard(todo, count, n, sizes);
        if (largest >= size) continue;
        size = largest;
        best = n;
    }
    free(sizes);
    return best;
}

static void draw_key(slurm_job *job) {
    unsigned char bytes[8] = {0};
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) (void)must_have(NULL);
    for (size_t k = 0; k < sizeof bytes; k++)
        (void)snprintf(job->key + 2 * k, sizeof job->key - 2 * k, "%02x", bytes[k]);
}

void slurm_job_plan(slurm_job *job, const size_t *todo, size_t count, size_t chunk,
                    size_t most_tasks) {
    size_t least = (count + chunk - 1) / chunk;
    if (least > most_tasks) least = most_tasks;
    *job = (slurm_job){.run_count = count};
    draw_key(job);
    job->shard_count = best_count(todo, count, chunk, least, most_tasks);
    size_t *sizes = allocate(job->shard_count, sizeof *sizes);
    (void)largest_shard(todo, count, job->shard_count, sizes);
    job->tasks = allocate(job->shard_count, sizeof *job->tasks);
    for (size_t k = 0; k < job->shard_count; k++)
        if (sizes[k]) job->tasks[job->task_count++] = (slurm_task){k + 1, sizes[k]};
    free(sizes);
}

void slurm_job_free(slurm_job *job) {
    free(job->tasks);
    *job = (slurm_job){.tasks = NULL};
}

char *slurm_job_indices(const slurm_job *job) {
    char *text = copy_text("");
    for (size_t k = 0; k < job->task_count;) {
        size_t last = k;
        while (last + 1 < job->task_count &&
               job->tasks[last + 1].index == job->tasks[last].index + 1)
            last++;
        const char *comma = *text ? "," : "";
        char *longer = last > k ? format_text("%s%s%zu-%zu", text, comma, job->tasks[k].index,
                                              job->tasks[last].index)
                                : format_text("%s%s%zu", text, comma, job->tasks[k].index);
        free(text);
        text = longer;
        k = last + 1;
    }
    return text;
}

/* ---- paths ---- */

char *slurm_path(const char *folder, const char *name) {
    return format_text("%s/" SLURM_FOLDER "/%s", folder, name);
}

char *slurm_log(const char *folder, size_t job, size_t task) {
    return task ? format_text("%s/" SLURM_FOLDER "/%zu_%zu.log", folder, job, task)
                : format_text("%s/" SLURM_FOLDER "/%zu_merge.log", folder, job);
}

char *slurm_progress(const char *folder, size_t task) {
    return format_text("%s/" SLURM_FOLDER "/progress/%zu", folder, task);
}

bool slurm_has_shards(const char *folder) {
    char *path = format_text("%s/" SLURM_SHARDS, folder);
    DIR *shards = folder_open(path);
    bool some = false;
    for (const struct dirent *entry; shards && !some && (entry = readdir(shards)) != NULL;) {
        char *plan = format_text("%s/%s/sweep.json", path, entry->d_name);
        some = entry->d_name[0] != '.' && file_exists(plan);
        free(plan);
    }
    if (shards) (void)closedir(shards);
    free(path);
    return some;
}

/* ---- the record ---- */

/* Of whole numbers, one a row; what a reader fills. */
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"shards", offsetof(slurm_job, shard_count)},  {"runs", offsetof(slurm_job, run_count)},
    {"done", offsetof(slurm_job, done)},           {"failed", offsetof(slurm_job, failed)},
    {"tasks_job", offsetof(slurm_job, tasks_job)}, {"merge_job", offsetof(slurm_job, merge_job)},
};
enum { number_count = sizeof numbers / sizeof numbers[0] };

static json_t *record_of(const slurm_job *job) {
    json_t *json = json_object(), *tasks = json_array();
    json_object_set_new(json, "slurm", json_integer(1));
    json_object_set_new(json, "key", json_string(job->key));
    for (size_t k = 0; k < number_count; k++) {
        size_t value;
        memcpy(&value, (const char *)job + numbers[k].offset, sizeof value);
        json_object_set_new(json, numbers[k].name, json_integer((json_int_t)value));
    }
    for (size_t k = 0; k < job->task_count; k++) {
        json_t *task = json_array();
        json_array_append_new(task, json_integer((json_int_t)job->tasks[k].index));
        json_array_append_new(task, json_integer((json_int_t)job->tasks[k].runs));
        json_array_append_new(tasks, task);
    }
    json_object_set_new(json, "tasks", tasks);
    return json;
}

static bool read_count(const json_t *value, size_t *count) {
    if (!json_is_integer(value) || json_integer_value(value) < 0) return false;
    *count = (size_t)json_integer_value(value);
    return true;
}

static bool read_record(slurm_job *job, const json_t *json) {
    size_t format;
    const char *key = json_string_value(json_object_get(json, "key"));
    const json_t *tasks = json_object_get(json, "tasks");
    if (!read_count(json_object_get(json, "slurm"), &format) || format != 1 || !key ||
        strlen(key) + 1 != sizeof job->key || !json_is_array(tasks))
        return false;
    memcpy(job->key, key, sizeof job->key);
    for (size_t k = 0; k < number_count; k++) {
        size_t value;
        if (!read_count(json_object_get(json, numbers[k].name), &value)) return false;
        memcpy((char *)job + numbers[k].offset, &value, sizeof value);
    }
    if (job->shard_count > SWEEP_MOST_RUNS) return false;
    job->tasks = allocate(json_array_size(tasks), sizeof *job->tasks);
    for (size_t k = 0; k < json_array_size(tasks); k++) {
        const json_t *task = json_array_get(tasks, k);
        slurm_task *t = &job->tasks[job->task_count++];
        if (!read_count(json_array_get(task, 0), &t->index) ||
            !read_count(json_array_get(task, 1), &t->runs) || t->index < 1 ||
            t->index > job->shard_count)
            return false;
    }
    return job->shard_count > 0;
}

bool slurm_job_read(slurm_job *job, const char *folder) {
    *job = (slurm_job){.tasks = NULL};
    char *own = format_text("%s/" SLURM_FOLDER, folder), *path = slurm_path(folder, SLURM_RECORD);
    manifest list;
    /* only what is listed as ours and as it was written */
    bool fine = place_read_list(&list, own) == MANIFEST_FINE;
    bool listed = false;
    for (size_t k = 0; fine && k < list.count; k++)
        if (strcmp(list.entries[k].name, SLURM_RECORD) == 0)
            listed = manifest_entry_holds(&list.entries[k], own);
    stiction_error error;
    json_t *json = fine && listed ? json_in_read(path, &error) : NULL;
    fine = json && read_record(job, json);
    json_decref(json);
    manifest_free(&list);
    free(path);
    free(own);
    return fine;
}

bool slurm_job_write(const slurm_job *job, const char *fresh) {
    char *path = format_text("%s/" SLURM_RECORD, fresh);
    json_t *json = record_of(job);
    const bool fine = json_out_write(json, path) || complain("%s: %s", path, strerror(errno));
    json_decref(json);
    free(path);
    return fine;
}

bool slurm_job_update(const slurm_job *job, const char *folder) {
    char *own = format_text("%s/" SLURM_FOLDER, folder);
    place p;
    const bool fine =
        place_open_folder(&p, own) && slurm_job_write(job, p.fresh) && place_add(&p, true);
    place_close(&p);
    free(own);
    return fine;
}
