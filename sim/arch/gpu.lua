-- A GPU-like chip: TMs and memory partitions around a crossbar, from one
-- table of numbers. The presets include this file and call gpu{...}; a chip
-- of another shape is written with unit{}, link{} and both() directly.
--
-- Tiles: one for each TM, one for each memory partition, one for the work
-- counter; streams.lua and moving.lua add "streams" (stream scheduler, ray
-- store) and "scene" (scene buffer). Only the crossbar's links and those to
-- these tiles and the work counter cross tiles, so their latency, hop, is the
-- epoch E.

local function copy(settings, extra)
  local t = {}
  for k, v in pairs(settings or {}) do t[k] = v end
  for k, v in pairs(extra) do t[k] = v end
  return t
end

-- Shared pipelines: one for each `share` thread processors, or one for all.
local function sfu_pool(tm, where, name, settings, tps)
  local share = settings.share or #tps
  local pool
  for i, tp in ipairs(tps) do
    if (i - 1) % share == 0 then
      pool = unit{tile = where, kind = "sfu", group = name,
                  name = tm .. "." .. name .. (i - 1) // share,
                  latency = settings.latency, interval = settings.interval}
    end
    both(tp, "op", pool, "op", "done", "done", 1, 8)
  end
end

-- The staging buffer of a chip with ray streams (streams.lua).
local function make_stager(chip, where, name, tps)
  local stager = unit{tile = where, kind = "stager", group = "stager",
                      name = name .. ".stager",
                      map_stride = chip.stripe, map_hash = chip.hash}
  for _, tp in ipairs(tps) do
    both(tp, "op", stager, "op", "done", "done", 1, 8)
  end
  return stager
end

-- The ray gate of a chip whose rays move (moving.lua).
local function make_gate(where, name, tps)
  local gate = unit{tile = where, kind = "raygate", group = "raygate",
                    name = name .. ".raygate"}
  for _, tp in ipairs(tps) do
    both(tp, "op", gate, "op", "done", "done", 1, 8)
  end
  return gate
end

local function one_way(from, out, to, inp, latency, depth)
  link{from = from, out = out, to = to, inp = inp, latency = latency,
       depth = depth}
end

-- On a chip with paging the requests of a client of the L1 go by way of the TM's
-- TLB, unless that is behind the L1; their answers go their usual way.
local function to_l1(chip, tm, client, depth)
  if not tm.tlb or chip.paging.place == "crossbar" then
    both(client, "mem", tm.l1, "cpu", "reply", "data", 1, depth)
    return
  end
  one_way(client, "mem", tm.tlb, "cpu", 1, depth)
  one_way(tm.tlb, "mem", tm.l1, "cpu", 1, depth)
  one_way(tm.l1, "reply", client, "data", 1, 0)
end

-- The same of an L1 and a slice of the L2.
local function to_l2(chip, tm, slice)
  local depth = chip.crossbar_depth or 8
  if not tm.tlb or chip.paging.place ~= "crossbar" then
    both(tm.l1, "mem", slice, "cpu", "reply", "fill", chip.hop, depth)
    return
  end
  one_way(tm.l1, "mem", tm.tlb, "cpu", 1, depth)
  one_way(tm.tlb, "mem", slice, "cpu", chip.hop, depth)
  one_way(slice, "reply", tm.l1, "fill", chip.hop, 0)
end

-- The GMMU and PCIe of a chip with paging, and what the TLBs ask.
local function make_paging(chip, tms)
  local where = tile("paging")
  local gmmu = unit(copy(chip.paging.gmmu, {
    tile = where, kind = "gmmu", group = "gmmu", name = "gmmu",
    map_stride = chip.stripe, map_parts = chip.partitions,
    map_hash = chip.hash}))
  local pcie = unit(copy(chip.paging.pcie, {tile = where, kind = "pcie",
                                            group = "pcie", name = "pcie",
                                            core_clock = chip.clock * 1000}))
  both(gmmu, "pcie", pcie, "ask", "done", "done", 1, 4)
  for _, tm in ipairs(tms) do
    both(tm.tlb, "walk", gmmu, "walk", "back", "back", chip.hop, 8)
  end
  return gmmu
end

-- The thread processors of a TM and the pipelines that they share; or, of a
-- chip with `simt`, one SM, which has all of that inside.
local function make_cores(chip, where, name, tm)
  if chip.simt then
    tm.tps[1] = unit({tile = where, kind = "simt", group = "tp",
                      name = name .. ".sm"}, chip.simt)
    return
  end
  -- The op links of a thread processor are numbered in this order.
  local sfus = {"sfu_int", "sfu_float", "sfu_box", "sfu_tri"}
  local units = {sfu_int = {"imul", "idiv"}, sfu_float = {"fdiv", "fsqrt"},
                 sfu_box = {"boxisect"}, sfu_tri = {"triisect"}}
  local tp = copy(chip.tp, {})
  local number = 0
  for _, sfu in ipairs(sfus) do
    if chip[sfu] then
      number = number + 1
      for _, class in ipairs(units[sfu]) do tp[class .. "_unit"] = number end
    end
  end
  local served = chip.streams and {"lwi", "swi", "cshit", "lhit"} or
                 chip.moving and chip.rtcore and {"swr", "lhr"} or
                 chip.moving and {"lwr", "swr", "lhr"} or {}
  for _, op in ipairs(served) do tp[op .. "_unit"] = number + 1 end
  for i = 1, chip.tps do
    tm.tps[i] = unit({tile = where, kind = "tp", group = "tp",
                      name = name .. ".tp" .. i - 1}, tp)
  end
  for _, sfu in ipairs(sfus) do
    if chip[sfu] then sfu_pool(name, where, sfu, chip[sfu], tm.tps) end
  end
end

local function make_tm(chip, index)
  local name = "tm" .. index
  local where = tile(name)
  local tm = {tps = {}}
  make_cores(chip, where, name, tm)
  if chip.streams then
    tm.stager = make_stager(chip, where, name, tm.tps)
  elseif chip.moving then
    tm.gate = make_gate(where, name, tm.tps)
  end
  tm.l1 = unit({tile = where, kind = "cache", group = "l1",
                name = name .. ".l1", owner = 0}, chip.l1)
  if chip.paging then
    tm.tlb = unit({tile = where, kind = "tlb", group = "tlb",
                   name = name .. ".tlb", map_line = chip.l2.line or 128,
                   map_stride = chip.stripe, map_hash = chip.hash,
                   map_parts = chip.partitions, map_slices = chip.slices},
                  chip.paging.tlb or {})
  end
  if chip.icache then
    tm.icache = unit({tile = where, kind = "cache", group = "icache",
                      name = name .. ".icache", owner = 0}, chip.icache)
    for _, p in ipairs(tm.tps) do
      both(p, "fetch", tm.icache, "cpu", "reply", "code", 1, 2)
    end
  end
  tm.scheduler = unit{tile = where, kind = "scheduler", group = "scheduler",
                      name = name .. ".scheduler", block = chip.block}
  for _, p in ipairs(tm.tps) do
    for _ = 1, chip.simt and chip.mem_ports or 1 do
      to_l1(chip, tm, p, chip.port_depth or 8)
    end
    both(p, "next", tm.scheduler, "next", "index", "index", 1, 1)
  end
  if chip.rtcore then
    tm.rtcore = unit({tile = where, kind = "rtcore", group = "rtcore",
                      name = name .. ".rtcore"}, chip.rtcore)
    if chip.streams or chip.moving then
      both(tm.rtcore, "item", tm.stager or tm.gate, "item", "work", "work", 1, 8)
    else
      for _, p in ipairs(tm.tps) do
        both(p, "ray", tm.rtcore, "ray", "hit", "hit", 1, 1)
      end
    end
    for _ = 1, chip.rt_queues do
      to_l1(chip, tm, tm.rtcore, chip.port_depth or 8)
    end
  end
  return tm
end

-- The DRAM's clock is counted against the chip's, and its addresses leave out
-- what chose the partition. An ideal memory instead: dram = {kind = "memory",
-- latency = ..., bandwidth = ...}.
local function make_dram(chip, where, name)
  local settings = copy(chip.dram, {tile = where, group = "dram", name = name})
  if settings.kind ~= "memory" then
    settings.kind = "dram"
    settings.core_clock = chip.clock * 1000
    settings.map_stride, settings.map_parts = chip.stripe, chip.partitions
  end
  return unit(settings)
end

local function make_partition(chip, index)
  local name = "part" .. index
  local where = tile(name)
  local slices = {}
  local dram = make_dram(chip, where, name .. ".dram")
  for s = 1, chip.slices do
    slices[s] = unit({tile = where, kind = "cache", group = "l2",
                      name = name .. ".l2." .. s - 1, owner = 1}, chip.l2)
    both(slices[s], "mem", dram, "cpu", "reply", "fill", 1, 16)
  end
  return {name = name, tile = where, slices = slices, dram = dram}
end

-- chip: clock, tms, tps, block, hop, partitions, slices, stripe; tp, l1, l2,
-- dram and, where the chip has them, simt (an SM in the place of a TM's thread
-- processors, with mem_ports links to the L1), rtcore (with rt_queues, its ports to the
-- L1, unless chip.rt_ports says another number), sfu_int, sfu_float, sfu_box, sfu_tri,
-- icache (with tp.fetch_buffer: without one, fetch is free); hash:
-- how addresses are spread over partitions and slices, "stride" or "xor";
-- streams: a chip of streams.lua, whose RT cores have work of staging buffers;
-- moving: one of moving.lua, whose RT cores have work of ray gates; paging: tlb,
-- gmmu, pcie, place and charge_dram of paging.lua, a chip with managed memory.
-- Returns its TMs (l1, tps, scheduler, rtcore, stager or gate) and its
-- partitions (name, tile, slices, dram), for scripts that connect more to them.
function gpu(chip)
  if chip.simt and (chip.streams or chip.moving) then
    error("gpu: cores of kind simt have no ray streams and no ray store: "
          .. "expected tp, or no streams and no moving", 0)
  end
  if chip.rtcore then
    chip.rt_queues = option{name = "rt_ports", default = chip.rt_queues, min = 1, max = 32,
                            doc = "ports of an RT core to its L1"}
  end
  local map = {map_stride = chip.stripe, map_parts = chip.partitions,
               map_slices = chip.slices, map_hash = chip.hash}
  chip.l1, chip.l2 = copy(chip.l1, map), copy(chip.l2, map)
  chip.icache = chip.icache and copy(chip.icache, map)
  local counter = unit{tile = tile("global"), kind = "workcounter",
                       group = "workcounter", name = "workcounter"}
  local tms = {}
  for i = 1, chip.tms do
    tms[i] = make_tm(chip, i - 1)
    both(tms[i].scheduler, "ask", counter, "ask", "block", "block", chip.hop, 1)
  end
  local gmmu = chip.paging and make_paging(chip, tms)
  local partitions = {}
  for p = 1, chip.partitions do
    local part = make_partition(chip, p - 1)
    partitions[p] = part
    if gmmu and chip.paging.charge_dram then
      both(gmmu, "mem", part.dram, "cpu", "reply", "data", chip.hop, 16)
    end
    for _, slice in ipairs(part.slices) do
      for _, tm in ipairs(tms) do
        to_l2(chip, tm, slice)
        if tm.icache then
          both(tm.icache, "mem", slice, "cpu", "reply", "fill", chip.hop,
               chip.crossbar_depth or 8)
        end
      end
    end
  end
  return tms, partitions
end
