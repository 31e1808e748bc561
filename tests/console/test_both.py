"""Every example game, compiled for wasm32 and linked natively, gives the same hash of state and draw list in every frame."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root, game_run = sys.argv[1:]
FRAMES = 300
for needed in ("clang", "wasm-ld", "wasm2c"):
    if shutil.which(needed) is None:
        print(f"skipped: {needed} is not there")
        sys.exit(77)

FLAGS = ["--target=wasm32", "-std=c11", "-O2", "-ffreestanding", "-nostdlib", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
         "-Wstrict-prototypes", "-Werror", f"-I{root}/game",
         "-Wl,--no-entry,--stack-first,-z,stack-size=65536,--max-memory=4194304"]

failed = 0
games = sorted(pathlib.Path(root, "game", "examples").glob("*.c"))
assert len(games) >= 6, games
with tempfile.TemporaryDirectory() as folder:
    for game in games:
        wasm = pathlib.Path(folder) / f"{game.stem}.wasm"
        subprocess.run(["clang", *FLAGS, "-o", wasm, game], check=True)
        hashes = [subprocess.run([game_run, which, str(FRAMES)], check=True, capture_output=True, text=True).stdout.split() for which in (wasm, game.stem)]
        different = [i for i, (a, b) in enumerate(zip(*hashes)) if a != b]
        if len(hashes[0]) != FRAMES or len(hashes[1]) != FRAMES or different:
            failed += 1
            print(f"{game.stem}: {len(hashes[0])} and {len(hashes[1])} frames, different: {different[:5]}")
        # A hash that never changes would prove nothing.
        if len(set(hashes[0])) < FRAMES // 10:
            failed += 1
            print(f"{game.stem}: only {len(set(hashes[0]))} different frames")
print(f"{len(games) * 2 - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
