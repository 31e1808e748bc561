/* SPDX-License-Identifier: MIT */
/* Every format of this build, one line each, in the order in which they look at a file's bytes. NAME's table
   is emberi_NAME_ops, in the folder of its format. */
#ifndef EMBER_FORMAT_FORMATS_H
#define EMBER_FORMAT_FORMATS_H

#define EMBERI_FORMATS(FORMAT) \
    FORMAT(ewzanim)            \
    FORMAT(eza)                \
    FORMAT(json)               \
    FORMAT(animbin)            \
    FORMAT(bvh)                \
    FORMAT(obj)                \
    FORMAT(ewzskel)            \
    FORMAT(ewzmesh)            \
    FORMAT(gltf)               \
    FORMAT(glb)                \
    FORMAT(fbx)                \
    FORMAT(ff7)                \
    FORMAT(ff7aa)              \
    FORMAT(ewzlean)

#endif
