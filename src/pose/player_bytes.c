/* SPDX-License-Identifier: MIT */
/* A player as bytes: docs/formats/player.md. What is restored may be hostile: it is read into a player aside,
   checked as a whole against the set, and only then taken. */
#include "base/bytes.h"
#include "ember/player.h"
#include "pose/player_rules.h"

#define PLAYER_MAGIC 0x594C5045u /* "EPLY" */
#define PLAYER_VERSION 1u
#define PLAYER_HEAD_SIZE 8u
#define PLAYER_TRACK_SIZE 32u
#define PLAYER_LAYER_SIZE (16u + EMBER_PLAYER_TRACKS * PLAYER_TRACK_SIZE)

_Static_assert(PLAYER_HEAD_SIZE + EMBER_PLAYER_LAYERS * PLAYER_LAYER_SIZE == EMBER_PLAYER_SIZE,
               "the size of a saved player");

/* Bits and value of a number in eight bytes. */
typedef union bytes_number {
    double   value;
    uint64_t bits;
} bytes_number;

static void player_put_float(uint8_t *out, float value) { emberi_put_u32(out, emberi_bits_of(value)); }

static void player_put_double(uint8_t *out, double value)
{
    bytes_number number = {.value = value};
    emberi_put_u64(out, number.bits);
}

static float player_get_float(const uint8_t *data) { return emberi_float_of(emberi_get_u32(data)); }

static double player_get_double(const uint8_t *data)
{
    bytes_number number = {.bits = emberi_get_u32(data) | (uint64_t)emberi_get_u32(data + 4) << 32};
    return number.value;
}

void ember_player_save(uint8_t out[EMBER_PLAYER_SIZE], const ember_player *player)
{
    for (uint32_t i = 0; i < EMBER_PLAYER_SIZE; i++)
        out[i] = 0;
    emberi_put_u32(out, PLAYER_MAGIC);
    emberi_put_u32(out + 4, PLAYER_VERSION);
    for (uint32_t l = 0; l < EMBER_PLAYER_LAYERS; l++) {
        const ember_player_layer *layer = &player->layers[l];
        uint8_t                  *at = out + PLAYER_HEAD_SIZE + l * PLAYER_LAYER_SIZE;
        player_put_float(at, layer->weight);
        emberi_put_u32(at + 4, layer->mask);
        emberi_put_u32(at + 8, layer->additive);
        emberi_put_u32(at + 12, layer->track_count);
        for (uint32_t i = 0; i < layer->track_count && i < EMBER_PLAYER_TRACKS; i++) {
            const ember_player_track *track = &layer->tracks[i];
            uint8_t                  *to = at + 16 + i * PLAYER_TRACK_SIZE;
            emberi_put_u32(to, track->clip);
            emberi_put_u32(to + 4, track->fresh);
            player_put_double(to + 8, track->time_s);
            player_put_float(to + 16, track->speed);
            player_put_float(to + 20, track->weight);
            player_put_float(to + 24, track->target);
            player_put_float(to + 28, track->rate);
        }
    }
}

ember_status ember_player_restore(ember_player *player, const ember_player_set *set, const void *data,
                                  size_t size)
{
    const uint8_t *bytes = data;
    ember_player   read;
    uint8_t        again[EMBER_PLAYER_SIZE];
    if (size < EMBER_PLAYER_SIZE)
        return EMBER_E_TRUNCATED;
    if (size > EMBER_PLAYER_SIZE || emberi_get_u32(bytes) != PLAYER_MAGIC)
        return EMBER_E_MALFORMED;
    if (emberi_get_u32(bytes + 4) != PLAYER_VERSION)
        return EMBER_E_VERSION;
    ember_player_init(&read);
    for (uint32_t l = 0; l < EMBER_PLAYER_LAYERS; l++) {
        ember_player_layer *layer = &read.layers[l];
        const uint8_t      *at = bytes + PLAYER_HEAD_SIZE + l * PLAYER_LAYER_SIZE;
        layer->weight = player_get_float(at);
        layer->mask = emberi_get_u32(at + 4);
        layer->additive = emberi_get_u32(at + 8);
        layer->track_count = emberi_get_u32(at + 12);
        for (uint32_t i = 0; i < layer->track_count && i < EMBER_PLAYER_TRACKS; i++) {
            const uint8_t *from = at + 16 + i * PLAYER_TRACK_SIZE;
            layer->tracks[i] = (ember_player_track){.clip = emberi_get_u32(from),
                                                    .fresh = emberi_get_u32(from + 4),
                                                    .time_s = player_get_double(from + 8),
                                                    .speed = player_get_float(from + 16),
                                                    .weight = player_get_float(from + 20),
                                                    .target = player_get_float(from + 24),
                                                    .rate = player_get_float(from + 28)};
        }
    }
    if (!emberi_player_fits(&read, set))
        return EMBER_E_MALFORMED;
    /* What is not used is zero: equal states have equal bytes. */
    ember_player_save(again, &read);
    for (uint32_t i = 0; i < EMBER_PLAYER_SIZE; i++)
        if (again[i] != bytes[i])
            return EMBER_E_MALFORMED;
    *player = read;
    return EMBER_OK;
}
