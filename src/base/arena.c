/* SPDX-License-Identifier: MIT */
/* The arena: blocks from an allocator, or one block that the caller owns. A restore frees every block that
   was begun after the mark, so that a reader that fails leaves nothing behind. */
#include "base/check.h"
#include "base/sizes.h"
#include "ember/base.h"

struct ember_arena_block {
    struct ember_arena_block *older;
    uint8_t                  *older_base; /* what the arena's fields were before this block */
    size_t                    older_size;
    size_t                    older_used;
    size_t                    size; /* of the allocation, this header included */
};

#define ARENA_FIRST_BLOCK ((size_t)16 << 10)
#define ARENA_DEFAULT_LIMIT ((size_t)1 << 30)

ember_arena ember_arena_fixed(void *memory, size_t size)
{
    ember_arena arena;
    emberi_fill(&arena, 0, sizeof(arena));
    arena.base = memory;
    arena.size = memory != NULL ? size : 0;
    return arena;
}

ember_arena ember_arena_growing(ember_allocator allocator, size_t limit_size)
{
    ember_arena arena;
    EMBERI_ASSERT(allocator.resize != NULL);
    emberi_fill(&arena, 0, sizeof(arena));
    arena.allocator = allocator;
    arena.limit = limit_size != 0 ? limit_size : ARENA_DEFAULT_LIMIT;
    return arena;
}

/* Where a request would start in the block in use; false if it does not fit. */
static bool arena_fits(const ember_arena *arena, size_t size, size_t align, size_t *start)
{
    if (arena->base == NULL)
        return false;
    size_t pad = ((size_t)0 - (size_t)((uintptr_t)arena->base + arena->used)) & (align - 1);
    size_t left = arena->size - arena->used;
    if (pad > left || size > left - pad)
        return false;
    *start = arena->used + pad;
    return true;
}

static bool arena_add_block(ember_arena *arena, size_t size, size_t align)
{
    size_t need;
    if (arena->allocator.resize == NULL || !emberi_add_size(&need, size, align) ||
        !emberi_add_size(&need, need, sizeof(struct ember_arena_block)))
        return false;
    size_t left = arena->limit - arena->total;
    if (need > left)
        return false;
    /* Blocks double, so that the number of them stays small; near the limit a block is just what
       is asked for. */
    size_t want = arena->total < ARENA_FIRST_BLOCK ? ARENA_FIRST_BLOCK : arena->total;
    if (want < need || want > left)
        want = need;
    struct ember_arena_block *block = arena->allocator.resize(arena->allocator.user, NULL, 0, want);
    if (block == NULL && want > need) {
        want = need;
        block = arena->allocator.resize(arena->allocator.user, NULL, 0, want);
    }
    if (block == NULL)
        return false;
    block->older = arena->blocks;
    block->older_base = arena->base;
    block->older_size = arena->size;
    block->older_used = arena->used;
    block->size = want;
    arena->blocks = block;
    arena->base = (uint8_t *)block + sizeof(*block);
    arena->size = want - sizeof(*block);
    arena->used = 0;
    arena->total += want;
    return true;
}

void *ember_arena_push(ember_arena *arena, size_t count, size_t elem_size, size_t align)
{
    size_t size, start;
    EMBERI_ASSERT(align != 0 && (align & (align - 1)) == 0);
    if (!emberi_mul_size(&size, count, elem_size))
        return NULL;
    if (!arena_fits(arena, size, align, &start)) {
        if (!arena_add_block(arena, size, align) || !arena_fits(arena, size, align, &start))
            return NULL;
    }
    arena->used = start + size;
    emberi_fill(arena->base + start, 0, size);
    return arena->base + start;
}

ember_arena_mark ember_arena_save(const ember_arena *arena)
{
    ember_arena_mark mark = {arena->blocks, arena->used};
    return mark;
}

static void arena_drop_block(ember_arena *arena)
{
    struct ember_arena_block *block = arena->blocks;
    arena->blocks = block->older;
    arena->base = block->older_base;
    arena->size = block->older_size;
    arena->used = block->older_used;
    arena->total -= block->size;
    arena->allocator.resize(arena->allocator.user, block, block->size, 0);
}

void ember_arena_restore(ember_arena *arena, ember_arena_mark mark)
{
    while (arena->blocks != mark.block)
        arena_drop_block(arena);
    arena->used = mark.used;
}

void ember_arena_free(ember_arena *arena)
{
    while (arena->blocks != NULL)
        arena_drop_block(arena);
    arena->used = 0;
}
