# SPDX-License-Identifier: MIT
"""The worst files of 1 KB at the most, one or more for every format: counts that promise far more than there is, and motion that stands still for hours."""

import base64
import json
import struct
import zlib

import corpus
import ff7_reference as ff7
import roms

LIMIT = 1024


def uri(data):
    return "data:;base64," + base64.b64encode(data).decode()


def gltf(**parts):
    return json.dumps({"asset": {"version": "2.0"}, **parts}, separators=(",", ":"))


def glb(document, binary=b""):
    text = document.encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + (struct.pack("<I4s", len(binary), b"BIN\0") + binary if binary else b"")
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def still(bones, seconds, values=(0.0, 0.0, 0.0), binary=False):
    """All bones held from the first second to the last: two keys, and every frame in between is made."""
    data = struct.pack("<2f6f", 0.0, seconds, *values, *values)
    buffer = {"byteLength": len(data)} if binary else {"byteLength": len(data), "uri": uri(data)}
    text = gltf(buffers=[buffer], bufferViews=[{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
                accessors=[{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"}, {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
                nodes=[{} for _ in range(bones)],
                animations=[{"samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": i, "path": "translation"}} for i in range(bones)]}])
    return glb(text, data) if binary else text


def bones_of_a_skin(bones, seconds):
    """One bone moves, all others are in every frame as well."""
    data = struct.pack("<2f6f", 0.0, seconds, *[0.0] * 6)
    return gltf(buffers=[{"byteLength": len(data), "uri": uri(data)}], bufferViews=[{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
                accessors=[{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"}, {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
                nodes=[{} for _ in range(bones)], skins=[{"joints": list(range(bones))}],
                animations=[{"samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}])


def zeros(count, **more):
    """A mesh of points that nobody wrote down."""
    return gltf(accessors=[{"componentType": 5126, "count": count, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0], **more}],
                meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}], nodes=[{"mesh": 0}], scenes=[{"nodes": [0]}])


def meshopt(count, stride):
    data = bytes([0xA0]) + bytes(63)
    view = {"buffer": 0, "byteLength": count * stride, "byteStride": stride,
            "extensions": {"EXT_meshopt_compression": {"buffer": 1, "byteLength": len(data), "byteStride": stride, "count": count, "mode": "ATTRIBUTES"}}}
    return gltf(extensionsUsed=["EXT_meshopt_compression"], extensionsRequired=["EXT_meshopt_compression"],
                buffers=[{"byteLength": count * stride}, {"byteLength": len(data), "uri": uri(data)}], bufferViews=[view],
                accessors=[{"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}],
                meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}], nodes=[{"mesh": 0}])


def png(width, height, depth, colour, data=b""):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")


def jpeg(width, height):
    """A header; progressive, so that all coefficients are kept."""
    frame = struct.pack(">BHHB", 8, height, width, 3) + bytes([1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
    return b"\xff\xd8\xff\xdb\0\x43\0" + bytes([1] * 64) + b"\xff\xc2" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xda\0\x0c\3\1\0\2\0\3\0\0\0\0" + bytes(64)


def textured(image, kind="png"):
    """A triangle of no size that shows it."""
    return gltf(accessors=[{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}, {"componentType": 5126, "count": 3, "type": "VEC2"}],
                images=[{"uri": "data:image/%s;base64," % kind + base64.b64encode(image).decode()}], textures=[{"source": 0}],
                materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
                meshes=[{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0}]}], nodes=[{"mesh": 0}])


def animbin_files():
    import animbin_reference as reference

    def file(count, length, joint, value=(4096, 0, 0, 0)):
        key = {"frame": 0, "type": 0, "value": list(value)}
        return reference.write([{"name": "a", "flags": 0, "length": length, "loop": False, "tracks": [{"type": 0, "joint": joint, "keys": [key]}], "markers": []}
                                for _ in range(count)])
    return file


def files():
    """By name."""
    animbin_of = animbin_files()
    made = {}
    for bones in (1, 2, 5):
        made["still%d.gltf" % bones] = still(bones, 2180.0)
    made["still2.glb"] = still(2, 2180.0, (-1.17549435e-30, 1.2345678e-20, -9.8765432e-10), binary=True)
    for bones, seconds in ((80, 60.0), (60, 80.0), (60, 2180.0)):
        made["skin%d_%d.gltf" % (bones, seconds)] = bones_of_a_skin(bones, seconds)
    made["fast.gltf"] = still(2, 1e9)
    for count in (700000, 2 ** 31 - 1, 2 ** 53):
        made["zeros%d.gltf" % count] = zeros(count)
    made["sparse.gltf"] = zeros(700000, sparse={"count": 1, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0}})
    made["meshopt.gltf"] = meshopt(2 ** 24, 256)
    made["meshopt_small.gltf"] = meshopt(60000, 256)
    made["deep.gltf"] = '{"asset":{"version":"2.0"},"x":' + "[" * 900
    made["wide.gltf"] = gltf(nodes=[{} for _ in range(310)])
    for name, image in (("claim", png(16384, 16384, 8, 6)), ("claim1", png(16384, 16384, 1, 0)), ("zeros", png(2048, 1000, 1, 0, bytes(257 * 1000)))):
        made["picture_%s.gltf" % name] = textured(image)
        made["picture_%s.png" % name] = image
    for side in (65500, 16000, 1600):
        made["picture_%d.jpg" % side] = jpeg(side, side)
    made["picture_jpeg.gltf"] = textured(jpeg(1600, 1600), "jpeg")
    for count, length, joint in ((1, 65535, 255), (1, 65535, 2), (1, 590, 255), (14, 65535, 0), (14, 1000, 15), (3, 65535, 0)):
        made["still%d_%d_%d.animbin" % (count, length, joint)] = animbin_of(count, length, joint, (1, 3, 5, 7))
    made["count.animbin"] = b"ANIMBIN\1\xff" + bytes(900)
    made["frames.bvh"] = corpus.BVH.replace("Frames: 3", "Frames: 4294967295")
    made["joints.bvh"] = "HIERARCHY\nROOT a\n{OFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" + "JOINT a{OFFSET 0 0 0 CHANNELS 0 " * 25 + "}" * 26 + "\nMOTION\nFrames: 99999999\nFrame Time: 1e-9\n0 0 0\n"
    made["deep.json"] = '{"format":"ember-clip","version":1,"bones":' + "[" * 900
    made["count.json"] = json.dumps({"format": "ember-clip", "version": 1, "bones": [], "clips": [{"name": "a", "fps": 1e9, "loop": False, "space": "local", "frame_count": 4294967295, "frames": []}]})
    made["wide.json"] = '{"format":"ember-clip","version":1,"bones":[' + "[]," * 320 + "0]}"
    made["fps.json"] = corpus.testing.document([("a", -1, corpus.testing.IDENTITY)], [{"name": "a", "fps": 1e-6, "frames": [[corpus.testing.IDENTITY]] * 2}])
    zero_frames = bytes(980)
    made["xxda"] = struct.pack("<I", 1) + struct.pack("<IIIHHHBH", 2, 65535, len(zero_frames) + 5, 65535, len(zero_frames), 0, 0, 0)[:21] + zero_frames
    made["yyda"] = struct.pack("<I", 0xFFFFFFFF) + bytes([0xFF]) * 900
    made["xxaa"] = struct.pack("<13I", *[0x7FFFFFFF] * 13) + bytes(900)
    made["zzaa"] = ff7.skeleton_file([(-1, 1.0)] * 60, 65535, 1, 65535)[:LIMIT]
    made["count.ewzanim"] = struct.pack("<BBH", 255, 0, 65535) + bytes(1000)
    made["count.eza"] = b"EWZA" + bytes([255, 0]) + struct.pack("<H", 65535) + bytes(900)
    made["count.ewzskel"] = struct.pack("<I", 0xFFFFFFFF) + bytes(1000)
    made["count.ewzmesh"] = bytes([0xFF] * 16) + bytes(1000)
    made["corners.obj"] = "v 0 0 0\nf" + " 1" * 500
    made["faces.obj"] = "v 0 0 0\n" + "f 1 1 1\n" * 120
    made["count.ewz"] = b"\x89EWZ\r\n\x1a\n" + struct.pack("<6I", 1, 1024, 0x7FFFFFFF, 64, 0xFFFFFFF0, 0xFFFFFFF0) + bytes(992)
    made["count.fbx"] = "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\nObjects: {\nGeometry: 1, \"Geometry::\", \"Mesh\" {\nVertices: *2000000000 {\na: 0,0,0\n}\nPolygonVertexIndex: *2000000000 {\na: 0,0,-1\n}\n}\n}\n"
    packed = zlib.compress(bytes(700 * 1024), 9)[:700]
    made["packed.fbx"] = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400) + struct.pack("<IIIB", 27 + 13 + 1 + 13 + len(packed), 1, 13 + len(packed), 1) + b"V" + struct.pack("<cIII", b"d", 0x1FFFFFFF, 1, len(packed)) + packed
    made = {name: data if isinstance(data, bytes) else data.encode() for name, data in made.items()}
    return made
