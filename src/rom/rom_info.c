/* SPDX-License-Identifier: MIT */
/* What a ROM says of itself: title and author. A payload that is not as it should be is as good as none. */
#include <string.h>

#include "base/bytes.h"
#include "rom/rom_layout.h"

bool emberi_rom_info_read(const char **title, const char **author, const uint8_t *data, size_t size)
{
    if (size < INFO_HEADER_SIZE)
        return false;
    size_t title_size = emberi_get_u16(data), author_size = emberi_get_u16(data + 2);
    if (emberi_get_u32(data + 4) != 0 || title_size > EMBER_ROM_MAX_TEXT ||
        author_size > EMBER_ROM_MAX_TEXT || size != INFO_HEADER_SIZE + title_size + 1 + author_size + 1)
        return false;
    *title = (const char *)data + INFO_HEADER_SIZE;
    *author = *title + title_size + 1;
    return memchr(*title, 0, title_size + 1) == *title + title_size &&
           memchr(*author, 0, author_size + 1) == *author + author_size;
}

static const char *info_text(const ember_rom *rom, bool author)
{
    ember_rom_entry entry;
    const char     *texts[2];
    if (!ember_rom_find(&entry, rom, EMBER_ROM_INFO, "info", 4) ||
        !emberi_rom_info_read(&texts[0], &texts[1], entry.data, entry.size))
        return "";
    return texts[author ? 1 : 0];
}

const char *ember_rom_title(const ember_rom *rom) { return info_text(rom, false); }

const char *ember_rom_author(const ember_rom *rom) { return info_text(rom, true); }
