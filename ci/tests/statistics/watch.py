#!/usr/bin/env python3
"""Runs COMMAND..., which writes into DIR, and reads that all the time.

    watch.py DIR COMMAND...

Tables that grow have their header and end with a line whenever they are there; other
files are complete as soon as they have their name. Prints how many states of
intervals.csv were seen, and how much memory the command took, in KiB.
"""
import json
import os
import resource
import subprocess
import sys

HEADERS = {"intervals.csv": b"cycle,group,stat,value\n",
           "unit-intervals.csv": b"cycle,unit,stat,value\n"}


def fail(text):
    sys.exit(f"FAIL: {text}")


class Table:
    def __init__(self, path, header):
        self.path, self.header, self.file, self.states = path, header, None, set()

    def look(self):
        if self.file is None:
            try:
                self.file = os.open(self.path, os.O_RDONLY)
            except FileNotFoundError:
                return
            head = os.pread(self.file, len(self.header), 0)
            if head != self.header:
                fail(f"{self.path} begins with {head}")
        size = os.lseek(self.file, 0, os.SEEK_END)
        self.states.add(size)
        if os.pread(self.file, 1, size - 1) != b"\n":
            fail(f"{self.path}: {size} bytes do not end with a line")


def look_at_whole(path):
    try:
        with open(f"{path}/stats.json") as file:
            json.load(file)
        with open(f"{path}/stats.txt") as file:
            if not file.read().endswith("End Simulation Statistics   ----------\n"):
                fail("stats.txt is not complete")
    except FileNotFoundError:
        pass


def main():
    path, command = sys.argv[1], sys.argv[2:]
    tables = [Table(f"{path}/{name}", header) for name, header in HEADERS.items()]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        for _ in range(200):
            for table in tables:
                table.look()
        look_at_whole(path)
    if process.returncode:
        fail(f"status {process.returncode}")
    print(len(tables[0].states),
          resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


main()
