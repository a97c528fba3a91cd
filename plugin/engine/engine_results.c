/* SPDX-License-Identifier: MIT
 * The results of a run: its record with its warnings, written as `stiction run` does.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "document/fail.h"
#include "engine_internal.h"
#include "storage/folders.h"
#include "storage/place.h"

/* ---- warnings ---- */

typedef struct warnings {
    results *results;
    stiction_log log; /* NULL: none */
    void *user;
} warnings;

/* To the log and into the results. */
__attribute__((format(printf, 2, 3))) static void warn(const warnings *w, const char *format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (w->log) w->log(w->user, STICTION_LOG_WARNING, message);
    (void)results_warn(w->results, message);
}

static void warn_of_controllers(const warnings *w, const controllers *all) {
    for (size_t k = 0; k < controllers_count(all); k++) {
        const results_controller c = controllers_result(all, k);
        for (size_t n = 0; n < c.note_count; n++)
            if (strcmp(c.notes[n].key, "warning") == 0 && c.notes[n].text)
                warn(w, "controller '%s': %s", c.name, c.notes[n].text);
    }
}

static void warn_of_friction(const warnings *w, const friction *f) {
    const uint64_t faults = friction_faults(f);
    if (faults) warn(w, "%" PRIu64 " velocities were not usable for friction", faults);
}

/* The reader of projects has already logged this warning. */
static void note_idle_friction(const project *p, results *r) {
    if (p->idle_friction)
        warn(&(warnings){.results = r},
             "StictionItem '%s' is below no simulator item: it is not used", p->idle_friction);
}

results *stiction_engine_finish(stiction_engine *e, bool complete, stiction_log log,
                                void *log_user) {
    const warnings w = {simulation_results(e->simulation, complete), log, log_user};
    note_idle_friction(simulation_world(e->simulation)->project, w.results);
    warn_of_controllers(&w, simulation_controllers(e->simulation));
    warn_of_friction(&w, simulation_friction(e->simulation));
    return w.results;
}

/* ---- writing ---- */

stiction_status stiction_engine_write(stiction_engine *e, const char *folder,
                                      stiction_error *error) {
    stiction_error own;
    place p;
    if (!e || !folder)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the %s is NULL",
                             e ? "folder" : "engine");
    if (place_open(&p, folder, PLACE_FREE, &own)) {
        results *r = stiction_engine_finish(e, !e->arrays.failed[e->row], NULL, NULL);
        own.status = results_write(r, p.fresh, &own);
        if (own.status == STICTION_OK && place_commit(&p, &own)) own.status = STICTION_OK;
    }
    place_close(&p);
    if (own.status != STICTION_OK && error) *error = own;
    return own.status;
}

double stiction_engine_figure(const stiction_engine *e, size_t joint, const char *name) {
    if (!e || !name) return (double)NAN;
    return results_figure(simulation_record(e->simulation), joint, name);
}

const char *stiction_engine_warning(const stiction_engine *e, size_t index) {
    if (!e) return NULL;
    return results_warning(simulation_record(e->simulation), index);
}
