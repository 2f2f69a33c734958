"""
How long stretches of epochs take on n host threads, from what each tile took on
one: threads run their tiles epoch by epoch, a side of the chip as soon as all tiles of
the other one have run the epoch before, take others' tiles if they have none
(sim/core/stretch.c), and meet at a barrier after each stretch. Shares tiles as
sim/core/share.c and policy.c do.
"""
import csv
import heapq
import os
import re

from chip import Wrong

CORE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../sim/core")


PAGE = os.path.join(CORE, "../../docs/studies/scaling.md")


def constant(file, name):
    with open(f"{CORE}/{file}", encoding="utf-8") as source:
        found = re.search(rf"^#define {name} (\d+)", source.read(), re.M)
    if not found:
        raise Wrong(f"sim/core/{file}: no #define {name} with a number")
    return int(found[1])


# Samples in a weight; what a move must gain, as its inverse; epochs in a stretch;
# threads that count themselves on one line.
MEMORY, GAIN = constant("share.c", "MEMORY"), constant("share.c", "GAIN")
STRETCH, WAYS = constant("engine_private.h", "STRETCH"), constant("tally.c", "WAYS")


def lines(threads):
    """Of how many members are the levels of the tally (sim/core/tally.h)."""
    while threads > 1:
        yield min(threads, WAYS)
        threads = -(-threads // WAYS)


def meeting(found, threads):
    """Of any number: as many times that of the most measured as changes of a line of
    the host's follow each other. At a barrier all threads come at once: those who share
    a line of the tally one after the other, then each level, then the release. Who runs
    a side's last tile finds the others counted: a change a level, then of what is open."""
    if threads in found:
        return found[threads]["barrier"], found[threads]["wait"]
    most = max(found)
    barrier = (sum(lines(threads)) + 1) / (sum(lines(most)) + 1)
    wait = (len(list(lines(threads))) + 1) / (len(list(lines(most))) + 1)
    return found[most]["barrier"] * barrier, found[most]["wait"] * wait


def stored(chip):
    """What docs/studies/scaling.md has: ns of meeting by number of threads, and how many
    times as long a moved tile of a chip takes."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    found = {int(threads): {"barrier": float(barrier), "wait": float(wait)}
             for threads, barrier, wait in
             re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \|$", page, re.M)}
    row = re.search(rf"^\| {chip} \|(?:[^|]*\|){{4}} ([\d.]+) \|", page, re.M)
    if not found or not row:
        raise Wrong(f"{PAGE}: no costs of meeting, or no chip {chip}")
    return found, float(row[1])


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

    def without_breaks(self, most):
        """Leaves out epochs in which a tile took more ns than that: the system ran
        something else. How many."""
        rows = [row for row in self.rows if max(row[1:]) <= most]
        if not rows:
            raise Wrong("the system broke into all epochs")
        left_out, self.rows = len(self.rows) - len(rows), rows
        return left_out

    def thin(self, most):
        """Keeps at most about so many epochs: whole stretches, evenly."""
        stretches = -(-len(self.rows) // STRETCH)
        step = max(1, -(-stretches * STRETCH // most))
        self.rows = [row for at in range(0, stretches, step)
                     for row in self.rows[at * STRETCH:(at + 1) * STRETCH]]

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


class Hand:
    """A thread's tiles of a side: those that no thread has taken yet in an epoch."""

    def __init__(self, owner, side, tiles):
        self.owner, self.side, self.tiles = owner, side, tiles
        self.epoch, self.untaken, self.left = -1, [], 0

    def deal(self, open_):
        """The next epoch, if the tiles may run it. True: there is something to take."""
        if self.left or self.epoch + 1 >= open_:
            return False
        self.epoch += 1
        self.untaken, self.left = list(self.tiles), len(self.tiles)
        return bool(self.tiles)


class Stretch:
    """Threads that run some epochs; rows: ns of each tile in each of them."""

    def __init__(self, rows, shares, sides, costs, ran):
        """ran: the thread on which each tile ran last."""
        self.rows, self.costs, self.ran = rows, costs, ran
        self.hands = [Hand(thread, side, [tile for tile, owner in enumerate(shares.owner)
                                          if owner == thread and sides[tile] == side])
                      for thread in range(shares.threads) for side in (0, 1)]
        having = [sum(bool(hand.tiles) for hand in self.hands if hand.side == side)
                  for side in (0, 1)]
        self.missing = [[having[side]] * len(rows) for side in (0, 1)]
        self.open = [1, 1]
        self.live = [hand for hand in self.hands if hand.deal(1)]
        self.idle = set(range(shares.threads))
        # (ns, number, what, ...): "open", side, epochs; or "ran", thread, hand
        self.events, self.number = [], 0

    def add(self, when, *what):
        self.number += 1
        heapq.heappush(self.events, (when, self.number, *what))

    def choose(self, thread):
        """Of its own, that of the side that is behind; or of the nearest other, which
        it leaves the only tile if that is about to take it."""
        able = [hand for hand in self.live
                if hand.owner == thread or len(hand.untaken) > 1
                or hand.owner not in self.idle]
        return min(able, default=None,
                   key=lambda hand: (hand.owner ^ thread, hand.epoch, hand.side))

    def start(self, thread, hand, now):
        tile = hand.untaken.pop(0 if thread == hand.owner else -1)
        if not hand.untaken:
            self.live.remove(hand)
        ns = self.rows[hand.epoch][tile]
        if self.ran[tile] != thread:
            ns *= self.costs.moved
        self.ran[tile] = thread
        self.idle.discard(thread)
        self.add(now + ns, "ran", thread, hand)

    def deal(self, hands):
        self.live += [hand for hand in hands if hand.deal(self.open[hand.side])]

    def ended(self, hand, now):
        """A tile of the hand has run its epoch."""
        hand.left -= 1
        if hand.left:
            return
        self.missing[hand.side][hand.epoch] -= 1
        if not self.missing[hand.side][hand.epoch]:
            self.add(now + self.costs.wait, "open", 1 - hand.side, hand.epoch + 2)
        self.deal([hand])

    def opened(self, side, epochs):
        self.open[side] = max(self.open[side], min(epochs, len(self.rows)))
        self.deal([hand for hand in self.hands if hand.side == side])

    def time(self):
        """ns until the last thread is done."""
        now = 0
        while True:
            for thread in sorted(self.idle):
                hand = self.live and self.choose(thread)
                if hand:
                    self.start(thread, hand, now)
            if not self.events:
                return now
            now, _, what, number, value = heapq.heappop(self.events)
            if what == "open":
                self.opened(number, value)
            else:
                self.idle.add(number)
                self.ended(value, now)


class Costs:
    """ns of the barrier after a stretch; ns until a thread knows that all tiles have
    run an epoch; how many times as long a tile takes on another thread than before."""

    def __init__(self, barrier, wait, moved):
        self.barrier, self.wait, self.moved = barrier, wait, moved


def time(profile, threads, costs):
    """ns of all timed epochs."""
    count = len(profile.tiles)
    threads = min(threads, count)
    if threads == 1:
        return profile.alone()
    shares, sides, total = Shares(count, threads), profile.sides(), 0
    ran = list(shares.owner)
    for first in range(0, len(profile.rows), STRETCH):
        rows = profile.rows[first:first + STRETCH]
        tiles = [row[1:-1] for row in rows]
        stretch = Stretch(tiles, shares, sides, costs, ran)
        spent = stretch.time() + costs.barrier + rows[-1][-1]
        total += min(spent, sum(sum(row[1:]) for row in rows))
        for row in tiles:
            shares.weigh(row)
        shares.again()
    return total


def time_dynamic(profile, threads, costs):
    """ns of all timed epochs with --schedule dynamic: whichever thread is free takes
    the next tile, and all meet after each epoch."""
    count, total = len(profile.tiles), 0
    if threads == 1:
        return profile.alone()
    ran = [None] * count
    for row in profile.rows:
        free = [(0, thread) for thread in range(threads)]
        for tile, ns in enumerate(row[1:-1]):
            now, thread = heapq.heappop(free)
            moved = ran[tile] is not None and ran[tile] != thread
            ran[tile] = thread
            heapq.heappush(free, (now + ns * (costs.moved if moved else 1), thread))
        total += max(free)[0] + costs.barrier + row[-1]
    return total
