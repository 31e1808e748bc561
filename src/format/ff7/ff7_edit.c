/* SPDX-License-Identifier: MIT */
/* Packs written: from copied and encoded chunks, all in shorter codes, or repaired. What is in order is
   copied byte for byte; on failure the output is as it was. */
#include <string.h>

#include "base/bytes.h"
#include "format/ff7/ff7_parts.h"

/* What only repair touches. */
#define ODD_BROKEN                                                                       \
    (EMBER_FF7_ODD_FEWER | EMBER_FF7_ODD_MORE | EMBER_FF7_ODD_SIZE | EMBER_FF7_ODD_KEY | \
     EMBER_FF7_ODD_HEADER | EMBER_FF7_ODD_CUT | EMBER_FF7_ODD_NOTHING)

/* ---- items ---- */

/* A chunk that the file cuts off: its whole frames, or an empty slot. */
static ember_status edit_put_cut(ember_buffer *out, const ember_ff7_chunk *chunk, ember_error *err)
{
    ember_arena    arena = ember_arena_growing(out->allocator, 0);
    ember_ff7_clip clip;
    ember_status   status = ember_ff7_decode(&clip, chunk, &arena, err);
    if (status == EMBER_OK && clip.frame_count != 0)
        status = ember_ff7_encode(out, &clip, chunk->key, NULL, err);
    else if (status == EMBER_OK && !emberi_ff7_put_chunk(out, chunk->bones_field, 1, emberi_ff7_empty_slot,
                                                         sizeof(emberi_ff7_empty_slot)))
        status = emberi_fail_memory(err);
    ember_arena_free(&arena);
    return status;
}

/* Appends one item of a pack, without the count. */
static ember_status edit_put_item(ember_buffer *out, const ember_ff7_item *item, ember_error *err)
{
    const ember_ff7_chunk *chunk = item->chunk;
    if (chunk == NULL)
        return ember_ff7_encode(out, item->clip, item->key, NULL, err);
    if ((chunk->odd & EMBER_FF7_ODD_CUT) != 0)
        return edit_put_cut(out, chunk, err);
    return emberi_ff7_put_chunk(out, chunk->bones_field, chunk->frames_field, chunk->payload,
                                chunk->payload_size)
               ? EMBER_OK
               : emberi_fail_memory(err);
}

static bool edit_put_count(ember_buffer *out, uint32_t count)
{
    uint8_t *room = ember_buffer_grow(out, EMBERI_FF7_COUNT_SIZE);
    if (room != NULL)
        emberi_put_u32(room, count);
    return room != NULL;
}

ember_status ember_ff7_pack_write(ember_buffer *out, const ember_ff7_item *items, uint32_t count,
                                  const void *tail, size_t tail_size, ember_error *err)
{
    size_t       start = out->size;
    ember_status status = edit_put_count(out, count) ? EMBER_OK : emberi_fail_memory(err);
    for (uint32_t i = 0; i < count && status == EMBER_OK; i++) {
        ember_error local = EMBER_ERROR_INIT;
        status = edit_put_item(out, &items[i], &local);
        if (status != EMBER_OK)
            (void)emberi_ff7_fail_clip(err, status, &local,
                                       items[i].chunk != NULL ? items[i].chunk->kind : items[i].clip->kind,
                                       i);
    }
    if (status == EMBER_OK && !ember_buffer_append(out, tail, tail_size))
        status = emberi_fail_memory(err);
    if (status != EMBER_OK)
        out->size = start;
    return status;
}

/* ---- whole packs ---- */

typedef struct edit_job {
    ember_buffer         *out;
    const ember_ff7_pack *pack;
    ember_ff7_report     *report;
    const ember_notes    *notes;
    ember_error          *err;
    ember_arena           arena; /* emptied after every chunk */
} edit_job;

typedef ember_status (*edit_chunk)(edit_job *job, const ember_ff7_chunk *chunk);

static ember_status edit_copy(edit_job *job, const ember_ff7_chunk *chunk)
{
    ember_ff7_item item = {chunk, NULL, 0};
    return edit_put_item(job->out, &item, job->err);
}

static ember_status edit_run(edit_job *job, edit_chunk each, bool keep_tail)
{
    const ember_ff7_pack *pack = job->pack;
    size_t                start = job->out->size;
    ember_ff7_report      none;
    job->report = job->report != NULL ? job->report : &none;
    *job->report = (ember_ff7_report){.before = pack->size, .clip_count = pack->chunk_count};
    job->arena = ember_arena_growing(job->out->allocator, 0);
    ember_status status =
        edit_put_count(job->out, pack->chunk_count) ? EMBER_OK : emberi_fail_memory(job->err);
    for (uint32_t i = 0; i < pack->chunk_count && status == EMBER_OK; i++) {
        ember_arena_mark       mark = ember_arena_save(&job->arena);
        const ember_ff7_chunk *chunk = &pack->chunks[i];
        size_t                 at = job->out->size;
        status = each(job, chunk);
        size_t size = job->out->size - at;
        if (status == EMBER_OK && (size != EMBERI_FF7_HEADER_SIZE + (size_t)chunk->payload_size ||
                                   memcmp(job->out->data + at, pack->data + chunk->offset, size) != 0))
            job->report->changed++;
        ember_arena_restore(&job->arena, mark);
    }
    if (status == EMBER_OK && keep_tail && pack->tail_offset < pack->size &&
        pack->chunk_count == pack->count_field &&
        !ember_buffer_append(job->out, pack->data + pack->tail_offset, pack->size - pack->tail_offset))
        status = emberi_fail_memory(job->err);
    ember_arena_free(&job->arena);
    if (status != EMBER_OK)
        job->out->size = start;
    job->report->after = job->out->size - start;
    return status;
}

/* ---- repack ---- */

static void edit_note(const edit_job *job, const ember_ff7_chunk *chunk, uint32_t odd, const char *done)
{
    emberi_notef(job->notes, EMBER_NOTE_WARNING, emberi_ff7_name_of(chunk->kind, chunk->index).text, NULL,
                 "%s: %s", ember_ff7_odd_text(chunk, odd).text, done);
}

static ember_status edit_repack_chunk(edit_job *job, const ember_ff7_chunk *chunk)
{
    ember_ff7_clip clip;
    size_t         start = job->out->size;
    if (chunk->kind != EMBER_FF7_SPECIAL && (chunk->odd & ODD_BROKEN) != 0 &&
        (chunk->odd & EMBER_FF7_ODD_CUT) == 0)
        edit_note(job, chunk, chunk->odd & ODD_BROKEN, "left as it is, for ember ff7 repair");
    if (chunk->kind == EMBER_FF7_SPECIAL || (chunk->odd & ODD_BROKEN) != 0)
        return edit_copy(job, chunk);
    ember_status status = ember_ff7_decode(&clip, chunk, &job->arena, job->err);
    if (status == EMBER_OK)
        status = ember_ff7_encode(job->out, &clip, chunk->key, NULL, job->err);
    if (status != EMBER_OK)
        return status;
    size_t before = EMBERI_FF7_HEADER_SIZE + (size_t)chunk->payload_size, after = job->out->size - start;
    if (after >= before) {
        job->out->size = start;
        return edit_copy(job, chunk);
    }
    emberi_notef(job->notes, EMBER_NOTE_DETAIL, emberi_ff7_name_of(chunk->kind, chunk->index).text, NULL,
                 "%zu bytes instead of %zu", after, before);
    return EMBER_OK;
}

ember_status ember_ff7_repack(ember_buffer *out, const ember_ff7_pack *pack, ember_ff7_report *report,
                              const ember_notes *notes, ember_error *err)
{
    edit_job job = {.out = out, .pack = pack, .report = report, .notes = notes, .err = err};
    return edit_run(&job, edit_repack_chunk, false);
}

/* ---- repair ---- */

/* Says what is done about each oddity, and counts. */
static void edit_tell_repair(edit_job *job, const ember_ff7_chunk *chunk)
{
    static const struct {
        uint32_t    odd;
        const char *done;
    } cures[] = {
        {EMBER_FF7_ODD_HEADER, "the counter is put in"},
        {EMBER_FF7_ODD_CUT, "ended after its last whole frame"},
        {EMBER_FF7_ODD_FEWER, "counted anew"},
        {EMBER_FF7_ODD_MORE, "all are kept and counted"},
        {EMBER_FF7_ODD_SIZE, "corrected"},
        {EMBER_FF7_ODD_COUNTERS, "made the same"},
        {EMBER_FF7_ODD_KEY, "written with a key of 0"},
    };
    for (size_t i = 0; i < sizeof(cures) / sizeof(cures[0]); i++)
        if ((chunk->odd & cures[i].odd) != 0)
            edit_note(job, chunk, cures[i].odd, cures[i].done);
    if ((chunk->odd & EMBER_FF7_ODD_FEWER) != 0)
        job->report->lost_frames += chunk->frames_short - chunk->frame_count;
    job->report->repaired++;
}

static ember_status edit_repair_chunk(edit_job *job, const ember_ff7_chunk *chunk)
{
    ember_ff7_clip clip;
    if (chunk->kind == EMBER_FF7_SPECIAL && chunk->payload_size == sizeof(emberi_ff7_empty_slot))
        return edit_copy(job, chunk);
    if (chunk->kind != EMBER_FF7_SPECIAL && (chunk->odd & (ODD_BROKEN | EMBER_FF7_ODD_COUNTERS)) == 0)
        return edit_copy(job, chunk);
    if (chunk->kind == EMBER_FF7_SPECIAL || chunk->frame_count == 0) {
        edit_note(job, chunk, EMBER_FF7_ODD_NOTHING, "an empty slot is put there");
        job->report->repaired++;
        job->report->lost_frames += chunk->frames_short;
        return emberi_ff7_put_chunk(job->out, chunk->bones_field, 1, emberi_ff7_empty_slot,
                                    sizeof(emberi_ff7_empty_slot))
                   ? EMBER_OK
                   : emberi_fail_memory(job->err);
    }
    edit_tell_repair(job, chunk);
    ember_status status = ember_ff7_decode(&clip, chunk, &job->arena, job->err);
    uint32_t     key = emberi_ff7_key_known(chunk->key) ? chunk->key : EMBER_FF7_KEY_AUTO;
    return status == EMBER_OK ? ember_ff7_encode(job->out, &clip, key, NULL, job->err) : status;
}

ember_status ember_ff7_repair(ember_buffer *out, const ember_ff7_pack *pack, ember_ff7_report *report,
                              const ember_notes *notes, ember_error *err)
{
    edit_job     job = {.out = out, .pack = pack, .report = report, .notes = notes, .err = err};
    ember_status status = edit_run(&job, edit_repair_chunk, true);
    if (status == EMBER_OK && pack->chunk_count != pack->count_field)
        emberi_notef(job.notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%u clips are counted, %u are there: counted anew", (unsigned)pack->count_field,
                     (unsigned)pack->chunk_count);
    return status;
}
