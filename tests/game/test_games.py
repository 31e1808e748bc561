# SPDX-License-Identifier: MIT
"""What the example games draw, against values worked out here: nothing of the library is used but the files of the assets, which are decoded by this script."""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

game_run = sys.argv[1]
failures = 0
checks = 0
STATIC, SKINNED, RIGID = 0, 1, 2
NONE, CLIP, BONES = 0, 1, 2


def check(name, condition, detail=""):
    global failures, checks
    checks += 1
    if not condition:
        failures += 1
        print(f"FAILED {name} {detail}")


def close(a, b, tolerance=1e-4):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def run(game, frames):
    out = subprocess.run([game_run, game, str(frames), "--draws"], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


# ---- clips, decoded by the specification's text ----

def quaternion(word, draft):
    """v2's formula, or the draft's."""
    index = word & 3
    codes = [word >> shift & 0x3FF for shift in (22, 12, 2)]
    three = [(code - 512) / 511.0 / math.sqrt(2.0) if draft else (code / 511.5 - 1.0) / math.sqrt(2.0) for code in codes]
    three.insert(index, math.sqrt(max(0.0, 1.0 - sum(v * v for v in three))))
    return three


def record(data, size):
    word, *halves = struct.unpack("<I3e", data[:10])
    scale = struct.unpack("<3e", data[10:16]) if size == 16 else struct.unpack("<e", data[10:12]) * 3
    return quaternion(word, size == 12), list(halves), list(scale)


def read_clip(path):
    data = path.read_bytes()
    if data[:4] == b"EWZA":
        bones, frames = struct.unpack_from("<HH", data, 6)
        start, size = 16, 12
    else:
        bones, frames = data[0], struct.unpack_from("<H", data, 2)[0]
        start, size = 4, 16
    assert len(data) == start + bones * frames * size, path
    at = lambda frame, bone: start + (frame * bones + bone) * size
    return [[record(data[at(f, b):at(f, b) + size], size) for b in range(bones)] for f in range(frames)]


def matrix(transform):
    (x, y, z, w), p, s = transform
    return [s[0] * (1 - 2 * (y * y + z * z)), s[1] * 2 * (x * y - w * z), s[2] * 2 * (x * z + w * y), p[0],
            s[0] * 2 * (x * y + w * z), s[1] * (1 - 2 * (x * x + z * z)), s[2] * 2 * (y * z - w * x), p[1],
            s[0] * 2 * (x * z - w * y), s[1] * 2 * (y * z + w * x), s[2] * (1 - 2 * (x * x + y * y)), p[2]]


def mix(a, b, t):
    sign = -1.0 if sum(x * y for x, y in zip(a[0], b[0])) < 0 else 1.0
    q = [x + (sign * y - x) * t for x, y in zip(a[0], b[0])]
    length = math.sqrt(sum(v * v for v in q))
    lerp = lambda u, v: [x + (y - x) * t for x, y in zip(u, v)]
    return [v / length for v in q], lerp(a[1], b[1]), lerp(a[2], b[2])


def moved(x, y, z):
    return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]


def mul(a, b):
    out = []
    for r in range(3):
        for c in range(4):
            out.append(sum(a[4 * r + k] * b[4 * k + c] for k in range(3)) + (a[4 * r + 3] if c == 3 else 0.0))
    return out


# ---- the games ----

def stamp_frames(renders, frame_count):
    """The timer of v2's example in 32-bit floats."""
    timer, frame, duration, out = 0.0, 0, f32(1.0 / 12.0), []
    for _ in range(renders):
        timer = f32(timer + f32(1.0 / 60.0))
        if timer >= duration:
            timer = f32(timer - duration)
            frame = (frame + 1) % frame_count
        out.append(frame)
    return out


def check_stamp(walk):
    lists = run("stamp", 200)
    for i, (drawn, frame) in enumerate(zip(lists, stamp_frames(200, len(walk)))):
        (draw,) = drawn["draws"]
        check("stamp", drawn["frame"] == i + 1 and draw["branch"] == SKINNED and draw["mesh"] == 0 and draw["pose"] == CLIP and draw["clip"] == 0
              and draw["skeleton"] == 0 and draw["bone_count"] == 24 and close(draw["transform"], moved(0, 0, 0)), draw)
        check("stamp's frame", draw["frame"] == frame, f"render {i}: {draw['frame']}, expected {frame}")
    check("stamp goes round", max(d["draws"][0]["frame"] for d in lists) == len(walk) - 1 and lists[-1]["draws"][0]["frame"] < 10)


def check_bones(name, drawn, draw, expected):
    check(name, draw["branch"] == SKINNED and draw["pose"] == BONES and draw["skeleton"] == 0, draw)
    check_matrices(name, drawn, draw, expected)


def check_matrices(name, drawn, draw, expected):
    check(name, draw["bone_count"] == len(expected), draw)
    for i, transform in enumerate(expected):
        check(name, close(drawn["bones"][draw["first_bone"] + i]["m"], matrix(transform)), f"frame {drawn['frame']} bone {i}")


def check_crossfade(walk):
    for drawn in run("crossfade", 70):
        frame_f = f32(f32(drawn["frame"] / 60.0) * 30.0)
        a = int(frame_f) % len(walk)
        expected = [mix(u, v, frame_f - int(frame_f)) for u, v in zip(walk[a], walk[(a + 1) % len(walk)])]
        (draw,) = drawn["draws"]
        check_bones("crossfade", drawn, draw, expected)


def check_draft(clip):
    time = 0.0
    for drawn, stamped in zip(run("draft", 70), stamp_frames(70, len(clip))):
        left, right = drawn["draws"]
        check("draft's stamp", left["branch"] == SKINNED and left["pose"] == CLIP and left["frame"] == stamped
              and close(left["transform"], moved(-1, 0, 0)), left)
        time = f32(time + f32(1.0 / 60.0))
        frame_f = f32(time * 30.0)
        a = int(frame_f) % len(clip)
        expected = [mix(u, v, frame_f - int(frame_f)) for u, v in zip(clip[a], clip[(a + 1) % len(clip)])]
        check("draft's blend", close(right["transform"], moved(1, 0, 0)), right)
        check_bones("draft's blend", drawn, right, expected)


def check_raw(data):
    for drawn in run("raw", 40):
        frame = drawn["frame"] // 2 % (len(data) // 64)
        check("raw", len(drawn["draws"]) == 8 and len(drawn["bones"]) == 8)
        for i, draw in enumerate(drawn["draws"]):
            cosine, sine, x, y = struct.unpack_from("<4h", data, frame * 64 + i * 8)
            cosine, sine = cosine / 32767, sine / 32767
            check("raw's draw", draw["branch"] == RIGID and draw["bone"] == i and draw["pose"] == BONES and draw["first_bone"] == 0
                  and draw["skeleton"] == -1 and draw["color"] == 0xFF2020FF + i * 0x180000, draw)
            check("raw's bone", close(drawn["bones"][i]["m"], [cosine, -sine, 0, x / 1024, sine, cosine, 0, y / 1024, 0, 0, 1, 0]))


def rotation_of(m):
    """Of a matrix with a positive trace or y as its largest part: enough for the arm."""
    w = math.sqrt(max(0.0, 1 + m[0] + m[5] + m[10])) / 2
    if w > 0.1:
        return [(m[9] - m[6]) / (4 * w), (m[2] - m[8]) / (4 * w), (m[4] - m[1]) / (4 * w), w]
    y = math.sqrt(max(0.0, 1 - m[0] + m[5] - m[10])) / 2
    return [(m[1] + m[4]) / (4 * y), y, (m[6] + m[9]) / (4 * y), (m[2] - m[8]) / (4 * y)]


def check_robot(arm, walk):
    for drawn in run("robot", 130):
        n = drawn["frame"]
        frame = int(f32(f32(n / 60.0) * 30.0)) % len(arm)
        base, joint, claw, spark, body, sword, second = drawn["draws"]
        claw_at = matrix(arm[frame][2])
        for i, draw in enumerate((base, joint, claw)):
            check("arm", draw["branch"] == RIGID and draw["bone"] == i and draw["mesh"] == i and draw["skeleton"] == -1 and draw["bone_count"] == 3
                  and close(draw["transform"], moved(-1.5, 0, 0)), draw)
        if n % 60 >= 30:
            # Where the clip has it, turned halfway to upright, without the clip's scale, which is 1.
            place = [claw_at[3], claw_at[7], claw_at[11]]
            t = mix((rotation_of(claw_at), place, [1, 1, 1]), ([0, 0, 0, 1], place, [1, 1, 1]), 0.5)
            claw_at = matrix(t)
            by_hand = [bone["m"] for bone in drawn["bones"][claw["first_bone"]:][:3]]
            check("arm by hand", claw["pose"] == BONES and close(by_hand[2], claw_at, 2e-3), n)
            for i in (0, 1):
                check("the rest of the arm stays", close(by_hand[i], matrix(arm[frame][i])), n)
        else:
            check("arm by its clip", claw["pose"] == CLIP and claw["clip"] == 0 and claw["frame"] == frame, claw)
            check_matrices("arm's bones", drawn, claw, arm[frame])
        tip = mul(mul(moved(-1.5, 0, 0), claw_at), moved(0, 0.5, 0))
        expected = [v * (1.0 if i % 4 == 3 else 0.2) for i, v in enumerate(tip)]
        check("spark", spark["branch"] == STATIC and close(spark["transform"], expected, 2e-3) and spark["color"] == 0xFFD040FF, n)
        place = moved(1, 0, 0)
        check("body", body["branch"] == SKINNED and body["skeleton"] == 0 and body["clip"] == 1 and body["frame"] == n // 2 % len(walk)
              and close(body["transform"], place) and body["color"] == 0xFFFFFFFF, body)
        check_matrices("body's bones", drawn, body, walk[body["frame"]])
        # Bones 9 and 14 are the left and the right hand.
        check("sword", sword["branch"] == RIGID and sword["bone"] == 14 and sword["skeleton"] == -1 and sword["frame"] == body["frame"], sword)
        check("sword on the other hand", second["branch"] == RIGID and second["bone"] == 9 and second["mesh"] == sword["mesh"], second)


def check_arm_clip(arm):
    """The arm's clip is what its description says: turning, bending by 45 and -60 degrees."""
    for frame, bones in enumerate(arm):
        turn, swing = 2 * math.pi * frame / len(arm), math.sin(2 * math.pi * frame / len(arm))
        about_y = [math.cos(turn), 0, math.sin(turn), 0, 0, 1, 0, 0, -math.sin(turn), 0, math.cos(turn), 0]
        about_z = lambda a: [math.cos(a), -math.sin(a), 0, 0, math.sin(a), math.cos(a), 0, 1, 0, 0, 1, 0]
        joint = mul(about_y, about_z(math.radians(45 * swing)))
        claw = mul(joint, about_z(math.radians(-60 * swing)))
        for bone, expected in zip(bones, (about_y, joint, claw)):
            check("arm's clip", close(matrix(bone), expected, 0.012), frame)


class Pcg:
    def __init__(self, seed):
        self.state = ((seed + 109) * 6364136223846793005 + 109) % 2 ** 64

    def next(self):
        old = self.state
        self.state = (old * 6364136223846793005 + 109) % 2 ** 64
        x, r = ((old >> 18 ^ old) >> 27) & 0xFFFFFFFF, old >> 59
        return (x >> r | x << (-r & 31)) & 0xFFFFFFFF

    def chance(self):
        return (self.next() >> 8) / 16777216.0


def check_crowd(clips):
    random = Pcg(42)
    counts = [len(clip) for clip in clips]
    who = []
    for i in range(400):
        x = ((i % 20) - 9.5) * 1.2 + random.chance() * 0.5
        z = -2.0 - (i // 20) * 1.2 + random.chance() * 0.5
        heading = random.chance() * 60 - 30
        clip = random.next() % 3
        phase = random.chance() * counts[clip]
        pace = 0.4 + random.chance() * 0.2
        who.append([x, z, math.radians(heading), clip, phase, pace, 0x808080FF + (random.next() & 0x7F7F7F00)])
    for n, drawn in enumerate(run("crowd", 100)):
        frames = {(draw["clip"], draw["frame"]) for draw in drawn["draws"]}
        check("crowd", len(drawn["draws"]) == 400 and len(drawn["bones"]) == len(frames) * 24)
        for w, draw in zip(who, drawn["draws"]):
            w[4] += w[5] * (2.0 if n // 16 % 2 else 1.0)
            if w[4] >= counts[w[3]]:
                w[4] -= counts[w[3]]
            c, s = math.cos(w[2]), math.sin(w[2])
            near = abs(w[4] - round(w[4])) < 1e-3  # rounding may fall on either side there
            check("crowd's draw", draw["clip"] == w[3] and draw["color"] == w[6] and (near or draw["frame"] == int(w[4]))
                  and close(draw["transform"], [c, 0, s, w[0], 0, 1, 0, 0, -s, 0, c, w[1]]), f"{n} {draw} {w}")
            bone = random.next() % 24 if n == 99 else 14  # all of them would take minutes
            check("crowd's bone", close(drawn["bones"][draw["first_bone"] + bone]["m"], matrix(clips[draw["clip"]][draw["frame"]][bone])), draw)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([game_run, "--assets", folder], check=True)
    here = pathlib.Path(folder)
    walk, arm = read_clip(here / "walk.ewzanim"), read_clip(here / "robot-arm.ewzanim")
    clips = [read_clip(here / f"{name}.ewzanim") for name in ("idle", "walk", "run")]
    check("assets", [len(clip) for clip in clips] == [90, 32, 20] and len(arm) == 60 and len(walk[0]) == 24)
    check_stamp(walk)
    check_crossfade(walk)
    check_draft(read_clip(here / "walk.eza"))
    check_raw((here / "chain").read_bytes())
    check_arm_clip(arm)
    check_robot(arm, walk)
    check_crowd(clips)
assert checks > 10000, checks
print(f"{checks - failures} passed, {failures} failed")
sys.exit(1 if failures else 0)
