#!/bin/bash
# Scripts that describe no chip: each ends, by counted instructions or by the watchdog of calls
# that do not return, with status 201 and one line that begins with file and line. What a
# script may do instead, it does as Lua 5.4 says.
# ci: area host arch
# ci: needs bin/sim-run
. ci/tests/head

scripts=0

# refused PATTERN SCRIPT: all lines of a script after the first are its own
refused() {
    local got=0
    printf '%s\n' "$2" >"$dir/chip.lua"
    timeout 300 "$sim" -a "$dir/chip.lua" --describe >"$dir/out" 2>"$dir/err" </dev/null || got=$?
    scripts=$((scripts + 1))
    if [ $got -ne 201 ] || [ "$(wc -l <"$dir/err")" -ne 1 ] ||
        ! grep -qE "^sim-run: [^ ]*chip.lua:[0-9]+: .*$1" "$dir/err"; then
        echo "FAIL: $2"
        echo "  status $got, expected 201 and one line with: $1"
        head -n 3 "$dir/err"
        failures=$((failures + 1))
    fi
}

work='stopped after 200 million instructions'
full='not enough memory'

# What a script prints is bounded, too.
printf 'for i = 1, 1e7 do print() end\n' >"$dir/chip.lua"
got=0
"$sim" -a "$dir/chip.lua" --describe >"$dir/out" 2>"$dir/err" </dev/null || got=$?
[ $got = 201 ] && [ "$(wc -l <"$dir/err")" -le 200001 ] && grep -q "$work" "$dir/err" ||
    complain "print() without end: status $got, $(wc -l <"$dir/err") lines"
scripts=$((scripts + 1))

# ---- a call that does not return
# The watchdog waits 10 s of CPU time: in the background, looked at in the end. The unit test
# budget_test has more of these and less patience.
printf '\nlocal s = ("a"):rep(30000)\ns:find(".-.-.-.-.-b")\n' >"$dir/waits.lua"
{
    timeout 300 "$sim" -a "$dir/waits.lua" --describe >"$dir/waits.out" 2>"$dir/waits.err" || echo $? >"$dir/waits.status"
} &

# ---- what would wait for another process
mkfifo "$dir/pipe.lua"
refused "there is no 'pipe.lua'" 'include "pipe.lua"'
refused "there is no '/dev/zero.lua'" 'include "/dev/zero.lua"'

# ---- what runs without end
refused "$work" 'while true do end'
refused "$work" 'local function f() return f() end f()'
refused 'stack overflow' 'local function f() return 1 + f() end f()'
refused 'stack overflow' 'local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x'
refused 'pattern too complex' 'string.match(("a"):rep(300), ("a?"):rep(300) .. "b")'
refused "$work" 'table.concat(setmetatable({}, {__index = function() return "" end}), "", 1, 1e15)'
refused "$full|$work" 'table.sort(setmetatable({}, {__len = function() return 1 << 30 end,
    __index = function() return 1 end}))'
refused "$work" 'while true do local t = {} for i = 1, 100 do t[i] = 101 - i end table.sort(t) end'
refused "$work" 'while true do for k in pairs{a = 1} do end end'
refused "$work" 'while true do local s = ("x"):upper():find("x*y") end'
refused 'too many results to unpack' 'table.unpack({}, 1, 1e7)'
refused 'string slice too long' 'string.byte(("x"):rep(1e7), 1, -1)'
refused 'string slice too long' 'utf8.codepoint(("x"):rep(1e7), 1, -1)'
refused 'too many results' 'string.unpack(("b"):rep(1e7), ("x"):rep(1e7))'
refused 'stack overflow' 'local function f(n, ...) return f(n - 1, 1, table.unpack({...}, 1, 5)) + 1 end f(1e6)'

# ---- what outlives the script, or its budget
refused 'no finalizers' 'setmetatable({}, {__gc = function() while true do end end})'
refused '.' 'getmetatable(tile("t")).__gc = function() while true do end end'
refused "$work" 'local function endless() while true do end end
local a <close> = setmetatable({}, {__close = endless})
local b <close> = setmetatable({}, {__close = endless})
endless()'
refused 'first' 'local a <close> = setmetatable({}, {__close = function() error("first") end})'
refused "$work" 'local a <close> = setmetatable({}, {__close = function() while true do end end})'
refused "$work" 'error(setmetatable({}, {__tostring = function() while true do end end}) ..
    setmetatable({}, {__concat = function() while true do end end}))'

# ---- memory
refused "$full" 'local t = {} for i = 1, 1e9 do t[i] = {} end'
refused "$full" 'local s = "x" while true do s = s .. s end'
refused "$full" 'local doc = ("d"):rep(1000)
while true do option{name = "o", default = 1, doc = doc} end'
refused "$full" 'string.rep("x", 2e9)'
refused 'resulting string too large' 'string.rep("x", 1e15)'

# ---- what there is, is as in Lua: the script ends with "all is well"
refused 'all is well$' '
local function is(a, b) if a ~= b then error(tostring(a) .. " is not " .. tostring(b), 2) end end
local function list(...) local t = {...} for i = 1, select("#", ...) do t[i] = tostring(t[i]) end return table.concat(t, ",") end
is(list(("hello world"):find("o w")), "5,7")
is(list(("hello"):find("l+")), "3,4")
is(list(("hello"):find("xyz")), "nil")
is(list(("hello"):find("")), "1,0")
is(list(("hello"):find("", 10)), "nil")
is(list(("hello"):find("", 6)), "6,5")
is(list(("a.b"):find(".", 1, true)), "2,2")
is(list(("a.b"):find("%.")), "2,2")
is(list(("key = value"):match("^(%w+)%s*=%s*(%w+)$")), "key,value")
is(list(("hello"):match("()ll()")), "3,5")
is(list(("hello"):match("(h)(e)(l)%3")), "h,e,l")
is(("  trim  "):match("^%s*(.-)%s*$"), "trim")
is(("f(a(b)c)d"):match("%b()"), "(a(b)c)")
is(("THE (quick) fox"):find("%f[%a]%a+%f[%A]", 5), 6)
is(("[]]"):match("[]]+"), "]]")
is(("a-b"):match("[a-]+"), "a-")
is(("x^y"):match("[%^x]+"), "x^")
is(("abc123"):match("[^%d]+"), "abc")
is(("0x1F"):match("^0[xX](%x+)$"), "1F")
is(("aXb"):match("%u"), "X")
is(("a\0b"):match("a(%z)b") == "\0", true)
is(("aaa"):match("^a?a?a?a?$"), "aaa")
is(("aaab"):match("a-b"), "aaab")
is(list(("abc"):gsub("%w", "%0%0")), "aabbcc,3")
is(list(("abc"):gsub("", "-")), "-a-b-c-,4")
is(list(("hello world"):gsub("o", {o = "0"}, 1)), "hell0 world,1")
is(list(("hello"):gsub("l", function(c) return c == "l" and "L" end)), "heLLo,2")
is(list(("abc"):gsub("(a)(b)", "%2%1")), "bac,1")
is(list(("a b"):gsub("^%s*", "")), "a b,1")
is(list(("abc abc"):gsub("^abc", "x")), "x abc,1")
is(list(("50%"):gsub("%%", "%%%%")), "50%%,1")
local words = {}
for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do words[#words + 1] = k .. v end
is(table.concat(words, " "), "a1 b2")
local n = 0
for _ in ("abc"):gmatch("") do n = n + 1 end
is(n, 4)
local t = {5, 3, 9, 1, 1, 7}
table.sort(t)
is(table.concat(t, " "), "1 1 3 5 7 9")
table.sort(t, function(a, b) return a > b end)
is(table.concat(t, " "), "9 7 5 3 1 1")
table.sort(t, function() return true end) -- no order; ends all the same
for size = 0, 40 do
  local u = {}
  for i = 1, size do u[i] = i * 7919 % 41 end
  table.sort(u)
  for i = 2, size do is(u[i - 1] <= u[i], true) end
end
table.insert(t, 1, 0) table.insert(t, 8) is(#t, 8) is(table.remove(t), 8) is(table.remove(t, 1), 0)
is(table.concat(table.move({1, 2, 3}, 1, 3, 2), " "), "1 1 2 3")
is(select("#", table.unpack({}, 1, 250)), 250)
is(("abc"):byte(-1), 99) is(("ab"):rep(2, "-"), "ab-ab") is((""):rep(1000), "")
is(getmetatable(tile("t")), "protected")
is(string.format("%5.1f %s %q %%p", 2, nil, "a"), [[  2.0 nil "a" %p]])
error("all is well")'
refused 'malformed pattern \(ends with' 'string.find("a", "%")'
refused 'malformed pattern \(missing .\]' 'string.find("a", "[a")'
refused 'unfinished capture' 'string.find("a", "(a")'
refused 'invalid pattern capture' 'string.match("a", "a)")'
refused 'invalid capture index' 'string.find("a", "(a)%2")'
refused 'missing .\[' 'string.find("a", "%fa")'
refused 'too many captures' 'string.find("a", ("()"):rep(33))'
refused 'invalid use of' 'string.gsub("a", "a", "%x")'
refused 'invalid replacement value' 'string.gsub("a", "a", {a = {}})'
refused "bad argument #1 to 'concat'" 'table.concat(1)'
refused "bad argument #2 to 'find'" 'string.find("a", {})'

# What Lua does not do itself here is told as the script's line, too.
refused "bad argument #2 to 'format'" 'string.format("%d", "x")'
refused 'compare' 'table.sort({1, {}})'
refused 'expected a table' 'table.sort(1)'
refused 'bad argument|expected' 'pairs(nil)'
refused 'bad argument|expected' 'for k in pairs(1) do end'
refused 'bad argument #1' 'setmetatable(1, {})'
refused 'no value|bad argument' 'tostring(setmetatable({}, {__name = 1}), error("no value"))'

# ---- the same chip each time, whatever is equal in its order
cat >"$dir/same.lua" <<'END'
local units = {}
for i = 1, 500 do units[i] = {rank = i % 3, name = "t" .. i} end
table.sort(units, function(a, b) return a.rank < b.rank end)
local text = {}
for i, u in ipairs(units) do text[i] = u.name end
error(table.concat(text, " "))
END
"$sim" -a "$dir/same.lua" --describe 2>"$dir/first" || true
for _ in 1 2 3 4 5; do
    "$sim" -a "$dir/same.lua" --describe 2>"$dir/again" || true
    cmp "$dir/first" "$dir/again" || failures=$((failures + 1))
done
wait
if [ "$(cat "$dir/waits.status")" != 201 ] || [ "$(wc -l <"$dir/waits.err")" -ne 1 ] ||
    ! grep -q 'waits.lua:3: the script is stopped after 10 s' "$dir/waits.err"; then
    echo "FAIL: a call that does not return: $(cat "$dir/waits.status" "$dir/waits.err")"
    failures=$((failures + 1))
fi
echo "$scripts scripts were refused in one line"
