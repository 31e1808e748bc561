/* SPDX-License-Identifier: MIT */
/* Coding one track of a lean clip: keys, the sine series between them, and for each block the template that
   costs least. Nothing here reads bytes of a file. */
#include "squeeze/lean/lean_encode.h"
#include "squeeze/squeeze_parts.h"

/* A bit costs as much as this many squared steps. */
#define LEAN_LAMBDA 0.10f
/* Steps that a coefficient may be cut by before blocks have to be shorter. */
#define LEAN_MOST_CUT 10.0f

uint32_t emberi_lean_step_for(double size, int32_t unit)
{
    uint32_t low = 0, high = LEAN_STEPS - 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if ((double)lean_step(middle, unit) <= size)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int32_t emberi_lean_round(double x)
{
    const double limit = 1073741824.0;
    x = x < -limit ? -limit : x > limit ? limit : x;
    return (int32_t)(x < 0.0 ? x - 0.5 : x + 0.5);
}

/* ---- keys ---- */

/* False where the keys do not fit into what the format has for them. */
static bool lean_code_keys(lean_encoder *e, lean_channel *c, uint32_t components, uint32_t component,
                           double key_step)
{
    const double inverse = 1.0 / key_step;
    int32_t      low = INT32_MAX, high = INT32_MIN;
    for (uint32_t i = 0; i <= e->block_count; i++) {
        const uint32_t frame = squeeze_key_frame(i, e->frame_count, e->block_count);
        const int32_t  key = emberi_lean_round(e->values[(size_t)frame * components + component] * inverse);
        c->keys[i] = key;
        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    c->min = low;
    c->key_bits = high == low ? 0 : 32u - emberi_leading_zeros32((uint32_t)high - (uint32_t)low);
    return low >= -(1 << LEAN_MOST_KEY) && c->key_bits <= LEAN_MOST_KEY &&
           low + (1 << c->key_bits) - 1 <= 1 << LEAN_MOST_KEY;
}

/* ---- templates ---- */

/* What a code makes of a coefficient. */
static int32_t lean_quantize(float x, uint32_t code)
{
    const uint32_t width = LEAN_WIDTH(code), shift = code >> 5;
    if (width == 0)
        return 0;
    const int32_t high = 1 << (width - 1), low = 1 - high;
    const float   scaled = x / (float)(1 << shift);
    int32_t       z = (int32_t)(scaled < -65536.0f  ? -65536.0f
                                : scaled > 65536.0f ? 65536.0f
                                : scaled < 0.0f     ? scaled - 0.5f
                                                    : scaled + 0.5f);
    z = z < low ? low : z > high ? high : z;
    if (z * (1 << shift) > INT16_MAX)
        z--;
    return z * (1 << shift);
}

/* Squared errors of a block's coefficients for every width. */
typedef struct lean_errors {
    float error[LEAN_SERIES][17];
    float series[LEAN_SERIES];
} lean_errors;

static void lean_errors_make(lean_errors *out, const float series[LEAN_SERIES])
{
    for (uint32_t j = 0; j < LEAN_SERIES; j++) {
        const float x = series[j];
        float       least = 0.0f;
        uint32_t    width = 0;
        out->series[j] = x;
        for (;; width++) {
            const int32_t z = lean_quantize(x, width);
            least = (x - (float)z) * (x - (float)z);
            out->error[j][width] = least;
            /* inside the range more bits change nothing */
            if (width == 16 || (width != 0 && z < 1 << (width - 1) && z > 1 - (1 << (width - 1))) ||
                (z == 0 && x < 0.5f && x > -0.5f))
                break;
        }
        while (width < 16)
            out->error[j][++width] = least;
    }
}

static float lean_error_of(const lean_errors *errors, uint32_t j, uint32_t code)
{
    if (code < 17)
        return errors->error[j][code];
    const float difference = errors->series[j] - (float)lean_quantize(errors->series[j], code);
    return difference * difference;
}

/* What a template costs, or anything not below `limit`. */
static float lean_cost(const lean_errors *errors, const lean_template *t, float limit)
{
    float cost = LEAN_LAMBDA * (float)(8u + t->bits);
    for (uint32_t j = 0; j < LEAN_SERIES && cost < limit; j += 3)
        cost =
            ((cost + lean_error_of(errors, j, t->code[j])) + lean_error_of(errors, j + 1, t->code[j + 1])) +
            lean_error_of(errors, j + 2, t->code[j + 2]);
    return cost;
}

/* `guess` is tried first: the better it is, the sooner others are given up. */
static uint8_t lean_choose(const lean_encoder *e, const lean_errors *errors, uint8_t guess)
{
    uint8_t best = guess;
    float   least = lean_cost(errors, &e->templates[guess], 3.0e38f), floor = 0.0f;
    /* what no template can undercut; a little less, as sums in another order round otherwise */
    for (uint32_t j = 0; j < LEAN_SERIES; j++)
        floor += 0.999f * errors->error[j][16];
    for (uint32_t i = 0; i < LEAN_TEMPLATES; i++) {
        if (LEAN_LAMBDA * (float)(8u + e->templates[i].bits) + floor > least)
            continue;
        const float cost = lean_cost(errors, &e->templates[i], least);
        if (cost < least || (cost == least && i < best)) {
            least = cost;
            best = (uint8_t)i;
        }
    }
    return best;
}

/* ---- blocks ---- */

typedef struct lean_span {
    uint32_t first, steps;
} lean_span;

static lean_span lean_span_of(const lean_encoder *e, uint32_t block)
{
    const uint32_t first = squeeze_key_frame(block, e->frame_count, e->block_count);
    return (lean_span){first, squeeze_key_frame(block + 1, e->frame_count, e->block_count) - first};
}

/* The coefficients of what the line between the keys leaves over, in steps. True if any rounds to more
   than nothing. */
static bool lean_transform(float out[LEAN_SERIES], const lean_encoder *e, const lean_channel *c,
                           uint32_t components, uint32_t component, uint32_t block, double step)
{
    const lean_span span = lean_span_of(e, block);
    const double    key_step = step * (double)LEAN_KEY_STEP, first = c->keys[block],
                 slope = ((double)c->keys[block + 1] - first) / (double)span.steps;
    const double norm = (double)emberi_lean_norms[span.steps] / step;
    double       left[LEAN_LONGEST], sum[16] = {0};
    bool         any = false;
    for (uint32_t f = 1; f < span.steps; f++)
        left[f] = e->values[(size_t)(span.first + f) * components + component] -
                  key_step * (first + slope * (double)f);
    for (uint32_t f = 1; f < span.steps; f++)
        for (uint32_t j = 0; j < 16; j++)
            sum[j] += left[f] * (double)emberi_lean_sines[span.steps][f][j];
    for (uint32_t j = 0; j < LEAN_SERIES; j++) {
        const double x = sum[j] * norm;
        out[j] = (float)(x < -1.0e6 ? -1.0e6 : x > 1.0e6 ? 1.0e6 : x);
        any = any || out[j] > 0.5f || out[j] < -0.5f;
    }
    return any;
}

/* Sums of the series at every frame of a block; false where one leaves 32 bits. */
static bool lean_totals(int32_t out[LEAN_LONGEST + 1], const int16_t *series, uint32_t steps)
{
    for (uint32_t f = 0; f <= steps; f++) {
        int64_t sum = 0;
        for (uint32_t j = 0; j < 16; j++)
            sum += (int32_t)series[j] * emberi_lean_sines[steps][f][j];
        if (sum > INT32_MAX || sum < -INT32_MAX)
            return false;
        out[f] = (int32_t)sum;
    }
    return true;
}

/* What the decoder will make of a block, over the values; its last frame is the next block's first. */
static bool lean_rebuild(lean_encoder *e, const lean_channel *c, uint32_t components, uint32_t component,
                         uint32_t block, float step)
{
    const lean_span span = lean_span_of(e, block);
    const float     key_step = step * LEAN_KEY_STEP, scale = step * emberi_lean_norms[span.steps];
    const float     first = (float)c->keys[block], difference = (float)(c->keys[block + 1] - c->keys[block]);
    int32_t         totals[LEAN_LONGEST + 1];
    if (!lean_totals(totals, c->series + 16 * (size_t)block, span.steps))
        return false;
    for (uint32_t f = 0; f <= span.steps; f++) {
        const float line = key_step * (first + difference * ((float)f / (float)span.steps));
        e->values[(size_t)(span.first + f) * components + component] =
            (double)(line + scale * (float)totals[f]);
    }
    return true;
}

static void lean_code_block(lean_encoder *e, lean_channel *c, const float series[LEAN_SERIES], uint32_t block,
                            uint8_t guess)
{
    lean_errors errors;
    lean_errors_make(&errors, series);
    const uint8_t        id = lean_choose(e, &errors, guess);
    const lean_template *t = &e->templates[id];
    c->ids[block] = id;
    c->active = c->active || id != 0;
    for (uint32_t j = 0; j < LEAN_SERIES; j++) {
        const int32_t z = lean_quantize(series[j], t->code[j]);
        const float   cut = series[j] - (float)z;
        c->series[16 * (size_t)block + j] = (int16_t)z;
        if (cut > LEAN_MOST_CUT || cut < -LEAN_MOST_CUT)
            e->clipped = true;
    }
}

static void lean_code_channel(lean_encoder *e, lean_channel *c, uint32_t components, uint32_t component,
                              float step)
{
    c->active = false;
    for (uint32_t block = 0; block < e->block_count; block++) {
        float         series[LEAN_SERIES];
        const uint8_t guess = c->known ? c->ids[block] : block != 0 ? c->ids[block - 1] : 0;
        emberi_fill(c->series + 16 * (size_t)block, 0, 16 * sizeof(*c->series));
        c->ids[block] = 0;
        if (lean_transform(series, e, c, components, component, block, (double)step)) {
            if (e->observer != NULL)
                e->observer->see(e->observer->user, series);
            lean_code_block(e, c, series, block, guess);
        }
    }
    c->known = true;
    for (uint32_t block = 0; block < e->block_count; block++)
        if (!lean_rebuild(e, c, components, component, block, step))
            e->clipped = true;
}

/* ---- tracks ---- */

static bool lean_channel_memory(lean_encoder *e, lean_channel *c)
{
    c->keys = EMBER_PUSH(e->arena, int32_t, (size_t)e->block_count + 1);
    c->ids = EMBER_PUSH(e->arena, uint8_t, e->block_count);
    c->series = EMBER_PUSH(e->arena, int16_t, 16 * (size_t)e->block_count);
    return c->keys != NULL && c->ids != NULL && c->series != NULL;
}

ember_status emberi_lean_code_track(lean_encoder *e, lean_coded *track, uint32_t components, uint32_t step,
                                    int32_t unit)
{
    for (; track->made < components; track->made++)
        if (!lean_channel_memory(e, &track->channels[track->made]))
            return EMBER_E_NOMEM;
    track->step = step < LEAN_STEPS ? step : LEAN_STEPS - 1;
    for (uint32_t k = 0; k < components;) {
        const float size = lean_step(track->step, unit);
        if (lean_code_keys(e, &track->channels[k], components, k, (double)(size * LEAN_KEY_STEP)))
            k++;
        else if (!lean_coarser(track, &k))
            return EMBER_E_RANGE;
    }
    for (uint32_t k = 0; k < components; k++)
        lean_code_channel(e, &track->channels[k], components, k, lean_step(track->step, unit));
    return EMBER_OK;
}
