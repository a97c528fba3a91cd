/* SPDX-License-Identifier: MIT
 * Runs an MJCF file for 10 s in MuJoCo 3 with the plugin and prints the fastest joint of the last
 * second, rad/s or m/s; fails if it is above 1e-5. 77: the model does not compile.
 * usage: at_rest PLUGIN FILE
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mujoco_compile/mujoco_versions.h"

int main(int argc, char **argv) {
    char message[1000] = "";
    if (argc != 3) return 2;
    mj_loadPluginLibrary(argv[1]);
    mjModel *model = mj_loadXML(argv[2], NULL, message, sizeof message);
    if (!model) {
        fprintf(stderr, "%s\n", message);
        return 77;
    }
    mjData *data = mj_makeData(model);
    if (model->nkey > 0) mj_resetDataKeyframe(model, data, 0);
    double fastest = 0;
    int joints = 0;
    while (data->time < 10) {
        mj_step(model, data);
        joints = 0;
        for (int k = 0; k < model->njnt; k++) {
            const bool has_axis =
                model->jnt_type[k] == mjJNT_HINGE || model->jnt_type[k] == mjJNT_SLIDE;
            joints += has_axis;
            if (has_axis && data->time > 9)
                fastest = fmax(fastest, fabs(data->qvel[model->jnt_dofadr[k]]));
        }
    }
    printf("%3d joints, the fastest at %.2g rad/s\n", joints, fastest);
    mj_deleteData(data);
    mj_deleteModel(model);
    return fastest < 1e-5 ? 0 : 1;
}
