/* SPDX-License-Identifier: MIT */
/* The rules for what a clip has of Final Fantasy VII: its raw part in JSON, and models that a pack cannot
   hold.
   Covers: ff7_json.c, ff7_part.c, ff7_skeleton.c, ff7_write.c. */
#include "format/fixture.h"

#include "ember/ff7.h"

TEST(a_skeleton_without_bones_is_none)
{
    static const uint8_t empty_pack[4];
    ember_skeleton       nobody = {.bone_count = 0};
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    ember_model          model =
        fixture_read(empty_pack, sizeof(empty_pack),
                     (ember_read_options){.format = EMBER_FORMAT_FF7, .skeleton = &nobody}, &arena);
    assert_int_equal(model.clip_count, 0);
    ember_arena_free(&arena);
}

/* ---- the raw part in JSON ---- */

#define ONE "[0,0,0,1,0,0,0,1,1,1]"

/* A clip of one frame with that raw part; ' stands for ". */
static char *document_of(const char *raw)
{
    size_t size = strlen(raw) + 512;
    char  *text = test_alloc(size);
    snprintf(
        text, size,
        "{'format':'ember-clip','version':1,'bones':[{'name':'ff7','parent':-1},{'name':'root','parent':0},{'"
        "name':'bone_00'"
        ",'parent':1}],"
        "'clips':[{'name':'body_00','fps':15,'loop':false,'space':'local','frame_count':1,'frames':[[" ONE
        "," ONE "," ONE "]],'raw':{'format':'ff7',%s}}]}",
        raw);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    return text;
}

#define FIELDS "'key':0,'bones_field':2,'frames_field':1,'frames_short':1,'size_short':9"
#define FRAMES "'positions':[[1,-2,3]],'rotations':[[[0,0,0],[4,5,-6]]]"

TEST(raw_parts_are_read)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    char       *text = document_of("'kind':'body'," FIELDS "," FRAMES ",'weapon':{'kind':'weapon'," FIELDS
                                   ",'positions':[[7,8,9]],'rotations':[[[1,2,3]]]}");
    ember_model model =
        fixture_read(text, strlen(text), (ember_read_options){.format = EMBER_FORMAT_JSON}, &arena);
    const ember_ff7_clip *raw = ember_ff7_clip_of(&model.clips[0]);
    assert_non_null(raw);
    assert_true(raw->kind == EMBER_FF7_BODY && raw->triple_count == 2 && raw->frame_count == 1 &&
                raw->size_short == 9);
    assert_true(raw->positions[0].y == -2 && raw->rotations[1].x == 4 && raw->rotations[1].z == -6);
    assert_true(raw->weapon != NULL && raw->weapon->positions[0].z == 9 && raw->weapon->rotations[0].y == 2);
    free(text);
    text = document_of("'kind':'special'," FIELDS ",'positions':[],'rotations':[],'bytes':'0d0a00ff'");
    model = fixture_read(text, strlen(text), (ember_read_options){.format = EMBER_FORMAT_JSON}, &arena);
    raw = ember_ff7_clip_of(&model.clips[0]);
    assert_true(raw->kind == EMBER_FF7_SPECIAL && raw->frame_count == 0 && raw->byte_count == 4);
    assert_memory_equal(raw->bytes, "\x0d\x0a\x00\xff", 4);
    free(text);
    ember_arena_free(&arena);
}

TEST(raw_parts_that_cannot_be_are_refused)
{
    static const char *const list[][2] = {
        {FIELDS "," FRAMES, "kind"},
        {"'kind':3," FIELDS "," FRAMES, "kind"},
        {"'kind':'tail'," FIELDS "," FRAMES, "must be body, weapon or special"},
        {"'kind':'body','bones_field':2,'frames_field':1,'frames_short':1,'size_short':9," FRAMES, "key"},
        {"'kind':'body','key':256,'bones_field':2,'frames_field':1,'frames_short':1,'size_short':9," FRAMES,
         "key"},
        {"'kind':'body','key':0,'bones_field':-1,'frames_field':1,'frames_short':1,'size_short':9," FRAMES,
         "bones_field"},
        {"'kind':'body','key':0,'bones_field':2,'frames_field':'1','frames_short':1,'size_short':9," FRAMES,
         "frames_field"},
        {"'kind':'body','key':0,'bones_field':2,'frames_field':1,'frames_short':65536,'size_short':9," FRAMES,
         "frames_short"},
        {"'kind':'body','key':0,'bones_field':2,'frames_field':1,'frames_short':1,'size_short':0.5," FRAMES,
         "size_short"},
        {"'kind':'body'," FIELDS ",'rotations':[]", "positions"},
        {"'kind':'body'," FIELDS ",'positions':[]", "rotations"},
        {"'kind':'body'," FIELDS ",'positions':[[1,2,3]],'rotations':[]", "positions"},
        {"'kind':'body'," FIELDS ",'positions':[[1,2,3]],'rotations':[[]]", "0 triples"},
        {"'kind':'body'," FIELDS ",'positions':[[1,2,3],[1,2,3]],'rotations':[[[0,0,0]],[]]",
         "0 triples, must be 1"},
        {"'kind':'body'," FIELDS ",'positions':[[1,2]],'rotations':[[[0,0,0]]]", "2 numbers, must be 3"},
        {"'kind':'body'," FIELDS ",'positions':[4],'rotations':[[[0,0,0]]]", "positions"},
        {"'kind':'body'," FIELDS ",'positions':[[1,2,3]],'rotations':[[[0,0,40000]]]", "rotations"},
        {"'kind':'special'," FIELDS "," FRAMES, "a special chunk has no frames"},
        {"'kind':'special'," FIELDS ",'positions':[],'rotations':[],'bytes':7", "bytes"},
        {"'kind':'special'," FIELDS ",'positions':[],'rotations':[],'bytes':'0d0'",
         "not pairs of hexadecimal digits"},
        {"'kind':'special'," FIELDS ",'positions':[],'rotations':[],'bytes':'0g'",
         "not pairs of hexadecimal digits"},
        {"'kind':'body'," FIELDS "," FRAMES ",'weapon':[]", "weapon"},
        {"'kind':'body'," FIELDS "," FRAMES ",'weapon':{'kind':'weapon'}", "weapon.key"},
    };
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        char *text = document_of(list[i][0]);
        fixture_refuse(text, strlen(text), (ember_read_options){.format = EMBER_FORMAT_JSON},
                       EMBER_E_MALFORMED, list[i][1]);
        free(text);
    }
}

/* ---- models that a pack cannot hold ---- */

typedef struct figure {
    ember_model     model;
    ember_clip      clip;
    int16_t         parents[4];
    const char     *names[4];
    ember_transform rest[4], frames[4];
} figure;

static void figure_fill(figure *f)
{
    static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;
    static const char *const     names[4] = {"ff7", "root", "bone_00", "bone_01"};
    memset(f, 0, sizeof(*f));
    for (int i = 0; i < 4; i++) {
        f->parents[i] = (int16_t)(i - 1);
        f->names[i] = names[i];
        f->rest[i] = f->frames[i] = identity;
    }
    f->clip = (ember_clip){.name = "body_00",
                           .fps = 15.0,
                           .space = EMBER_SPACE_LOCAL,
                           .bone_count = 4,
                           .frame_count = 1,
                           .frames = f->frames};
    f->model.skeleton =
        (ember_skeleton){.bone_count = 4, .parents = f->parents, .names = f->names, .rest = f->rest};
    f->model.clip_count = 1;
    f->model.clips = &f->clip;
}

static void refuse(const figure *f, ember_ff7_options options, ember_status wanted, const char *words)
{
    fixture_refuse_write(&f->model, (ember_write_options){.format = EMBER_FORMAT_FF7, .ff7 = &options},
                         wanted, words);
}

TEST(models_that_a_pack_cannot_hold_are_refused)
{
    static const uint16_t   only_top[1] = {0};
    static const float      places[] = {40000.0f, -40000.0f};
    const ember_ff7_options none = {.key = 0};
    figure                  f;
    figure_fill(&f);
    ember_buffer file = fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_FF7});
    /* One clip: its header of 12 bytes and 5, three positions of 16 bits and three triples of 12, filled up
       to 4. */
    assert_int_equal(file.size, 4 + 12 + 28);
    ember_buffer_free(&file);
    refuse(&f, (ember_ff7_options){.key_set = true, .key = 3}, EMBER_E_ARG, "a key is 0, 2 or 4, not 3");
    f.clip.frame_count = 0;
    refuse(&f, none, EMBER_E_ARG, "body_00: the clip has no frames");
    figure_fill(&f);
    f.clip.bone_count = 1;
    f.clip.bones = only_top;
    refuse(&f, none, EMBER_E_ARG, "body_00: the clip moves neither root nor weapon");
    for (size_t i = 0; i < 2; i++) {
        figure_fill(&f);
        f.frames[1].position.z = places[i];
        refuse(&f, none, EMBER_E_RANGE, "body_00: root: frame 0: ");
        refuse(&f, none, EMBER_E_RANGE, "40000 is no position that 16 bits hold");
    }
    figure_fill(&f);
    f.names[1] = "hip";
    refuse(&f, none, EMBER_E_UNSUPPORTED, "no bone");
    figure_fill(&f);
    f.names[2] = "root";
    refuse(&f, none, EMBER_E_UNSUPPORTED, "more than one bone");
}

/* Without names the bones are taken in their order. */
TEST(bones_without_names_are_taken_in_order)
{
    figure f;
    figure_fill(&f);
    ember_buffer named = fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_FF7});
    f.model.skeleton.names = NULL;
    ember_buffer nameless = fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_FF7});
    assert_int_equal(named.size, nameless.size);
    assert_memory_equal(named.data, nameless.data, named.size);
    ember_buffer_free(&named);
    ember_buffer_free(&nameless);
}

TEST(what_is_left_out_is_said)
{
    figure              f;
    fixture_notes       notes;
    ember_write_options options = {.format = EMBER_FORMAT_FF7, .notes = fixture_listen(&notes)};
    figure_fill(&f);
    f.clip.fps = 24.0;
    f.frames[2].position.x = 3.0f;
    f.frames[2].scale.y = 1.5f;
    ember_buffer file = fixture_write(&f.model, options);
    assert_non_null(strstr(notes.text, "it has 24 frames a second, the game plays 15"));
    assert_non_null(strstr(notes.text, "scales of 1 bone"));
    assert_non_null(strstr(notes.text, "1 bone moves from the place the skeleton gives it"));
    assert_int_equal(notes.count[EMBER_NOTE_LOSS], 3); /* and the names */
    ember_buffer_free(&file);
}
