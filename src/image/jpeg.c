/* SPDX-License-Identifier: MIT */
/* JPEG by libjpeg, read only. Its errors arrive by longjmp. */
#include <setjmp.h>
#include <stdio.h> /* jpeglib.h wants FILE */
#include <string.h>

#include <jpeglib.h>

#include "base/fail.h"
#include "image/image_parts.h"

typedef struct jpeg_job {
    struct jpeg_error_mgr         errors; /* first, so that libjpeg's pointer to it is one to the job */
    jmp_buf                       out;
    struct jpeg_decompress_struct jpeg;
    ember_error                  *err;
    ember_status                  status;
    ember_image                   image;
    ember_arena                  *arena;
    size_t                        size; /* of the file */
} jpeg_job;

static void jpeg_failed(j_common_ptr jpeg)
{
    jpeg_job *job = (jpeg_job *)jpeg->err;
    char      text[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, text);
    job->status = emberi_failf(job->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "JPEG: %s", text);
    longjmp(job->out, 1);
}

static void jpeg_says_nothing(j_common_ptr jpeg) { (void)jpeg; }

static ember_status jpeg_read_all(jpeg_job *job)
{
    struct jpeg_decompress_struct *jpeg = &job->jpeg;
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->image_width > EMBER_IMAGE_MAX_SIDE || jpeg->image_height > EMBER_IMAGE_MAX_SIDE)
        return emberi_failf(job->err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "JPEG: %u x %u pixels are too many",
                            jpeg->image_width, jpeg->image_height);
    if (!emberi_image_affordable(jpeg->image_width, jpeg->image_height, job->size, job->err))
        return EMBER_E_LIMIT;
    jpeg->out_color_space = JCS_RGB;
    jpeg_start_decompress(jpeg);
    size_t width = jpeg->output_width, row = width * 3;
    job->image.width = jpeg->output_width;
    job->image.height = jpeg->output_height;
    job->image.pixels = EMBER_PUSH(job->arena, uint8_t, width * job->image.height * 4);
    uint8_t *line = EMBER_PUSH(job->arena, uint8_t, row);
    if (job->image.pixels == NULL || line == NULL)
        return emberi_fail_memory(job->err);
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *to = job->image.pixels + jpeg->output_scanline * width * 4;
        jpeg_read_scanlines(jpeg, &line, 1);
        for (size_t x = 0; x < width; x++) {
            memcpy(to + x * 4, line + x * 3, 3);
            to[x * 4 + 3] = 0xFF;
        }
    }
    jpeg_finish_decompress(jpeg);
    return EMBER_OK;
}

ember_status emberi_jpeg_read(ember_image *out, const uint8_t *data, size_t size, ember_arena *arena,
                              ember_error *err)
{
    jpeg_job job;
    memset(&job, 0, sizeof(job));
    job.err = err;
    job.arena = arena;
    job.size = size;
    job.jpeg.err = jpeg_std_error(&job.errors);
    job.errors.error_exit = jpeg_failed;
    job.errors.output_message = jpeg_says_nothing;
    if (setjmp(job.out) == 0) {
        jpeg_create_decompress(&job.jpeg);
        job.jpeg.mem->max_memory_to_use = 1l << 28;
        jpeg_mem_src(&job.jpeg, data, (unsigned long)size);
        job.status = jpeg_read_all(&job);
    }
    jpeg_destroy_decompress(&job.jpeg);
    *out = job.image;
    return job.status;
}
