/* SPDX-License-Identifier: MIT */
/* Reading FBX through assimp. This is a library of its own, ember-fbx, for programs that want it: libember
   does not need assimp. */
#ifndef EMBER_FBX_H
#define EMBER_FBX_H

#include "format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Hand it to ember_model_read as one of options->readers. Takes are clips, units become metres, y is up. The
   file is parsed in a child process with limits of memory and time, because assimp may crash on hostile
   bytes: then that is the error. Other threads may read at the same time, if the C library lets a forked
   child allocate whatever they do, as glibc does. */
extern const ember_reader ember_fbx_reader;

#ifdef __cplusplus
}
#endif
#endif
