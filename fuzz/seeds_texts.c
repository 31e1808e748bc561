/* SPDX-License-Identifier: MIT */
/* Files by hand: what Ember itself does not write but reads. glTF with ' in place of ". */
#include "seeds.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

#ifdef EMBER_HAVE_MESHOPT
#include <meshoptimizer.h>
#endif

/* ---- glTF ---- */

/* 0: three times, 12: 9 cubic vectors, 120: 3 unsigned shorts, 128: 3 shorts of 4 (quaternions),
   152: 3 matrices, 344: joints and weights, all of them from one buffer of 512 bytes, which every
   document here shares. */
static const char buffer_views[] =
    "'buffers':[{'byteLength':512%s}],'bufferViews':[{'buffer':0,'byteLength':120},{'buffer':0,'"
    "byteOffset':120,'byteLength':392},"
    "{'buffer':0,'byteOffset':344,'byteLength':96,'byteStride':8}],";

static const char curves[] =
    "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR','min':[0],'max':[0.5]},"
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'count':9,'type':'VEC3'},"
    "{'bufferView':1,'byteOffset':8,'componentType':5122,'normalized':true,'count':3,'type':'VEC4'},"
    "{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':2,'indices':{'bufferView':1,'"
    "componentType':5123},"
    "'values':{'bufferView':0,'byteOffset':12}}}],"
    "'nodes':[{'name':'a','children':[1],'matrix':[0,1,0,0,-1,0,0,0,0,0,1,0,1,2,3,1]},{'name':'b','rotation':"
    "[0,0,0.6,0.8],'"
    "scale':[1,2,1]}],"
    "'scenes':[{'nodes':[0]}],'scene':0,'animations':[{'name':'swing','channels':["
    "{'sampler':0,'target':{'node':1,'path':'translation'}},{'sampler':1,'target':{'node':1,'path':'rotation'"
    "}},"
    "{'sampler':2,'target':{'node':0,'path':'scale'}}],'samplers':[{'input':0,'output':1,'interpolation':'"
    "CUBICSPLINE'},"
    "{'input':0,'output':2},{'input':0,'output':3,'interpolation':'STEP'}],'extras':{'fps':24}}]";

static const char skins[] =
    "'accessors':[{'bufferView':0,'byteOffset':12,'componentType':5126,'count':3,'type':'VEC3','min':[-1,-1,-"
    "1],'max':[1,1,1]},"
    "{'bufferView':1,'byteOffset':32,'componentType':5126,'count':2,'type':'MAT4'},"
    "{'bufferView':2,'componentType':5121,'count':3,'type':'VEC4'},{'bufferView':2,'byteOffset':4,'"
    "componentType':5121,'"
    "normalized':true,'count':3,'type':'VEC4'},"
    "{'bufferView':1,'componentType':5123,'count':3,'type':'SCALAR'},{'bufferView':0,'componentType':5126,'"
    "count':3,'type':'VEC2'"
    "}],"
    "'meshes':[{'name':'m','primitives':[{'attributes':{'POSITION':0,'NORMAL':0,'JOINTS_0':2,'WEIGHTS_0':3},'"
    "indices':4,'mode':4,"
    "'material':0},"
    "{'attributes':{'POSITION':0,'COLOR_0':3,'TEXCOORD_0':5},'mode':5}]}],"
    "'materials':[{'pbrMetallicRoughness':{'baseColorFactor':[1,0.5,0,1],'baseColorTexture':{'index':0}}}],"
    "'textures':[{'source':0}],'images':[{'bufferView':0,'mimeType':'image/png'}],"
    "'nodes':[{'name':'body','mesh':0,'skin':0},{'name':'hip','children':[2]},{'name':'knee','translation':["
    "0,-1,0]}],"
    "'skins':[{'joints':[1,2],'skeleton':1,'inverseBindMatrices':1}],'scenes':[{'nodes':[0,1]}]";

#ifdef EMBER_HAVE_MESHOPT
static const char compressed[] =
    "'extensionsUsed':['EXT_meshopt_compression','KHR_mesh_quantization'],'extensionsRequired':['EXT_meshopt_"
    "compression'],"
    "'accessors':[{'bufferView':3,'componentType':5126,'count':3,'type':'VEC3'}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}]";
#endif

/* The buffer that the offsets above are about. */
static void bin_fill(uint8_t bin[512])
{
    for (size_t i = 0; i < 512; i += 4)
        emberi_put_u32(bin + i, i < 120               ? emberi_bits_of(0.0625f * (float)i)
                                : i >= 152 && i < 344 ? emberi_bits_of(i % 20 == 12 ? 1.0f : 0.0f)
                                : i < 344             ? 0x00020001u
                                : i % 8 == 0          ? 0x00000100u
                                                      : 0x00007f80u);
#ifdef EMBER_HAVE_MESHOPT
    (void)meshopt_encodeVertexBuffer(bin + 384, 128, bin, 3, 12);
#endif
}

static void uri_put(char *out, const uint8_t bin[512])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < 512; i += 3) { /* the last group has two bytes */
        uint32_t bits = (uint32_t)bin[i] << 16 | (uint32_t)bin[i + 1] << 8 | (i + 2 < 512 ? bin[i + 2] : 0u);
        for (int k = 0; k < 4; k++)
            *out++ = k == 3 && i + 2 >= 512 ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    memcpy(out, "'", 2);
}

static void put_glb(seeds *s, const char *name, char *text, size_t size, const uint8_t bin[512])
{
    uint8_t glb[12 + 8 + 8192 + 8 + 512];
    while (size % 4 != 0)
        text[size++] = ' ';
    const size_t total = 12 + 8 + size + 8 + 512;
    memcpy(glb, "glTF\2\0\0", 8);
    emberi_put_u32(glb + 8, (uint32_t)total);
    emberi_put_u32(glb + 12, (uint32_t)size);
    memcpy(glb + 16, "JSON", 4);
    memcpy(glb + 20, text, size);
    emberi_put_u32(glb + 20 + size, 512);
    memcpy(glb + 24 + size, "BIN", 4);
    memcpy(glb + 28 + size, bin, 512);
    seeds_put_file(s, "glb", name, glb, total);
}

static void put_gltf(seeds *s, const char *name, const char *rest, const char *more_views)
{
    char    text[8192], uri[1024] = ",'uri':'data:application/octet-stream;base64,";
    uint8_t bin[512];
    bin_fill(bin);
    uri_put(uri + strlen(uri), bin);
    for (int binary = 0; binary < 2; binary++) {
        char views[2048];
        int  size = snprintf(views, sizeof(views), buffer_views, binary ? "" : uri);
        if (more_views[0] != '\0') /* behind the last view */
            snprintf(views + size - 2, sizeof(views) - (size_t)size + 2, ",%s],", more_views);
        size = snprintf(text, sizeof(text), "{'asset':{'version':'2.0'},%s%s}", views, rest);
        fuzz_require(size > 0 && (size_t)size < sizeof(text) - 4, "a seed is too long");
        for (char *c = text; *c != '\0'; c++)
            *c = *c == '\'' ? '"' : *c;
        if (binary)
            put_glb(s, name, text, (size_t)size, bin);
        else
            seeds_put_file(s, "gltf", name, text, (size_t)size);
    }
}

/* ---- the others ---- */

static const char bvh[] = "HIERARCHY\nROOT hips\n{\n\tOFFSET 1 2 3\n\tCHANNELS 6 Xposition Yposition "
                          "Zposition Zrotation Xrotation Yrotation\n"
                          "\tJOINT leg\n\t{\n\t\tOFFSET 0.5 -1e1 .25\n\t\tCHANNELS 3 Zrotation Xrotation "
                          "Yrotation\n\t\tEnd Site\n\t\t{\n"
                          "\t\t\tOFFSET 0 -1 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 3\nFrame Time: 0.033333\n"
                          "0 0 0 0 0 0 0 0 0\n10 20 30 0 0 0 0 90 0\n-1 0 1.5e0 90 0 0 90 90 0\n";

static const char obj[] = "# two\nmtllib a.mtl\no box\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nv 1 1 "
                          "-2.5e-1\nvt 0 0\nvt 1 0.5\nvn 0 0 1\n"
                          "f 1/1/1 2/2/1 3//1\nusemtl b\ng more\nf -1 -2 -3 -4\ns off\nf 1 2 \\\n 4\n";

void seeds_put_texts(seeds *s)
{
    put_gltf(s, "curves", curves, "");
    put_gltf(s, "skins", skins, "");
#ifdef EMBER_HAVE_MESHOPT
    uint8_t bin[512], stream[128];
    char    view[256];
    bin_fill(bin);
    snprintf(view, sizeof(view),
             "{'buffer':0,'byteLength':36,'byteStride':12,'extensions':{'EXT_meshopt_compression':{'buffer':"
             "0,'byteOffset':384,'"
             "byteLength':%u,"
             "'byteStride':12,'count':3,'mode':'ATTRIBUTES','filter':'NONE'}}}",
             (unsigned)meshopt_encodeVertexBuffer(stream, sizeof(stream), bin, 3, 12));
    put_gltf(s, "compressed", compressed, view);
#endif
    seeds_put_file(s, "bvh", "two", bvh, sizeof(bvh) - 1);
    seeds_put_file(s, "obj", "two", obj, sizeof(obj) - 1);
}
