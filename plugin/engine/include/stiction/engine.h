/* SPDX-License-Identifier: MIT
 * A robot or a project, simulated: what `stiction run` does, as a library (libstiction_engine).
 *
 *     stiction_engine_def def = stiction_engine_def_default();
 *     def.configuration = "arm.yaml";
 *     def.fixed_base = true;
 *     stiction_engine_create("arm.urdf", &def, &engine, &error);
 *     while (stiction_engine_time(engine) < 6) {
 *         my_torques(stiction_engine_q(engine), stiction_engine_dq(engine), torque);
 *         stiction_engine_step(engine, torque, &error);
 *     }
 *     stiction_engine_write(engine, "results", &error);
 *
 * An engine is used from one thread at a time; different threads may use different engines. Arrays
 * that the engine gives stay where they are until it is destroyed, and hold the state of the last
 * step. Joints are those of all bodies, in the order
 * of the bodies; units are SI, quaternions have w first, frames are the world's.
 */
#ifndef STICTION_ENGINE_H
#define STICTION_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stiction/controller.h"
#include "stiction/quantities.h"

STICTION_BEGIN_C

typedef struct stiction_engine stiction_engine;

/* How to create an engine. Start from stiction_engine_def_default(). Texts are copied. */
typedef struct stiction_engine_def {
    size_t size;               /* set by the default */
    const char *configuration; /* friction (YAML); NULL: the project's, and none for a robot */
    const char *simulator;     /* item of a project; NULL: the first */
    double timestep;           /* s; NaN: the project's, 0.001 for a robot */
    double duration; /* s, the default of stiction_engine_run; NaN: the project's, 10 for a
                        robot */
    bool floor;      /* add a floor at z = 0 to a robot */
    bool fixed_base; /* of a robot: its base does not move; else as its file says */
    bool untrusted;  /* refuse controllers of the project and files outside its folder, as
                        --untrusted of `stiction run`: see docs/files.md */
    const char *const *controllers; /* "LIB.so:options", "posture:kp=20", "unix:PATH", "FILE.py":
                                       instead of the project's, one for each body with joints or
                                       one for all of them; "none": no controller */
    size_t controller_count;        /* 0: the project's, and none for a robot */
    const char *const *settings;    /* "KEY=VALUE" as --set of `stiction run` */
    size_t setting_count;
    const char *targets; /* "JOINT:DEGREES,..." or a CSV file, for the controllers; NULL: none */
    double interval;     /* s between rows of joints.csv; 0: every step; NaN: no rows, for long
                            training */
    stiction_log log;    /* warnings; NULL: none */
    void *log_user;
} stiction_engine_def;

STICTION_API stiction_engine_def stiction_engine_def_default(void);

/* Creates an engine from a .cnoid, .urdf, .xml (MJCF) or .body file. On failure *engine is NULL. */
STICTION_API stiction_status stiction_engine_create(const char *path,
                                                    const stiction_engine_def *def,
                                                    stiction_engine **engine,
                                                    stiction_error *error);
STICTION_API void stiction_engine_destroy(stiction_engine *engine);

/* Returns to the start with an empty record and resets controllers. */
STICTION_API stiction_status stiction_engine_reset(stiction_engine *engine, stiction_error *error);

/* ---- stepping ---- */

/*
 * One step. `torque` has one entry per joint, N m, and replaces the commands of the controllers;
 * NULL: use these (0 without a controller). On failure (a torque that is not finite, a failed
 * controller, a diverged simulation) the state is the one before the step, or the simulation cannot
 * continue until it is reset; the record is kept.
 */
STICTION_API stiction_status stiction_engine_step(stiction_engine *engine, const double *torque,
                                                  stiction_error *error);
/* Steps with the controllers until this time, s; NaN: until the duration. */
STICTION_API stiction_status stiction_engine_run(stiction_engine *engine, double until,
                                                 stiction_error *error);
STICTION_API double stiction_engine_time(const stiction_engine *engine);
STICTION_API double stiction_engine_timestep(const stiction_engine *engine);
STICTION_API double stiction_engine_duration(const stiction_engine *engine);
/* m/s^2. */
STICTION_API void stiction_engine_gravity(const stiction_engine *engine, double gravity[3]);
/* Whether all controllers have finished. */
STICTION_API bool stiction_engine_finished(const stiction_engine *engine);

/* ---- state: arrays have one entry per joint ---- */

STICTION_API size_t stiction_engine_joint_count(const stiction_engine *engine);
/* "JOINT", or "BODY.JOINT" where several bodies have joints; NULL past the end. */
STICTION_API const char *stiction_engine_joint_name(const stiction_engine *engine, size_t joint);
STICTION_API bool stiction_engine_joint_at(const stiction_engine *engine, size_t joint,
                                           stiction_controller_joint *info);
STICTION_API const double *stiction_engine_q(const stiction_engine *engine);
STICTION_API const double *stiction_engine_dq(const stiction_engine *engine);
/* Commanded torques of the last step, N m. */
STICTION_API const double *stiction_engine_command(const stiction_engine *engine);

/* Friction in the last step: one array for each of STICTION_JOINT_QUANTITIES
 * (stiction/quantities.h). external_torque is NaN in a body whose friction does not read it
 * (docs/drives.md, "The external torque"); STICTION_JOINT_LEVELS are NaN in a body where none of
 * them changes. */
typedef struct stiction_engine_friction {
    size_t size; /* set by stiction_engine_friction_default() */
    STICTION_JOINT_QUANTITIES(STICTION_QUANTITY_CONST_ARRAY)
} stiction_engine_friction;

STICTION_API stiction_engine_friction stiction_engine_friction_default(void);
STICTION_API void stiction_engine_look(const stiction_engine *engine,
                                       stiction_engine_friction *friction);

/* ---- bodies, by number, as in stiction/controller.h ---- */

STICTION_API size_t stiction_engine_body_count(const stiction_engine *engine);
typedef struct stiction_engine_body {
    size_t size; /* set by stiction_engine_body_default() */
    const char *name;
    size_t first_joint, joint_count; /* among those of the engine */
    size_t dof;                      /* joint_count, plus 6 before them for a floating base */
    bool floating;
    size_t link_count;
} stiction_engine_body;

STICTION_API stiction_engine_body stiction_engine_body_default(void);
/* False: no such body. */
STICTION_API bool stiction_engine_body_at(const stiction_engine *engine, size_t body,
                                          stiction_engine_body *info);
/* NULL: no such link. */
STICTION_API const char *stiction_engine_link_name(const stiction_engine *engine, size_t body,
                                                   size_t link);

/* Pose and velocity of a body's base: position[3], rotation[4], linear[3], angular[3]. */
STICTION_API stiction_status stiction_engine_base(const stiction_engine *engine, size_t body,
                                                  double base[13], stiction_error *error);
/* dof x dof, kg m^2, rotors included. */
STICTION_API stiction_status stiction_engine_mass_matrix(const stiction_engine *engine, size_t body,
                                                         double *mass_matrix,
                                                         stiction_error *error);
/* dof, N m: the force for zero acceleration. */
STICTION_API stiction_status stiction_engine_bias(const stiction_engine *engine, size_t body,
                                                  double *bias, stiction_error *error);
/* 6 x dof: linear velocity of the origin of a link's frame, then angular. */
STICTION_API stiction_status stiction_engine_jacobian(const stiction_engine *engine, size_t body,
                                                      size_t link, double *jacobian,
                                                      stiction_error *error);
/* Pose of a link, and its acceleration while no velocity of the body changes. */
STICTION_API stiction_status stiction_engine_link_state(const stiction_engine *engine, size_t body,
                                                        size_t link,
                                                        stiction_controller_link_state *state,
                                                        stiction_error *error);
/* The links that touched something in the last step. Writes at most link_count entries and their
 * number to *count. */
STICTION_API stiction_status stiction_engine_contacts(const stiction_engine *engine, size_t body,
                                                      stiction_controller_contact *contacts,
                                                      size_t *count, stiction_error *error);

/* ---- changing ---- */

/* Sets positions and velocities of the joints, and resets friction. NULL: unchanged. */
STICTION_API stiction_status stiction_engine_set_joints(stiction_engine *engine, const double *q,
                                                        const double *dq, stiction_error *error);
/* Sets pose and velocity of a floating base, see stiction_engine_base. */
STICTION_API stiction_status stiction_engine_set_base(stiction_engine *engine, size_t body,
                                                      const double base[13], stiction_error *error);
/* Target positions for controllers, one per joint; NaN: no target. */
STICTION_API stiction_status stiction_engine_set_targets(stiction_engine *engine,
                                                         const double *target,
                                                         stiction_error *error);
/* Sets a parameter of a joint's friction ("static_torque") from the next step on. `joint` is a name
 * as of stiction_engine_joint_name or a pattern. On failure nothing changes. */
STICTION_API stiction_status stiction_engine_set_parameter(stiction_engine *engine,
                                                           const char *joint, const char *key,
                                                           double value, stiction_error *error);
/* Draws the random parameters of friction with another seed (docs/configuration.md), from the next
 * step on. An error if nothing is random. */
STICTION_API stiction_status stiction_engine_set_seed(stiction_engine *engine, uint64_t seed,
                                                      stiction_error *error);
/* The seed of what was drawn; false: nothing was. */
STICTION_API bool stiction_engine_seed(const stiction_engine *engine, uint64_t *seed);
/* NaN: no such joint, or its law does not have the parameter. */
STICTION_API double stiction_engine_parameter(const stiction_engine *engine, size_t joint,
                                              const char *key);

/* The whole state with the memory of friction, without controllers and record, in a buffer of
 * stiction_engine_state_size() bytes. Any engine with the same definition can restore it. */
STICTION_API size_t stiction_engine_state_size(const stiction_engine *engine);
STICTION_API stiction_status stiction_engine_save(const stiction_engine *engine, void *buffer,
                                                  size_t size, stiction_error *error);
STICTION_API stiction_status stiction_engine_restore(stiction_engine *engine, const void *buffer,
                                                     size_t size, stiction_error *error);

/* ---- results ---- */

/* Writes summary.json, joints.csv and SHA256SUMS into a new or empty folder: all of them or none.
 * `stiction report FOLDER` then writes report.html. */
STICTION_API stiction_status stiction_engine_write(stiction_engine *engine, const char *folder,
                                                   stiction_error *error);
/* A figure of a joint as in summary.json; NaN: no value. */
STICTION_API double stiction_engine_figure(const stiction_engine *engine, size_t joint,
                                           const char *name);
/* Warning `index` of the results; NULL past the end. */
STICTION_API const char *stiction_engine_warning(const stiction_engine *engine, size_t index);

/* ---- many engines that step together, for training ---- */

typedef struct stiction_vector stiction_vector;

/*
 * Creates `environments` engines of one definition. Their steps are shared by `threads` threads, of
 * which the caller's is one. If parameters are random, environment k has the seed of the
 * configuration plus k. Each moves exactly, to the bit, as a single engine with this seed. Only
 * messages of the first one are logged. Set def->interval to NaN unless every environment is to be
 * recorded. Functions of different controllers may be called in different threads at the same time.
 */
STICTION_API stiction_status stiction_vector_create(const char *path,
                                                    const stiction_engine_def *def,
                                                    size_t environments, size_t threads,
                                                    stiction_vector **vector,
                                                    stiction_error *error);
STICTION_API void stiction_vector_destroy(stiction_vector *vector);

/* One environment, to read, change or reset it alone; its arrays are rows of the vector's. Do
 * not destroy it. NULL past the end. */
STICTION_API stiction_engine *stiction_vector_engine(stiction_vector *vector, size_t environment);

/* The state of all environments after the last call: arrays with one entry per joint,
 * environment after environment, also one for each of STICTION_JOINT_QUANTITIES (see
 * stiction_engine_friction). */
typedef struct stiction_vector_arrays {
    size_t size;           /* set by stiction_vector_arrays_default() */
    const double *time;    /* s, an entry per environment */
    const bool *failed;    /* the environment cannot continue until it is reset */
    const double *q, *dq;  /* rad, rad/s */
    const double *command; /* N m */
    const double *base;    /* 13 per environment and body, see stiction_engine_base */
    STICTION_JOINT_QUANTITIES(STICTION_QUANTITY_CONST_ARRAY)
} stiction_vector_arrays;

STICTION_API stiction_vector_arrays stiction_vector_arrays_default(void);
STICTION_API void stiction_vector_look(const stiction_vector *vector,
                                       stiction_vector_arrays *arrays);

/*
 * `steps` steps of all environments. `torque` has one entry per environment and joint, N m, which
 * acts in all these steps; NULL: the controllers' torques. A torque that is not finite is an error
 * before any step. If an environment fails, the others are stepped nevertheless; the error is that
 * of the first one that failed. A failed environment is not stepped until it is reset.
 */
STICTION_API stiction_status stiction_vector_step(stiction_vector *vector, const double *torque,
                                                  size_t steps, stiction_error *error);
/* Resets all environments; seeds and parameters stay. */
STICTION_API stiction_status stiction_vector_reset(stiction_vector *vector, stiction_error *error);

/* "2.2.2": the version of MuJoCo inside. */
STICTION_API const char *stiction_engine_version(void);

STICTION_END_C

#endif
