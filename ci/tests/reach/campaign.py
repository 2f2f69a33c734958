#!/usr/bin/env python3
"""
Runs program.c with seeds FIRST up to LAST in folders full of links, with all files of a
run among the names that it finds, and looks from outside of the process: nothing outside
of --fs is opened or changed but what an argument names, and what sim-run reads and writes
is where it was meant to be. usage: campaign.py SIM-RUN PROGRAM SCENE FOLDER FIRST LAST
"""
import ctypes
import json
import os
import random
import shlex
import shutil
import stat
import struct
import subprocess
import sys

MARK = b"SECRET of " # which no program has in itself
# Of inotify(7): access, modify, attrib, close_write, open, moved, create, delete.
EVENTS = 0x1 | 0x2 | 0x4 | 0x8 | 0x20 | 0x40 | 0x80 | 0x100 | 0x200
READING = 0x1 | 0x20
libc = ctypes.CDLL(None, use_errno=True)


class Failed(Exception):
    pass


def write(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def make_tree(top, program, scene):
    """fs is the program's, out is not; what of out it may read is given.txt alone."""
    for folder in ("fs/sub/deep", "fs/run", "fs/empty", "out/dir", "out/run"):
        os.makedirs(f"{top}/{folder}")
    for name in ("secret", "dir/secret", "stats.json", "run/stats.json", "run.ck", "log.txt",
                 "chip.lua", "pic.ppm", "in.txt", "sig.txt"):
        write(f"{top}/out/{name}", f"SECRET of {name}\n")
    write(f"{top}/out/given.txt", "given\n")
    write(f"{top}/fs/in.txt", "inside\n")
    write(f"{top}/fs/sub/deep/x", "deep\n")
    write(f"{top}/fs/chip.lua", 'include "tiny"\n')
    write(f"{top}/fs/set.txt", "l1.latency=9\n")
    write(f"{top}/fs/run.ck", "an old one\n")
    shutil.copy(program, f"{top}/fs/prog.elf")
    shutil.copy(scene, f"{top}/fs/c.scene")
    for name, to in (("link", "../out/secret"), ("up", "../out"), ("far", f"{top}/out"),
                     ("etc", "/etc"), ("proc", "/proc"), ("fine", "in.txt"), ("none", "no"),
                     ("new", "../out/new"), ("latest", "run"), ("ck", "run.ck"),
                     ("sub/up", "../../out"), ("stats.json", "../out/stats.json"),
                     ("sub/pic.ppm", "../../out/pic.ppm"), ("turn", "turn")):
        os.symlink(to, f"{top}/fs/{name}")
    os.link(f"{top}/fs/chip.lua", f"{top}/fs/hard.lua")
    os.link(f"{top}/fs/prog.elf", f"{top}/fs/hard.elf")


def snapshot(top):
    """All that can be seen of a tree, but when it was read."""
    seen = {}
    for folder, folders, files in os.walk(top):
        for name in [""] + folders + files:
            path = os.path.join(folder, name)
            s = os.lstat(path)
            seen[path] = (s.st_ino, s.st_mode, s.st_nlink, s.st_size, s.st_mtime_ns,
                          s.st_ctime_ns, read(path) if stat.S_ISREG(s.st_mode) else b"")
    return seen


class Watch:
    """Names of what is opened, read or changed in a tree of real folders."""
    def __init__(self, top):
        self.fd = libc.inotify_init1(os.O_NONBLOCK)
        if self.fd < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        for folder in [f for f, _, _ in os.walk(top)]:
            if libc.inotify_add_watch(self.fd, folder.encode(), EVENTS) < 0:
                raise OSError(ctypes.get_errno(), "inotify_add_watch")

    def events(self):
        found = []
        try:
            while True:
                data, at = os.read(self.fd, 1 << 16), 0
                while at < len(data):
                    _, mask, _, length = struct.unpack_from("iIII", data, at)
                    name = data[at + 16:at + 16 + length].rstrip(b"\0").decode()
                    found.append((name, mask))
                    at += 16 + length
        except BlockingIOError:
            return found
        finally:
            os.close(self.fd)


def check_files(top, before, outdir, saved, ended):
    """What the run reads and writes, by the names that it was given; results, if the last
    one was not refused."""
    for name in ("chip.lua", "hard.lua", "set.txt", "prog.elf", "hard.elf"):
        path = f"{top}/fs/{name}"
        if not os.path.isfile(path) or before[path][0] != os.stat(path).st_ino or \
                before[path][-1] != read(path):
            raise Failed(f"{name} is another one")
    if outdir:
        if os.stat(f"{top}/fs/{outdir}").st_ino != before[f"{top}/fs/run"][0]:
            raise Failed(f"{outdir} is another folder")
        for name in ("stats.json", "manifest.json") if ended else ():
            json.loads(read(f"{top}/fs/run/{name}"))
    if saved is not None:   # else the run has no checkpoint, and this is any file
        start = read(f"{top}/fs/run.ck")[:20]
        if not start.startswith(b"corbel checkpoint" if saved else b"an old one"):
            raise Failed(f"run.ck begins with {start}")
    for folder, _, files in os.walk(f"{top}/fs"):
        for name in files:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path) and MARK in read(path):
                raise Failed(f"{path} has what lies outside")


def run(command, folder, expected):
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False,
                          stdin=subprocess.DEVNULL)
    if MARK in done.stdout or b"LEAK" in done.stdout or MARK in done.stderr:
        raise Failed(f"{shlex.join(command)}: {done.stdout} {done.stderr}")
    if done.returncode not in expected:
        raise Failed(f"{shlex.join(command)}: status {done.returncode}: {done.stderr[-600:]}")
    return done


def go_on(sim, folder, prefix):
    """With the words that a refused --resume wants to be repeated. What the program had open
    may be gone, or be out of its reach: then it is refused as well, in one line."""
    command = [sim, "--quiet", "-j", "1", "--resume", f"{prefix}run.ck"]
    for _ in range(2):
        done = run(command, folder, (0, 201))
        line = done.stderr.decode().strip()
        if not done.returncode:
            return "saved and resumed"
        if "\n" in line:
            raise Failed(f"refused in more than a line: {line}")
        if " repeat " not in line:
            return "saved alone"
        command += shlex.split(line.split(" repeat ", 1)[1])
    raise Failed(f"refused again: {line}")


def arguments(draw, top, prefix):
    """Of the program: names that it has a right to, and those that it has none to yet."""
    names = ["../out/given.txt" if not prefix else "out/given.txt", "pic.ppm", "sub/secret",
             "secret", "given.txt", "in.txt", "c.scene", "empty/secret",
             "dir/secret", "fs", "out", "nothing"]
    draw.shuffle(names)
    return [str(draw.randrange(1 << 30)), str(draw.choice((40, 100, 200))), f"{top}/fs"] + \
        [n for n in names if prefix + n != "run.ck"]


def one(sim, program, scene, top, seed):
    draw = random.Random(seed)
    make_tree(top, program, scene)
    above = draw.random() < 0.3     # the current directory is that above --fs
    prefix = "fs/" if above else ""
    mode = draw.choice(("functional", "functional", "timed", "saved"))
    outdir = draw.choice((None, "run", "latest", "./run", "sub/../run"))
    options = ["--quiet", "-j", "1", "-a", f"{prefix}chip.lua", "-s", f"@{prefix}set.txt"]
    if above:
        options += ["--fs", "fs"]
    if outdir:
        options += ["-o", prefix + outdir]
    if draw.random() < 0.3:
        options += ["--signature", f"{prefix}sig.txt"]
    if mode != "functional" and draw.random() < 0.3:
        options += ["--save-caches", f"{prefix}sub/caches"]
    if outdir and mode != "functional" and draw.random() < 0.3:
        options += ["--interval", "5000", "--profile", "--trace", "harts"]
    words = [f"{prefix}prog.elf"] + arguments(draw, top, prefix)
    folder = top if above else f"{top}/fs"
    before, outside = snapshot(f"{top}/fs"), snapshot(f"{top}/out")
    watch = Watch(f"{top}/out")
    command = [sim] + options
    saved = None
    if mode == "functional":
        run(command + ["--functional"] + words, folder, (0,))
    else:
        save = ["--checkpoint", f"{prefix}run.ck"]
        if mode == "saved":
            save += ["--checkpoint-every", "40000", "--max-cycles", str(draw.randrange(60000, 400000))]
        done = run(command + save + words, folder, (0, 204, 205) if mode == "saved" else (0,))
        saved = read(f"{top}/fs/run.ck")[:6] == b"corbel"
        if mode == "saved":
            mode = go_on(sim, folder, prefix) if done.returncode == 204 and saved else "timed"
    wrong = [e for e in watch.events() if e[0] != "given.txt" or e[1] & ~READING]
    if wrong:
        raise Failed(f"outside of --fs: {wrong}")
    if snapshot(f"{top}/out") != outside:
        raise Failed("what lies outside has changed")
    check_files(top, before, outdir, saved, mode != "saved alone")
    return mode


def main():
    sim, program, scene, work = map(os.path.abspath, sys.argv[1:5])
    counts = {}
    for seed in range(int(sys.argv[5]), int(sys.argv[6])):
        top = f"{work}/{seed}"
        try:
            counted = one(sim, program, scene, top, seed)
        except (Failed, OSError, ValueError) as e:
            print(f"seed {seed}, in {top}: {e}")
            return 1
        counts[counted] = counts.get(counted, 0) + 1
        shutil.rmtree(top)
    told = ", ".join(f"{counts[k]} {k}" for k in sorted(counts))
    print(f"{sum(counts.values())} programs stayed where they may be: {told}")
    return 0


sys.exit(main())
