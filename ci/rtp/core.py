"""One core runs a thread from its assignment to `trace` or `fin`.

Nothing outside can disturb a core in between: threads share no memory, and no
port is ever refused. So the cycles of an instruction follow from those of the
instruction before, without a walk through every cycle. For each one: `first`
is its first cycle in EX, `done` its last one there, `mem` its first cycle in
MEM, `left` its last one there; WB is the cycle after `left`. A bubble is an
instruction of one cycle that does nothing.
"""
import arithmetic as a

STEPS = 1000000  # instructions after which a thread is taken to be endless
ZERO = (0, 0, 0, 0)


class Endless(Exception):
    """A thread that does not come to its end."""


class Core:
    """The registers and flags, which stay when the thread changes."""

    def __init__(self, program):
        self.program = program
        self.s = [0] * 32
        self.v = [ZERO] * 16
        self.flags = 0

    def run(self, start, pc, memory, on_store=None):
        """Runs from `pc`, the interface having seen the job in cycle `start`.

        Returns the instruction that ended it, its address and its WB cycle.
        on_store(cycle, address, words) is called for every store.
        """
        self.memory = memory
        self.on_store = on_store
        self.enter = start + 6  # EX is free for the first instruction
        self.left = self.enter - 1  # MEM, of the instruction before
        self.compared = 0  # first cycle in which a branch may leave DE
        self.written = [0] * 32  # WB of the last writer of each register
        self.previous = None
        for _ in range(STEPS):
            instruction = self.program.at(pc)
            self.issue(instruction)
            if instruction.form == "stop":
                return instruction.name, pc, self.left + 1
            pc = self.execute(instruction, pc)
        raise Endless(f"no end after {STEPS} instructions")

    # ---- time ----

    def issue(self, instruction):
        """Sends an instruction through the pipeline, bubbles before it."""
        before = self.previous
        if before is not None and before.late and \
                before.writes in instruction.reads:
            self.bubble()
        if instruction.form == "branch":
            while self.enter <= self.compared:
                self.bubble()
        elif instruction.form == "return":
            while self.enter < self.written[instruction.a] + 2:
                self.bubble()
        self.step(instruction.ex, 1)
        self.previous = instruction

    def step(self, ex, mem_cycles):
        self.done = self.enter + ex - 1
        self.mem = max(self.done, self.left) + 1
        self.left = self.mem + mem_cycles - 1
        self.enter = self.mem

    def bubble(self):
        self.step(1, 1)

    def linger(self, mem_cycles):
        """The instruction stays in MEM for more than its one cycle."""
        self.left = self.mem + mem_cycles - 1

    # ---- meaning ----

    def execute(self, i, pc):
        """Does what the instruction says; returns the next address."""
        self.s[31] = pc + 4 & a.MASK
        target = getattr(self, "do_" + i.form)(i, pc)
        return pc + 4 & a.MASK if target is None else target

    def put_scalar(self, number, word):
        self.written[number] = self.left + 1
        if number:
            self.s[number] = word

    def put_vector(self, number, words):
        if number & 15:
            self.v[number & 15] = words

    def do_vvv(self, i, pc):
        self.put_vector(i.d, tuple(map(i.function, self.v[i.a & 15],
                                       self.v[i.b & 15])))

    def do_vvs(self, i, pc):
        self.put_vector(i.d, tuple(map(i.function, self.v[i.a & 15],
                                       (self.s[i.b],) * 4)))

    def do_cmp_v(self, i, pc):
        pass

    def do_ss(self, i, pc):
        self.put_scalar(i.d, i.function(self.s[i.a]))

    def do_sss(self, i, pc):
        self.put_scalar(i.d, i.function(self.s[i.a], self.s[i.b]))

    def do_ssi(self, i, pc):
        self.put_scalar(i.d, i.function(self.s[i.a], i.offset & a.MASK))

    def do_write(self, i, pc):
        self.put_scalar(i.d, i.function(self.s[i.a], i.immediate))

    def do_compare(self, i, pc):
        self.flags = i.function(self.s[i.a], self.s[i.b])
        self.compared = self.done + 1

    def do_reduce(self, i, pc):
        x, y, z, w = self.v[i.a & 15]
        self.linger(4)
        self.put_scalar(i.d, a.f_add(a.f_add(x, y), a.f_add(z, w)))

    def do_get(self, i, pc):
        self.put_scalar(i.d, self.v[i.a & 15][i.lane])

    def do_put(self, i, pc):
        words = list(self.v[i.d & 15])
        words[i.lane] = self.s[i.a]
        self.put_vector(i.d, tuple(words))

    def do_branch(self, i, pc):
        return self.do_jump(i, pc) if i.function(self.flags) else None

    def do_jump(self, i, pc):
        return self.flush(pc + 4 + i.offset & a.MASK)

    def do_return(self, i, pc):
        return self.flush(self.s[i.a] & a.MASK)

    def flush(self, target):
        """The instruction behind a taken branch goes through as a bubble."""
        self.bubble()
        self.previous = None
        return target

    # ---- memory ----

    def do_s_load(self, i, pc):
        self.put_scalar(i.d, self.load(i, 1)[0])

    def do_v_load(self, i, pc):
        self.put_vector(i.d, self.load(i, 4))

    def load(self, i, count):
        address = self.s[i.a] + i.offset & a.MASK
        words, cycles = self.program.load(address, count, self.memory)
        self.linger(cycles)
        return words

    def do_s_store(self, i, pc):
        self.store(i, (self.s[i.d],))

    def do_v_store(self, i, pc):
        self.store(i, self.v[i.d & 15])

    def store(self, i, words):
        address = self.s[i.a] + i.offset & a.MASK
        self.program.store(address, words, self.memory)
        if self.on_store:
            self.on_store(self.mem, address, words)
