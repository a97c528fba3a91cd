/* SPDX-License-Identifier: MIT
 * An OpenGL context without a window, which MuJoCo's renderer needs: EGL's, on a graphics card or
 * Mesa's software renderer. The image is drawn into buffers of the renderer.
 */
#ifndef STICTION_MUJOCO_OPENGL_H
#define STICTION_MUJOCO_OPENGL_H

#include <stdbool.h>

typedef struct opengl opengl;

/* NULL: this machine has no OpenGL. */
opengl *opengl_create(void);
/* NULL is fine. */
void opengl_destroy(opengl *o);

/* Makes it the context that this thread draws with. */
bool opengl_use(const opengl *o);

#endif
