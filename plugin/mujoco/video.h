/* SPDX-License-Identifier: MIT
 * A simulation as pictures: PNG frames that MuJoCo draws offscreen, at a steady rate of simulated
 * time. Needs EGL and libpng; in a build without them, opening a video is an error.
 */
#ifndef STICTION_MUJOCO_VIDEO_H
#define STICTION_MUJOCO_VIDEO_H

#include <stdbool.h>
#include <stddef.h>

#include "mujoco_compile/mujoco_versions.h"
#include "stiction/error.h"

STICTION_BEGIN_C

enum { VIDEO_LEAST_SIZE = 16, VIDEO_MOST_SIZE = 8192 }; /* pixels, of either side */

typedef struct video video;

/*
 * Frames go into `folder`, which exists, as frame_00000.png and so on, `fps` of them a second of
 * simulated time, the first at 0 s. NULL: see *error, which may be NULL. The model, which the video
 * uses until it is closed, is as before afterwards. One thread opens, draws and closes.
 */
video *video_open(mjModel *model, const char *folder, double fps, int width, int height,
                  stiction_error *error);

/*
 * Draws the frames that are due at `time` s and not drawn yet, all with the pose in `data`, of
 * which only positions are read. False: see *error.
 */
bool video_frame(video *v, const mjData *data, double time, stiction_error *error);

/* When the next frame is due, s. */
double video_next_time(const video *v);

/* How many frames were written. */
size_t video_frame_count(const video *v);

/* NULL is fine. */
void video_close(video *v);

STICTION_END_C

#endif
