/* SPDX-License-Identifier: MIT
 * The frames of a video as one file, by ffmpeg.
 */
#ifndef STICTION_TOOLS_RUN_VIDEO_FILE_H
#define STICTION_TOOLS_RUN_VIDEO_FILE_H

#include <stdbool.h>

#include "stiction/error.h"

/* Formats of --video-format: "mp4 or gif", files by ffmpeg; "png", the frames. */
#define VIDEO_FORMATS "mp4, gif or png"

/* The format with this name; NULL: mp4 if ffmpeg is installed, else png. NULL: unknown. */
const char *video_format_find(const char *name);

/* Makes video.mp4 or video.gif in a folder from the frames in its folder video, which it removes.
 * Nothing for "png". */
bool video_file_make(const char *folder, const char *format, double fps, stiction_error *error);

#endif
