"""Programs put together instruction by instruction, with labels.

The result is words, and lines in the syntax of the processor's document.
"""
from instructions import OPCODES, TABLE

OPERANDS = {
    "vvv": "RV{d},RV{a},RV{b}", "cmp_v": "RV{a},RV{b}",
    "vvs": "RV{d},RV{a},R{b}", "ss": "R{d},R{a}", "sss": "R{d},R{a},R{b}",
    "compare": "R{a},R{b}", "write": "R{d},R{a},#{i}", "reduce": "R{d},RV{a}",
    "get": "R{d},RV{a},#{i}", "put": "RV{d},R{a},#{i}", "ssi": "R{d},R{a},#{i}",
    "s_load": "R{d},R{a},#{i}", "v_load": "RV{d},R{a},#{i}",
    "branch": "{label}", "jump": "{label}", "return": "R{a}", "stop": "",
    "s_store": "R{d},R{a},#{i}", "v_store": "RV{d},R{a},#{i}",
}
FORMS = {row.name: row.form for row in TABLE.values()}


class Assembly:
    def __init__(self):
        self.lines = []  # name, fields
        self.places = {}  # instruction index of each label

    def add(self, name, d=0, a=0, b=0, i=0, label=None):
        self.lines.append((name, {"d": d, "a": a, "b": b, "i": i,
                                  "label": label}))

    def new_label(self):
        label = f"L{len(self.places)}"
        self.places[label] = None
        return label

    def place(self, label):
        self.places[label] = len(self.lines)

    def words(self):
        return [self.word(index, name, **fields)
                for index, (name, fields) in enumerate(self.lines)]

    def word(self, index, name, d, a, b, i, label):
        if label:
            i = 4 * (self.places[label] - index - 1)
        return (OPCODES[name] << 26 | d << 21 | a << 16 | b << 11 | i & 0xFFFF)

    def source(self):
        named = {}
        for label, index in self.places.items():
            named.setdefault(index, []).append(label + ": ")
        return "\n".join(
            "".join(named.get(index, [])) +
            f"{name} {OPERANDS[FORMS[name]].format(**fields)}".strip()
            for index, (name, fields) in enumerate(self.lines))
