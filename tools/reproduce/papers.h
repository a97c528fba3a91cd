/* SPDX-License-Identifier: MIT
 * The papers whose experiments are reproduced. An experiment S.fig12 is of the paper S; the pages,
 * the tables and docs/papers.md explain the letters from here.
 */
#ifndef STICTION_TOOLS_REPRODUCE_PAPERS_H
#define STICTION_TOOLS_REPRODUCE_PAPERS_H

#include <stddef.h>

#include "experiment.h"

typedef struct paper {
    const char *letter;  /* "S", before the dot of an experiment's id */
    const char *name;    /* "Cisneros et al." */
    const char *authors; /* all of them */
    const char *title;
    const char *published; /* where and when; NULL: the text that we have does not say */
} paper;

/* A letter of NULL ends the list. */
extern const paper papers[];

/* The paper of an experiment. */
const paper *paper_of(const experiment *e);

/* "AUTHORS: TITLE. PUBLISHED.": the caller frees it. */
char *paper_reference(const paper *p);

#endif
