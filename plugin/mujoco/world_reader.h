/* SPDX-License-Identifier: MIT */
/* What the parts that make a world share. */
#ifndef STICTION_MUJOCO_WORLD_READER_H
#define STICTION_MUJOCO_WORLD_READER_H

#include "world.h"

/* A body where it starts: its links with the names, the root and the contacts that they have in
 * the model. */
typedef struct placed_body {
    const project_body *source;
    const char *name; /* that no other body has */
    body_file file;   /* a copy with links of its own */
    body_style style;
    const struct world_tie *ties;
    size_t tie_count;
} placed_body;

/* Two points of two links that stay together: what closes a loop. */
typedef struct world_tie {
    const char *link[2]; /* as they are called in the model */
    double point[2][3];  /* in the links' frames */
} world_tie;

/* The loops that a body's extra_joints close. */
void world_read_ties(reader *r, placed_body *b);

/* Sets the friction of all shapes according to the project's table of materials. */
void world_set_materials(reader *r, const project *p, placed_body *bodies);

/* All bodies, checked for what a world cannot have. */
placed_body *world_place_bodies(reader *r, const project *p, double timestep);

/* Two links whose hulls overlap at the start. */
typedef struct world_overlap {
    const char *links[2]; /* as they are called in the model */
    double depth;         /* m */
    bool inside;          /* of one body: they do not touch */
    const struct world_overlap *next;
} world_overlap;

/* How one model is made of them. */
typedef struct world_plan {
    const project *project;
    const placed_body *bodies;
    size_t body_count;
    double timestep, gravity[3];
    world_integrator integrator;
    const char *const *driven; /* joints of the model, with an actuator each under WORLD_RK4 */
    size_t driven_count;
    int memory_size;               /* of mjData.userdata */
    const world_overlap *overlaps; /* NULL: none */
} world_plan;

/* Equalities of a body's file, after all ties; the first one has number `first`. */
void world_write_equalities(reader *r, FILE *out, const placed_body *b);
void world_set_equalities(const world_plan *plan, mjModel *model, int first);
/* Its tendons likewise. */
void world_write_tendons(reader *r, FILE *out, const placed_body *b);
void world_set_tendons(const world_plan *plan, mjModel *model);
/* Pairs that never touch. */
void world_write_separations(reader *r, FILE *out, const placed_body *b);
/* The plan's overlaps, and further ones that its model has. */
const world_overlap *world_find_overlaps(reader *r, const world_plan *plan, const mjModel *model);
void world_judge_overlaps(reader *r, const world_plan *plan);

mjModel *world_make_model(reader *r, const world_plan *plan);

#endif
