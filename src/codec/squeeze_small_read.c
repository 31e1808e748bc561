/* Small blocks are not read or written yet. */
#include "codec/squeeze_parts.h"

static ember_status small_open(ember_squeezed *block, ember_error *err)
{
    (void)block;
    return ember_fail(err, EMBER_E_UNSUPPORTED, 0, "squeezed clip is of a method that is not supported yet");
}

static ember_status small_encode(ember_squeeze_job *job, ember_arena *scratch)
{
    (void)job;
    (void)scratch;
    return EMBER_E_UNSUPPORTED;
}

const squeeze_method emberi_squeeze_small = {small_open, NULL, NULL, NULL, small_encode};
