/* SPDX-License-Identifier: MIT
 * One joint from its files to its result.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "robot_torque.h"
#include "smooth_motion.h"

struct fit {
    fit_problem problem;
    fit_result result;
    fit_warnings warnings;
    fit_simulator *simulator;
};

/* Gravity and coupling need the positions of all joints. */
static void warn_of_others(fit *f, const fit_log *log, const char *const *names) {
    size_t absent = 0;
    const char *first = NULL;
    for (size_t k = 0; k < log->other_count; k++)
        if (!log->others[2 * k] && absent++ == 0) first = names[k];
    if (absent)
        fit_warn(&f->warnings,
                 "%s: no position of %zu of the robot's joints ('%s' first): they are taken to "
                 "stand still where the robot's file has them",
                 log->path, absent, first);
}

/* What the controller commands, where the log does not have it. */
static void add_torque(const fit_problem *p, fit_log *log) {
    const double *t = log->column[LOG_TIME], *q = log->column[LOG_POSITION];
    double *motion[3];
    for (size_t k = 0; k < 3; k++) motion[k] = allocate(log->count, sizeof(double));
    fit_smooth_along(t, log->count, q, log->column[LOG_VELOCITY], 3 * log->step, motion);
    double *torque = allocate(log->count, sizeof *torque);
    for (size_t i = 0; i < log->count; i++)
        torque[i] = p->kp * (log->column[LOG_TARGET][i] - q[i]) - p->kd * motion[1][i];
    log->column[LOG_TORQUE] = torque;
    for (size_t k = 0; k < 3; k++) free(motion[k]);
}

static bool read_logs(fit *f, const fit_request *request, stiction_error *error) {
    fit_problem *p = &f->problem;
    const size_t held = request->held_out ? request->held_out->count : 0;
    p->logs = allocate(request->logs->count + held, sizeof *p->logs);
    const double scale = isnan(request->torque_constant) ? 1 : request->torque_constant;
    fit_reading what = {.joint = request->joint,
                        .columns = request->columns,
                        .torque_scale = scale,
                        .needs_torque = !p->controlled,
                        .needs_target = p->controlled};
    if (p->robot) what.other_count = fit_robot_others(p->robot, &what.others);
    for (size_t k = 0; k < request->logs->count + held; k++) {
        const bool is_held = k >= request->logs->count;
        const char *path =
            is_held ? request->held_out->items[k - request->logs->count] : request->logs->items[k];
        fit_log *log = &p->logs[p->count++];
        if (!fit_log_read(log, path, &what, &f->warnings, error)) return false;
        log->held_out = is_held;
        if (p->simulates && !log->column[LOG_POSITION])
            return fail(error, "fit: %s: --simulate compares positions, and it has none", path);
        if (!log->column[LOG_TORQUE]) add_torque(p, log);
        if (k == 0 && p->robot) warn_of_others(f, log, what.others);
        for (size_t c = 0; c < LOG_KIND_COUNT; c++)
            if (!log->column[c] != !p->logs[0].column[c])
                return fail(error, "fit: %s and %s do not have the same columns", p->logs[0].path,
                            path);
    }
    if (p->count + 3 > FIT_NUISANCES)
        return fail(error, "fit: more than %d files of one joint", FIT_NUISANCES - 3);
    return true;
}

static void fill(fit *f) {
    fit_problem *p = &f->problem;
    p->motions = allocate(p->count, sizeof *p->motions);
    p->first = allocate(p->count, sizeof *p->first);
    for (size_t k = 0; k < p->count; k++) p->first[k] = p->samples, p->samples += p->logs[k].count;
    p->torque = allocate(p->samples, sizeof(double));
    p->measured = allocate(p->samples, sizeof(double));
    p->weight = allocate(p->samples, sizeof(double));
    p->train = allocate(p->samples, sizeof(double));
    p->rests = allocate(p->samples, sizeof(bool));
    p->block = allocate(p->samples, sizeof(int));
    p->cluster = allocate(p->samples, sizeof(int));
    if (p->robot) p->known = allocate(p->count, sizeof *p->known);
    for (size_t file = 0; file < p->count; file++) {
        const fit_log *log = &p->logs[file];
        if (p->robot) p->known[file] = allocate(log->count, sizeof(double));
        const double *external = log->column[LOG_EXTERNAL];
        for (size_t i = 0; i < log->count; i++)
            p->measured[p->first[file] + i] =
                log->column[LOG_TORQUE][i] + (external ? external[i] : 0);
    }
}

/* Whether a column is a current rather than a torque, or a force. */
static const char *unit_of(const fit_log *log, double torque_constant) {
    const char *name = log->torque_column;
    if (isnan(torque_constant) && (strstr(name, "current") || strstr(name, "Current") ||
                                   strstr(name, "(A)") || strcmp(name, "i") == 0))
        return "A";
    return strstr(name, "force") || strstr(name, "(N)") ? "N" : "N m";
}

fit *fit_create(const fit_request *request, stiction_error *error) {
    gsl_set_error_handler_off();
    fit *f = allocate(1, sizeof *f);
    fit_problem *p = &f->problem;
    p->joint = request->joint;
    p->gravity = request->options.gravity;
    p->inertia = request->options.inertia;
    p->timestep = request->options.timestep;
    p->simulates = request->options.simulate, p->controlled = request->options.controlled;
    p->kp = request->options.kp, p->kd = request->options.kd;
    bool fine = true;
    if (request->robot) {
        p->robot = fit_robot_create(request->robot, request->joint, error);
        fine = p->robot != NULL;
        /* what the file does not state of the rotor is fitted */
        if (fine && isnan(p->inertia) && fit_robot_has_rotor(p->robot)) p->inertia = 0;
    }
    fine = fine && read_logs(f, request, error);
    if (fine) {
        fill(f);
        p->unit = unit_of(&p->logs[0], request->torque_constant);
        const bool slides = strcmp(p->unit, "N") == 0;
        p->position_unit = slides ? "m" : "rad";
        p->velocity_unit = slides ? "m/s" : "rad/s";
        f->simulator = fit_simulator_create(error);
        fine = fit_choose(f->simulator, p, &request->options, &f->result, &f->warnings, error);
    }
    if (fine) return f;
    fit_destroy(f);
    return NULL;
}

void fit_destroy(fit *f) {
    if (!f) return;
    fit_problem *p = &f->problem;
    for (size_t k = 0; k < p->count; k++) {
        fit_log_free(&p->logs[k]);
        if (p->motions) fit_motion_free(&p->motions[k]);
        if (p->known) free(p->known[k]);
    }
    free((void *)p->known);
    fit_robot_destroy(p->robot);
    free(p->logs), free(p->motions), free(p->first), free(p->torque), free(p->measured),
        free(p->weight);
    free(p->train), free(p->rests), free(p->block), free(p->cluster), free(p->load),
        free(p->nuisance);
    free(f->result.residual), free(f->result.friction), free(f->result.plain_residual);
    for (size_t k = 0; k < f->warnings.count; k++) free(f->warnings.items[k]);
    free(f->warnings.items);
    fit_simulator_destroy(f->simulator);
    free(f);
}

const fit_warnings *fit_warnings_of(const fit *f) {
    return &f->warnings;
}

const fit_result *fit_result_of(const fit *f) {
    return &f->result;
}

const fit_problem *fit_problem_of(const fit *f) {
    return &f->problem;
}

const char *fit_unit(const fit *f) {
    return f->problem.unit;
}

const char *fit_held_unit(const fit *f) {
    return f->result.held_unit ? f->result.held_unit : f->problem.unit;
}
