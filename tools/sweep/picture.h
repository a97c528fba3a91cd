/*
 * `stiction sweep --plot`: a picture for papers of a sweep that is there.
 */
#ifndef STICTION_TOOLS_SWEEP_PICTURE_H
#define STICTION_TOOLS_SWEEP_PICTURE_H

#include "common/options.h"
#include "sweep/picture_spec.h"

/* Of the command line: what to draw, of what, into which file. */
typedef struct sweep_picture {
    picture_spec spec;
    const char *file;   /* ends in .png or .svg */
    const char *folder; /* of a sweep; NULL: that of the sweep file */
    const char *sweep;  /* SWEEP.yaml; NULL: the folder is given, or is the current one */
} sweep_picture;

/* Reads the option and the arguments, in any order; `out` is that of --out or NULL. False after a
 * sentence on stderr. Free it either way. */
bool sweep_picture_read(sweep_picture *p, const char *spec, const text_list *arguments,
                        const char *out);
void sweep_picture_free(sweep_picture *p);

/* Whether a folder has a sweep. */
bool sweep_picture_has(const char *folder);
/* Draws it, and tells what is in it. False after a sentence on stderr: a run that is damaged is not
 * in it, or there is no picture. */
bool sweep_picture_draw(const sweep_picture *p, const char *folder);

#endif
