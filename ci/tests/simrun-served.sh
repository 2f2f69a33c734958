#!/bin/bash
# An instruction that no unit of the chip serves is a fault whose line is true, on every
# chip: what it says is missing is, and RT cores that take their rays from elsewhere are
# not said to be missing.
# ci: area host isa rtcore
# ci: needs toolchain bin/sim-run
. ci/tests/head

declare -A text=([fchthrd]='trav.fchthrd a0' [traceray]='trav.traceray f0,f8,0'
    [lwi]='trav.lwi f0,0(x0)' [lhit]='trav.lhit f0,(a0)' [lwr]='trav.lwr f0' [swr]='trav.swr f0')
for name in "${!text[@]}"; do
    printf '.globl main\nmain:\n li a0,0\n %s\n li a0,0\n ret\n' "${text[$name]}" >"$dir/$name.S"
    "$B/bin/corbel-gcc" "$dir/$name.S" -o "$dir/$name"
done

# has UNIT: the chip of $dir/units has units of the kind
has() {
    grep -qE " x $1 \(" "$dir/units"
}
# expected NAME: what the line must say; nothing: there is a unit
expected() {
    case $1 in
    lwi | lhit | lwr | swr)
        if has simt; then
            echo 'SMs (cores of kind simt) have no ray'
            return
        fi
        ;;&
    fchthrd) has workcounter || echo 'the chip has no thread scheduler' ;;
    traceray)
        if ! has rtcore; then
            echo 'the chip has no RT core'
        elif has stager; then
            echo "the chip's RT cores take rays from streams only (docs/reference/streams.md)"
        elif has raygate; then
            echo "the chip's RT cores take rays from the ray store only (docs/reference/streams.md)"
        fi
        ;;
    lwi | lhit) has stager || echo 'the chip has no ray streams' ;;
    lwr)
        if ! has raygate; then
            echo 'the chip has no ray store'
        elif has rtcore; then
            echo "the chip's ray store does not serve it, RT cores take the rays"
        fi
        ;;
    swr) has raygate || echo 'the chip has no ray store' ;;
    esac
}
count=0
for chip in $("$sim" --list-archs | awk '$1 !~ /^rtp-/ { print $1 }'); do
    "$sim" -a "$chip" --describe >"$dir/units" 2>/dev/null || fail "--describe -a $chip"
    for name in "${!text[@]}"; do
        want=$(expected "$name")
        status=0
        timeout 60 "$sim" -a "$chip" --functional --quiet "$dir/$name" >"$dir/out" 2>&1 || status=$?
        if [ -n "$want" ]; then
            [ $status = 202 ] && grep -qF ": $want" "$dir/out" ||
                fail "$chip, $name: status $status, '$(head -n 1 "$dir/out")', expected '$want'"
            count=$((count + 1))
        elif grep -q 'the chip has no' "$dir/out"; then
            fail "$chip, $name: '$(head -n 1 "$dir/out")', but it has"
        fi
    done
done
[ "$count" -ge 60 ] || fail "only $count refusals"
echo "simrun-served: ok, $count lines"
