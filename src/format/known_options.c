/* SPDX-License-Identifier: MIT */
/* Options of callers that were compiled with older or newer headers, made those of this library. Sizes are
   the caller's word and are believed only between the first version's and a bound. */
#include "format/known_options.h"

#include <string.h>

#include "base/fail.h"

/* Beyond what any version may have: catches options that were not initialised. */
#define OPTIONS_MOST ((size_t)4096)

/* The size in version 0.1: up to the end of what was its last member. It never changes. */
#define OPTIONS_FIRST(type, last) (offsetof(type, last) + sizeof(((type *)NULL)->last))

static ember_status options_take(void *out, size_t out_size, const void *options, size_t first_size,
                                 ember_error *err)
{
    size_t size = 0;
    memset(out, 0, out_size);
    if (options == NULL)
        return EMBER_OK;
    memcpy(&size, options, sizeof(size));
    size = size != 0 ? size : first_size;
    if (size < first_size || size > OPTIONS_MOST)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                            "options of %zu bytes: size is sizeof of the struct, or 0", size);
    for (size_t i = out_size; i < size; i++)
        if (((const uint8_t *)options)[i] != 0)
            return emberi_failf(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                                "an option is set that version " EMBER_VERSION " of the library lacks");
    memcpy(out, options, size < out_size ? size : out_size);
    memcpy(out, &out_size, sizeof(out_size));
    return EMBER_OK;
}

#define OPTIONS_TAKE(out, options, type, last) \
    EMBERI_TRY(options_take((out), sizeof(type), (options), OPTIONS_FIRST(type, last), err))

/* Options of one format: `to.all` points to the copy, or nowhere as the caller's does. */
#define OPTIONS_TAKE_PART(to, part, type, last)                       \
    do {                                                              \
        OPTIONS_TAKE(&(to)->part, (to)->all.part, type, last);        \
        (to)->all.part = (to)->all.part != NULL ? &(to)->part : NULL; \
    } while (0)

ember_status emberi_read_options_take(emberi_read_options *out, const ember_read_options *options,
                                      ember_error *err)
{
    OPTIONS_TAKE(&out->all, options, ember_read_options, ff7);
    OPTIONS_TAKE_PART(out, animbin, ember_animbin_options, basis);
    OPTIONS_TAKE_PART(out, bvh, ember_bvh_options, drop_tpose);
    OPTIONS_TAKE_PART(out, fbx, ember_fbx_options, layer_user);
    OPTIONS_TAKE_PART(out, ff7, ember_ff7_options, key);
    return EMBER_OK;
}

ember_status emberi_write_options_take(emberi_write_options *out, const ember_write_options *options,
                                       ember_error *err)
{
    OPTIONS_TAKE(&out->all, options, ember_write_options, ff7);
    OPTIONS_TAKE_PART(out, animbin, ember_animbin_options, basis);
    OPTIONS_TAKE_PART(out, ewzlean, ember_ewzlean_options, relative);
    OPTIONS_TAKE_PART(out, ewzmesh, ember_ewzmesh_options, unpacked);
    OPTIONS_TAKE_PART(out, eza, ember_eza_options, record);
    OPTIONS_TAKE_PART(out, ff7, ember_ff7_options, key);
    return EMBER_OK;
}
