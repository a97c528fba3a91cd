/* SPDX-License-Identifier: MIT
 * Friction of a joint that the user's program reads and changes while it runs.
 */
#include "document/fail.h"
#include "instance.h"
#include "stiction/mujoco.h"

/* The instance that has a joint, and its index there. */
static stiction_status find(const mjModel *model, const mjData *data, const char *joint,
                            instance **of, size_t *index, stiction_error *error) {
    if (!model || !data || !joint)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "an argument is NULL");
    const int number = mj_name2id(model, mjOBJ_JOINT, joint);
    if (number < 0)
        return stiction_fail(error, STICTION_INVALID_ARGUMENT, "there is no joint '%.200s'", joint);
    for (int id = 0; id < model->nplugin; id++) {
        *of = instance_of(model, data, id);
        const long at = *of ? instance_find(*of, number) : -1;
        if (at < 0) continue;
        *index = (size_t)at;
        return STICTION_OK;
    }
    return stiction_fail(error, STICTION_INVALID_ARGUMENT,
                         "joint '%.200s' belongs to no element of " FRICTION_PLUGIN, joint);
}

stiction_status stiction_mujoco_joint(const mjModel *model, const mjData *data, const char *joint,
                                      stiction_joint_def *def, stiction_error *error) {
    instance *of = NULL;
    size_t index = 0;
    const stiction_status status = find(model, data, joint, &of, &index, error);
    return status == STICTION_OK ? stiction_state_joint(of->state, index, def, error) : status;
}

stiction_status stiction_mujoco_set_joint(const mjModel *model, mjData *data, const char *joint,
                                          const stiction_joint_def *def, stiction_error *error) {
    instance *of = NULL;
    size_t index = 0;
    stiction_status status = find(model, data, joint, &of, &index, error);
    if (status != STICTION_OK) return status;
    mjtNum *memory = data->plugin_state + model->plugin_stateadr[of->id] + of->count;
    status = stiction_state_set_memory(of->state, memory, error);
    if (status == STICTION_OK) status = stiction_state_set_joint(of->state, index, def, error);
    if (status != STICTION_OK) return status;
    (void)stiction_state_get_memory(of->state, memory, NULL);
    of->defs[index] = stiction_joint_def_default();
    (void)stiction_state_joint(of->state, index, &of->defs[index], NULL);
    of->is_changed = true;
    return stiction_succeed(error);
}
