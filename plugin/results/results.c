/*
 * Collecting a run: each joint's figures are kept up to date with every sample.
 */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results_internal.h"

/* A joint that has just stopped rings in its bristle for a while, which is no creep, s. */
static const double settling_time = 0.5;

static char *copy(const char *text) {
    const size_t size = strlen(text ? text : "") + 1;
    char *result = malloc(size);
    if (result) memcpy(result, text ? text : "", size);
    return result;
}

void results_free_texts(char **texts, size_t count) {
    for (size_t k = 0; texts && k < count; k++) free(texts[k]);
    free(texts);
}

/* NULL where there is no memory. */
static char **copy_texts(const char *const *texts, size_t count) {
    char **copies = calloc(count + 1, sizeof *copies);
    for (size_t k = 0; copies && k < count; k++) {
        copies[k] = copy(texts[k]);
        if (copies[k]) continue;
        results_free_texts(copies, k);
        return NULL;
    }
    return copies;
}

results *results_create(const results_def *def) {
    results *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->def = *def;
    r->project = copy(def->project);
    r->simulator = copy(def->simulator);
    r->engine = copy(def->engine);
    r->engine_version = copy(def->engine_version);
    r->friction_source = copy(def->friction_source ? def->friction_source : "stiction");
    r->names = copy_texts(def->names, def->count);
    r->overrides = copy_texts(def->overrides, def->override_count);
    r->friction = calloc(def->count + 1, sizeof *r->friction);
    r->figures = calloc(def->count + 1, sizeof *r->figures);
    r->row_size = 1 + RESULTS_COLUMNS * def->count;
    const bool complete = r->project && r->simulator && r->engine && r->engine_version &&
                          r->friction_source && r->names && r->overrides && r->friction &&
                          r->figures;
    for (size_t k = 0; complete && k < def->count; k++) {
        r->friction[k] = def->friction ? def->friction[k] : stiction_joint_def_default();
        r->figures[k].prismatic = def->prismatic && def->prismatic[k];
        r->figures[k].tracking_error = r->figures[k].creep = (double)NAN;
    }
    if (complete) return r;
    results_destroy(r);
    return NULL;
}

void results_destroy(results *r) {
    if (!r) return;
    results_free_texts(r->names, r->def.count);
    results_free_texts(r->overrides, r->def.override_count);
    results_free_texts(r->controllers, r->controller_count);
    results_free_texts(r->warnings, r->warning_count);
    free(r->friction);
    free(r->figures);
    free(r->rows);
    free(r->project);
    free(r->simulator);
    free(r->engine);
    free(r->engine_version);
    free(r->friction_source);
    free(r);
}

bool results_warn(results *r, const char *sentence) {
    for (size_t k = 0; k < r->warning_count; k++)
        if (strcmp(r->warnings[k], sentence) == 0) return true;
    char **warnings = realloc(r->warnings, (r->warning_count + 1) * sizeof *warnings);
    if (!warnings) return false;
    r->warnings = warnings;
    r->warnings[r->warning_count] = copy(sentence);
    if (!r->warnings[r->warning_count]) return false;
    r->warning_count++;
    return true;
}

static double *new_row(results *r) {
    if (r->row_count == r->row_capacity) {
        const size_t capacity = r->row_capacity ? 2 * r->row_capacity : 1024;
        double *rows = realloc(r->rows, capacity * r->row_size * sizeof *rows);
        if (!rows) return NULL;
        r->rows = rows;
        r->row_capacity = capacity;
    }
    return r->rows + r->row_size * r->row_count++;
}

static double entry(const double *array, size_t k) {
    return array ? array[k] : 0;
}

/* Where the bristle stands: what creeps, the elastic motion apart. The deflection has seen the
 * velocities up to this one, and so has the position of a semi-implicit integrator. */
static double anchor(const results_sample *s, size_t k) {
    return s->position[k] - entry(s->deflection, k);
}

static void update(joint_figures *f, const results_sample *s, size_t k) {
    const double v = s->velocity[k];
    f->final_position = s->position[k];
    f->final_torque = entry(s->command, k);
    f->peak_torque = fmax(f->peak_torque, fabs(f->final_torque));
    f->dissipated_energy = entry(s->dissipated_energy, k);
    if (s->target) f->tracking_error = s->target[k] - s->position[k];
    if (fabs(v) > RESULTS_MOTION) f->stop_time = s->time;

    /* creep: what the bristle's foot moves while the joint is said to stick */
    const bool sticks = s->slipping && !s->slipping[k];
    if (!sticks || !f->stuck) {
        f->stuck_since = s->time;
        f->settled = false;
    }
    const double stuck_for = s->time - f->stuck_since;
    if (!f->settled && stuck_for >= settling_time) {
        f->settled_at = anchor(s, k);
        f->settled = true;
    }
    if (stuck_for >= 2 * settling_time)
        f->creep = (anchor(s, k) - f->settled_at) / (stuck_for - settling_time);
    f->stuck = sticks;

    /* an event: it stood, at the start perhaps, and then it slips; a bristle that sways is none */
    if (sticks && fabs(v) <= RESULTS_MOTION) f->armed = true;
    if (f->armed && !sticks && fabs(v) > RESULTS_MOTION) {
        f->stick_slip_events++;
        f->armed = false;
    }
}

static bool add_row(results *r, const results_sample *s) {
    double *row = new_row(r);
    if (!row) return false;
    *row++ = s->time;
    for (size_t k = 0; k < r->def.count; k++, row += RESULTS_COLUMNS) {
        row[0] = s->position[k];
        row[1] = s->velocity[k];
        row[2] = entry(s->command, k);
        row[3] = entry(s->friction, k);
        row[4] = s->slipping ? !s->slipping[k] : 0;
        row[5] = entry(s->deflection, k);
        row[6] = s->target ? s->target[k] : (double)NAN;
    }
    return true;
}

bool results_add(results *r, const results_sample *s) {
    /* half a step early: times are sums of roundings */
    if (r->samples == 0) r->next_row = s->time;
    if (s->time >= r->next_row - 0.5 * r->def.timestep) {
        if (!add_row(r, s)) return false;
        r->next_row += r->def.interval;
    }
    for (size_t k = 0; k < r->def.count; k++) update(&r->figures[k], s, k);
    r->last_time = s->time;
    r->samples++;
    return true;
}

/* The figures of a joint under their names in summary.json. */
static const struct {
    const char *name;
    size_t offset;
} figures[] = {
    {"final_position", offsetof(joint_figures, final_position)},
    {"stop_time", offsetof(joint_figures, stop_time)},
    {"stick_slip_events", offsetof(joint_figures, stick_slip_events)},
    {"peak_torque", offsetof(joint_figures, peak_torque)},
    {"final_torque", offsetof(joint_figures, final_torque)},
    {"tracking_error", offsetof(joint_figures, tracking_error)},
    {"dissipated_energy", offsetof(joint_figures, dissipated_energy)},
    {"creep", offsetof(joint_figures, creep)},
};
enum { figure_count = sizeof figures / sizeof figures[0] };

const char *results_figure_name(size_t index) {
    return index < figure_count ? figures[index].name : NULL;
}

double results_figure_at(const joint_figures *f, size_t index) {
    double value;
    memcpy(&value, (const char *)f + figures[index].offset, sizeof value);
    return value;
}

double results_figure(const results *r, size_t joint, const char *name) {
    for (size_t k = 0; joint < r->def.count && k < figure_count; k++)
        if (strcmp(figures[k].name, name) == 0) return results_figure_at(&r->figures[joint], k);
    return (double)NAN;
}
