-- trax: many simple cores and software traversal, with box and triangle
-- units shared within a TM, after the TRaX family of research architectures.
-- Numbers are those of the public Arches simulator's trax chip, except where
-- said otherwise.
include "gpu.lua"

gpu{
  clock = option{name = "clock", default = 1000, min = 1, max = 10000,
                 doc = "core clock, MHz"},
  tms = option{name = "tms", default = 32, min = 1, max = 256, doc = "TMs"},
  tps = option{name = "tps", default = 32, min = 1, max = 64,
               doc = "thread processors in a TM"},
  block = 32,
  -- Of the L2's 10 cycles, 4 each way are the crossbar's.
  hop = 4, partitions = 4, slices = 1, stripe = 4096,
  tp = {harts = 1, scratch = 4096},
  l1 = {size = 32768, ways = 4, banks = 8, latency = 1, mshrs = 256,
        targets = 16},
  -- Arches gives its L2 one MSHR; 64 let its four partitions stream.
  l2 = {size = 262144, ways = 16, latency = 2, mshrs = 64, targets = 8},
  -- One 32 bit GDDR6 pseudo-channel in each partition, with Arches' numbers,
  -- controller and clock: 32 GB/s.
  dram = {device = "gddr6-16000-arches-pch", channels = 1, clock = 2000000,
          rules = "arches",
          scheduler = "first_ready", read_queue = 65, write_queue = 65,
          active_queue = 65, write_high = 700, write_low = 300,
          front = 1, back = 0, accepts = 2},
  sfu_int = {share = 8, latency = 1},
  sfu_float = {share = 16, latency = 6},
  sfu_box = {share = 16, latency = 3},
  sfu_tri = {latency = 22},
}
