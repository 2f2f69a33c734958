"""
Scenes, rays and runs of the simulator, each made once: it lies in a place that
is named after a hash of all that it depends on (programs, files, options, the
chip's description), and gets there complete, by a rename. So what an
interrupted study left is either whole or not there, and a change of anything
makes anew what depends on it and nothing else.
"""
import functools
import hashlib
import json
import os
import shutil
import subprocess
import threading
from concurrent.futures import Future

import chip as chips
import figures
import series
from chip import Wrong

SAID = "said.txt"  # what the program wrote to stdout
FOLDERS = ("scenes", "rays", "hits", "runs")


@functools.cache
def content(path):
    """Hash of a file. Files do not change while a study runs."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None


def digest(*parts):
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


class Stopped(Exception):
    """The study ends before its time."""


class Programs:
    """Runs programs, and ends those that run when the study is stopped."""

    def __init__(self):
        self.running, self.stopped = set(), False
        self.lock = threading.Lock()

    def run(self, command):
        with self.lock:
            if self.stopped:
                raise Stopped
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, errors="replace")
            self.running.add(process)
        out, err = process.communicate()
        with self.lock:
            self.running.discard(process)
            if self.stopped:
                raise Stopped
        if process.returncode:
            said = err.strip().splitlines() or ["nothing on stderr"]
            raise Wrong(f"{' '.join(command)}: status {process.returncode}: "
                        f"{said[-1]}")
        return out

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                process.kill()


class Workshop:
    """Where things are made. jobs at a time; threads of the host for each."""

    def __init__(self, build, out, scenes, plan, threads, jobs, sim):
        self.out, self.scenes, self.plan = out, scenes, plan
        self.threads, self.jobs, self.sim = threads, jobs, sim
        self.convert = f"{build}/bin/corbel-scene"
        self.rays = f"{build}/bin/corbel-rays"
        self.samples = f"{build}/samples"
        self.native = f"{self.samples}/native/replay"
        self.programs = Programs()
        self.made, self.lock = {}, threading.Lock()
        self.ran = 0  # runs of the simulator that were not there
        for folder in FOLDERS:
            os.makedirs(f"{out}/{folder}", exist_ok=True)

    def once(self, key, make):
        """make() by the first thread that asks; the others wait for it."""
        with self.lock:
            first = key not in self.made
            future = self.made.setdefault(key, Future())
        if first:
            try:
                future.set_result(make())
            except BaseException as error:
                future.set_exception(error)
        return future.result()

    # ---- scenes and rays ----

    def file(self, path, command, said=False):
        """
        The file, made by the command, the file's name at {} of it; or what
        the command writes to stdout.
        """
        def make():
            if not os.path.exists(path):
                new = f"{path}.new.{os.getpid()}"
                try:
                    out = self.programs.run([new if word == "{}" else word
                                             for word in command])
                    if said:
                        with open(new, "w", encoding="utf-8") as file:
                            file.write(out)
                    os.replace(new, path)
                finally:
                    if os.path.exists(new):
                        os.remove(new)
            return path
        return self.once(path, make)

    def scene(self, name, convert):
        about = self.plan.plan["scenes"][name]
        if mesh := self.plan.mesh(name):
            source = f"{self.scenes}/{mesh}"
            command = ["convert", source, "{}", *convert]
            key = digest(content(self.convert), content(source), convert)
        else:
            kind, *options = about["generate"]
            command = ["generate", kind, "{}", *options, *convert]
            key = digest(content(self.convert), command)
        return self.file(f"{self.out}/scenes/{name}-{key}.scene",
                         [self.convert, *command])

    def ray_file(self, name, kind, across):
        scene = self.scene(name, self.plan.reference())
        options = ["--kind", kind, "--size", across,
                   *self.plan.plan["scenes"][name]["camera"],
                   *self.plan.plan["rays"]["options"]]
        key = digest(content(self.rays), content(scene), options)
        return self.file(f"{self.out}/rays/{name}-{kind}-{across}-{key}.rays",
                         [self.rays, scene, "{}", *options])

    def native_hits(self, case):
        """Number and hash of the hits of the case's rays on this machine."""
        scene = self.scene(case.scene, self.plan.reference())
        rays = self.ray_file(case.scene, case.kind, case.across())
        key = digest(content(self.native), content(scene), content(rays))
        path = self.file(
            f"{self.out}/hits/{case.scene}-{case.kind}-{case.across()}-{key}.txt",
            [self.native, scene, rays], said=True)
        with open(path, encoding="utf-8") as file:
            return file.read().strip()

    # ---- the simulator ----

    def program(self, name):
        """The sample, built for the chips."""
        return f"{self.samples}/rv64/{name}"

    def chip_options(self, chip, settings):
        return ["-a", chip, *(word for s in settings for word in ("-s", s))]

    def description(self, chip, settings):
        """What sim-run says of the chip, but where its file is."""
        def make():
            text = self.programs.run([self.sim, *self.chip_options(
                chip, settings), "--describe"])
            return text.split(": ", 1)[1]
        return self.once(("chip", chip, settings), make)

    def describe(self, chip, settings):
        return chips.Chip(self.description(chip, settings))

    def result(self, case):
        """
        What a run left, of what it was made and its figures. Those are computed
        anew each time. Hits have to be those of the native traversal, whatever
        the chip and the format.
        """
        description = self.description(case.preset, case.settings)
        scene = self.scene(case.scene, case.convert)
        rays = self.ray_file(case.scene, case.kind, case.across())
        program = self.program(case.program)
        key = digest(content(self.sim), content(program), description,
                     content(scene), content(rays), case.mode, case.arguments,
                     case.options, case.interval)
        folder = f"{self.out}/runs/{case.preset}-{case.scene}-{case.kind}-{key}"
        command = [self.sim, "--quiet", "-j", str(self.threads),
                   *self.chip_options(case.preset, case.settings), "-o", "{}",
                   *case.options,
                   *(["--interval", str(case.interval)] if case.interval
                     else []),
                   program, scene, rays, "--mode", case.mode, *case.arguments]
        also = ("intervals.csv",) if case.interval else ()
        self.once(folder, lambda: whole(folder, also) or self.simulate(
            folder, command))
        stats, manifest, said = whole(folder)
        native = self.native_hits(case)
        if said != native:
            raise Wrong(f"simulated: {said}; expected as natively: {native}")
        groups = self.describe(case.preset, case.settings).groups
        core = groups.get("rtcore")
        used = core and case.mode == "rt"
        found = {"hits": said, "results_hash": manifest["results_hash"],
                 "figures": figures.compute(
                     stats, case.rays(), self.plan.plan["record_bytes"],
                     core["max_rays"] if used else 0,
                     figures.STREAMS if case.part == "streams" else
                     figures.FIGURES)}
        if case.interval and "streamscheduler" in groups:
            found |= series.compute(f"{folder}/intervals.csv", stats,
                                    groups["streamscheduler"])
        return found

    def simulate(self, folder, command):
        new = f"{folder}.new.{os.getpid()}"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            said = self.programs.run([new if word == "{}" else word
                                      for word in command])
            with open(f"{new}/{SAID}", "w", encoding="utf-8") as file:
                file.write(said)
            if not whole(new):
                raise Wrong(f"{' '.join(command)}: left no statistics")
            os.replace(new, folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
        with self.lock:
            self.ran += 1

    def sweep(self):
        """What studies that were killed have left half-made."""
        for folder in FOLDERS:
            for name in os.listdir(f"{self.out}/{folder}"):
                _, new, process = name.partition(".new.")
                path = f"{self.out}/{folder}/{name}"
                if not new or os.path.exists(f"/proc/{process}"):
                    continue
                if os.path.isdir(path):
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    os.remove(path)


def whole(folder, also=()):
    """
    Statistics and manifest of a run that went to its end, and what it said:
    number and hash of the hits. Else, or without one of the files `also`, None.
    """
    def read(name):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            return file.read()
    try:
        stats, manifest = (json.loads(read(name)) for name in
                           ("stats.json", "manifest.json"))
        said = read(SAID).strip()
    except (OSError, ValueError):
        return None
    ended = manifest.get("ending") == "exit" and "hash" in said
    there = all(os.path.exists(f"{folder}/{name}") for name in also)
    return (stats, manifest, said) if ended and there else None
