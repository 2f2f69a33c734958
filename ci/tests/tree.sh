#!/bin/bash
# The tree is as CONTRIBUTING says: a short README in every folder, links that
# lead somewhere, no trace of the machine it was written on, includes in the
# allowed directions, a package list and documents that agree, functions of a length
# that is read at a glance. What only a reader can judge is printed as a note.
# ci: area house
# ci: quick
. ci/tests/head

[ -d .git ] || skip "not a git checkout"

# Tracked or about to be; symbolic links are not files here.
files=$(git ls-files --cached --others --exclude-standard | while read -r file; do
    [ ! -f "$file" ] || [ -L "$file" ] || echo "$file"
done)

# ---- READMEs ----
folders() { # every folder with a file in it or below it, but .ci
    while read -r file; do
        while [[ $file == */* ]]; do
            file=${file%/*}
            echo "$file"
        done
    done <<<"$files" | sort -u | grep -vx '\.ci'
}
while read -r folder; do
    [ -f "$folder/README.md" ] || complain "$folder has no README.md"
done < <(folders)
while read -r lines readme; do
    [[ $lines -le 40 || $readme != */README.md ]] || complain "$readme has more than 40 lines"
done < <(grep '/README\.md$' <<<"$files" | xargs wc -l)
for file in README.md CONTRIBUTING.md LICENSE .clang-format; do
    [ -f $file ] || complain "$file is missing"
done

# ---- the root ----
# Tests run there: what one that was stopped has left is not for the repository.
while read -r file; do
    case $file in
    README.md | CONTRIBUTING.md | LICENSE | Makefile | .gitignore | .clang-*) ;;
    *) complain "$file: no file of the root" ;;
    esac
done < <(grep -v / <<<"$files")

# ---- links and paths in documents ----
documents=$(grep '\.md$' <<<"$files")
# found OPTION... PATTERN: DOCUMENT:TEXT for what matches in documents
found() { xargs grep -H "$@" <<<"$documents" || true; }
while IFS=: read -r document link; do
    link=${link#*\(} link=${link%)}
    [ -e "${document%"${document##*/}"}$link" ] ||
        complain "$document: the link to $link leads nowhere"
done < <(found -oE '\]\([^)#:]+\)')
# Paths in the text that begin with a folder of ours; * stands for some.
while IFS=: read -r document path; do
    compgen -G "$path" >/dev/null || [ -e "$path" ] || complain "$document: there is no $path"
done < <(found -oP '(?<![.\w/-])(docs|ci|sdk|sim|runtime|samples|native-shim|binutils-patches)/[A-Za-z0-9_./*+-]+[A-Za-z0-9_/*]' |
    grep -vE ':(.*/)?[A-Z]+[._/]|:.*[A-Z]{3}|:samples/morton|/nodes_bvh4half|/(rv64|rv32|native)/|:sim/arch/counting|/histogram|/cache_(replace_)?mru|observe/borders|page/roles' | sort -u)
# Rows of tables that begin with a file and a function in it.
while read -r document path function; do
    grep -q "\b$function(" "$path" || complain "$document: there is no $function in $path"
done < <(found -E '^\| `[a-z][^`]*\.[ch]` \| `[A-Za-z_]+` \|' |
    sed -E 's/^([^:]*):\| `([^`]*)` \| `([A-Za-z_]+)` .*/\1 \2 \3/')
while read -r document; do
    index=${document%/*}/README.md
    [[ $(<"$index") == *"(${document##*/})"* ]] || complain "$index does not list $document"
done < <(grep '^docs/.*\.md$' <<<"$files" | grep -v '/README\.md$')

# ---- lines of documents fit a terminal ----
# At most 100 columns, without the targets of links. Rows of tables, code and what is
# generated (whole pages, and between marks: <!-- NAME --> to <!-- end --> or <!-- /NAME -->)
# may be wider. No page has to be of a certain length, but the writer of a long one is told.
grep -vxE 'docs/reference/(units|instructions|options)\.md' <<<"$documents" | xargs awk '
    function told(what) { print "FAIL: " what; bad = 1 }
    function ends() {
        if (lines > 300)
            print "note: " document " has " lines " lines: does a reader need them on one page?"
        if (generated) told(document ": no end of the part that " generated " begins")
    }
    FNR == 1 { ends(); document = FILENAME; lines = code = 0; generated = "" }
    /^<!-- (end|\/)/ { generated = "" }
    /^<!-- [a-z0-9-]+ -->/ && !/^<!-- end/ { generated = $0 }
    generated { next }
    { lines++ }
    /^```/ { code = !code }
    code || /^(\||    )/ { next }
    { gsub(/\]\([^)]*\)/, "]") }
    length > 100 { told(FILENAME ":" FNR " has more than 100 columns") }
    END { ends(); exit bad }' || failures=$((failures + 1))

# ---- functions are read at a glance ----
# At most 60 lines from a function's { to its }. A long file is a note, not a failure: files
# that are cut where a limit is reached are no easier to read.
grep -E '\.([ch]|cpp)$' <<<"$files" | xargs awk '
    function told(what) { print "FAIL: " what; bad = 1 }
    FNR == 501 { print "note: " FILENAME " has more than 500 lines: is it about one thing?" }
    /^\{/ { begin = FNR }
    /^\}/ {
        if (begin && FNR - begin >= 60)
            told(FILENAME ":" begin ": a function of " FNR - begin + 1 " lines, more than 60")
        begin = 0
    }
    END { exit bad }' || failures=$((failures + 1))

# ---- nothing about machines or unfinished work ----
# What a patch takes away is not ours.
tr '\n' '\0' <<<"$files" | xargs -0 grep -InE '/(wor[k]|hom[e]|roo[t]|User[s])/[a-z]|\b(TOD[O]|FIXM[E]|XX[X])\b' |
    grep -vE '^[^:]*\.patch:[0-9]+:-' &&
    complain "the lines above name a machine's folders or unfinished work"

# ---- includes ----
wrong=$(ci/includes) || complain "$wrong"
rooms=$(sed -n 's|^sim/units/\([a-z_]*\)/.*|\1|p' <<<"$files" | sort -u)
# A file is known by its name: no two of sim and sdk share one, but programs' main.c.
twice=$(grep -E '^(sim|sdk)/.*\.[ch]$' <<<"$files" | awk -F/ '
    { paths[$NF] = paths[$NF] " " $0; times[$NF]++ }
    END { for (name in paths) if (times[name] > 1) print paths[name] }' |
    grep -vE '/main\.c$' || true)
[ -z "$twice" ] || complain "files of one name:"$'\n'"$twice"
kinds=$(sed -n 's/^ *X(\([a-z_]*\)).*/\1/p' sim/units/units.h)
[ -n "$kinds" ] || complain "sim/units/units.h lists no kinds"
# sim-run knows units by what their kinds declare, none by the kind's name.
grep -nE "(name|group)\b[^;]*, \"($(paste -sd'|' <<<"$kinds"))\"" \
    $(grep -E '^sim/host/.*\.[ch]$' <<<"$files" | grep -v '_test\.c$') &&
    complain "the lines above of sim/host name a kind of unit"
# Each file of these opens with what it is for.
while read -r file; do
    head -2 "$file" | grep -q '^/\*' || complain "$file does not begin with what it is for"
done < <(grep -E '^sim/(host|units|uvm)/.*\.[ch]$' <<<"$files")
# A unit knows links and messages, not another unit: what belongs to a kind begins with its
# name.
for kind in $kinds; do
    grep -nE "#include \"sim/units/[a-z]+/$kind(_[a-z_]+)?\.h\"" sim/units/*/*.[ch] |
        grep -vE "^sim/units/[a-z]+/($kind[_.]|[a-z_]+_test\.c|[a-z_]+_bench\.h)" &&
        complain "the lines above include a header of the unit $kind"
done
# A parameter of these kinds is read in one place, from which all else follows.
for kind in tp rtcore sfu scheduler rtp_{patcher,dispatcher,memory,buffer,triangles}; do
    sources=$(grep -E "^sim/units/[a-z]+/$kind(_[a-z]+)?\.[ch]$" <<<"$files" | grep -v '_test\.c$')
    read=$(grep -ohE '\bparams(\.|->)[a-z_]+' $sources || true)
    twice=$(sed 's/.*[.>]//' <<<"$read" | sort | uniq -d)
    [ -z "$twice" ] || complain "sim/units/*/$kind*: read in several places:" $twice
done
# Units look at no struct of a neighbour's: its kind is the host's and its roles' to know, and
# of ports unit.h has functions (a test may break a link).
grep -nE "(->|\.)kind == &|unit_kind_of\([^=]*\) == &|(->|\.)(target|credits|credited|remote|watched)\b|[^s]\.starved\b|->starved\b|\b(in|out)\[[A-Z_]+\](\[[^][]*\])?(\.|->)|outport_of\([^()]*(\([^()]*\))?[^()]*\)->" \
    $(grep -E '^sim/units/.*\.[ch]$' <<<"$files" | grep -vE '_test\.c$|bench\.[ch]$') |
    grep -vE "\.watched = |&c->starved|s->stats\.starved" &&
    complain "the lines above look into a neighbour or a port: unit.h, memory_role.h have functions"
# What a family shares is registered (machine_share), no member that all others see.
for room in $rooms; do
    [ "$room" = common ] || while read -r struct; do
        grep -nHE "\bstruct $struct\b" sim/units/common/machine.h &&
            complain "the line above names struct $struct of sim/units/$room"
    done < <(grep -ohE '^struct [a-z_]+ \{' sim/units/"$room"/*.h | sed 's/^struct //; s/ {//' | sort -u)
done
# Queues in arrays are rings, which are counted in one place (those of rtcore share a line of the
# host with what is used with them).
grep -nE "\b(head|first)[a-z_]* \+ [^;]*count\+\+|\b[a-z]*count\+\+\) %" sim/units/*/*.[ch] |
    grep -vE "^sim/units/(common/ring\.h|rtcore/rtcore_pipes\.c)" &&
    complain "the lines above count a ring: common/ring.h does"
# And it knows what unit.h says of its tile, not how that lies in memory.
grep -nE "tile->|\b(tile_(new|free|next)_|msg_attach)" sim/units/*/*.[ch] &&
    complain "the lines above reach into a tile: unit.h has functions for units"

# ---- comments ----
# A share says nothing about what comments are worth, so a low one is a note: read the folder.
while read -r folder; do
    share=$(grep "^$folder/.*\.[ch]$" <<<"$files" | grep -v '_test\.c$' | xargs ci/comment-share)
    [ "$share" -ge 10 ] ||
        echo "note: $folder: $share % of the lines are comments: does it say why it does what it does?"
done < <(printf '%s\n' sim/{core,units,host,isa,rtp,dram,uvm,report,arch} runtime native-shim sdk)

# ---- tables of documents that lists in the sources have ----
# More than their heads, whatever has become of the lists.
while read -r page; do
    awk -f docs/tables.awk "$page" | diff -u "$page" - || complain "$page is not what its lists say: make docs"
done < <(grep '^docs/' <<<"$documents")
for row in '| git | build |' '| `cmp_min` |' '| `all_done` |' '| `home` |' '| 206 |' '| uvm-v100 |'; do
    grep -rqF "$row" docs/reference || complain "no table has the row $row"
done

# ---- make help ----
help=$(make -s help)
for target in setup all sim demo test toolchain samples docs install format format-check clean distclean; do
    grep -q "make $target " <<<"$help" || complain "make help does not list $target"
done
twice=$(awk '{ print $2 }' <<<"$help" | sort | uniq -d)
[ -z "$twice" ] || complain "make help lists twice:" $twice

# ---- tests can be run ----
while read -r script; do
    [ -x "$script" ] || complain "$script is not executable"
done < <(grep '^ci/tests/[^/]*\.sh$' <<<"$files")

[ $failures -eq 0 ] || { echo "tree: $failures failures"; exit 1; }
echo "tree: $(wc -l <<<"$files") files, all as it should be"
