"""
The folder of a sweep:

    sweep.json               what all points have in common
    inputs/HASH-NAME         programs, scenes and files, as they were planned
    points/000/000042/       a point; a thousand of them in a folder
        point.json           its coordinates, its key, and how it is run
        claim.1              who runs it now (claim.py)
        begun/               where it runs; stays if it is interrupted
        result/              what it left: it is done
        failed/              likewise, if it has failed

A folder gets the name `result` or `failed` by a rename, so it is whole.
"""
import os

from . import files
from .wrong import Wrong

FORMAT = 1
IN_FOLDER = 1000  # points

BEGUN, CHECKPOINT = "begun", "run.ck"
DONE, FAILED, SAVED, RUNNING, TO_DO = (
    "done", "failed", "saved", "running", "to do")


class Store:
    def __init__(self, folder):
        self.folder = folder

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def point_path(self, number, *names):
        return self.path("points", f"{number // IN_FOLDER:03d}",
                         f"{number:06d}", *names)

    def load(self):
        """What all points have in common."""
        path = self.path("sweep.json")
        if not os.path.exists(path):
            raise Wrong(f"{self.folder}: no sweep is planned there: "
                        "corbel-sweep plan SPEC DIR makes one")
        sweep = files.read_json(path)
        if sweep.get("format") != FORMAT:
            raise Wrong(f"{path}: format {sweep.get('format')}, expected "
                        f"{FORMAT}")
        return sweep

    def point(self, number):
        """None: there is none, or it is damaged; a new plan mends it."""
        try:
            point = files.read_json(self.point_path(number, "point.json"))
        except Wrong:
            return None
        return point if isinstance(point, dict) and "key" in point else None

    def points(self, planned=True):
        """In order of their numbers; planned: only those of the last plan."""
        for number in range(self.load()["count"]):
            point = self.point(number)
            if point and (point["planned"] or not planned):
                yield point

    def state(self, number):
        """What is to be seen of a point; whether it is running, claims say."""
        names = set(listed(self.point_path(number)))
        if "result" in names:
            return DONE
        if "failed" in names:
            return FAILED
        if any(name.startswith("claim.") for name in names):
            return RUNNING
        return SAVED if self.is_saved(number) else TO_DO

    def is_saved(self, number):
        return os.path.exists(self.point_path(number, BEGUN, CHECKPOINT))


def listed(path):
    try:
        return os.listdir(path)
    except OSError:
        return []
