/*
 * A whole run: an engine, its files in their place, and the pages of it.
 */
#include <jansson.h>
#include <stdlib.h>

#include "common/command.h"
#include "common/folder.h"
#include "report/report.h"
#include "run.h"
#include "storage/sync.h"
#include "times/times.h"

bool run_write_report(const run_data *data, const settings *s, const char *folder) {
    stiction_error error;
    bool fine = !s->report || report_write_run(data, folder, &error);
    times_lap(TIMES_REPORT);
    if (s->pictures) {
        fine = fine && report_pngs_run(data, folder, &error);
        times_lap(TIMES_PICTURES);
    }
    if (fine) return true;
    report_remove(folder);
    return complain_error(&error);
}

/* Whether the engine wrote them, and all of them. */
static bool has_results(const char *folder) {
    manifest list;
    const bool there = place_read_list(&list, folder) == MANIFEST_FINE;
    manifest_free(&list);
    return there;
}

/* Of a run that came to its end; what does not say that it was cut counts as whole. */
static bool has_whole_results(const char *folder) {
    if (!has_results(folder)) return false;
    char *path = format_text("%s/summary.json", folder);
    json_t *summary = json_load_file(path, 0, NULL);
    const bool is_cut = json_is_false(json_object_get(summary, "complete"));
    json_decref(summary);
    free(path);
    return !is_cut;
}

/* Whole results give way to whole results alone. False after a sentence: the folder is as it was.
 */
static bool put_results(place *p, bool is_whole) {
    if (is_whole || !has_whole_results(p->target)) return place_commit(p);
    return complain("%s keeps the whole results that it had; what this run has so far is not kept, "
                    "as it would be with another --out",
                    p->target);
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
        *written = put_results(p, verdict == RUN_FINE);
        if (!*written) verdict = RUN_FAILED;
        run_hold_interrupts(false);
    }
    (void)storage_put_off_sync(before);
    place_close(p);
    times_lap(TIMES_DISK);
    return verdict;
}
