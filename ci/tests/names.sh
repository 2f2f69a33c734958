#!/bin/bash
# Names of any bytes, of files, functions, arguments, settings and in scripts, reach no
# output as they are: what tools print is lines of UTF-8 without control characters and
# as many as with plain names, JSON is JSON, tables have their columns, a page has no
# element more, callgrind.out only lines of its grammar.
# ci: area tools
# ci: needs sim samples bin/corbel-scene bin/corbel-rays toolchain
. ci/tests/head

samples=$root/$B/samples
cd "$dir"

# clean FILE...: lines of UTF-8 without control characters but tabs
cat >clean.py <<'PY'
import sys
for path in sys.argv[1:]:
    text = open(path, "rb").read().decode("utf-8")
    bad = [c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0]
    assert not bad, f"{path}: {bad[0]!r} in {text[max(0, text.index(bad[0]) - 60):][:120]!r}"
    assert not any(line.startswith("INJECTED") for line in text.split("\n")), path
PY
ran=0
# try STATUS LINES COMMAND...: status, lines of stdout and stderr together ("": any)
try() {
    local status=0
    "${@:3}" >stdout 2>stderr || status=$?
    # shellcheck disable=SC2053 # a pattern
    [[ $status == $1 ]] || fail "${*:3}: status $status, $(cat -v stderr)"
    python3 clean.py stdout stderr || fail "${*:3}"
    [ -z "$2" ] || [ "$(cat stdout stderr | wc -l)" -eq "$2" ] ||
        fail "${*:3}: $(cat -v stdout stderr), expected $2 lines"
    ran=$((ran + 1))
}

names=($'new\nINJECTED line' $'esc\e[31mred\r' $'caf\xe9 \xff\xc2\x9b' $'q"\'<b>&\\,;=(1) </script>')
cat >plain.c <<'C'
#include <corbel/corbel.h>
__attribute__((noinline)) void nasty(volatile int *n)
{
    for (int i = 0; i < 300; i++) /* tab	here */
        *n += i;
}
int main(int argc, char **argv)
{
    volatile int n = 0;
    nasty(&n);
    return argc > 1 && argv[1][0] == 'R' ? corbel_scene_open(argv[1]) != 0 : 0;
}
C
"$bin/corbel-scene" generate cornell plain.scene --obj plain.obj >/dev/null
"$bin/corbel-rays" plain.scene plain.rays --kind primary --size 4 >/dev/null
"$bin/corbel-scene" trace plain.scene plain.rays --hits plain.hits >/dev/null
"$bin/corbel-scene" trace plain.scene --size 4 --hits short.hits >/dev/null
head -c 112 short.hits >other.hits && head -c 16 /dev/zero >>other.hits
printf 'v 0 0 0\nfrob\n' >bad.obj
long=$(printf '%4000s' '' | tr ' ' x)

for name in "${names[@]}"; do
    n=${name//\//_}
    # scenes and rays
    cp plain.obj "$n.obj"
    try 0 1 "$bin/corbel-scene" convert "$n.obj" "$n.scene"
    try 0 1 "$bin/corbel-scene" check "$n.scene"
    try 0 "" "$bin/corbel-scene" info "$n.scene"
    try 0 "" "$bin/corbel-scene" info "$n.obj"
    try 0 1 "$bin/corbel-scene" info "$n.obj" --json
    try 0 1 "$bin/corbel-scene" export-rtp "$n.obj" "$n.tri"
    try 0 1 "$bin/corbel-rays" "$n.scene" "$n.rays" --kind primary --size 4
    try 0 "" "$bin/corbel-rays" info "$n.rays"
    try 0 "" "$bin/corbel-scene" trace "$n.scene" "$n.rays" --hits "$n.hits"
    cp short.hits "$n.short"
    try 1 7 "$bin/corbel-scene" compare "$n.short" other.hits
    cp bad.obj "$n.obj"
    try 3 1 "$bin/corbel-scene" convert "$n.obj" out.scene
    try 3 1 "$bin/corbel-scene" convert "none $n" out.scene
    try 2 1 "$bin/corbel-scene" "$n"
    try 2 1 "$bin/corbel-scene" convert "--$n" a b
    try 2 1 "$bin/corbel-rays" a b --kind "$n$long"
    # programs: file, function, source file, arguments, settings, environment
    cp plain.c "$n.c"
    "$bin/corbel-gcc" -g -O1 -c "$n.c" -o a.o
    "$bin/corbel-objcopy" --redefine-sym nasty="$n" a.o b.o
    "$bin/corbel-gcc" b.o -o "$n.elf"
    try 0 "" "$bin/sim-run" -a tiny -o run --profile --stalls --link-stats --interval 5000 \
        --trace harts --trace pipeline --trace requests --env "A=$n" "$n.elf" "x$n" "$long"
    python3 - run "$n" "$n.elf" <<'PY' || fail "$(printf %q "$name"): files of the run"
import csv, glob, json, re, sys
run, name = sys.argv[1], sys.argv[2]
sys.argv = ["clean.py", *glob.glob(f"{run}/*.json"), f"{run}/log.txt", f"{run}/profile.txt",
            f"{run}/callgrind.out", *glob.glob(f"{run}/*.csv"), *glob.glob(f"{run}/*.kanata*"),
            *glob.glob(f"{run}/stats.txt")]
exec(open("clean.py").read())
manifest = json.load(open(f"{run}/manifest.json", encoding="utf-8"))
plain = name.encode("utf-8", "surrogateescape").isascii()
assert not plain or manifest["command_line"][-2] == "x" + name, manifest["command_line"]
json.load(open(f"{run}/profile.json", encoding="utf-8"))
for path in glob.glob(f"{run}/*.csv"):
    rows = list(csv.reader(open(path, encoding="utf-8")))
    assert all(len(row) == len(rows[0]) for row in rows), path
line = re.compile(r"(# |version: |creator: |cmd: |positions: |event: |events: |summary: |"
                  r"(fl|fn|fi|cfi|cfn)=(?!\(\d)[^\n]+$|calls=\d+ 0x|0x[0-9a-f]+ \d+ |$)")
for text in open(f"{run}/callgrind.out", encoding="utf-8"):
    assert line.match(text.rstrip("\n")), text
PY
    try 201 1 "$bin/sim-run" -a tiny "$n.elf.none" "$n"
    "$bin/sim-report" run -o page.html
    python3 - page.html "$name" <<'PY' || fail "$(printf %q "$name"): the page"
import html.parser, sys
class Count(html.parser.HTMLParser):
    scripts = bold = 0
    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        self.bold += tag == "b"
text = open(sys.argv[1], "rb").read().decode("utf-8")
count = Count()
count.feed(text)
assert "\x1b[31m" not in text
open("elements", "a").write(f"{count.scripts} {count.bold}\n")
PY
    mkdir -p "$n.run" && cp -r run/* "$n.run"
    try 0 "" "$bin/sim-diff" "$n.run" "$n.run"
    try 2 1 "$bin/sim-diff" "none $n" run
    try 2 1 "$bin/sim-report" "none $n" -o other.html
    for option in -s -a --fs --isa --trace --memory --program --stats-range; do
        try "20[01]" 1 "$bin/sim-run" $option "$n$long" "$n.elf"
    done
    # a script of a chip: its name, what it prints and says of an option, its error
    printf 'option{name="o", default=1, doc=[[%s]]}\ninclude("tiny")\nprint([[%s]], 1)\n' \
        "$name" "$name" >"$n.lua"
    try 0 "" "$bin/sim-run" --quiet -a "$n.lua" "$n.elf"
    [ "$(wc -l <stderr)" -eq 2 ] || fail "print: $(cat -v stderr)"
    try 0 "" "$bin/sim-run" -a "$n.lua" --describe
    printf 'error([[%s]])\n' "$name" >"$n.lua"
    try 201 1 "$bin/sim-run" -a "$n.lua" "$n.elf"
    # replays
    printf 'offer,rw,addr\n0,R,0x40\n' >"$n.req.csv"
    try 0 "" "$bin/dram-run" ddr4-2400 "$n.req.csv"
    try 0 "" "$bin/dram-run" --summary ddr4-2400 "$n.req.csv"
    try 3 1 "$bin/dram-run" ddr4-2400 "none $n"
    try 2 1 "$bin/page-run" "none $n"
    printf 'no object\n' >"$n.jsonl"
    try 3 1 "$bin/rtp-run" "$n.jsonl"
    # programs of the samples, natively and on the target
    try 1 1 "$samples/native/primary" "none $n"
    try 2 1 "$samples/native/primary" plain.scene --size "$n$long"
    try 1 2 "$bin/sim-run" --quiet -a tiny "$samples/rv64/primary" "none $n"
done
[ "$(sort -u elements | wc -l)" -eq 1 ] || fail "the page has other elements: $(cat elements)"
echo "names: $ran commands"
