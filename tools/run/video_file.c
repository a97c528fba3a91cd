/* SPDX-License-Identifier: MIT
 * The frames of a video as one file: ffmpeg runs in the folder, so that no path is a pattern.
 */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "video_file.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "storage/folders.h"

/* Even sides, as H.264 needs; a palette of the frames' own colours. */
static const struct {
    const char *name, *filter, *pixels;
} formats[] = {
    {"mp4", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "yuv420p"},
    {"gif", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none", "pal8"},
    {"png", NULL, NULL},
};
enum { format_count = sizeof formats / sizeof formats[0] };

/* Runs a program; 0, or an error number. */
static int run_program(char *const *argv, const char *folder, int *status) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    if (folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
    const int failure = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) return failure;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

static bool has_ffmpeg(void) {
    static char *const argv[] = {(char *)"ffmpeg", (char *)"-nostdin", (char *)"-version", NULL};
    int status = 0;
    return run_program(argv, NULL, &status) == 0 && status == 0;
}

const char *video_format_find(const char *name) {
    if (!name) return has_ffmpeg() ? "mp4" : "png";
    for (size_t k = 0; k < format_count; k++)
        if (strcmp(name, formats[k].name) == 0) return formats[k].name;
    return NULL;
}

bool video_file_make(const char *folder, const char *format, double fps, stiction_error *error) {
    size_t k = 0;
    while (strcmp(format, formats[k].name) != 0) k++;
    if (!formats[k].filter) return true;
    AUTO_FREE char *rate = format_text("%.9g", fps), *file = format_text("video.%s", format);
    AUTO_FREE char *frames = format_text("%s/video", folder);
    const char *const argv[] = {"ffmpeg",
                                "-nostdin",
                                "-v",
                                "error",
                                "-y",
                                "-framerate",
                                rate,
                                "-i",
                                "video/frame_%05d.png",
                                "-vf",
                                formats[k].filter,
                                "-pix_fmt",
                                formats[k].pixels,
                                file,
                                NULL};
    char *arguments[sizeof argv / sizeof argv[0]];
    int status = 0;
    memcpy(arguments, argv, sizeof argv);
    const int failure = run_program(arguments, folder, &status);
    if (failure == ENOENT)
        return fail(error,
                    "--video-format %s needs ffmpeg: install the Debian package ffmpeg, or "
                    "take png",
                    format);
    if (failure || status)
        return fail(error, "ffmpeg could not make %s/%s; its frames are kept", folder, file);
    storage_remove_folder(frames);
    return true;
}
