/* SPDX-License-Identifier: MIT */
/* A GLES 3.0 context without a window or a display, by EGL. Only this file knows EGL; a window or a web page
   brings its own context. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"

#define DRIVER_HINT "on Debian: apt-get install libegl1 libgles2 libgl1-mesa-dri"

static bool egl_has(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = list; at != NULL && (at = strstr(at, name)) != NULL; at += size)
        if ((at == list || at[-1] == ' ') && (at[size] == ' ' || at[size] == '\0'))
            return true;
    return false;
}

/* Mesa draws without any surface on a display of its own kind; other drivers do on their default display. */
static EGLDisplay egl_display(void)
{
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    EGLDisplay  display = EGL_NO_DISPLAY;
    if (egl_has(client, "EGL_MESA_platform_surfaceless")) {
        PFNEGLGETPLATFORMDISPLAYEXTPROC get =
            (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
        if (get != NULL)
            display = get(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    }
    return display != EGL_NO_DISPLAY ? display : eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

static EGLContext egl_context(EGLDisplay display)
{
    static const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
    static const EGLint kind[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const char         *extensions = eglQueryString(display, EGL_EXTENSIONS);
    EGLConfig           config = EGL_NO_CONFIG_KHR;
    EGLint              count = 0;
    if (!egl_has(extensions, "EGL_KHR_surfaceless_context") || eglBindAPI(EGL_OPENGL_ES_API) != EGL_TRUE)
        return EGL_NO_CONTEXT;
    if (!egl_has(extensions, "EGL_KHR_no_config_context") &&
        (eglChooseConfig(display, kind, &config, 1, &count) != EGL_TRUE || count < 1))
        return EGL_NO_CONTEXT;
    return eglCreateContext(display, config, EGL_NO_CONTEXT, wanted);
}

/* The display is never terminated: it is one for the whole process, and another renderer may be using it. */
ember_status emberi_context_open(emberi_context *context, ember_error *err)
{
    EGLDisplay display;
    EGLContext made;
    /* the error below is the one line; Mesa would print its own as well */
    setenv("EGL_LOG_LEVEL", "fatal", 0);
    display = egl_display();
    if (display == EGL_NO_DISPLAY || eglInitialize(display, NULL, NULL) != EGL_TRUE)
        return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                          "no driver that draws without a display was found (" DRIVER_HINT ")");
    made = egl_context(display);
    if (made == EGL_NO_CONTEXT || eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, made) != EGL_TRUE) {
        if (made != EGL_NO_CONTEXT)
            eglDestroyContext(display, made);
        return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                          "the graphics driver has no OpenGL ES 3.0 without a display (" DRIVER_HINT ")");
    }
    context->display = display;
    context->context = made;
    return EMBER_OK;
}

void emberi_context_use(const emberi_context *context)
{
    if (eglGetCurrentContext() != context->context)
        (void)eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context);
}

void emberi_context_close(emberi_context *context)
{
    if (context->context == NULL)
        return;
    (void)eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    (void)eglDestroyContext(context->display, context->context);
    (void)eglReleaseThread();
    *context = (emberi_context){NULL, NULL};
}
