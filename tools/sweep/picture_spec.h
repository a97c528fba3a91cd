/*
 * What `stiction sweep --plot` is asked to draw: x=controller.kp,y=controller.kv,z=RWRR.rms_error.
 */
#ifndef STICTION_TOOLS_SWEEP_PICTURE_SPEC_H
#define STICTION_TOOLS_SWEEP_PICTURE_SPEC_H

#include <stdbool.h>

typedef enum picture_of { PICTURE_WORST, PICTURE_MEAN, PICTURE_BEST } picture_of;

typedef struct picture_spec {
    char *x, *y;     /* of names */
    char *z;         /* of the colours of a heat map; NULL: y is drawn as lines over x */
    char *by, *wrap; /* a line and a panel for each value; NULL: none */
    char *where;     /* a condition on runs; NULL: all */
    char *title;     /* NULL: none */
    bool log_x, log_y, log_z;
    double low, high;      /* of the figure's axis or colours; NaN: those of its values */
    picture_of of;         /* of runs that fall together */
    bool higher_is_better; /* which of them is the best */
} picture_spec;

/* False after a sentence on stderr. Free it either way. */
bool picture_spec_read(picture_spec *s, const char *text);
void picture_spec_free(picture_spec *s);

#endif
