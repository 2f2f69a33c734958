#!/usr/bin/env python3
"""check.py B SCRIPT...: tests begin as they should, and name what they use.

B is the build folder as make calls it. Says of each script, a line each:
  - that it has no area, or one that is not in the table of docs/reference/testing.md;
  - that it does not source ci/tests/head (or another file without an ending there, which
    does), or defines anew what head gives;
  - programs of B that it calls, itself or in a script of ci/ that it calls, and that none
    of its lines `# ci: needs` (or `# ci: makes`, of what it makes itself) has.
Exit status: 0 nothing to say, 1 something, 2 usage.
"""
import os
import re
import subprocess
import sys

OWN = {"sets -euo pipefail itself": r"^set -e",
       "defines fail, complain or skip": r"^\s*(fail|complain|skip)\(\)",
       "makes its temporary folder itself": r"\bdir=.*mktemp",
       "says skip itself": r"echo \"?(\S+ )?(skip|skipped):.*exit 77"}


def rules(build):
    """Prerequisites of each target, as make reads them."""
    said = subprocess.run(["make", "-pnq", f"B={build}", "help"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, errors="replace").stdout
    known = {}
    for line in said.splitlines():
        if match := re.match(r"([^\s#:=][^:=#]*):(?!=)\s*([^=]*)$", line):
            for target in match[1].split():
                known.setdefault(target, set()).update(match[2].replace("|", " ").split())
    return known


def closure(known, targets):
    seen, todo = set(), list(targets)
    while todo:
        if (target := todo.pop()) not in seen:
            seen.add(target)
            todo.extend(known.get(target, ()))
    return seen


def code(text):
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def uses(text, tools, samples):
    """Files below the build folder: tools, and samples of which the target may be any."""
    found = {f"bin/{name}" for name in tools
             if re.search(r"[/{,]" + re.escape(name) + r"(?![\w.+/-])", text)}
    if re.search(r"\$\{?sim\b", text):
        found.add("bin/sim-run")
    if re.search(r"\$\{?sim\}?-stalls\b", text):
        found.add("bin/sim-run-stalls")
    for name in samples:
        if re.search(r"(samples|native|rv64|rv32|rv64d|\$S|\bS)\}?\"?/" + name + r"(?![\w./-])", text):
            found.add(f"samples/*/{name}")
    return found


def with_called(text):
    """The script and those of ci/ that it calls."""
    for path in sorted(set(re.findall(r"(?<![\w/])ci/[\w/-]+", text))):
        if os.path.isfile(path) and os.access(path, os.X_OK) and path != "ci/variant":
            with open(path, errors="replace") as file:
                text += "\n" + code(file.read())
    return text


def made(file, have):
    if "*" not in file:
        return file in have
    name = file.rsplit("/", 1)[1]
    return any(f"samples/{target}/{name}" in have for target in ("native", "rv64", "rv32", "rv64d"))


def check(script, build, known, tools, samples, areas):
    with open(script) as file:
        text = file.read()
    head = re.match(r"(#.*\n)*", text)[0]
    own = code(text)
    complaints = [what for what, how in OWN.items() if re.search(how, own, re.M)]
    if not re.search(r"^(\. ci/tests/[a-z]+$|exec ci/guide-(copy|built) .*)", own, re.M):
        complaints.append("does not begin with `. ci/tests/head`")
    if sourced := re.search(r"^\. (ci/tests/[a-z]+)$", own, re.M):
        with open(sourced[1]) as file:
            head += file.read()
    said = " ".join(re.findall(r"^# ci: area (.*)", head, re.M)).split()
    if not said:
        complaints.append("has no area: expected a line `# ci: area WORD...`")
    complaints += [f"is of {word}, an area that docs/reference/testing.md does not have"
                   for word in said if word not in areas]
    needs = " ".join(re.findall(r"^# ci: (?:needs|makes) (.*)", head, re.M)).split()
    targets = [f"{build}/{name}" if "/" in name else name for name in needs]
    # The toolchain's own make has other rules, but it makes these, too.
    have = closure(known, targets + (["sdk-commands", "runtime"] if "toolchain" in needs else []))
    have = {name[len(build) + 1:] for name in have if name.startswith(f"{build}/")}
    for name in targets:
        if name not in known:
            complaints.append(f"needs {name}, which make does not know")
    if "exec ci/guide" in own:
        return complaints
    if re.search(r"toolchain/(tools|riscv)/", own) and "toolchain" not in needs and \
            not any(name.startswith("toolchain/ready/") for name in have):
        complaints.append("uses the toolchain, which no line `# ci: needs` makes")
    for file in sorted(uses(with_called(own), tools, samples)):
        if not made(file, have):
            complaints.append(f"uses {file}, which no line `# ci: needs` makes")
        elif file in ("bin/corbel-gcc", "bin/corbel-g++") and \
                "lib/corbel/target/rv64.ready" not in have:
            complaints.append(f"uses {file} without its libraries: expected `# ci: needs runtime`")
    return complaints


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, scripts = sys.argv[1], sys.argv[2:]
    known = rules(build)
    tools = {name.rsplit("/", 1)[1] for name in known if name.startswith(f"{build}/bin/")}
    samples = {name.rsplit("/", 1)[1] for name in known
               if re.match(re.escape(build) + r"/samples/(rv64|rtp)/[\w-]+$", name)}
    if not tools or not samples:
        sys.exit(f"make names no programs in {build}")
    with open("docs/reference/testing.md") as file:
        areas = set(re.findall(r"^\| `([a-z]+)` \|", file.read(), re.M))
    bad = False
    for script in scripts:
        for complaint in check(script, build, known, tools, samples, areas):
            print(f"{script}: {complaint}")
            bad = True
    sys.exit(bad)


main()
