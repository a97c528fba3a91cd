/* SPDX-License-Identifier: MIT */
/* The replay of runs on a page. */
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base64.h"
#include "common/command.h"
#include "document/file.h"
#include "document/memory_stream.h"

/* Postures of a page are shown at this rate, and a long run at a lower one. */
static const double display_rate = 30;
enum { most_postures = 4000, most_of_all = 250000 };

/* A thumbnail has this many; an index has so many of them, of robots with shapes of so many bytes
 * in all. */
enum { thumbnail_postures = 40, most_thumbnails = 100, most_shapes = 3000000 };

/* Every so many samples is a posture. */
static size_t stride_of(const run_data *run, bool is_thumbnail) {
    const double duration = run->time[run->sample_count - 1] - run->time[0];
    const size_t joints = run->joint_count + 1;
    double wanted = fmin(duration * display_rate + 1, most_postures);
    wanted = fmin(wanted, fmax(100, (double)(most_of_all / joints)));
    if (is_thumbnail) wanted = thumbnail_postures;
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

static void print_joint(FILE *out, const run_joint *joint, const run_data *run, size_t stride,
                        bool is_thumbnail) {
    const double level = joint->friction.static_torque;
    page_json_member(out, "{", "name", joint->name);
    print_series(out, "position", joint->position, run, stride);
    if (is_thumbnail) {
        fputc('}', out);
        return;
    }
    print_series(out, "target", joint->target, run, stride);
    if (strcmp(joint->friction.law, "none") != 0) {
        print_slipping(out, joint, run, stride);
        print_series(out, "friction", joint->friction_torque, run, stride);
        const double of = isfinite(level) ? level : joint->friction.coulomb_torque;
        if (isfinite(of)) fprintf(out, ",\"level\":%.6g", of);
    }
    fputc('}', out);
}

/* The parts of a run's scene.json. */
typedef struct scene {
    char *shapes;         /* NULL: it has none, or something else is in its place */
    const char *contacts; /* `,"contacts":[...]` or "" */
} scene;

static scene read_scene(arena *memory, const char *folder) {
    file_problem problem;
    size_t size;
    AUTO_FREE char *path = format_text("%s/scene.json", folder);
    scene s = {stiction_file_read(memory, path, FILE_MOST_SUMMARY, &size, &problem), ""};
    json_error_t error;
    json_auto_t *parsed =
        s.shapes && !strchr(s.shapes, '<') ? json_loads(s.shapes, 0, &error) : NULL;
    char *end = json_is_array(json_object_get(parsed, "links")) ? strrchr(s.shapes, '}') : NULL;
    if (!end) return (scene){NULL, ""};
    *end = '\0';
    char *contacts = strstr(s.shapes, "\n,\"contacts\":[");
    if (contacts) {
        *contacts = '\0';
        s.contacts = contacts + 1;
    }
    return s;
}

/* The shapes are those of an earlier run, `same_as`, unless it is -1. */
static void print_run(FILE *out, const run_data *run, const char *name, const scene *shapes,
                      int same_as, bool is_thumbnail) {
    const size_t stride = stride_of(run, is_thumbnail);
    page_json_member(out, "{", "name", name);
    if (same_as < 0)
        fprintf(out, ",\"scene\":%s}%s", shapes->shapes, is_thumbnail ? "" : shapes->contacts);
    else
        fprintf(out, ",\"scene\":%d%s", same_as, is_thumbnail ? "" : shapes->contacts);
    print_series(out, "time", run->time, run, stride);
    fputs(",\"joints\":[\n", out);
    for (size_t k = 0; k < run->joint_count; k++) {
        if (k) fputs(",\n", out);
        print_joint(out, &run->joints[k], run, stride, is_thumbnail);
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

/* The first run with the same shapes; -1: none. */
static int find_shapes(const scene *scenes, int count, const char *shapes) {
    for (int k = 0; k < count; k++)
        if (strcmp(scenes[k].shapes, shapes) == 0) return k;
    return -1;
}

void replay_print(page *p, const run_data *runs, const char *const *names,
                  const char *const *folders, size_t count) {
    arena memory = {0};
    AUTO_FREE scene *scenes = allocate(count, sizeof *scenes);
    AUTO_FREE size_t *shown = allocate(count, sizeof *shown);
    int any = 0;
    for (size_t k = 0; k < count; k++) {
        if (runs[k].sample_count < 2) continue;
        scenes[any] = read_scene(&memory, folders[k]);
        if (scenes[any].shapes) shown[any++] = k;
    }
    if (any && page_replay(p)) {
        page_json_begin(p, "replay-runs");
        for (int n = 0; n < any; n++) {
            const size_t k = shown[n];
            fputs(n ? ",\n" : "[", page_out(p));
            print_run(page_out(p), &runs[k], names ? names[k] : "", &scenes[n],
                      find_shapes(scenes, n, scenes[n].shapes), false);
        }
        fputc(']', page_out(p));
        page_json_end(p);
    }
    stiction_arena_free(&memory);
}

/* ---- thumbnails ---- */

struct thumbnails {
    page *p;
    scene scenes[most_thumbnails];
    arena memory[most_thumbnails]; /* of the shapes; those of an earlier run are not kept again */
    int count;
    size_t shapes; /* bytes */
    FILE *out;
    char *text;
    size_t size;
};

thumbnails *thumbnails_begin(page *p) {
    thumbnails *t = allocate(1, sizeof *t);
    t->p = p;
    t->out = stiction_memory_stream(&t->text, &t->size);
    return t;
}

int thumbnails_add(thumbnails *t, const run_data *run, const char *folder) {
    if (!t->out || t->count == most_thumbnails || run->sample_count < 2) return -1;
    scene *s = &t->scenes[t->count];
    arena *memory = &t->memory[t->count];
    *s = read_scene(memory, folder);
    const int same_as = s->shapes ? find_shapes(t->scenes, t->count, s->shapes) : -1;
    const size_t more = s->shapes && same_as < 0 ? strlen(s->shapes) : 0;
    const bool fits = s->shapes && t->shapes + more <= most_shapes;
    if (!fits || same_as >= 0) stiction_arena_free(memory);
    if (!fits || (!t->count && !page_can_replay(t->p))) return -1;
    if (same_as >= 0) s->shapes = t->scenes[same_as].shapes;
    t->shapes += more;
    fputs(t->count ? ",\n" : "[", t->out);
    print_run(t->out, run, "", s, same_as, true);
    return t->count++;
}

void thumbnails_end(thumbnails *t) {
    if (t->out && fclose(t->out) == 0 && t->count) {
        page_json_begin(t->p, "replay-runs");
        fprintf(page_out(t->p), "%s]", t->text);
        page_json_end(t->p);
    }
    for (int k = 0; k < most_thumbnails; k++) stiction_arena_free(&t->memory[k]);
    free(t->text);
    free(t);
}
