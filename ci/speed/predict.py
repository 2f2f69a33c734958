"""
How long stretches of epochs take on n host threads, from what each tile took on
one: threads run their tiles epoch by epoch, a side of the chip as soon as all have
run the other one's epoch before (sim/core/turn.c), and meet at a barrier after each
stretch. Shares tiles as sim/core/share.c and policy.c do; a tile takes as long on
each of them.
"""
import csv
import heapq

from chip import Wrong

# As in sim/core: epochs between two that are timed, timed ones between two looks at
# the shares, samples in a weight, what a move must gain, epochs in a stretch.
SAMPLING, SHARING = 7, 9
MEMORY, GAIN, STRETCH = 8, 25, 8


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
        """ns of all tiles in an epoch."""
        return sum(sum(row[1:-1]) for row in self.rows) / len(self.rows)

    def alone(self):
        """ns of one thread for all timed epochs."""
        return sum(sum(row[1:]) for row in self.rows)

    def bound(self):
        """A thread for each tile, and nothing else takes time: as in each epoch all
        that run have to wait for the longest, and as only the tile with most work
        of all counts."""
        each = sum(sum(row[1:-1]) for row in self.rows)
        return each / sum(max(row[1:-1]) for row in self.rows), 1 / self.heaviest()[1]

    def heaviest(self):
        """(name, share of all work) of the tile with most."""
        sums = [sum(column) for column in list(zip(*self.rows))[1:-1]]
        most = max(sums)
        return self.tiles[sums.index(most)], most / sum(sums)

    def sides(self):
        """By tile: TMs are one side, what they ask the other."""
        return [0 if name.startswith("tm") else 1 for name in self.tiles]


class Shares:
    """Which thread has which tile (sim/core/share.c)."""

    def __init__(self, tiles, threads):
        self.weights, self.owner = [1] * tiles, [None] * tiles
        self.threads = threads
        loads = [0] * threads
        for tile in range(tiles):
            self.owner[tile] = loads.index(min(loads))
            loads[self.owner[tile]] += 1
        self.weights = [0] * tiles

    def loads(self):
        sums = [0] * self.threads
        for owner, weight in zip(self.owner, self.weights):
            sums[owner] += weight
        return sums

    def weigh(self, tiles):
        self.weights = [weight + ns - weight // MEMORY
                        for weight, ns in zip(self.weights, tiles)]

    def moves(self, loads):
        """(load of the more loaded thread then, tile, its new thread, what comes back)"""
        longest, least = loads.index(max(loads)), loads.index(min(loads))
        mine = [t for t, owner in enumerate(self.owner) if owner == longest]
        for tile in mine:
            weight = self.weights[tile]
            yield (max(loads[longest] - weight, loads[least] + weight), tile, least, None)
            for other, owner in enumerate(self.owner):
                if owner != longest:
                    change = weight - self.weights[other]
                    yield (max(loads[longest] - change, loads[owner] + change), tile,
                           owner, other)

    def again(self):
        for _ in self.owner:
            loads = self.loads()
            longest = loads.index(max(loads))
            best = min(self.moves(loads), key=lambda move: move[0], default=None)
            if not best or best[0] >= loads[longest] - loads[longest] // GAIN:
                return
            _, tile, to, back = best
            self.owner[tile] = to
            if back is not None:
                self.owner[back] = longest


class Stretch:
    """Threads that run some epochs; rows: ns of each tile in each of them."""

    def __init__(self, rows, shares, sides, wait):
        self.rows, self.wait, self.count = rows, wait, len(rows)
        self.own = [[[tile for tile, owner in enumerate(shares.owner)
                      if owner == thread and sides[tile] == side] for side in (0, 1)]
                    for thread in range(shares.threads)]
        having = [sum(bool(own[side]) for own in self.own) for side in (0, 1)]
        self.missing = [[having[side]] * self.count for side in (0, 1)]
        self.last = [[0] * self.count for _ in (0, 1)]
        # By side and epoch, when it may begin: None while that is not known.
        self.ready = [[0] + [None] * self.count for _ in (0, 1)]
        self.next = [[0 if own[side] else self.count for side in (0, 1)]
                     for own in self.own]

    def may(self, thread):
        """[(when, epoch, side)] of what the thread could run next, as far as known."""
        return [(self.ready[side][epoch], epoch, side)
                for side, epoch in enumerate(self.next[thread])
                if epoch < self.count and self.ready[side][epoch] is not None]

    def run(self, thread, epoch, side, now):
        end = now + sum(self.rows[epoch][tile] for tile in self.own[thread][side])
        self.next[thread][side] += 1
        self.last[side][epoch] = max(self.last[side][epoch], end)
        self.missing[side][epoch] -= 1
        if not self.missing[side][epoch]:
            self.ready[1 - side][epoch + 1] = self.last[side][epoch] + self.wait
        return end

    def time(self):
        """ns until the last thread is done."""
        going = [(0, thread) for thread in range(len(self.own))]
        waiting, end = [], 0
        while going:
            now, thread = heapq.heappop(going)
            choices = self.may(thread)
            able = [choice for choice in choices if choice[0] <= now]
            if able:
                _, epoch, side = min(able, key=lambda choice: choice[1:])
                done = self.run(thread, epoch, side, now)
                end = max(end, done)
                going += [(done, thread), *waiting]
                waiting = []
                heapq.heapify(going)
            elif choices:
                heapq.heappush(going, (min(choices)[0], thread))
            elif self.next[thread] != [self.count, self.count]:
                waiting.append((now, thread))
        return end


def time(profile, threads, barrier, wait):
    """ns of all timed epochs; barrier: after each stretch; wait: until a thread knows
    that others have run an epoch."""
    count = len(profile.tiles)
    threads = min(threads, count)
    if threads == 1:
        return profile.alone()
    shares, sides, total = Shares(count, threads), profile.sides(), 0
    for first in range(0, len(profile.rows), STRETCH):
        rows = profile.rows[first:first + STRETCH]
        tiles = [row[1:-1] for row in rows]
        spent = Stretch(tiles, shares, sides, wait).time() + barrier + rows[-1][-1]
        total += min(spent, sum(sum(row[1:]) for row in rows))
        for row in tiles:
            shares.weigh(row)
        shares.again()
    return total
