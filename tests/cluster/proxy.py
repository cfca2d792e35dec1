#!/usr/bin/env python3
"""A bad network: a proxy between clients and an HTTP server.

usage: proxy.py HOST:PORT FAULTS-FILE PORT-FILE [SEED]

Listens on a free port of 127.0.0.1, which it writes to PORT-FILE.  FAULTS-FILE has words
NAME=RATE, the part of all requests to which that happens; it is read at the start and at
each SIGHUP.  Whatever happens is a line of the output: the name, and the request's path.

Every request is a unit, with a connection of its own to the server:
  close           the connection is closed, and the server gets nothing
  lose-request    the server never gets it, and the client never an answer
  lose-reply      the server does it, and the client never gets an answer
  late-request    it is delivered after a pause, also if the client has gone
  late-reply      the same of the answer
  twice           it is delivered twice at once; the second answer is thrown away
  twice-late      and the second time after a pause, when the first connection is closed
  cut-request     both connections end when half of it is delivered
  cut-reply       the same of the answer
A watch is a stream: it is passed on as it comes, but
  cut-watch       it ends after a pause
  mute-watch      nothing comes any more after a pause, and it does not end
pause=SECONDS is the longest pause: 3 unless it is said, and least=SECONDS the shortest: 0.
only=PATH: nothing happens to requests with another path.  most=COUNT: nor after it has
happened so often.  after=COUNT: nor to the first so many of that path.
"""
import asyncio
import collections
import random
import signal
import sys

FAULTS = ("close", "lose-request", "lose-reply", "late-request", "late-reply", "twice",
          "twice-late", "cut-request", "cut-reply")
STREAM_FAULTS = ("cut-watch", "mute-watch")
STREAM = "/v3/watch"
PAUSE = 3.0
PIECE = 65536
GONE = (OSError, EOFError)  # of asyncio, IncompleteReadError is the latter

Message = collections.namedtuple("Message", "head body path")


def field(head, name):
    """A field of the head, in small letters; or nothing."""
    for line in head.decode("latin-1").split("\r\n")[1:]:
        key, _, value = line.partition(":")
        if key.lower() == name:
            return value.strip().lower()
    return ""


async def read_chunks(reader):
    body = b""
    while True:
        line = await reader.readuntil(b"\r\n")
        chunk = await reader.readexactly(int(line, 16) + 2)
        body += line + chunk
        if len(chunk) == 2:
            return body


async def read_message(reader):
    """A whole request or reply.  EOFError: there is none."""
    head = await reader.readuntil(b"\r\n\r\n")
    if field(head, "transfer-encoding") == "chunked":
        body = await read_chunks(reader)
    elif field(head, "content-length"):
        body = await reader.readexactly(int(field(head, "content-length")))
    else:
        body = b""
    return Message(head, body, head.split()[1].decode("latin-1"))


async def write(writer, message, part=1.0):
    """The whole of it, or the head and a part of the body."""
    writer.write(message.head + message.body[:int(part * len(message.body))])
    await writer.drain()


class Proxy:
    def __init__(self, server, faults_file, seed):
        self.host, self.port = server.rsplit(":", 1)
        self.faults_file = faults_file
        self.random = random.Random(seed)
        self.rates, self.pause, self.only, self.most = {}, PAUSE, "", sys.maxsize
        self.least, self.after = 0.0, 0
        self.tasks = set()  # asyncio itself would forget them
        self.read_faults()

    def read_faults(self):
        with open(self.faults_file, encoding="ascii") as f:
            words = dict(word.split("=") for word in f.read().split())
        self.pause = float(words.pop("pause", PAUSE))
        self.only = words.pop("only", "")
        self.most = int(words.pop("most", sys.maxsize))
        self.least = float(words.pop("least", 0))
        self.after = int(words.pop("after", 0))
        self.rates = {name: float(rate) for name, rate in words.items()}
        unknown = set(words) - set(FAULTS) - set(STREAM_FAULTS)
        if unknown:
            sys.exit(f"proxy.py: no such fault: {unknown}")
        self.tell("faults", " ".join(sorted(words)) or "none")

    @staticmethod
    def tell(event, what):
        print(event, what, flush=True)

    def choose(self, faults, path):
        """One of them, or nothing."""
        number = self.random.random()
        if self.only not in ("", path) or self.most == 0:
            return None
        if self.after > 0:
            self.after -= 1
            return None
        for name in faults:
            number -= self.rates.get(name, 0)
            if number < 0:
                self.most -= 1
                return name
        return None

    def rest(self):
        return asyncio.sleep(self.random.uniform(self.least, self.pause))

    async def connect(self):
        return await asyncio.open_connection(self.host, int(self.port))

    async def ask(self, request):
        """The server's reply; then the connection is closed."""
        reader, writer = await self.connect()
        try:
            await write(writer, request)
            return await read_message(reader)
        finally:
            writer.close()

    async def ask_in_vain(self, request, late):
        if late:
            await self.rest()
        try:
            await self.ask(request)
        except GONE:
            pass

    def begin(self, work):
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    @staticmethod
    async def until_gone(reader):
        while await reader.read(PIECE):
            pass

    async def cut_request(self, request):
        _, writer = await self.connect()
        await write(writer, request, 0.5)
        writer.transport.abort()

    async def exchange(self, request, reader, writer):
        """One request.  EOFError: the client's connection is of no use any more."""
        fault = self.choose(FAULTS, request.path)
        if fault:
            self.tell(fault, request.path)
        if fault == "cut-request":
            await self.cut_request(request)
            raise EOFError
        if fault == "close":
            raise EOFError
        if fault == "lose-request":
            await self.until_gone(reader)
            raise EOFError
        if fault == "late-request":
            await self.rest()
        if fault == "twice":
            self.begin(self.ask_in_vain(request, late=False))
        reply = await self.ask(request)
        if fault == "twice-late":
            self.begin(self.ask_in_vain(request, late=True))
        if fault == "lose-reply":
            await self.until_gone(reader)
            raise EOFError
        if fault == "late-reply":
            await self.rest()
        await write(writer, reply, 0.5 if fault == "cut-reply" else 1)
        if fault == "cut-reply":
            raise EOFError

    async def pass_on(self, source, writer, muted):
        while True:
            piece = await source.read(PIECE)
            if not piece:
                return
            if not muted.is_set():
                writer.write(piece)
                await writer.drain()

    async def disturb(self, fault, path, muted):
        """Returns when the stream is to be cut."""
        if not fault:
            await asyncio.Event().wait()
        await self.rest()
        self.tell(fault, path)
        if fault == "mute-watch":
            muted.set()
            await asyncio.Event().wait()

    async def stream(self, request, reader, writer):
        source, sink = await self.connect()
        muted = asyncio.Event()
        fault = self.choose(STREAM_FAULTS, request.path)
        work = [asyncio.ensure_future(w) for w in (
            self.pass_on(source, writer, muted), self.until_gone(reader),
            self.disturb(fault, request.path, muted))]
        try:
            await write(sink, request)
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            sink.close()

    async def serve(self, reader, writer):
        try:
            while True:
                request = await read_message(reader)
                if request.path == STREAM:
                    await self.stream(request, reader, writer)
                    break
                await self.exchange(request, reader, writer)
        except GONE:
            pass
        finally:
            if self.random.random() < 0.5:
                writer.transport.abort()  # with a reset
            else:
                writer.close()

    def accept(self, reader, writer):
        self.begin(self.serve(reader, writer))


async def main(server, faults_file, port_file, seed="1"):
    proxy = Proxy(server, faults_file, int(seed))
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, proxy.read_faults)
    listener = await asyncio.start_server(proxy.accept, "127.0.0.1", 0, backlog=512)
    with open(port_file, "w", encoding="ascii") as f:
        print(listener.sockets[0].getsockname()[1], file=f)
    await listener.serve_forever()


if __name__ == "__main__":
    if not 4 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
