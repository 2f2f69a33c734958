#!/usr/bin/env python3
"""clients.py SIM NM HELLO WAITS: what clients do that gdb does not, or rarely: they go away, come
twice, send ctrl-C at any time, and packets that are none."""

import os
import signal
import sys
import time

import rsp

sim, nm, hello, waits = sys.argv[1:]
options = ["-a", "tiny", hello]
expected = rsp.plain(sim, options)


def begun(more=options):
    run = rsp.Run(sim, more)
    assert run.client.begin().startswith("T05thread:1;")
    return run, run.client


def same(run, what):
    got = run.end()
    if got != expected:
        sys.exit("%s: status and hash %s, expected %s" % (what, got, expected))


# ---- one client; it goes away before the run, and in it
run, client = begun()
try:
    rsp.Client(client.socket.getpeername()[1])
    sys.exit("a second client is served")
except ConnectionRefusedError:
    pass
client.socket.close()
same(run, "client closed")
run, client = begun()
client.ask("Z0,%x,4" % rsp.symbols(nm, hello)["add_numbers"])
client.ask("vCont;c")
client.send("vCont;s:1;c")
client.socket.close()
same(run, "client closed while the run goes on")
run, client = begun()
assert client.ask("D") == "OK"
same(run, "detach")
run, client = begun()
assert client.ask("vCont;c") == "W00"
same(run, "to the end")

# ---- kill
for packet in "k", "vKill;1":
    run, client = begun()
    client.step(0)
    client.send(packet)
    assert run.end()[0] == 137, run.end()

# ---- packets that are none, and that cannot be done
run, client = begun()
client.raw(b"noise$m1000,4#00$QNonStop:1#")
assert client.ask("QNonStop:1") == ""
for wrong in ("m", "m1000", "mx,4", "m0,4", "M10000,4:00", "Xzz", "p", "pffff", "P5", "P5=1", "Hx1",
              "Hgffff", "Z9,0,0", "Z0,1,2", "Z2,0,0", "Z0,10000,4;X5,22", "vCont;x", "vCont;s:fffff",
              "cff", "T99", "qXfer:features:read:target.xml:0", "qRcmd,0"):
    assert client.ask(wrong)[:1] == "E", wrong
assert "expected" in client.monitor("nothing")
assert client.ask("vMustReplyEmpty") == ""
assert client.register(32) == int(client.ask("p20")[6:8] + client.ask("p20")[4:6] +
                                  client.ask("p20")[2:4] + client.ask("p20")[:2], 16)
client.ask("D")
same(run, "after packets that are none")

# ---- ctrl-C
for word in "loop", "wfi":
    for way in [], ["--functional"]:
        run, client = begun(["-a", "tiny", *way, waits, word])
        client.send("vCont;c")
        time.sleep(0.3)
        client.interrupt()
        stop = client.reply()
        assert stop.startswith("T02"), (word, way, stop)
        assert "hart" in client.monitor("where")
        client.send("k")
        run.end()

# ---- a fault is looked at before the run ends by it
for way in [], ["--functional"]:
    run, client = begun(["-a", "tiny", *way, waits, "fault"])
    assert client.ask("vCont;c").startswith("T0bthread:1;")
    assert "fault: hart 0" in client.console
    assert client.register(32)
    assert client.ask("vCont;c") == "Wca"
    assert run.end()[0] == 202
# ---- in what is past: gdb is killed, kills the run, and sends ctrl-C
def in_the_past():
    run, client = begun()
    client.monitor("stop cycle 9000")
    assert client.ask("vCont;c").startswith("T05")
    assert client.ask("bs")[:3] == "T05"
    return run, client


run, client = in_the_past()
client.socket.close()
same(run, "a client that goes away in the past")
run, client = in_the_past()
client.send("k")
assert run.end()[0] == 137
run, client = in_the_past()  # and the copy that serves it is lost
children = lambda pid: list(map(int, open("/proc/%d/task/%d/children" % (pid, pid)).read().split()))
for copy in children(run.process.pid):
    for worker in children(copy):
        os.kill(worker, signal.SIGKILL)
assert client.reply()[:3] == "T05" and "is lost" in client.console
assert client.ask("D") == "OK"
same(run, "a copy that is lost")
run, client = in_the_past()
client.send("bc")
client.interrupt()
assert client.reply()[:3] in ("T02", "T05")
assert client.ask("D") == "OK"
same(run, "ctrl-C in the past")

print("clients are served and leave")
