/* SPDX-License-Identifier: MIT
 * The result of a fit as a configuration and as JSON.
 */
#include "write_fit.h"

#include <math.h>
#include <string.h>

#include "document/number.h"
#include "document/shown.h"
#include "document/yaml_write.h"
#include "simulate.h"
#include "json/json_out.h"

const char *fit_unit_of(const char *key, const char *torque) {
    const bool slides = strcmp(torque, "N") == 0;
    if (strcmp(key, "static_torque") == 0 || strcmp(key, "coulomb_torque") == 0) return torque;
    if (strcmp(key, "stribeck_velocity") == 0) return slides ? "m/s" : "rad/s";
    if (strcmp(key, "viscous") == 0 || strcmp(key, "damping") == 0)
        return strcmp(torque, "A") == 0 ? "A s/rad" : slides ? "N s/m" : "N m s/rad";
    if (strcmp(key, "stiffness") == 0)
        return strcmp(torque, "A") == 0 ? "A/rad" : slides ? "N/m" : "N m/rad";
    return strncmp(key, "temperature", 11) == 0 ? "1/K" : "1";
}

/* ---- the configuration ---- */

/* To six digits: more are noise, fewer could make a legal value illegal. */
static const char *rounded(double value, char buffer[NUMBER_SIZE]) {
    char text[NUMBER_SIZE];
    (void)snprintf(text, sizeof text, "%.6g", value);
    double read = value;
    (void)stiction_decimal(text, &read);
    return stiction_number_write(read, buffer);
}

static void write_value(FILE *out, const fit_value *v, const char *unit) {
    char number[NUMBER_SIZE], line[128];
    (void)snprintf(line, sizeof line, "    %s: %s", v->key, rounded(v->value, number));
    if (v->identifiable)
        fprintf(out, "%-36s # %s; 95 %% of %.4g to %.4g\n", line, unit, v->low, v->high);
    else
        fprintf(out, "%-36s # %s; not identified: %s\n", line, unit, v->why);
}

static void write_joint(FILE *out, const fit *f) {
    const fit_result *r = fit_result_of(f);
    const fit_problem *p = fit_problem_of(f);
    const stiction_joint_def def = fit_def(p, &r->model);
    const char *unit = fit_unit(f);
    char number[NUMBER_SIZE];
    fputs("  ", out);
    (void)stiction_yaml_write_text(out, p->joint);
    fputs(":\n", out);
    fprintf(out, "    law: %s\n", def.law);
    for (size_t k = 0; k < r->value_count; k++) {
        const fit_value *v = &r->values[k];
        const bool of_law =
            strcmp(v->key, "static_torque") == 0 || strcmp(v->key, "stribeck_velocity") == 0;
        const bool neutral = of_law ? def.law[0] == 'c' : isnan(v->low) && !v->identifiable;
        if (neutral) {
            fprintf(out, "    # %s: not identified: %s\n", v->key, v->why);
            continue;
        }
        write_value(out, v, fit_unit_of(v->key, unit));
    }
    if (def.stribeck_exponent > 1)
        fprintf(out, "    stribeck_exponent: %s\n", rounded(def.stribeck_exponent, number));
    if (def.ripple > 0) {
        fprintf(out, "    ripple_count: %s\n", rounded(def.ripple_count, number));
        fprintf(out, "    ripple_phase: %s\n", rounded(def.ripple_phase, number));
    }
    if (def.load_limit > 0 && def.load_limit < 1e29)
        fprintf(out, "    load_limit: %s\n", rounded(def.load_limit, number));
    if (r->inertia > 0)
        fprintf(out, "    inertia: %s%*s # kg m^2, fitted with the friction\n",
                rounded(r->inertia, number), (int)(24 - strlen(number)), "");
}

static void write_range(FILE *out, const char *key, double low, double high) {
    char from[NUMBER_SIZE], to[NUMBER_SIZE];
    fprintf(out, "%s: [%s, %s]", key, rounded(low, from), rounded(high, to));
}

/* What the log covers, which check and run warn about when it is left. */
static void write_valid(FILE *out, const fit *f) {
    const fit_result *r = fit_result_of(f);
    fputs("  ", out);
    (void)stiction_yaml_write_text(out, fit_problem_of(f)->joint);
    fputs(": { ", out);
    write_range(out, "speed", r->slowest, r->fastest);
    if (strcmp(fit_unit(f), "A") != 0) {
        fputs(", ", out);
        write_range(out, "load", 0, r->load);
    }
    if (isfinite(r->coldest)) {
        fputs(", ", out);
        write_range(out, "temperature", r->coldest, r->warmest);
    }
    fputs(" }\n", out);
}

void fit_write_configuration(FILE *out, fit *const *fits, size_t count) {
    char number[NUMBER_SIZE];
    fputs(FIT_HEADER ".\n", out);
    for (size_t k = 0; k < count; k++) {
        const fit_result *r = fit_result_of(fits[k]);
        const fit_problem *p = fit_problem_of(fits[k]);
        fprintf(out, "# Logs:");
        for (size_t n = 0; n < p->count; n++) {
            const char *slash = strrchr(p->logs[n].path, '/');
            arena memory = {0};
            const char *name = stiction_shown_text(&memory, slash ? slash + 1 : p->logs[n].path);
            fprintf(out, " %s%s", name ? name : "", p->logs[n].held_out ? " (held out)" : "");
            stiction_arena_free(&memory);
        }
        fprintf(out, "\n# Error on held-out data: %.4g %s; plain Coulomb and viscous: %.4g %s.\n",
                r->held_rms, fit_held_unit(fits[k]), r->held_plain_rms, fit_held_unit(fits[k]));
        if (strcmp(fit_unit(fits[k]), "A") == 0)
            fputs("# The torques below are currents in A: fit again with --torque-constant.\n",
                  out);
        const fit_warnings *w = fit_warnings_of(fits[k]);
        for (size_t n = 0; n < w->count; n++) {
            arena memory = {0};
            const char *text = stiction_shown_text(&memory, w->items[n]);
            fprintf(out, "# Warning: %s\n", text ? text : "");
            stiction_arena_free(&memory);
        }
    }
    fputs("stiction: 1\n", out);
    if (count > 0)
        fprintf(out, "timestep: %s\n",
                stiction_number_write(fit_problem_of(fits[0])->timestep, number));
    fputs("joints:\n", out);
    for (size_t k = 0; k < count; k++) write_joint(out, fits[k]);
    if (count > 0) fputs("valid:  # rad/s, N m and deg C that the logs cover\n", out);
    for (size_t k = 0; k < count; k++) write_valid(out, fits[k]);
}

/* ---- JSON ---- */

static json_t *value_json(const fit_value *v) {
    json_t *o = json_object();
    (void)json_out_set(o, "value", json_out_number(v->value));
    (void)json_out_set(o, "low", json_out_number(v->low));
    (void)json_out_set(o, "high", json_out_number(v->high));
    (void)json_out_set(o, "identifiable", json_boolean(v->identifiable));
    (void)json_out_set(o, "why", json_out_text(v->why));
    return o;
}

json_t *fit_json(const fit *f) {
    const fit_result *r = fit_result_of(f);
    const fit_problem *p = fit_problem_of(f);
    json_t *o = json_object(), *parameters = json_object(), *held = json_object(),
           *warnings = json_array(), *speeds = json_array(), *nuisances = json_object();
    (void)json_out_set(o, "joint", json_out_text(p->joint));
    (void)json_out_set(o, "law", json_out_text(r->law));
    for (size_t k = 0; k < r->value_count; k++)
        (void)json_out_set(parameters, r->values[k].key, value_json(&r->values[k]));
    (void)json_out_set(o, "parameters", parameters);
    const stiction_joint_def def = fit_def(p, &r->model);
    (void)json_out_set(held, "rms", json_out_number(r->held_rms));
    (void)json_out_set(held, "baseline_rms", json_out_number(r->held_plain_rms));
    if (r->averaged_rms > 0)
        (void)json_out_set(held, "averaged_rms", json_out_number(r->averaged_rms));
    (void)json_out_set(held, "unit", json_out_text(fit_held_unit(f)));
    (void)json_out_set(held, "data", json_out_text(r->held_kind));
    (void)json_out_set(o, "held_out", held);
    (void)json_array_append_new(speeds, json_out_number(r->slowest));
    (void)json_array_append_new(speeds, json_out_number(r->fastest));
    (void)json_out_set(o, "speeds", speeds);
    const fit_warnings *w = fit_warnings_of(f);
    for (size_t k = 0; k < w->count; k++)
        (void)json_array_append_new(warnings, json_out_text(w->items[k]));
    (void)json_out_set(o, "warnings", warnings);
    (void)json_out_set(nuisances, "inertia", json_out_number(r->inertia));
    if (p->gravity) {
        (void)json_out_set(nuisances, "gravity",
                           json_out_number(hypot(r->gravity_sin, r->gravity_cos)));
        (void)json_out_set(nuisances, "gravity_phase",
                           json_out_number(atan2(r->gravity_cos, r->gravity_sin)));
    }
    json_t *offsets = json_array();
    for (size_t k = 0; k < p->count; k++)
        if (!p->logs[k].held_out)
            (void)json_array_append_new(offsets, json_out_number(r->model.nuisance[k]));
    (void)json_out_set(nuisances, "offsets", offsets);
    (void)json_out_set(o, "nuisances", nuisances);
    if (def.stribeck_exponent > 1)
        (void)json_out_set(o, "stribeck_exponent", json_out_number(def.stribeck_exponent));
    if (def.ripple > 0) {
        (void)json_out_set(o, "ripple_count", json_out_number(def.ripple_count));
        (void)json_out_set(o, "ripple_phase", json_out_number(def.ripple_phase));
    }
    json_t *smoothing = json_object();
    (void)json_out_set(smoothing, "of",
                       json_out_text(r->smoothing.of_velocity ? "velocity" : "position"));
    (void)json_out_set(smoothing, "half_width", json_out_number(r->smoothing.window));
    (void)json_out_set(o, "smoothing", smoothing);
    (void)json_out_set(o, "rms", json_out_number(r->rms));
    return o;
}
