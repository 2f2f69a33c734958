"""What addresses mean: instructions, constants and the threads' own memory.

Constants are 32 KB from 0x20000000 on; other addresses below 0x80000000 read
as zero, and stores to them have no effect. The first hardware had another map:
2 KB of constants everywhere below 0x80000000, and stores there went to the
thread's memory. `HardwareProgram` is a program on that hardware.
"""
from instructions import Instruction

INSTRUCTIONS = 4096  # words; addresses wrap
LOCAL = 0x10000  # bytes of a thread's memory; addresses wrap
CONSTANTS = 0x20000000
CONSTANT_BYTES = 0x8000
MAIN = 0x80000000
MAIN_CYCLES = 7  # of a load in MEM


class Program:
    """Instruction words and constants; words are decoded when first met."""

    def __init__(self, words, constants):
        self.words = words
        self.constants = constants
        self.decoded = {}

    def at(self, pc):
        index = pc >> 2 & INSTRUCTIONS - 1
        instruction = self.decoded.get(index)
        if instruction is None:
            if index >= len(self.words):
                raise ValueError(f"no instruction at {pc:#x}")
            instruction = Instruction(self.words[index])
            self.decoded[index] = instruction
        return instruction

    def load(self, address, count, local):
        """The words from an address on, and the cycles in MEM."""
        if address < MAIN:
            word, cycles = self.constant(address)
            return (word, 0, 0, 0), cycles
        return tuple(local.get(address + 4 * k & LOCAL - 4, 0)
                     for k in range(count)), MAIN_CYCLES

    def store(self, address, words, local):
        if self.stored(address):
            for k, word in enumerate(words):
                local[address + 4 * k & LOCAL - 4] = word

    def stored(self, address):
        return address >= MAIN

    def constant(self, address):
        if CONSTANTS <= address < CONSTANTS + CONSTANT_BYTES:
            return self.constant_word(address - CONSTANTS >> 2), 1
        return 0, 1

    def constant_word(self, index):
        return self.constants[index] if index < len(self.constants) else 0


class HardwareProgram(Program):
    def stored(self, address):
        return True

    def constant(self, address):
        cycles = 2 if address >> 29 == 0b010 else 1
        return self.constant_word(address >> 2 & 511), cycles
