"""Random programs that end.

A program is a tree of statements: operations, loads and stores, conditions,
loops that count, calls, and traces. All that a statement reads has been
written before by the same thread: statements use the registers in `scalars`
and `vectors` only, and a trace saves these on the stack. So the outcome does
not depend on what another thread left in the registers.
"""
from assembly import FORMS, Assembly
from instructions import TABLE

PIXEL, STACK, LINK = 1, 29, 30
LOCAL_BASE, CONSTANT_BASE = 25, 26  # registers with an address
TOP_BASE = 23  # has the address of the last bytes of the thread's memory
TOP = 0xFFC0
STACK_START = 0x100
COUNTERS = (16, 17, 18)  # of loops, the outermost first
OWN_COUNTERS = (19, 20, 21)  # those of subroutines
LINKS = (30, 27, 24)  # of subroutines that do not call others
LOCAL_DATA = 0x1000  # bytes from here on are loaded and stored
LOCAL_BYTES = 0x400
BRANCHES = [row.name for row in TABLE.values() if row.form == "branch"]
ARITHMETIC = [row.name for row in TABLE.values() if row.form in
              ("vvv", "vvs", "ss", "sss", "ssi", "write", "reduce", "get",
               "put", "cmp_v")]


class RandomProgram(Assembly):
    """`size` is about how many statements there are; `rays` is 0, or a power
    of two: the rays among the constants that traces use."""

    def __init__(self, random, size, scalars, vectors, constants, rays=0):
        super().__init__()
        self.random = random
        self.left = size
        self.scalars = scalars
        self.vectors = vectors
        self.constants = constants  # bytes of them
        self.rays = rays
        self.loops = 0  # around the statement
        self.links = []  # registers with return addresses in use
        self.subroutines = []

    # ---- operands ----

    def destination(self):
        return self.random.choice(self.scalars)

    def source_register(self):
        return self.random.choice(self.scalars + [0, PIXEL, 31])

    def vector(self):
        return self.random.choice(self.vectors) | self.top_bit()

    def source_vector(self):
        return self.random.choice(self.vectors + [0]) | self.top_bit()

    def top_bit(self):
        """Vectors have four bits; the fifth of the field has no meaning."""
        return 16 if self.random.random() < 0.05 else 0

    def immediate(self):
        return self.random.choice([self.random.randint(-9, 9),
                                   self.random.randint(-32767, 32767)])

    # ---- statements ----

    def block(self, most=6):
        for _ in range(self.random.randint(1, most)):
            if self.left <= 0:
                return
            self.left -= 1
            self.statement()

    def statement(self):
        kinds = [self.operation] * 10 + [self.load] * 3 + [self.store] * 2 + \
            [self.constant, self.compare, self.condition, self.condition,
             self.call, self.stacked]
        if self.loops < len(COUNTERS):
            kinds.append(self.loop)
        if self.rays:
            kinds.append(self.trace)
        self.random.choice(kinds)()

    def operation(self):
        name = self.random.choice(ARITHMETIC)
        scalar, vector = self.source_register, self.source_vector
        fields = {
            "vvv": lambda: {"d": self.vector(), "a": vector(), "b": vector()},
            "cmp_v": lambda: {"a": vector(), "b": vector()},
            "vvs": lambda: {"d": self.vector(), "a": vector(), "b": scalar()},
            "ss": lambda: {"d": self.destination(), "a": scalar()},
            "sss": lambda: {"d": self.destination(), "a": scalar(),
                            "b": scalar()},
            "ssi": lambda: {"d": self.destination(), "a": scalar(),
                            "i": self.immediate()},
            "write": lambda: {"d": self.destination(), "a": scalar(),
                              "i": self.random.randrange(0x10000)},
            "reduce": lambda: {"d": self.destination(), "a": vector()},
            "get": lambda: {"d": self.destination(), "a": vector(),
                            "i": self.random.randrange(4)},
            "put": lambda: {"d": self.vector(), "a": scalar(),
                            "i": self.random.randrange(4)},
        }[FORMS[name]]()
        self.add(name, **fields)

    def place_in_memory(self):
        """Rarely beyond the end, where addresses begin again, or within a word,
        where the last two bits have no meaning."""
        base, offset = LOCAL_BASE, LOCAL_DATA
        offset += 4 * self.random.randrange(LOCAL_BYTES // 4)
        if self.random.random() < 0.1:
            base, offset = TOP_BASE, 4 * self.random.randrange(32)
        if self.random.random() < 0.03:
            offset += self.random.randrange(4)
        return {"a": base, "i": offset}

    def load(self):
        if self.random.random() < 0.5:
            self.add("s_load_4byte", d=self.destination(),
                     **self.place_in_memory())
        else:
            self.add("v_load_16byte", d=self.vector(), **self.place_in_memory())
        self.use()

    def use(self):
        """Now and then what was loaded is read at once."""
        name, fields = self.lines[-1]
        if self.random.random() < 0.5:
            return
        if name == "s_load_4byte":
            self.add("ii_addi", d=self.destination(), a=fields["d"],
                     i=self.immediate())
        else:
            self.add("vv_add", d=self.vector(), a=fields["d"],
                     b=self.source_vector())

    def constant(self):
        """Rarely where the hardware has the constants again."""
        base, words = CONSTANT_BASE, self.constants // 4
        if self.random.random() < 0.1:
            base, words = self.random.choice([0, CONSTANT_BASE]), 8192
        place = {"a": base, "i": 4 * self.random.randrange(words)}
        if self.random.random() < 0.7:
            self.add("s_load_4byte", d=self.destination(), **place)
        else:
            self.add("v_load_16byte", d=self.vector(), **place)
        self.use()

    def store(self):
        """Rarely by an address of constants: the hardware stores in the
        thread's memory."""
        place = self.place_in_memory()
        if place["a"] == LOCAL_BASE and self.random.random() < 0.05:
            place["a"] = CONSTANT_BASE
        if self.random.random() < 0.5:
            self.add("s_store_4byte", d=self.source_register(), **place)
        else:
            self.add("v_store_16byte", d=self.source_vector(), **place)

    def compare(self):
        self.add(self.random.choice(["cmp_i", "cmp_f"]),
                 a=self.source_register(), b=self.source_register())

    def condition(self):
        """if, with or without else, or an end of the thread."""
        otherwise, end = self.new_label(), self.new_label()
        self.compare()
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.operation()
        self.add(self.random.choice(BRANCHES), label=otherwise)
        self.block(4)
        if self.random.random() < 0.03:
            self.finish()
        if self.random.random() < 0.4:
            self.add("jmp", label=end)
            self.place(otherwise)
            self.block(4)
        else:
            self.place(otherwise)
        self.place(end)

    def counters(self):
        return OWN_COUNTERS if self.links else COUNTERS

    def loop(self):
        top, end = self.new_label(), self.new_label()
        counter = self.counters()[self.loops]
        self.loops += 1
        self.add("ii_addi", d=counter, a=0, i=self.random.randint(1, 4))
        self.place(top)
        self.block()
        if self.random.random() < 0.3:
            self.compare()
            self.add(self.random.choice(BRANCHES), label=end)
        self.add("ii_subi", d=counter, a=counter, i=1)
        self.add("cmp_i", a=counter, b=0)
        self.add(self.random.choice(["bg", "bne"]), label=top)
        self.place(end)
        self.loops -= 1

    def call(self):
        """Calls a subroutine: an old one, or one that is written later."""
        if self.links:
            return self.operation()
        known = len(self.subroutines)
        if known < 3 or self.random.random() < 0.3:
            self.subroutines.append((self.new_label(),
                                     self.random.choice(LINKS)))
            label, link = self.subroutines[-1]
        else:
            label, link = self.random.choice(self.subroutines)
        self.add("ii_addi", d=link, a=31, i=4)
        self.add("jmp", label=label)

    def stacked(self):
        """A register is kept on the stack while a block goes on."""
        register = self.destination()
        self.push(register)
        self.block(3)
        self.pop(register)

    def push(self, register):
        self.add("s_store_4byte", d=register, a=STACK)
        self.add("ii_addi", d=STACK, a=STACK, i=4)

    def pop(self, register):
        self.add("ii_addi", d=STACK, a=STACK, i=-4)
        self.add("s_load_4byte", d=register, a=STACK)

    # ---- traces ----

    def trace(self):
        if self.random.random() < 0.7:
            self.aim()
        kept = self.scalars + [LOCAL_BASE, TOP_BASE, CONSTANT_BASE] + self.links
        kept += self.counters()[:self.loops]
        if self.links:
            kept += COUNTERS  # of the caller
        vectors = [number for number in self.vectors if number < 14]
        for register in kept:
            self.push(register)
        for number in vectors:
            self.add("v_store_16byte", d=number, a=STACK)
            self.add("ii_addi", d=STACK, a=STACK, i=16)
        self.add("trace")
        for number in reversed(vectors):
            self.add("ii_addi", d=STACK, a=STACK, i=-16)
            self.add("v_load_16byte", d=number, a=STACK)
        for register in reversed(kept):
            self.pop(register)
        if self.random.random() < 0.5:
            self.add("s_get_from_v", d=self.destination(), a=14, i=3)

    def aim(self):
        """Takes a ray of the constants: eight words each, six of them used."""
        index, number = self.random.sample(self.scalars, 2)
        self.add("ii_add", d=index, a=index, b=PIXEL)
        self.add("s_write_low", d=number, a=0, i=self.rays - 1)
        self.add("and", d=index, a=index, b=number)
        self.add("ii_muli", d=index, a=index, i=32)
        self.add("ii_add", d=index, a=index, b=CONSTANT_BASE)
        for k in range(6):
            self.add("s_load_4byte", d=number, a=index, i=4 * k)
            self.add("v_get_from_s", d=14 + k // 3, a=number, i=k % 3)

    # ---- the whole ----

    def bases(self):
        self.add("and")
        self.add("s_write_low", d=LOCAL_BASE, a=STACK)
        self.add("s_write_low", d=TOP_BASE, a=STACK, i=TOP)
        self.add("ii_addi", d=STACK, a=STACK, i=STACK_START)
        self.add("s_write_high", d=CONSTANT_BASE, i=0x2000)

    def define(self):
        """Gives all registers a value that differs from pixel to pixel."""
        for counter in COUNTERS:
            self.add("ii_add", d=counter)
        for register in self.scalars:
            self.constant_to(register)
        for number in self.vectors:
            self.add("vv_add", d=number)
            for lane in range(4):
                self.add("v_get_from_s", d=number, a=self.source_register(),
                         i=lane)

    def constant_to(self, register):
        self.add("s_load_4byte", d=register, a=CONSTANT_BASE,
                 i=4 * self.random.randrange(self.constants // 4))
        if self.random.random() < 0.3:
            self.add("ii_add", d=register, a=register, b=PIXEL)

    def finish(self):
        """The result, a vector, goes to the end of the thread's memory."""
        self.add("s_write_low", d=self.scalars[0], a=STACK, i=0xFFF0)
        self.add("v_store_16byte", d=self.random.choice(self.vectors),
                 a=self.scalars[0])
        self.add("fin")

    def body(self):
        while self.left > 0:
            self.block()
        self.finish()
        for label, link in self.subroutines:
            self.subroutine(label, link)

    def subroutine(self, label, link):
        self.left = self.random.choice([0, 3, 8])
        self.links = [link]
        self.place(label)
        self.block()
        if self.random.random() < 0.5:
            self.push(link)
            self.block(3)
            self.pop(link)
        self.add("ret", a=link)
        self.links = []
