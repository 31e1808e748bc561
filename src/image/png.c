/* SPDX-License-Identifier: MIT */
/* PNG by libpng. Its errors arrive by longjmp, so every function that calls it keeps what it must not lose in
   a struct outside. */
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "ember/file.h"
#include "image/image_parts.h"

typedef struct png_job {
    ember_error   *err;
    ember_status   status;
    const uint8_t *data; /* reading */
    size_t         size, at;
    ember_buffer  *out; /* writing */
    ember_image    image;
    ember_arena   *arena;
} png_job;

static void png_failed(png_structp png, png_const_charp text)
{
    png_job *job = png_get_error_ptr(png);
    if (job->status == EMBER_OK)
        job->status = emberi_failf(job->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "PNG: %s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void png_warned(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* ---- reading ---- */

static void png_take(png_structp png, png_bytep out, size_t size)
{
    png_job *job = png_get_io_ptr(png);
    if (size > job->size - job->at)
        png_error(png, "the file ends too early");
    memcpy(out, job->data + job->at, size);
    job->at += size;
}

static void png_read_all(png_structp png, png_infop info, png_job *job)
{
    png_set_user_limits(png, EMBER_IMAGE_MAX_SIDE, EMBER_IMAGE_MAX_SIDE);
    png_set_chunk_malloc_max(png, 1u << 24);
    png_set_read_fn(png, job, png_take);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    job->image.width = png_get_image_width(png, info);
    job->image.height = png_get_image_height(png, info);
    if (!emberi_image_affordable(job->image.width, job->image.height, job->size, job->err)) {
        job->status = EMBER_E_LIMIT;
        longjmp(png_jmpbuf(png), 1);
    }
    job->image.pixels = EMBER_PUSH(job->arena, uint8_t, (size_t)job->image.width * job->image.height * 4);
    if (job->image.pixels == NULL || png_get_rowbytes(png, info) != (size_t)job->image.width * 4) {
        job->status = emberi_fail_memory(job->err);
        longjmp(png_jmpbuf(png), 1);
    }
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t y = 0; y < job->image.height; y++)
            png_read_row(png, job->image.pixels + (size_t)y * job->image.width * 4, NULL);
}

ember_status emberi_png_read(ember_image *out, const uint8_t *data, size_t size, ember_arena *arena,
                             ember_error *err)
{
    png_job     job = {.err = err, .status = EMBER_OK, .data = data, .size = size, .arena = arena};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, png_failed, png_warned);
    png_infop   info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL) {
        png_destroy_read_struct(&png, NULL, NULL);
        return emberi_fail_memory(err);
    }
    if (setjmp(png_jmpbuf(png)) == 0)
        png_read_all(png, info, &job);
    png_destroy_read_struct(&png, &info, NULL);
    *out = job.image;
    return job.status;
}

/* ---- writing ---- */

static void png_put(png_structp png, png_bytep data, size_t size)
{
    png_job *job = png_get_io_ptr(png);
    if (!ember_buffer_append(job->out, data, size)) {
        job->status = emberi_fail_memory(job->err);
        longjmp(png_jmpbuf(png), 1);
    }
}

static void png_flushed(png_structp png) { (void)png; }

static void png_write_all(png_structp png, png_infop info, png_job *job, const emberi_view *view)
{
    png_set_write_fn(png, job, png_put, png_flushed);
    png_set_IHDR(png, info, view->width, view->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER); /* our pixels have a fourth byte */
    for (uint32_t y = 0; y < view->height; y++)
        png_write_row(png, view->pixels + y * view->stride);
    png_write_end(png, NULL);
}

ember_status emberi_png_write_view(ember_buffer *out, const emberi_view *view, ember_error *err)
{
    size_t      had = out->size;
    png_job     job = {.err = err, .status = EMBER_OK, .out = out};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, png_failed, png_warned);
    png_infop   info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL) {
        png_destroy_write_struct(&png, NULL);
        return emberi_fail_memory(err);
    }
    if (setjmp(png_jmpbuf(png)) == 0)
        png_write_all(png, info, &job, view);
    png_destroy_write_struct(&png, &info);
    if (job.status != EMBER_OK)
        out->size = had;
    return job.status;
}

ember_status ember_png_write(ember_buffer *out, const ember_image *image, ember_error *err)
{
    emberi_view view = {image->pixels, (size_t)image->width * 4, image->width, image->height};
    if (image->pixels == NULL || image->width == 0 || image->height == 0)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a picture without pixels");
    return emberi_png_write_view(out, &view, err);
}
