# Takes a file for this node and passes it on to others. Standard input brings a line of JSON with the task, then one with the nodes to pass the
# file on to, and on the first node the file itself; elsewhere it comes from another node over TLS, for which all nodes of one copy share a
# certificate that is made for it. Says "port N", on the first node "at BYTES" now and then, and in the end "done" or "failed WHY". A file that
# is not complete is removed. The end of standard input ends it. For Python 3.8 and newer.
import json
import os
import signal
import socket
import ssl
import sys
import threading

PIECE = 1 << 20
# The longest time that a neighbour may stand still, and that it may take to connect.
PATIENCE_SECONDS = 30
CONNECT_SECONDS = 5
ACCEPT_SECONDS = 10
temporary = None


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def remove():
    try:
        if temporary:
            os.unlink(temporary)
    except OSError:
        pass


def give_up(*_):
    remove()
    os._exit(1)


def watch():
    # The library keeps standard input open as long as it waits.
    sys.stdin.buffer.read(1)
    give_up()


def context(kind, identity):
    made = ssl.SSLContext(kind)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.check_hostname = False
    made.verify_mode = ssl.CERT_REQUIRED
    if kind == ssl.PROTOCOL_TLS_SERVER:
        made.num_tickets = 0
    made.load_verify_locations(cadata=identity["certificate"])
    # The key is in memory only, where its reader wants a file.
    held = os.memfd_create("clusterwright")
    try:
        os.write(held, (identity["key"] + identity["certificate"]).encode())
        made.load_cert_chain("/proc/self/fd/%d" % held)
    finally:
        os.close(held)
    return made


def accept(listener, identity):
    server = context(ssl.PROTOCOL_TLS_SERVER, identity)
    while True:
        connection, _ = listener.accept()
        connection.settimeout(ACCEPT_SECONDS)
        try:
            source = server.wrap_socket(connection, server_side=True)
            source.settimeout(PATIENCE_SECONDS)
            return source
        except (ssl.SSLError, OSError):
            connection.close()


def connect(places, identity):
    client = context(ssl.PROTOCOL_TLS_CLIENT, identity)
    connections = []
    for address, port in places:
        try:
            connection = socket.create_connection((address, port), CONNECT_SECONDS)
            connection.settimeout(PATIENCE_SECONDS)
            connections.append(client.wrap_socket(connection))
        except OSError:
            # That node waits in vain, and says so.
            continue
    return connections


def pass_on(connections, piece):
    for connection in list(connections):
        try:
            connection.sendall(piece)
        except OSError:
            # What is behind it misses the rest, and says so.
            connections.remove(connection)
            connection.close()


def end(connection):
    # The other side closes when it has all: to close before that may take back what is on its way.
    try:
        connection.unwrap()
    except OSError:
        pass
    connection.close()


def copy(read, size, out, connections, report):
    buffer = bytearray(PIECE)
    view = memoryview(buffer)
    left = size
    while left:
        filled = 0
        wanted = min(PIECE, left)
        while filled < wanted:
            count = read(view[filled:wanted])
            if not count:
                raise OSError("the file ended %d bytes early" % (left - filled))
            filled += count
        pass_on(connections, view[:wanted])
        written = 0
        while written < wanted:
            written += os.write(out, view[written:wanted])
        left -= wanted
        if report:
            say("at %d" % (size - left))


def main():
    global temporary
    task = json.loads(sys.stdin.buffer.readline())
    path = task["path"]
    if os.path.isdir(path):
        path = os.path.join(path, task["name"])
    temporary = path + ".clusterwright-" + task["nonce"]
    out = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.fchmod(out, task["mode"])
    with socket.create_server((task["address"], 0), backlog=4) as listener:
        listener.settimeout(ACCEPT_SECONDS)
        say("port %d" % listener.getsockname()[1])
        part = json.loads(sys.stdin.buffer.readline())
        connections = connect(part["children"], task)
        if part["first"]:
            copy(sys.stdin.buffer.readinto1, task["size"], out, connections, True)
        else:
            threading.Thread(target=watch, daemon=True).start()
            with accept(listener, task) as source:
                copy(source.recv_into, task["size"], out, connections, False)
    os.close(out)
    os.replace(temporary, path)
    temporary = None
    say("done")
    for connection in connections:
        end(connection)


for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, give_up)
try:
    main()
except Exception as failure:
    remove()
    say("failed %s" % " ".join(str(failure).split()))
    os._exit(1)
os._exit(0)
