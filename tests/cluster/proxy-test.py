#!/usr/bin/env python3
"""proxy.py does what it says: each fault, seen from the client and from the server.

usage: proxy-test.py PROXY
"""
import collections
import http.server
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 60   # what must happen has so long
PAUSE = 0.4     # of late ones
MOMENT = 0.2    # in which what must not happen would
STEP = 0.02


class Server(http.server.ThreadingHTTPServer):
    """Answers each POST by its own body, and remembers it."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Echo)
        self.seen = collections.Counter()
        self.open = 0       # streams
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Echo(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    chunked = False

    def log_message(self, *_):
        pass

    def reply_whole(self, body):
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def chunk(self, piece):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))

    def reply_chunks(self, body):
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in (body[:3], body[3:], b""):
            self.chunk(piece)

    def stream(self):
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.server.open += 1
        try:
            while True:
                self.chunk(b"more\n")
                time.sleep(STEP)
        except OSError:
            self.server.open -= 1

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        body = self.rfile.read(size)
        if len(body) < size:
            self.server.seen["part of a request"] += 1
            return
        self.server.seen[body] += 1
        self.send_response(200)
        if self.path == "/v3/watch":
            self.stream()
        elif self.path == "/chunks":
            self.reply_chunks(body)
        else:
            self.reply_whole(body)


class Client:
    """One connection."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(PATIENCE)
        self.file = self.socket.makefile("rb")

    def send(self, body, path="/"):
        self.socket.sendall(b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
                            % (path.encode(), len(body), body))

    def receive(self):
        """The answer's body; or what there is of it, if it breaks off."""
        size, chunked = 0, False
        while True:
            line = self.file.readline().lower()
            if line in (b"", b"\r\n"):
                break
            if line.startswith(b"content-length:"):
                size = int(line.split()[1])
            chunked = chunked or line.startswith(b"transfer-encoding: chunked")
        if not chunked:
            return self.file.read(size)
        body = b""
        while size := int(self.file.readline(), 16):
            body += self.file.read(size)
            self.file.readline()
        self.file.readline()
        return body

    def ask(self, body, path="/"):
        self.send(body, path)
        return self.receive()

    def hears(self, seconds):
        """Does anything come, be it the end?"""
        self.socket.settimeout(seconds)
        try:
            self.socket.recv(1 << 16)
            return True
        except TimeoutError:
            return False
        except OSError:
            return True
        finally:
            self.socket.settimeout(PATIENCE)

    def ends(self):
        late = time.monotonic() + PATIENCE
        try:
            while self.socket.recv(1 << 16):
                if time.monotonic() > late:
                    return False
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True

    def close(self):
        self.file.close()
        self.socket.close()


def soon(condition):
    late = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > late:
            return False
        time.sleep(STEP)
    return True


class Scene:
    def __init__(self, program, place):
        self.server = Server()
        self.faults, self.log = place + "/faults", place + "/log"
        self.write_faults("")
        with open(self.log, "wb") as log:
            self.proxy = subprocess.Popen(
                [sys.executable, program, "127.0.0.1:%d" % self.server.server_port,
                 self.faults, place + "/port"], stdout=log)
        self.settings = 1
        if not soon(lambda: self.text(place + "/port").endswith("\n")):
            raise TimeoutError("no proxy")
        self.port = int(self.text(place + "/port"))
        self.names = 0

    @staticmethod
    def text(name):
        try:
            with open(name, encoding="ascii") as f:
                return f.read()
        except FileNotFoundError:
            return ""

    def write_faults(self, words):
        with open(self.faults, "w", encoding="ascii") as f:
            f.write(words)

    def count(self, event):
        return sum(line.split()[0] == event for line in self.text(self.log).splitlines())

    def set_faults(self, words):
        self.write_faults(f"{words} pause={PAUSE}")
        self.proxy.send_signal(signal.SIGHUP)
        self.settings += 1
        return soon(lambda: self.count("faults") == self.settings)

    def body(self):
        self.names += 1
        return b"request %d, which is long enough to be cut" % self.names

    def seen(self, body):
        return self.server.seen[body]

    # --- what each of them is to look like; the fault is switched on already

    def good(self):
        client, one, two, three = (Client(self.port), self.body(), self.body(),
                                   self.body())
        return (client.ask(one) == one and client.ask(two, "/chunks") == two
                and client.ask(three) == three and self.seen(one) == self.seen(two) == 1)

    def lose_request(self):
        client, body = Client(self.port), self.body()
        client.send(body)
        return not client.hears(MOMENT) and self.seen(body) == 0

    def lose_reply(self):
        client, body = Client(self.port), self.body()
        client.send(body)
        return soon(lambda: self.seen(body) == 1) and not client.hears(MOMENT)

    def late_request(self):
        """Also if the client has gone: it is delivered all the same."""
        bodies, late = [self.body() for _ in range(20)], 0
        for body in bodies:
            client = Client(self.port)
            client.send(body)
            client.close()
            time.sleep(STEP)
            late += not self.seen(body)
        body = self.body()
        return (late > 0 and Client(self.port).ask(body) == body
                and soon(lambda: all(self.seen(body) == 1 for body in bodies)))

    def late_reply(self):
        """The server has done it, and the answer is still to come."""
        late = 0
        for _ in range(20):
            client, body = Client(self.port), self.body()
            client.send(body)
            soon(lambda: self.seen(body) == 1)  # pylint: disable=cell-var-from-loop
            late += not client.hears(STEP)
            client.close()
        body = self.body()
        return late > 0 and Client(self.port).ask(body) == body

    def twice(self):
        client, one, two = Client(self.port), self.body(), self.body()
        return (client.ask(one) == one and client.ask(two) == two
                and soon(lambda: self.seen(one) == self.seen(two) == 2))

    def twice_late(self):
        """The second comes when the client is done and gone."""
        bodies, late = [self.body() for _ in range(20)], 0
        for body in bodies:
            client = Client(self.port)
            if client.ask(body) != body:
                return False
            client.close()
            late += self.seen(body) == 1
        return late > 0 and soon(lambda: all(self.seen(body) == 2 for body in bodies))

    def close(self):
        client, body = Client(self.port), self.body()
        client.send(body)
        return client.ends() and self.seen(body) == 0

    def cut_request(self):
        client, body = Client(self.port), self.body()
        client.send(body)
        return (client.ends() and self.seen(body) == 0
                and soon(lambda: self.seen("part of a request")))

    def cut_reply(self):
        client, body = Client(self.port), self.body()
        got = client.ask(body)
        return (self.seen(body) == 1 and body.startswith(got) and 0 < len(got) < len(body)
                and client.ends())

    def watch(self):
        """A stream is passed on; when the client goes, the server is told."""
        client, before = Client(self.port), self.server.open
        client.send(b"watch", "/v3/watch")
        for _ in range(5):
            while b"more" not in client.file.readline():
                pass
        began = self.server.open == before + 1
        client.close()
        return began and soon(lambda: self.server.open == before)

    def cut_watch(self):
        client = Client(self.port)
        client.send(b"watch", "/v3/watch")
        return client.ends() and soon(lambda: self.server.open == 0)

    def mute_watch(self):
        client = Client(self.port)
        client.send(b"watch", "/v3/watch")
        soon(lambda: not client.hears(10 * STEP))
        silent = not client.hears(MOMENT) and self.server.open == 1
        client.close()
        return silent and soon(lambda: self.server.open == 0)

    def some(self):
        """A rate is a rate: some of many, and not all."""
        bodies = [self.body() for _ in range(200)]
        for body in bodies:
            Client(self.port).ask(body)
        return soon(lambda: 40 < sum(self.seen(body) - 1 for body in bodies) < 160)

    def once(self):
        """To the first request with that path, and to no other."""
        other, first, second = self.body(), self.body(), self.body()
        client = Client(self.port)
        return (client.ask(other) == other and client.ask(first, "/only") == first
                and client.ask(second, "/only") == second
                and soon(lambda: self.seen(first) == 2)
                and self.seen(other) == self.seen(second) == 1)


def main(program):
    count, failed = 0, 0

    def check(what, result):
        nonlocal count, failed
        count, failed = count + 1, failed + (not result)
        print("ok" if result else "not ok", count, "-", what, flush=True)

    with tempfile.TemporaryDirectory() as place:
        scene = Scene(program, place)
        try:
            check("requests and answers pass", scene.good())
            check("a stream passes", scene.watch())
            check("and nothing has happened to them",
                  len(scene.text(scene.log).splitlines()) == 1)
            for fault in ("close", "lose-request", "lose-reply", "late-request", "late-reply",
                          "twice", "twice-late", "cut-request", "cut-reply", "cut-watch",
                          "mute-watch"):
                done = (scene.set_faults(fault + "=1")
                        and getattr(scene, fault.replace("-", "_"))())
                check(fault, done and scene.count(fault) > 0)
            before = scene.count("twice")
            check("one of a path", scene.set_faults("twice=1 only=/only most=1")
                  and scene.once() and scene.count("twice") == before + 1)
            check("half of them", scene.set_faults("twice=0.5") and scene.some())
            check("no faults any more", scene.set_faults("") and scene.good())
        finally:
            scene.proxy.kill()
            scene.proxy.wait()
    print(f"1..{count}")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.exists(sys.argv[1]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
