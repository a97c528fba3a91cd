/* SPDX-License-Identifier: MIT
 * `stiction sweep --plot x=controller.kp,y=controller.kv,z=RWRR.rms_error`: a picture of a sweep.
 */
#ifndef STICTION_TOOLS_SWEEP_PICTURE_H
#define STICTION_TOOLS_SWEEP_PICTURE_H

#include "common/options.h"
#include "stiction/error.h"

typedef enum picture_of { PICTURE_WORST, PICTURE_MEAN, PICTURE_BEST } picture_of;

/* What to draw, from which sweep, into which file. */
typedef struct sweep_picture {
    char *x, *y;           /* names of settings or figures */
    char *z;               /* the colours of a heat map; NULL: y is drawn over x as lines or dots */
    char *by, *wrap;       /* a line and a panel for each value; NULL: none */
    char *where;           /* an SQL condition on runs; NULL: all */
    char *title;           /* NULL: none */
    bool log[3];           /* x, y, z */
    double low, high;      /* of the figure's axis or colours; NaN: those of its values */
    picture_of of;         /* of runs with the same place */
    bool higher_is_better; /* which of them is the best */
    const char *file;      /* ends in .png or .svg */
    const char *folder;    /* of a sweep; NULL: that of the sweep file */
    const char *sweep;     /* SWEEP.yaml; NULL: the folder is given, or is the current one */
} sweep_picture;

/* How many runs are in a picture. */
typedef struct picture_counts {
    size_t runs, failed;    /* drawn, and how many of these failed */
    size_t absent, damaged; /* not drawn */
} picture_counts;

/* Reads the option and the arguments, in any order; `out` is that of --out or NULL. Free it either
 * way. */
bool sweep_picture_read(sweep_picture *p, const char *spec, const text_list *arguments,
                        const char *out, stiction_error *error);
void sweep_picture_free(sweep_picture *p);

/* Whether a folder has a sweep. */
bool sweep_picture_has(const char *folder);
bool sweep_picture_draw(const sweep_picture *p, const char *folder, picture_counts *counts,
                        stiction_log log, stiction_error *error);

#endif
