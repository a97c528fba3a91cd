/* SPDX-License-Identifier: MIT
 * A robot's MJCF file in MuJoCo 3 itself, from the start of a run of ours: prints the largest
 * distance of its joints from the run's, rad or m, with the joint. What a run does not use is
 * switched off: actuators, dampers, friction, gravity compensation; and constraints are as stiff as
 * in a run. 77: the model does not compile.
 * usage: free_motion FILE JOINTS_CSV
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mujoco_compile/mujoco_versions.h"

enum { most_columns = 10000, longest_line = 1000000 };

/* As plugin/robots/body_mjcf.c writes it. */
static void stiffen(const mjModel *model, mjtNum *reference, mjtNum *impedance, int count) {
    const mjtNum solref[mjNREF] = {5 * model->opt.timestep, 1};
    const mjtNum solimp[mjNIMP] = {0.95, 0.99, 0.001, 0.5, 2};
    for (int k = 0; k < count; k++) {
        memcpy(reference + mjNREF * k, solref, sizeof solref);
        memcpy(impedance + mjNIMP * k, solimp, sizeof solimp);
    }
}

static void clear(mjtNum *numbers, int count) {
    for (int k = 0; k < count; k++) numbers[k] = 0;
}

static void set_free(mjModel *model) {
    model->opt.integrator = mjINT_EULER;
    model->opt.solver = mjSOL_NEWTON;
    model->opt.tolerance = 1e-10;
    model->opt.iterations = 100;
    model->opt.disableflags |= mjDSBL_ACTUATION;
    clear(model->dof_damping, model->nv);
    clear(model->dof_frictionloss, model->nv);
    clear(model->tendon_damping, model->ntendon);
    clear(model->body_gravcomp, model->nbody);
    model->ngravcomp = 0;
    stiffen(model, model->jnt_solref, model->jnt_solimp, model->njnt);
    stiffen(model, model->eq_solref, model->eq_solimp, model->neq);
    stiffen(model, model->tendon_solref_lim, model->tendon_solimp_lim, model->ntendon);
    for (int k = 0; k < model->njnt; k++) /* a run does not have it */
        if (model->jnt_type[k] == mjJNT_FREE) clear(model->dof_armature + model->jnt_dofadr[k], 6);
    mjData *data = mj_makeData(model);
    mj_setConst(model, data);
    mj_deleteData(data);
}

/* The columns NAME.position; `joint` is -1 for all others. */
static int read_head(const mjModel *model, char *line, int joint[most_columns]) {
    static const char suffix[] = ".position";
    int count = 0;
    for (char *cell = strtok(line, ",\n"); cell && count < most_columns;
         cell = strtok(NULL, ",\n"), count++) {
        char *end = strstr(cell, suffix);
        joint[count] = -1;
        if (!end || strcmp(end, suffix) != 0) continue;
        *end = '\0';
        joint[count] = mj_name2id(model, mjOBJ_JOINT, cell);
        if (joint[count] < 0) fprintf(stderr, "there is no joint '%s'\n", cell);
    }
    return count;
}

static int read_row(FILE *in, char *line, int count, double *numbers) {
    if (!fgets(line, longest_line, in)) return 0;
    char *at = line;
    for (int k = 0; k < count; k++) {
        char *end;
        numbers[k] = strtod(at, &end);
        at = *end == ',' ? end + 1 : end;
    }
    return 1;
}

int main(int argc, char **argv) {
    static char line[longest_line], message[1000];
    static int joint[most_columns];
    static double row[most_columns];
    if (argc != 3) return 2;
    mjModel *model = mj_loadXML(argv[1], NULL, message, sizeof message);
    FILE *in = fopen(argv[2], "r");
    if (!model || !in || model->njnt == 0) {
        fprintf(stderr, "%s\n", !model ? message : in ? "no joints" : "no joints.csv");
        return 77;
    }
    set_free(model);
    mjData *data = mj_makeData(model);
    if (!fgets(line, longest_line, in)) return 2;
    const int count = read_head(model, line, joint);
    int worst = -1, joints = 0;
    double most = 0, time = 0;
    for (long rows = 0; read_row(in, line, count, row); rows++) {
        while (rows > 0 && data->time < row[0] - model->opt.timestep / 2) mj_step(model, data);
        joints = 0;
        for (int k = 1; k < count; k++) {
            if (joint[k] < 0) continue;
            double *q = &data->qpos[model->jnt_qposadr[joint[k]]];
            joints++;
            if (rows == 0) *q = row[k]; /* a run starts within the ranges */
            if (fabs(*q - row[k]) <= most) continue;
            most = fabs(*q - row[k]);
            worst = joint[k];
            time = row[0];
        }
    }
    printf("%3d joints, at most %.2g%s%s", joints, most, worst < 0 ? "" : ", ",
           worst < 0 ? "" : mj_id2name(model, mjOBJ_JOINT, worst));
    if (worst >= 0) printf(" at %g s", time);
    puts("");
    (void)fclose(in);
    mj_deleteData(data);
    mj_deleteModel(model);
    return most <= 1e-6 ? 0 : 1;
}
