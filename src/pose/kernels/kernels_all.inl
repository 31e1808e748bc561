/* SPDX-License-Identifier: MIT */
/* All kernels of one instruction set. The file that includes this names the lanes (LANES_...), the set
   (KERNELS_ISA) and its table (KERNELS_TABLE). */
#include "base/lanes/lanes.h"
#include "pose/kernels/kernels.h"

#include "pose/kernels/kernels_quat.inl"

#include "pose/kernels/kernels_pose.inl"

#include "pose/kernels/kernels_blend.inl"

#include "pose/kernels/kernels_matrix.inl"

#include "pose/kernels/kernels_skin.inl"

const emberi_kernels KERNELS_TABLE = {
    .isa = KERNELS_ISA,
    .decode = kernel_decode,
    .decode_lerp = kernel_decode_lerp,
    .lerp = kernel_lerp,
    .lerp_each = kernel_lerp_each,
    .slerp = kernel_slerp,
    .slerp_each = kernel_slerp_each,
    .blend = kernel_blend,
    .blend_masked = kernel_blend_masked,
    .additive_make = kernel_additive_make,
    .additive = kernel_additive,
    .additive_masked = kernel_additive_masked,
    .matrices = kernel_matrices,
    .compose = kernel_compose,
    .compose_steps = kernel_compose_steps,
    .palette = kernel_palette,
    .columns = kernel_columns,
    .largest_byte = kernel_largest_byte,
    .largest_short = kernel_largest_short,
    .skin = kernel_skin,
};
