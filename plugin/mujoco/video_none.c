/* SPDX-License-Identifier: MIT
 * Video in a build without EGL or libpng: opening one is an error.
 */
#include "document/fail.h"
#include "video.h"

static void refuse(stiction_error *error) {
    (void)stiction_fail(error, STICTION_INVALID_ARGUMENT,
                        "this build has no video: libegl-dev and libpng-dev were not there");
}

video *video_open(mjModel *model, const char *folder, double fps, int width, int height,
                  stiction_error *error) {
    (void)model, (void)folder, (void)fps, (void)width, (void)height;
    refuse(error);
    return NULL;
}

bool video_frame(video *v, const mjData *data, double time, stiction_error *error) {
    (void)v, (void)data, (void)time;
    refuse(error);
    return false;
}

double video_next_time(const video *v) {
    (void)v;
    return 0;
}

size_t video_frame_count(const video *v) {
    (void)v;
    return 0;
}

void video_close(video *v) {
    (void)v;
}
