/* SPDX-License-Identifier: MIT */
/* The processor's part of a frame, apart so that it can be timed. */
#ifndef EMBER_GPU_SORTING_H
#define EMBER_GPU_SORTING_H

#include "ember/renderer.h"

/* Checks every draw of the list and fills the renderer's instances and batches, opaque ones first. */
ember_status emberi_batches_make(ember_renderer *renderer, const ember_draw_list *list, ember_error *err);

#endif
