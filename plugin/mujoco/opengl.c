/* SPDX-License-Identifier: MIT
 * An OpenGL context without a window, by EGL: of Mesa's surfaceless platform, else of a device,
 * else of the default display.
 */
#include "opengl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdlib.h>

struct opengl {
    EGLDisplay display;
    EGLSurface surface;
    EGLContext context;
};

enum { most_devices = 8 };

/* MuJoCo uses OpenGL's compatibility profile, and reads the depth of its window. */
static bool make(opengl *o) {
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
    return o->surface != EGL_NO_SURFACE && o->context != EGL_NO_CONTEXT && opengl_use(o);
}

/*
 * The display stays initialized: it belongs to the process, and terminating it would end other
 * contexts.
 */
static void unmake(opengl *o) {
    if (o->display == EGL_NO_DISPLAY) return;
    (void)eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (o->context != EGL_NO_CONTEXT) (void)eglDestroyContext(o->display, o->context);
    if (o->surface != EGL_NO_SURFACE) (void)eglDestroySurface(o->display, o->surface);
}

static bool try_display(opengl *o, EGLDisplay display) {
    *o = (opengl){.display = display, .surface = EGL_NO_SURFACE, .context = EGL_NO_CONTEXT};
    if (display == EGL_NO_DISPLAY) return false;
    if (make(o)) return true;
    unmake(o);
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

opengl *opengl_create(void) {
    opengl *o = malloc(sizeof *o);
    if (!o) return NULL;
    if (try_platforms(o) || try_display(o, eglGetDisplay(EGL_DEFAULT_DISPLAY))) return o;
    free(o);
    return NULL;
}

void opengl_destroy(opengl *o) {
    if (!o) return;
    unmake(o);
    free(o);
}

bool opengl_use(const opengl *o) {
    return eglMakeCurrent(o->display, o->surface, o->surface, o->context);
}
