/* SPDX-License-Identifier: MIT */
/* FBX files by hand: two documents as text, of version 7.4 and 6100, and the same as binary files of all
   kinds, made by a small translator that takes what is written here and nothing else. Text has ' in place of
   ". */
#include "seeds.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* ---- the documents ---- */

static const char header_74[] =
    "FBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n"
    "GlobalSettings: {\nVersion: 1000\nProperties70: {\n"
    "P: 'UpAxis', 'int', 'Integer', '',1\nP: 'UpAxisSign', 'int', 'Integer', '',1\nP: 'FrontAxis', 'int', "
    "'Integer', '',2\n"
    "P: 'FrontAxisSign', 'int', 'Integer', '',1\nP: 'CoordAxis', 'int', 'Integer', '',0\n"
    "P: 'CoordAxisSign', 'int', 'Integer', '',1\n"
    "P: 'UnitScaleFactor', 'double', 'Number', '',1.5\nP: 'TimeMode', 'enum', '', '',11\n}\n}\n"
    "Definitions: {\nObjectType: 'Model' {\nPropertyTemplate: 'FbxNode' {\nProperties70: {\n"
    "P: 'RotationActive', 'bool', '', '',0\nP: 'InheritType', 'enum', '', '',0\n}\n}\n}\n}\n";

/* Two bones that move in two layers, and a skinned quad with everything a mesh can have. */
static const char objects_74[] =
    "Objects: {\n"
    "Model: 1, 'Model::hip', 'LimbNode' {\nProperties70: {\nP: 'Lcl Translation', 'Lcl Translation', '', "
    "'A',0.5,1.0,0.0\n"
    "P: 'RotationActive', 'bool', '', '',1\nP: 'PreRotation', 'Vector3D', 'Vector', '',10.0,20.0,30.0\n"
    "P: 'RotationOrder', 'enum', '', '',3\n}\n}\n"
    "Model: 2, 'Model::knee', 'LimbNode' {\nProperties70: {\nP: 'Lcl Scaling', 'Lcl Scaling', '', "
    "'A',2.0,1.0,1.0\n"
    "P: 'InheritType', 'enum', '', '',2\nP: 'ScalingPivot', 'Vector3D', 'Vector', '',0.1,0.2,0.3\n}\n}\n"
    "Model: 3, 'Model::body', 'Mesh' {\nProperties70: {\nP: 'GeometricTranslation', 'Vector3D', 'Vector', "
    "'',0.0,0.5,0.0\n}\n}\n"
    "Model: 4, 'Model::eye', 'Camera' {\n}\n"
    "NodeAttribute: 5, 'NodeAttribute::hip', 'LimbNode' {\nTypeFlags: 'Skeleton'\n}\n"
    "Geometry: 10, 'Geometry::body', 'Mesh' {\nVertices: *12 {\na: "
    "0.0,0.0,0.0,1.0,0.0,0.0,1.0,1.0,0.0,0.0,1.0,0.5\n}\n"
    "PolygonVertexIndex: *4 {\na: 0,1,2,-4\n}\n"
    "LayerElementNormal: 0 {\nMappingInformationType: 'ByVertice'\nReferenceInformationType: 'Direct'\n"
    "Normals: *12 {\na: 0.0,0.0,1.0,0.0,0.0,1.0,0.0,0.0,1.0,0.0,0.0,1.0\n}\n}\n"
    "LayerElementUV: 0 {\nMappingInformationType: 'ByPolygonVertex'\nReferenceInformationType: "
    "'IndexToDirect'\n"
    "UV: *4 {\na: 0.0,0.0,1.0,0.5\n}\nUVIndex: *4 {\na: 0,1,1,0\n}\n}\n"
    "LayerElementColor: 0 {\nMappingInformationType: 'ByPolygon'\nReferenceInformationType: 'Direct'\n"
    "Colors: *4 {\na: 1.0,0.5,0.0,1.0\n}\n}\n"
    "LayerElementMaterial: 0 {\nMappingInformationType: 'AllSame'\nReferenceInformationType: "
    "'IndexToDirect'\nMaterials: *1 {\na: 0\n}\n}\n}\n"
    "Deformer: 11, 'Deformer::', 'Skin' {\nVersion: 101\n}\n"
    "Deformer: 12, 'SubDeformer::', 'Cluster' {\nIndexes: *4 {\na: 0,1,2,3\n}\nWeights: *4 {\na: "
    "1.0,0.5,0.25,0.0\n}\n"
    "Transform: *16 {\na: 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,-1.0,0.0,1.0\n}\n"
    "TransformLink: *16 {\na: 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,1.0,0.0,1.0\n}\n}\n"
    "Deformer: 13, 'SubDeformer::', 'Cluster' {\nIndexes: *2 {\na: 2,3\n}\nWeights: *2 {\na: 0.5,1.0\n}\n}\n"
    "Deformer: 14, 'Deformer::', 'BlendShape' {\nVersion: 100\n}\n"
    "Material: 20, 'Material::skin', '' {\nProperties70: {\nP: 'DiffuseColor', 'Color', '', "
    "'A',0.5,0.25,1.0\n}\n}\n"
    "Texture: 21, 'Texture::skin', '' {\nFileName: 'C:\\\\skin.png'\nRelativeFilename: '..\\\\skin.png'\n}\n"
    "Video: 22, 'Video::skin', 'Clip' {\nRelativeFilename: 'skin.png'\nContent: 'iVBORw0KGgo='\n}\n"
    "Constraint: 23, 'Constraint::c', 'Aim' {\n}\n"
    "AnimationStack: 30, 'AnimStack::walk', '' {\nProperties70: {\nP: 'LocalStop', 'KTime', 'Time', "
    "'',13855847400\n}\n}\n"
    "AnimationLayer: 31, 'AnimLayer::base', '' {\n}\n"
    "AnimationLayer: 32, 'AnimLayer::over', '' {\nProperties70: {\nP: 'Weight', 'Number', '', 'A',50.0\nP: "
    "'BlendMode', 'enum', '', '',2\n}\n}\n"
    "AnimationCurveNode: 33, 'AnimCurveNode::T', '' {\nProperties70: {\nP: 'd|X', 'Number', '', 'A',0.5\nP: "
    "'d|Y', 'Number', '', 'A',1.0\n}\n}\n"
    "AnimationCurveNode: 34, 'AnimCurveNode::R', '' {\nProperties70: {\nP: 'd|X', 'Number', '', "
    "'A',0.0\n}\n}\n"
    "AnimationCurveNode: 35, 'AnimCurveNode::R', '' {\nProperties70: {\nP: 'd|Z', 'Number', '', "
    "'A',15.0\n}\n}\n"
    "AnimationCurve: 36, 'AnimCurve::', '' {\nKeyVer: 4009\nKeyTime: *4 {\na: "
    "0,4618615800,9237231600,13855847400\n}\n"
    "KeyValueFloat: *4 {\na: 0.0,30.0,-10.0,45.0\n}\nKeyAttrFlags: *3 {\na: 24840,50332936,4\n}\n"
    "KeyAttrDataFloat: *12 {\na: "
    "0,0,218434821,0,1084227584,-1063256064,218434821,0,0,0,0,0\n}\nKeyAttrRefCount: *3 {\na: 1,2,1\n}\n"
    "Post-Extrapolation: {\nType: R\nRepetition: 2\n}\n}\n"
    "AnimationCurve: 37, 'AnimCurve::', '' {\nKeyTime: *3 {\na: 0,4618615800,13855847400\n}\n"
    "KeyValueFloat: *3 {\na: 0.0,1.0,0.5\n}\nKeyAttrFlags: *3 {\na: 258,520,264\n}\n"
    "KeyAttrDataFloat: *12 {\na: 0,0,0,0,1056964608,0,1056964608,0,0,0,0,0\n}\nKeyAttrRefCount: *3 {\na: "
    "1,1,1\n}\n}\n"
    "}\n"
    "Connections: {\nC: 'OO',1,0\nC: 'OO',2,1\nC: 'OO',3,0\nC: 'OO',4,0\nC: 'OO',5,1\nC: 'OO',10,3\nC: "
    "'OO',11,10\nC: 'OO',12,11\n"
    "C: 'OO',13,11\nC: 'OO',1,12\nC: 'OO',2,13\nC: 'OO',14,10\nC: 'OO',20,3\nC: 'OP',21,20, "
    "'DiffuseColor'\nC: 'OO',22,21\n"
    "C: 'OO',31,30\nC: 'OO',32,30\nC: 'OO',33,31\nC: 'OO',34,31\nC: 'OO',35,32\nC: 'OP',33,1, 'Lcl "
    "Translation'\n"
    "C: 'OP',34,2, 'Lcl Rotation'\nC: 'OP',35,2, 'Lcl Rotation'\nC: 'OP',36,34, 'd|X'\nC: 'OP',37,33, "
    "'d|X'\nC: 'OP',36,35, 'd|Y'\n}\n";

static const char document_61[] =
    "FBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 6100\n}\n"
    "Objects: {\n"
    "Model: 'Model::hip', 'Limb' {\nProperties60: {\nProperty: 'Lcl Translation', 'Lcl Translation', "
    "'A+',0.0,1.0,0.0\n}\n}\n"
    "Model: 'Model::body', 'Mesh' {\nProperties60: {\nProperty: 'RotationOrder', 'enum', '',2\n}\n"
    "Vertices: 0.0,0.0,0.0,1.0,0.0,0.0,1.0,1.0,0.0,0.0,1.0,0.5\nPolygonVertexIndex: 0,1,2,-4\n"
    "LayerElementUV: 0 {\nMappingInformationType: 'ByPolygonVertex'\nReferenceInformationType: "
    "'IndexToDirect'\n"
    "UV: 0.0,0.0,1.0,0.5\nUVIndex: 0,1,1,0\n}\n}\n"
    "Deformer: 'Deformer::skin', 'Skin' {\nVersion: 100\n}\n"
    "Deformer: 'SubDeformer::one', 'Cluster' {\nIndexes: 0,1,2,3\nWeights: 1.0,0.5,0.25,1.0\n"
    "Transform: 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,-1.0,0.0,1.0\n}\n"
    "GlobalSettings: {\nProperties60: {\nProperty: 'UpAxis', 'int', '',2\nProperty: 'UnitScaleFactor', "
    "'double', '',2.54\n}\n}\n}\n"
    "Connections: {\nConnect: 'OO', 'Model::hip', 'Model::Scene'\nConnect: 'OO', 'Model::body', "
    "'Model::Scene'\n"
    "Connect: 'OO', 'Deformer::skin', 'Model::body'\nConnect: 'OO', 'SubDeformer::one', 'Deformer::skin'\n"
    "Connect: 'OO', 'Model::hip', 'SubDeformer::one'\n}\n"
    "Takes: {\nCurrent: 'walk'\nTake: 'walk' {\nLocalTime: 0,9237231600\nModel: 'Model::hip' {\nChannel: "
    "'Transform' {\n"
    "Channel: 'T' {\nChannel: 'X' {\nDefault: 0.0\nKeyVer: 4005\nKeyCount: 3\n"
    "Key: 0,0.0,U,s,1.0,2.0,n,4618615800,1.0,U,b,0.5,0.25,a,0.25,0.5,9237231600,0.0,L\n}\n"
    "Channel: 'Y' {\nDefault: 1.0\n}\n}\n"
    "Channel: 'R' {\nChannel: 'X' {\nKeyVer: 4005\nKeyCount: 3\nKey: "
    "0,0.0,C,n,4618615800,30.0,U,a,n,9237231600,0.0,U,t,0.5,0.0,0.5,n\n}\n}\n"
    "}\n}\n}\n}\n";

/* ---- the translator ---- */

typedef struct translator {
    const char *at;
    uint8_t    *out;
    size_t      used, room;
    uint32_t    version;
    bool        big, stored; /* byte order; arrays as blocks of deflate that store */
} translator;

static uint8_t *bytes_take(translator *t, size_t size)
{
    fuzz_require(t->room - t->used >= size, "a seed is too long");
    t->used += size;
    return t->out + t->used - size;
}

static void word_at(const translator *t, uint8_t *p, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        p[t->big ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

static void word_add(translator *t, uint64_t value, size_t size)
{
    word_at(t, bytes_take(t, size), value, size);
}

static uint64_t double_bits(const char *text)
{
    const double value = strtod(text, NULL);
    uint64_t     bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static void blanks_skip(translator *t) { t->at += strspn(t->at, " \n"); }

/* 'Class::Name' becomes the name, 0, 1 and the class. */
static void string_add(translator *t)
{
    const char  *text = t->at + 1, *end = strchr(text, '\''), *mark = strstr(text, "::");
    const size_t size = (size_t)(end - text);
    *bytes_take(t, 1) = 'S';
    word_add(t, size, 4);
    uint8_t *p = bytes_take(t, size);
    if (mark != NULL && mark < end) {
        const size_t name = (size_t)(end - mark - 2);
        memcpy(p, mark + 2, name);
        p[name] = 0;
        p[name + 1] = 1;
        memcpy(p + name + 2, text, (size_t)(mark - text));
    } else {
        memcpy(p, text, size);
    }
    t->at = end + 1;
}

static void value_add(translator *t)
{
    const size_t size = strcspn(t->at, ",\n{ ");
    if (*t->at == '\'') {
        string_add(t);
        return;
    }
    const bool digit = (*t->at >= '0' && *t->at <= '9') || *t->at == '-';
    const bool real = digit && memchr(t->at, '.', size) != NULL;
    *bytes_take(t, 1) = digit ? (real ? 'D' : 'L') : 'C';
    if (digit)
        word_add(t, real ? double_bits(t->at) : (uint64_t)strtoll(t->at, NULL, 10), 8);
    else
        *bytes_take(t, 1) = (uint8_t)*t->at;
    t->at += size;
}

/* The elements as deflate would hold them: a zlib header, one block that is stored, Adler's checksum. */
static void array_store(translator *t, size_t start)
{
    const size_t size = t->used - start;
    uint32_t     a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + t->out[start + i]) % 65521;
        b = (b + a) % 65521;
    }
    (void)bytes_take(t, 11);
    uint8_t *p = t->out + start;
    memmove(p + 7, p, size);
    p[0] = 0x78;
    p[1] = 0x01;
    p[2] = 1;
    emberi_put_u16(p + 3, (uint16_t)size);
    emberi_put_u16(p + 5, (uint16_t)~size);
    p[7 + size] = (uint8_t)(b >> 8);
    p[8 + size] = (uint8_t)b;
    p[9 + size] = (uint8_t)(a >> 8);
    p[10 + size] = (uint8_t)a;
    word_at(t, p - 8, 1, 4);
    word_at(t, p - 4, size + 11, 4);
}

static bool name_is(const char *name, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(name, wanted, size) == 0;
}

/* '*N { a: 1,2,3 }'. Numbers with a point are doubles; of KeyAttrDataFloat they are the bits of floats. */
static void array_add(translator *t, const char *name, size_t name_size)
{
    const bool   times = name_is(name, name_size, "KeyTime");
    const bool   attributes = name_is(name, name_size, "KeyAttrDataFloat");
    const size_t count = strtoul(t->at + 1, NULL, 10), size_here = strcspn(t->at, "}");
    const bool   real = memchr(t->at, '.', size_here) != NULL;
    const size_t width = real || times ? 8 : 4;
    *bytes_take(t, 1) = (uint8_t)(real ? 'd' : times ? 'l' : attributes ? 'f' : 'i');
    word_add(t, count, 4);
    word_add(t, 0, 4);
    word_add(t, count * width, 4);
    const size_t start = t->used;
    t->at = strchr(t->at, 'a') + 2;
    for (size_t i = 0; i < count; i++) {
        t->at += strspn(t->at, " ,");
        word_add(t, real ? double_bits(t->at) : (uint64_t)strtoll(t->at, NULL, 10), width);
        t->at += strcspn(t->at, ",\n}");
    }
    t->at = strchr(t->at, '}') + 1;
    if (t->stored)
        array_store(t, start);
}

/* Records up to the brace that ends their list, or the end of all. */
/* NOLINTNEXTLINE(misc-no-recursion): the documents above are not deep */
static void records_add(translator *t)
{
    const size_t word = t->version >= 7500 ? 8 : 4;
    for (blanks_skip(t); *t->at != '\0' && *t->at != '}'; blanks_skip(t)) {
        const size_t start = t->used, name_size = strcspn(t->at, ":");
        const char  *name = t->at;
        uint64_t     count = 0;
        (void)bytes_take(t, 3 * word);
        *bytes_take(t, 1) = (uint8_t)name_size;
        memcpy(bytes_take(t, name_size), t->at, name_size);
        const size_t props = t->used;
        t->at += name_size + 1;
        for (t->at += strspn(t->at, " ,"); *t->at != '\n' && *t->at != '{' && *t->at != '\0';
             t->at += strspn(t->at, " ,")) {
            if (*t->at == '*')
                array_add(t, name, name_size);
            else
                value_add(t);
            count++;
        }
        word_at(t, t->out + start + word, count, word);
        word_at(t, t->out + start + 2 * word, t->used - props, word);
        if (*t->at == '{') {
            t->at++;
            records_add(t);
            t->at++;
        }
        word_at(t, t->out + start, t->used, word);
    }
    memset(bytes_take(t, 3 * word + 1), 0, 3 * word + 1);
}

static void put_binary(seeds *s, const char *name, const char *text, uint32_t version, bool big, bool stored)
{
    static uint8_t out[65536];
    translator     t =
        {.at = text, .out = out, .room = sizeof(out), .version = version, .big = big, .stored = stored};
    memcpy(bytes_take(&t, 23), "Kaydara FBX Binary  \0\x1a", 23);
    out[22] = big;
    word_add(&t, version, 4);
    records_add(&t);
    seeds_put_file(s, "fbx", name, out, t.used);
}

static void put_text(seeds *s, const char *name, const char *text)
{
    char        *copy = (char *)fuzz_exact_copy(text, strlen(text) + 1);
    const size_t size = strlen(copy);
    for (char *c = copy; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    seeds_put_file(s, "fbx", name, copy, size);
    free(copy);
}

void seeds_put_fbx(seeds *s)
{
    char document_74[sizeof(header_74) + sizeof(objects_74)];
    memcpy(document_74, header_74, sizeof(header_74));
    memcpy(document_74 + sizeof(header_74) - 1, objects_74, sizeof(objects_74));
    put_text(s, "text-7400", document_74);
    put_text(s, "text-6100", document_61);
    put_binary(s, "binary-7400", document_74, 7400, false, false);
    put_binary(s, "binary-7500", document_74, 7500, false, true);
    put_binary(s, "binary-big", document_74, 7400, true, true);
    put_binary(s, "binary-6100", document_61, 6100, false, false);
}
