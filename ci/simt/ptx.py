"""PTX as RISC-V: each instruction becomes a piece of as many instructions (PIECE), which holds its
registers in the stack. So a warp parts and joins where it does in PTX, and all counts of warp
instructions are PIECE times those of PTX.

A kernel becomes a function of a struct member (lanes.c). Its first PROLOGUE instructions are more
than PTX has; ptx_nothing is a function of as many, to be taken off.
"""
import re

PIECE, PROLOGUE = 8, 3
# Offsets in struct member: parameters of 8 bytes, then these.
PARAMS = 8
TID, CTA, NTID, SHARED, BARRIER, FIRST, SIZE = 64, 68, 72, 80, 88, 96, 104
SYS_BARRIER = 0x100d


class Unknown(Exception):
    """An instruction that is not translated."""


class Kernel:
    """Turns lines of a kernel into pieces of assembly."""

    def __init__(self, name):
        self.name, self.out, self.slots, self.shared, self.bytes = name, [], {}, {}, 0

    def slot(self, register):
        return 8 + 8 * self.slots.setdefault(register, len(self.slots))

    def declare(self, name, count):
        self.shared[name] = self.bytes
        self.bytes += (count + 15) & ~15

    def load(self, to, operand, wide=False):
        """An operand to a register: what is executed for it."""
        if operand.startswith("%"):
            special = {"%tid.x": TID, "%ctaid.x": CTA, "%ntid.x": NTID}.get(operand)
            if special is not None:
                return [f"lw {to}, {special}(s0)"]
            return [f"{'ld' if wide else 'lw'} {to}, {self.slot(operand)}(sp)"]
        if operand in self.shared:
            return [f"ld {to}, {SHARED}(s0)", f"addi {to}, {to}, {self.shared[operand]}"]
        value = int(operand[2:], 16) if operand.startswith("0f") else int(operand, 0)
        value = (value & 0xffffffff ^ 0x80000000) - 0x80000000
        low = (value & 0xfff ^ 0x800) - 0x800
        if value == low:
            return [f"li {to}, {value}"]
        high = (value - low) >> 12 & 0xfffff
        return [f"lui {to}, {high}", f"addiw {to}, {to}, {low}"]

    def store(self, register, source, wide=False):
        return [f"{'sd' if wide else 'sw'} {source}, {self.slot(register)}(sp)"]

    def piece(self, code, last=None):
        """Pads; `last` leaves it."""
        code = code + ["nop"] * (PIECE - len(code) - (last is not None))
        code += [last] if last else []
        if len(code) != PIECE:
            raise Unknown(f"{len(code)} instructions, expected {PIECE} at most: {code}")
        self.out += ["\t" + c for c in code]

    def translate(self, line):
        guard = re.match(r"@(!?)(%p\d+)\s+bra\s+(\w+);", line)
        if guard:
            branch = "beqz" if guard[1] else "bnez"
            self.piece(self.load("t0", guard[2]), f"{branch} t0, {self.label(guard[3])}")
            return
        opcode, _, rest = line.rstrip(";").partition(" ")
        words = opcode.strip().split(".")
        operands = [o.strip() for o in rest.strip().split(",")] if rest.strip() else []
        handler = getattr(self, "do_" + words[0], None) or self.arithmetic
        handler(words, operands)

    def label(self, name):
        return f"{self.name}_{name}"

    def do_bra(self, words, operands):
        self.piece([], f"j {self.label(operands[0])}")

    def do_ret(self, words, operands):
        self.piece(["ld s0, 0(sp)", f"addi sp, sp, FRAME_{self.name}"], "ret")

    def do_bar(self, words, operands):
        self.piece([f"ld a0, {BARRIER}(s0)", f"ld a1, {FIRST}(s0)", f"ld a2, {SIZE}(s0)",
                    "li a3, 0", f"lui a7, {SYS_BARRIER >> 12}",
                    f"addi a7, a7, {SYS_BARRIER & 0xfff}"], "ecall")

    def address(self, operand):
        base, _, offset = operand.strip("[]").partition("+")
        return self.load("t0", base, True), offset or "0"

    def do_ld(self, words, operands):
        wide = words[-1] == "u64"
        load = "ld" if wide else "lw"
        if words[1] == "param":
            number = int(operands[1].strip("[]").rpartition("_")[2])
            code = [f"{load} t1, {PARAMS * number}(s0)"]
        else:
            code, offset = self.address(operands[1])
            code = code + [f"{load} t1, {offset}(t0)"]
        self.piece(code + self.store(operands[0], "t1", wide))

    def do_st(self, words, operands):
        code, offset = self.address(operands[0])
        self.piece(code + self.load("t1", operands[1]) + [f"sw t1, {offset}(t0)"])

    def do_atom(self, words, operands):
        if words[2:] != ["add", "u32"]:
            raise Unknown(".".join(words))
        code, _ = self.address(operands[1])
        self.piece(code + self.load("t1", operands[2]) + ["amoadd.w t1, t1, (t0)"] +
                   self.store(operands[0], "t1"))

    def do_setp(self, words, operands):
        way, kind = words[1:]
        code = self.load("t1", operands[1]) + self.load("t2", operands[2])
        less = "sltu" if kind[0] == "u" else "slt"
        code += {"eq": ["subw t0, t1, t2", "seqz t0, t0"],
                 "ne": ["subw t0, t1, t2", "snez t0, t0"],
                 "lt": [f"{less} t0, t1, t2"], "gt": [f"{less} t0, t2, t1"],
                 "ge": [f"{less} t0, t1, t2", "xori t0, t0, 1"],
                 "le": [f"{less} t0, t2, t1", "xori t0, t0, 1"]}[way]
        self.piece(code + self.store(operands[0], "t0"))

    def choose(self, mask):
        """t1 where the mask is all ones, else t2."""
        return mask + ["xor t1, t1, t2", "and t1, t1, t0", "xor t1, t1, t2"]

    def do_selp(self, words, operands):
        code = self.load("t1", operands[1]) + self.load("t2", operands[2])
        code += self.load("t0", operands[3])
        self.piece(code + self.choose(["neg t0, t0"]) + self.store(operands[0], "t1"))

    def do_bfe(self, words, operands):
        at, bits = int(operands[2]), int(operands[3])
        self.piece(self.load("t1", operands[1]) +
                   [f"slli t1, t1, {64 - at - bits}", f"srli t1, t1, {64 - bits}"] +
                   self.store(operands[0], "t1"))

    def do_min(self, words, operands):
        code = self.load("t1", operands[1]) + self.load("t2", operands[2])
        self.piece(code + self.choose(["slt t0, t1, t2", "neg t0, t0"]) +
                   self.store(operands[0], "t1"))

    SINGLE = {"add": "fadd.s ft0, ft1, ft2", "sub": "fsub.s ft0, ft1, ft2",
              "mul": "fmul.s ft0, ft1, ft2", "sqrt": "fsqrt.s ft0, ft1",
              "fma": "fmadd.s ft0, ft1, ft2, ft3"}

    def single(self, words, operands):
        code = []
        for i, operand in enumerate(operands[1:], 1):
            if operand.startswith("%"):
                code += [f"flw ft{i}, {self.slot(operand)}(sp)"]
            else:
                code += self.load("t0", operand) + [f"fmv.w.x ft{i}, t0"]
        code += [self.SINGLE.get(words[0]) or self.refuse(".".join(words))]
        self.piece(code + [f"fsw ft0, {self.slot(operands[0])}(sp)"])

    def arithmetic(self, words, operands):
        kind, name = words[-1], ".".join(words)
        if kind == "f32" and words[0] != "mov":
            self.single(words, operands)
            return
        widens = words[1] == "wide"
        wide = kind in ("s64", "u64", "b64") and not widens
        code = []
        for i, operand in enumerate(operands[1:], 1):  # amounts of shifts have 32 bits
            code += self.load(f"t{i}", operand, wide and not (words[0] == "shl" and i == 2))
        w = "" if wide else "w"
        if name in ("mul.wide.u32", "cvt.u64.u32"):
            code += ["slli t1, t1, 32", "srli t1, t1, 32"]
        code += {
            "mov": ["mv t0, t1"], "add": [f"add{w} t0, t1, t2"], "sub": [f"sub{w} t0, t1, t2"],
            "mul": ["mul t0, t1, t2"], "mad": ["mulw t0, t1, t2", "addw t0, t0, t3"],
            "and": ["and t0, t1, t2"], "or": ["or t0, t1, t2"], "xor": ["xor t0, t1, t2"],
            "shl": [f"sll{w} t0, t1, t2"], "div": ["divw t0, t1, t2"],
            "shr": [("srl" if kind[0] == "u" else "sra") + w + " t0, t1, t2"],
            "neg": ["negw t0, t1"], "cvt": ["mv t0, t1"],
        }.get(words[0]) or self.refuse(name)
        to_wide = words[1] in ("s64", "u64") if words[0] == "cvt" else wide or widens
        self.piece(code + self.store(operands[0], "t0", to_wide))

    def refuse(self, name):
        raise Unknown(name)

    def text(self):
        frame = (8 + 8 * len(self.slots) + 15) & ~15
        head = [f".set FRAME_{self.name}, {frame}", f"ptx_{self.name}:",
                f"\taddi sp, sp, -FRAME_{self.name}", "\tsd s0, 0(sp)", "\tmv s0, a0"]
        return "\n".join(head + self.out) + "\n"


def kernels_of(text):
    """The kernels of a module of PTX."""
    kernel = None
    for line in text.splitlines():
        line = line.strip()
        entry = re.match(r"\.entry (\w+)\(", line)
        shared = re.match(r"\.shared .*\.b8 ([\w$]+)\[(\d+)\];", line)
        if entry:
            kernel = Kernel(entry[1])
        elif shared:
            kernel.declare(shared[1], int(shared[2]))
        elif line == "}":
            yield kernel
            kernel = None
        elif re.match(r"LBB\w+:", line):
            kernel.out.append(kernel.label(line))
        elif kernel and re.match(r"[a-z@]", line):
            kernel.translate(line)


def assembly(kernels):
    """All of them, and a table: name, function, bytes of group memory."""
    text = [".option norvc\n.option norelax\n.text\n.balign 4\n.globl ptx_nothing\n",
            "ptx_nothing:\n" + "\tnop\n" * (PROLOGUE - 1) + "\tret\n"]
    text += [k.text() for k in kernels]
    text.append(".section .rodata\n.balign 8\n.globl ptx_kernels\nptx_kernels:\n")
    for k in kernels:
        text.append(f"\t.dword name_{k.name}, ptx_{k.name}, {k.bytes}\n")
    text.append("\t.dword 0, 0, 0\n")
    text += [f'name_{k.name}:\t.asciz "{k.name}"\n' for k in kernels]
    return "".join(text)
