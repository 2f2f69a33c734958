"""
How long epochs take on n host threads, from what each tile took on one: the
tiles of the thread that has most, the barrier, and what one thread does
between two epochs. Shares tiles as sim/core/share.c and policy.c do; a tile
takes as long on each of them.
"""
import csv
import heapq

from chip import Wrong

# As in sim/core: epochs between two that are timed, timed ones between two
# splits, samples in a weight, what a new split must gain.
SAMPLING, SHARING = 7, 9
MEMORY, GAIN = 8, 25


class Profile:
    """What --host-profile wrote: for each timed epoch ns of tiles, and after."""

    def __init__(self, paths):
        """Of runs of the same: the least of each figure, since a host's other
        work only adds to it."""
        self.tiles, self.rows = None, None
        for path in paths:
            with open(path, newline="", encoding="utf-8") as file:
                names, *rows = csv.reader(file)
            rows = [[int(value) for value in row] for row in rows]
            self.rows = rows if self.rows is None else self.least(rows, path)
            self.tiles = names[1:-1]
        if not self.rows:
            raise Wrong(f"{paths[0]}: no epoch was timed: too short a run")

    def least(self, rows, path):
        if [row[0] for row in rows] != [row[0] for row in self.rows]:
            raise Wrong(f"{path}: other epochs than in the run before")
        return [[min(pair) for pair in zip(*both)]
                for both in zip(self.rows, rows)]

    def work(self):
        """ns of all tiles in all rows."""
        return sum(sum(row[1:-1]) for row in self.rows)

    def bound(self):
        """A thread for each tile, and nothing else takes time."""
        return self.work() / sum(max(row[1:-1]) for row in self.rows)

    def heaviest(self):
        """(name, share of all work) of the tile with most."""
        sums = [sum(column) for column in list(zip(*self.rows))[1:-1]]
        most = max(sums)
        return self.tiles[sums.index(most)], most / sum(sums)


def fill(weights, threads, most):
    """Ends of the threads' ranges; None: they do not hold all."""
    ends, tile = [], 0
    for _ in range(threads):
        total = 0
        while tile < len(weights) and total + weights[tile] <= most:
            total += weights[tile]
            tile += 1
        ends.append(tile)
    return ends if tile == len(weights) else None


def split(weights, threads):
    enough, too_little = sum(weights), 0
    while enough - too_little > 1:
        middle = (enough + too_little) // 2
        if fill(weights, threads, middle):
            enough = middle
        else:
            too_little = middle
    return fill(weights, threads, enough)


def longest(weights, ends):
    return max(sum(weights[first:last])
               for first, last in zip([0, *ends], ends))


def with_help(tiles, ends):
    """As longest(), where a thread that has run its own takes tiles of others of its four."""
    left = [list(range(first, last)) for first, last in zip([0, *ends], ends)]
    going = [(0, number) for number in range(len(ends))]
    end = 0
    while going:
        now, number = heapq.heappop(going)
        mates = [other for other in (number ^ k for k in (1, 2, 3))
                 if other < len(left) and len(left[other]) >= 2]
        if left[number]:
            tile = left[number].pop(0)
        elif mates:
            tile = left[mates[0]].pop()
        else:
            end = max(end, now)
            continue
        heapq.heappush(going, (now + tiles[tile], number))
    return end


def time(profile, threads, barrier):
    """ns of all timed epochs."""
    count = len(profile.tiles)
    threads = min(threads, count)
    ends, weights = split([1] * count, threads), [0] * count
    alone, total = True, 0
    for number, (_, *tiles, between) in enumerate(profile.rows):
        spent = sum(tiles) if alone else with_help(tiles, ends) + barrier
        total += spent + between
        weights = [w + ns - w // MEMORY for w, ns in zip(weights, tiles)]
        if threads > 1 and number % SHARING == SHARING - 1:
            best = split(weights, threads)
            least, now = longest(weights, best), longest(weights, ends)
            saved = (sum(weights) - least) // MEMORY
            alone = saved < (4 if alone else 2) * barrier
            ends = best if now - least > now / GAIN else ends
    return total
