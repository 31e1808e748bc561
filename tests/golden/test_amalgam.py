# SPDX-License-Identifier: MIT
"""test_amalgam.py: the one C file that tools/amalgamate makes compiles alone without a warning, and gives the committed hashes: under gcc and clang, -O0 and -O3,
for every instruction set of this machine and, where a cross compiler and qemu are installed, on AArch64."""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wstrict-prototypes", "-Werror"]
OTHER_SETS = re.compile(r"_(sse2|avx2|bmi2|neon|wasm)(_\w+)?$")
WIDE = {"lean_avx2": ["-mavx2", "-mf16c"], "lean_bmi2": ["-mavx2", "-mf16c", "-mbmi2"]}


def is_squeeze_source(path, arm):
    """Of the kernels that are compiled once per instruction set, those of the target."""
    found = OTHER_SETS.search(path.stem)
    return found is None or found.group(1) in (("neon",) if arm else ("sse2", "avx2", "bmi2"))


GAME = '#include "ember_core.h"\n#include "ember_game.h"\n' + """
static struct {
    uint32_t          walk;
    ember_player      player;
    ember_player_clip clip;
    ember_player_set  set;
    ember_transform   pose[64], scratch[EMBER_PLAYER_SCRATCH(64)];
} game;

static ember_status sample(void *user, uint32_t clip, double time_s, ember_transform *pose)
{
    (void)user, (void)clip;
    keyframe_sample(game.walk, (float)(time_s * game.clip.fps), (bone_transform *)(void *)pose);
    return EMBER_OK;
}

GAME_EXPORT(init)
{
    game.walk = rom_keyframes(GAME_ID("walk"));
    game.clip = (ember_player_clip){.frame_count = keyframes_frame_count(game.walk), .fps = 30.0, .loop = true};
    game.set = (ember_player_set){.clips = &game.clip, .clip_count = 1, .bone_count = 64, .sample = sample};
    ember_player_init(&game.player);
    (void)ember_player_play(&game.player, &game.set, 0, 0, 0.0f);
}

GAME_EXPORT(update) { (void)ember_player_step(&game.player, &game.set, 1.0 / 60.0, NULL); }
GAME_EXPORT(render) { (void)ember_player_pose(&game.player, &game.set, game.pose, game.scratch); }
GAME(game, init, update, render)
"""


class Amalgam(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        subprocess.run([ROOT / "tools/amalgamate", cls.folder], check=True)
        cls.expected = (HERE / "hashes.txt").read_text(encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def compile(self, *words):
        done = subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertEqual(done.stderr, "")

    def rest(self, compiler, arm=False):
        """What prints the hashes and is not part of the core: the golden program and the squeezed clips."""
        sources = [p for p in HERE.glob("golden*.c") if p.stem not in ("golden_play", "golden_formats")]
        sources += [p for p in (ROOT / "src/squeeze").rglob("*.c") if is_squeeze_source(p, arm)]
        objects = []
        for path in sorted(sources):
            objects.append(f"{compiler}-{path.stem}.o")
            self.compile(compiler, "-std=c11", "-O1", "-ffp-contract=off", "-fno-math-errno", "-w", *WIDE.get(path.stem, []), f"-I{ROOT}/include", f"-I{ROOT}/src", "-c", path, "-o", objects[-1])
        return objects

    def assert_hashes(self, command, isa):
        environment = {**os.environ, "EMBER_ISA": isa}
        used = subprocess.run([*command, "--isa"], capture_output=True, text=True, env=environment).stdout.strip()
        if isa == "avx2" and used == "sse2":
            return  # this processor has no AVX2
        self.assertEqual(used, isa)
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        self.assertEqual(done.stdout, self.expected)

    def check(self, compiler, sets, levels=("-O0", "-O3"), before=(), arm=False):
        objects = self.rest(compiler, arm)
        for optimise in levels:
            with self.subTest(compiler=compiler, optimise=optimise):
                self.compile(compiler, *WARNINGS, optimise, "-ffp-contract=off", "-c", "ember_core.c", "-o", "ember_core.o")
                program = self.folder / "golden"
                self.compile(compiler, "ember_core.o", *objects, "-o", program, *(["-static"] if before else []), "-lm")
                for isa in sets:
                    self.assert_hashes([*before, program], isa)

    def test_native(self):
        machine = platform.machine().lower()
        sets = ["scalar", "sse2", "avx2"] if machine in ("x86_64", "amd64") else ["scalar", "neon"] if machine in ("aarch64", "arm64") else ["scalar"]
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler):
                self.check(compiler, sets, arm="neon" in sets)

    def test_aarch64(self):
        if not shutil.which("aarch64-linux-gnu-gcc") or not shutil.which("qemu-aarch64"):
            self.skipTest("there is no cross compiler or no qemu")
        self.check("aarch64-linux-gnu-gcc", ["scalar", "neon"], ["-O3"], ["qemu-aarch64"], arm=True)

    def test_a_program_needs_the_two_files_alone(self):
        (self.folder / "use.c").write_text('#include "ember_core.h"\n#include <stdio.h>\nint main(void)\n{\n    ember_transform pose[1];\n'
                                           "    static const uint8_t frame[16] = {3, 8, 32, 128, 0, 60, 0, 64, 0, 66, 0, 60, 0, 60, 0, 60};\n"
                                           "    ember_decode_job job = {.out = pose, .out_count = 1, .frame = frame, .frame_size = 16, .bone_count = 1};\n"
                                           '    if (ember_decode_run(&job) != EMBER_OK)\n        return 1;\n    printf("%g %g %g\\n", (double)pose[0].position.x, '
                                           "(double)pose[0].position.y, (double)pose[0].position.z);\n    return 0;\n}\n")
        self.compile("cc", *WARNINGS, "-fno-math-errno", "use.c", "ember_core.c", "-o", "use")
        self.assertEqual(subprocess.run([self.folder / "use"], capture_output=True, text=True).stdout, "1 2 3\n")
        if shutil.which("c++"):
            self.compile("c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-x", "c++-header", "-fsyntax-only", "ember_core.h")

    def test_a_game_plays_by_the_same_source(self):
        """The player compiled into a game for wasm32: all that it asks of the console is what the game itself calls."""
        if not shutil.which("clang") or not shutil.which("wasm-ld"):
            self.skipTest("no clang for wasm32")
        (self.folder / "game.c").write_text(GAME, encoding="utf-8")
        flags = ["--target=wasm32", "-std=c11", "-O2", "-ffreestanding", "-nostdlib", "-mbulk-memory", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra", "-Werror"]
        for name in ("game", "ember_core"):
            self.compile("clang", *flags, f"-I{ROOT}/game", "-c", f"{name}.c", "-o", f"{name}.o")
        self.compile("wasm-ld", "--no-entry", "--stack-first", "--max-memory=4194304", "game.o", "ember_core.o", "-o", "game.wasm")
        module = (self.folder / "game.wasm").read_bytes()
        self.assertEqual(set(re.findall(rb"\x03env.([a-z_]+)\x00", module)), {b"rom_keyframes", b"keyframes_frame_count", b"keyframe_sample"})

    def test_equal_sources_give_equal_files(self):
        again = self.folder / "again"
        subprocess.run([ROOT / "tools/amalgamate", again], check=True)
        for name in ("ember_core.h", "ember_core.c"):
            self.assertEqual((again / name).read_bytes(), (self.folder / name).read_bytes())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
