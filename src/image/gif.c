/* SPDX-License-Identifier: MIT */
/* GIF by giflib, with one palette of our own for all frames. Since it is known only at the end, frames wait
   as what changed in them, deflated. */
#include <gif_lib.h>
#include <string.h>
#include <zlib.h>

#include "base/fail.h"
#include "ember/file.h"
#include "image/image_parts.h"

#define GIF_CLEAR 255 /* the index that leaves a pixel as it was */

typedef struct gif_job {
    ember_film   *film;
    ember_buffer *out;
    uint8_t       colors[EMBERI_PALETTE_MOST][3];
    uint32_t      color_count;
    uint8_t      *nearest;      /* by bin */
    uint8_t      *rgb;          /* the frame as it was added */
    uint8_t      *now, *before; /* indices */
    uint8_t      *line;
    bool          failed; /* no memory: giflib does not look at all that it is told */
} gif_job;

static size_t gif_pixels(const ember_film *film)
{
    return (size_t)film->options.width * film->options.height;
}

ember_status emberi_gif_open(ember_film *film, ember_error *err)
{
    ember_allocator memory = film->options.allocator;
    film->scratch_size = gif_pixels(film) * 3 + compressBound((uLong)(gif_pixels(film) * 3));
    film->scratch = memory.resize(memory.user, NULL, 0, film->scratch_size);
    film->bins = memory.resize(memory.user, NULL, 0, EMBERI_PALETTE_BINS * sizeof(emberi_bin));
    if (film->scratch == NULL || film->bins == NULL)
        return emberi_fail_memory(err);
    memset(film->bins, 0, EMBERI_PALETTE_BINS * sizeof(emberi_bin));
    return EMBER_OK;
}

ember_status emberi_gif_add(ember_film *film, const uint8_t *rgba, ember_error *err)
{
    size_t   pixels = gif_pixels(film);
    uint8_t *changed = film->scratch, *small = film->scratch + pixels * 3;
    uLongf   size = (uLongf)(film->scratch_size - pixels * 3);
    for (size_t i = 0; i < pixels; i++) {
        emberi_bin *bin = &film->bins[emberi_bin_of(rgba + i * 4)];
        bin->count++;
        for (size_t c = 0; c < 3; c++) {
            bin->sum[c] += rgba[i * 4 + c];
            changed[i * 3 + c] = rgba[i * 4 + c] ^ film->before[i * 4 + c];
        }
    }
    if (compress2(small, &size, changed, (uLong)(pixels * 3), 1) != Z_OK)
        return emberi_fail_memory(err);
    uint64_t stored = size;
    if (!ember_buffer_append(&film->bytes, &stored, sizeof(stored)))
        return emberi_fail_memory(err);
    if (ember_buffer_append(&film->bytes, small, size))
        return EMBER_OK;
    film->bytes.size -= sizeof(stored);
    return emberi_fail_memory(err);
}

static int gif_write(GifFileType *gif, const GifByteType *data, int size)
{
    gif_job *job = gif->UserData;
    job->failed = job->failed || !ember_buffer_append(job->out, data, (size_t)size);
    return job->failed ? 0 : size;
}

static bool gif_begin(GifFileType *gif, const gif_job *job)
{
    GifColorType         colors[256] = {{0, 0, 0}};
    static const uint8_t endless[3] = {1, 0, 0};
    for (uint32_t i = 0; i < job->color_count; i++)
        colors[i] = (GifColorType){job->colors[i][0], job->colors[i][1], job->colors[i][2]};
    ColorMapObject *map = GifMakeMapObject(256, colors);
    if (map == NULL)
        return false;
    EGifSetGifVersion(gif, true);
    bool done = EGifPutScreenDesc(gif, (int)job->film->options.width, (int)job->film->options.height, 8, 0,
                                  map) == GIF_OK;
    GifFreeMapObject(map);
    return done && EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(gif, sizeof(endless), endless) == GIF_OK &&
           EGifPutExtensionTrailer(gif) == GIF_OK;
}

/* Hundredths of a second; what one frame is too short the next makes up for. */
static int gif_delay(double fps, uint32_t frame)
{
    double start = (double)frame * 100.0 / fps, end = ((double)frame + 1.0) * 100.0 / fps;
    int    delay = (int)((long)(end + 0.5) - (long)(start + 0.5));
    return delay > 65535 ? 65535 : delay;
}

static bool gif_frame(GifFileType *gif, gif_job *job, uint32_t frame)
{
    uint32_t             width = job->film->options.width;
    emberi_box           box = {0, 0, width, job->film->options.height};
    GraphicsControlBlock control = {.DisposalMode = DISPOSE_DO_NOT,
                                    .DelayTime = gif_delay(job->film->options.fps, frame),
                                    .TransparentColor = NO_TRANSPARENT_COLOR};
    GifByteType          packed[4];
    if (frame != 0) {
        box = emberi_changed(job->before, job->now, width, job->film->options.height, 1);
        control.TransparentColor = GIF_CLEAR;
    }
    EGifGCBToExtension(&control, packed);
    if (EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, sizeof(packed), packed) != GIF_OK ||
        EGifPutImageDesc(gif, (int)box.left, (int)box.top, (int)box.width, (int)box.height, false, NULL) !=
            GIF_OK)
        return false;
    for (uint32_t y = 0; y < box.height; y++) {
        const uint8_t *now = job->now + (size_t)(box.top + y) * width + box.left,
                      *before = job->before + (size_t)(box.top + y) * width + box.left;
        for (uint32_t x = 0; x < box.width; x++)
            job->line[x] = frame != 0 && now[x] == before[x] ? GIF_CLEAR : now[x];
        if (EGifPutLine(gif, job->line, (int)box.width) != GIF_OK)
            return false;
    }
    return true;
}

static bool gif_frames(GifFileType *gif, gif_job *job)
{
    ember_film    *film = job->film;
    size_t         pixels = gif_pixels(film);
    const uint8_t *at = film->bytes.data;
    for (uint32_t frame = 0; frame < film->frame_count; frame++) {
        uint64_t stored;
        uLongf   size = (uLongf)(pixels * 3);
        memcpy(&stored, at, sizeof(stored));
        if (uncompress(film->scratch, &size, at + sizeof(stored), (uLong)stored) != Z_OK)
            return false;
        at += sizeof(stored) + stored;
        for (size_t i = 0; i < pixels; i++) {
            for (size_t c = 0; c < 3; c++)
                job->rgb[i * 3 + c] ^= film->scratch[i * 3 + c];
            job->now[i] = job->nearest[emberi_bin_of(job->rgb + i * 3)];
        }
        if (!gif_frame(gif, job, frame))
            return false;
        uint8_t *kept = job->before;
        job->before = job->now;
        job->now = kept;
    }
    return true;
}

ember_status emberi_gif_finish(ember_film *film, ember_buffer *out, ember_error *err)
{
    gif_job      job = {.film = film, .out = out};
    ember_arena  arena = ember_arena_growing(film->options.allocator, 0);
    size_t       pixels = gif_pixels(film);
    int          reason = 0;
    bool         done = false;
    GifFileType *gif;
    job.nearest = EMBER_PUSH(&arena, uint8_t, EMBERI_PALETTE_BINS);
    job.rgb = EMBER_PUSH(&arena, uint8_t, pixels * 3);
    job.now = EMBER_PUSH(&arena, uint8_t, pixels);
    job.before = EMBER_PUSH(&arena, uint8_t, pixels);
    job.line = EMBER_PUSH(&arena, uint8_t, film->options.width);
    if (job.nearest != NULL && job.rgb != NULL && job.now != NULL && job.before != NULL && job.line != NULL &&
        emberi_palette_make(job.colors, &job.color_count, job.nearest, film->bins, film->options.allocator)) {
        gif = EGifOpen(&job, gif_write, &reason);
        if (gif != NULL) {
            done = gif_begin(gif, &job) && gif_frames(gif, &job);
            done = EGifCloseFile(gif, &reason) == GIF_OK && done && !job.failed;
        }
    }
    ember_arena_free(&arena);
    return done ? EMBER_OK : emberi_fail_memory(err);
}
