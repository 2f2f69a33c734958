#!/bin/bash
# How long names are, of 1 to 200 characters, of the program, its scene, its rays and
# its outputs, moves no region of interest, neither its begin nor its cycles, of any
# sample that measures one and of a user's program; and how the program's own name was
# typed is not in the results hash.
# ci: area tools
# ci: needs sim samples bin/corbel-scene bin/corbel-rays toolchain
. ci/tests/head

samples=$root/$B/samples/rv64
cd "$dir"

name() { printf "%$(($1 - ${#2}))s%s" '' "$2" | tr ' ' "${3:-n}"; } # LENGTH ENDING LETTER

"$bin/corbel-scene" generate cornell a.scene >/dev/null
"$bin/corbel-scene" generate cornell t.scene --nodes bvh6 --treelets 2048 >/dev/null
"$bin/corbel-rays" a.scene a.rays --kind primary --size 12 >/dev/null
cat >own.c <<'C'
#include <corbel/corbel.h>
#include <stdlib.h>
static unsigned char *pixels;
static void kernel(void *arg)
{
    for (uint32_t i; (i = corbel_next()) < 192;)
        pixels[i] = (unsigned char)(i * 7);
}
int main(int argc, char **argv)
{
    pixels = malloc(192);
    if (!corbel_scene_open(argv[1]))
        return 1;
    corbel_roi_begin();
    corbel_launch(kernel, NULL);
    corbel_roi_end();
    return corbel_image_write(argv[2], pixels, 8, 8) != 0;
}
C
"$bin/corbel-gcc" -O2 own.c -o own

# regions CHIP PROGRAM OPTION...: begins and ends; PNG, SCENE, RAYS, HITS stand for names
regions() { # LENGTH ...
    local length=$1 chip=$2 words=() word
    cp "$3" "$(name "$length" '' p)"
    cp "$scene" "$(name "$length" '' s)"
    cp a.rays "$(name "$length" '' r)"
    for word in "${@:4}"; do
        case $word in
        PNG) words+=("$(name "$((length < 5 ? 5 : length))" .png)") ;;
        SCENE) words+=("$(name "$length" '' s)") ;;
        RAYS) words+=("$(name "$length" '' r)") ;;
        HITS) words+=("$(name "$length" '' h)") ;;
        *) words+=("$word") ;;
        esac
    done
    # shellcheck disable=SC2086 # words of their own
    "$bin/sim-run" --quiet -a $chip -o run "$(name "$length" '' p)" "${words[@]}" \
        >stdout 2>stderr || fail "${*:2}, $length: $(cat stderr)"
    grep -E 'region of interest (begins|ends)' run/log.txt || fail "${*:3}: no region"
}

checked=0
same() { # CHIP PROGRAM OPTION...
    regions 1 "$@" >first
    for length in 24 100 200; do
        regions $length "$@" >other
        cmp -s first other || fail "$*: names of $length characters: $(cat first other)"
        checked=$((checked + 1))
    done
}

scene=a.scene
for chip in tiny "rtx2080 -s chip.tms=2"; do
    same "$chip" "$samples/primary" SCENE --size 12 --out PNG --hits HITS
    same "$chip" own SCENE PNG
done
same tiny "$samples/path" SCENE --size 8 --spp 1 --out PNG
same tiny "$samples/ao" SCENE --size 8 --spp 1 --out PNG
same tiny "$samples/mandelbrot" --size 12 --out PNG
same tiny "$samples/replay" SCENE RAYS --image PNG
same tiny "$samples/replay" SCENE RAYS --hits HITS
scene=t.scene
same "dual-streaming -s chip.tms=2" "$samples/streams" SCENE RAYS --hits HITS

cp own a.elf
mkdir sub
hash() { "$bin/sim-run" --quiet -a tiny "$@" a.scene o.png 2>&1 | grep 'results hash'; }
plain=$(hash a.elf)
for way in ./a.elf sub/../a.elf "$PWD/a.elf" ".//////////a.elf"; do
    [ "$(hash "$way")" = "$plain" ] || fail "$way: $(hash "$way"), expected $plain"
    [ "$(hash --functional "$way")" = "$(hash --functional a.elf)" ] || fail "$way untimed"
done
echo "name-lengths: $checked runs as with names of one character"
