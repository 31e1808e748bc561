/* SPDX-License-Identifier: MIT */
/* What the files that make objects share: the texts of guest/, put into the library when it is built, and the
   compiler's flags. */
#ifndef EMBER_ENGINE_OBJECT_H
#define EMBER_ENGINE_OBJECT_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t emberi_guest_abi_text[], emberi_guest_runtime_text[], emberi_guest_shim_text[];
extern const size_t  emberi_guest_abi_size, emberi_guest_runtime_size, emberi_guest_shim_size;

extern const char *const emberi_object_flags[]; /* ended by NULL */

#endif
