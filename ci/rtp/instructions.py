"""The instructions: what each one reads, writes and does, and how long it
takes.

A row of TABLE has the mnemonic, the form of the operands, the cycles in EX and
the function on words. decode() makes an Instruction of a word: its operand
numbers, and what the pipeline has to know of it. An opcode that is not in the
table is illegal.
"""
from collections import namedtuple

import arithmetic as a

Row = namedtuple("Row", "name form ex function", defaults=(None,))

# Forms: v, s, i stand for vector, scalar and immediate, the first for the
# destination; others are named.
TABLE = {
    0b000000: Row("vv_add", "vvv", 4, a.f_add),
    0b000001: Row("vv_sub", "vvv", 4, a.f_sub),
    0b000010: Row("vv_mul_ele", "vvv", 4, a.f_mul),
    0b000011: Row("vv_div", "vvv", 13, a.f_div),
    0b000101: Row("cmp_v", "cmp_v", 4),
    0b001000: Row("vf_add", "vvs", 4, a.f_add),
    0b001001: Row("vf_sub", "vvs", 4, a.f_sub),
    0b001010: Row("vf_mul", "vvs", 4, a.f_mul),
    0b001011: Row("vf_div", "vvs", 13, a.f_div),
    0b001100: Row("not", "ss", 1, lambda x: x ^ a.MASK),
    0b001101: Row("and", "sss", 1, lambda x, y: x & y),
    0b001110: Row("or", "sss", 1, lambda x, y: x | y),
    0b001111: Row("xor", "sss", 1, lambda x, y: x ^ y),
    0b010000: Row("ff_add", "sss", 4, a.f_add),
    0b010001: Row("ff_sub", "sss", 4, a.f_sub),
    0b010010: Row("ff_mul", "sss", 4, a.f_mul),
    0b010011: Row("ff_div", "sss", 13, a.f_div),
    0b010101: Row("cmp_f", "compare", 4, a.f_compare),
    0b011000: Row("ii_add", "sss", 3, a.i_add),
    0b011001: Row("ii_sub", "sss", 3, a.i_sub),
    0b011010: Row("ii_mul", "sss", 4, a.i_mul),
    0b011011: Row("ii_div", "sss", 23, a.i_div),
    0b011101: Row("cmp_i", "compare", 3, a.i_compare),
    0b100000: Row("s_write_high", "write", 1, lambda x, i: i << 16 | x & 0xFFFF),
    0b100001: Row("s_write_low", "write", 1, lambda x, i: x & 0xFFFF0000 | i),
    0b100010: Row("s_itof", "ss", 5, a.i_to_f),
    0b100011: Row("s_ftoi", "ss", 3, a.f_to_i),
    0b100100: Row("v_reduce", "reduce", 4),
    0b100101: Row("s_get_from_v", "get", 1),
    0b100110: Row("s_sqrt", "ss", 11, a.f_sqrt),
    0b100111: Row("v_get_from_s", "put", 1),
    0b101000: Row("ii_addi", "ssi", 3, a.i_add),
    0b101001: Row("ii_subi", "ssi", 3, a.i_sub),
    0b101010: Row("ii_muli", "ssi", 4, a.i_mul),
    0b101011: Row("ii_divi", "ssi", 23, a.i_div),
    0b101100: Row("s_load_4byte", "s_load", 3),
    0b101111: Row("v_load_16byte", "v_load", 3),
    0b110000: Row("be", "branch", 1, lambda flags: flags == 0b00),
    0b110001: Row("bne", "branch", 1, lambda flags: flags != 0b00),
    0b110010: Row("bl", "branch", 1, lambda flags: flags == 0b11),
    0b110011: Row("bge", "branch", 1, lambda flags: flags != 0b11),
    0b110100: Row("bg", "branch", 1, lambda flags: flags == 0b10),
    0b110101: Row("ble", "branch", 1, lambda flags: flags != 0b10),
    0b110110: Row("jmp", "jump", 1),
    0b110111: Row("ret", "return", 1),
    0b111010: Row("trace", "stop", 1),
    0b111011: Row("fin", "stop", 1),
    0b111100: Row("s_store_4byte", "s_store", 3),
    0b111111: Row("v_store_16byte", "v_store", 3),
}
OPCODES = {row.name: opcode for opcode, row in TABLE.items()}

# What a form reads and writes: a letter for the file, one for the field.
READS = {
    "vvv": "va vb", "cmp_v": "va vb", "vvs": "va sb", "ss": "sa",
    "sss": "sa sb", "compare": "sa sb", "write": "sa", "reduce": "va",
    "get": "va", "put": "vd sa", "ssi": "sa", "s_load": "sa", "v_load": "sa",
    "branch": "", "jump": "", "return": "sa", "stop": "",
    "s_store": "sd sa", "v_store": "vd sa",
}
WRITES = {
    "vvv": "vd", "vvs": "vd", "ss": "sd", "sss": "sd", "write": "sd",
    "reduce": "sd", "get": "sd", "put": "vd", "ssi": "sd", "s_load": "sd",
    "v_load": "vd",
}


class Instruction:
    """A decoded word. Registers in `reads` and `writes` have the numbers 0 to
    31 (scalar) and 32 to 47 (vector)."""

    def __init__(self, word):
        row = TABLE.get(word >> 26)
        if row is None:
            raise ValueError(f"illegal instruction {word:08x}")
        self.name, self.form, self.ex, self.function = row
        self.d = word >> 21 & 31
        self.a = word >> 16 & 31
        self.b = word >> 11 & 31
        self.immediate = word & 0xFFFF
        self.offset = self.immediate - ((self.immediate & 0x8000) << 1)
        self.lane = word & 3
        self.reads = frozenset(map(self.register, READS[row.form].split()))
        self.writes = (self.register(WRITES[row.form])
                       if row.form in WRITES else None)
        # A load's or a sum's result comes too late for the next instruction.
        self.late = row.form in ("s_load", "v_load", "reduce")

    def register(self, operand):
        number = getattr(self, operand[1])
        return number if operand[0] == "s" else 32 + (number & 15)
