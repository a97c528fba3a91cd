/* SPDX-License-Identifier: MIT
 * Runs an MJCF file for 10 s in MuJoCo 3 with the plugin and prints the fastest joint of the last
 * second, rad/s or m/s; fails if it is above 1e-5. Joints without a name do not count: `export`
 * gives them no friction, as they are points of a flex or copies of <replicate>. 77: the model does
 * not compile, or has no hinge or slide with a name. MUJOCO_PLUGINS is a folder of other plugins to
 * load.
 *
 * usage: at_rest PLUGIN FILE
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mujoco_compile/mujoco_versions.h"

static bool has_brake(const mjModel *model, int joint) {
    const char *name = mj_id2name(model, mjOBJ_JOINT, joint);
    return (model->jnt_type[joint] == mjJNT_HINGE || model->jnt_type[joint] == mjJNT_SLIDE) &&
           name && *name;
}

/* A model that diverges begins again at 0 s. */
static bool was_reset(const mjData *data) {
    return data->warning[mjWARN_BADQPOS].number + data->warning[mjWARN_BADQVEL].number +
               data->warning[mjWARN_BADQACC].number >
           0;
}

int main(int argc, char **argv) {
    char message[1000] = "";
    if (argc != 3) return 2;
    mj_loadPluginLibrary(argv[1]);
    const char *others = getenv("MUJOCO_PLUGINS");
    if (others) mj_loadAllPluginLibraries(others, NULL);
    mjModel *model = mj_loadXML(argv[2], NULL, message, sizeof message);
    if (!model) {
        fprintf(stderr, "%s\n", message);
        return 77;
    }
    int joints = 0;
    for (int k = 0; k < model->njnt; k++) joints += has_brake(model, k);
    if (joints == 0) {
        fputs("no hinge or slide has a name\n", stderr);
        mj_deleteModel(model);
        return 77;
    }
    mjData *data = mj_makeData(model);
    if (model->nkey > 0) mj_resetDataKeyframe(model, data, 0);
    double fastest = 0;
    const char *which = "";
    bool unstable = false;
    while (data->time < 10 && !unstable) {
        mj_step(model, data);
        unstable = was_reset(data);
        for (int k = 0; k < model->njnt; k++) {
            if (!has_brake(model, k)) continue;
            const double speed = fabs(data->qvel[model->jnt_dofadr[k]]);
            if (data->time > 9 && speed > fastest)
                fastest = speed, which = mj_id2name(model, mjOBJ_JOINT, k);
        }
    }
    if (unstable)
        puts("unstable: MuJoCo reset the model");
    else
        printf("%3d joints, the fastest at %.2g rad/s %s\n", joints, fastest, which);
    mj_deleteData(data);
    mj_deleteModel(model);
    return !unstable && fastest < 1e-5 ? 0 : 1;
}
