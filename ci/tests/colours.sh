#!/bin/bash
# Errors and notes of all tools are coloured on a terminal, and nowhere else: not in pipes, not
# with NO_COLOR, not if TERM is dumb.
# ci: area tools
# ci: quick
# ci: needs sim
. ci/tests/head

python3 - "$bin" <<'PY'
import os
import pty
import subprocess
import sys

RED, CYAN, OFF = "\033[1;31m", "\033[1;36m", "\033[0m"
TOOLS = ["sim-run", "sim-report", "sim-diff", "corbel-scene", "corbel-rays", "dram-run",
         "page-run", "rtp-run"]

def told(command, terminal, **more):
    """What the command says on stderr, which is a terminal or a pipe."""
    env = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
    env.update({"TERM": "xterm", **more})
    to, at = pty.openpty() if terminal else os.pipe()[::-1]
    if not terminal:
        to, at = at, to
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=at, env=env)
    os.close(at)
    text = b""
    try:
        while piece := os.read(to, 4096):
            text += piece
    except OSError:  # a terminal whose other side is closed
        pass
    os.close(to)
    assert child.wait() != 0, command
    return text.decode().replace("\r\n", "\n")

for tool in TOOLS:
    command = [f"{sys.argv[1]}/{tool}", "--no-such-option"]
    plain = told(command, False)
    assert plain.startswith(f"{tool}: ") and plain.count("\n") == 1 and "\033" not in plain, plain
    coloured = told(command, True)
    assert coloured == plain.replace(f"{tool}:", f"{RED}{tool}:{OFF}", 1), (coloured, plain)
    for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert told(command, True, **more) == plain, (tool, more)
    assert told(command, True, NO_COLOR="") == coloured
PY
echo "errors are coloured on terminals alone"
