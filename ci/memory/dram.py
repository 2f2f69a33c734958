"""How long a single read takes in the dram unit: clocks, phases, rows.

One read at a time, no writes, no refresh: then a read waits for nothing but
the commands that it needs itself.
"""
import os
import re
import subprocess
from dataclasses import dataclass

# Levels of sim/dram/mapping.h, in the order in which +xor goes through them.
FIELDS = ("Ch", "Pc", "Ra", "Bg", "Ba", "Ro", "Co")
KNOWN_ORDERS = {"ChRaBaRoCo": "ChPcRaBgBaRoCo",
                "MOP4CLXOR": "RoCoBaBgRaPcChCo2+xor",
                "": "RoBaRaCoCh"}


BUILD = os.environ.get("B", "build")


@dataclass
class Device:
    """What the device's data sheet says: sizes, latencies in clocks."""
    units: dict           # of each field, e.g. {"Bg": 4, ..., "Co": 64}
    transaction: int      # bytes
    burst: int            # of a transaction on the data bus
    read_latency: int     # RD to the end of its data
    row_to_column: int    # ACT to RD
    precharge: int        # PRE to ACT
    refresh_cycles: int   # all banks; 0: none
    refresh_interval: int


def device(name):
    """As the simulator knows it."""
    done = subprocess.run([f"{BUILD}/tests/dram-device", name],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip())
    words = [line.split() for line in done.stdout.splitlines()]
    known = {name: int(value) for name, value in words}
    units = {field: known.pop(field) for field in FIELDS}
    return Device(units, **known)


def bits(n):
    return n.bit_length() - 1


class Mapping:
    """The fields of an address."""

    def __init__(self, order, units, transaction):
        self.units, self.transaction = units, transaction
        order = KNOWN_ORDERS.get(order, order)
        self.xor = order.endswith("+xor")
        terms = re.findall(r"([A-Z][a-z])(\d*)", order.split("+")[0])
        for field, above in (("Bg", "Ba"), ("Pc", "Ra")):
            named = [t[0] for t in terms]
            if field not in named and above in named:
                lowest = max(i for i, t in enumerate(terms) if t[0] == above)
                terms.insert(lowest + 1, (field, ""))
        self.slices, used = [], dict.fromkeys(FIELDS, 0)
        for field, width in reversed(terms):
            width = int(width or bits(units[field]) - used[field])
            self.slices.append((field, used[field], width))
            used[field] += width

    def __call__(self, address):
        address //= self.transaction
        at = dict.fromkeys(FIELDS, 0)
        for field, shift, width in self.slices:
            at[field] |= address % (1 << width) << shift
            address >>= width
        if self.xor:
            column = at["Co"]
            for field in FIELDS[:-1]:
                width = bits(self.units[field])
                at[field] ^= column % (1 << width)
                column >>= width
        return at


class Clock:
    """Ticks of the memory's clock in cycles of the core's: tick_of rounds down,
    cycle_of up, so that nothing is there before it is there."""

    def __init__(self, memory_khz, core_khz):
        self.num, self.den = memory_khz, core_khz

    def tick_of(self, cycle):
        return cycle * self.num // self.den

    def cycle_of(self, tick):
        return -(-tick * self.den // self.num)


def fold(number, width):
    """The exclusive or of its digits of `width` bits."""
    folded = 0
    while number and width:
        folded ^= number & ((1 << width) - 1)
        number >>= width
    return folded


class Reads:
    """One read after the other through a chip's dram units; hashed: how caches
    choose the partition (map_hash)."""

    def __init__(self, unit, hashed=False):
        self.unit, self.device = unit, device(unit["device"])
        self.hashed = hashed
        self.clock = Clock(unit["clock"], unit["core_clock"])
        self.map = Mapping(unit["mapping"],
                           {**self.device.units, "Ch": unit["channels"]},
                           self.device.transaction)
        self.rows = {}

    def open_bytes(self):
        """Of all rows that can be open at a time, in all partitions."""
        banks = self.unit["map_parts"] * self.unit["channels"]
        for level in ("Pc", "Ra", "Bg", "Ba"):
            banks *= self.device.units[level]
        return banks * self.device.units["Co"] * self.device.transaction

    def bank_and_row(self, address):
        stride, parts = self.unit["map_stride"], self.unit["map_parts"]
        stripe, byte = divmod(address, stride)
        at = self.map(stripe // parts * stride + byte)
        turn = fold(stripe // parts, (parts - 1).bit_length())
        part = (stripe + turn * self.hashed) % parts
        bank = (part, *(at[f] for f in FIELDS[:-2]))
        return bank, at["Ro"]

    def outcome(self, address):
        """What a read finds, and what it leaves open."""
        bank, row = self.bank_and_row(address)
        before = self.rows.get(bank)
        policy = self.unit["row_policy"]
        if policy == "closed" and self.unit["cap"] == 1:
            return "closed"
        if policy != "open":
            raise ValueError(f"row_policy {policy}: only open, or closed "
                             "with cap=1")
        self.rows[bank] = row
        if before is None:
            return "closed"
        return "hit" if before == row else "conflict"

    def clocks(self, outcome):
        """From the offer to the end of the data. The first command is issued
        a clock after the offer."""
        d = self.device
        return {"hit": 1 + d.read_latency,
                "closed": 1 + d.row_to_column + d.read_latency,
                "conflict": 1 + d.precharge + d.row_to_column +
                d.read_latency}[outcome]

    def read(self, address, taken):
        """The cycle of the answer."""
        offered = self.clock.tick_of(taken + self.unit["front"])
        done = offered + self.clocks(self.outcome(address))
        return self.clock.cycle_of(done) + self.unit["back"]

    def range(self, outcome, refresh=False):
        """The least and the most cycles in the unit, over all phases of the
        two clocks; if it may meet a refresh, the most that this costs."""
        num, den = self.clock.num, self.clock.den
        front, back = self.unit["front"], self.unit["back"]
        clocks = self.clocks(outcome)
        if refresh:
            clocks += self.device.precharge + self.device.refresh_cycles
        # In den cycles every phase comes: floor and ceiling repeat then.
        spans = [self.clock.cycle_of(self.clock.tick_of(c) + clocks) - c
                 for c in phases(num, den)]
        return front + min(spans) + back, front + max(spans) + back


def phases(num, den):
    """Cycles at which the phase, c num mod den, is least and most."""
    from math import gcd
    g = gcd(num, den)
    num, den = num // g, den // g
    most = -pow(num, -1, den) % den if den > 1 else 0
    return {0, most}
