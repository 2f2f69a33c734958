"""corbel-sweep status: how far a sweep is, and how long the rest takes."""
import json

from .claim import is_running
from .figures import NAME
from .spec import OWN
from .store import DONE, FAILED, RUNNING, SAVED, TO_DO, Store

STATES = (DONE, RUNNING, SAVED, FAILED, TO_DO)


def kind(point):
    return tuple(point["coordinates"][name] for name in OWN)


def taken(store, number):
    """Seconds of the host, None: unknown."""
    try:
        with open(store.point_path(number, "result", NAME),
                  encoding="utf-8") as file:
            return json.loads(file.readline())["host"]["seconds"]
    except (OSError, ValueError, KeyError):
        return None


def mean(values):
    return sum(values) / len(values)


def left(seconds, rest, at_once):
    """
    Seconds for the points that are not done: each takes the mean of its kind,
    else of all.
    """
    every = [s for some in seconds.values() for s in some]
    if not every:
        return None
    return sum(mean(seconds.get(k) or every) for k in rest) / max(1, at_once)


def text(seconds):
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def look(store):
    """Numbers of points by state, what those done took, kinds of the rest."""
    by, seconds, rest = {state: [] for state in STATES}, {}, []
    for point in store.points():
        number = point["point"]
        state = store.state(number)
        if state == RUNNING and not is_running(store, number):
            state = SAVED if store.is_saved(number) else TO_DO
        by[state].append(number)
        if state == DONE:
            spent = taken(store, number)
            if spent is not None:
                seconds.setdefault(kind(point), []).append(spent)
        elif state != FAILED:
            rest.append(kind(point))
    return by, seconds, rest


def status(folder):
    """Lines for people; that of failures names their folders."""
    store = Store(folder)
    store.load()
    by, seconds, rest = look(store)
    count = sum(map(len, by.values()))
    lines = [", ".join([f"{len(by[DONE])} of {count} points are done",
                        *(f"{len(by[s])} {s}" for s in STATES[1:] if by[s])])]
    time_left = left(seconds, rest, len(by[RUNNING]))
    if rest and time_left is not None:
        now = len(by[RUNNING])
        lines.append(f"about {text(time_left)} left, with "
                     f"{now or 1} at a time")
    lines += [f"failed: {store.point_path(number, 'failed')}"
              for number in by[FAILED][:20]]
    if len(by[FAILED]) > 20:
        lines.append(f"and {len(by[FAILED]) - 20} more have failed")
    return lines
