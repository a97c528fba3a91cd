/* SPDX-License-Identifier: MIT
 * Friction that others have written down, as a configuration: parameters of Rhoban's BAM, the LuGre
 * attributes of MuJoCo's dcmotor. Notes report what cannot be taken over and what had to be chosen.
 */
#ifndef STICTION_TOOLS_IMPORT_IMPORT_H
#define STICTION_TOOLS_IMPORT_IMPORT_H

#include "common/options.h"
#include "document/reader.h"

/* What the user asked for. NaN or NULL: not given. */
typedef struct import_options {
    text_list joints;          /* names of joints, in place of what the file says */
    double load_limit;         /* N m */
    double stiffness, damping; /* of the bristle, N m/rad and N m s/rad */
    double timestep;           /* s */
} import_options;

/* One key of a joint as it is going to be written. */
typedef struct import_parameter {
    const char *key;
    double value;
    const char *unit;
    const char *origin; /* where it comes from */
} import_parameter;

enum { IMPORT_MOST_PARAMETERS = 16 };

typedef struct import_joint {
    const char *name;
    const char *law;
    bool slides; /* N and m in place of N m and rad */
    import_parameter parameters[IMPORT_MOST_PARAMETERS];
    size_t parameter_count;
} import_joint;

typedef struct import_lines {
    const char **items;
    size_t count;
} import_lines;

/* All of it is the reader's memory. */
typedef struct import_result {
    reader *r;
    const char *path;
    const char *what; /* "BAM's model m5 of mx106" */
    double timestep;  /* s */
    const char *timestep_origin;
    import_joint *joints;
    size_t joint_count;
    import_lines remarks; /* comments at the head: what the numbers mean */
    import_lines notes;   /* the same, and on stderr: what was not taken over, or was chosen */
    const char *text;     /* the configuration */
} import_result;

/* X(name, ending of its files): a new format is a row here and the file import_NAME.c with a
 * function import_NAME, which fills a result of zeros but for `r`, `path` and `timestep`, or
 * refuses.
 */
#define IMPORT_FORMATS(X) X(bam, ".json") X(mujoco, ".xml")
typedef void import_format(import_result *result, const import_options *options);
#define IMPORT_DECLARED(name, ending) import_format import_##name;
IMPORT_FORMATS(IMPORT_DECLARED)

/* ---- what the formats share ---- */

import_joint *import_add_joint(import_result *result, const char *name, const char *law);
__attribute__((format(printf, 5, 6))) void import_add(import_result *result, import_joint *joint,
                                                      const char *key, double value,
                                                      const char *origin, ...);
/* NaN: the joint has not got it. */
double import_value(const import_joint *joint, const char *key);
__attribute__((format(printf, 2, 3))) void import_remark(import_result *result, const char *format,
                                                         ...);
__attribute__((format(printf, 2, 3))) void import_note(import_result *result, const char *format,
                                                       ...);

/* A torque as coulomb_torque: one of 0, which no law takes, is the least there is, and a note says
 * so. */
double import_coulomb(import_result *result, const char *what, double torque);

/* The friction of one actuator, which names no joint, for the joints that the user names, or for
 * every joint: copies the first joint of the result. */
void import_name_joints(import_result *result, const import_options *options, const char *of);

/* The largest -dPhi/dv of a joint, with all the load that counts: what K T + B must exceed. */
double import_descent(const import_joint *joint);

/* Stiffness and damping where the source has none: the options', or a choice that is legal at any
 * time step. The second where only the stiffness is there. */
void import_bristle(import_result *result, import_joint *joint, const import_options *options);
void import_damping(import_result *result, import_joint *joint, const import_options *options);

/* ---- the whole ---- */

typedef struct import_kind {
    const char *name, *ending;
    import_format *read;
} import_kind;

#define IMPORT_COUNTED(name, ending) +1
enum { IMPORT_KIND_COUNT = IMPORT_FORMATS(IMPORT_COUNTED) };
extern const import_kind import_kinds[IMPORT_KIND_COUNT];

/* With its text; NULL: see the error. Its memory is the reader's, to be freed with its arena.
 */
import_result *import_read(reader *r, const char *path, const import_kind *kind,
                           const import_options *options);

/* The same inside a reading of the caller's. */
import_result *import_within(reader *r, const char *path, const import_kind *kind,
                             const import_options *options);

/* The text, inside a reading. */
void import_write(FILE *out, const import_result *result);

#endif
