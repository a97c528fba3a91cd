/*
 * What a run came to: its record with all that happened in it, written as `stiction run` does.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/place.h"
#include "document/fail.h"
#include "engine_internal.h"
#include "report/report.h"
#include "storage/sync.h"

/* ---- what happened and nobody would see ---- */

typedef struct teller {
    results *results;
    stiction_log log; /* NULL: none */
    void *user;
} teller;

/* To the log and into the results; the sentence is freed. */
static void tell(const teller *t, char *sentence) {
    if (t->log) t->log(t->user, STICTION_LOG_WARNING, sentence);
    (void)results_warn(t->results, sentence);
    free(sentence);
}

static void tell_of_controllers(const teller *t, const controllers *all) {
    for (size_t k = 0; k < controllers_count(all); k++) {
        const controller_view c = controllers_look(all, k);
        for (size_t n = 0; n < c.note_count; n++)
            if (strcmp(c.notes[n].key, "warning") == 0 && c.notes[n].text)
                tell(t, format_text("controller '%s': %s", c.name, c.notes[n].text));
    }
}

static void tell_of_friction(const teller *t, const friction *f) {
    const uint64_t faults = friction_faults(f), frozen = friction_frozen_steps(f);
    if (faults)
        tell(t, format_text("%llu velocities were not usable for friction",
                            (unsigned long long)faults));
    if (frozen)
        tell(t, format_text("implicit friction did not converge in %llu steps: its level is that "
                            "of the last iterate there",
                            (unsigned long long)frozen));
}

/* The reader of projects has said it to the log. */
static void note_idle_friction(const project *p, results *r) {
    if (!p->idle_friction) return;
    char *sentence = format_text("StictionItem '%s' is below no simulator item: it is not used",
                                 p->idle_friction);
    (void)results_warn(r, sentence);
    free(sentence);
}

results *stiction_engine_finish(stiction_engine *e, bool complete, stiction_log log,
                                void *log_user) {
    const teller t = {simulation_results(e->simulation, complete), log, log_user};
    note_idle_friction(simulation_world(e->simulation)->project, t.results);
    tell_of_controllers(&t, simulation_controllers(e->simulation));
    tell_of_friction(&t, simulation_friction(e->simulation));
    return t.results;
}

/* ---- writing ---- */

/* For command_catch. */
typedef struct writing {
    stiction_engine *engine;
    const char *folder;
    bool report;
} writing;

static bool write_into(const writing *w, const char *folder) {
    stiction_error error;
    results *r = stiction_engine_finish(w->engine, !w->engine->failed, NULL, NULL);
    if (results_write(r, folder, &error) != STICTION_OK) return complain_error(&error);
    if (!w->report) return true;
    run_data data;
    const bool fine = run_data_take(&data, r, &error) && report_write_run(&data, folder, &error);
    run_data_release(&data);
    return fine || complain_error(&error);
}

static bool write_all(void *context) {
    const writing *w = context;
    place p;
    bool fine = place_open(&p, w->folder, PLACE_FREE);
    const bool before = storage_put_off_sync(true); /* until it takes its place */
    fine = fine && write_into(w, p.fresh);
    (void)storage_put_off_sync(before);
    fine = fine && place_commit(&p);
    place_close(&p);
    return fine;
}

stiction_status stiction_engine_write(stiction_engine *e, const char *folder, bool report,
                                      stiction_error *error) {
    stiction_error own;
    if (!folder) return stiction_fail(error, STICTION_INVALID_ARGUMENT, "folder is NULL");
    if (command_catch(write_all, &(writing){e, folder, report}, &own)) return STICTION_OK;
    if (error) *error = own;
    return own.status;
}

double stiction_engine_figure(const stiction_engine *e, size_t joint, const char *name) {
    return results_figure(simulation_record(e->simulation), joint, name);
}

const char *stiction_engine_warning(const stiction_engine *e, size_t index) {
    return results_warning(simulation_record(e->simulation), index);
}
