# Keeps an agent running while the connection to its client is broken: "start ID LENGTH" starts the agent apart from this process and attaches to
# it, "attach ID OUT ERR" attaches to one that runs, and gets its output from these numbers of bytes on.
# What comes on standard input is for the holder, in lines: "d N" and N bytes are the agent's input, "b" says that a client with a job is there,
# "i" that the job is over, "k SECONDS" ends the agent's session, "q" ends its input. The holder listens on a socket without a file.
import errno
import os
import select
import signal
import socket
import struct
import sys
import time

PIECE = 65536
# Unsent output makes the agent wait.
FULL = 8388608
# Sent output that may still be lost with a connection: SSH has at most 2 MiB on the way.
KEPT = 4194304
# A client that was heard this long ago at most is gone when its connection ends; the connection of another one broke.
RECENT_SECONDS = 12
GONE_SECONDS = 8
BROKEN_SECONDS = 180
NOT_HERE = 97
HEAD = struct.Struct(">BI")
STDOUT, STDERR, HELLO, ENDED = 1, 2, 3, 4


def name(of):
    return b"\0clusterwright-agent-" + of.encode()


def is_own(connection):
    owner = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1]
    return owner == os.getuid()


class Output:
    """What the agent wrote on one stream: from a number of bytes on, and how much of it the client was sent."""

    def __init__(self, source):
        self.source = source
        self.bytes = bytearray()
        self.first = 0
        self.sent = 0

    def unsent(self):
        return self.first + len(self.bytes) - self.sent

    def read(self):
        content = os.read(self.source, PIECE)
        if not content:
            os.close(self.source)
            self.source = None
        self.bytes += content

    def next(self):
        at = self.sent - self.first
        piece = bytes(self.bytes[at : at + PIECE])
        self.sent += len(piece)
        if at > 2 * KEPT:
            del self.bytes[: at - KEPT]
            self.first += at - KEPT
        return piece


class Holder:
    def __init__(self, server, length):
        self.server = server
        ends = [os.pipe() for _ in range(3)]
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            for number, pipe in enumerate(ends):
                os.dup2(pipe[0 if number == 0 else 1], number)
            for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(ignored, signal.SIG_DFL)
            boot = 'eval "$(head -c "$1")"'
            os.execv("/bin/sh", ["/bin/sh", "-c", boot, "clusterwright-agent", length])
        os.close(ends[0][0])
        os.close(ends[1][1])
        os.close(ends[2][1])
        self.sink = ends[0][1]
        os.set_blocking(self.sink, False)
        self.outputs = {STDOUT: Output(ends[1][0]), STDERR: Output(ends[2][0])}
        self.input = bytearray()
        self.accepted = 0
        self.quit = False
        self.busy = False
        self.client = None
        self.requests = bytearray()
        self.missing = 0
        self.answers = bytearray()
        self.heard = time.monotonic()
        self.until = self.heard + GONE_SECONDS
        self.kill_at = None
        self.status = None
        self.ended = None

    def accept(self):
        connection, _ = self.server.accept()
        connection.settimeout(5)
        try:
            if not is_own(connection):
                raise OSError(errno.EACCES, "another user")
            line = b""
            while not line.endswith(b"\n"):
                byte = connection.recv(1)
                if not byte or len(line) > 64:
                    raise OSError(errno.EIO, "not a client")
                line += byte
            places = [int(word) for word in line.split()]
            for output, place in zip(self.outputs.values(), places):
                if not output.first <= place <= output.first + len(output.bytes):
                    raise OSError(errno.EIO, "no longer here")
        except (OSError, ValueError):
            connection.close()
            return
        self.part()
        connection.setblocking(False)
        self.client = connection
        self.heard = time.monotonic()
        self.until = None
        for output, place in zip(self.outputs.values(), places):
            output.sent = place
        self.requests.clear()
        self.missing = 0
        hello = b"%d" % self.accepted
        self.answers = bytearray(HEAD.pack(HELLO, len(hello)) + hello)

    def part(self):
        if self.client is not None:
            self.client.close()
            self.client = None
            now = time.monotonic()
            gone = not self.busy or now - self.heard < RECENT_SECONDS
            self.until = now + (GONE_SECONDS if gone else BROKEN_SECONDS)

    def receive(self):
        try:
            content = self.client.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            content = b""
        if not content:
            self.part()
            return
        self.heard = time.monotonic()
        self.requests += content
        while self.requests:
            if self.missing:
                piece = self.requests[: self.missing]
                self.input += piece
                self.accepted += len(piece)
                self.missing -= len(piece)
                del self.requests[: len(piece)]
                continue
            end = self.requests.find(b"\n")
            if end < 0:
                return
            line = bytes(self.requests[:end]).split()
            del self.requests[: end + 1]
            self.obey(line)

    def obey(self, line):
        if line[0] == b"d":
            self.missing = int(line[1])
        elif line[0] == b"b":
            self.busy = True
        elif line[0] == b"i":
            self.busy = False
        elif line[0] == b"q":
            self.quit = True
        elif line[0] == b"k":
            self.end_session(signal.SIGTERM)
            self.kill_at = time.monotonic() + float(line[1])

    def end_session(self, number):
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit():
                    with open("/proc/%s/stat" % entry, "rb") as stat:
                        session = int(stat.read().rpartition(b")")[2].split()[3])
                    if session == self.pid:
                        os.kill(int(entry), number)
            except OSError:
                continue

    def feed(self):
        try:
            if self.input:
                del self.input[: os.write(self.sink, self.input)]
            if not self.input and self.quit:
                os.close(self.sink)
                self.sink = None
        except BlockingIOError:
            return
        except OSError:
            # The agent reads no more.
            self.input.clear()
            os.close(self.sink)
            self.sink = None

    def fill(self):
        for kind, output in self.outputs.items():
            while len(self.answers) < 2 * PIECE and output.unsent():
                piece = output.next()
                self.answers += HEAD.pack(kind, len(piece)) + piece

    def send(self):
        try:
            del self.answers[: self.client.send(self.answers)]
        except BlockingIOError:
            return
        except OSError:
            # What the client said before its end is still to be read.
            self.answers.clear()

    def look_after(self, now):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
                self.ended = now
        if self.kill_at is not None and now >= self.kill_at:
            self.end_session(signal.SIGKILL)
            self.kill_at = now + 1
        if self.until is not None and now >= self.until:
            # No client comes back: the agent ends what it has of the job, and then itself.
            self.quit = True
        sources = [output.source for output in self.outputs.values()]
        # What the agent left may keep its output open.
        return self.status is not None and (sources == [None, None] or now - self.ended > 0.5)

    def serve(self):
        while True:
            self.fill()
            sources = {o.source: o for o in self.outputs.values() if o.source is not None and o.unsent() < FULL}
            readable = [self.server] + list(sources) + ([self.client] if self.client else [])
            writable = [self.client] if self.client and self.answers else []
            if self.sink is not None and (self.input or self.quit):
                writable.append(self.sink)
            can_read, can_write, _ = select.select(readable, writable, [], 0.2 if self.quit or self.kill_at else 1)
            if self.sink in can_write:
                self.feed()
            for source in can_read:
                if source in sources:
                    sources[source].read()
            if self.client in can_write:
                self.send()
            if self.client is not None and self.client in can_read:
                self.receive()
            if self.server in can_read:
                self.accept()
            if self.look_after(time.monotonic()):
                return

    def finish(self):
        """The agent has ended: a client gets the rest, and its exit status."""
        if self.client is None:
            return
        self.client.settimeout(BROKEN_SECONDS)
        try:
            while self.answers or any(output.unsent() for output in self.outputs.values()):
                self.client.sendall(self.answers)
                self.answers.clear()
                self.fill()
            status = b"%d" % self.status
            self.client.sendall(HEAD.pack(ENDED, len(status)) + status)
        except OSError:
            return


def attach(of, out, err):
    """Passes on what the client says and what the holder answers; returns the agent's exit status."""
    try:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(name(of))
        if not is_own(connection):
            return NOT_HERE
        connection.sendall(b"%d %d\n" % (out, err))
    except OSError:
        return NOT_HERE
    connection.setblocking(False)
    os.set_blocking(1, False)
    os.set_blocking(2, False)
    to_holder = bytearray()
    answers = bytearray()
    waiting = {1: bytearray(), 2: bytearray()}
    status = None
    while True:
        room = len(waiting[1]) + len(waiting[2]) < PIECE
        readable = ([0] if len(to_holder) < PIECE else []) + ([connection] if room and status is None else [])
        writable = [number for number in waiting if waiting[number]] + ([connection] if to_holder else [])
        if status is not None and not writable:
            return status
        can_read, can_write, _ = select.select(readable, writable, [])
        try:
            if 0 in can_read:
                content = os.read(0, PIECE)
                if not content:
                    connection.setblocking(True)
                    connection.sendall(to_holder)
                    return 0
                to_holder += content
            if connection in can_write:
                del to_holder[: connection.send(to_holder)]
            if connection in can_read:
                content = connection.recv(PIECE)
                if not content:
                    status = NOT_HERE
                answers += content
            for number in (1, 2):
                if number in can_write:
                    del waiting[number][: os.write(number, waiting[number])]
        except BlockingIOError:
            continue
        except OSError:
            return NOT_HERE
        while len(answers) >= HEAD.size:
            kind, length = HEAD.unpack_from(answers)
            if len(answers) < HEAD.size + length:
                break
            content = bytes(answers[HEAD.size : HEAD.size + length])
            del answers[: HEAD.size + length]
            if kind == HELLO:
                for number in waiting:
                    waiting[number] += b"\nclusterwright-held %s %s\n" % (of.encode(), content)
            elif kind == ENDED:
                status = int(content)
            else:
                waiting[kind] += content


def start(of, length):
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(name(of))
    server.listen(4)
    if os.fork() == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(null, number)
        os.close(null)
        holder = Holder(server, length)
        holder.serve()
        holder.finish()
        os._exit(0)
    server.close()


if sys.argv[2] == "start":
    start(sys.argv[3], sys.argv[4])
    os._exit(attach(sys.argv[3], 0, 0))
os._exit(attach(sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
