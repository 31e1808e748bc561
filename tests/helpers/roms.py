# SPDX-License-Identifier: MIT
"""What the tests of ROMs share: assets made from nothing, and a reader of .ewz after docs/formats/ewz.md that knows nothing of Ember's own."""

import base64
import json
import os
import struct
import zlib

KINDS = {1: "info", 2: "game", 3: "rig", 4: "skeleton", 5: "mesh", 6: "texture", 7: "keyframes", 8: "data"}
WASM = b"\0asm\1\0\0\0"


def png(colour):
    """One pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" + bytes(colour))) + chunk(b"IEND", b"")


class Rom:
    """The table, and the payloads by (kind, id)."""

    def __init__(self, data):
        magic, version, size, count, table, ids, ids_size = struct.unpack_from("<8sIIIIII", data)
        assert magic == b"\x89EWZ\r\n\x1a\n" and version in (1, 2) and size == len(data), (magic, version, size, len(data))
        self.version = version
        assert table == 64 and ids == 64 + 40 * count
        self.entries, self.order, self.shared, end = {}, [], {}, (ids + ids_size + 15) // 16 * 16
        for i in range(count):
            kind, id_size, at, offset, length, flags, link, digest, check, zero = struct.unpack_from("<HHIIIIIQII", data, table + 40 * i)
            name = data[ids + at:ids + at + id_size].decode("ascii")
            assert data[ids + at + id_size] == 0 and at + id_size < ids_size
            shared = KINDS[kind] == "mesh" and flags & 1 == 1
            assert offset == end and zero == 0 and (flags & ~0xFF01 == 0 and length == 0 if shared else flags == 0)
            end = (offset + length + 15) // 16 * 16
            self.order.append((KINDS[kind], name))
            self.entries[KINDS[kind], name] = (data[offset:offset + length], link)
            if shared:
                self.shared[KINDS[kind], name] = flags >> 8
        assert sorted(self.order, key=lambda e: (list(KINDS.values()).index(e[0]), e[1])) == self.order
        assert len(self.entries) == count
        # A mesh that shares its bytes has those of the one it names, but for the bone; and its texture.
        for entry, bone in self.shared.items():
            whole = self.order[self.entries[entry][1]]
            assert whole[0] == "mesh" and whole not in self.shared
            payload, link = self.entries[whole]
            self.entries[entry] = (payload[:10] + bytes([bone]) + payload[11:], link)

    def names(self, *kinds):
        return ["%s:%s" % e for e in self.order if e[0] in kinds or not kinds]

    def payload(self, kind, name):
        return self.entries[kind, name][0]

    def linked(self, kind, name):
        link = self.entries[kind, name][1]
        return None if link == 0xFFFFFFFF else "%s:%s" % self.order[link]

    def clip(self, name):
        """bones, frames, space (1 model, 2 local), loop, markers, fps, method byte; of a lean clip "lean" and its error."""
        data = self.payload("keyframes", name)
        bones, frames, space, loop, markers, fps = struct.unpack_from("<HHBBHd", data)
        assert data[24] in (0, 1) and data[25:32] == bytes(7)
        clip = {"bones": bones, "frames": frames, "space": space, "loop": loop, "markers": markers, "fps": fps, "method": data[32]}
        if data[24] == 1:
            lean_frames, error = struct.unpack_from("<HH", data, 32)
            assert lean_frames == frames and self.version == 2
            clip.update(method="lean", error=(1024 + error % 1024) * 2.0 ** (error // 1024 - 50) if error else 0.0)
        return clip


def triangle(buffer=None, image=None, colour=None, names=("body",)):
    """A glTF document of one triangle per name, and its buffer: embedded, or the file that `buffer` names."""
    bin_data = struct.pack("<9f6f3H2x", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 2)
    uri = buffer or "data:application/octet-stream;base64," + base64.b64encode(bin_data).decode()
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(bin_data), "uri": uri}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 24}, {"buffer": 0, "byteOffset": 60, "byteLength": 6}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "materials": [{"pbrMetallicRoughness": {}}],
        "meshes": [{"name": name, "primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]} for name in names],
        "nodes": [{"mesh": i, "name": name} for i, name in enumerate(names)],
        "scenes": [{"nodes": list(range(len(names)))}],
    }
    surface = document["materials"][0]["pbrMetallicRoughness"]
    if image:
        uri = image if isinstance(image, str) else "data:image/png;base64," + base64.b64encode(image).decode()
        document.update(images=[{"uri": uri}], textures=[{"source": 0}])
        surface["baseColorTexture"] = {"index": 0}
    if colour:
        surface["baseColorFactor"] = colour
    return json.dumps(document), bin_data


def tree(case, files):
    """Writes {path: data} below the case's folder."""
    for path, data in files.items():
        os.makedirs(os.path.dirname(case.path(path)) or ".", exist_ok=True)
        case.write(path, data)
