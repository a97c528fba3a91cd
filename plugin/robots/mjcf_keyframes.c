/* SPDX-License-Identifier: MIT
 * <keyframe>: postures with names, as displacements of the robot's links and a pose of its root.
 */
#include <string.h>

#include "mjcf_reader.h"

static int count_words(const char *text) {
    static const char space[] = " \t\r\n";
    int count = 0;
    for (text += strspn(text, space); *text; text += strspn(text, space), count++)
        text += strcspn(text, space);
    return count;
}

/* One without a name is called by its number. */
static void add_keyframe(mjcf_import *m, const xml_element *key) {
    const mjModel *model = m->model;
    const char *numbers = xml_attribute(key, "qpos");
    if (numbers && count_words(numbers) != model->nq) return; /* it belongs to another robot */
    body_file *file = m->files[0];
    double *qpos = stiction_reader_alloc(m->r, ((size_t)model->nq + 1) * sizeof *qpos);
    double *displacements = stiction_reader_alloc(m->r, file->count * sizeof *displacements);
    const char *name = xml_attribute(key, "name");
    body_keyframe made = {.name = name ? name
                                       : stiction_reader_format(m->r, "%zu", file->keyframe_count)};
    mju_copy(qpos, model->qpos0, model->nq);
    (void)xml_numbers(m->r, key, "qpos", model->nq, qpos);
    for (size_t k = 0; k < file->count; k++) displacements[k] = file->links[k].displacement;
    for (int k = 0; k < model->njnt; k++) {
        const int body = model->jnt_bodyid[k];
        double *q = qpos + model->jnt_qposadr[k];
        if (m->file[body] != 0) continue;
        if (mjcf_has_axis(model, k)) displacements[m->joint_link[k]] = *q;
        if (model->jnt_type[k] != mjJNT_FREE || (size_t)m->link[body] != file->root) continue;
        made.placed = true;
        mju_copy3(made.translation, q);
        mju_copy4(made.rotation, q + 3);
        mju_normalize4(made.rotation);
    }
    made.displacements = displacements;
    body_keyframe *list =
        stiction_reader_grow(m->r, (void *)file->keyframes, file->keyframe_count, sizeof *list);
    list[file->keyframe_count++] = made;
    file->keyframes = list;
}

void mjcf_read_keyframes(mjcf_import *m) {
    if (!m->file_count) return;
    for (const xml_element *e = xml_child(m->source.file->root, "keyframe"); e;
         e = xml_next(e, "keyframe"))
        for (const xml_element *key = xml_child(e, "key"); key; key = xml_next(key, "key"))
            add_keyframe(m, key);
}
