/*
 * Whether the friction of a simulation is stable where it starts. Only a warning: `stiction check`
 * looks at all poses and says which parameters would hold.
 */
#include "simulation_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "stability/stability.h"

/* The joints' block of the inverse mass matrix of the whole world. */
static void fill_mobility(const world *w, mjData *data, const world_body *body, double *matrix) {
    const world_joint *joints = w->joints + body->first_joint;
    const size_t n = body->joint_count;
    mjtNum *column = calloc((size_t)w->model->nv, sizeof *column);
    for (size_t j = 0; column && j < n; j++) {
        mju_zero(column, w->model->nv);
        column[joints[j].velocity] = 1;
        mj_solveM(w->model, data, column, column, 1);
        for (size_t i = 0; i < n; i++) matrix[i * n + j] = column[joints[i].velocity];
    }
    free(column);
}

static void warn_of_joint(const simulation_log *log, const world *w, const world_body *body,
                          const stability_joint *judged) {
    for (size_t k = 0; k < body->joint_count; k++) {
        const stability_verdict verdict = judged[k].verdict;
        if (verdict == STABILITY_NONE || verdict == STABILITY_STABLE) continue;
        char message[600];
        (void)snprintf(message, sizeof message,
                       "joint '%.200s': friction %s at this time step and may chatter; "
                       "`stiction check CONFIG --body %.200s` says what would hold",
                       w->joints[body->first_joint + k].label, stability_verdict_clause(verdict),
                       body->source->file->path);
        log->log(log->user, STICTION_LOG_WARNING, message);
        return; /* one joint stands for all */
    }
}

static void judge_body(const simulation_log *log, const world *w, const friction *f, mjData *data,
                       const world_body *body) {
    const size_t n = body->joint_count;
    double *matrix = calloc(n * n + 1, sizeof *matrix);
    stability_spring *springs = calloc(n + 1, sizeof *springs);
    stability_joint *judged = calloc(n + 1, sizeof *judged);
    if (matrix && springs && judged) {
        const robot_mobility mobility = {n, 1, matrix};
        stability_body whole;
        fill_mobility(w, data, body, matrix);
        for (size_t k = 0; k < n; k++)
            springs[k] = stability_spring_of(friction_joint(f, body->first_joint + k));
        if (stability_judge(&mobility, springs, w->model->opt.timestep, judged, &whole, NULL) ==
            STICTION_OK)
            warn_of_joint(log, w, body, judged);
    }
    free(matrix);
    free(springs);
    free(judged);
}

void simulation_warn_unstable(const simulation_log *log, const world *w, const friction *f,
                              mjData *data) {
    if (!log->log || w->model->opt.integrator == mjINT_RK4) return;
    mj_forward(w->model, data);
    for (size_t k = 0; k < w->body_count; k++)
        if (friction_acts_on(f, k) && !friction_is_implicit(f, k)) judge_body(log, w, f, data, &w->bodies[k]);
}
