-- What scripts of random chips draw from: numbers that follow from the option
-- seed, so that the same seed is the same chip.
local state = option{name = "seed", default = 1, doc = "which chip"} * 2 + 1

function draw(least, most)
  state = state * 6364136223846793005 + 1442695040888963407
  return least + (state >> 33) % (most - least + 1)
end

function pick(list) return list[draw(1, #list)] end
function chance(percent) return draw(1, 100) <= percent end
