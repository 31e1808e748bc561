/* SPDX-License-Identifier: MIT */
/* The document of a glTF file: JSON emitted from the writer's records. */
#include "format/gltf/write/gltf_write_parts.h"

/* ---- small pieces of the document ---- */

static void write_numbers(emberi_json_out *json, const char *key, const float *values, uint32_t count)
{
    emberi_json_key(json, key);
    emberi_json_array(json);
    for (uint32_t i = 0; i < count; i++)
        emberi_json_float(json, values[i]);
    emberi_json_array_end(json);
}

static void write_index(emberi_json_out *json, const char *key, uint32_t index)
{
    if (index != GLTF_NONE)
        emberi_json_put_integer(json, key, index);
}

static void write_list_begin(emberi_json_out *json, const char *key)
{
    emberi_json_line(json);
    emberi_json_key(json, key);
    emberi_json_array(json);
}

static void write_item_begin(emberi_json_out *json)
{
    emberi_json_line(json);
    emberi_json_object(json);
}

/* ---- nodes, scene, skin ---- */

/* Bones are the first nodes, in their order; then a parent for the roots where there are several, because
   joints of a skin must have one root in common; then a node for each mesh. */
typedef struct write_nodes {
    uint32_t  root_count;
    uint32_t  top;        /* the parent of the roots, or GLTF_NONE */
    uint32_t  first_mesh; /* node of the first mesh */
    /* Children as lists: of each bone the first, of each node the next; GLTF_NONE ends. */
    uint32_t *first_child, *next, *last_child;
} write_nodes;

static void write_nodes_link(write_nodes *nodes, uint32_t parent, uint32_t child)
{
    if (nodes->first_child[parent] == GLTF_NONE)
        nodes->first_child[parent] = child;
    else
        nodes->next[nodes->last_child[parent]] = child;
    nodes->last_child[parent] = child;
}

static bool write_nodes_make(write_nodes *nodes, gltf_writer *writer)
{
    const ember_skeleton *skeleton = &writer->model->skeleton;
    uint32_t              bones = skeleton->bone_count, meshes = GLTFW_COUNT(writer->meshes, gltfw_mesh);
    size_t                total = (size_t)bones + meshes + 1;
    *nodes = (write_nodes){.top = GLTF_NONE};
    nodes->first_child = EMBER_PUSH(&writer->scratch, uint32_t, bones);
    nodes->last_child = EMBER_PUSH(&writer->scratch, uint32_t, bones);
    nodes->next = EMBER_PUSH(&writer->scratch, uint32_t, total);
    if (nodes->first_child == NULL || nodes->last_child == NULL || nodes->next == NULL)
        return false;
    for (size_t i = 0; i < total; i++)
        nodes->next[i] = GLTF_NONE;
    for (uint32_t i = 0; i < bones; i++) {
        nodes->first_child[i] = GLTF_NONE;
        if (skeleton->parents[i] >= 0)
            write_nodes_link(nodes, (uint32_t)skeleton->parents[i], i);
        else
            nodes->root_count++;
    }
    nodes->first_mesh = bones;
    if (nodes->root_count > 1)
        nodes->top = nodes->first_mesh++;
    for (uint32_t i = 0; i < meshes; i++) {
        const gltfw_mesh *mesh = GLTFW_AT(writer->meshes, gltfw_mesh, i);
        if (mesh->bone >= 0)
            write_nodes_link(nodes, (uint32_t)mesh->bone, nodes->first_mesh + i);
    }
    return true;
}

static void write_transform(emberi_json_out *json, const ember_transform *t)
{
    const float position[3] = {t->position.x, t->position.y, t->position.z},
                scale[3] = {t->scale.x, t->scale.y, t->scale.z};
    const float rotation[4] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w};
    if (position[0] != 0.0f || position[1] != 0.0f || position[2] != 0.0f)
        write_numbers(json, "translation", position, 3);
    if (rotation[0] != 0.0f || rotation[1] != 0.0f || rotation[2] != 0.0f || rotation[3] != 1.0f)
        write_numbers(json, "rotation", rotation, 4);
    if (scale[0] != 1.0f || scale[1] != 1.0f || scale[2] != 1.0f)
        write_numbers(json, "scale", scale, 3);
}

static void write_roots(emberi_json_out *json, const char *key, const ember_skeleton *skeleton)
{
    emberi_json_key(json, key);
    emberi_json_array(json);
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        if (skeleton->parents[i] < 0)
            emberi_json_integer(json, i);
    emberi_json_array_end(json);
}

static void write_bone_node(emberi_json_out *json, const gltf_writer *writer, const write_nodes *nodes,
                            uint32_t bone)
{
    const char *name = ember_skeleton_name(&writer->model->skeleton, bone);
    write_item_begin(json);
    emberi_json_put_string(json, "name", name != NULL ? name : emberi_make_name(bone).text);
    write_transform(json, &writer->rest[bone]);
    if (nodes->first_child[bone] != GLTF_NONE) {
        emberi_json_key(json, "children");
        emberi_json_array(json);
        for (uint32_t child = nodes->first_child[bone]; child != GLTF_NONE; child = nodes->next[child])
            emberi_json_integer(json, child);
        emberi_json_array_end(json);
    }
    emberi_json_object_end(json);
}

static void write_node_list(emberi_json_out *json, const gltf_writer *writer, const write_nodes *nodes)
{
    const ember_skeleton *skeleton = &writer->model->skeleton;
    write_list_begin(json, "nodes");
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        write_bone_node(json, writer, nodes, i);
    if (nodes->top != GLTF_NONE) {
        write_item_begin(json);
        emberi_json_put_string(json, "name", "skeleton");
        write_roots(json, "children", skeleton);
        emberi_json_object_end(json);
    }
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->meshes, gltfw_mesh); i++) {
        const gltfw_mesh *mesh = GLTFW_AT(writer->meshes, gltfw_mesh, i);
        write_item_begin(json);
        if (mesh->name[0] != '\0')
            emberi_json_put_string(json, "name", mesh->name);
        emberi_json_put_integer(json, "mesh", i);
        if (mesh->joints != GLTF_NONE)
            emberi_json_put_integer(json, "skin", 0);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
}

static void write_scene(emberi_json_out *json, const gltf_writer *writer, const write_nodes *nodes)
{
    const ember_skeleton *skeleton = &writer->model->skeleton;
    emberi_json_line(json);
    emberi_json_put_integer(json, "scene", 0);
    write_list_begin(json, "scenes");
    emberi_json_object(json);
    emberi_json_key(json, "nodes");
    emberi_json_array(json);
    if (nodes->top != GLTF_NONE)
        emberi_json_integer(json, nodes->top);
    for (uint32_t i = 0; i < skeleton->bone_count && nodes->top == GLTF_NONE; i++)
        if (skeleton->parents[i] < 0)
            emberi_json_integer(json, i);
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->meshes, gltfw_mesh); i++)
        if (GLTFW_AT(writer->meshes, gltfw_mesh, i)->bone < 0)
            emberi_json_integer(json, nodes->first_mesh + i);
    emberi_json_array_end(json);
    emberi_json_object_end(json);
    emberi_json_array_end(json);
}

static void write_skin(emberi_json_out *json, const gltf_writer *writer)
{
    if (writer->inverse_binds == GLTF_NONE)
        return;
    write_list_begin(json, "skins");
    emberi_json_object(json);
    emberi_json_put_integer(json, "inverseBindMatrices", writer->inverse_binds);
    emberi_json_key(json, "joints");
    emberi_json_array(json);
    for (uint32_t i = 0; i < writer->model->skeleton.bone_count; i++)
        emberi_json_integer(json, i);
    emberi_json_array_end(json);
    emberi_json_object_end(json);
    emberi_json_array_end(json);
}

/* ---- meshes ---- */

static void write_extras_begin(emberi_json_out *json)
{
    emberi_json_key(json, "extras");
    emberi_json_object(json);
    emberi_json_key(json, "ember");
    emberi_json_object(json);
}

static void write_extras_end(emberi_json_out *json)
{
    emberi_json_object_end(json);
    emberi_json_object_end(json);
}

static void write_mesh(emberi_json_out *json, const gltfw_mesh *mesh)
{
    write_item_begin(json);
    if (mesh->name[0] != '\0')
        emberi_json_put_string(json, "name", mesh->name);
    emberi_json_key(json, "primitives");
    emberi_json_array(json);
    emberi_json_object(json);
    emberi_json_key(json, "attributes");
    emberi_json_object(json);
    write_index(json, "POSITION", mesh->positions);
    write_index(json, "NORMAL", mesh->normals);
    write_index(json, "TANGENT", mesh->tangents);
    write_index(json, "TEXCOORD_0", mesh->uvs);
    write_index(json, "COLOR_0", mesh->colors);
    write_index(json, "JOINTS_0", mesh->joints);
    write_index(json, "WEIGHTS_0", mesh->weights);
    emberi_json_object_end(json);
    emberi_json_put_integer(json, "indices", mesh->indices);
    emberi_json_put_integer(json, "material", mesh->material);
    emberi_json_object_end(json);
    emberi_json_array_end(json);
    if (mesh->bone_shapes) {
        write_extras_begin(json);
        emberi_json_put_bool(json, "bone_shapes", true);
        write_extras_end(json);
    }
    emberi_json_object_end(json);
}

static void write_material(emberi_json_out *json, const gltfw_material *material)
{
    write_item_begin(json);
    emberi_json_key(json, "pbrMetallicRoughness");
    emberi_json_object(json);
    write_numbers(json, "baseColorFactor", material->color, 4);
    if (material->image != GLTF_NONE) {
        emberi_json_key(json, "baseColorTexture");
        emberi_json_object(json);
        emberi_json_put_integer(json, "index", material->image);
        emberi_json_object_end(json);
    }
    emberi_json_put_integer(json, "metallicFactor", 0);
    emberi_json_object_end(json);
    if (material->color[3] < 1.0f)
        emberi_json_put_string(json, "alphaMode", "BLEND");
    emberi_json_object_end(json);
}

static void write_meshes(emberi_json_out *json, const gltf_writer *writer)
{
    uint32_t images = GLTFW_COUNT(writer->images, gltfw_image);
    if (writer->meshes.size == 0)
        return;
    write_list_begin(json, "meshes");
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->meshes, gltfw_mesh); i++)
        write_mesh(json, GLTFW_AT(writer->meshes, gltfw_mesh, i));
    emberi_json_array_end(json);
    write_list_begin(json, "materials");
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->materials, gltfw_material); i++)
        write_material(json, GLTFW_AT(writer->materials, gltfw_material, i));
    emberi_json_array_end(json);
    if (images == 0)
        return;
    write_list_begin(json, "textures");
    for (uint32_t i = 0; i < images; i++) {
        write_item_begin(json);
        emberi_json_put_integer(json, "source", i);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
    write_list_begin(json, "images");
    for (uint32_t i = 0; i < images; i++) {
        const gltfw_image *image = GLTFW_AT(writer->images, gltfw_image, i);
        write_item_begin(json);
        emberi_json_put_integer(json, "bufferView", image->view);
        emberi_json_put_string(json, "mimeType", image->png ? "image/png" : "image/jpeg");
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
}

/* ---- animations ---- */

static void write_channels(emberi_json_out *json, const gltf_writer *writer, const gltfw_animation *animation)
{
    static const char *const paths[GLTF_PATH_COUNT] = {"translation", "rotation", "scale"};
    emberi_json_key(json, "channels");
    emberi_json_array(json);
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const gltfw_channel *channel =
            GLTFW_AT(writer->channels, gltfw_channel, animation->first_channel + i);
        write_item_begin(json);
        emberi_json_put_integer(json, "sampler", i);
        emberi_json_key(json, "target");
        emberi_json_object(json);
        emberi_json_put_integer(json, "node", channel->node);
        emberi_json_put_string(json, "path", paths[channel->path]);
        emberi_json_object_end(json);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
    emberi_json_key(json, "samplers");
    emberi_json_array(json);
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const gltfw_channel *channel =
            GLTFW_AT(writer->channels, gltfw_channel, animation->first_channel + i);
        write_item_begin(json);
        emberi_json_put_integer(json, "input", channel->input);
        emberi_json_put_integer(json, "output", channel->output);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
}

static void write_markers(emberi_json_out *json, const ember_clip *clip)
{
    if (clip->marker_count == 0)
        return;
    emberi_json_key(json, "markers");
    emberi_json_array(json);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        emberi_json_object(json);
        emberi_json_put_string(json, "name", clip->markers[i].name);
        emberi_json_put_integer(json, "frame", clip->markers[i].frame);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
}

/* All bones in the skeleton's order need no list. */
static void write_clip_bones(emberi_json_out *json, const ember_clip *clip, const ember_skeleton *skeleton)
{
    bool in_order = clip->bone_count == skeleton->bone_count;
    for (uint32_t i = 0; i < clip->bone_count && in_order; i++)
        in_order = ember_clip_bone(clip, i) == i;
    if (in_order)
        return;
    emberi_json_key(json, "bones");
    emberi_json_array(json);
    for (uint32_t i = 0; i < clip->bone_count; i++)
        emberi_json_integer(json, ember_clip_bone(clip, i));
    emberi_json_array_end(json);
}

/* What glTF itself has no place for; docs/formats/gltf-extras.md. */
static ember_status write_clip_extras(emberi_json_out *json, const gltf_writer *writer,
                                      const ember_clip *clip)
{
    const emberi_format_ops *raw = emberi_format_ops_of(clip->raw.format);
    ember_status             status = EMBER_OK;
    write_extras_begin(json);
    if (clip->fps > 0.0) {
        emberi_json_put_number(json, "fps", clip->fps);
    }
    emberi_json_put_bool(json, "loop", clip->loop);
    emberi_json_put_string(json, "space", clip->space == EMBER_SPACE_LOCAL ? "local" : "model");
    emberi_json_put_integer(json, "frame_count", clip->frame_count);
    write_clip_bones(json, clip, &writer->model->skeleton);
    write_markers(json, clip);
    bool has_raw = raw != NULL && raw->raw_write != NULL;
    if (has_raw) {
        emberi_json_key(json, "raw");
        emberi_json_object(json);
        emberi_json_put_string(json, "format", raw->info.name);
        status = raw->raw_write(json, clip, writer->err);
        emberi_json_object_end(json);
    }
    write_extras_end(json);
    ember_format_stores stored = emberi_gltf_ops.info.stores;
    stored.raw = has_raw;
    emberi_note_losses(&writer->options->notes, writer->model, clip, stored);
    return status;
}

static ember_status write_animations(emberi_json_out *json, const gltf_writer *writer)
{
    ember_status status = EMBER_OK;
    if (writer->animations.size == 0)
        return status;
    write_list_begin(json, "animations");
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->animations, gltfw_animation) && status == EMBER_OK; i++) {
        const gltfw_animation *animation = GLTFW_AT(writer->animations, gltfw_animation, i);
        const ember_clip      *clip = &writer->model->clips[animation->clip];
        write_item_begin(json);
        if (clip->name[0] != '\0')
            emberi_json_put_string(json, "name", clip->name);
        write_channels(json, writer, animation);
        status = write_clip_extras(json, writer, clip);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
    return status;
}

/* ---- accessors, views, the buffer ---- */

static void write_accessors(emberi_json_out *json, const gltf_writer *writer)
{
    write_list_begin(json, "accessors");
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->accessors, gltfw_accessor); i++) {
        const gltfw_accessor *accessor = GLTFW_AT(writer->accessors, gltfw_accessor, i);
        write_item_begin(json);
        emberi_json_put_integer(json, "bufferView", accessor->view);
        if (accessor->offset != 0)
            emberi_json_put_integer(json, "byteOffset", (int64_t)accessor->offset);
        emberi_json_put_integer(json, "componentType", (int64_t)accessor->component);
        emberi_json_put_integer(json, "count", accessor->count);
        emberi_json_put_string(json, "type", accessor->type);
        if (accessor->bounds != 0) {
            write_numbers(json, "min", accessor->low, accessor->bounds);
            write_numbers(json, "max", accessor->high, accessor->bounds);
        }
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
}

static void write_views(emberi_json_out *json, const gltf_writer *writer)
{
    write_list_begin(json, "bufferViews");
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->views, gltfw_view); i++) {
        const gltfw_view *view = GLTFW_AT(writer->views, gltfw_view, i);
        write_item_begin(json);
        emberi_json_put_integer(json, "buffer", 0);
        if (view->offset != 0)
            emberi_json_put_integer(json, "byteOffset", (int64_t)view->offset);
        emberi_json_put_integer(json, "byteLength", (int64_t)view->size);
        if (view->target != 0)
            emberi_json_put_integer(json, "target", view->target);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
}

ember_status emberi_gltfw_records(ember_buffer *out, const gltf_writer *writer)
{
    emberi_json_out json = {.buffer = out, .compact = true};
    emberi_json_object(&json);
    ember_status status = write_animations(&json, writer);
    write_accessors(&json, writer);
    write_views(&json, writer);
    emberi_json_object_end(&json);
    return status == EMBER_OK && json.failed ? emberi_fail_memory(writer->err) : status;
}

ember_status emberi_gltfw_document(ember_buffer *out, gltf_writer *writer, bool compact, const char *uri)
{
    if (writer->document != NULL)
        return emberi_gltfw_carried_text(out, writer, compact, uri);
    emberi_json_out json = {.buffer = out, .compact = compact};
    write_nodes     nodes;
    if (!write_nodes_make(&nodes, writer))
        return emberi_fail_memory(writer->err);
    emberi_json_object(&json);
    emberi_json_line(&json);
    emberi_json_key(&json, "asset");
    emberi_json_object(&json);
    emberi_json_put_string(&json, "version", "2.0");
    emberi_json_put_string(&json, "generator", "Ember " EMBER_VERSION);
    emberi_json_object_end(&json);
    write_scene(&json, writer, &nodes);
    write_node_list(&json, writer, &nodes);
    write_skin(&json, writer);
    write_meshes(&json, writer);
    ember_status status = write_animations(&json, writer);
    write_accessors(&json, writer);
    write_views(&json, writer);
    write_list_begin(&json, "buffers");
    emberi_json_object(&json);
    emberi_json_put_integer(&json, "byteLength", (int64_t)writer->bin.size);
    if (uri != NULL)
        emberi_json_put_string(&json, "uri", uri);
    emberi_json_object_end(&json);
    emberi_json_array_end(&json);
    emberi_json_line(&json);
    emberi_json_object_end(&json);
    if (status == EMBER_OK && json.failed)
        status = emberi_fail_memory(writer->err);
    return status;
}
