/* SPDX-License-Identifier: MIT */
/* How the library tells whoever listens. */
#ifndef EMBER_MODEL_NOTE_H
#define EMBER_MODEL_NOTE_H

#include "ember/model.h"

/* Clip and bone may be NULL; so may the notes, to whom nobody listens then. */
void emberi_notef(const ember_notes *notes, ember_note_kind kind, const char *clip, const char *bone,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* What a change of space could not keep, as warnings about the clip. */
void emberi_note_space_losses(const ember_notes *notes, const ember_model *model, const ember_clip *clip,
                              const ember_space_losses *losses);

#endif
