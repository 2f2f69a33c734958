#!/bin/bash
# What programs tell the caches by <corbel/cache.h> reaches them: counters of
# cores and caches, in a program whose result does not depend on it.
# ci: area cache tp
# ci: needs bin/sim-run runtime
. ci/tests/head

gcc=$B/bin/corbel-gcc

# Streams over WORDS words, twice, and tells the caches after each block.
cat >"$dir/program.c" <<'END'
#include <corbel/cache.h>
#include <stdio.h>

enum { WORDS = 1024, PER_BLOCK = CORBEL_BLOCK / 4 };
static uint32_t words[WORDS] __attribute__((aligned(CORBEL_BLOCK)));

int main(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        STORE(&words[i], i);
        if (i % PER_BLOCK == PER_BLOCK - 1)
            BLOCK(&words[i]);
    }
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < WORDS; i++)
            sum += LOAD(&words[i]) * (i + turn);
    printf("%u\n", (unsigned)sum);
}
END

plain_load='-DLOAD(p)=*(p)' plain_store='-DSTORE(p,v)=(*(p)=(v))'
none='-DBLOCK(p)=(void)0'

# run NAME CHIP DEFINE...: the program's output is what is expected
run() {
    local name=$1 chip=$2
    shift 2
    "$gcc" -O2 "$@" -o "$dir/$name.elf" "$dir/program.c"
    # shellcheck disable=SC2086
    "$sim" -a tiny $chip --quiet --check-memory -o "$dir/$name" "$dir/$name.elf" \
        >"$dir/$name.out" 2>"$dir/$name.log" || complain "$name: $(cat "$dir/$name.log")"
    cmp "$dir/plain.out" "$dir/$name.out" || complain "$name: another result"
}

# of NAME GROUP COUNTER
of() {
    python3 - "$dir/$1/stats.json" "$2" "$3" <<'END'
import json, sys
with open(sys.argv[1]) as file:
    group = json.load(file)["groups"][sys.argv[2]]
print({**group["counters"], **group["buckets"]}[sys.argv[3]])
END
}

# more NAME GROUP COUNTER BY: than in the plain run, at least
more() {
    local plain here
    plain=$(of plain "$2" "$3")
    here=$(of "$1" "$2" "$3")
    [ "$here" -ge $((plain + $4)) ] ||
        complain "$1: $2.$3 is $here, without $plain, expected $4 more"
}

cc -O1 -Iruntime/include "$plain_load" "$plain_store" "$none" \
    -o "$dir/native" "$dir/program.c"
"$dir/native" >"$dir/plain.out"
run plain "" "$plain_load" "$plain_store" "$none"
back="-s l1.write=back -s l1.allocate=yes"

# 1024 words, 128 sectors, 64 blocks; each word is loaded twice.
run p1 "" '-DLOAD=corbel_load_p1' "$plain_store" "$none"
more p1 l1 bypassed 2000
run all "" '-DLOAD=corbel_load_all' "$plain_store" "$none"
more all l1 bypassed 2000
[ "$(of all tp loads_first)" -lt "$(of plain tp loads_first)" ] ||
    complain "all: the first cache serves as many loads"
run stores "$back" "$plain_load" '-DSTORE=corbel_store_all' "$none"
run kept "$back" "$plain_load" "$plain_store" "$none"
[ "$(of stores l2 writes)" -gt "$(of kept l2 writes)" ] ||
    complain "stores: a write-back L1 keeps what it shall not"
for kind in clean flush inval; do
    run $kind "$back" "$plain_load" "$plain_store" "-DBLOCK=corbel_cache_$kind"
    [ "$(of $kind tp blocks)" = 64 ] || complain "$kind: $(of $kind tp blocks) blocks"
    more $kind l1 writebacks 64
done
# Flushed blocks are fetched again, clean ones are there.
[ $(($(of clean l1 misses_read) + 60)) -le "$(of flush l1 misses_read)" ] ||
    complain "misses: $(of clean l1 misses_read) after clean," \
        "$(of flush l1 misses_read) after flush"

# Without Zicbom the hints are still there.
run old "-s tp.ext_zicbom=0" '-DLOAD=corbel_load_s1' "$plain_store" "$none"

[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
