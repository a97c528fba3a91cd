/* SPDX-License-Identifier: MIT
 * The states of all runs of a sweep.
 */
#include "sweep/store.h"

#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/progress.h"

enum { most_logged = 100 };

/* From the row, if there is one, and from the folder, if there should be one. */
static void examine(sweep_states *s, const record *row, size_t run) {
    if (row && !row->has_series) {
        sweep_states_set(s, run, row->failed ? SWEEP_FAILED : SWEEP_DONE, row->reason);
        return;
    }
    s->states[run] = sweep_run_state(s->folder, s->plan, run, &s->reasons[run]);
    s->rowless[run] = !row && (s->states[run] == SWEEP_DONE || s->states[run] == SWEEP_FAILED);
}

bool sweep_states_grow(sweep_states *s, records *rows, stiction_error *error) {
    const size_t first = s->count;
    s->count = sweep_plan_count(s->plan);
    s->states = reallocate(s->states, s->count, sizeof *s->states);
    s->reasons = reallocate(s->reasons, s->count, sizeof *s->reasons);
    s->rowless = reallocate(s->rowless, s->count, sizeof *s->rowless);
    for (size_t run = first; run < s->count; run++) {
        s->states[run] = SWEEP_ABSENT;
        s->reasons[run] = NULL;
        s->rowless[run] = false;
    }
    if (!s->folder || first == s->count) return true;
    AUTO_FREE bool *seen = allocate(s->count, sizeof *seen);
    AUTO(records_end) record_cursor c = records_begin(rows, first, s->count, false);
    progress bar = progress_begin("reading", (double)s->count, false);
    while (rows && records_next(&c, error)) {
        examine(s, &c.row, c.row.run);
        seen[c.row.run] = true;
        progress_update(&bar, (double)c.row.run, "runs are read");
    }
    /* a run without a row has a folder where its sweep was killed before it wrote the row */
    for (size_t run = first; !c.failed && run < s->count; run++)
        if (!seen[run]) examine(s, NULL, run);
    progress_end(&bar);
    return !c.failed;
}

bool sweep_states_read(sweep_states *s, const char *folder, const sweep_plan *plan, records *rows,
                       stiction_error *error) {
    *s = (sweep_states){.folder = folder, .plan = plan};
    return sweep_states_grow(s, rows, error);
}

bool sweep_states_read_folder(sweep_states *s, const char *folder, const sweep_plan *plan,
                              stiction_error *error) {
    *s = (sweep_states){.folder = folder, .plan = plan};
    records *rows = NULL;
    bool fine = !records_exist(folder) || (rows = records_open(folder, plan, error)) != NULL;
    fine = fine && sweep_states_grow(s, rows, error);
    records_close(rows);
    return fine;
}

void sweep_states_free(sweep_states *s) {
    for (size_t run = 0; run < s->count; run++) free(s->reasons[run]);
    free(s->reasons);
    free(s->states);
    free(s->rowless);
    *s = (sweep_states){.count = 0};
}

bool sweep_states_adopt(sweep_states *s, sweep_store *store, stiction_error *error) {
    bool fine = true;
    for (size_t run = 0; run < s->count && fine; run++) {
        if (s->rowless[run]) fine = sweep_store_adopt(store, run, s->reasons[run], error);
        s->rowless[run] = false;
    }
    return fine && records_commit(store->records, error);
}

void sweep_states_set(sweep_states *s, size_t run, sweep_state state, const char *reason) {
    char *copy = reason ? copy_text(reason) : NULL;
    free(s->reasons[run]);
    s->states[run] = state;
    s->reasons[run] = copy;
}

size_t sweep_states_count(const sweep_states *s, sweep_state state) {
    size_t count = 0;
    for (size_t run = 0; run < s->count; run++) count += s->states[run] == state;
    return count;
}

size_t sweep_states_log_damage(const sweep_states *s, size_t first, const char *then,
                               stiction_log log) {
    size_t count = 0;
    for (size_t run = first; run < s->count; run++) {
        if (s->states[run] != SWEEP_DAMAGED || ++count > most_logged) continue;
        AUTO_FREE char *folder = sweep_run_folder(s->folder, s->plan, run);
        AUTO_FREE char *text = format_text("stiction: run %zu is damaged: %s: %s%s", run + 1,
                                           folder, s->reasons[run], then);
        log(NULL, STICTION_LOG_INFO, text);
    }
    if (count > most_logged) {
        AUTO_FREE char *text =
            format_text("stiction: and %zu more runs are damaged", count - most_logged);
        log(NULL, STICTION_LOG_INFO, text);
    }
    return count;
}
