/* SPDX-License-Identifier: MIT
 * A simulation as pictures: MuJoCo's scene of a pose, seen by a camera that stands still and has
 * the whole model in view. Works on a copy of the pose, so that the simulation cannot notice.
 */
#include "video.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <math.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "mujoco_compile/fence.h"

/* ---- an OpenGL context without a window ---- */

/* EGL's, of Mesa's surfaceless platform, else of a device, else of the default display. */

typedef struct opengl {
    EGLDisplay display;
    EGLSurface surface;
    EGLContext context;
} opengl;

/* Makes it the context that this thread draws with. */
static bool use_context(const opengl *o) {
    return eglMakeCurrent(o->display, o->surface, o->surface, o->context);
}

enum { most_devices = 8 };

/* MuJoCo uses OpenGL's compatibility profile, and reads the depth of its window. */
static bool try_make_context(opengl *o) {
    static const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT,
                                    EGL_RED_SIZE,
                                    8,
                                    EGL_GREEN_SIZE,
                                    8,
                                    EGL_BLUE_SIZE,
                                    8,
                                    EGL_DEPTH_SIZE,
                                    24,
                                    EGL_STENCIL_SIZE,
                                    8,
                                    EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT,
                                    EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(o->display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(o->display, wanted, &config, 1, &count) || count < 1)
        return false;
    o->surface = eglCreatePbufferSurface(o->display, config, size);
    o->context = eglCreateContext(o->display, config, EGL_NO_CONTEXT, NULL);
    return o->surface != EGL_NO_SURFACE && o->context != EGL_NO_CONTEXT && use_context(o);
}

/*
 * The display stays initialized: it belongs to the process, and terminating it would end other
 * contexts.
 */
static void end_context(opengl *o) {
    if (o->display == EGL_NO_DISPLAY) return;
    (void)eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (o->context != EGL_NO_CONTEXT) (void)eglDestroyContext(o->display, o->context);
    if (o->surface != EGL_NO_SURFACE) (void)eglDestroySurface(o->display, o->surface);
}

static bool try_display(opengl *o, EGLDisplay display) {
    *o = (opengl){.display = display, .surface = EGL_NO_SURFACE, .context = EGL_NO_CONTEXT};
    if (display == EGL_NO_DISPLAY) return false;
    if (try_make_context(o)) return true;
    end_context(o);
    return false;
}

static bool try_platforms(opengl *o) {
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    const PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    if (!get_display) return false;
    if (try_display(o, get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)))
        return true;
    EGLDeviceEXT devices[most_devices];
    EGLint count = 0;
    if (!query || !query(most_devices, devices, &count)) return false;
    for (EGLint k = 0; k < count; k++)
        if (try_display(o, get_display(EGL_PLATFORM_DEVICE_EXT, devices[k], NULL))) return true;
    return false;
}

static opengl *create_context(void) {
    opengl *o = malloc(sizeof *o);
    if (!o) return NULL;
    if (try_platforms(o) || try_display(o, eglGetDisplay(EGL_DEFAULT_DISPLAY))) return o;
    free(o);
    return NULL;
}

static void destroy_context(opengl *o) {
    if (!o) return;
    end_context(o);
    free(o);
}

/* ---- the video ---- */

struct video {
    const mjModel *model;
    mjData *shown; /* the pose that is drawn */
    opengl *gl;
    bool has_scene, has_renderer;
    mjvScene scene;
    mjvOption option;
    mjvCamera camera;
    mjrContext renderer;
    bool needs_ground, needs_sky, is_shapeless;
    double ground; /* m, its height */
    double fps;
    size_t count;
    int width, height;
    unsigned char *pixels; /* rgb, the lowest row first */
    char *folder;
};

/* Fills the error; false. */
#define REFUSE(error, ...)                                                                         \
    (stiction_fail(error, STICTION_INVALID_ARGUMENT, __VA_ARGS__) == STICTION_OK)

/* ---- the pose ---- */

static void copy_numbers(mjtNum *to, const mjtNum *from, int count) {
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* After a step, positions of bodies are those before it: they are computed again. */
static void take_pose(video *v, const mjData *data) {
    const mjModel *m = v->model;
    copy_numbers(v->shown->qpos, data->qpos, m->nq);
    copy_numbers(v->shown->mocap_pos, data->mocap_pos, 3 * m->nmocap);
    copy_numbers(v->shown->mocap_quat, data->mocap_quat, 4 * m->nmocap);
    mj_kinematics(m, v->shown);
    mj_comPos(m, v->shown);
    mj_camlight(m, v->shown);
    mj_tendon(m, v->shown);
}

/* ---- the scene ---- */

/* Far things fade into the sky; in sizes of the model. */
static const float fog_start = 3, fog_end = 15;
static const float sky[4] = {0.87f, 0.91f, 0.95f, 1};

static bool has_sky(const mjModel *m) {
    for (int k = 0; k < m->ntex; k++)
        if (m->tex_type[k] == mjTEXTURE_SKYBOX) return true;
    return false;
}

/* Robots and other bodies that can move, with all links of their tree; no floors. */
static bool is_subject(const mjModel *m, int body) {
    for (int k = 1; k < m->nbody; k++)
        if (m->body_rootid[k] == m->body_rootid[body] && m->body_dofnum[k] > 0) return true;
    return false;
}

/* Anything that cannot move. */
static bool has_floor(const mjModel *m) {
    for (int k = 0; k < m->ngeom; k++)
        if (m->geom_type[k] == mjGEOM_PLANE || !is_subject(m, m->geom_bodyid[k])) return true;
    return false;
}

/* Below everything in the pose that is shown, and not above 0. */
static double ground_height(const video *v) {
    double lowest = 0;
    for (int k = 0; k < v->model->nbody; k++) lowest = fmin(lowest, v->shown->xpos[3 * k + 2]);
    for (int k = 0; k < v->model->ngeom; k++)
        lowest = fmin(lowest, v->shown->geom_xpos[3 * k + 2] - v->model->geom_rbound[k]);
    return lowest;
}

static void widen(double box[2][3], const mjtNum center[3], double radius) {
    for (int c = 0; c < 3; c++) {
        box[0][c] = fmin(box[0][c], center[c] - radius);
        box[1][c] = fmax(box[1][c], center[c] + radius);
    }
}

/* A ball around all subjects of the pose that is shown, or around all there is. */
static double find_subject(const video *v, double center[3]) {
    const mjModel *m = v->model;
    double box[2][3];
    for (int c = 0; c < 3; c++) box[0][c] = -(box[1][c] = -(double)INFINITY);
    for (int k = 1; k < m->nbody; k++)
        if (is_subject(m, k)) widen(box, v->shown->xpos + 3 * k, 0);
    for (int k = 0; k < m->ngeom; k++)
        if (is_subject(m, m->geom_bodyid[k]))
            widen(box, v->shown->geom_xpos + 3 * k, m->geom_rbound[k]);
    double half = 0;
    for (int c = 0; c < 3; c++) {
        center[c] = (box[0][c] + box[1][c]) / 2;
        half = fmax(half, (box[1][c] - box[0][c]) / 2);
    }
    /* shapes reach the faces of the box around their balls, but not its corners */
    if (isfinite(half) && !v->is_shapeless) return 1.1 * half;
    mju_copy3(center, m->stat.center);
    return 0.8 * m->stat.extent;
}

static void aim_camera(video *v) {
    mjv_defaultCamera(&v->camera);
    v->camera.type = mjCAMERA_FREE;
    v->camera.azimuth = 135;
    v->camera.elevation = -20;
    /* so that a ball of this size fits into the narrower side of the picture */
    const double up = tan((double)v->model->vis.global.fovy * mjPI / 360);
    const double half = atan(up * fmin(1, (double)v->width / v->height));
    v->camera.distance = find_subject(v, v->camera.lookat) / sin(half);
}

static void add_plane(mjvScene *s, double half_side, const mjtNum at[3], const mjtNum turn[9],
                      const float colour[4], float emission) {
    if (s->ngeom >= s->maxgeom) return;
    mjvGeom *plane = &s->geoms[s->ngeom++];
    const mjtNum size[3] = {half_side, half_side, 1};
    mjv_initGeom(plane, mjGEOM_PLANE, size, at, turn, colour);
    plane->emission = emission;
}

static void add_ground(video *v) {
    static const float colour[4] = {0.86f, 0.87f, 0.88f, 1};
    const double *center = v->model->stat.center;
    const mjtNum at[3] = {center[0], center[1], v->ground};
    add_plane(&v->scene, (double)fog_end * v->model->stat.extent, at, NULL, colour, 0);
}

/* MuJoCo's sky is black: a wall behind the scene has the colour of the fog. */
static void add_backdrop(video *v) {
    const mjvGLCamera *eye = &v->scene.camera[0];
    const double away = 1.5 * (double)fog_end * v->model->stat.extent;
    mjtNum at[3], x[3], y[3], z[3], turn[9];
    for (int c = 0; c < 3; c++) {
        at[c] = (double)eye->pos[c] + away * (double)eye->forward[c];
        y[c] = (double)eye->up[c];
        z[c] = -(double)eye->forward[c];
    }
    mju_cross(x, y, z);
    for (int c = 0; c < 3; c++) {
        turn[3 * c] = x[c];
        turn[3 * c + 1] = y[c];
        turn[3 * c + 2] = z[c];
    }
    add_plane(&v->scene, 4 * away, at, turn, sky, 1);
}

static bool is_shapeless(const mjModel *m) {
    for (int k = 0; k < m->ngeom; k++)
        if (m->geom_bodyid[k] > 0) return false;
    return true;
}

/* Each body has another colour. */
static void colour_bodies(mjvScene *s) {
    static const float colours[][4] = {{0.90f, 0.45f, 0.15f, 0.9f},
                                       {0.20f, 0.45f, 0.75f, 0.9f},
                                       {0.35f, 0.65f, 0.30f, 0.9f},
                                       {0.60f, 0.60f, 0.62f, 0.9f}};
    for (int k = 0; k < s->ngeom; k++)
        if (s->geoms[k].objtype == mjOBJ_BODY && s->geoms[k].objid >= 0)
            memcpy(s->geoms[k].rgba, colours[s->geoms[k].objid % 4], sizeof colours[0]);
}

/* From above and the side, for shadows; the light at the camera fills them. */
static void set_lights(mjvScene *s, const mjModel *m) {
    for (int k = 0; k < s->nlight; k++)
        if (s->lights[k].headlight)
            for (int c = 0; c < 3; c++) {
                s->lights[k].ambient[c] = 0.35f;
                s->lights[k].diffuse[c] = 0.25f;
                s->lights[k].specular[c] = 0.1f;
            }
    if (m->nlight > 0 || s->nlight >= mjMAXLIGHT) return;
    mjvLight *sun = &s->lights[s->nlight++];
    *sun = (mjvLight){.dir = {0.12f, 0.61f, -0.78f},
                      .attenuation = {1, 0, 0},
                      .cutoff = 45,
                      .exponent = 10,
                      .diffuse = {0.55f, 0.55f, 0.55f},
                      .specular = {0.2f, 0.2f, 0.2f},
                      MUJOCO_SUN,
                      .castshadow = 1};
    for (int c = 0; c < 3; c++)
        sun->pos[c] = (float)(m->stat.center[c] - 2 * m->stat.extent * (double)sun->dir[c]);
}

/* What stays the same from frame to frame. */
static void dress(video *v) {
    const mjModel *m = v->model;
    v->needs_ground = !has_floor(m);
    v->needs_sky = !has_sky(m);
    v->scene.flags[mjRND_FOG] = v->needs_sky;
    mjv_defaultOption(&v->option);
    /* where masses are and joints turn */
    v->is_shapeless = is_shapeless(m);
    if (v->is_shapeless) v->option.flags[mjVIS_INERTIA] = v->option.flags[mjVIS_JOINT] = 1;
}

/* ---- calls of MuJoCo, which may fail ---- */

static void make(void *context) {
    video *v = context;
    const mjModel *m = v->model;
    v->shown = mj_makeData(m);
    /* room for all that is drawn of a thing: itself, its joint, its inertia */
    const int things = m->ngeom + m->nbody + m->njnt + m->nsite + 100 * m->ntendon;
    mjv_defaultScene(&v->scene);
    v->has_scene = true;
    mjv_makeScene(m, &v->scene, 1000 + 4 * things);
    mjr_defaultContext(&v->renderer);
    mjr_makeContext(m, &v->renderer, mjFONTSCALE_100);
    v->has_renderer = true;
    mjr_setBuffer(mjFB_OFFSCREEN, &v->renderer);
}

typedef struct drawing {
    video *v;
    const mjData *data;
} drawing;

static void draw(void *context) {
    const drawing *d = context;
    video *v = d->v;
    const mjrRect all = {0, 0, v->width, v->height};
    take_pose(v, d->data);
    if (v->count == 0) {
        v->ground = ground_height(v);
        aim_camera(v);
    }
    mjv_updateScene(v->model, v->shown, &v->option, NULL, &v->camera, mjCAT_ALL, &v->scene);
    if (v->is_shapeless) colour_bodies(&v->scene);
    if (v->needs_ground) add_ground(v);
    if (v->needs_sky) add_backdrop(v);
    set_lights(&v->scene, v->model);
    mjr_render(all, &v->scene, &v->renderer);
    mjr_readPixels(v->pixels, NULL, all, &v->renderer);
}

/* ---- the frames ---- */

static bool write_frame(const video *v, stiction_error *error) {
    char path[700];
    const int length = snprintf(path, sizeof path, "%s/frame_%05zu.png", v->folder, v->count);
    if (length < 0 || (size_t)length >= sizeof path)
        return REFUSE(error, "the path of the video's folder is too long");
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)v->width,
                       .height = (png_uint_32)v->height,
                       .format = PNG_FORMAT_RGB,
                       .flags = PNG_IMAGE_FLAG_FAST};
    if (png_image_write_to_file(&image, path, 0, v->pixels, -3 * v->width, NULL)) return true;
    return REFUSE(error, "cannot write %s: %s", path, image.message);
}

static bool is_due(const video *v, double time) {
    /* times of steps are rounded sums: a millionth of a frame does not count */
    return (double)v->count <= time * v->fps + 1e-6;
}

bool video_frame(video *v, const mjData *data, double time, stiction_error *error) {
    if (!is_due(v, time)) return true;
    if (!isfinite(time)) return REFUSE(error, "a frame at no time");
    drawing d = {v, data};
    char crash[ENGINE_MESSAGE];
    if (!use_context(v->gl)) return REFUSE(error, "the video's OpenGL context is lost");
    if (!engine_run(draw, &d, NULL, NULL, crash)) return REFUSE(error, "%s", crash);
    for (; is_due(v, time); v->count++)
        if (!write_frame(v, error)) return false;
    return true;
}

double video_next_time(const video *v) {
    return (double)v->count / v->fps;
}

size_t video_frame_count(const video *v) {
    return v->count;
}

/* ---- opening and closing ---- */

static bool is_size(int pixels) {
    return pixels >= VIDEO_LEAST_SIZE && pixels <= VIDEO_MOST_SIZE;
}

static bool check(double fps, int width, int height, stiction_error *error) {
    if (!(isfinite(fps) && fps > 0))
        return REFUSE(error, "%g frames a second: must be above 0", fps);
    return (is_size(width) && is_size(height)) ||
           REFUSE(error, "a video of %d x %d pixels: must be %d to %d", width, height,
                  VIDEO_LEAST_SIZE, VIDEO_MOST_SIZE);
}

/* The renderer takes the size of its buffer and the fog from the model. */
static void set_visual(mjVisual *visual, int width, int height) {
    visual->global.offwidth = width;
    visual->global.offheight = height;
    visual->map.fogstart = fog_start;
    visual->map.fogend = fog_end;
    memcpy(visual->rgba.fog, sky, sizeof sky);
}

static bool make_renderer(video *v, mjModel *model, stiction_error *error) {
    v->gl = create_context();
    if (!v->gl)
        return REFUSE(error,
                      "no OpenGL context for the video; libegl1 and libgl1-mesa-dri bring one");
    const mjVisual models_own = model->vis;
    set_visual(&model->vis, v->width, v->height);
    char crash[ENGINE_MESSAGE];
    const bool made = engine_run(make, v, NULL, NULL, crash);
    model->vis = models_own;
    return made || REFUSE(error, "no renderer for the video: %s", crash);
}

video *video_open(mjModel *model, const char *folder, double fps, int width, int height,
                  stiction_error *error) {
    if (!check(fps, width, height, error)) return NULL;
    video *v = calloc(1, sizeof *v);
    if (v) {
        v->pixels = malloc((size_t)width * (size_t)height * 3);
        v->folder = strdup(folder);
    }
    if (!v || !v->pixels || !v->folder) {
        (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the video");
        video_close(v);
        return NULL;
    }
    v->model = model;
    v->fps = fps;
    v->width = width;
    v->height = height;
    if (!make_renderer(v, model, error)) {
        video_close(v);
        return NULL;
    }
    dress(v);
    return v;
}

void video_close(video *v) {
    if (!v) return;
    if (v->has_renderer && use_context(v->gl)) mjr_freeContext(&v->renderer);
    if (v->has_scene) mjv_freeScene(&v->scene);
    if (v->shown) mj_deleteData(v->shown);
    destroy_context(v->gl);
    free(v->pixels);
    free(v->folder);
    free(v);
}
