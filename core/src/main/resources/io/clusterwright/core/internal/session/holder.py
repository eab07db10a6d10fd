# Keeps a process running while the connection to its client is broken: "start ID LENGTH NAME" starts a shell apart from this process, which
# reads its script of this length from its input, and attaches to it; "attach ID OUT ERR" attaches to one that runs, and gets its output from
# these numbers of bytes on. What comes on standard input is for the holder, in lines: "d N" and N bytes are the input of the process, "b" says that
# a client is there that waits for it, "i" that none does, "c" that the process is a command, "k SECONDS" ends its session, "q" ends its input,
# "e" says that its end is known. What goes to standard output are frames: a kind, a length, and so many bytes.
# The holder listens on a socket without a file.
import errno
import os
import select
import signal
import socket
import struct
import sys
import time

PIECE = 65536
# Unsent output makes the process wait.
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

# os.environ has what Python adds for itself.
with open("/proc/self/environ", "rb") as initial:
    ENVIRONMENT = dict(entry.split(b"=", 1) for entry in initial.read().split(b"\0") if b"=" in entry)


def name(of):
    return b"\0clusterwright-held-" + of.encode()


def is_own(connection):
    owner = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1]
    return owner == os.getuid()


class Output:
    """What the process wrote on one stream: from a number of bytes on, and how much of it the client was sent."""

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
    def __init__(self, server, length, title):
        self.server = server
        self.children, wakeup = os.pipe()
        for end in (self.children, wakeup):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(wakeup)
        ends = [os.pipe() for _ in range(3)]
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            for number, pipe in enumerate(ends):
                os.dup2(pipe[0 if number == 0 else 1], number)
            for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(ignored, signal.SIG_DFL)
            boot = 'eval "$(head -c "$1")"'
            os.execve("/bin/sh", ["/bin/sh", "-c", boot, title, length], ENVIRONMENT)
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
        self.is_command = False
        self.client = None
        self.requests = bytearray()
        self.missing = 0
        self.answers = bytearray()
        self.heard = time.monotonic()
        self.until = self.heard + GONE_SECONDS
        self.kill_at = None
        self.status = None
        # The end of the process, or the last output after it.
        self.last = None
        self.said_end = False
        self.known = False

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
        self.said_end = False

    def part(self):
        if self.client is not None:
            self.client.close()
            self.client = None
            now = time.monotonic()
            gone = not self.busy or now - self.heard < RECENT_SECONDS and not self.is_command
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
        elif line[0] == b"c":
            self.is_command = True
        elif line[0] == b"q":
            self.quit = True
        elif line[0] == b"e":
            self.known = True
        elif line[0] == b"k":
            self.end_session(signal.SIGTERM)
            self.kill_at = time.monotonic() + float(line[1])

    def end_session(self, number):
        found = False
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit():
                    with open("/proc/%s/stat" % entry, "rb") as stat:
                        session = int(stat.read().rpartition(b")")[2].split()[3])
                    if session == self.pid:
                        found = True
                        os.kill(int(entry), number)
            except OSError:
                continue
        return found

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
            # The process reads no more.
            self.input.clear()
            os.close(self.sink)
            self.sink = None

    def fill(self):
        while len(self.answers) < 2 * PIECE and any(output.unsent() for output in self.outputs.values()):
            for kind, output in self.outputs.items():
                piece = output.next()
                if piece:
                    self.answers += HEAD.pack(kind, len(piece)) + piece
        if self.has_ended() and not self.said_end and not any(o.unsent() for o in self.outputs.values()):
            status = b"%d" % self.status
            self.answers += HEAD.pack(ENDED, len(status)) + status
            self.said_end = True

    def has_ended(self):
        """Whether the process has ended and its output is complete."""
        if self.status is None:
            return False
        outputs = [output for output in self.outputs.values() if output.source is not None]
        if not outputs:
            return True
        # What an agent left may keep its output open.
        full = any(output.unsent() >= FULL for output in outputs)
        return not self.is_command and not full and time.monotonic() - self.last > 0.5

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
                self.last = now
        if self.kill_at is not None and now >= self.kill_at:
            found = self.end_session(signal.SIGKILL)
            # The number of a session without processes may be given to another.
            self.kill_at = now + 1 if found or self.status is None else None
        if self.until is not None and now >= self.until:
            # No client comes back: an agent ends what it has of the job, and then itself; a command has lost its readers.
            self.quit = True
            if self.is_command and self.server is not None:
                self.give_up()

    def give_up(self):
        """A client that came now would get a part of the output."""
        self.server.close()
        self.server = None
        for output in self.outputs.values():
            if output.source is not None:
                os.close(output.source)
                output.source = None

    def is_over(self, now):
        if self.known:
            return True
        return self.has_ended() and self.client is None and (not self.busy or now >= self.until)

    def serve(self):
        while not self.is_over(time.monotonic()):
            self.fill()
            sources = {o.source: o for o in self.outputs.values() if o.source is not None and o.unsent() < FULL}
            readable = [self.children] + list(sources) + [end for end in (self.server, self.client) if end]
            writable = [self.client] if self.client and self.answers else []
            if self.sink is not None and (self.input or self.quit):
                writable.append(self.sink)
            # The end of a process that left its output open is not seen otherwise.
            wait = 0.2 if self.quit or self.kill_at or self.status is not None else 1
            can_read, can_write, _ = select.select(readable, writable, [], wait)
            if self.children in can_read:
                os.read(self.children, PIECE)
            if self.sink in can_write:
                self.feed()
            for source in can_read:
                if source in sources:
                    sources[source].read()
                    self.last = time.monotonic()
            if self.client in can_write:
                self.send()
            if self.client is not None and self.client in can_read:
                self.receive()
            if self.server is not None and self.server in can_read:
                self.accept()
            self.look_after(time.monotonic())


def receive(connection, length):
    content = b""
    while len(content) < length:
        piece = connection.recv(length - len(content))
        if not piece:
            raise OSError(errno.EPIPE, "no holder")
        content += piece
    return content


def attach(of, out, err):
    """Passes on what the client says and what the holder answers, until one of them has ended."""
    try:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(name(of))
        if not is_own(connection):
            return NOT_HERE
        connection.sendall(b"%d %d\n" % (out, err))
        _, length = HEAD.unpack(receive(connection, HEAD.size))
        hello = receive(connection, length)
    except OSError:
        return NOT_HERE
    connection.setblocking(False)
    os.set_blocking(1, False)
    to_holder = bytearray()
    to_client = bytearray(b"\nclusterwright-held %s %s\n" % (of.encode(), hello))
    is_open = True
    while is_open or to_client:
        readable = [0] if len(to_holder) < PIECE else []
        if is_open and len(to_client) < PIECE:
            readable.append(connection)
        writable = ([1] if to_client else []) + ([connection] if to_holder and is_open else [])
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
                is_open = len(content) > 0
                to_client += content
            if 1 in can_write:
                del to_client[: os.write(1, to_client)]
        except BlockingIOError:
            continue
        except OSError:
            return NOT_HERE
    return 0


def start(of, length, title):
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(name(of))
    server.listen(4)
    if os.fork() == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(null, number)
        os.close(null)
        Holder(server, length, title).serve()
        os._exit(0)
    server.close()


if sys.argv[2] == "start":
    start(sys.argv[3], sys.argv[4], sys.argv[5])
    os._exit(attach(sys.argv[3], 0, 0))
os._exit(attach(sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
