# SPDX-License-Identifier: MIT
"""game/ember_game.h declares every function of the console, with the signature that games import; it compiles by itself as C and C++; and the reference names every function."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root, game_run, compiler = sys.argv[1:]
passed = failed = 0


def check(what, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAILED {what}: {detail}")


rows = re.findall(r'X\((\w+), (\w+), "([if]*>[ifl]?)"', pathlib.Path(root, "src/console/functions.h").read_text(encoding="utf-8"))
names = [name for _, name, _ in rows]
assert len(names) > 60, len(names)
header = pathlib.Path(root, "game/ember_game.h").read_text(encoding="utf-8")
declared = re.findall(r"^(\w+) +(\w+)\(([^;]*?)\)\s+EMBER_GAME_CALL\((\w+)\);", header, re.M)
check("the header declares every function once", sorted(names) == sorted(d[3] for d in declared), set(names) ^ {d[3] for d in declared})

api = pathlib.Path(root, "docs/console-api.md").read_text(encoding="utf-8").replace("push_rotate_x/_y/_z", "push_rotate_x(degrees)`, `push_rotate_y(degrees)`, `push_rotate_z")
for name in names:
    check("the reference has it in a row of its tables", re.search(rf"^\|[^|]*`(?:\w+\([^|]*?\)[^|`]*`, `)*{name}\(", api, re.M), name)

# Bit by bit, as the reference has them.
BUTTONS = "UP DOWN LEFT RIGHT A B X Y L1 R1 L3 R3 START SELECT".split()
rust = pathlib.Path(root, "game/rust/ember_game.rs").read_text(encoding="utf-8")
window = pathlib.Path(root, "apps/ember/verbs/run/window.h").read_text(encoding="utf-8")
wanted = [(name, str(bit)) for bit, name in enumerate(BUTTONS)]
check("the header names the buttons", re.findall(r"BUTTON_(\w+) = 1 << (\d+)", header) == wanted)
check("so does Rust", re.findall(r"pub const BUTTON_(\w+): u32 = 1 << (\d+);", rust) == wanted)
check("the window presses them", re.findall(r"^    BUTTON_(\w+)", window, re.M) == BUTTONS + ["COUNT"])
check("the reference lists them", "up 0, down 1, left 2, right 3, A 4, B 5, X 6, Y 7, L1 8, R1 9, L3 10, R3 11, start 12, select 13" in api)

# A game that could call everything: the engine refuses it if a signature is another one.
calls = []
for result, name, parameters, _ in declared:
    count = 0 if parameters == "void" else len(parameters.split(","))
    calls.append(f"    {name}({', '.join(['0'] * count)});")
everything = '#include "ember_game.h"\nstatic volatile int never;\nstatic int state;\nvoid call_all(void);\nvoid call_all(void)\n{\n' + "\n".join(calls) + "\n}\n"
everything += "GAME_EXPORT(init)\n{\n    if (never || state++ != 0)\n        call_all();\n}\n\nGAME(state, init, NULL, NULL)\n"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    for suffix in (".c", ".cpp"):
        (here / f"game{suffix}").write_text(everything, encoding="utf-8")
    ways = [("C11", compiler, ["-std=c11", "-Wstrict-prototypes"], ".c"), ("C++17", shutil.which("c++"), ["-std=c++17"], ".cpp"),
            ("C11 for wasm32", shutil.which("clang"), ["--target=wasm32", "-std=c11", "-ffreestanding"], ".c"),
            ("C++17 for wasm32", shutil.which("clang"), ["--target=wasm32", "-std=c++17", "-ffreestanding"], ".cpp")]
    for name, program, options, suffix in ways:
        if program is None:
            print(f"not tried: {name}")
            continue
        command = [program, *options, *WARNINGS, f"-I{root}/game", f"-I{root}/include", "-fsyntax-only", here / f"game{suffix}"]
        done = subprocess.run(command, capture_output=True, text=True)
        check(name, done.returncode == 0, done.stderr[:2000])
    if all(map(shutil.which, ("clang", "wasm-ld", "wasm2c"))):
        wasm = here / "game.wasm"
        subprocess.run(["clang", "--target=wasm32", "-std=c11", "-O1", "-ffreestanding", "-nostdlib", f"-I{root}/game", "-Wl,--no-entry,--stack-first", "-o", wasm,
                        here / "game.c"], check=True)
        done = subprocess.run([game_run, wasm, "2"], capture_output=True, text=True)
        check("the engine takes every import", done.returncode == 0, done.stderr)
        check("every function is imported", all(name.encode() in wasm.read_bytes() for name in names))
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
