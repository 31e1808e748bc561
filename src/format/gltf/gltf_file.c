/* SPDX-License-Identifier: MIT */
/* The container: a .glb's chunks or a .gltf's text, the JSON in it, and what must be right before anything
   else is read: version, extensions, the lists. Any bytes may come in. */
#include "base/bytes.h"
#include "format/gltf/gltf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLB_MAGIC 0x46546c67u /* "glTF" */
#define GLB_JSON 0x4e4f534au
#define GLB_BIN 0x004e4942u
#define GLB_HEADER_SIZE 12u

void *emberi_gltf_push(gltf_doc *doc, ember_arena *arena, size_t count, size_t size, size_t align)
{
    void *memory = ember_arena_push(arena, count, size, align);
    if (memory == NULL)
        (void)emberi_fail_memory(doc->source->err);
    return memory;
}

/* ---- chunks ---- */

bool emberi_gltf_is_glb(const uint8_t *data, size_t size)
{
    return size >= 4 && emberi_get_u32(data) == GLB_MAGIC;
}

static ember_status chunk_take(gltf_doc *doc, emberi_reader *reader, uint32_t *kind, gltf_bytes *chunk)
{
    uint64_t start = emberi_reader_offset(reader);
    chunk->size = emberi_reader_u32(reader);
    *kind = emberi_reader_u32(reader);
    chunk->data = emberi_reader_take(reader, chunk->size);
    if (!emberi_reader_ok(reader))
        return emberi_failf(doc->source->err, EMBER_E_TRUNCATED, start,
                            "glb: a chunk at byte %llu does not fit into the file",
                            (unsigned long long)start);
    return EMBER_OK;
}

static ember_status glb_open(gltf_doc *doc, gltf_bytes *json)
{
    const emberi_source *source = doc->source;
    emberi_reader        reader = emberi_reader_init(source->data, source->size);
    (void)emberi_reader_u32(&reader);
    uint32_t version = emberi_reader_u32(&reader), size = emberi_reader_u32(&reader), kind;
    if (!emberi_reader_ok(&reader))
        return emberi_failf(source->err, EMBER_E_TRUNCATED, 0, "glb: the header is cut");
    if (version != 2)
        return emberi_failf(source->err, EMBER_E_VERSION, 4, "glb: version %u, only 2 is read", version);
    if (size > source->size || size < GLB_HEADER_SIZE)
        return emberi_failf(source->err, EMBER_E_TRUNCATED, 8, "glb: %u bytes by its header, %zu are there",
                            size, source->size);
    if (size < source->size)
        return emberi_failf(source->err, EMBER_E_MALFORMED, size, "glb: %zu extra %s", source->size - size,
                            source->size - size == 1 ? "byte" : "bytes");

    ember_status status = chunk_take(doc, &reader, &kind, json);
    if (status != EMBER_OK)
        return status;
    if (kind != GLB_JSON)
        return emberi_failf(source->err, EMBER_E_MALFORMED, GLB_HEADER_SIZE,
                            "glb: the first chunk is not JSON");
    for (int i = 1; emberi_reader_left(&reader) != 0; i++) {
        gltf_bytes chunk;
        status = chunk_take(doc, &reader, &kind, &chunk);
        if (status != EMBER_OK)
            return status;
        if (kind == GLB_BIN && i == 1) {
            doc->bin = chunk;
            doc->has_bin = true;
        }
    }
    return EMBER_OK;
}

/* ---- the JSON ---- */

static ember_status json_open(gltf_doc *doc, gltf_bytes text)
{
    static const uint8_t mark[3] = {0xef, 0xbb, 0xbf};
    emberi_json_fault    fault;
    if (text.size >= 3 && memcmp(text.data, mark, 3) == 0) {
        text.data += 3;
        text.size -= 3;
    }
    /* Some writers fill a chunk up with zeros where spaces belong. */
    while (text.size != 0 && text.data[text.size - 1] == 0)
        text.size--;
    /* What does not begin an object is told from a document with a mistake in it. */
    size_t blank = 0;
    while (blank < text.size &&
           (text.data[blank] == ' ' || (text.data[blank] >= '\t' && text.data[blank] <= '\r')))
        blank++;
    if (blank == text.size || text.data[blank] != '{')
        return emberi_failf(doc->source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "%s",
                            blank == text.size ? "no glTF: the document is empty"
                                               : "no glTF: neither a GLB file nor a JSON object");
    doc->text = text;
    doc->root = emberi_json_parse(text.data, text.size, 0, &doc->scratch, &fault);
    if (doc->root != NULL)
        return EMBER_OK;
    if (fault.status == EMBER_E_TRUNCATED) /* the container is whole, what is in it is not */
        fault.status = EMBER_E_MALFORMED;
    fault.offset += (uint64_t)(text.data - doc->source->data);
    return emberi_json_fault_fail(&fault, "JSON, ", doc->source->err);
}

static bool version_read(unsigned long out[2], const char *text)
{
    char *end;
    if (text == NULL || strlen(text) >= 16 || text[0] < '0' || text[0] > '9')
        return false;
    out[0] = strtoul(text, &end, 10);
    if (end[0] != '.' || end[1] < '0' || end[1] > '9')
        return false;
    out[1] = strtoul(end + 1, &end, 10);
    return *end == '\0';
}

static ember_status asset_check(const gltf_doc *doc)
{
    const json_t *asset = json_object_get(doc->root, "asset");
    const char   *text = json_string_value(json_object_get(asset, "version"));
    const char   *least_text = json_string_value(json_object_get(asset, "minVersion"));
    unsigned long version[2], least[2] = {0, 0};
    if (!version_read(version, text))
        return emberi_failf(doc->source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                            "asset.version: missing, or no version");
    if (least_text != NULL && !version_read(least, least_text))
        return emberi_failf(doc->source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                            "asset.minVersion: not a version");
    if (version[0] != 2 || least[0] > 2 || (least[0] == 2 && least[1] > 0))
        return emberi_failf(doc->source->err, EMBER_E_VERSION, EMBER_NO_OFFSET, "glTF %s, only 2.0 is read",
                            version[0] == 2 ? least_text : text);
    return EMBER_OK;
}

/* Extensions that change nothing that is read here may be required as much as they like. */
static bool extension_known(const char *name)
{
    static const char *const names[] = {"KHR_mesh_quantization", "KHR_texture_transform",
                                        "KHR_lights_punctual", "KHR_texture_basisu", "KHR_animation_pointer",
                                        "KHR_node_visibility", "KHR_xmp_json_ld", "EXT_texture_webp",
                                        "EXT_texture_avif", "MSFT_texture_dds",
                                        /* a mesh that needs it is told where it is read */
                                        "KHR_draco_mesh_compression"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return strncmp(name, "KHR_materials_", 14) == 0 ||
           (emberi_gltf_meshopt_built() &&
            (strcmp(name, "EXT_meshopt_compression") == 0 || strcmp(name, "KHR_meshopt_compression") == 0));
}

static ember_status extensions_check(const gltf_doc *doc)
{
    char          unknown[160] = "";
    size_t        used = 0;
    const json_t *required = json_object_get(doc->root, "extensionsRequired");
    if (required != NULL && !json_is_array(required))
        return emberi_failf(doc->source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                            "extensionsRequired: a list expected");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (name == NULL)
            return emberi_failf(doc->source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                                "extensionsRequired[%zu]: a text expected", i);
        if (extension_known(name) || used >= sizeof(unknown) - 1)
            continue;
        int put = snprintf(unknown + used, sizeof(unknown) - used, "%s%s", used != 0 ? ", " : "", name);
        used += put > 0 ? (size_t)put : 0;
    }
    if (used != 0)
        return emberi_failf(doc->source->err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                            "requires what is not supported%s: %s",
                            emberi_gltf_meshopt_built() ? "" : " (this build is without meshoptimizer)",
                            unknown);
    return EMBER_OK;
}

/* What scenes name must be there. */
static ember_status scenes_check(const gltf_doc *doc)
{
    const json_t *scene = json_object_get(doc->root, "scene");
    uint64_t      number;
    uint32_t      node;
    if (scene != NULL && (!emberi_gltf_whole(&number, scene) || number >= doc->lists[GLTF_SCENES].count))
        return emberi_failf(doc->source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                            "scene: not the number of one of %u scenes", doc->lists[GLTF_SCENES].count);
    for (uint32_t i = 0; i < doc->lists[GLTF_SCENES].count; i++) {
        gltf_where    where = {GLTF_SCENES, i, NULL, 0};
        const json_t *nodes = json_object_get(emberi_gltf_item(doc, GLTF_SCENES, i), "nodes");
        if (nodes != NULL && !json_is_array(nodes))
            return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "nodes", "a list expected");
        for (size_t k = 0; k < json_array_size(nodes); k++) {
            gltf_where   at = {GLTF_SCENES, i, "nodes", (uint32_t)k};
            ember_status status =
                emberi_gltf_index_of(doc, &node, json_array_get(nodes, k), NULL, GLTF_NODES, at);
            if (status != EMBER_OK)
                return status;
        }
    }
    return EMBER_OK;
}

/* ---- open and close ---- */

ember_status emberi_gltf_open(gltf_doc *doc, const emberi_source *source)
{
    gltf_bytes json = {source->data, source->size};
    memset(doc, 0, sizeof(*doc));
    doc->source = source;
    /* A caller's fixed block is for the model; what is only needed on the way comes from the heap then. */
    doc->scratch = ember_arena_growing(emberi_source_heap(source), SIZE_MAX);
    doc->pass = ember_arena_growing(doc->scratch.allocator, SIZE_MAX);

    ember_status status = emberi_gltf_is_glb(source->data, source->size) ? glb_open(doc, &json) : EMBER_OK;
    if (status == EMBER_OK)
        status = json_open(doc, json);
    if (status == EMBER_OK)
        status = asset_check(doc);
    if (status == EMBER_OK)
        status = extensions_check(doc);
    if (status == EMBER_OK)
        status = emberi_gltf_sections_open(doc);
    if (status == EMBER_OK)
        status = scenes_check(doc);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &doc->buffers, gltf_buffer, doc->lists[GLTF_BUFFERS].count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &doc->views, gltf_view, doc->lists[GLTF_VIEWS].count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &doc->images, gltf_image, doc->lists[GLTF_IMAGES].count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &doc->times_rise, uint8_t, doc->lists[GLTF_ACCESSORS].count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &doc->starts, double, doc->lists[GLTF_ANIMATIONS].count);
    if (status == EMBER_OK)
        status = emberi_gltf_nodes_read(doc);
    return status;
}

void emberi_gltf_close(gltf_doc *doc)
{
    for (uint32_t i = 0; doc->buffers != NULL && i < doc->lists[GLTF_BUFFERS].count; i++)
        emberi_source_free_beside(doc->source, &doc->buffers[i].file);
    ember_arena_free(&doc->pass);
    ember_arena_free(&doc->scratch);
}
