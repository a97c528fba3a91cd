/*
 * What is known of all runs of a sweep.
 */
#include "sweep/states.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/progress.h"

/* More sentences than this are only counted. */
enum { most_sentences = 100 };

/* ---- reading ---- */

/* Which runs have something in the folder of runs. */
static bool *find_folders(const char *folder, const sweep_plan *plan, size_t count) {
    bool *there = allocate(count, sizeof *there);
    char *path = format_text("%s/runs", folder);
    DIR *runs = folder_open(path);
    for (const struct dirent *entry; runs && (entry = readdir(runs)) != NULL;) {
        const size_t run = sweep_run_by_name(plan, entry->d_name);
        if (run < count) there[run] = true;
    }
    if (runs) (void)closedir(runs);
    free(path);
    return there;
}

static void set_by_row(sweep_states *s, const record *row) {
    if (row->is_damaged)
        sweep_states_set(s, row->run, SWEEP_DAMAGED,
                         "its row in " RECORDS_NAME " is not as it was written (checksum)");
    else
        sweep_states_set(s, row->run, row->failed ? SWEEP_FAILED : SWEEP_DONE,
                         row->failed ? row->reason ? row->reason : "" : NULL);
}

/* Whether the folder says the same as its row. */
static bool agrees(const sweep_states *s, const record *row, size_t run) {
    if (!row) return false;
    return s->states[run] == SWEEP_DONE
               ? !row->failed
               : s->states[run] == SWEEP_FAILED && row->failed && row->reason &&
                     strcmp(row->reason, s->reasons[run]) == 0;
}

/* Every file of it. Figures may have changed with the files, so the row is made anew. */
static void read_folder(sweep_states *s, const record *row, size_t run) {
    s->states[run] = sweep_run_state(s->folder, s->plan, run, &s->reasons[run]);
    if (s->states[run] == SWEEP_DONE || s->states[run] == SWEEP_FAILED)
        s->news[run] = agrees(s, row, run) && row->failed && !row->is_damaged ? SWEEP_NEW_STAMP
                                                                              : SWEEP_NEW_ROW;
    else
        s->news[run] = row ? SWEEP_GONE : SWEEP_NO_NEWS;
}

/* A row without series, and a folder: of a run that went well by now. */
static void look_for_better(sweep_states *s, size_t run) {
    char *reason;
    const bool better = sweep_run_state(s->folder, s->plan, run, &reason) == SWEEP_DONE;
    free(reason);
    if (!better) return;
    sweep_states_set(s, run, SWEEP_DONE, NULL);
    s->news[run] = SWEEP_NEW_RUN;
}

static void examine(sweep_states *s, const record *row, bool has_folder, size_t run) {
    if (row && !row->has_series) {
        set_by_row(s, row);
        if (has_folder && s->states[run] != SWEEP_DONE) look_for_better(s, run);
    } else if (!has_folder) {
        s->news[run] = row ? SWEEP_GONE : SWEEP_NO_NEWS;
    } else {
        char *path = row && row->stamp ? sweep_run_folder(s->folder, s->plan, run) : NULL;
        if (path && !row->is_damaged && sweep_run_stamp(path) == row->stamp)
            set_by_row(s, row);
        else
            read_folder(s, row, run);
        free(path);
    }
}

/* `there` says which runs have a folder. */
static void read_all(sweep_states *s, records_reader *reader, const bool *there) {
    progress bar = progress_begin("reading", (double)s->count, false);
    record row;
    bool has_row = reader && records_next(reader, &row);
    for (size_t run = 0; run < s->count; run++) {
        const bool its = has_row && row.run == run;
        if (its || there[run]) examine(s, its ? &row : NULL, there[run], run);
        if (its) has_row = records_next(reader, &row);
        progress_update(&bar, (double)run, "runs are read");
    }
    progress_end(&bar);
    s->unread = reader && records_failed(reader);
    if (reader && records_foreign(reader) && !s->unread)
        s->unread = !complain("%s/" RECORDS_NAME " has %zu rows that are not of this sweep; give "
                              "--force to replace it, or another --out",
                              s->folder, records_foreign(reader));
}

sweep_states sweep_states_read(const char *folder, const sweep_plan *plan) {
    sweep_states s = {.folder = folder, .plan = plan, .count = sweep_plan_count(plan)};
    s.states = allocate(s.count, sizeof *s.states);
    s.reasons = allocate(s.count, sizeof *s.reasons);
    s.news = allocate(s.count, sizeof *s.news);
    if (!folder) return s;
    const bool recorded = records_exist(folder);
    records *rows = recorded ? records_open(folder, plan, DATABASE_READ) : NULL;
    records_reader *reader = rows ? records_read(rows, 0, s.count) : NULL;
    s.unread = recorded && !reader;
    if (!s.unread) {
        bool *there = find_folders(folder, plan, s.count);
        read_all(&s, reader, there);
        free(there);
    }
    records_reader_free(reader);
    records_abandon(rows);
    return s;
}

void sweep_states_free(sweep_states *s) {
    for (size_t run = 0; run < s->count; run++) free(s->reasons[run]);
    free(s->reasons);
    free(s->states);
    free(s->news);
    records_abandon(s->records);
    *s = (sweep_states){.count = 0};
}

static void tell_one(const sweep_states *s, size_t run, const char *then) {
    char *folder = sweep_run_folder(s->folder, s->plan, run);
    (void)complain("run %zu is damaged: %s: %s%s", run + 1, folder, s->reasons[run], then);
    free(folder);
}

/* One at a time, by its number. */
static void look_up(sweep_states *s, size_t run) {
    record row;
    records_reader *reader = s->records ? records_read(s->records, run, run + 1) : NULL;
    const bool its = reader && records_next(reader, &row) && row.run == run;
    char *path = sweep_run_folder(s->folder, s->plan, run);
    examine(s, its ? &row : NULL, file_exists(path), run);
    free(path);
    records_reader_free(reader);
}

void sweep_states_grow(sweep_states *s) {
    const size_t before = s->count;
    s->count = sweep_plan_count(s->plan);
    s->states = reallocate(s->states, s->count, sizeof *s->states);
    s->reasons = reallocate(s->reasons, s->count, sizeof *s->reasons);
    s->news = reallocate(s->news, s->count, sizeof *s->news);
    if (!s->records && s->folder && records_exist(s->folder))
        s->records = records_open(s->folder, s->plan, DATABASE_READ);
    for (size_t run = before; run < s->count; run++) {
        s->states[run] = SWEEP_ABSENT;
        s->reasons[run] = NULL;
        s->news[run] = SWEEP_NO_NEWS;
        if (s->folder) look_up(s, run);
        if (s->states[run] == SWEEP_DAMAGED) tell_one(s, run, SWEEP_NOT_COMPLETE);
    }
}

/* ---- writing ---- */

static bool record_one(const sweep_states *s, sweep_store *store, size_t run) {
    switch ((sweep_news)s->news[run]) {
    case SWEEP_NEW_ROW:
        return sweep_store_put_folder(store, run, s->states[run] == SWEEP_FAILED, s->reasons[run],
                                      0);
    case SWEEP_NEW_RUN: /* what the run before it read is not what this one did */
        return sweep_store_put_folder(store, run, false, NULL, store->generation);
    case SWEEP_NEW_STAMP:
        sweep_store_restamp(store, run);
        return true;
    case SWEEP_GONE:
        return records_remove(store->records, run);
    case SWEEP_NO_NEWS:
        break;
    }
    return true;
}

bool sweep_states_record(sweep_states *s, sweep_store *store) {
    bool fine = true;
    for (size_t run = 0; run < s->count && fine; run++) {
        fine = record_one(s, store, run);
        s->news[run] = SWEEP_NO_NEWS;
    }
    return fine && sweep_store_settle(store);
}

bool sweep_states_settle(sweep_states *s, sweep_store *store) {
    const bool fine = sweep_store_settle(store);
    for (size_t k = 0; k < store->lost.count; k++)
        sweep_states_set(s, store->lost.runs[k], SWEEP_ABSENT, NULL);
    const bool none = !store->lost.count;
    store->lost.count = 0;
    return fine && none;
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
        tell_one(s, run, then);
    }
    if (count > most_sentences)
        (void)complain("and %zu more runs are damaged", count - most_sentences);
    return count;
}
