# SPDX-License-Identifier: MIT
"""Every BVH file at hand, read by the library and by a second reader that knows nothing of it: the joints of all frames, the rate, the
names. The second reader takes the text apart line by line and multiplies matrices of angles, not quaternions."""

import math
import os
import time

import gltf_samples as samples

LIMIT = 2e-6  # of the extent: what floats leave of a chain of a dozen rotations


class Capture:
    def __init__(self, path):
        with open(path, encoding="latin-1") as file:
            lines = [line.split() for line in file]
        self.names, self.parents, self.offsets, self.channels = [], [], [], []
        self.motion = self.hierarchy(lines)

    def hierarchy(self, lines):
        stack = []
        for number, words in enumerate(lines):
            if not words:
                continue
            if words[0] in ("ROOT", "JOINT"):
                self.names.append(" ".join(words[1:]))
                self.parents.append(stack[-1] if stack else -1)
                self.offsets.append([0.0, 0.0, 0.0])
                self.channels.append([])
                current = len(self.names) - 1
            elif words[0] == "End":
                current = None
            elif words[0] == "{":
                stack.append(current)
            elif words[0] == "}":
                stack.pop()
            elif words[0] == "OFFSET" and stack[-1] is not None:
                self.offsets[stack[-1]] = [float(word) for word in words[1:4]]
            elif words[0] == "CHANNELS":
                self.channels[stack[-1]] = words[2:]
            elif words[0] == "MOTION":
                self.frame_count = int(lines[number + 1][1])
                self.frame_time = float(lines[number + 2][2])
                return [[float(word) for word in line] for line in lines[number + 3:] if line][:self.frame_count]
        raise ValueError("no motion")

    def frame(self, numbers):
        values = iter(numbers)
        model = []
        for parent, offset, channels in zip(self.parents, self.offsets, self.channels):
            place = list(offset)
            own = samples.sampler.identity()
            for channel in channels:
                axis, value = "XYZ".index(channel[0].upper()), next(values)
                if channel[1:].lower() == "position":
                    place[axis] = value
                else:
                    a, b = (axis + 1) % 3, (axis + 2) % 3
                    turn = samples.sampler.identity()
                    turn[a][a] = turn[b][b] = math.cos(math.radians(value))
                    turn[b][a] = math.sin(math.radians(value))
                    turn[a][b] = -turn[b][a]
                    own = samples.sampler.multiply(own, turn)
            for row in range(3):
                own[row][3] = place[row]
            model.append(own if parent < 0 else samples.sampler.multiply(model[parent], own))
        return model


def check(program, folder, path):
    start = time.monotonic()
    name = samples.make(program, folder, [path])[0]
    seconds = time.monotonic() - start
    capture, form = Capture(path), samples.clip_form(folder, name)
    clip = form["clips"][0]
    if [bone["name"] for bone in form["bones"]] != capture.names or [bone["parent"] for bone in form["bones"]] != capture.parents:
        raise AssertionError("the hierarchy differs")
    if clip["frame_count"] != capture.frame_count or abs(clip["fps"] * capture.frame_time - 1.0) > 1e-4:
        raise AssertionError("%d frames at %g" % (clip["frame_count"], clip["fps"]))
    frames = list(samples.poses(form, dict(clip, frames=clip["frames"][::25])))
    size = samples.extent(frames)
    worst = max(samples.distance(got, wanted, size) for pose, numbers in zip(frames, capture.motion[::25])
                for got, wanted in zip(pose, capture.frame(numbers)))
    print("%s: %d joints, %d frames at %g: %.2g of the extent; read and written three times in %.2f s"
          % (os.path.basename(path), len(form["bones"]), clip["frame_count"], clip["fps"], worst, seconds))
    return not worst <= LIMIT


def run(program, folder):
    files = samples.motion_files()
    if not files:
        samples.skip("EMBER_CORPUS is not set and assimp-testmodels are not installed")
    failed = 0
    for path in files:
        failed |= check(program, folder, path)
    return failed


if __name__ == "__main__":
    samples.main(run)
