#!/bin/bash
# The status line: on a terminal it says the phase, and how much work is finished, which is
# not how much was handed out; a pipe gets none of it. The summary says which figures are
# of the regions of interest.
# ci: area host
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/primary sample-path sample-hello
. ci/tests/head

S=$B/samples/rv64

"$B/bin/corbel-scene" generate cornell "$dir/c.scene" >/dev/null

cat >"$dir/terminal.py" <<'END'
"""terminal.py COMMAND...: its states of the status line, one a line, then what stays."""
import os
import pty
import sys

pid, terminal = pty.fork()
if not pid:
    os.execv(sys.argv[1], sys.argv[1:])
text = b""
try:
    while more := os.read(terminal, 4096):
        text += more
except OSError:
    pass
if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
    sys.exit(f"status not 0: {text}")
print(text.decode().replace("\r\n", "\n").replace("\r\x1b[K", "\n"))
END
frame=(-o "$dir/run" -a rtx2080 -s chip.tms=2 "$S/path" "$dir/c.scene" --out "$dir/i.ppm")
# 2048 harts and 1024 pixels: all are handed out when the first is begun
timeout 100 python3 "$dir/terminal.py" "$sim" "${frame[@]}" --size 32 --spp 16 >"$dir/small"
# twice as many pixels as harts
timeout 100 python3 "$dir/terminal.py" "$sim" "${frame[@]}" --size 64 --spp 6 >"$dir/large"
python3 - "$dir/small" "$dir/large" <<'END' || fail "$(head -n 20 "$dir/small" "$dir/large")"
import re
import sys

for path, phases in zip(sys.argv[1:], (["region 1, drain"], ["region 1", "region 1, drain"])):
    lines = open(path).read().split("\n")
    shown = [line for line in lines if re.match(r"(region \d|[a-z, ]+)(, drain)?(: cycle |$)", line)]
    seen = [line.split(":")[0] for line in shown if line]
    assert seen[0] == "load" and seen[-1] == "writing", seen
    for phase in phases:
        assert phase in seen, (phase, seen)
    work = [float(m[1]) for line in shown for m in [re.search(r"work ([\d.]+) %", line)] if m]
    within = [float(m[1]) for line in shown if line.startswith("region")
              for m in [re.search(r"work ([\d.]+) %", line)] if m]
    assert within == sorted(within) and within[0] < 50 and within[-1] < 100, within
    assert any(" left" in line and re.search(r", \d+/s", line) for line in shown), shown
    assert [line for line in lines if line][-1].startswith("results hash: "), lines[-3:]
END

# a pipe
"$sim" "${frame[@]}" --size 32 2>"$dir/err" >/dev/null
! grep -q -e $'\r' -e $'\033' -e writing "$dir/err" || fail "a pipe gets the status line"
grep -qx 'figures       lines with region: within 1 region of interest; others: of the whole run' \
    "$dir/err" || fail "the summary does not say which figures are of the region"
grep -qE '^region        [0-9]+ cycles \([0-9.]+ ms, [0-9.]+ % of the run\), ' "$dir/err" ||
    fail "the region's cycles: $(grep '^region  ' "$dir/err")"
"$sim" -a tiny "$S/hello" 2>"$dir/err" >/dev/null
! grep -q '^figures' "$dir/err" || fail "figures of a region that there is not"
echo "status: phases and finished work on a terminal, nothing in a pipe"
