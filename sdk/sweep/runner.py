"""
corbel-sweep run: runs points one after the other. Running one again changes
nothing: what is done stays, what was saved goes on, what has failed waits
until it is asked for. A result appears by one rename.
"""
import os
import shlex
import shutil
import signal
import time

from . import child, files, figures, sim
from .claim import Claim
from .store import BEGUN, CHECKPOINT, DONE, FAILED as POINT_FAILED, Store
from .wrong import AGAIN, BUSY, FAILED, HOST, USAGE, Wrong, host_failure

OUT, SAID, LOG = "run", "said.txt", "log.txt"
HOST_FAILURE, BAD_INPUT = 205, 201  # of sim-run
# By which schedulers tell how many processors a task has.
PROCESSORS = ("SLURM_CPUS_PER_TASK", "PBS_NCPUS", "NSLOTS",
              "LSB_DJOB_NUMPROC", "OMP_NUM_THREADS")


def threads():
    for name in PROCESSORS:
        value = os.environ.get(name, "")
        if value.isdigit() and int(value):
            return int(value)
    return 1


class Runner:
    def __init__(self, folder, options):
        self.store = Store(os.path.abspath(folder))
        self.sweep = self.store.load()
        self.again, self.quiet = options.again, options.quiet
        self.threads = options.threads or threads()
        self.scratch = options.scratch and os.path.abspath(options.scratch)
        self.program = sim.find(options.sim or self.sweep["sim"])
        self.version = sim.version(self.program)
        if self.version != self.sweep["version"]:
            raise Wrong(f"{self.program}: {self.version}, but the points were "
                        f"planned for {self.sweep['version']}: plan again")
        self.chips = {}

    # ---- one point ----

    def command(self, point, resume):
        host = ["-o", OUT, "-j", str(self.threads)]
        if self.saves(point):
            host += ["--checkpoint", CHECKPOINT, "--checkpoint-every",
                     f"{self.sweep['checkpoint']}s"]
        if resume:
            return [self.program, "--resume", CHECKPOINT, *host]
        seed = point["permute"]
        return [self.program, *host,
                *sim.chip_words(point["arch"], point["settings"]),
                *(["--permute", str(seed)] if seed else []),
                *point["options"], self.store.path("inputs", point["elf"]),
                *point["arguments"]]

    def saves(self, point):
        """Without timing a checkpoint would be the end of a run."""
        return self.sweep["checkpoint"] and \
            "--functional" not in point["options"]

    def check_chip(self, point):
        """The script of a chip is not kept with the points."""
        arch = point["arch"]
        if not os.path.isabs(arch):
            return
        settings = point["settings"]
        own = arch, *settings[:len(settings) - point["varied"]]
        if own not in self.chips:
            self.chips[own] = files.digest_of(sim.description(
                self.program, arch, own[1:]))
        if self.chips[own] != point["chip_hash"]:
            raise Wrong(f"{arch}: it has changed since it was planned: plan "
                        "again")

    def prepare(self, point, work):
        """The folder in which it runs, with what it reads. True: it goes on."""
        files.make_folder(work)
        for name, kept in point["files"].items():
            if not os.path.exists(os.path.join(work, name)):
                files.place(self.store.path("inputs", kept),
                            os.path.join(work, name))
        return os.path.exists(os.path.join(work, CHECKPOINT))

    def begin_log(self, point, work, resume):
        seed = point["permute"]
        about = ", ".join([f"point {point['point']}",
                           *([f"--permute {seed}"] if seed else []),
                           f"key {point['key'][:16]}",
                           *(f"{n} {v}" for n, v in
                             point["coordinates"].items() if v != "")])
        with open(os.path.join(work, LOG), "a", encoding="utf-8") as log:
            log.write(f"# {about}{', goes on' if resume else ''}\n# "
                      f"{shlex.join(self.command(point, resume))}\n")

    def run_once(self, point, work, claim, signals):
        """The status of sim-run, None: a signal came before its end."""
        resume = self.prepare(point, work)
        self.begin_log(point, work, resume)
        if not resume:
            files.remove(os.path.join(work, SAID))
        process = child.start(self.command(point, resume), work,
                              os.path.join(work, SAID),
                              os.path.join(work, LOG))
        saved = os.path.join(work, CHECKPOINT)
        if not child.watch(process, saved if self.saves(point) else None,
                           claim, signals):
            return None
        if resume and process.returncode == BAD_INPUT:
            files.remove(saved)
            return self.run_once(point, work, claim, signals)
        return process.returncode

    def finish(self, point, work, name, began):
        """The folder becomes a result, or a failure."""
        for extra in (*point["files"], CHECKPOINT, CHECKPOINT + ".undo",
                      CHECKPOINT + ".old"):
            files.remove(os.path.join(work, extra))
        number = point["point"]
        if name == "result":
            figures.keep(work, OUT, self.sweep["figures"], {
                "key": point["key"], "version": self.version,
                "host": {"node": os.uname().nodename,
                         "seconds": time.monotonic() - began}})
        final = self.store.point_path(number, name)
        if self.scratch:
            moved = files.own_name(final)
            shutil.copytree(work, moved)
            files.remove(work)
            work = moved
        try:
            os.rename(work, final)
        except OSError as error:
            if not os.path.isdir(final):
                raise host_failure(error, final) from None
            files.remove(work)  # another process was first
        files.remove(self.store.point_path(number, BEGUN))

    def work_folder(self, number):
        """On the machine's own disk what was saved before is fetched."""
        kept = self.store.point_path(number, BEGUN)
        if not self.scratch:
            return kept
        own = os.path.join(self.scratch, f"corbel-sweep-{os.getuid()}",
                           f"{number}-{os.getpid()}")
        files.remove(own)
        files.make_folder(os.path.dirname(own))
        if os.path.isdir(kept):
            shutil.copytree(kept, own)
        return own

    def bring_back(self, number, work):
        """What was saved on the machine's own disk, whole."""
        if not self.scratch:
            return
        kept = self.store.point_path(number, BEGUN)
        new = files.own_name(kept)
        shutil.copytree(work, new)
        files.remove(work)
        files.remove(kept)
        os.rename(new, kept)

    def point(self, number, signals):
        """Its status, as corbel-sweep ends with it."""
        point = self.store.point(number)
        if not point:
            raise Wrong(f"{self.store.folder}: there is no point {number}")
        state = self.store.state(number)
        if state == DONE:
            return 0
        if state == POINT_FAILED and not self.again:
            return FAILED
        claim = Claim(self.store, number)
        if not claim.take():
            return BUSY
        try:
            if self.store.state(number) == DONE:
                return 0
            return self.claimed(point, claim, signals)
        except OSError as error:
            raise host_failure(error) from None
        finally:
            claim.give_up()

    def claimed(self, point, claim, signals):
        number = point["point"]
        self.check_chip(point)
        files.remove(self.store.point_path(number, "failed"))
        work, began = self.work_folder(number), time.monotonic()
        try:
            status = self.run_once(point, work, claim, signals)
        except BaseException:
            if self.scratch:
                files.remove(work)
            raise
        if status is None:
            self.bring_back(number, work)
            return AGAIN
        if status in (HOST_FAILURE, -signal.SIGKILL):
            self.bring_back(number, work)
            raise Wrong(f"point {number}: sim-run " + (
                "was killed" if status < 0 else "could not go on") +
                f", see {self.store.point_path(number, BEGUN, LOG)}; it runs "
                "when it is started again", HOST)
        self.finish(point, work, "failed" if status else "result", began)
        if status and not self.quiet:
            self.tell(number, status)
        return FAILED if status else 0

    def tell(self, number, status):
        log = self.store.point_path(number, "failed", LOG)
        said = [line for line in files.read(log).splitlines()
                if line.startswith("sim-run: ")]
        print(f"corbel-sweep: point {number}: status {status}" +
              (f": {said[-1]}" if said else f", see {log}"), flush=True)


def chosen(store, words, count):
    """Numbers of points: N, N-M, or all that are planned."""
    if not words:
        return [p["point"] for p in store.points()]
    numbers = []
    for word in words:
        first, dash, last = word.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise Wrong(f"{word}: expected the number of a point, or a range "
                        "as 0-99")
        ends = int(first), int(last or first)
        if ends[1] >= count or ends[0] > ends[1]:
            raise Wrong(f"{word}: expected points of 0 to {count - 1}")
        numbers += range(ends[0], ends[1] + 1)
    return numbers


def task_points(store, task, each):
    """Points of the task with that number, from 0 on."""
    numbers = [p["point"] for p in store.points()]
    return numbers[task * each:(task + 1) * each]


def run(folder, words, options):
    """The status: that a signal came counts most, then what is worst."""
    runner = Runner(folder, options)
    if options.task is not None:
        if words:
            raise Wrong("--task: not with numbers of points")
        numbers = task_points(runner.store, options.task, options.per_task)
    else:
        numbers = chosen(runner.store, words, runner.sweep["count"])
    worst, trouble = 0, None
    with child.Signals() as signals:
        for number in numbers:
            if signals.asked():
                return AGAIN
            try:
                status = runner.point(number, signals)
            except Wrong as wrong:
                if wrong.status == USAGE:
                    raise
                trouble, status = trouble or wrong, wrong.status
                if "No space left" in str(wrong):
                    raise
            if status == AGAIN:
                return AGAIN
            worst = max(worst, status)
    if trouble:
        raise trouble
    return worst
