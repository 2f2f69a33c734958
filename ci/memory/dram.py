"""How long a single read takes in the dram unit: clocks, phases, rows.

One read at a time, no writes, no refresh: then a read waits for nothing but
the commands that it needs itself.
"""
import re
from dataclasses import dataclass

# Levels of sim/dram/mapping.h, in the order in which +xor goes through them.
FIELDS = ("Ch", "Pc", "Ra", "Bg", "Ba", "Ro", "Co")
KNOWN_ORDERS = {"ChRaBaRoCo": "ChPcRaBgBaRoCo",
                "MOP4CLXOR": "RoCoBaBgRaPcChCo2+xor",
                "": "RoBaRaCoCh"}


@dataclass
class Device:
    """What the device's data sheet says: sizes, latencies in clocks."""
    units: dict          # of each field, e.g. {"Ch": 2, ..., "Co": 64}
    transaction: int     # bytes
    read_latency: int    # RD to the end of its data
    row_to_column: int   # ACT to RD
    precharge: int       # PRE to ACT


def bits(n):
    return n.bit_length() - 1


class Mapping:
    """The fields of an address."""

    def __init__(self, order, device):
        self.device = device
        order = KNOWN_ORDERS.get(order, order)
        self.xor = order.endswith("+xor")
        terms = re.findall(r"([A-Z][a-z])(\d*)", order.split("+")[0])
        for field, above in (("Bg", "Ba"), ("Pc", "Ra")):
            if field not in dict(terms):
                lowest = max(i for i, t in enumerate(terms) if t[0] == above)
                terms.insert(lowest + 1, (field, ""))
        self.slices, used = [], dict.fromkeys(FIELDS, 0)
        for field, width in reversed(terms):
            width = int(width or bits(device.units[field]) - used[field])
            self.slices.append((field, used[field], width))
            used[field] += width

    def __call__(self, address):
        address //= self.device.transaction
        at = dict.fromkeys(FIELDS, 0)
        for field, shift, width in self.slices:
            at[field] |= address % (1 << width) << shift
            address >>= width
        if self.xor:
            column = at["Co"]
            for field in FIELDS[:-1]:
                width = bits(self.device.units[field])
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


class Reads:
    """One read after the other through a chip's dram units."""

    def __init__(self, unit, device):
        self.unit, self.device = unit, device
        self.clock = Clock(unit["clock"], unit["core_clock"])
        self.map = Mapping(unit["mapping"], device)
        self.rows = {}
        self.outcomes = {"hit": 0, "closed": 0, "conflict": 0}
        if unit["refresh"] != "off":
            raise ValueError("refresh has to be off")

    def bank_and_row(self, address):
        stride, parts = self.unit["map_stride"], self.unit["map_parts"]
        stripe, byte = divmod(address, stride)
        at = self.map(stripe // parts * stride + byte)
        bank = (stripe % parts, *(at[f] for f in FIELDS[:-2]))
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
        outcome = self.outcome(address)
        self.outcomes[outcome] += 1
        offered = self.clock.tick_of(taken + self.unit["front"])
        done = offered + self.clocks(outcome)
        return self.clock.cycle_of(done) + self.unit["back"]

    def range(self, outcome):
        """The least and the most cycles in the unit, over all phases of the
        two clocks."""
        num, den = self.clock.num, self.clock.den
        front, back = self.unit["front"], self.unit["back"]
        clocks = self.clocks(outcome)
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
