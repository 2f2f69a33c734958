#!/bin/bash
# One sweep by make, GNU parallel, Snakemake and Slurm, by the files and lines that corbel-sweep
# prints: the same database and table, byte for byte, which is also that of one process. Under
# Slurm an array with tasks of several points, a point that is longer than the time limit and is
# queued again until it is done, and a node that is drained on the way.
# ci: area sweep
# ci: long
# ci: needs sweep samples/rv64/mandelbrot
. ci/tests/head
. ci/tests/sweep/cluster

sweep=$bin/corbel-sweep
cd "$dir"
cp "$root/$B/samples/rv64/mandelbrot" m.elf
cat >s.toml <<'END'
repetitions = 2
baseline = {program.size = 8}
[programs.m]
file = "m.elf"
arguments = ["--size", "{program.size}"]
[chips.t]
arch = "tiny"
[settings]
program.size = [8, 12, 16, 20]
END
absent=
plan() { "$sweep" plan s.toml "$1" >said || fail "status $?: plan $1"; }
# same DIR: its tables are those of `one`
same() {
    "$sweep" collect "$1" --sql t.db --csv t.csv >said || fail "status $?: collect $1"
    "$root/ci/tests/sweep/dump.py" t.db >t.dump
    [ "$1" != one ] || cp t.dump one.dump
    [ "$1" != one ] || cp t.csv one.csv
    cmp t.dump one.dump && cmp t.csv one.csv || fail "$1: other tables"
    grep -q 'INSERT INTO "points" VALUES(7,.done' t.dump || fail "$1: point 7 is not in the table"
}
# by COMMAND NAME...: there are such programs
by() {
    local tool
    for tool; do
        command -v "$tool" >/dev/null || { absent+=" $tool"; return 1; }
    done
}

plan one
"$sweep" run one >log 2>err || fail "status $?: run"
same one

if by make; then
    plan 'by $make'
    "$sweep" make 'by $make' --per-task 3 >makefile
    make -s -k -j 2 -f makefile >log 2>err || fail "status $?: make"
    same 'by $make'
fi
if by parallel; then
    plan "by {parallel}'s"
    "$sweep" parallel "by {parallel}'s" --per-task 2 >line
    bash ./line >log 2>err || fail "status $?: parallel"
    same "by {parallel}'s"
fi
if by snakemake; then
    plan 'by {snake}'
    "$sweep" snakemake 'by {snake}' --per-task 3 >snakefile
    snakemake -s snakefile --cores 2 -k -q all >log 2>err || fail "status $?: snakemake"
    same 'by {snake}'
    # Another plan has other tasks.
    sed 's/20\]/24]/' s.toml >more.toml
    "$sweep" plan more.toml 'by {snake}' >said
    "$sweep" snakemake 'by {snake}' >snakefile
    snakemake -s snakefile --cores 2 -k -q all >log 2>err || fail "status $?: snakemake again"
    "$sweep" status 'by {snake}' | grep -qx '8 of 8 points are done' || fail 'snakemake: not what was added'
fi

# ---- Slurm ----
[ -z "$absent" ] || absent="$absent,"
if by sbatch slurmctld slurmd munged; then
    trap 'status=$?; cluster_down; clear_up $status' EXIT
    cluster_up || fail 'the cluster does not start'
    # over: no job is left
    over() {
        for _ in $(seq 600); do
            [ -n "$(squeue -h)" ] || return 0
            sleep 0.2
        done
        fail "jobs are left: $(squeue -h)"
    }
    plan slurm
    "$sweep" slurm slurm --array-max 3 --at-a-time 2 --scratch "$dir/node" >script
    grep -qx '#SBATCH --array=0-2%2' script || fail "array: $(grep array script)"
    sbatch -Q script
    over
    same slurm
    [ -z "$(find node -mindepth 2)" ] || fail 'something stays on the disk of the node'

    # A drained node runs nothing. Then the first long point is told in its kernel, saves itself
    # and is queued again; the second meets the time limit, of which a minute is the least.
    cat >slow-sim <<END
#!/bin/bash
[[ \$* != *'--permute 2 '*' 320' ]] || ! mkdir "$dir/slept" 2>/dev/null || sleep 70
exec "$sim" "\$@"
END
    chmod +x slow-sim
    sed 's/\[8, 12, 16, 20\]/[8, 320]/' s.toml >long.toml
    "$sweep" plan long.toml long --sim ./slow-sim >said
    "$sweep" slurm long --time 1 --notice 58 >script
    scontrol update "NodeName=$(hostname -s)" State=DRAIN Reason=test
    sbatch -Q script
    sleep 1
    [ -z "$(find long -name result)" ] || fail 'a drained node runs'
    scontrol update "NodeName=$(hostname -s)" State=RESUME
    for _ in $(seq 300); do [ ! -e long/points/000/000002/claim.1 ] || break; sleep 0.1; done
    sleep 0.5
    scancel -b -s USR1 "$(squeue -h -r -o '%A %K' | awk '$2 == 2 { print $1 }')"
    over
    "$sweep" status long | grep -qx '4 of 4 points are done' || fail "long: $("$sweep" status long)"
    grep -q '^#.* goes on$' long/points/000/000002/result/log.txt || fail 'point 2 did not go on'
    [ "$(grep -c '^# point' long/points/000/000003/result/log.txt)" = 2 ] || fail 'point 3 did not run again'
    [ "$(grep -c 'DUE TO TIME LIMIT' long/slurm-3.txt)" = 0 ] || fail 'the time limit ended point 3'
    cp -r long undisturbed
    rm -r undisturbed/points/*/*/result
    "$sweep" run undisturbed --sim "$sim" >log 2>err
    for name in long undisturbed; do
        "$sweep" collect $name --sql t.db >said
        "$root/ci/tests/sweep/dump.py" t.db >$name.dump
    done
    cmp long.dump undisturbed.dump || fail 'another table after the time limit'
fi
[ -z "$absent" ] || skip "the rest has passed; not here:$absent"

echo 'sweep-launch: ok'
