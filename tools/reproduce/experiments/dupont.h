/* SPDX-License-Identifier: MIT
 * The block of Dupont et al., Fig 1, on each of the friction models of their Table 1, integrated
 * by semi-implicit Euler. May hold no equation of a model: those are the library's.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_DUPONT_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_DUPONT_H

#include "../experiment.h"
#include "joint_models/element.h"
#include "joint_models/reference/reference.h"

/* Rows of a parameter list, which dupont_read reads: section 1.1.2. */
/* clang-format off */
#define DUPONT_MODEL_PARAMETERS                                                                    \
    {"f_c", 1.0, "N", PRINTED, NULL},                                                              \
    {"f_ba", 1.1, "N", PRINTED, "LuGre and elasto-plastic; the others break away at f_c"},         \
    {"v_s", 0.1, "m/s", PRINTED, NULL},                                                            \
    {"sigma_0", 100, "N/m", PRINTED, NULL},                                                        \
    {"sigma_1", 2, "N s/m", PRINTED, NULL},                                                        \
    {"sigma_2", 0, "N s/m", PRINTED, NULL},                                                        \
    {"z_ba", 0.0095, "m", CHOSEN, "not given; (19) demands less than f_c/sigma_0 = 0.01"}
#define DUPONT_PARAMETERS                                                                          \
    {"m", 1.0, "kg", PRINTED, NULL},                                                               \
    DUPONT_MODEL_PARAMETERS,                                                                       \
    {"v_0", 0.01, "m/s", PRINTED, "of the regularized model (5)"},                                 \
    {"Dp", 0.01, "m/s", PRINTED, "of the Karnopp model"}
/* clang-format on */

/* (2) and the others that every experiment on these models meets. */
#define DUPONT_MISPRINTS                                                                           \
    "(2) begins with zdot: it is f_t = sigma_0 z + sigma_1 zdot + sigma_2 v.",                     \
        "(8) has z in the sine: |z|; and alpha = 0 where v and z differ in sign (18)."

typedef enum dupont_model {
    DUPONT_CLASSIC, /* Coulomb friction, by implicit Euler: element A */
    DUPONT_KARNOPP,
    DUPONT_REGULARIZED,
    DUPONT_LUGRE,
    DUPONT_ELASTO_PLASTIC,
    DUPONT_MODELS
} dupont_model;

extern const char *const dupont_names[DUPONT_MODELS];

typedef struct dupont {
    double mass, timestep;
    double f_c, v_0, band;
    stiction_single_state lugre, elasto_plastic;
    stiction_element classic;
} dupont;

/* (2), (6) to (8) of an experiment with DUPONT_MODEL_PARAMETERS; z_ba 0: the LuGre model. */
stiction_single_state dupont_single_state(const experiment *self, double z_ba);

/* False where a parameter is out of its domain. */
bool dupont_read(const experiment *self, double timestep, dupont *d);

typedef struct dupont_block {
    double position, velocity, deflection; /* the last is 0 in models without a state */
} dupont_block;

/* One step under a force; returns the friction. */
double dupont_step(const dupont *d, dupont_model model, double force, dupont_block *block);

/* The sliding displacement w = x - z (9). */
double dupont_slid(const dupont_block *block);

#endif
