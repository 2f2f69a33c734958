#!/bin/bash
# A C++ program names every record of the public headers without "struct": no
# function has the name of one, natively and on the target.
# ci: area toolchain
# ci: quick
# ci: needs toolchain
. ci/tests/head

headers=(runtime/include/corbel/*.h)
for header in "${headers[@]}"; do
    # Templates are included with names, one has the system calls of Linux alone.
    case ${header##*/} in
    *_template.h | linux.h) ;;
    *) echo "#include <corbel/${header##*/}>" ;;
    esac
done >"$dir/names.cpp"
sed -nE 's/^(struct|union|enum) (corbel_\w+) \{.*/\2 *name_of_\2;/p' "${headers[@]}" | sort -u >>"$dir/names.cpp"
[ "$(grep -c name_of_ "$dir/names.cpp")" -gt 30 ] || { echo "cxx-names: found few records" >&2; exit 1; }
cat >>"$dir/names.cpp" <<'EOF'
int main()
{
    corbel_box box = {{0, 0, 0}, {1, 1, 1}};
    corbel_ray ray = {{0.5f, 0.5f, -1}, 0, {1e30f, 1e30f, 1}, 10};
    return corbel_box_entry(&ray, &box) != 1;
}
EOF
g++ -std=c++17 -Wall -Iruntime/include -c "$dir/names.cpp" -o "$dir/names.o"
build/bin/corbel-g++ -std=c++17 -Wall -c "$dir/names.cpp" -o "$dir/names.o"
# In C both kinds of names are apart, and the functions have had them before.
cat >"$dir/names.c" <<'EOF'
#include <corbel/corbel.h>
#include <corbel/managed.h>
int main(void)
{
    struct corbel_managed_stats stats;
    struct corbel_box box = {{0, 0, 0}, {1, 1, 1}};
    struct corbel_ray ray = {{0.5f, 0.5f, -1}, 0, {1e30f, 1e30f, 1}, 10};
    return corbel_box(&ray, &box) != 1 || corbel_managed_stats(&stats);
}
EOF
gcc -std=c17 -Wall -Wextra -Iruntime/include -c "$dir/names.c" -o "$dir/names.o"
build/bin/corbel-gcc -std=c17 -Wall -c "$dir/names.c" -o "$dir/names.o"
echo "cxx-names: ok"
