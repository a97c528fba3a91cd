/*
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
#include "common/place.h"
#include "common/verb.h"
#include "mujoco_compile/fence.h"
#include "storage/sync.h"

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

/* What of the memory of this process is in use, bytes; 0: it is not known. */
static size_t memory_in_use(void) {
    char text[200] = "";
    unsigned long all, resident;
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) (void)close(file);
    if (got < 0 || sscanf(text, "%lu %lu", &all, &resident) != 2) return 0;
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* The data of a simulation are some megabytes, which glibc would give back behind every run: to ask
 * for them again took a tenth of the time. */
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
    while (k < shared->project_count && strcmp(shared->projects[k].path, path) != 0) k++;
    if (k == shared->project_count) {
        shared->projects = reallocate(shared->projects, k + 1, sizeof *shared->projects);
        shared->projects[k] =
            (known_project){copy_text(path), settings_has_other_controllers(path, untrusted)};
        shared->project_count++;
    }
    return shared->projects[k].takes_any_option;
}

bool run_shared_is_spent(const run_shared *shared) {
    return engine_surrenders() > 0 || memory_in_use() > shared->size_at_first + most_growth;
}

bool run_may_share(const char *engine, const char *project_path, bool untrusted) {
    return strcmp(engine, "mujoco") == 0 && settings_has_our_controllers(project_path, untrusted);
}

/* Without the list of them there are none. */
static void drop_unfinished(const char *folder) {
    manifest list;
    if (place_read_list(&list, folder) != MANIFEST_FINE) folder_remove(folder);
    manifest_free(&list);
}

static bool run_into_folder(const run_job *job, const settings *s) {
    if (!folder_make(job->folder)) return false;
    const bool before = storage_put_off_sync(true); /* until it takes its place */
    const run_verdict verdict = run_mujoco(job->project_path, s, job->folder);
    (void)storage_put_off_sync(before);
    drop_unfinished(job->folder);
    return verdict == RUN_FINE;
}

static bool run_for_figures(const run_job *job, settings *s) {
    const int own = dup(job->figures);
    s->figures = own < 0 ? NULL : fdopen(own, "w");
    if (!s->figures) return complain("no file for the figures: %s", strerror(errno));
    bool fine = run_mujoco(job->project_path, s, NULL) == RUN_FINE;
    if (fclose(s->figures) != 0) fine = complain("the figures are lost: %s", strerror(errno));
    return fine;
}

static bool read_settings(run_shared *shared, const run_job *job, settings *s) {
    const bool any = takes_any_option(shared, job->project_path, job->untrusted);
    const bool fine = (any ? settings_read_any : settings_read)(s, job->set);
    s->simulation.worlds = shared->worlds;
    s->simulation.world.untrusted = job->untrusted;
    s->simulation.interval = job->folder ? job->interval : (double)NAN;
    s->series = job->series;
    return fine;
}

bool run_check_shared(run_shared *shared, const run_job *job, settings_part part, bool *depends) {
    static const simulation_part parts[] = {[SETTINGS_WORLD] = SIMULATION_WORLD,
                                            [SETTINGS_CONTROLLERS] = SIMULATION_CONTROLLERS,
                                            [SETTINGS_PUSHES] = SIMULATION_PUSHES,
                                            [SETTINGS_FRICTION] = SIMULATION_FRICTION};
    settings s;
    stiction_error error;
    *depends = false;
    bool fine = read_settings(shared, job, &s);
    if (fine && part == SETTINGS_PART_COUNT)
        fine = run_check_mujoco(job->project_path, &s);
    else if (fine && simulation_check(job->project_path, &s.simulation, parts[part], depends,
                                      &error) != STICTION_OK)
        fine = complain_error(&error);
    settings_free(&s);
    return fine;
}

int run_in_shared(run_shared *shared, const run_job *job) {
    settings s;
    int code = EXIT_USAGE;
    if (read_settings(shared, job, &s)) {
        const bool fine = job->folder ? run_into_folder(job, &s) : run_for_figures(job, &s);
        code = fine ? EXIT_FINE : EXIT_DATA;
    }
    settings_free(&s);
    return code;
}
