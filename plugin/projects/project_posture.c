/* SPDX-License-Identifier: MIT
 * The posture that a robot starts in, by the names of its joints: what controllers take as targets,
 * or a keyframe of an MJCF file.
 */
#include <math.h>
#include <string.h>

#include "controllers/host/targets.h"
#include "document/names.h"
#include "project_reader.h"

static bool has_axis(const body_link *link) {
    return link->joint == BODY_REVOLUTE || link->joint == BODY_PRISMATIC;
}

static void check_range(reader *r, const body_file *file, const char *text,
                        const double *displacements) {
    const double rounding = 1e-6; /* rad or m: keyframes and degrees have few digits */
    for (size_t k = 0; k < file->count; k++) {
        const body_link *link = &file->links[k];
        const double unit = link->joint == BODY_REVOLUTE ? 180 / mjPI : 1, q = displacements[k];
        if (!has_axis(link) || (q >= link->lower - rounding && q <= link->upper + rounding))
            continue;
        stiction_reader_refuse(r, (stiction_place){file->path, 0, 0},
                               "posture %.100s: joint '%s' would start at %.6g %s, outside its "
                               "range from %.6g to %.6g",
                               text, link->joint_name, unit * q,
                               link->joint == BODY_REVOLUTE ? "deg" : "m", unit * link->lower,
                               unit * link->upper);
    }
}

static void finish_targets(void *memory) {
    targets_destroy(*(targets **)memory);
}

/* "JOINT:DEGREES,..." or a file; joints that it does not name keep their position. */
static void apply_targets(reader *r, const body_file *file, const char *text,
                          double *displacements) {
    const char **names = stiction_reader_alloc(r, (file->count + 1) * sizeof *names);
    bool *prismatic = stiction_reader_alloc(r, (file->count + 1) * sizeof *prismatic);
    size_t *links = stiction_reader_alloc(r, (file->count + 1) * sizeof *links), count = 0;
    for (size_t k = 0; k < file->count; k++) {
        if (!has_axis(&file->links[k])) continue;
        names[count] = file->links[k].joint_name;
        prismatic[count] = file->links[k].joint == BODY_PRISMATIC;
        links[count++] = k;
    }
    stiction_error error;
    targets **kept = stiction_reader_own(r, sizeof *kept, finish_targets);
    *kept = targets_create(text, names, prismatic, count, &error);
    if (!*kept)
        stiction_reader_refuse(
            r, (stiction_place){error.path[0] ? error.path : NULL, error.line, error.column},
            "posture: %s", error.message);
    double *wanted = stiction_reader_alloc(r, (count + 1) * sizeof *wanted);
    targets_at(*kept, 0, wanted);
    for (size_t k = 0; k < count; k++)
        if (!isnan(wanted[k])) displacements[links[k]] = wanted[k];
}

const body_keyframe *project_find_keyframe(reader *r, const body_file *file, const char *name) {
    const char **names = stiction_reader_alloc(r, (file->keyframe_count + 1) * sizeof *names);
    char hint[NAME_HINT_SIZE];
    for (size_t k = 0; k < file->keyframe_count; k++) {
        names[k] = file->keyframes[k].name;
        if (strcmp(names[k], name) == 0) return &file->keyframes[k];
    }
    stiction_reader_refuse(r, (stiction_place){file->path, 0, 0},
                           "must be JOINT:DEGREES,..., a file that ends in .csv or .yaml, "
                           "or a keyframe of an MJCF file; there is no keyframe '%.200s'%s",
                           name, stiction_name_hint(name, names, file->keyframe_count, hint));
}

const body_keyframe *project_apply_posture(reader *r, const body_file *file, const char *text,
                                           double *displacements) {
    const body_keyframe *keyframe = NULL;
    if (targets_is_text(text)) {
        apply_targets(r, file, text, displacements);
    } else {
        keyframe = project_find_keyframe(r, file, text);
        mju_copy(displacements, keyframe->displacements, (int)file->count);
    }
    check_range(r, file, text, displacements);
    return keyframe;
}
