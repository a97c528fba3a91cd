/* SPDX-License-Identifier: MIT
 * A whole run: an engine, its files in their place, and its report.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "common/command.h"
#include "common/folder.h"
#include "report/report.h"
#include "run.h"
#include "storage/folders.h"

run_outputs run_outputs_default(void) {
    return (run_outputs){.video_rate = (double)NAN, .series = SERIES_CSV};
}

bool run_write_report(const run_data *data, const run_outputs *outputs, const char *folder,
                      stiction_error *error) {
    bool fine = !outputs->report || report_write_run(data, folder, error);
    if (outputs->pictures) fine = fine && report_pngs_run(data, folder, error);
    if (!fine) report_remove(folder);
    return fine;
}

bool run_has_results(const char *folder) {
    AUTO(manifest_free) manifest list;
    return manifest_read(&list, folder) == MANIFEST_FINE;
}

/* Of a run that came to its end; results that are not marked as incomplete count as whole. */
static bool has_whole_results(const char *folder) {
    if (!run_has_results(folder)) return false;
    AUTO_FREE char *path = format_text("%s/summary.json", folder);
    json_auto_t *summary = json_load_file(path, 0, NULL);
    const bool is_cut = json_is_false(json_object_get(summary, "complete"));
    return !is_cut;
}

/* Complete results are only replaced by complete results. False: the folder is as it was. */
static bool put_results(place *p, bool is_whole, stiction_error *error) {
    if (is_whole || !has_whole_results(p->target)) return place_commit(p, error);
    return fail(error,
                "%s keeps the complete results that it had; the results of this run, which is not "
                "complete, are dropped; give another --out to keep them",
                p->target);
}

run_verdict run_into_place(place *p, const char *project_path, run_engine *engine,
                           const overrides *o, const run_outputs *outputs, bool *written,
                           stiction_error *error) {
    run_verdict verdict = engine(project_path, o, outputs, p->fresh, error);
    *written = false;
    if (run_has_results(p->fresh)) {
        /* nothing may end the command between here and the new results in their place */
        run_hold_interrupts(true);
        stiction_error unplaced;
        *written = put_results(p, verdict == RUN_FINE, &unplaced);
        if (!*written && (verdict == RUN_FAILED || verdict == RUN_UNWRITTEN)) {
            /* why the run failed comes first */
            if (outputs->log)
                outputs->log(outputs->log_user, STICTION_LOG_WARNING, unplaced.message);
        } else if (!*written) {
            *error = unplaced;
        }
        if (!*written) verdict = RUN_FAILED;
        run_hold_interrupts(false);
    }
    place_close(p);
    return verdict;
}
