#!/usr/bin/env python3
"""picture.py PROGRAM FILE: runs a linked program in the model of ci/rtp and
writes the results, four floats for each pixel of the picture whose width and
height are the first two constants. Prints the cycles."""
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "rtp"))

from chip import Chip  # noqa: E402
from memory import Program  # noqa: E402


def segments(elf):
    """The words of the segments of an ELF file, by address."""
    at, count = struct.unpack_from("<I", elf, 28)[0], struct.unpack_from("<H", elf, 44)[0]
    found = {}
    for header in range(count):
        kind, offset, address, _, size = struct.unpack_from("<5I", elf, at + 32 * header)
        if kind == 1:
            found[address] = struct.unpack_from(f"<{size // 4}I", elf, offset)
    return found


def triangles(words):
    """Vertices and shader word of each triangle."""
    records = [words[k:k + 4] for k in range(0, len(words), 4)]
    end = next(k for k, record in enumerate(records) if record[3] == 0)
    vertices = [record[:3] for record in records[end + 1:]]
    return [[*(vertices[k] for k in record[:3]), record[3]] for record in records[:end]]


def main(program, picture):
    parts = segments(Path(program).read_bytes())
    constants = parts[0x20000000]
    pixels = constants[0] * constants[1]
    chip = Chip(Program(parts[0], constants), triangles(parts[0x40000000]), 4, 4)
    _, cycles = chip.run(pixels)
    results = [slot for patch in chip.outputs for slot in patch][:pixels]
    Path(picture).write_bytes(b"".join(struct.pack("<4I", *slot) for slot in results))
    print(cycles)


main(*sys.argv[1:])
