/* SPDX-License-Identifier: MIT
 * Writing a run: its time series and summary.json, whatever the host's locale.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/auto.h"
#include "document/fail.h"
#include "document/text.h"
#include "results_internal.h"
#include "storage/manifest.h"
#include "storage/whole.h"
#include "json/json_out.h"

/* ---- summary.json ---- */

/* A JSON object that is being built; it remembers a lack of memory. */
typedef struct object {
    json_t *json;
    bool fine;
} object;

static object new_object(void) {
    json_t *json = json_object();
    return (object){json, json != NULL};
}

static void set(object *o, const char *key, json_t *value) {
    o->fine = json_out_set(o->json, key, value) && o->fine;
}

static void set_text(object *o, const char *key, const char *text) {
    set(o, key, json_out_text(text));
}

static void set_number(object *o, const char *key, double value) {
    set(o, key, json_out_number(value));
}

/* NULL if memory ran out. */
static json_t *take(object o) {
    if (o.fine) return o.json;
    json_decref(o.json);
    return NULL;
}

/* Takes over the value. NULL if memory ran out, now or earlier. */
static json_t *append(json_t *list, json_t *value) {
    if (json_array_append_new(list, value) == 0) return list;
    json_decref(list);
    return NULL;
}

static json_t *list_of_texts(const char *const *texts, size_t count) {
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) list = append(list, json_out_text(texts[k]));
    return list;
}

static json_t *list_of_numbers(const double *numbers, size_t count) {
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) list = append(list, json_out_number(numbers[k]));
    return list;
}

/* The law and the parameters that it reads, without those that have no effect. */
static json_t *friction_of(const stiction_joint_def *def) {
    object o = new_object();
    set_text(&o, "law", def->law ? def->law : "none");
    stiction_law_info law;
    (void)stiction_law_info_find(def->law, &law);
    stiction_parameter_info parameter;
    for (size_t k = 0; stiction_parameter_at(k, &parameter); k++) {
        const double value = stiction_joint_def_value(def, k);
        if ((law.parameters >> k & 1) && !stiction_parameter_is_neutral(k, value))
            set_number(&o, parameter.key, value);
    }
    stiction_list_info list;
    const double *numbers;
    for (size_t k = 0; stiction_list_at(k, &list); k++) {
        const size_t count = stiction_joint_def_list(def, k, &numbers);
        if (count) set(&o, list.key, list_of_numbers(numbers, count));
    }
    return take(o);
}

static json_t *joint_of(const results *r, size_t joint) {
    object o = new_object();
    set_text(&o, "type", r->def.prismatic[joint] ? "prismatic" : "revolute");
    const joint_figure *f;
    for (size_t k = 0; (f = joint_figure_at(k)); k++)
        set_number(&o, f->name, joint_records_value(r->records, joint, f));
    const friction_work *work = joint_records_friction(r->records, joint);
    set(&o, "stable", json_boolean(friction_work_verdict(work) == FRICTION_STABLE));
    set(&o, "friction", friction_of(&r->def.friction[joint]));
    return take(o);
}

/* A file that a controller leaves, as text, is copied beside the results. */
static bool is_file_note(const stiction_controller_note *note) {
    return note->text && strcmp(note->key, "results_file") == 0;
}

static const char *name_of_file(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void set_note(object *o, const stiction_controller_note *note) {
    if (is_file_note(note))
        set_text(o, note->key, name_of_file(note->text));
    else if (note->text)
        set_text(o, note->key, note->text);
    else
        set_number(o, note->key, note->value);
}

/* Its mode, if it has one, comes before its options. Our own keys come last, so that no figure of
 * the controller replaces them; its warnings are part of those of the run. */
static json_t *controller_of(const results_controller *c) {
    object o = new_object();
    set_text(&o, "name", c->name);
    set_text(&o, "body", c->body);
    for (size_t k = 0; k < c->note_count; k++)
        if (strcmp(c->notes[k].key, "mode") == 0) set_note(&o, &c->notes[k]);
    set_text(&o, "options", c->options);
    if (c->library) set_text(&o, "library", c->library);
    for (size_t k = 0; k < c->note_count; k++)
        if (strcmp(c->notes[k].key, "warning") != 0) set_note(&o, &c->notes[k]);
    set_text(&o, "name", c->name);
    set_text(&o, "body", c->body);
    set_text(&o, "options", c->options);
    if (c->library) set_text(&o, "library", c->library);
    return take(o);
}

/* A push without end has no duration. */
static json_t *push_of(const push *p) {
    object o = new_object();
    set_text(&o, "name", p->name);
    set_text(&o, "body", p->body);
    set_text(&o, "link", p->link);
    set_number(&o, "time", p->time);
    set_number(&o, "duration", isinf(p->duration) ? (double)NAN : p->duration);
    set_number(&o, "ramp", p->ramp);
    set(&o, "force", list_of_numbers(p->force, 3));
    set(&o, "point", list_of_numbers(p->point, 3));
    return take(o);
}

/* For all joints, J: the work done against friction and what became of it, and the heat that
 * friction itself reports, which differs if friction is not stable. */
static json_t *energy_of(const results *r) {
    double work = 0, held = 0, reported = 0, driven = 0;
    for (size_t k = 0; k < r->def.count; k++) {
        const friction_work *w = joint_records_friction(r->records, k);
        work += w->work;
        held += friction_work_held(w);
        reported += w->reported;
        driven += w->driven;
    }
    object o = new_object();
    set_number(&o, "work_against_friction", work);
    set_number(&o, "held_by_bristles", held);
    set_number(&o, "heat", work - held);
    set_number(&o, "heat_by_friction", reported);
    set_number(&o, "work_of_controllers", driven);
    const energy_account *a = &r->energy;
    const double gained = a->known ? a->last - a->first : (double)NAN;
    set_number(&o, "work_of_pushes", a->known ? a->pushed : (double)NAN);
    set_number(&o, "gained_by_bodies", gained);
    set_number(&o, "lost_elsewhere", driven + a->pushed - work - gained);
    set_number(&o, "from_nothing", a->known ? a->created : (double)NAN);
    return take(o);
}

/* The simulated time, s: a sample is taken at the start of its step. */
static double duration_of(const results *r) {
    if (!r->samples) return 0;
    /* a whole number of steps, without the roundings of a time that was summed up */
    return (round(r->last_time / r->def.timestep) + 1) * r->def.timestep;
}

static json_t *body_of(const recorded_body *b) {
    object o = new_object();
    const joint_figure *f;
    for (size_t k = 0; (f = body_figure_at(k)); k++)
        set_number(&o, f->name, body_record_value(b->record, k));
    return take(o);
}

static json_t *summary_of(const results *r) {
    object o = new_object(), joints = new_object(), bodies = new_object();
    json_t *controllers = json_array(), *pushes = json_array();
    for (size_t k = 0; k < r->def.push_count; k++)
        pushes = append(pushes, push_of(&r->def.pushes[k]));
    for (size_t k = 0; k < r->controller_count; k++)
        controllers = append(controllers, controller_of(&r->controllers[k]));
    for (size_t k = 0; k < r->def.body_count; k++)
        set(&bodies, r->bodies[k].name, body_of(&r->bodies[k]));
    for (size_t k = 0; k < r->def.count; k++) set(&joints, r->def.names[k], joint_of(r, k));
    set_text(&o, "stiction", stiction_version());
    set_text(&o, "project", r->def.project);
    set_text(&o, "simulator", r->def.simulator);
    set_text(&o, "engine", r->def.engine);
    set_text(&o, "engine_version", r->def.engine_version);
    set_number(&o, "timestep", r->def.timestep);
    set_number(&o, "duration", duration_of(r));
    set(&o, "complete", json_boolean(!r->interrupted));
    set(&o, "stable", json_boolean(results_stable(r)));
    set_text(&o, "friction_source", r->def.friction_source);
    set_text(&o, "coupling", r->def.coupling);
    if (r->def.drawn) set(&o, "seed", json_integer((json_int_t)r->def.seed));
    set(&o, "overrides", list_of_texts(r->def.overrides, r->def.override_count));
    set(&o, "warnings", list_of_texts(r->warnings, r->warning_count));
    set(&o, "energy", energy_of(r));
    set(&o, "controllers", controllers);
    if (r->def.push_count)
        set(&o, "pushes", pushes);
    else
        json_decref(pushes);
    if (r->def.body_count)
        set(&o, "bodies", take(bodies));
    else
        json_decref(bodies.json);
    set(&o, "joints", take(joints));
    return take(o);
}

json_t *results_summary(const results *r, stiction_error *error) {
    json_t *summary = r->incomplete ? NULL : summary_of(r);
    if (!summary)
        (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the results");
    return summary;
}

static bool print_summary(FILE *file, const results *r) {
    json_t *summary = results_summary(r, NULL);
    const bool printed = summary && json_out_print(summary, file);
    json_decref(summary);
    return printed;
}

stiction_status results_print_summary(const results *r, FILE *file, stiction_error *error) {
    if (!print_summary(file, r))
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the results");
    if (fflush(file) == 0) return STICTION_OK;
    return stiction_fail(error, STICTION_INVALID_ARGUMENT, "cannot write the figures: %s",
                         strerror(errno));
}

/* ---- the series ---- */

/* "JOINT.column"; NULL: no memory. */
static char *head_of(const char *joint, const char *column) {
    const size_t size = strlen(joint) + strlen(column) + sizeof ".";
    char *head = malloc(size);
    if (head) (void)snprintf(head, size, "%s.%s", joint, column);
    return head;
}

static bool add_name(char **names, size_t *count, char *name) {
    names[*count] = name;
    *count += name != NULL;
    return name != NULL;
}

bool results_series(const results *r, series_view *view) {
    char **names = calloc(r->row_size, sizeof *names);
    size_t count = 0;
    bool fine = names && add_name(names, &count, stiction_text_copy("time"));
    for (size_t k = 0; k < r->def.count; k++)
        for (size_t c = 0; c < JOINT_COLUMN_COUNT && fine; c++)
            if (results_has_column(r, k, c))
                fine = add_name(names, &count, head_of(r->def.names[k], joint_columns[c].name));
    for (size_t k = 0; k < r->def.channel_count && fine; k++)
        fine = add_name(names, &count, stiction_text_copy(r->def.channels[k]));
    *view = (series_view){.names = (const char *const *)names,
                          .column_count = count,
                          .rows = r->rows,
                          .row_count = r->row_count};
    return fine;
}

void results_series_free(series_view *view) {
    char **names = (char **)view->names;
    for (size_t k = 0; k < view->column_count; k++) free(names[k]);
    free(names);
    *view = (series_view){.names = NULL};
}

/* ---- all, and the list of them ---- */

typedef struct printing {
    const results *results;
    const series_file *series; /* NULL: summary.json */
} printing;

static bool print_file(FILE *out, const void *context) {
    const printing *p = context;
    if (!p->series) return print_summary(out, p->results);
    series_view view;
    const bool printed = results_series(p->results, &view) && p->series->print(out, &view);
    results_series_free(&view);
    return printed;
}

stiction_status results_write(const results *r, const char *folder, stiction_error *error) {
    return results_write_as(r, folder, SERIES_CSV, error);
}

static bool copy_file(FILE *out, const void *context) {
    char block[1 << 14];
    FILE *in = fopen(context, "rb");
    size_t count;
    bool fine = in != NULL;
    while (fine && (count = fread(block, 1, sizeof block, in)) > 0)
        fine = fwrite(block, 1, count, out) == count;
    fine = fine && !ferror(in);
    if (in) (void)fclose(in);
    return fine;
}

/* `path` gets what could not be written. */
static bool copy_files(const results *r, const char *folder, manifest *list, char path[4096]) {
    for (size_t k = 0; k < r->controller_count; k++)
        for (size_t i = 0; i < r->controllers[k].note_count; i++) {
            const stiction_controller_note *note = &r->controllers[k].notes[i];
            if (!is_file_note(note) || !*note->text) continue;
            const char *name = name_of_file(note->text);
            (void)snprintf(path, 4096, "%s/%s", folder, name);
            if (!storage_file_write(path, copy_file, note->text) ||
                !manifest_add(list, folder, name))
                return false;
        }
    return true;
}

stiction_status results_write_as(const results *r, const char *folder, series_format series,
                                 stiction_error *error) {
    if (r->incomplete)
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the results");
    char path[4096];
    AUTO(manifest_free) manifest list = {.entries = NULL};
    bool fine = true;
    for (size_t k = 0; k <= SERIES_FILES && fine; k++) {
        const series_file *file = k < SERIES_FILES ? &series_files[k] : NULL;
        const char *name = file ? file->name : "summary.json";
        if (file && !(series & file->format)) continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
        fine = storage_file_write(path, print_file, &(printing){r, file}) &&
               manifest_add(&list, folder, name);
    }
    fine = fine && copy_files(r, folder, &list, path);
    if (fine) {
        (void)snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
        fine = manifest_write(&list, folder);
    }
    const int why = errno;
    if (fine) return STICTION_OK;
    return stiction_fail(error, why == ENOMEM ? STICTION_OUT_OF_MEMORY : STICTION_INVALID_ARGUMENT,
                         "cannot write %.700s: %s", path, strerror(why));
}
