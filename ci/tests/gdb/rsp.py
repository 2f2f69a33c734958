"""A client of gdb's remote serial protocol, and a run of sim-run that waits for it."""

import re
import socket
import subprocess
import time


def framed(data):
    out = bytearray()
    for byte in data:
        if byte in b"$#}*":
            out += b"}" + bytes([byte ^ 0x20])
        else:
            out.append(byte)
    return b"$" + bytes(out) + b"#%02x" % (sum(out) & 255)


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.console = ""

    def raw(self, data):
        self.socket.sendall(data)

    def byte(self):
        while not self.buffer:
            self.buffer = self.socket.recv(65536)
            if not self.buffer:
                raise EOFError("sim-run has closed the connection")
        first, self.buffer = self.buffer[:1], self.buffer[1:]
        return first

    def packet(self):
        """The next packet, without what it is framed by."""
        while self.byte() != b"$":
            pass
        data = b""
        while (c := self.byte()) != b"#":
            data += bytes([self.byte()[0] ^ 0x20]) if c == b"}" else c
        self.byte(), self.byte()
        return data.decode("latin1")

    def send(self, text):
        data = text.encode("latin1") if isinstance(text, str) else text
        self.raw(framed(data))

    def reply(self):
        """The next that is no text for the console."""
        while (p := self.packet()).startswith("O") and p != "OK":
            self.console += bytes.fromhex(p[1:]).decode()
        return p

    def ask(self, text):
        self.send(text)
        return self.reply()

    def monitor(self, line):
        self.console = ""
        assert self.ask("qRcmd," + line.encode().hex()) == "OK"
        return self.console

    def interrupt(self):
        self.raw(b"\x03")

    # ---- what packets mean
    def begin(self):
        self.ask("qSupported:swbreak+;hwbreak+")
        assert self.ask("QStartNoAckMode") == "OK"
        return self.ask("?")

    def transfer(self, kind, name=""):
        text = ""
        while True:
            part = self.ask("qXfer:%s:read:%s:%x,800" % (kind, name, len(text)))
            text += part[1:]
            if part[0] != "m":
                return text

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask("p%x" % number)), "little")

    def look_at(self, hart):
        assert self.ask("Hg%x" % (hart + 1)) == "OK"

    def memory(self, address, count):
        return bytes.fromhex(self.ask("m%x,%x" % (address, count)))

    def step(self, hart):
        return self.ask("vCont;s:%x;c" % (hart + 1))


def hart_of(stop):
    return int(re.search(r"thread:([0-9a-f]+);", stop).group(1), 16) - 1


class Run:
    """sim-run with --gdb on a port of its choice; options: those and the program."""

    def __init__(self, sim, options, **keywords):
        self.process = subprocess.Popen([sim, "--gdb", "0", *options], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        **keywords)
        line = self.process.stderr.readline()
        match = re.fullmatch(r"sim-run: waiting for gdb: target remote 127\.0\.0\.1:(\d+)\n", line)
        if not match:
            raise SystemExit("sim-run says: " + line + self.process.stderr.read())
        self.client = Client(int(match.group(1)))

    def end(self):
        """Its status, and its hash."""
        self.out, self.err = self.process.communicate(timeout=300)
        match = re.search(r"results hash: (\w+)", self.err)
        return self.process.returncode, match and match.group(1)


def plain(sim, options, **keywords):
    """The same of a run without gdb."""
    p = subprocess.run([sim, *options], text=True, capture_output=True, **keywords)
    match = re.search(r"results hash: (\w+)", p.stderr)
    return p.returncode, match and match.group(1)


def symbols(nm, elf):
    """Functions of a program by their names."""
    out = subprocess.run([nm, elf], text=True, capture_output=True, check=True).stdout
    return {w[2]: int(w[0], 16) for w in map(str.split, out.splitlines())
            if len(w) == 3 and w[1] in "tT"}


def timed(what):
    begin = time.monotonic()
    result = what()
    return result, time.monotonic() - begin
