/*
 * How evenly units are used: a cell for each unit, one row for each tile, or rows
 * that wrap where tiles have one. Arrow keys go from cell to cell.
 */

const heatState = { group: null, name: null };

/* A bucket as a share of the unit's cycles, a counter as it is; null: the unit does
 * not have it. */
function heatValue(run, unit, row, name) {
    const value = own(unit[row.part], name);
    if (value === undefined)
        return null;
    return row.part === "buckets" ? value / (unit.accounts * cyclesOf(run)) : value;
}
const heatText = (row, value) => (value === null ? "none"
    : row.part === "buckets" ? `${percent(value)} of its cycles` : `${whole(value)} ${row.unit}`);

/* [column, row] of each unit, and what the rows are called. */
function arrange(units) {
    const tiles = [...new Set(units.map((unit) => unit.tile))];
    if (tiles.length === units.length || tiles.length === 1) {
        const across = Math.min(units.length,
            Math.max(8, Math.ceil(Math.sqrt(units.length) * 1.6)));
        return { across, names: [],
            places: units.map((unit, i) => [i % across, Math.floor(i / across)]) };
    }
    const seen = new Map();
    const places = units.map((unit) => {
        const column = seen.get(unit.tile) ?? 0;
        seen.set(unit.tile, column + 1);
        return [column, tiles.indexOf(unit.tile)];
    });
    return { across: Math.max(...seen.values()), names: tiles, places };
}

function heatMap(run, units, name, readout) {
    const row = rowOf(heatState.group, name), { across, names, places } = arrange(units);
    const values = units.map((unit) => heatValue(run, unit, row, name));
    const known = values.filter((value) => value !== null);
    const low = Math.min(...known), high = Math.max(...known), left = names.length ? 70 : 0;
    const size = Math.min(44, Math.max(9, Math.floor((names.length ? 900 : 960) / across)));
    const down = Math.max(...places.map(([, y]) => y)) + 1;
    let at = 0;
    const cells = units.map((unit, i) =>
        svg("rect", { x: left + places[i][0] * size, y: places[i][1] * size,
            width: size, height: size, rx: 2, "data-unit": unit.name,
            "data-value": own(unit[row.part], name),
        fill: values[i] === null ? variable("--idle") : heatColour(values[i] / (high || 1)),
        on: { click: () => show(i), pointerenter: () => show(i) } },
    svg("title", {}, `${unit.name}: ${heatText(row, values[i])}`)));
    const show = (i) => {
        cells[at].removeAttribute("data-chosen");
        at = i;
        cells[at].setAttribute("data-chosen", "");
        readout.textContent = `${units[i].name}: ${heatText(row, values[i])}`;
    };
    const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across };
    const keydown = (event) => {
        const step = own(move, event.key);
        if (!step)
            return;
        event.preventDefault();
        show(Math.min(Math.max(at + step, 0), units.length - 1));
    };
    const width = left + across * size, height = down * size;
    return { low, high, row, values,
        node: svg("svg", { viewBox: `0 0 ${width} ${height}`, width, tabindex: 0, role: "img",
        "aria-label": `${name} of ${units.length} units of ${heatState.group}, ` +
            "arrow keys go through them",
        on: { keydown, focus: () => show(at) } }, cells, names.map((tile, i) =>
        (size >= 11 ? svg("text", { x: 0, y: i * size + size / 2 + 4 }, tile) : null))) };
}

function heatKey({ low, high, row, values }) {
    const known = values.filter((value) => value !== null);
    const mean = known.reduce((a, b) => a + b, 0) / known.length;
    const text = (value) => (row.part === "buckets" ? percent(value) : short(value));
    return el("p", { class: "note" }, "0 ", scaleStrip(heatColour),
        ` ${text(high)}; least ${text(low)}, mean ${text(mean)}`,
        `${mean > 0 ? `, most is ${(high / mean).toFixed(2)} times the mean` : ""}. `,
        row.meaning);
}

/* Of the groups with many cells that with the most accounts, as cores are; else
 * that with the most cells. */
function firstHeat(run, groups, count) {
    const many = groups.filter((group) => count(group) >= 8);
    const size = many.length ? (group) => own(run.stats.groups, group).accounts : count;
    return (many.length ? many : groups).reduce((a, b) => (size(b) > size(a) ? b : a));
}

function heat() {
    const tools = el("div", { class: "tools" }), map = el("div", { class: "heat" });
    const over = el("div");
    let drawOver = () => {};
    zoom.followers.add(() => drawOver());
    addEventListener("resize", () => drawOver());
    const readout = el("p", { class: "readout", "aria-live": "polite" });
    section("units", "Units", el("p", { class: "note" },
        "A cell is a unit, or all cores of a tile."), tools, readout, map, over);
    const draw = () => {
        const run = chosenRun(), every = allUnits(run);
        drawOver = () => {};
        over.replaceChildren();
        const groups = [...new Set(every.map((unit) => unit.group))];
        const count = (group) => every.filter((unit) => unit.group === group).length;
        if (!groups.length) {
            tools.replaceChildren();
            map.replaceChildren(el("p", {}, "stats.json has nothing of units in these cycles."));
            return;
        }
        if (!groups.includes(heatState.group))
            heatState.group = firstHeat(run, groups, count);
        const units = every.filter((unit) => unit.group === heatState.group);
        const kind = kindOf(run, heatState.group);
        const sums = own(scopeOf(run).of.groups, heatState.group).buckets;
        const total = (name) => own(sums, name) ?? 0;
        const names = [...Object.keys(kind.buckets), ...Object.keys(kind.counters)].filter((name) =>
            units.some((unit) => own(unit.buckets, name) || own(unit.counters, name)));
        if (!names.includes(heatState.name))
            heatState.name = Object.keys(kind.buckets)
                .filter((name) => names.includes(name) && !isIdle(heatState.group, name))
                .reduce((a, b) => (a === undefined || total(b) > total(a) ? b : a),
                    undefined) ?? names[0];
        tools.replaceChildren(
            chooser("Group",
                groups.map((group) => [group, `${group} (${count(group)})`]), heatState.group,
                (group) => { heatState.group = group; draw(); }),
            chooser("Statistic", names.map((name) => [name, name]), heatState.name,
                (name) => { heatState.name = name; draw(); }));
        readout.textContent = "";
        if (!names.includes(heatState.name)) {
            map.replaceChildren(el("p", {}, "All its statistics are 0."));
            return;
        }
        const drawn = heatMap(run, units, heatState.name, readout);
        map.replaceChildren(heatKey(drawn), drawn.node);
        over.replaceChildren(unitMap(run, heatState.group, heatState.name,
            (redraw) => { drawOver = redraw; }));
        drawOver();
    };
    watch(draw);
}

pageParts.push(heat);
