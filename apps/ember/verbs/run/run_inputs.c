/* SPDX-License-Identifier: MIT */
/* Files of inputs: short text, a line where something changes. */
#include "verbs/run/run_inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

/* 2: the hash is the state's on every engine (docs/formats/snapshot.md); 1 had one engine's own. */
#define INPUTS_FIRST_LINE "ember-inputs 2"
#define INPUTS_MAX_FRAMES 10000000u
#define INPUTS_MAX_SIZE ((size_t)64 << 20)

static const uint32_t inputs_none[EMBER_CONSOLE_PLAYERS] = {0};

static const uint32_t *inputs_last(const run_inputs *inputs)
{
    return inputs->change_count != 0 ? inputs->changes[inputs->change_count - 1].held : inputs_none;
}

void run_inputs_add(run_inputs *inputs, const uint32_t held[EMBER_CONSOLE_PLAYERS])
{
    if (memcmp(held, inputs_last(inputs), sizeof(inputs_none)) != 0) {
        inputs->changes = must_grow(inputs->changes, inputs->change_count, sizeof(*inputs->changes));
        run_change *change = &inputs->changes[inputs->change_count++];
        change->frame = inputs->frame_count;
        memcpy(change->held, held, sizeof(change->held));
    }
    inputs->frame_count++;
}

void run_inputs_get(uint32_t held[EMBER_CONSOLE_PLAYERS], const run_inputs *inputs, uint32_t frame)
{
    /* changes below low began by then, those from high on did not */
    uint32_t low = 0, high = inputs->change_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (inputs->changes[middle].frame <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    memcpy(held, low != 0 ? inputs->changes[low - 1].held : inputs_none, sizeof(inputs_none));
}

void run_inputs_free(run_inputs *inputs)
{
    free(inputs->changes);
    *inputs = (run_inputs){.changes = NULL};
}

/* ---- reading ---- */

static bool inputs_bad(ember_error *err, unsigned line, const char *what)
{
    char text[160];
    snprintf(text, sizeof(text), "line %u: %s", line, what);
    ember_fail(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, text);
    return false;
}

/* A number in the base, nothing before it but one space; moves on behind it. */
static bool inputs_number(const char **at, int base, uint64_t *out)
{
    const char *digits = *at + 1;
    char       *end;
    bool digit = (*digits >= '0' && *digits <= '9') || (base == 16 && *digits >= 'a' && *digits <= 'f');
    if (**at != ' ' || !digit || (digits[0] == '0' && digits[1] == 'x'))
        return false;
    size_t length = strspn(digits, base == 16 ? "0123456789abcdef" : "0123456789");
    if (length > (base == 16 ? 16u : 19u))
        return false;
    *out = strtoull(digits, &end, base);
    *at = end;
    return true;
}

/* What is held from frame `number` on; the frames before it have what was held until then. */
static bool inputs_line(run_inputs *out, const char *line)
{
    uint64_t    number, values[EMBER_CONSOLE_PLAYERS];
    char        begin[32];
    const char *at = begin;
    size_t      length = strcspn(line, " ");
    if (length >= sizeof(begin) - 1)
        return false;
    snprintf(begin, sizeof(begin), " %.*s", (int)length, line);
    if (!inputs_number(&at, 10, &number) || *at != '\0' || number == 0 || number > INPUTS_MAX_FRAMES ||
        number <= out->frame_count)
        return false;
    at = line + length;
    for (uint32_t i = 0; i < EMBER_CONSOLE_PLAYERS; i++)
        if (!inputs_number(&at, 16, &values[i]) || values[i] > UINT32_MAX)
            return false;
    if (*at != '\0')
        return false;
    uint32_t held[EMBER_CONSOLE_PLAYERS];
    for (uint32_t i = 0; i < EMBER_CONSOLE_PLAYERS; i++)
        held[i] = (uint32_t)values[i];
    out->frame_count = (uint32_t)number - 1;
    run_inputs_add(out, held);
    return true;
}

static bool inputs_end(run_inputs *out, const char *at)
{
    uint64_t count;
    if (!inputs_number(&at, 10, &count) || count > INPUTS_MAX_FRAMES || count < out->frame_count)
        return false;
    out->trapped = strcmp(at, " trap") == 0;
    if (!out->trapped && (!inputs_number(&at, 16, &out->hash) || *at != '\0'))
        return false;
    out->frame_count = (uint32_t)count;
    return true;
}

/* A line of a name and one number. */
static bool inputs_field(const char *line, const char *name, int base, uint64_t *out)
{
    size_t size = strlen(name);
    if (strncmp(line, name, size) != 0)
        return false;
    const char *at = line + size;
    return inputs_number(&at, base, out) && *at == '\0';
}

static bool inputs_take(run_inputs *out, const char *line, unsigned number, bool *ended)
{
    switch (number) {
    case 1:
        return strcmp(line, INPUTS_FIRST_LINE) == 0;
    case 2:
        return inputs_field(line, "game", 16, &out->game);
    case 3:
        return inputs_field(line, "seed", 10, &out->seed);
    default:
        if (strncmp(line, "end", 3) != 0)
            return inputs_line(out, line);
        *ended = inputs_end(out, line + 3);
        return *ended;
    }
}

static bool inputs_parse(run_inputs *out, char *text, ember_error *err)
{
    unsigned number = 0;
    bool     ended = false;
    for (char *line = text, *next; *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        if (*next == '\0')
            return inputs_bad(err, number + 1, "the file is cut off");
        *next++ = '\0';
        number++;
        if (ended)
            return inputs_bad(err, number, "there is something behind the end");
        if (inputs_take(out, line, number, &ended))
            continue;
        if (number == 1 && strncmp(line, "ember-inputs ", 13) == 0)
            return inputs_bad(err, number,
                              "recorded by another version of Ember, whose hashes are others: this one reads "
                              "'" INPUTS_FIRST_LINE "'");
        return inputs_bad(err, number,
                          number == 1 ? "this is no recording of inputs: it does not begin with "
                                        "'" INPUTS_FIRST_LINE "'"
                                      : "it does not say what it should");
    }
    return ended || inputs_bad(err, number + 1, "the file is cut off");
}

bool run_inputs_read(run_inputs *out, const char *path, ember_error *err)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    *out = (run_inputs){.changes = NULL};
    bool ok = ember_file_read(&bytes, path, INPUTS_MAX_SIZE, err) == EMBER_OK;
    if (ok && bytes.size != 0 && memchr(bytes.data, 0, bytes.size) != NULL)
        ok = inputs_bad(err, 1, "this is no recording of inputs: it is no text");
    if (ok && !ember_buffer_append(&bytes, "", 1))
        ok = ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory") == EMBER_OK;
    ok = ok && inputs_parse(out, (char *)bytes.data, err);
    ember_buffer_free(&bytes);
    return ok;
}

/* ---- writing ---- */

bool run_inputs_write(const run_inputs *inputs, const char *path, ember_error *err)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    char         line[160];
    int  size = snprintf(line, sizeof(line), INPUTS_FIRST_LINE "\ngame %016" PRIx64 "\nseed %" PRIu64 "\n",
                         inputs->game, inputs->seed);
    bool ok = ember_buffer_append(&bytes, line, (size_t)size);
    for (uint32_t i = 0; i < inputs->change_count; i++) {
        const run_change *change = &inputs->changes[i];
        size = snprintf(line, sizeof(line), "%u %x %x %x %x\n", (unsigned)change->frame + 1,
                        (unsigned)change->held[0], (unsigned)change->held[1], (unsigned)change->held[2],
                        (unsigned)change->held[3]);
        ok = ok && ember_buffer_append(&bytes, line, (size_t)size);
    }
    if (inputs->trapped)
        size = snprintf(line, sizeof(line), "end %u trap\n", (unsigned)inputs->frame_count);
    else
        size = snprintf(line, sizeof(line), "end %u %016" PRIx64 "\n", (unsigned)inputs->frame_count,
                        inputs->hash);
    ok = ok && ember_buffer_append(&bytes, line, (size_t)size);
    if (!ok)
        ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    ok = ok && ember_file_write(path, bytes.data, bytes.size, err) == EMBER_OK;
    ember_buffer_free(&bytes);
    return ok;
}
