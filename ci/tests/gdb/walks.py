#!/usr/bin/env python3
"""walks.py SIM NM ELF STOPS SEED OPTION...: a run under gdb that is stopped at random, by
breakpoints, watchpoints, steps of any hart and ctrl-C, and looked at, has the results of one that
is not."""

import random
import sys

import rsp

sim, nm, elf, stops, seed = sys.argv[1:6]
options = sys.argv[6:]
draw = random.Random(int(seed))
functions = sorted(rsp.symbols(nm, elf).values())
expected = rsp.plain(sim, options)
run = rsp.Run(sim, options)
client = run.client
client.begin()
description = client.transfer("features", "target.xml")
assert "<osabi>none</osabi>" in description
breaks, watches = set(), set()
stop, left = "T05thread:1;", int(stops)


def look(hart):
    """Registers and memory of the hart, and of another."""
    for h in (hart, draw.randrange(8)):
        client.look_at(h)
        registers = client.ask("g")
        assert registers and registers[0] != "E", registers
        client.register(65 + 0x300)
        sp = client.register(2)
        client.ask("m%x,40" % sp)


def running():
    """Of some harts those that run; a step of another may take for ever."""
    info = ((h, client.ask("qThreadExtraInfo,%x" % (h + 1))) for h in draw.sample(range(8), 3))
    return [h for h, text in info if b"running" in bytes.fromhex(text)]


def go_on():
    choice = draw.random()
    hart = draw.choice([rsp.hart_of(stop)] * 3 + running())
    if choice < 0.75:
        return client.step(hart)
    if choice < 0.85:
        pc = client.register(32)
        return client.ask("vCont;r%x,%x:%x;c" % (pc, pc + 16, hart + 1))
    if choice < 0.95 or not breaks:
        client.send("vCont;s:%x;c" % (hart + 1))
        client.interrupt()
        return client.reply()
    return client.ask("vCont;c")


while left and stop[0] == "T":
    left -= 1
    look(rsp.hart_of(stop))
    if draw.random() < 0.3:
        pc = draw.choice(functions)
        if client.ask("Z%d,%x,2" % (draw.randrange(2), pc)) == "OK":
            breaks.add(pc)
    if breaks and draw.random() < 0.3:
        pc = draw.choice(sorted(breaks))
        breaks.discard(pc)
        client.ask("z0,%x,2" % pc), client.ask("z1,%x,2" % pc)
    if draw.random() < 0.1:
        watch = (draw.randrange(2, 5), max(0, client.register(2) - draw.randrange(64)))
        assert client.ask("Z%d,%x,8" % watch) == "OK"
        watches.add(watch)
    elif watches and draw.random() < 0.5:
        watch = sorted(watches)[0]
        watches.discard(watch)
        assert client.ask("z%d,%x,8" % watch) == "OK"
    stop = go_on()
if stop[0] == "T":
    assert client.ask("D") == "OK"
status = run.end()
if status != expected:
    sys.exit("status and hash %s, without gdb %s\n%s" % (status, expected, run.err))
print("%d stops, hash %s" % (int(stops) - left, status[1]))
