#!/usr/bin/env python3
"""back.py SIM NM ELF FUNCTION MOVES SEED OPTION...: a run under gdb that goes backwards and
forwards at random stops where it did when it first came there, with the same registers and memory,
and its results are those of one without gdb."""

import random
import re
import sys

import rsp

sim, nm, elf, function, moves, seed = sys.argv[1:7]
options = sys.argv[7:]
draw = random.Random(int(seed))
symbols = rsp.symbols(nm, elf)
expected = rsp.plain(sim, options)
run = rsp.Run(sim, options)
client = run.client
client.begin()
numbers = dict(re.findall(r'name="(hart_\w+)"[^>]*regnum="(\d+)"',
                          client.transfer("features", "target.xml")))


def state(stop):
    """Why the run stops, where, and what its hart sees."""
    assert stop[0] == "T", stop
    hart = rsp.hart_of(stop)
    client.look_at(hart)
    cycle, count = (client.register(int(numbers[n])) for n in ("hart_cycle", "hart_instret"))
    return (re.sub("replaylog:begin;", "", stop), hart, cycle, count, client.ask("g"),
            client.ask("m%x,40" % client.register(2)))


def same(got, wanted, what):
    if got != wanted:
        sys.exit("%s: %s\nexpected %s" % (what, got, wanted))


# ---- forwards: all stops at the function, or, FUNCTION+, where harts often are in it
first = state("T05thread:1;core:0;")
place = symbols[function.rstrip("+")]
if function[-1] == "+":
    assert client.ask("Z0,%x,2" % place) == "OK"
    hart = rsp.hart_of(client.ask("vCont;c"))
    assert client.ask("z0,%x,2" % place) == "OK"
    places = []
    for _ in range(40):
        client.step(hart)
        client.look_at(hart)
        places.append(client.register(32))
    place = max(places, key=places.count)
assert client.ask("Z0,%x,2" % place) == "OK"
stops = []
while len(stops) < 30:
    stops.append(state(client.ask("vCont;c")))
at = len(stops) - 1


def steps():
    """Some of the hart that stopped, and back."""
    seen = [stops[at]]
    for _ in range(draw.randrange(1, 6)):
        seen.append(state(client.step(seen[0][1])))
    assert client.ask("Hc%x" % (seen[0][1] + 1)) == "OK"
    for wanted in seen[-2::-1]:
        same(state(client.ask("bs"))[1:], wanted[1:], "bs")
    assert client.ask("Hc0") == "OK"


# ---- at random
for move in range(int(moves)):
    choice = draw.random()
    if choice < 0.4 and at > 0:
        at -= 1
        same(state(client.ask("bc")), stops[at], "bc to stop %d" % at)
    elif choice < 0.7 and at < len(stops) - 1:
        at += 1
        same(state(client.ask("vCont;c")), stops[at], "c to stop %d" % at)
    else:
        steps()

# ---- to the begin, and to the end
while at > 0:
    at -= 1
    same(state(client.ask("bc")), stops[at], "bc to stop %d" % at)
assert client.ask("z0,%x,2" % place) == "OK"
stop = client.ask("bc")
assert "replaylog:begin;" in stop, stop
same(state("T05thread:1;core:0;"), first, "the begin")
assert "replaylog:begin;" in client.ask("bc")
assert client.ask("M%x,1:00" % place)[0] == "E"
assert client.ask("D") == "OK"
status = run.end()
if status != expected:
    sys.exit("status and hash %s, without gdb %s\n%s" % (status, expected, run.err))
print("%s moves, hash %s" % (moves, status[1]))
