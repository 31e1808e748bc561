"""Every example game, compiled for wasm32 and linked natively, gives the same hash of state and draw list in every frame: also by the scalar kernels, and in the end
the one in hashes.txt, which every machine must give. Where a game or its assets were changed on purpose, `test_both.py ROOT GAME_RUN --write` writes it anew."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root, game_run = sys.argv[1:3]
golden = pathlib.Path(root, "tests", "console", "hashes.txt")
FRAMES = 300
for needed in ("clang", "wasm-ld", "wasm2c"):
    if shutil.which(needed) is None:
        print(f"skipped: {needed} is not there")
        sys.exit(77)

FLAGS = ["--target=wasm32", "-std=c11", "-O2", "-ffreestanding", "-nostdlib", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
         "-Wstrict-prototypes", "-Werror", f"-I{root}/game",
         "-Wl,--no-entry,--stack-first,-z,stack-size=65536,--max-memory=4194304"]



def run(which, **environment):
    return subprocess.run([game_run, which, str(FRAMES)], check=True, capture_output=True, text=True, env={**os.environ, **environment}).stdout.split()


failed = 0
last = {}
games = sorted(pathlib.Path(root, "game", "examples").glob("*.c"))
assert len(games) >= 6, games
with tempfile.TemporaryDirectory() as folder:
    for game in games:
        wasm = pathlib.Path(folder) / f"{game.stem}.wasm"
        subprocess.run(["clang", *FLAGS, "-o", wasm, game], check=True)
        hashes = [run(wasm), run(game.stem), run(game.stem, EMBER_ISA="scalar")]
        different = [i for i, (a, b, c) in enumerate(zip(*hashes)) if not a == b == c]
        if any(len(h) != FRAMES for h in hashes) or different:
            failed += 1
            print(f"{game.stem}: {[len(h) for h in hashes]} frames, different: {different[:5]}")
        last[game.stem] = hashes[1][-1]
        # A hash that never changes would prove nothing.
        if len(set(hashes[0])) < FRAMES // 10:
            failed += 1
            print(f"{game.stem}: only {len(set(hashes[0]))} different frames")
lines = "".join(f"{name} {value}\n" for name, value in sorted(last.items()))
if sys.argv[3:] == ["--write"]:
    golden.write_text(lines, encoding="utf-8")
if golden.read_text(encoding="utf-8") != lines:
    failed += 1
    print(f"other hashes than in {golden}:\n{lines}")
print(f"{len(games) * 2 + 1 - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
