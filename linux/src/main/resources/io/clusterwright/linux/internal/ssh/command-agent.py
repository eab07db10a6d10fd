# Runs commands for a session, any number at once: requests come on standard input, answers go to standard output, both in frames
# of a type (1 byte), the number of a command (4), a length (4, big-endian) and that number of bytes. The end of its input ends it.
import os
import select
import signal
import struct
import sys

HEAD = struct.Struct(">BII")
LENGTH = struct.Struct(">I")
RUN, FORGET = 1, 2
STARTED, DECLINED, STDOUT, STDERR, ENDED = 1, 2, 3, 4, 5
PIECE = 65536
# With this much unsent, the agent stops reading from the commands, which so wait for the connection.
FULL = 1048576
MOST_AT_ONCE = 256
# An answer that ends nothing waits this long for others, so that a short command is answered at once.
PATIENCE_SECONDS = 0.02
# Python ignores these; a command must not.
RESTORED = [signal.SIGPIPE, signal.SIGXFSZ]

# os.environ would show what Python adds for itself.
with open("/proc/self/environ", "rb") as initial:
    ENVIRONMENT = dict(entry.split(b"=", 1) for entry in initial.read().split(b"\0") if b"=" in entry)

waiting = bytearray()
urgent = False
jobs = {}
by_pid = {}
# File descriptors of the pipes: to read from, with job and type of answer; to write to, with job.
readers = {}
writers = {}


class Job:
    def __init__(self, number):
        self.number = number
        self.pid = 0
        self.status = None
        self.open = set()
        self.input = b""


def say(kind, number, content=b""):
    global urgent
    waiting.extend(HEAD.pack(kind, number, len(content)))
    waiting.extend(content)
    urgent = urgent or kind in (DECLINED, ENDED) or len(waiting) >= PIECE


def words(content, position):
    found = []
    (count,) = LENGTH.unpack_from(content, position)
    position += LENGTH.size
    for _ in range(count):
        (length,) = LENGTH.unpack_from(content, position)
        position += LENGTH.size
        found.append(content[position : position + length])
        position += length
    return found, position


def find(program, path):
    if b"/" in program:
        return program
    for folder in path.split(b":"):
        candidate = os.path.join(folder or b".", program)
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    raise FileNotFoundError(program)


def start_ticks(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[19]
    except OSError:
        return b""


def close_all(descriptors):
    for descriptor in descriptors:
        os.close(descriptor)


def spawn(job, arguments, variables, given):
    """Starts a command, or raises an exception with nothing started."""
    opened = []
    try:
        out, out_end = pipe(opened)
        err, err_end = pipe(opened)
        if given is None:
            source, source_end = None, os.open(os.devnull, os.O_RDONLY)
            opened.append(source_end)
        else:
            source_end, source = pipe(opened)
        environment = dict(ENVIRONMENT)
        environment.update(zip(variables[::2], variables[1::2]))
        path = environment.get(b"PATH", os.defpath.encode())
        actions = [
            (os.POSIX_SPAWN_DUP2, source_end, 0),
            (os.POSIX_SPAWN_DUP2, out_end, 1),
            (os.POSIX_SPAWN_DUP2, err_end, 2),
        ]
        job.pid = os.posix_spawn(
            find(arguments[0], path), arguments, environment, file_actions=actions, setsid=True, setsigdef=RESTORED
        )
    except BaseException:
        close_all(opened)
        raise
    close_all([source_end, out_end, err_end])
    job.open = {out, err}
    readers[out] = (job, STDOUT)
    readers[err] = (job, STDERR)
    if source is not None:
        job.input = given
        os.set_blocking(source, False)
        writers[source] = job
        feed(source)


def pipe(opened):
    ends = os.pipe()
    opened.extend(ends)
    return ends


def run(number, content):
    job = Job(number)
    arguments, position = words(content, 1)
    variables, position = words(content, position)
    try:
        if len(by_pid) >= MOST_AT_ONCE:
            raise OSError("too many commands at once")
        spawn(job, arguments, variables, content[position:] if content[0] else None)
    except (OSError, ValueError, NotImplementedError):
        say(DECLINED, number)
        return
    jobs[number] = job
    by_pid[job.pid] = job
    say(STARTED, number, b"%d %s" % (job.pid, start_ticks(job.pid)))


def feed(source):
    job = writers[source]
    try:
        job.input = job.input[os.write(source, job.input) :] if job.input else b""
    except BlockingIOError:
        return
    except OSError:
        # The command reads no more.
        job.input = b""
    if not job.input:
        del writers[source]
        os.close(source)


def take(descriptor):
    job, kind = readers[descriptor]
    content = os.read(descriptor, PIECE)
    if content:
        say(kind, job.number, content)
    else:
        shut(job, descriptor)
        end_if_over(job)


def shut(job, descriptor):
    del readers[descriptor]
    job.open.discard(descriptor)
    os.close(descriptor)


def reap():
    while by_pid:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        job = by_pid.pop(pid, None)
        if job is not None:
            job.status = status
            end_if_over(job)


def end_if_over(job):
    if job.status is None or job.open or jobs.pop(job.number, None) is None:
        return
    if os.WIFSIGNALED(job.status):
        say(ENDED, job.number, b"signal %d" % os.WTERMSIG(job.status))
    else:
        say(ENDED, job.number, b"exit %d" % os.WEXITSTATUS(job.status))


def forget(number):
    job = jobs.pop(number, None)
    if job is not None:
        for descriptor in list(job.open):
            shut(job, descriptor)


def obey(requests):
    """Does what whole frames ask for, and leaves the rest."""
    while len(requests) >= HEAD.size:
        kind, number, length = HEAD.unpack_from(requests)
        if len(requests) < HEAD.size + length:
            return
        content = bytes(requests[HEAD.size : HEAD.size + length])
        del requests[: HEAD.size + length]
        if kind == RUN:
            run(number, content)
        elif kind == FORGET:
            forget(number)


def flush():
    global urgent
    try:
        del waiting[: os.write(1, waiting)]
    except BlockingIOError:
        return
    urgent = urgent and bool(waiting)


def serve(ready):
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    os.set_blocking(1, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    waiting.extend(ready)
    flush()
    requests = bytearray()
    while True:
        from_commands = list(readers) if len(waiting) < FULL else []
        to_connection = [1] if urgent else []
        patience = PATIENCE_SECONDS if waiting and not urgent else None
        can_read, can_write, _ = select.select([0, woken] + from_commands, list(writers) + to_connection, [], patience)
        for descriptor in can_write:
            if descriptor in writers:
                feed(descriptor)
        for descriptor in can_read:
            if descriptor in readers:
                take(descriptor)
        if woken in can_read:
            os.read(woken, PIECE)
            reap()
        if 0 in can_read:
            content = os.read(0, PIECE)
            if not content:
                return
            requests += content
            obey(requests)
        if waiting and (urgent or not (can_read or can_write)):
            flush()


# Before 3.8 Python has no posix_spawn with setsid.
if sys.version_info < (3, 8):
    sys.exit(1)
# A command whose process is hidden could not be ended.
with open("/proc/1/stat", "rb"):
    pass
try:
    serve(b"\nclusterwright-commands ready %s\n" % sys.argv[3].encode())
except BrokenPipeError:
    pass
os._exit(0)
