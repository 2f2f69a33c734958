#!/usr/bin/env python3
"""Sources and words for rtp-gas.sh.

words.py expected FILE    the words behind @@ in a source, one a line
words.py messages FILE    what the assembler must say of each line
words.py source           disassembly (stdin) as a source (stdout)
words.py random N         N pseudo-random .word lines, the same every time
words.py golden FILE.s FILE.words CASES...
                          all programs of the cases as one source, its labels
                          made unique, and the words that they must become
"""
import gzip
import json
import os
import re
import sys

BRANCHES = "be bne bl bge bg ble jmp".split()


def marked(path):
    for number, line in enumerate(open(path), 1):
        if " @@ " in line and not line.startswith("@"):
            yield number, line.split(" @@ ", 1)[1].strip()


def expected(path):
    for _, words in marked(path):
        if words != "none":
            print(words.replace(" ", "\n"))


def messages(path):
    name = os.path.basename(path)
    for number, text in marked(path):
        kind = "" if text.startswith("Warning") else "Error: "
        print(f"{name}:{number}: {kind}{text}")


def source():
    for line in sys.stdin:
        match = re.match(r" *([0-9a-f]+):\t([0-9a-f]{8}) *\t(\S+) ?(\S*)", line)
        if not match:
            continue
        address, word, mnemonic, operands = match.groups()
        if mnemonic in BRANCHES:
            distance = int(operands, 16) - int(address, 16) - 4
            if distance % 4:  # the assembler takes none
                print(f"\t.word 0x{word}")
                continue
            operands = f"#{(distance + (1 << 31)) % (1 << 32) - (1 << 31)}"
        print(f"\t{mnemonic} {operands}")


def random_words(count):
    state = 1
    for _ in range(count):
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        print(f"\t.word {state >> 32:#x}")


def unique(asm, prefix):
    for line in asm.splitlines():
        label, colon, statement = line.rpartition(":")
        words = statement.split()
        if words and words[0] in BRANCHES + ["jmp_link"]:
            statement = f" {words[0]} {prefix}{words[1]}"
        yield (prefix + label.strip() + colon if colon else "") + " " + statement


def golden(source_path, words_path, cases):
    with open(source_path, "w") as asm, open(words_path, "w") as words:
        for index, path in enumerate(cases):
            for number, line in enumerate(gzip.open(path, "rt")):
                case = json.loads(line)
                prefix = f"case{index}_{number}_"
                asm.write("\n".join(unique(case["asm"], prefix)) + "\n")
                words.write("\n".join(case["words"]) + "\n")


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "random":
        random_words(int(arguments[0]))
    elif command == "golden":
        golden(arguments[0], arguments[1], arguments[2:])
    else:
        {"expected": expected, "messages": messages, "source": source}[command](*arguments)
