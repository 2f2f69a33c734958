#!/bin/bash
# ci/setup says and installs exactly what is missing of the lists that it is
# given, as root or through sudo, and is silent when nothing is; any release but
# Debian 12 it refuses by name. dpkg-query, apt-get, id and sudo are stand-ins.
# make demo installs what the build needs, and a folder in which make cannot work
# is refused before anything is installed.
# ci: area toolchain
. ci/tests/head

mkdir -p "$dir/bin"

cat >"$dir/bin/dpkg-query" <<'EOF'
#!/bin/bash
shift 3
for name; do
    case " $ABSENT " in
    *" $name "*) echo "dpkg-query: no packages found matching $name" >&2 ;;
    *) echo "$name installed" ;;
    esac
done
[ -z "$ABSENT" ]
EOF
printf '#!/bin/bash\necho "$@" >>%s/calls\n' "$dir" >"$dir/bin/apt-get"
printf '#!/bin/bash\necho "$USER_ID"\n' >"$dir/bin/id"
printf '#!/bin/bash\necho sudo >>%s/calls\nexec "$@"\n' "$dir" >"$dir/bin/sudo"
chmod +x "$dir"/bin/*

# run ABSENT USER_ID [--check]
run() {
    : >"$dir/calls"
    PATH=$dir/bin:$PATH ABSENT=$1 USER_ID=$2 OS_RELEASE=$dir/os-release \
        ci/setup "${@:3}" >"$dir/said" 2>"$dir/refused"
}
is() { # ID VERSION_ID PRETTY_NAME: of the system
    printf 'ID=%s\nVERSION_ID="%s"\nPRETTY_NAME="%s"\n' "$@" >"$dir/os-release"
}

is debian 12 'Debian GNU/Linux 12 (bookworm)'
run '' 1000
[ ! -s "$dir/said" ] && [ ! -s "$dir/calls" ] || fail "not silent with nothing to do"

run 'quilt newlib-source' 0
grep -qx 'ci/setup: installing with apt-get: newlib-source quilt' "$dir/said" || fail "did not say what it installs"
grep -q 'update$' "$dir/calls" || fail "no apt-get update"
grep -q 'install -y --no-install-recommends newlib-source quilt$' "$dir/calls" || fail "installed something else"
! grep -q sudo "$dir/calls" || fail "sudo although root"

run 'quilt' 1000
[ "$(grep -c '^sudo$' "$dir/calls")" = 2 ] || fail "no sudo although not root"

! run 'quilt' 1000 --check || fail "--check found nothing missing"
[ ! -s "$dir/calls" ] || fail "--check installed"

# Lists.
everything='build-essential qemu-user cppcheck clang-19 munge'
lists() { # EXPECTED LIST...
    ! run "$everything" 0 --check "${@:2}" || fail "--check ${*:2} found nothing missing"
    [ "$(cat "$dir/said")" = "ci/setup: missing packages: $1" ] || fail "${*:2}: expected $1"
}
lists 'build-essential clang-19 cppcheck munge qemu-user'
lists build-essential build
lists qemu-user test
lists cppcheck lint
lists munge sweep
lists 'build-essential clang-19' build release
run 'qemu-user cppcheck clang-19 munge' 0 build
[ ! -s "$dir/said" ] && [ ! -s "$dir/calls" ] || fail "build needs something of other lists"
! run '' 0 --check demo || fail "accepts the list demo"
grep -q 'unknown list demo, expected build, test, lint, release or sweep' "$dir/refused" || fail "does not name the list"
for target in 'demo ci/setup build' 'test ci/setup' 'setup ci/setup' 'lint ci/setup lint' 'release ci/setup build release'; do
    make -n --no-print-directory "${target%% *}" | grep -x "${target#* }" >/dev/null || fail "make ${target%% *} does not call ${target#* }"
done
build=$(grep -cE '^[^ ]+ +build ' ci/setup)
grep -q "the $build packages that it is built from" README.md || fail "README.md does not say that there are $build packages"

# Folders.
for name in 'a b' 'a:b' "a'b" 'a"b' 'a$b' 'a#b' 'a%b' 'a=b' 'a,b' 'a(b'; do
    mkdir -p "$dir/folders/$name"
    cp Makefile "$dir/folders/$name"
    ! make -C "$dir/folders/$name" demo >"$dir/said" 2>&1 || fail "$name is accepted"
    [ "$(grep -v '^make' "$dir/said" | wc -l)" = 1 ] && grep -qF "$name\", B=\"build\": expected paths without" "$dir/said" ||
        fail "$name is not refused by name"
done
! make -s B='a b' demo 2>"$dir/said" || fail "B='a b' is accepted"
grep -q 'B="a b": expected paths' "$dir/said" || fail "B='a b' is not refused by name"
for name in 'ab' 'über+@x~-.^'; do
    mkdir -p "$dir/folders/$name"
    cp Makefile "$dir/folders/$name"
    make -s -C "$dir/folders/$name" help >"$dir/said" 2>&1 || fail "$name is refused"
done

refuses() { # NAME [--check]: in one line, and does nothing
    ! run quilt 0 "${@:2}" || fail "accepts $1"
    grep -qF "this is $1, expected Debian 12 " "$dir/refused" || fail "does not name $1"
    [ "$(wc -l <"$dir/refused")" = 1 ] && [ ! -s "$dir/said" ] && [ ! -s "$dir/calls" ] ||
        fail "does something on $1"
}
for system in 'debian 13 Debian GNU/Linux 13 (trixie)' 'debian 11 Debian GNU/Linux 11' \
    'ubuntu 24.04 Ubuntu 24.04 LTS' 'fedora 12 Fedora Linux 12'; do
    read -r id version name <<<"$system"
    is "$id" "$version" "$name"
    refuses "$name"
    refuses "$name" --check
done
CORBEL_ANY_RELEASE=1 run quilt 0
grep -q 'install -y .* quilt$' "$dir/calls" || fail "CORBEL_ANY_RELEASE=1 installs nothing"
rm "$dir/os-release"
refuses 'an unknown system'
echo "toolchain-setup: ok"
