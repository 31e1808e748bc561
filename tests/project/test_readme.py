"""The README's program compiles as it stands, runs, and prints what the file holds."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

root, ember, library, compiler, *flags = sys.argv[1:]

readme = (pathlib.Path(root) / "README.md").read_text(encoding="utf-8")
programs = re.findall(r"^```c\n(.*?)^```$", readme, re.M | re.S)
assert len(programs) == 1, f"the README has {len(programs)} programs, not one"

identity = [0, 0, 0, 1, 0, 0, 0, 1, 1, 1]
moved = [0, 0, 0, 1, 1.5, -2, 0.25, 1, 1, 1]
clip = {"format": "ember-clip", "version": 1, "bones": [{"name": "a", "parent": -1, "rest": identity}],
        "clips": [{"name": "still", "fps": 30, "loop": True, "space": "model", "frame_count": 2,
                   "frames": [[moved], [moved]], "markers": [], "raw": {}}]}

with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    (here / "program.c").write_text(programs[0], encoding="utf-8")
    (here / "still.json").write_text(json.dumps(clip), encoding="utf-8")
    build = [compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *flags, f"-I{root}/include",
             str(here / "program.c"), library, "-ljansson", "-lm", "-o", str(here / "program")]
    subprocess.run(build, check=True)
    subprocess.run([ember, "convert", "-q", here / "still.json", "-o", here / "still.ewzanim"], check=True)
    out = subprocess.run([here / "program", here / "still.ewzanim"], check=True, capture_output=True, text=True).stdout
    assert out == "bone 0 is at 1.5 -2 0.25\n", out
print("1 passed, 0 failed")
