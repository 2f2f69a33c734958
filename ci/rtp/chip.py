"""The chip: cores, intersection cores, the dispatcher with its two queues
between them, and the host's patches of 32 pixels.

Only cycles in which something can happen are looked at. A cycle of the
dispatcher has four steps: one waiting trace goes into the queue to the
intersection cores, one finished ray into the queue back, the head of the one
queue to a free intersection core, the head of the other to a free core. An
entry that is written in a cycle can be taken from the next one on.
"""
from collections import deque
from heapq import heappop, heappush

from core import Core
from intersection import MISS, Triangle, intersect

THREADS = 32  # of a patch
RESULT = 0xFFF0  # where in its memory a thread leaves its result
PER_TRIANGLE = 51  # cycles of an intersection core
DMA_DONE = 5  # cycles of the host after the last line of a patch
WRITE_OUT = 50  # cycles of the write-out beside them
LINES = 8  # of 64 bytes in a patch's results


class ResultQueue:
    """Rays' results wait here. The head can be read when nothing waits, too:
    then it is what was there before, or zero."""

    def __init__(self, entries=32):
        self.ring = [MISS] * entries
        self.first = self.end = 0

    def push(self, result):
        self.ring[self.end] = result
        self.end = (self.end + 1) % len(self.ring)

    def head(self):
        word, *rest = self.ring[self.first]
        return (*rest[:3], word), (*rest[3:], 0)

    def pop(self):
        self.first = (self.first + 1) % len(self.ring)


class Thread:
    def __init__(self, number):
        self.number = number
        self.memory = {}

    def begin(self, pixel):
        self.pixel = pixel
        self.pc = 0
        self.stack = 0x80000000 | self.number << 16
        self.ray = None


class Chip:
    def __init__(self, program, triangles, n_rt, n_ic):
        self.triangles = [Triangle(t[:3], t[3]) for t in triangles]
        self.threads = [Thread(k) for k in range(THREADS)]
        self.cores = [Core(program) for _ in range(n_rt)]
        self.n_ic = n_ic
        self.results = ResultQueue()
        self.events = []
        self.ends = []  # the registers at the end of each thread
        self.outputs = []  # of each patch, the results of all threads

    def run(self, pixels):
        """Runs all patches from cycle 0 on; returns the last one's end and
        the cycle in which the host sees that all is done."""
        start, first, last = 0, 0, max(pixels, 1) - 1
        while True:
            count = min(THREADS, last + 1 - first)
            patch = first // THREADS
            end = self.run_patch(start, patch, first, count)
            start = self.write_out(end, patch)
            first += count
            if first > last:
                self.event("all_done", start)
                return end, start
            self.event("patch_out", start, patch=patch)

    def event(self, name, cycle, core=None, thread=None, patch=None, pc=None):
        self.events.append((name, cycle, core, thread, patch, pc))

    def write_out(self, end, patch):
        self.event("patch_done", end, patch=patch)
        self.event("wr_go", end + 1, patch=patch)
        for line in range(LINES):
            self.event("wr_line", end + 7 + 6 * line)
        self.outputs.append([
            [thread.memory.get(RESULT + 4 * k, 0) for k in range(4)]
            for thread in self.threads])
        return end + WRITE_OUT + DMA_DONE

    # ---- a patch ----

    def run_patch(self, start, patch, first, count):
        self.event("load", start, patch=patch)
        self.patch = patch
        for thread in self.threads[:count]:
            thread.begin(first + thread.number)
        # Queues of threads, with the cycle from which an entry can be taken.
        self.to_core = deque((start + count, t) for t in self.threads[:count])
        self.to_ic = deque()
        self.core_free = [start] * len(self.cores)
        self.ic_free = [start] * self.n_ic
        self.tracing = []  # requests: core, cycle, thread
        self.traced = []  # finished rays: intersection core, cycle, thread
        self.agenda = [start + count]
        self.last_end = start
        now = None
        while self.agenda:
            cycle = heappop(self.agenda)
            if cycle != now:
                now = cycle
                self.step(now)
        return self.last_end + 1

    def step(self, now):
        self.grant_trace(now)
        self.grant_traced(now)
        self.assign_ic(now)
        self.assign_core(now)

    def wake(self, cycle):
        heappush(self.agenda, cycle)

    def grant(self, requests, now):
        """The request of the lowest index among those of this cycle; if others
        are left, they come again in the next one."""
        here = [request for request in requests if request[1] <= now]
        if not here:
            return None
        if len(here) > 1:
            self.wake(now + 1)
        winner = min(here, key=lambda request: request[0])
        requests.remove(winner)
        return winner

    def grant_trace(self, now):
        request = self.grant(self.tracing, now)
        if request:
            core, _, thread = request
            self.to_ic.append((now + 2, thread))
            self.core_free[core] = now + 2
            self.wake(now + 2)

    def grant_traced(self, now):
        request = self.grant(self.traced, now)
        if request:
            ic, _, thread = request
            self.to_core.append((now + 1, thread))
            self.results.push(intersect(*thread.ray, self.triangles))
            self.ic_free[ic] = now + 1
            self.wake(now + 1)

    def take(self, queue, free, now):
        """The head of a queue and the lowest of the free, if both are there."""
        if not queue or queue[0][0] > now:
            return None
        unit = next((k for k, since in enumerate(free) if since <= now), None)
        if unit is None:
            return None
        _, thread = queue.popleft()
        if queue:
            self.wake(now + 1)
        return unit, thread

    def assign_ic(self, now):
        taken = self.take(self.to_ic, self.ic_free, now)
        if not taken:
            return
        ic, thread = taken
        done = now + PER_TRIANGLE * len(self.triangles) + 1
        self.event("ic_assign", now, ic, thread.number)
        self.event("ic_done", done, ic, thread.number)
        self.ic_free[ic] = float("inf")
        self.traced.append((ic, done, thread))
        self.wake(done)

    # ---- a core ----

    def assign_core(self, now):
        taken = self.take(self.to_core, self.core_free, now)
        if not taken:
            return
        core, thread = taken
        self.core_free[core] = float("inf")
        self.event("rt_assign", now + 1, core, thread.number)
        self.event("rt_run", now + 5, core, thread.number)
        self.prepare(self.cores[core], thread)
        name, pc, wb = self.cores[core].run(now + 1, thread.pc, thread.memory)
        if name == "trace":
            self.trace(core, thread, wb + 3, pc + 4)
        else:
            self.finish(core, thread, wb + 1)

    def prepare(self, core, thread):
        """What the interface writes before the first instruction."""
        core.s[1] = thread.pixel
        core.s[29] = thread.stack
        core.v[14], core.v[15] = self.results.head()
        if thread.pc:
            self.results.pop()

    def trace(self, core, thread, cycle, pc):
        registers = self.cores[core]
        thread.pc = pc
        thread.stack = registers.s[29]
        thread.ray = registers.v[14][:3], registers.v[15][:3]
        self.event("rt_trace", cycle, core, thread.number, pc=pc)
        self.tracing.append((core, cycle, thread))
        self.wake(cycle)

    def finish(self, core, thread, cycle):
        registers = self.cores[core]
        self.event("rt_fin", cycle, core, thread.number)
        self.core_free[core] = cycle + 1
        self.last_end = max(self.last_end, cycle)
        self.wake(cycle + 1)
        self.ends.append((self.patch, thread.number, core, cycle,
                          list(registers.s), list(registers.v)))

