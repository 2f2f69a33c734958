"""
Who runs a point: a file claim.N beside it, which only one process can make,
on any file system, as it must not be there yet. No lock is held, so none is
left behind: a claim counts as long as its process lives or, seen from another
machine, as it is touched. Who takes over from a dead one makes claim.N+1. The
highest number counts.
"""
import json
import os
import time

from . import files
from .store import listed
from .wrong import host_failure

TOUCHED = 20  # seconds between two touches
SILENT = 180  # seconds without one, after which another machine takes over


def machine():
    """Processes are known by their numbers within this."""
    def read(path):
        try:
            with open(path, encoding="ascii") as file:
                return file.read().strip()
        except OSError:
            return ""
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return [os.uname().nodename, read("/proc/sys/kernel/random/boot_id"),
            space]


def began(process):
    """When it began, in ticks since the machine did; None: it is not there."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii",
                  errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if words[0] in "ZX" else words[19]


class Claim:
    def __init__(self, store, number):
        self.store = store
        self.folder = store.point_path(number)
        self.path = None
        self.touched = time.monotonic()

    def numbers(self):
        return sorted(int(name[6:]) for name in listed(self.folder)
                      if name.startswith("claim.") and name[6:].isdigit())

    def file(self, number):
        return os.path.join(self.folder, f"claim.{number}")

    def now(self):
        """The time of the machine that has the folder."""
        path = files.own_name(os.path.join(self.store.folder, "now"))
        try:
            with open(path, "w", encoding="ascii"):
                pass
            return os.stat(path).st_mtime
        except OSError as error:
            raise host_failure(error) from None
        finally:
            files.remove(path)

    def lives(self, number):
        try:
            with open(self.file(number), encoding="utf-8") as file:
                text = file.read()
            age = self.now() - os.stat(self.file(number)).st_mtime
        except OSError:
            return False  # it has just been given up
        try:
            theirs = json.loads(text)
            if theirs["machine"] == machine():
                return began(theirs["process"]) == theirs["began"]
        except (ValueError, KeyError, TypeError):
            pass  # made, and not written yet
        return age < SILENT

    def take(self):
        """False: another process has it."""
        numbers = self.numbers()
        if numbers and self.lives(numbers[-1]):
            return False
        mine = numbers[-1] + 1 if numbers else 1
        text = json.dumps({"machine": machine(), "process": os.getpid(),
                           "began": began(os.getpid())})
        try:
            handle = os.open(self.file(mine),
                             os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            return False
        except OSError as error:
            raise host_failure(error, self.file(mine)) from None
        self.path = self.file(mine)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            files.remove(self.path)
            raise host_failure(error, self.path) from None
        if self.numbers()[-1:] != [mine]:
            self.give_up()
            return False
        for number in numbers:
            files.remove(self.file(number))
        return True

    def touch(self):
        """To be called often; False: another process has taken over."""
        if time.monotonic() - self.touched >= TOUCHED:
            self.touched = time.monotonic()
            try:
                os.utime(self.path)
            except OSError:
                return False
        return True

    def give_up(self):
        if self.path:
            files.remove(self.path)
            self.path = None


def is_running(store, number):
    claim = Claim(store, number)
    numbers = claim.numbers()
    return bool(numbers) and claim.lives(numbers[-1])
