# SPDX-License-Identifier: MIT
"""The server of `ember view`: only with the token, only on loopback, only GET, only the page and the named files.

Covers: cmd_view.c, serve.c, serve_heads.c, served_file.c.
"""

import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

import testing  # noqa: E402
from testing import ewzanim, hero  # noqa: E402


class Server(testing.Case):
    def setUp(self):
        super().setUp()
        self.write("hero.json", hero())
        self.write("walk.ewzanim", ewzanim(3, 4))
        self.write("secret.txt", "nobody is to see this")
        self.start("hero.json", "walk.ewzanim")

    def start(self, *words):
        # A display that is not there: nothing is opened with --no-open, whatever the environment says.
        self.process = subprocess.Popen([testing.EMBER, "view", "--no-open", *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.stop)
        self.address = self.process.stdout.readline().decode().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/([0-9a-f]{32})/)", self.address)
        if not found:
            message = self.process.stderr.read().decode()
            if "built without" in message:
                self.skipTest(message)
            self.fail(self.address + message)
        self.port, self.base, self.token = int(found.group(1)), found.group(2), found.group(3)

    def stop(self, number=signal.SIGINT):
        if self.process.returncode is None:
            self.process.send_signal(number)
            out, err = self.process.communicate(timeout=20)
            self.log = err.decode().splitlines()
        return self.log

    def ask(self, path, method="GET", host=None, headers=(), body=b""):
        """Status, headers and body of a request that is sent as it is written here."""
        lines = ["%s %s HTTP/1.1" % (method, path), "Host: " + (host or "127.0.0.1:%d" % self.port), "Connection: close", *headers]
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            try:
                connection.sendall("\r\n".join(lines + ["", ""]).encode() + body)
            except ConnectionError:
                pass  # it may hang up on too much
            answer = b""
            while True:
                try:
                    more = connection.recv(1 << 16)
                except ConnectionError:
                    break
                if not more:
                    break
                answer += more
        head, _, rest = answer.partition(b"\r\n\r\n")
        first, *others = head.decode("latin-1").split("\r\n")
        return int(first.split()[1]), {name.lower(): value for name, value in (line.split(": ", 1) for line in others)}, rest

    def status(self, *words, **more):
        return self.ask(*words, **more)[0]

    def test_the_page_and_the_files_are_there_with_the_token(self):
        code, headers, body = self.ask(self.base)
        self.assertEqual((code, headers["content-type"]), (200, "text/html; charset=utf-8"))
        self.assertIn(b"<title>ember viewer</title>", body)
        for name, kind in (("viewer.css", "text/css"), ("viewer.js", "text/javascript"), ("viewer.wasm", "application/wasm"), ("index.html", "text/html")):
            code, headers, body = self.ask(self.base + name)
            self.assertEqual((code, headers["content-type"].split(";")[0]), (200, kind))
            self.assertGreater(len(body), 1000)
        code, _, body = self.ask(self.base + "files.json")
        self.assertEqual(json.loads(body), {"files": [{"name": "hero.json", "path": "files/0"}, {"name": "walk.ewzanim", "path": "files/1"}]})
        self.assertEqual(self.ask(self.base + "files/0")[2], self.read("hero.json"))
        self.assertEqual(self.ask(self.base + "files/1")[2], self.read("walk.ewzanim"))

    def test_every_answer_forbids_what_the_page_does_not_need(self):
        for path in (self.base, self.base + "files/0", self.base + "nothing", "/"):
            _, headers, _ = self.ask(path)
            self.assertIn("default-src 'none'", headers["content-security-policy"])
            self.assertIn("frame-ancestors 'none'", headers["content-security-policy"])
            self.assertNotIn("unsafe-inline", headers["content-security-policy"])
            self.assertEqual((headers["x-content-type-options"], headers["cache-control"], headers["referrer-policy"], headers["cross-origin-resource-policy"]),
                             ("nosniff", "no-store", "no-referrer", "same-origin"))
            self.assertNotIn("access-control-allow-origin", headers)

    def test_without_the_token_nothing_is_answered_and_the_log_says_so(self):
        wrong = "0" * 32 if self.token != "0" * 32 else "1" * 32
        for path in ("/", "/index.html", "/files/0", "/%s/" % wrong, "/%s/files/0" % wrong, "/%s" % self.token, "/%s0/" % self.token, "/%s/" % self.token[:-1],
                     "/%s/" % self.token.upper() if self.token.upper() != self.token else "/x/", "//%s/" % self.token):
            self.assertEqual(self.status(path), 403, path)
        log = self.stop()
        self.assertEqual(sum("403 GET" in line for line in log), 10)
        self.assertTrue(all(self.token not in line for line in log), "the token is not for logs")

    def test_only_what_was_named_is_there(self):
        for path in ("../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "files/../secret.txt", "files/2", "files/-1", "files/00", "files/0/", "files/", "files",
                     "secret.txt", "/etc/passwd", "%2fetc%2fpasswd", "files//etc/passwd", "hero.json", "files/0%00", "viewer.wasm/..", "./index.html"):
            self.assertEqual(self.status(self.base + path), 404, path)
        self.assertEqual(self.status("/etc/passwd"), 403)
        self.assertEqual(self.status("http://127.0.0.1:%d/etc/passwd" % self.port), 403)
        log = self.stop()
        self.assertEqual(sum(" 404 GET /…/" in line for line in log), 18, log)

    def test_only_get_is_answered(self):
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"):
            code, headers, _ = self.ask(self.base, method=method, headers=["Content-Length: 0"])
            self.assertEqual((code, headers.get("allow")), (405, "GET"), method)
        self.assertEqual(self.status(self.base, method="POST", headers=["Content-Length: 5"], body=b"hello"), 405)
        self.assertEqual(self.status(self.base), 200)
        self.assertTrue(any("405 POST" in line for line in self.stop()))

    def test_a_foreign_host_name_is_refused(self):
        for host in ("evil.example", "evil.example:%d" % self.port, "127.0.0.1", "127.0.0.1:1", "127.0.0.1:%d.evil.example" % self.port, "[::1]:%d" % self.port):
            self.assertEqual(self.status(self.base, host=host), 403, host)
        self.assertEqual(self.status(self.base, host="localhost:%d" % self.port), 200)

    def test_two_host_headers_are_refused_whichever_is_ours(self):
        ours = "127.0.0.1:%d" % self.port
        self.assertIn(self.status(self.base, headers=["Host: evil.example"]), (400, 403))
        self.assertIn(self.status(self.base, headers=["host: " + ours]), (400, 403))
        self.assertIn(self.status(self.base, host="evil.example", headers=["Host: " + ours]), (400, 403))

    def test_the_log_hides_the_token_each_time_that_it_is_asked_for(self):
        self.assertEqual(self.status(self.base + "a" + self.token + "b" + self.token), 404)
        self.assertEqual(self.status("/x" + self.base + self.token), 403)
        log = self.stop()
        self.assertTrue(any("404 GET /…/a…b…: " in line for line in log), log)
        self.assertTrue(any("403 GET /x/…/…: " in line for line in log), log)
        self.assertFalse([line for line in log if self.token in line])

    def test_connections_that_ask_nothing_are_not_worth_a_line(self):
        for data in (b"", b"GET /abc"):
            with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
                connection.sendall(data)
        self.assertEqual(self.status(self.base), 200)
        self.assertFalse([line for line in self.stop() if "incomplete" in line])

    def test_connections_that_trickle_do_not_lock_others_out(self):
        """As many as there may be, each with a byte every second, so that none of them is ever silent for long."""
        slow = [socket.create_connection(("127.0.0.1", self.port), timeout=20) for _ in range(64)]
        end = time.monotonic() + 40
        answered = False
        while not answered and time.monotonic() < end:
            for connection in slow:
                try:
                    connection.send(b"G")
                except OSError:
                    pass
            time.sleep(1)
            try:
                answered = self.status(self.base) == 200
            except (OSError, IndexError):
                pass
        for connection in slow:
            connection.close()
        self.assertTrue(answered)

    def test_long_headers_and_addresses_are_refused_and_it_goes_on(self):
        self.assertEqual(self.status(self.base, headers=["X-Long: " + "a" * 100000]), 431)
        self.assertEqual(self.status(self.base, headers=["X-%d: a" % i for i in range(20000)]), 431)
        self.assertIn(self.status(self.base + "a" * 100000), (414, 431))
        self.assertEqual(self.status(self.base), 200)
        log = self.stop()
        self.assertGreaterEqual(sum("too long" in line for line in log), 3, log)
        self.assertTrue(all(len(line) < 400 for line in log))

    def test_requests_that_are_none_do_not_end_it(self):
        for data in (b"", b"\r\n\r\n", b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
            with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                try:
                    while connection.recv(4096):
                        pass
                except ConnectionError:
                    pass
        self.assertEqual(self.status(self.base), 200)

    def test_what_is_asked_cannot_write_to_the_terminal(self):
        for path in ("/\x1b[31mred", "/a\tb", "/\u202etxt.exe"):
            with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
                connection.sendall(("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % (path, self.port)).encode())
                while connection.recv(4096):
                    pass
        self.assertFalse([line for line in self.stop() if any(ord(c) < 32 for c in line)])

    def test_silent_and_many_clients_are_let_go(self):
        held = []
        for _ in range(80):
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
            self.addCleanup(connection.close)
            held.append(connection)
            try:
                connection.sendall(b"GET /")
            except ConnectionError:
                pass  # one too many
        began = time.monotonic()
        while time.monotonic() < began + 60:
            try:
                if self.status(self.base) == 200:
                    break
            except (ConnectionError, IndexError):
                pass  # none is free yet
            time.sleep(0.25)
        else:
            self.fail("it does not answer any more")
        log = self.stop()
        self.assertTrue(any("a connection is refused: 64 are open" in line for line in log), log)

    def test_it_listens_on_loopback_alone(self):
        local = "0100007F:%04X" % self.port
        with open("/proc/net/tcp", encoding="ascii") as file:
            listening = [line.split()[1] for line in file.readlines()[1:] if line.split()[3] == "0A" and line.split()[1].endswith(":%04X" % self.port)]
        self.assertEqual(listening, [local])
        with open("/proc/net/tcp6", encoding="ascii") as file:
            self.assertFalse([line for line in file.readlines()[1:] if line.split()[3] == "0A" and line.split()[1].endswith(":%04X" % self.port)])

    def test_a_file_is_read_anew_for_every_request(self):
        self.write("walk.ewzanim", ewzanim(3, 9))
        self.assertEqual(self.ask(self.base + "files/1")[2], self.read("walk.ewzanim"))
        os.remove(self.path("walk.ewzanim"))
        self.assertEqual(self.status(self.base + "files/1"), 404)
        self.assertTrue(any("walk.ewzanim: cannot open" in line for line in self.stop()))

    def test_both_signals_end_it_with_0(self):
        self.stop(signal.SIGTERM)
        self.assertEqual(self.process.returncode, 0)
        self.start("hero.json")
        self.stop(signal.SIGINT)
        self.assertEqual(self.process.returncode, 0)

    def test_tokens_differ(self):
        before = self.token
        self.stop()
        self.start("hero.json")
        self.assertNotEqual(self.token, before)

    def test_a_port_can_be_chosen_and_may_be_taken(self):
        result = self.run_ember("view", "--no-open", "--port", str(self.port), "hero.json")
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"cannot listen on 127.0.0.1, port %d" % self.port, result.stderr)
        self.assertEqual(result.stdout, b"")

    def test_files_that_cannot_be_read_are_said_at_once(self):
        result = self.ember("view", "--no-open", "hero.json", "missing.glb", code=1)
        self.assertEqual(self.one_line(result), "ember: missing.glb: cannot open: No such file or directory")
        self.ember("view", code=2)
        self.ember("view", "-", code=2)
        self.ember("view", "--port", "65536", "hero.json", code=2)

    def test_buffers_of_a_gltf_file_come_along(self):
        triangle = {"asset": {"version": "2.0"}, "buffers": [{"uri": "box%20one.bin", "byteLength": 12}, {"uri": "../secret.txt", "byteLength": 4}, {"uri": "gone.bin", "byteLength": 4}]}
        os.mkdir(self.path("models"))
        self.write("models/box.gltf", json.dumps(triangle))
        self.write("models/box one.bin", struct.pack("<3f", 0, 1, 2))
        self.stop()
        self.start("models/box.gltf")
        names = [file["name"] for file in json.loads(self.ask(self.base + "files.json")[2])["files"]]
        self.assertEqual(names, ["models/box.gltf", "models/box one.bin"])

    def test_pipes_are_refused_and_never_waited_for(self):
        os.mkfifo(self.path("pipe.glb"))
        result = self.ember("view", "--no-open", "hero.json", "pipe.glb", code=1)
        self.assertEqual(self.one_line(result), "ember: pipe.glb: cannot read: it is not a regular file")
        self.ember("view", "--no-open", ".", code=1)
        self.write("box.gltf", json.dumps({"asset": {"version": "2.0"}, "buffers": [{"uri": "pipe.glb", "byteLength": 12}, {"uri": "late.bin", "byteLength": 12}]}))
        self.write("late.bin", b"0" * 12)
        self.stop()
        self.start("box.gltf")
        self.assertEqual([file["name"] for file in json.loads(self.ask(self.base + "files.json")[2])["files"]], ["box.gltf", "late.bin"])
        # One that becomes a pipe later is none that is served any more.
        os.remove(self.path("late.bin"))
        os.mkfifo(self.path("late.bin"))
        self.assertEqual(self.status(self.base + "files/1"), 404)
        log = self.stop(signal.SIGTERM)
        self.assertEqual(self.process.returncode, 0)
        self.assertTrue(any("late.bin: cannot read: it is not a regular file" in line for line in log), log)

    def test_links_that_lead_out_of_the_folder_of_a_gltf_file_are_not_served(self):
        os.mkdir(self.path("models"))
        os.mkdir(self.path("models-2"))
        self.write("models-2/near.bin", "beside")
        self.write("models/real.bin", b"1" * 12)
        os.symlink("../secret.txt", self.path("models/out.bin"))
        os.symlink("..", self.path("models/up"))
        os.symlink("../models-2/near.bin", self.path("models/near.bin"))
        os.symlink("real.bin", self.path("models/in.bin"))
        names = ["out.bin", "up/secret.txt", "near.bin", "in.bin", "real.bin"]
        self.write("models/box.gltf", json.dumps({"asset": {"version": "2.0"}, "buffers": [{"uri": name, "byteLength": 4} for name in names]}))
        self.stop()
        self.start("models/box.gltf")
        self.assertEqual([file["name"] for file in json.loads(self.ask(self.base + "files.json")[2])["files"]], ["models/box.gltf", "models/in.bin", "models/real.bin"])
        # Nor is one that becomes such a link.
        os.remove(self.path("models/real.bin"))
        os.symlink("../secret.txt", self.path("models/real.bin"))
        self.assertEqual(self.status(self.base + "files/2"), 404)
        # What is named by hand may be a link to anywhere.
        self.stop()
        self.start("models/box.gltf", "models/out.bin")
        self.assertEqual(self.ask(self.base + "files/1")[2][:6], b"nobody")


if __name__ == "__main__":
    testing.main()
