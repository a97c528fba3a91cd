/* SPDX-License-Identifier: MIT
 * The program stiction-reproduce: the papers' experiments, our results beside theirs, in parallel.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/progress.h"
#include "common/verb_main.h"
#include "document/names.h"
#include "reproduce_options.h"
#include "show.h"
#include "storage/folders.h"
#include "storage/place.h"

/* ---- which ---- */

static bool is_meant(const experiment *e, const char *name) {
    const size_t length = strlen(name);
    return strcmp(e->id, name) == 0 || (strncmp(e->id, name, length) == 0 && e->id[length] == '.');
}

static size_t count_all(void) {
    size_t count = 0;
    while (experiments[count]) count++;
    return count;
}

static bool report_unknown(const char *name) {
    const size_t count = count_all();
    const char **ids = allocate(count, sizeof *ids);
    for (size_t k = 0; k < count; k++) ids[k] = experiments[k]->id;
    char hint[NAME_HINT_SIZE];
    (void)complain("there is no experiment '%s'%s; see stiction reproduce --list", name,
                   stiction_name_hint(name, ids, count, hint));
    free(ids);
    return false;
}

/* The experiments that the arguments select, in their own order; all without arguments. */
static size_t choose(const text_list *names, const experiment **chosen) {
    size_t count = 0;
    for (size_t k = 0; experiments[k]; k++) {
        bool meant = names->count == 0;
        for (size_t w = 0; w < names->count; w++)
            meant = meant || is_meant(experiments[k], names->items[w]);
        if (meant) chosen[count++] = experiments[k];
    }
    return count;
}

static bool check_names(const text_list *names) {
    for (size_t w = 0; w < names->count; w++) {
        bool found = false;
        for (size_t k = 0; experiments[k]; k++)
            found = found || is_meant(experiments[k], names->items[w]);
        if (!found) return report_unknown(names->items[w]);
    }
    return true;
}

static int list(const experiment *const *chosen, size_t count, table_format format) {
    static const table_column columns[] = {
        {"id", NULL, 0}, {"seconds", "about (s)", 2}, {"title", NULL, 0}, {"shows", NULL, 0}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < count; k++) {
        table_text(t, chosen[k]->id);
        table_number(t, chosen[k]->seconds);
        table_text(t, chosen[k]->title);
        table_text(t, chosen[k]->shows);
    }
    table_print(t, format, stdout);
    table_destroy(t);
    if (format == TABLE_TEXT) {
        putchar('\n');
        show_legend(chosen, count, stdout);
    }
    return EXIT_FINE;
}

/* ---- running ---- */

typedef struct work {
    const experiment *const *chosen;
    experiment_run **runs;
    size_t count;
    atomic_size_t next, done;
} work;

static void *perform(void *context) {
    work *w = context;
    for (size_t k; (k = atomic_fetch_add(&w->next, 1)) < w->count;) {
        w->runs[k] = experiment_perform(w->chosen[k]);
        (void)atomic_fetch_add(&w->done, 1);
    }
    return NULL;
}

static void watch(work *w) {
    progress bar = progress_begin("reproduce", (double)w->count, false);
    for (size_t done; (done = atomic_load(&w->done)) < w->count;) {
        char note[60];
        (void)snprintf(note, sizeof note, "%zu of %zu experiments", done, w->count);
        progress_update(&bar, (double)done, note);
        (void)usleep(20000);
    }
    progress_end(&bar);
}

static void perform_all(work *w, size_t jobs) {
    pthread_t *threads = allocate(jobs, sizeof *threads);
    size_t started = 0;
    while (started < jobs && pthread_create(&threads[started], NULL, perform, w) == 0) started++;
    if (!started) (void)perform(w);
    watch(w);
    for (size_t k = 0; k < started; k++) (void)pthread_join(threads[k], NULL);
    free(threads);
}

static size_t core_count(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (size_t)cores : 1;
}

static bool write_all(experiment_run *const *runs, size_t count, const char *folder) {
    return show_json(runs, count, folder) && show_curves(runs, count, folder) &&
           show_pages(runs, count, folder) && show_pngs(runs, count, folder) &&
           show_sheets(runs, count, folder);
}

static int show(const reproduce_options *o, place *p, const experiment *const *chosen,
                experiment_run *const *runs, size_t count, table_format format) {
    const bool before = storage_put_off_sync(true); /* until it takes its place */
    const bool made = write_all(runs, count, p->fresh);
    (void)storage_put_off_sync(before);
    stiction_error error;
    const bool written = made && (place_commit(p, &error) || report_error(&error));
    show_table(runs, count, format, stdout);
    if (format == TABLE_TEXT) {
        putchar('\n');
        show_legend(chosen, count, stdout);
        if (written) printf("\ngallery: %s/gallery.html\n", o->out);
        for (size_t k = 0; k < count && written; k++)
            if (chosen[k]->sheet) printf("sheet: %s/sheets/%s.svg\n", o->out, chosen[k]->id);
    }
    bool holds = true;
    for (size_t k = 0; k < count; k++) holds = experiment_holds(runs[k]) && holds;
    if (!holds) (void)complain("a quantity left its tolerance, see FAILED above");
    return written && holds ? EXIT_FINE : EXIT_DATA;
}

static int reproduce(const reproduce_options *o, const experiment *const *chosen, size_t count,
                     table_format format) {
    place p;
    stiction_error error;
    if (!place_open(&p, o->out, o->force ? PLACE_REPLACE : PLACE_FREE, &error)) {
        (void)report_error(&error);
        return EXIT_DATA;
    }
    work w = {.chosen = chosen, .runs = allocate(count, sizeof *w.runs), .count = count};
    perform_all(&w, o->jobs ? o->jobs : core_count());
    const int code = show(o, &p, chosen, w.runs, count, format);
    place_close(&p);
    for (size_t k = 0; k < count; k++) experiment_run_destroy(w.runs[k]);
    free(w.runs);
    return code;
}

static int reproduce_chosen(const void *given, const text_list *names, stiction_error *error) {
    (void)error;
    const reproduce_options *o = given;
    if (o->csv && o->json) {
        (void)complain("give --csv or --json, not both");
        return EXIT_USAGE;
    }
    if (!check_names(names)) return EXIT_USAGE;
    const experiment **chosen = allocate(count_all(), sizeof *chosen);
    const size_t count = choose(names, chosen);
    const table_format format = o->json ? TABLE_JSON : o->csv ? TABLE_CSV : TABLE_TEXT;
    const int code = o->list ? list(chosen, count, format) : reproduce(o, chosen, count, format);
    free(chosen);
    return code;
}

int main(int argc, char **argv) {
    return run_program(&verb_reproduce, reproduce_chosen, argc, argv);
}
