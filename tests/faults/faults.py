# SPDX-License-Identifier: MIT
"""faults.py EMBER SHIM [only NAME]: everything that can go wrong, one by one, in every verb that reads or writes.

Each command first runs undisturbed, which gives its output and how many calls of each kind it makes. Then it runs once for every one of them, with
that one failing, over an output that is there already. Whatever happens:
  - no signal ends it, and no memory is left over;
  - exit status 0: everything is as without the failure. It did no harm, or was made good;
  - exit status 1: one line more than usual says why, and the output is the old one. Where there are several, each is old or new; and where memory runs
    out when the output is in place already and only words about it are left to say, it is new;
  - no file is half written, no temporary is left, the inputs are as they were.
Then it is ended by SIGKILL and by SIGTERM at every call that changes the disk."""

import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import time

import corpus
import server

OLD = b"what was here before\n"
TEMPORARY = re.compile(r"(.*/)?\.ember-\d+-\d+\.tmp$")
CACHED = re.compile(r"cache/.+\.ewz$")
# So many calls are replayed one by one, and of the rest so many, evenly.
FIRST, MORE = 500, 200
FEW = 12  # where one run takes long, or one failure is like the other
EXAMPLES = 6  # of what is wrong, for each command

Command = collections.namedtuple("Command", "name words olds few ends")


def command(name, *words, olds=("out/x",), few=False, ends=False):
    """olds: outputs that are there before; one that ends in / is a folder. ends: also killed at every change."""
    return Command(name, words, olds, few, ends)


def commands(missing):
    made = []
    for name in ("a.json", "a.glb", "a.gltf", "a.animbin", "a.ewzanim", "a.eza", "a.ewzlean", "a.bvh", "a.obj", "a.ewzskel", "body.ewzmesh", "body.gltf", "rtda", "rtaa", "a.ewz", "a.fbx"):
        made.append(command("info " + name, "info", name, olds=()))
        if name not in ("rtaa", "a.obj", "a.ewzskel", "body.ewzmesh", "body.gltf", "a.ewz"):
            made.append(command("convert %s json" % name, "convert", name, "-o", "out/x.json", olds=("out/x.json",)))
    made += [
        command("info json", "info", "--format", "json", "--bones", "a.glb", olds=()),
        command("info frame", "info", "--frame", "1", "a.json", olds=()),
        command("convert json glb", "convert", "a.json", "-o", "out/x.glb", olds=("out/x.glb",), ends=True),
        command("convert json gltf", "convert", "a.json", "-o", "out/x.gltf", olds=("out/x.gltf",)),
        command("convert json animbin", "convert", "a.json", "-o", "out/x.animbin", olds=("out/x.animbin",)),
        command("convert json animbin sparse", "convert", "a.json", "--keys", "sparse", "-o", "out/x.animbin", olds=("out/x.animbin",)),
        command("convert json ewzanim", "convert", "a.json", "--clip", "walk", "-o", "out/x.ewzanim", olds=("out/x.ewzanim",), ends=True),
        command("convert json ewzlean", "convert", "a.json", "-o", "out/x.ewzlean", olds=("out/x.ewzlean",)),
        command("convert json eza new", "convert", "a.json", "--clip", "run", "-o", "out/x.eza", olds=(), ends=True),
        command("convert glb ff7", "convert", "rtda", "--skeleton", "rtaa", "--base", "rtda", "--to", "ff7", "-o", "out/xxda", olds=("out/xxda",)),
        command("convert json clips", "convert", "a.json", "-o", "out/{clip}.ewzanim", olds=("out/walk.ewzanim",), ends=True),
        command("convert json folder", "convert", "a.json", "--clip", "run", "--to", "eza", "-o", "out/deep/er/", olds=(), ends=True),
        command("convert rom clips", "convert", "a.ewz", "-o", "out/{clip}.ewzanim", olds=()),
        command("convert rom entry", "convert", "a.ewz", "--entry", "mesh:*", "-o", "out/", olds=()),
        command("export animation", "export", "animation", "a.glb", "--all", "-o", "out/{clip}.ewzanim", "--error-report", "out/report.json", olds=("out/report.json",), ends=True),
        command("export skeleton", "export", "skeleton", "a.glb", "-o", "out/x.ewzskel", olds=("out/x.ewzskel",)),
        command("export mesh", "export", "mesh", "body.gltf", "-o", "out/x.ewzmesh", olds=("out/x.ewzmesh",)),
        command("export fbx", "export", "animation", "a.fbx", "-o", "out/x.ewzanim", olds=("out/x.ewzanim",)),
        command("build", "build", "assets", "-o", "out/x.ewz", "--no-cache", "-j", "1", olds=("out/x.ewz",), ends=True),
        command("build cache", "build", "assets", "-o", "out/x.ewz", "--cache", "out/cache", "-j", "1", olds=("out/x.ewz",), ends=True),
        command("ff7 list", "ff7", "list", "rtda", olds=()),
        command("ff7 extract", "ff7", "extract", "rtda", "1", "-o", "out/xxda", olds=("out/xxda",)),
        command("ff7 replace", "ff7", "replace", "rtda", "1", "rtda:0", "-o", "out/xxda", olds=("out/xxda",), ends=True),
        command("ff7 fps", "ff7", "fps", "rtda", "--to", "60", "-o", "out/xxda", olds=("out/xxda",)),
        command("ff7 repack", "ff7", "repack", "rtda", "-o", "out/xxda", olds=("out/xxda",)),
        command("ff7 repair", "ff7", "repair", "rtda", "-o", "out/xxda", olds=("out/xxda",)),
        command("validate ewz", "validate", "--target", "ewz", "a.json", olds=()),
        command("validate madnight", "validate", "--target", "madnight", "--format", "json", "a.animbin", olds=()),
        command("validate ff7", "validate", "--target", "ff7", "rtda", olds=()),
        command("validate rom", "validate", "a.ewz", olds=()),
        command("diff", "diff", "a.json", "a.glb", olds=()),
        command("preview png", "preview", "a.json", "-o", "out/x.png", "--frames", "2", "--size", "64x64", olds=("out/x.png",), few=True),
        command("preview gif", "preview", "body.gltf", "-o", "out/x.gif", "--frames", "2", "--size", "64x64", olds=("out/x.gif",), few=True),
        command("preview rom", "preview", "a.ewz", "-o", "out/x.png", "--frames", "2", "--size", "64x64", olds=("out/x.png",), few=True),
    ]
    return [one for one in made if not set(one.words) & set(missing)]


def chosen(count, few):
    """Which of the calls are replayed: all of a few; of many the first, then evenly spread ones up to the last."""
    first, more = (FEW, FEW) if few else (FIRST, MORE)
    if count <= first + more:
        return list(range(1, count + 1))
    step = (count - first) / more
    return list(range(1, first + 1)) + sorted({first + round(step * (i + 1)) for i in range(more)})


class Bench:
    """A server and a folder with the corpus, for one process of the pool."""

    def __init__(self, ember, shim, given):
        self.server = server.Server(ember, shim, os.path.dirname(given))
        self.folder = os.path.join(self.server.room, "work")
        shutil.copytree(given, self.folder)
        self.out = os.path.join(self.folder, "out")
        self.inputs = server.tree(self.folder)

    def set_up(self, one):
        shutil.rmtree(self.out, ignore_errors=True)
        os.mkdir(self.out)
        for name in one.olds:
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(OLD)

    def run(self, one, how="", named=False, **more):
        self.set_up(one)
        return self.server.run(self.folder, one.words, how, named, **more)

    def after(self):
        """The outputs, by name, without "out/"."""
        return server.tree(self.out)

    def reference(self, one, named=False):
        run = self.run(one, named=named)
        run.files = self.after()
        return run


def words_of(run):
    return collections.Counter(run.err.splitlines())


def what_is_wrong(bench, one, usual, run, how):
    """The first thing that is not as it should be, or None."""
    files = bench.after()
    if run.code < 0:
        return "ended by signal %d" % -run.code
    if run.code not in (0, 1):
        return "exit status %d" % run.code
    if run.live and not run.left_by_exit:
        return "%d blocks not freed, from %s" % (run.live, " ".join(hex(a) for a in run.callers))
    # What the cache of a build holds is the cache's own business: a file that is not whole there is as good as none.
    files = {name: data for name, data in files.items() if not CACHED.match(name)}
    right = {name: data for name, data in usual.files.items() if not CACHED.match(name)}
    left = [name for name in files if name not in right and name not in (old[4:] for old in one.olds)]
    if left:
        return "left behind: %s" % ", ".join(left)
    if run.code == 0:
        if {**files, "cache/": None} != {**right, "cache/": None}:
            return "exit status 0, but the outputs are not right: %s" % ", ".join(sorted(n for n in right if files.get(n, b"") != right[n]))
        if run.out != usual.out:
            return "exit status 0, but standard output is not right"
        return None
    if how in server.HARMLESS:
        return "failed: %s" % run.err.strip()
    # One line for each output that cannot be; of `validate`, what cannot be read is a finding on standard output.
    said = list((words_of(run) - words_of(usual)).elements())
    if one.words[0] == "validate" and not said and run.out != usual.out and "error" in run.out.decode():
        said = ["ember: " + run.out.decode()]
    if not 1 <= len(said) <= max(1, len(right)) or not all(line.startswith("ember: ") for line in said):
        return "says %d lines more than usual: %r" % (len(said), said)
    may_be_new = len(right) > 1 or server.FAILURES[how] == "alloc"
    for name, data in files.items():
        old = OLD if "out/" + name in one.olds else None
        if data is not None and data != old and not (may_be_new and data == right[name]):
            return "%s is neither what it was nor whole" % name
    for name in one.olds:
        if name[4:] not in files:
            return "%s is gone" % name
    return None


def replay(bench, one):
    """All failures of one command. (how: (replayed, of)), what was wrong, how many ended by exit()."""
    tally, wrong = collections.OrderedDict(), []
    for named in (False, True):
        usual = bench.reference(one, named)
        if usual.code != 0 or usual.live:
            return {}, ["%s: exit status %d, %d blocks not freed: %s" % (one.name, usual.code, usual.live, usual.err)]
        for how, kind in {**server.FAILURES, **server.HARMLESS}.items():
            if named and not (one.ends and kind in ("open", "write", "sync", "close", "rename")):
                continue
            numbers = chosen(usual.counts[kind], one.few or how == "alloc-on")
            for n in numbers:
                run = bench.run(one, "%s:%d" % (how, n), named)
                problem = what_is_wrong(bench, one, usual, run, how)
                if problem:
                    wrong.append("%s, %s %d of %d%s: %s" % (one.name, how, n, usual.counts[kind], " (named)" if named else "", problem))
            before = tally.get(how, (0, 0))
            tally[how] = (before[0] + len(numbers), before[1] + usual.counts[kind])
        if usual.out and not named:
            run = bench.run(one, out="/dev/full")
            said = list((words_of(run) - words_of(usual)).elements())
            if run.code != 1 or len(said) != 1:
                wrong.append("%s, standard output full: exit status %d, %r" % (one.name, run.code, said))
            tally["stdout-full"] = (1, 1)
    return tally, wrong


def end(bench, one):
    """SIGKILL and SIGTERM at every call that changes the disk: the outputs are old or new, and the next run works."""
    tally, wrong, left = collections.OrderedDict(), [], 0
    for named in (False, True):
        usual = bench.reference(one, named)
        for how in server.ENDS:
            for n in range(1, usual.counts["change"] + 1):
                at = "%s, %s %d of %d%s" % (one.name, how, n, usual.counts["change"], " (named)" if named else "")
                run = bench.run(one, "%s:%d" % (how, n), named)
                files = bench.after()
                if run.code != (-15 if how == "term-before" else -9):
                    wrong.append("%s: exit status %d" % (at, run.code))
                for name, data in files.items():
                    old = OLD if "out/" + name in one.olds else None
                    # A build's threads write its cache; a signal to the process does not wait for them, and the next build tidies up.
                    if TEMPORARY.match(name) and (how != "term-before" or name.startswith("cache/")):
                        left += 1
                    elif name not in usual.files or (data != old and data != usual.files[name]):
                        wrong.append("%s: %s is neither old nor new" % (at, name))
                for name in one.olds:
                    if name[4:] not in files:
                        wrong.append("%s: %s is gone" % (at, name))
                again = bench.server.run(bench.folder, one.words, "", named)
                files = {name: data for name, data in bench.after().items() if not TEMPORARY.match(name) or name.startswith("cache/")}
                if again.code != 0 or files != usual.files:
                    wrong.append("%s: the next run: exit status %d, %s" % (at, again.code, again.err.strip()))
            before = tally.get(how, (0, 0))
            tally[how] = (before[0] + usual.counts["change"], before[1] + usual.counts["change"])
    return tally, wrong, left


BENCH = None


def begin(*words):
    global BENCH
    BENCH = Bench(*words)


def work(job):
    one, ends = job
    started = time.monotonic()
    result = end(BENCH, one) if ends else replay(BENCH, one) + (0,)
    if {name: data for name, data in server.tree(BENCH.folder).items() if not name.startswith("out/")} != BENCH.inputs:
        result[1].append("%s: an input was changed" % one.name)
    return one.name, result, time.monotonic() - started


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: faults.py EMBER SHIM [NAME]")
    ember, shim, only = sys.argv[1], sys.argv[2], " ".join(sys.argv[3:])
    everything = server.room()  # the processes of the pool are ended, they cannot tidy up
    given = os.path.join(everything, "given")
    os.mkdir(given)
    try:
        missing = corpus.make(given, ember)
        for name in missing:
            print("faults: without %s, which this build does not read" % name)
        if subprocess.run([os.path.abspath(ember), "preview", "a.json", "-o", "x.png"], cwd=given, capture_output=True).returncode != 0:
            print("faults: without preview, which does not work on this machine")
            missing.append("preview")
        else:
            os.remove(os.path.join(given, "x.png"))
        list_of_all = [one for one in commands(missing) if only in one.name]
        jobs = sorted([(one, False) for one in list_of_all], key=lambda job: not job[0].few) + [(one, True) for one in list_of_all if one.ends]
        total, wrong, left, started = collections.OrderedDict(), [], 0, time.monotonic()
        with concurrent.futures.ProcessPoolExecutor(min(os.cpu_count() or 1, len(jobs)), initializer=begin, initargs=(ember, shim, given)) as pool:
            for name, (tally, problems, temporaries), seconds in pool.map(work, jobs):
                print("%-28s %6d runs %6.1f s%s" % (name, sum(n for n, _ in tally.values()), seconds, "  %d wrong" % len(problems) if problems else ""), flush=True)
                wrong += problems
                left += temporaries
                for how, (done, of) in tally.items():
                    before = total.get(how, (0, 0))
                    total[how] = (before[0] + done, before[1] + of)
    finally:
        shutil.rmtree(everything)
    for how, (done, of) in total.items():
        print("%-16s %6d of %6d replayed" % (how, done, of))
    print("faults: %d runs of %d commands in %.0f s, %d wrong; SIGKILL left %d temporaries, which did no harm"
          % (sum(done for done, _ in total.values()), len(list_of_all), time.monotonic() - started, len(wrong), left))
    shown = collections.Counter()
    for line in wrong:
        shown[line.split(",")[0]] += 1
        if shown[line.split(",")[0]] <= EXAMPLES:
            print("  " + line)
    for name, count in shown.items():
        if count > EXAMPLES:
            print("  %s, and %d more" % (name, count - EXAMPLES))
    sys.exit(1 if wrong or not total else 0)


if __name__ == "__main__":
    main()
