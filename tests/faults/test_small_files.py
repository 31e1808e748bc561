# SPDX-License-Identifier: MIT
"""test_small_files.py EMBER SHIM: a file of 1 KB may not make the command allocate more than 64 MiB, whatever it says and whatever is done with it. It is
read, or refused in one line."""

import os
import shutil
import struct
import subprocess
import sys

import corpus
import server
import small_files

MOST = 64 << 20
PREVIEW = ("preview", "{}", "-o", "x.png", "--frames", "2", "--size", "64x64")


def verbs(name):
    yield ("info", name)
    yield ("info", "--bones", "--frame", "0", name)
    for to in ("json", "glb", "gltf", "animbin", "ewzanim", "eza"):
        yield ("convert", name, "-o", "{clip}." + to if to in ("ewzanim", "eza") else "x." + to)
    yield ("convert", name, "--compact", "-o", "x.json")
    yield ("export", "animation", name, "-o", "x.ewzanim")
    yield ("export", "animation", name, "--space", "local", "--frame-rate", "60", "-o", "x.ewzanim")
    yield ("export", "skeleton", name, "-o", "x.ewzskel")
    yield ("export", "mesh", name, "-o", "x.ewzmesh")
    for target in ("ewz", "ff7", "madnight"):
        yield ("validate", "--target", target, name)
    yield ("diff", name, name)
    yield ("build", "one", "-o", "x.ewz", "--no-cache", "-j", "1")
    if name.endswith("da"):
        yield ("ff7", "list", name)
        yield ("ff7", "fps", name, "--to", "60", "-o", "x")
        yield ("ff7", "repair", name, "-o", "x")
        yield ("ff7", "repack", name, "-o", "x")


def preview(name):
    return tuple(word.format(name) for word in PREVIEW)


def peak_of_processes(ember, folder, words):
    """Kilobytes of the largest of the command and its children; for what runs beside the shim."""
    script = "import resource,subprocess,sys; subprocess.run(sys.argv[1:], capture_output=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    return int(subprocess.run([sys.executable, "-c", script, os.path.abspath(ember), *words], cwd=folder, capture_output=True, check=True).stdout)


class Check:
    def __init__(self, ember, shim):
        self.server = server.Server(ember, shim)
        self.ember = ember
        self.folder = os.path.join(self.server.room, "work")
        self.runs, self.wrong, self.highest, self.read = 0, [], (0, ""), set()

    def put(self, name, data):
        shutil.rmtree(self.folder, ignore_errors=True)
        for place in (self.folder, os.path.join(self.folder, "one")):
            os.makedirs(place, exist_ok=True)
            with open(os.path.join(place, name), "wb") as file:
                file.write(data)

    def run(self, words):
        """What the GL driver takes is its own, and not the same anywhere; all else counts, whoever asks for it."""
        run = self.server.run(self.folder, words)
        self.runs += 1
        peak, line = run.own_peak if words[0] == "preview" else run.peak, "ember " + " ".join(words)
        self.highest = max(self.highest, (peak, line))
        said = [text for text in run.err.splitlines() if text.startswith("ember: ") and ": warning: " not in text]
        if peak > MOST:
            self.wrong.append("%s: %.1f MiB" % (line, peak / 2 ** 20))
        if run.code not in (0, 1):
            self.wrong.append("%s: exit status %d" % (line, run.code))
        if run.code == 1 and not (run.out or said):
            self.wrong.append("%s: fails without a word" % line)
        if run.live and not run.left_by_exit:
            self.wrong.append("%s: %d blocks not freed" % (line, run.live))
        return run

    def previews(self):
        """Whether they work on this machine."""
        self.put("a.json", corpus.clips().encode())
        return self.server.run(self.folder, preview("a.json")).code == 0


def still_rom(ember, room):
    """Eight bones that stand still for 36 minutes, as `ember build` stores them: its frames take 8 MiB as records, 20 as transforms."""
    assets = os.path.join(room, "assets")
    os.mkdir(assets)
    with open(os.path.join(assets, "a.ewzanim"), "wb") as file:
        file.write(struct.pack("<BBH", 8, 0, 65535) + struct.pack("<I6e", 0x80200803, 0, 0, 0, 1, 1, 1) * (8 * 65535))
    subprocess.run([os.path.abspath(ember), "build", "-q", assets, "--no-cache", "-o", os.path.join(room, "still.ewz")], check=True, stdout=subprocess.DEVNULL)
    return server.read(os.path.join(room, "still.ewz"))


def check_limit(check, ember):
    """Every reader keeps to --max-memory, and every verb that reads models has it."""
    shutil.rmtree(check.folder)
    os.mkdir(check.folder)
    missing = corpus.make(check.folder, ember)
    for name in ("a.json", "a.glb", "a.gltf", "a.animbin", "a.ewzanim", "a.eza", "a.ewzlean", "a.bvh", "a.obj", "a.ewzskel", "body.ewzmesh", "body.gltf", "rtda", "rtaa", "a.fbx"):
        if name in missing:
            continue
        run = check.run(("info", name, "--max-memory", "0.0001"))
        if run.code != 1 or "limit of" not in run.err:
            check.wrong.append("ember info %s --max-memory 0.0001: exit status %d, %s" % (name, run.code, run.err.strip()))
        if check.run(("info", name, "--max-memory", "64")).code != 0:
            check.wrong.append("ember info %s --max-memory 64 fails" % name)
    run = check.run(("convert", "a.ewz", "-o", "x.json", "--clip", "a/walk", "--max-memory", "0.0001"))
    if run.code != 1 or "are left of what its ROM may take" not in run.err:
        check.wrong.append("a clip of a ROM is read whatever --max-memory says")
    for verb in ("info", "convert", "export", "build", "preview", "diff", "validate"):
        if b"--max-memory MIB" not in check.run((verb, "--help")).out:
            check.wrong.append("ember %s has no --max-memory" % verb)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: test_small_files.py EMBER SHIM")
    files = small_files.files()
    for name, data in files.items():
        assert len(data) <= small_files.LIMIT, "%s has %d bytes" % (name, len(data))
    check = Check(*sys.argv[1:])
    files["still.ewz"] = still_rom(sys.argv[1], check.server.room)
    assert len(files["still.ewz"]) <= small_files.LIMIT, len(files["still.ewz"])
    previews = check.previews()
    for name, data in files.items():
        check.put(name, data)
        for words in verbs(name):
            check.run(words)
        if previews and (name.startswith(("still", "skin", "picture")) or not name.endswith((".gltf", ".animbin"))):
            check.run(preview(name))
        if name.endswith(".fbx"):
            took = peak_of_processes(sys.argv[1], check.folder, ("info", name)) - peak_of_processes(sys.argv[1], check.folder, ("formats",))
            if took * 1024 > MOST:
                check.wrong.append("ember info %s: %.1f MiB in all processes" % (name, took / 1024))
    check_limit(check, sys.argv[1])
    check.server.close()
    print("small files: %d files of at most %d bytes, %d runs%s; the most was %.1f MiB: %s"
          % (len(files), small_files.LIMIT, check.runs, "" if previews else " without preview", check.highest[0] / 2 ** 20, check.highest[1]))
    for line in check.wrong:
        print("  " + line)
    sys.exit(1 if check.wrong or not files else 0)


if __name__ == "__main__":
    main()
