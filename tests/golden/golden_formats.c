/* SPDX-License-Identifier: MIT */
/* In place of the formats that no game needs, so that golden_play needs no library beside Ember's own files:
   their names are known, and nothing is read or written. */
#include "engine/machine_internal.h"
#include "format/ops.h"

#define FORMAT_ABSENT(word, which)                  \
    const emberi_format_ops emberi_##word##_ops = { \
        .info = {.format = which, .name = #word, .extensions = ""}};

FORMAT_ABSENT(json, EMBER_FORMAT_JSON)
FORMAT_ABSENT(gltf, EMBER_FORMAT_GLTF)
FORMAT_ABSENT(glb, EMBER_FORMAT_GLB)
FORMAT_ABSENT(fbx, EMBER_FORMAT_FBX)
FORMAT_ABSENT(animbin, EMBER_FORMAT_ANIMBIN)
FORMAT_ABSENT(bvh, EMBER_FORMAT_BVH)
FORMAT_ABSENT(ff7, EMBER_FORMAT_FF7)
FORMAT_ABSENT(ff7aa, EMBER_FORMAT_FF7AA)
FORMAT_ABSENT(obj, EMBER_FORMAT_OBJ)

#ifdef PLAY_WITHOUT_OBJECTS
/* Nor is there an engine that a game could change to. */
void emberi_successor_poll(ember_machine *machine) { (void)machine; }
void emberi_successor_free(ember_machine *machine) { (void)machine; }
#endif
