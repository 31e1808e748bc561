/* SPDX-License-Identifier: MIT */
/* What reading one file may cost. All memory of a read, the model's and what is only needed on the way, goes
   through one allocator that counts, so that no count in a file can ask for more than the file's size gives
   reason for. */
#include <string.h>

#include "base/sizes.h"
#include "format/ops.h"
#include "platform/files.h"

/* A frame takes forty bytes a bone, and a track that stands still costs a file nothing: 66 bytes can say
   65535 frames of 256 bones. So any file may become a clip of some length, and from there on as much as its
   size gives reason for. What a verb does with a model takes a few times the model's memory; these figures
   keep all of it below 64 MiB for a file of 1 KB. */
#define BUDGET_FREE ((size_t)6 << 20)
#define BUDGET_PER_BYTE 1024u
#define BUDGET_MOST ((size_t)1 << 30)

size_t ember_memory_limit(size_t file_size)
{
    if (file_size >= (BUDGET_MOST - BUDGET_FREE) / BUDGET_PER_BYTE)
        return BUDGET_MOST;
    return BUDGET_FREE + file_size * BUDGET_PER_BYTE;
}

static void *budget_resize(void *user, void *memory, size_t old_size, size_t new_size)
{
    emberi_budget *budget = user;
    if (new_size > old_size &&
        (budget->used > budget->limit || new_size - old_size > budget->limit - budget->used)) {
        budget->refused = true;
        return NULL;
    }
    void *result = budget->inner.resize(budget->inner.user, memory, old_size, new_size);
    if (result != NULL || new_size == 0)
        budget->used = budget->used + new_size - old_size;
    return result;
}

void emberi_budget_open(emberi_budget *budget, size_t limit, size_t file_size, ember_arena *arena)
{
    memset(budget, 0, sizeof(*budget));
    budget->is_set = limit != 0;
    budget->limit = budget->is_set ? limit : ember_memory_limit(file_size);
    budget->file_size = file_size;
    budget->of_arena = arena->allocator;
    budget->inner = arena->allocator.resize != NULL ? arena->allocator : ember_heap();
    if (arena->allocator.resize != NULL)
        arena->allocator = (ember_allocator){budget_resize, budget};
}

void emberi_budget_close(emberi_budget *budget, ember_arena *arena) { arena->allocator = budget->of_arena; }

ember_status emberi_budget_fail(const emberi_budget *budget, ember_error *err)
{
    if (budget->is_set)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "needs more memory than the limit of %.4g MiB",
                            (double)budget->limit / 1048576.0);
    return emberi_failf(
        err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
        "needs more than %zu MiB, too much for a file of %zu bytes (a memory limit set by hand allows more)",
        budget->limit >> 20, budget->file_size);
}

ember_allocator emberi_source_heap(const emberi_source *source)
{
    if (source->budget != NULL)
        return (ember_allocator){budget_resize, source->budget};
    return source->arena->allocator.resize != NULL ? source->arena->allocator : ember_heap();
}

size_t emberi_source_limit(const emberi_source *source)
{
    return source->budget != NULL ? source->budget->limit : BUDGET_MOST;
}

bool emberi_source_take(const emberi_source *source, size_t count, size_t size)
{
    emberi_budget *budget = source->budget;
    size_t         bytes;
    if (budget == NULL)
        return true;
    if (!emberi_mul_size(&bytes, count, size) || budget->used > budget->limit ||
        bytes > budget->limit - budget->used) {
        (void)emberi_budget_fail(budget, source->err);
        return false;
    }
    budget->used += bytes;
    return true;
}

void emberi_source_give_back(const emberi_source *source, size_t bytes)
{
    if (source->budget != NULL)
        source->budget->used -= bytes;
}

ember_status emberi_source_read_beside(const emberi_source *source, ember_buffer *file, const char *path,
                                       ember_error *err)
{
    emberi_budget *budget = source->budget;
    size_t         most = BUDGET_MOST;
    file->allocator = emberi_source_heap(source);
    if (budget == NULL)
        return emberi_file_read_beside(file, source->options->path, path, 0, err);
    /* Its own bytes are reason enough for themselves; how many they are is only known when they are there. */
    file->allocator = budget->inner;
    if (budget->is_set)
        most = budget->limit > budget->used ? budget->limit - budget->used : 1;
    ember_status status = emberi_file_read_beside(file, source->options->path, path, most, err);
    budget->used += file->capacity;
    budget->file_size += file->size;
    if (!budget->is_set)
        budget->limit = ember_memory_limit(budget->file_size);
    return status;
}

void emberi_source_free_beside(const emberi_source *source, ember_buffer *file)
{
    if (file->data != NULL)
        emberi_source_give_back(source, file->capacity);
    ember_buffer_free(file);
}
