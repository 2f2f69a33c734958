#!/usr/bin/env python3
"""coverage.py OBJDUMP ELF...: the programs have every instruction of the tables.

Compares instruction words in the .text of rv32-* and rv64-* ELF files with
match and mask of the rows of sim/isa/rv.def and rvc.def. Status 1: some row has
no word on some XLEN that it is of.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "..", "..")
NUMBER = r"(0x[0-9a-f]+)"


def rows_of(table, pattern):
    """(name, match, mask, XLEN or 0, base) of each row, in the table's order."""
    with open(os.path.join(TABLES, table), encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    for found in re.finditer(pattern, text):
        row = found.groupdict()
        xlen = re.search(r"(32|64)$", row["xlen"].strip())
        yield (row["id"], int(row["match"], 16), int(row["mask"], 16),
               int(xlen.group(1)) if xlen else 0, row.get("base"))


def base_rows():
    kinds = r"RV(?:_F?LOAD|_F?STORE|_AMO)?"
    plain = rf'^{kinds}\((?P<id>\w+),\s*"[^"]*",\s*(?P<match>0x\w+),\s*' \
            rf'(?P<mask>0x\w+),\s*"[^"]*",\s*(?:[a-z]+,\s*)?(?P<xlen>[A-Z]\w*)'
    return list(rows_of("rv.def", "(?m)" + plain))


def compressed_rows():
    plain = r'(?m)^RVC\("(?P<id>[^"]*)",\s*(?P<match>0x\w+),\s*(?P<mask>0x\w+),' \
            r'\s*(?P<base>\w+),.*,\s*(?P<xlen>\d+)\)'
    return list(rows_of("rvc.def", plain))


def words_of(objdump, elf):
    """Instruction words of an ELF file, of 16 or 32 bits."""
    text = subprocess.run([objdump, "-d", "-j", ".text", elf], check=True,
                          capture_output=True, text=True).stdout
    for found in re.finditer(r"(?m)^\s*[0-9a-f]+:\s+([0-9a-f]{4,8})\s", text):
        yield int(found.group(1), 16)


def missing(rows, words, xlen):
    """Names of rows that no word belongs to; the first row that matches wins."""
    seen = set()
    mine = [row for row in rows if row[3] in (0, xlen)]
    for word in words:
        for row in mine:
            if word & row[2] == row[1]:
                seen.add(row)
                break
    return [f"{row[0]} ({row[1]:#x})" for row in mine
            if row not in seen and row[4] != "illegal"]


def main():
    objdump, elves = sys.argv[1], sys.argv[2:]
    base, compressed = base_rows(), compressed_rows()
    if len(base) < 150 or len(compressed) < 40:
        sys.exit("coverage.py: rv.def or rvc.def: expected rows in another form")
    status = 0
    for xlen in 32, 64:
        words = set()
        for elf in elves:
            if os.path.basename(elf).startswith(f"rv{xlen}-"):
                words.update(words_of(objdump, elf))
        lacking = missing(base, [w for w in words if w & 3 == 3], xlen) + \
            missing(compressed, [w for w in words if w & 3 != 3], xlen)
        if lacking:
            print(f"FAIL: rv{xlen}: no program has", ", ".join(lacking))
            status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
