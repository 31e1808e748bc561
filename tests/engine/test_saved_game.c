/* SPDX-License-Identifier: MIT */
/* The bytes of a snapshot: what its hash covers, saved games as files, and that nothing but a state of the
   same game is ever restored. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "engine/games.h"
#include "engine/machine_internal.h"

#define HEAD 48 /* of a file */
#define PAGE 65536u

/* Every mutable kind of global between ones that are not, and three segments of which the middle one
   can be dropped. */
static const char small[] =
    "(module (memory (export \"memory\") 1 3) (global (mut i32) (i32.const -2)) (global i32 (i32.const 7))"
    "(global (mut f64) (f64.const 1)) (global i64 (i64.const 8)) (global (mut f32) (f32.const -1)) (global "
    "(mut "
    "i64) (i64.const 0x0102030405060708)) (data (i32.const 5) \"abc\") (data $p \"once\") (data $e \"\")"
    "(func (export \"init\") (i32.store (i32.const 65532) (i32.const 0x11223344)))"
    "(func (export \"update\") (data.drop $p))"
    "(func (export \"render\") (drop (memory.grow (i32.const 1)))))";

typedef struct saved {
    ember_machine  *machine;
    ember_snapshot *snapshot;
    uint8_t        *file;
    size_t          size;
} saved;

static uint64_t hash_of(ember_machine *machine)
{
    ember_snapshot *snapshot;
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(snapshot, machine), EMBER_OK);
    uint64_t hash = ember_snapshot_hash(snapshot);
    ember_snapshot_destroy(snapshot);
    return hash;
}

static saved saved_make(const char *wat)
{
    saved       s = {.machine = game_load(wat)};
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_init(s.machine, &err), EMBER_OK);
    assert_int_equal(ember_snapshot_create(&s.snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(s.snapshot, s.machine), EMBER_OK);
    s.size = ember_snapshot_file_size(s.snapshot);
    s.file = test_alloc(s.size);
    ember_snapshot_write(s.file, s.snapshot);
    return s;
}

static void saved_free(saved *s)
{
    free(s->file);
    ember_snapshot_destroy(s->snapshot);
    ember_machine_unload(s->machine);
}

/* What a file's restore says, the hash put right before. Nothing may have changed where it is refused. */
static ember_status saved_restore(saved *s)
{
    ember_error err = EMBER_ERROR_INIT;
    uint64_t    before = hash_of(s->machine);
    emberi_put_u64(s->file + 40, XXH3_64bits(s->file + HEAD, s->size - HEAD));
    ember_status status = ember_snapshot_read(s->snapshot, s->file, s->size, &err);
    if (status == EMBER_OK)
        status = ember_machine_restore(s->machine, s->snapshot);
    if (status != EMBER_OK)
        assert_true(hash_of(s->machine) == before);
    return status;
}

TEST(the_hash_is_of_memory_globals_segments_and_the_console)
{
    saved    s = saved_make(small);
    size_t   console = ember_console_state_size(ember_machine_console(s.machine));
    size_t   size = 8 + PAGE + 4 * 8 + 3 + 4 + console;
    uint8_t *block = test_alloc(size), *at = block + 8 + PAGE;
    memset(block, 0, size);
    emberi_put_u32(block, 1);
    emberi_put_u32(block + 4, PAGE);
    memcpy(block + 8 + 5, "abc", 3);
    emberi_put_u32(block + 8 + 65532, 0x11223344);
    emberi_put_u64(at, 0xfffffffe);
    emberi_put_u64(at + 8, UINT64_C(0x3ff0000000000000));
    emberi_put_u64(at + 16, 0xbf800000);
    emberi_put_u64(at + 24, UINT64_C(0x0102030405060708));
    memcpy(at + 32, "\1\0\1", 3);
    emberi_put_u32(at + 35, 1);
    ember_console_state_save(ember_machine_console(s.machine), at + 39);
    assert_memory_equal(s.file + HEAD, block, size);
    assert_int_equal(s.size, HEAD + size);
    assert_true(ember_snapshot_hash(s.snapshot) == XXH3_64bits(block, size));
    assert_true(emberi_get_u64(s.file + 16) == ember_machine_game_hash(s.machine));
    /* A dropped segment is another state. */
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_update(s.machine, game_no_inputs, &err), EMBER_OK);
    assert_int_equal(ember_machine_save(s.snapshot, s.machine), EMBER_OK);
    ember_snapshot_write(s.file, s.snapshot);
    assert_memory_equal(s.file + HEAD + 8 + PAGE + 32, "\1\1\1", 3);
    free(block);
    saved_free(&s);
}

TEST(a_saved_game_goes_on_in_another_machine)
{
    saved           s = saved_make(small);
    ember_machine  *other = game_load(small);
    ember_snapshot *read;
    ember_error     err = EMBER_ERROR_INIT;
    assert_int_equal(ember_snapshot_create(&read, ember_heap()), EMBER_OK);
    assert_int_equal(ember_snapshot_file_size(read), 0);
    assert_true(ember_snapshot_hash(read) == 0);
    assert_int_equal(ember_snapshot_read(read, s.file, s.size, &err), EMBER_OK);
    assert_int_equal(ember_machine_restore(other, read), EMBER_OK);
    assert_true(hash_of(other) == ember_snapshot_hash(s.snapshot));
    assert_int_equal(ember_machine_init(other, &err), EMBER_E_ARG); /* it ran before the game was saved */
    ember_snapshot_destroy(read);
    ember_machine_unload(other);
    saved_free(&s);
}

TEST(another_games_snapshot_changes_nothing)
{
    /* The second one's table is smaller, and it calls where the first one's table still is. */
    saved a =
        saved_make("(module (type $v (func)) (memory (export \"memory\") 1) (global (mut i32) (i32.const "
                   "0)) (table 65536 funcref) (func (export \"init\")))");
    saved b =
        saved_make("(module (type $v (func)) (memory (export \"memory\") 1) (table 1 funcref) (global (mut "
                   "i32) (i32.const 0)) (func (export \"init\")) (func (export \"update\") (call_indirect "
                   "(type $v) (i32.const 60000))))");
    ember_error err = EMBER_ERROR_INIT;
    uint64_t    before = hash_of(b.machine);
    assert_int_equal(ember_machine_restore(b.machine, a.snapshot), EMBER_E_ARG);
    assert_true(hash_of(b.machine) == before);
    assert_int_equal(ember_machine_update(b.machine, game_no_inputs, &err), EMBER_E_TRAP);
    assert_says(err.text, "indirect call");
    saved_free(&a);
    saved_free(&b);
}

TEST(a_saved_game_survives_every_prefix_and_rejects_extra_bytes)
{
    saved       s = saved_make(small);
    ember_error err = EMBER_ERROR_INIT;
    uint64_t    before = ember_snapshot_hash(s.snapshot);
    for (size_t size = 0; size < s.size; size += size < 200 || size > s.size - 200 ? 1 : 997) {
        uint8_t *part = test_exact_copy(s.file, size);
        err = (ember_error)EMBER_ERROR_INIT;
        assert_int_equal(ember_snapshot_read(s.snapshot, part, size, &err), EMBER_E_ARG);
        assert_true(err.text[0] != '\0');
        free(part);
    }
    uint8_t *longer = test_alloc(s.size + 1);
    memcpy(longer, s.file, s.size);
    longer[s.size] = 0;
    assert_int_equal(ember_snapshot_read(s.snapshot, longer, s.size + 1, &err), EMBER_E_ARG);
    free(longer);
    assert_true(ember_snapshot_hash(s.snapshot) == before); /* it is as before */
    saved_free(&s);
}

TEST(a_damaged_saved_game_is_refused)
{
    saved       s = saved_make(small);
    ember_error err = EMBER_ERROR_INIT;
    for (size_t at = 0; at < s.size; at += at < HEAD + 16 || at > HEAD + PAGE ? 1 : 4099) {
        if (at >= 16 && at < 24)
            continue; /* the game's hash: the restore's to find out */
        s.file[at] ^= 0x10;
        assert_int_equal(ember_snapshot_read(s.snapshot, s.file, s.size, &err), EMBER_E_ARG);
        s.file[at] ^= 0x10;
    }
    s.file[17] ^= 1;
    assert_int_equal(saved_restore(&s), EMBER_E_ARG);
    saved_free(&s);
}

TEST(a_saved_game_of_another_version_is_refused_by_name)
{
    saved       s = saved_make(small);
    ember_error err = EMBER_ERROR_INIT;
    emberi_put_u32(s.file + 8, 2);
    assert_int_equal(ember_snapshot_read(s.snapshot, s.file, s.size, &err), EMBER_E_ARG);
    assert_says(err.text, "another version");
    saved_free(&s);
}

/* Files that somebody made: right in themselves, and no state of this game. */
TEST(a_state_that_the_game_cannot_be_in_is_refused)
{
    saved  s = saved_make(small);
    size_t console = HEAD + 8 + PAGE + 4 * 8 + 3 + 4;
    assert_int_equal(saved_restore(&s), EMBER_OK);
    static const struct {
        size_t   at; /* in the console's state: docs/formats/snapshot.md */
        uint32_t value;
    } bad[] = {{200, 3}, {204, 1u << 20}, {208, 9}, {212, 5}, {220, 100000}, {224, 65}, {228, 1}};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint8_t *at = s.file + console + bad[i].at;
        uint32_t old = emberi_get_u32(at);
        if (bad[i].at == 220) /* bones, of a pose that has some */
            emberi_put_u32(s.file + console + 208, EMBER_DRAW_POSE_BONES);
        emberi_put_u32(at, bad[i].value);
        assert_int_equal(saved_restore(&s), EMBER_E_ARG);
        emberi_put_u32(at, old);
        if (bad[i].at == 220)
            emberi_put_u32(s.file + console + 208, 0);
    }
    emberi_put_u32(s.file + console - 4, 2); /* initialised */
    assert_int_equal(saved_restore(&s), EMBER_E_ARG);
    emberi_put_u32(s.file + console - 4, 1);
    assert_int_equal(saved_restore(&s), EMBER_OK);
    saved_free(&s);
}

TEST(no_saved_game_makes_the_memory_larger_than_the_game_may)
{
    saved s = saved_make(small);
    for (uint32_t pages = 0; pages < 6; pages++) {
        size_t   size = s.size - PAGE + (size_t)pages * PAGE;
        uint8_t *file = calloc(1, size), *old = s.file;
        size_t   old_size = s.size;
        assert_non_null(file);
        memcpy(file, s.file, HEAD + 8);
        memcpy(file + HEAD + 8 + (size_t)pages * PAGE, s.file + HEAD + 8 + PAGE, s.size - HEAD - 8 - PAGE);
        emberi_put_u32(file + 24, pages * PAGE);
        emberi_put_u32(file + HEAD + 4, pages * PAGE);
        s.file = file;
        s.size = size;
        /* one page at the start, three at the most */
        assert_int_equal(saved_restore(&s), pages >= 1 && pages <= 3 ? EMBER_OK : EMBER_E_ARG);
        s.file = old;
        s.size = old_size;
        free(file);
    }
    saved_free(&s);
}
