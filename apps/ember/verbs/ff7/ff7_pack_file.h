/* SPDX-License-Identifier: MIT */
/* A pack of Final Fantasy VII as a file of the command line: its bytes, its skeleton if there is one,
   and its chunks. */
#ifndef EMBER_APP_FF7_PACK_FILE_H
#define EMBER_APP_FF7_PACK_FILE_H

#include "cli/args.h"
#include "ember/ff7.h"

typedef struct ff7_pack {
    const char        *path;
    const char        *name; /* in messages */
    ember_buffer       bytes;
    ember_arena        arena;
    ember_ff7_skeleton skeleton; /* no bones: none */
    ember_ff7_pack     pack;
} ff7_pack;

/* Reads the pack. Its skeleton is --skeleton's if given, else rtaa beside rtda if there is such a file. False
   with one line said; close it in both cases. */
bool ff7_pack_open(ff7_pack *out, const char *path, const char *skeleton, app_say *say);
void ff7_pack_close(ff7_pack *pack);

/* Whether files of the format are skeletons of packs. */
bool ff7_is_skeleton(const ember_format_info *info);

/* Takes a file's bytes apart. False with one line said where they are something else: what is written of a
   file that only happens to have a number in front would be empty slots. */
bool ff7_pack_read(ember_ff7_pack *out, const ember_buffer *bytes, const char *path,
                   const ember_ff7_skeleton *skeleton, ember_arena *arena, app_say *say);

/* Warns of what is wrong with the pack as a whole and changes when it is written: the count and a last chunk
   that is cut off (if `chunks`), and bytes behind it, of which `tail` says what becomes of them. */
void ff7_pack_tell(const ff7_pack *file, bool chunks, const char *tail, app_say *say);

/* Whether the file is called like a pack: ??da or *.a00, in any case. */
bool ff7_pack_is_named(const char *path);

/* A number of a chunk: false with one line said where it is none, or beyond `count`. */
bool ff7_chunk_number(uint32_t *out, const char *word, uint32_t count, const ff7_pack *pack, app_say *say);

/* Marks the chunks that "3", "7-9" or several of them name. False with one line said. */
bool ff7_chunk_list(bool *marked, const char *const *words, size_t count, const ff7_pack *pack, app_say *say);

#endif
