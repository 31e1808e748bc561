/* SPDX-License-Identifier: MIT */
/* What lies on the corners of a mesh: normals, texture coordinates, colours, materials, each with its own
   mapping. An index that leads nowhere finds nothing. */
#include "format/fbx/mesh/fbx_mesh.h"

static fbx_mapping mapping_of(fbx_text name)
{
    static const struct {
        const char *name;
        fbx_mapping mapping;
    } names[] = {{"ByPolygonVertex", FBX_MAP_CORNER},
                 {"ByVertice", FBX_MAP_POINT},
                 {"ByVertex", FBX_MAP_POINT},
                 {"ByPolygon", FBX_MAP_POLYGON},
                 {"AllSame", FBX_MAP_ALL}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (emberi_fbx_text_is(name, names[i].name))
            return names[i].mapping;
    return FBX_MAP_NONE;
}

ember_status emberi_fbx_element_read(fbx_scene *scene, fbx_element *out, uint32_t geometry, const char *layer,
                                     const char *data, const char *index, uint32_t components)
{
    fbx_file *file = &scene->doc->file;
    uint32_t  record = emberi_fbx_child(file, scene->doc->objects[geometry].record, layer);
    fbx_text  reference =
        emberi_fbx_string(file, emberi_fbx_child(file, record, "ReferenceInformationType"), 0);
    void *numbers, *indexes;
    *out = (fbx_element){.components = components};
    fbx_mapping mapping =
        mapping_of(emberi_fbx_string(file, emberi_fbx_child(file, record, "MappingInformationType"), 0));
    if (mapping == FBX_MAP_NONE)
        return EMBER_OK;
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &numbers, &out->count,
                                  emberi_fbx_child(file, record, data), FBX_F32));
    out->data = numbers;
    out->count /= components;
    if (emberi_fbx_text_is(reference, "IndexToDirect") || emberi_fbx_text_is(reference, "Index")) {
        uint32_t list = emberi_fbx_child(file, record, index);
        EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &indexes, &out->index_count, list, FBX_I32));
        out->index = list != FBX_NONE ? indexes : NULL;
    }
    out->mapping = out->count != 0 ? mapping : FBX_MAP_NONE;
    return EMBER_OK;
}

static size_t place_in_map(fbx_mapping mapping, const fbx_corner *at)
{
    return mapping == FBX_MAP_CORNER    ? at->corner
           : mapping == FBX_MAP_POINT   ? at->point
           : mapping == FBX_MAP_POLYGON ? at->polygon
                                        : 0;
}

const float *emberi_fbx_element_get(const fbx_element *element, const fbx_corner *at)
{
    if (element->mapping == FBX_MAP_NONE)
        return NULL;
    size_t i = place_in_map(element->mapping, at);
    if (element->index != NULL) {
        if (i >= element->index_count || element->index[i] < 0)
            return NULL;
        i = (size_t)element->index[i];
    }
    return i < element->count ? element->data + i * element->components : NULL;
}

ember_status emberi_fbx_materials_read(fbx_scene *scene, fbx_mapping *mapping, const int32_t **indexes,
                                       size_t *count, uint32_t geometry)
{
    fbx_file *file = &scene->doc->file;
    uint32_t  record = emberi_fbx_child(file, scene->doc->objects[geometry].record, "LayerElementMaterial");
    void     *numbers;
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &numbers, count,
                                  emberi_fbx_child(file, record, "Materials"), FBX_I32));
    *indexes = numbers;
    *mapping =
        mapping_of(emberi_fbx_string(file, emberi_fbx_child(file, record, "MappingInformationType"), 0));
    if (*mapping != FBX_MAP_POLYGON && *mapping != FBX_MAP_ALL)
        *mapping = FBX_MAP_NONE;
    return EMBER_OK;
}
