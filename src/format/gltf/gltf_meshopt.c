/* SPDX-License-Identifier: MIT */
/* EXT_meshopt_compression: a view's bytes as meshoptimizer packed them. Its decoders are safe on
   hostile bytes, but not on hostile counts and strides: those are checked here. A build without the
   library says so. */
#include "format/gltf/gltf.h"

#include <string.h>

#ifdef EMBER_HAVE_MESHOPT
#include <meshoptimizer.h>

bool emberi_gltf_meshopt_built(void) { return true; }

typedef struct meshopt_job {
    uint8_t    *out;
    size_t      count, stride;
    gltf_bytes  in;
    const char *mode, *filter;
} meshopt_job;

/* The rules of the extension, on which the library's functions rely. */
static const char *meshopt_complaint(const meshopt_job *job)
{
    bool vertices = strcmp(job->mode, "ATTRIBUTES") == 0;
    bool triangles = strcmp(job->mode, "TRIANGLES") == 0;
    if (!vertices && !triangles && strcmp(job->mode, "INDICES") != 0)
        return "an unknown mode";
    if (vertices ? job->stride == 0 || job->stride > 256 || job->stride % 4 != 0
                 : job->stride != 2 && job->stride != 4)
        return "a stride that its mode does not allow";
    if (triangles && job->count % 3 != 0)
        return "triangles without all corners";
    /* No stream is smaller than this: four bytes for 256 bytes of a vertex, one for the nine or more
       of a triangle. */
    if (job->count > SIZE_MAX / 512 || job->count * job->stride / 64 > job->in.size)
        return "more elements than its bytes can hold";
    if (strcmp(job->filter, "NONE") == 0)
        return NULL;
    if (!vertices)
        return "a filter for indices";
    if (strcmp(job->filter, "OCTAHEDRAL") == 0)
        return job->stride == 4 || job->stride == 8 ? NULL : "a stride that its filter does not allow";
    if (strcmp(job->filter, "QUATERNION") == 0)
        return job->stride == 8 ? NULL : "a stride that its filter does not allow";
    return strcmp(job->filter, "EXPONENTIAL") == 0 ? NULL : "an unknown filter";
}

static bool meshopt_run(const meshopt_job *job)
{
    int failed = 0;
    switch (job->mode[0]) {
    case 'A':
        failed = meshopt_decodeVertexBuffer(job->out, job->count, job->stride, job->in.data, job->in.size);
        break;
    case 'T':
        failed = meshopt_decodeIndexBuffer(job->out, job->count, job->stride, job->in.data, job->in.size);
        break;
    default:
        failed = meshopt_decodeIndexSequence(job->out, job->count, job->stride, job->in.data, job->in.size);
        break;
    }
    if (failed != 0)
        return false;
    if (job->filter[0] == 'O')
        meshopt_decodeFilterOct(job->out, job->count, job->stride);
    else if (job->filter[0] == 'Q')
        meshopt_decodeFilterQuat(job->out, job->count, job->stride);
    else if (job->filter[0] == 'E')
        meshopt_decodeFilterExp(job->out, job->count, job->stride);
    return true;
}

ember_status emberi_gltf_meshopt_load(gltf_doc *doc, gltf_bytes *out, const json_t *extension,
                                      gltf_where where)
{
    meshopt_job  job = {NULL, 0, 0, {NULL, 0}, NULL, NULL};
    uint64_t     count, stride;
    ember_status status = emberi_gltf_range_get(doc, &job.in, extension, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &count, extension, "count", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &stride, extension, "byteStride", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_text(doc, &job.mode, extension, "mode", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_text(doc, &job.filter, extension, "filter", where);
    if (status != EMBER_OK)
        return status;
    job.count = count <= UINT32_MAX ? (size_t)count : SIZE_MAX;
    job.stride = stride <= 256 ? (size_t)stride : 257;
    job.mode = job.mode != NULL ? job.mode : "";
    job.filter = job.filter != NULL ? job.filter : "NONE";
    const char *complaint = meshopt_complaint(&job);
    if (complaint != NULL)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "EXT_meshopt_compression", "%s", complaint);
    /* The filters work on 32-bit words. */
    job.out = emberi_gltf_push(doc, &doc->scratch, job.count, job.stride, 16);
    if (job.out == NULL)
        return doc->source->err->status;
    if (!meshopt_run(&job))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "EXT_meshopt_compression",
                                "the compressed bytes are damaged");
    out->data = job.out;
    out->size = job.count * job.stride;
    return EMBER_OK;
}

#else

bool emberi_gltf_meshopt_built(void) { return false; }

/* Where the extension is not required, the same bytes are there uncompressed. */
ember_status emberi_gltf_meshopt_load(gltf_doc *doc, gltf_bytes *out, const json_t *extension,
                                      gltf_where where)
{
    (void)extension;
    return emberi_gltf_range_get(doc, out, emberi_gltf_item(doc, GLTF_VIEWS, where.index), where);
}

#endif
