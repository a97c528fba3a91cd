/* SPDX-License-Identifier: MIT
 * StictionCustomizer: friction for the joints of a Choreonoid body, through the simulator's
 * per-joint torque. Plain C; the simulator finds it by its name and one symbol.
 * The simulator asks for model names without any context, so the configurations are this shared
 * object's only data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body_customizer.h"
#include "configurations.h"
#include "implicit_joints.h"
#include "joint_list.h"
#include "velocities/velocity_check.h"

static body_interface *bodies;
static configurations loaded;

/* What the simulator has of a joint. */
typedef struct joint_source {
    double *position, *velocity, *effort;
    velocity_check check;
} joint_source;

/* Friction of one body. */
typedef struct body_friction {
    body_handle body;
    char model_name[128];
    const stiction_config *config;
    joint_list joints;
    joint_source *sources;
    double *positions, *velocities, *efforts, *friction; /* one block */
    stiction_effort *commanded; /* the simulator keeps efforts from step to step */
    stiction_model *model;      /* made in the first step, when the time step is known */
    stiction_state *state;
    implicit_joints *implicit; /* NULL: coupling is explicit */
    bool failed;               /* reported; no friction */
    bool guessed;              /* reported: velocities come from positions */
} body_friction;

static void log_error(const body_friction *b, const stiction_error *error) {
    char text[1700];
    (void)stiction_error_format(error, text, sizeof text);
    customizer_log("%s: %s; no friction for this body", b->model_name, text);
}

static void report(void *user, stiction_log_level level, const char *message) {
    const body_friction *b = user;
    if (level != STICTION_LOG_INFO) customizer_log("%s: %s", b->model_name, message);
}

static void destroy(customizer_handle handle) {
    body_friction *b = handle;
    if (!b) return;
    implicit_joints_destroy(b->implicit);
    stiction_state_destroy(b->state);
    stiction_model_destroy(b->model);
    joint_list_free(&b->joints);
    free(b->sources);
    free(b->positions);
    stiction_effort_destroy(b->commanded);
    free(b);
}

/* False: no memory. */
static bool connect_joints(body_friction *b) {
    const size_t count = b->joints.count;
    b->sources = calloc(count + 1, sizeof *b->sources);
    b->positions = calloc(4 * count + 1, sizeof *b->positions);
    b->commanded = stiction_effort_create(count);
    if (!b->sources || !b->positions || !b->commanded) return false;
    b->velocities = b->positions + count;
    b->efforts = b->velocities + count;
    b->friction = b->efforts + count;
    for (size_t k = 0; k < count; k++) {
        const int link = b->joints.links[k];
        b->sources[k].position = bodies->joint_position(b->body, link);
        b->sources[k].velocity = bodies->joint_velocity(b->body, link);
        b->sources[k].effort = bodies->joint_effort(b->body, link);
    }
    return true;
}

/* Called when a body is loaded and for every clone of it, one at each start of a simulation. */
static customizer_handle create(body_handle body, const char *model_name) {
    const stiction_config *config = configurations_find(&loaded, model_name);
    if (!config) return NULL;
    body_friction *b = calloc(1, sizeof *b);
    if (b) {
        b->body = body;
        b->config = config;
        (void)snprintf(b->model_name, sizeof b->model_name, "%s", model_name);
    }
    if (!b || !joint_list_find(&b->joints, bodies, body, config) || !connect_joints(b)) {
        customizer_log("%s: out of memory; no friction for this body", model_name);
        destroy(b);
        return NULL;
    }
    return b;
}

/* How friction is coupled, now that the inertias are known. False: reported; no friction. */
static bool couple(body_friction *b, double timestep) {
    char why[300];
    stiction_error error;
    if (!implicit_joints_wanted(b->config, b->model, timestep, why, sizeof why)) {
        if (*why) customizer_log("%s: %s", b->model_name, why);
        return true;
    }
    b->implicit = implicit_joints_create(b->state, &error);
    if (!b->implicit) log_error(b, &error);
    return b->implicit;
}

/* A customizer sees the torque that a joint is commanded, and nothing of what else acts on it.
 * False: reported; no friction. */
static bool loads_are_known(const body_friction *b) {
    if (!(stiction_state_needs(b->state) & STICTION_NEEDS_EXTERNAL_TORQUE)) return true;
    const char *first = "";
    size_t count = 0;
    for (size_t k = b->joints.count; k-- > 0;) {
        stiction_joint_def def = stiction_joint_def_default();
        (void)stiction_state_joint(b->state, k, &def, NULL);
        if (!(def.load_external > 0) && !(def.load_external_static > 0)) continue;
        first = b->joints.names[k];
        count++;
    }
    char more[40] = "";
    if (count > 1) (void)snprintf(more, sizeof more, " (and %zu more)", count - 1);
    customizer_log("%s: joint '%s'%s has load_external or load_external_static, and a customizer "
                   "does not know the external torque: use the StictionItem, or remove these keys"
                   "; no friction for this body",
                   b->model_name, first, more);
    return false;
}

/* The model, now that the time step is known. False: reported; no friction. */
static bool start(body_friction *b, double timestep) {
    stiction_error error;
    stiction_model_def def = stiction_model_def_default();
    def.timestep = timestep > 0 ? timestep : stiction_config_timestep(b->config);
    def.strict = false; /* a customizer cannot see the joints that nothing names */
    def.log = report;
    def.log_user = b;
    if (def.timestep == 0) {
        customizer_log("%s: this simulator does not give its time step; put 'timestep:' into "
                       "the configuration; no friction for this body",
                       b->model_name);
        return false;
    }
    if (stiction_model_create(b->config, (const char *const *)b->joints.names, b->joints.count,
                              &def, &b->model, &error) != STICTION_OK ||
        stiction_state_create(b->model, &b->state, &error) != STICTION_OK) {
        log_error(b, &error);
        return false;
    }
    return loads_are_known(b) && couple(b, def.timestep);
}

/* Once per body. A customizer cannot end the simulation; friction goes on, from positions. */
static void log_velocity_source(body_friction *b, size_t joint) {
    const velocity_source source = b->sources[joint].check.source;
    if (b->guessed || source == VELOCITY_GIVEN) return;
    b->guessed = true;
    customizer_log("%s: for joint '%s' this simulator gives %s: friction takes velocities from "
                   "positions; look for a property of the simulator item that outputs velocities",
                   b->model_name, b->joints.names[joint], velocity_source_fault(source));
}

static void read_joints(body_friction *b, double timestep) {
    for (size_t k = 0; k < b->joints.count; k++) {
        joint_source *s = &b->sources[k];
        b->velocities[k] = velocity_check_step(&s->check, timestep, *s->position, *s->velocity);
        b->positions[k] = *s->position;
        b->efforts[k] = *s->effort;
        log_velocity_source(b, k);
    }
}

/* From the last velocities; where friction depends on more, with what the simulator has of it. */
static stiction_status step_explicit(const body_friction *b, double timestep, const double *command,
                                     stiction_error *error) {
    if (!stiction_state_needs(b->state))
        return stiction_step(b->state, timestep, b->velocities, b->friction, error);
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = timestep;
    input.velocity = b->velocities;
    input.position = b->positions;
    input.effort = command;
    output.torque = b->friction;
    return stiction_step_full(b->state, &input, &output, error);
}

static void step_timed(customizer_handle handle, double timestep) {
    body_friction *b = handle;
    if (b->failed || b->joints.count == 0) return;
    if (!b->state && !start(b, timestep)) {
        b->failed = true;
        return;
    }
    const double T = timestep > 0 ? timestep : stiction_model_timestep(b->model);
    read_joints(b, T);
    const double *command = stiction_effort_command(b->commanded, b->efforts);
    stiction_error error;
    const stiction_status status =
        b->implicit ? implicit_joints_step(b->implicit, T, b->positions, b->velocities, command,
                                           b->friction, &error)
                    : step_explicit(b, T, command, &error);
    if (status != STICTION_OK) {
        log_error(b, &error);
        b->failed = true;
    }
    const double *remaining = stiction_effort_apply(b->commanded, b->friction);
    for (size_t k = 0; k < b->joints.count; k++) *b->sources[k].effort = remaining[k];
}

static void step(customizer_handle handle) {
    step_timed(handle, 0);
}

static const char **target_model_names(void) {
    return configurations_model_names(&loaded);
}

__attribute__((destructor)) static void unload(void) {
    configurations_free(&loaded);
}

body_customizer_interface *getHrpBodyCustomizerInterface(body_interface *simulator) {
    static body_customizer_interface customizer = {.version = body_customizer_version,
                                                   .target_model_names = target_model_names,
                                                   .create = create,
                                                   .destroy = destroy,
                                                   .set_virtual_joint_forces = step,
                                                   .set_virtual_joint_forces_2 = step_timed};
    bodies = simulator;
    configurations_free(&loaded);
    configurations_load(&loaded);
    return &customizer;
}
