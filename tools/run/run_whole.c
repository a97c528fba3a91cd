/*
 * A whole run: an engine, its files in their place, and the pages of it.
 */
#include <stdlib.h>

#include "common/command.h"
#include "common/folder.h"
#include "report/report.h"
#include "run.h"
#include "storage/sync.h"
#include "times/times.h"

bool run_write_report(const run_data *data, const settings *s, const char *folder) {
    bool fine = !s->report || report_write_run(data, folder);
    times_lap(TIMES_REPORT);
    if (s->pictures) {
        fine = fine && report_pngs_run(data, folder);
        times_lap(TIMES_PICTURES);
    }
    if (!fine) report_remove(folder);
    return fine;
}

/* Whether the engine wrote them, and all of them. */
static bool has_results(const char *folder) {
    manifest list;
    const bool there = place_read_list(&list, folder) == MANIFEST_FINE;
    manifest_free(&list);
    return there;
}

/* False after a sentence: the folder is as it was. */
static bool put_results(place *p, bool is_whole) {
    char *old = is_whole ? NULL : folder_first_entry(p->target);
    const bool fine =
        old ? complain("%s was not replaced: it has its old results", p->target) : place_commit(p);
    free(old);
    return fine;
}

run_verdict run_into_place(place *p, const char *project_path, run_engine *engine,
                           const settings *s, bool *written) {
    const bool before = storage_put_off_sync(true); /* until it takes its place */
    run_verdict verdict = engine(project_path, s, p->fresh);
    times_lap(TIMES_OTHER);
    *written = false;
    if (has_results(p->fresh)) {
        /* nothing may end the command between here and the new results in their place */
        run_hold_interrupts(true);
        (void)storage_put_off_sync(before);
        *written = put_results(p, verdict != RUN_UNWRITTEN);
        if (!*written) verdict = RUN_FAILED;
        run_hold_interrupts(false);
    }
    (void)storage_put_off_sync(before);
    place_close(p);
    times_lap(TIMES_DISK);
    return verdict;
}
