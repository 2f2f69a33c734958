-- The RT cores of two generations of NVIDIA's GPUs; no chip of its own.

-- Sources as in turing.lua.
local turing_core = {
  max_rays = 46,      -- CNT M: by Little's law 37 (primary), 50, 41 (tertiary) are in
                      -- flight (P guesses 64)
  schedule = "fcfs",  -- P G
  ops = 2,            -- AC G
  stack = 0,          -- stacks are kept: PAT M (P: short stack, restarts)
  pop_cull = 0,       -- AC; stack entries without t: PAT M
  prefetch = 0, drain = 0,
  -- one box unit, one triangle unit: NV H; a node, a triangle a cycle: M
  box_latency = 3, box_interval = 1, box_pipes = 1, box_width = 0, -- P G; VS 4 to 8, AC 6
  tri_latency = 22, tri_interval = 1, tri_pipes = 1, tri_width = 1, -- P G; AC 11
}

-- A table of its own for each call.
function rtcore_of(generation)
  local core = {}
  for name, value in pairs(turing_core) do core[name] = value end
  if generation == "ampere" then core.tri_pipes = 2 end -- twice as many triangles: NV M
  return core
end
