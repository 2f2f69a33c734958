#!/bin/bash
# A kernel under gdb: break in the kernel, step until the function behind
# trav.traceray is entered, print the ray, step into the traversal, finish both,
# print the hit. It is the program's first ray.
# ci: area samples
# ci: needs bin/corbel-scene
# ci: makes samples/native/primary
. ci/tests/head

tools gdb

# A debugging build as docs/guides/writing-a-kernel.md advises it.
make --no-print-directory B="$B/debug" OPT=-Og "$B/debug/samples/native/primary" >/dev/null
"$B/bin/corbel-scene" generate cornell "$dir/cornell.scene" >"$dir/log" 2>&1

cat >"$dir/session.gdb" <<'GDB'
set pagination off
set confirm off
set debuginfod enabled off
set environment CORBEL_THREADS 1
break kernel
run
echo -- in the kernel\n
python
for steps in range(200):
    gdb.execute("step", to_string=True)
    if gdb.selected_frame().name() == "corbel_traceray":
        break
print("-- stepped into", gdb.selected_frame().name())
end
backtrace 3
print *ray
set $hit = hit
python
for steps in range(40): # through what asks for the scene and the hart
    gdb.execute("step", to_string=True)
    if gdb.selected_frame().name() == "corbel_traverse_by":
        break
print("-- then into", gdb.selected_frame().name())
while gdb.selected_frame().name() != "corbel_traceray":
    gdb.execute("finish", to_string=True)
end
finish
print *$hit
kill
GDB
gdb -nx -batch -x "$dir/session.gdb" --args "$B/debug/samples/native/primary" \
    "$dir/cornell.scene" --size 1 --out "$dir/image.png" \
    >"$dir/out" 2>&1 || { cat "$dir/out"; exit 1; }

expect() {
    grep -qE -- "$1" "$dir/out" && return
    echo "expected in the session: $1"
    cat "$dir/out"
    exit 1
}
expect '^-- then into corbel_traverse_by$'
number='-?[0-9.e+-]+'
expect '^Breakpoint 1(\.1)?, kernel '
expect '^-- stepped into corbel_traceray$'
expect '^#0 +corbel_traceray \(ray=(ray@entry=)?0x'
expect "^\\\$[0-9]+ = \{o = \{$number, $number, $number\}, tmin = 0, d = \{$number, $number, $number\}, tmax = (inf|$number)\}"
expect "^\\\$[0-9]+ = \{t = $number, b1 = $number, b2 = $number, index = [0-9]{1,3}\}"
echo "stepped into corbel_traceray and the traversal; ray and hit printed"
