/*
 * What is known of all runs of a sweep.
 */
#include "sweep/states.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/progress.h"

/* More sentences than this are only counted. */
enum { most_sentences = 100 };

sweep_states sweep_states_read(const char *folder, const sweep_plan *plan) {
    sweep_states s = {.folder = folder, .plan = plan, .count = sweep_plan_count(plan)};
    s.states = allocate(s.count, sizeof *s.states);
    s.reasons = allocate(s.count, sizeof *s.reasons);
    char *runs = folder ? format_text("%s/runs", folder) : NULL;
    const bool some = runs && file_exists(runs);
    free(runs);
    progress bar = progress_begin("reading", (double)s.count, false);
    for (size_t run = 0; some && run < s.count; run++) {
        s.states[run] = sweep_run_state(folder, plan, run, &s.reasons[run]);
        progress_update(&bar, (double)run, "runs are read");
    }
    progress_end(&bar);
    return s;
}

void sweep_states_free(sweep_states *s) {
    for (size_t run = 0; run < s->count; run++) free(s->reasons[run]);
    free(s->reasons);
    free(s->states);
    *s = (sweep_states){.count = 0};
}

void sweep_states_set(sweep_states *s, size_t run, sweep_state state, const char *reason) {
    free(s->reasons[run]);
    s->states[run] = state;
    s->reasons[run] = reason ? copy_text(reason) : NULL;
}

size_t sweep_states_count(const sweep_states *s, sweep_state state) {
    size_t count = 0;
    for (size_t run = 0; run < s->count; run++) count += s->states[run] == state;
    return count;
}

size_t sweep_states_tell_damage(const sweep_states *s, const char *then) {
    size_t count = 0;
    for (size_t run = 0; run < s->count; run++) {
        if (s->states[run] != SWEEP_DAMAGED || ++count > most_sentences) continue;
        char *folder = sweep_run_folder(s->folder, s->plan, run);
        (void)complain("run %zu is damaged: %s: %s%s", run + 1, folder, s->reasons[run], then);
        free(folder);
    }
    if (count > most_sentences)
        (void)complain("and %zu more runs are damaged", count - most_sentences);
    return count;
}
