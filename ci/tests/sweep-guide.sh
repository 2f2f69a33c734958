#!/bin/bash
# The guide to sweeps, to the letter: its study is planned, run, collected, and its page has the
# figures that it names. Its notebook runs, and says what the guide says, where there is pandas.
# ci: area sweep guides
# ci: needs sweep bin/corbel-scene samples/rv64/primary
. ci/tests/head

guide=docs/guides/sweeps.md
ln -s "$PWD/build" "$dir"
ci/guide $guide "$dir"
cd "$dir"
sweep=$bin/corbel-sweep

# What is in the page: sections by their names, a picture for each figure, a row for each point.
"$sweep" collect study --page page.html --figures figures --cost rtcore.max_rays >log 2>err || status=$?
[ "${status:-0}" = 0 ] || { [ "$status" = 3 ] && ! command -v rsvg-convert >/dev/null; } || fail "status $status: figures"
for name in curve-l1.latency curve-rtcore.max_rays heat-l1.latency-rtcore.max_rays pareto tornado; do
    python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' figures/$name.svg || fail "$name.svg"
    ! command -v rsvg-convert >/dev/null || [ "$(head -c 4 figures/$name.pdf)" = %PDF ] || fail "$name.pdf"
done
python3 - page.html <<'END' || fail 'the data of the page'
import json, sys
text = open(sys.argv[1]).read()
data = json.loads(text.split('id="data">')[1].split("</script>")[0])
assert len(data["table"]) == 9 and len(data["compared"]) == 9, data["cards"]
assert [f["name"] for f in data["figures"]] == ["curve-l1.latency", "curve-rtcore.max_rays",
    "heat-l1.latency-rtcore.max_rays", "pareto", "tornado"]
base = [row for row in data["compared"] if row[3:6] == [33, 32, 46]]
assert len(base) == 1 and base[0][6:] == [1, 0, 3], base
END
if command -v chromium >/dev/null; then
    timeout 120 chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=2000 --dump-dom \
        "file://$PWD/page.html" >dom 2>browser || fail "chromium: status $?"
    grep -q 'data-drawn="5"' dom && ! grep -q 'data-errors' dom || fail 'the page is not drawn'
fi

# From a browser's point of view a name is text, whatever is in it.
sed 's/^name = .*/name = "<script>alert(1)<\/script>"/' study.toml >odd.toml
"$sweep" plan odd.toml study >log
"$sweep" collect study --page odd.html >log
! grep -q '<script>alert' odd.html || fail 'a name ends the data'
misused "corbel-sweep: --figure no.such: no run has it in its part region; collect --csv lists all" \
    "$sweep" collect study --page no.html --figure no.such

python=
for one in python3 /usr/bin/python3; do
    ! "$one" -c 'import pandas' 2>/dev/null || python=$one
done
[ "$python" ] || skip 'the rest has passed; no pandas (python3-pandas)'
PYTHONPATH=build/lib/corbel/python "$python" notebook.py >said || fail "status $?: notebook.py"
# The page has what it says, but for the model's own numbers.
python3 - "$root/$guide" said <<'END' || fail "notebook.py says $(cat said)"
import re, sys
page, said = ("\n".join(line.rstrip() for line in open(path)) for path in sys.argv[1:])
alike = lambda text: re.sub(r"\d+\.\d", "N", text)
assert alike(said).strip() in alike(page), said
END

echo 'sweep-guide: ok'
