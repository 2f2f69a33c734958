#!/bin/bash
# Groups: the same results natively for any number of threads and on any chip down
# to one hart, executed and timed, on all targets, in C and C++, whatever the
# host's threads, and from a checkpoint; what groups may not is told in a line.
# ci: area toolchain
# ci: needs bin/sim-run toolchain lib/libcorbel-native.a
. ci/tests/head

src=ci/tests/groups
targets=("rv64 rv64imafc lp64f" "rv32 rv32imafc ilp32f" "rv64d rv64imafdc lp64d")
for name in groups misuse launches; do
    gcc -g -O2 -Wall -Werror -Iruntime/include $src/$name.c "$B/lib/libcorbel-native.a" \
        -pthread -lm -o "$dir/$name"
done
for target in "${targets[@]}"; do
    read -r name march abi <<<"$target"
    for program in groups misuse calls shared launches; do
        "$B/bin/corbel-gcc" -g -O2 -Wall -Werror -march="$march" -mabi="$abi" \
            $src/$program.c -o "$dir/$program.$name"
    done
done

run() { "$sim" --quiet "$@"; }
simt="-a tiny-simt -s chip.warp=32 -s chip.tms=2" # 128 harts each

said='13 groups of 37: ea2f6831, 0 wrong'
large='3 groups of 1024: 75e22a89, 0 wrong'
larger='5 groups of 1024: e01a23be, 0 wrong'

echo "== natively: a thread a member, and turns"
for threads in 1 2 7 36 37 40; do
    CORBEL_THREADS=$threads says_only "$said" "$dir/groups" 13 37 5
done
CORBEL_THREADS=2 says_only "$large" "$dir/groups" 3 1024 2
CORBEL_THREADS=2 says_only "$larger" "$dir/groups" 5 1024 2

echo "== on chips, down to one hart"
for target in rv64 rv32 rv64d; do
    for mode in "--functional" "--functional --harts 1" "--harts 3" "-a core -s chip.harts=3" \
        "-a tiny-simt" "$simt" "$simt --harts 50" "-a rtx2080 -s chip.tms=2 -s chip.tps=4"; do
        # shellcheck disable=SC2086
        says_only "$said" run $mode "$dir/groups.$target" 13 37 5
    done
done
says_only "$large" run --functional -a rtx2080 "$dir/groups.rv64" 3 1024 2
# Fewer teams work where all would need more memory than there are addresses.
says_only "$larger" run --functional -a tiny -s chip.tms=4 -s tp.scratch=1048576 \
    "$dir/groups.rv32" 5 1024 2
# Two multiprocessors, the second one not whole.
says_only "$said" run -a tiny -s chip.tms=2 -s chip.tps=20 --harts 77 "$dir/groups.rv64" 13 37 5

echo "== launches that differ, one behind the other"
says_only "0 wrong" "$dir/launches"
for target in rv64 rv32; do
    for mode in "--functional" "--harts 3" "$simt" "$simt --harts 150" "-a rtx2080 -s chip.tms=2 -s chip.tps=4" \
        "$simt --memory 64M"; do
        # shellcheck disable=SC2086
        says_only "0 wrong" run $mode "$dir/launches.$target"
    done
done

echo "== whatever the host does"
for chip in "-a rtx2080 -s chip.tms=2 -s chip.tps=4" "$simt"; do
    hash=
    for host in "-j 1" "-j 2" "--epoch 1" "--no-skip" "--reverse-units" "--check-memory" \
        "--log-commits --log $dir/log"; do
        # shellcheck disable=SC2086
        now=$("$sim" $host $chip "$dir/groups.rv64" 9 64 3 2>&1 | grep '^results hash')
        [ -n "$now" ] && [ "${hash:=$now}" = "$now" ] || fail "$chip $host: $now, expected $hash"
    done
done

echo "== memory is what it should be"
says_only "$said" run -a tiny --check-memory "$dir/groups.rv64" 13 37 5
for mode in "-a tiny -s chip.tms=2" "-a tiny-simt" "$simt"; do
    for target in rv64 rv32; do
        for way in atomics region; do
            # shellcheck disable=SC2086
            says_only "0 wrong, 0 most" run $mode --check-memory "$dir/shared.$target" $way
        done
        # shellcheck disable=SC2086
        says_only "0 wrong, 0 most" run $mode --timing roi "$dir/shared.$target" region
    done
done
status=0
# shellcheck disable=SC2086
run $simt "$dir/shared.rv64" others >"$dir/out" 2>"$dir/err" || status=$?
[ $status = 202 ] && grep -q 'which is memory of groups on another multiprocessor$' "$dir/err" ||
    fail "another's memory: status $status, $(cat "$dir/err")"

echo "== as many groups at a time as find room"
while read -r expected size bytes settings; do
    # shellcheck disable=SC2086
    says_only "0 wrong, $expected most" run -a tiny-simt -s chip.warp=32 ${settings:+-s $settings} \
        "$dir/shared.rv64" most 8 $size $bytes
done <<END
4 32 0
4 16 0
2 40 0
1 100 0
4 32 16384
3 32 16385
2 32 30000
1 32 -1
3 32 0 tp.registers=3072
2 32 0 tp.hart_registers=1024
1 32 0 tp.groups=1
END

echo "== while harts wait for others, from a checkpoint"
while read -r cycles chip; do
    # shellcheck disable=SC2086
    hash=$(run $chip "$dir/groups.rv64" 5 8 40 2>&1 | grep '^results hash')
    status=0
    # shellcheck disable=SC2086
    run $chip --max-cycles $cycles --checkpoint "$dir/middle" "$dir/groups.rv64" 5 8 40 \
        >"$dir/out" 2>"$dir/err" || status=$?
    [ $status = 204 ] || fail "$chip to cycle $cycles: status $status"
    run --resume "$dir/middle" >"$dir/out" 2>"$dir/err" || fail "$chip resumed at $cycles: status $?"
    [ "$(cat "$dir/err")" = "$hash" ] ||
        fail "$chip resumed at $cycles: $(cat "$dir/err"), expected $hash"
done <<END
50000 -a tiny
61003 -a tiny
72007 -a tiny
15000 $simt
24003 $simt
33007 $simt
END

echo "== C++"
cat >"$dir/cpp.cpp" <<'END'
#include <corbel/corbel.h>
#include <cstdio>
static void kernel(void *arg)
{
    auto *shared = static_cast<unsigned *>(corbel_group_memory(64 * sizeof(unsigned)));
    shared[corbel_lane()] = corbel_lane();
    corbel_group_sync();
    static_cast<unsigned *>(arg)[corbel_lane()] = shared[corbel_group_size() - 1 - corbel_lane()];
}
int main()
{
    unsigned n[64];
    corbel_launch_grid(kernel, n, 1, 64);
    std::printf("%u %u\n", n[0], n[63]);
}
END
g++ -Wall -Werror -Iruntime/include "$dir/cpp.cpp" "$B/lib/libcorbel-native.a" -pthread -o "$dir/cpp"
"$B/bin/corbel-g++" -O2 -Wall -Werror "$dir/cpp.cpp" -o "$dir/cpp.rv64"
says_only "63 0" "$dir/cpp"
says_only "63 0" run --functional "$dir/cpp.rv64"

echo "== calls to the host"
for target in rv64 rv32; do
    for mode in --functional "-a tiny"; do
        # shellcheck disable=SC2086
        run $mode "$dir/calls.$target" >"$dir/out" 2>"$dir/err" || fail "calls.$target: status $?"
        diff - "$dir/out" <<'END' || fail "calls.$target $mode"
others wait: -35
harts 8, memory 65536, else -22
END
    done
done
run --harts 3 -s tp.group_memory=1000 "$dir/calls.rv64" 2>/dev/null |
    grep -q '^harts 3, memory 1000' || fail "group_memory=1000"

echo "== what groups may not"
# refused PATTERN WHAT...: one line and status 1, natively and on chips
unset threads
refused() {
    local command status pattern=$1
    shift
    for command in "env CORBEL_THREADS=${threads:-1} $dir/misuse" "run ${chip:--a tiny} $dir/misuse.rv64" \
        "run --functional --harts 1 $dir/misuse.rv32"; do
        status=0
        $command "$@" >"$dir/out" 2>"$dir/err" || status=$?
        sed -i '/^results hash/d' "$dir/err"
        [ $status = 1 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -qE "^(corbel: )?$pattern$" "$dir/err" ||
            fail "$command $*: status $status, expected 1 and $pattern"
    done
}
missed='group 0: lane [0-9] (waits, others have returned|has returned, (others wait|lane [0-9] waits))'
missed="$missed; expected all 8 lanes at the barrier"
refused "corbel_group_sync: $missed" returns
chip=$simt refused "corbel_group_sync: $missed" returns
threads=8 chip="-a rtx2080 -s chip.tms=1 -s chip.tps=2" refused "corbel_group_sync: $missed" returns
refused "corbel_group_sync: $missed" more
refused 'corbel_launch_grid: a group of 1025 members, expected 1 to 1024' size
refused 'corbel_launch_grid: a group of 0 members, expected 1 to 1024' none
refused 'corbel_launch_grid: a group needs 65537 bytes of group memory, a multiprocessor has 65536' announced
asked='corbel_group_memory: group 0 asks for 1000 bytes behind 65008 others, expected'
refused "$asked 65100 in all at most" less
refused "$asked 65536 in all at most" memory
refused 'corbel_launch_grid: called from within a kernel' nested
refused 'corbel_group_sync: expected a kernel of corbel_launch_grid' sync
refused 'corbel_group_memory: expected a kernel of corbel_launch_grid' outside
CORBEL_GROUP_MEMORY=66100 "$dir/misuse" memory >/dev/null || fail "CORBEL_GROUP_MEMORY"
# A stack of 64 KiB natively, of the harts' 1 KiB on the chip.
deep='corbel_launch_grid: group 0: lane [0-9]+ has used more than its'
! CORBEL_THREADS=1 "$dir/misuse" deep 1400 >"$dir/out" 2>"$dir/err" || fail "deep, natively"
grep -qE "^corbel: $deep 65536 bytes of stack$" "$dir/err" || fail "deep, natively"
! run -a rtx2080 -s chip.tms=1 -s chip.tps=2 "$dir/misuse.rv64" deep 16 >"$dir/out" 2>"$dir/err" || fail "deep"
grep -qE "^$deep 1024 bytes of stack$" "$dir/err" || fail "deep"

echo "pass"
