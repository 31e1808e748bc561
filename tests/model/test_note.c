/* SPDX-License-Identifier: MIT */
/* A note is one line with its clip, told to whoever listens. */
#include "ember/ember.h"
#include "fixtures/notes.h"
#include "model/note.h"

TEST(a_note_is_one_line_without_control_characters)
{
    fixture_notes kept;
    ember_notes   notes = fixture_listen(&kept), deaf = {NULL, NULL};
    emberi_notef(&notes, EMBER_NOTE_DETAIL, NULL, NULL, "a%cb%c", '\n', 0x7f);
    assert_string_equal(kept.text, "D a?b?\n");
    emberi_notef(&deaf, EMBER_NOTE_DETAIL, NULL, NULL, "unheard");
}
