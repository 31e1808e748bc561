/* SPDX-License-Identifier: MIT */
/* Where is drawn: a multisampled sRGB picture and its resolved twin, which is read back or shown in a window.
   Light is summed and averaged as light; bytes are sRGB. */
#include <string.h>

#include "gpu/gpu.h"

static const char present_vertex[] =
    "#version 300 es\n"
    "precision highp float;\n"
    "out vec2 at;\n"
    "void main() {\n"
    "    at = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);\n"
    "    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);\n"
    "}\n";

/* A window's framebuffer takes bytes as they are, so the light becomes sRGB here; the overlay's bytes are
   sRGB already, its first row on top. */
static const char present_fragment[] =
    "#version 300 es\n"
    "precision highp float;\n"
    "uniform sampler2D picture;\n"
    "uniform int encode;\n"
    "in vec2 at;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    if (encode == 0) {\n"
    "        result = texture(picture, vec2(at.x, 1.0 - at.y));\n"
    "        return;\n"
    "    }\n"
    "    vec3 l = texture(picture, at).rgb;\n"
    "    result = vec4(mix(l * 12.92, 1.055 * pow(l, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, l)), 1.0);\n"
    "}\n";

static uint32_t target_samples(uint32_t wanted)
{
    GLint most = 0;
    glGetInternalformativ(GL_RENDERBUFFER, GL_SRGB8_ALPHA8, GL_SAMPLES, 1, &most);
    return most < 1 ? 0 : wanted < (uint32_t)most ? wanted : (uint32_t)most;
}

static void target_plain_texture(GLint filter)
{
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static GLuint target_renderbuffer(GLenum format, const emberi_target *target)
{
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)target->samples, format,
                                     (GLsizei)target->width, (GLsizei)target->height);
    return buffer;
}

static bool target_make(emberi_target *target)
{
    target->color = target_renderbuffer(GL_SRGB8_ALPHA8, target);
    target->depth = target_renderbuffer(GL_DEPTH24_STENCIL8, target);
    glGenFramebuffers(1, &target->draw_frame);
    glBindFramebuffer(GL_FRAMEBUFFER, target->draw_frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, target->depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return false;
    glGenTextures(1, &target->picture);
    glBindTexture(GL_TEXTURE_2D, target->picture);
    target_plain_texture(GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)target->width, (GLsizei)target->height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &target->read_frame);
    glBindFramebuffer(GL_FRAMEBUFFER, target->read_frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->picture, 0);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && glGetError() == GL_NO_ERROR;
}

ember_status emberi_target_open(emberi_target *target, uint32_t width, uint32_t height, uint32_t samples,
                                ember_error *err)
{
    GLint most = 0, most_viewport[2] = {0, 0};
    memset(target, 0, sizeof(*target));
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, most_viewport);
    if (width == 0 || height == 0 || width > (uint32_t)most || height > (uint32_t)most ||
        width > (uint32_t)most_viewport[0] || height > (uint32_t)most_viewport[1])
        return emberi_gpu_fail(err, EMBER_E_LIMIT,
                               "a picture of %lu x %lu pixels, of which 1 to %ld are possible",
                               (unsigned long)width, (unsigned long)height, (long)most);
    while (glGetError() != GL_NO_ERROR)
        continue;
    target->width = width;
    target->height = height;
    target->samples = samples == 1 ? 0 : target_samples(samples != 0 ? samples : 4);
    if (!target_make(target)) {
        emberi_target_close(target);
        return emberi_gpu_fail(err, EMBER_E_UNSUPPORTED,
                               "the graphics driver has no picture of %lu x %lu sRGB pixels",
                               (unsigned long)width, (unsigned long)height);
    }
    return EMBER_OK;
}

void emberi_target_keep(emberi_target *target, emberi_target *from)
{
    target->present_program = from->present_program;
    target->at_encode = from->at_encode;
    target->empty_array = from->empty_array;
    target->overlay = from->overlay;
    target->overlay_width = from->overlay_width;
    target->overlay_height = from->overlay_height;
    from->present_program = from->empty_array = from->overlay = 0;
}

void emberi_target_close(emberi_target *target)
{
    glDeleteFramebuffers(1, &target->draw_frame);
    glDeleteFramebuffers(1, &target->read_frame);
    glDeleteRenderbuffers(1, &target->color);
    glDeleteRenderbuffers(1, &target->depth);
    glDeleteTextures(1, &target->picture);
    glDeleteTextures(1, &target->overlay);
    glDeleteProgram(target->present_program);
    glDeleteVertexArrays(1, &target->empty_array);
    memset(target, 0, sizeof(*target));
}

void emberi_target_begin(const emberi_target *target, uint32_t clear_color)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->draw_frame);
    glViewport(0, 0, (GLsizei)target->width, (GLsizei)target->height);
    glDisable(GL_SCISSOR_TEST);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glClearColor(emberi_linear_of(clear_color >> 24 & 0xFFu), emberi_linear_of(clear_color >> 16 & 0xFFu),
                 emberi_linear_of(clear_color >> 8 & 0xFFu), 1.0f);
    glClearDepthf(1.0f);
    glClearStencil(0);
    glStencilMask(0xFFu);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

void emberi_target_resolve(const emberi_target *target)
{
    GLsizei width = (GLsizei)target->width, height = (GLsizei)target->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->draw_frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->read_frame);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

ember_status emberi_target_overlay(emberi_target *target, const uint8_t *rgba, uint32_t width,
                                   uint32_t height)
{
    glDeleteTextures(1, &target->overlay);
    target->overlay = 0;
    if (rgba == NULL || width == 0 || height == 0)
        return EMBER_OK;
    while (glGetError() != GL_NO_ERROR)
        continue;
    glGenTextures(1, &target->overlay);
    glBindTexture(GL_TEXTURE_2D, target->overlay);
    target_plain_texture(GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 rgba);
    target->overlay_width = width;
    target->overlay_height = height;
    return glGetError() == GL_NO_ERROR ? EMBER_OK : EMBER_E_LIMIT;
}

static void target_show(const emberi_target *target, GLuint texture, bool encode)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glUniform1i(target->at_encode, encode ? 1 : 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

ember_status emberi_target_present(emberi_target *target, uint32_t width, uint32_t height, ember_error *err)
{
    if (target->present_program == 0) {
        ember_status status =
            emberi_program_build(&target->present_program, present_vertex, present_fragment, err);
        if (status != EMBER_OK)
            return status;
        target->at_encode = glGetUniformLocation(target->present_program, "encode");
        glGenVertexArrays(1, &target->empty_array);
    }
    /* The largest rectangle of the picture's shape that fits. */
    uint64_t wide = (uint64_t)height * target->width / target->height,
             high = (uint64_t)width * target->height / target->width;
    uint32_t shown_width = wide < width ? (uint32_t)wide : width,
             shown_height = high < height ? (uint32_t)high : height;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
    glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glUseProgram(target->present_program);
    glBindVertexArray(target->empty_array);
    glActiveTexture(GL_TEXTURE0);
    glViewport((GLint)((width - shown_width) / 2), (GLint)((height - shown_height) / 2), (GLsizei)shown_width,
               (GLsizei)shown_height);
    target_show(target, target->picture, true);
    if (target->overlay != 0) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        glViewport(0, (GLint)height - (GLint)target->overlay_height, (GLsizei)target->overlay_width,
                   (GLsizei)target->overlay_height);
        target_show(target, target->overlay, false);
        glDisable(GL_BLEND);
    }
    return EMBER_OK;
}
