/* SPDX-License-Identifier: MIT */
/* The replay of runs on a page. */
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base64.h"
#include "common/command.h"
#include "document/file.h"

/* Postures of a page are shown at this rate, and a long run at a lower one. */
static const double display_rate = 30;
enum { most_postures = 4000, most_of_all = 250000 };

/* Every so many samples is a posture. */
static size_t stride_of(const run_data *run) {
    const double duration = run->time[run->sample_count - 1] - run->time[0];
    const size_t joints = run->joint_count + 1;
    double wanted = fmin(duration * display_rate + 1, most_postures);
    wanted = fmin(wanted, fmax(100, (double)(most_of_all / joints)));
    const size_t stride = (size_t)((double)run->sample_count / fmax(wanted, 2));
    return stride ? stride : 1;
}

static void print_series(FILE *out, const char *key, const double *series, const run_data *run,
                         size_t stride) {
    if (!series) return;
    fprintf(out, ",\"%s\":", key);
    base64 b = base64_begin(out);
    for (size_t k = 0; k < run->sample_count; k += stride) base64_float(&b, series[k]);
    base64_end(&b);
}

/* A byte for each posture: 0 sticks, 1 slips. A joint that slipped at any time since the last
 * posture slips. */
static void print_slipping(FILE *out, const run_joint *joint, const run_data *run, size_t stride) {
    if (!joint->stick) return;
    fputs(",\"slips\":", out);
    base64 b = base64_begin(out);
    for (size_t k = 0; k < run->sample_count; k += stride) {
        bool slips = joint->stick[k] == 0;
        for (size_t n = k > stride ? k - stride + 1 : 0; n < k; n++)
            slips = slips || joint->stick[n] == 0;
        base64_bytes(&b, slips, 1);
    }
    base64_end(&b);
}

static void print_joint(FILE *out, const run_joint *joint, const run_data *run, size_t stride) {
    const double level = joint->friction.static_torque;
    page_json_member(out, "{", "name", joint->name);
    print_series(out, "position", joint->position, run, stride);
    print_series(out, "target", joint->target, run, stride);
    if (strcmp(joint->friction.law, "none") != 0) {
        print_slipping(out, joint, run, stride);
        print_series(out, "friction", joint->friction_torque, run, stride);
        const double of = isfinite(level) ? level : joint->friction.coulomb_torque;
        if (isfinite(of)) fprintf(out, ",\"level\":%.6g", of);
    }
    fputc('}', out);
}

static void print_run(FILE *out, const run_data *run, const char *name, const char *scene) {
    const size_t stride = stride_of(run);
    page_json_member(out, "{", "name", name);
    fprintf(out, ",\"scene\":%s", scene);
    print_series(out, "time", run->time, run, stride);
    fputs(",\"joints\":[\n", out);
    for (size_t k = 0; k < run->joint_count; k++) {
        if (k) fputs(",\n", out);
        print_joint(out, &run->joints[k], run, stride);
    }
    fputs("],\"bases\":[", out);
    for (size_t k = 0; k < run->body_count; k++) {
        static const char *const keys[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
        page_json_member(out, k ? ",{" : "{", "name", run->bodies[k].name);
        for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++)
            print_series(out, keys[n], run->body_series[k].columns[RUN_BODY_base_x + n], run,
                         stride);
        fputc('}', out);
    }
    fputs("],\"pushes\":[", out);
    size_t k;
    json_t *each;
    json_array_foreach(json_object_get(run->summary, "pushes"), k, each) {
        AUTO_FREE char *text = json_dumps(each, JSON_ENSURE_ASCII | JSON_COMPACT);
        if (text && !strchr(text, '<')) fprintf(out, "%s%s", k ? "," : "", text);
    }
    fputs("]}", out);
}

/* The text of a run's scene.json; NULL: it has none, or something else is in its place. */
static char *read_scene(arena *memory, const char *folder) {
    file_problem problem;
    size_t size;
    AUTO_FREE char *path = format_text("%s/scene.json", folder);
    char *text = stiction_file_read(memory, path, FILE_MOST_SUMMARY, &size, &problem);
    json_error_t error;
    if (!text || strchr(text, '<')) return NULL;
    json_auto_t *parsed = json_loads(text, 0, &error);
    return json_is_array(json_object_get(parsed, "links")) ? text : NULL;
}

void replay_print(page *p, const run_data *runs, const char *const *names,
                  const char *const *folders, size_t count) {
    arena memory = {0};
    AUTO_FREE char **scenes = allocate(count, sizeof *scenes);
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        scenes[k] = runs[k].sample_count > 1 ? read_scene(&memory, folders[k]) : NULL;
        any = any || scenes[k];
    }
    if (any && page_replay(p)) {
        bool comma = false;
        page_json_begin(p, "replay-runs");
        fputc('[', page_out(p));
        for (size_t k = 0; k < count; k++) {
            if (!scenes[k]) continue;
            if (comma) fputs(",\n", page_out(p));
            print_run(page_out(p), &runs[k], names ? names[k] : "", scenes[k]);
            comma = true;
        }
        fputc(']', page_out(p));
        page_json_end(p);
    }
    stiction_arena_free(&memory);
}
