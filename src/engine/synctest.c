/* SPDX-License-Identifier: MIT */
/* The test of rollback: every frame is run, then the game is put back some frames and they are run again with
   the same inputs. Whatever a game's next state depends on must be in the snapshot, or the second time comes
   out differently. */
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "engine/machine_internal.h"

/* A frame that was run: the state before it, what was held, and what came of it. */
typedef struct synctest_frame {
    ember_snapshot *before;
    uint32_t        inputs[EMBER_CONSOLE_PLAYERS];
    uint64_t        number, state_hash, draws_hash;
} synctest_frame;

struct ember_synctest {
    ember_allocator allocator;
    uint32_t        depth;
    bool            replaying;
    uint64_t        count; /* frames run so far */
    ember_snapshot *after;
    synctest_frame *frames; /* the last `depth`, in a ring */
};

void ember_synctest_destroy(ember_synctest *test)
{
    if (test == NULL)
        return;
    ember_allocator allocator = test->allocator;
    ember_snapshot_destroy(test->after);
    for (uint32_t i = 0; test->frames != NULL && i < test->depth; i++)
        ember_snapshot_destroy(test->frames[i].before);
    if (test->frames != NULL)
        allocator.resize(allocator.user, test->frames, test->depth * sizeof(*test->frames), 0);
    allocator.resize(allocator.user, test, sizeof(*test), 0);
}

ember_status ember_synctest_create(ember_synctest **out, uint32_t depth, ember_allocator allocator)
{
    *out = NULL;
    if (depth == 0 || depth > EMBER_SYNCTEST_MAX)
        return EMBER_E_ARG;
    ember_synctest *test = allocator.resize(allocator.user, NULL, 0, sizeof(*test));
    if (test == NULL)
        return EMBER_E_NOMEM;
    *test = (ember_synctest){.allocator = allocator, .depth = depth};
    test->frames = allocator.resize(allocator.user, NULL, 0, depth * sizeof(*test->frames));
    ember_status status =
        test->frames != NULL ? ember_snapshot_create(&test->after, allocator) : EMBER_E_NOMEM;
    if (test->frames != NULL)
        memset(test->frames, 0, depth * sizeof(*test->frames));
    for (uint32_t i = 0; i < depth && status == EMBER_OK; i++)
        status = ember_snapshot_create(&test->frames[i].before, allocator);
    if (status != EMBER_OK) {
        ember_synctest_destroy(test);
        return status;
    }
    *out = test;
    return EMBER_OK;
}

static uint64_t synctest_hash_draws(ember_machine *machine)
{
    const ember_draw_list *list = ember_console_draws(machine->console);
    uint64_t               hash = XXH3_64bits_withSeed(&list->view, sizeof(list->view), list->clear_color);
    hash = XXH3_64bits_withSeed(&list->projection, sizeof(list->projection), hash);
    hash = XXH3_64bits_withSeed(list->draws, list->draw_count * sizeof(*list->draws), hash);
    return XXH3_64bits_withSeed(list->bones, list->bone_count * sizeof(*list->bones), hash);
}

/* One frame, and what came of it. */
static ember_status synctest_run(ember_synctest *test, ember_machine *machine, const uint32_t *inputs,
                                 uint64_t *state_hash, uint64_t *draws_hash, ember_error *err)
{
    ember_status status = ember_machine_update(machine, inputs, err);
    if (status == EMBER_OK)
        status = ember_machine_render(machine, err);
    if (status == EMBER_OK && ember_machine_save(test->after, machine) != EMBER_OK)
        status = emberi_fail_memory(err);
    if (status == EMBER_OK) {
        *state_hash = ember_snapshot_hash(test->after);
        *draws_hash = synctest_hash_draws(machine);
    }
    return status;
}

static ember_status synctest_replay(ember_synctest *test, ember_machine *machine, ember_error *err)
{
    uint64_t        first = test->count - test->depth;
    synctest_frame *start = &test->frames[first % test->depth];
    if (ember_machine_restore(machine, start->before) != EMBER_OK)
        return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                            "the state before frame %ju could not be restored", (uintmax_t)start->number);
    for (uint64_t i = first; i < test->count; i++) {
        synctest_frame *f = &test->frames[i % test->depth];
        uint64_t        state_hash, draws_hash;
        ember_status    status = synctest_run(test, machine, f->inputs, &state_hash, &draws_hash, err);
        if (status != EMBER_OK)
            return status;
        bool state_differs = state_hash != f->state_hash;
        if (state_differs || draws_hash != f->draws_hash)
            return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                                "desync: frame %ju %s differently when it was run again from before frame "
                                "%ju (hash %016jx, then %016jx)",
                                (uintmax_t)f->number, state_differs ? "ended" : "was drawn",
                                (uintmax_t)start->number,
                                (uintmax_t)(state_differs ? f->state_hash : f->draws_hash),
                                (uintmax_t)(state_differs ? state_hash : draws_hash));
    }
    return EMBER_OK;
}

ember_status ember_synctest_frame(ember_synctest *test, ember_machine *machine,
                                  const uint32_t inputs[EMBER_CONSOLE_PLAYERS], ember_error *err)
{
    synctest_frame *f = &test->frames[test->count % test->depth];
    memcpy(f->inputs, inputs, sizeof(f->inputs));
    f->number = ember_console_frame(machine->console) + 1;
    if (ember_machine_save(f->before, machine) != EMBER_OK)
        return emberi_fail_memory(err);
    ember_status status = synctest_run(test, machine, f->inputs, &f->state_hash, &f->draws_hash, err);
    if (status != EMBER_OK)
        return status;
    test->count++;
    if (test->count < test->depth)
        return EMBER_OK;
    test->replaying = true;
    status = synctest_replay(test, machine, err);
    test->replaying = false;
    return status;
}

bool ember_synctest_replaying(const ember_synctest *test) { return test->replaying; }
