/* SPDX-License-Identifier: MIT */
/* Takes as animations: every channel's keys in seconds, rotations repaired where assimp forgot to invert
   PostRotation. Between the keys the glTF reader takes the shorter arc. */
#include "format/fbx/fbx_parts.h"

#include <math.h>
#include <string.h>

/* What one take needs on its way: the samplers that its channels name are written beside them. */
typedef struct clip_job {
    fbx_out                  *out;
    const fbx_scene          *scene;
    const struct aiAnimation *animation;
    double                    rate; /* ticks a second */
    emberi_json_out           channels, samplers;
    uint32_t                  sampler_count;
    ember_buffer              times, values; /* floats of the channel at hand */
    ember_buffer              last_times;
    uint32_t                  last_accessor; /* of last_times */
} clip_job;

/* ---- keys ---- */

static bool keys_begin(clip_job *job, uint32_t count)
{
    job->times.size = job->values.size = 0;
    return count != 0;
}

/* Times must rise; of keys at one time the first counts, as the curve would reach it. */
static bool keys_time(clip_job *job, double ticks)
{
    float time = (float)(ticks / job->rate), before;
    if (!isfinite(time))
        return false;
    if (job->times.size != 0) {
        memcpy(&before, job->times.data + job->times.size - sizeof(before), sizeof(before));
        if (!(time > before))
            return false;
    }
    if (!ember_buffer_append(&job->times, &time, sizeof(time)))
        job->out->failed = true;
    return !job->out->failed;
}

static void keys_value(clip_job *job, const float *value, size_t count)
{
    if (!ember_buffer_append(&job->values, value, count * sizeof(float)))
        job->out->failed = true;
}

/* Channels of one node mostly have the same times. */
static uint32_t keys_times_accessor(clip_job *job)
{
    if (job->last_accessor != FBX_NONE && job->last_times.size == job->times.size &&
        memcmp(job->last_times.data, job->times.data, job->times.size) == 0)
        return job->last_accessor;
    job->last_times.size = 0;
    if (!ember_buffer_append(&job->last_times, job->times.data, job->times.size))
        job->out->failed = true;
    job->last_accessor = emberi_fbx_floats(job->out, (const float *)(const void *)job->times.data,
                                           job->times.size / sizeof(float), 1);
    return job->last_accessor;
}

static void keys_end(clip_job *job, uint32_t node, const char *path, uint32_t components)
{
    size_t count = job->times.size / sizeof(float);
    if (count == 0 || job->out->failed)
        return;
    emberi_json_object(&job->samplers);
    emberi_fbx_put_index(&job->samplers, "input", keys_times_accessor(job));
    emberi_fbx_put_index(&job->samplers, "output",
                         emberi_fbx_floats(job->out, (const float *)(const void *)job->values.data, count,
                                           components));
    emberi_json_object_end(&job->samplers);

    emberi_json_object(&job->channels);
    emberi_fbx_put_index(&job->channels, "sampler", job->sampler_count++);
    emberi_json_key(&job->channels, "target");
    emberi_json_object(&job->channels);
    emberi_fbx_put_index(&job->channels, "node", node);
    emberi_json_put_string(&job->channels, "path", path);
    emberi_json_object_end(&job->channels);
    emberi_json_object_end(&job->channels);
}

static void clip_translation(clip_job *job, const struct aiNodeAnim *channel, uint32_t node)
{
    float length = (float)job->scene->length;
    bool  any = keys_begin(job, channel->mNumPositionKeys);
    for (unsigned i = 0; any && i < channel->mNumPositionKeys; i++) {
        const struct aiVectorKey *key = &channel->mPositionKeys[i];
        const float value[3] = {key->mValue.x * length, key->mValue.y * length, key->mValue.z * length};
        if (keys_time(job, key->mTime))
            keys_value(job, value, 3);
    }
    keys_end(job, node, "translation", 3);
}

static void clip_scale(clip_job *job, const struct aiNodeAnim *channel, uint32_t node, bool inverse)
{
    bool any = keys_begin(job, channel->mNumScalingKeys);
    for (unsigned i = 0; any && i < channel->mNumScalingKeys; i++) {
        const struct aiVectorKey *key = &channel->mScalingKeys[i];
        float                     value[3] = {key->mValue.x, key->mValue.y, key->mValue.z};
        for (int k = 0; inverse && k < 3; k++)
            value[k] = value[k] != 0.0f ? 1.0f / value[k] : 1.0f;
        if (keys_time(job, key->mTime))
            keys_value(job, value, 3);
    }
    keys_end(job, node, "scale", 3);
}

/* The rotation times the helper's, twice: assimp multiplied with PostRotation where its inverse was meant,
   and the helper holds that. */
static void clip_repair_rotation(double q[4], const real_trs *post)
{
    real_trs turned = emberi_real_trs_identity;
    memcpy(turned.r, q, sizeof(turned.r));
    turned = emberi_real_trs_mul(&turned, post);
    turned = emberi_real_trs_mul(&turned, post);
    memcpy(q, turned.r, sizeof(turned.r));
}

static void clip_rotation(clip_job *job, const struct aiNodeAnim *channel, uint32_t node,
                          const real_trs *post)
{
    bool any = keys_begin(job, channel->mNumRotationKeys);
    for (unsigned i = 0; any && i < channel->mNumRotationKeys; i++) {
        const struct aiQuatKey *key = &channel->mRotationKeys[i];
        double                  q[4] = {(double)key->mValue.x, (double)key->mValue.y, (double)key->mValue.z,
                                        (double)key->mValue.w};
        if (post != NULL)
            clip_repair_rotation(q, post);
        const float value[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
        if (keys_time(job, key->mTime))
            keys_value(job, value, 4);
    }
    keys_end(job, node, "rotation", 4);
}

/* ---- channels ---- */

/* One key that holds a helper at identity: the node's own channel has all of it. */
static void clip_still(clip_job *job, uint32_t node, double ticks)
{
    static const float       values[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}};
    static const char *const paths[3] = {"translation", "rotation", "scale"};
    for (int i = 0; i < 3; i++) {
        uint32_t components = i == 1 ? 4 : 3;
        if (keys_begin(job, 1) && keys_time(job, ticks))
            keys_value(job, values[i], components);
        keys_end(job, node, paths[i], components);
    }
}

/* The clip's first key of the channel, where it has any. */
static double clip_first_ticks(const struct aiNodeAnim *channel)
{
    return channel->mNumRotationKeys != 0   ? channel->mRotationKeys[0].mTime
           : channel->mNumPositionKeys != 0 ? channel->mPositionKeys[0].mTime
           : channel->mNumScalingKeys != 0  ? channel->mScalingKeys[0].mTime
                                            : 0.0;
}

static bool clip_same(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabsf(a[i] - b[i]) <= 1e-5f * (1.0f + fabsf(a[i]))))
            return false;
    return true;
}

/* Exporters give every object a channel, also those that stand still: of what is no bone and above none they
   would only be noise. */
static bool clip_is_still(const struct aiNodeAnim *channel)
{
    bool still = true;
    for (unsigned i = 1; still && i < channel->mNumPositionKeys; i++)
        still = clip_same(&channel->mPositionKeys[i].mValue.x, &channel->mPositionKeys[0].mValue.x, 3);
    for (unsigned i = 1; still && i < channel->mNumRotationKeys; i++)
        still = clip_same(&channel->mRotationKeys[i].mValue.w, &channel->mRotationKeys[0].mValue.w, 4);
    for (unsigned i = 1; still && i < channel->mNumScalingKeys; i++)
        still = clip_same(&channel->mScalingKeys[i].mValue.x, &channel->mScalingKeys[0].mValue.x, 3);
    return still;
}

/* A channel that is called like its node holds translation, rotation and scale of the whole
   chain of helpers. */
static void clip_whole_channel(clip_job *job, const struct aiNodeAnim *channel, uint32_t index)
{
    const fbx_scene *scene = job->scene;
    const fbx_node  *node = &scene->nodes[index];
    uint32_t         helper = emberi_fbx_helper(scene, index, "PostRotation");
    real_trs         post = emberi_real_trs_identity;
    if (scene->joint_count != 0 && node->joint == FBX_NONE && !node->above_joint && clip_is_still(channel))
        return;
    if (helper != FBX_NONE) {
        real_mat m = emberi_fbx_matrix(&scene->nodes[helper].node->mTransformation);
        emberi_real_mat_decompose(&post, &m, &emberi_real_trs_identity);
    }
    clip_translation(job, channel,
                     node->compensation != FBX_NONE && !node->helper ? node->compensation : node->gltf);
    clip_rotation(job, channel, node->gltf, helper != FBX_NONE ? &post : NULL);
    clip_scale(job, channel, node->gltf, false);
    for (uint32_t up = node->parent; up != FBX_NONE && scene->nodes[up].helper; up = scene->nodes[up].parent)
        if (!scene->nodes[up].folded)
            clip_still(job, scene->nodes[up].gltf, clip_first_ticks(channel));
}

/* A channel of a helper holds the part that the helper is for, and nothing in the others. */
static void clip_helper_channel(clip_job *job, const struct aiNodeAnim *channel)
{
    for (uint32_t i = 0; i < job->scene->node_count; i++) {
        const fbx_node *node = &job->scene->nodes[i];
        if (!node->helper || node->folded || strcmp(node->node->mName.data, channel->mNodeName.data) != 0)
            continue;
        clip_translation(job, channel, node->gltf);
        clip_rotation(job, channel, node->gltf, NULL);
        clip_scale(job, channel, node->gltf, false);
        return;
    }
}

static void clip_channels(clip_job *job)
{
    const fbx_scene *scene = job->scene;
    for (unsigned i = 0; i < job->animation->mNumChannels; i++) {
        const struct aiNodeAnim *channel = job->animation->mChannels[i];
        uint32_t                 node = emberi_fbx_find(scene, channel->mNodeName.data);
        if (node != FBX_NONE)
            clip_whole_channel(job, channel, node);
        else
            clip_helper_channel(job, channel);
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const fbx_node *node = &scene->nodes[i];
        if (node->compensation == FBX_NONE)
            continue;
        const struct aiNodeAnim *channel =
            emberi_fbx_scale_channel(job->animation, scene->nodes[node->scaled_by].name);
        if (channel != NULL)
            clip_scale(job, channel, node->compensation, true);
    }
}

/* ---- takes ---- */

static void clip_write(clip_job *job)
{
    fbx_out     *out = job->out;
    ember_buffer channels = {.allocator = ember_heap()}, samplers = {.allocator = ember_heap()};
    double       rate = job->animation->mTicksPerSecond;
    job->rate = rate != 0.0 && isfinite(rate) ? rate : 1.0;
    job->channels = (emberi_json_out){.buffer = &channels, .compact = true};
    job->samplers = (emberi_json_out){.buffer = &samplers, .compact = true};
    job->last_accessor = FBX_NONE;
    emberi_json_array(&job->channels);
    emberi_json_array(&job->samplers);
    clip_channels(job);
    emberi_json_array_end(&job->channels);
    emberi_json_array_end(&job->samplers);
    out->failed = out->failed || job->channels.failed || job->samplers.failed;

    emberi_json_out *json = emberi_fbx_add(out, FBX_ANIMATIONS);
    if (job->animation->mName.length != 0) {
        emberi_json_put_string(json, "name", job->animation->mName.data);
    }
    emberi_json_key(json, "channels");
    out->failed = out->failed || !ember_buffer_append(json->buffer, channels.data, channels.size);
    json->comma = true;
    emberi_json_key(json, "samplers");
    out->failed = out->failed || !ember_buffer_append(json->buffer, samplers.data, samplers.size);
    json->comma = true;
    emberi_json_object_end(json);
    ember_buffer_free(&channels);
    ember_buffer_free(&samplers);
}

ember_status emberi_fbx_clips(fbx_out *out, const fbx_scene *scene, ember_error *err)
{
    clip_job job = {.out = out, .scene = scene};
    job.times.allocator = job.values.allocator = job.last_times.allocator = ember_heap();
    for (unsigned i = 0; i < scene->scene->mNumAnimations && !out->failed; i++) {
        job.animation = scene->scene->mAnimations[i];
        job.sampler_count = 0;
        clip_write(&job);
    }
    ember_buffer_free(&job.times);
    ember_buffer_free(&job.values);
    ember_buffer_free(&job.last_times);
    return out->failed ? emberi_fail_memory(err) : EMBER_OK;
}
