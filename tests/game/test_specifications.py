# SPDX-License-Identifier: MIT
"""The specifications' examples in Rust compile as they are printed against ember_game.rs, and draw what the examples in C draw, which test_games.py checks."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root, game_run = sys.argv[1:]
SOURCES = pathlib.Path(root, "tests/game/specifications")
LINK = [word for argument in ("--no-entry", "--stack-first", "-zstack-size=65536", "--max-memory=4194304") for word in ("-C", "link-arg=" + argument)]
checks = failures = 0


def check(what, good, detail=""):
    global checks, failures
    checks, failures = checks + 1, failures + (not good)
    if not good:
        print(f"FAILED {what}: {detail}")


def has_wasm32(rustc):
    folder = subprocess.run([rustc, "--print", "target-libdir", "--target", "wasm32-unknown-unknown"], capture_output=True, text=True).stdout.strip()
    return folder != "" and any(pathlib.Path(folder).glob("libstd-*.rlib")) and shutil.which("wasm-ld") is not None


def compile_example(rustc, here, name, runs):
    """The module's path, or None; without the target of games, the host's compiler checks the types alone."""
    shutil.copy(pathlib.Path(root, "game/rust/ember_game.rs"), here)
    text = (SOURCES / f"{name}.rs").read_text(encoding="utf-8")
    if name in ("v2_blend", "draft"):
        text = text.replace("const BONE_COUNT: usize = 40;", "const BONE_COUNT: usize = 24;")
        check("a blend has its bone count", text.count("BONE_COUNT: usize = 24") == 1)
    source = here / f"{name}.rs"
    source.write_text(text, encoding="utf-8")
    wasm = here / f"{name}.wasm"
    how = ["--target", "wasm32-unknown-unknown", "-O", "-C", "panic=abort", "-C", "linker=wasm-ld", *LINK, "--crate-type=cdylib", "-o", wasm] if runs else \
          ["--emit=metadata", "--crate-type=lib", "-o", here / f"{name}.rmeta"]
    done = subprocess.run([rustc, "--edition", "2021", *how, source], capture_output=True, text=True)
    check(f"{name} compiles", done.returncode == 0, done.stderr[-3000:])
    return wasm if runs and done.returncode == 0 else None


def draws(game, frames=70):
    done = subprocess.run([game_run, game, str(frames), "--draws"], capture_output=True, text=True)
    check(f"{game} runs", done.returncode == 0, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def near(a, b, tolerance):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


def same(name, frame, a, b, tolerance):
    exact = ("branch", "pose", "clip", "frame", "bone_count", "skeleton", "bone", "mesh")
    check(f"{name} draws the same", len(a["draws"]) == len(b["draws"]) and len(a["bones"]) == len(b["bones"]), frame)
    for one, two in zip(a["draws"], b["draws"]):
        check(f"{name} draws the same", all(one[key] == two[key] for key in exact), (frame, one, two))
    for one, two in zip(a["bones"], b["bones"]):
        check(f"{name} sets the same bones", near(one["m"], two["m"], tolerance), (frame, one, two))


def arm_alone(frame):
    """The robot's example in C draws more than the arm, and moves the arm by hand in every second half second."""
    return {"draws": frame["draws"][:3], "bones": []} if not frame["bones"] else None


rustc = os.environ.get("EMBER_RUSTC") or shutil.which("rustc")
if not rustc:
    print("there is no rustc")
    sys.exit(77)
runs = has_wasm32(rustc)
with tempfile.TemporaryDirectory() as folder:
    # The draft decodes rotations by its own formula: 0.5 degrees, and arms of a metre.
    for name, example, tolerance in (("v2_stamp", "stamp", 0.0), ("v2_blend", "crossfade", 1e-5), ("draft", "draft", 0.02), ("rigid", "robot", 0.0)):
        wasm = compile_example(rustc, pathlib.Path(folder), name, runs)
        if wasm is None:
            continue
        wanted, found = draws(example), draws(wasm)
        check(f"{name} runs as long", len(wanted) == len(found) == 70)
        for i, (a, b) in enumerate(zip(wanted, found)):
            a = arm_alone(a) if name == "rigid" else a
            if a is not None:
                same(name, i, a, b, tolerance)
if not runs:
    print("rustc has no wasm32-unknown-unknown: compiled, not run")
print(f"{checks - failures} passed, {failures} failed")
sys.exit(1 if failures else 0)
