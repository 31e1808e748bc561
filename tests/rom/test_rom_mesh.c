/* SPDX-License-Identifier: MIT */
/* Meshes that are equal but for their bone share their bytes, and come out of the ROM as they went in. */
#include "rom_walk.h"

#include "rom/rom_layout.h"

#include "base/bytes.h"

#define MESHES 4u

/* Three times a rigid triangle on bones 7, 2 and 7, and a static one. */
typedef struct meshes {
    ember_buffer      files[MESHES];
    ember_rom_asset   assets[MESHES + 1];
    ember_rom_content content;
    ember_buffer      bytes;
    ember_rom        *rom;
} meshes;

static const char *const ids[MESHES] = {"a", "b", "c", "d"};

static void meshes_open(meshes *m, const char *texture_of_c)
{
    static const int bones[MESHES] = {7, 2, 7, -1};
    memset(m, 0, sizeof(*m));
    for (uint32_t i = 0; i < MESHES; i++) {
        m->files[i] = made_mesh_file();
        m->files[i].data[9] = bones[i] >= 0;
        m->files[i].data[10] = bones[i] >= 0 ? (uint8_t)bones[i] : 0;
        m->assets[i] = (ember_rom_asset){.kind = EMBER_ROM_MESH,
                                         .id = ids[i],
                                         .data = m->files[i].data,
                                         .size = m->files[i].size};
    }
    m->assets[2].texture = texture_of_c;
    m->assets[MESHES] = (ember_rom_asset){.kind = EMBER_ROM_TEXTURE,
                                          .id = "paint",
                                          .data = fixture_png,
                                          .size = sizeof(fixture_png)};
    m->content = (ember_rom_content){.assets = m->assets, .asset_count = MESHES + 1};
    m->bytes = made_rom(&m->content);
    m->rom = made_open(&m->bytes);
}

static void meshes_close(meshes *m)
{
    ember_rom_close(m->rom);
    ember_buffer_free(&m->bytes);
    for (uint32_t i = 0; i < MESHES; i++)
        ember_buffer_free(&m->files[i]);
}

static ember_rom_entry meshes_find(const meshes *m, uint32_t i)
{
    ember_rom_entry entry;
    assert_true(ember_rom_find(&entry, m->rom, EMBER_ROM_MESH, ids[i], 1));
    return entry;
}

TEST(equal_meshes_are_stored_once_and_keep_their_bones)
{
    static const size_t payloads[MESHES] = {1, 0, 0, 1};
    meshes              m;
    meshes_open(&m, NULL);
    for (uint32_t i = 0; i < MESHES; i++) {
        ember_rom_entry entry = meshes_find(&m, i);
        ember_buffer    file = {.allocator = ember_heap()};
        ember_rom_mesh  mesh;
        assert_int_equal(entry.size, payloads[i] * m.files[i].size);
        assert_int_equal(ember_rom_verify(m.rom, &entry, NULL), EMBER_OK);
        assert_int_equal(ember_rom_mesh_open(&mesh, m.rom, &entry, NULL), EMBER_OK);
        assert_int_equal(mesh.size, m.files[i].size);
        assert_int_equal(mesh.bone, i == 1 ? 2 : i == 2 ? 7 : -1);
        assert_int_equal(ember_rom_mesh_file(&file, m.rom, &entry, NULL), EMBER_OK);
        assert_int_equal(file.size, m.files[i].size);
        assert_memory_equal(file.data, m.files[i].data, file.size);
        ember_buffer_free(&file);
    }
    assert_int_equal(made_check(m.rom).count, 0);
    meshes_close(&m);
}

TEST(meshes_of_other_textures_are_not_shared)
{
    meshes          m;
    ember_rom_entry texture, entry;
    meshes_open(&m, "paint");
    entry = meshes_find(&m, 2);
    assert_int_equal(entry.size, m.files[2].size);
    assert_true(ember_rom_texture(&texture, m.rom, &entry));
    entry = meshes_find(&m, 1);
    assert_int_equal(entry.size, 0);
    assert_false(ember_rom_texture(&texture, m.rom, &entry));
    meshes_close(&m);
}

TEST(a_mesh_is_damaged_if_the_one_it_shares_is)
{
    meshes          m;
    ember_error     err = EMBER_ERROR_INIT;
    ember_rom_entry whole, sharing;
    meshes_open(&m, NULL);
    whole = meshes_find(&m, 0);
    sharing = meshes_find(&m, 1);
    m.bytes.data[(size_t)(whole.data - m.bytes.data) + 20] ^= 1;
    assert_int_equal(ember_rom_verify(m.rom, &sharing, &err), EMBER_E_MALFORMED);
    assert_non_null(strstr(err.text, "mesh 'a'"));
    meshes_close(&m);
}

TEST(a_mesh_that_shares_what_is_not_there_is_refused)
{
    meshes m;
    meshes_open(&m, NULL);
    ember_rom_entry entry = meshes_find(&m, 1), itself = entry;
    ember_rom_mesh  mesh;
    ember_buffer    file = {.allocator = ember_heap()};
    const uint32_t  links[] = {EMBER_ROM_NO_LINK, 0, entry.index, meshes_find(&m, 2).index, 1000};
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
        ember_error err = EMBER_ERROR_INIT;
        itself.link = links[i];
        assert_int_equal(ember_rom_mesh_open(&mesh, m.rom, &itself, &err), EMBER_E_MALFORMED);
        assert_int_equal(ember_rom_mesh_file(&file, m.rom, &itself, &err), EMBER_E_MALFORMED);
        assert_non_null(strstr(err.text, "the mesh that it shares is not there"));
    }
    ember_buffer_free(&file);
    meshes_close(&m);
}
