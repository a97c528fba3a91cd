/* SPDX-License-Identifier: MIT
 * Runs one after the other in a process that stays.
 */
#include "run_shared.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "controllers/host/controller_host.h"
#include "mujoco_compile/fence.h"
#include "project_traits.h"
#include "storage/folders.h"
#include "storage/place.h"

/* A process may grow by so much before it is renewed, bytes. */
static const size_t most_growth = (size_t)512 << 20;

/* A project, and whether only its controllers know their options. */
typedef struct known_project {
    char *path;
    bool takes_any_option;
} known_project;

struct run_shared {
    size_t size_at_first; /* of the process, bytes */
    world_cache *worlds;
    known_project *projects;
    size_t project_count;
};

/* Resident memory of this process, bytes; 0: unknown. */
static size_t memory_in_use(void) {
    char text[200] = "";
    unsigned long all, resident;
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) (void)close(file);
    if (got < 0 || sscanf(text, "%lu %lu", &all, &resident) != 2) return 0;
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* glibc would return the megabytes of a simulation to the system after every run; requesting them
 * again took a tenth of the time. */
static void keep_memory(void) {
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 64 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

run_shared *run_shared_create(void) {
    keep_memory();
    run_shared *shared = allocate(1, sizeof *shared);
    shared->size_at_first = memory_in_use();
    shared->worlds = must_have(world_cache_create());
    return shared;
}

void run_shared_free(run_shared *shared) {
    for (size_t k = 0; k < shared->project_count; k++) free(shared->projects[k].path);
    free(shared->projects);
    world_cache_destroy(shared->worlds);
    free(shared);
}

static bool takes_any_option(run_shared *shared, const char *path, bool untrusted) {
    size_t k = 0;
    if (!shared) return project_has_other_controllers(path, untrusted);
    while (k < shared->project_count && strcmp(shared->projects[k].path, path) != 0) k++;
    if (k == shared->project_count) {
        shared->projects = reallocate(shared->projects, k + 1, sizeof *shared->projects);
        shared->projects[k] =
            (known_project){copy_text(path), project_has_other_controllers(path, untrusted)};
        shared->project_count++;
    }
    return shared->projects[k].takes_any_option;
}

bool run_shared_is_spent(const run_shared *shared) {
    return engine_surrenders() > 0 || memory_in_use() > shared->size_at_first + most_growth;
}

bool run_may_share(const char *engine, const char *project_path, bool untrusted) {
    return strcmp(engine, "mujoco") == 0 && project_has_our_controllers(project_path, untrusted);
}

static bool run_into_folder(const run_job *job, const overrides *o, const run_outputs *outputs,
                            stiction_error *error) {
    if (!folder_make(job->folder, error)) return false;
    const run_verdict verdict =
        run_find_engine(job->engine)(job->project_path, o, outputs, job->folder, error);
    if (!run_has_results(job->folder)) folder_remove(job->folder);
    return verdict == RUN_FINE;
}

static bool run_for_figures(const run_job *job, const overrides *o, run_outputs *outputs,
                            stiction_error *error) {
    const int own = dup(job->figures);
    outputs->figures = own < 0 ? NULL : fdopen(own, "w");
    if (!outputs->figures) return fail(error, "no file for the figures: %s", strerror(errno));
    bool fine =
        run_find_engine(job->engine)(job->project_path, o, outputs, NULL, error) == RUN_FINE;
    if (fclose(outputs->figures) != 0 && fine)
        fine = fail(error, "the figures cannot be written: %s", strerror(errno));
    return fine;
}

static bool has_name(const char *specification, const char *name) {
    size_t before;
    const char *text = controller_without_body(specification, &before);
    return strcspn(text, ":") == strlen(name) && strncmp(text, name, strlen(name)) == 0;
}

bool run_controller_is_posture(const char *specification) {
    return has_name(specification, "posture");
}

bool run_controller_is_ours(const char *specification) {
    return has_name(specification, "posture") || has_name(specification, "whole_body") ||
           has_name(specification, "none");
}

const char *run_controller_file(const char *specification, size_t *length) {
    size_t before;
    const char *text = controller_without_body(specification, &before);
    *length = strcspn(text, ":");
    const char *end = text + *length - (*length > 3 ? 3 : 0);
    return memchr(text, '/', *length) || strncmp(end, ".so", 3) == 0 || strncmp(end, ".py", 3) == 0
               ? text
               : NULL;
}

bool run_job_overrides(run_shared *shared, const run_job *job, overrides *o,
                       stiction_error *error) {
    const bool any = job->controller ? !run_controller_is_posture(job->controller)
                                     : takes_any_option(shared, job->project_path, job->untrusted);
    bool fine = overrides_read(o, job->set->items, job->set->count, any, error);
    o->simulation.world.untrusted = job->untrusted;
    o->simulation.worlds = shared ? shared->worlds : NULL;
    o->simulation.interval = job->folder ? job->interval : (double)NAN;
    o->simulation.specifications = &job->controller;
    o->simulation.specification_count = job->controller != NULL;
    o->simulation.targets = job->targets;
    if (fine && job->controller) fine = overrides_note(o, "controller", job->controller, error);
    return fine && (!job->targets || overrides_note(o, "targets", job->targets, error));
}

bool run_check_shared(run_shared *shared, const run_job *job, stiction_error *error) {
    AUTO(overrides_free) overrides o;
    return run_job_overrides(shared, job, &o, error) &&
           run_check_mujoco(job->project_path, &o, error);
}

bool run_in_shared(run_shared *shared, const run_job *job, stiction_error *error) {
    AUTO(overrides_free) overrides o;
    run_outputs outputs = run_outputs_default();
    outputs.series = job->series;
    outputs.log = outputs.messages = job->log;
    outputs.log_user = job->log_user;
    bool fine = run_job_overrides(shared, job, &o, error);
    if (fine)
        fine = job->folder ? run_into_folder(job, &o, &outputs, error)
                           : run_for_figures(job, &o, &outputs, error);
    return fine;
}
