#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""picture.py EMBER OUT.png FILE [REFERENCE]: what `ember view` shows of a file, as a picture, by Chromium without a window."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.parse

FLAGS = ["--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--hide-scrollbars", "--window-size=1280,800", "--blink-settings=preferredColorScheme=0", "--remote-debugging-pipe"]


class Browser:
    """Chromium, driven through two pipes: messages of JSON, each ended by a 0."""

    def __init__(self, folder):
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()

        def place():
            # The two ends must be 3 and 4; whatever they are now goes out of the way first.
            ends = os.dup(read_there), os.dup(write_there)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(["chromium", *FLAGS, "--user-data-dir=" + folder, "about:blank"], close_fds=False, preexec_fn=place,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self.out, self.into, self.number, self.left = write_here, read_here, 0, b""

    def call(self, method, session=None, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.left:
                more = os.read(self.into, 1 << 20)
                if not more:
                    sys.exit("picture.py: Chromium has ended")
                self.left += more
            text, self.left = self.left.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit("picture.py: %s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    def end(self):
        self.call("Browser.close")
        self.process.wait(timeout=20)


def take(browser, address, out):
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    browser.call("Emulation.setDeviceMetricsOverride", session, width=1280, height=800, deviceScaleFactor=1, mobile=False)
    browser.call("Page.navigate", session, url=address)
    end = time.monotonic() + 120
    while time.monotonic() < end:
        ready = browser.call("Runtime.evaluate", session, expression="document.documentElement.dataset.ready === 'true' && ember.doc.open && !ember.dirty", returnByValue=True)
        if ready["result"].get("value"):
            break
        time.sleep(0.05)
    else:
        sys.exit("picture.py: the page does not get ready")
    # Twice: what is changed before one frame is seen in the next.
    browser.call("Runtime.evaluate", session, awaitPromise=True,
                 expression="document.querySelector('#messages').replaceChildren(), new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))")
    with open(out, "wb") as file:
        file.write(base64.b64decode(browser.call("Page.captureScreenshot", session)["data"]))


def main(ember, out, shown, reference=None):
    # Served from the file's own folder, since the page shows files by the names they are given.
    folder, shown = os.path.split(os.path.abspath(shown))
    reference = reference and os.path.relpath(reference, folder)
    files = [shown] + ([reference] if reference else [])
    server = subprocess.Popen([os.path.abspath(ember), "view", "-q", "--no-open", *files], cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        if not address:
            sys.exit(1)
        moment = {"file": shown, "clip": "walk", "frame": "12", "bone": "9", "show": "mesh.names.reference"}
        if reference:
            moment["reference"] = reference
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = Browser(profile)
            try:
                take(browser, address + "#" + urllib.parse.urlencode(moment), out)
            finally:
                browser.end()
    finally:
        server.terminate()
        server.wait()
    print(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
