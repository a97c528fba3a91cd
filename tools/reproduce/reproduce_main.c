/* SPDX-License-Identifier: MIT
 * The program stiction-reproduce: runs the papers' experiments in parallel and prints our results
 * next to theirs.
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

/* The experiments that the arguments select, in their own order; all without arguments. `chosen`
 * has room for all. 0: an argument selects none. */
static size_t choose(const text_list *names, const experiment **chosen, stiction_error *error) {
    const char *ids[EXPERIMENT_COUNT];
    bool meant[EXPERIMENT_COUNT] = {false};
    for (size_t k = 0; k < EXPERIMENT_COUNT; k++) {
        ids[k] = experiments[k]->id;
        meant[k] = names->count == 0;
    }
    for (size_t n = 0; n < names->count; n++) {
        bool found = false;
        for (size_t k = 0; k < EXPERIMENT_COUNT; k++)
            if (is_meant(experiments[k], names->items[n])) found = meant[k] = true;
        char hint[NAME_HINT_SIZE];
        if (!found) {
            (void)fail(error, "there is no experiment '%s'%s; see stiction reproduce --list",
                       names->items[n],
                       stiction_name_hint(names->items[n], ids, EXPERIMENT_COUNT, hint));
            return 0;
        }
    }
    size_t count = 0;
    for (size_t k = 0; k < EXPERIMENT_COUNT; k++)
        if (meant[k]) chosen[count++] = experiments[k];
    return count;
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
    AUTO_FREE pthread_t *threads = allocate(jobs, sizeof *threads);
    size_t started = 0;
    while (started < jobs && pthread_create(&threads[started], NULL, perform, w) == 0) started++;
    if (!started) (void)perform(w);
    watch(w);
    for (size_t k = 0; k < started; k++) (void)pthread_join(threads[k], NULL);
}

static size_t core_count(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (size_t)cores : 1;
}

static bool write_all(experiment_run *const *runs, size_t count, place *p, stiction_error *error) {
    static show_writer *const writers[] = {show_json, show_curves, show_gallery, show_pngs};
    bool fine = true;
    for (size_t k = 0; fine && k < sizeof writers / sizeof writers[0]; k++)
        fine = writers[k](runs, count, p->fresh, error);
    return fine && place_commit(p, error);
}

static bool print_all(const reproduce_options *o, const experiment *const *chosen,
                      experiment_run *const *runs, size_t count, table_format format,
                      bool written) {
    show_table(runs, count, format, stdout);
    if (format == TABLE_TEXT) {
        putchar('\n');
        show_legend(chosen, count, stdout);
        if (written) printf("\ngallery: %s/gallery.html\n", o->out);
    }
    bool holds = true;
    for (size_t k = 0; k < count; k++) holds = experiment_holds(runs[k]) && holds;
    return holds;
}

static int reproduce(const reproduce_options *o, const experiment *const *chosen, size_t count,
                     table_format format, stiction_error *error) {
    place p;
    if (!place_open(&p, o->out, o->force ? PLACE_REPLACE : PLACE_FREE, error)) return EXIT_DATA;
    if (!plot_png_possible()) print_note("without gnuplot no PNG is drawn");
    work w = {.chosen = chosen, .runs = allocate(count, sizeof *w.runs), .count = count};
    perform_all(&w, o->jobs ? o->jobs : core_count());
    const bool written = write_all(w.runs, count, &p, error);
    const bool holds = print_all(o, chosen, w.runs, count, format, written);
    if (written && !holds) (void)fail(error, "a quantity left its tolerance, see FAILED above");
    place_close(&p);
    for (size_t k = 0; k < count; k++) experiment_run_destroy(w.runs[k]);
    free(w.runs);
    return written && holds ? EXIT_FINE : EXIT_DATA;
}

static int reproduce_chosen(const void *given, const text_list *names, stiction_error *error) {
    const reproduce_options *o = given;
    const experiment *chosen[EXPERIMENT_COUNT];
    const size_t count = choose(names, chosen, error);
    if (!count) return EXIT_USAGE;
    if (o->csv && o->json) {
        (void)fail(error, "give --csv or --json, not both");
        return EXIT_USAGE;
    }
    const table_format format = o->json ? TABLE_JSON : o->csv ? TABLE_CSV : TABLE_TEXT;
    return o->list ? list(chosen, count, format) : reproduce(o, chosen, count, format, error);
}

int main(int argc, char **argv) {
    return run_program(&verb_reproduce, reproduce_chosen, argc, argv);
}
