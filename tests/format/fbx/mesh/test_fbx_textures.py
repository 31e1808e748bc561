# SPDX-License-Identifier: MIT
"""FBX's textures through the command: inside the file, and beside it under the names that artists' machines gave them; never outside of the
file's folder.
Covers: fbx_image_files.c, fbx_images.c."""

import base64
import os

import roms
from fbx_check import BINARY, OLD, TEXT, FbxCase, main
from fbx_make import records
from fbx_scene import Element, Material, Mesh, Node, Scene, Texture

RED, BLUE = roms.png((200, 20, 20)), roms.png((20, 20, 200))


def textured(texture):
    node = Node("thing", None, "Mesh")
    mesh = Mesh(node, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [[0, 1, 2]], uvs=Element([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]), materials=[0])
    return Scene([node], meshes=[mesh], materials=[Material("skin", [node], (1.0, 1.0, 1.0), 1.0, texture)])


class Textures(FbxCase):
    def image(self, name="a.fbx"):
        """The bytes of the image that came along, or None; and the warnings."""
        document, lines = self.glb(name)
        images = document.json.get("images", [])
        self.assertLessEqual(len(images), 1)
        if not images:
            return None, lines
        view = document.json["bufferViews"][images[0]["bufferView"]]
        return bytes(document.buffer(0)[view.get("byteOffset", 0):view.get("byteOffset", 0) + view["byteLength"]]), lines

    def place(self, name, data=RED):
        os.makedirs(os.path.dirname(self.path(name)) or self.folder, exist_ok=True)
        self.write(name, data)

    def check_found(self, texture, container=BINARY, wanted=RED):
        self.put(textured(texture), container)
        found, lines = self.image()
        self.assertEqual(found, wanted)
        self.assertEqual(lines, [])

    def check_missing(self, texture, word):
        self.put(textured(texture))
        found, lines = self.image()
        self.assertIsNone(found)
        self.assertTrue(any(word in line for line in lines), lines)

    def test_inside_the_file(self):
        for container in (TEXT, BINARY, OLD):
            with self.subTest(version=container.version):
                self.check_found(Texture("skin", "skin.png", "C:\\art\\skin.png", RED), container)

    def test_inside_comes_before_beside(self):
        self.place("skin.png", BLUE)
        self.check_found(Texture("skin", "skin.png", "skin.png", RED))

    def test_base64_in_pieces(self):
        """Each quoted piece has its own padding."""
        made = textured(Texture("skin", "skin.png", "skin.png", b"?"))
        data = TEXT.file(records(made, TEXT)).decode()
        pieces = ",\n".join('"%s"' % base64.b64encode(RED[i:i + 10]).decode() for i in range(0, len(RED), 10))
        for text in (pieces, "\n, " + pieces):
            self.write("a.fbx", data.replace('"Pw=="', text))
            self.assertEqual(self.image()[0], RED)

    def test_beside_the_file(self):
        self.place("skin.png")
        for container in (TEXT, BINARY, OLD):
            self.check_found(Texture("skin", "skin.png"), container)

    def test_in_a_folder_below(self):
        self.place("maps/deep/skin.png")
        self.check_found(Texture("skin", "maps/deep/skin.png"))
        self.check_found(Texture("skin", "maps\\deep\\skin.png"))

    def test_by_its_base_name(self):
        self.place("skin.png")
        for path in ("C:\\Users\\artist\\skin.png", "/home/artist/skin.png", "..\\..\\textures\\skin.png", "../skin.png", "maps/other/skin.png",
                     "\\\\server\\share\\skin.png"):
            with self.subTest(path=path):
                self.check_found(Texture("skin", path, path))
                self.check_found(Texture("skin", "", path))
                self.check_found(Texture("skin", path, ""))

    def test_in_the_folders_that_programs_make(self):
        for folder in ("a.fbm", "textures"):
            self.place(folder + "/skin.png")
            self.check_found(Texture("skin", "..\\skin.png", "C:\\skin.png"))
            os.unlink(self.path(folder + "/skin.png"))

    def test_in_another_case(self):
        self.place("Skin_W.png")
        self.check_found(Texture("skin", "SKIN_W.PNG", "c:\\SKIN_W.PNG"))

    def test_by_the_videos_name_where_the_texture_has_none(self):
        self.place("skin.png")
        self.check_found(Texture("skin", "", "", video_relative="skin.png", video_filename=""))

    def test_never_outside_of_the_files_folder(self):
        """A file that is there, above, is not opened."""
        self.place("secret.png")
        os.mkdir(self.path("in"))
        for path in ("../secret.png", "..\\secret.png", self.path("secret.png"), "./../secret.png", "x/../../secret.png", "/" + self.path("secret.png")):
            with self.subTest(path=path):
                self.put(textured(Texture("skin", path, path)), name="in/a.fbx")
                found, lines = self.image("in/a.fbx")
                self.assertIsNone(found)
                self.assertTrue(any("secret.png" in line for line in lines), lines)

    def test_a_link_that_leads_out_is_not_followed(self):
        self.place("secret.png")
        os.mkdir(self.path("in"))
        os.symlink(self.path("secret.png"), self.path("in/skin.png"))
        self.put(textured(Texture("skin", "skin.png", "skin.png")), name="in/a.fbx")
        self.image("in/a.fbx")  # glTF's rule, whatever it is, without a crash

    def test_a_missing_one_is_named(self):
        self.check_missing(Texture("skin", "textures\\lost.png", "C:\\lost.png"), "lost.png")

    def test_devices_pipes_and_folders_are_no_images(self):
        os.mkdir(self.path("skin.png"))
        self.check_missing(Texture("skin", "skin.png"), "skin.png")
        os.rmdir(self.path("skin.png"))
        os.mkfifo(self.path("skin.png"))
        self.check_missing(Texture("skin", "skin.png"), "skin.png")

    def test_what_is_no_image_is_warned_of(self):
        self.place("skin.png", b"this is no picture")
        self.put(textured(Texture("skin", "skin.png")))
        _, lines = self.image()
        self.assertTrue(any("skin" in line for line in lines), lines)

    def test_slots_of_other_programs(self):
        for slot in ("DiffuseColor", "Maya|baseColor", "Maya|TEX_color_map", "3dsMax|Parameters|base_color_map", "3dsMax|main|baseColorMap",
                     "3dsMax|main|base_color_map"):
            with self.subTest(slot=slot):
                self.check_found(Texture("skin", "skin.png", "skin.png", RED, slot=slot))

    def test_a_bump_map_is_no_base_colour(self):
        self.put(textured(Texture("skin", "skin.png", "skin.png", RED, slot="NormalMap")))
        self.assertIsNone(self.image()[0])

    def test_through_a_layered_texture(self):
        self.check_found(Texture("skin", "skin.png", "skin.png", RED, layered=True))

    def test_an_unreadable_name(self):
        for name in ("", ".", "..", "/", "\\", "a\0b.png", "x" * 5000, "\udcff\udcfe.png"):
            self.put(textured(Texture("skin", name, name)))
            self.ember("convert", "a.fbx", "-o", "out.glb")

    def test_from_standard_input_there_is_no_folder(self):
        self.place("skin.png")
        self.put(textured(Texture("skin", "skin.png", "skin.png")))
        self.ember("convert", "-", "--from", "fbx", "-o", "out.glb", data=self.read("a.fbx"))

    def test_builds_take_them_along(self):
        os.mkdir(self.path("assets"))
        self.place("assets/skin.png")
        self.put(textured(Texture("skin", "skin.png", "C:\\skin.png")), name="assets/thing.fbx")
        self.ember("build", "assets", "--no-cache", "-o", "game.ewz")
        self.assertIn("texture", self.ember("info", "game.ewz").stdout.decode())

    def built(self):
        """The texture's bytes in the ROM, or None; with the cache."""
        self.ember("build", "assets", "-o", "game.ewz")
        rom = roms.Rom(self.read("game.ewz"))
        mesh = rom.names("mesh")[0].split(":")[1]
        texture = rom.linked("mesh", mesh)
        return rom.payload(*texture.split(":")) if texture else None

    def test_a_build_sees_that_one_changed(self):
        for relative, place in (("skin.png", "assets/skin.png"), ("maps\\deep\\skin.png", "assets/maps/deep/skin.png"),
                                ("C:\\lost\\SKIN.png", "assets/textures/skin.png"), ("C:\\skin.png", "assets/thing.fbm/skin.png")):
            with self.subTest(place=place):
                os.makedirs(os.path.dirname(self.path(place)), exist_ok=True)
                self.put(textured(Texture("skin", relative, "D:\\skin.png")), name="assets/thing.fbx")
                self.assertIsNone(self.built())
                self.place(place)
                self.assertEqual(self.built(), RED)
                self.place(place, BLUE)
                self.assertEqual(self.built(), BLUE)
                os.unlink(self.path(place))
                self.assertIsNone(self.built())


if __name__ == "__main__":
    main()
