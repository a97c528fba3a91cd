/* SPDX-License-Identifier: MIT
 * Frames of a simulation: when they come, that they show its pose, and that it does not notice.
 * Skipped where no OpenGL context can be made.
 */
#include <png.h>
#include <unistd.h>

#include "check.h"
#include "document/auto.h"
#include "mujoco/video.h"
#include "temporary.h"

OWNS(mjData, mj_deleteData)
OWNS(mjModel, mj_deleteModel)
OWNS(video, video_close)

enum { width = 160, height = 120, pixel_bytes = 3 };

typedef struct picture {
    unsigned char bytes[width * height * pixel_bytes];
} picture;

/* A red box that slides by 1 m/s and turns, which rounds in every step. */
static const char sliding_box[] =
    "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"
    "<body pos='0 0 0.2'><joint name='x' type='slide' axis='1 0 0' damping='0.1'/>"
    "<joint name='turn' axis='0.3 0.5 1' damping='0.01'/>"
    "<geom type='box' size='0.2 0.15 0.1' rgba='0.9 0.1 0.1 1'/></body></worldbody></mujoco>";

/* One link of which only the mass is known, as from a file without shapes. */
static const char shapeless_link[] =
    "<mujoco><worldbody><body pos='0 0 0.5'><joint axis='0 1 0'/>"
    "<inertial pos='0.2 0 0' mass='2' diaginertia='0.01 0.05 0.05'/></body></worldbody></mujoco>";

static mjModel *load(const char *text) {
    char error[500] = "";
    mjModel *model = mj_loadXML(temporary_file("model.xml", text), NULL, error, sizeof error);
    if (!model) {
        FAIL("%s", error);
        exit(EXIT_FAILURE);
    }
    return model;
}

static mjData *start(const mjModel *model) {
    mjData *data = mj_makeData(model);
    for (int k = 0; k < model->nv; k++) data->qvel[k] = 1 + 0.5 * k;
    return data;
}

/* Opens a video in the temporary folder, where this machine can. */
static video *open_video(mjModel *model, double fps) {
    stiction_error error;
    video *v = video_open(model, temporary_folder, fps, width, height, &error);
    if (v) return v;
    if (strstr(error.message, "no OpenGL context") || strstr(error.message, "has no video")) {
        printf("skipped: %s\n", error.message);
        exit(77);
    }
    FAIL("%s", error.message);
    exit(EXIT_FAILURE);
}

static void frame(video *v, const mjData *data, double time) {
    stiction_error error;
    if (!video_frame(v, data, time, &error)) FAIL("%s", error.message);
}

/* Where frame k goes; it is removed with the test. */
static const char *frame_path(int k) {
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/frame_%05d.png", temporary_folder, k);
    return path;
}

static void expect_frames(int count) {
    (void)remove(frame_path(count)); /* of a case before */
    for (int k = 0; k < count; k++) {
        char name[32];
        (void)snprintf(name, sizeof name, "frame_%05d.png", k);
        (void)temporary_file(name, "");
    }
}

static picture *read_frame(int k) {
    picture *p = calloc(1, sizeof *p);
    png_image image = {.version = PNG_IMAGE_VERSION};
    CHECK(png_image_begin_read_from_file(&image, frame_path(k)));
    CHECK(image.width == width && image.height == height && image.format == PNG_FORMAT_RGB);
    if (image.width == width && image.height == height) {
        image.format = PNG_FORMAT_RGB;
        CHECK(png_image_finish_read(&image, NULL, p->bytes, 0, NULL));
    }
    png_image_free(&image);
    return p;
}

static bool same(const picture *a, const picture *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

static bool is_red(const unsigned char *pixel) {
    return pixel[0] > 2 * pixel[1] && pixel[0] > 2 * pixel[2];
}

typedef struct blob {
    int count;
    double column, row; /* its middle, from above and the left */
} blob;

static blob find_red(const picture *p) {
    blob red = {0, 0, 0};
    for (int k = 0; k < width * height; k++)
        if (is_red(p->bytes + pixel_bytes * k)) {
            red.count++;
            red.column += k % width;
            red.row += k / width;
        }
    red.column /= red.count;
    red.row /= red.count;
    return red;
}

TEST(frames_are_written_when_they_are_due) {
    OWNED(mjModel) *model = load(sliding_box);
    OWNED(mjData) *data = start(model);
    OWNED(video) *v = open_video(model, 10);
    expect_frames(6);
    frame(v, data, 0);
    for (int step = 0; step <= 50; step++) {
        CHECK(video_frame_count(v) == (size_t)(step / 10 + 1));
        CHECK_SAME(video_next_time(v), (step / 10 + 1) / 10.0);
        mj_step(model, data);
        if (step < 50) frame(v, data, data->time);
    }
    for (int k = 0; k < 6; k++) free(read_frame(k));
    CHECK(access(frame_path(6), F_OK) != 0);
}

TEST(frames_that_are_due_together_are_all_written) {
    OWNED(mjModel) *model = load(sliding_box);
    OWNED(mjData) *data = start(model);
    OWNED(video) *v = open_video(model, 200);
    expect_frames(3);
    frame(v, data, 0.01);
    CHECK(video_frame_count(v) == 3);
    for (int k = 0; k < 3; k++) free(read_frame(k));
}

TEST(a_frame_shows_the_model_in_its_middle_and_the_right_way_up) {
    OWNED(mjModel) *model = load(sliding_box);
    OWNED(mjData) *data = mj_makeData(model);
    OWNED(video) *v = open_video(model, 1);
    expect_frames(3);
    frame(v, data, 0);
    data->qpos[0] = 0.1;
    frame(v, data, 1);
    data->qpos[0] = 0;
    model->body_pos[5] += 0.1;
    frame(v, data, 2);
    picture *first = read_frame(0), *second = read_frame(1), *third = read_frame(2);
    const blob at = find_red(first), moved = find_red(second), lifted = find_red(third);
    /* a tenth of the picture at least, with nothing cut off */
    CHECK(at.count > width * height / 10 && at.count < width * height / 2);
    CHECK_NEAR(at.column, 0.5 * width, 0.05 * width);
    CHECK_NEAR(at.row, 0.5 * height, 0.05 * height);
    CHECK(!same(first, second) && fabs(moved.column - at.column) > 0.03 * width);
    CHECK(lifted.row < at.row - 0.05 * height);
    free(first);
    free(second);
    free(third);
}

/* MuJoCo's own positions of bodies are those of the step before. */
TEST(a_frame_shows_the_positions_of_its_time) {
    OWNED(mjModel) *model = load(sliding_box);
    mjData *data = start(model), *placed = mj_makeData(model);
    OWNED(video) *v = open_video(model, 1);
    expect_frames(2);
    for (int step = 0; step < 20; step++) mj_step(model, data);
    frame(v, data, 0);
    for (int k = 0; k < model->nq; k++) placed->qpos[k] = data->qpos[k];
    frame(v, placed, 1);
    picture *after_steps = read_frame(0), *of_positions = read_frame(1);
    CHECK(same(after_steps, of_positions));
    free(after_steps);
    free(of_positions);
    mj_deleteData(placed);
    mj_deleteData(data);
}

TEST(a_robot_without_shapes_is_drawn_by_its_masses) {
    OWNED(mjModel) *model = load(shapeless_link);
    OWNED(mjData) *data = mj_makeData(model);
    OWNED(video) *v = open_video(model, 1);
    expect_frames(2);
    frame(v, data, 0);
    data->qpos[0] = 0.5;
    frame(v, data, 1);
    picture *first = read_frame(0), *second = read_frame(1);
    CHECK(!same(first, second));
    free(first);
    free(second);
}

/* A renderer that left subnormal numbers off would change what is simulated after it. */
TEST(a_simulation_with_video_has_the_same_bits) {
    OWNED(mjModel) *model = load(sliding_box);
    const mjVisual before = model->vis;
    mjData *plain = start(model), *filmed = start(model);
    for (int step = 0; step < 100; step++) mj_step(model, plain);
    OWNED(video) *v = open_video(model, 50);
    expect_frames(51);
    for (int step = 0; step < 100; step++) {
        frame(v, filmed, filmed->time);
        mj_step(model, filmed);
    }
    frame(v, filmed, filmed->time);
    CHECK(video_frame_count(v) == 51);
    for (int k = 0; k < model->nq; k++) CHECK_SAME(filmed->qpos[k], plain->qpos[k]);
    for (int k = 0; k < model->nv; k++) CHECK_SAME(filmed->qvel[k], plain->qvel[k]);
    volatile double tiny = 1e-310;
    CHECK(tiny / 2 > 0);
    CHECK(memcmp(&before, &model->vis, sizeof before) == 0);
    mj_deleteData(plain);
    mj_deleteData(filmed);
}

TEST(a_large_video_needs_nothing_of_the_model) {
    OWNED(mjModel) *model = load(sliding_box);
    OWNED(mjData) *data = start(model);
    video_close(open_video(model, 1)); /* skips */
    stiction_error error;
    expect_frames(1);
    OWNED(video) *v = video_open(model, temporary_folder, 1, 1280, 1024, &error);
    CHECK(v && video_frame(v, data, 0, &error));
    png_image image = {.version = PNG_IMAGE_VERSION};
    CHECK(png_image_begin_read_from_file(&image, frame_path(0)));
    CHECK(image.width == 1280 && image.height == 1024);
    png_image_free(&image);
}

TEST(a_folder_that_cannot_be_written_is_told) {
    OWNED(mjModel) *model = load(sliding_box);
    OWNED(mjData) *data = start(model);
    video_close(open_video(model, 1)); /* skips */
    stiction_error error;
    OWNED(video) *v = video_open(model, "no/such/folder", 1, width, height, &error);
    CHECK(v && !video_frame(v, data, 0, &error));
    const char *expected = "cannot write no/such/folder/frame_00000.png: No such file or directory";
    if (strcmp(error.message, expected) != 0) FAIL("said: %s", error.message);
    CHECK(v && video_frame_count(v) == 0);
}

static void check_refusal(mjModel *model, double fps, int columns, int rows, const char *expected) {
    stiction_error error = {0};
    OWNED(video) *v = video_open(model, temporary_folder, fps, columns, rows, &error);
    if (v || strcmp(error.message, expected) != 0) FAIL("said: %s", error.message);
    CHECK(error.status == STICTION_INVALID_ARGUMENT);
}

TEST(rates_and_sizes_that_make_no_video_are_refused) {
    OWNED(mjModel) *model = load(sliding_box);
    video_close(open_video(model, 1)); /* skips */
    check_refusal(model, 0, 640, 480, "0 frames a second: must be above 0");
    check_refusal(model, -1, 640, 480, "-1 frames a second: must be above 0");
    check_refusal(model, (double)INFINITY, 640, 480, "inf frames a second: must be above 0");
    check_refusal(model, 25, 0, 480, "a video of 0 x 480 pixels: must be 16 to 8192");
    check_refusal(model, 25, 640, 8193, "a video of 640 x 8193 pixels: must be 16 to 8192");
}
