#!/bin/bash
# No tool writes over what it reads, by whatever name: another spelling, a link, another name of
# the same file; it says so by one line and the file is as before. And no tool takes a file of
# its own for a standard descriptor that is closed: what it writes is what it writes otherwise.
# ci: area tools
# ci: quick
# ci: needs sim runtime samples/rv64/replay
. ci/tests/head

B=$PWD/${B:-build}
cd "$dir"

printf '%s\n' ply 'format ascii 1.0' 'element vertex 3' 'property float x' 'property float y' \
    'property float z' 'element face 1' 'property list uchar int vertex_indices' end_header \
    '0 0 0' '1 0 0' '0 1 0' '3 0 1 2' >m.ply
python3 - <<'END'
import json, struct
points = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
open("m.bin", "wb").write(points)
json.dump({"asset": {"version": "2.0"}, "buffers": [{"uri": "m.bin", "byteLength": 36}],
           "bufferViews": [{"buffer": 0, "byteLength": 36}],
           "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
           "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
           "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0}, open("m.gltf", "w"))
END
"$B/bin/corbel-scene" convert m.ply m.scene >/dev/null
"$B/bin/corbel-rays" m.scene m.rays --kind primary --size 4 >/dev/null
printf 'int main(void)\n{\n    return 0;\n}\n' >m.c
"$B/bin/corbel-gcc" m.c -o m.elf
"$B/bin/sim-run" --quiet -a tiny -o run --interval 1000 m.elf 2>/dev/null
printf 'offer,addr,rw\n0,0,R\n5,64,W\n' >m.csv
gzip -k m.csv

# ---- what is read stays
# spares FILE WORD...: @ in the words is that file, by another spelling, a link and another name
refused=0
spares() {
    local file=$1 name status
    shift
    cp "$file" before
    ln -sf "$file" link.${file##*.}
    ln -f "$file" other.${file##*.}
    for name in "$PWD/./$file" link.${file##*.} other.${file##*.}; do
        words=("${@:2}")
        "$B/bin/$1" "${words[@]//@/$name}" >out 2>err && status=0 || status=$?
        [ $status != 0 ] || complain "${*//@/$name}: status 0"
        [ "$(wc -l <err)" = 1 ] && grep -q 'that is .*, expected another file$' err ||
            complain "${*//@/$name}: it says: $(cat err)"
        cmp -s "$file" before || complain "${*//@/$name}: $file has been written over"
        cp before "$file"
        refused=$((refused + 1))
    done
}
spares m.ply corbel-scene convert m.ply @
spares m.gltf corbel-scene convert m.gltf @
spares m.bin corbel-scene convert m.gltf @
spares m.ply corbel-scene export-rtp m.ply @
spares m.scene corbel-scene trace m.scene --size 4 --hits @
spares m.scene corbel-scene trace m.scene m.rays --hits @
spares m.rays corbel-scene trace m.scene m.rays --hits @
spares m.scene corbel-rays m.scene @ --kind primary --size 4
spares run/stats.json sim-report run -o @
spares run/manifest.json sim-report run -o @
spares run/intervals.csv sim-report --csv 'tp.*' run -o @
spares run/stats.json sim-report --stacks tp run -o @
spares m.csv dram-run gddr6-14000 m.csv --commands @
spares m.csv.gz dram-run gddr6-14000 m.csv.gz --commands @
spares m.elf sim-run -a tiny --signature @ m.elf
spares m.elf sim-run -a tiny --checkpoint @ m.elf
"$B/bin/corbel-scene" generate cornell --ply two.ply --obj ./two.ply >out 2>err &&
    complain "generate: two outputs are one file"
"$B/bin/corbel-scene" generate cornell new.scene --ply new.ply >/dev/null || complain "generate"
[ ! -e two.ply ] || complain "generate: one that is refused has written"

# ---- closed descriptors
# same FILE WORD...: what is written there does not depend on which of 0 to 2 are open
same() {
    local file=$1 how
    shift
    rm -rf "$file"
    "$B/bin/$1" "${@:2}" >/dev/null 2>&1 </dev/null || complain "$*: status $?"
    cp "$file" want
    for how in '<&-' '>&- 2>&-' '<&- >&- 2>&-'; do
        rm -rf "$file"
        { eval '"$B/bin/$1" "${@:2}"' "$how"; } >/dev/null 2>&1 || complain "$* $how: status $?"
        cmp -s "$file" want || complain "$* $how: another $file"
    done
}
cat >write.c <<'END'
#include <stdio.h>
int main(void)
{
    FILE *file = fopen("written", "w");
    puts("to the standard output");
    fputs("to the standard error\n", stderr);
    fputs("to the file\n", file);
    return fclose(file) + (getchar() != EOF);
}
END
"$B/bin/corbel-gcc" write.c -o write.elf
same written sim-run -a tiny write.elf
same written sim-run -a tiny --functional write.elf
same caches sim-run --quiet -a tiny --save-caches caches m.elf
same new.scene corbel-scene convert m.ply new.scene
same new.hits corbel-scene trace m.scene m.rays --hits new.hits
same new.rays corbel-rays m.scene new.rays --kind primary --size 4
same new.html sim-report run -o new.html
same new.csv dram-run gddr6-14000 m.csv --commands new.csv
# these write nothing but what they print
for words in 'sim-diff run run' 'page-run --help' 'rtp-run --help'; do
    # shellcheck disable=SC2086
    "$B/bin/"$words >&- 2>&- <&- || complain "$words: status $?"
done

[ $failures = 0 ] && echo "what is read is not written: $refused names were refused"
